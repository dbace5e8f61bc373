! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f08_ialltoallw
! about: nonblocking collective calls of mpi_f08: what they say of the receives in arrays is gone when the call returns; what comes decides
! ranks: 3 4
program f08_ialltoallw
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: types(8)
  type(MPI_Request) :: req
  integer :: counts(8), places(8), sent(8), got(8), size, rank, i, most

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  got = -1
  do i = 1, size
     sent(i) = mod(rank * 3 + i * i, 7)
     types(i) = MPI_INTEGER
     counts(i) = 1
     places(i) = 4 * (i - 1)
  end do
  call MPI_Ialltoallw(sent, counts, places, types, got, counts, places, types, MPI_COMM_WORLD, req)
  call MPI_Wait(req, MPI_STATUS_IGNORE)
  most = maxval(got(1:size))
  call MPI_Bcast(got, most + 1, MPI_INTEGER, 0, MPI_COMM_SELF)
  call over(got, size, most)
  call MPI_Allreduce(got, sent, most + 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF)
  call MPI_Finalize()
contains
  ! Counts and places are of this call, and overwritten before what is received comes.
  subroutine over(got, size, most)
    integer, intent(inout) :: got(:)
    integer, intent(in) :: size
    integer, intent(out) :: most
    type(MPI_Request) :: req
    integer :: mine(size), i
    mine = [(mod(got(i) + rank, 5), i=1, size)]
    call MPI_Iallgatherv(mine, 1, MPI_INTEGER, got, [(1, i=1, size)], [(size - i, i=1, size)], MPI_INTEGER, MPI_COMM_WORLD, req)
    call MPI_Wait(req, MPI_STATUS_IGNORE)
    most = maxval(got(1:size))
  end subroutine over
end program f08_ialltoallw
