! commslice-test: trap_f_cfi_extents
! about: a descriptor that is made by CFI_establish: its extents, read from an array, decide a count
! ranks: 2
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_cfi_extents
  use mpi
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function CFI_establish(dv, base, attribute, type, elem_len, rank, extents) bind(C, name='CFI_establish')
      import
      type(c_ptr), value :: dv, base
      integer(c_int8_t), value :: attribute, rank
      integer(c_int16_t), value :: type
      integer(c_size_t), value :: elem_len
      integer(c_ptrdiff_t) :: extents(*)
    end function CFI_establish
  end interface
  integer, parameter :: first_extent = 5, second_extent = 8 ! words of a descriptor: lower bound, extent, stride of each
  integer(c_int64_t), target :: descriptor(9)
  integer(c_ptrdiff_t) :: extents(2)
  real(8), target :: values(20)
  integer :: ierr, rank, n

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = 0d0
  extents = [3, 5]
  ierr = CFI_establish(c_loc(descriptor), c_loc(values), 2_c_int8_t, 2051_c_int16_t, 8_c_size_t, 2_c_int8_t, extents)
  n = int(descriptor(first_extent)*descriptor(second_extent))
  call MPI_Bcast(values, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  print '(a, i0, a, i0)', 'rank ', rank, ' sent ', n
  call MPI_Finalize(ierr)
end program trap_f_cfi_extents
