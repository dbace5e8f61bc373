#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The drop-in compilers: which plugin and which wrapper they take, that arguments go through, and what they say when they
# cannot; and that configure refuses another GCC. Ends with "N passed, N failed".
set -u
bin=${BUILD_DIR:-build}/cli
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
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

# Runs a command; the output must hold the text, and the exit status must be as wanted.
expect() {  # NAME STATUS TEXT COMMAND...
    name=$1 status=$2 text=$3
    shift 3
    "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    [ "$got" -eq "$status" ] && { [ -z "$text" ] || grep -qF -e "$text" "$work/out"; }
    ok "$name" $?
}

# Stands in for MPICH's wrapper: prints its arguments.
printf '#!/bin/sh\nprintf "<%%s>" "$@"\n' >"$work/wrapper"
chmod +x "$work/wrapper"
: >"$work/plugin.so"

expect "help" 0 "usage: commslice-mpicc" "$bin/commslice-mpicc" --commslice-help
expect "help names the compiler" 0 "mpifort" "$bin/commslice-mpifort" --commslice-help
for c in mpicc mpicxx mpifort; do
    var=COMMSLICE_$(printf %s $c | tr '[:lower:]' '[:upper:]')
    expect "$c: arguments go through, in order" 0 "<-fplugin=$work/plugin.so><-c><a b.c><-o><x>" \
        env COMMSLICE_PLUGIN="$work/plugin.so" "$var=$work/wrapper" "$bin/commslice-$c" -c 'a b.c' -o x
done
expect "no arguments" 0 "<-fplugin=$work/plugin.so>" \
    env COMMSLICE_PLUGIN="$work/plugin.so" COMMSLICE_MPICC="$work/wrapper" "$bin/commslice-mpicc"
expect "the real wrapper is MPICH's" 0 "mpich" env COMMSLICE_PLUGIN="$work/plugin.so" "$bin/commslice-mpicc" -show
expect "in the build tree, its plugin" 0 "gcc-plugin/commslice.so>" \
    env -u COMMSLICE_PLUGIN COMMSLICE_MPICC="$work/wrapper" "$bin/commslice-mpicc" -c x.c
expect "the exit status is the compiler's" 1 "" env COMMSLICE_PLUGIN="$work/plugin.so" COMMSLICE_MPICC=false "$bin/commslice-mpicc"
expect "plugin missing" 2 "cannot read the plugin $work/none.so" \
    env COMMSLICE_PLUGIN="$work/none.so" "$bin/commslice-mpicc" x.c
expect "plugin is a folder" 2 "cannot read the plugin $work: Is a directory" env COMMSLICE_PLUGIN="$work" "$bin/commslice-mpicc" x.c
expect "plugin of this folder" 0 "<-fplugin=./plugin.so><x.c>" \
    env -C "$work" COMMSLICE_PLUGIN=plugin.so COMMSLICE_MPICC="$work/wrapper" "$(cd "$bin" && pwd)/commslice-mpicc" x.c
expect "-fno-lto" 2 "-fno-lto is given" env COMMSLICE_PLUGIN="$work/plugin.so" COMMSLICE_MPICC="$work/wrapper" "$bin/commslice-mpicc" -flto -fno-lto x.o -o x
expect "-flto has the last word" 0 "<x.o>" env COMMSLICE_PLUGIN="$work/plugin.so" COMMSLICE_MPICC="$work/wrapper" "$bin/commslice-mpicc" -fno-lto -flto x.o -o x
expect "wrapper missing" 2 "cannot run $work/none: No such file" \
    env COMMSLICE_PLUGIN="$work/plugin.so" COMMSLICE_MPICC="$work/none" "$bin/commslice-mpicc" x.c
ln -s "$(cd "$bin" && pwd)/commslice-mpicc" "$work/commslice-mpicxx"
expect "the name decides" 0 "usage: commslice-mpicxx" "$work/commslice-mpicxx" --commslice-help
ln -s "$(cd "$bin" && pwd)/commslice-mpicc" "$work/other"
expect "another name" 2 "must be called as" "$work/other" x.c

# Another GCC: configure says so in one line. The fake only lies about its version.
# shellcheck disable=SC2016  # for the fake to expand
printf '#!/bin/sh\ncase $1 in -dumpfullversion) echo 11.4.0;; *) exec gcc "$@";; esac\n' >"$work/gcc-11"
chmod +x "$work/gcc-11"
configure_with() { cd "$work" && "$CS_SRCDIR/configure" -q "$@"; }
expect "configure with GCC 11" 1 "commslice needs GCC 12, but $work/gcc-11 is 11.4.0" configure_with CC="$work/gcc-11"
expect "configure with another g++" 1 "configure with CXX=g++-12" configure_with CXX="$work/gcc-11"

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
