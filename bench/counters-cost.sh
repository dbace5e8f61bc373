#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# counters-cost.sh: what counters cost a slice: processor time and the largest process, beside the slice without them, in turn.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"

usage() {
    cat <<'END'
usage: bench/counters-cost.sh [-B BUILD] [-w FOLDER] [-k CLASS] [-n RANKS] [-r ROUNDS] [-c HOW] NPB-FOLDER [PROGRAM...]
  -B BUILD   the build tree of commslice (build)
  -w FOLDER  work there, and leave everything (default: a folder that is removed)
  -k CLASS   of the programs (D)
  -n RANKS   under engine emulate (512); bt and sp run on the largest square of ranks
  -r ROUNDS  in each, both slices run once; the least processor time of all counts (3)
  -c HOW     slices by counters=HOW, setup or all

NPB-FOLDER is your copy of NPB3.4-MPI. A row a program: processor time of all ranks together and the largest process, without counters and
with; the ratios. Exit status 1 if one is more than twice the other.
END
}

build=$top/build work='' class=D ranks=512 rounds=3
while getopts B:w:k:n:r:c:h o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        k) class=$OPTARG ;;
        n) ranks=$OPTARG ;;
        r) rounds=$OPTARG ;;
        c) counters=counters=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
take_npb "$1"
shift
find_tools "$build"
[ -x /usr/bin/time ] || die "/usr/bin/time is missing (Debian: time)"
begin_work
cd "$work" || exit 2
[ $# -gt 0 ] || set -- bt cg ep ft lu mg sp
copy_npb || exit 2

slice() { # PROGRAM WAY OPTIONS: as PROGRAM.WAY
    assume=''
    [ "$1" != lu ] || assume=-fplugin-arg-commslice-assume=$top/npb-patches/3.4/lu.assume
    make_npb "$1" "$class" "$1.$2" "$3 $assume" || die "$1 class $class does not build: $(tail -n 2 "$1.$2.log")"
}

run() { # PROGRAM WAY RANKS: appends to PROGRAM.WAY.cost
    /usr/bin/time -f '%U %S %M' -o cost "$COMMSLICE" run -q --force --stdout drop -n "$3" -o slice.trace "./$1.$2" >run.log 2>&1 || die "$1: $(tail -n 1 run.log)"
    tail -n 1 cost >>"$1.$2.cost"
}
least() { awk '{ v = $1 + $2 } NR == 1 || v < s { s = v } NR == 1 || $3 < m { m = $3 } END { print s, m / 1024 }' "$1"; }

code=0
for p in "$@"; do
    case $p in bt | sp) n=$(awk -v n="$ranks" 'BEGIN { r = int(sqrt(n)); print r * r }') ;; *) n=$ranks ;; esac
    slice "$p" plain ''
    slice "$p" counters "-fplugin-arg-commslice-$counters"
    rm -f "$p".*.cost
    for round in $(seq "$rounds"); do
        run "$p" plain "$n"
        run "$p" counters "$n"
    done
    # shellcheck disable=SC2046  # words on purpose
    echo "$p" "$n" $(least "$p.plain.cost") $(least "$p.counters.cost") |
        awk -v class="$class" '{ printf "%-4s %s %5d  %8.2f s %8.2f s  %5.2f times  %7.1f MB %7.1f MB  %5.2f times\n", $1, class, $2, $3, $5, $5 / $3, $4, $6, $6 / $4
            exit $5 > 2 * $3 || $6 > 2 * $4 }' || code=1
done
exit $code
