#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# verify.sh: does a slice keep the promise, and how much of the program did it keep? Records the original, runs the slice, compares.
# One line a comparison: the verdict of `commslice diff`, and the statements kept of all in the program.
set -u

usage() {
    cat <<'END'
usage: bench/verify.sh [-e ENGINES] [-i FILE] [-o] [-y] ORIGINAL SLICE NRANKS [ARGUMENT ...]
All run in the current folder with NRANKS ranks: the original under mpiexec, the slice under commslice run with each of these engines ("emulate").
  -i  standard input of each of them (/dev/null)
  -o  the original under engine emulate as well
  -y  ranks under MPICH give up their processor while they wait (yield.c): for more ranks than processors
Exit code 0: same, 1: different, 2: something did not run.
END
}

[ "${1:-}" = --help ] && { usage; exit 0; }
here=$(cd "$(dirname "$0")" && pwd)
engines=emulate emulated=no yields=no input=/dev/null
while getopts e:i:oy o; do
    case $o in e) engines=$OPTARG ;; i) input=$OPTARG ;; o) emulated=yes ;; y) yields=yes ;; *) usage >&2; exit 2 ;; esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || { usage >&2; exit 2; }
original=$1 slice=$2 n=$3
shift 3
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT INT TERM
verdict=0

fail() {
    printf '%s: %s\n' "$(basename "$slice")" "$1" >&2
    tail -n 3 "$dir/log" >&2
    exit 2
}

# Only where MPICH is: it is of no use to the others.
under_mpich() {
    if [ $yields = yes ]; then LD_PRELOAD=$dir/yield.so "$@"; else "$@"; fi <"$input" >"$dir/log" 2>&1
}

compare() {  # TRACE WHAT
    said=$(commslice diff "$dir/original" "$1" 2>&1) || verdict=1
    kept=$(commslice info "$slice" | grep -m1 -i 'statements')
    printf '%-14s %3d ranks, %s: %s | %s\n' "$(basename "$slice")" "$n" "$2" "$(printf '%s' "$said" | head -n 1)" "$kept"
}

if [ $yields = yes ]; then
    "${CC:-gcc}" -shared -fPIC -O2 -o "$dir/yield.so" "$here/yield.c" 2>"$dir/log" || fail "yield.c does not compile"
fi
under_mpich commslice record --no-times -o "$dir/original" -- "${MPIEXEC:-mpiexec}" -n "$n" "$original" "$@" || fail "the original did not run"
if [ $emulated = yes ]; then
    commslice record --engine emulate -n "$n" --no-times -o "$dir/emulated" -- "$original" "$@" <"$input" >"$dir/log" 2>&1 ||
        fail "the original did not run under emulate"
    compare "$dir/emulated" 'original under emulate'
fi
for engine in $engines; do
    case $engine in
        mpich) under_mpich commslice run --engine mpich -n "$n" -o "$dir/$engine" "$slice" "$@" ;;
        *) commslice run --engine "$engine" -n "$n" -o "$dir/$engine" "$slice" "$@" <"$input" >"$dir/log" 2>&1 ;;
    esac || fail "the slice did not run under $engine"
    compare "$dir/$engine" "$engine"
done
exit $verdict
