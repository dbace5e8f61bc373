#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# C and Fortran in one link, twice the same static names, from objects and from archives, put together first (-r), in a shared library, which
# is not sliced, with -fwhole-program, without the sections that nothing refers to; C++ of two files. The traces must be equal.
# $BUILD_DIR is the build folder (default: the current one).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD_DIR:-.}" && pwd)
PATH=$build/cli:$PATH
export COMMSLICE_LIBDIR="$build/commlib"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

compile() {  # C-COMPILER FORTRAN-COMPILER FLAGS...
    cc=$1 fc=$2
    shift 2
    "$cc" "$@" -c "$here/link_main.c" "$here/link_more.c"
    "$fc" "$@" -c "$here/link_part.f90"
}

compile "${MPICC:-mpicc}" "${MPIFORT:-mpifort}" -O2
"${MPIFORT:-mpifort}" -o orig link_main.o link_more.o link_part.o
commslice record -o orig.trace -- "${MPIEXEC:-mpiexec}" -n 2 ./orig

for flags in "-O0" "-O2" "-O3 -fPIC" "-Os -fPIE" "-Og -g" "-O1 -fwhole-program"; do
    # shellcheck disable=SC2086  # words on purpose
    compile commslice-mpicc commslice-mpifort $flags
    rm -f more.a part.a
    gcc-ar rc more.a link_more.o
    ar rc part.a link_part.o
    for libs in "link_more.o link_part.o" "more.a part.a"; do
        # shellcheck disable=SC2086
        commslice-mpifort $flags -o slice link_main.o $libs
        commslice run -n 2 -o slice.trace ./slice
        commslice diff orig.trace slice.trace || { echo "differs: $flags, $libs" >&2; exit 1; }
    done
done

equal() {  # NAME
    commslice run -n 2 -o slice.trace ./slice
    commslice diff orig.trace slice.trace || { echo "differs: $1" >&2; exit 1; }
}

compile commslice-mpicc commslice-mpifort -O2 -ffunction-sections -fdata-sections -fPIC
commslice-mpifort -Wl,--gc-sections -o slice link_main.o link_more.o link_part.o
equal --gc-sections
plugin=$(commslice-mpicc -show 2>/dev/null | grep -o -e '-fplugin=[^ ]*' | head -n 1)
"${CC:-gcc}" "${plugin:?}" -r -o both.o link_more.o link_part.o
commslice-mpifort -o slice link_main.o both.o
equal -r
commslice-mpifort -shared -o libboth.so link_more.o link_part.o 2>log
grep -q '^commslice warning: a shared library is no program' log
commslice-mpifort -o slice link_main.o ./libboth.so
equal -shared

"${MPICXX:-mpicxx}" -O2 -o orig++ "$here/link_table.cpp" "$here/link_leaf.cpp"
commslice record --engine emulate -n 3 -o orig++.trace -- ./orig++
for flags in -O0 -O2 -O3; do
    commslice-mpicxx "$flags" -c "$here/link_table.cpp" "$here/link_leaf.cpp"
    commslice-mpicxx "$flags" -o slice++ link_table.o link_leaf.o
    commslice run -n 3 -o slice++.trace ./slice++
    commslice diff orig++.trace slice++.trace || { echo "differs: C++, $flags" >&2; exit 1; }
done
