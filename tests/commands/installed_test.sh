#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `make install` and `make dist` make: an installation that was moved has pages whose links hold, packages of pkg-config and
# CMake that programs are built with, and completion; the archive of the sources has all that git has.
set -u
. "$(dirname "$0")/../frame.sh"
unset COMMSLICE_PLUGIN COMMSLICE_LIBDIR MAKEFLAGS MAKELEVEL

expect "make install" 0 "" make -C "$build" --no-print-directory -s install DESTDIR="$dir/root"
prefix=$(dirname "$(dirname "$(find "$dir/root" -name commslice-mpicc -type f)")")
mv "$prefix" "$dir/moved"
prefix=$dir/moved

# Pages lie as in the sources, so that links between them lead somewhere.
pages=$(dirname "$(find "$prefix" -name README.md -path '*doc*' ! -path '*npb*' ! -path '*emulate*' ! -path '*docs*')")
dead_links() {
    find "$pages" -name '*.md' | while read -r page; do
        grep -oE '\]\([^)#]+[)#]' "$page" | sed 's/^](//; s/[)#]$//' | grep -v '^[a-z]*:' | while read -r target; do
            case $target in *man/*) continue ;; esac # manual pages have a place of their own
            [ -e "$(dirname "$page")/$target" ] || echo "$page: $target is not there"
        done
    done >dead
    [ ! -s dead ] || { cat dead; false; }
}
expect "links of installed pages" 0 "" dead_links
rm "$pages/docs/glossary.md"
expect "a page that is missing is noticed" 1 "glossary.md is not there" dead_links

# Programs that hand out a loop.
cat >loop.c <<'END'
#include <commslice-balance.h>
#include <stddef.h>
static void body(int64_t first, int64_t count, void *state) { *(int64_t *)state += first * 0 + count; }
int main(int argc, char **argv)
{
    int64_t done = 0, all = 0;
    MPI_Init(&argc, &argv);
    cs_balance_for(100, body, &done, MPI_COMM_WORLD, NULL);
    MPI_Allreduce(&done, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 100;
}
END
pkgconf() { PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config "$@"; }
by_pkg_config() { # shellcheck disable=SC2046 # words
    "$MPICC" -o loop loop.c $(pkgconf --cflags --libs commslice-balance) && LD_LIBRARY_PATH=$prefix/lib "$MPIEXEC" -n 2 ./loop; }
expect "pkg-config: where it was moved to" 0 "$prefix/lib" pkgconf --libs commslice-balance
expect "pkg-config: a program" 0 "" by_pkg_config

# A project of CMake with a library of its own: originals, and a slice of both.
mkdir project
cp "$top/demo/heat.c" "$top/demo/small.txt" loop.c project/
echo 'int halved(int n); int halved(int n) { return n / 2; }' >project/half.c
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(heat C)
set(CMAKE_C_COMPILER_WORKS 1)
find_package(commslice 0.1 REQUIRED)
find_package(MPI REQUIRED COMPONENTS C)
add_library(half STATIC half.c)
add_executable(heat heat.c)
target_link_libraries(heat PRIVATE half MPI::MPI_C m)
commslice_add_slice(heat WITH half)
add_executable(loop loop.c)
target_link_libraries(loop PRIVATE commslice::balance MPI::MPI_C)
END
by_cmake() {
    cmake -S project -B made -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="${CC:-gcc}" -DMPI_C_COMPILER="$MPICC" -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 &&
        cmake --build made >>log 2>&1 && cmake --build made --target heat.slice >>log 2>&1 || { tail -n 5 log; return 1; }
    "$prefix/bin/commslice" run -n 4 -o slice.trace made/heat.slice project/small.txt && "$MPIEXEC" -n 2 made/loop
}
expect "CMake: originals and a slice" 0 "748 events" by_cmake
sed -i 's/commslice 0.1/commslice 77/' project/CMakeLists.txt
expect "CMake: a version that is not there" 1 "" by_cmake

# Completion of bash is by what the commands say of themselves.
completed() { # WORD...: what the last one may become
    PATH=$prefix/bin:$PATH bash -c '. "$1"; shift; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        case $1 in commslice) _commslice ;; *) _commslice_compiler ;; esac; echo "${COMPREPLY[*]}"' \
        completed "$prefix/share/bash-completion/completions/$1" "$@"
}
expect "completion: a verb" 0 "matrix" completed commslice ma
expect "completion: an option" 0 "--engine" completed commslice run --en
expect "completion: a format" 0 "csv chrome" completed commslice export -f ""
expect "completion: of a compiler" 0 "-fplugin-arg-commslice-no-repeat" completed commslice-mpicc -fplugin-arg-commslice-no

# The archive has what git has.
not_in_archive() {
    make -C "$build" --no-print-directory -s distdir distdir=archive >/dev/null 2>&1 || { echo "make distdir fails"; return 1; }
    (cd "$top" && git ls-files) | while read -r file; do [ -e "$build/archive/$file" ] || echo "$file"; done >missing
    chmod -R u+w "$build/archive" && rm -rf "$build/archive"
    [ ! -s missing ] || { cat missing; false; }
}
if git -C "$top" rev-parse --show-toplevel 2>/dev/null | grep -qx "$top"; then
    expect "make dist: nothing is left out" 0 "" not_in_archive
else
    echo "note: no git here, so what make dist leaves out is not known"
fi
finish
