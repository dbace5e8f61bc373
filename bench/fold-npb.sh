#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: bench/fold-npb.sh [-B BUILD] [-n RANKS] SLICE...
# Runs slices under engine emulate (default 16 ranks), merges and folds their traces in four ways, checks that expanding gives the same trace and that all calls meet,
# and prints a table beside the published figures (NPB 3.3, class C, 16 ranks). The program is told by the slice's name: bt.C.x is BT.
set -u
. "$(dirname "$0")/common.sh"
ranks=16 tree=''
while getopts B:n: o; do
    case $o in
    B) tree=$OPTARG ;; n) ranks=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
find_tools "$tree"
make_work

# The rows of [Skel10] (docs/glossary.md): calls per rank, most and fewest; merge s; symbols; main loop; folding s.
published() {
    case $1 in
        bt) echo '17111/17111 20.22 44 (15)x200 4.05' ;;
        cg) echo '41954/41954 49.68 26 (12)x75 6.81' ;;
        ep) echo '5/5 0.02 - - -' ;;
        ft) echo '47/47 0.12 - - -' ;;
        is) echo '38/36 0.08 - - -' ;;
        lu) echo '324355/162189 375.84 38 (7)x249 26.96' ;;
        mg) echo '10043/9329 12.57 302 (134)x20 2.76' ;;
        sp) echo '26891/26891 35.47 43 (15)x400 5.61' ;;
        *) echo '- - - - -' ;;
    esac
}

# NAME METHOD: the columns of one way to fold
row() {
    "$COMMSLICE" fold --json --check --method "$2" "$work/$1.trace" -o "$work/$1.fold" >"$work/json" 2>"$work/notes" || die "$1: $(cat "$work/notes")"
    rm -f "$work/back"
    "$COMMSLICE" expand "$work/$1.fold" -o "$work/back" >/dev/null && "$COMMSLICE" diff "$work/$1.trace" "$work/back" >/dev/null \
        || die "$1: expanding gives another trace"
    python3 - "$work/json" <<'X'
import json, sys
o = json.load(open(sys.argv[1]))
loop = o['main_loop']
print(o['ranks'], o['classes'], '%d/%d' % (o['most_calls'], o['fewest_calls']), o['merged'], '%.3f' % (o['merge_us'] / 1e6), o['symbols'],
      o['symbols_and_lists'], o['symbols_and_values'], '(%d)x%d' % (loop['symbols'], loop['count']) if loop else '-', '%.3f' % (o['fold_us'] / 1e6))
X
}

echo '| program | method | ranks | classes | calls a rank, most/fewest | merged | merge s | symbols | with lists | with all values | main loop | fold s |'
echo '|---|---|---|---|---|---|---|---|---|---|---|'
for slice; do
    name=$(basename "$slice")
    kind=$(echo "${name%%.*}" | tr A-Z a-z)
    "$COMMSLICE" run --engine emulate -n "$ranks" -o "$work/$name.trace" "$slice" >"$work/log" 2>&1 || die "$slice: $(tail -n 1 "$work/log")"
    for method in best records calls paper; do
        set_row=$(row "$name" "$method") || exit 1
        echo "| $name | $method | $(echo "$set_row" | sed 's/ / | /g') |"
    done
    published "$kind" | while read -r calls merge symbols loop fold; do
        [ "$calls" = - ] || echo "| $name | *published* | 16 | | $calls | | $merge | $symbols | | | $loop | $fold |"
    done
done
