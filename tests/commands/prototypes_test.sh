#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The table of MPI calls against mpi.h: every row is a prototype of it, and every function of it is in the table or
# refused for a reason, which docs/reference/mpi-calls.md says.
# With the argument `list`: prints the functions of mpi.h that are refused.
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
if [ "${1:-}" = list ]; then
    "$print" refused <names
    exit
fi
in_table() { "$print" unknown <names; }
case_ "each function of mpi.h is in the table or refused" in_table

# Calls that are refused, and those on the page: a name, or the beginning or end of one around a star.
page=$top/docs/reference/mpi-calls.md
"$print" refused <names | cut -f 1 >refused
sed '/^## Where MPICH/,$d' "$page" | grep -o '`MPI_[A-Za-z_*]*`' | tr -d '`' | sort -u >on_page
sed 's/\*/.*/; s/^/^/; s/$/$/' on_page >patterns
on_page() { ! grep -v -f patterns refused; }
case_ "each call that is refused is on the page" on_page
only_refused() { grep -v '\*' on_page | sort | comm -23 - refused | grep . && return 1 || return 0; }
case_ "the page names no call that is followed" only_refused
# What the table follows, emulate has: the symbol is not one of the stubs. Those are weak.
gen=$build/emulate/environment/gen_stubs
{ "$gen" && "$gen" names; } | grep -o 'MPI_[A-Za-z0-9_]*' | sort -u >stubs
symbols() { nm -D --defined-only "$COMMSLICE_LIBDIR/libcommslice-emulate.so" | sed -n "s/^.* $1 P\(MPI_[A-Za-z0-9_]*\)\$/\1/p"; }
symbols T | sort -u >emulated
is_emulated() { grep -vxF -f refused names | grep -vxF -f emulated | grep . && return 1 || return 0; }
case_ "each call that is followed is emulated" is_emulated
is_stub() { grep -qx MPI_Comm_spawn stubs && ! grep -qx MPI_Comm_spawn emulated; }
case_ "a stub is not emulated" is_stub
finish
