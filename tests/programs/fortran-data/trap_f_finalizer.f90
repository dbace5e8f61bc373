! commslice-test: trap_f_finalizer
! about: a final procedure communicates when a scope ends, at deallocation and at assignment
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
module ends
  use mpi
  implicit none
  integer :: ierr, rank, nproc
  type :: ticket
    integer :: count = 0, tag = 0
  contains
    final :: settle
  end type ticket
contains
  subroutine settle(t)
    type(ticket), intent(inout) :: t
    if (t%count > 0) call ring(t%count, t%tag)
    t%count = 0
  end subroutine settle

  subroutine scope(n)
    integer, intent(in) :: n
    type(ticket) :: a
    a%count = n
    a%tag = 10 + n
    call ring(1, 1)
  end subroutine scope

  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring
end module ends

program trap_f_finalizer
  use ends
  implicit none
  type(ticket), allocatable :: b
  type(ticket), pointer :: c
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call scope(4)
  call scope(7)
  allocate(b)
  b%count = 5 + nproc
  b%tag = 2
  call ring(2, 3)
  deallocate(b)
  allocate(c)
  c%count = 20
  call ring(3, 4)
  deallocate(c)
  print *, rank
  call MPI_Finalize(ierr)
end program trap_f_finalizer
