! SPDX-License-Identifier: BSD-3-Clause
! Programs in Fortran that do not end well, by name: the place in the source must be told through MPICH's Fortran binding as well.
! ends_f.cases says what; calls whose place must be named have a comment with @ behind them.
program ends_f
  use mpi
  implicit none
  integer :: ierr, rank
  character(len=20) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_command_argument(1, name)
  if (name == 'port') call port()
  if (name == 'port_f08') call port_f08()
  if (name == 'wrong_count') call wrong_count()
  if (name == 'wrong_rank') call wrong_rank()
  if (name /= 'none' .and. rank == 0) call wait_for_ever()
  call MPI_Finalize(ierr)
contains
  subroutine wait_for_ever()
    integer :: x, status(MPI_STATUS_SIZE)
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status, ierr)
  end subroutine

  subroutine port()
    character(len=MPI_MAX_PORT_NAME) :: name_of_port
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 1) call MPI_Open_port(MPI_INFO_NULL, name_of_port, ierr) ! @port
  end subroutine

  subroutine wrong_count()
    integer :: t
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 1) call MPI_Type_vector(-1, 2, 3, MPI_INTEGER, t, ierr) ! @vector
  end subroutine

  subroutine wrong_rank()
    integer :: x
    x = 1
    if (rank == 1) call MPI_Send(x, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, ierr) ! @send
  end subroutine
end program

subroutine port_f08()
  use mpi_f08
  implicit none
  integer :: rank
  character(len=MPI_MAX_PORT_NAME) :: name_of_port
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 1) call MPI_Open_port(MPI_INFO_NULL, name_of_port) ! @port_f08
end subroutine
