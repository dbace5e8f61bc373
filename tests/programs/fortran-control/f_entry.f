c commslice-test: f_entry
c about: ENTRY statements, SAVE and DATA: several doors into one routine share what it remembers
c ranks: 2 3 4
c gone: mill
c array: grain 64
c marks: content=0
c SPDX-License-Identifier: BSD-3-Clause
      program fentry
      implicit none
      include 'mpif.h'
      integer ierr, me, np, i, n, tag, left, last, twice
      double precision s
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      call mill(s)
      call plan(3)
      do 10 i = 1, 4
         call next(n, tag)
         call ring(me, np, n, tag)
 10   continue
      call skip(2)
      call next(n, tag)
      call ring(me, np, n, tag)
      left = last(7)
      call ring(me, np, left, 90)
      call ring(me, np, twice(4), 91)
      print *, me, n, tag, left, s
      call MPI_FINALIZE(ierr)
      end

      subroutine plan(by)
      implicit none
      integer by, n, tag, how, sizes(8), at, step, calls
      save at, calls
      save step
      data sizes /4, 9, 2*16, 3*25, 36/, at /1/, calls /0/
      step = by
      return
      entry next(n, tag)
      calls = calls + 1
      n = sizes(at) + calls
      tag = 10*at
      at = mod(at + step - 1, 8) + 1
      return
      entry skip(how)
      at = mod(at + how - 1, 8) + 1
      end

      integer function last(k)
      implicit none
      integer k, twice, m
      save m
      data m /5/
      last = k + m
      m = last
      return
      entry twice(k)
      twice = 2*k + m
      end

      subroutine ring(me, np, n, tag)
      implicit none
      include 'mpif.h'
      integer me, np, n, tag, ierr
      double precision a(128), b(128)
      save a, b
      data a /128*1d0/
      call MPI_SENDRECV(a, n, MPI_DOUBLE_PRECISION, mod(me + 1, np),
     &     tag, b, 128, MPI_DOUBLE_PRECISION, mod(me + np - 1, np),
     &     tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end

      subroutine mill(s)
      implicit none
      integer i
      double precision grain(8*1024*1024), s
      save grain
      s = 0d0
      do 10 i = 1, 8*1024*1024
         grain(i) = grain(i) + mod(i, 9)
         s = s + grain(i)
 10   continue
      end
