#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libcommslice and the Python package over it: they read what the command reads, in all forms; the examples of their pages work;
# what cannot be read is one line.
set -u
. "$(dirname "$0")/../frame.sh"
library=$build/reading/libcommslice.so.0
# Debian's numpy is for Debian's Python, which need not be the first one.
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$p" -c 'import numpy, pandas' 2>/dev/null || python=$p
done
[ -n "$python" ] || die "no Python with numpy and pandas (Debian: python3-numpy python3-pandas)"
python() { PYTHONPATH=$top/python PYTHONDONTWRITEBYTECODE=1 COMMSLICE_LIBRARY=$library "$python" "$@"; }

cp "$top/demo/heat.c" "$top/demo/heat.txt" "$top/demo/small.txt" . || exit 2
must "$build/cli/commslice-mpicc" -O2 -g -o heat.slice heat.c
must "$COMMSLICE" run -q -n 16 -o heat.trace ./heat.slice heat.txt
must "$COMMSLICE" fold heat.trace -o heat.fold
must "$COMMSLICE" merge heat.trace -o heat.merged
must "$MPICC" -O2 -g -o heat heat.c
must "$COMMSLICE" record -q --engine emulate -n 4 -o times.trace -- ./heat small.txt
# Persistent requests, made before the loop that starts them and in it, some with nobody.
cat >persistent.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int me, n, in[64], out[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Request all[2], one;
    MPI_Recv_init(in, 64, MPI_INT, me ? me - 1 : MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Send_init(out, 64, MPI_INT, me + 1 < n ? me + 1 : MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[1]);
    for (int i = 0; i < 20; i++) {
        MPI_Startall(2, all);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 10; i++) {
        MPI_Send_init(out, 3 + i % 2, MPI_INT, me, 2, MPI_COMM_WORLD, &one);
        MPI_Start(&one);
        MPI_Recv(in, 64, MPI_INT, me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
        MPI_Request_free(&one);
    }
    MPI_Request many[12];
    for (int i = 0; i < 12; i++)
        MPI_Send_init(out, 7, MPI_INT, me, 3, MPI_COMM_WORLD, &many[i]);
    MPI_Startall(12, many);
    for (int i = 0; i < 12; i++)
        MPI_Recv(in, 64, MPI_INT, me, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(12, many, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 12; i++)
        MPI_Request_free(&many[i]);
    MPI_Finalize();
}
END
must "$MPICC" -O2 -g -o persistent persistent.c
must "$COMMSLICE" record -q --no-times --engine emulate -n 5 -o persistent.trace -- ./persistent

# The manual page's program prints the matrix of the command.
awk '/^\.SH EXAMPLE/ { on = 1; next } /^\.SH/ { on = 0 } on && !/^\./ { gsub(/\\\\/, "\\"); print }' "$top/docs/man/libcommslice.3" >example.c
must "$CC" -Wall -Wextra -Werror -I"$top/reading" -o example example.c "$library" "-Wl,-rpath,$build/reading"
same_matrix() { # TRACE
    ./example "$1" >got && "$COMMSLICE" matrix --csv --bytes "$1" | sed '1d; s/\([0-9]*\),\([0-9]*\),\([0-9]*\)/\1 to \2: \3 bytes/' >want && [ -s want ] && cmp want got
}
for t in heat.trace heat.fold heat.merged times.trace persistent.trace; do case_ "matrix: $t" same_matrix $t; done
matrices_agree() { "$COMMSLICE" matrix --csv heat.trace >a && "$COMMSLICE" matrix --csv heat.fold | cmp a && "$COMMSLICE" matrix --csv heat.merged | cmp a; }
case_ "commslice matrix of a folded and of a merged trace" matrices_agree

# In C++ as well, and nothing else is to be seen.
cat >plus.cpp <<'END'
#include <commslice.h>
int main() { char why[8]; return cs_reader_open("none", why, sizeof why) != nullptr; }
END
plus() { "$MPICXX" -Wall -Werror -I"$top/reading" -o plus plus.cpp "$library" "-Wl,-rpath,$build/reading" && ./plus; }
case_ "C++" plus
own_names() { nm -D --defined-only "$library" >names && [ -s names ] && ! grep -vE ' T cs_reader_' names; }
case_ "names that programs see" own_names

# The page of the Python package, example by example.
examples() { python -m doctest "$top/docs/guide/read-with-python.md"; }
case_ "examples of the page" examples
sed 's/((16, 16), /((16, 17), /' "$top/docs/guide/read-with-python.md" >other.md
expect "examples: one that is wrong is noticed" 1 "Expected" python -m doctest other.md

# Sums by call site are those of the events, one by one, and of the matrix; whoever asks with or without loops.
cat >sums.py <<'END'
import collections, sys
import commslice
for name in sys.argv[1:]:
    run = commslice.open(name)
    calls, sent, pairs = collections.Counter(), collections.Counter(), 0
    for rank in range(run.ranks):
        events = run.events(rank)
        assert len(events) == run.count(rank) and run.complete(rank), name
        assert (events["times"] == 1).all() and (events["leave"] >= events["enter"]).all() and bool(events["leave"].any()) == run.has_times, name
        for call, line, n in zip(events["call"].tolist(), events["line"].tolist(), events["sent"].tolist()):
            calls[run.call_name(call), line] += 1
            sent[run.call_name(call), line] += n
    sites = run.sites()
    assert {(s.call, s.line): s.calls for s in sites} == dict(calls), (name, calls, sites)
    assert {(s.call, s.line): s.sent for s in sites} == dict(sent), (name, sent, sites)
    messages = sum(n for (call, _), n in sent.items() if "send" in call or "Start" in call)
    assert messages == int(run.matrix().sum()), (name, messages)
    print(name, len(sites), "sites, ok")
try:
    commslice.open("persistent.trace").events(0, unroll=False)
except commslice.TraceError as e:
    print(e)
END
case_ "sums by call site" python sums.py heat.trace heat.fold heat.merged times.trace persistent.trace
expect "a loop that makes requests is not taken as one turn" 0 "persistent.trace: a loop makes persistent requests: unroll it" python sums.py

# Bad input.
for f in heat.c none; do expect "not a trace: $f" 1 "$f: ." python -c "import commslice; commslice.open('$f')"; done
expect "no such rank" 1 "no rank 16, the run had ranks 0 to 15" python -c "import commslice; commslice.open('heat.trace').events(16)"
expect "closed" 1 "is closed" python -c "import commslice; r = commslice.open('heat.trace'); r.close(); r.matrix()"
cut() { # each length of a cut file: a reason, or what is there
    cat >cut.py <<'END'
import commslice
whole = open("heat.trace", "rb").read()
for n in range(0, len(whole), 7):
    open("cut.trace", "wb").write(whole[:n])
    try:
        with commslice.open("cut.trace") as run:
            run.matrix(), run.sites(), [run.events(r) for r in (0, 15)]
            run.nest()
    except commslice.TraceError as e:
        assert str(e).startswith("cut.trace: ") and "\n" not in str(e), e
END
    python cut.py
}
case_ "cut files" cut
finish
