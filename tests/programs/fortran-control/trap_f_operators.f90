! commslice-test: trap_f_operators
! about: defined operators and defined assignment have side effects on the counts; a reduction with a user function
! ranks: 2 3 4
! most-ranks: 8
! SPDX-License-Identifier: BSD-3-Clause
module amounts
  implicit none
  type :: amount
    integer :: n = 0
  end type amount
  integer :: assigned = 0
  interface operator(+)
    module procedure add
  end interface
  interface operator(.twice.)
    module procedure double
  end interface
  interface assignment(=)
    module procedure set
  end interface
contains
  type(amount) function add(a, b)
    type(amount), intent(in) :: a, b
    add%n = a%n + b%n + 1
  end function add

  type(amount) function double(a)
    type(amount), intent(in) :: a
    double%n = 2*a%n
  end function double

  subroutine set(a, n)
    type(amount), intent(out) :: a
    integer, intent(in) :: n
    a%n = n
    assigned = assigned + 1
  end subroutine set

  subroutine mix(a, b, n, t)
    integer, intent(in) :: n, t
    integer, intent(in) :: a(n)
    integer, intent(inout) :: b(n)
    b = ieor(a, b)
    if (t == 0) b = 0
  end subroutine mix
end module amounts

program trap_f_operators
  use mpi
  use amounts
  implicit none
  integer :: ierr, rank, nproc, op, v(2), w(2)
  type(amount) :: a, b, c
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  a = 3
  b = 4 + nproc
  c = a + .twice. b
  call ring(c%n, assigned)
  c = 9
  call ring(c%n + assigned, 5)
  call MPI_Op_create(mix, .true., op, ierr)
  v = [ishft(1, rank), 8 + rank]
  call MPI_Allreduce(v, w, 2, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  call ring(w(1), w(2) + 20)
  call MPI_Op_free(op, ierr)
  print *, rank, c%n, w
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring
end program trap_f_operators
