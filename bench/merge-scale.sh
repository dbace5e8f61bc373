#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: bench/merge-scale.sh [ROWS COLUMNS [STEPS]]
# Merging the trace of a halo exchange, by default of 128 by 128 ranks and 100 steps: processor time and memory.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in -*) usage ;; esac
make_work
# shellcheck disable=SC2046
$CC -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/merge-scale" "$top/bench/merge-scale.c" "$top"/trace/*.c "$top/api/mpi_calls.c" $(pkg-config --libs libzstd libxxhash) \
    || die "cannot compile bench/merge-scale.c"
"$work/merge-scale" "${1:-128}" "${2:-128}" "${3:-100}" "$work/trace"
