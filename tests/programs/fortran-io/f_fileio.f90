! commslice-test: f_fileio
! about: formatted, unformatted and stream files are written and read back; iostat, rewind and backspace matter
! ranks: 2 3 4
! gone: dye
! array: yarn 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_fileio
  use mpi
  implicit none
  integer :: ierr, rank, nproc, i, n, ios, unit_, pair(2), more(3), nlines
  character(len=16) :: name
  character(len=40) :: line
  real(8), allocatable :: yarn(:)
  real(8) :: s, inbuf(256)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(yarn(8*1024*1024))
  call dye(yarn, s)
  write(name, '(a,i0)') 'scratch.', rank

  open(newunit=unit_, file=name, status='replace', action='readwrite', form='formatted')
  do i = 1, 4
    write(unit_, '(a,i4,1x,i4)') 'item ', i, 6*i + rank
  end do
  write(unit_, *) 'stop'
  rewind(unit_)
  nlines = 0
  do
    read(unit_, '(a)', iostat=ios) line
    if (ios /= 0) exit
    nlines = nlines + 1
    if (line(1:5) /= 'item ') then
      nlines = nlines + len_trim(line)
      cycle
    end if
    read(line(6:), *) pair
    call ring(pair(2), pair(1))
  end do
  backspace(unit_)
  backspace(unit_)
  backspace(unit_)
  read(unit_, '(a9,i5)') line, n
  close(unit_, status='delete')
  call ring(n + nlines + len_trim(name) + merge(3, 0, is_there()), 20)

  open(newunit=unit_, file=name, form='unformatted', access='sequential')
  write(unit_) [3*nproc, 5, 7]
  write(unit_) 11
  rewind(unit_)
  read(unit_) more
  read(unit_) n
  close(unit_)
  call ring(sum(more) + n, 21)

  open(newunit=unit_, file=name, form='unformatted', access='stream', status='replace')
  write(unit_) 15, 16, 17
  read(unit_, pos=5) n
  inquire(unit=unit_, size=i)
  if (is_there()) i = i + 1
  close(unit_, status='delete')
  if (.not. is_there()) call ring(n + i, 22)
  print *, rank, nlines, n, i, s
  call MPI_Finalize(ierr)
contains
  logical function is_there()
    inquire(file=name, exist=is_there)
  end function is_there

  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    call MPI_Sendrecv(yarn, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring

  subroutine dye(y, total)
    real(8), intent(out) :: y(:), total
    integer :: j
    total = 0d0
    do j = 1, size(y)
      y(j) = mod(j, 43)
      total = total + y(j)
    end do
  end subroutine dye
end program f_fileio
