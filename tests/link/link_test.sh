#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# C and Fortran in one link, twice the same static names, from objects and from archives, put together first (-r), in a shared library, which
# is not sliced, with -fwhole-program, without the sections that nothing refers to; C++ of two files; what runs or lies in the order of the link.
# The traces must be equal.
set -u
. "$(dirname "$0")/../frame.sh"
here=$top/tests/link

compile() {  # C-COMPILER FORTRAN-COMPILER FLAGS...
    cc=$1 fc=$2
    shift 2
    "$cc" "$@" -c "$here/link_main.c" "$here/link_more.c" && "$fc" "$@" -c "$here/link_part.f90"
}
record() {  # TRACE RANKS PROGRAM: the long tests record the original under MPICH
    case ${CS_LONG:-no} in
        yes) commslice record -o "$1" -- "$MPIEXEC" -n "$2" "$3" ;;
        *) commslice record --engine emulate -n "$2" -o "$1" -- "$3" ;;
    esac
}

must compile "$MPICC" "$MPIFORT" -O2
must "$MPIFORT" -o orig link_main.o link_more.o link_part.o
must record orig.trace 2 ./orig
equal_traces() { commslice run -n 2 -o slice.trace ./slice && commslice diff orig.trace slice.trace; }
links() {  # LINKER ARGUMENTS...: the slice runs as the original
    "$@" -o slice && equal_traces
}

for flags in "-O0" "-O2" "-O3 -fPIC" "-Os -fPIE" "-Og -g" "-O1 -fwhole-program"; do
    # shellcheck disable=SC2086  # words on purpose
    must compile commslice-mpicc commslice-mpifort $flags
    rm -f more.a part.a
    must gcc-ar rc more.a link_more.o
    must ar rc part.a link_part.o
    for libs in "link_more.o link_part.o" "more.a part.a"; do
        # shellcheck disable=SC2086
        case_ "$flags, $libs" links commslice-mpifort $flags link_main.o $libs
    done
done

must compile commslice-mpicc commslice-mpifort -O2 -ffunction-sections -fdata-sections -fPIC
case_ "--gc-sections" links commslice-mpifort -Wl,--gc-sections link_main.o link_more.o link_part.o
# shellcheck disable=SC2086  # CC may have words of its own, as "ccache gcc"
must $CC "-fplugin=$PLUGIN" -r -o both.o link_more.o link_part.o
case_ "objects put together with -r" links commslice-mpifort link_main.o both.o
expect "a shared library is left as it is" 0 '^commslice warning: a shared library is no program' \
    commslice-mpifort -shared -o libboth.so link_more.o link_part.o
case_ "a shared library that is not sliced" links commslice-mpifort link_main.o ./libboth.so

two_files() {  # FLAG NAME NAME
    "$MPICXX" "$1" -o orig++ "$here/$2.cpp" "$here/$3.cpp" && commslice record --engine emulate -n 3 -o orig++.trace -- ./orig++ &&
        commslice-mpicxx "$1" -c "$here/$2.cpp" "$here/$3.cpp" && commslice-mpicxx "$1" -o slice++ "$2.o" "$3.o" &&
        commslice run -n 3 -o slice++.trace ./slice++ && commslice diff orig++.trace slice++.trace
}
for flag in -O0 -O2 -O3; do
    case_ "C++ of two files, $flag" two_files $flag link_table link_leaf
    case_ "an instance that another file makes, $flag" two_files $flag link_box link_box_two
    case_ "an inline function of whose argument GCC knows more in one file, $flag" two_files $flag link_roots link_roots_two
done

# Inline functions of C without an external definition: the original links because GCC puts them in line.
must "$MPICC" -O3 -o orig-inline "$here/link_inline.c" "$here/link_inline_two.c"
must commslice record --engine emulate -n 2 -o orig-inline.trace -- ./orig-inline
inlines() {  # FLAG
    commslice-mpicc "$1" -c "$here/link_inline.c" "$here/link_inline_two.c" && commslice-mpicc "$1" -o slice-inline link_inline.o link_inline_two.o &&
        commslice run -n 2 -o slice-inline.trace ./slice-inline && commslice diff orig-inline.trace slice-inline.trace
}
for flag in -O1 -O2 -O3; do
    case_ "inline functions without external definition, $flag" inlines $flag
done

# The order of the link is that of the original, not that of link-time optimisation.
ordered() {  # FLAG TWO-FIRST
    files="$here/link_order.c $here/link_order_two.c"
    [ "$2" = no ] || files="$here/link_order_two.c $here/link_order.c"
    # shellcheck disable=SC2086
    "$MPICC" "$1" -o orig-order $files && commslice record --engine emulate -n 2 -o orig-order.trace -- ./orig-order &&
        commslice-mpicc "$1" -o slice-order $files && commslice run -n 2 -o slice-order.trace ./slice-order &&
        commslice diff orig-order.trace slice-order.trace
}
for flag in -O0 -O2; do
    case_ "order of the link, $flag" ordered $flag no
    case_ "order of the link, turned around, $flag" ordered $flag yes
done
finish
