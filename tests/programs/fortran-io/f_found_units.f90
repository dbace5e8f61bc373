! commslice-test: f_found_units
! about: the numbers of units are found at run time: by a function that asks INQUIRE, and by NEWUNIT=; one module
! about: variable holds the log's, which is standard output on other ranks; what goes to the log and to the residuals is
! about: not what the orders are read from, so the solver goes
! ranks: 2 3
! files: orders.txt=3\n1\n4\n1\n5\n9\n2\n6\n
! gone: solve_
! SPDX-License-Identifier: BSD-3-Clause
module units
  implicit none
  integer :: log_unit, in_unit
contains
  integer function free_unit()
    integer :: u
    logical :: used
    free_unit = -1
    do u = 10, 99
      inquire(unit=u, opened=used)
      if (.not. used) then
        free_unit = u
        exit
      end if
    end do
  end function free_unit

  subroutine next_order(n, ios)
    integer, intent(out) :: n, ios
    read(in_unit, *, iostat=ios) n
  end subroutine next_order
end module units

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

program f_found_units
  use mpi
  use units
  implicit none
  integer :: rank, nranks, ierr, n, ios, step, table
  real(8) :: field(1000), residual, in(16)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  if (rank == 0) then
    log_unit = free_unit()
    open(unit=log_unit, file='run.log')
  else
    log_unit = 6
  end if
  in_unit = free_unit()
  open(unit=in_unit, file='orders.txt', action='read', status='old')
  open(newunit=table, file='residual.txt')
  field = rank
  step = 0
  do
    call next_order(n, ios)
    if (ios /= 0) exit
    step = step + 1
    call solve(field, step, residual)
    write(table, *) 'step', step, residual
    write(log_unit, '(a,es12.4)') 'residual', residual
    call MPI_Sendrecv(field, n, MPI_DOUBLE_PRECISION, mod(rank + 1, nranks), step, in, 16, MPI_DOUBLE_PRECISION, &
                      mod(rank + nranks - 1, nranks), step, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  close(table)
  close(in_unit)
  print *, 'rank', rank, step
  call MPI_Finalize(ierr)
end program f_found_units
