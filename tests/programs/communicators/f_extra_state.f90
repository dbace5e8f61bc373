! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_extra_state
! about: Fortran: callbacks of a key are given extra_state by reference; the program sets it again before they run
! ranks: 2 3
module callbacks
  use mpi
  implicit none
  integer :: seen = 0
contains
  subroutine copied(comm, key, extra, given, taken, flag, ierr)
    integer :: comm, key, ierr
    integer(kind=MPI_ADDRESS_KIND) :: extra, given, taken
    logical :: flag
    seen = int(extra)
    taken = given + comm - comm + key - key
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine
  subroutine deleted(comm, key, given, extra, ierr)
    integer :: comm, key, ierr
    integer(kind=MPI_ADDRESS_KIND) :: given, extra
    extra = extra + 5 * given + comm - comm + key - key
    ierr = MPI_SUCCESS
  end subroutine
end module
program f_extra_state
  use callbacks
  implicit none
  integer :: ierr, key, again, numbers(200)
  integer(kind=MPI_ADDRESS_KIND) :: extra
  numbers = 0
  call MPI_Init(ierr)
  extra = 7
  call MPI_Comm_create_keyval(copied, deleted, key, extra, ierr)
  extra = 11
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 1_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, again, ierr)
  call MPI_Bcast(numbers, seen, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
  call MPI_Bcast(numbers, int(extra), MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Comm_free(again, ierr)
  call MPI_Bcast(numbers, int(extra), MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
