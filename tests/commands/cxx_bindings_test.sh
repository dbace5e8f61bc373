#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI's old C++ bindings under engine emulate: C++ functions are called with C++ objects.
set -u
. "$(dirname "$0")/../frame.sh"
program=$top/tests/commands/cxx_handlers.cpp
if ! "$MPICXX" -o program "$program" 2>log; then
    grep -q "MPI.*has not been declared" log || { cat log; exit 1; }
    echo 'note: this MPICH has no C++ bindings, these were not tested'
    finish
    exit
fi
expect "operations and error handlers" 0 '^largest odd 5, sizes 303, errors 2$' \
    commslice record -q --engine emulate -n 3 -o original.t -- ./program
finish
