#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: bench/fold.sh [LENGTH]
# Folding of strings of 10^4 to 10^7 symbols, beside the published method up to LENGTH symbols (default 100000) in the same run.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in -*) usage ;; esac
make_work
$CC -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/fold" "$top/bench/fold-time.c" -I"$top" "$top"/trace/fold/*.c \
    || die "cannot compile bench/fold-time.c"
"$work/fold" "$@"
