! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_assume_array
! about: a loop ends when a condition holds for all elements of an array: the loop inside the condition is none of those that are counted
! ranks: 2 3
! assume: f_assume_array.f90:17=3
! gone: advance
program f_assume_array
  use mpi
  implicit none
  integer :: err, rank, step
  real(8) :: v(1000)
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  v = 0
  step = 0
  do
    if (all(v >= 3)) exit
    call advance(v)
    step = step + 1
    call MPI_Bcast(v, step, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, err)
  end do
  call MPI_Finalize(err)
contains
  subroutine advance(v)
    real(8), intent(inout) :: v(:)
    v = v + 1
  end subroutine
end program
