! commslice-test: trap_f_copyinout
! about: sections go to explicit-shape dummies by copy-in, copy-out; VALUE dummies and expressions do not come back
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_copyinout
  use mpi
  implicit none
  integer :: ierr, rank, nproc, c(12), i, n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  c = [(i, i = 1, 12)]
  call triple(c(2:12:3), 4)
  call triple(c(10:1:-4), 3)
  call ring(total((c(3:1:-1)), 3), 48)
  n = 4
  call local(n)
  call ring(n, 50)
  do i = 1, 12
    call ring(c(i), i)
  end do
  call skew(c, 3, 4)
  call ring(c(7), 51)
  print *, rank, c
  call MPI_Finalize(ierr)
contains
  subroutine triple(a, m)
    integer, intent(in) :: m
    integer, intent(inout) :: a(m)
    a = 3*a
    a(m) = a(m) + 1
  end subroutine triple

  integer function total(a, m)
    integer, intent(in) :: m
    integer, intent(in) :: a(m)
    total = sum(a) + a(1)
  end function total

  subroutine local(k)
    integer, value :: k
    k = k + 50
    call ring(k, 49)
  end subroutine local

  ! the same storage with another shape and other bounds
  subroutine skew(a, rows, cols)
    integer, intent(in) :: rows, cols
    integer, intent(inout) :: a(0:rows - 1, -1:cols - 2)
    a(0, 1) = a(2, 2) + rows
  end subroutine skew

  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring
end program trap_f_copyinout
