! commslice-test: f_converge
! about: a solver ends on an allreduce of its residual; a DO CONCURRENT picture and its reductions are dead
! ranks: 2 3
! gone: picture
! array: image 64
! marks: content=3
! SPDX-License-Identifier: BSD-3-Clause
program f_converge
  use mpi_f08
  implicit none
  integer, parameter :: n = 20
  integer :: rank, nproc, lo, hi, it
  real(8) :: u(0:n + 1), v(0:n + 1), res, worst, bright, total
  real(8), allocatable :: image(:)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  lo = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  hi = merge(rank + 1, MPI_PROC_NULL, rank < nproc - 1)
  allocate(image(8*1024*1024))
  u = 0d0
  v = 0d0
  total = 0d0
  it = 0
  solve: do
    call MPI_Sendrecv(u(n), 1, MPI_DOUBLE_PRECISION, hi, 1, u(0), 1, MPI_DOUBLE_PRECISION, lo, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call MPI_Sendrecv(u(1), 1, MPI_DOUBLE_PRECISION, lo, 2, u(n + 1), 1, MPI_DOUBLE_PRECISION, hi, 2, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    v(1:n) = 0.25d0*(u(0:n - 1) + u(2:n + 1)) + 0.1d0*(rank + 1)
    block
      real(8) :: change(n)
      change = abs(v(1:n) - u(1:n))
      res = maxval(change)
    end block
    u(1:n) = v(1:n)
    it = it + 1
    if (mod(it, 6) == 1) then
      call picture(image, u, bright)
      call MPI_Allreduce(MPI_IN_PLACE, bright, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
      total = total + bright
    end if
    call MPI_Allreduce(res, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    if (worst < 1d-4) exit solve
    if (it > 40) exit solve
  end do solve
  call MPI_Gather(image, it, MPI_DOUBLE_PRECISION, image(1001), it, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  print *, rank, it, total
  call MPI_Finalize()
contains
  subroutine picture(img, w, light)
    real(8), intent(out) :: img(:), light
    real(8), intent(in) :: w(0:)
    integer :: i
    do concurrent (i = 1:size(img))
      img(i) = w(mod(i, n) + 1)*0.5d0
    end do
    light = sum(img(1:100000))
  end subroutine picture
end program f_converge
