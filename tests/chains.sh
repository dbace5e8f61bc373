# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What the tests of commslice why source behind frame.sh: they link small programs, and look at the chain of a line.
#
#   link NAME FLAGS...       the slice NAME of NAME.c, with debugging information
#   link_f NAME FLAGS...     the same of NAME.f90
#   line_in FILE TEXT [N]    the number of the first (Nth) line that has the text
#   chain FILE.c TEXT        what why says of that line, in one line with single spaces
link() {
    name=$1
    shift
    commslice-mpicc -g "$@" -o "$name" "$name.c" -lm 2>log || { cat log; die "$name.c does not link"; }
}
link_f() {
    name=$1
    shift
    commslice-mpifort -g "$@" -o "$name" "$name.f90" 2>log || { cat log; die "$name.f90 does not link"; }
}
line_in() { grep -nF -- "$2" "$1" | head -n "${3:-1}" | tail -n 1 | cut -d: -f1; }
chain() { commslice why "${1%.c}" "$1:$(line_in "$1" "$2")" | tr -s ' \n' ' '; }
