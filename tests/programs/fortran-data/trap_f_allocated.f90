! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_allocated
! about: stat= and errmsg= of ALLOCATE and DEALLOCATE tell what is allocated already, or not: arrays, scalars, strings, components, objects
! ranks: 2 3
! gone: heat
! marks: content=0
module shapes
    implicit none
    type box
        integer :: n = 2
        integer, allocatable :: inner(:)
        character(:), allocatable :: name
    end type
    type, extends(box) :: crate
        integer :: more = 5
    end type
    integer, allocatable, save :: shared(:)
contains
    subroutine fill_shared(n, error)
        integer, intent(in) :: n
        integer, intent(out) :: error
        allocate (shared(n), stat=error)
    end subroutine
    subroutine fill(a, n, error)
        integer, allocatable, intent(inout) :: a(:)
        integer, intent(in) :: n
        integer, intent(out) :: error
        allocate (a(n), stat=error)
    end subroutine
end module
program trap_f_allocated
    use mpi
    use shapes
    implicit none
    integer :: ierr, rank, error, k
    integer, allocatable :: a(:), b(:), c(:), one, from(:)
    character(:), allocatable :: text
    character(80) :: message
    class(box), allocatable :: thing
    type(box) :: whole
    integer, pointer :: p(:)
    real(8) :: field(4096), got(4096)
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    field = 0
    field(100) = 1
    call heat(field)
    ! an array, twice
    allocate (a(5 + rank*0), stat=error)
    call told(1, error)
    allocate (a(9), stat=error)
    call told(2, error)
    call send(size(a))
    ! the second of three: the third stays as it is
    allocate (b(3), a(4), c(7), stat=error)
    call told(3, error)
    if (allocated(b)) call send(4)
    if (allocated(c)) call send(5)
    if (.not. allocated(c)) call send(6)
    ! a dummy, a variable of a module, from several places
    do k = 1, 2
        call fill(c, 10 + k, error)
        call told(5 + k, error)
        call fill_shared(20 + k, error)
        call told(7 + k, error)
    end do
    call send(size(c))
    call send(size(shared))
    deallocate (shared, stat=error)
    call told(10, error)
    deallocate (shared, stat=error)
    call told(11, error)
    call fill_shared(31, error)
    call told(12, error)
    call send(size(shared))
    ! a scalar, a string, a copy
    allocate (one, source=7, stat=error)
    call told(13, error)
    allocate (one, source=8, stat=error)
    call told(14, error)
    call send(one)
    allocate (character(6) :: text, stat=error)
    call told(15, error)
    allocate (character(9) :: text, stat=error)
    call told(16, error)
    call send(len(text))
    allocate (from, source=a(:3), stat=error)
    call told(17, error)
    allocate (from, mold=a, stat=error)
    call told(18, error)
    call send(size(from))
    ! components and objects
    allocate (whole%inner(4), stat=error)
    call told(19, error)
    allocate (whole%inner(8), stat=error)
    call told(20, error)
    call send(size(whole%inner))
    allocate (crate :: thing, stat=error)
    call told(21, error)
    allocate (box :: thing, stat=error)
    call told(22, error)
    select type (thing)
    type is (crate)
        call send(thing%more)
    type is (box)
        call send(thing%n)
    end select
    deallocate (thing, stat=error)
    call told(23, error)
    deallocate (thing, stat=error)
    call told(24, error)
    ! what an error message says, and what stays where there is none
    message = 'nothing'
    allocate (a(2), stat=error, errmsg=message)
    call send(len_trim(message))
    message = 'none'
    deallocate (a, stat=error, errmsg=message)
    call send(len_trim(message))
    deallocate (a, stat=error, errmsg=message)
    call send(len_trim(message))
    ! moved, assigned, given back at the end of a block
    call move_alloc(from, a)
    allocate (a(2), stat=error)
    call told(25, error)
    allocate (from(2), stat=error)
    call told(26, error)
    from = [1, 2, 3, 4]
    allocate (from(9), stat=error)
    call told(27, error)
    call send(size(from))
    block
        integer, allocatable :: local(:)
        do k = 1, 2
            allocate (local(k), stat=error)
            call told(27 + k, error)
        end do
    end block
    ! a pointer may be allocated again, and given back once
    allocate (p(3), stat=error)
    call told(30, error)
    deallocate (p, stat=error)
    call told(31, error)
    deallocate (p, stat=error)
    call told(32, error)
    call mpi_reduce(field, got, 100, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
    call mpi_finalize(ierr)
contains
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
