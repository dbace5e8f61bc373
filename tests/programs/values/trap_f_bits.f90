! commslice-test: trap_f_bits
! about: transfer, ibits, mvbits, a seeded random_number with dead draws between, and complex parts give counts
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_bits
  use mpi
  implicit none
  integer :: ierr, rank, nproc, k, n, word
  integer, allocatable :: seed(:)
  real(8) :: x, dead
  complex(8) :: z
  logical :: l
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  x = transfer([17, 5], x)
  call ring(transfer(x, 1), 1)
  word = ishft(13, 8) + 200
  call ring(ibits(word, 8, 6), 2)
  n = 0
  call mvbits(word, 3, 5, n, 1)
  call ring(n, 3)
  call random_seed(size=k)
  allocate(seed(k))
  seed = [(37*n + 11*k, n = 1, k)]
  call random_seed(put=seed)
  dead = 0d0
  do n = 1, 5
    call random_number(x)
    dead = dead + x
  end do
  call random_number(x)
  call ring(int(100*x) + 1, 4)
  z = cmplx(3d0, 4d0, 8)
  z = z*z
  call ring(int(aimag(z)) + nint(abs(z)), 5)
  l = .not. (rank < 0)
  call ring(merge(7, 9, l .neqv. .false.), 6)
  print *, rank, int(100*x), n, dead > 0
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring
end program trap_f_bits
