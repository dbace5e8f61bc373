c commslice-test: f_cart
c about: cartesian grid, column types and persistent requests in arrays of handles, all in mpif.h style
c ranks: 2 3 4
c gone: diffus
c array: t 64
c marks: content=1
c SPDX-License-Identifier: BSD-3-Clause
      program fcart
      implicit none
      include 'mpif.h'
      integer nx, ny
      parameter (nx = 2048, ny = 4096)
      double precision t(nx, ny), halo(256, 4), s
      common /plate/ t
      integer ierr, me, np, cart, dims(2), coord(2), nb(4), i, d
      integer req(8), types(2), stats(MPI_STATUS_SIZE, 8), cfg(2)
      logical per(2)
      call MPI_INIT(ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      cfg(1) = 0
      cfg(2) = 0
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      if (me .eq. 0) then
         cfg(1) = 12
         cfg(2) = 3
      endif
      call MPI_BCAST(cfg, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      dims(1) = 0
      dims(2) = 0
      per(1) = .false.
      per(2) = .true.
      call MPI_DIMS_CREATE(np, 2, dims, ierr)
      call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, per, .false.,
     &                     cart, ierr)
      call MPI_COMM_RANK(cart, me, ierr)
      call MPI_CART_COORDS(cart, me, 2, coord, ierr)
      do 10 d = 1, 2
         call MPI_CART_SHIFT(cart, d - 1, 1, nb(2*d - 1), nb(2*d), ierr)
 10   continue
      call MPI_TYPE_VECTOR(cfg(1), 1, nx, MPI_DOUBLE_PRECISION,
     &                     types(1), ierr)
      call MPI_TYPE_CONTIGUOUS(cfg(1) + 2, MPI_DOUBLE_PRECISION,
     &                     types(2), ierr)
      call MPI_TYPE_COMMIT(types(1), ierr)
      call MPI_TYPE_COMMIT(types(2), ierr)
c     the neighbour has the same second coordinate along dimension 1
      do 20 i = 1, 4
         d = (i + 1)/2
         call MPI_RECV_INIT(halo(1, i), 40, MPI_DOUBLE_PRECISION, nb(i),
     &                      d, cart, req(i), ierr)
         call MPI_SEND_INIT(t(1, 1 + i), 1, types(d), nb(i), d, cart,
     &                      req(4 + i), ierr)
 20   continue
      call diffus(t, nx, ny, s)
      do 40 i = 1, cfg(2)
         call MPI_STARTALL(8, req, ierr)
         call MPI_WAITALL(8, req, stats, ierr)
         t(i, 1) = halo(1, 1)
 40   continue
      do 50 i = 1, 8
         call MPI_REQUEST_FREE(req(i), ierr)
 50   continue
      call MPI_TYPE_FREE(types(1), ierr)
      call MPI_TYPE_FREE(types(2), ierr)
      call MPI_COMM_FREE(cart, ierr)
      print *, me, dims, s
      call MPI_FINALIZE(ierr)
      end

      subroutine diffus(t, nx, ny, s)
      implicit none
      integer nx, ny, i, j
      double precision t(nx, ny), s
      do 20 j = 2, ny
         do 10 i = 1, nx
            t(i, j) = 0.5d0*t(i, j - 1) + mod(i + j, 5)
 10      continue
 20   continue
      s = t(nx, ny)
      end
