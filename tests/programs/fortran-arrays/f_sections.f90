! commslice-test: f_sections
! about: mpi_f08 and sections with gaps of two dimensions, as halos of an array are, whose content goes nowhere: the
! about: binding makes a datatype of each, which is no call of the program
! ranks: 2 3
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_sections
  use mpi_f08
  implicit none
  integer :: rank, nproc, right, left, step
  real(8) :: u(0:9, 0:7, 3)
  type(MPI_Request) :: r(4)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  right = modulo(rank + 1, nproc)
  left = modulo(rank - 1, nproc)
  u = rank
  do step = 1, 3
    call MPI_Irecv(u(0, 1:6, 1:3:2), 12, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, r(1))
    call MPI_Irecv(u(1:8:2, 0, :), 12, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, r(2))
    call MPI_Isend(u(8, 1:6, 1:3:2), 12, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, r(3))
    call MPI_Isend(u(1:8:2, 6, :), 12, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, r(4))
    call MPI_Waitall(4, r, MPI_STATUSES_IGNORE)
    call MPI_Bcast(u(2:5, 1:7:3, 2), 12, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    call MPI_Sendrecv(u(2:5, 2:3, 1), 8, MPI_DOUBLE_PRECISION, right, 3, u(6:9, 2:3, 1), 8, MPI_DOUBLE_PRECISION, left, &
                      3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  print *, rank, sum(u)
  call MPI_Finalize()
end program f_sections
