! commslice-test: f_equivalence_bits
! about: whole numbers that are the bits of real ones, by EQUIVALENCE and TRANSFER, and a workspace that is used for both
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program f_equivalence_bits
    use mpi
    implicit none
    double precision :: x, work(32)
    integer(kind=8) :: bits
    integer :: ierr, rank, nranks, n, iwork(64)
    equivalence (x, bits), (work, iwork)
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, nranks, ierr)
    x = 3.0d0 * (rank + nranks)
    call pass(int(iand(ishft(bits, -50), 31_8)))
    n = int(iand(ishft(transfer(5.0d0 * (rank + 1), bits), -50), 31_8))
    call pass(n)
    iwork = rank + 1
    call pass(iwork(3))
    work = 2.5d0 * (rank + 1)
    call pass(int(work(4)))
    if (rank == 0) print *, 'done'
    call mpi_finalize(ierr)
contains
    subroutine pass(n)
        integer, intent(in) :: n
        character :: data(64), back(64)
        data = 'a'
        call mpi_sendrecv(data, n, mpi_character, mod(rank + 1, nranks), 1, back, 64, mpi_character, &
                          mod(rank + nranks - 1, nranks), 1, mpi_comm_world, mpi_status_ignore, ierr)
    end subroutine
end program
