! commslice-test: f_assume_value
! about: in Fortran arguments go by reference: the count of a send is assumed
! ranks: 2 3 4
! assume: f_assume_value.f90:19:count=20+2*rank
! gone: measure_
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_assume_value
   implicit none
   include 'mpif.h'
   integer :: rank, nprocs, ierr, step, n
   integer :: status(MPI_STATUS_SIZE)
   double precision :: a(4096)
   call MPI_Init(ierr)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierr)
   do step = 1, 5
      call measure(a, rank, n)
      if (rank > 0) call MPI_Send(a, n, MPI_DOUBLE_PRECISION, 0, 7, MPI_COMM_WORLD, ierr)
      if (rank == 0) then
         do n = 1, nprocs - 1
            call MPI_Recv(a, 4096, MPI_DOUBLE_PRECISION, n, 7, MPI_COMM_WORLD, status, ierr)
         end do
      end if
   end do
   print *, 'rank', rank, n
   call MPI_Finalize(ierr)
end program

subroutine measure(a, rank, n)
   implicit none
   double precision :: a(4096)
   integer :: rank, n, i
   n = 0
   do i = 1, 4096
      a(i) = i * 0.5d0
      if (a(i) <= 10d0 + rank) n = n + 1
   end do
end subroutine
