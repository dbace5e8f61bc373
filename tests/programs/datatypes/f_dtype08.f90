! commslice-test: f_dtype08
! about: mpi_f08 handles in derived types: datatypes, requests and statuses; received counts decide the next ones
! ranks: 2 3 4
! gone: sediment
! array: silt 64
! SPDX-License-Identifier: BSD-3-Clause
program f_dtype08
  use mpi_f08
  implicit none
  type :: grain
    sequence
    integer :: kind
    real(8) :: x(3)
  end type grain
  type :: post
    type(MPI_Request) :: req(2)
    type(MPI_Status) :: st(2)
    type(MPI_Datatype) :: t
    integer :: n = 0
  end type post
  type(grain) :: mine(60), theirs(60)
  type(post) :: p
  integer :: rank, nproc, step, got, bytes
  real(8), allocatable :: silt(:)
  real(8) :: s
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  allocate(silt(8*1024*1024))
  call sediment(silt, s)
  mine%kind = 1
  mine(1)%x = s
  p%t = grain_type(mine(1), mine(2))
  p%n = 5 + rank
  do step = 1, 4
    call begin(p)
    got = finish(p)
    p%n = mod(got*4 + step, 50) + 1
  end do
  call MPI_Type_size(p%t, bytes)
  call MPI_Allreduce(MPI_IN_PLACE, silt, bytes, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Type_free(p%t)
  print *, rank, p%n, got, bytes, s
  call MPI_Finalize()
contains
  function grain_type(a, b) result(t)
    type(grain), intent(in) :: a, b
    type(MPI_Datatype) :: t, raw
    integer(MPI_ADDRESS_KIND) :: at(3)
    call MPI_Get_address(a%kind, at(1))
    call MPI_Get_address(a%x, at(2))
    call MPI_Get_address(b%kind, at(3))
    call MPI_Type_create_struct(2, [1, 3], at(1:2) - at(1), [MPI_INTEGER, MPI_DOUBLE_PRECISION], raw)
    call MPI_Type_create_resized(raw, 0_MPI_ADDRESS_KIND, at(3) - at(1), t)
    call MPI_Type_commit(t)
    call MPI_Type_free(raw)
  end function grain_type

  subroutine begin(q)
    type(post), intent(inout) :: q
    call MPI_Irecv(theirs, 60, q%t, modulo(rank - 1, nproc), 3, MPI_COMM_WORLD, q%req(1))
    call MPI_Isend(mine, q%n, q%t, modulo(rank + 1, nproc), 3, MPI_COMM_WORLD, q%req(2))
  end subroutine begin

  integer function finish(q)
    type(post), intent(inout) :: q
    call MPI_Waitall(2, q%req, q%st)
    call MPI_Get_count(q%st(1), q%t, finish)
    finish = finish + q%st(1)%MPI_TAG
  end function finish

  subroutine sediment(f, total)
    real(8), intent(out) :: f(:), total
    integer :: j
    total = 0d0
    do j = 1, size(f)
      f(j) = mod(j, 33)
      total = total + f(j)
    end do
  end subroutine sediment
end program f_dtype08
