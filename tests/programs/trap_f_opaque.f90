! commslice-test: trap_f_opaque
! about: code that the slicer cannot see reads a unit that the program has opened and read, and draws from its seed
! ranks: 2 3
! opaque: library_state.f90
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_opaque
  use mpi
  implicit none
  integer :: data(100), ierr, rank, n, skipped, total = 0
  integer, allocatable :: seed(:)
  character(len=20) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  data = 0
  write (name, '("numbers", i0)') rank
  open (10, file=name, status='replace')
  write (10, *) 5
  write (10, *) 17
  write (10, *) 9
  rewind (10)
  read (10, *) skipped
  call next_number(n)
  call tell(n)
  call next_number(n)
  call tell(n)
  close (10, status='delete')
  call random_seed(size=n)
  allocate (seed(n))
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
