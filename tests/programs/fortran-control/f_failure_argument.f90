! commslice-test: f_failure_argument
! about: error codes of MPI are handed up by an argument, to a caller that goes on; the user says that no call fails
! ranks: 2 3
! assume: no-mpi-errors
! SPDX-License-Identifier: BSD-3-Clause
module exchanges
   use mpi
   implicit none
contains
   subroutine note(code, failed)
      integer, intent(in) :: code
      integer, intent(out) :: failed
      failed = 0
      if (code /= MPI_SUCCESS) failed = 1
   end subroutine

   subroutine exchange(n, rank, ranks, failed)
      integer, intent(in) :: n, rank, ranks
      integer, intent(out) :: failed
      integer :: code, request
      double precision :: out(100), in(100)
      out = n
      call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), n, MPI_COMM_WORLD, request, code)
      call note(code, failed)
      if (failed /= 0) return
      call MPI_Recv(in, 100, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), n, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, code)
      call note(code, failed)
      if (failed /= 0) return
      call MPI_Wait(request, MPI_STATUS_IGNORE, code)
      call note(code, failed)
   end subroutine
end module

program main
   use exchanges
   implicit none
   integer :: code, rank, ranks, n, failed, failures
   double precision :: x(10)
   call MPI_Init(code)
   call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
   failures = 0
   x = 0
   do n = 1, 5
      call exchange(n, rank, ranks, failed)
      failures = failures + failed
   end do
   call MPI_Bcast(x, 1 + failures, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
   call MPI_Finalize(code)
end program
