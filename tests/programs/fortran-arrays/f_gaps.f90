! commslice-test: f_gaps
! about: mpi_f08 and sections with gaps, whose content goes nowhere: strides and bounds decide count and datatype, also
! about: through a procedure with TYPE(*), DIMENSION(..); the bounds of sections without gaps decide nothing
! ranks: 2 3
! gone: costly
! SPDX-License-Identifier: BSD-3-Clause
module wrapped
  use mpi_f08
  implicit none
  type point
    integer :: x, y
  end type
contains
  subroutine put(s, n, tag)
    type(*), dimension(..), intent(in), asynchronous :: s
    integer, intent(in) :: n, tag
    call MPI_Send(s, n, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD)
  end subroutine put

  integer function costly(n)
    integer, intent(in) :: n
    integer :: i
    costly = n
    do i = 1, n
      costly = costly + mod(i * costly, 3)
    end do
  end function costly
end module wrapped

program f_gaps
  use wrapped
  implicit none
  integer :: rank, nproc, n, m, v(60) = 0, sums(8) = 0
  real(8) :: a(10, 12)
  type(point) :: points(6)
  integer, allocatable :: b(:, :), c(:)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  n = 5 + command_argument_count()
  m = costly(n)
  allocate(b(n, m), c(m))
  a = rank; b = rank; c = rank
  points = point(1, 2)
  call MPI_Send(v(1:20:4), 5, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD)
  call MPI_Send(v(5:1:-1), 5, MPI_INTEGER, MPI_PROC_NULL, 2, MPI_COMM_WORLD)
  call MPI_Send(v(n:m), 2, MPI_INTEGER, MPI_PROC_NULL, 3, MPI_COMM_WORLD)
  call MPI_Send(c, 2, MPI_INTEGER, MPI_PROC_NULL, 4, MPI_COMM_WORLD)
  call MPI_Send(b(2, 1:n:2), 3, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD)
  call MPI_Send(points%y, 6, MPI_INTEGER, MPI_PROC_NULL, 6, MPI_COMM_WORLD)
  call put(v(1:n), n, 7)
  call put(v(1:3*n:3), n, 8)
  call MPI_Sendrecv(a(:, 2), 10, MPI_DOUBLE_PRECISION, modulo(rank + 1, nproc), 9, a(:, 1), 10, MPI_DOUBLE_PRECISION, &
                    modulo(rank - 1, nproc), 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Sendrecv(a(2, :), 12, MPI_DOUBLE_PRECISION, modulo(rank + 1, nproc), 10, a(1, :), 12, &
                    MPI_DOUBLE_PRECISION, modulo(rank - 1, nproc), 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Allreduce(MPI_IN_PLACE, sums(1:4), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Bcast(a(3, 1:6), 6, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  print *, rank, sum(a), sum(b(:, 1:n)), sum(sums)
  call MPI_Finalize()
end program f_gaps
