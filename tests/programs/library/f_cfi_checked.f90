! commslice-test: f_cfi_checked
! about: with -fcheck=bounds, CFI_is_contiguous answers otherwise of a scalar: that decides a count
! flags: -fcheck=bounds
! ranks: 2
! SPDX-License-Identifier: BSD-3-Clause
program f_cfi_checked
  use mpi
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function contiguous(x) bind(C, name='CFI_is_contiguous')
      import
      type(*), dimension(..) :: x
    end function contiguous
  end interface
  integer :: ierr, n
  real :: values(20), scalar
  character(20) :: text = '7'

  call MPI_Init(ierr)
  read (text, *) n
  n = n + contiguous(scalar)
  call MPI_Bcast(values, n, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  print '(a, i0)', 'sent ', n
  call MPI_Finalize(ierr)
end program f_cfi_checked
