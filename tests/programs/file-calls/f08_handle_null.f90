! commslice-test: f08_handle_null
! about: the operators of mpi_f08 tell whether a file could be opened
! ranks: 2 3
! SPDX-License-Identifier: BSD-3-Clause
program f08_handle_null
    use mpi_f08
    implicit none
    integer :: rank, n
    integer :: sent(16), got(16)
    type(MPI_File) :: missing, there
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, n)
    call MPI_File_open(MPI_COMM_WORLD, 'missing.dat', MPI_MODE_RDONLY, MPI_INFO_NULL, missing)
    call MPI_File_open(MPI_COMM_WORLD, 'there.dat', MPI_MODE_RDWR + MPI_MODE_CREATE, MPI_INFO_NULL, there)
    call send_around(merge(3, 4, missing == MPI_FILE_NULL))
    call send_around(merge(5, 6, there /= MPI_FILE_NULL))
    call MPI_File_close(there)
    call MPI_Finalize()
contains
    subroutine send_around(count)
        integer, intent(in) :: count
        call MPI_Sendrecv(sent, count, MPI_INTEGER, mod(rank + 1, n), 0, got, 16, MPI_INTEGER, mod(rank + n - 1, n), 0, &
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end subroutine
end program
