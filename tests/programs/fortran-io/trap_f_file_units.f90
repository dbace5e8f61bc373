! commslice-test: trap_f_file_units
! about: what is written through one unit is read through another, through one that no OPEN connects, through the same
! about: after a new OPEN; scratch files; INQUIRE asks for a size and whether there is a file
! ranks: 2 3
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_file_units
  use mpi
  implicit none
  integer :: rank, ierr, n, u, v
  logical :: there
  character(len=24) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  write(name, '(a,i1)') 'plan.', rank

  open(unit=21, file=name)
  write(21, *) 7
  close(21)
  open(unit=22, file=name, action='read')
  read(22, *) n
  close(22)
  call meet(n)

  if (rank == 0) then
    write(41, *) 11
    close(41)
    open(unit=23, file='fort.41', action='read')
    read(23, *) n
    close(23)
    write(42, *) 13
    rewind(42)
    read(42, *) n
    close(42)
  end if
  call MPI_Bcast(n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call meet(n)

  open(unit=24, status='scratch')
  write(24, *) 17
  rewind(24)
  read(24, *) n
  call meet(n)

  u = find_unit(30)
  open(unit=u, file='a'//name)
  write(u, *) 19
  open(unit=u, file='b'//name)
  write(u, *) 23
  close(u)
  v = find_unit(50)
  open(unit=v, file='a'//name)
  read(v, *) n
  close(v)
  call meet(n)
  open(newunit=v, file='b'//trim(name), position='append')
  write(v, *) 29
  close(v)
  open(newunit=v, file='b'//trim(name))
  read(v, *) n
  read(v, *) n
  close(v)
  call meet(n)

  inquire(file='b'//name, size=n)
  call meet(n)
  inquire(file='c'//name, exist=there)
  call meet(merge(3, 5, there))
  open(newunit=v, file='c'//name)
  close(v)
  inquire(file='c'//name, exist=there)
  call meet(merge(7, 9, there))
  open(newunit=v, file='c'//name)
  close(v, status='delete')
  inquire(file='c'//name, exist=there)
  call meet(merge(11, 12, there))
  print *, 'rank', rank
  call MPI_Finalize(ierr)

contains

  integer function find_unit(from)
    integer, intent(in) :: from
    logical :: used
    do find_unit = from, from + 9
      inquire(unit=find_unit, opened=used)
      if (.not. used) return
    end do
  end function find_unit

  subroutine meet(k)
    integer, intent(in) :: k
    integer :: all(64)
    all = rank
    call MPI_Bcast(all, 1 + mod(k, 60), MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end subroutine meet
end program trap_f_file_units
