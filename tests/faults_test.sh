#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that do not end well: faults at random moments, and programs that cannot end well. tests/faults/ has the programs.
# usage: faults_test.sh [-B BUILD]        the selection that make check runs
#        N=200 faults_test.sh [-B BUILD]  N faults of all kinds at random moments, engine mpich included; SEED=... for others,
#                                          ONLY=... for the kinds with this in their name; MPICH=no
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/bench/common.sh"
tree=${BUILD_DIR:-}
while getopts B: o; do
    case $o in B) tree=$OPTARG ;; *) usage ;; esac
done
find_tools "$tree"
make_work
cc() { "$MPICC" -g -O1 -Wall -Wno-stringop-overflow "$@"; }
cc -DCHILDREN -o "$work/work" "$top/tests/faults/work.c" || die "cannot compile work.c"
cc -fplugin="$PLUGIN" -o "$work/work.slice" "$top/tests/faults/work.c" || die "cannot slice work.c"
cd "$work" || exit 2
series() { python3 "$top/tests/faults/series.py" --commslice "$COMMSLICE" --mpiexec "$MPIEXEC" --program "$work/work" --slice "$work/work.slice" \
    --work "$work/series" "$@"; }
if [ -n "${N:-}" ]; then
    mpich=--mpich
    [ "${MPICH:-yes}" = yes ] || mpich=
    # shellcheck disable=SC2086  # no word if empty
    series -n "$N" --seed "${SEED:-1}" --only "${ONLY:-}" $mpich
    exit
fi
failed=0
cc -o "$work/ends" "$top/tests/faults/ends.c" || die "cannot compile ends.c"
ends() { python3 "$top/tests/faults/ends.py" --commslice "$COMMSLICE" --source "$top/tests/faults/ends.c" --cases "$top/tests/faults/ends.cases" \
    --work "$work" "$@" || failed=1; }
ends --program "$work/ends"

# Long queues: the programs check themselves; a quarter of a gigabyte is less than what they send.
cc -o "$work/queues" "$top/tests/faults/queues.c" || die "cannot compile queues.c"
queues() {  # CASE RANKS OPTION...
    name=$1 ranks=$2
    shift 2
    "$COMMSLICE" record --no-times -o "$work/T" -n "$ranks" --engine emulate --timeout 100 "$@" -- "$work/queues" "$name" >"$work/log" 2>&1 \
        && grep -qx "$name ok" "$work/log" && return
    echo "FAIL  queues $name $ranks $*: $(grep -v ' events, ' "$work/log" | head -n 3)"
    failed=1
}
for name in unexpected unexpected_any posted posted_any random_receives random_posts flood flood_isend flood_first flood_between flood_in_vain; do
    queues $name 3
    queues $name 4 --jobs 1
done
COMMSLICE_BACKLOG=2000 queues flood_first 8
COMMSLICE_BACKLOG=1 queues flood_first 40
series --seed 0 --longest 0.5 || failed=1
exit $failed
