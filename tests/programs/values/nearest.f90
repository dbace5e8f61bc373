! commslice-test: nearest
! about: nint() of a result is a call of GCC's own iround, which no header declares: it reads and writes nothing
! ranks: 2 3 4
! gone: grind
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
program nearest
    use mpi
    implicit none
    integer :: ierr, me, np, i, n, to, from
    double precision :: work(64), edge
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
    edge = dble(np) ** (1.0d0 / 3.0d0)
    work = me
    to = mod(me + 1, np)
    from = mod(me + np - 1, np)
    do i = 1, 3
        call grind(work)
        n = nint(edge * i)
        call MPI_Sendrecv_replace(work, n, MPI_DOUBLE_PRECISION, to, nint(edge), from, nint(edge), &
            MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
    if (nint(work(1)) == huge(n)) print *, work(2)
    call MPI_Finalize(ierr)
contains
    subroutine grind(a)
        double precision, intent(inout) :: a(64)
        integer :: k
        do k = 1, 64
            a(k) = a(k) * 0.5d0 + nint(a(k)) + k
        end do
    end subroutine grind
end program nearest
