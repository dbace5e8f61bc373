! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_polymorphic
! about: polymorphic assignment allocates its left side, move_alloc, a list of such; stat= of DEALLOCATE tells what was not allocated
! ranks: 2 3
! gone: heat
! marks: content=0
module things
    implicit none
    type thing
        integer :: parts = 1
    contains
        procedure :: weight => parts_of
    end type
    type, extends(thing) :: bag
        integer, allocatable :: held(:)
    contains
        procedure :: weight => held_of
    end type
    type link
        class(thing), allocatable :: item
        type(link), allocatable :: next
    end type
contains
    integer function parts_of(this)
        class(thing), intent(in) :: this
        parts_of = this%parts
    end function
    integer function held_of(this)
        class(bag), intent(in) :: this
        held_of = this%parts + sum(this%held)
    end function
    recursive subroutine append(list, item)
        type(link), intent(inout) :: list
        class(thing), intent(in) :: item
        if (.not. allocated(list%item)) then
            list%item = item
            return
        end if
        if (.not. allocated(list%next)) allocate (list%next)
        call append(list%next, item)
    end subroutine
    recursive integer function total(list) result(sum_)
        type(link), intent(in) :: list
        sum_ = 0
        if (allocated(list%item)) sum_ = list%item%weight()
        if (allocated(list%next)) sum_ = 2*sum_ + total(list%next)
    end function
end module
program trap_f_polymorphic
    use mpi
    use things
    implicit none
    class(thing), allocatable :: first, moved, copy
    type(link) :: list
    integer :: ierr, error
    integer, allocatable :: never(:), there(:)
    real(8) :: field(4096), got(4096)
    call mpi_init(ierr)
    field = 0
    field(100) = 1
    call heat(field)
    allocate (first, source=bag(2, [3, 4]))
    call move_alloc(first, moved)
    copy = moved
    copy%parts = 20
    call send(moved%weight())
    call send(copy%weight())
    call append(list, copy)
    call append(list, thing(5))
    call append(list, moved)
    call send(total(list))
    if (.not. allocated(first)) first = thing(7)
    call send(first%weight())
    allocate (there(5))
    deallocate (never, there, stat=error)
    if (error /= 0) call send(3)
    if (allocated(there)) call send(4)
    call mpi_reduce(field, got, 100, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
    call mpi_finalize(ierr)
contains
    subroutine send(n)
        integer, intent(in) :: n
        call mpi_allreduce(field, got, n, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
        print *, n
    end subroutine
    subroutine heat(f)
        real(8), intent(inout) :: f(:)
        integer :: step, i
        do step = 1, 50
            do i = 2, size(f) - 1
                f(i) = f(i) + 0.1d0*(f(i - 1) - 2*f(i) + f(i + 1))
            end do
        end do
    end subroutine
end program
