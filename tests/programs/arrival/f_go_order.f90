! commslice-test: f_go_order
! about: Fortran: a manager lets workers answer one at a time, and takes the answers with MPI_TESTSOME and from any source
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program f_go_order
    use mpi
    implicit none
    integer :: rank, nranks, ierr, i, k, some, which(8), req(8), st(MPI_STATUS_SIZE), sum
    double precision :: x(64)
    x = 0
    sum = 0
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
    if (rank == 0) then
        do i = 1, nranks - 1
            call MPI_Irecv(x(i), 1, MPI_DOUBLE_PRECISION, i, 3, MPI_COMM_WORLD, req(i), ierr)
        end do
        do i = nranks - 1, 1, -1
            call MPI_Send(x, 0, MPI_INTEGER, i, 1, MPI_COMM_WORLD, ierr)
            some = 0
            do while (some == 0)
                call MPI_Testsome(nranks - 1, req, some, which, MPI_STATUSES_IGNORE, ierr)
            end do
            do k = 1, some
                sum = 2 * sum + which(k)
            end do
        end do
    else
        call MPI_Recv(x, 0, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Send(x, 1, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, ierr)
    end if
    do i = 1, nranks - 1
        if (rank == i) call MPI_Send(x, rank, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, ierr)
        if (rank == 0) then
            call MPI_Recv(x, 64, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, st, ierr)
            sum = 2 * sum + st(MPI_SOURCE)
        end if
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
    if (rank == 0) call MPI_Send(x, mod(sum, 60), MPI_DOUBLE_PRECISION, nranks - 1, 5, MPI_COMM_WORLD, ierr)
    if (rank == nranks - 1) call MPI_Recv(x, 64, MPI_DOUBLE_PRECISION, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Finalize(ierr)
end program f_go_order
