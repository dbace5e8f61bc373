! SPDX-License-Identifier: BSD-3-Clause
! The part of trap_f_opaque.f90 that the slicer does not see: it asks the Fortran library for what the program has set there.
! Each gives a small number.
subroutine next_number(n)
  integer, intent(out) :: n
  read (10, *) n
end subroutine

subroutine draw(n)
  integer, intent(out) :: n
  real :: x
  call random_number(x)
  n = int(x * 50) + 1
end subroutine
