#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice why decides the program again: as the link did with whatever that was told, or not at all. Its answers are kept.
set -u
. "$(dirname "$0")/../frame.sh"

cat >again.c <<'END'
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

__attribute__((noinline)) static int ask(int rank)
{
    return rank > 100 ? rank / 3 : rank + 2;
}
__attribute__((noinline)) static int other(int rank)
{
    return rank * 5;
}
int (*how)(int) = ask;
static int mode, kind = 2;


int main(int argc, char **argv)
{
    int rank, n = argc > 1 ? atoi(argv[1]) : 3, turns = 0;
    double part = 1, *field;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 5)
        how = other;
    if (mode)
        kind = argc;
    if (kind == 3)
        MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    field = malloc(sizeof *field * 100);
    if (!field)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 100; i++)
        field[i] = i * 0.1;
    while (part > 0.01) {
        part *= 0.5;
        turns++;
    }
    for (int step = 0; step < n; step++) {
        int count = how(rank) % 50 + turns % 2;
        if (argc > 7)
            count = 1;
        MPI_Bcast(field, count + n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        for (int i = 0; i < 100; i++)
            field[i] = sqrt(field[i] + step);
    }
    free(field);
    MPI_Finalize();
    return 0;
}
END
line_of() { grep -nF -- "$1" again.c | head -n 1 | cut -d: -f1; }
link() { # NAME OPTIONS...
    slice=$1
    shift
    must commslice-mpicc -O2 -g "$@" -o "$slice" again.c -lm 2>log
}
option() { echo "-fplugin-arg-commslice-$1"; }
asked() { commslice why --all "$1" again.c:"$(line_of 'MPI_Bcast(')"; }
known() { ls .cache/commslice 2>/dev/null | grep -c '^reasons-'; }

# ---- the decision ----

unlikely=again.c:$(line_of 'argc > 7') atof=again.c:$(line_of 'while (part') count=again.c:$(line_of 'MPI_Bcast(')
echo "called:main" >called
printf 'called:%s 1 times\n' main ask >called.info
link plain
link errors "$(option keep-errors)"
link never "$(option assume=$unlikely=never)"
link trips "$(option assume=$atof=7)"
link when "$(option assume="$unlikely=when(iteration<2)")"
link value "$(option assume="$count:count=rank+3")"
link called "$(option assume=called:called.info)"
link none "$(option budget=none)"
link at_once "$(option budget=0)"
link counted "$(option counters)"
link counted_all "$(option counters=all)"
link original "$(option mode=original)"
link rounding -ffast-math
for slice in plain errors never trips when value called none at_once counted counted_all original rounding; do
    expect "decided again as at the link: $slice" 0 '^again.c:[0-9]* in main: MPI_Bcast' asked $slice
done

# The program of another slice, which is decided otherwise.
must objcopy --dump-section .commslice.graph=other.graph never copy
must objcopy --update-section .commslice.graph=other.graph plain mixed
expect "decided otherwise than at the link" 2 'decides its program otherwise now than at its link' asked mixed
must objcopy --remove-section .commslice.graph plain without
expect "without its program" 2 'it has no section .commslice.graph' asked without
expect "what was removed asks nobody" 1 'was removed' commslice why without again.c:"$(line_of 'sqrt(')"
expect "nor what holds most up" 0 'statements kept' commslice why without

# ---- the cache ----

rm -rf .cache
asked plain >first
equal "an answer is kept" 1 "$(known)"
file=$(ls .cache/commslice/reasons-*)
asked plain >second
case_ "and is the same" cmp first second
must sh -c "zstd -dcq '$file' | sed 's/\troot\t/\tbudget\t/' >changed && zstd -qf --check changed -o '$file'"
expect "it is read" 0 'pointers could not be followed' asked plain
echo nothing >"$file"
asked plain >third
case_ "a damaged one is found again" cmp first third
expect "and kept again" 0 'decided' zstd -dc "$file"
commslice why --json plain again.c:"$(line_of 'MPI_Bcast(')" >json
case_ "as JSON, too" jq -e '.kept and (.chains | length > 0)' json
old=.cache/commslice/reasons-old
must truncate -s 70M "$old"
must touch -d 2000-01-01 "$old"
must asked never >log
equal "the oldest go" "gone $(known)" "$([ -e "$old" ] || echo gone) 2"
echo >file
for cache in relative "$dir/file" /proc/none; do
    expect "no folder for it: $cache" 0 MPI_Bcast env XDG_CACHE_HOME="$cache" HOME=/proc/none commslice why plain again.c:"$(line_of 'MPI_Bcast(')"
done
mkdir home
must env -u XDG_CACHE_HOME HOME="$dir/home" commslice why plain again.c:"$(line_of 'MPI_Bcast(')" >log
equal "in the user's home" 1 "$(ls home/.cache/commslice | wc -l)"
finish
