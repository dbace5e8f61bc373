! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_errno
! about: ierrno() and gerror() tell how an OPEN failed
! ranks: 2 3
program f_errno
   use mpi
   implicit none
   integer :: ierr, ios
   real(8) :: field(200)
   character(80) :: text
   call MPI_Init(ierr)
   open (10, file='/no/such/file', status='old', iostat=ios)
   call MPI_Bcast(field, ierrno() + 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
   call gerror(text)
   call MPI_Bcast(field, len_trim(text), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
   call MPI_Finalize(ierr)
end program
