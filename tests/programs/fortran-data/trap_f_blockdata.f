c commslice-test: trap_f_blockdata
c about: BLOCK DATA, statement functions, a dummy array of assumed size and arguments that alias COMMON
c ranks: 2 3 4
c SPDX-License-Identifier: BSD-3-Clause
      program trapfb
      implicit none
      include 'mpif.h'
      integer ierr, me, np, i, k, sq, off, counts(6), base
      common /tab/ counts, base
      common /who/ me, np
      sq(k) = k*k + off
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      off = 2
      call ring(sq(3), 1)
      off = np
      call ring(sq(2), 2)
c     the callee changes base through the block
      call bump
      call ring(base, 3)
      call over(counts)
      call ring(base + counts(6), 4)
      do 10 i = 1, 6
         call ring(counts(i), 10 + i)
 10   continue
c     a constant that is passed on, and a name for a routine
      call apply(ring, 7, 20)
      call apply(ring, base + 1, 21)
      print *, me, counts, base
      call MPI_FINALIZE(ierr)
      end

      subroutine bump
      implicit none
      integer counts(6), base
      common /tab/ counts, base
      base = base + 5
      counts(2) = base
      end

      subroutine over(c)
      implicit none
      integer c(*)
      c(6) = c(6) + c(1)
      end

      subroutine apply(f, n, tag)
      implicit none
      external f
      integer n, tag
      call f(n + 1, tag)
      end

      subroutine ring(n, tag)
      implicit none
      include 'mpif.h'
      integer me, np, n, tag, ierr
      common /who/ me, np
      double precision a(256), b(256)
      data a /256*0d0/
      call MPI_SENDRECV(a, n, MPI_DOUBLE_PRECISION, mod(me + 1, np),
     &     tag, b, 256, MPI_DOUBLE_PRECISION, mod(me + np - 1, np),
     &     tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end

      block data
      implicit none
      integer counts(6), base
      common /tab/ counts, base
      data counts /3, 1, 4, 1, 5, 9/, base /10/
      end
