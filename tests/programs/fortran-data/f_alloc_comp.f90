! commslice-test: f_alloc_comp
! about: allocatable components, deep copies and move_alloc; sizes and contents of small components are live
! ranks: 2 3 4
! gone: fill_field
! array: field 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_alloc_comp
  use mpi
  implicit none
  type :: part
    integer, allocatable :: counts(:)
    real(8), allocatable :: field(:)
    integer :: tag = 0
  end type part
  type :: domain
    real(8) :: norm = 0d0
    type(part), allocatable :: parts(:)
  end type domain
  type(domain) :: d
  type(part) :: copy
  integer, allocatable :: spare(:)
  integer :: ierr, rank, nproc, i, k, right, left
  real(8) :: inbuf(128), outbuf(128)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  right = mod(rank + 1, nproc)
  left = mod(rank + nproc - 1, nproc)
  allocate(d%parts(2))
  do i = 1, 2
    allocate(d%parts(i)%counts(i + 2), d%parts(i)%field(4*1024*1024))
    d%parts(i)%counts = [(5*k + i, k = 1, i + 2)]
    d%parts(i)%tag = 10*i
    call fill_field(d%parts(i)%field, d%norm)
  end do
  copy%counts = d%parts(2)%counts
  copy%tag = d%parts(1)%tag + 1
  d%parts(2)%counts(1) = 40
  call move_alloc(d%parts(1)%counts, spare)
  allocate(d%parts(1)%counts, source=[7, 8])
  outbuf = d%parts(1)%field(1:128)
  call talk(copy)
  do i = 1, 2
    do k = 1, size(d%parts(i)%counts)
      call MPI_Sendrecv(outbuf, d%parts(i)%counts(k), MPI_DOUBLE_PRECISION, right, d%parts(i)%tag, inbuf, 128, &
                        MPI_DOUBLE_PRECISION, left, d%parts(i)%tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
  end do
  if (.not. allocated(d%parts(1)%counts)) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Bcast(outbuf, sum(spare), MPI_DOUBLE_PRECISION, size(spare) - 2, MPI_COMM_WORLD, ierr)
  print *, rank, size(spare), d%norm
  call MPI_Finalize(ierr)
contains
  subroutine fill_field(f, norm)
    real(8), intent(inout) :: f(:), norm
    integer :: j
    do j = 1, size(f)
      f(j) = mod(j, 17)*0.5d0
      norm = norm + f(j)
    end do
  end subroutine fill_field

  subroutine talk(p)
    type(part), intent(in) :: p
    integer :: n
    do n = size(p%counts), 1, -1
      call MPI_Sendrecv(outbuf, p%counts(n), MPI_DOUBLE_PRECISION, left, p%tag, inbuf, 128, MPI_DOUBLE_PRECISION, right, &
                        p%tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
  end subroutine talk
end program f_alloc_comp
