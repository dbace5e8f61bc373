# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For the scripts of this folder, which source it: where the tools are, clock, median, and peak memory of every rank.
top=$(cd "$(dirname "$0")/.." && pwd)
me=${0##*/}
MPICC=${MPICC:-mpicc} MPIEXEC=${MPIEXEC:-mpiexec} CC=${CC:-gcc}

die() { printf '%s: %s\n' "$me" "$*" >&2; exit 2; }
usage() { sed -n '/^# usage:/,/^[^#]/{ /^#/s/^# \{0,1\}//p; }' "$0" >&2; exit 2; }

# A build tree (-B, else build/ beside the sources), or what is installed.
find_tools() { # BUILD
    build=${1:-$top/build}
    if [ -x "$build/cli/commslice" ]; then
        build=$(cd "$build" && pwd)
        COMMSLICE=${COMMSLICE:-$build/cli/commslice} COMMSLICE_LIBDIR=${COMMSLICE_LIBDIR:-$build/commlib}
        PLUGIN=${COMMSLICE_PLUGIN:-$build/gcc-plugin/.libs/commslice.so}
        [ -e "$PLUGIN" ] || PLUGIN=$build/gcc-plugin/commslice.so
        export COMMSLICE_LIBDIR
    elif [ -n "${1:-}" ]; then
        die "$1: no build tree (cli/commslice is missing)"
    else
        COMMSLICE=${COMMSLICE:-$(command -v commslice)} || die "no build tree (-B) and no commslice in PATH"
        PLUGIN=${COMMSLICE_PLUGIN:-$($CC -print-file-name=plugin)/commslice.so}
    fi
}

make_work() {
    work=$(mktemp -d) || exit 2
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
}

now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.3f\n", $2 - $1 }'; }
median() { sort -n "$@" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
calc() { awk "BEGIN { printf \"$1\\n\", $2 }"; }

# An mpiexec that leaves peak_kb of every rank in files of folder $peaks (one a rank).
make_peak_mpiexec() {
    $CC -O1 -o "$work/peak" "$top/tests/peak.c" || die "cannot compile tests/peak.c"
    peaks=$work/peaks
    mkdir -p "$peaks"
    cat >"$work/mpiexec" <<END
#!/bin/sh
flag=\$1 ranks=\$2
shift 2
exec $MPIEXEC "\$flag" "\$ranks" sh -c 'exec "$work/peak" "$peaks/\$PMI_RANK" "\$@"' sh "\$@"
END
    chmod +x "$work/mpiexec"
}
highest_peak() { cat "$peaks"/* | awk '$2 > m { m = $2 } END { print m + 0 }'; }
