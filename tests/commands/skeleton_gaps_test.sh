#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Computation in skeletons that varies from call to call, as recorded; and datatypes that are made of as many pieces. Traces are made by hand.
set -u
. "$(dirname "$0")/../frame.sh"

# 20 barriers; before the i-th one rank 0 computes for i * 100 us and rank 1 for (21 - i) * 100 us, 500 us more before the first.
{
    printf 'ranks 2\ntimes\n'
    for rank in 0 1; do
        echo "$rank MPI_Init"
        i=1
        while [ $i -le 20 ]; do
            us=$((rank ? 2100 - 100 * i : 100 * i))
            [ $i != 1 ] || us=$((us + 500))
            echo "$rank MPI_Barrier world +$((us * 1000 - 1000))"
            i=$((i + 1))
        done
        echo "$rank MPI_Finalize"
    done
} | "$build/tests/unit/trace_make" vary.T

# The numbers of the list of gaps, in us, a line a rank.
list() { sed -n '/gaps/,/;$/p' "$1" | tr -d '\n' | sed 's/.*= {//; s/;.*//; s/}[, ]*/\n/g' | tr -d '{,' | awk 'NF { for (i = 1; i <= NF; i++) printf "%g ", $i / 100; print "" }'; }
skeleton() { "$COMMSLICE" skeleton --work-rate 1e9 "$@"; }

each_as_recorded() {
    skeleton vary.T --scale 1 -o one.c || return 1
    list one.c >got
    awk 'NR <= 2 { if (NF != 20) exit 1
                   for (i = 2; i <= 20; i++) if ($i != (NR == 1 ? 100 * i : 2100 - 100 * i)) exit 1 }
         END { if (NR != 2) exit 1 }' got || { cat got; return 1; }
}

# Of 20 iterations four: the first one, and one of each part of the rest, the same on both ranks, times what makes the sum right.
sums_stay() {
    skeleton vary.T --scale 5 -o five.c || return 1
    [ "$("$COMMSLICE" skeleton --json --force vary.T --scale 5 -o five.c 2>/dev/null | jq -c '[.program, .scale, .ranks > 0, (.loops_divided + .loops_run_twice + .loops_whole) > 0]')" = '["five.c",5,true,true]' ] || return 1
    list five.c >got
    awk 'function near(a, b) { return a > b * 0.999 && a < b * 1.001 }
         { if (NF != 4 || !near(($2 + $3 + $4) / 3, NR == 1 ? 1100 : 1000)) exit 1; for (i = 2; i <= 4; i++) v[NR, i] = $i }
         END { if (NR != 2) exit 1
               for (i = 3; i <= 4; i++) if (v[1, i] <= v[1, i - 1] || v[2, i] >= v[2, i - 1]) exit 1 }' got || { cat got; return 1; }
}

compiles() { "$MPICC" -std=c11 -O2 -Wall -Wextra -Werror -o prog "$1"; }

# What the mean says, where there is no trace to take single gaps from.
merged_has_means() {
    rm -f m.merged m.folded
    "$COMMSLICE" merge vary.T -o m.merged && "$COMMSLICE" fold m.merged -o m.folded && skeleton m.folded --scale 1 -o mean.c && ! grep -q gaps mean.c && grep -q 'work(' mean.c
}

predict() { "$COMMSLICE" predict --scale 1 "$@"; }
predict_takes_means() {
    predict --work-rate 1e9 -o list.c vary.T && grep -q gaps list.c && predict --work-rate 1e9 --means -o mean.c vary.T && ! grep -q gaps mean.c && grep -q 'work(' mean.c
}

# What is no rate is refused alike by both verbs.
no_rates() {
    for rate in 0 -1 1e9x '' nan; do
        ! "$COMMSLICE" skeleton vary.T --scale 1 --work-rate "$rate" -o rate.c 2>skeleton.err && ! predict --work-rate "$rate" -o rate.c vary.T 2>predict.err || return 1
        [ ! -e rate.c ] && grep -q 'is no rate' skeleton.err && grep -q 'is no rate' predict.err || return 1
    done
}

even_gaps_no_list() {
    { printf 'ranks 2\ntimes\n'
      for rank in 0 1; do
          echo "$rank MPI_Init"
          for _ in 1 2 3 4 5 6; do echo "$rank MPI_Barrier world +100000"; done
          echo "$rank MPI_Finalize"
      done; } | "$build/tests/unit/trace_make" even.T && skeleton even.T --scale 1 -o even.c && ! grep -q gaps even.c
}

# Each call has its own list.
two_lists() {
    { printf 'ranks 2\ntimes\n'
      for rank in 0 1; do
          echo "$rank MPI_Init"
          for us in 100 200 300 400; do
              echo "$rank MPI_Barrier world +${us}000"
              echo "$rank MPI_Bcast 8 i1 0 world +$((us / 10))000"
          done
          echo "$rank MPI_Finalize"
      done; } | "$build/tests/unit/trace_make" two.T && skeleton two.T --scale 1 -o two.c &&
        sed -n 's/.*work(\(gaps[_0-9]*\).*/\1/p' two.c | sort | uniq -c | awk '$1 != 1 { exit 1 } END { exit NR != 2 }'
}

# What a loop's first call has more when the loop is entered is in the list alone, however differently long it is each time.
entering_a_loop() {
    { printf 'ranks 1\ntimes\n0 MPI_Init\n'
      for us in 20 30 40 4000; do
          echo "0 MPI_Bcast 8 i1 0 world +9000"
          for more in $us 20 20; do echo "0 MPI_Barrier world +$((more * 1000 - 1000))"; done
      done
      echo "0 MPI_Finalize"; } | "$build/tests/unit/trace_make" enter.T && skeleton enter.T --scale 1 -o enter.c && list enter.c >got &&
        [ "$(cat got)" = '20 20 20 30 20 20 40 20 20 4000 20 20 ' ] && ! grep -B 1 'for (int i.* < 3;' enter.c | grep 'work('
}

# Of what ranks have more before the first call of a divided loop, the least is before the loop, where it is made shorter; the rest is in the list.
entering_a_divided_loop() {
    { printf 'ranks 2\ntimes\n'
      for rank in 0 1; do
          echo "$rank MPI_Init"
          for us in $((100100 + 20000 * rank)) 200 300 400 500 600 700 800 900 1000; do echo "$rank MPI_Barrier world +$((us * 1000 - 1000))"; done
          echo "$rank MPI_Finalize"
      done; } | "$build/tests/unit/trace_make" divided.T && skeleton divided.T --scale 5 -o divided.c && list divided.c >got || return 1
    grep -B 1 'for (int i.* < 2;' divided.c | grep -q 'work_outside(0.0995' && awk '{ if ($1 != (NR == 1 ? 600 : 20600)) exit 1 }' got || { cat got divided.c; return 1; }
}

# 12 doubles in 4 pieces over 1000 bytes: 3 each, 325 bytes and less apart. What cannot be divided, or has a gap in its elements, stays in one
# piece, and so does what a damaged trace says of types without bytes.
pieces() {
    "$build/tests/unit/trace_make" pieces.T <<'X'
ranks 2
type d12 96 1000 4
type i7 28 40 2
type {DOUBLE_INT}2 24 32 2
type d6 0 48 2
type i2147483647 8589934588 8589934592 2147483646
0 MPI_Init
0 MPI_Send 1 d12 1 7 world
0 MPI_Send 1 i7 1 7 world
0 MPI_Send 1 {DOUBLE_INT}2 1 7 world
0 MPI_Send 1 d6 1 7 world
0 MPI_Send 1 i2147483647 1 7 world
0 MPI_Finalize
1 MPI_Init
1 MPI_Recv 1 d12 0 7 world
1 MPI_Recv 1 i7 0 7 world
1 MPI_Recv 1 {DOUBLE_INT}2 0 7 world
1 MPI_Recv 1 d6 0 7 world
1 MPI_Recv 1 i2147483647 0 7 world
1 MPI_Finalize
X
    "$COMMSLICE" skeleton pieces.T --scale 1 -o pieces.c && grep -q 'MPI_Type_create_hvector(4, 3, 320, MPI_DOUBLE' pieces.c &&
        [ "$(grep -c MPI_Type_create_hvector pieces.c)" = 1 ] && grep -q 'MPI_Type_contiguous(7, MPI_INT' pieces.c && compiles pieces.c
}

case_ 'each gap is as recorded with scale 1' each_as_recorded
case_ 'divided, the sums stay and ranks match' sums_stay
case_ 'the program compiles without warnings' compiles five.c
case_ 'a merged trace has means' merged_has_means
case_ 'predict --means' predict_takes_means
case_ 'what is no work rate' no_rates
case_ 'gaps that are all alike need no list' even_gaps_no_list
case_ 'each call has a list of its own' two_lists
case_ 'entering a loop' entering_a_loop
case_ 'entering a divided loop' entering_a_divided_loop
case_ 'datatypes in pieces' pieces
echo "$passed passed, $failed failed"
[ $failed = 0 ]
