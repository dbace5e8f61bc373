! commslice-test: f_namelist
! about: a namelist file, read by rank 0 and broadcast, decides sizes and steps; one broadcast is dead
! ranks: 2 3 4
! files: input.nml=&grid\n nx = 12, ny = 7,\n name = 'wave',\n periodic = .true., .false.\n/\n&physics\n speed = 3.5, damp = 0.5\n/\n&time\n nsteps = 4, every = 2\n/\n
! gone: wave
! array: u 64
! marks: content=2
! SPDX-License-Identifier: BSD-3-Clause
program f_namelist
  use mpi
  implicit none
  integer :: ierr, rank, nproc, nx = 1, ny = 1, nsteps = 0, every = 1, ibuf(4), step, d, left, right
  logical :: periodic(2) = .false.
  character(len=16) :: name = ' '
  real(8) :: speed = 0d0, damp = 0d0, rbuf(2), halo(200)
  real(8), allocatable :: u(:)
  namelist /grid/ nx, ny, periodic, name
  namelist /physics/ speed, damp
  namelist /time/ nsteps, every

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  if (rank == 0) then
    open(unit=10, file='input.nml', status='old')
    read(10, nml=grid)
    read(10, nml=physics)
    read(10, nml=time)
    close(10)
  end if
  ibuf = [nx, ny, nsteps, every]
  rbuf = [speed, damp]
  call MPI_Bcast(rbuf, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(ibuf, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(periodic, 2, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  nx = ibuf(1); ny = ibuf(2); nsteps = ibuf(3); every = ibuf(4)
  speed = rbuf(1); damp = rbuf(2)

  allocate(u(8*1024*1024))
  u = 0d0
  do step = 1, nsteps
    call wave(u, size(u), speed, damp)
    do d = 1, 2
      left = rank - 1
      right = rank + 1
      if (periodic(d)) then
        left = modulo(left, nproc)
        right = modulo(right, nproc)
      else
        if (left < 0) left = MPI_PROC_NULL
        if (right >= nproc) right = MPI_PROC_NULL
      end if
      call MPI_Sendrecv(u, nx*ny, MPI_DOUBLE_PRECISION, right, 2*step + d, halo, nx*ny, MPI_DOUBLE_PRECISION, left, 2*step + d, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
    if (mod(step, every) == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    u(1:nx*ny) = halo(1:nx*ny)
  end do
  print *, trim(name), rank, nx, ny, u(100)
  deallocate(u)
  call MPI_Finalize(ierr)
contains
  subroutine wave(a, n, c, d)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8), intent(in) :: c, d
    integer :: i
    do i = 2, n
      a(i) = d*a(i-1) + c*mod(i, 11)
    end do
  end subroutine wave
end program f_namelist
