! SPDX-License-Identifier: BSD-3-Clause
! The library from Fortran: a loop by hand, and one at once. Prints sums that each item gives once.
module balance_sums
  use commslice_balance
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int64_t) :: own
contains
  subroutine body(first, count, state) bind(c)
    integer(c_int64_t), value :: first, count
    type(c_ptr), value :: state
    integer(c_int64_t), pointer :: factor
    integer(c_int64_t) :: i
    call c_f_pointer(state, factor)
    do i = first, first + count - 1
      own = own + factor * i * i
    end do
  end subroutine
end module

program balance_items
  use balance_sums
  use mpi
  implicit none
  type(c_ptr) :: balancer
  integer(c_int64_t) :: first, count, items
  integer(c_int64_t), target :: factor = 3
  real(c_double) :: seconds
  integer :: rank, code, ierr
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  code = cs_balance_setup(mpi_comm_world, 'tss   ', balancer=balancer, speed=1.5d0)
  if (code /= 0) stop 2
  code = cs_balance_start_loop(balancer, 1000_c_int64_t)
  own = 0
  do while (cs_balance_start_chunk(balancer, first, count) /= 0)
    call body(first, count, c_loc(factor))
    call cs_balance_end_chunk(balancer)
  end do
  call cs_balance_end_loop(balancer, items, seconds)
  call tell(own)
  call tell(items)
  call cs_balance_finish(balancer)
  own = 0
  code = cs_balance_for(1000_c_int64_t, body, c_loc(factor), mpi_comm_world, 'wf')
  call tell(own)
  call mpi_finalize(ierr)
contains
  subroutine tell(value)
    integer(c_int64_t), intent(in) :: value
    integer(c_int64_t) :: total
    call mpi_reduce(value, total, 1, mpi_integer8, mpi_sum, 0, mpi_comm_world, ierr)
    if (rank == 0) print '(i0)', total
  end subroutine
end program
