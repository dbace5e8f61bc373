#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What engine emulate passes to the ranks and what becomes of what they print: arguments, environment, input, --stdout, --quiet, progress; threads.
set -u
. "$(dirname "$0")/../frame.sh"
sources=$top/tests/commands
must "$MPICC" -g -O1 -Wall -o talk "$sources/options_talk.c"

emulate() { n=$1; shift; "$COMMSLICE" record --no-times -o T --engine emulate -n "$n" "$@"; }
# Arguments (an empty one, too), environment, input to rank 0 alone.
got=$(printf 'first line\nsecond\n' | OPTIONS_TEST='a b' emulate 3 --quiet -- ./talk have 'x y' '' '*' | sort)
equal "arguments, environment, input" "rank 0: 3 arguments <x y> <> <*>, OPTIONS_TEST=<a b>, input <first line>
rank 1: 3 arguments <x y> <> <*>, OPTIONS_TEST=<a b>, input <end>
rank 2: 3 arguments <x y> <> <*>, OPTIONS_TEST=<a b>, input <end>" "$got"

# The last line is commslice's own.
got=$(emulate 2 -- ./talk none)
equal "summary" "2 ranks, 4 events" "$(echo "$got" | cut -d, -f1,2)"
equal "--quiet" "" "$(emulate 2 --quiet -- ./talk none 2>&1)"
equal "--stdout drop" "" "$(emulate 3 --quiet --stdout drop -- ./talk have </dev/null 2>&1)"
equal "--json" '["T",2,4,0,0,false]' "$(emulate 2 --json --stdout drop -- ./talk none | jq -c '[.trace, .ranks, .events, .cut_ranks, .missing_ranks, .failed]')"
equal "--json: bytes" "$(stat -c %s T)" "$(emulate 2 --json --quiet -- ./talk none | tail -n 1 | jq .bytes)"
emulate 2 --stdout loud -- ./talk none >log 2>&1
equal "--stdout of another kind" "2: commslice record: --stdout loud: there are show, tag and drop; see commslice record --help" "$?: $(cat log)"

# Each line whole and with its rank, in the order of that rank, with many ranks and few.
for n in 1 3 40; do
    emulate $n --quiet --stdout tag -- ./talk lines >lines 2>&1 || equal "tag: exit status" 0 1
    equal "tag: lines of $n ranks" $((n * 54)) "$(wc -l <lines)"
    equal "tag: own rank in each line of $n ranks" "" "$(sed -E 's/0123456789+//g' lines | awk '{ r = $1; gsub(/[][]/, "", r); if (r != $NF) print }' | head -n 3)"
    equal "tag: order of $n ranks" "$(i=0; while [ $i -lt 50 ]; do echo "[0] line $i of 0"; i=$((i + 1)); done; printf '[0] one of 0\n[0] two of 0\n')" \
        "$(grep -F '[0]' lines | head -n 52)"
    equal "tag: end without newline of $n ranks" "[0] last of 0" "$(grep -F '[0]' lines | tail -n 1)"
done

# Threads: levels as with MPICH; one at a time inside MPI.
must "$MPICC" -g -O1 -Wall -pthread -o threads "$sources/options_threads.c"
for level in 0 1 2 3 7; do
    equal "thread level $level" "$("$MPIEXEC" -n 1 ./threads none $level)" "$(emulate 1 --quiet -- ./threads none $level)"
done
equal "threads in turns" "3: level 3
got 7" "$(emulate 1 --quiet -- ./threads turns)"
emulate 2 --timeout 10 --quiet -- ./threads both >log 2>&1
equal "threads at the same time" "2 commslice: error: rank 0: MPI_Isend while another thread is inside MPI: engine emulate cannot do that; --engine mpich can" \
    "$? $(grep -m1 thread log)"

# Engine mpich leaves it to mpiexec.
cat >mpiexec <<'END2'
#!/bin/sh
echo "$1 $2 $3 $4"
END2
chmod +x mpiexec
must "$MPICC" -fplugin="$PLUGIN" -O1 -o talk.slice "$sources/options_talk.c"
mpich() { COMMSLICE_MPIEXEC=$dir/mpiexec "$COMMSLICE" run -o T -n 2 --engine mpich "$@" ./talk.slice 2>/dev/null; }
equal "mpich: tag" "-prepend-rank -n 2 env" "$(mpich --stdout tag)"
equal "mpich: show" "-n 2 env" "$(mpich | cut -d' ' -f1-3)"
equal "mpich: drop" "" "$(mpich --stdout drop)"

# --timeout, whoever keeps the clock.
cat >mpiexec <<'END2'
#!/bin/sh
exec sleep 100
END2
began=$(now)
COMMSLICE_MPIEXEC=$dir/mpiexec "$COMMSLICE" run -o T -n 2 --engine mpich --timeout 1 ./talk.slice >log 2>&1
equal "mpich: timeout" "2 commslice run: nothing was recorded: no process called MPI_Init, or the recorder was not loaded
commslice run: not done in the 1 s that --timeout gives" "$? $(cat log)"
took_ms=$((($(now) - began) / 1000000))
case_ "mpich: timeout in time" test "$took_ms" -lt 4000

# The line on a terminal, after two seconds and not before; not with --quiet, and not where there is no terminal.
on_terminal() {
    python3 -c '
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
try:
    while (piece := os.read(fd, 4096)):
        text += piece
except OSError:
    pass
os.waitpid(pid, 0)
print(text.decode().replace("\r", "\n"))' "$@"
}
slow() { on_terminal "$COMMSLICE" record --no-times -o T --engine emulate -n "$@"; }
shown='commslice: [0-9]* of 9 ranks done, [0-9]* events, [0-9]* a second, about [0-9]* s left'
slow 9 --jobs 1 -- ./talk slow >log
equal "progress" yes "$(grep -q "$shown" log && echo yes)"
equal "progress: nothing before 2 s" "" "$(grep -o '[0-3] of 9 ranks' log)"
slow 9 --jobs 1 --quiet -- ./talk slow >log
equal "no progress with --quiet" "" "$(grep done log)"
emulate 9 --jobs 1 -- ./talk slow >log 2>&1
equal "no progress without a terminal" "" "$(grep done log)"

# Each variable of the environment is named in base/environment.h, and told of in the documentation.
names=$(sed -n 's/^#define CS_ENV_[A-Z]* "\([A-Z_]*\)".*/\1/p' "$top/base/environment.h")
[ -n "$names" ] || die "base/environment.h: no names"
equal "variables without documentation" "" "$(for n in $names; do grep -q "\`$n\`" "$top/docs/reference/environment.md" || echo "$n"; done)"
equal "names of variables written elsewhere" "" "$(cd "$top" && grep -rnE 'env\("COMMSLICE_' --include='*.[ch]' --include='*.cc' \
    api balance base cli commlib emulate gcc-plugin skeleton slicer trace | grep -v ':[0-9]*: \*')"

finish
