#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The fuzzers for a minute each, and the tests of random programs with ten times the rounds that `make check` gives them.
# usage: fuzz_test.sh [SECONDS [SEED]]
set -u
. "$(dirname "$0")/../frame.sh"
seconds=${1:-60} seed=${2:-2}
for fuzzer in trace_fuzz merged_fuzz lines_fuzz; do
    case_ "$fuzzer, $seconds s, seed $seed" "$build/tests/fuzz/$fuzzer" "$seconds" "$seed"
done
export CS_SRCDIR="$top"
rounds() {  # TEST ROUNDS
    case_ "$1, $2 rounds" env CS_ROUNDS="$2" "$build/tests/unit/$1"
}
rounds test_live 600
rounds test_pointsto 600
rounds test_loops 600
rounds test_emulate 20000
rounds test_rank_memory 2000000
finish
