! commslice-test: f_list
! about: a linked list of pointers, with insertion, removal and big dead components, decides peers and counts
! ranks: 2 3 4
! gone: load_cargo
! array: cargo 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program f_list
  use mpi
  implicit none
  type :: car
    real(8), allocatable :: cargo(:)
    integer :: count = 0, by = 1
    type(car), pointer :: next => null()
    real(8) :: weight = 0d0
  end type car
  type(car), pointer :: head, c, prev, new
  integer :: ierr, rank, nproc, i, n
  real(8) :: inbuf(128), outbuf(128), total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nullify(head)
  total = 0d0
  do i = 1, 4
    allocate(new)
    new%count = mod(i*7, 10) + 2*nproc
    new%by = i
    allocate(new%cargo(2*1024*1024))
    call load_cargo(new)
    call insert(head, new)
  end do
  ! take out every second one
  prev => head
  do while (associated(prev))
    c => prev%next
    if (.not. associated(c)) exit
    prev%next => c%next
    total = total + c%weight
    deallocate(c)
    prev => prev%next
    if (nproc > 3) exit
  end do
  n = 0
  c => head
  do while (associated(c))
    outbuf = c%cargo(1:128)
    call MPI_Sendrecv(outbuf, c%count, MPI_DOUBLE_PRECISION, modulo(rank + c%by, nproc), n, inbuf, 128, &
                      MPI_DOUBLE_PRECISION, modulo(rank - c%by, nproc), n, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    n = n + 1
    c => c%next
  end do
  print *, rank, n, total
  call MPI_Finalize(ierr)
contains
  recursive subroutine insert(at, x)
    type(car), pointer, intent(inout) :: at
    type(car), pointer, intent(in) :: x
    if (.not. associated(at)) then
      at => x
    else if (at%count > x%count) then
      x%next => at
      at => x
    else
      call insert(at%next, x)
    end if
  end subroutine insert

  subroutine load_cargo(x)
    type(car), intent(inout) :: x
    integer :: j
    do j = 1, size(x%cargo)
      x%cargo(j) = mod(j, 9)*0.5d0
      x%weight = x%weight + x%cargo(j)
    end do
  end subroutine load_cargo
end program f_list
