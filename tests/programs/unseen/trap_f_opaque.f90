! commslice-test: trap_f_opaque
! about: code that the slicer cannot see reads a unit that the program has opened and read, and draws from its seed
! ranks: 2 3
! opaque: unseen_library_state.f90
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_opaque
  use mpi
  implicit none
  integer :: data(100), ierr, rank, n, words, skipped, total = 0
  logical :: there
  integer, allocatable :: seed(:)
  character(len=20) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  data = 0
  write (name, '("numbers", i0)') rank
  call tell(len_trim(name))
  open (10, file=name, status='replace')
  write (10, *) 5
  write (10, *) 6
  write (10, *) 17
  write (10, *) 9
  rewind (10)
  read (10, *) skipped, skipped
  call next_number(n)
  call tell(n)
  call next_number(n)
  call tell(n)
  close (10, status='delete')
  inquire (file=name, exist=there)
  call tell(merge(3, 4, there))
  call random_seed(size=words)
  allocate (seed(words))
  seed = 7
  call random_seed(put=seed)
  call draw(n)
  call tell(n)
  print *, total
  call MPI_Finalize(ierr)
contains
  subroutine tell(n)
    integer, intent(in) :: n
    call MPI_Bcast(data, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    total = total * 3 + n
  end subroutine
end program
