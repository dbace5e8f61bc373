#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How large the trace of a slice is, by ranks: the ring of ring.c, and the demo heat on a square grid.
# usage: trace-size.sh [-B BUILD] [RANKS...] [RANKS:SLICE...]
#   RANKS        square numbers (16 64 256 1024)
#   RANKS:SLICE  of this slice on so many ranks, such as 484:sp.D.x
set -u
. "$(dirname "$0")/common.sh"
tree=''
while getopts B: o; do
    case $o in
    B) tree=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || set -- 16 64 256 1024
find_tools "$tree"
make_work
"$MPICC" -O2 -fplugin="$PLUGIN" -o "$work/ring" "$top/bench/ring.c" 2>"$work/log" || die "cannot compile ring.c: $(tail -n 1 "$work/log")"
"$MPICC" -O2 -fplugin="$PLUGIN" -o "$work/heat" "$top/demo/heat.c" -lm 2>"$work/log" || die "cannot compile heat.c: $(tail -n 1 "$work/log")"
size() { # RANKS SLICE [ARGUMENT...]
    "$COMMSLICE" run -q -n "$1" --engine emulate -o "$work/trace" "$2" ${3:+"$3"} >"$work/log" 2>&1 || die "$2 on $1 ranks: $(tail -n 1 "$work/log")"
    stat -c %s "$work/trace"
}
printf '%8s %12s %12s\n' ranks 'ring, bytes' 'heat, bytes'
for n; do
    case $n in *:*)
        bytes=$(size "${n%%:*}" "${n#*:}") || exit 2
        printf '%8d %12d %s\n' "${n%%:*}" "$bytes" "${n#*:}"
        continue ;;
    esac
    side=$(awk -v n="$n" 'BEGIN { print int(sqrt(n) + 0.5) }')
    [ $((side * side)) = "$n" ] || die "$n: no square number"
    sed "s/^grid_rows .*/grid_rows $side/; s/^grid_cols .*/grid_cols $side/" "$top/demo/heat.txt" >"$work/heat.txt"
    ring=$(size "$n" "$work/ring") && heat=$(size "$n" "$work/heat" "$work/heat.txt") || exit 2
    printf '%8d %12d %12d\n' "$n" "$ring" "$heat"
done
