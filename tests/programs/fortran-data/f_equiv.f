c commslice-test: f_equiv
c about: EQUIVALENCE: a number is written under one name and read under another, partly across elements
c ranks: 2 3 4
c gone: heat
c array: rod 64
c marks: content=0
c SPDX-License-Identifier: BSD-3-Clause
      program fequiv
      implicit none
      include 'mpif.h'
      integer ierr, me, np, i, n, by, both(10), head(4), tail(6)
      integer*2 half(20)
      double precision inbuf(128), rod(8*1024*1024), front(128), s
      equivalence (both(1), head(1)), (both(5), tail(1))
      equivalence (both(1), half(1))
      equivalence (rod(1001), front(1))
      common /bar/ rod
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      call heat(rod, 8*1024*1024, s)
      do 10 i = 1, 10
         both(i) = 2*i
 10   continue
      head(3) = 21
      tail(2) = 33
c     the low half of both(2) on a little-endian machine
      half(3) = int(5 + np, 2)
      by = 1
      do 20 i = 1, 10
         n = both(i)
         call MPI_SENDRECV(front, n, MPI_DOUBLE_PRECISION,
     &        mod(me + by, np), i, inbuf, 128, MPI_DOUBLE_PRECISION,
     &        mod(me + np - by, np), i, MPI_COMM_WORLD,
     &        MPI_STATUS_IGNORE, ierr)
 20   continue
      print *, me, both, s
      call MPI_FINALIZE(ierr)
      end

      subroutine heat(r, n, s)
      implicit none
      integer n, i
      double precision r(n), s
      s = 0d0
      do 10 i = 1, n
         r(i) = mod(i, 11)*0.5d0
         s = s + r(i)
 10   continue
      end
