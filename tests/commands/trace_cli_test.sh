#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests of the command on traces made by trace_make and slices made by objcopy: what it says and how it exits.
set -u
. "$(dirname "$0")/../frame.sh"
TRACE_MAKE=$build/tests/unit/trace_make
c=$COMMSLICE

# Exit code 2 and exactly one line.
error() {  # NAME REGEX COMMAND...
    case_name=$1
    shift
    case_ "$case_name" is_one_error "$@"
}
is_one_error() {  # REGEX COMMAND...
    text=$1
    shift
    "$@" >out 2>&1
    code=$?
    cat out
    [ $code -eq 2 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q -e "$text" out || { echo "exit code $code, not 2, or not one line with $text"; return 1; }
}

# A Python expression over the object `o`, which the command prints as JSON.
json() {  # NAME EXPRESSION COMMAND...
    case_name=$1
    shift
    case_ "$case_name" json_holds "$@"
}
json_holds() {  # EXPRESSION COMMAND...
    expression=$1
    shift
    "$@" >out 2>err
    python3 -c "import json,sys; o=json.load(open('out')); sys.exit(not ($expression))" || { cat out err; return 1; }
}

cat >a.txt <<'X'
ranks 3
times
assume x.c:3=never
comm world/0 2 0
type i1 4 4
0 MPI_Init @ app.c:5
0 MPI_Send 100 d1 1 7 world @ app.c:12
0 MPI_Send 1 i1 null 7 world @ app.c:13
0 MPI_Isend 10 i1 1 8 world/0 @ app.c:14
0 MPI_Waitall 1 1 @ app.c:15
0 MPI_Allreduce 4 d1 MPI_SUM world @ app.c:20
1 MPI_Recv 100 d1 any any world @ app.c:16
1 MPI_Send_init 100 d1 2 7 world @ app.c:17
1 MPI_Start -1 @ app.c:17
1 MPI_Startall 2 -1,-1 @ app.c:18
1 MPI_Alltoallv 1,1,1,1,1,2 d1 [] d1 world
2 MPI_Waitany 5 5
2 MPI_Comm_split world 0 1 world/0
2 MPI_Gather 4 d1 - - 0 world
2 MPI_Bcast 8 i1 0 world
X
make_trace() { "$TRACE_MAKE" "$1" || die "trace_make $1"; }
make_trace a.tr <a.txt
# The same content with other definitions' numbers, sites, marks, and without times.
sed -e '/^times/d; s/@ app/@ slice/; s/^type.*/&\ntype z9 4 4/' \
    -e 's/^0 MPI_Init.*/& %0/; s/^1 MPI_Recv.*/& %0/' a.txt >same.txt
sed 's/^0 MPI_Init/0 MPI_Init/; 1,/MPI_Send 100/s/100 d1 1 7/100 d1 1 7/' same.txt | make_trace same.tr
sed 's/100 d1 1 7/101 d1 1 7/' a.txt | make_trace count.tr
sed 's/type i1 4 4/type i1 8 8/' a.txt | make_trace size.tr
sed 's/comm world.0 2 0/comm world\/0 2 1/' a.txt | make_trace members.tr
sed 's/MPI_SUM/MPI_MAX/' a.txt | make_trace op.tr
sed '/MPI_Startall/d' a.txt | make_trace fewer.tr
sed '/MPI_Alltoallv/d' a.txt | make_trace shorter.tr
sed 's/1,1,1,1,1,2/1,1,1,1,1,3/' a.txt | make_trace array.tr
sed 's/any any/any 7/' a.txt | make_trace tag.tr
sed 's/ranks 3/ranks 4/' a.txt | make_trace four.tr
(cat a.txt; echo cut 1) | make_trace cut.tr
(sed '/^1 /d' a.txt; echo missing 1) | make_trace missing.tr
head -c 700 a.tr >torn.tr
echo hello >no.tr
: >empty.tr

# ---- the command itself
expect version 0 '^commslice [0-9]' "$c" --version
expect help 0 'matrix' "$c" help
for verb in run record info print diff matrix report merge fold expand why; do
    expect "$verb --help" 0 "usage: commslice $verb" "$c" "$verb" --help
    expect "help $verb" 0 "usage: commslice $verb" "$c" help "$verb"
    error "$verb without operands" "see commslice $verb --help" "$c" "$verb"
    error "$verb --nonsense" 'unknown option --nonsense' "$c" "$verb" --nonsense
done
error 'no verb' 'no verb' "$c"
error 'unknown verb' 'no verb cut' "$c" cut
error 'full output' 'cannot write' sh -c '"$1" print a.tr >/dev/full' x "$c"

# ---- print
expect print 0 '^0:1 .* MPI_Send count=100 type=d1 dest=1 tag=7 comm=world at app.c:12$' "$c" print a.tr
expect 'print array' 0 'sendcounts=\[1\*5,2\]' "$c" print a.tr
expect 'print persistent' 0 'MPI_Start req=p0' "$c" print a.tr
expect 'print any' 0 'source=any tag=any' "$c" print a.tr
expect 'print insignificant' 0 'recvcount=- recvtype=- root=0' "$c" print a.tr
expect 'print mark' 0 'MPI_Recv.*(nothing sent) at slice.c:16' "$c" print same.tr
expect 'print cut' 0 '^1: the trace of this rank was cut here' "$c" print cut.tr
expect 'print missing' 0 '^1: the trace of this rank is missing' "$c" print missing.tr
expect 'print --rank --limit' 0 '' "$c" print --rank 1 --limit 2 a.tr
equal 'print --rank --limit: lines' 2 "$(wc -l <case.log)"
error 'print bad rank' 'no rank 3, the run had ranks 0 to 2' "$c" print --rank 3 a.tr
json 'print --json' "o['call'] == 'MPI_Send' and o['args']['dest'] == 1 and o['line'] == 12" \
    sh -c '"$1" print --json --rank 0 a.tr | sed -n 2p' x "$c"

# ---- bad files
for verb in print info matrix; do
    error "$verb no file" 'nix.tr: No such file' "$c" "$verb" nix.tr
    error "$verb no trace" 'no.tr: not a commslice trace' "$c" "$verb" no.tr
    error "$verb empty" 'empty.tr: empty file' "$c" "$verb" empty.tr
done

# What is no regular file is said to be none, and nothing waits for it.
mkfifo fifo
for verb in info print matrix 'merge -o q' 'fold -o q' predict 'skeleton --scale 2 -o q' 'export -f csv' 'report -o q' 'diff a.tr'; do
    # shellcheck disable=SC2086
    error "$verb of a fifo" 'fifo: not a regular file' timeout 5 "$c" $verb fifo
    # shellcheck disable=SC2086
    error "$verb of a folder" '\.: not a regular file' timeout 5 "$c" $verb .
done
error 'expand of a fifo' 'fifo: not a merged trace' timeout 5 "$c" expand -o q fifo
error 'expand of nothing' 'nix.tr: No such file' "$c" expand -o q nix.tr
error 'run of a fifo' 'fifo: not an executable' timeout 5 "$c" run -n 2 ./fifo
for verb in 'merge -o' 'skeleton --scale 1 -o'; do
    # shellcheck disable=SC2086
    error "$verb onto a fifo" 'fifo: exists and is not' timeout 5 "$c" $verb fifo a.tr
done
# Closed standard streams do not become the trace.
cp a.tr b.tr
expect 'closed output' 2 '' sh -c '"$1" matrix b.tr >&-' x "$c"
expect 'closed output, to a device' 0 '' sh -c '"$1" export -f csv -o /dev/stdout b.tr >&- <&- 2>&-' x "$c"
expect 'closed output leaves the trace alone' 0 '' cmp a.tr b.tr
expect 'a reader that has enough' 0 '^0:0' sh -c '"$1" print a.tr 2>err | head -n 1; [ ! -s err ]' x "$c"
for verb in info print matrix 'matrix --csv' 'matrix --json' 'report --json' 'diff a.tr' 'help diff' 'run --help'; do
    # shellcheck disable=SC2086
    error "$verb to a full device" 'cannot write the output: No space left' sh -c 'exec "$@" 3>&1 >/dev/full 2>&3' x "$c" $verb a.tr
done

# A file that may not grow: an error, and nothing is left.
{ echo 'ranks 2'; i=0; n=1; while [ $i -lt 400 ]; do printf '0 MPI_Send %d d1 1 7 world @ a.c:1\n1 MPI_Recv %d d1 0 7 world @ a.c:2\n' $n $n; n=$(((n * 7919 + 13) % 32749)); i=$((i + 1)); done; } | make_trace grown.tr
for form in 'export -f csv' 'export -f chrome' report 'skeleton --scale 1' 'export -f ti' 'export -f otf2' merge fold; do
    # shellcheck disable=SC2086
    error "$form, limited" 'limited.*File \(is \)*too large' sh -c 'ulimit -f 1; exec "$@"' x "$c" $form -o limited grown.tr
    equal "$form, limited: nothing is left" '' "$(ls | grep '^limited')"
done

# ---- diff
expect 'diff self' 0 '^same: 15 events on 3 ranks$' "$c" diff a.tr a.tr
expect 'diff other definitions' 0 '^same: 15 events' "$c" diff a.tr same.tr
expect 'diff count' 1 'rank 0: event 1 differs: count' "$c" diff a.tr count.tr
expect 'diff shows both' 1 '+ 1 MPI_Send count=101 .* at app.c:12' "$c" diff a.tr count.tr
expect 'diff size' 1 'differs: datatype' "$c" diff a.tr size.tr
expect 'diff members' 1 'rank 0: event 3 differs: comm' "$c" diff a.tr members.tr
expect 'diff op' 1 'rank 0: event 5 differs: op' "$c" diff a.tr op.tr
expect 'diff call' 1 'rank 1: event 3 differs: call' "$c" diff a.tr fewer.tr
expect 'diff end' 1 'rank 1: shorter.tr ends after 4 events, a.tr goes on' "$c" diff a.tr shorter.tr
expect 'diff end, turned' 1 'rank 1: shorter.tr ends after 4 events, a.tr goes on' "$c" diff shorter.tr a.tr
expect 'diff array' 1 'rank 1: event 4 differs: sendcounts' "$c" diff a.tr array.tr
expect 'diff tag' 1 'rank 1: event 0 differs: tag' "$c" diff a.tr tag.tr
expect 'diff ranks' 1 'a.tr has 3 ranks, four.tr has 4' "$c" diff a.tr four.tr
expect 'diff cut' 1 'rank 1: same for 5 events, but a.tr is complete and cut.tr is cut' "$c" diff a.tr cut.tr
expect 'diff missing' 1 'rank 1: missing.tr ends after 0 events' "$c" diff a.tr missing.tr
expect 'diff --allow-cut' 0 'same: ' "$c" diff --allow-cut a.tr cut.tr
expect 'diff --allow-cut missing' 0 'same: 10 events' "$c" diff --allow-cut a.tr missing.tr
expect 'diff --allow-cut, the other ends' 1 'shorter.tr ends after' "$c" diff --allow-cut cut.tr shorter.tr
expect 'diff torn' 1 'different' "$c" diff a.tr torn.tr
error 'diff no trace' 'no.tr: not a commslice' "$c" diff a.tr no.tr
json 'diff --json same' "o['same'] and o['events'] == 15" "$c" diff --json a.tr same.tr
json 'diff --json' "not o['same'] and o['differences'][0]['what'] == 'count' and o['differences'][0]['second']['args']['count'] == 101" \
    "$c" diff --json a.tr count.tr

# ---- info of a trace, matrix
expect info 0 '^events  *15$' "$c" info a.tr
expect 'info assumptions' 0 '^  x.c:3=never$' "$c" info a.tr
expect 'info communicators' 0 '^  world/0 (2 ranks, first 2, last 0)$' "$c" info a.tr
expect 'info cut' 0 'rank 1 was cut after 5 events' "$c" info cut.tr
expect 'info torn' 0 'belong to no sound block' "$c" info torn.tr
json 'info --json' "o['rank_states'][1]['state'] == 'cut' and o['ranks'] == 3" "$c" info --json cut.tr
# Persistent requests are numbered as they are made: turn by turn of the loop that makes them.
{
    echo 'ranks 3'
    echo 'type d1 8 8'
    for turn in 1 2 3; do
        echo '0 MPI_Send_init 10 d1 1 7 world'
        echo '0 MPI_Send_init 20 d1 2 7 world'
    done
    for turn in 1 2 3 4 5; do echo '0 MPI_Startall 2 -2,-3'; done
    echo '0 MPI_Start -4'
} | make_trace persistent.tr
equal 'matrix of persistent requests made in a loop' '0,1,5,400 0,2,6,960' "$("$c" matrix --csv persistent.tr | sed 1d | paste -sd' ')"
expect matrix 0 '^5 messages, 3.24 KB, between 3 pairs of ranks$' "$c" matrix a.tr
expect 'matrix map' 0 '^  *1 ····██$' "$c" matrix a.tr
expect 'matrix map under a locale of eight bits' 0 '^  *1 \.\.\.\.##$' env LC_ALL=de_DE.ISO-8859-1 "$c" matrix a.tr
expect 'matrix map under a locale of UTF-8' 0 '^  *1 ····██$' env LC_ALL= LANG=de_DE.UTF-8 "$c" matrix a.tr
expect 'matrix --csv' 0 '^1,2,3,2400$' "$c" matrix --csv a.tr
expect 'matrix --csv --messages' 0 '^1,2,3$' "$c" matrix --csv --messages a.tr
expect 'matrix collectives' 0 'MPI_Alltoallv  *1  56 B' "$c" matrix a.tr
expect 'matrix bcast counts at its root only' 0 'MPI_Bcast  *1  0 B' "$c" matrix a.tr
json 'matrix --json' "sum(p['bytes'] for p in o['pairs']) == 3240 and o['unknown_destinations'] == 0" "$c" matrix --json a.tr
error 'matrix contradiction' 'exclude each other' "$c" matrix --csv --json a.tr
error 'matrix bad png' 'nix/x.png: cannot write' "$c" matrix --png nix/x.png a.tr
if command -v gnuplot >/dev/null; then
    expect 'matrix --png' 0 '' "$c" matrix --png "it's.png" a.tr
    expect 'matrix --png is one' 0 PNG head -c 8 "it's.png"
else
    echo 'note: gnuplot is not installed, matrix --png was not tested'
fi
error 'matrix --png without gnuplot' 'not installed' env PATH=/nix "$c" matrix --png x.png a.tr
(echo ranks 64; i=0; while [ $i -lt 63 ]; do echo "$i MPI_Send 1 d1 $((i + 1)) 0 world"; i=$((i + 1)); done) | make_trace wide.tr
expect 'large matrix' 0 'a cell is 2 by 2 ranks' env COLUMNS=40 "$c" matrix wide.tr
expect 'large matrix, last row' 0 '^ *62 \(·\)*█$' env COLUMNS=40 "$c" matrix wide.tr

# On a terminal of 3 columns.
narrow() {
    python3 -c '
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 3, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
try:
    while (piece := os.read(fd, 4096)):
        sys.stdout.buffer.write(piece)
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' "$@"
}
expect 'matrix on a narrow terminal' 0 '^ *1 ····██' narrow "$c" matrix a.tr

# ---- merge, fold, expand
cat >p.txt <<'X'
ranks 4
comm world/0 0 1 2 3
X
for r in 0 1 2 3; do
    for i in 1 2 3 4 5; do
        echo "$r MPI_Irecv 10 d1 $(((r + 3) % 4)) 7 world @ ring.c:5"
        echo "$r MPI_Send 10 d1 $(((r + 1) % 4)) 7 world @ ring.c:6"
        echo "$r MPI_Wait 1 @ ring.c:7"
    done
done >>p.txt
make_trace p.tr <p.txt
expect merge 0 '^merged: 15 calls' "$c" merge p.tr -o p.merged
expect 'merge classes' 0 '^4 ranks in 1 class, 15 to 15 calls a rank$' "$c" merge p.tr -o p.merged
expect fold 0 '^folded: 3 symbols, 1 loop.*main loop (3)x5$' "$c" fold p.tr -o p.fold
expect 'fold a merged one' 0 '^folded: 3 symbols' "$c" fold p.merged -o p.fold
expect 'fold --method paper' 0 '^folded: 3 symbols' "$c" fold --method paper p.tr -o p.paper
expect 'fold --check' 0 '' "$c" fold --check p.tr -o p.fold
expect 'print nest' 0 '^5 times:$' "$c" print p.fold
expect 'print rule' 0 '  MPI_Send count=10 type=d1 dest=me+1 tag=7 comm=world at ring.c:6$' "$c" print p.fold
json 'fold --json' "o['symbols'] == 3 and o['main_loop'] == {'symbols': 3, 'count': 5} and o['ranks'] == 4" "$c" fold --json p.tr -o p.fold
for f in p.merged p.fold p.paper; do
    rm -f e.tr
    expect "expand $f" 0 '^4 ranks, 60 events in e.tr$' "$c" expand $f -o e.tr
    expect "expand $f gives the same" 0 '^same: 60 events' "$c" diff p.tr e.tr
done
for f in a same members array; do
    expect "fold $f.tr" 0 '^folded' "$c" fold $f.tr -o f.fold
    expect "expand $f.tr" 0 '' "$c" expand f.fold -o e.tr
    expect "$f.tr is the same again" 0 '^same' "$c" diff $f.tr e.tr
    "$c" print $f.tr | sed 's/ [0-9.]*+[0-9.]* / /' >one; "$c" print e.tr >two
    expect "$f.tr with its sites is the same again" 0 '' cmp one two
done
sed 's/^0 MPI_Send 10 d1 1 7/0 MPI_Send 10 d1 1 8/' p.txt | make_trace unsent.tr
expect 'fold --check finds what waits for ever' 1 'unsent.tr: 4 of 4 ranks would wait for ever; rank 0 in MPI_Wait at ring.c:7' "$c" fold --check unsent.tr -o u.fold
error 'merge a merged one' 'is merged already' "$c" merge p.merged -o q.merged
error 'merge without -o' 'give the file to write' "$c" merge p.tr
error 'merge cut' 'the trace of rank 1 is cut' "$c" merge cut.tr -o q.merged
error 'merge missing' 'the trace of rank 1 is missing' "$c" merge missing.tr -o q.merged
error 'merge no trace' 'no.tr: not a commslice' "$c" merge no.tr -o q.merged
error 'merge onto another file' 'a.txt: exists and is not a merged trace' "$c" merge p.tr -o a.txt
error 'merge into no folder' 'nix/q: cannot write' "$c" merge p.tr -o nix/q
error 'merge --order' 'no order up' "$c" merge --order up p.tr -o q.merged
error 'merge --method' 'unknown option --method' "$c" merge --method best p.tr -o q.merged
error 'fold --method' 'no method up' "$c" fold --method up p.tr -o q.merged
# Verbs take a merged or folded trace for the one that it was made of, but for times.
mkdir expanded
for f in p.merged p.fold; do
    for form in info 'info --json' 'print --rank 1' 'print --json --limit 3' 'export -f csv' 'matrix --csv'; do
        TMPDIR=expanded "$c" $form $f >one 2>log
        rm -f e.tr && "$c" expand $f -o e.tr >log 2>&1 && "$c" $form e.tr >two
        sed 's/[0-9.]* *[KM]*B in \(e.tr\|p.fold\|p.merged\)//; s/e\.tr\|p\.fold\|p\.merged//' one >one.plain
        sed 's/[0-9.]* *[KM]*B in \(e.tr\|p.fold\|p.merged\)//; s/e\.tr\|p\.fold\|p\.merged//' two >two.plain
        expect "$form of $f" 0 '' cmp one.plain two.plain
        case_ "$form of $f says something" test -s one
    done
    expect "diff of $f" 0 '^same: 60 events' "$c" diff p.tr $f
done
error 'no room to expand it' 'p.fold: no folder for what it becomes' env TMPDIR="$PWD/nix" "$c" info p.fold
expect 'nothing is left of that' 0 '' rmdir expanded
error 'expand a trace' 'p.tr: not a merged trace' "$c" expand p.tr -o e.tr
# What is no whole run is refused by all that need one, and what was there stays.
cat p.tr a.tr >mixed.tr
for t in mixed cut missing; do
    for form in 'merge -o' 'fold -o' 'skeleton --scale 1 -o' 'predict --scale 1 -o' 'report -o' 'export -f ti -o'; do
        rm -rf kept
        "$c" $form kept p.tr >log 2>&1 || case $form in export*|predict*) echo kept >kept ;; *) fail "$form" "$(cat log)" ;; esac
        case $form in predict*) "$c" skeleton --scale 1 -o kept p.tr >log 2>&1 ;; esac
        cp -r kept before
        error "$form, $t" "$t.tr: .*\(more than one run\|is cut\|is missing\|not complete\|cut or missing\|are cut\)" "$c" $form kept $t.tr
        expect "$form, $t: what was there stays" 0 '' diff -r kept before
        rm -rf before
    done
done
error 'expand onto another file' 'a.txt: exists and is not a trace' "$c" expand p.fold -o a.txt
error 'expand into no folder' 'nix/e: cannot write' "$c" expand p.fold -o nix/e
head -c 100 p.fold >cut.fold
error 'expand cut' 'cut.fold: damaged' "$c" expand cut.fold -o e2.tr
case_ 'nothing was written' test ! -e q.merged -a ! -e e2.tr
for f in ./*.expand.* ./?.fold.?????? ./?.merged.??????; do
    [ ! -e "$f" ] || fail "$f was left"
done

# ---- slices: a copy of a program with the section added
cat >main.c <<'X'
int hop(int x)
{
    return x + 1;
}
int main(void) { return hop(-1); }
X
$CC -g -O0 -o plain main.c || exit 2
{
    printf 'commslice-slice 1\nmode\tslice\ntotal\t10\t4\n'
    printf 'func\tmain\tsrc/app.c\t3\t8\t4\nfunc\twork\tsrc/app.c\t30\t2\t0\n'
    printf 'site\t0\tsrc/app.c\t12\tmain\tMPI_Send\t2\nsite\t1\tsrc/app.c\t13\tmain\tMPI_Bcast\t0\n'
    printf 'opaque\tstrange\tsrc/app.c\t9\nassume\tapp.c:8=never\t3\nwarn\ta\\ttab\nfuture\tline\n'
    # A line of an earlier version, which has a field less, and one of today's.
    printf 'loop\tsrc/app.c\t21\tmain\tit calls what is not seen\tsrc/app.c\t22\n'
    printf 'loop\tsrc/app.c\t31\tmain\t\t\t0\tits counter is used in the loop\n'
    printf 'stmt\t0\t0\tsrc/app.c\t12\t1\troot\t-1\tMPI_Send(count)\n'
    printf 'stmt\t1\t0\tsrc/app.c\t6\t1\tdata\t0\tn_5 = _3 * 4\n'
    printf 'stmt\t2\t0\tsrc/app.c\t5\t1\tcontrol\t1\tif (a_1 > 2)\n'
    printf 'stmt\t3\t0\tsrc/app.c\t8\t0\t-\t-1\tif (r < eps)\n'
    printf 'stmt\t4\t0\tsrc/app.c\t5\t0\t-\t-1\tx = 0\n'
    printf 'stmt\t7\t0\tsrc/load.c\t1\t1\tdata\t0\tn_5 = m;\nstmt\t8\t0\tsrc/load.c\t2\t1\tdata\t0\tn_6 = n;\n'
    printf 'stmt\t5\t0\tsrc/loop.c\t1\t1\tdata\t6\tp\nstmt\t6\t0\tsrc/loop.c\t2\t1\tdata\t5\tq\n'
} >section
objcopy --add-section .commslice=section plain app.slice || exit 2
zstd -q -f section -o section.zst && objcopy --add-section .commslice=section.zst plain packed.slice || exit 2
head -c 60 section.zst >cutsection.zst; objcopy --add-section .commslice=cutsection.zst plain bad.slice
sed 's/^total.*/total\tx/' section >badline; objcopy --add-section .commslice=badline plain badline.slice
sed 's/slice 1/slice 9/' section >future; objcopy --add-section .commslice=future plain future.slice
for s in app.slice packed.slice; do
    expect "info $s" 0 '^4 of 10 statements kept, 40.0 %$' "$c" info $s
    expect "info sites $s" 0 'content is sent by 1, the envelope by 0, nothing by 1' "$c" info $s
    expect "info loops $s" 0 '^loops with recorded calls: 2, of which 0 run one turn for all, 1 compare turns$' "$c" info $s
    expect "info opaque $s" 0 'strange, called at src/app.c:9' "$c" info $s
    expect "why $s" 0 '^src/app.c:5 in main: if (a_1 > 2)$' "$c" why $s app.c:5
done
expect 'info assumption' 0 '^  app.c:8=never$' "$c" info app.slice
expect 'info warning' 0 'a\\ttab' "$c" info app.slice
json 'info --json of a slice' "o['kept'] == 4 and o['sites'][0]['mark'] == 'content'" "$c" info --json app.slice
expect 'why ends at the call' 0 'src/app.c:12 in main: MPI_Send(count)' "$c" why app.slice src/app.c:5
expect 'why says what was removed beside' 0 '1 statement at this line was removed' "$c" why app.slice ./src/app.c:5
expect 'why removed' 1 'app.c:8 was removed' "$c" why app.slice app.c:8
expect 'why with a longer path' 1 'was removed' "$c" why app.slice /home/me/src/app.c:8
error 'why nothing there' 'nearest are at lines 6 and 8' "$c" why app.slice app.c:7
error 'why unknown file' 'no statement of a file pp.c' "$c" why app.slice pp.c:7
error 'why no place' 'no function of a file app.c:x' "$c" why app.slice app.c:x
expect 'why of a file' 0 'app.c:12 in main: MPI_Send(count)' "$c" why app.slice app.c
error 'why of too much' 'give a slice' "$c" why app.slice app.c:5 app.c:6
expect 'why of a variable that is read for another one' 0 'its value, read from m, is used by' "$c" why app.slice load.c:1
expect 'why of a variable that is read' 0 'its value, n, is used by' "$c" why app.slice load.c:2
expect 'why in a circle' 0 'go in a circle' "$c" why app.slice loop.c:1
json 'why --json' "o['kept'] and [s['line'] for s in o['chains'][0]] == [5, 6, 12]" "$c" why --json app.slice app.c:5
for verb in info 'why x'; do
    set -- $verb
    error "$1 of no slice" 'not a slice' "$c" "$1" plain ${2:+app.c:5}
    error "$1 of a damaged section" 'damaged' "$c" "$1" bad.slice ${2:+app.c:5}
    error "$1 of a damaged line" 'damaged in line 3' "$c" "$1" badline.slice ${2:+app.c:5}
    error "$1 of another version" 'another version' "$c" "$1" future.slice ${2:+app.c:5}
done

# ---- call sites of the original: module and offset become file and line
offset=$(nm plain | awk '$3 == "main" { print $1 }')
printf 'ranks 1\n0 MPI_Barrier world @ %s:+0x%x\n0 MPI_Barrier world @ /nix/lib.so:+0x10\n' \
    "$dir/plain" $((0x$offset + 5)) | make_trace address.tr
expect 'address to line' 0 'at .*main.c:5$' "$c" print address.tr
expect 'address without file' 0 'at /nix/lib.so+0x10$' "$c" print address.tr

# ---- run and record, with a stand-in for mpiexec
cat >mpiexec <<'X'
#!/bin/sh
# mpiexec -n N env LD_PRELOAD=... program: checks what it is given and writes a trace in place of the ranks.
[ "$1" = -n ] && [ "$3" = env ] || exit 90
case $4 in LD_PRELOAD=*/libcommslice-mpich.so) ;; *) exit 91 ;; esac
[ "$COMMSLICE_TIMES" = 0 ] && [ "${LD_PRELOAD-}" = "" ] && [ "$COMMSLICE_ASSUMPTIONS" = app.c:8=never ] || exit 92
[ "$5 $6" = "./app.slice arg" ] || exit 93
[ -n "${SILENT-}" ] || sed "s/ranks 3/ranks ${RANKS-$2}/" "$WORK/${SCRIPT-a.txt}" | "$TRACE_MAKE" "$COMMSLICE_TRACE"
exit ${STATUS-0}
X
chmod +x mpiexec
mkdir lib && $CC -shared -o lib/libcommslice-mpich.so -x c /dev/null || exit 2
export TRACE_MAKE WORK="$dir" COMMSLICE_MPIEXEC="$dir/mpiexec" COMMSLICE_LIBDIR="$dir/lib"
(cat a.txt; echo cut 1) >cut.txt
expect run 0 '^3 ranks, 15 events, .* in app.slice.trace$' "$c" run --engine mpich -n 3 ./app.slice arg
expect 'run again replaces' 0 '15 events' "$c" run --engine mpich -n 3 ./app.slice arg
expect 'run without ./' 0 '15 events' "$c" run --engine mpich -n 3 app.slice arg
expect 'run wrote it' 0 'same: 15' "$c" diff a.tr app.slice.trace
error 'run no slice' 'plain: not a slice: it has no section' "$c" run --engine mpich -n 3 ./plain
error 'run nothing' 'nix: No such file' "$c" run --engine mpich -n 3 ./nix
error 'run script' 'not an executable' "$c" run --engine mpich -n 3 a.txt
error 'run -n' 'give the number of ranks' "$c" run ./app.slice
error 'run -n bad' '-n 0 is no number of ranks' "$c" run --engine mpich -n 0 ./app.slice
error 'run engine' 'no engine magic' "$c" run --engine mpich -n 3 --engine magic ./app.slice arg
error 'run -o' 'a.txt: exists and is not a trace' "$c" run --engine mpich -n 3 -o a.txt ./app.slice arg
error 'run -o folder' 'nix/t: No such file' "$c" run --engine mpich -n 3 -o nix/t ./app.slice arg
error 'run without library' 'set COMMSLICE_LIBDIR' env COMMSLICE_LIBDIR=/nix "$c" run --engine mpich -n 3 ./app.slice arg
error 'run without mpiexec' 'cannot start /nix' env COMMSLICE_MPIEXEC=/nix "$c" run --engine mpich -n 3 ./app.slice arg
expect 'run fails' 2 'ended with exit code 7' env STATUS=7 "$c" run --engine mpich -n 3 ./app.slice arg
expect 'run crashes' 2 'a slice has no error paths: does the original end well' env STATUS=139 "$c" run --engine mpich -n 3 ./app.slice arg
error 'run records nothing' 'nothing was recorded' env SILENT=1 "$c" run --engine mpich -n 3 ./app.slice arg
expect 'run with ranks cut' 2 '1 rank did not come to MPI_Finalize' env SCRIPT=cut.txt "$c" run --engine mpich -n 3 ./app.slice arg
expect 'run with other ranks' 2 '4 ranks were asked for and 3 ran' env RANKS=3 "$c" run --engine mpich -n 4 ./app.slice arg
mkdir elsewhere
expect record 0 '3 ranks, 15 events, .* in r.tr' "$c" record -o r.tr -- sh -c \
    'cd elsewhere; [ "$COMMSLICE_TIMES" = 1 ] && unset LD_PRELOAD && "$TRACE_MAKE" "$COMMSLICE_TRACE" <../a.txt'
error 'record -o' 'give the trace to write' "$c" record -- true
error 'record command' 'cannot start /nix' "$c" record -o r.tr -- /nix
error 'record under emulate without -n' 'give the number of ranks with -n' "$c" record --engine emulate -o r.tr -- true
error 'record under mpich with -n' 'mpiexec has its own' "$c" record -n 2 -o r.tr -- true
error 'record nothing' 'nothing was recorded' "$c" record -o r.tr -- true

finish
