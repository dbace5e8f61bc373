#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a rank costs that does nothing (null.c) and waits for nobody: wall and processor seconds, by ranks; the same with a process for each.
# usage: start-ranks.sh [-B BUILD] [-p] [RANKS...]
#   -p         also with COMMSLICE_NO_SERIES=1, a process for each rank
#   RANKS      1024 16384 65536
set -u
. "$(dirname "$0")/common.sh"
tree='' processes=''
while getopts B:p o; do
    case $o in
    B) tree=$OPTARG ;; p) processes=yes ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || set -- 1024 16384 65536
find_tools "$tree"
make_work
"$MPICC" -O2 -fplugin="$PLUGIN" -o "$work/null" "$top/bench/null.c" 2>"$work/log" || die "cannot compile null.c: $(tail -n 1 "$work/log")"
run() { # RANKS NO_SERIES: "WALL USER SYSTEM"
    COMMSLICE_NO_SERIES=$2 /usr/bin/time -f '%e %U %S' -o "$work/time" \
        "$COMMSLICE" run -q -n "$1" --engine emulate -o "$work/trace" "$work/null" >"$work/log" 2>&1 || die "null on $1 ranks: $(tail -n 1 "$work/log")"
    cat "$work/time"
}
printf '%8s %8s %8s %8s%s\n' ranks wall user system "${processes:+   with a process each: wall, user, system}"
for n; do
    # shellcheck disable=SC2046 # three words
    printf '%8d %8s %8s %8s' "$n" $(run "$n" 0)
    # shellcheck disable=SC2046
    [ -z "$processes" ] || printf ' %30s %8s %8s' $(run "$n" 1)
    echo
done
