! SPDX-License-Identifier: BSD-3-Clause
! Everyday calls by way of `use mpi`: what the Fortran bindings do underneath must not show.
! calls_f90.expected has the events of rank 1 of 2.
program calls
  use mpi
  implicit none
  integer :: q(2), st(MPI_STATUS_SIZE), c
  integer :: ierr, r, n, x, y, right, left, i
  double precision :: a(10), b(10)

  ierr = 0
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, r, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, n, ierr)
  right = mod(r + 1, n)
  left = mod(r + n - 1, n)
  x = r
  a = r
  call mpi_irecv(y, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, q(1), ierr)
  call mpi_isend(x, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, q(2), ierr)
  call mpi_waitall(2, q, MPI_STATUSES_IGNORE, ierr)
  if (y /= left) stop 1
  call mpi_sendrecv(a, 10, MPI_DOUBLE_PRECISION, right, 1, b, 10, MPI_DOUBLE_PRECISION, &
                    MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, st, ierr)
  call mpi_get_count(st, MPI_DOUBLE_PRECISION, i, ierr)
  if (i /= 10) stop 2
  if (st(MPI_SOURCE) /= left) stop 3
  call mpi_comm_split(MPI_COMM_WORLD, mod(r, 2), 0, c, ierr)
  call mpi_allreduce(MPI_IN_PLACE, a, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (a(1) /= n * (n - 1) / 2) stop 4
  call mpi_barrier(c, ierr)
  call mpi_irecv(y, 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, q(1), ierr)
  call mpi_send(x, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, ierr)
  call mpi_wait(q(1), MPI_STATUS_IGNORE, ierr)
  if (q(1) /= MPI_REQUEST_NULL) stop 5
  call mpi_bcast(a(1:9:2), 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call mpi_comm_free(c, ierr)
  call mpi_finalize(ierr)
end program calls
