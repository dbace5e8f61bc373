#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Shows that the check of what loops carry from turn to turn can fail: slices that do not tell the recorder one kind of it, on purpose, and
# whether they record something else than the slice that runs all turns. docs/developers/checker.md has results.
set -u
usage() {
    cat <<'END'
usage: tests/overlooked.sh [-B BUILD] [-k PATTERN] [-n COUNT] [-s SEED] [-l LEAST] [-w FOLDER]
  -B BUILD    the build folder (default: $BUILD_DIR or build)
  -k PATTERN  only test programs whose name matches this shell pattern (all)
  -n COUNT    and so many random programs with nests of long loops, half of them in Fortran (0); with -k '' these alone
  -s SEED     the number of the first one (1)
  -l LEAST    per cent that must be noticed (99)
  -w FOLDER   leave the programs and what they recorded there
A fault is that of one loop all comparisons of its counters, or all rests, or all values that go into the next turn, or all memory, are not told
(-fplugin-arg-commslice-test-overlook). Prints a row a program that has such loops, a line for each fault that nobody noticed, and the sum.
A fault is the same, and does not count, if the recorder has answered the slice each time as it answers the one that tells all: then both run in the
same way. A fault is wrong if these answers were not written down. Exit status 1: of the others, less than LEAST are noticed, or there are none, or
something is wrong.
END
}
die() { printf 'overlooked: %s\n' "$*" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
build=${BUILD_DIR:-build} pattern='*' count=0 seed=1 least=99 work=''
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -k) pattern=$2; shift ;;
        -n) count=$2; shift ;;
        -s) seed=$2; shift ;;
        -l) least=$2; shift ;;
        -w) work=$2; shift ;;
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
build=$(cd "$build" 2>/dev/null && pwd) || die "no build folder $build: configure and make there first"
if [ -n "$work" ]; then mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2
else work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && trap 'exit 130' INT TERM || exit 2; fi
PATH=$build/bin:$build/cli:$PATH COMMSLICE_REPEAT_FROM=1
export PATH COMMSLICE_REPEAT_FROM COMMSLICE_LIBDIR="$build/commlib"
results=$work/results
: >"$results"

link_slice() {  # OUTPUT FLAG...
    out=$1
    shift
    # shellcheck disable=SC2086  # words on purpose
    "commslice-$wrapper" -O2 -g -w $flags ${assume:+"-fplugin-arg-commslice-assume=$PWD/assumptions"} "$@" -o "$out" object.o ${more:+"$more"} -lm
}

# In a folder without what an earlier run may have left there. A rank that uses far more processor time than it should runs for ever.
run_slice() (  # PROGRAM TRACE
    [ -z "$limit" ] || ulimit -t "$limit"
    rm -rf inside && mkdir inside && cd inside || exit 2
    [ -z "$files" ] || make_files "$src"
    # shellcheck disable=SC2086  # words on purpose
    timeout 300 commslice run -q -n "$ranks" -o "../$2" "../$1" $arguments >../run.log 2>&1 <../stdin
)
# Sets how many seconds of processor time a rank may use: one, and three times what all turns of all ranks take.
all_turns() {
    limit=''
    (COMMSLICE_NO_REPEAT=1 run_slice slice all.trace && times >used) || return
    limit=$(tail -n 1 used | tr 'ms' '  ' | awk '{ print 1 + int(3 * ($1 * 60 + $2 + $3 * 60 + $4)) }')
}
one_turn() { logged slice one && [ -z "$lost" ] && commslice diff all.trace one.trace >diff.log 2>&1; }

# The answers that the slice gets from the recorder, of all ranks, go to NAME.answers; the status is that of the run. `lost`: they are not all there.
logged() {  # PROGRAM NAME
    lost='' rank=0
    rm -f log.*
    COMMSLICE_TURNS_LOG=$PWD/log run_slice "$1" "$2.trace" || return
    while [ "$rank" -lt "$ranks" ]; do
        [ "$(head -n 1 "log.$rank" && tail -n 1 "log.$rank")" = "commslice turns
end" ] || lost=1
        echo "rank $rank" && cat "log.$rank"
        rank=$((rank + 1))
    done >"$2.answers" 2>/dev/null
    [ -z "$lost" ] || echo "not all answers are written down" >>run.log
}

# What becomes of a slice in which thing N is not told. A slice gets nothing from the recorder but how many turns were recorded at once.
# If it got the same each time that it asked, it ran as the slice did that tells all: no trace can show what it did not tell.
try_thing() {  # N
    link_slice faulty -fplugin-arg-commslice-test-overlook="$1" >link.log 2>&1 || die "$name: $(tail -n 1 link.log)"
    if ! logged faulty faulty || ! commslice diff all.trace faulty.trace >diff.log 2>&1; then echo noticed
    elif [ -n "$lost" ]; then echo wrong
    elif cmp -s one.answers faulty.answers; then echo same
    else echo missed; fi
}

prepare() {  # FILE: to the program's folder; `things`, how many are told
    src=$1 name=$(basename "${1%.*}") wrapper=$(tool "$1") assume=$(header "$1" assume) flags=$(header "$1" flags)
    files=$(header "$1" files) arguments=$(header "$1" args)
    ranks=$(header "$1" ranks | tr ' ' '\n' | sort -n | head -n 1)
    ranks=${ranks:-2}
    mkdir -p "$work/$name" && cd "$work/$name" || exit 2
    printf '%s\n' "$assume" >assumptions
    printf '%b' "$(header "$src" stdin)" >stdin
    more=$(opaque_object "$src" 2)
    # shellcheck disable=SC2086  # words on purpose
    "commslice-$wrapper" -O2 -g -w $flags -c -o object.o "$src" >compile.log 2>&1 && link_slice slice -fplugin-arg-commslice-verbose >verbose 2>&1 || return 1
    things=$(sed -n 's/commslice: \([0-9]*\) kinds of things are told of turns/\1/p' verbose)
    [ "${things:-0}" -gt 0 ]
}

try_program() {  # FILE
    prepare "$1" || return
    if ! all_turns || ! one_turn; then
        echo "$name: does not run, or one turn is not all: $(cat run.log diff.log 2>/dev/null | head -n 1)"
        echo "$name 1 wrong" >>"$results"
        return
    fi
    k=1 seen=0 same=0
    while [ "$k" -le "$things" ]; do
        how=$(try_thing "$k")
        case $how in noticed) seen=$((seen + 1)) ;; same) same=$((same + 1)) ;; esac
        echo "$name $k ${how:-wrong} $(sed -n "s/^commslice: kind $k that is told of turns: //p" verbose)" >>"$results"
        k=$((k + 1))
    done
    printf '%-28s %3d of %3d noticed, %3d the same\n' "$name" "$seen" "$things" "$same"
    rm -f faulty ./*.trace
}

random_programs() {
    ${CC:-cc} -O1 -o "$work/random-loops" "$top/tests/random-loops.c" || die "cannot build random-loops.c"
    while [ "$count" -gt 0 ]; do
        "$work/random-loops" "$seed" lasting >"$work/c_$seed.c"
        try_program "$work/c_$seed.c"
        [ "$count" -lt 2 ] || { "$work/random-loops" "$seed" fortran lasting >"$work/f_$seed.f90" && try_program "$work/f_$seed.f90"; }
        seed=$((seed + 1)) count=$((count - 2))
    done
}

[ -z "$pattern" ] || programs_like "$top/tests/programs" "$pattern" >"$work/programs"
[ -z "$pattern" ] || while IFS= read -r f; do try_program "$f"; done <"$work/programs"
random_programs
awk -v least="$least" '
    { n++; by[$3]++; if (!($1 in known)) { known[$1]; programs++ } }
    $3 != "noticed" && $3 != "same" { program = $1; kind = $2; how = $3; $1 = $2 = $3 = ""; print how ": " program " " kind ":" substr($0, 3) }
    END { if (!n) { print "no loop is compared"; exit 1 }
        faults = n - by["same"]
        part = faults ? 100 * by["noticed"] / faults : 0
        printf "%d programs: %d kinds of things are told, %d decide nothing; of the others, %d of %d are noticed, %.1f %%\n",
            programs, n, by["same"], by["noticed"], faults, part
        exit !faults || part < least || by["wrong"] > 0 }' "$results"
