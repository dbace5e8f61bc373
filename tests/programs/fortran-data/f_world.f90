! commslice-test: f_world
! about: one derived type holds parameters, small and big arrays; the time-step loop ends on a computed time
! ranks: 2 3
! stdin: &run tend = 0.7, cfl = 0.5, width = 9, levels = 3 /\n
! gone: heat_up
! array: heat 64
! marks: content=3
! SPDX-License-Identifier: BSD-3-Clause
module world_mod
  implicit none
  type :: params
    real(8) :: tend = 1d0, cfl = 1d0
    integer :: width = 1, levels = 1
  end type params
  type :: world
    real(8) :: time = 0d0, total = 0d0
    type(params) :: p
    real(8), allocatable :: speed(:)
    real(8), pointer :: heat(:, :) => null()
    integer :: steps = 0
    integer :: nb(2)
  end type world
contains
  subroutine heat_up(w)
    type(world), intent(inout) :: w
    integer :: j
    do j = 2, size(w%heat, 2)
      w%heat(:, j) = 0.5d0*w%heat(:, j - 1) + w%speed(1) + mod(j, 3)
    end do
    w%total = w%total + w%heat(5, size(w%heat, 2))
  end subroutine heat_up

  real(8) function limit(w)
    type(world), intent(in) :: w
    limit = w%p%cfl/maxval(abs(w%speed))
  end function limit

  subroutine accelerate(w, dt)
    type(world), intent(inout) :: w
    real(8), intent(in) :: dt
    integer :: i
    do i = 1, size(w%speed)
      w%speed(i) = w%speed(i) + dt*i
    end do
    w%time = w%time + dt
    w%steps = w%steps + 1
  end subroutine accelerate
end module world_mod

program f_world
  use mpi
  use world_mod
  implicit none
  type(world), pointer :: w
  integer :: ierr, rank, nproc, level, width, levels
  real(8) :: dt, mine, inbuf(512), tend, cfl
  namelist /run/ tend, cfl, width, levels
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate(w)
  if (rank == 0) then
    read(*, nml=run)
    w%p = params(tend, cfl, width, levels)
  end if
  ! two members in one broadcast, as many programs do it
  call MPI_Bcast(w%p%width, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(w%p%tend, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  allocate(w%speed(4 + w%p%width), w%heat(1024, 8192))
  w%speed = 1d0 + rank
  w%heat = 0d0
  w%nb = [mod(rank + 1, nproc), mod(rank + nproc - 1, nproc)]
  do while (w%time < w%p%tend)
    mine = limit(w)
    call MPI_Allreduce(mine, dt, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, ierr)
    call accelerate(w, dt)
    if (mod(w%steps, 8) == 1) call heat_up(w)
    do level = 1, w%p%levels
      call MPI_Sendrecv(w%heat(1, level), w%p%width*level, MPI_DOUBLE_PRECISION, w%nb(1), level, inbuf, 512, &
                        MPI_DOUBLE_PRECISION, w%nb(2), level, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
  end do
  call MPI_Allreduce(MPI_IN_PLACE, w%total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  print *, rank, w%steps, w%total
  deallocate(w%heat)
  deallocate(w)
  call MPI_Finalize(ierr)
end program f_world
