! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_name_order
! about: ranks wait for files whose names the run builds, with INQUIRE; rank 0 makes that when another has sent
! ranks: 3
program f_name_order
  use mpi
  implicit none
  integer :: ierr, rank, who, from(2), i, status(MPI_STATUS_SIZE)
  logical :: there
  character(len=20) :: name
  real :: buffer(100)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  from = [2, 1]
  buffer = 0
  write (name, '(a, i0)') 'turn.', from(2)
  if (rank == 0) then
    open (21, file=trim(name))
    close (21, status='delete')
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    do i = 1, 2
      call MPI_Recv(who, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, ierr)
      from(i) = status(MPI_SOURCE)
      open (21, file=trim(name))
      write (21, *) i
      close (21)
    end do
  else
    do while (rank == 1)
      inquire (file=trim(name), exist=there)
      if (there) exit
    end do
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Bcast(buffer, 10 * from(1), MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  print *, merge(from(1), 0, rank == 0)
  call MPI_Finalize(ierr)
end program
