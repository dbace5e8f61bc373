! commslice-test: f08_files
! about: MPI-IO from Fortran: a field that nobody reads, and a count that is read back and decides what is sent
! ranks: 2 3
! gone: solve
! SPDX-License-Identifier: BSD-3-Clause
program f08_files
  use mpi_f08
  implicit none
  integer, parameter :: n = 1000000
  real(8) :: field(n)
  integer :: ierr, rank, nranks, count, back
  type(MPI_File) :: fh, back_fh
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Datatype) :: filetype
  integer(MPI_OFFSET_KIND) :: at
  integer :: buffer(100)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  buffer = 0
  call solve(field)
  call MPI_Type_vector(10, 5, 5 * nranks, MPI_DOUBLE_PRECISION, filetype, ierr)
  call MPI_Type_commit(filetype, ierr)
  call MPI_File_open(MPI_COMM_WORLD, 'field.out ', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  at = 40 * rank
  call MPI_File_set_view(fh, at, MPI_DOUBLE_PRECISION, filetype, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_write_all(fh, field, 50, MPI_DOUBLE_PRECISION, status, ierr)
  call MPI_File_iwrite(fh, field, 5, MPI_DOUBLE_PRECISION, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_File_close(fh, ierr)
  call MPI_Type_free(filetype, ierr)

  call MPI_File_open(MPI_COMM_WORLD, 'count.out', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, back_fh, ierr)
  count = 5 + 2 * rank
  at = 4 * rank
  call MPI_File_write_at_all(back_fh, at, count, 1, MPI_INTEGER, status, ierr)
  call MPI_File_sync(back_fh, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  at = 4 * mod(rank + 1, nranks)
  call MPI_File_read_at(back_fh, at, back, 1, MPI_INTEGER, status, ierr)
  call MPI_File_close(back_fh, ierr)
  call MPI_Sendrecv(buffer, back, MPI_INTEGER, mod(rank + 1, nranks), 0, buffer(51), 50, MPI_INTEGER, &
       mod(rank + nranks - 1, nranks), 0, MPI_COMM_WORLD, status, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine solve(a)
    real(8), intent(out) :: a(:)
    integer :: i
    do i = 1, size(a)
       a(i) = sqrt(real(i, 8)) * sin(real(i, 8))
    end do
  end subroutine
end program
