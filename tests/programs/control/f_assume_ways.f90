! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_assume_ways
! about: a loop with two ways back to its start, of which GCC makes two loops, has one count; the line of the lesser way
! about: back leaves none
! assume: f_assume_ways.f90:19=6
program ways
  use mpi
  implicit none
  integer :: error, ios, lines
  character(20) :: line
  double precision :: x(64)
  call MPI_Init(error)
  open (11, status='scratch')
  write (11, '(a)') '# head', 'send', 'wait', '# more', 'send'
  rewind (11)
  lines = 0
  do
    read (11, '(a)', iostat=ios) line
    if (ios < 0) exit
    lines = lines + 1
    if (line(1:1) == '#') read (line, '(2x,a)') line
    if (line(1:1) == 's') call MPI_Bcast(x, 33, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  end do
  call MPI_Bcast(x, lines, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
