! commslice-test: trap_f_common_shapes
! about: units see a COMMON block differently: one stores real numbers where another reads whole ones
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
subroutine fill(k)
  implicit none
  integer :: k, i, iw(20)
  common /shapes/ iw
  do i = 1, 20
    iw(i) = i * k
  end do
end subroutine

subroutine twist
  implicit none
  double precision :: x(5)
  integer :: n, m, rest(8)
  common /shapes/ x, n, m, rest
  n = n + m
  x(4) = 0d0
  x(1) = 3.5d0
end subroutine

program trap_f_common_shapes
  use mpi
  implicit none
  integer :: ierr, rank, size, i, a(4, 5), buf(1000)
  common /shapes/ a
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call fill(3)
  call twist
  buf = 0
  do i = 1, 5
    call MPI_Bcast(buf, mod(abs(a(1, i)), 200), MPI_INTEGER, mod(i, size), MPI_COMM_WORLD, ierr)
    call MPI_Bcast(buf, mod(abs(a(3, i)), 200), MPI_INTEGER, mod(i, size), MPI_COMM_WORLD, ierr)
    call MPI_Bcast(buf, mod(abs(a(4, i)), 200), MPI_INTEGER, mod(i, size), MPI_COMM_WORLD, ierr)
  end do
  print '(a,i0)', 'rank ', rank
  call MPI_Finalize(ierr)
end program
