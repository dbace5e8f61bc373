! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_wrapper_kinds
! about: a Fortran wrapper sums whole numbers that decide and others that do not;
! about: one with an optional argument and a saved counter as tag
! ranks: 2 3 4
! gone: relax_
module wraps
    use mpi
    implicit none
    integer :: rank, ranks
contains
    subroutine add_up(v, n)
        integer, intent(in) :: n
        integer, intent(inout) :: v(n)
        integer :: s(n), ierr
        call MPI_Allreduce(v, s, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
        v = s
    end subroutine
    subroutine pass(v, n, got)
        integer, intent(in) :: n
        integer, intent(inout) :: v(n)
        integer, intent(out), optional :: got
        integer :: ierr, st(MPI_STATUS_SIZE)
        integer, save :: calls = 0
        calls = calls + 1
        call MPI_Sendrecv_replace(v, n, MPI_INTEGER, mod(rank + 1, ranks), calls, mod(rank + ranks - 1, ranks), calls, &
            MPI_COMM_WORLD, st, ierr)
        if (present(got)) call MPI_Get_count(st, MPI_INTEGER, got, ierr)
    end subroutine
end module

subroutine relax(u)
    integer, intent(inout) :: u(20)
    integer :: i
    do i = 2, 20
        u(i) = mod(u(i) + 3 * u(i - 1), 101)
    end do
end subroutine

program main
    use wraps
    implicit none
    external :: relax
    integer :: plan(2), u(20), i, got, ierr
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    plan = (/ 1 + rank, 2 /)
    u = rank + 1
    call add_up(plan, 2)
    call pass(plan, 2, got)
    do i = 1, plan(1) + got
        call relax(u)
        call add_up(u, 20)
    end do
    call pass(plan, mod(plan(2), 2) + 1)
    print '(a,i2,a,2i6)', 'rank', rank, ':', plan(1), u(20)
    call MPI_Finalize(ierr)
end program
