# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For tests of the command that count cases, which source this: where the build and the command are, an empty folder to work in, and case_.
# Environment: COMMSLICE, COMMSLICE_LIBDIR, BUILD_DIR, CS_SRCDIR.
build=${BUILD_DIR:-$PWD}
COMMSLICE=${COMMSLICE:-$build/cli/commslice}
COMMSLICE_LIBDIR=${COMMSLICE_LIBDIR:-$build/commlib}
src=$(cd "${CS_SRCDIR:-$(dirname "$0")/../..}" && pwd)
export COMMSLICE_LIBDIR
unset COMMSLICE_RUNTIME COMMSLICE_TRACE LD_PRELOAD
dir=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh).XXXXXX")
trap 'rm -rf "$dir"' EXIT INT TERM
cd "$dir" || exit 2
passed=0 failed=0

case_() {  # NAME COMMAND...
    name=$1; shift
    if "$@" >log 2>&1; then
        echo "PASS: $name"; passed=$((passed + 1))
    else
        echo "FAIL: $name"; sed 's/^/    /' log | tail -n 15; failed=$((failed + 1))
    fi
}
