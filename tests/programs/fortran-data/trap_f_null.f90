! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_null
! about: ALLOCATE with stat= of what has never been allocated, of which sizes are gone, and of what was: in a loop, by others, by moves, behind pointers
! ranks: 2 3
! gone: length heat
! marks: content=0
module store
    implicit none
    real(8), allocatable, save :: big(:), wide(:, :)
    integer, allocatable, save :: plan(:), table(:), again(:), passed(:), late(:), moved(:), held(:), called(:), given(:)
    integer, save :: depth = 0
    type cell
        integer, allocatable :: v(:)
        type(cell), pointer :: next => null()
    end type
contains
    integer function length(f)
        real(8), intent(in) :: f(:)
        integer :: i
        length = 1
        do i = 1, size(f)
            length = mod(length + int(abs(f(i))*i), 1000) + 1
        end do
    end function
    ! once, as programs do: nothing of the sizes decides communication
    subroutine set_up(f, n, error)
        real(8), intent(in) :: f(:)
        integer, intent(in) :: n
        integer, intent(out) :: error
        allocate (big(length(f)), wide(2, length(f)), stat=error)
        if (error == 0) allocate (plan(n), stat=error)
    end subroutine
    ! of each call its own, given back
    subroutine scratch(f, n, error)
        real(8), intent(in) :: f(:)
        integer, intent(in) :: n
        integer, intent(out) :: error
        real(8), allocatable :: t(:)
        integer :: i
        do i = 1, n
            allocate (t(length(f)), stat=error)
            if (error /= 0) return
            t = i
            deallocate (t)
        end do
    end subroutine
    ! given back and made again
    subroutine renew(n, error)
        integer, intent(in) :: n
        integer, intent(out) :: error
        if (allocated(again)) deallocate (again)
        allocate (again(n), stat=error)
    end subroutine
    subroutine release(a)
        integer, allocatable, intent(out) :: a(:)
        if (allocated(a)) deallocate (a)
    end subroutine
    subroutine exchange(a, b)
        integer, allocatable, intent(inout) :: a(:), b(:)
        integer, allocatable :: t(:)
        call move_alloc(a, t)
        call move_alloc(b, a)
        call move_alloc(t, b)
    end subroutine
    recursive subroutine descend(n, error)
        integer, intent(in) :: n
        integer, intent(inout) :: error
        integer, allocatable :: mine(:)
        integer :: e
        allocate (mine(n), stat=e)
        error = error + 10*e
        depth = depth + 1
        if (n > 1) call descend(n - 1, error)
        allocate (held(n), stat=e)
        if (e /= 0) error = error + 1
        allocate (mine(n), stat=e)
        if (e /= 0) error = error + 100
    end subroutine
    subroutine fill_called()
        if (.not. allocated(called)) allocate (called(3))
    end subroutine
    subroutine nothing()
    end subroutine
    subroutine run(what)
        interface
            subroutine what()
            end subroutine
        end interface
        call what()
    end subroutine
    integer function kept(n)
        integer, intent(in) :: n
        integer, allocatable, save :: own(:)
        allocate (own(n), stat=kept)
        if (kept /= 0) kept = size(own)
    end function
end module
program trap_f_null
    use mpi
    use store
    implicit none
    integer :: ierr, rank, ranks, error, k
    integer, allocatable :: a(:), b(:), inner(:)
    integer, pointer :: p(:)
    integer, allocatable, target :: t(:)
    type(cell), target :: one, two
    type(cell), pointer :: at
    procedure(nothing), pointer :: act
    real(8) :: field(4096), got(4096)
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    field = 0
    field(100) = 1
    call heat(field)
    call set_up(field, 5, error)
    call told(1, error)
    call send(size(plan))
    do k = 1, 2
        call scratch(field, k, error)
        call told(20, error)
    end do
    ! in a loop: the second time it is there, or it is not
    do k = 1, 3
        allocate (table(k), stat=error)
        call told(2, error)
        if (k == 2) deallocate (table)
    end do
    call send(size(table))
    do k = 1, 2
        call renew(k + 3, error)
        call told(3, error)
    end do
    call send(size(again))
    ! a dummy with intent(out) is given back
    allocate (passed(4), stat=error)
    if (ranks > 2) call release(passed)
    allocate (passed(6), stat=error)
    call told(4, error)
    call send(size(passed))
    ! a jump backwards: what comes first in the text runs last
    k = 0
10  continue
    if (k == 1) then
        allocate (late(7), stat=error)
        call told(5, error)
        go to 20
    end if
    allocate (late(8), stat=error)
    call told(6, error)
    k = k + 1
    go to 10
20  continue
    ! moved here, and there
    allocate (a(2), stat=error)
    call exchange(a, moved)
    allocate (a(3), stat=error)
    call told(7, error)
    allocate (moved(5), stat=error)
    call told(8, error)
    call send(size(moved))
    call exchange(a, b)
    allocate (b(9), stat=error)
    call told(9, error)
    allocate (a(10), stat=error)
    call told(10, error)
    ! each run of a recursive procedure has its own, and one is shared
    error = 0
    call descend(3, error)
    call send(error)
    ! by a procedure pointer, a procedure as an argument, an internal one
    act => nothing
    if (ranks > 2) act => fill_called
    call act()
    allocate (called(4), stat=error)
    call told(11, error)
    call run(fill_given)
    allocate (given(4), stat=error)
    call told(12, error)
    call fill_inner(2)
    allocate (inner(4), stat=error)
    call told(13, error)
    call send(kept(3))
    call send(kept(4) + 1)
    ! components behind a pointer
    one%next => two
    at => one
    do k = 1, 2
        allocate (at%v(k + 1), stat=error)
        call told(14, error)
        at => at%next
    end do
    allocate (two%v(9), stat=error)
    call told(15, error)
    two = cell()
    allocate (two%v(9), stat=error)
    call told(16, error)
    one = two
    allocate (one%v(3), stat=error)
    call told(17, error)
    ! a target that a pointer to it knows; assigned before, of no size before
    t = [integer ::]
    allocate (t(3), stat=error)
    call told(18, error)
    p => t
    call send(size(p) + 1)
    deallocate (t)
    t = [1, 2]
    allocate (t(3), stat=error)
    call told(19, error)
    call mpi_reduce(field, got, 100, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
    call mpi_finalize(ierr)
contains
    subroutine fill_given()
        allocate (given(2))
    end subroutine
    subroutine fill_inner(n)
        integer, intent(in) :: n
        allocate (inner(n))
    end subroutine
    subroutine told(what, code)
        integer, intent(in) :: what, code
        if (code == 0) call send(100 + what)
        if (code /= 0) call send(200 + what)
    end subroutine
    subroutine send(n)
        integer, intent(in) :: n
        call mpi_allreduce(field, got, n, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
        if (rank == 0) print *, n
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
