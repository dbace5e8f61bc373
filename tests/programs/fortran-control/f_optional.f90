! commslice-test: f_optional
! about: optional arguments, present or handed on absent, and keyword calls decide counts, tags and barriers
! ranks: 2 3 4
! gone: settle
! array: sand 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_optional
  use mpi
  implicit none
  integer :: ierr, rank, nproc, last
  real(8), allocatable :: sand(:)
  real(8) :: depth
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(sand(8*1024*1024))
  call settle(sand)
  call settle(sand, depth)
  call ring(5)
  call ring(6, tag=9)
  call ring(7, by=2, used=last)
  call ring(last, last)
  call ring(9, 4, 1, last)
  call twice(last)
  call twice(last, fence=.true.)
  call twice(last, 3, rank >= 0)
  print *, rank, last, depth
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag, by, used)
    integer, intent(in) :: count
    integer, intent(in), optional :: tag, by
    integer, intent(out), optional :: used
    integer :: t, d, n
    real(8) :: inbuf(256)
    n = count
    t = 1
    if (present(tag)) t = tag
    d = 1
    if (present(by)) d = by
    call MPI_Sendrecv(sand, n, MPI_DOUBLE_PRECISION, modulo(rank + d, nproc), t, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      modulo(rank - d, nproc), t, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (present(used)) used = n + t + d
  end subroutine ring

  ! an absent argument is handed on as absent
  subroutine twice(count, tag, fence)
    integer, intent(in) :: count
    integer, intent(in), optional :: tag
    logical, intent(in), optional :: fence
    call ring(count + 1, tag)
    if (present(fence)) then
      if (fence) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end if
    call ring(count + 2, by=tag)
  end subroutine twice

  subroutine settle(s, d)
    real(8), intent(inout) :: s(:)
    real(8), intent(out), optional :: d
    integer :: i
    do i = 1, size(s)
      s(i) = mod(i, 29)*0.125d0
    end do
    if (present(d)) d = sum(s)
  end subroutine settle
end program f_optional
