#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How well skeletons predict run times, on this machine. docs/prediction.md has the protocol.
# usage: predict.sh [-B BUILD] [-k K] [-r ROUNDS] [-c RECORDINGS] [-n RANKS] [-o PREDICTIONS] [-l LOCK] PROGRAM...
#   PROGRAM    an MPI program, or a command line in quotes; "heat" is demo/heat.c on a plate of 1500 x 1500
#   -k K       how much shorter the skeletons are (10)
#   -r ROUNDS  interleaved runs: skeleton, then original (5)
#   -c RECORDINGS  the original is recorded so often, the shortest is taken (3): on a loaded machine, a recording holds the time of others
#   -n RANKS   2
#   -o FILE    where each prediction is written before the original runs (predictions.txt)
#   -l LOCK    hold this lock file during each program's runs
# Prints a line for each program, the largest error first. Exit status 1: an error above 3 %.
set -u
. "$(dirname "$0")/common.sh"

tree='' scale=10 rounds=5 recordings=3 ranks=2 predictions=predictions.txt lock=
while getopts B:k:r:c:n:o:l: o; do
    case $o in
    B) tree=$OPTARG ;; k) scale=$OPTARG ;; r) rounds=$OPTARG ;; c) recordings=$OPTARG ;; n) ranks=$OPTARG ;; o) predictions=$OPTARG ;; l) lock=$OPTARG ;; *) usage ;;
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

heat() {
    $MPICC -O2 -o "$work/heat" "$top/demo/heat.c" -lm || die "cannot compile demo/heat.c"
    printf 'rows 1500\ncols 1500\ngrid_rows 1\ngrid_cols %d\nsteps 200\nreport 10\n' "$ranks" >"$work/heat.txt"
    echo "$work/heat $work/heat.txt"
}

# The slowest rank's seconds of one run of the original.
original() {
    rm -f "$work/span"
    # shellcheck disable=SC2086  # words on purpose
    SPAN=$work/span LD_PRELOAD=$work/span.so $MPIEXEC -n "$ranks" $1 >"$work/orig.log" 2>&1 || return 1
    [ "$(wc -l <"$work/span")" = "$ranks" ] && sort -n "$work/span" | tail -n 1
}
skeleton() {
    $MPIEXEC -n "$ranks" "$work/skel" all >"$work/skel.log" 2>&1 || return 1
    sed -n 's/.*predicts \([0-9.]*\) s$/\1/p' "$work/skel.log" | sort -n | tail -n 1
}
spread() { sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.3f..%.3f", v[1], v[NR] }'; }

one() { # NAME COMMAND
    rm -f "$work/p" "$work/o"
    best=
    i=0
    while [ "$i" -lt "$recordings" ]; do
        i=$((i + 1)) began=$(now)
        # shellcheck disable=SC2086
        "$COMMSLICE" record -o "$work/R" -- $MPIEXEC -n "$ranks" $2 >"$work/rec.log" 2>&1 || { echo "999 $1: recording failed: $(tail -n 1 "$work/rec.log")"; return; }
        took=$(since "$began")
        if [ -z "$best" ] || [ "$(calc %d "($took < $best)")" = 1 ]; then best=$took; mv "$work/R" "$work/T"; fi
    done
    "$COMMSLICE" skeleton "$work/T" --scale "$scale" --force -o "$work/skel.c" >"$work/make.log" 2>&1 &&
        $MPICC -O2 -o "$work/skel" "$work/skel.c" || { echo "999 $1: no skeleton: $(tail -n 1 "$work/make.log")"; return; }
    loops=$(sed -n 's/.*loops: //p' "$work/make.log")
    i=0
    while [ "$i" -lt "$rounds" ]; do
        i=$((i + 1))
        p=$(skeleton) && echo "$p" >>"$work/p" && echo "$(date -u +%FT%TZ) $1 round $i predicted $p s" >>"$predictions"
        o=$(original "$2") && echo "$o" >>"$work/o" && echo "$(date -u +%FT%TZ) $1 round $i took $o s" >>"$predictions"
    done
    [ -s "$work/p" ] && [ -s "$work/o" ] || { echo "999 $1: no runs: $(tail -n 1 "$work/skel.log")"; return; }
    mp=$(median "$work/p") mo=$(median "$work/o")
    awk -v n="$1" -v p="$mp" -v o="$mo" -v sp="$(spread "$work/p")" -v so="$(spread "$work/o")" -v l="$loops" 'BEGIN {
        e = 100 * (p - o) / o
        printf "%.1f %-10s %+6.1f %%  predicted %.3f s (%s)  original %.3f s (%s)  loops %s\n", e < 0 ? -e : e, n, e, p, sp, o, so, l }'
}

for program; do
    case $program in heat) command=$(heat) ;; *) command=$program ;; esac
    name=${program##*/}
    [ -z "$lock" ] || { exec 9>"$lock"; flock 9; }
    one "${name%% *}" "$command" 9>&- >>"$work/lines"
    [ -z "$lock" ] || exec 9>&-
    tail -n 1 "$work/lines" | cut -d' ' -f2- >&2
done
echo "K = $scale, $ranks ranks, $rounds rounds, load average $(cut -d' ' -f1-3 /proc/loadavg)"
sort -rn "$work/lines" | cut -d' ' -f2-
awk '$1 > 3 { bad = 1 } END { exit bad }' "$work/lines"
