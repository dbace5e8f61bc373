#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All tables of docs/prediction.md, in one go of about ten minutes on a quiet machine with two processors; as root, for the other machines.
# usage: predict-all.sh [-B BUILD] [-l LOCK] [-o FOLDER] NPB
#   NPB        folder with NPB 3.4's MPI programs: ep cg is ft mg of class A, bt sp lu of class W, as ep.A.x and so on
#   -l LOCK    hold this lock file while programs run
#   -o FOLDER  for the predictions as they were written down (.)
# Exit status 1: an error above the goal, 3 % on this machine, 10 % on others.
set -u
. "$(dirname "$0")/common.sh"

tree='' lock='' out=.
while getopts B:l:o: o; do
    case $o in B) tree=$OPTARG ;; l) lock=$OPTARG ;; o) out=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || usage
here=$(dirname "$0") bad=0
npb=$(cd "$1" && pwd) || exit 2
for p in ep.A cg.A is.A ft.A mg.A bt.W sp.W lu.W; do [ -x "$npb/$p.x" ] || die "$npb/$p.x: no such program"; done

table() { # TITLE OPTIONS PROGRAMS
    title=$1 options=$2
    shift 2
    printf '\n### %s\n\n' "$title"
    # shellcheck disable=SC2086  # words on purpose
    "$here/predict.sh" ${tree:+-B "$tree"} ${lock:+-l "$lock"} -o "$out/predictions.txt" $options "$@" 2>/dev/null || bad=1
}
a() { for p; do echo "$npb/$p.x"; done; }

# shellcheck disable=SC2046
{
    table "This machine, 2 ranks" "-n 2" heat $(a ep.A cg.A is.A ft.A mg.A lu.W)
    table "This machine, 4 ranks" "-n 4 -y" heat $(a ep.A cg.A is.A ft.A mg.A lu.W bt.W sp.W)
    table "Another machine: half of the processors' time" "-n 2 -q 50 -r 3" heat $(a ep.A cg.A is.A ft.A mg.A)
    table "Another machine: a link of 1 Gbit/s and TCP" "-n 2 -w 1gbit -r 3" heat $(a ep.A cg.A is.A ft.A mg.A)
    table "SimGrid: the same link, simulated" "-n 2 -w 1gbit -r 3 -p $here/pair.xml" heat $(a ep.A cg.A is.A ft.A mg.A)
}
exit $bad
