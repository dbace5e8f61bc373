c commslice-test: f_common
c about: COMMON blocks, laid out differently in each routine, carry sizes and peers
c ranks: 2 3 4
c gone: crunch
c array: big 64
c marks: content=0
c SPDX-License-Identifier: BSD-3-Clause
      program fcommon
      implicit none
      include 'mpif.h'
      integer ierr, me, np, n, lo, hi, steps
      common /who/ me, np
      common /geom/ n, lo, hi, steps
      double precision big
      common /field/ big(8*1024*1024)
      integer i
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      call setup
      call crunch
      do 10 i = 1, steps
         call exchng(i)
 10   continue
      print *, me, n, lo, hi, big(17)
      call MPI_FINALIZE(ierr)
      end

c     the same block seen as an array
      subroutine setup
      implicit none
      integer who(2), g(4)
      common /who/ who
      common /geom/ g
      g(1) = 100 + 10*who(2)
      g(2) = mod(who(1) + who(2) - 1, who(2))
      g(3) = mod(who(1) + 1, who(2))
      g(4) = 3
      call adjust
      end

c     and as one integer and a rest
      subroutine adjust
      implicit none
      integer first, rest(3)
      common /geom/ first, rest
      first = first + rest(3)
      rest(3) = rest(3) + 1
      end

      subroutine exchng(step)
      implicit none
      include 'mpif.h'
      integer step, ierr, st(MPI_STATUS_SIZE)
      integer me, np, n, nb(2), steps
      common /who/ me, np
      common /geom/ n, nb, steps
      double precision a, b, c
      common /field/ a(1024), b(1024), c(8*1024*1024 - 2048)
      if (mod(me, 2) .eq. 0) then
         call MPI_SEND(a, n + step, MPI_DOUBLE_PRECISION, nb(2), step,
     &                 MPI_COMM_WORLD, ierr)
         call MPI_RECV(b, n + step, MPI_DOUBLE_PRECISION, nb(1), step,
     &                 MPI_COMM_WORLD, st, ierr)
      else
         call MPI_RECV(b, n + step, MPI_DOUBLE_PRECISION, nb(1), step,
     &                 MPI_COMM_WORLD, st, ierr)
         call MPI_SEND(a, n + step, MPI_DOUBLE_PRECISION, nb(2), step,
     &                 MPI_COMM_WORLD, ierr)
      endif
      c(step) = b(step)
      end

      subroutine crunch
      implicit none
      integer i, k
      double precision w
      common /field/ w(8*1024*1024)
      do 20 k = 1, 2
         do 15 i = 2, 8*1024*1024
            w(i) = 0.5d0*w(i-1) + mod(i, 7)
 15      continue
 20   continue
      end
