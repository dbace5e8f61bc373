! commslice-test: trap_f_namelist
! about: a namelist that names only some variables, others keep their values; a namelist that is written and read back decides counts
! ranks: 2 3
! files: part.nml=&sizes\n v(2) = 12\n/\n&sizes\n b = 9, a = 13\n/\n
! gone: heavy
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_namelist
  use mpi
  implicit none
  integer :: ierr, rank, nproc, a, b, v(3), w, k
  character(len=12) :: name
  character(len=7) :: path
  logical :: there
  real(8) :: x
  namelist /sizes/ a, b, v
  namelist /saved/ w
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  a = 5                                          ! not in the first group of the file, nor is b
  b = 3
  v = [6, 7, 8]
  call ring(b + sum(v), 5)                       ! before anything is read
  open(10, file='part.nml', status='old')
  do k = 1, 2
    read(10, nml=sizes)
    call ring(a, 10*k)
    call ring(b, 10*k + 1)
    call ring(sum(v), 10*k + 2)
  end do
  close(10)
  w = 11 + rank                                  ! goes through a file
  write(name, '(a,i0)') 'saved.', rank
  open(11, file=name, status='replace')
  write(11, nml=saved)
  rewind(11)
  w = 1
  read(11, nml=saved)
  path = 'saved.'//achar(iachar('0') + rank)
  inquire(file=path, exist=there)
  if (there) call ring(8, 7)
  close(11, status='delete')
  inquire(file=path, exist=there)
  if (.not. there) call ring(w, 4)
  call heavy(x)
  if (rank == 0) print *, 'done', x > 0
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    integer :: out(256), in(256)
    out = 0
    call MPI_Sendrecv(out, count, MPI_INTEGER, mod(rank + 1, nproc), tag, in, 256, MPI_INTEGER, mod(rank + nproc - 1, nproc), tag, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine heavy(s)
    real(8), intent(out) :: s
    integer :: k
    s = 1
    do k = 1, 200000
      s = s*0.999d0 + k
    end do
  end subroutine
end program
