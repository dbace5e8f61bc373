#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What recording costs per event, and memory and trace of many ranks, by the writer of traces alone: no MPI.
# usage: record-scale.sh -B BUILD [-e EVENTS] [-n RANKS]
#   EVENTS of each rank (1000000), RANKS of the regular programs (512)
# KB: memory of the rank that needs most, before its end; trace: bytes of the file. CPU time, so other load does not count.
set -u
. "$(dirname "$0")/common.sh"
tree='' events=1000000 ranks=512
while getopts B:e:n: o; do
    case $o in
    B) tree=$OPTARG ;; e) events=$OPTARG ;; n) ranks=$OPTARG ;; *) usage ;;
    esac
done
find_tools "$tree"
[ -e "${build:-}/trace/libcstrace.a" ] || die "needs a build tree (-B)"
make_work
$CC -O2 -I"$top" -o "$work/record-scale" "$top/bench/record-scale.c" "$build/trace/libcstrace.a" "$build/api/libcsapi.a" "$build/base/libcsbase.a" -lzstd \
    || die "cannot compile record-scale.c"
"$work/record-scale" "$events" "$ranks" "$work/trace"
