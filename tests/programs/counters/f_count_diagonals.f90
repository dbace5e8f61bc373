! commslice-test: f_count_diagonals
! about: counters of nests on diagonals: another loop finds how many there are, in the loop around that comes back
! about: (tests/commands/counters_test.sh builds these with counters, and names lines)
! ranks: 1 3 4
program diagonals
  use mpi
  implicit none
  integer :: ierr, rank, step, d, m, i, n, it, jt, lines, many(3)
  double precision :: x(64), sum, all
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  it = 7 + mod(rank, 20)
  jt = 5
  x = 0d0
  do step = 1, 2
    many = 0
    do d = 1, 2 * jt + 2
      lines = 0
      do m = 3, 2, -1
        many(m) = many(m - 1)
        lines = lines + many(m)
      end do
      many(1) = max(min(d, jt, 2 * jt - d), 0)
      lines = lines + many(1)
      do m = 1, lines
        do n = 1, 3
          do i = 1, it
            x(i) = x(i) + n * m
          end do
        end do
        do i = 1, it
          if (x(i) > 1d3) x(i) = x(i) - 1d3
        end do
      end do
    end do
    sum = x(1)
    call mpi_allreduce(sum, all, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    x(2) = all
  end do
  call mpi_finalize(ierr)
end program
