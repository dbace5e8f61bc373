! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f08_checked_bounds
! about: libgfortran knows of -fcheck=bounds as a file is read, and mpi_f08 asks it whether a buffer is contiguous
! flags: -fcheck=bounds
! files: n.txt=9\n
! ranks: 2
program f08_checked_bounds
    use mpi_f08
    implicit none
    real :: buffer(400)
    integer :: n
    character(20) :: text = '7'
    call MPI_Init()
    open(10, file='n.txt')
    read(10, *) n
    close(10)
    call MPI_Bcast(buffer, n, MPI_REAL, 0, MPI_COMM_WORLD)
    read(text, *) n
    call MPI_Bcast(buffer, n, MPI_REAL, 0, MPI_COMM_WORLD)
    call MPI_Finalize()
end program
