! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_inquire_names
! about: INQUIRE by a name that the run builds, where no OPEN says whether the file is there: it gets another name, and is deleted
! ranks: 2
program trap_f_inquire_names
  use mpi
  implicit none
  integer :: ierr, rank
  logical :: there
  real :: buffer(100)
  character(len=40) :: name, old
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  buffer = 0
  write (old, '(a, i0, a)') 'old.', rank + 7, '.file'
  write (name, '(a, i0, a)') 'new.', rank + 7, '.file'
  open (21, file=old)
  write (21, '(a)') 'twelve bytes'
  close (21)
  call rename(trim(old), trim(name))
  inquire (file=trim(name), exist=there)
  call MPI_Bcast(buffer, merge(10, 20, there), MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  call unlink(trim(name))
  inquire (file=trim(name), exist=there)
  call MPI_Bcast(buffer, merge(30, 40, there), MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
