#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The assumption no-read-back, checked while an original is recorded: who wrote which file before who read it, by each way to open, read,
# write, move and look for a file; what advise makes of it.
set -u
. "$(dirname "$0")/../frame.sh"
here=$top/tests/commands
sees() { # NAME, ARGUMENTS..., then what is said in quotes: "0 times" ...
    name=$1
    shift
    rm -rf run && mkdir run && cd run && printf '5\n' | tee deck own.0 >own.1 || return 1
    case ${CS_LONG:-no} in
        yes) commslice record -o ../t -- "$MPIEXEC" -n 2 "../$name" "$@" >log 2>&1 ;;
        *) commslice record --engine emulate -n 2 -o ../t -- "../$name" "$@" >log 2>&1 ;;
    esac || { cat log; cd ..; return 1; }
    cd .. && commslice info t | sed -n 's/^  no-read-back //p'
}
said() { # WHAT IS SAID, NAME, ARGUMENTS...
    want=$1
    shift
    equal "$*: $want" "$want" "$(sees "$@")"
}
with() { echo -g -O2 -fplugin-arg-commslice-mode=original -fplugin-arg-commslice-assume=no-read-back; }

# shellcheck disable=SC2046  # words
{
    must commslice-mpicc $(with) -o c "$here/reread.c"
    must commslice-mpifort $(with) -o f "$here/reread.f90"
    must commslice-mpicxx $(with) -o cxx "$here/reread.cpp"
}
said 'violated 0 times' c nothing deck
said 'violated 2 times: own.0, own.1' c own deck
for how in other asked size; do said 'violated 1 times: young.dat' c "$how" deck; done
said 'violated 1 times: out.dat' c moved deck
said 'violated 1 times: deck' c gone deck
said 'violated 0 times' c later deck
said 'violated 2 times: deck' c while deck
said 'violated 0 times' c both deck
said 'violated 2 times: own.0, own.1' c back deck
said 'violated 1 times: early.dat' c early deck
said 'violated 0 times' f
said 'violated 2 times: log.0, log.1' f back
said 'violated 0 times' cxx
said 'violated 2 times: stream.0, stream.1' cxx back
# Without the assumption an original still tells whether it held, if advise may suggest it.
program=$top/tests/programs/files/no_read_back.c
must commslice-mpicc -g -O2 -o slice "$program"
must commslice-mpicc -g -O2 -fplugin-arg-commslice-mode=original -o original "$program"
printf '3\n1\n' >orders
# How far advise gets in its time is of no account here.
told() { # the names of what is written, recorded and advised
    commslice record --engine emulate -n 2 -o t -- ./original "$@" >/dev/null && commslice advise --seconds 60 --trace t slice
}
expect "advise suggests it" 0 '-fplugin-arg-commslice-assume=no-read-back$' commslice advise --seconds 60 slice
expect "a run in which it held" 0 'it held for 2 of the 2 files' told orders log step
equal "info says it" '  no-read-back held 2 of 2 times' "$(commslice info t | grep no-read)"
expect "the link counts writes" 0 '^commslice: assuming no-read-back (9 writes)$' \
    commslice-mpicc -g -O2 -fplugin-arg-commslice-assume=no-read-back -o assumed "$program"
expect "the slice says it" 0 '^  no-read-back$' commslice info assumed
not_again() { ! commslice advise --seconds 60 --all assumed | grep 'assume=no-read-back'; }
case_ "a slice with it is not advised to assume it" not_again
expect "one that fails is warned of" 0 'warning: assumption no-read-back violated 2 times: own.0, own.1: the slice' \
    commslice record --engine emulate -n 2 -o t -- ./c own deck
finish
