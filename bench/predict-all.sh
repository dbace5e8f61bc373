#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All tables of docs/prediction.md, in one go of about an hour on a quiet machine with two processors; as root, for the other machines.
# usage: predict-all.sh [-B BUILD] [-r ROUNDS] [-t TABLES] [-l LOCK] [-o FOLDER] NPB [NPB-SMPI]
#   NPB        folder with NPB 3.4's MPI programs: ep cg is ft mg of class A, bt sp lu of class W, as ep.A.x and so on
#   NPB-SMPI   the same, compiled by smpicc and smpiff, for the tables of SimGrid (of those that are there; without the folder, heat alone)
#   -r ROUNDS  14 on this machine, 8 on others, 4 simulated; -r gives the first, the others are at most that
#   -t TABLES  which: letters of "24qls", two ranks, four ranks, quota, link, SimGrid (all)
#   -l LOCK    hold this lock file while programs run
#   -o FOLDER  for the predictions as they were written down, predictions.txt (.)
# Exit status 1: an error above the goal, 3 % on this machine, 10 % on others.
set -u
. "$(dirname "$0")/common.sh"

tree='' lock='' out=. rounds=14 tables=24qls
while getopts B:r:t:l:o: o; do
    case $o in B) tree=$OPTARG ;; r) rounds=$OPTARG ;; t) tables=$OPTARG ;; l) lock=$OPTARG ;; o) out=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || [ $# = 2 ] || usage
here=$(dirname "$0") bad=0
npb=$(cd "$1" && pwd) || exit 2
smpi=''
if [ $# = 2 ]; then smpi=$(cd "$2" && pwd) || exit 2; fi
mkdir -p "$out" || exit 2
for p in ep.A cg.A is.A ft.A mg.A bt.W sp.W lu.W; do [ -x "$npb/$p.x" ] || die "$npb/$p.x: no such program"; done
at_most() { if [ "$rounds" -lt "$1" ]; then echo "$rounds"; else echo "$1"; fi; }

table() { # LETTER TITLE OPTIONS PROGRAMS
    case $tables in *"$1"*) ;; *) return ;; esac
    title=$2 options=$3
    shift 3
    printf '\n### %s\n\n' "$title"
    # shellcheck disable=SC2086  # words on purpose
    "$here/predict.sh" ${tree:+-B "$tree"} ${lock:+-l "$lock"} -o "$out/predictions.txt" $options "$@" 2>/dev/null || bad=1
}
a() { for p; do echo "$npb/$p.x"; done; }
s() { for p; do if [ -n "$smpi" ] && [ -e "$smpi/$p.x" ]; then echo "$npb/$p.x"; fi; done; }
simulated() { # RANKS OPTIONS PLATFORM
    # shellcheck disable=SC2046
    table s "SimGrid: $3, $1 ranks" "-n $1 $2 -r $(at_most 4) -p $here/$3 ${smpi:+-s $smpi}" heat $(s ep.A cg.A is.A ft.A mg.A)
}

make_work
# shellcheck disable=SC2046
{
    table 2 "This machine, 2 ranks" "-n 2 -r $rounds" heat $(a ep.A cg.A is.A ft.A mg.A lu.W)
    table 4 "This machine, 4 ranks on 2 processors, all yield" "-n 4 -y -r $rounds" heat $(a ep.A cg.A is.A ft.A mg.A lu.W bt.W sp.W)
    table q "Half of the processors' time" "-n 2 -q 50 -r $(at_most 8)" heat $(a ep.A cg.A is.A ft.A mg.A)
    table l "A link of 1 Gbit/s and TCP" "-n 2 -w 1gbit -r $(at_most 8)" heat $(a ep.A cg.A is.A ft.A mg.A lu.W)
    simulated 2 "" pair.xml
    simulated 4 -y cluster.xml
    simulated 4 -y fast.xml
}
exit $bad
