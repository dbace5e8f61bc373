# SPDX-License-Identifier: BSD-3-Clause
# Completion for fish: verbs and options are asked of the command itself, so that they are always those of the installed version.

function __commslice_verbs
    commslice help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) *\(.*\)/\1\t\2/p'
    printf 'help\tsay more about a verb\n'
end

# "-n, --ranks N   number of ranks" gives two lines: -n and --ranks, each with what it does.
function __commslice_options
    set -l words (commandline -opc)
    commslice help $words[2] 2>/dev/null | sed -nE 's/^ +(-[a-zA-Z]), (--[a-z-]+)[^ ]*( [^ ]+)? +(.*)/\1\t\4\n\2\t\4/p; t; s/^ +(--[a-z-]+)( [^ ]+)? +(.*)/\1\t\3/p'
    printf -- '--help\tsay what the verb does\n'
end

function __commslice_compiler_options
    set -l words (commandline -opc)
    $words[1] --commslice-help 2>/dev/null | sed -nE 's/^ +(-fplugin-arg-[a-z-]+=?).*/\1/p'
end

complete -c commslice -n '__fish_is_nth_token 1' -f -a '(__commslice_verbs)'
complete -c commslice -n 'not __fish_is_nth_token 1; and string match -q -- "-*" (commandline -ct)' -a '(__commslice_options)'
for compiler in commslice-mpicc commslice-mpicxx commslice-mpifort
    complete -c $compiler -n 'string match -q -- "-*" (commandline -ct)' -a '(__commslice_compiler_options)'
end
