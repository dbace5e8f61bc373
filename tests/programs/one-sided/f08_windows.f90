! commslice-test: f08_windows
! about: one-sided communication by mpi_f08: memory of MPI_Win_allocate, a section that is put, a lock, a count that is got
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program f08_windows
  use mpi_f08
  use iso_c_binding
  implicit none
  integer :: rank, nranks, got, buffer(64), mine(6), i
  integer(kind=MPI_ADDRESS_KIND) :: bytes, at
  type(MPI_Win) :: win
  type(c_ptr) :: base
  integer, pointer :: memory(:)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  bytes = 16
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, memory, [4])
  memory = 1
  do i = 1, 6
    mine(i) = 3 * rank + i
  end do
  call MPI_Barrier(MPI_COMM_WORLD)
  at = 1
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, mod(rank + 1, nranks), 0, win)
  call MPI_Put(mine(1:5:2), 3, MPI_INTEGER, mod(rank + 1, nranks), at, 3, MPI_INTEGER, win)
  call MPI_Win_unlock(mod(rank + 1, nranks), win)
  call MPI_Barrier(MPI_COMM_WORLD)
  at = 3
  call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win)
  call MPI_Get(got, 1, MPI_INTEGER, rank, at, 1, MPI_INTEGER, win)
  call MPI_Win_unlock(rank, win)
  call MPI_F_sync_reg(got)
  call MPI_Sendrecv(buffer, got, MPI_INTEGER, mod(rank + 1, nranks), 0, buffer(33), 32, MPI_INTEGER, &
                    mod(rank + nranks - 1, nranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  print '(i0, a, 2(1x, i0))', rank, ':', got, memory(2)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program
