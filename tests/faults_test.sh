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
faults=$top/tests/faults
cc() { "$MPICC" -g -O1 -Wall -Wno-stringop-overflow "$@"; }
cc -DCHILDREN -o "$work/work" "$faults/fault_work.c" || die "cannot compile work.c"
cc -fplugin="$PLUGIN" -o "$work/work.slice" "$faults/fault_work.c" || die "cannot slice work.c"
$CC -std=c11 -O1 -Wall -Wextra -o "$work/series.bin" "$faults/fault_series.c" "$faults/fault_run.c" "$faults/fault_run_check.c" -lutil || die "cannot compile series.c"
cd "$work" || exit 2
# In a mount namespace, so that the small file system goes when the series goes. Where / is no mount point, as in a chroot, mounts cannot be
# kept from the namespace outside, and the file system is taken away by hand.
if [ "$(id -u)" = 0 ]; then own=-m; else own=-rm; fi
unshare $own true 2>/dev/null || own="$own --propagation unchanged"
series() {
    folder=$(mktemp -d "$work/series.XXXX")
    # shellcheck disable=SC2086  # words on purpose
    unshare $own "$work/series.bin" --commslice "$COMMSLICE" --mpiexec "$(command -v "$MPIEXEC")" --program "$work/work" --slice "$work/work.slice" \
        --work "$folder/runs" "$@"
    ended=$?
    umount "$folder/runs/disk" 2>/dev/null
    return $ended
}
# What is hurt at random moments, and has so long to end, fails by itself where a machine stands still for seconds: a part that fails
# is done once more, and what it said stays in the log. N=200 finds what is wrong now and then.
part() {
    "$@" && return
    echo "once more: $*"
    "$@" || failed=1
}
if [ -n "${N:-}" ]; then
    mpich=--mpich
    [ "${MPICH:-yes}" = yes ] || mpich=
    # shellcheck disable=SC2086  # no word if empty
    series -n "$N" --seed "${SEED:-1}" --only "${ONLY:-}" $mpich
    exit
fi
failed=0
cc -o "$work/ends" "$faults/fault_ends.c" || die "cannot compile ends.c"
"${MPIFORT:-mpifort}" -g -O1 -o "$work/ends_f" "$faults/fault_ends_f.f90" || die "cannot compile ends_f.f90"
part "$faults/fault_ends.sh" "$COMMSLICE" "$work/ends" "$faults/fault_ends.c" "$faults/fault_ends.cases" "$work"
part "$faults/fault_ends.sh" "$COMMSLICE" "$work/ends_f" "$faults/fault_ends_f.f90" "$faults/fault_ends_f.cases" "$work"

# Long queues: the programs check themselves; a quarter of a gigabyte is less than what they send.
cc -o "$work/queues" "$faults/fault_queues.c" || die "cannot compile queues.c"
queues() {  # CASE RANKS OPTION...
    name=$1 ranks=$2
    shift 2
    "$COMMSLICE" record --no-times -o "$work/T" -n "$ranks" --engine emulate --timeout 100 "$@" -- "$work/queues" "$name" >"$work/log" 2>&1 \
        && grep -qx "$name ok" "$work/log" && return
    echo "FAIL  queues $name $ranks $*: $(grep -v ' events, ' "$work/log" | head -n 3)"
    return 1
}
for name in unexpected unexpected_any posted posted_any random_receives random_posts flood flood_isend flood_first flood_between flood_in_vain; do
    part queues "$name" 3
    part queues "$name" 4 --jobs 1
done
export COMMSLICE_BACKLOG=2000
part queues flood_first 8
export COMMSLICE_BACKLOG=100000
part queues flood_in_order 8
export COMMSLICE_BACKLOG=1
part queues flood_first 40
unset COMMSLICE_BACKLOG
part series --seed 0 --longest 0.5
exit $failed
