#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names and arguments that mean something to a language in which we write: quotes, spaces, comment signs, markup, line breaks, control
# characters, bytes that are no UTF-8. Engine emulate only.
set -u
. "$(dirname "$0")/../frame.sh"
odd=$(printf 'a "q'"'"' <u>&amp;%%s %%n\\n\n,;\303\251\377\355\240\200\033[31m`t`$(t)|#@')
source='s "*'"'"'<&>%d$`.c'
end='*'                     # a folder of that name: its paths hold */ and /*
# A line of its own for each message, without control characters.
one_line() { [ "$(wc -l <"$1")" = 1 ] && ! LC_ALL=C tr -d '\n' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]'; }
refuses() { what=$1; shift; "$COMMSLICE" "$@" >out 2>err; [ $? = 2 ] && one_line err && grep -aq "$what" err || { cat out err; false; }; }
is_json() { python3 -c 'import json, sys; json.loads(sys.stdin.buffer.read().decode())' <"$1"; }
are_json() { python3 -c 'import json, sys; [json.loads(l.decode()) for l in sys.stdin.buffer]' <"$1"; }

mkdir "$odd" && cd "$odd" && mkdir "$end" || exit 2
sed 's/,/, /' "$top/tests/programs/collectives/rank_sites.c" >"$source" || exit 2

# ---- what runs
program="p $odd"
slice() { "$MPICC" -g -w -fplugin="$PLUGIN" -o "$program" "$PWD/$source" && "$COMMSLICE" run -q -n 3 -o "$program.T" "./$program" "$odd"; }
original() { "$MPICC" -g -w -o "o $odd" "$PWD/$source" && "$COMMSLICE" record --engine emulate -q -n 3 -o "$end/t.T" -- "./o $odd" "$odd"; }
same() { "$COMMSLICE" diff "$end/t.T" "$program.T"; }
arguments() {
    "$COMMSLICE" info --json "$1" >json && is_json json &&
        python3 -c 'import json, sys; sys.exit(json.load(open("json"))["arguments"] != "%s %s" % tuple(a.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for a in sys.argv[1:]))' "$2" "$odd"
}
plain() { ! LC_ALL=C tr -d '\n' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]'; }
plain_info() { "$COMMSLICE" info "$program.T" >out && plain out && [ "$(grep -ac '^arguments' out)" = 1 ]; }
plain_slice() { "$COMMSLICE" info "$program" >out && plain out && "$COMMSLICE" why "$program" "$source:$(grep -n 'MPI_Send' "$source" | sed 's/:.*//;q')" >out && plain out; }
printed() { "$COMMSLICE" print "$end/t.T" >out && [ "$(wc -l <out)" = "$("$COMMSLICE" print --json "$end/t.T" | wc -l)" ]; }
case_ "a slice" slice
case_ "an original" original
case_ "their diff" same
case_ "arguments of the slice" arguments "$program.T" "./$program"
case_ "arguments of the original" arguments "$end/t.T" "./o $odd"
case_ "info is plain text" plain_info
case_ "info and why of a slice are plain text" plain_slice
case_ "print: one line an event" printed
case_ "a message is one line" refuses 'No such file' info "nix $odd"
case_ "a wrong option is one line" refuses 'unknown option' info "--nix$odd"

# ---- what is generated
skeleton() {  # ARGUMENTS...: its C has no warnings
    "$COMMSLICE" skeleton --force --scale "$@" -o 'k "%??'"'"'.c' && "$MPICC" -std=c11 -Wall -Wextra -pedantic -Werror -o k 'k "%??'"'"'.c'
}
case_ "skeleton of */" skeleton 1 "$end/t.T"
case_ "skeleton of /*" skeleton 2 "./$end/t.T"
case_ "skeleton of the slice's, with times of /*/" skeleton 2 --times "$PWD/$end/t.T" "$program.T"
head_comment() { "$COMMSLICE" skeleton --scale 1 -o k.c "./$end/t.T" && grep -q '^/\* Communicates like \./\\\*\\/t\.T, 3 ranks' k.c; }
case_ "skeleton: its head comment names the trace" head_comment
commands() { "$COMMSLICE" predict --force -o "k '.c" "$end/t.T" >out && sed -n '1s/ -o skel / -fsyntax-only /p' out >run.sh && sh ./run.sh; }
case_ "predict: commands for a shell" commands
page() {
    "$COMMSLICE" report -o "$odd.html" --pictures "$odd.d" --json "$1" >json && is_json json && "$build/tests/page_check" "$odd.html" >/dev/null &&
        ! grep -aq '<u>' "$odd.html" && ! ls "$odd.d" | grep -q part && for f in "$odd.d"/*.png; do head -c 4 "$f" | grep -aq PNG || return 1; done
}
case_ "report: page, pictures, JSON" page "$end/t.T"
case_ "report of a slice" page "$program.T"
chrome() { "$COMMSLICE" export -f chrome -o "$odd.json" "$end/t.T" && is_json "$odd.json"; }
csv() {
    "$COMMSLICE" export -f csv -o "$odd.csv" "$end/t.T" && python3 -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="", errors="surrogateescape")))
sys.exit({len(r) for r in rows} != {len(rows[0])} or not rows[1][-3].endswith(sys.argv[2]))' "$odd.csv" "$source"
}
case_ "export: Chrome's JSON" chrome
case_ "export: CSV" csv
case_ "export: OTF2" eval '"$COMMSLICE" export -f otf2 -o "$odd.otf2" "$end/t.T" && otf2-print "$odd.otf2/traces.otf2" >out 2>&1'
case_ "export: a line break in a name of a time-independent trace" refuses 'names without line breaks' export -f ti -o t.ti "$end/t.T"
case_ "export: which makes nothing" test ! -e t.ti -a ! -e t.ti_files
case_ "matrix: a picture" eval '"$COMMSLICE" matrix --png "$odd.png" "$end/t.T" && head -c 4 "$odd.png" | grep -aq PNG'
for verb in info print matrix 'diff same.T'; do
    cp "$end/t.T" same.T
    # shellcheck disable=SC2086
    case_ "$verb --json" eval '"$COMMSLICE" $verb --json "$end/t.T" >json && are_json json'
done
slice_json() { "$COMMSLICE" info --json --all "./$program" >json && is_json json && grep -q '%d\$`.c' json; }
case_ "info --json of a slice" slice_json
why() { "$COMMSLICE" why "./$program" "$source:$(grep -n -m1 'MPI_Init(' "$source" | cut -d: -f1)" >out 2>&1; [ $? -lt 2 ] || { cat out; false; }; }
case_ "why, by a name" why

# ---- a folder that the dynamic linker cannot be told of, and a link to it
spaced() { mkdir -p 'l i:b' && cp "$COMMSLICE_LIBDIR"/libcommslice-*.so 'l i:b' && ln -s "$PWD/l i:b" "$dir/link" && (export COMMSLICE_LIBDIR="$PWD/l i:b"; refuses 'l i:b/.*LD_PRELOAD takes no name with spaces' run -n 1 "./$program"); }
linked() { (export COMMSLICE_LIBDIR="$dir/link"; "$COMMSLICE" run -q -n 3 -o link.T "./$program" "$odd" && "$COMMSLICE" diff link.T "$end/t.T"); }
case_ "libraries in a folder with spaces" spaced
case_ "libraries by a link to it" linked

# ---- what must not be touched: the trace itself, and devices
case_ "never over the trace: matrix" eval 'refuses "is the trace itself" matrix --png same.T same.T && cmp same.T "$end/t.T"'
case_ "never over the trace: skeleton" eval 'refuses "same.T: is the trace itself" skeleton --scale 1 -o same.T same.T && cmp same.T "$end/t.T"'
full() { refuses "/dev/full: cannot write: No space left" "$@" && [ -c /dev/full ]; }
case_ "a full device: CSV" full export -f csv -o /dev/full "$end/t.T"
case_ "a full device: Chrome's JSON" full export -f chrome -o /dev/full "$end/t.T"
case_ "a full device: page" full report -o /dev/full "$end/t.T"
case_ "a full device: picture" full matrix --png /dev/full "$end/t.T"
over_itself() { "$COMMSLICE" merge -o same.M "$end/t.T" && cp same.M kept.M && refuses "is the trace itself" fold -o same.M same.M && cmp same.M kept.M; }
case_ "never over itself: fold" over_itself
case_ "words that are no option: predict" refuses "options go before the trace" predict "$end/t.T" -o k.c

# ---- ended by a signal while a file is half there: a gnuplot that waits gives the time for it
mkdir tools tmp && cat >tools/gnuplot <<'END' && chmod +x tools/gnuplot && cp tools/gnuplot tools/mpicc || exit 2
#!/bin/sh
sed -n "s/^set output '\(.*\)'$/\1/p" | while read -r file; do echo >"$file"; done
exec sleep 20
END
ended() {  # FILE COMMAND...: the file comes, and with the signal it goes
    there=$1; shift
    PATH=$PWD/tools:$PATH TMPDIR=$PWD/tmp COMMSLICE_MPICC=$PWD/tools/mpicc "$COMMSLICE" "$@" </dev/null >out 2>&1 &
    pid=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        # shellcheck disable=SC2086  # a pattern on purpose
        if ls -d $there >/dev/null 2>&1; then break; fi
        sleep $((i < 8 ? 0 : 1)).2
    done
    # shellcheck disable=SC2086
    cat out;     ls -d $there && sleep 0.5 && kill -TERM "$pid" && ! wait "$pid" && ! ls -d $there
}
case_ "ended: a picture" ended 'half.png.new.*' matrix --png half.png "$end/t.T"
case_ "ended: pictures of a report" ended 'half.d/*.part.*' report --pictures half.d -o half.html "$end/t.T"
# More files than any other command has open; the last rank's is long.
cat >last.c <<'END' || exit 2
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, n, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; rank == n - 1 && i < 2500000; i++)
        MPI_Sendrecv(&i, 1, MPI_INT, rank, 0, &got, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
END
case_ "a slice with one long rank" eval '"$MPICC" -O2 -w -fplugin="$PLUGIN" -o last last.c && "$COMMSLICE" run -q -n 80 -o last.T ./last'
case_ "ended: a file for each of 80 ranks" eval 'ended "$dir/half.ti_files/rank-79.txt" export -f ti -o "$dir/half.ti" last.T && ! ls -d "$dir/half.ti_files"'
case_ "ended: a prediction" ended 'tmp/commslice-predict.*' predict --force "$end/t.T"
finish
