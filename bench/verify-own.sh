#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# verify-own.sh: the programs of tests/programs at more ranks than make check has: original under MPICH, original under emulate, slice under both.
# One line a program; those that are not made for so many ranks (most-ranks: in their header) are counted apart.
# usage: bench/verify-own.sh [-B BUILD] RANKS [PATTERN]        at -O2; LOCK=COMMAND is put before each program's runs
set -u
. "$(dirname "$0")/common.sh"
. "$top/tests/program.sh"
tree=
while getopts B: o; do
    case $o in B) tree=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
find_tools "$tree"
make_work
PATH=$(dirname "$COMMSLICE"):$PATH
same=0 wrong=0 unfit=0

build() {  # FILE
    compiler=$(mpi_wrapper "$(tool "$1")") assume=$(header "$1" assume) options=$(header "$1" flags)
    more=$(opaque_object "$1" 2) && "$compiler" -w -g -O2 ${options:+"$options"} -o original "$1" ${more:+"$more"} -lm &&
        "$compiler" -w -g -O2 ${options:+"$options"} -fplugin="$PLUGIN" ${assume:+"-fplugin-arg-commslice-assume=$assume"} -o slice "$1" ${more:+"$more"} -lm
}

for file in $(programs_like "$top/tests/programs" "${2:-*}"); do
    name=$(basename "${file%.*}") most=$(header "$file" most-ranks)
    if [ "${most:-$1}" -lt "$1" ]; then
        unfit=$((unfit + 1))
        continue
    fi
    mkdir -p "$work/$name" && cd "$work/$name" || exit 2
    make_files "$file"
    printf '%b' "$(header "$file" stdin)" >stdin
    build "$file" >build.log 2>&1 || die "$name does not build: $(tail -n 1 build.log)"
    # shellcheck disable=SC2046,SC2086  # words on purpose
    ${LOCK:-} timeout 200 "$top/bench/verify.sh" -y -o -i stdin -e "emulate mpich" ./original ./slice "$1" $(header "$file" args) >log 2>&1
    case $? in
        0) same=$((same + 1)) verdict=same ;;
        *) wrong=$((wrong + 1)) verdict="WRONG: $(grep -v ': same' log | head -n 1)" ;;
    esac
    printf '%-34s %s\n' "$name" "$verdict"
done
echo "$1 ranks: $same same, $wrong wrong, $unfit not made for so many"
[ $wrong -eq 0 ]
