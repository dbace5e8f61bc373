#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rules of the house hold in this tree (build-aux/house), and each check notices a small tree that breaks its rule.
set -u
. "$(dirname "$0")/../frame.sh"

house=$top/build-aux/house
holds() { "$house" -C "$top" -B "$build" "$1"; }
for check in table includes objects names tags heads calls columns lengths form; do
    case_ "the house: $check" holds "$check"
done

# make check runs what its list names.
listed() {
    for script in "$top"/tests/commands/*_test.sh; do
        name=tests/commands/${script##*/}
        [ -x "$script" ] && grep -q "$name" "$top/tests/local.mk" || { echo "$name: not executable, or not in tests/local.mk"; return 1; }
    done
}
case_ 'each test script is in the list' listed

# A tree of two folders that keeps all rules; each case below breaks one.
small_tree() {
    rm -rf small && mkdir -p small/build-aux small/low small/high small/api small/obj/low small/obj/high
    printf 'low : : low.h\napi : low : api.h\nhigh : low api : high.h\n' >small/build-aux/doors
    printf '/* A call. */\n#define CALL "MPI_Send"\n' >small/api/api.h
    printf 'CALL(MPI_Bcast, int, COLL, EVENT,\nCALL(MPI_Wait, int, WAIT, EVENT,\n' >small/api/mpi_calls.def
    printf '/* One of low. */\nstruct cs_low {\n    int a;\n};\nint cs_low_ask(void);\n' >small/low/low.h
    printf 'enum { SECRET = 1 }; /* bytes */\n' >small/low/low_internal.h
    printf '#include "low/low.h"\n#include "low/low_internal.h"\n\nint cs_low_ask(void)\n{\n    return SECRET;\n}\n' >small/low/low.c
    printf '// One of high.\nstruct cs_high {\n    int b;\n};\nint cs_high_ask(void);\n' >small/high/high.h
    printf '#include "high/high.h"\n#include "low/low.h"\n\nint cs_high_ask(void)\n{\n    return cs_low_ask();\n}\n' >small/high/high.c
    printf 'BasedOnStyle: LLVM\nIndentWidth: 4\nBreakBeforeBraces: Linux\nAllowShortFunctionsOnASingleLine: None\n' >small/.clang-format
}
compiled() { for f in low high; do $CC -Ismall -c -o "small/obj/$f/$f.o" "small/$f/$f.c" || return 1; done; }
clean() { small_tree && compiled && "$house" -C small -B small/obj; }
# The check says a line with this text, and exits with 1.
notices() {  # CHECK TEXT
    "$house" -C small -B small/obj "$1" >small.out
    [ $? -eq 1 ] && grep -q "$2" small.out
}
breaks() {  # CHECK TEXT FILE LINE
    small_tree && printf '%b\n' "$4" >>"small/$3" && { [ "$1" != objects ] || compiled; } && notices "$1" "$2"
}

case_ 'a small tree without a breach' clean
case_ 'a folder that uses one above it' breaks table 'does not stand above' build-aux/doors 'last : late :\nlate : :'
no_row() { small_tree && mkdir small/high/attic && echo 'int a;' >small/high/attic/attic.c && notices table 'attic/ has no row'; }
case_ 'a folder without a row' no_row
case_ 'a door that does not exist' breaks table 'does not exist' build-aux/doors 'last : : gone.h'
case_ 'an include that goes up' breaks includes 'low may not use high' low/low.c '#include "high/high.h"'
case_ 'an include that is no door' breaks includes 'no door' high/high.c '#include "low/low_internal.h"'
case_ 'an include that is not written from the root' breaks includes 'not written from the root' high/high.c '#include "high.h"'
case_ 'an include by way of the folder above' breaks includes 'not written from the root' high/high.c '#include "../low/low.h"'
case_ 'a symbol from above' breaks objects 'needs cs_high_ask' low/low.c 'int cs_high_ask(void);\nint cs_up(void)\n{\n    return cs_high_ask();\n}'
case_ 'two files of one name' breaks names 'has the name of' high/low.h ''
case_ 'a tag that is defined twice' breaks tags 'cs_low is defined' high/high.h 'struct cs_low {\n    int c;\n};'
case_ 'a struct without a comment' breaks heads 'low.h:6: struct cs_bare' low/low.h 'struct cs_bare {\n    int c;\n};'
case_ 'a comment that is not next to its struct' breaks heads 'no comment' low/low.h '/* One. */\n\nstruct cs_bare {\n    int c;\n};'
case_ 'a heading above a struct' breaks heads 'no comment' low/low.h '/* ---- things ---- */\nstruct cs_bare {\n    int c;\n};'
case_ 'an enum of one line without a comment' breaks heads 'high.c:8: enum' high/high.c 'enum { BARE = 1 };'
case_ 'a table of its own type without a comment' breaks heads 'static const struct' high/high.c 'static const struct {\n    int c;\n} bare[1];'
case_ 'a comparison with the name of a call' breaks calls 'decides by the name' high/high.c 'int f(const char *s) { return strcmp(s, "MPI_Send"); }'
case_ 'a comparison of the name of a call' breaks calls 'decides by the name' high/high.c 'int f(struct x *c) { return !!strstr(c->call->name, "send"); }'
case_ 'a comparison with a lower-case name' breaks calls 'decides by the name' high/high.c 'int f(const char *s) { return strcasecmp(s + 4, "bcast"); }'
case_ 'a table with lower-case names as keys' breaks calls 'decides by the name' high/high.c 'static const struct row rows[] = {\n    {"wait", 1},\n};'
case_ 'two flags with one bit' breaks calls 'a flag that is not 1 << 1' api/mpi_calls.h 'enum cs_mpi_flag {\n    CS_MPI_A = 1 << 0,\n    CS_MPI_B = 1 << 0,\n};'
case_ 'a flag that is written as a number' breaks calls 'a flag that is not 1 << 1' api/mpi_calls.h 'enum cs_mpi_flag {\n    CS_MPI_A = 1 << 0,\n    CS_MPI_B = 2,\n};'
case_ 'a table of names of calls' breaks calls 'names a call' high/high.c 'static const char *const names[] = {"MPI_Send"};'
case_ 'a line of 121 columns' breaks columns '121 columns' high/high.c "/*$(printf '%117s' '')*/"
long_functions() { small_tree && for i in 1 2 3 4 5; do printf 'int f%d(void)\n{\n' $i; yes '    g();' | head -n 20; printf '}\n'; done >>small/high/high.c && notices lengths 'median 23'; }
case_ 'functions that are long' long_functions
case_ 'a form that clang-format would change' breaks form 'make format' high/high.c 'int  g( void )  ;'
finish
