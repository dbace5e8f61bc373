! commslice-test: f_count_nests
! about: counters of iterations in Fortran: bounds in modules, COMMON, dummy arguments and shapes, steps, triangles
! about: (tests/commands/counters_test.sh builds these with counters, and names lines)
! ranks: 1 3 4
module sizes
  implicit none
  integer :: nx, ny
  real(8), allocatable :: u(:, :)
end module

subroutine sweep(v, first, last, total)
  use sizes
  implicit none
  integer :: first, last, i, j, k
  real(8) :: v(nx, ny), total
  integer :: least, most
  common /limits/ least, most
  do k = least, most
    do j = first, last
      do i = 2, nx - 1
        v(i, j) = v(i, j) + k
      end do
    end do
  end do
  do j = 1, ny
    do i = j, nx
      total = total + v(i, j)
    end do
    do i = 1, j - 1, 2
      total = total - v(i, 1)
    end do
  end do
  v = v * 0.5d0
  total = total + sum(v(:, 1:last))
end subroutine

subroutine resized(total)
  use sizes
  implicit none
  real(8) :: total
  integer :: i, j, limit
  limit = 1
  do i = 1, nx
    do j = 1, limit
      total = total + j
    end do
    if (mod(i, 3) == 0) limit = limit + 1
  end do
end subroutine

program counts
  use mpi
  use sizes
  implicit none
  integer :: rank, ranks, t, ierr, least, most
  real(8) :: total, all
  common /limits/ least, most
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  nx = 9 + rank
  ny = 7
  least = 2
  most = 5 - mod(rank, 2)
  allocate(u(nx, ny))
  u = 1
  total = 0
  do t = 1, 3
    call sweep(u, 2, ny - t, total)
    call resized(total)
    call mpi_allreduce(total, all, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  end do
  if (rank == 0) print '(es12.4)', all
  deallocate(u)
  call mpi_finalize(ierr)
end program
