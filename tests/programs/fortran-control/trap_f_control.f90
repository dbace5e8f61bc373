! commslice-test: trap_f_control
! about: trip counts fixed at loop entry, cycle and exit of outer loops, associate, where, forall, implied do
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_control
  use mpi
  implicit none
  integer :: ierr, rank, nproc, i, j, n, last, c(8), m(3, 4)
  character(len=12) :: text
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  n = 4
  do i = 1, n
    n = n + i                     ! does not change the number of turns
    call ring(n, i)
  end do
  call ring(i, 9)                 ! one past the end
  last = 0
  outer: do i = 1, 5
    do j = i, 9, 2
      if (j == 6) cycle outer
      if (i*j > 20) exit outer
      last = last + 10*i + j
    end do
  end do outer
  call ring(last, 10)
  c = [(i*i, i = 1, 8)]
  where (mod(c, 2) == 0)
    c = c/2
  elsewhere (c > 20)
    c = 0
  end where
  associate (x => c(3), y => c(2:6:2))
    y = y + x
    x = 40
  end associate
  forall (i = 1:7) c(i) = c(i + 1)
  do i = 1, 8
    call ring(c(i) + 1, 20 + i)
  end do
  m = reshape([((i + 2*j, i = 1, 3), j = 1, 4)], [3, 4])
  m(:, 2:4) = m(:, 1:3)           ! as if through a copy
  call ring(sum(m(2, :)) + count(m > 4), 40)
  text = 'abcdefghijkl'
  text(3:8) = text(1:6)
  call ring(ichar(text(8:8)), 41)
  do while (n > 0)
    n = n - 5
    if (mod(n, 4) == 1) cycle       ! 9
    call ring(n + 10, 42)
    if (n < 4) exit
  end do
  print *, rank, n, last, c
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring
end program trap_f_control
