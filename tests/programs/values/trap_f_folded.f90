! commslice-test: trap_f_folded
! about: real functions and powers in Fortran that GCC computes itself where it puts a procedure in line
! ranks: 2
module roots
  use mpi
  implicit none
  character :: buffer(64)
contains
  integer function lowest(x)
    double precision, intent(in) :: x
    lowest = int(iand(transfer(x, 0_8), 15_8))
  end function lowest
  double precision function gamma_of(x)
    double precision, intent(in) :: x
    gamma_of = gamma(x)
  end function gamma_of
  double precision function times(x, n)
    double precision, intent(in) :: x
    integer, intent(in) :: n
    times = x**n
  end function times
  subroutine say(n)
    integer, intent(in) :: n
    integer :: rank, ierr, got, status(MPI_STATUS_SIZE)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) call MPI_Send(buffer, n, MPI_CHARACTER, 1, n, MPI_COMM_WORLD, ierr)
    if (rank == 1) then
      call MPI_Recv(buffer, 64, MPI_CHARACTER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
      call MPI_Get_count(status, MPI_CHARACTER, got, ierr)
      print *, 'got', got
    end if
  end subroutine say
end module roots
program folded
  use roots
  implicit none
  integer :: ierr, size
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  buffer = 'x'
  call say(lowest(gamma_of(5.3d0)))
  call say(lowest(gamma_of(2.7d0)))
  call say(lowest(times(0.55d0 * size, 15)))
  call say(lowest(times(0.65d0 * size, 9)))
  call say(lowest(0.35d0 * size ** 3 + (0.35d0 * size) ** 13))
  call MPI_Finalize(ierr)
end program folded
