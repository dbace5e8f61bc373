! commslice-test: f_count_cells
! about: counters of iterations in Fortran: nests in a loop over cells, whose sizes are in allocatable arrays and COMMON
! ranks: 1 3 4
module cells
  implicit none
  integer :: ncells
  integer, allocatable :: first(:, :), last(:, :)
  real(8), allocatable :: u(:, :, :, :)
end module

subroutine relax(total)
  use cells
  implicit none
  real(8) :: total
  integer :: c, i, j, k, m, width
  integer :: own(3, 4)
  common /shape/ own
  do c = 1, ncells
    do k = first(3, c), last(3, c)
      do j = first(2, c), last(2, c) - 1
        do i = first(1, c) + 1, last(1, c)
          do m = 1, 2
            u(i, j, k, c) = u(i, j, k, c) + m
          end do
        end do
      end do
    end do
    width = own(1, c)
    do k = 1, own(3, c)
      do j = 1, own(2, c)
        do i = width, 1, -1
          total = total + u(1, 1, 1, c)
        end do
      end do
    end do
  end do
end subroutine

program count_cells
  use mpi
  use cells
  implicit none
  integer :: rank, t, ierr, own(3, 4)
  real(8) :: total, all
  common /shape/ own
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  ncells = 3
  allocate(first(3, ncells), last(3, ncells), u(6, 6, 6, ncells))
  u = 0
  first(1, 1) = 1; first(2, 1) = 2; first(3, 1) = 1
  last(1, 1) = 5; last(2, 1) = 4; last(3, 1) = 3
  first(1, 2) = 2; first(2, 2) = 2; first(3, 2) = 5
  last(1, 2) = 3; last(2, 2) = 6; last(3, 2) = 4
  first(1, 3) = 1; first(2, 3) = 1; first(3, 3) = 1
  last(1, 3) = 2 + mod(rank, 3); last(2, 3) = 2; last(3, 3) = 6
  own(1, 1) = 3; own(2, 1) = 2; own(3, 1) = 4
  own(1, 2) = 1; own(2, 2) = -2; own(3, 2) = 4
  own(1, 3) = 5; own(2, 3) = 2; own(3, 3) = rank
  total = 0
  do t = 1, 3
    call relax(total)
    call mpi_allreduce(total, all, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  end do
  call mpi_bcast(u, last(1, 1) * first(2, 1), mpi_double_precision, 0, mpi_comm_world, ierr)
  if (rank == 0) print '(es12.4)', all
  deallocate(first, last, u)
  call mpi_finalize(ierr)
end program
