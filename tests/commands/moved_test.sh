#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Executables find the plugin and the libraries of their own tree: in the build tree by BUILD/bin, through links, and after make install
# when the whole installation is moved.
set -u
. "$(dirname "$0")/../frame.sh"
unset COMMSLICE_PLUGIN COMMSLICE_LIBDIR MAKEFLAGS MAKELEVEL

# The demo, from source to trace, with the programs of a folder.
demo() {  # BIN
    "$1/commslice-mpicc" -O2 -o heat.slice heat.c && "$1/commslice" run -n 4 -o slice.trace ./heat.slice small.txt
}

cp "$top/demo/heat.c" "$top/demo/small.txt" . || exit 2
expect "BUILD/bin: its plugin" 0 "$build/gcc-plugin/commslice.so" "$build/bin/commslice-mpicc" --commslice-help
expect "BUILD/bin: slice and run" 0 "748 events" demo "$build/bin"
ln -s "$build/bin" links
expect "BUILD/bin by a link" 0 "748 events" demo "$dir/links"

expect "make install" 0 "" make -C "$build" --no-print-directory -s install-exec DESTDIR="$dir/root"
bin=$(dirname "$(find "$dir/root" -name commslice-mpicc -type f)")
prefix=$(dirname "$bin")
mv "$prefix" "$dir/moved"
expect "moved: its plugin" 0 "$dir/moved/lib" "$dir/moved/bin/commslice-mpicc" --commslice-help
expect "moved: slice and run" 0 "748 events" demo "$dir/moved/bin"
# The test can fail: without its libraries, the moved command must not take those of the build tree.
find "$dir/moved" -name 'libcommslice-*.so' -exec rm {} +
if [ -e /usr/local/lib/commslice ]; then
    echo "note: commslice is installed in /usr/local, so a moved command finds that one's libraries"
else
    expect "moved, without its libraries" 2 "set COMMSLICE_LIBDIR" "$dir/moved/bin/commslice" run -n 4 -o slice.trace ./heat.slice small.txt
fi
finish
