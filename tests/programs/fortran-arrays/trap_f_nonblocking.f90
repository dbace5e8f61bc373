! commslice-test: trap_f_nonblocking
! about: mpi_f08 with sections: an asynchronous receive into a section, whose content decides after the wait
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_nonblocking
  use mpi_f08
  implicit none
  integer :: rank, nproc, i
  integer, asynchronous :: table(4, 5), row(4, 5)
  type(MPI_Request) :: req(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  do i = 1, 5
    table(:, i) = [1, 2, 3, 4] + 4*i + rank
  end do
  row = 0
  call MPI_Irecv(row(3, 5:1:-1), 5, MPI_INTEGER, modulo(rank - 1, nproc), 1, MPI_COMM_WORLD, req(1))
  call MPI_Isend(table(2, :), 5, MPI_INTEGER, modulo(rank + 1, nproc), 1, MPI_COMM_WORLD, req(2))
  call wait_for(req)
  do i = 1, 5
    call ring(row(3, i), i)
  end do
  call MPI_Bcast(row(1:4:3, 2), 2, MPI_INTEGER, nproc - 1, MPI_COMM_WORLD)
  call ring(row(4, 2) + row(3, 2) + 1, 9)
  print *, rank, row(3, :)
  call MPI_Finalize()
contains
  subroutine wait_for(r)
    type(MPI_Request), intent(inout) :: r(:)
    integer :: k
    do k = size(r), 1, -1
      call MPI_Wait(r(k), MPI_STATUS_IGNORE)
    end do
  end subroutine wait_for

  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine ring
end program trap_f_nonblocking
