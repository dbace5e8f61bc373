! SPDX-License-Identifier: BSD-3-Clause
! By way of mpif.h in fixed form, as old programs have it, with calls that MPI 3 removed.
! ranks: 2
      program fmpif
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr
      common /me/ r, n, other
      if (.not. lists()) then
        call MPI_INIT(ierr)
        call MPI_COMM_RANK(MPI_COMM_WORLD, r, ierr)
        call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
        other = 1 - r
      end if
      if (begin('exchange')) call exchg
      if (begin('common_block')) call commn
      if (begin('in_place')) call inplac
      if (begin('cart')) call carts
      if (begin('user_op')) call uop
      if (begin('old_types')) call olds
      if (begin('old_attributes')) call oatts
      if (begin('waitany')) call wany
      if (begin('groups')) call grps
      if (begin('clock')) call clocks
      if (begin('gatherv')) call gathv
      if (begin('cancelled')) call cancl
      call end_of_cases()
      if (.not. lists()) call MPI_FINALIZE(ierr)
      end

      subroutine exchg
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, st(MPI_STATUS_SIZE), m
      common /me/ r, n, other
      double precision a(10), b(10)
      a = r + 1
      b = 0
      call MPI_SENDRECV(a, 7, MPI_DOUBLE_PRECISION, other, 1, b, 10,
     &     MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, st, ierr)
      call MPI_GET_COUNT(st, MPI_DOUBLE_PRECISION, m, ierr)
      call check(m .eq. 7 .and. b(7) .eq. other + 1, 'exchange')
      call check(st(MPI_SOURCE) .eq. other .and. b(8) .eq. 0, 'st')
      call say('count', (/ m /))
      end

      subroutine commn
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, i, k
      common /me/ r, n, other
      common /params/ i, k
      i = 0
      k = 0
      if (r .eq. 1) then
        i = 3
        k = 4
      end if
      call MPI_BCAST(i, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      call check(i .eq. 3 .and. k .eq. 4, 'common')
      call say('got', (/ i, k /))
      end

      subroutine inplac
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, a(2)
      common /me/ r, n, other
      a(1) = r + 1
      a(2) = 10 * r
      call MPI_ALLREDUCE(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM,
     &     MPI_COMM_WORLD, ierr)
      call check(a(1) .eq. 3 .and. a(2) .eq. 10, 'in place')
      call say('got', a)
      end

      subroutine carts
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, c, from, to, dims(2), at(2)
      common /me/ r, n, other
      logical per(2)
      dims(1) = 0
      dims(2) = 1
      per(1) = .true.
      per(2) = .false.
      call MPI_DIMS_CREATE(2, 2, dims, ierr)
      call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, per, .false., c,
     &     ierr)
      call MPI_CART_SHIFT(c, 0, 1, from, to, ierr)
      call MPI_CART_COORDS(c, r, 2, at, ierr)
      call check(from .eq. other .and. to .eq. other, 'shift')
      call check(at(1) .eq. r .and. at(2) .eq. 0, 'coords')
      call MPI_CART_SHIFT(c, 1, 1, from, to, ierr)
      call check(from .eq. MPI_PROC_NULL, 'edge')
      call MPI_COMM_FREE(c, ierr)
      call check(c .eq. MPI_COMM_NULL, 'free')
      call say('dims', dims)
      end

      subroutine addall(a, b, m, t)
      implicit none
      integer m, t, a(m), b(m), i
      do 10 i = 1, m
        b(i) = a(i) + b(i)
   10 continue
      end

      subroutine uop
      use kit
      implicit none
      include 'mpif.h'
      external addall
      integer r, n, other, ierr, op, x(3), y(3)
      common /me/ r, n, other
      x = (/ r, r + 1, r + 2 /)
      call MPI_OP_CREATE(addall, .true., op, ierr)
      call MPI_REDUCE(x, y, 3, MPI_INTEGER, op, 0, MPI_COMM_WORLD,
     &     ierr)
      call check(r .ne. 0 .or. y(3) .eq. 5, 'op')
      if (r .eq. 0) call say('got', y)
      call MPI_OP_FREE(op, ierr)
      call say('done', (/ 0 /))
      end

      subroutine olds
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, t, e, x(6), i
      common /me/ r, n, other
      x = (/ (10 * r + i, i = 1, 6) /)
      call MPI_TYPE_HVECTOR(3, 1, 8, MPI_INTEGER, t, ierr)
      call MPI_TYPE_COMMIT(t, ierr)
      call MPI_TYPE_EXTENT(t, e, ierr)
      call check(e .eq. 20, 'extent')
      call MPI_SENDRECV_REPLACE(x, 1, t, other, 2, other, 2,
     &     MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call check(x(5) .eq. 10 * other + 5, 'odd')
      call check(x(2) .eq. 10 * r + 2, 'even')
      call MPI_TYPE_FREE(t, ierr)
      call say('got', x)
      end

      subroutine oatts
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, ub
      common /me/ r, n, other
      logical there
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, ub, there, ierr)
      call check(there .and. ub .ge. 32767, 'tag_ub')
      call say('done', (/ 0 /))
      end

      subroutine wany
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, q(2), at, st(MPI_STATUS_SIZE)
      integer, volatile :: x(2)
      common /me/ r, n, other
      x = -1
      q(1) = MPI_REQUEST_NULL
      call MPI_IRECV(x(2), 1, MPI_INTEGER, other, 6, MPI_COMM_WORLD,
     &     q(2), ierr)
      call MPI_SEND(r, 1, MPI_INTEGER, other, 6, MPI_COMM_WORLD, ierr)
      call MPI_WAITANY(2, q, at, st, ierr)
      call check(at .eq. 2 .and. x(2) .eq. other, 'counts from 1')
      call MPI_WAITANY(2, q, at, st, ierr)
      call check(at .lt. 0, 'none')
      call say('got', (/ x(2) /))
      end

      subroutine grps
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, g, h, k, c
      common /me/ r, n, other
      call MPI_COMM_GROUP(MPI_COMM_WORLD, g, ierr)
      call MPI_GROUP_INCL(g, 2, (/ 1, 0 /), h, ierr)
      call MPI_COMM_CREATE(MPI_COMM_WORLD, h, c, ierr)
      call MPI_COMM_RANK(c, k, ierr)
      call check(k .eq. other, 'turned')
      call MPI_COMM_FREE(c, ierr)
      call MPI_GROUP_FREE(h, ierr)
      call MPI_GROUP_FREE(g, ierr)
      call say('rank', (/ k /))
      end

      subroutine clocks
      use kit
      implicit none
      include 'mpif.h'
      double precision a, b
      a = MPI_WTIME()
      b = MPI_WTIME()
      call check(b .ge. a .and. MPI_WTICK() .gt. 0, 'clock')
      call say('done', (/ 0 /))
      end

      subroutine gathv
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, x(2), y(4)
      common /me/ r, n, other
      x = 5 + r
      y = -1
      call MPI_GATHERV(x, r + 1, MPI_INTEGER, y, (/ 1, 2 /),
     &     (/ 3, 0 /), MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      call check(r .eq. 0 .or. (y(4) .eq. 5 .and. y(2) .eq. 6), 'v')
      call say('got', y)
      end

      subroutine cancl
      use kit
      implicit none
      include 'mpif.h'
      integer r, n, other, ierr, q, x, st(MPI_STATUS_SIZE)
      common /me/ r, n, other
      logical gone
      call MPI_IRECV(x, 1, MPI_INTEGER, other, 77, MPI_COMM_WORLD, q,
     &     ierr)
      call MPI_CANCEL(q, ierr)
      call MPI_WAIT(q, st, ierr)
      call MPI_TEST_CANCELLED(st, gone, ierr)
      call check(gone, 'cancelled')
      call say('done', (/ 0 /))
      end
