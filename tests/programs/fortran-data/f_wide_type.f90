! commslice-test: f_wide_type
! about: arrays in a type with many allocatable components, in elements of an allocatable array, stay apart: the content
! about: of one decides a count, the others decide nothing
! ranks: 2 3
! gone: __fields_MOD_heat
! SPDX-License-Identifier: BSD-3-Clause
module fields
  implicit none
  type :: field
    real(8), allocatable :: a01(:, :), a02(:, :), a03(:, :), a04(:, :), a05(:, :), a06(:, :), a07(:, :), a08(:, :), &
                            a09(:, :), a10(:, :), a11(:, :), a12(:, :), a13(:, :), a14(:, :), a15(:, :), a16(:, :), &
                            a17(:, :), a18(:, :), a19(:, :), a20(:, :), a21(:, :), a22(:, :), a23(:, :), a24(:, :), &
                            a25(:, :), a26(:, :), a27(:, :), a28(:, :), a29(:, :), a30(:, :), a31(:, :), a32(:, :), &
                            a33(:, :), a34(:, :), a35(:, :), a36(:, :), a37(:, :), a38(:, :), a39(:, :), a40(:, :)
    real(8), allocatable :: plan(:, :)
  end type field
  type :: tile
    integer :: left = 1, right = 8
    type(field) :: f
    integer :: near(4)
  end type tile
  type(tile), allocatable :: tiles(:)
contains
  subroutine make(t)
    type(tile), intent(inout) :: t
    allocate (t%f%a01(t%left:t%right, 1:8))
    allocate (t%f%a02(t%left:t%right, 1:8))
    allocate (t%f%a03(t%left:t%right, 1:8))
    allocate (t%f%a04(t%left:t%right, 1:8))
    allocate (t%f%a05(t%left:t%right, 1:8))
    allocate (t%f%a06(t%left:t%right, 1:8))
    allocate (t%f%a07(t%left:t%right, 1:8))
    allocate (t%f%a08(t%left:t%right, 1:8))
    allocate (t%f%a09(t%left:t%right, 1:8))
    allocate (t%f%a10(t%left:t%right, 1:8))
    allocate (t%f%a11(t%left:t%right, 1:8))
    allocate (t%f%a12(t%left:t%right, 1:8))
    allocate (t%f%a13(t%left:t%right, 1:8))
    allocate (t%f%a14(t%left:t%right, 1:8))
    allocate (t%f%a15(t%left:t%right, 1:8))
    allocate (t%f%a16(t%left:t%right, 1:8))
    allocate (t%f%a17(t%left:t%right, 1:8))
    allocate (t%f%a18(t%left:t%right, 1:8))
    allocate (t%f%a19(t%left:t%right, 1:8))
    allocate (t%f%a20(t%left:t%right, 1:8))
    allocate (t%f%a21(t%left:t%right, 1:8))
    allocate (t%f%a22(t%left:t%right, 1:8))
    allocate (t%f%a23(t%left:t%right, 1:8))
    allocate (t%f%a24(t%left:t%right, 1:8))
    allocate (t%f%a25(t%left:t%right, 1:8))
    allocate (t%f%a26(t%left:t%right, 1:8))
    allocate (t%f%a27(t%left:t%right, 1:8))
    allocate (t%f%a28(t%left:t%right, 1:8))
    allocate (t%f%a29(t%left:t%right, 1:8))
    allocate (t%f%a30(t%left:t%right, 1:8))
    allocate (t%f%a31(t%left:t%right, 1:8))
    allocate (t%f%a32(t%left:t%right, 1:8))
    allocate (t%f%a33(t%left:t%right, 1:8))
    allocate (t%f%a34(t%left:t%right, 1:8))
    allocate (t%f%a35(t%left:t%right, 1:8))
    allocate (t%f%a36(t%left:t%right, 1:8))
    allocate (t%f%a37(t%left:t%right, 1:8))
    allocate (t%f%a38(t%left:t%right, 1:8))
    allocate (t%f%a39(t%left:t%right, 1:8))
    allocate (t%f%a40(t%left:t%right, 1:8))
    allocate (t%f%plan(t%left:t%right, 1:8))
  end subroutine make

  ! What decides nothing.
  subroutine heat(a, b)
    real(8), intent(inout) :: a(:, :), b(:, :)
    integer :: j, k
    do k = 2, 8
      do j = 2, 8
        a(j, k) = sin(a(j - 1, k)) + b(j, k - 1)
      end do
    end do
  end subroutine heat
end module fields

program f_wide_type
  use mpi
  use fields
  implicit none
  integer :: ierr, rank, nproc, i, n
  real(8) :: values(64), got(64)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  allocate (tiles(2))
  do i = 1, 2
    tiles(i)%near = rank
    call make(tiles(i))
    tiles(i)%f%a01 = 0d0
    tiles(i)%f%a02 = 0d0
    tiles(i)%f%a03 = 0d0
    tiles(i)%f%a04 = 0d0
    tiles(i)%f%a05 = 0d0
    tiles(i)%f%a06 = 0d0
    tiles(i)%f%a07 = 0d0
    tiles(i)%f%a08 = 0d0
    tiles(i)%f%a09 = 0d0
    tiles(i)%f%a10 = 0d0
    tiles(i)%f%a11 = 0d0
    tiles(i)%f%a12 = 0d0
    tiles(i)%f%a13 = 0d0
    tiles(i)%f%a14 = 0d0
    tiles(i)%f%a15 = 0d0
    tiles(i)%f%a16 = 0d0
    tiles(i)%f%a17 = 0d0
    tiles(i)%f%a18 = 0d0
    tiles(i)%f%a19 = 0d0
    tiles(i)%f%a20 = 0d0
    tiles(i)%f%a21 = 0d0
    tiles(i)%f%a22 = 0d0
    tiles(i)%f%a23 = 0d0
    tiles(i)%f%a24 = 0d0
    tiles(i)%f%a25 = 0d0
    tiles(i)%f%a26 = 0d0
    tiles(i)%f%a27 = 0d0
    tiles(i)%f%a28 = 0d0
    tiles(i)%f%a29 = 0d0
    tiles(i)%f%a30 = 0d0
    tiles(i)%f%a31 = 0d0
    tiles(i)%f%a32 = 0d0
    tiles(i)%f%a33 = 0d0
    tiles(i)%f%a34 = 0d0
    tiles(i)%f%a35 = 0d0
    tiles(i)%f%a36 = 0d0
    tiles(i)%f%a37 = 0d0
    tiles(i)%f%a38 = 0d0
    tiles(i)%f%a39 = 0d0
    tiles(i)%f%a40 = 0d0
    tiles(i)%f%plan = 1d0*rank + i
  end do
  do i = 1, 2
    call heat(tiles(i)%f%a01, tiles(i)%f%a02)
    call heat(tiles(i)%f%a03, tiles(i)%f%a04)
    call heat(tiles(i)%f%a05, tiles(i)%f%a06)
    call heat(tiles(i)%f%a07, tiles(i)%f%a08)
    call heat(tiles(i)%f%a09, tiles(i)%f%a10)
    call heat(tiles(i)%f%a11, tiles(i)%f%a12)
    call heat(tiles(i)%f%a13, tiles(i)%f%a14)
    call heat(tiles(i)%f%a15, tiles(i)%f%a16)
    call heat(tiles(i)%f%a17, tiles(i)%f%a18)
    call heat(tiles(i)%f%a19, tiles(i)%f%a20)
    call heat(tiles(i)%f%a21, tiles(i)%f%a22)
    call heat(tiles(i)%f%a23, tiles(i)%f%a24)
    call heat(tiles(i)%f%a25, tiles(i)%f%a26)
    call heat(tiles(i)%f%a27, tiles(i)%f%a28)
    call heat(tiles(i)%f%a29, tiles(i)%f%a30)
    call heat(tiles(i)%f%a31, tiles(i)%f%a32)
    call heat(tiles(i)%f%a33, tiles(i)%f%a34)
    call heat(tiles(i)%f%a35, tiles(i)%f%a36)
    call heat(tiles(i)%f%a37, tiles(i)%f%a38)
    call heat(tiles(i)%f%a39, tiles(i)%f%a40)
  end do
  n = int(tiles(2)%f%plan(3, 3)) + 1
  values = 0d0
  call MPI_Sendrecv(values, n, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), 3, got, 64, MPI_DOUBLE_PRECISION, &
                    mod(rank + nproc - 1, nproc), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  print '(a, i0, a, i0)', 'rank ', rank, ' sent ', n
  call MPI_Finalize(ierr)
end program f_wide_type
