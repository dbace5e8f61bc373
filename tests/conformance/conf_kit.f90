! SPDX-License-Identifier: BSD-3-Clause
! kit.h for the families in Fortran: begin(name), check(condition, what), say(label, integers).
! Uses nothing of MPI, so that it goes with mpif.h, use mpi and use mpi_f08 alike.
module kit
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: begin, end_of_cases, check, say, say_real, lists
  integer, parameter, public :: dp = kind(1d0)

  interface
     integer(c_int) function conf_begin(name) bind(c)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: name(*)
     end function conf_begin
     subroutine end_of_cases() bind(c, name='conf_end')
     end subroutine end_of_cases
     subroutine conf_check(ok, what, file, line) bind(c)
       import :: c_int, c_char
       integer(c_int), value :: ok, line
       character(kind=c_char), intent(in) :: what(*), file(*)
     end subroutine conf_check
     subroutine say_ints(label, values, n) bind(c)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: label(*)
       integer(c_int), intent(in) :: values(*)
       integer(c_int), value :: n
     end subroutine say_ints
     subroutine say_doubles(label, values, n) bind(c)
       import :: c_int, c_char, c_double
       character(kind=c_char), intent(in) :: label(*)
       real(c_double), intent(in) :: values(*)
       integer(c_int), value :: n
     end subroutine say_doubles
  end interface
contains
  ! The name must live until the next case begins: it is kept here.
  logical function begin(name)
    character(*), intent(in) :: name
    character(kind=c_char, len=64), save, target :: kept(100)
    integer, save :: n = 0
    n = n + 1
    kept(n) = name // c_null_char
    begin = conf_begin(kept(n)) /= 0
  end function begin

  ! Does the program only list its cases? Then it must not call MPI.
  logical function lists()
    character(8) :: arg
    call get_command_argument(1, arg)
    lists = arg == '-l'
  end function lists

  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    call conf_check(merge(1, 0, ok), what // c_null_char, 'Fortran' // c_null_char, 0)
  end subroutine check

  subroutine say(label, values)
    character(*), intent(in) :: label
    integer, intent(in) :: values(:)
    call say_ints(label // c_null_char, values, size(values))
  end subroutine say

  subroutine say_real(label, values)
    character(*), intent(in) :: label
    real(dp), intent(in) :: values(:)
    call say_doubles(label // c_null_char, values, size(values))
  end subroutine say_real
end module kit
