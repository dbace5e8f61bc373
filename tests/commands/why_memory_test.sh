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

# Messages of a component each are received into one buffer in two branches, and unpacked in the same one.
cat >branches.f90 <<'END'
! Messages of three components are received into one buffer in two branches.
module buffers
  implicit none
  integer, parameter :: n = 20
  real(8), allocatable :: out(:, :), in(:, :)
contains
  subroutine exchange(g, side, west, east, first, last)
    use mpi
    real(8) :: g(3, 0:n + 1)
    integer :: side, west, east, first, last, i, err
    if (side == 0) then
      if (west /= -1) then
        call mpi_recv(in(1, first), 3 * (last - first + 1), MPI_DOUBLE_PRECISION, west, 1, mpi_comm_world, &
          MPI_STATUS_IGNORE, err)
        do i = first, last
          g(1, i) = in(1, i)
          g(2, i) = in(2, i)
          g(3, i) = in(3, i)
        end do
      end if
    else if (side == 1) then
      if (east /= -1) then
        call mpi_recv(in(1, first), 3 * (last - first + 1), MPI_DOUBLE_PRECISION, east, 2, mpi_comm_world, &
          MPI_STATUS_IGNORE, err)
        do i = first, last
          g(1, i) = in(1, i) + 1
          g(2, i) = in(2, i) + 1
          g(3, i) = in(3, i) + 1
        end do
      end if
    else if (west /= -1) then
      do i = first, last
        out(1, i) = g(1, i)
        out(2, i) = g(2, i)
        out(3, i) = g(3, i)
      end do
      call mpi_send(out(1, first), 3 * (last - first + 1), MPI_DOUBLE_PRECISION, west, 2, mpi_comm_world, err)
    end if
  end subroutine
end module
program branches
  use mpi
  use buffers
  implicit none
  integer :: err, rank, size, k, i
  real(8) :: g(3, 0:n + 1), total
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  call mpi_comm_size(mpi_comm_world, size, err)
  allocate (out(3, n), in(3, n))
  g = rank
  do k = 1, 100
    do i = 0, 2
      call exchange(g, i, rank - 1, merge(rank + 1, -1, rank < size - 1), 1, n)
    end do
    total = 0
    do i = 1, n
      total = total + g(1, i) * g(2, i) * g(3, i)
    end do
    if (total < 5) exit
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f branches -O2 -fno-inline
sent() { commslice why branches "branches.f90:$(line_in branches.f90 "out($1, i) =")" | tr -s ' \n' ' '; }
unpacked() {
    sent 1 | grep -F "branches.f90:$(line_in branches.f90 '= in(1, i) + 1') in" &&
        sent 3 | grep -F "branches.f90:$(line_in branches.f90 '= in(3, i) + 1') in"
}
case_ "a message of components in the branch that receives it" unpacked

# Numbers are cleared that no table of virtual functions has: a call through a pointer to a member reads none of them.
cat >members.cc <<'END'
#include <mpi.h>
#include <cstring>
#include <vector>
struct domain {
    double *out, *in;
    std::vector<double> heat, speed;
    int n;
    explicit domain(int count) : heat(count), speed(count), n(count)
    {
        out = new double[2 * n];
        in = new double[2 * n];
        memset(out, 0, 2 * n * sizeof *out);
    }
    double &heat_at(int i) { return heat[i]; }
    double &speed_at(int i) { return speed[i]; }
};
typedef double &(domain::*member)(int);
__attribute__((noinline)) static void give(domain &d, member *fields, int rank)
{
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < d.n; i++)
            d.out[f * d.n + i] = (d.*fields[f])(i);
    MPI_Send(d.out, 2 * d.n, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD);
}
__attribute__((noinline)) static void take(domain &d, member *fields, int rank)
{
    MPI_Recv(d.in, 2 * d.n, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double *from = d.in;
    for (int f = 0; f < 2; f++) {
        member one = fields[f];
        for (int i = 0; i < d.n; i++)
            (d.*one)(i) = from[i];
        from += d.n;
    }
}
int main(int argc, char **argv)
{
    int rank;
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    domain *d = new domain(argc + 10);
    for (int step = 0; step < 100; step++) {
        member fields[2] = {&domain::heat_at, &domain::speed_at};
        if (rank % 2)
            give(*d, fields, rank);
        else
            take(*d, fields, rank);
        for (int i = 0; i < d->n; i++)
            total += d->heat_at(i) * d->speed_at(i);
        if (total > 1000)
            break;
    }
    MPI_Finalize();
    return 0;
}
END
commslice-mpicxx -g -O2 -o members members.cc 2>log || { cat log; die "members.cc does not link"; }
cleared() {
    commslice why members "members.cc:$(line_in members.cc 'memset(out')" | tr -s ' \n' ' ' >chain
    cat chain
    grep -F "as if it were: members.cc:$(line_in members.cc 'MPI_Send') in give" chain
}
case_ "numbers that are cleared are not what is called" cleared

# Elements are cleared, and a loop adds to them, before another function reads them: it reads the sums.
cat >clear.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct atoms {
    double *force, *place;
    int n, ghosts;
} atoms;
__attribute__((noinline)) static void push(struct atoms *a, const int *near)
{
    double *f = a->force;
    for (int i = 0; i < a->n + a->ghosts; i++)
        f[i] = 0;
    for (int i = 0; i < a->n; i++) {
        double own = 0;
        for (int k = 0; k < 3; k++) {
            double d = a->place[i] - a->place[near[k]];
            own += d;
            f[near[k]] -= d;
        }
        f[i] += own;
    }
}
__attribute__((noinline)) static double move(struct atoms *a)
{
    double most = 0;
    for (int i = 0; i < a->n; i++) {
        a->place[i] += 0.1 * a->force[i];
        most = a->place[i] > most ? a->place[i] : most;
    }
    return most;
}
int main(int argc, char **argv)
{
    int near[3] = {0, 2, 5};
    MPI_Init(&argc, &argv);
    atoms.n = argc + 10;
    atoms.ghosts = argc + 1;
    atoms.force = malloc((atoms.n + atoms.ghosts) * sizeof *atoms.force);
    atoms.place = argc > 2 ? malloc(8000) : calloc(atoms.n + atoms.ghosts, sizeof *atoms.place);
    for (int step = 0; step < 100; step++) {
        push(&atoms, near);
        if (move(&atoms) > 5)
            break;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
link clear -O1
added() {
    chain clear.c 'f[i] = 0' >chain
    cat chain
    grep -E "by clear.c:($(line_in clear.c 'f[near[k]] -= d')|$(line_in clear.c 'f[i] += own')) in push" chain
}
case_ "what is cleared and added to before it is read" added

# A loop over rows updates each element twice, and another one reads them: both updates are steps.
cat >rows.f90 <<'END'
! Rows of three components are updated in place, row by row, and read afterwards.
module rows_of
  implicit none
  integer :: n
  real(8), allocatable :: heat(:, :, :), flow(:, :)
contains
  subroutine spread(change)
    real(8) :: change
    integer :: i, k, m
    do k = 2, n - 1
      do i = 2, n - 1
        do m = 1, 3
          heat(m, i, k) = heat(m, i, k) - flow(i + 1, k)
        end do
      end do
      do i = 2, n - 1
        heat(1, i, k) = heat(1, i, k) + 2 * flow(i, k)
        heat(2, i, k) = heat(2, i, k) + 3 * flow(i, k)
        heat(3, i, k) = heat(3, i, k) + 4 * flow(i, k)
      end do
    end do
    do k = 2, n - 1
      do i = 2, n - 1
        change = change + heat(2, i, k)
      end do
    end do
  end subroutine
end module
program rows
  use mpi
  use rows_of
  implicit none
  integer :: err, rank, k
  real(8) :: change
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  n = 20 + rank
  allocate (heat(3, n, n), flow(n, n))
  heat = 1
  flow = rank
  do k = 1, 100
    change = 0
    call spread(change)
    if (change < 0.1d0) exit
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f rows -O2 -fno-inline
both() {
    commslice why rows "rows.f90:$(line_in rows.f90 '- flow(i + 1, k)')" | tr -s ' \n' ' ' >chain
    cat chain
    grep -F "may be read by rows.f90:$(line_in rows.f90 '+ 3 * flow') in spread" chain
}
case_ "an update of a component between" both

finish
