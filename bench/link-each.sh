#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# link-each.sh: what the slicing link of small programs costs, one by one, against a plain -flto link.
set -u
. "$(dirname "$0")/common.sh"
. "$top/tests/program.sh"

usage() {
    cat <<'END'
usage: bench/link-each.sh [-B BUILD] [-e EACH] [-k PATTERN] [-t TIMES] [-f FLAGS] [FILE...]
Compiles each FILE, a program of one file, with -flto and with the plugin, and links it both ways in turn. Without FILE, all programs of
tests/programs that need no other code beside them; these are short, so most of a link is what GCC does to start.

  -B BUILD    the build tree of commslice (build)
  -e EACH     only every EACHth program (1)
  -k PATTERN  only programs whose name matches this shell pattern
  -t TIMES    links of each (1); the least counts
  -f FLAGS    of compilers and links (-O2 -g)

A row a program, the worst first: processor time of the slicing link over that of the plain one, both in seconds. Then median and worst by
language. Goals: medians of C and of Fortran at most 1.5, of C++ at most 3; exit status 1 if one is missed, or a program does not link.
END
}

build=$top/build each=1 pattern='*' times=1 flags='-O2 -g'
while getopts B:e:k:t:f:h o; do
    case $o in
    B) build=$OPTARG ;; e) each=$OPTARG ;; k) pattern=$OPTARG ;; t) times=$OPTARG ;; f) flags=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
find_tools "$build"
make_work
$CC -O2 -o "$work/whole-run" "$top/bench/whole-run.c" || die "cannot compile whole-run.c"

list() { # [FILE...]
    if [ $# -gt 0 ]; then
        realpath "$@"
    else
        programs_like "$top/tests/programs" "$pattern" | awk -v each="$each" 'NR % each == 0'
    fi
}
language() { case $1 in *.c) echo C ;; *.cc | *.cpp | *.cxx) echo C++ ;; *) echo Fortran ;; esac; }

# The processor time of a link; nothing if it failed.
# shellcheck disable=SC2086  # flags are words
link_once() { # WAY FLAGS
    (cd "$work/$1" && "$work/whole-run" $compiler $flags $own $2 -o program part.o -lm) 2>&1 | sed -n 's/.* cpu \([0-9.]*\) exit 0.*/\1/p'
}
# Of each way the least of $times links: "SLICING PLAIN".
both_links() {
    i=0
    while [ $i -lt "$times" ]; do
        plain=$(link_once plain -flto) slicing=$(link_once slice "-fplugin=$PLUGIN")
        [ -n "$plain" ] && [ -n "$slicing" ] || return 1
        echo "$slicing $plain"
        i=$((i + 1))
    done | awk '{ s = NR == 1 || $1 < s ? $1 : s; p = NR == 1 || $2 < p ? $2 : p } END { print s, p; exit !NR }'
}

mkdir "$work/plain" "$work/slice"
# shellcheck disable=SC2086  # flags are words
list "$@" | while IFS= read -r file; do
    compiler=$(mpi_wrapper "$(tool "$file")") own=$(header "$file" flags)
    [ -z "$(header "$file" opaque)" ] || continue
    rm -f "$work"/*/*
    (cd "$work/plain" && $compiler $flags $own -flto -I"${file%/*}" -c -o part.o "$file" &&
        cd "$work/slice" && $compiler $flags $own "-fplugin=$PLUGIN" -I"${file%/*}" -c -o part.o "$file") >"$work/log" 2>&1 &&
        both=$(both_links) && echo "$(language "$file") ${file##*/} $both" || echo "$(language "$file") ${file##*/} failed"
done >"$work/results"

code=0
grep ' failed$' "$work/results" | while read -r _ name _; do echo "$name: does not link"; done
! grep -q ' failed$' "$work/results" || code=1
awk '$3 != "failed" { printf "%6.2f  %7.2f  %7.2f  %s\n", $3 / $4, $3, $4, $2 }' "$work/results" | sort -rn
for l in C Fortran C++; do
    awk -v l=$l '$1 == l && $3 != "failed" { printf "%.2f\n", $3 / $4 }' "$work/results" | sort -n >"$work/ratios"
    [ -s "$work/ratios" ] || continue
    m=$(median "$work/ratios") goal=1.5
    [ $l != C++ ] || goal=3
    holds=$(calc %d "$m <= $goal")
    [ "$holds" = 1 ] || code=1
    echo "$l: $(wc -l <"$work/ratios") programs, median $m (at most $goal: $([ "$holds" = 1 ] && echo yes || echo NO)), worst $(tail -n 1 "$work/ratios")"
done
exit $code
