#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# whole-of-shares.sh: do the shares of a run, put together, give the trace of the run as a whole, byte for byte?
# usage: whole-of-shares.sh [-B BUILD] [-n RANKS] [-k SHARES] [-t TRACE] SLICE [ARGUMENT...]
#   -n RANKS   (512)
#   -k SHARES  (8)
#   -t TRACE   of the whole run, if there is one already, of the same command
# A row: processor time of the whole run, of all shares together and of the one that takes longest, of putting them together; bytes.
# Exit status 1: they are not the same.
set -u
. "$(dirname "$0")/common.sh"
tree='' ranks=512 shares=8 whole=''
while getopts B:n:k:t: o; do
    case $o in
    B) tree=$OPTARG ;; n) ranks=$OPTARG ;; k) shares=$OPTARG ;; t) whole=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
find_tools "$tree"
make_work

# COMMAND...: user and system time of it and all that it starts, in seconds
timed() {
    ( "$@" >"$work/log" 2>&1 || die "$*: $(tail -n 1 "$work/log")"
      times >"$work/times" ) || exit 2
    tail -n 1 "$work/times" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'
}

all=-
if [ -z "$whole" ]; then
    whole=$work/trace
    all=$(timed "$COMMSLICE" run -q -n "$ranks" -o "$whole" "$@") || exit 2
fi
k=1
while [ $k -le "$shares" ]; do
    timed "$COMMSLICE" run -q -n "$ranks" --share "$k/$shares" -o "$work/part" "$@" >>"$work/each" || exit 2
    k=$((k + 1))
done
merged=$(timed "$COMMSLICE" merge "$work"/part.*of"$shares" -o "$work/part") || exit 2
same=same code=0
cmp -s "$whole" "$work/part" || { same=DIFFERENT; code=1; }
awk -v ranks="$ranks" -v all="$all" -v merged="$merged" -v same=$same -v bytes="$(stat -c %s "$whole")" '
    { sum += $1; if ($1 > most) most = $1 }
    END { printf "%d ranks: whole %s s, %d shares %.2f s, longest %.2f s, put together %.2f s; %d bytes, %s\n", ranks, all, NR, sum, most, merged, bytes, same }' "$work/each"
exit $code
