#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Time of the slicing link against that of a plain -flto link of the same program.
# usage: link-cost.sh [-B BUILD] [-r RUNS] [-c COMPILER] [-f FLAGS] SOURCE...
#        link-cost.sh [-r RUNS] -x PLAIN-COMMAND SLICING-COMMAND
#   The first form compiles the sources twice, with -flto and with the plugin, and then times the links. Fortran sources
#   come in an order in which their modules are made. The second times two commands that the caller has prepared,
#   for programs with a makefile: each ends with a shell command that links, `cd DIR && mpifort ...`.
#   -r RUNS   medians of so many runs, in turn (3); -c COMPILER (mpicc); -f FLAGS (-O2 -g), for the slice add -s FLAGS
# Exit status 1: the slicing link takes more than 3 times as long.
set -u
. "$(dirname "$0")/common.sh"
tree='' runs=3 compiler=$MPICC flags='-O2 -g' more='' commands=
while getopts B:r:c:f:s:x o; do
    case $o in
    B) tree=$OPTARG ;; r) runs=$OPTARG ;; c) compiler=$OPTARG ;; f) flags=$OPTARG ;; s) more=$OPTARG ;; x) commands=yes ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
make_work

# shellcheck disable=SC2086  # flags are words
compile() { # FOLDER FLAGS SOURCES...
    mkdir -p "$work/$1"
    folder=$1 extra=$2
    shift 2
    for s in "$@"; do
        (cd "$work/$folder" && $compiler $flags $extra -I"$(dirname "$s")" -c "$s") || die "cannot compile $s"
    done
}

if [ -n "$commands" ]; then
    [ $# = 2 ] || usage
    plain=$1 slicing=$2
else
    [ $# -ge 1 ] || usage
    find_tools "$tree"
    for s in "$@"; do
        shift
        set -- "$@" "$(realpath "$s")"
    done
    compile plain -flto "$@"
    compile slice "-fplugin=$PLUGIN $more" "$@"
    plain="cd '$work/plain' && $compiler $flags -flto *.o -o prog -lm"
    slicing="cd '$work/slice' && $compiler $flags -fplugin=$PLUGIN $more *.o -o prog -lm"
fi

timed() { # NAME COMMAND
    start=$(now)
    sh -c "$2" >"$work/$1.log" 2>&1 || { tail -n 3 "$work/$1.log" >&2; die "the $1 link failed"; }
    since "$start" >>"$work/$1.s"
}
i=0
while [ $i -lt "$runs" ]; do
    timed plain "$plain"
    timed slicing "$slicing"
    i=$((i + 1))
done
p=$(median "$work/plain.s") s=$(median "$work/slicing.s")
ratio=$(calc %.2f "$s/$p")
ok=$(calc %d "$ratio <= 3")
printf 'plain -flto link %s s, slicing link %s s: ratio %s (at most 3: %s)\n' "$p" "$s" "$ratio" "$([ "$ok" = 1 ] && echo yes || echo NO)"
[ "$ok" = 1 ]
