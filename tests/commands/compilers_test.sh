#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The drop-in compilers: which plugin and which wrapper they take, that arguments go through, and what they say when they
# cannot; and that configure refuses another GCC.
set -u
. "$(dirname "$0")/../frame.sh"
bin=$build/cli

# Stands in for MPICH's wrapper: prints its arguments.
printf '#!/bin/sh\nprintf "<%%s>" "$@"\n' >"$dir/wrapper"
chmod +x "$dir/wrapper"
: >"$dir/plugin.so"

expect "help" 0 "usage: commslice-mpicc" "$bin/commslice-mpicc" --commslice-help
expect "help names the compiler" 0 "mpifort" "$bin/commslice-mpifort" --commslice-help
for c in mpicc mpicxx mpifort; do
    var=COMMSLICE_$(printf %s $c | tr '[:lower:]' '[:upper:]')
    expect "$c: arguments go through, in order" 0 "<-fplugin=$dir/plugin.so><-c><a b.c><-o><x>" \
        env COMMSLICE_PLUGIN="$dir/plugin.so" "$var=$dir/wrapper" "$bin/commslice-$c" -c 'a b.c' -o x
done
expect "no arguments" 0 "<-fplugin=$dir/plugin.so>" \
    env COMMSLICE_PLUGIN="$dir/plugin.so" COMMSLICE_MPICC="$dir/wrapper" "$bin/commslice-mpicc"
expect "the real wrapper is MPICH's" 0 "mpich" env COMMSLICE_PLUGIN="$dir/plugin.so" "$bin/commslice-mpicc" -show
expect "in the build tree, its plugin" 0 "gcc-plugin/commslice.so>" \
    env -u COMMSLICE_PLUGIN COMMSLICE_MPICC="$dir/wrapper" "$bin/commslice-mpicc" -c x.c
expect "the exit status is the compiler's" 1 "" env COMMSLICE_PLUGIN="$dir/plugin.so" COMMSLICE_MPICC=false "$bin/commslice-mpicc"
expect "plugin missing" 2 "cannot read the plugin $dir/none.so" \
    env COMMSLICE_PLUGIN="$dir/none.so" "$bin/commslice-mpicc" x.c
expect "plugin is a folder" 2 "cannot read the plugin $dir: Is a directory" env COMMSLICE_PLUGIN="$dir" "$bin/commslice-mpicc" x.c
expect "plugin of this folder" 0 "<-fplugin=./plugin.so><x.c>" \
    env -C "$dir" COMMSLICE_PLUGIN=plugin.so COMMSLICE_MPICC="$dir/wrapper" "$(cd "$bin" && pwd)/commslice-mpicc" x.c
expect "-fno-lto" 2 "-fno-lto is given" env COMMSLICE_PLUGIN="$dir/plugin.so" COMMSLICE_MPICC="$dir/wrapper" "$bin/commslice-mpicc" -flto -fno-lto x.o -o x
expect "-flto has the last word" 0 "<x.o>" env COMMSLICE_PLUGIN="$dir/plugin.so" COMMSLICE_MPICC="$dir/wrapper" "$bin/commslice-mpicc" -fno-lto -flto x.o -o x
# A link of objects none of which was compiled with the plugin, as after a build with the ordinary compiler.
plain() {  # NAME STATUS REGEX ARGUMENT...: a command line of commslice-mpicc
    name=$1 status=$2 text=$3
    shift 3
    expect "$name" "$status" "$text" env COMMSLICE_PLUGIN="$dir/plugin.so" COMMSLICE_MPICC="$dir/wrapper" "$bin/commslice-mpicc" "$@"
}
echo 'int main(void) { return 0; }' >"$dir/m.c"
must gcc -c -o "$dir/plain.o" "$dir/m.c"
must gcc -flto -c -o "$dir/lto.o" "$dir/m.c"
must mkdir "$dir/libs"
must ar rc "$dir/libs/libplain.a" "$dir/plain.o"
must ar rc "$dir/libs/liblto.a" "$dir/lto.o"
plain "no object for a slice" 2 "plain.o was not, for one.*make clean" -O2 "$dir/plain.o" -o x -lm
plain "no object for a slice, in an archive" 2 "libplain.a was not" -o x "$dir/libs/libplain.a"
plain "one object for a slice" 0 "<$dir/lto.o>" "$dir/plain.o" "$dir/lto.o" -o x
plain "an archive for a slice" 0 "<-llto>" "$dir/plain.o" -L "$dir/libs" -llto -o x
plain "an archive for a slice, by name" 0 "liblto" "$dir/plain.o" "$dir/libs/liblto.a"
plain "a source is compiled in the link" 0 "<x.c>" "$dir/plain.o" x.c -o x
plain "an object of an assembler" 0 "<-x>" -c -x assembler -o "$dir/plain.o" m.s
plain "a shared library of ordinary objects" 0 "<-shared>" -shared -o libx.so "$dir/plain.o"
plain "an object that is not there is the linker's business" 0 "<none.o>" none.o -o x

expect "wrapper missing" 2 "cannot run $dir/none: No such file" \
    env COMMSLICE_PLUGIN="$dir/plugin.so" COMMSLICE_MPICC="$dir/none" "$bin/commslice-mpicc" x.c
ln -s "$(cd "$bin" && pwd)/commslice-mpicc" "$dir/commslice-mpicxx"
expect "the name decides" 0 "usage: commslice-mpicxx" "$dir/commslice-mpicxx" --commslice-help
ln -s "$(cd "$bin" && pwd)/commslice-mpicc" "$dir/other"
expect "another name" 2 "must be called as" "$dir/other" x.c

# Another GCC: configure says so in one line. The fake only lies about its version.
# shellcheck disable=SC2016  # for the fake to expand
printf '#!/bin/sh\ncase $1 in -dumpfullversion) echo 11.4.0;; *) exec gcc "$@";; esac\n' >"$dir/gcc-11"
chmod +x "$dir/gcc-11"
configure_with() { cd "$dir" && "$top/configure" -q "$@"; }
expect "configure with GCC 11" 1 "commslice needs GCC 12 to 15, but $dir/gcc-11 is 11.4.0" configure_with CC="$dir/gcc-11"
expect "configure with another g++" 1 "configure with CXX=g++-$(gcc -dumpversion)" configure_with CXX="$dir/gcc-11"

finish
