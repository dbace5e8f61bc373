#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the test programs: builds original and slice of each, runs both at each rank count, and compares their traces.
# docs/test-programs.md says what the header comment of a program can ask for; run-programs.sh --help says the rest.
set -u

usage() {
    cat <<'END'
usage: tests/run-programs.sh [-B BUILD] [-k PATTERN] [-O LEVEL] [-j JOBS] [--budget N] [--mpich] [--keep]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -k PATTERN   only programs whose name matches this shell pattern, or contains it
  -O LEVEL     only this optimisation level, 0 or 2 (or any other that GCC knows); default: both
  -j JOBS      programs at a time (default: one a processor)
  --budget N   million steps of points-to at each link; 0: it takes objects as one from the start; none: every slice keeps everything.
               Then traces count, but not what a slice keeps
  --mpich      after that the same under MPICH, one run at a time, as MPICH busy-waits
  --keep       keep the folder with programs, traces and logs even if all is well
Without --mpich, or CS_LONG=yes in the environment, everything runs under engine emulate.
END
}

levels='0 2' pattern='*' jobs=$(nproc) mpich=${CS_LONG:-no} keep=no one= budget=
while [ $# -gt 0 ]; do
    case $1 in
        -B) BUILD_DIR=$2; shift ;;
        -k) case $2 in *[*?[]*) pattern=$2 ;; *) pattern="*$2*" ;; esac; shift ;;
        -O) levels=$2; shift ;;
        -j) jobs=$2; shift ;;
        --budget) budget=$2; shift ;;
        --mpich) mpich=yes ;;
        --keep) keep=yes ;;
        --emulate-one|--mpich-one) one=$1 program=$2; shift ;;       # for ourselves, below
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
here=$(cd "$(dirname "$0")" && pwd)
. "$here/frame.sh"
work=$build/tests/programs${budget:+-budget}.out
limited() { timeout -k 2 60 "$@"; }

# ---- one program: its folder is $work/NAME, and holds orig-ON, slice-ON, build-ON.log and a folder a run ----

# The line of a log that says most: the first of our errors or of the compiler's, else the last line.
reason() {  # LOG
    { grep -a -m1 -E 'commslice: error|(error|fatal): |error stop|Fortran runtime error' "$1" || tail -n 1 "$1"; } | cut -c1-150
}

# Runs a command with its output in LOG. Sets `why` when it fails.
try() {  # WHAT LOG COMMAND...
    what=$1 log=$2
    shift 2
    "$@" >"$log" 2>&1 <"$stdin"
    rc=$?
    case $rc in
        0) return 0 ;;
        124|137) why="$what: did not end in 60 s" ;;
        *) why="$what: exit $rc: $(reason "$log")" ;;
    esac
    return 1
}

report() {  # CASE SINCE: passes if nothing is in `why`
    ms=$((($(now) - $2) / 1000000))
    line=$(printf '%-40s %3d.%02d s' "$1" $((ms / 1000)) $((ms % 1000 / 10)))
    if [ -z "$why" ]; then pass "$line"; else fail "$line" "$why"; fi
}

# Sets what the header of the program says, and goes to its folder.
begin() {  # FILE
    case $1 in */programs/repeated/*)    # of loops that run one turn for all: also where that saves little
        COMMSLICE_REPEAT_FROM=1 && export COMMSLICE_REPEAT_FROM ;;
    esac
    file=$1 name=$(basename "${1%.*}") wrapper=$(tool "$1")
    ranks=$(header "$1" ranks) arguments=$(header "$1" args) assume=$(header "$1" assume) options=$(header "$1" flags) functions_gone=$(header "$1" gone)
    ranks=${ranks:-2 3 4}
    content=$(header "$1" marks | sed -n 's/.*content=\([0-9]*\).*/\1/p')
    order=$(header "$1" order)
    mbytes=$(header "$1" array | awk 'NF { print $NF }' | sort -n | tail -n 1) mbytes_under=$(header "$1" array-engine)
    home=$work/$name stdin=/dev/null input=/dev/null
    # A count may not be assumed of a message that is transmitted, and all are.
    if [ -n "$budget" ]; then
        content='' mbytes='' functions_gone='' order=''
        case $assume in *:*:*=*) assume='' ;; esac
    fi
    mkdir -p "$home" && cd "$home" || exit 2
    if [ -n "$(header "$1" stdin)" ]; then
        printf '%b' "$(header "$1" stdin)" >stdin
        input=$home/stdin
    fi
}

build_one() {  # orig|slice LEVEL
    flags= spend=
    case $1 in
        orig) compiler=$(mpi_wrapper "$wrapper") ;;
        slice)
            compiler=commslice-$wrapper flags=${assume:+-fplugin-arg-commslice-assume=$home/assumptions} spend=${budget:+-fplugin-arg-commslice-budget=$budget}
            printf '%s\n' "$assume" >assumptions
            ;;
    esac
    why=
    unseen=$(opaque_object "$file" "$2" 2>"build-$1-O$2.log") &&
        try "$1 did not build" "build-$1-O$2.log" limited "$compiler" -g -O"$2" -Wno-stringop-overflow ${flags:+"$flags"} \
            ${spend:+"$spend"} ${options:+"$options"} -o "$1-O$2" "$file" ${unseen:+"$unseen"} -lm || why=${why:-$1 did not build: its unseen part}
    [ -z "$why" ]
}

# What the slice's own information must say.
check_info() {  # LEVEL
    try info "info-O$1.json" limited commslice info --all --json "slice-O$1" || return
    for gone in $functions_gone; do
        kept=$(jq -r --arg f "$gone" "$kept_of_function" "info-O$1.json") || kept="?"
        [ "$kept" = 0 ] || why="$why $gone kept $kept statements;"
    done
    if [ -n "$content" ]; then
        marked=$(jq -r "$content_marks" "info-O$1.json")
        [ "$marked" = "$content" ] || why="$why $marked call sites marked content, not $content"
    fi
    if [ -n "$order" ]; then
        matters=$(jq -r 'if .order_matters then "kept" else "none" end' "info-O$1.json")
        [ "$matters" = "$order" ] || why="$why order is $matters, not $order"
    fi
}
# In the linker's names: f, f_, f.constprop.0, __module_MOD_f. A function that is not listed is not gone but misspelt.
# shellcheck disable=SC2016  # $f is jq's
kept_of_function='[.functions[] | select(.name | test("(^|_MOD_)" + $f + "_?([.][a-z0-9.]+)?$")) | .kept] | add // "unknown"'
content_marks='[.sites[] | select(.mark == "content")] | length'

# ---- running: each in a folder of its own, so that nothing is found that another run has left ----

record() {  # ENGINE orig|slice LEVEL RANKS: ENGINE-KIND-OLEVEL.nRANKS.trace and its .peak
    run=$1-$2-O$3.n$4
    rm -rf inside && mkdir inside && cd inside || exit 2
    make_files "$file"
    stdin=$input
    # shellcheck disable=SC2086  # words on purpose
    case $1-$2 in
        emulate-orig) try "original under emulate" "../$run.log" limited "$build/tests/peak" "../$run.peak" \
            commslice record --engine emulate --no-times -n "$4" -o "../$run.trace" -- "../orig-O$3" $arguments ;;
        emulate-slice) try "slice under emulate" "../$run.log" limited "$build/tests/peak" "../$run.peak" \
            commslice run --engine emulate -n "$4" -o "../$run.trace" "../slice-O$3" $arguments ;;
        mpich-orig) try "original under MPICH" "../$run.log" limited "$build/tests/peak" "../$run.peak" \
            commslice record -o "../$run.trace" -- "$MPIEXEC" -n "$4" "../orig-O$3" $arguments ;;
        mpich-slice) try "slice under MPICH" "../$run.log" limited "$build/tests/peak" "../$run.peak" \
            commslice run --engine mpich -n "$4" -o "../$run.trace" "../slice-O$3" $arguments ;;
    esac
    rc=$?
    stdin=/dev/null
    cd .. || exit 2
    return $rc
}

same() {  # WHAT TRACE TRACE
    try diff diff.log limited commslice diff "$2.trace" "$3.trace" || { why="$1: $(head -n 1 diff.log | cut -c1-150)"; return 1; }
}

# Folding the trace and expanding it again gives the same, and the calls of all ranks meet.
folds_back() {  # NAME: the trace without .trace
    rm -f back.trace
    try "fold --check of $1" fold.log limited commslice fold --check "$1.trace" -o fold &&
        try "expand of $1" expand.log limited commslice expand fold -o back.trace && same "$1 folded and expanded" "$1" back
}

peak_kb() { sed -n 's/^peak_kb //p' "$1"; }

# A do-nothing MPI program's peak at this number of ranks; `floors` below.
floor_kb() { peak_kb "$work/empty/$1.n$2.peak"; }      # ENGINE RANKS

# An array of so many MB must cost the slice nothing: less than a quarter of it above the floor, while the original pays.
check_memory() {  # ENGINE RANKS SLICE ORIG: names of runs
    floor=$(floor_kb "$1" "$2")
    [ -n "$floor" ] || { why="the empty program did not run"; return 1; }
    want=$((mbytes * 1024 / 4))
    got=$(($(peak_kb "$3.peak") - floor))
    orig=$(($(peak_kb "$4.peak") - floor))
    if [ "$got" -ge "$want" ]; then
        why="memory: the slice needs $((got / 1024)) MB a rank above an empty program"
    elif [ "$orig" -lt "$want" ]; then
        why="memory: the original itself needs only $((orig / 1024)) MB, so there is nothing to compare"
    fi
    [ -z "$why" ]
}

# The slice's trace is the original's.
check_slice() {  # ENGINE LEVEL RANKS
    slice=$1-slice-O$2.n$3 orig=$1-orig-O$2.n$3
    record "$1" slice "$2" "$3" && same "slice under $1" "$orig" "$slice" && folds_back "$slice" || return 1
    [ -z "$mbytes" ] || [ "${mbytes_under:-$1}" != "$1" ] || check_memory "$1" "$3" "$slice" "$orig"
}

# Under emulate: builds everything, records the originals, compares the slices with them.
emulate_one() {
    for level in $levels; do
        since=$(now)
        build_one orig "$level" && build_one slice "$level" && check_info "$level"
        report "$name-O$level info" "$since"
        [ -x "orig-O$level" ] && [ -x "slice-O$level" ] || continue
        for count in $ranks; do
            since=$(now) why=
            record emulate orig "$level" "$count" && folds_back "emulate-orig-O$level.n$count" && check_slice emulate "$level" "$count"
            report "$name-O$level n=$count" "$since"
        done
    done
}

# Under MPICH: the original does as it did under emulate, and so does the slice.
mpich_one() {
    for count in $ranks; do
        for level in $levels; do
            since=$(now) why=
            record mpich orig "$level" "$count" &&
                same "emulate against MPICH" "mpich-orig-O$level.n$count" "emulate-orig-O$level.n$count" && check_slice mpich "$level" "$count"
            report "$name-O$level n=$count MPICH" "$since"
        done
    done
}

if [ -n "$one" ]; then
    begin "$program"
    case $one in --emulate-one) emulate_one ;; *) mpich_one ;; esac
    echo "$passed $failed" >"${one#--}.sum"
    exit 0
fi

# ---- all of them ----

# The peak of a program that does nothing but MPI_Init and MPI_Finalize, at each number of ranks.
floors() {
    mkdir -p "$work/empty" && cd "$work/empty" || exit 2
    printf '#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n' >empty.c
    must "$MPICC" -o empty empty.c
    for count in 1 2 3 4; do
        must "$build/tests/peak" "emulate.n$count.peak" commslice record --engine emulate --no-times -n "$count" -o trace -- ./empty
        [ $mpich = no ] || must "$build/tests/peak" "mpich.n$count.peak" "$MPIEXEC" -n "$count" ./empty
    done
    cd "$dir" || exit 2
}

each() {  # JOBS PART: every selected program by itself
    printf '%s\n' "$selected" | BUILD_DIR=$build xargs -n 1 -P "$1" "$here/run-programs.sh" -O "$levels" ${budget:+--budget "$budget"} "$2"
}

rm -rf "$work"
mkdir -p "$work"
selected=$(programs_like "$top/tests/programs" "$pattern")
[ -n "$selected" ] || die "no program matches $pattern"
floors
each "$jobs" --emulate-one
parts=emulate-one
if [ $mpich = yes ]; then
    each 1 --mpich-one
    parts="$parts mpich-one"
fi
# A program without its sum, because its script died, has failed.
for part in $parts; do
    for file in $selected; do
        sum=$work/$(basename "${file%.*}")/$part.sum
        if [ -s "$sum" ]; then
            read -r more_passed more_failed <"$sum"
            passed=$((passed + more_passed)) failed=$((failed + more_failed))
        else
            fail "$file, $part: ended early"
        fi
    done
done
if [ "$failed" -eq 0 ] && [ $keep = no ]; then rm -rf "$work"; else echo "programs, traces and logs: $work"; fi
finish
