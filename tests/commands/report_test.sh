#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reports of traces of all kinds: report_check.sh compares each page, its CSV and its JSON with what other verbs say. Then bad input.
# Everything runs under engine emulate.
set -u
. "$(dirname "$0")/../frame.sh"
make_trace() { "$build/tests/unit/trace_make" "$1"; }
check() { rm -rf pics; sh "$top/tests/commands/report_check.sh" "$COMMSLICE" "$build/tests/page_check" "$1" "$2" pics; }     # TRACE SHOWN
# One line on standard error, exit code 2, nothing on standard output, and an older page stays as it was.
refuses() {  # PATTERN ARGUMENTS...
    what=$1; shift
    echo old >old.html
    "$COMMSLICE" report --force -o old.html "$@" >out 2>err
    [ $? = 2 ] && grep -q "$what" err && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && [ "$(cat old.html)" = old ] && ! ls | grep -q '\.new\.\|\.part' ||
        { cat out err; ls; false; }
}
says() { page=$1; shift; grep -q "$*" "$page" || { sed -n '/id="summary"/,/<\/section>/p' "$page"; false; }; }

# ---- traces: by hand, of a program that calls everything, of slices
cat >hand.txt <<'X'
ranks 3
assume x.c:3=never
comm world/0 2 0
type i1 4 4
0 MPI_Init @ <b>&"'.c:5
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
make_trace hand.T <hand.txt
(sed 's/^ranks 3/&\ntimes/' hand.txt) | make_trace timed.T
(cat hand.txt; echo cut 1) | make_trace cut.T
(sed '/^1 /d' hand.txt; echo missing 1) | make_trace missing.T
echo 'ranks 2' | make_trace nothing.T
"$MPICC" -g -w -o exchange "$top/tests/commands/exchange.c" || exit 2
"$COMMSLICE" record --engine emulate -n 4 -q -o exchange.T -- ./exchange || exit 2
for t in hand timed nothing exchange; do
    case_ "$t" check $t.T $t.T
done
for t in hand exchange; do
    "$COMMSLICE" merge -o $t.M $t.T >log && "$COMMSLICE" fold -o $t.F $t.T >log || exit 2
    case_ "$t, merged" check $t.T $t.M
    case_ "$t, folded" check $t.T $t.F
done
for form in 'merge --order post-first' 'merge --order send-first' 'fold --method calls' 'fold --method paper' 'merge --unroll 10'; do
    # shellcheck disable=SC2086
    "$COMMSLICE" $form -o form.M exchange.T >log 2>&1 || { cat log; exit 2; }
    case_ "exchange, $form" check exchange.T form.M
done
for p in persistent split_cart swap_buffers timestep trap_neighbor trap_groups rank_sites waitany recursion trap_rooted; do
    "$MPICC" -g -w -fplugin="$PLUGIN" -o $p "$(program_file "$top/tests/programs" $p)" -lm 2>log || { cat log; exit 2; }
    "$COMMSLICE" run -n 4 -q -o $p.T ./$p >log 2>&1 || { fail "$p does not run"; cat log; continue; }
    case_ "slice of $p" check $p.T $p.T
done
"$COMMSLICE" run -n 200 -q -o many.T ./timestep >log 2>&1 || { cat log; exit 2; }
case_ "many ranks" check many.T many.T

# ---- the check itself: another run's report, and a page with its tags crossed, an id twice and a link away
differs() { ! check "$1" "$2"; }
case_ "the check finds another run" differs hand.T exchange.T
crossed() {
    sed 's|</h2>|</b></h2>|; s|id="ranks"|id="sites"|; s|href="#phases"|href="phases.html"|; s|<p class="soft">|&see https://example.org |' pics/page.html >crossed.html
    ! "$build/tests/page_check" crossed.html >/dev/null 2>why && grep -q '</b> closes <h2>' why && grep -q 'id sites is there twice' why && grep -q 'away from the page: phases.html' why && grep -q 'an address: https://example.org' why
}
case_ "the check finds a broken page" crossed

# ---- patterns by name
pattern() {  # WORDS RANKS EDGES...: each "SOURCE DEST"
    words=$1; n=$2; shift 2
    { echo "ranks $n"; for e; do echo "${e% *} MPI_Send 10 d1 ${e#* } 1 world @ a.c:1"; done; } | make_trace p.T && "$COMMSLICE" report --json p.T >p.json &&
        jq -e --arg w "$words" '.pattern == $w and .pattern_explains_all' p.json >/dev/null || { jq .pattern p.json; false; }
}
all_of() { for i in 0 1 2 3 4; do for j in 0 1 2 3 4; do [ $i = $j ] || printf '"%s %s" ' $i $j; done; done; }
grid() {  # ROWS COLUMNS WRAP
    for r in $(seq 0 $(($1 - 1))); do for c in $(seq 0 $(($2 - 1))); do
        [ $((c + 1)) -lt $2 ] && printf '"%d %d" "%d %d" ' $((r * $2 + c)) $((r * $2 + c + 1)) $((r * $2 + c + 1)) $((r * $2 + c))
        [ $((r + 1)) -lt $1 ] && printf '"%d %d" "%d %d" ' $((r * $2 + c)) $((r * $2 + c + $2)) $((r * $2 + c + $2)) $((r * $2 + c))
        [ "$3" ] && [ $r = $(($1 - 1)) ] && printf '"%d %d" ' $((r * $2 + c)) $c
    done; done
}
case_ "pattern: each with each" eval pattern "'each rank with each other'" 5 "$(all_of)"
case_ "pattern: line" pattern 'nearest neighbours in a line' 6 '0 1' '1 2' '2 1' '3 4' '4 5'
case_ "pattern: ring" pattern 'nearest neighbours on a ring' 5 '0 1' '1 2' '2 3' '3 4' '4 0'
case_ "pattern: grid" eval pattern "'nearest neighbours on a 2-D grid 4 x 5'" 20 "$(grid 4 5 '')"
case_ "pattern: torus" eval pattern "'nearest neighbours on a 2-D grid 4 x 6, around its ends'" 24 "$(grid 4 6 wrap)"
case_ "pattern: tree" pattern 'along a binomial tree from rank 0' 8 '0 4' '0 2' '0 1' '4 6' '4 5' '6 7' '2 3'
case_ "pattern: star" pattern 'rank 2 with the others' 7 '2 0' '2 1' '3 2' '5 2' '6 2'
case_ "pattern: butterfly" pattern 'butterfly: ranks whose numbers differ in one bit' 16 '0 1' '1 0' '2 3' '0 2' '2 0' '0 4' '4 0' '8 0' '0 8' '15 11' '13 5'
case_ "pattern: transposition" pattern 'transposition of a 4 x 4 grid of ranks' 16 '1 4' '4 1' '2 8' '8 2' '7 13' '13 7'

# ---- the page
"$COMMSLICE" report -o hand.html hand.T && "$COMMSLICE" report -o exchange.html exchange.T && "$COMMSLICE" report -o many.html many.T || exit 2
case_ "markup of a trace is text" says hand.html '&lt;b&gt;&amp;&quot;&#39;.c:5'
case_ "no markup of a trace" sh -c '! grep -q "<b>&\"" hand.html'
case_ "no times: says so" says hand.html 'This trace has no times'
case_ "times: over time" says exchange.html 'Over time'
case_ "many ranks: blocks" says many.html 'a cell is 4 by 4 ranks'
case_ "many ranks: a small page" sh -c '[ "$(wc -c <many.html)" -lt 500000 ]'
case_ "the same again" sh -c '"$1" report -o again.html hand.T && cmp hand.html again.html' x "$COMMSLICE"
case_ "to standard output" sh -c '"$1" report -o /dev/stdout hand.T | cmp - hand.html' x "$COMMSLICE"

# ---- bad input
head -c $(($(stat -c %s hand.T) / 2)) hand.T >torn.T
echo hello >no.T
: >empty.T
head -c 300 hand.F >torn.F
mkdir folder
case_ "no trace: none" refuses 'nix.T: No such file' nix.T
case_ "no trace: text" refuses 'no.T: not a commslice trace' no.T
case_ "no trace: empty" refuses 'empty.T: empty file' empty.T
case_ "cut off: up to where" refuses 'cut.T: 1 of 3 ranks are not complete: rank 1 was cut after [0-9]* events' cut.T
case_ "a rank is missing" refuses 'missing.T: 1 of 3 ranks are not complete: rank 1 is missing' missing.T
# What there is of them, if asked for: the page says so, and its sums are the matrix's.
partial() {  # TRACE WORDS
    rm -f part.html
    "$COMMSLICE" report --partial --json -o part.html "$1" >part.json 2>err && [ "$(wc -l <err)" = 1 ] && grep -q "$2; the report is of what is there" err && grep -q "<b>Partial.</b>.*$2" part.html &&
        [ "$("$COMMSLICE" matrix --json "$1" 2>/dev/null | jq '[.pairs[].bytes] | add')" = "$(jq .bytes part.json)" ] &&
        [ "$("$COMMSLICE" print --json "$1" | grep -c '"call"')" = "$(jq .calls part.json)" ] && jq -e '.incomplete_ranks == 1' part.json >/dev/null || { cat err part.json; false; }
}
case_ "cut off: what is there" partial cut.T '1 of 3 ranks are not complete: rank 1 was cut after 5 events'
case_ "a rank is missing: what is there" partial missing.T '1 of 3 ranks are not complete: rank 1 is missing'
(cat hand.txt; echo cut 1) | sed 's/^ranks 3/&\ntimes/' | make_trace cut-timed.T
case_ "cut off, with times: what is there" partial cut-timed.T 'rank 1 was cut after 5 events'
case_ "whole: says nothing of parts" sh -c '"$1" report --partial -o whole.html hand.T 2>err && cmp whole.html hand.html && [ ! -s err ]' x "$COMMSLICE"
case_ "torn" refuses 'torn.T: ' torn.T
python3 -c "b = open('hand.T', 'rb').read(); parts = b.split(b'CSTRACE4'); open('zero.T', 'wb').write(b'CSTRACE4'.join([parts[0]] + [p[:4] + bytes(4) + p[8:] for p in parts[1:]]))"
case_ "zero ranks" refuses 'zero.T: ' zero.T
case_ "torn folded one" refuses 'torn.F: ' torn.F
case_ "two traces" refuses 'give one trace' hand.T hand.T
case_ "no operand" refuses 'give one trace'
case_ "unknown option" refuses 'unknown option --nonsense' --nonsense hand.T
case_ "no output" sh -c '"$1" report hand.T 2>err; [ $? = 2 ] && grep -q "give the page to write" err' x "$COMMSLICE"
case_ "never over the trace" sh -c 'cp hand.T keep; "$1" report -o hand.T hand.T 2>err; [ $? = 2 ] && grep -q "is the trace itself" err && cmp hand.T keep' x "$COMMSLICE"
case_ "no folder" refuses 'no/such.html: cannot write: No such file' -o no/such.html hand.T
case_ "output is a folder" refuses 'folder: Is a directory' -o folder hand.T
case_ "full disk" refuses '/dev/full: cannot write' -o /dev/full hand.T
case_ "pictures: no folder" sh -c '"$1" report --pictures no/such hand.T 2>err; [ $? = 2 ] && grep -q "no/such: No such file" err' x "$COMMSLICE"
case_ "pictures: without gnuplot" sh -c 'PATH=/nix "$1" report --pictures without hand.T 2>err; [ $? = 2 ] && grep -q "gnuplot is not installed" err' x "$COMMSLICE"
finish
