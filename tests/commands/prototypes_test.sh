#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The table of MPI calls against mpi.h: every row is a prototype of it, and every function of it is in the table or
# refused for a reason. Needs MPICC and BUILD_DIR.
set -eu
PRINT_PROTOTYPES=${PRINT_PROTOTYPES:-$BUILD_DIR/tests/commands/print_prototypes}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$PRINT_PROTOTYPES" > "$dir/declarations.c"
"$MPICC" -Werror -Wno-deprecated-declarations -c -o "$dir/declarations.o" "$dir/declarations.c"

# The test itself must be able to fail: one wrong type has to be noticed.
sed 's/^int MPI_Send(const void \*, int,/int MPI_Send(const void *, long,/' "$dir/declarations.c" > "$dir/wrong.c"
if cmp -s "$dir/declarations.c" "$dir/wrong.c"; then
    echo "no row to falsify" >&2
    exit 1
fi
if "$MPICC" -c -o "$dir/wrong.o" "$dir/wrong.c" 2> /dev/null; then
    echo "a wrong prototype was not noticed" >&2
    exit 1
fi

# All functions that mpi.h declares. Names without a lower-case letter are constants (MPI_COMM_DUP_FN).
printf '#include <mpi.h>\n' | "$MPICC" -E -P -x c - | tr -c 'A-Za-z0-9_(' '\n' | sed -n 's/^\(MPI_[A-Z0-9][A-Za-z0-9_]*\)($/\1/p; s/^\(MPI_[A-Z0-9][A-Za-z0-9_]*\)(.*/\1/p' \
    | grep '[a-z]' | sort -u > "$dir/names"
n=$(wc -l < "$dir/names")
if [ "$n" -lt 400 ]; then
    echo "only $n functions found in mpi.h" >&2
    exit 1
fi
"$PRINT_PROTOTYPES" unknown < "$dir/names" > "$dir/unknown" || {
    echo "neither in the table nor refused:" >&2
    cat "$dir/unknown" >&2
    exit 1
}
echo "$n functions of mpi.h: all known"
