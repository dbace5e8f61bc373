! commslice-test: trap_f_quotient
! about: quotients of complex numbers, which Fortran divides otherwise than C, with another last digit
! ranks: 2
program trap_f_quotient
  use mpi
  implicit none
  character :: data(1024)
  complex :: z, w, q
  integer :: ierr, ranks, i
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  do i = 1, 40
    z = cmplx(ranks / 3.0 * i, ranks / 7.0)
    w = cmplx(ranks / 9.0, ranks / 11.0 * i)
    q = z / w
    call MPI_Bcast(data, iand(transfer(real(q), 1), 1023), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
  end do
  print *, 'divided'
  call MPI_Finalize(ierr)
end program
