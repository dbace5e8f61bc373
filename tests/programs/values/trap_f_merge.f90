! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_merge
! about: 5014 as a count: the number that gfortran uses for an allocation that failed
! ranks: 2 3
! gone: heat
! marks: content=0
program trap_f_merge
    use mpi
    implicit none
    integer :: ierr, rank, ranks, count
    real(8) :: field(16384), got(16384)
    integer, allocatable :: room(:)
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    field = 0
    field(100) = 1
    call heat(field)
    call add(merge(5014, 7, ranks > 2))
    count = merge(5014, 0, ranks == 2)
    call add(count + 1)
    count = 12
    if (ranks > 2) count = 5014
    call add(count)
    call add(max(merge(5014, ranks, ranks > 2), 2))
    allocate (room(ranks), stat=ierr)
    if (ierr /= 0) then
        print *, 'no memory'
        call mpi_abort(mpi_comm_world, 1, ierr)
    end if
    room = ranks + 3
    call add(room(1))
    call mpi_reduce(field, got, 100, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
    call mpi_finalize(ierr)
contains
    subroutine add(n)
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
