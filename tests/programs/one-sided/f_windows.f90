! commslice-test: f_windows
! about: one-sided communication by use mpi: a field, and a count from another rank's window
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program f_windows
  use mpi
  implicit none
  integer, parameter :: n = 1000000
  real(8) :: field(n)
  integer :: ierr, rank, nranks, win, win_of_counts, counts(4), got, buffer(64)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, at
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  bytes = 8 * n
  call MPI_Win_create(field, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call solve()
  call MPI_Win_fence(0, win, ierr)
  at = 0
  call MPI_Put(field(n), 1, MPI_DOUBLE_PRECISION, mod(rank + 1, nranks), at, 1, MPI_DOUBLE_PRECISION, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  bytes = 16
  call MPI_Win_create(counts, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win_of_counts, ierr)
  counts = rank + 2
  call MPI_F_sync_reg(counts, ierr)
  call MPI_Win_fence(0, win_of_counts, ierr)
  at = 2
  call MPI_Get(got, 1, MPI_INTEGER, mod(rank + 1, nranks), at, 1, MPI_INTEGER, win_of_counts, ierr)
  call MPI_Win_fence(0, win_of_counts, ierr)
  call MPI_F_sync_reg(got, ierr)
  call MPI_Sendrecv(buffer, got, MPI_INTEGER, mod(rank + 1, nranks), 0, buffer(33), 32, MPI_INTEGER, &
                    mod(rank + nranks - 1, nranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  print '(i0, a, i0)', rank, ': ', got
  call MPI_Win_free(win_of_counts, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine solve()
    integer :: i
    do i = 1, n
      field(i) = sqrt(real(i + rank, 8))
    end do
  end subroutine
end program
