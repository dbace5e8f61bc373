! commslice-test: trap_f_file_append
! about: how long a file is that the program wrote, asked of a unit that only writes: INQUIRE, FTELL
! ranks: 2 3
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_file_append
  use mpi
  implicit none
  integer :: ierr, rank, n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call put('first', 17)
    call put('second', 23)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  open(11, file='first', action='write', status='old', position='append')
  inquire(11, size=n)
  call meet(n)
  close(11)
  open(12, file='second', action='write', status='old', position='append', access='stream')
  call meet(int(ftell(12)))
  close(12)
  print '(a,i0)', 'rank ', rank
  call MPI_Finalize(ierr)
contains
  subroutine put(name, n)
    character(len=*), intent(in) :: name
    integer, intent(in) :: n
    integer :: i
    open(10, file=name, action='write', status='replace')
    do i = 1, n
      write(10, '(i0)') mod(i, 10)
    end do
    close(10)
  end subroutine
  subroutine meet(n)
    integer, intent(in) :: n
    integer :: all(64), ierr
    all = n
    call MPI_Bcast(all, 1 + mod(n, 60), MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program
