! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_f08_component
! about: mpi_f08: a scalar component is a buffer, and fills no more than itself: the communicator behind it, which is
! about: compared with null, is not what the reduction brings; nor are the numbers before it
! ranks: 2 3
module state_module
  use mpi_f08
  implicit none
  type :: state
    real(8) :: field(200) = 1
    real(8) :: residual = 0
    integer :: n = 3
    type(MPI_Comm) :: comm = MPI_COMM_NULL
    integer :: pieces(8) = 0
  end type
contains
  subroutine relax(s)
    type(state), intent(inout) :: s
    integer :: i
    do i = 2, 199
      s%field(i) = 0.5d0 * (s%field(i - 1) + s%field(i + 1))
    end do
    s%residual = sum(s%field)
    call MPI_Allreduce(MPI_IN_PLACE, s%residual, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end subroutine
end module

program f_f08_component
  use state_module
  implicit none
  type(state) :: s
  real(8) :: d(100) = 2
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(2)
  integer :: me, size, step, told(MPI_STATUS_SIZE)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, MPI_UNDEFINED, me > 0), me, s%comm)
  s%pieces = [(me + step, step = 1, 8)]
  do step = 1, 3
    call relax(s)
    call MPI_Bcast(s%pieces(2:7:2), 3, MPI_INTEGER, size - 1, MPI_COMM_WORLD)
    if (s%comm /= MPI_COMM_NULL) call MPI_Bcast(d, 1, MPI_DOUBLE_PRECISION, 0, s%comm)
    if (MPI_COMM_NULL == s%comm) s%n = s%n + 1
  end do
  requests = MPI_REQUEST_NULL
  call MPI_Irecv(s%field, 200, MPI_DOUBLE_PRECISION, modulo(me - 1, size), 3 + s%pieces(4), MPI_COMM_WORLD, requests(1))
  call MPI_Send(s%field, s%n + modulo(s%pieces(4), 5), MPI_DOUBLE_PRECISION, modulo(me + 1, size), 3 + s%pieces(4), &
    MPI_COMM_WORLD)
  call MPI_Wait(requests(1), status)
  call MPI_Status_f082f(status, told)
  if (requests(1) == MPI_REQUEST_NULL .and. told(MPI_TAG) > 3) &
    call MPI_Bcast(d, 1 + told(MPI_SOURCE) - modulo(me - 1, size), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  if (s%comm /= MPI_COMM_NULL) call MPI_Comm_free(s%comm)
  call MPI_Finalize()
end program
