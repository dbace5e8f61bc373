#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# verify.sh: does a slice keep the promise, and how much of the program did it keep? Records the original, runs the slice, compares.
# One line a call: the verdict of `commslice diff`, and the statements kept of all in the program.
set -u

usage() {
    cat <<'END'
usage: bench/verify.sh [-e ENGINE] ORIGINAL SLICE NRANKS [ARGUMENT ...]
Both programs run in the current folder with NRANKS ranks: the original under mpiexec, the slice under commslice run with this engine (emulate).
Exit code 0: same, 1: different, 2: something did not run.
END
}

[ "${1:-}" = --help ] && { usage; exit 0; }
engine=emulate
[ "${1:-}" = -e ] && { engine=$2; shift 2; }
[ $# -ge 3 ] || { usage >&2; exit 2; }
original=$1 slice=$2 n=$3
shift 3
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT INT TERM

fail() {
    printf '%s: %s\n' "$(basename "$slice")" "$1" >&2
    tail -n 3 "$dir/log" >&2
    exit 2
}

commslice record -o "$dir/original" -- "${MPIEXEC:-mpiexec}" -n "$n" "$original" "$@" >"$dir/log" 2>&1 || fail "the original did not run"
commslice run --engine "$engine" -n "$n" -o "$dir/slice" "$slice" "$@" >"$dir/log" 2>&1 || fail "the slice did not run"
said=$(commslice diff "$dir/original" "$dir/slice" 2>&1)
verdict=$?
kept=$(commslice info "$slice" | grep -m1 -i 'statements')
printf '%-14s %3d ranks, %s: %s | %s\n' "$(basename "$slice")" "$n" "$engine" "$(printf '%s' "$said" | head -n 1)" "$kept"
exit "$verdict"
