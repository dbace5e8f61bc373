! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_derived_io
! about: procedures of the program that write and read derived types, in strings and files: what they write, and what
! about: they say in IOSTAT and IOMSG, and of what the library tells them, decides counts
! ranks: 2 3
module shapes
  implicit none
  integer :: calls = 0
  type point
    integer :: n = 0
    real :: x = 0
  contains
    procedure :: put
    procedure :: get
    generic :: write(formatted) => put
    generic :: read(formatted) => get
  end type
  type, extends(point) :: disc
    integer :: radius = 4
  contains
    procedure :: put => put_disc
  end type
contains
  subroutine put(this, unit, iotype, vlist, iostat, iomsg)
    class(point), intent(in) :: this
    integer, intent(in) :: unit
    character(*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    character(len=20) :: form
    calls = calls + 1
    if (iotype == 'LISTDIRECTED') then
      write (unit, '(i0,1x,f8.3)', iostat=iostat, iomsg=iomsg) this%n, this%x
    else if (iotype == 'DTfail') then
      iostat = 77
      iomsg = 'failed'
    else
      write (form, '(a,i0,a)') '(i', vlist(1), ',f8.3)'
      write (unit, form, iostat=iostat, iomsg=iomsg) this%n, this%x
    end if
  end subroutine
  subroutine put_disc(this, unit, iotype, vlist, iostat, iomsg)
    class(disc), intent(in) :: this
    integer, intent(in) :: unit
    character(*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    write (unit, '(i0,1x,i0)', iostat=iostat, iomsg=iomsg) this%n + this%radius, size(vlist)
  end subroutine
  subroutine get(this, unit, iotype, vlist, iostat, iomsg)
    class(point), intent(inout) :: this
    integer, intent(in) :: unit
    character(*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    read (unit, *, iostat=iostat, iomsg=iomsg) this%n, this%x
    if (this%n > 50) iostat = -1
  end subroutine
end module
program f_derived_io
  use mpi
  use shapes
  implicit none
  type(point) :: p, q, r
  class(point), allocatable :: c
  integer :: ierr, np, ios, i
  character(len=40) :: text, other, lines(2)
  character(len=30) :: msg
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  p%n = 7 + np
  p%x = 1.5 * np
  write (text, '(dt(12))') p
  read (text(1:12), '(i12)') i
  call exchange(i)
  call exchange(len_trim(text))
  other = ' 21 3.5 4 5 6'
  read (other, *) q
  call exchange(q%n)
  ios = 0
  msg = ''
  write (text, '(dt"fail")', iostat=ios, iomsg=msg) p
  call exchange(ios)
  call exchange(len_trim(msg))
  write (other, *) 50 + np, 2.5
  read (other, *, iostat=ios) q
  if (ios /= 0) call exchange(11)
  allocate (disc :: c)
  c%n = 30 + np
  write (lines(1), *) c
  write (lines(2), *) c%n, p
  read (lines(1), *) r
  call exchange(r%n)
  call exchange(len_trim(lines(2)))
  open (20, status='scratch', form='formatted')
  write (20, '(dt(9))') p
  rewind (20)
  read (20, '(i9)') i
  close (20)
  call exchange(i + 100)
  call exchange(calls)
  call MPI_Finalize(ierr)
contains
  subroutine exchange(n)
    integer, intent(in) :: n
    real :: buffer(300)
    buffer = 0
    call MPI_Bcast(buffer, n, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program
