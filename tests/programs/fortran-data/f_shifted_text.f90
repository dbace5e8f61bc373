! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_shifted_text
! about: texts in a list lose their beginning in each turn, and what is left of one says how much is sent:
! about: each byte comes from another one of another text, without end
! ranks: 2 3
program f_shifted_text
  use mpi
  implicit none
  type :: entry
    integer, allocatable :: parts(:)
    character(:), allocatable :: text
    integer :: kind = 0
  end type
  type(entry) :: first, second
  type(entry), allocatable :: list(:)
  real(8) :: d(400) = 1
  integer :: ierr, i, n
  call MPI_Init(ierr)
  call fill(first, 'abcdefghijklmnop')
  call fill(second, 'ponmlkjihgfedcba')
  do i = 1, 4
    n = len(second%text) + iachar(second%text(1:1)) + sum(second%parts) / 20
    call MPI_Bcast(d, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    first%text = second%text(3:)
    allocate(list(2))
    list(1) = first
    list(2) = second
    call turn(list, second)
    deallocate(list)
  end do
  call MPI_Finalize(ierr)
contains
  subroutine fill(e, text)
    type(entry), intent(inout) :: e
    character(*), intent(in) :: text
    integer :: k
    e%parts = [(k * iachar(text(k:k)), k = 1, 8)]
    e%text = text
  end subroutine
  subroutine turn(list, last)
    type(entry), intent(inout) :: list(:), last
    last%text = list(1)%text
    call move_alloc(list(1)%parts, last%parts)
    last%parts = last%parts / 2
  end subroutine
end program
