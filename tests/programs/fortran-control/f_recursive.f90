! commslice-test: f_recursive
! about: recursive procedures, procedure pointers and internal procedures as arguments decide messages
! ranks: 2 3 4
! gone: boil
! array: kettle 64
! SPDX-License-Identifier: BSD-3-Clause
module acts
  implicit none
  abstract interface
    subroutine action(n)
      integer, intent(in) :: n
    end subroutine action
    integer function rule(n)
      integer, intent(in) :: n
    end function rule
  end interface
  type :: entry
    procedure(rule), pointer, nopass :: f => null()
    integer :: from = 0
  end type entry
contains
  integer function twice(n)
    integer, intent(in) :: n
    twice = 2*n
  end function twice

  integer function plus(n)
    integer, intent(in) :: n
    plus = n + 3
  end function plus

  ! n, n-1, ... in an order that the recursion decides
  recursive subroutine walk(lo, hi, act)
    integer, intent(in) :: lo, hi
    procedure(action) :: act
    integer :: mid
    if (lo > hi) return
    mid = (lo + hi)/2
    call act(mid)
    call walk(mid + 1, hi, act)
    call walk(lo, mid - 1, act)
  end subroutine walk

  recursive integer function power(b, e) result(p)
    integer, intent(in) :: b, e
    if (e == 0) then
      p = 1
    else if (mod(e, 2) == 0) then
      p = power(b*b, e/2)
    else
      p = b*power(b, e - 1)
    end if
  end function power
end module acts

program f_recursive
  use mpi
  use acts
  implicit none
  integer :: ierr, rank, nproc, base, i
  type(entry) :: table(3)
  real(8), allocatable :: kettle(:)
  real(8) :: heat
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(kettle(8*1024*1024))
  call boil(kettle, heat, 8*1024*1024)
  table(1)%f => twice
  table(2)%f => plus
  table(3)%f => table(1)%f
  base = 5
  do i = 1, 3
    table(i)%from = table(i)%f(base + i)
  end do
  table(1)%f => plus
  call walk(1, 6, ring)
  base = table(3)%from + table(1)%f(1)
  call walk(power(2, 2), 5, ring)
  call ring(power(3, 3))
  print *, rank, base, heat
  call MPI_Finalize(ierr)
contains
  ! an internal procedure: it sees base, and is passed through a trampoline
  subroutine ring(n)
    integer, intent(in) :: n
    real(8) :: inbuf(128)
    base = base + mod(n, 3)
    call MPI_Sendrecv(kettle, base + n, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), n, inbuf, 128, &
                      MPI_DOUBLE_PRECISION, mod(rank + nproc - 1, nproc), n, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring

  recursive subroutine boil(k, h, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: k(n)
    real(8), intent(out) :: h
    real(8) :: a, b
    integer :: j
    if (n > 4096) then
      call boil(k(1:n/2), a, n/2)
      call boil(k(n/2 + 1:n), b, n - n/2)
      h = a + b
    else
      h = 0d0
      do j = 1, n
        k(j) = j
        h = h + k(j)
      end do
    end if
  end subroutine boil
end program f_recursive
