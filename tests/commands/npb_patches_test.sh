#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# npb-patches/try, on tiny programs of our own that are laid out as NPB and Sweep3D are: what it makes, what it refuses with one line, that it only
# reads the copy, and that --verify notices an assumption that does not hold.
set -u
. "$(dirname "$0")/../frame.sh"
try=$top/npb-patches/try
unset COMMSLICE_PLUGIN

# ---- NPB: a ring that goes on until its residual is small ----

npb() {  # FOLDER VERSION TOLERANCE
    mkdir -p "$1/sys" "$1/config" "$1/LU" "$1/BT" "$1/IS"
    printf '#define VERSION "%s"\n' "$2" >"$1/sys/setparams.c"
    echo '! nothing' >"$1/LU/mpinpb.f"
    cat >"$1/LU/Makefile" <<'END'
include ../config/make.def
default: ssor.o
	$(FLINK) $(FLINKFLAGS) -o $(BINDIR)/lu.$(CLASS).x ssor.o
ssor.o: ssor.f
	$(MPIFC) -c $(FFLAGS) ssor.f
END
    cat >"$1/LU/ssor.f" <<END
      program ring
      use mpi
      double precision rsdnm(5), tolrsd(5), part(5)
      integer i, step, me, ranks, e
      integer status(MPI_STATUS_SIZE)
      call MPI_Init(e)
      call MPI_Comm_rank(MPI_COMM_WORLD, me, e)
      call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
      tolrsd = $3
      do step = 1, 7
        do i = 1, 5
          part(i) = sqrt(dble(me + i)) / step
        end do
        call MPI_Sendrecv_replace(part, 5, MPI_DOUBLE_PRECISION,
     &    mod(me + 1, ranks), 0, mod(me + ranks - 1, ranks), 0,
     &    MPI_COMM_WORLD, status, e)
        call MPI_Allreduce(part, rsdnm, 5, MPI_DOUBLE_PRECISION,
     &    MPI_SUM, MPI_COMM_WORLD, e)
        if (rsdnm(1) .lt. tolrsd(1) .and.
     &      rsdnm(2) .lt. tolrsd(2) .and.
     &      rsdnm(3) .lt. tolrsd(3) .and.
     &      rsdnm(4) .lt. tolrsd(4) .and.
     &      rsdnm(5) .lt. tolrsd(5)) exit
      end do
      call MPI_Finalize(e)
      end
END
}

# ---- Sweep3D: every rank sends its part of the points to the next ----

sweep3d() {  # FOLDER
    mkdir -p "$1"
    touch "$1/msg_stuff.cpp"
    echo '      parameter (maxtasks=8)' >"$1/msg_stuff.h"
    printf '9 9 1 1 1\n-3.0 20 20\n' >"$1/input.50"
    printf 'SHELL = /bin/none\nFC = none\nmpi:\n\t$(FC) $(MPI_FFLAGS) -o sweep3d.mpi inner.f $(MPI_LDFLAGS)\n' >"$1/makefile"
    cat >"$1/inner.f" <<'END'
      program lines
      use mpi
      integer rows, columns, its, me, e, n
      double precision err, epsi, points(40)
      integer status(MPI_STATUS_SIZE)
      call MPI_Init(e)
      call MPI_Comm_rank(MPI_COMM_WORLD, me, e)
      open (10, file='input')
      read (10, *) rows, columns
      read (10, *) epsi
      its = 0
      points = me
10    its = its + 1
      n = 20 / rows
      if (me + 1 .lt. rows * columns) call MPI_Send(points, n,
     &  MPI_DOUBLE_PRECISION, me + 1, 0, MPI_COMM_WORLD, e)
      if (me .gt. 0) call MPI_Recv(points, n,
     &  MPI_DOUBLE_PRECISION, me - 1, 0, MPI_COMM_WORLD, status, e)
      call MPI_Allreduce(sum(points), err, 1,
     &  MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, e)
      if ((err.gt.epsi .and. epsi.ge.0) .or.
     &  (its.lt.int(-epsi) .and. epsi.lt.0)) go to 10
      call MPI_Finalize(e)
      end
END
}

npb NPB 3.4 1d-9
npb converges 3.4.2 1d9
npb old 2.4 1d-9
npb serial 3.4 1d-9 && rm serial/LU/mpinpb.f
mkdir -p outer empty && cp -r NPB outer/NPB3.4-MPI
sweep3d sweeps
contents() { (cd "$1" && find . -type f -exec cksum {} + | sort); }
contents NPB >before
touch out err files.before

try() { "$try" -B "$build" "$@"; }
refuses() {  # TEXT ARGUMENTS...: exit status 2, one line, which says so, and nothing is made
    text=$1
    shift
    ls -A >files.before && try "$@" >out 2>err
    [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$text" err && ls -A | cmp - files.before && return
    cat out err
    false
}

# A command; when it fails, what it printed.
shows() { "$@" >out 2>&1 || { cat out; false; }; }
said() { grep -q -- "$1" out || { cat out; false; }; }

# ---- what it makes ----

case_ "help" eval 'try --help >out && grep -q "^usage: .*NPB-FOLDER PROGRAM CLASS RANKS" out'
listed() { try --list >out && for f in "$top"/npb-patches/*/*.assume; do grep -q " $(basename "$f" .assume) " out || return 1; done; }
case_ "list: every program" listed
line=$(sed -n '/rsdnm(4)/=' NPB/LU/ssor.f)
whole() {
    shows try --verify NPB lu S 4 && said "ssor.f:$line is never true" && said 'bytes sent' && said 'under mpich: the same trace' &&
        said 'under emulate: the same trace' && [ "$(cat lu.S.4/lu.assume)" = "ssor.f:$line=never" ] && [ -s lu.S.4/lu.trace ]
}
case_ "slice, matrix and comparison; the assumption is where this copy has it" whole
case_ "the copy is only read" eval 'contents NPB | cmp - before'
less() { "$COMMSLICE" info --json lu.S.4/slice/program >json && jq -e '.kept < .statements and (.assumptions | length == 1)' json; }
case_ "the assumption takes the computation out" less
case_ "again, into the same folder" eval 'try -o lu.S.4 NPB lu S 2 && "$COMMSLICE" info lu.S.4/lu.trace | grep -q "^ranks *2,"'
differs() { try --verify -o wrong converges lu S 2 >out 2>&1; [ $? = 1 ] && said DIFFER; }
case_ "verify notices an assumption that does not hold" differs
smaller() { shows try --verify -o large NPB lu A 36 && said '^verify: lu W, 4 ranks'; }
case_ "verify at a smaller size" smaller
grid() { shows try --verify sweeps sweep3d 50 2x3 && said 'original under emulate: the same trace' && grep '^2 3 1 1 1' sweep3d.50.2x3/slice/run/input; }
case_ "Sweep3D on a grid" grid
row() { shows try sweeps sweep3d 50 8 && grep '^2 4 ' sweep3d.50.8/slice/run/input; }
case_ "Sweep3D: a number becomes a grid" row

# ---- what it refuses ----

case_ "no arguments" refuses 'give FOLDER PROGRAM CLASS RANKS'
case_ "no such option" refuses 'unknown option' --nix NPB lu S 4
case_ "no such folder" refuses 'no such folder' nix lu S 4
case_ "a folder of something else" refuses 'neither a copy of NPB' empty lu S 4
case_ "the folder around it" refuses 'take its folder NPB3.4-MPI' outer lu S 4
case_ "not the MPI version" refuses 'not of its MPI version' serial lu S 4
case_ "a version that is not known" refuses 'NPB 2.4, but only' old lu S 4
case_ "no such program" refuses 'nix is no program of this copy: .*lu' NPB nix S 4
case_ "a program by its path" refuses 'no program' NPB ../3.3/lu S 4
case_ "no such class" refuses 'class X is not one of lu: S W A' NPB lu X 4
case_ "a class that is too large" refuses 'tens of GB' NPB is D 4
case_ "no input of that size" refuses 'class 60 is not one of sweep3d: 50' sweeps sweep3d 60 4
for ranks in 0 -4 four 4x 1.5 4x4; do case_ "ranks: $ranks" refuses 'give a number' NPB lu S "$ranks"; done
case_ "ranks: no square" refuses 'a square number, such as 484 or 529' NPB bt D 512
case_ "ranks: no power of two" refuses 'a power of two, such as 256 or 512' NPB cg D 500
case_ "ranks: no grid that is nearly square" refuses 'at most 2 to 1, such as 9 or 12' NPB lu W 10
case_ "ranks: too many for the points" refuses 'each needs 3 of the 12 points' NPB lu S 25
case_ "ranks: too many" refuses 'at most 256' NPB ep S 257
case_ "ranks: too few" refuses 'at least 5' NPB dt-bh S 4
case_ "ranks: more than the copy is made for" refuses 'at most 8; raise maxtasks in msg_stuff.h' sweeps sweep3d 50 9
case_ "into the copy" refuses 'only read' -o NPB/out NPB lu S 4
mkdir full && touch full/mine
case_ "into a folder of the user" refuses 'exists and is not from here' -o full NPB lu S 4
case_ "which stays as it is" test -e full/mine
case_ "no build" eval '! "$try" -B empty NPB lu S 4 2>err && [ "$(wc -l <err)" = 1 ] && grep -q "not built yet" err'
fails() { try "$@" >out 2>err; [ $? = 2 ] && cat err && [ "$(wc -l <err)" = 1 ]; }
broken() { cp -r NPB broken && echo ' x' >>broken/LU/ssor.f && fails broken lu S 4 && grep 'the slice was not built: .*Error.*build.log' err; }
case_ "a copy that does not compile" broken
moved() { cp -r NPB moved && sed 's/rsdnm(4)/rsdnm(3)/' NPB/LU/ssor.f >moved/LU/ssor.f && fails -o moved.out moved lu S 4 && grep 'place of ssor.f:236=never is not found' err; }
case_ "a copy without the place of the assumption" moved
case_ "the copy is still as it was" eval 'contents NPB | cmp - before'
finish
