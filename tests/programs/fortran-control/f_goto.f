c commslice-test: f_goto
c about: computed GOTO, arithmetic IF and alternate returns decide the way through the messages
c ranks: 2 3 4
c gone: grind
c array: meal 64
c marks: content=0
c SPDX-License-Identifier: BSD-3-Clause
      program fgoto
      implicit none
      include 'mpif.h'
      integer ierr, me, np, i, k, n, start
      double precision meal(8*1024*1024), s
      common /m/ meal
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      call grind(meal, s)
      start = 4
      n = start
      k = 1
      i = 0
 100  i = i + 1
      if (i .gt. 14) goto 800
      go to (200, 300, 400, 500), k
c     out of range: falls through
      n = n + 7
      k = 1
      goto 100
 200  call ring(me, np, n, 1)
      k = 2
      goto 100
 300  n = mod(n*5, 41)
      k = 3
      if (n - 20) 310, 320, 330
 310  call ring(me, np, n + 1, 2)
      goto 100
 320  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      goto 100
 330  call ring(me, np, n - 19, 3)
      goto 100
 400  call decide(n, *410, *420)
      call ring(me, np, 1, 4)
      k = 5
      goto 100
 410  call ring(me, np, 2, 5)
      k = 4
      goto 100
 420  k = 4
      n = n + 2
      goto 100
 500  call ring(me, np, n, 6)
      k = 2 + mod(n, 4)
      goto 100
c     from here it comes to the labels that the first start has missed
 800  if (start .eq. 54) goto 900
      start = 54
      n = start
      k = 1
      i = -6
      goto 100
 900  continue
      print *, me, n, k, s
      call MPI_FINALIZE(ierr)
      end

      subroutine decide(n, *, *)
      implicit none
      integer n
      if (mod(n, 3) .eq. 0) return 1
      if (mod(n, 3) .eq. 1) return 2
      n = n + 1
      end

      subroutine ring(me, np, n, tag)
      implicit none
      include 'mpif.h'
      integer me, np, n, tag, ierr
      double precision a(128), b(128)
      data a /128*0d0/
      call MPI_SENDRECV(a, n, MPI_DOUBLE_PRECISION, mod(me + 1, np),
     &     tag, b, 128, MPI_DOUBLE_PRECISION, mod(me + np - 1, np),
     &     tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end

      subroutine grind(m, s)
      implicit none
      integer i
      double precision m(*), s
      s = 0d0
      i = 0
 10   i = i + 1
      m(i) = mod(i, 19)
      s = s + m(i)
      if (i .lt. 8*1024*1024) goto 10
      end
