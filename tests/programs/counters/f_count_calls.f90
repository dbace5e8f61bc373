! commslice-test: f_count_calls
! about: counters across calls in Fortran, where all arguments are passed by reference
! about: (tests/commands/counters_test.sh builds these with counters, and names lines)
! ranks: 1 3 4
module work
  implicit none
  integer :: block = 4
  double precision :: u(4096), spent(4)
contains
  subroutine randoms(n, seed, y)
    integer, intent(in) :: n
    double precision, intent(inout) :: seed
    double precision, intent(out) :: y(*)
    integer :: i
    do i = 1, n
      seed = mod(seed * 16807d0, 2147483647d0)
      y(i) = seed
    end do
  end subroutine

  subroutine more(n, y)
    integer, intent(in) :: n
    double precision, intent(inout) :: y(*)
    integer :: i
    do i = 1, n
      y(i) = y(i) + n
    end do
  end subroutine

  subroutine clock(which)
    integer, intent(in) :: which
    spent(which) = spent(which) + 1d0
  end subroutine

  subroutine exact(i, j, value)
    integer, intent(in) :: i, j
    double precision, intent(out) :: value(5)
    integer :: m
    do m = 1, 5
      value(m) = i + j * m
    end do
  end subroutine

  subroutine grow(n)
    integer, intent(inout) :: n
    n = n + 1
  end subroutine

  subroutine pieces(d1, d2, d3, timed)
    integer, intent(in) :: d1, d2, d3
    logical, intent(in) :: timed
    integer :: i, j, k, jj, log
    log = depth(d1)
    do k = 1, d3
      do jj = 0, d2 - block, block
        if (timed) call clock(1)
        do j = 1, block
          do i = 1, d1
            u(i) = u(i) + j + jj
          end do
        end do
        call transform(log, d1)
      end do
    end do
  end subroutine

  integer function depth(n)
    integer, intent(in) :: n
    integer :: k
    depth = 0
    k = 1
    do while (k < n)
      k = 2 * k
      depth = depth + 1
    end do
  end function

  subroutine transform(m, n)
    integer, intent(in) :: m, n
    integer :: l
    if (u(1) < -1d6) then
      write (*, *) 'not prepared', m
      stop
    end if
    do l = 1, m, 2
      call half(l, m, n, block)
      if (l == m) exit
      call half(l + 1, m, n, block)
    end do
  end subroutine

  subroutine half(l, m, n, ny)
    integer, intent(in) :: l, m, n, ny
    integer :: li, lk, i, j, k
    lk = 2 ** (l - 1)
    li = 2 ** (m - l)
    do i = 0, li - 1
      do k = 0, lk - 1
        do j = 1, ny
          u(j) = u(j) + i * k + n
        end do
      end do
    end do
  end subroutine
end module

program calls
  use mpi
  use work
  implicit none
  integer :: ierr, rank, i, j, k, n
  double precision :: x(4096), value(5), seed
  logical :: timed
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  n = 8 + rank
  seed = 1d0
  timed = rank > 1
  u = 0d0
  do k = 1, n
    call randoms(2 * 16, seed, x)
    if (timed) call clock(2)
    do i = 1, 16
      if (x(2 * i) < x(2 * i - 1)) seed = seed + 1d0
    end do
  end do
  do i = 1, 32
    x(i) = 0d0
  end do
  call randoms(0, seed, x)
  do j = 1, n
    do i = 1, 6
      call exact(i, j, value)
      x(i) = value(2)
    end do
  end do
  call mpi_barrier(mpi_comm_world, ierr)
  j = 3
  do k = 1, 5
    call grow(j)
    do i = 1, j
      x(i) = x(i) + k
    end do
    call more(j, x)
  end do
  call pieces(16, 8 * n, 3, timed)
  block = 2
  call pieces(8, 5, n, timed)
  if (x(1) == seed) write (*, *) u(1), spent(1)
  call mpi_finalize(ierr)
end program
