#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Executables find the plugin and the libraries of their own tree: in the build tree by BUILD/bin, through links, and after make install
# when the whole installation is moved. Environment: BUILD_DIR, CS_SRCDIR. Ends with "N passed, N failed".
set -u
top=$(cd "${CS_SRCDIR:-$(dirname "$0")/../..}" && pwd)
build=$(cd "${BUILD_DIR:-$top/build}" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
unset COMMSLICE_PLUGIN COMMSLICE_LIBDIR MAKEFLAGS MAKELEVEL
passed=0 failed=0

ok() {  # NAME STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n' "$1"
        sed 's/^/      /' "$work/out"
    fi
}

# Runs a command; its output must hold the text, and its exit status be as wanted.
expect() {  # NAME STATUS TEXT COMMAND...
    name=$1 status=$2 text=$3
    shift 3
    "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    [ "$got" -eq "$status" ] && grep -qF -e "$text" "$work/out"
    ok "$name" $?
}

# The demo, from source to trace, with the programs of a folder.
demo() {  # BIN
    "$1/commslice-mpicc" -O2 -o heat.slice heat.c && "$1/commslice" run -n 4 -o slice.trace ./heat.slice small.txt
}

cp "$top/demo/heat.c" "$top/demo/small.txt" "$work"
cd "$work" || exit 2
expect "BUILD/bin: its plugin" 0 "$build/cli/../gcc-plugin/commslice.so" "$build/bin/commslice-mpicc" --commslice-help
expect "BUILD/bin: slice and run" 0 "748 events" demo "$build/bin"
ln -s "$build/bin" links
expect "BUILD/bin by a link" 0 "748 events" demo "$work/links"

expect "make install" 0 "" make -C "$build" --no-print-directory -s install-exec DESTDIR="$work/root"
bin=$(dirname "$(find "$work/root" -name commslice-mpicc -type f)")
prefix=$(dirname "$bin")
mv "$prefix" "$work/moved"
expect "moved: its plugin" 0 "$work/moved/lib" "$work/moved/bin/commslice-mpicc" --commslice-help
expect "moved: slice and run" 0 "748 events" demo "$work/moved/bin"
# The test can fail: without its libraries, the moved command must not take those of the build tree.
find "$work/moved" -name 'libcommslice-*.so' -exec rm {} +
if [ -e /usr/local/lib/commslice ]; then
    echo "note: commslice is installed in /usr/local, so a moved command finds that one's libraries"
else
    expect "moved, without its libraries" 2 "set COMMSLICE_LIBDIR" "$work/moved/bin/commslice" run -n 4 -o slice.trace ./heat.slice small.txt
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
