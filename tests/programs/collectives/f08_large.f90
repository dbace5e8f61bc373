! commslice-test: f08_large
! about: mpi_f08 with counts of 64 bits, which have the names of those of default integers: messages, collectives,
! about: requests, datatypes; what comes back decides what is sent next
! ranks: 2 3 4
! gone: work
! SPDX-License-Identifier: BSD-3-Clause
program f08_large
   use mpi_f08
   implicit none
   integer, parameter :: large = MPI_COUNT_KIND, n = 4096
   real(8) :: zone(n), halo(n), few(n) = 3
   integer :: rank, ranks
   integer(large) :: told
   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   zone = 1
   call work()
   told = messages(2_large + rank)
   told = collectives(told)
   told = requests(told)
   call types(told)
   print '(a, i0, a, i0)', 'rank ', rank, ': ', told
   call MPI_Finalize()
contains
   subroutine work()
      integer :: i
      do i = 1, n
         zone(i) = zone(i) * 0.5d0 + mod(i, 6)
      end do
   end subroutine work

   ! Sends to the next rank; returns how much came from the one before.
   integer(large) function messages(count)
      integer(large), intent(in) :: count
      type(MPI_Status) :: status
      type(MPI_Request) :: r
      integer(large) :: got, value
      integer :: next, before
      next = mod(rank + 1, ranks)
      before = mod(rank + ranks - 1, ranks)
      call MPI_Isend(zone, count, MPI_REAL8, next, 1, MPI_COMM_WORLD, r)
      call MPI_Recv(halo, int(n, large), MPI_REAL8, before, 1, MPI_COMM_WORLD, status)
      call MPI_Wait(r, MPI_STATUS_IGNORE)
      call MPI_Get_count(status, MPI_REAL8, got)
      value = got + 1
      call MPI_Sendrecv_replace(value, 1_large, MPI_COUNT, next, 2, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call MPI_Sendrecv(zone, value, MPI_REAL8, next, 3, halo, int(n, large), MPI_REAL8, before, 3, MPI_COMM_WORLD, status)
      call MPI_Get_elements(status, MPI_REAL8, messages)
   end function messages

   integer(large) function collectives(count)
      integer(large), intent(in) :: count
      integer(large) :: counts(ranks), theirs(ranks)
      integer(MPI_ADDRESS_KIND) :: at(ranks), bytes_at(ranks)
      type(MPI_Datatype) :: types(ranks)
      integer :: i
      call MPI_Allreduce(count, collectives, 1_large, MPI_COUNT, MPI_MAX, MPI_COMM_WORLD)
      call MPI_Bcast(zone, collectives, MPI_REAL8, 0, MPI_COMM_WORLD)
      counts = [(mod(rank + 2 * i, 3) + count, i = 1, ranks)]
      at = [(16 * (i - 1), i = 1, ranks)]
      bytes_at = 8 * at
      types = MPI_REAL8
      call MPI_Alltoall(counts, 1_large, MPI_COUNT, theirs, 1_large, MPI_COUNT, MPI_COMM_WORLD)
      call MPI_Alltoallv(zone, counts, at, MPI_REAL8, halo, theirs, at, MPI_REAL8, MPI_COMM_WORLD)
      call MPI_Alltoallw(zone, counts, bytes_at, types, halo, theirs, bytes_at, types, MPI_COMM_WORLD)
      call MPI_Gather(count, 1_large, MPI_COUNT, counts, 1_large, MPI_COUNT, 0, MPI_COMM_WORLD)
      call MPI_Gatherv(zone, count, MPI_REAL8, halo, counts, at, MPI_REAL8, 0, MPI_COMM_WORLD)
   end function collectives

   integer(large) function requests(count)
      integer(large), intent(in) :: count
      type(MPI_Request) :: q(3)
      integer(large) :: sum
      integer :: step
      call MPI_Allreduce_init(count, sum, 1_large, MPI_COUNT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, q(1))
      call MPI_Send_init(zone, count, MPI_REAL8, mod(rank + 1, ranks), 4, MPI_COMM_WORLD, q(2))
      call MPI_Recv_init(halo, int(n, large), MPI_REAL8, mod(rank + ranks - 1, ranks), 4, MPI_COMM_WORLD, q(3))
      do step = 1, 3
         call work()
         call MPI_Startall(3, q)
         call MPI_Waitall(3, q, MPI_STATUSES_IGNORE)
      end do
      do step = 1, 3
         call MPI_Request_free(q(step))
      end do
      requests = mod(sum, 50_large) + 1
   end function requests

   subroutine types(count)
      integer(large), intent(in) :: count
      type(MPI_Datatype) :: rows, pairs
      integer(large) :: bytes, ints, addresses, larges, inner, lengths(2), displs(2), position, packed
      integer :: combiner
      character :: room(n)
      call MPI_Type_vector(3_large, 2_large, 4_large, MPI_REAL8, rows)
      lengths = [1_large, 2_large]
      displs = [0_large, 4_large]
      call MPI_Type_indexed(2_large, lengths, displs, MPI_REAL8, pairs)
      call MPI_Type_commit(rows)
      call MPI_Type_commit(pairs)
      call MPI_Type_size(rows, bytes)
      call MPI_Type_get_envelope(pairs, ints, addresses, larges, inner, combiner)
      call MPI_Pack_size(1_large, pairs, MPI_COMM_WORLD, packed)
      position = 0
      call MPI_Pack(few, 1_large, pairs, room, int(n, large), position, MPI_COMM_WORLD)
      if (rank == 0) call MPI_Send(zone, count + bytes + ints + larges, rows, 1, 5, MPI_COMM_WORLD)
      if (rank == 1) call MPI_Recv(halo, 300_large, rows, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      if (rank == 0) call MPI_Send(zone, packed + position, pairs, 1, 6, MPI_COMM_WORLD)
      if (rank == 1) call MPI_Recv(halo, 300_large, pairs, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call MPI_Type_free(rows)
      call MPI_Type_free(pairs)
   end subroutine types
end program f08_large
