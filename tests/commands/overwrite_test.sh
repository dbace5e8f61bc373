#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing is overwritten that commslice did not write. Each verb that makes a file is given a source file in its place: it refuses it in one
# line and leaves it as it is, replaces it with --force, and replaces its own file and an empty one without.
set -u
. "$(dirname "$0")/../frame.sh"

cat >program.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
must "$MPICC" -g -w -o program program.c
must "$MPICC" -g -O1 -fplugin="$PLUGIN" -o slice program.c
must "$COMMSLICE" record --engine emulate -n 2 -o T -- ./program
must "$COMMSLICE" run -n 2 -o plain.T ./slice
must "$COMMSLICE" fold -o M T

# The verbs; FILE is the file in question, and what follows it may be --force.
report() { "$COMMSLICE" report -o "$@" T; }
csv() { "$COMMSLICE" export -f csv -o "$@" T; }
chrome() { "$COMMSLICE" export -f chrome -o "$@" T; }
ti() { "$COMMSLICE" export -f ti -o "$@" T; }
matrix() { "$COMMSLICE" matrix --png "$@" T; }
merge() { "$COMMSLICE" merge -o "$@" T; }
fold() { "$COMMSLICE" fold -o "$@" T; }
expand() { "$COMMSLICE" expand -o "$@" M; }
skeleton() { "$COMMSLICE" skeleton --scale 1 -o "$@" T; }
run() { "$COMMSLICE" run -n 2 -o "$@" ./slice; }
record() { "$COMMSLICE" record --engine emulate -n 2 -o "$@" -- ./program; }

stays() {  # VERB FILE: the file is refused in one line, and is the same afterwards
    cp "$2" before
    "$1" "$2" >out 2>&1
    [ $? = 2 ] || wrong "$2 was not refused"
    [ "$(wc -l <out)" = 1 ] || wrong "more than one line: $(cat out)"
    grep -q "$2: exists and is not .*; give another name, or --force to replace it" out || wrong "$(cat out)"
    cmp before "$2" || wrong "$2 is not as it was"
    [ "$(ls -d "$2".* 2>/dev/null)" = "" ] || wrong "left: $(ls -d "$2".*)"
}
replaces() {  # VERB FILE [--force]
    "$@" >out 2>&1 || wrong "$* failed: $(cat out)"
    ! cmp -s "$2" program.c || wrong "$2 is still the source"
}
verb_case() {  # VERB
    cp program.c "$1.c"
    stays "$1" "$1.c"
    printf '\0' >"$1.c"
    stays "$1" "$1.c"
    cp program.c "$1.c"
    replaces "$1" "$1.c" --force
    replaces "$1" "$1.c"
    : >"$1.c"
    replaces "$1" "$1.c"
}
for verb in report csv chrome ti matrix merge fold expand skeleton run record; do
    check_ "$verb" verb_case $verb
done

pictures() { "$COMMSLICE" report --pictures pics "$@" T; }
picture_case() {  # FILE in the folder of report --pictures
    rm -rf pics && mkdir pics && cp program.c "pics/$1"
    stays_in pics "$1" pictures
    pictures --force >out 2>&1 || wrong "not with --force: $(cat out)"
    pictures >out 2>&1 || wrong "its own files: $(cat out)"
}
stays_in() {  # FOLDER FILE COMMAND...: a file in a folder is refused, and nothing else is written there
    folder=$1 file=$2
    shift 2
    "$@" >out 2>&1
    [ $? = 2 ] || wrong "$file was not refused"
    grep -q "$file: exists and is not" out || wrong "$(cat out)"
    cmp program.c "$folder/$file" || wrong "$file is not as it was"
    [ "$(ls "$folder")" = "$file" ] || wrong "left: $(ls "$folder")"
}
for file in matrix.csv timeline-ranks.csv sites.csv ranks.png; do
    check_ "report --pictures: $file" picture_case $file
done

rank_file_case() {
    rm -rf list list_files && mkdir list_files && cp program.c list_files/rank-1.txt
    stays_in list_files rank-1.txt ti list
    [ ! -e list ] || wrong "the list was written"
}
check_ "export -f ti: a rank's file" rank_file_case

# A trace with times, and one without: the times are lost if one is expanded over the other.
times_case() {
    cp T timed.T
    "$COMMSLICE" expand -o timed.T M >out 2>&1
    [ $? = 2 ] || wrong "replaced"
    grep -q 'timed.T: has times, which an expanded trace has not' out || wrong "$(cat out)"
    cmp T timed.T || wrong "not as it was"
    cp plain.T other.T
    "$COMMSLICE" expand -o other.T M || wrong "one without times was not replaced"
    "$COMMSLICE" expand --force -o timed.T M || wrong "not with --force"
    "$COMMSLICE" info timed.T | grep -q '^times  *no' || wrong "still with times"
}
check_ "expand: over a trace with times" times_case

dump() { "$MPICC" -g -O1 -fplugin="$PLUGIN" -fplugin-arg-commslice-dump="$1" -o other program.c; }
dump_case() {
    cp program.c dump.c
    ! dump dump.c >out 2>&1 || wrong "replaced"
    grep -q 'dump.c: exists and is not a program graph; remove it' out || wrong "$(cat out)"
    cmp program.c dump.c || wrong "not as it was"
    dump new.graph && dump new.graph || wrong "its own file"
    grep -q 'call MPI_Sendrecv' new.graph || wrong "no graph"
}
check_ "the plugin's option dump" dump_case

finish
