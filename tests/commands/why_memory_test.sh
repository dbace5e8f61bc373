#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice why: whose memory a function means that is called for many, by what is passed and by where pointers are kept.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/chains.sh"

# Two fields are members of each tile, and share a buffer that is sent: what is read for the part of the one is the one.
cat >tiles.f90 <<'END'
! Two fields of each tile share a buffer that is sent, each in its part.
module tiles_of
  implicit none
  integer, parameter :: n = 20, heat = 1, paint = 2
  type tile
    real(8), allocatable :: warm(:), red(:)
  end type
  type chunk_type
    type(tile), allocatable :: tiles(:)
    real(8), allocatable :: out(:), in(:)
  end type
  type(chunk_type) :: chunk
contains
  subroutine pack(field, buffer, offset)
    real(8) :: field(:), buffer(:)
    integer :: offset, i
    do i = 1, 4
      buffer(offset + i) = field(n - 4 + i)
    end do
  end subroutine
  subroutine unpack(field, buffer, offset)
    real(8) :: field(:), buffer(:)
    integer :: offset, i
    do i = 1, 4
      field(i) = buffer(offset + i)
    end do
  end subroutine
  subroutine set_red(t, k)
    integer :: t, k
    chunk%tiles(t)%red(n) = 3 * k
  end subroutine
  subroutine set_warm(t, k)
    integer :: t, k
    chunk%tiles(t)%warm(n) = 2 * k
  end subroutine
  subroutine step(field, change)
    real(8) :: field(:), change
    integer :: i
    do i = 2, n - 4
      field(i) = 0.5d0 * (field(i - 1) + field(i + 1))
      change = max(change, field(i))
    end do
  end subroutine
  subroutine exchange(fields, rank, size)
    use mpi
    integer :: fields(:), rank, size, err, k, last, offset(2), t
    last = 0
    do k = 1, 2
      offset(k) = last
      if (fields(k) > 0) last = last + 4
    end do
    do t = 1, 2
      if (fields(heat) > 0) call pack(chunk%tiles(t)%warm, chunk%out, offset(heat))
      if (fields(paint) > 0) call pack(chunk%tiles(t)%red, chunk%out, offset(paint))
    end do
    call mpi_sendrecv(chunk%out, last, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 0, chunk%in, last, &
      MPI_DOUBLE_PRECISION, mod(rank + size - 1, size), 0, mpi_comm_world, MPI_STATUS_IGNORE, err)
    do t = 1, 2
      if (fields(heat) > 0) call unpack(chunk%tiles(t)%warm, chunk%in, offset(heat))
      if (fields(paint) > 0) call unpack(chunk%tiles(t)%red, chunk%in, offset(paint))
    end do
  end subroutine
end module
program tiles
  use mpi
  use tiles_of
  implicit none
  integer :: err, rank, size, k, t, fields(2)
  real(8) :: change
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  call mpi_comm_size(mpi_comm_world, size, err)
  allocate (chunk%tiles(2), chunk%out(100), chunk%in(100))
  do t = 1, 2
    allocate (chunk%tiles(t)%warm(n))
    allocate (chunk%tiles(t)%red(n))
    chunk%tiles(t)%warm = rank
    chunk%tiles(t)%red = 2 * rank
  end do
  do k = 1, 2
    fields(k) = size - k
  end do
  do k = 1, 100
    change = 0
    do t = 1, 2
      call set_red(t, k)
      call set_warm(t, k)
    end do
    call exchange(fields, rank, size)
    do t = 1, 2
      call step(chunk%tiles(t)%warm, change)
    end do
    if (change < 0.1d0) exit
  end do
  call mpi_finalize(err)
end program
END
link_f tiles -O2 -fno-inline
set_() { commslice why tiles "tiles.f90:$(line_in tiles.f90 "chunk%tiles(t)%$1(n) =")" | tr -s ' \n' ' '; }
own_field() { set_ warm | grep -F 'as warm, which may be read' && ! set_ warm | grep -F 'seems never'; }
other_field() { set_ red | grep -F 'seems never to be what is read by'; }
case_ "the field that is packed into the part that is asked for" own_field
case_ "another field" other_field

finish
