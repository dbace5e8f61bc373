#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The assumption no-mpi-errors: it is refused without, it is checked while an original is recorded, and a call of the slice that fails ends it.
set -u
. "$(dirname "$0")/../frame.sh"
program=$top/tests/commands/failing_calls.c
expect "without it: refused" 1 'error code of this MPI call decides communication.* or say by the assumption no-mpi-errors that no call fails' \
    commslice-mpicc -g -O2 -o slice "$program"
expect "the link says it" 0 '^commslice: assuming no-mpi-errors$' \
    commslice-mpicc -g -O2 -fplugin-arg-commslice-assume=no-mpi-errors -o slice "$program"
must commslice-mpicc -g -O2 -fplugin-arg-commslice-mode=original -fplugin-arg-commslice-assume=no-mpi-errors -fplugin-arg-commslice-assume=no-read-back -o original "$program"
expect "the slice says it" 0 '^  no-mpi-errors$' commslice info slice
expect "contradicts nothing" 1 'no-mpi-errors=3. is not of the form' \
    commslice-mpicc -g -O2 -fplugin-arg-commslice-assume=no-mpi-errors=3 -o other "$program"

violated() { # COUNT
    commslice record --force -q --engine emulate -n 2 -o original.t -- ./original "$1" >log 2>&1 &&
        [ "$(commslice info original.t | sed -n 's/^  no-mpi-errors //p')" = "violated $1 times" ] || { cat log; false; }
}
case_ "calls that succeed" violated 0
case_ "calls that fail are counted" violated 3
expect "a run in which one fails is warned of" 0 'warning: assumption no-mpi-errors violated 3 times' \
    commslice record --force --engine emulate -n 2 -o original.t -- ./original 3
expect "a slice in which one fails ends" 2 'failing_calls.c:[0-9]*: MPI_Comm_create: Invalid group' \
    commslice run --force -n 2 -o slice.t ./slice 0 none
expect "a slice in which none fails does not" 0 '' commslice run --force -n 2 -o slice.t ./slice 0 all
same() {
    commslice record --force -q --engine emulate -n 2 -o original.t -- ./original 0 && commslice run --force -q -n 2 -o slice.t ./slice 0 && commslice diff original.t slice.t
}
case_ "the same trace" same
finish
