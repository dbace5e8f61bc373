! commslice-test: f_omp_kernels
! about: outlined regions touch only what they are given: halo widths are live, the fields beside them in the data struct are not
! flags: -fopenmp
! ranks: 2 3
! gone: advance pressure
! array: density 64
! marks: content=0
! SPDX-License-Identifier: BSD-3-Clause
module fields
  implicit none
  integer, parameter :: n = 8 * 1024 * 1024
  real(8), allocatable :: density(:), energy(:)
  integer :: widths(4) = 0
contains
  subroutine advance(a, b, dt)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: b(:)
    real(8), intent(in) :: dt
    integer :: i
    !$omp parallel do
    do i = 1, size(a)
      a(i) = a(i) + dt * b(i)
    end do
  end subroutine advance

  function pressure(a, b) result(most)
    real(8), intent(in) :: a(:), b(:)
    real(8) :: most
    integer :: i
    most = 0
    !$omp parallel do reduction(max: most) schedule(dynamic, 1000)
    do i = 1, size(a)
      most = max(most, a(i) * b(i))
    end do
  end function pressure

  subroutine prepare(w, scale)
    integer, intent(inout) :: w(4)
    integer, intent(in) :: scale
    integer :: i, total
    total = 0
    !$omp parallel num_threads(2)
    !$omp do reduction(+: total)
    do i = 1, 4
      w(i) = scale * i
      total = total + w(i)
    end do
    !$omp end do
    !$omp master
    w(1) = w(1) + total
    !$omp end master
    !$omp end parallel
  end subroutine prepare
end module fields

program f_omp_kernels
  use mpi
  use fields
  implicit none
  integer :: ierr, rank, ranks, k, left, right
  real(8) :: most, halo(64)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)
  !$omp parallel num_threads(2)
  !$omp single
  write (*, '(a)') 'threads begin'
  !$omp end single
  !$omp end parallel
  allocate (density(n), energy(n))
  density = 1
  energy = 2
  call prepare(widths, 2)
  do k = 1, 4
    call advance(density, energy, 0.5d0)
    call MPI_Sendrecv(density, widths(k), MPI_DOUBLE_PRECISION, right, k, halo, widths(k), MPI_DOUBLE_PRECISION, left, k, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    most = pressure(density, energy)
  end do
  write (*, '(a,i0,a,4(1x,i0),f8.2)') 'rank ', rank, ':', widths, most
  call MPI_Finalize(ierr)
end program f_omp_kernels
