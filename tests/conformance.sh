#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the cases of tests/conformance under MPICH and under our engine: output and trace of each case must be the same.
# docs/developers/conformance.md says how to add a case. conformance.sh --help says the rest.
set -u

usage() {
    cat <<'END'
usage: tests/conformance.sh [-B BUILD] [-k PATTERN] [-e ENGINE] [--keep]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -k PATTERN   only families whose name matches this shell pattern, or contains it
  -e ENGINE    compare this engine of commslice record with MPICH (default: emulate); "none": MPICH alone
  --keep       keep programs, outputs and traces even if all is well
END
}

die() { printf 'conformance: %s\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
source=$top/tests/conformance
build=${BUILD_DIR:-build} pattern='*' engine=emulate keep=no
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -k) case $2 in *[*?[]*) pattern=$2 ;; *) pattern="*$2*" ;; esac; shift ;;
        -e) engine=$2; shift ;;
        --keep) keep=yes ;;
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
build=$(cd "$build" 2>/dev/null && pwd) || die "no build folder $build: configure and make there first"
work=$build/tests/conformance.out
PATH=$build/cli:$PATH
export COMMSLICE_LIBDIR="$build/commlib"
seconds=60      # for all cases of a family in one run
passed=0 failed=0

report() {  # PASS|FAIL CASE [REASON]
    line=$(printf '%s  %-48s%s' "$1" "$2" "${3:+  $3}")
    printf '%s\n' "$line"
    case $1 in
        PASS) passed=$((passed + 1)) ;;
        *) failed=$((failed + 1))
           # Under make check our output goes to a log; failures go to the terminal as well.
           if [ -n "${CS_PROGRESS_FD:-}" ]; then printf '%s\n' "$line" >&"$CS_PROGRESS_FD"; fi ;;
    esac
}

# ---- building ----

flags="-g -O1"
build_kit() {
    # shellcheck disable=SC2086  # words on purpose
    "$(mpi_wrapper mpicc)" $flags -c "$source/conf_kit.c" "$source/conf_main.c" &&
        "$(mpi_wrapper mpifort)" $flags -o kit-f.o -c "$source/conf_kit.f90"
}

build_family() {  # FILE PROGRAM
    mkdir -p "$(dirname "$2")"
    # shellcheck disable=SC2086
    case $1 in
        *.c) "$(mpi_wrapper mpicc)" $flags -Wall -Wno-stringop-overflow -o "$2" "$1" conf_main.o conf_kit.o -lm ;;
        *) "$(mpi_wrapper mpifort)" $flags -w -fallow-argument-mismatch -I. -J"$(dirname "$2")" -o "$2" "$1" kit-f.o conf_kit.o ;;
    esac
}

# ---- running: folder ENGINE has out.RANK, T, log, todo (the cases that run), bad.CASE (why one does not) ----

run_once() {  # ENGINE RANKS
    rm -f "$1"/out.* "$1/T" "$1/log"
    # shellcheck disable=SC2046  # words on purpose
    case $1 in
        mpich) CONF_OUT=$1/out timeout -k 2 $seconds commslice record --no-times -o "$1/T" -- \
                   "${MPIEXEC:-mpiexec}" -n "$2" ./program $(cat "$1/todo") ;;
        *) CONF_OUT=$1/out timeout -k 2 $seconds commslice record --engine "$1" -n "$2" --no-times -o "$1/T" -- ./program $(cat "$1/todo") ;;
    esac >"$1/log" 2>&1 </dev/null
}

# The first case of todo that some rank has not ended.
first_open() {  # ENGINE RANKS
    while read -r case; do
        [ "$(cat "$1"/out.* 2>/dev/null | grep -cx "end $case")" = "$2" ] || { echo "$case"; return; }
    done <"$1/todo"
}

reason() {  # LOG
    { grep -m1 -E 'commslice: error|[Ee]rror|Assert' "$1" || grep -v '^$' "$1" | tail -n 1; } | cut -c1-140
}

# A case that ends the run is taken out, and the others run again. At most eight times, else the family is broken as a whole.
run_all() {  # ENGINE RANKS
    for _ in 1 2 3 4 5 6 7 8 9; do
        [ -s "$1/todo" ] || return 1
        run_once "$@"
        rc=$?
        open=$(first_open "$@")
        if [ -z "$open" ]; then
            [ $rc -eq 0 ] && return 0
            open=$(tail -n 1 "$1/todo")     # it went wrong after the last case
        fi
        case $rc in
            124|137) echo "did not end in $seconds s" ;;
            *) echo "exit $rc: $(reason "$1/log")" ;;
        esac >"$1/bad.$open"
        grep -vx "$open" "$1/todo" >"$1/todo.new"
        mv "$1/todo.new" "$1/todo"
    done
    return 1
}

# Each case's lines of all ranks, and its events of all ranks, to files of their own.
split_cases() {  # ENGINE
    for f in "$1"/out.*; do
        awk -v dir="$1" -v rank="${f##*.}" '
            /^begin /{ to = dir "/lines." $2; next }
            /^end /{ close(to); to = ""; next }
            to { print rank ": " $0 >>to; next }
            { print rank ": " $0 >>(dir "/lines.after_the_last") }    # callbacks in MPI_Finalize' "$f"
    done
    commslice print "$1/T" 2>>"$1/log" | awk -v dir="$1" '
        # The number of an event in the whole trace is of no use here.
        { rank = $1; sub(/:.*/, "", rank); sub(/^[0-9]*:[0-9]* /, "") }
        /MPI_Send/ && /4711/ { if (match($0, /count=[0-9]+/)) to = dir "/events." substr($0, RSTART + 6, RLENGTH - 6); next }
        to { print rank ": " $0 >>to }'
}

# ---- verdicts ----

# Why a case does not pass; nothing if it does.
verdict() {  # CASE NUMBER
    # What ends a run under one engine is not run under the other, so this comes first.
    for e in mpich $others; do
        if [ -f "$e/bad.$1" ]; then echo "$e: $(cat "$e/bad.$1")"; return; fi
    done
    for e in mpich $others; do
        if ! grep -qx "$1" "$e/todo"; then echo "$e: was not run, too many others end the run"; return; fi
        if [ ! -s "$e/lines.$1" ]; then echo "$e: no output"; return; fi
        if grep -q WRONG "$e/lines.$1"; then echo "$e: $(grep -m1 WRONG "$e/lines.$1")"; return; fi
        [ -s "$e/events.$2" ] || [ "$2" = 0 ] || : >"$e/events.$2"
        cmp -s "mpich/lines.$1" "$e/lines.$1" ||
            { echo "$e: output: $(diff "mpich/lines.$1" "$e/lines.$1" | grep -m2 '^[<>]' | tr '\n' ' ')"; return; }
        cmp -s "mpich/events.$2" "$e/events.$2" ||
            { echo "$e: trace: $(diff "mpich/events.$2" "$e/events.$2" | grep -m2 '^[<>]' | tr '\n' ' ')"; return; }
    done
}

# The same for what callbacks in MPI_Finalize say.
verdict_at_the_end() {
    for e in mpich $others; do
        if grep -q WRONG "$e/lines.after_the_last"; then echo "$e: $(grep -m1 WRONG "$e/lines.after_the_last")"; return; fi
        cmp -s mpich/lines.after_the_last "$e/lines.after_the_last" ||
            { echo "$e: output: $(diff mpich/lines.after_the_last "$e/lines.after_the_last" | grep -m2 '^[<>]' | tr '\n' ' ')"; return; }
    done
}

run_family() {  # FILE
    family=$(basename "${1%.*}") family=${family#conf_}
    ranks=$(header "$1" ranks)
    if [ -z "$ranks" ]; then report FAIL "$family" "its header has no line 'ranks: N'"; return; fi
    if ! build_family "$1" "$family/program" >"$family.log" 2>&1; then
        report FAIL "$family" "did not build: $(grep -m1 -i error "$family.log" | cut -c1-140)"
        return
    fi
    cd "$family" || exit 2
    nm -u program >>"$work/undefined"
    ./program -l >cases || die "$family does not list its cases"
    for e in mpich $others; do
        mkdir -p "$e"
        if [ "$e" = mpich ]; then cp cases mpich/todo; else cp mpich/todo "$e/todo"; fi
        run_all "$e" "$ranks"
    done
    # What is not run under one engine must not be run under the other, for its events would number those that follow.
    for e in $others; do
        if ! cmp -s "$e/todo" mpich/todo && [ -s "$e/todo" ]; then
            cp "$e/todo" mpich/todo
            run_once mpich "$ranks"
        fi
    done
    for e in mpich $others; do split_cases "$e"; done
    number=0
    while read -r case; do
        number=$((number + 1))
        why=$(verdict "$case" $number)
        if [ -z "$why" ]; then report PASS "$family.$case"; else report FAIL "$family.$case" "$why"; fi
    done <cases
    if [ -n "$(ls mpich/lines.after_the_last $(printf '%s/lines.after_the_last ' $others) 2>/dev/null)" ]; then
        why=$(verdict_at_the_end)
        if [ -z "$why" ]; then report PASS "$family in MPI_Finalize"; else report FAIL "$family in MPI_Finalize" "$why"; fi
    fi
    for e in $others; do
        if ! commslice diff mpich/T "$e/T" >diff.log 2>&1; then
            report FAIL "$family: commslice diff" "$(head -n 1 diff.log | cut -c1-140)"
        fi
    done
    cd "$work" || exit 2
}

# Is each call that the emulated library has in some program? Those that it lacks are weak there. MPICH has the conversions of statuses for Fortran 2008 in
# its Fortran library only (status_conversions in f_08.f90).
every_call() {
    nm -D --defined-only "$build/commlib/libcommslice-emulate.so" | sed -n 's/^.* T P\(MPI_.*\)/\1/p' | grep -v f08 >have
    tr '[:upper:]' '[:lower:]' <undefined | sed -n 's/_f08\(ts\)\{0,1\}_$//; s/_*$//; s/^ *u \(mpi_\)/\1/p' | sort -u >called
    missing=
    while read -r call; do
        grep -qx "$(echo "$call" | tr '[:upper:]' '[:lower:]')" called || missing="$missing $call"
    done <have
    [ -s have ] || missing=" all: the library's calls cannot be listed"
    if [ -z "$missing" ]; then report PASS "each of $(wc -l <have) calls is in a program"; else report FAIL "calls that no program makes" "$missing"; fi
}

# ---- all of them ----

others=$engine
[ "$engine" != none ] || others=
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 2
build_kit >kit.log 2>&1 || die "the kit does not build: $(cat kit.log)"
found=no
for file in "$source"/*.c "$source"/*.f "$source"/*.f90; do
    name=$(basename "${file%.*}") name=${name#conf_}
    # shellcheck disable=SC2254  # a pattern on purpose
    case $name in $pattern) ;; *) continue ;; esac
    [ -f "$file" ] && [ -n "$(header "$file" ranks)" ] || continue
    found=yes
    run_family "$file"
done
[ $found = yes ] || die "no family matches $pattern"
if [ "$pattern" = '*' ] && [ "$engine" = emulate ]; then every_call; fi
cd "$top" || exit 2
if [ $failed -eq 0 ] && [ $keep = no ]; then
    rm -rf "$work"
else
    echo "programs, outputs and traces: $work"
fi
printf '%d passed, %d failed\n' $passed $failed
[ $failed -eq 0 ]
