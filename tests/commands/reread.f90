! SPDX-License-Identifier: BSD-3-Clause
! A deck is read and a log written by units that are open for both; with an argument the log is read, too. For
! read_back_test.sh.
program reread
  use mpi
  implicit none
  integer :: ierr, rank, n
  character(len=16) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  write(name, '(a,i0)') 'log.', rank
  open(10, file='deck')
  read(10, *) n
  close(10)
  open(11, file=name)
  write(11, *) n
  close(11)
  open(11, file=name, position='append')
  write(11, *) n
  if (command_argument_count() > 0) then
    rewind(11)
    read(11, *) n
  end if
  close(11)
  call MPI_Finalize(ierr)
end program
