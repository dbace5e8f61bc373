! commslice-test: f_assumed
! about: assumed-shape dummies, automatic arrays and sections: bounds and sizes of arguments decide counts
! ranks: 2 3 4
! gone: smear
! array: dust 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
module shapes
  use mpi
  implicit none
  integer :: rank, nproc, ierr
contains
  subroutine send_edges(a, counts)
    real(8), intent(in) :: a(-2:, :)
    integer, intent(in) :: counts(:)
    real(8) :: edge(size(a, 1)), inbuf(256)
    integer :: j
    do j = lbound(counts, 1), ubound(counts, 1)
      edge = a(:, 1 + mod(j, size(a, 2)))
      call MPI_Sendrecv(edge, min(counts(j), ubound(a, 1) + 3), MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), j, inbuf, &
                        256, MPI_DOUBLE_PRECISION, mod(rank + nproc - 1, nproc), j, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
  end subroutine send_edges

  ! writes through a strided section: the caller's elements change, without a copy
  subroutine raise(c, by)
    integer, intent(inout) :: c(:)
    integer, intent(in) :: by
    c = c + by
    c(ubound(c, 1)) = size(c)
  end subroutine raise

  subroutine smear(d, total)
    real(8), intent(inout) :: d(:, :)
    real(8), intent(out) :: total
    integer :: i, j
    do j = 2, size(d, 2)
      do i = 1, size(d, 1)
        d(i, j) = 0.5d0*d(i, j - 1) + mod(i + j, 7)
      end do
    end do
    total = sum(d)
  end subroutine smear
end module shapes

program f_assumed
  use shapes
  implicit none
  real(8), allocatable :: dust(:, :)
  real(8) :: s
  integer :: counts(9), i
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(dust(2048, 4096))
  dust = 1d0
  call smear(dust, s)
  counts = [(3*i, i = 1, 9)]
  call raise(counts(1:9:2), 10)
  call raise(counts(6:2:-2), nproc)
  call send_edges(dust(1:100:2, 1:3), counts)
  call send_edges(dust(1:20, :), counts(3:7:2))
  print *, rank, counts, s
  call MPI_Finalize(ierr)
end program f_assumed
