! SPDX-License-Identifier: BSD-3-Clause
! The Fortran module of libcommslice-balance: interfaces only, so that any Fortran 2018 compiler can make its own.
! comm is an integer (with mpi_f08: comm%mpi_val). Items count from 1. Functions return 0, or -1 after a line on stderr.
module commslice_balance
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: cs_balance_body, cs_balance_setup, cs_balance_start_loop, cs_balance_start_chunk, cs_balance_end_chunk, &
            cs_balance_end_loop, cs_balance_finish, cs_balance_for

  abstract interface
    subroutine cs_balance_body(first, count, state) bind(c)
      import
      integer(c_int64_t), value :: first, count
      type(c_ptr), value :: state
    end subroutine
  end interface

  interface
    integer(c_int) function cs_balance_setup(comm, technique, way, chunk, speed, balancer) &
        bind(c, name='cs_balance_setup_fortran')
      import
      integer(c_int), value :: comm
      character(kind=c_char, len=*), intent(in), optional :: technique, way
      integer(c_int64_t), intent(in), optional :: chunk
      real(c_double), intent(in), optional :: speed
      type(c_ptr), intent(out) :: balancer
    end function

    integer(c_int) function cs_balance_start_loop(balancer, items) bind(c)
      import
      type(c_ptr), value :: balancer
      integer(c_int64_t), value :: items
    end function

    ! 1: items first to first + count - 1 are this rank's; 0: there are no more.
    integer(c_int) function cs_balance_start_chunk(balancer, first, count) &
        bind(c, name='cs_balance_start_chunk_fortran')
      import
      type(c_ptr), value :: balancer
      integer(c_int64_t), intent(out) :: first, count
    end function

    subroutine cs_balance_end_chunk(balancer) bind(c)
      import
      type(c_ptr), value :: balancer
    end subroutine

    ! What this rank did: items, and seconds in its chunks.
    subroutine cs_balance_end_loop(balancer, items, seconds) bind(c, name='cs_balance_end_loop_fortran')
      import
      type(c_ptr), value :: balancer
      integer(c_int64_t), intent(out), optional :: items
      real(c_double), intent(out), optional :: seconds
    end subroutine

    subroutine cs_balance_finish(balancer) bind(c)
      import
      type(c_ptr), intent(inout) :: balancer
    end subroutine

    integer(c_int) function cs_balance_for(items, body, state, comm, technique) &
        bind(c, name='cs_balance_for_fortran')
      import
      integer(c_int64_t), value :: items
      procedure(cs_balance_body) :: body
      type(c_ptr), value :: state
      integer(c_int), value :: comm
      character(kind=c_char, len=*), intent(in), optional :: technique
    end function
  end interface
end module
