! commslice-test: f_file_units
! about: input is read in the time loop from one unit, while residuals go to another, and to one that no OPEN connects;
! about: the solver goes
! ranks: 2 3
! files: orders.txt=3\n1\n4\n1\n5\n9\n2\n6\n
! gone: solve_
! SPDX-License-Identifier: BSD-3-Clause
subroutine solve(field, step, residual)
  implicit none
  real(8), intent(inout) :: field(1000)
  integer, intent(in) :: step
  real(8), intent(out) :: residual
  integer :: i
  do i = 1, 1000
    field(i) = 0.5d0*field(i) + mod(i*step, 31)
  end do
  residual = sum(field)
end subroutine solve

program f_file_units
  use mpi
  implicit none
  integer :: rank, nranks, ierr, n, ios, step
  real(8) :: field(1000), residual, in(16)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  open(unit=11, file='orders.txt', action='read', status='old')
  open(unit=12, file='residual.txt')
  field = rank
  step = 0
  do
    read(11, *, iostat=ios) n
    if (ios /= 0) exit
    step = step + 1
    call solve(field, step, residual)
    write(12, *) 'step', step, residual
    if (rank == 0) write(13, '(a,es12.4)') 'residual', residual
    call MPI_Sendrecv(field, n, MPI_DOUBLE_PRECISION, mod(rank + 1, nranks), step, in, 16, MPI_DOUBLE_PRECISION, &
                      mod(rank + nranks - 1, nranks), step, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  close(12)
  close(11)
  print *, 'rank', rank, step
  call MPI_Finalize(ierr)
end program f_file_units
