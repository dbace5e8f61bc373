! commslice-test: f_assume_trips
! about: a do loop that is left on convergence; an assumption says in which iteration
! ranks: 2 3
! assume: f_assume_trips.f90:22=18
! gone: relax
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_assume_trips
  use mpi
  implicit none
  integer :: ierr, k, rank
  real(8) :: r, s, eps, a(100)
  logical :: done
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = 1
  eps = 5d-4
  do k = 1, 1000
    call relax(a, r)
    call MPI_Allreduce(r, s, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    done = s < eps
    if (.not. (.not. done)) exit
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print *, k, s
  call MPI_Finalize(ierr)
contains
  subroutine relax(x, total)
    real(8), intent(inout) :: x(:)
    real(8), intent(out) :: total
    x = x * 0.5d0
    total = sum(x)
  end subroutine
end program
