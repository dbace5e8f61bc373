! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f_repeat_loops
! about: DO loops of which the slice may run one turn for all, with counters that are printed, passed on, or used
! about: behind the loop, steps, and loops that are left or whose turns are not alike
! ranks: 2 3
module shared
    use mpi
    implicit none
    integer :: rank, size, left, right, ierr, width = 1
    real(8) :: field(64), halo(64)
contains
    subroutine exchange(n)
        integer, intent(in) :: n
        integer :: request(2)
        call mpi_irecv(halo, n, mpi_double_precision, left, 1, mpi_comm_world, request(1), ierr)
        call mpi_isend(field, n, mpi_double_precision, right, 1, mpi_comm_world, request(2), ierr)
        call mpi_waitall(2, request, mpi_statuses_ignore, ierr)
        field(1:n) = field(1:n) + halo(1:n)*0.25d0
    end subroutine

    subroutine plane(k, n)
        integer, intent(in) :: k, n
        field(k) = field(k) + 1d-3
        call exchange(n)
    end subroutine

    ! Every second turn is alike.
    subroutine alternate(n)
        integer, intent(in) :: n
        integer :: k, now
        now = 2
        do k = 1, n
            call exchange((now))
            now = 5 - now
        end do
    end subroutine

    subroutine wider
        width = width + 1
        call exchange(width)
    end subroutine
end module

program f_repeat_loops
    use shared
    integer :: i, k, n
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, size, ierr)
    left = mod(rank + size - 1, size)
    right = mod(rank + 1, size)
    field = rank
    n = 7
    do i = 1, n
        do k = 2, n - 1
            call plane(k, 3)
        end do
        do k = n - 1, 2, -2
            call plane(k, 4)
        end do
        if (rank == 0 .and. mod(i, 3) == 0) print '(a,i0)', 'step ', i
        call exchange(5)
    end do
    call exchange(i)
    do k = 1, 8*n, 3
        call exchange(2)
    end do
    call exchange(k)
    do k = 1, n
        call wider
    end do
    do k = 1, n
        call exchange(k)
    end do
    i = 0
    do while (i < n)
        i = i + 1
        call exchange(6)
    end do
    do k = 1, n
        if (width > 11 + k) exit
        call exchange(8)
    end do
    do k = n, 1
        call exchange(9)
    end do
    call alternate(6*n)
    call mpi_finalize(ierr)
end program
