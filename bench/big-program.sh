#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Generates an MPI program of so many GIMPLE statements, slices it, and prints time and memory of the slicing link.
# usage: big-program.sh [-B BUILD] [-n STATEMENTS] [-s SEED] [-t SECONDS] [-d FOLDER] [-c RANKS]
#   -n STATEMENTS  about so many (200000); -s SEED of the generator (1); -t SECONDS after which it is ended (600)
#   -d FOLDER      where program and slice stay; else they are removed
#   -c RANKS       also runs original and slice on so many ranks, and compares their traces
# Exit status 1: more than a minute, more than 4 GB, or the traces differ.
set -u
. "$(dirname "$0")/common.sh"
tree='' statements=200000 seed=1 limit=600 folder='' ranks=''
while getopts B:n:s:t:d:c: o; do
    case $o in
    B) tree=$OPTARG ;; n) statements=$OPTARG ;; s) seed=$OPTARG ;; t) limit=$OPTARG ;; d) folder=$OPTARG ;; c) ranks=$OPTARG ;; *) usage ;;
    esac
done
find_tools "$tree"
make_work
folder=${folder:-$work/program}
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 2
$CC -std=c11 -O1 -o "$work/generate" "$top/bench/generate-program.c" || die "cannot compile generate-program.c"
$CC -O1 -o "$work/peak" "$top/tests/peak.c" || die "cannot compile tests/peak.c"

modules=$((statements / 1100 + 1))
"$work/generate" "$folder" "$modules" "$seed" || exit 2
cd "$folder" || exit 2
echo "$modules modules, $(cat ./*.c | wc -l) lines; compiling"
ls ./*.c | xargs -P 2 -n 8 "$MPICC" -O2 -g -w -fplugin="$PLUGIN" -c || die "cannot compile the program"

start=$(now)
timeout "$limit" "$work/peak" "$work/kb" "$MPICC" -O2 -g -w -fplugin="$PLUGIN" ./*.o -o slice || die "the slicing link failed (exit status $?)"
seconds=$(since "$start")
gb=$(awk '{ printf "%.2f", $2 / 1048576 }' "$work/kb")
"$COMMSLICE" info ./slice | grep -m 1 'statements kept'
ok=$(calc %d "$seconds <= 60 && $gb <= 4")
echo "slicing link: $seconds s, $gb GB in its largest process (at most 60 s and 4 GB: $([ "$ok" = 1 ] && echo yes || echo NO))"

if [ -n "$ranks" ]; then
    "$MPICC" -O2 -w ./*.c -o original || die "cannot compile the original"
    "$COMMSLICE" record -o original.trace -- "$MPIEXEC" -n "$ranks" ./original || exit 2
    "$COMMSLICE" run -n "$ranks" -o slice.trace ./slice || exit 2
    "$COMMSLICE" diff original.trace slice.trace || ok=0
fi
[ "$ok" = 1 ]
