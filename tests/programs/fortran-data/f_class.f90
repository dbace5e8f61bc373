! commslice-test: f_class
! about: type-bound procedures, select type and class(*) decide messages; one class only computes
! ranks: 2 3 4
! gone: bake
! array: oven 64
! SPDX-License-Identifier: BSD-3-Clause
module steps_mod
  use mpi
  implicit none
  integer :: rank, nproc, ierr
  real(8), allocatable :: oven(:)
  real(8) :: warmth = 0d0
  type, abstract :: step
    integer :: count = 1
  contains
    procedure(run_i), deferred :: run
    procedure :: cost => plain_cost
  end type step
  abstract interface
    subroutine run_i(self)
      import :: step
      class(step), intent(inout) :: self
    end subroutine run_i
  end interface
  type, extends(step) :: shift
    integer :: by = 1
  contains
    procedure :: run => run_shift
  end type shift
  type, extends(shift) :: growing
  contains
    procedure :: run => run_growing
    procedure :: cost => growing_cost
  end type growing
  type, extends(step) :: baking
    real(8) :: heat = 1d0
  contains
    procedure :: run => run_baking
  end type baking
  type :: slot
    class(step), allocatable :: s
  end type slot
contains
  integer function plain_cost(self)
    class(step), intent(in) :: self
    plain_cost = self%count
  end function plain_cost

  integer function growing_cost(self)
    class(growing), intent(in) :: self
    growing_cost = 2*self%count + self%by
  end function growing_cost

  subroutine run_shift(self)
    class(shift), intent(inout) :: self
    real(8) :: buf(256)
    buf = warmth
    call MPI_Sendrecv_replace(buf, self%count, MPI_DOUBLE_PRECISION, modulo(rank + self%by, nproc), self%cost(), &
                              modulo(rank - self%by, nproc), self%cost(), MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine run_shift

  subroutine run_growing(self)
    class(growing), intent(inout) :: self
    call self%shift%run()
    self%count = self%count + 4
  end subroutine run_growing

  subroutine run_baking(self)
    class(baking), intent(inout) :: self
    call bake(self%heat)
  end subroutine run_baking

  subroutine bake(h)
    real(8), intent(in) :: h
    integer :: i
    do i = 2, size(oven)
      oven(i) = 0.5d0*oven(i - 1) + h*mod(i, 3)
    end do
    warmth = warmth + oven(size(oven))
  end subroutine bake

  integer function measure(x)
    class(*), intent(in) :: x
    select type (x)
    type is (integer)
      measure = x
    type is (character(*))
      measure = len(x)
    class is (shift)
      measure = x%count + 10*x%by
    class default
      measure = 2
    end select
  end function measure
end module steps_mod

program f_class
  use steps_mod
  implicit none
  type(slot) :: plan(4)
  integer :: i, round, total
  real(8) :: buf(300)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(oven(8*1024*1024))
  oven = 0d0
  allocate(plan(1)%s, source=shift(count=8, by=1))
  allocate(growing :: plan(2)%s)
  allocate(plan(3)%s, source=baking(heat=0.5d0))
  allocate(plan(4)%s, source=plan(1)%s)
  plan(4)%s%count = 13
  total = 0
  do round = 1, 2
    do i = 1, size(plan)
      call plan(i)%s%run()
      total = total + plan(i)%s%cost()
    end do
    select type (p => plan(4)%s)
    class is (shift)
      p%by = p%by + 1
    end select
  end do
  total = total + measure('seven') + measure(nproc) + measure(plan(2)%s) + measure(1.5)
  buf = warmth
  call MPI_Bcast(buf, total, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  print *, rank, total, warmth
  call MPI_Finalize(ierr)
end program f_class
