#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The trace of a halo exchange, by default of 128 by 128 ranks and 100 steps: its size, and merging it, processor time and memory.
# usage: merge-scale.sh -B BUILD [ROWS COLUMNS [STEPS]]
set -u
. "$(dirname "$0")/common.sh"
tree=''
while getopts B: o; do
    case $o in
    B) tree=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
find_tools "$tree"
[ -e "${build:-}/trace/libcstrace.a" ] || die "needs a build tree (-B)"
make_work
$CC -O2 -I"$top" -o "$work/merge-scale" "$top/bench/merge-scale.c" "$build/trace/libcstrace.a" "$build/api/libcsapi.a" "$build/base/libcsbase.a" -lzstd \
    || die "cannot compile merge-scale.c"
"$work/merge-scale" "${1:-128}" "${2:-128}" "${3:-100}" "$work/trace"
