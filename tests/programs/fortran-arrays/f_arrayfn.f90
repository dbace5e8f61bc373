! commslice-test: f_arrayfn
! about: functions that return arrays, masks, pack, matmul, maxloc and findloc give the counts of an alltoallv
! ranks: 2 3 4
! checker-ranks: 33
! gone: forge
! array: iron 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
module tables
  implicit none
contains
  pure function shares(n, seed) result(s)
    integer, intent(in) :: n, seed
    integer :: s(n)
    integer :: i
    s = [(mod(i*seed, 7) + 1, i = 1, n)]
  end function shares

  pure function prefix(c) result(d)
    integer, intent(in) :: c(:)
    integer :: d(size(c)), i
    d(1) = 0
    do i = 2, size(c)
      d(i) = d(i - 1) + c(i - 1)
    end do
  end function prefix

  elemental integer function clip(x)
    integer, intent(in) :: x
    clip = min(max(x, 1), 6)
  end function clip
end module tables

program f_arrayfn
  use mpi
  use tables
  implicit none
  integer :: ierr, rank, nproc, i, n
  integer, allocatable :: grid(:, :), scounts(:), rcounts(:), list(:)
  real(8), allocatable :: iron(:)
  real(8) :: inbuf(512), s
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(iron(8*1024*1024))
  call forge(iron, s)
  ! grid(i,j): what rank i-1 sends to rank j-1, known by all
  allocate(grid(nproc, nproc))
  do i = 1, nproc
    grid(i, :) = clip(shares(nproc, i + 2) + i - 2)
  end do
  where (grid > 4) grid = grid - 3
  scounts = grid(rank + 1, :)
  rcounts = grid(:, rank + 1)
  call MPI_Alltoallv(iron, scounts, prefix(scounts), MPI_DOUBLE_PRECISION, inbuf, rcounts, prefix(rcounts), &
                     MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  list = pack([(i, i = 1, 20)], mod([(i, i = 1, 20)], 3) == 1)
  do i = 1, size(list)
    if (any(grid(1, :) == i)) list(i) = list(i) + dot_product(grid(:, 1), grid(1, :))
  end do
  n = sum(matmul(transpose(grid), grid)) + maxval(list) + 10*maxloc(list, 1) + findloc(list, 10, 1)
  call MPI_Bcast(iron, mod(n, 400) + 1, MPI_DOUBLE_PRECISION, minloc(grid(:, 1), 1) - 1, MPI_COMM_WORLD, ierr)
  print *, rank, n, scounts, s
  call MPI_Finalize(ierr)
contains
  subroutine forge(f, total)
    real(8), intent(out) :: f(:), total
    integer :: j
    total = 0d0
    do j = 1, size(f)
      f(j) = mod(j, 37)
      total = total + f(j)
    end do
  end subroutine forge
end program f_arrayfn
