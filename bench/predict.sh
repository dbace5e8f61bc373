#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How well skeletons predict run times, on this machine. docs/prediction.md has the protocol.
# usage: predict.sh [-B BUILD] [-k K] [-r ROUNDS] [-c RECORDINGS] [-n RANKS] [-y] [-q PERCENT | -w RATE] [-p PLATFORM] [-C] [-o PREDICTIONS] [-l LOCK] PROGRAM...
#   PROGRAM    an MPI program, or a command line in quotes; "heat" is demo/heat.c on a plate of 1500 x 1500
#   -k K       how much shorter the skeletons are (10)
#   -r ROUNDS  interleaved runs: skeleton, then original (5)
#   -c RECORDINGS  the original is recorded so often, the recording with the least computation is taken (2)
#   -n RANKS   2
#   -y         ranks yield while they wait (yield.c), recorded, predicting and predicted ones alike: for more ranks than processors
#   -q PERCENT another machine: skeleton and original run with so much of the processors (a control group, version 1; root); the recording does not
#   -w RATE    another machine: half of the ranks in each of two network namespaces, with a link of this rate (as tc has it: 1gbit) and TCP; root
#   -p PLATFORM  the skeleton runs under SimGrid on this platform, by commslice predict; the original as the other options say
#   -C         only computation: that of the original and of its skeleton with K = 1, both recorded, without what was lost to others: says something on a
#              loaded machine, too
#   -o FILE    where each prediction is written before the original runs (predictions.txt)
#   -l LOCK    hold this lock file during each program's runs
# Prints a table row for each program, the largest error first. Exit status 1: an error above 3 %, on another machine 10 %.
set -u
. "$(dirname "$0")/common.sh"

tree='' scale=10 rounds=5 recordings=2 ranks=2 predictions=predictions.txt lock='' yields=no percent='' rate='' platform='' limit=3 computation=no
while getopts B:k:r:c:n:yq:w:p:Co:l: o; do
    case $o in
    B) tree=$OPTARG ;; k) scale=$OPTARG ;; r) rounds=$OPTARG ;; c) recordings=$OPTARG ;; n) ranks=$OPTARG ;; o) predictions=$OPTARG ;; l) lock=$OPTARG ;;
    y) yields=yes ;; C) computation=yes scale=1 ;; q) percent=$OPTARG limit=10 ;; w) rate=$OPTARG limit=10 ;; p) platform=$OPTARG limit=10 ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
find_tools "$tree"
make_work
case $predictions in /*) ;; *) predictions=$PWD/$predictions ;; esac

# Seconds from the end of MPI_Init to the beginning of MPI_Finalize, a line a rank, into the file $SPAN.
cat >"$work/span.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double begin;
int MPI_Init(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    begin = MPI_Wtime();
    return rc;
}
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    begin = MPI_Wtime();
    return rc;
}
int MPI_Finalize(void)
{
    double took = MPI_Wtime() - begin;
    FILE *f = fopen(getenv("SPAN"), "a");
    if (f) {
        fprintf(f, "%.6f\n", took);
        fclose(f);
    }
    return PMPI_Finalize();
}
END
$MPICC -O2 -fPIC -shared -o "$work/span.so" "$work/span.c" || die "cannot compile the clock"

yield=
if [ $yields = yes ]; then
    $CC -O2 -fPIC -shared -o "$work/yield.so" "$top/bench/yield.c" || die "cannot compile yield.c"
    yield=:$work/yield.so
fi

# ---- the other machine ----

undo() {
    if [ -n "$percent" ]; then rmdir "$group" 2>/dev/null; fi
    if [ -n "$rate" ]; then ip netns del "$net.0" 2>/dev/null; ip netns del "$net.1" 2>/dev/null; fi
    rm -rf "$work"
}
trap undo EXIT
group=/sys/fs/cgroup/cpu/commslice.$$ net=commslice.$$
if [ -n "$percent" ]; then
    mkdir "$group" && echo 10000 >"$group/cpu.cfs_period_us" || die "no control group with a quota: $group"
    processors=$(nproc)
    [ "$processors" -lt "$ranks" ] || processors=$ranks
    echo $((10000 * processors * percent / 100)) >"$group/cpu.cfs_quota_us" || die "no quota"
fi
if [ -n "$rate" ]; then
    for i in 0 1; do ip netns add "$net.$i" && ip -n "$net.$i" link set lo up || die "no network namespace"; done
    ip link add cs0 netns "$net.0" type veth peer name cs0 netns "$net.1" || die "no link"
    for i in 0 1; do
        ip -n "$net.$i" addr add "10.77.0.$((i + 1))/24" dev cs0 && ip -n "$net.$i" link set cs0 up &&
            ip netns exec "$net.$i" tc qdisc add dev cs0 root tbf rate "$rate" burst 256kb latency 50ms || die "no link of rate $rate"
    done
fi

# A program on all ranks, on the machine that is asked about. PRELOAD is for the ranks alone.
launch() { # PRELOAD PROGRAM...
    words="env SPAN=$work/span LD_PRELOAD=$1"
    shift
    if [ -n "$rate" ]; then
        words="$words UCX_TLS=tcp,self UCX_NET_DEVICES=cs0 MPIR_CVAR_NOLOCAL=1"
        # shellcheck disable=SC2086  # words on purpose
        $MPIEXEC -n $(((ranks + 1) / 2)) ip netns exec "$net.0" $words "$@" : -n $((ranks / 2)) ip netns exec "$net.1" $words "$@"
    elif [ -n "$percent" ]; then
        # shellcheck disable=SC2086,SC2016
        sh -c 'echo $$ >"$0/tasks" && exec "$@"' "$group" $MPIEXEC -n "$ranks" $words "$@"
    else
        # shellcheck disable=SC2086
        $MPIEXEC -n "$ranks" $words "$@"
    fi
}

heat() {
    $MPICC -O2 -o "$work/heat" "$top/demo/heat.c" -lm || die "cannot compile demo/heat.c"
    printf 'rows 1500\ncols 1500\ngrid_rows 1\ngrid_cols %d\nsteps 200\nreport 10\n' "$ranks" >"$work/heat.txt"
    echo "$work/heat $work/heat.txt"
}

# Seconds between calls, without those lost, of the rank that has most.
computed() { # TRACE PROGRAM
    # shellcheck disable=SC2086
    LD_PRELOAD=${yield#:} "$COMMSLICE" record -o "$1" -- $MPIEXEC -n "$ranks" $2 >"$work/rec.log" 2>&1 || return 1
    "$COMMSLICE" print --json "$1" |
        sed -n 's/.*"rank":\([0-9]*\),.*"enter_ns":\([0-9]*\),"exit_ns":\([0-9]*\),"lost_ns":\([0-9]*\).*/\1 \2 \3 \4/p' |
        awk '{ if ($1 in last) s[$1] += $2 - last[$1] - $4; last[$1] = $3 } END { for (r in s) if (s[r] > m) m = s[r]; printf "%.6f\n", m / 1e9 }'
}

# The slowest rank's seconds of one run of the original.
original() {
    if [ $computation = yes ]; then
        computed "$work/C" "$1"
        return
    fi
    rm -f "$work/span"
    # shellcheck disable=SC2086  # words on purpose
    launch "$work/span.so$yield" $1 >"$work/orig.log" 2>&1 || return 1
    [ "$(wc -l <"$work/span")" = "$ranks" ] && sort -n "$work/span" | tail -n 1
}
skeleton() {
    if [ $computation = yes ]; then
        computed "$work/C" "$work/skel"
        return
    fi
    if [ -n "$platform" ]; then
        "$COMMSLICE" predict --json --force --scale "$scale" --runs 1 --on "$platform" "$work/T" >"$work/skel.log" 2>&1 || return 1
        sed -n 's/.*"predicted_s":\([0-9.]*\).*/\1/p' "$work/skel.log"
        return
    fi
    launch "${yield#:}" "$work/skel" all >"$work/skel.log" 2>&1 || return 1
    sed -n 's/.*predicts \([0-9.]*\) s$/\1/p' "$work/skel.log" | sort -n | tail -n 1
}
spread() { sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.3f to %.3f", v[1], v[NR] }'; }

one() { # NAME COMMAND
    rm -f "$work/p" "$work/o"
    best=
    i=0
    while [ "$i" -lt "$recordings" ]; do
        i=$((i + 1))
        took=$(computed "$work/R" "$2") || { echo "999 | $1 | recording failed: $(tail -n 1 "$work/rec.log")"; return; }
        if [ -z "$best" ] || [ "$(calc %d "($took < $best)")" = 1 ]; then best=$took; mv "$work/R" "$work/T"; fi
    done
    "$COMMSLICE" skeleton "$work/T" --scale "$scale" --force -o "$work/skel.c" >"$work/make.log" 2>&1 &&
        $MPICC -O2 -o "$work/skel" "$work/skel.c" || { echo "999 | $1 | no skeleton: $(tail -n 1 "$work/make.log")"; return; }
    loops=$(sed -n 's/.*loops: //p' "$work/make.log")
    i=0
    while [ "$i" -lt "$rounds" ]; do
        i=$((i + 1))
        p=$(skeleton) && echo "$p" >>"$work/p" && echo "$(date -u +%FT%TZ) $1 round $i predicted $p s" >>"$predictions"
        o=$(original "$2") && echo "$o" >>"$work/o" && echo "$(date -u +%FT%TZ) $1 round $i took $o s" >>"$predictions"
    done
    [ -s "$work/p" ] && [ -s "$work/o" ] || { echo "999 | $1 | no runs: $(tail -n 1 "$work/skel.log")"; return; }
    mp=$(median "$work/p") mo=$(median "$work/o")
    awk -v n="$1" -v p="$mp" -v o="$mo" -v sp="$(spread "$work/p")" -v so="$(spread "$work/o")" -v l="$loops" 'BEGIN {
        e = 100 * (p - o) / o
        printf "%.1f | %s | %+.1f %% | %.3f (%s) | %.3f (%s) | %s |\n", e < 0 ? -e : e, n, e, p, sp, o, so, l }'
}

for program; do
    case $program in heat) command=$(heat) ;; *) command=$program ;; esac
    name=${program##*/}
    [ -z "$lock" ] || { exec 9>"$lock"; flock 9; }
    one "${name%% *}" "$command" 9>&- >>"$work/lines"
    [ -z "$lock" ] || exec 9>&-
    tail -n 1 "$work/lines" | cut -d' ' -f2- >&2
done
what="this machine"
[ $computation = no ] || what="$what, only computation"
[ -z "$percent" ] || what="with $percent % of the processors"
[ -z "$rate" ] || what="over a link of $rate"
[ -z "$platform" ] || what="$what, predicted by SimGrid on $(basename "$platform")"
echo "K = $scale, $ranks ranks, $what, yielding: $yields; $rounds rounds, load average $(cut -d' ' -f1-3 /proc/loadavg)"
echo '| program | error | predicted s, median (least to most) | original s, median (least to most) | loops |'
echo '|---|---|---|---|---|'
sort -rn "$work/lines" | cut -d' ' -f2-
awk -v limit=$limit '$1 > limit { bad = 1 } END { exit bad }' "$work/lines"
