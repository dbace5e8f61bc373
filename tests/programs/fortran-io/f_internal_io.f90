! commslice-test: f_internal_io
! about: numbers are written into strings and read back from parts of them; they decide counts, tags and peers
! ranks: 2 3 4
! most-ranks: 21
! gone: glaze
! array: pot 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_internal_io
  use mpi
  implicit none
  integer :: ierr, rank, nproc, n, tag, step, list(4), ios, k, d
  character(len=40) :: line
  character(len=8) :: word
  character(len=12) :: lines(3)
  real(8) :: inbuf(256), x, norm
  real(8), allocatable :: pot(:)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(pot(8*1024*1024))
  call glaze(pot, norm)

  write(line, '(a,i3.3,a,i2,a,f6.2)') 'count=', 20 + nproc, ';tag=', 7, ';x=', 2.5
  read(line(7:9), '(i3)') n
  read(line(15:16), *) tag
  k = index(line, 'x=')
  read(line(k + 2:), *) x
  call ring(n + int(2*x), tag, 1)

  write(word, '(i0)') 12*nproc
  line = trim(word)//', 3 '//' 9,'//repeat('1', 2)
  read(line, *, iostat=ios) list
  if (ios == 0) then
    do step = 1, 4
      call ring(list(step), step, mod(step, nproc))
    end do
  end if
  ! an array of strings is a file of records; the read runs into its end on purpose
  lines = ['alpha 4     ', 'beta  5     ', '            ']
  do k = 1, 3
    read(lines(k), *, iostat=ios) word, d
    if (ios /= 0) exit
    call ring(d + len_trim(word), k, 1)
  end do
  call ring(k, 99, 1)
  print *, rank, n, tag, list, k, norm
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, t, by)
    integer, intent(in) :: count, t, by
    call MPI_Sendrecv(pot, count, MPI_DOUBLE_PRECISION, mod(rank + by, nproc), t, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - by, nproc), t, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring

  subroutine glaze(p, total)
    real(8), intent(out) :: p(:), total
    integer :: i
    total = 0d0
    do i = 1, size(p)
      p(i) = mod(i, 13)
      total = total + p(i)
    end do
  end subroutine glaze
end program f_internal_io
