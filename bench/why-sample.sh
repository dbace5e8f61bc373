#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# why-sample.sh: prints what `commslice why` says of kept statements that are picked at random, for somebody to judge
# who knows the programs.
# shellcheck disable=SC1091,SC2154  # what common.sh sets
set -u
. "$(dirname "$0")/common.sh"

help() {
    cat <<'END_HELP'
usage: bench/why-sample.sh [-B BUILD] [-n NUMBER] [-d FOLDER] [--seed N] SLICE...
Picks kept statements of each slice at random, the same ones for the same seed, and prints the chain of each, so that somebody
who knows the program can judge: is every step true, is the whole a way that the program can go, and is it understood?

  -B BUILD    build tree of commslice
  -n NUMBER   statements of each slice (5)
  -d FOLDER   where the sources are, if not where they were compiled
  --seed N    which ones (1)
  --help      this text
END_HELP
}

seed=1 number=5 tree='' sources=''
while [ $# -gt 0 ]; do
    case $1 in
    --help) help; exit 0 ;;
    --seed) [ $# -gt 1 ] || { help >&2; exit 2; }; seed=$2; shift 2 ;;
    -B) [ $# -gt 1 ] || { help >&2; exit 2; }; tree=$2; shift 2 ;;
    -n) [ $# -gt 1 ] || { help >&2; exit 2; }; number=$2; shift 2 ;;
    -d) [ $# -gt 1 ] || { help >&2; exit 2; }; sources=$2; shift 2 ;;
    -*) help >&2; exit 2 ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] || { help >&2; exit 2; }
find_tools "$tree"
make_work

# The section .commslice of a slice as text.
section() {
    objcopy --dump-section ".commslice=$work/section" "$1" "$work/copy" || return
    zstd -dcqf <"$work/section"
}

# FILE:LINE of kept statements, each place once: a random order by a generator of our own, so that every awk has it.
pick() {
    awk -F '\t' -v seed="$seed" -v number="$number" '
        $1 == "stmt" && $6 == 1 && $5 > 0 && $9 !~ /^\(/ { place[n++] = $4 ":" $5 }
        END {
            state = seed % 2147483647 + 1
            for (i = 0; i < 10; i++) state = state * 16807 % 2147483647
            for (tries = 0; n && tries < 100 * number && found < number; tries++) {
                state = state * 16807 % 2147483647
                p = place[state % n]
                if (!seen[p]++) { print p; found++ }
            }
        }'
}

i=0
for slice; do
    section "$slice" | pick >"$work/places" || exit 2
    while read -r place; do
        i=$((i + 1))
        printf -- '---- %d. %s %s\n' "$i" "$slice" "$place"
        "$COMMSLICE" why ${sources:+--sources "$sources"} "$slice" "$place"
    done <"$work/places"
done
