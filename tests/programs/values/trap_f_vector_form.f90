! commslice-test: trap_f_vector_form
! about: sines of an array, for which GCC calls the library's form for vectors: nothing of the call itself is left in
! about: the original, but it is computed
! ranks: 2 3
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_vector_form
  use mpi
  implicit none
  real(8) :: x(1000), y(1000)
  integer :: rank, ierr, turn, i, n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do turn = 1, 5
     do i = 1, 1000
        x(i) = sin(i * turn * 0.37d0 + rank)
     end do
     n = 0
     do i = 1, 20
        if (x(50 * i) > 0.25d0) n = n + 1
     end do
     call MPI_Sendrecv(x, n, MPI_DOUBLE_PRECISION, rank, 0, y, 1000, MPI_DOUBLE_PRECISION, rank, 0, MPI_COMM_WORLD, &
          MPI_STATUS_IGNORE, ierr)
     if (rank == 0) print *, turn, n
  end do
  call MPI_Finalize(ierr)
end program
