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
    "$(mpi_wrapper mpicc)" -g -O"$2" -c -o opaque.o "$(dirname "$1")/$opaque" && echo opaque.o
}

make_files() {  # FILE: in the current folder
    header "$1" files | while IFS= read -r entry; do
        printf '%b' "${entry#*=}" >"${entry%%=*}"
    done
}

# The test programs below a folder: every file whose header says that it is one.
all_programs() {  # FOLDER
    find "$1" -type f -name '*.*' | LC_ALL=C sort | while IFS= read -r f; do
        [ -z "$(header "$f" commslice-test)" ] || echo "$f"
    done
}

# Those whose name matches a shell pattern.
programs_like() {  # FOLDER PATTERN
    all_programs "$1" | while IFS= read -r f; do
        # shellcheck disable=SC2254  # a pattern on purpose
        case $(basename "${f%.*}") in $2) echo "$f" ;; esac
    done
}

# The file of the program of this name.
program_file() {  # FOLDER NAME
    find "$1" -type f -name "$2.*" ! -name "*.drops"
}
