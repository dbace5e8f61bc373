! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_assume_negated
! about: assumptions about the Kth comparison inside .not. (a .or. b), and about DO WHILE: they mean it as the source has it
! assume: f_assume_negated.f90:24.1=never
! assume: f_assume_negated.f90:29.1=always
! assume: f_assume_negated.f90:31.2=never
! assume: f_assume_negated.f90:33.1=always
! assume: f_assume_negated.f90:37=never
program f_assume_negated
  use mpi
  implicit none
  integer :: turn, error, given(3), most(3), field(64)
  double precision :: residual, mine
  logical :: flag
  call MPI_Init(error)
  given = [1, 2, 3]
  field = 0
  residual = 1
  turn = 0
  call MPI_Allreduce(given, most, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
  call MPI_Allreduce(residual, mine, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, error)
  flag = most(1) < 50
  ! each assumption holds: it says what the comparison does in every run
  do while (.not. (residual < 1d-6 .or. turn >= 5))
    mine = residual / 2
    turn = turn + 1
    call MPI_Allreduce(mine, residual, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, error)
  end do
  if (.not. (most(1) == 1 .and. most(2) == 3)) &
    call MPI_Bcast(field, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  if (most(3) > 1 .and. .not. (most(1) > 4 .or. most(2) == 5)) &
    call MPI_Bcast(field, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  do while (residual > 1d-9 .and. turn < 7)
    turn = turn + 1
    call MPI_Bcast(field, turn, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end do
  do while (.not. flag)
    call MPI_Bcast(field, 9, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    flag = mine > 0
  end do
  call MPI_Bcast(field, most(3), MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
