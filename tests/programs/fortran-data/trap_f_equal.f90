! commslice-test: trap_f_equal
! about: descriptors and dummies read again: reallocated with other bounds, optional, changed by a contained procedure or by ENTRY
! ranks: 2 3
! gone: heavy
! SPDX-License-Identifier: BSD-3-Clause
module held
  implicit none
  integer, allocatable :: peers(:), once(:), grid(:, :)
  integer :: level = 1, total = 0
contains
  subroutine set_up(lo, hi)
    integer, intent(in) :: lo, hi
    integer :: i, ios
    if (allocated(peers)) deallocate(peers)
    allocate(peers(lo:hi), stat=ios)
    if (ios /= 0) stop 1
    do i = lo, hi
      peers(i) = 3*i + level
    end do
  end subroutine

  subroutine set_up_once(n)
    integer, intent(in) :: n
    integer :: i, ios
    allocate(once(0:n), grid(2:3, -1:n), stat=ios)
    if (ios /= 0) stop 1
    do i = 0, n
      once(i) = 2*i + 1
      grid(2, i) = i + 10
      grid(3, i) = i + 20
    end do
    level = 3
  end subroutine
end module

subroutine two_ways(a, n)
  implicit none
  integer :: a(*), n, m
  n = a(1) + 1
  return
  entry other_way(m, a)
  m = a(2) + 2
  a(1) = m
end subroutine

program trap_f_equal
  use mpi
  use held
  implicit none
  integer :: ierr, rank, nproc, n, m, pair(2), i
  real(8) :: x
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call set_up(1, 3)
  call ring(peers(2), 1)
  call set_up(-1, 2)                 ! other bounds: another offset
  call ring(peers(2), 2)
  call ring(peers(-1) + 10, 3)
  call set_up_once(3)
  call ring(sum(once(0:3)) + sum(grid(:, 0:3)) + grid(3, -1 + 1), 4)
  call ring(choose(0), 5)
  call ring(choose(1), 6)
  call ring(choose(2, level), 7)
  call ring(choose(3, level), 8)
  call raise(level)
  call ring(level, 9)
  pair = [4, 5]
  call two_ways(pair, n)
  call ring(n, 10)
  call other_way(m, pair)
  call ring(m, 11)
  call two_ways(pair, n)
  call ring(n, 12)
  do i = 1, 3
    call count_up(i)
    call ring(total, 12 + i)
  end do
  call heavy(x)
  if (rank == 0) print *, 'done', x > 0
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    integer :: out(256), in(256)
    out = 0
    call MPI_Sendrecv(out, count, MPI_INTEGER, mod(rank + 1, nproc), tag, in, 256, MPI_INTEGER, mod(rank + nproc - 1, nproc), tag, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine

  ! The optional argument is read in two ways, and in neither when it is absent.
  integer function choose(way, extra)
    integer, intent(in) :: way
    integer, optional, intent(in) :: extra
    choose = 7
    if (way == 2) choose = extra + 10
    if (way == 3) choose = extra + 20
    if (way == 1) choose = level + 30
  end function

  subroutine raise(n)
    integer, intent(inout) :: n
    n = n + 1
    call ring(n, 20)
    call ring(n + 1, 21)
  end subroutine

  subroutine count_up(by)
    integer, intent(in) :: by
    integer :: before
    before = total
    call add(by)
    call ring(before + total, 30 + by)
    if (by > 1) call add(by)
  end subroutine

  subroutine add(by)
    integer, intent(in) :: by
    total = total + by
  end subroutine

  subroutine heavy(s)
    real(8), intent(out) :: s
    integer :: k
    s = 1
    do k = 1, 200000
      s = s*0.999d0 + k
    end do
  end subroutine
end program
