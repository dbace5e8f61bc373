! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_sections_back
! about: sections that go backwards are sent and received by mpi_f08; what comes decides counts, and each element that is
! about: sent is stored by itself
program sections_back
  use mpi_f08
  implicit none
  integer :: a(4), b(8), c(3, 9), rank, ranks, left, right
  integer, allocatable :: d(:, :)
  double precision :: pay(200)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  allocate (d(3, 4))
  a(4) = 4 + rank
  a(3) = 9 + rank
  a(2) = 13
  a(1) = 20 + rank
  d = 1
  d(2, 1) = 30 + rank
  d(2, 2) = 40 + rank
  b = 0
  c = 0
  call MPI_Sendrecv(a(4:1:-1), 4, MPI_INTEGER, right, 0, b(8:5:-1), 4, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Bcast(pay, b(5), MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF)
  call MPI_Sendrecv(d(2, 4:1:-1), 4, MPI_INTEGER, right, 0, c(2, 9:6:-1), 4, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE)
  call MPI_Bcast(pay, c(2, 6), MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF)
  call mirror(c(2, 4:1:-1))
  call MPI_Bcast(pay, c(2, 1), MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF)
  call MPI_Finalize()
contains
  subroutine mirror(row)
    type(*), dimension(..) :: row
    call MPI_Sendrecv(a, 4, MPI_INTEGER, right, 0, row, 4, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
end program
