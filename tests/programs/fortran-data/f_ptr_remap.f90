! commslice-test: f_ptr_remap
! about: pointers with new bounds, remapped ranks and sections of targets give counts and peers
! ranks: 2 3 4
! gone: flow
! array: tank 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_ptr_remap
  use mpi
  implicit none
  type :: view
    integer, pointer :: v(:) => null()
    real(8), pointer :: big(:) => null()
  end type view
  integer :: ierr, rank, nproc, i, j
  integer, target :: flat(12), other(4)
  integer, pointer :: m(:, :), z(:), every(:)
  real(8), allocatable, target :: tank(:)
  real(8), pointer :: sheet(:, :)
  type(view) :: a, b
  real(8) :: inbuf(256), s

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(tank(8*1024*1024))
  sheet(0:2047, 1:4096) => tank
  call flow(sheet, s)

  flat = [(i, i = 1, 12)]
  other = 30
  m(0:2, -1:2) => flat
  m(1, 0) = 50                    ! flat(5)
  z(0:) => flat(3:8)
  z(1) = z(1) + 1                 ! flat(4)
  every => flat(2:12:3)           ! 2, 5, 8, 11
  a%v => every
  a%big => tank
  b = a                           ! the pointer is copied, not the target
  b%v(4) = 17                     ! flat(11)
  if (associated(b%v, every)) flat(12) = 60
  do j = lbound(m, 2), ubound(m, 2)
    call ring(m(2, j) + ubound(z, 1), 1)
  end do
  do i = 1, size(a%v)
    call ring(a%v(i), i)
  end do
  b%v => other
  call ring(a%v(2) + b%v(1), 1)
  nullify(a%v)
  if (.not. associated(a%v)) call ring(flat(4) + 1, 2)
  print *, rank, flat, s
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, by)
    integer, intent(in) :: count, by
    call MPI_Sendrecv(a%big, count, MPI_DOUBLE_PRECISION, modulo(rank + by, nproc), by, inbuf, 256, &
                      MPI_DOUBLE_PRECISION, modulo(rank - by, nproc), by, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring

  subroutine flow(t, total)
    real(8), intent(inout) :: t(0:, :)
    real(8), intent(out) :: total
    integer :: k, l
    total = 0d0
    do l = 1, size(t, 2)
      do k = 0, ubound(t, 1)
        t(k, l) = k*0.5d0 + l
        total = total + t(k, l)
      end do
    end do
  end subroutine flow
end program f_ptr_remap
