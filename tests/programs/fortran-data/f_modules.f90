! commslice-test: f_modules
! about: module variables, protected, renamed and set by another module's routine, decide messages
! ranks: 2 3 4
! gone: evolve
! array: density 64
! marks: content=1
! SPDX-License-Identifier: BSD-3-Clause
module settings
  implicit none
  integer, protected :: width = 3, steps = 1
  integer :: order(4) = [2, 1, 0, 3]
  real(8) :: gain = 0.5d0
contains
  subroutine configure(w, s)
    integer, intent(in) :: w, s
    width = w
    steps = s
    order = cshift(order, w)
  end subroutine configure
end module settings

module fields
  implicit none
  real(8), allocatable, target :: density(:)
  real(8) :: mass = 0d0
  integer :: calls = 0
contains
  subroutine evolve(g)
    real(8), intent(in) :: g
    integer :: i
    do i = 2, size(density)
      density(i) = g*density(i - 1) + mod(i, 5)
    end do
    mass = mass + density(size(density))
  end subroutine evolve
end module fields

module exchange
  use mpi_f08
  use settings, only: w => width, order
  use fields
  implicit none
  private
  type(MPI_Comm), save :: comm
  integer, save :: me, np
  public :: start, shift, finish, me
contains
  subroutine start()
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_rank(comm, me)
    call MPI_Comm_size(comm, np)
  end subroutine start

  subroutine shift(step)
    integer, intent(in) :: step
    real(8) :: inbuf(128)
    integer :: by
    by = order(mod(step, 4) + 1)
    call MPI_Sendrecv(density, w + step, MPI_DOUBLE_PRECISION, modulo(me + by, np), calls, inbuf, 128, &
                      MPI_DOUBLE_PRECISION, modulo(me - by, np), calls, comm, MPI_STATUS_IGNORE)
    calls = calls + 1
  end subroutine shift

  subroutine finish()
    call MPI_Comm_free(comm)
    call MPI_Finalize()
  end subroutine finish
end module exchange

program f_modules
  use mpi_f08
  use settings
  use fields, only: density, mass, evolve
  use exchange
  implicit none
  integer :: s, cfg(2) = 0
  call start()
  if (me == 0) cfg = [11, 5]
  call MPI_Bcast(cfg, 2, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call configure(cfg(1), cfg(2))
  allocate(density(8*1024*1024))
  density = 1d0
  call evolve(gain)
  do s = 1, steps
    call shift(s)
  end do
  print *, me, width, steps, order, mass
  deallocate(density)
  call finish()
end program f_modules
