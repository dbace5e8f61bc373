#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# all-turns.sh: do slices record the same with one turn for all as with all turns of all loops, call by call? NPB, applications, random programs.
set -u
. "$(dirname "$0")/common.sh"

help() {
    cat <<'END'
usage: bench/all-turns.sh [-B BUILD] [-w FOLDER] [-p NPB] [-c "CLASS..."] [-a FOLDER] [-n COUNT] [-s SEED] [NAME...]
  -B BUILD   the build tree of commslice (build)
  -w FOLDER  work here and leave everything there; slices of NPB that are there already are not made again
  -p NPB     your copy of NPB3.4-MPI: all eight programs
  -c CLASSES of NPB (S W): S on 4 ranks, W on 16, D and E on 512 or 484 (IS, which keeps its data, not in D)
  -a FOLDER  your copies of applications: those with the recipes NAME (Sweep3D CoMD HPCCG LULESH miniMD CloverLeaf)
  -n COUNT   so many random programs with nests of loops (0), half of them in C and half in Fortran: tests/random_loops_test.sh
  -s SEED    the number of the first one (1)

A row a slice, as of bench/one-turn.sh: loops with recorded calls, those that run one turn for all; events; processor time with all turns, with one
turn; their ratio; bytes of the trace. A loop of any length is repeated (COMMSLICE_REPEAT_FROM=1). The last row counts the slices.
Exit status 1: something differs, or does not run.
END
}

tree='' work='' npb='' classes='S W' applications='' count=0 seed=1
while getopts B:w:p:c:a:n:s:h o; do
    case $o in
    B) tree=$OPTARG ;; w) work=$OPTARG ;; p) npb=$OPTARG ;; c) classes=$OPTARG ;; a) applications=$OPTARG ;; n) count=$OPTARG ;; s) seed=$OPTARG ;;
    h) help; exit 0 ;;
    *) help >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
find_tools "$tree"
[ $# -gt 0 ] || set -- Sweep3D CoMD HPCCG LULESH miniMD CloverLeaf
if [ -n "$work" ]; then mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2; else make_work; fi
rows=$work/rows
: >"$rows"
export COMMSLICE_REPEAT_FROM=1

ranks_of() { # PROGRAM CLASS
    case $2$1 in S*) echo 4 ;; W*) echo 16 ;; ?bt | ?sp) echo 484 ;; *) echo 512 ;; esac
}

of_npb() { # PROGRAM CLASS
    n=$(ranks_of "$1" "$2") slice=$work/$1.$2/slice/program
    [ -x "$slice" ] || "$top/npb-patches/try" -B "$build" -o "$work/$1.$2" "$npb" "$1" "$2" "$n" >"$work/$1.$2.log" 2>&1 ||
        { echo "$1 $2: $(tail -n 1 "$work/$1.$2.log")"; return; }
    printf '%-16s   %6s %s\n' "$1 $2" "$n" "$(cd "$work/$1.$2" && sh "$top/bench/one-turn.sh" -B "$build" -n "$n" "$slice" 2>&1 | tail -n 1)"
}

of_all_npb() {
    for class in $classes; do
        for p in bt cg ep ft is lu mg sp; do
            [ "$p$class" = isD ] || [ "$p$class" = isE ] || of_npb $p "$class"
        done
    done
}

random() {
    BUILD_DIR=$build "$top/tests/random_loops_test.sh" -n $((count / 2)) -s "$seed" >"$work/random.log" 2>&1
    grep -v '^PASS' "$work/random.log" | grep -v ' passed, '
    awk -v of=$((count / 2 * 2)) '/^PASS  program/ { same++ }
        END { printf "%d random programs: %d %s\n", of, same, same == of ? "same" : "are the same, MORE ARE NOT" }' "$work/random.log"
}

{
    [ -z "$npb" ] || of_all_npb
    [ -z "$applications" ] || sh "$top/bench/applications.sh" -r -B "$build" -w "$work/applications" "$applications" "$@" 2>&1
    [ "$count" = 0 ] || random
} | tee "$rows"
awk '/^[0-9]+ random/ { n += $1; same += $4; next } { n++; same += / same$/ }
    END { printf "%d slices, %d the same\n", n, same; exit same != n || n == 0 }' "$rows"
