#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The table of MPI calls against mpi.h: every row is a prototype of it, and every function of it is in the table or
# refused for a reason.
set -u
. "$(dirname "$0")/../frame.sh"
print=$build/tests/commands/print_prototypes

must sh -c '"$1" >declarations.c' x "$print"
case_ "the rows are mpi.h's prototypes" "$MPICC" -Werror -Wno-deprecated-declarations -c -o declarations.o declarations.c

# The test itself must be able to fail: one wrong type has to be noticed.
wrong_row() {
    sed 's/^int MPI_Send(const void \*, int,/int MPI_Send(const void *, long,/' declarations.c >wrong.c
    ! cmp -s declarations.c wrong.c && ! "$MPICC" -c -o wrong.o wrong.c 2>/dev/null
}
case_ "a wrong prototype is noticed" wrong_row

# All functions that mpi.h declares. Names without a lower-case letter are constants (MPI_COMM_DUP_FN).
printf '#include <mpi.h>\n' | "$MPICC" -E -P -x c - | tr -c 'A-Za-z0-9_(' '\n' |
    sed -n 's/^\(MPI_[A-Z0-9][A-Za-z0-9_]*\)($/\1/p; s/^\(MPI_[A-Z0-9][A-Za-z0-9_]*\)(.*/\1/p' | grep '[a-z]' | sort -u >names
case_ "mpi.h has at least 400 functions" test "$(wc -l <names)" -ge 400
in_table() { "$print" unknown <names; }
case_ "each function of mpi.h is in the table or refused" in_table
finish
