! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f90_kind_contents
! about: what types of Fortran's kinds are made of (MPI_Type_get_contents) decides, as they are no predefined ones
! ranks: 2
program f90_kind_contents
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: t, none(1)
  integer :: digits(2), word(16), nints, naddresses, ntypes, combiner
  integer(MPI_ADDRESS_KIND) :: address(1)

  call MPI_Init()
  word = 1
  call MPI_Type_create_f90_integer(9, t)
  call MPI_Type_get_envelope(t, nints, naddresses, ntypes, combiner)
  call MPI_Type_get_contents(t, nints, 0, 0, digits, address, none)
  call MPI_Bcast(word, digits(1), MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Type_create_f90_real(6, 30, t)
  call MPI_Type_get_contents(t, 2, 0, 0, digits, address, none)
  call MPI_Bcast(word, digits(1) + digits(2) / 10, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Finalize()
end program f90_kind_contents
