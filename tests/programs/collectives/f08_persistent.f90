! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f08_persistent
! about: persistent collectives of mpi_f08, whose arrays of counts and handles are gone when they are started; what comes decides
! ranks: 2 3 4
program f08_persistent
  use mpi_f08
  implicit none
  type(MPI_Request) :: tell, gather
  type(MPI_Comm) :: twin
  integer, asynchronous :: n, got(8), mine
  integer :: size, rank, i, sent(16)

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, twin, tell)
  call MPI_Wait(tell, MPI_STATUS_IGNORE)
  call MPI_Bcast_init(n, 1, MPI_INTEGER, 0, twin, MPI_INFO_NULL, tell)
  got = 0
  call prepare(gather)
  do i = 1, 3
     n = -1
     if (rank == 0) n = 2 * i
     call MPI_Start(tell)
     call MPI_Wait(tell, MPI_STATUS_IGNORE)
     mine = n + rank
     call MPI_Start(gather)
     call MPI_Wait(gather, MPI_STATUS_IGNORE)
     sent = i
     call MPI_Bcast(sent, maxval(got(1:size)), MPI_INTEGER, 0, MPI_COMM_WORLD)
  end do
  call MPI_Request_free(tell)
  call MPI_Request_free(gather)
  call MPI_Comm_free(twin)
  call around(n)
  call MPI_Finalize()
contains
  subroutine prepare(q)
    type(MPI_Request), intent(out) :: q
    call MPI_Allgatherv_init(mine, 1, MPI_INTEGER, got, [(1, i=1, size)], [(size - i, i=1, size)], MPI_INTEGER, &
                             MPI_COMM_WORLD, MPI_INFO_NULL, q)
  end subroutine prepare
  subroutine around(n)
    integer, intent(in) :: n
    integer, asynchronous :: from, to
    type(MPI_Request) :: q
    to = n + rank
    call MPI_Isendrecv(to, 1, MPI_INTEGER, modulo(rank + 1, size), 5, from, 1, MPI_INTEGER, modulo(rank - 1, size), 5, &
                       MPI_COMM_WORLD, q)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    call MPI_Bcast(sent, from, MPI_INTEGER, 0, MPI_COMM_SELF)
  end subroutine around
end program f08_persistent
