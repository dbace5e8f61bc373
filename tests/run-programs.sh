#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs tests/programs: for each one, at -O0 and -O2, builds original and slice, and at each rank count compares their traces, under both engines.
# docs/test-programs.md says what the header comment of a program can ask for. run-programs --help says the rest.
set -u

usage() {
    cat <<'END'
usage: tests/run-programs.sh [-B BUILD] [-k PATTERN] [-O LEVEL] [-e ENGINE] [-j JOBS] [--keep]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -k PATTERN   only programs whose name matches this shell pattern, or contains it
  -O LEVEL     only this optimisation level, 0 or 2 (or any other that GCC knows)
  -e ENGINE    what is compared with the original under MPICH: the slice under "mpich", or slice and original under
               "emulate" (default: all three)
  -j JOBS      builds at a time (default 2); runs are always one at a time, as MPICH busy-waits
  --keep       keep the folder with programs, traces and logs even if all is well
END
}

die() { printf 'run-programs: %s\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
programs=$top/tests/programs
build=${BUILD_DIR:-build} pattern='*' levels='0 2' engines='mpich emulate' jobs=2 keep=no
build_one=
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -k) case $2 in *[*?[]*) pattern=$2 ;; *) pattern="*$2*" ;; esac; shift ;;
        -O) levels=$2; shift ;;
        -e) engines=$2; shift ;;
        -j) jobs=$2; shift ;;
        --keep) keep=yes ;;
        --build-one) build_one=$2; shift ;;       # for ourselves, below
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
build=$(cd "$build" 2>/dev/null && pwd) || die "no build folder $build: configure and make there first"
work=$build/tests/programs.out
PATH=$build/cli:$PATH
export COMMSLICE_LIBDIR="$build/commlib" TMPDIR="${TMPDIR:-/tmp}"
limited() { timeout -k 2 20 "$@"; }

# ---- building ----

# A case's folder holds orig, slice and build.log; build.failed says which of them did not build.
build_program() {  # FILE LEVEL
    name=$(basename "${1%.*}")
    dir=$work/$name-O$2
    wrapper=$(tool "$1")
    mkdir -p "$dir" && cd "$dir" || exit 1
    started=$(now)
    assume=$(header "$1" assume)
    {
        more=$(opaque_object "$1" "$2")
        limited "$(mpi_wrapper "$wrapper")" -g -O"$2" -Wno-stringop-overflow -o orig "$1" ${more:+"$more"} -lm || echo original >build.failed
        limited "commslice-$wrapper" -g -O"$2" -Wno-stringop-overflow \
            ${assume:+"-fplugin-arg-commslice-assume=$assume"} -o slice "$1" ${more:+"$more"} -lm || echo slice >>build.failed
    } >build.log 2>&1
    echo $(($(now) - started)) >build.time
}

if [ -n "$build_one" ]; then
    build_program "${build_one% *}" "${build_one##* }"
    exit
fi

# ---- results ----

passed=0 failed=0

report() {  # PASS|FAIL CASE SINCE [REASON]
    ms=$((($(now) - $3) / 1000000))
    line=$(printf '%s  %-34s %3d.%02d s%s' "$1" "$2" $((ms / 1000)) $((ms % 1000 / 10)) "${4:+  $4}")
    printf '%s\n' "$line"
    # Under make check our output goes to a log; make gives us the terminal as well, for progress.
    if [ -n "${CS_PROGRESS_FD:-}" ]; then
        printf '%s\n' "$line" >&"$CS_PROGRESS_FD"
    fi
    case $1 in
        PASS) passed=$((passed + 1)) ;;
        *) failed=$((failed + 1)) ;;
    esac
}

# The line of a log that says most: the first of our errors or of the compiler's, else the last line.
reason() {  # LOG
    { grep -m1 -E 'commslice: error|(error|fatal): |error stop|Fortran runtime error' "$1" || tail -n 1 "$1"; } | cut -c1-150
}

# Runs a command with its output in LOG. Sets `why` when it fails.
try() {  # WHAT LOG COMMAND...
    what=$1 log=$2
    shift 2
    "$@" >"$log" 2>&1 <"${stdin:-/dev/null}"
    rc=$?
    case $rc in
        0) return 0 ;;
        124|137) why="$what: did not end in 20 s" ;;
        *) why="$what: exit $rc: $(reason "$log")" ;;
    esac
    return 1
}

# ---- what the slice's own information must say ----

check_slice() {  # FILE CASE
    since=$(($(now) - $(cat build.time))) why=
    if [ -s build.failed ]; then
        report FAIL "$2 build" "$since" "$(tr '\n' ' ' <build.failed)did not build: $(reason build.log)"
        return 1
    fi
    stdin=/dev/null
    try info info.json limited commslice info --all --json slice || { report FAIL "$2 info" "$since" "$why"; return 0; }
    for gone in $(header "$1" gone); do
        kept=$(jq -r --arg f "$gone" "$kept_of_function" info.json) || kept="?"
        [ "$kept" = 0 ] || why="$why $gone kept $kept statements;"
    done
    content=$(header "$1" marks | sed -n 's/.*content=\([0-9]*\).*/\1/p')
    if [ -n "$content" ]; then
        marked=$(jq -r "$content_marks" info.json)
        [ "$marked" = "$content" ] || why="$why $marked call sites marked content, not $content"
    fi
    verdict=PASS
    [ -z "$why" ] || verdict=FAIL
    report "$verdict" "$2 info" "$since" "$why"
}
# In the linker's names: f, f_, f.constprop.0, __module_MOD_f. A function that is not listed is not gone but misspelt.
# shellcheck disable=SC2016  # $f is jq's
kept_of_function='[.functions[] | select(.name | test("(^|_MOD_)" + $f + "_?([.][a-z0-9.]+)?$")) | .kept] | add // "unknown"'
content_marks='[.sites[] | select(.mark == "content")] | length'

# ---- running ----

peak_kb() { sed -n 's/^peak_kb //p' "$1"; }

# A do-nothing MPI program's peak at this number of ranks.
floor_kb() {  # RANKS
    if [ ! -f "$work/null.$1" ]; then
        if [ ! -x "$work/null" ]; then
            printf '#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n' >"$work/null.c"
            "$(mpi_wrapper mpicc)" -o "$work/null" "$work/null.c" || return 1
        fi
        limited "$build/tests/peak" "$work/null.$1" "${MPIEXEC:-mpiexec}" -n "$1" "$work/null" </dev/null || return 1
    fi
    peak_kb "$work/null.$1"
}

# An array of so many MB must cost the slice nothing: less than a quarter of it above the floor, while the original pays.
check_memory() {  # MBYTES RANKS
    floor=$(floor_kb "$2") || { why="the do-nothing program did not run"; return 1; }
    want=$(($1 * 1024 / 4))
    got=$(($(peak_kb slice.peak) - floor))
    orig=$(($(peak_kb orig.peak) - floor))
    if [ "$got" -ge "$want" ]; then
        why="memory: the slice needs $((got / 1024)) MB a rank above an empty program"
    elif [ "$orig" -lt "$want" ]; then
        why="memory: the original itself needs only $((orig / 1024)) MB, so there is nothing to compare"
    else
        return 0
    fi
    return 1
}

# Folding the trace and expanding it again gives the same, and the calls of all ranks meet.
folds_back() {  # NAME: the trace without .trace
    try "fold --check" fold.log limited commslice fold --check "$1.trace" -o "$1.fold" &&
        try expand expand.log limited commslice expand "$1.fold" -o "$1.back.trace" || return 1
    try diff diff.log limited commslice diff "$1.trace" "$1.back.trace" ||
        { why="folded and expanded: $(head -n 1 diff.log | cut -c1-150)"; return 1; }
}

# Runs a command in the state in which the original found its files, and compares its trace with the original's.
same_trace() {  # FILE WHAT NAME COMMAND...
    src=$1 label=$2 name=$3
    shift 3
    make_files "$src"
    try "$label" "$name.log" limited "$@" || return 1
    keep_stdin=$stdin stdin=/dev/null
    try diff diff.log limited commslice diff orig.trace "$name.trace" ||
        { why="diff of $label: $(head -n 1 diff.log | cut -c1-150)"; return 1; }
    folds_back "$name" || return 1
    stdin=$keep_stdin
}

# The slice's and the original's traces under our own engine, against the original's under MPICH.
run_emulated() {  # FILE RANKS ARGS...
    file=$1 count=$2
    shift 2
    same_trace "$file" "slice under emulate" emulate \
        commslice run --engine emulate -n "$count" -o emulate.trace ../slice "$@" &&
        same_trace "$file" "original under emulate" emulate-orig \
            commslice record --engine emulate --no-times -n "$count" -o emulate-orig.trace -- ../orig "$@"
}

run_case() {  # FILE CASE-DIR RANKS
    n=$3 why=
    mkdir -p "$2/n$n" && cd "$2/n$n" || return 1
    stdin=/dev/null
    if [ -n "$(header "$1" stdin)" ]; then
        printf '%b' "$(header "$1" stdin)" >stdin
        stdin=$PWD/stdin
    fi
    make_files "$1"
    args=$(header "$1" args)
    # shellcheck disable=SC2086  # words on purpose
    try original orig.log limited "$build/tests/peak" orig.peak \
        commslice record -o orig.trace -- "${MPIEXEC:-mpiexec}" -n "$n" ../orig $args || return 1
    for engine in $engines; do
        # shellcheck disable=SC2086
        case $engine in
            mpich) same_trace "$1" slice slice "$build/tests/peak" slice.peak \
                       commslice run --engine mpich -n "$n" -o slice.trace ../slice $args || return 1 ;;
            emulate) run_emulated "$1" "$n" $args || return 1 ;;
        esac
    done
    mbytes=$(header "$1" array | awk 'NF { print $NF }' | sort -n | tail -n 1)
    [ -z "$mbytes" ] || [ ! -f slice.peak ] || check_memory "$mbytes" "$n"
}

run_program() {  # FILE LEVEL
    case=$(basename "${1%.*}")-O$2
    cd "$work/$case" || exit 2
    check_slice "$1" "$case" || return
    ranks=$(header "$1" ranks)
    for count in ${ranks:-2 3 4}; do
        since=$(now)
        if run_case "$1" "$work/$case" "$count"; then
            report PASS "$case n=$count" "$since"
        else
            report FAIL "$case n=$count" "$since" "$why"
        fi
    done
}

# ---- all of them ----

rm -rf "$work"
mkdir -p "$work"
selected=$(programs_like "$programs" "$pattern")
[ -n "$selected" ] || die "no program matches $pattern"

for f in $selected; do
    for level in $levels; do
        printf '%s %s\0' "$f" "$level"
    done
done | xargs -0 -n 1 -P "$jobs" "$0" -B "$build" --build-one

for file in $selected; do
    for level in $levels; do
        run_program "$file" "$level"
    done
done
cd "$top" || exit 2
if [ "$failed" -eq 0 ] && [ "$keep" = no ]; then
    rm -rf "$work"
else
    echo "programs, traces and logs: $work"
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
