! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_persistent
! about: a persistent send is filled before each start and printed after, which the slice leaves out; nothing is ASYNCHRONOUS. What arrives is a count
! ranks: 2 3
! gone: heat
! marks: content=2
module work
    use mpi
    implicit none
    integer :: me, np, ierr
    real(8) :: field(100) = 0, total(100) = 0
contains
    subroutine heat(n)
        integer, intent(in) :: n
        integer :: k
        do k = 2, 100
            field(k) = 0.5d0*(field(k - 1) + n)
        end do
    end subroutine
    subroutine step(n)
        integer, intent(in) :: n
        call heat(n)
        call mpi_allreduce(field, total, n, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
        if (me == 0) print *, n, total(1), total(n)
    end subroutine
end module
program trap_f_persistent
    use work
    implicit none
    integer :: req(2), i, peer, outgoing(4)
    integer, allocatable, target :: halo(:, :)
    integer, pointer :: incoming(:)
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    peer = modulo(me + 1, np)
    allocate (halo(4, 2))
    halo = 0
    incoming => halo(:, 2)
    call mpi_send_init(outgoing, 4, mpi_integer, peer, 7, mpi_comm_world, req(1), ierr)
    call mpi_recv_init(incoming, 4, mpi_integer, modulo(me - 1, np), 7, mpi_comm_world, req(2), ierr)
    do i = 1, 2
        outgoing = i*10 + 1
        call mpi_startall(2, req, ierr)
        call mpi_waitall(2, req, mpi_statuses_ignore, ierr)
        if (me == 0) print *, 'sent', outgoing
        call step(halo(3, 2))
    end do
    call mpi_request_free(req(1), ierr)
    call mpi_request_free(req(2), ierr)
    call mpi_finalize(ierr)
end program
