! commslice-test: f_assume_reduced
! about: in Fortran: a variable that a reduction brings is assumed, and what is reduced is not needed
! ranks: 2 3 4
! assume: f_assume_reduced.f90:20:most=18+2*size
! gone: measure_
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_assume_reduced
   implicit none
   include 'mpif.h'
   integer :: rank, nprocs, ierr, step, n, own, most
   double precision :: a(4096)
   call MPI_Init(ierr)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierr)
   a = 0
   do step = 1, 5
      call measure(a, rank, n)
      own = n
      call MPI_Allreduce(own, most, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
      call MPI_Bcast(a, most, MPI_DOUBLE_PRECISION, mod(most / 2 + step, nprocs), MPI_COMM_WORLD, ierr)
   end do
   print *, 'rank', rank, most
   call MPI_Finalize(ierr)
end program

subroutine measure(a, rank, n)
   implicit none
   double precision :: a(4096)
   integer :: rank, n, i
   n = 0
   do i = 1, 4096
      a(i) = a(i) + 1
      if (i * 0.5d0 <= 10d0 + rank) n = n + 1
   end do
end subroutine
