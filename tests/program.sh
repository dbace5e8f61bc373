# SPDX-License-Identifier: BSD-3-Clause
# What the scripts that use tests/programs share: what a program's header asks for, which compiler it takes, its input files.
# To be sourced.
# shellcheck shell=sh

now() { date +%s%N; }

# The values of a key in a program's header; \n and the like are still written as such.
header() {  # FILE KEY
    sed -n -e 's|[[:space:]]*\*/$||' -e '1,20s/^[ *!cC/]*'"$2"':[[:space:]]*//p' "$1"
}

tool() {  # the wrapper of MPI for this file: mpicc, mpicxx, mpifort
    case $1 in
        *.c) echo mpicc ;;
        *.cc|*.cpp) echo mpicxx ;;
        *.f|*.f90|*.F|*.F90) echo mpifort ;;
    esac
}

mpi_wrapper() {  # what configure found, else what is in the path
    case $1 in
        mpicc) echo "${MPICC:-mpicc}" ;;
        mpicxx) echo "${MPICXX:-mpicxx}" ;;
        mpifort) echo "${MPIFORT:-mpifort}" ;;
    esac
}

# Compiles what a program wants beside it without the plugin, code that the slicer cannot see. Prints the object to link, or nothing.
opaque_object() {  # FILE LEVEL
    opaque=$(header "$1" opaque)
    [ -n "$opaque" ] || return 0
    "$(mpi_wrapper mpicc)" -g -O"$2" -c -o opaque.o "$(dirname "$1")/opaque/$opaque" && echo opaque.o
}

make_files() {  # FILE: in the current folder
    header "$1" files | while IFS= read -r entry; do
        printf '%b' "${entry#*=}" >"${entry%%=*}"
    done
}

# The test programs whose name matches a shell pattern.
programs_like() {  # FOLDER PATTERN
    for f in "$1"/*.*; do
        name=$(basename "${f%.*}")
        # shellcheck disable=SC2254  # a pattern on purpose
        case $name in $2) [ -z "$(header "$f" commslice-test)" ] || echo "$f" ;; esac
    done
}
