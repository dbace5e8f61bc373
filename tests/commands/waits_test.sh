#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice waits: traces by hand, of which it is known who waits for whom, how long and why; clocks that differ; and what is no trace with times.
set -u
. "$(dirname "$0")/../frame.sh"
# Makes T from the script on standard input, and `out` of it.
waits() { "$build/tests/unit/trace_make" T && "$COMMSLICE" waits --json T >out; }
ask() { jq -c "$1" out; }
# ANSWER FILTER ...: all filters give their answers.
are() {
    while [ $# -gt 0 ]; do
        [ "$(ask "$2")" = "$1" ] || { echo "$2: $(ask "$2"), not $1"; return 1; }
        shift 2
    done
}

late_message() {
    waits <<'X' || return 1
ranks 2
times
0 MPI_Send 1 d1 1 7 world =5000,5100,0 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =1000,5200,0 @ a.c:20
X
    are 4000 '.ranks[1].waiting_ns' 0 '.ranks[0].waiting_ns' 4000 '.causes[0].others_wait_ns' '[0,"computes",10,"MPI_Send"]' '.causes[0]|[.rank,.does,.at.line,.at.call]' \
        20 '.causes[0].most_wait_at.line' '[5000,200]' '[.ranks[].path_ns]' 5200 .ns 4000 '.places[]|select(.line==20)|.waiting_ns.message' 1 '.causes|length' '[5000,5000]' '.causes[0]|[.own_ns,.mean_ns]' &&
        "$COMMSLICE" waits T | grep -qx 'rank 0 delays others most: they wait 4.00 us for it, 100 % of all waiting; an even share is 50.0 %' || { "$COMMSLICE" waits T; false; }
}
no_wait() {
    waits <<'X' || return 1
ranks 2
times
0 MPI_Send 1 d1 1 7 world =500,600,0 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =5000,5200,0 @ a.c:20
X
    are 0 '.ranks[1].waiting_ns' '[]' .causes '[0,5200]' '[.ranks[].path_ns]'
}
late_receive() {
    waits <<'X' || return 1
ranks 2
times
0 MPI_Ssend 1 d1 1 7 world =100,3100,0 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =3000,3200,0 @ a.c:20
X
    are 2900 '.ranks[0].waiting_ns' 2900 '.places[]|select(.line==10)|.waiting_ns.receive' '[1,"computes"]' '.causes[0]|[.rank,.does]' 0 '.ranks[1].waiting_ns'
}
# A short message does not wait for its receive, which is posted while MPI_Waitall waits for the other request.
not_the_send() {
    waits <<'X' || return 1
ranks 2
times
0 MPI_Irecv 1 d1 1 7 world =500,600,0 @ a.c:10
0 MPI_Isend 1 d1 1 8 world =700,800,0 @ a.c:11
0 MPI_Waitall 2 2,1 =1000,6000,0 @ a.c:12
1 MPI_Send 1 d1 0 7 world =5000,5100,0 @ a.c:20
1 MPI_Recv 1 d1 0 8 world =5500,5600,0 @ a.c:21
X
    are 4000 '.places[]|select(.call=="MPI_Waitall")|.waiting_ns.message' 0 '.places[]|select(.call=="MPI_Waitall")|.waiting_ns.receive'
}
# Rank 2 waits for rank 1, which waits for rank 0, which computes: that is the cause of both.
chain() {
    waits <<'X' || return 1
ranks 3
times
0 MPI_Send 1 d1 1 7 world =9000,9050,0 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =1000,9100,0 @ a.c:20
1 MPI_Send 1 d1 2 7 world =9100,9200,0 @ a.c:21
2 MPI_Recv 1 d1 1 7 world =1000,9400,0 @ a.c:30
X
    are '[0,"computes",10]' '.causes[0]|[.rank,.does,.at.line]' 16000 '.causes[0].others_wait_ns' '[0,1]' '[.causes[].rank]' '[0,8000,8100]' '[.ranks[].waiting_ns]' '["in_call",100]' '.causes[1]|[.does,.others_wait_ns]' \
        '[9000,100,300]' '[.ranks[].path_ns]'
}
last_of_all() {
    waits <<'X' || return 1
ranks 3
times
0 MPI_Allreduce 1 d1 MPI_SUM world =1000,4100,0 @ a.c:10
1 MPI_Allreduce 1 d1 MPI_SUM world =4000,4100,0 @ a.c:10
2 MPI_Allreduce 1 d1 MPI_SUM world =3000,4200,0 @ a.c:10
X
    are '[3000,0,1000]' '[.ranks[].waiting_ns]' '[1,4000]' '.causes[0]|[.rank,.others_wait_ns]' 4000 '.places[0].waiting_ns.all' '[0,3000]' '.places[0]|[.most_rank,.most_waiting_ns]' '[1,4000]' '.places[0]|[.longest_rank,.longest_before_ns]'
}
# Of a broadcast all wait for the root alone; of a reduction only the root waits, for the last.
roots() {
    waits <<'X' || return 1
ranks 3
times
0 MPI_Bcast 1 d1 1 world =1000,2500,0 @ a.c:10
1 MPI_Bcast 1 d1 1 world =2000,2100,0 @ a.c:10
2 MPI_Bcast 1 d1 1 world =6000,6100,0 @ a.c:10
0 MPI_Reduce 1 d1 MPI_SUM 0 world =7000,8100,0 @ a.c:11
1 MPI_Reduce 1 d1 MPI_SUM 0 world =3000,3100,0 @ a.c:11
2 MPI_Reduce 1 d1 MPI_SUM 0 world =8000,8100,0 @ a.c:11
X
    are '[2000,0,0]' '[.ranks[].waiting_ns]' 1000 '.places[]|select(.call=="MPI_Bcast")|.waiting_ns.root' 1000 '.places[]|select(.call=="MPI_Reduce")|.waiting_ns.all' '[1,2]' '[.causes[].rank]|sort'
}
# The part in which the awaited rank had no processor is no computation.
delayed() {
    waits <<'X' || return 1
ranks 2
times
0 MPI_Send 1 d1 1 7 world =4000,4100,3000 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =0,4200,0 @ a.c:20
X
    are '["delayed","computes"]' '[.causes[].does]' '[3000,1000]' '[.causes[].others_wait_ns]' 3000 '.ranks[0].delayed_ns'
}
# Whatever comes first ends MPI_Waitany, and the one that came before needs no waiting.
any() {
    waits <<'X' || return 1
ranks 3
times
0 MPI_Irecv 1 d1 1 7 world =10,20,0 @ a.c:10
0 MPI_Irecv 1 d1 2 7 world =30,40,0 @ a.c:10
0 MPI_Irecv 1 d1 1 7 world =50,60,0 @ a.c:10
0 MPI_Waitany 3 3 =100,1000,0 @ a.c:11
0 MPI_Waitany 3 3 =1100,1200,0 @ a.c:11
0 MPI_Waitany 3 3 =2000,3050,0 @ a.c:11
1 MPI_Send 1 d1 0 7 world =950,960,0 @ a.c:20
2 MPI_Send 1 d1 0 7 world =980,990,0 @ a.c:30
1 MPI_Send 1 d1 0 7 world =3000,3010,0 @ a.c:21
X
    are '[1900,0,0]' '[.ranks[].waiting_ns]' '[1]' '[.causes[].rank]' 3 '.places[]|select(.call=="MPI_Waitany")|.calls'
    rm -f T
}
# A message that MPI_Probe waits for, a receive of any source, one in a communicator of two, a persistent one.
others() {
    waits <<'X' || return 1
ranks 3
times
comm world/0 0 2
0 MPI_Probe any 7 world =1,20,0 @ a.c:10
0 MPI_Recv 1 d1 any 7 world =30,40,0 @ a.c:11
0 MPI_Recv_init 1 d1 1 7 world =50,60,0 @ a.c:12
0 MPI_Start -1 =70,80,0 @ a.c:13
0 MPI_Wait -1 =100,1100,0 @ a.c:14
0 MPI_Barrier world/0 =1200,3300,0 @ a.c:22
1 MPI_Send 1 d1 0 7 world =5,6,0 @ a.c:20
1 MPI_Send 1 d1 0 7 world =1000,1010,0 @ a.c:21
2 MPI_Barrier world/0 =3200,3300,0 @ a.c:22
X
    are '[4,0,900]' '[(.places[]|select(.call=="MPI_Probe")|.waiting_ns.message),(.places[]|select(.call=="MPI_Recv")|.waiting_ns.message),(.places[]|select(.call=="MPI_Wait")|.waiting_ns.message)]' '[2000]' '[.places[]|select(.line==22)|.waiting_ns.all]'
}
# Two persistent broadcasts of different roots, started in different orders: each rank waits for the root of the one that it waits for.
started() {
    waits <<'X' || return 1
ranks 2
times
0 MPI_Bcast_init 1 d1 0 world =10,20,0 @ a.c:10
0 MPI_Bcast_init 1 d1 1 world =30,40,0 @ a.c:11
1 MPI_Bcast_init 1 d1 0 world =10,20,0 @ a.c:10
1 MPI_Bcast_init 1 d1 1 world =30,40,0 @ a.c:11
0 MPI_Start -2 =50,60,0 @ a.c:12
0 MPI_Wait -2 =70,2200,0 @ a.c:13
0 MPI_Start -1 =5000,5100,0 @ a.c:14
0 MPI_Wait -1 =5110,5120,0 @ a.c:15
1 MPI_Start -1 =1000,1010,0 @ a.c:20
1 MPI_Start -2 =2100,2110,0 @ a.c:21
1 MPI_Wait -2 =2120,2130,0 @ a.c:22
1 MPI_Wait -1 =2140,5200,0 @ a.c:23
X
    are '[2030,2860]' '[.ranks[].waiting_ns]' '[2030,2860]' '[.places[]|select(.line==13 or .line==23)|.waiting_ns.root]|sort' '[0,1]' '[.causes[].rank]|unique' 0 '[.places[].waiting_ns.all]|add'
}
# The same as late_message, of ranks whose times begin at other moments; without clocks the message seems to come before it is sent.
clocks() {
    waits <<'X' || return 1
ranks 2
times
clock 0 5000000
clock 1 5001000
0 MPI_Send 1 d1 1 7 world =6000,6100,0 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =1000,5200,0 @ a.c:20
X
    are 4000 '.ranks[1].waiting_ns' 0 .early_messages 6200 .ns || return 1
    waits <<'X' || return 1
ranks 2
times
0 MPI_Send 1 d1 1 7 world =6000,6100,0 @ a.c:10
1 MPI_Recv 1 d1 0 7 world =1000,5200,0 @ a.c:20
X
    are '[1,800]' '[.early_messages,.earliest_ns]' 0 '.ranks[1].waiting_ns' && "$COMMSLICE" waits T | grep -q '^clocks differ: 1 message is seen to be received up to 800 ns before it is sent$'
}
# All times of a rank are in one of the four sums; nobody waits longer than its calls take; the path is as long as the run.
adds_up() {
    "$MPICC" -g -w -o exchange "$top/tests/commands/exchange.c" && "$COMMSLICE" record --engine emulate -n 4 -q -o T -- ./exchange && "$COMMSLICE" waits --json T >out &&
        are true '[.ranks[]|.waiting_ns<=.mpi_ns]|all' true '([.ranks[].path_ns]|add) as $p | .ns+10>$p and $p>0' true '([.places[]|.path_before_ns+.path_in_call_ns]|add) as $p | ([.ranks[].path_ns]|add) as $r | ($r-$p-.path_delayed_ns)|fabs<1000' \
            true '([.causes[].others_wait_ns]|add // 0) as $c | ([.ranks[].waiting_ns]|add) as $w | ($c-$w)|fabs<1000'
}
text() {
    waits <<'X' || return 1
ranks 3
times
0 MPI_Allreduce 1 d1 MPI_SUM world =1000,4100,0 @ a.c:10
1 MPI_Allreduce 1 d1 MPI_SUM world =4000,4100,0 @ a.c:10
2 MPI_Allreduce 1 d1 MPI_SUM world =3000,4200,0 @ a.c:10
X
    "$COMMSLICE" waits T >out && grep -q '^T: 3 ranks, 4.20 us; of their time together 64.5 % computing, 32.3 % waiting for others, 3.2 % else in MPI calls, 0 % ready and not running$' out &&
        grep -q '^ *4.00 us   100 %  rank 1 computes before a.c:10 MPI_Allreduce (4.00 us, 1.5 times the mean of 3 ranks)$' out && grep -q '^ *4.00 us *4.40 us *3.00 us *0  the last to come *a.c:10 MPI_Allreduce$' out &&
        grep -q '^critical path: over 2 ranks, 95.2 % of it on rank 1; 0 % of it nobody ran$' out || { cat out; return 1; }
}
page() {
    last_of_all && "$COMMSLICE" report --force -o page.html T && grep -q '<section id="waits">' page.html && grep -q 'href="#waits"' page.html && grep -q '<td>rank 1 computes before a.c:10 MPI_Allreduce (4.00 us, 1.5 times the mean of 3 ranks)</td>' page.html &&
        grep -q '<li><b>Waiting.</b> rank 1 computes ' page.html && sed 's/^/  /' page.html | grep -c 'the last to come 4.00 us' | grep -qx 1 &&
        printf 'ranks 1\n0 MPI_Barrier world\n' | "$build/tests/unit/trace_make" plain && "$COMMSLICE" report --force -o plain.html plain && ! grep -q '"#*waits"' plain.html
}
# EXIT PATTERN ARGUMENTS...: one line on standard error, nothing else.
refuses() {
    want=$1 pattern=$2; shift 2
    "$COMMSLICE" waits "$@" >out 2>err
    [ $? = "$want" ] && grep -q "$pattern" err && [ ! -s out ] || { cat out err; return 1; }
}
bad() {
    printf 'ranks 1\n0 MPI_Barrier world\n' | "$build/tests/unit/trace_make" plain
    printf 'ranks 2\ntimes\nmissing 1\n0 MPI_Barrier world\n' | "$build/tests/unit/trace_make" half
    refuses 2 'plain: has no times, so who waits is not known; commslice record' plain && refuses 2 'half: the trace has nothing of rank 1' half && refuses 2 'give one trace' && refuses 2 'give one trace' T T &&
        refuses 2 'give a number of rows' -n 0 T && refuses 2 'No such file' nowhere && head -c 60 T >cut && refuses 2 'cut: ' cut
}
case_ "a message that is sent late" late_message
case_ "a message that is there" no_wait
case_ "a receive that comes late" late_receive
case_ "a short message does not wait" not_the_send
case_ "who waits for one that waits" chain
case_ "the last to come" last_of_all
case_ "roots" roots
case_ "no processor" delayed
case_ "MPI_Waitany" any
case_ "probes, groups, persistent requests" others
case_ "persistent collectives" started
case_ "clocks of ranks" clocks
case_ "all of it adds up" adds_up
case_ "text" text
case_ "the report" page
case_ "bad input" bad
finish
