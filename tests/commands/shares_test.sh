#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice run --share and commslice merge: shares of a run become, to the byte, the trace of the run; what is missing or there twice is one line.
set -u
. "$(dirname "$0")/../frame.sh"
sources=$top/tests/commands
must "$MPICC" -fplugin="$PLUGIN" -g -O2 -o heat "$top/demo/heat.c" -lm
sed 's/^grid_rows .*/grid_rows 16/; s/^grid_cols .*/grid_cols 12/' "$top/demo/heat.txt" >heat.txt
must "$COMMSLICE" run -q -n 192 -o whole ./heat heat.txt

# share K/M: one share, as a user says it.
share() { "$COMMSLICE" run -q -n 192 --share "$1" -o part ./heat heat.txt </dev/null || echo "share $1 failed"; }
for k in $(seq 1 64); do share "$k/64"; done >log 2>&1
equal "64 shares" "" "$(cat log)"
equal "their traces" 64 "$(ls part.*of64 | wc -l)"
must "$COMMSLICE" merge part.*of64 -o together
equal "64 shares: the trace" "" "$(cmp whole together 2>&1)"

mv part.5of64 away
equal "a share is missing" "commslice merge: ranks 12 to 14 are in none of the 63 traces: a share is missing" "$("$COMMSLICE" merge part.*of64 -o t 2>&1)"
cp part.7of64 part.5of64
equal "a share is there twice" "commslice merge: ranks 18 to 20 are in both part.5of64 and part.7of64" "$("$COMMSLICE" merge part.*of64 -o t 2>&1)"
equal "nothing is written then" "" "$(ls t t.* 2>/dev/null)"
must "$COMMSLICE" run -q -n 16 -o other ./heat "$top/demo/heat.txt"
equal "another run" "commslice merge: other is of a run of 16 ranks, and part.1of64 of one of 192" "$("$COMMSLICE" merge part.1of64 other -o t 2>&1)"

# The share by the launcher's variables.
must "$MPIEXEC" -n 4 "$COMMSLICE" run -q -n 192 --share -o mpi ./heat heat.txt
equal "mpiexec" "mpi.1of4 mpi.2of4 mpi.3of4 mpi.4of4" "$(echo mpi.*)"
must "$COMMSLICE" merge mpi.*of4 -o together --force
equal "mpiexec: the trace" "" "$(cmp whole together 2>&1)"
for id in 10 13 16; do
    for task in 0 1; do
        must env SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=16 SLURM_ARRAY_TASK_COUNT=3 SLURM_PROCID=$task SLURM_NTASKS=2 \
            "$COMMSLICE" run -q -n 192 --share -o slurm ./heat heat.txt
    done
done
equal "Slurm's array of steps" "slurm.1of6 slurm.2of6 slurm.3of6 slurm.4of6 slurm.5of6 slurm.6of6" "$(echo slurm.*)"
must "$COMMSLICE" merge slurm.*of6 -o together --force
equal "Slurm: the trace" "" "$(cmp whole together 2>&1)"

# What cannot be shared, and what is no share.
use="see commslice run --help"
equal "no launcher" "commslice run: --share: no launcher says which: give it, such as --share 3/64; $use" "$("$COMMSLICE" run -n 8 --share -o t ./heat 2>&1)"
equal "no share" "commslice run: --share 5/4: give a number and how many there are, such as 3/64; $use" "$("$COMMSLICE" run -n 8 --share 5/4 -o t ./heat 2>&1)"
equal "more shares than ranks" "commslice run: 9 shares of 8 ranks: some would have none; $use" "$("$COMMSLICE" run -n 8 --share 1/9 -o t ./heat 2>&1)"
must "$MPICC" -fplugin="$PLUGIN" -g -O2 -o exchange "$sources/shares_exchange.c"
for what in ring sum; do
    for k in 1 2 3; do
        "$COMMSLICE" run -n 9 --share $k/3 -o t ./exchange $what >log 2>&1
        equal "$what, share $k: exit status" 2 $?
        equal "$what, share $k" "commslice: error: rank N at shares_exchange.c:LINE: --share: here it needs data of other ranks than rank 0: run it without --share" \
            "$(sed 's/rank [0-9]* at /rank N at /; s/:[0-9][0-9]*:/:LINE:/; s/at .*shares_ex/at shares_ex/' log)"
    done
done
equal "no trace of it" "" "$(ls t t.* 2>/dev/null)"

# Standard input is rank 0's: a share needs it as a file.
must "$COMMSLICE" run -q -n 9 -o whole ./exchange input <<END
7
END
echo 7 >seven
for k in 1 2 3; do must "$COMMSLICE" run -q -n 9 --share $k/3 -o input ./exchange input <seven; done
must "$COMMSLICE" merge input.*of3 -o together --force
equal "input from a file: the trace" "" "$(cmp whole together 2>&1)"
equal "input from a pipe" "commslice: error: --share: rank 0 reads standard input, which has to be a file: < FILE, in each share" \
    "$(echo 7 | "$COMMSLICE" run -q -n 9 --share 2/3 -o t ./exchange input 2>&1)"
finish
