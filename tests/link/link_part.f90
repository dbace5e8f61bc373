! SPDX-License-Identifier: BSD-3-Clause
! mixed_test.sh: a module variable that a bind(C) procedure changes
! decides the count of a broadcast.
module counts
  integer :: m = 3
contains
  subroutine bump(x) bind(c, name="bump_c")
    integer, intent(in) :: x
    m = m + x
  end subroutine bump
end module counts

subroutine part(n)
  use counts
  use mpi
  integer :: n, ie
  real(8) :: a(100)
  a = 1
  call bump(n)
  call MPI_Bcast(a, m, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ie)
end subroutine part
