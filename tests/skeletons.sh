#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Skeletons of tests/programs: made from a recorded original with scale 1, compiled without a warning, recorded and compared with it, call by
# call; and made with larger scales, run to their end. What a program cannot have is in the table `refused` below, with the reason that is printed.
set -u

usage() {
    cat <<'END'
usage: tests/skeletons.sh [-B BUILD] [-k PATTERN] [-n RANKS] [-e ENGINE] [-s SCALES] [--keep] [--traces TRACE...]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -k PATTERN   only programs whose name matches this shell pattern (default: a selection, under make check; all with '*')
  -n RANKS     on so many ranks (default: the highest number that the program asks for)
  -e ENGINE    emulate (default) or mpich
  -s SCALES    scales beside 1 (default "2 10 100 1000000000")
  --computation  replay computation, too
  --keep       keep the folder with programs and traces
  --traces     in place of programs: these traces, as they are
END
}
die() { printf 'skeletons: %s\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
build=${BUILD_DIR:-build} pattern='' ranks='' engine=emulate keep=no computation=--no-computation scales='2 10 100 1000000000'
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -k) pattern=$2; shift ;;
        -n) ranks=$2; shift ;;
        -e) engine=$2; shift ;;
        -s) scales=$2; shift ;;
        --keep) keep=yes ;;
        --computation) computation= ;;
        --traces) shift; break ;;
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
build=$(cd "$build" 2>/dev/null && pwd) || die "no build folder $build: configure and make there first"
COMMSLICE=${COMMSLICE:-$build/cli/commslice} COMMSLICE_LIBDIR=${COMMSLICE_LIBDIR:-$build/commlib}
export COMMSLICE_LIBDIR
work=$(mktemp -d "${TMPDIR:-/tmp}/skeletons.XXXXXX") || exit 2
if [ "$keep" = yes ]; then echo "programs and traces: $work"; else trap 'rm -rf "$work"' EXIT; fi
trap 'exit 130' INT TERM
limited() { timeout -k 2 "${LIMIT:-60}" "$@"; }

# Programs without a skeleton, and why: name, part of the message.
refused='
'

# What make check takes: each kind of call once.
selection='any_probe channel_order counts_exchanged dtypes f08_persistent f_cart merged_inter neighbours null_types persistent persistent_any persistent_collectives split_cart trap_errors_return trap_groups trap_in_place trap_mprobe trap_neighbor trap_rooted trap_start trap_user_op waitany'

passed=0 failed=0
report() {  # PASS|FAIL CASE SINCE [REASON]
    line=$(printf '%s  %-34s %6d ms%s' "$1" "$2" $((($(now) - $3) / 1000000)) "${4:+  $4}")
    printf '%s\n' "$line"
    if [ -n "${CS_PROGRESS_FD:-}" ]; then printf '%s\n' "$line" >&"$CS_PROGRESS_FD"; fi
    if [ "$1" = PASS ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
last() { tail -n 1 "$1" | cut -c1-150; }

record() {  # TRACE RANKS STDIN COMMAND...
    trace=$1 n=$2 in=$3; shift 3
    if [ "$engine" = emulate ]; then
        limited "$COMMSLICE" record -o "$trace" -n "$n" --engine emulate -- "$@" <"$in" >record.log 2>&1
    else
        limited "$COMMSLICE" record -o "$trace" -- "${MPIEXEC:-mpiexec}" -n "$n" "$@" <"$in" >record.log 2>&1
    fi
}

make_skeleton() {  # TRACE SCALE: skel.c and skel
    # shellcheck disable=SC2086  # nothing or one word
    limited "$COMMSLICE" skeleton "$1" --scale "$2" --force $computation -o skel.c >skel.log 2>&1 || { why="skeleton: $(last skel.log)"; return 1; }
    limited "$(mpi_wrapper mpicc)" -std=c11 -O1 -Wall -Wextra -Werror -o skel skel.c >cc.log 2>&1 || { why="compiler: $(grep -m1 error cc.log)"; return 1; }
}

same_trace() {  # TRACE RANKS
    make_skeleton "$1" 1 || return 1
    record one.trace "$2" /dev/null ./skel || { why="run: $(last record.log)"; return 1; }
    limited "$COMMSLICE" diff "$1" one.trace >diff.log 2>&1 || { why="diff: $(head -n 1 diff.log | cut -c1-150)"; return 1; }
}

ends() {  # TRACE RANKS SCALE
    make_skeleton "$1" "$3" || return 1
    record scaled.trace "$2" /dev/null ./skel || { why="run: $(last record.log)"; return 1; }
    grep -q "predicts" record.log || { why="no prediction: $(last record.log)"; return 1; }
    # MPICH says so.
    ! grep -q leaked record.log || { why=$(grep -m1 leaked record.log); return 1; }
}

# Merged, and folded in each way, the trace comes back call by call.
lossless() {  # TRACE
    limited "$COMMSLICE" merge "$1" -o form >form.log 2>&1 || { why="merge: $(last form.log)"; return 1; }
    for how in '' best records calls paper; do
        [ -z "$how" ] || limited "$COMMSLICE" fold --method "$how" "$1" -o form >form.log 2>&1 || { why="fold $how: $(last form.log)"; return 1; }
        rm -f back
        limited "$COMMSLICE" expand form -o back >form.log 2>&1 || { why="expand ${how:-merged}: $(last form.log)"; return 1; }
        limited "$COMMSLICE" diff "$1" back >form.log 2>&1 || { why="${how:-merged} differs: $(head -n 1 form.log | cut -c1-150)"; return 1; }
    done
}

check_trace() {  # NAME TRACE RANKS
    why='' since=$(now)
    if lossless "$2"; then report PASS "$1 merged, folded, expanded" "$since"; else report FAIL "$1 merged, folded, expanded" "$since" "$why"; fi
    why='' since=$(now)
    expected=$(printf '%s' "$refused" | sed -n "s/^${1%% *} //p")
    if same_trace "$2" "$3"; then
        if [ -z "$expected" ]; then report PASS "$1 scale 1" "$since"; else report FAIL "$1 scale 1" "$since" "is not refused: $expected"; fi
    else
        case $why in
            *"${expected:-nothing}"*) report PASS "$1 is refused" "$since"; return ;;
            *) report FAIL "$1 scale 1" "$since" "$why" ;;
        esac
    fi
    for scale in $scales; do
        since=$(now)
        if ends "$2" "$3" "$scale"; then report PASS "$1 scale $scale" "$since"; else report FAIL "$1 scale $scale" "$since" "$why"; fi
    done
}

check_program() {  # FILE
    name=$(basename "${1%.*}") since=$(now) stdin=/dev/null
    mkdir -p "$work/$name.$engine" && cd "$work/$name.$engine" || exit 2
    n=${ranks:-$(header "$1" ranks | tr ' ' '\n' | sort -n | tail -n 1)}
    n=${n:-4}
    more=$(opaque_object "$1" 1) options=$(header "$1" flags)
    limited "$(mpi_wrapper "$(tool "$1")")" -g -O1 -w ${options:+"$options"} -o orig "$1" ${more:+"$more"} -lm >build.log 2>&1 || { report FAIL "$name build" "$since"; return; }
    if [ -n "$(header "$1" stdin)" ]; then
        printf '%b' "$(header "$1" stdin)" >stdin
        stdin=$PWD/stdin
    fi
    make_files "$1"
    # shellcheck disable=SC2046  # words on purpose
    record orig.trace "$n" "$stdin" ./orig $(header "$1" args) || { report FAIL "$name record" "$since" "$(last record.log)"; return; }
    check_trace "$name $engine n=$n" "$PWD/orig.trace" "$n"
}

# What must be refused leaves no file and changes none.
bad_input() {
    cd "$work" || exit 2
    cat >loop.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 50; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
    "$(mpi_wrapper mpicc)" -o loop loop.c && record T 2 /dev/null ./loop || { report FAIL "bad input: program" "$(now)"; return; }
    echo precious >mine.c
    head -c 300 T >cut
    refuse "scale 0" "no number from 1 up" T --scale 0 -o x.c
    refuse "no scale" "give the factor" T -o x.c
    refuse "no output" "give the file" T --scale 1
    refuse "larger than any trip count" "larger than any loop's trip count, which is at most 50" T --scale 51 -o x.c
    refuse "no such trace" "No such file" nothing --scale 1 -o x.c
    refuse "cut trace" "cut" cut --scale 1 -o x.c
    refuse "another file" "exists and is not a skeleton" T --scale 1 -o mine.c
    refuse "no folder" "No such file" T --scale 1 -o no/x.c
    since=$(now)
    if [ "$(cat mine.c)" = precious ] && [ ! -e x.c ] && "$COMMSLICE" skeleton T --scale 10 -o s.c >/dev/null 2>&1 &&
        cp s.c before.c && ! "$COMMSLICE" skeleton T --scale 99 -o s.c >/dev/null 2>&1 && cmp -s s.c before.c && [ -z "$(ls ./*.new.* 2>/dev/null)" ]; then
        report PASS "nothing overwritten" "$since"
    else
        report FAIL "nothing overwritten" "$since"
    fi
    since=$(now)
    if grep -q 'i < 5\|< 5;' s.c && grep -q 'phase(49. / 4)' s.c; then report PASS "trip count divided" "$since"; else report FAIL "trip count divided" "$since"; fi
}
# The prediction of a program that mostly computes, from its skeleton of a tenth: on this library, and under SimGrid where it is installed.
# Only far-off figures fail: this is no benchmark (bench/predict.sh is).
predictions() {
    cd "$work" || exit 2
    mkdir -p tmp
    TMPDIR=$work/tmp
    export TMPDIR
    cat >busy.c <<'END'
#include <mpi.h>
#include <time.h>
static volatile double x;
int main(int argc, char **argv)
{
    MPI_Comm other;
    int v = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&v, 1, MPI_INT, 0, other);
    for (int i = 0; i < 40; i++) {
        for (clock_t t = clock(); clock() < t + CLOCKS_PER_SEC / 100;)
            x += 1;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
END
    "$(mpi_wrapper mpicc)" -g -o busy busy.c && record B 2 /dev/null ./busy || { report FAIL "predict: program" "$(now)"; return; }
    since=$(now)
    limited "$COMMSLICE" predict --json --runs 3 B -- "${MPIEXEC:-mpiexec}" -n 2 >predict.json 2>predict.log && within predict.json
    verdict $? "predict" "$(head -c 150 predict.json) $(last predict.log)"
    since=$(now)
    limited "$COMMSLICE" predict -o elsewhere.c B >show.log 2>&1 && grep -q '^mpicc.* elsewhere.c' show.log && grep -q '^mpiexec -n 2' show.log && [ -s elsewhere.c ]
    verdict $? "predict: commands for elsewhere" "$(last show.log)"
    if command -v smpicc >/dev/null && command -v smpirun >/dev/null; then
        cat >platform.xml <<'END'
<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="125MBps" lat="50us"/></zone></platform>
END
        since=$(now)
        limited "$COMMSLICE" predict --json --on platform.xml B >predict.json 2>predict.log && within predict.json
        verdict $? "predict: SimGrid" "$(head -c 150 predict.json) $(last predict.log)"
    else
        echo "smpicc is not installed: no prediction under SimGrid"
    fi
    # Two ranks that compute on one processor lose about half of the time to each other; what is left is what they computed, 0.4 s each.
    since=$(now)
    if [ -e /proc/thread-self/schedstat ]; then
        cpu=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
        limited taskset -c "$cpu" "$COMMSLICE" record -o L -n 2 --engine emulate -- ./busy >record.log 2>&1 && "$COMMSLICE" print --json L |
            sed -n 's/.*"rank":\([0-9]*\),.*"enter_ns":\([0-9]*\),"exit_ns":\([0-9]*\),"lost_ns":\([0-9]*\).*/\1 \2 \3 \4/p' |
            awk '{ if ($1 in last) { gap += $2 - last[$1]; lost += $4 } last[$1] = $3 }
                END { printf "gaps %.3f s, lost %.3f s\n", gap / 1e9, lost / 1e9; exit !(lost > gap / 5 && gap - lost > 0.75e9 && gap - lost < 1.6e9) }' >lost.log
        verdict $? "time lost to others is recorded" "$(last lost.log) $(last record.log)"
    else
        echo "no schedstat here: time lost to others cannot be recorded"
    fi
    # Means of the trace, of its merged form, of that one folded, and of the trace folded at once, are the same.
    since=$(now)
    limited "$COMMSLICE" merge B -o B.merged >merge.log 2>&1 && limited "$COMMSLICE" fold B.merged -o B.folded >>merge.log 2>&1 &&
        limited "$COMMSLICE" fold B -o B.direct >>merge.log 2>&1
    code=$?
    for form in B B.merged B.folded B.direct; do
        limited "$COMMSLICE" skeleton "$form" --means --scale 10 --work-rate 1e9 -o form.c >>merge.log 2>&1 && grep -q 'work(' form.c || code=1
        sed 1d form.c >"$form.text"
        cmp -s B.text "$form.text" || code=1
    done
    verdict $code "merged and folded forms keep the times" "$(last merge.log)"
    # Where the original's calls are is known by its debug information only: file and line, not an address.
    since=$(now)
    "$COMMSLICE" print B.folded >print.log 2>&1 && grep -q 'MPI_Barrier comm=world at .*busy\.c:15$' print.log && grep -q 'MPI_Barrier(.*/\* busy\.c:15 \*/' form.c
    verdict $? "places in the source of an original" "$(last print.log)"
    # What was folded in another way gives the same program but for its computation.
    since=$(now) code=0
    for method in records calls; do
        limited "$COMMSLICE" skeleton B --no-computation --scale 1 -o form.c >fold.log 2>&1 && sed 1d form.c >plain.text || code=1
        limited "$COMMSLICE" fold B --method "$method" -o B.other >>fold.log 2>&1 && limited "$COMMSLICE" skeleton B.other --scale 1 -o form.c >>fold.log 2>&1 || code=1
        grep -q 'with the values that follow a loop' fold.log || code=1     # the two broadcasts are one, so this tests something
        sed 1d form.c | cmp -s - plain.text || code=1
    done
    verdict $code "folded by records or calls" "$(last fold.log)"
    # A trace without times, of 4 ranks, with those of 2: 10 ms a turn become 5, as the sum over the ranks is to be the same.
    since=$(now)
    limited "$COMMSLICE" record -o N --no-times -n 4 --engine emulate -- ./busy >record.log 2>&1 &&
        limited "$COMMSLICE" skeleton N --times B --scale 1 -o n.c >times.log 2>&1 && grep -q '0 not$' times.log && grep -q 'sum over all ranks is the same' n.c &&
        sed -n 's/.*work(\([0-9.e-]*\));.*/\1/p' n.c | awk '$1 > 0.004 && $1 < 0.5 { n++ } END { exit n != 1 }'
    verdict $? "times of another size, by call site" "$(last times.log)"
    refuse "times of a trace without" "has no times" N --times N --scale 1 -o x.c
    refuse_of predict "predict: no platform" "No such file" --on none.xml B
    refuse_of predict "predict: no ranks report" "of 2 ranks" B -- true
    refuse_of predict "predict: the skeleton fails" "ended with exit code 1" B -- false
    since=$(now)
    [ -z "$(ls -d tmp/commslice-predict.* 2>/dev/null)" ]
    verdict $? "predict: leaves nothing behind" "$(ls tmp)"
}
# Forty times 10 ms, give or take what a loaded machine does to it.
within() {
    sed -n 's/.*"predicted_s":\([0-9.]*\).*/\1/p' "$1" | awk '{ n++; ok = $1 > 0.2 && $1 < 20 } END { exit !(n == 1 && ok) }'
}
verdict() { if [ "$1" = 0 ]; then report PASS "$2" "$since"; else report FAIL "$2" "$since" "$3"; fi; }

refuse() { refuse_of skeleton "$@"; }
refuse_of() {  # VERB CASE MESSAGE ARGUMENTS...
    verb=$1 name=$2 message=$3 since=$(now); shift 3
    limited "$COMMSLICE" "$verb" "$@" >refuse.log 2>&1; code=$?
    if [ "$code" = 2 ] && grep -q "$message" refuse.log && [ "$(wc -l <refuse.log)" = 1 ]; then
        report PASS "refused: $name" "$since"
    else
        report FAIL "refused: $name" "$since" "exit $code: $(last refuse.log)"
    fi
}

if [ $# -gt 0 ]; then
    from=$PWD
    for t in "$@"; do
        t=$(cd "$from" && cd "$(dirname "$t")" && pwd)/$(basename "$t")
        mkdir -p "$work/$(basename "$t").d" && cd "$work/$(basename "$t").d" || exit 2
        check_trace "$(basename "$t")" "$t" "$("$COMMSLICE" info --json "$t" | sed -n 's/.*"ranks":\([0-9]*\).*/\1/p' | head -n 1)"
        cd "$top" || exit 2
    done
else
    [ -n "$pattern" ] || { bad_input; predictions; }
    for f in $(programs_like "$top/tests/programs" "${pattern:-*}"); do
        case " $selection " in *" $(basename "${f%.*}") "*) check_program "$f" ;; *) [ -z "$pattern" ] || check_program "$f" ;; esac
    done
    if [ -z "$pattern" ] && [ "$engine" = emulate ]; then       # a few on the real library
        engine=mpich scales=2
        for f in $(programs_like "$top/tests/programs" dtypes) $(programs_like "$top/tests/programs" persistent) $(programs_like "$top/tests/programs" split_cart); do
            check_program "$f"
        done
    fi
fi
cd "$top" || exit 2
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
