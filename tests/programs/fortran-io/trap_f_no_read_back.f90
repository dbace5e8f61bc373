! commslice-test: trap_f_no_read_back
! about: nothing is read back, but INQUIRE tells of what the program wrote: whether a file is there, its size
! ranks: 2 3
! assume: no-read-back
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_no_read_back
  use mpi
  implicit none
  integer :: ierr, rank, n
  logical :: there
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = 0
  if (rank == 0) then
    open(11, file='simple', status='replace')
    write(11, '(a)') 'seventeen bytes'
    close(11)
    inquire(file='simple', exist=there)
    n = merge(7, 9, there)
  end if
  call meet(n)
  if (rank == 0) then
    open(11, file='plain', status='replace')
    write(11, '(a)') 'more of them'
    close(11)
    inquire(file='plain', size=n)
  end if
  call meet(n)
  print '(a,i0)', 'rank ', rank
  call MPI_Finalize(ierr)
contains
  subroutine meet(n)
    integer, intent(in) :: n
    integer :: all(64), told, ierr
    told = n
    call MPI_Bcast(told, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    all = told
    call MPI_Bcast(all, 1 + mod(told, 60), MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program
