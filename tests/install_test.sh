#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make installcheck: the demo program with what is installed in BINDIR, from source to an empty diff.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$CS_SRCDIR/demo/heat.c" "$CS_SRCDIR/demo/small.txt" "$work"
cd "$work"
unset COMMSLICE_PLUGIN COMMSLICE_LIBDIR
"$MPICC" -O2 -o heat heat.c
"$BINDIR/commslice-mpicc" -O2 -o heat.slice heat.c
"$BINDIR/commslice" record -o orig.trace -- "$MPIEXEC" -n 4 ./heat small.txt
"$BINDIR/commslice" run -n 4 -o slice.trace ./heat.slice small.txt
"$BINDIR/commslice" diff orig.trace slice.trace
