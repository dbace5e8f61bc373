! commslice-test: f_omp_unit
! about: a region writes to a unit from which the program reads a count later; and prints that nobody reads
! flags: -fopenmp
! ranks: 2 3
! SPDX-License-Identifier: BSD-3-Clause
program f_omp_unit
  use mpi
  use omp_lib
  implicit none
  integer :: ierr, rank, ranks, got(3), k, buf(64), in(64)
  character(24) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  buf = rank
  write (name, '(a,i0)') 'team.', rank
  open (unit=21, file=name, status='replace', action='readwrite')
  !$omp parallel do ordered num_threads(3) schedule(static, 1)
  do k = 1, 3
    !$omp ordered
    write (21, *) 4 * k + omp_get_thread_num()
    !$omp end ordered
  end do
  !$omp parallel num_threads(2)
  !$omp critical
  write (*, '(a)') 'here'
  !$omp end critical
  !$omp end parallel
  rewind (21)
  do k = 1, 3
    read (21, *) got(k)
    call MPI_Sendrecv(buf, got(k), MPI_INTEGER, modulo(rank + 1, ranks), k, in, got(k), MPI_INTEGER, &
                      modulo(rank - 1, ranks), k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  close (21, status='delete')
  write (*, '(a,i0,a,3(1x,i0))') 'rank ', rank, ':', got
  call MPI_Finalize(ierr)
end program f_omp_unit
