# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash: verbs and options are asked of the commands themselves, so that they are always those of the installed version.

# Options that a text of --help names: "-n, --ranks N" and "--share [K/M]" give -n, --ranks, --share.
_commslice_options() { # TEXT
    grep -oE '^ +-[^ ].*' <<<"$1" | grep -oE -- '(^| |, )--?[a-zA-Z][a-zA-Z0-9_-]*=?' | tr -d ' ,' | sort -u
}

# What may stand behind an option whose help has a choice, "-e, --engine NAME  ... emulate (...), or mpich (...)", is not told by its text.
_commslice_values() { # OPTION
    case $1 in
    -e | --engine) echo emulate mpich ;;
    --stdout) echo show tag drop ;;
    esac
}

_commslice() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} command=${COMP_WORDS[0]} text
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$verb" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
        text=$("$command" help 2>/dev/null | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$text help --help --version" -- "$word")
        return
    fi
    text=$(_commslice_values "$before")
    if [ -n "$text" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$text" -- "$word")
    elif [ "$before" = -f ] && [ "$verb" = export ]; then
        text=$("$command" help export 2>/dev/null | sed -n '/^Formats:/,/^  -/s/^  \([a-z][a-z0-9-]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$text" -- "$word")
    elif [[ $word == -* ]]; then
        text=$(_commslice_options "$("$command" help "$verb" 2>/dev/null)")
        mapfile -t COMPREPLY < <(compgen -W "$text --help" -- "$word")
    else
        compopt -o default 2>/dev/null
    fi
}

_commslice_compiler() {
    local word=${COMP_WORDS[COMP_CWORD]} text
    COMPREPLY=()
    if [[ $word == -* ]]; then
        text=$(_commslice_options "$("${COMP_WORDS[0]}" --commslice-help 2>/dev/null)")
        mapfile -t COMPREPLY < <(compgen -W "$text" -- "$word")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
    else
        compopt -o default 2>/dev/null
    fi
}

complete -F _commslice commslice
complete -F _commslice_compiler -o default commslice-mpicc commslice-mpicxx commslice-mpifort
