# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What every test script sources first: where the sources, the build and its tools are, an empty folder to work in, and one line a case.
#
#   . "$(dirname "$0")/../frame.sh"     sets the variables below and goes to the empty folder $dir, which is removed at the end
#   case_ NAME COMMAND...               a case: passes if the command does; what the command printed is shown if it fails
#   check_ NAME COMMAND...              a case: passes if the command, mostly a function, calls `wrong REASON` nowhere; its status is of no account
#   expect NAME STATUS REGEX COMMAND... a case: the exit status is STATUS and a line of the output matches the basic REGEX ("" for any)
#   equal NAME EXPECTED GOT             a case: two strings are the same
#   pass NAME / fail NAME [REASON]      a case whose verdict the script has found itself
#   must COMMAND...                     preparation: the script ends (status 2) if it fails
#   finish                              the last line of the script: prints "N passed, N failed" and exits
#
# Variables: top (the sources), build, dir; COMMSLICE, COMMSLICE_LIBDIR, PLUGIN, CC, MPICC, MPICXX, MPIFORT, MPIEXEC.
# Environment: BUILD_DIR (default: "build" in the sources) and each of these tools; make sets them all.
# CS_PROGRESS_FD: failures, and what `progress` is given, go to this descriptor too, as make hides the output in a log.
me=$(basename "$0" .sh)
die() { printf '%s: %s\n' "$me" "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")" && pwd)
while [ ! -f "$top/tests/frame.sh" ]; do top=${top%/*}; done
build=$(cd "${BUILD_DIR:-$top/build}" 2>/dev/null && pwd) || die "no build folder ${BUILD_DIR:-$top/build}: configure and make there, and set BUILD_DIR"
COMMSLICE=${COMMSLICE:-$build/cli/commslice} COMMSLICE_LIBDIR=${COMMSLICE_LIBDIR:-$build/commlib}
PLUGIN=${COMMSLICE_PLUGIN:-$build/gcc-plugin/commslice.so}
for tool in "$COMMSLICE" "$PLUGIN" "$COMMSLICE_LIBDIR/libcommslice-emulate.so"; do
    [ -r "$tool" ] || die "$tool is not there: build commslice first"
done
CC=${CC:-gcc} MPICC=${MPICC:-mpicc} MPICXX=${MPICXX:-mpicxx} MPIFORT=${MPIFORT:-mpifort} MPIEXEC=${MPIEXEC:-mpiexec}
PATH=$build/cli:$PATH
export COMMSLICE COMMSLICE_LIBDIR CC MPICC MPICXX MPIFORT MPIEXEC PATH
unset COMMSLICE_RUNTIME COMMSLICE_TRACE COMMSLICE_TIMES COMMSLICE_ASSUMPTIONS COMMSLICE_PATIENCE LD_PRELOAD
. "$top/tests/program.sh"

dir=$(mktemp -d "${TMPDIR:-/tmp}/$me.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir" || exit 2
export XDG_CACHE_HOME="$dir/.cache" # answers of commslice why

passed=0 failed=0
progress() { if [ -n "${CS_PROGRESS_FD:-}" ]; then printf '%s\n' "$*" >&"$CS_PROGRESS_FD"; fi; }

pass() {  # NAME
    printf 'PASS  %s\n' "$1"
    passed=$((passed + 1))
}

fail() {  # NAME [REASON]
    printf 'FAIL  %s%s\n' "$1" "${2:+: $2}"
    progress "FAIL  $me: $1${2:+: $2}"
    failed=$((failed + 1))
}

verdict() {  # NAME STATUS: with what the command printed if it failed
    if [ "$2" -eq 0 ]; then
        pass "$1"
    else
        fail "$1"
        tail -n 15 "$dir/case.log" | sed 's/^/      /'
    fi
}

case_() {  # NAME COMMAND...
    case_name=$1
    shift
    "$@" >"$dir/case.log" 2>&1
    verdict "$case_name" $?
}

wrong() {
    printf '%s\n' "$*"
    wrongs=$((wrongs + 1))
}

check_() {  # NAME COMMAND...
    case_name=$1 wrongs=0
    shift
    "$@" >"$dir/case.log" 2>&1
    verdict "$case_name" "$wrongs"
}

has_status_and_text() {  # STATUS REGEX COMMAND...
    status_wanted=$1 text_wanted=$2
    shift 2
    "$@" </dev/null
    status_got=$?
    [ "$status_got" -eq "$status_wanted" ] || { echo "exit status $status_got, not $status_wanted"; return 1; }
    [ -z "$text_wanted" ] || grep -aq -e "$text_wanted" "$dir/case.log" || { echo "does not say: $text_wanted"; return 1; }
}

expect() {  # NAME STATUS REGEX COMMAND...
    case_name=$1
    shift
    case_ "$case_name" has_status_and_text "$@"
}

equal() {  # NAME EXPECTED GOT
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1"
        printf -- '--- expected\n%s\n--- got\n%s\n' "$2" "$3" | cut -c1-300
    fi
}

must() { "$@" >"$dir/must.log" 2>&1 || die "$*: $(tail -n 3 "$dir/must.log")"; }

finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
