! commslice-test: f_pack_section
! about: array sections passed to MPI are packed and unpacked by the compiler; what was received decides counts
! ranks: 2 3 4
! gone: churn
! array: volume 64
! marks: content=4
! SPDX-License-Identifier: BSD-3-Clause
program f_pack_section
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 256
  integer :: ierr, rank, nproc, right, left, i, table(6, 4), got(6, 4), st(MPI_STATUS_SIZE)
  real(8), allocatable :: volume(:, :, :)
  real(8) :: s

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  right = mod(rank + 1, nproc)
  left = mod(rank + nproc - 1, nproc)
  allocate(volume(n, n, 128))
  call churn(volume, s)

  do i = 1, 4
    table(:, i) = [1, 2, 3, 4, 5, 6] + 10*i + rank
  end do
  got = 0
  ! a row: every sixth integer, sent from and received into a section
  if (rank == 0) then
    call MPI_Send(table(2, :), 4, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
    call MPI_Recv(got(5, 4:1:-1), 4, MPI_INTEGER, left, 1, MPI_COMM_WORLD, st, ierr)
  else
    call MPI_Recv(got(5, 4:1:-1), 4, MPI_INTEGER, left, 1, MPI_COMM_WORLD, st, ierr)
    call MPI_Send(table(2, :), 4, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
  end if
  do i = 1, 4
    call exchange(volume(1:n:16, 3, i:i + 2), got(5, i))
  end do
  print *, rank, got(5, :), s
  call MPI_Finalize(ierr)
contains
  ! a is assumed size: the caller packs its section
  subroutine exchange(a, count)
    real(8), intent(inout) :: a(*)
    integer, intent(in) :: count
    real(8) :: inbuf(64)
    call MPI_Sendrecv(a, mod(count, 48), MPI_DOUBLE_PRECISION, left, 2, inbuf, 64, MPI_DOUBLE_PRECISION, right, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    a(1) = inbuf(1)
  end subroutine exchange

  subroutine churn(v, total)
    real(8), intent(out) :: v(:, :, :), total
    integer :: j, k
    do k = 1, size(v, 3)
      do j = 1, size(v, 2)
        v(:, j, k) = j*0.25d0 + k
      end do
    end do
    total = sum(v)
  end subroutine churn
end program f_pack_section
