! commslice-test: trap_f_found_units
! about: units whose numbers the run finds, and that are read back: one number used again after CLOSE, a function that
! about: finds a unit that is open, a number that the program knows, one that passes an array and a COMMON block, NEWUNIT=
! about: in a member of a structure, a subroutine that gives its number back in an argument
! ranks: 2 3
! SPDX-License-Identifier: BSD-3-Clause
module units
  implicit none
  type :: channel
    integer :: unit, lines
  end type channel
contains
  integer function free_unit()
    integer :: u
    logical :: used
    do u = 30, 99
      inquire(unit=u, opened=used)
      if (.not. used) exit
    end do
    free_unit = u
  end function free_unit

  integer function open_unit()
    integer :: u
    logical :: used
    do u = 30, 99
      inquire(unit=u, opened=used)
      if (used) exit
    end do
    open_unit = u
  end function open_unit

  integer function ten_or_more()
    logical :: used
    ten_or_more = 10
    inquire(unit=10, opened=used)
    if (used) ten_or_more = free_unit()
  end function ten_or_more

  subroutine give_unit(u)
    integer, intent(out) :: u
    logical :: used
    u = 40
    do
      inquire(unit=u, opened=used)
      if (.not. used) return
      u = u + 1
    end do
  end subroutine give_unit

  subroutine send(count, tag)
    use mpi
    integer, intent(in) :: count, tag
    integer :: rank, nranks, ierr
    real(8) :: out(64), in(64)
    out = 0
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
    call MPI_Sendrecv(out, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nranks), tag, in, 64, MPI_DOUBLE_PRECISION, &
                      mod(rank + nranks - 1, nranks), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine send
end module units

program trap_f_found_units
  use mpi
  use units
  implicit none
  integer :: rank, nranks, ierr, u, v, n, list(3), common_unit, i
  character(len=24) :: name
  type(channel) :: ch
  common /shared/ common_unit
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  write(name, '(a,i0,a)') 'units', rank, '.tmp'

  u = free_unit()                                 ! written by one number, read by the next, which is the same one
  open(unit=u, file=name)
  write(u, *) 3 + rank*0
  close(u)
  v = free_unit()
  open(unit=v, file=name)
  read(v, *) n
  call send(n, 1)

  write(open_unit(), *) 7                         ! goes to what v is connected to
  rewind(v)
  read(v, *) n
  read(v, *) n
  call send(n, 2)
  close(v)

  u = ten_or_more()                               ! the program knows that it is 10
  open(unit=u, file=name)
  write(10, *) 5
  rewind(u)
  read(u, *) n
  call send(n, 3)
  close(10)

  do i = 1, 3                                     ! numbers in an array
    list(i) = free_unit()
    open(unit=list(i), status='scratch')
    write(list(i), *) 10 + i
  end do
  do i = 3, 1, -1
    rewind(list(i))
    read(list(i), *) n
    call send(n, 3 + i)
    close(list(i))
  end do

  common_unit = free_unit()
  open(unit=common_unit, file=name)
  call fill_common()
  rewind(common_unit)
  read(common_unit, *) n
  call send(n, 7)
  close(common_unit)

  ch%lines = 0
  open(newunit=ch%unit, file=name)
  call put(ch, 21)
  call put(ch, 22)
  rewind(ch%unit)
  do i = 1, ch%lines
    read(ch%unit, *) n
    call send(n, 7 + i)
  end do
  close(ch%unit)

  call give_unit(u)
  open(unit=u, file=name)
  write(u, *) 31
  call give_unit(v)
  open(unit=v, status='scratch')
  write(v, *) 32
  rewind(u)
  rewind(v)
  read(u, *) n
  call send(n, 10)
  read(v, *) n
  call send(n, 11)
  close(v)
  close(u, status='delete')
  print *, 'rank', rank, n
  call MPI_Finalize(ierr)
contains
  subroutine put(c, value)
    type(channel), intent(inout) :: c
    integer, intent(in) :: value
    write(c%unit, *) value
    c%lines = c%lines + 1
  end subroutine put
end program trap_f_found_units

subroutine fill_common()
  implicit none
  integer :: common_unit
  common /shared/ common_unit
  write(common_unit, *) 17
end subroutine fill_common
