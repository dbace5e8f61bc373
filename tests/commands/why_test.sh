#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice why: what it says of a chain in short, of steps that need not be so, and what it leaves out.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/chains.sh"

# A field that is filled again in a loop over its parts, inside a function that is given none of them: what was there
# before is not what is read.
cat >parts.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct part {
    double *u, *w;
} parts[4];
int nparts, size, fast;
double scale, level, some[100];

__attribute__((noinline)) static void make(double *u, double *w, int n)
{
    for (int i = 0; i < n; i++) {
        u[i] = i * scale;
        w[i] = i + level;
    }
}

__attribute__((noinline)) static void fill(double *u, const double *w, int n)
{
    for (int i = 0; i < n; i++)
        u[i] = w[i] * 0.5;
}

__attribute__((noinline)) static double weigh(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i];
    return sum;
}

__attribute__((noinline)) static void make_all(void)
{
    for (int i = 0; i < nparts; i++)
        make(parts[i].u, parts[i].w, size);
}

__attribute__((noinline)) static void fill_all(void)
{
    if (fast)
        for (int i = 0; i < nparts; i++)
            fill(parts[i].u, parts[i].w, size);
}

__attribute__((noinline)) static double weigh_all(void)
{
    double sum = 0;
    if (fast)
        for (int i = 0; i < nparts; i++)
            sum += weigh(parts[i].u, size);
    return sum;
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    nparts = argc < 4 ? argc : 4;
    size = argc + 9;
    fast = argc > 1;
    for (int i = 0; i < 100; i++)
        some[i] = argc * 0.25;
    for (int i = 0; i < size; i++)
        if (i % 3 == argc)
            some[i] = 1;
    scale = argc * 3.0;
    level = argc * 2.0;
    for (int i = 0; i < nparts; i++) {
        parts[i].u = malloc(size * sizeof(double));
        parts[i].w = malloc(size * sizeof(double));
    }
    make_all();
    do {
        fill_all();
        level = level + 1;
        all += weigh_all() + some[nparts];
        MPI_Barrier(MPI_COMM_WORLD);
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
link parts -O1
all() { commslice why --all "${1%.c}" "$1:$(line_in "$1" "$2")" | tr -s ' \n' ' '; }
idle() { all parts.c 'u[i] = i * scale' | grep -F 'as u, which seems never to be what is read by'; }
alive() { chain parts.c 'w[i] = i + level' | grep -F 'in fill_all: fill(parts[i].u, parts[i].w, size);' && ! chain parts.c 'w[i] = i + level' | grep -F 'seems never'; }
case_ "filled again by calls in a loop of a function" idle
case_ "what is not" alive
short() { chain parts.c 'w[i] = i + level' | grep -F "in short: it may help to decide whether MPI_Barrier at parts.c:$(line_in parts.c 'MPI_Barrier') is called (by the condition at parts.c:$(line_in parts.c 'while (all'))"; }
doubt() { chain parts.c 'some[i] = argc' | grep -F 'it writes some, which may be read, or overwritten before, by' && chain parts.c 'some[i] = argc' | grep -F '"May be read":'; }
case_ "in short" short
case_ "what may have been overwritten" doubt

# One chain, unless more are asked for; what is written again and again from itself is said once.
cat >steps.c <<'END'
#include <mpi.h>
#include <stdio.h>

double step, most, near;

__attribute__((noinline)) static int turn(double now)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return now > 3;
}

__attribute__((noinline)) static void choose(double width)
{
    step = width;
    if (step > most)
        step = most;
    if (step < near)
        step = near;
}

int main(int argc, char **argv)
{
    double time = 0, width;
    MPI_Init(&argc, &argv);
    most = argc * 2.0;
    near = argc * 0.25;
    do {
        width = argc * 0.5 + time;
        choose(width);
        step = step * 0.5 + 1;
        MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        time += step;
        printf("%g\n", time);
    } while (!turn(time));
    MPI_Finalize();
    return 0;
}
END
link steps -O1
surely() { chain steps.c 'width = argc' | grep -F 'in short: it helps to decide the value of step, and so whether' && ! chain steps.c 'width = argc' | grep -F 'May be read'; }
one() { [ "$(commslice why steps "steps.c:$(line_in steps.c 'choose(width);')" | grep -c 'in short:')" -le 1 ]; }
case_ "what is sure" surely
case_ "one chain" one

# Not back to a store through the same pointer when a call has filled that array since.
cat >table.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *starts = malloc(size * sizeof(int)), *table = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++)
        table[i] = 0;
    table[rank] = argc * 5;
    MPI_Allreduce(table, starts, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        starts[i] = starts[i] > 9;
    MPI_Allreduce(starts, table, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < table[rank]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link table -O1
by_message() { chain table.c "table[rank] = argc" | grep -F "which may be read, or overwritten before, by"; }
case_ "what a call may have filled since" by_message

# Records that are sent: who reads one member needs that one of those that are sent.
cat >records.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct atoms {
    int n, ghosts;
    double *x, *f;
    int *next;
};

struct record {
    double x, v;
};

__attribute__((noinline)) static void exchange(struct atoms *a, int to, int from)
{
    double *behind = a->x + a->n;
    MPI_Sendrecv(a->x, a->ghosts, MPI_DOUBLE, to, 0, behind, a->ghosts, MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static double weigh(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

__attribute__((noinline)) static void force(struct atoms *a)
{
    for (int i = 0; i < a->n; i++)
        a->f[i] = a->x[a->next[i]] * 0.5;
}

__attribute__((noinline)) static void load(struct record *out, const double *x, const double *v, int n)
{
    for (int i = 0; i < n; i++) {
        out[i].x = x[i] * 2;
        out[i].v = v[i] * 3;
    }
}

__attribute__((noinline)) static void unload(const struct record *in, double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        x[i] = in[i].x;
        v[i] = in[i].v;
    }
}

__attribute__((noinline)) static void ask(const int *wanted, double *x, double *f, const double *more, int n)
{
    if (wanted[2] == 1)
        for (int i = 0; i < n; i++)
            f[i] = more[i];
    if (wanted[3] == 1)
        for (int i = 0; i < n; i++)
            x[i] = more[i];
}

int main(int argc, char **argv)
{
    struct atoms a;
    int rank, wanted[4] = {0, 0, 0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    a.n = argc * 10;
    a.ghosts = argc * 2;
    a.x = malloc((a.n + a.ghosts) * sizeof *a.x);
    a.f = malloc(a.n * sizeof *a.f);
    a.next = malloc(a.n * sizeof *a.next);
    double *v = malloc(a.n * sizeof *v);
    double *w = malloc(a.n * sizeof *w);
    double *more = malloc(a.n * sizeof *more);
    struct record *out = malloc(a.n * sizeof *out);
    struct record *in = malloc(a.n * sizeof *in);
    for (int i = 0; i < a.n; i++) {
        a.x[i] = rank * i;
        a.next[i] = (i * 7) % (a.n + a.ghosts);
        v[i] = rank + i;
        more[i] = argc * 3.0;
    }
    if (argc > 2)
        wanted[3] = 1;
    while (weigh(a.n, a.x) < 1000) {
        load(out, a.x, v, a.n);
        MPI_Sendrecv(out, 2 * a.n, MPI_DOUBLE, !rank, 1, in, 2 * a.n, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        unload(in, a.x, w, a.n);
        exchange(&a, !rank, !rank);
        force(&a);
        ask(wanted, a.x, a.f, more, a.n);
        for (int i = 0; i < a.n; i++) {
            v[i] = v[i] + w[i];
            a.x[i] += a.f[i] + v[i];
        }
    }
    MPI_Finalize();
    return 0;
}
END
link records -O1
member() { chain records.c 'out[i].v = ' | grep -F 'as w), which may be read by records.c'; }
case_ "a member of records that are sent" member

# A halo is filled by a message for a kernel that reads the field beside each cell, and not for one that reads inside.
cat >halo.f90 <<'END'
module fields
  implicit none
  type field
    real(8), allocatable :: speed(:, :), other(:, :)
  end type
  type tile
    type(field) :: f
    integer :: x_min, x_max, y_min, y_max
  end type
  type(tile), allocatable :: tiles(:)
  real(8), allocatable :: right(:), left(:)
contains
  subroutine unpack(x_min, x_max, y_min, y_max, a, b, depth, cells, corners, xf, yf, kind)
    integer :: x_min, x_max, y_min, y_max, depth, cells, corners, xf, yf, kind, inc, jnc, j, k
    real(8) :: a(-1:, -1:), b(:)
    if (kind == cells) then
      inc = 0
      jnc = 0
    end if
    if (kind == corners) then
      inc = 1
      jnc = 1
    end if
    if (kind == xf) then
      inc = 1
      jnc = 0
    end if
    if (kind == yf) then
      inc = 0
      jnc = 1
    end if
    do k = y_min - depth, y_max + jnc + depth
      do j = 1, depth
        a(x_max + inc + j, k) = b(j + (k + depth - 1) * depth)
      end do
    end do
  end subroutine
  subroutine least(x_min, x_max, y_min, y_max, speed, dt)
    integer :: x_min, x_max, y_min, y_max, j, k
    real(8) :: speed(x_min - 2:x_max + 3, y_min - 2:y_max + 3), dt
    do k = y_min, y_max
      do j = x_min, x_max
        dt = min(dt, speed(j, k) + speed(j + 1, k))
      end do
    end do
  end subroutine
  subroutine smooth(x_min, x_max, y_min, y_max, other, speed)
    integer :: x_min, x_max, y_min, y_max, j, k
    real(8) :: other(x_min - 2:x_max + 2, y_min - 2:y_max + 2), speed(x_min - 2:x_max + 3, y_min - 2:y_max + 3)
    do k = y_min, y_max
      do j = x_min, x_max
        speed(j, k) = other(j + 1, k) * 0.5d0
      end do
    end do
  end subroutine
end module
program halo
  use mpi
  use fields
  implicit none
  integer, parameter :: cells = 1, corners = 2, xf = 3, yf = 4
  integer :: err, t, rank, step
  real(8) :: dt, time
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  allocate (tiles(2), right(1000), left(1000))
  do t = 1, 2
    tiles(t)%x_min = 1
    tiles(t)%x_max = 10 + rank
    tiles(t)%y_min = 1
    tiles(t)%y_max = 12 + rank
    allocate (tiles(t)%f%speed(-1:tiles(t)%x_max + 3, -1:tiles(t)%y_max + 3))
    allocate (tiles(t)%f%other(-1:tiles(t)%x_max + 2, -1:tiles(t)%y_max + 2))
    tiles(t)%f%speed = 1
    tiles(t)%f%other = rank
  end do
  time = 0
  do step = 1, 100
    dt = 10
    right = rank * time
    do t = 1, 2
      call smooth(tiles(t)%x_min, tiles(t)%x_max, tiles(t)%y_min, tiles(t)%y_max, &
        tiles(t)%f%other, tiles(t)%f%speed)
      call unpack(tiles(t)%x_min, tiles(t)%x_max, tiles(t)%y_min, tiles(t)%y_max, &
        tiles(t)%f%speed, right, 2, cells, corners, xf, yf, corners)
      call unpack(tiles(t)%x_min, tiles(t)%x_max, tiles(t)%y_min, tiles(t)%y_max, &
        tiles(t)%f%other, right, 2, cells, corners, xf, yf, cells)
      call least(tiles(t)%x_min, tiles(t)%x_max, tiles(t)%y_min, tiles(t)%y_max, &
        tiles(t)%f%speed, dt)
    end do
    time = time + dt
    if (time > 20) exit
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f halo -O1 -fno-inline
halo_chain() { commslice why halo "halo.f90:$(line_in halo.f90 "$1")" | tr -s ' \n' ' '; }
inside() { halo_chain 'a(x_max + inc + j, k) =' | grep -E 'this call \(at halo.f90:[0-9]+\) writes what is allocated at halo.f90:'; }
one_piece() { ! halo_chain 'a(x_max + inc + j, k) =' | grep -F 'pieces of memory'; }
case_ "a halo that is read" inside
case_ "which array of a descriptor" one_piece

# A function whose control flow is not known is kept whole.
cat >labels.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    static void *const to[] = {&&more, &&done};
    double sum = 0;
    int i = 0;
    MPI_Init(&argc, &argv);
more:
    sum += i * 0.5;
    goto *to[++i > 9];
done:
    argv[0][0] = (char)sum;
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
link labels -O1
expect "a function that is kept whole" 0 'its function is kept whole: it has assembly, or goes to labels' \
    commslice why labels "labels.c:$(line_in labels.c 'sum += i')"
expect "what it communicates" 0 'it communicates, so every slice has it' commslice why labels "labels.c:$(line_in labels.c Barrier)"

# Messages between neighbours, all of one tag: a receive takes that of the rank on its other side, and as many elements.
cat >sides.c <<'END'
#include <mpi.h>

double in[400], rows[100], columns[100], a[100], b[100];
int me, width;
MPI_Request got[4];

__attribute__((noinline)) static void receive(int dx, int dy)
{
    int up = me - width, down = me + width, left = me - 1, right = me + 1;
    MPI_Irecv(in, dx * 2, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &got[0]);
    MPI_Irecv(in + 100, dx * 2, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &got[1]);
    MPI_Irecv(in + 200, 2 * dy, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &got[2]);
    MPI_Irecv(in + 300, 2 * dy, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &got[3]);
}

__attribute__((noinline)) static void send(int dx, int dy)
{
    for (int i = 0; i < dx * 2; i++)
        rows[i] = a[i] * 2;
    MPI_Send(rows, dx * 2, MPI_DOUBLE, me - width, 0, MPI_COMM_WORLD);
    MPI_Send(rows, dx * 2, MPI_DOUBLE, me + width, 0, MPI_COMM_WORLD);
    for (int i = 0; i < dy * 2; i++)
        columns[i] = b[i] * 3;
    MPI_Send(columns, dy * 2, MPI_DOUBLE, 1 + me, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    width = argc * 3;
    for (int i = 0; i < 100; i++) {
        a[i] = argc;
        b[i] = me;
    }
    while (sum < 1000) {
        receive(argc, argc + 1);
        send(argc, argc + 1);
        MPI_Waitall(4, got, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 400; i++)
            sum += in[i];
    }
    MPI_Finalize();
    return 0;
}
END
link sides -O1
fits() { chain sides.c 'columns[i] =' | grep -F 'in receive: MPI_Irecv(in + 200'; }
case_ "a message to the rank on the other side" fits

# A variable that is given to a function as an array of one element, and is set just before.
cat >whole.c <<'END'
#include <mpi.h>
#include <stdio.h>

__attribute__((noinline)) static double most_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

int main(int argc, char **argv)
{
    double one, most;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    one = argc * 3.0;
    printf("%g\n", most_of(&one, argc));
    one = rank * 2.0;
    for (most = most_of(&one, argc); most > 0; most--)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link whole -O1
replaced() { ! all whole.c 'one = argc' | grep -v 'seems never\|was removed'; }
case_ "a variable that is set again" replaced

# A field that no caller asks for is no way, however short; that of another one is.
cat >fields.c <<'END'
#include <mpi.h>
#include <stdlib.h>

enum { FIRST, SECOND, THIRD, FIELDS };
double *u, *v, *w, *out;

__attribute__((noinline)) static void fill(const int *fields, int n)
{
    if (fields[SECOND] == 1)
        for (int i = 0; i < n; i++)
            u[i] = out[i];
    if (fields[THIRD] == 1)
        for (int i = 0; i < n; i++)
            w[i] = out[i];
}

__attribute__((noinline)) static void want(int *fields, int which)
{
    fields[which] = 1;
}

int main(int argc, char **argv)
{
    int fields[FIELDS] = {0, 0, 0}, rank, n = argc * 10;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    u = malloc(n * sizeof *u);
    v = malloc(n * sizeof *v);
    w = malloc(n * sizeof *w);
    out = malloc(n * sizeof *out);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = w[i] = rank;
    if (argc > 2)
        fields[THIRD] = 1;
    want(fields, argc / 100);
    while (sum < 1000) {
        for (int i = 0; i < n; i++)
            out[i] = v[i] * 0.5;
        fill(fields, n);
        for (int i = 0; i < n; i++)
            v[i] = w[i] + 1;
        for (int i = 0; i < n; i++)
            sum += u[i] + v[i];
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
link fields -O1
asked() { chain fields.c 'out[i] = v[i]' | grep -F 'w[i] = out[i]' && ! chain fields.c 'out[i] = v[i]' | grep -F 'u[i] = out[i]'; }
case_ "a field that no caller asks for" asked

# A line that computes something of elements, and with them the next index: the chain is about what it assigns.
cat >index.f90 <<'END'
program index
  use mpi
  implicit none
  integer :: err, rank, n, j, k
  real(8), allocatable :: u(:), w(:), v(:)
  real(8) :: sum, s
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  n = 10 + rank
  allocate (u(n + 1), w(n), v(n + 1))
  u = rank
  v = 1
  do j = 1, n
    s = u(j + 1) * 0.5d0 + v(j + 1)
    w(j) = s * s
    call mpi_barrier(mpi_comm_world, err)
  end do
  sum = 0
  do k = 1, n
    sum = sum + w(k)
  end do
  if (sum > 5) call mpi_barrier(mpi_comm_world, err)
  call mpi_finalize(err)
end program
END
link_f index -O1
assigned() { commslice why index "index.f90:$(line_in index.f90 's = u(j + 1)')" | tr -s ' \n' ' ' | grep -F 'a value of this line, as s, is used by index.f90:15 in MAIN_: w(j) = s * s'; }
case_ "what the line assigns" assigned

# What an inline function of a header does is said where it is put in line; and which argument the chain is about.
cat >inline.h <<'END'
static inline int twice(int n)
{
    return n * 2;
}
END
cat >inline.c <<'END'
#include <mpi.h>
#include "inline.h"

int sizes[10];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sizes[3] = argc + 4;
    sizes[4] = sizes[argc] + 1;
    int n = sizes[argc + 1];
    int count = twice(n) + 5;
    MPI_Bcast(sizes, count, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link inline -O1
role() { chain inline.c 'sizes[3] =' | grep -F 'in short: it may help to decide the value of sizes, and so the count of MPI_Bcast at inline.c:'; }
case_ "which argument" role

# What comes in messages and is put behind a rank's own elements is not what is read of the first ones, but where others
# are read by an index.
cat >ghosts.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int n, *next;
double *x, *f, *v;

__attribute__((noinline)) static void unload(int first, int many, const double *in)
{
    for (int i = 0; i < many; i++)
        x[first + i] = in[i];
}

__attribute__((noinline)) static double weigh(void)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

__attribute__((noinline)) static void force(void)
{
    for (int i = 0; i < n; i++)
        f[i] = x[next[i]] * 0.5;
}

__attribute__((noinline)) static void move(void)
{
    for (int i = 0; i < n; i++)
        v[i] += f[i];
    for (int i = 0; i < n; i++)
        x[i] += v[i];
}

int main(int argc, char **argv)
{
    int rank;
    double in[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n = argc * 10;
    x = malloc((n + 100) * sizeof *x);
    f = malloc(n * sizeof *f);
    v = malloc(n * sizeof *v);
    next = malloc(n * sizeof *next);
    for (int i = 0; i < n; i++) {
        x[i] = rank * i;
        v[i] = rank;
        next[i] = (i * 7) % (n + argc);
    }
    while (weigh() < 1000) {
        MPI_Sendrecv(x, argc, MPI_DOUBLE, !rank, 0, in, argc, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unload(next[n - 1], argc, in);
        force();
        move();
    }
    MPI_Finalize();
    return 0;
}
END
link ghosts -O1
behind() { chain ghosts.c 'x[first + i] =' | grep -F 'in force: f[i] = x[next[i]]'; }
case_ "what is put behind a rank's own" behind

# What one call of a function does, and the other one does not, is for who is called beside the first.
cat >phases.c <<'END'
#include <mpi.h>

double in[100], level[50], out[50], a[50], weight, total;
int me;
MPI_Request got[2];

__attribute__((noinline)) static void receive(int tag, int both)
{
    if (both && me > 0)
        MPI_Irecv(in, 50, MPI_DOUBLE, me - 1, tag, MPI_COMM_WORLD, &got[0]);
    MPI_Irecv(in + 50, 50, MPI_DOUBLE, me + 1, tag, MPI_COMM_WORLD, &got[1]);
}

__attribute__((noinline)) static void send(int tag, int both)
{
    for (int i = 0; i < 50; i++)
        out[i] = a[i] * 2;
    if (both)
        MPI_Send(out, 50, MPI_DOUBLE, me + 1, tag, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void weigh(void)
{
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += in[i];
    weight = sum;
}

__attribute__((noinline)) static void add(void)
{
    for (int i = 0; i < 100; i++)
        total += in[i];
}

__attribute__((noinline)) static void first(void)
{
    receive(1, 1);
    send(1, 1);
    MPI_Waitall(2, got, MPI_STATUSES_IGNORE);
    weigh();
}

__attribute__((noinline)) static void second(void)
{
    receive(2, 0);
    send(2, 0);
    MPI_Wait(&got[1], MPI_STATUS_IGNORE);
    add();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < 50; i++)
        a[i] = argc * i;
    while (total < 1000) {
        first();
        level[me] = weight;
        for (int i = 0; i < 50; i++)
            total += level[i];
        second();
    }
    MPI_Finalize();
    return 0;
}
END
link phases -O1
beside() { chain phases.c 'out[i] = a[i]' | grep -F 'in weigh: sum += in[i]'; }
case_ "who is called beside it" beside

# What is written by one call of a function, before a read, and by another one behind it: only the first one arrives.
cat >order.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct atoms {
    int n;
    int *id;
    double *r, *old;
};
int in[100];
double box;

__attribute__((noinline)) static void put(struct atoms *a, int at, int id)
{
    a->id[at] = id;
    a->n++;
}

__attribute__((noinline)) static void displace(struct atoms *a)
{
    for (int i = 0; i < a->n; i++)
        a->r[i] += a->id[i];
}

__attribute__((noinline)) static void turn(struct atoms *a)
{
    for (int i = 0; i < a->n; i++)
        a->old[i] = a->r[i] * a->id[i];
    for (int i = 0; i < a->n; i++)
        a->r[i] = a->old[i] + 1;
}

__attribute__((noinline)) static struct atoms *make(int n)
{
    struct atoms *a = malloc(sizeof *a);
    a->n = 0;
    a->id = calloc(100, sizeof *a->id);
    a->r = calloc(100, sizeof *a->r);
    a->old = calloc(100, sizeof *a->old);
    for (int i = 0; i < n; i++)
        put(a, i, n - i);
    displace(a);
    return a;
}

__attribute__((noinline)) static void exchange(struct atoms *a)
{
    int n = 0;
    for (int i = 0; i < a->n; i++)
        n += a->r[i] < box;
    MPI_Sendrecv_replace(in, n, MPI_INT, 0, 0, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) {
        int id = in[i] + 1;
        put(a, a->n, id);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    box = argc;
    struct atoms *a = make(argc);
    for (int i = 0; i < argc; i++) {
        exchange(a);
        turn(a);
    }
    MPI_Finalize();
    return 0;
}
END
link order -O1
behind() {
    chain order.c 'in[i] + 1' >chain
    grep -F 'in turn: a->old[i] =' chain && ! grep -F 'in displace' chain
}
case_ "a call behind the read" behind

# A call that writes a variable only if it has not been written yet.
cat >ifso.c <<'END'
#include <mpi.h>

int *list, *other, numbers[2];

__attribute__((noinline)) static void add(int *number)
{
    if (!list)
        list = number;
}

__attribute__((noinline)) static void set(int *number)
{
    for (int i = 0; i < 2; i++)
        number[i] = 1;
    other = number;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1)
        add(&numbers[0]);
    if (argc > 2)
        set(&numbers[0]);
    if (list)
        MPI_Barrier(MPI_COMM_WORLD);
    if (other)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link ifso -O1
may_write() {
    chain ifso.c 'add(&numbers'
    chain ifso.c 'add(&numbers' | grep -E 'this call \(at ifso.c:[0-9]+\) may write list, which is read by' &&
        chain ifso.c 'set(&numbers' | grep -E 'this call \(at ifso.c:[0-9]+\) writes other, which is read by'
}
case_ "a call that writes under a condition" may_write

# Where the ways of a loop over arguments meet the compiler says the line of the last one, of which nothing is kept.
cat >met.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int use = 0, many = 4;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-u")) {
            use = atoi(argv[++i]);
            continue;
        }
        if (!strcmp(argv[i], "-m")) {
            many = atoi(argv[++i]);
            continue;
        }
        if (!strcmp(argv[i], "-h")) {
            printf("help\n");
            exit(0);
        }
    }
    if (use)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < many; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link met -O1
met() {
    chain met.c "$1"
    chain met.c "$1" | grep -F 'was removed: no communication depends on it (kept'
}
case_ "a line at which only values of others meet" met 'exit(0)'

# What is read only for one of the calls of a function, by a number that it is given: what comes before the others does
# not arrive.
cat >only.c <<'END'
#include <mpi.h>

int n;
double old[100], new[100], speed[100], step;

__attribute__((noinline)) static void move(void)
{
    for (int i = 0; i < n; i++)
        new[i] = new[i] * step;
}

__attribute__((noinline)) static void keep(void)
{
    for (int i = 0; i < n; i++)
        old[i] = new[i];
}

__attribute__((noinline)) static void make(void)
{
    for (int i = 0; i < n; i++)
        new[i] = old[i] + step;
}

__attribute__((noinline)) static void gas(int predict)
{
    if (predict)
        for (int i = 0; i < n; i++)
            speed[i] += new[i];
    else
        for (int i = 0; i < n; i++)
            speed[i] -= old[i];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    n = argc;
    step = argc;
    while (step < 1000) {
        gas(0);
        MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++)
            step += speed[i];
        make();
        gas(1);
        move();
        keep();
    }
    MPI_Finalize();
    return 0;
}
END
link only -O1
only() {
    chain only.c 'new[i] * step' >chain
    grep -F 'in keep: old[i] = new[i];' chain && ! grep -F 'speed[i] += new[i]' chain
}
case_ "a call that does not come to the read" only

# One function fills members of a struct, each by a call of its own, through another function: what it is asked for by one
# call is not what it does for the other one.
cat >passed.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct vec {
    double *at;
    int n;
};
struct box {
    struct vec a, b;
} *box;
int often;

__attribute__((noinline)) static void grow(struct vec *v, int n)
{
    v->n = n;
}

__attribute__((noinline)) static void resize(struct vec *v, int n)
{
    if (v->n < n)
        grow(v, n);
}

__attribute__((noinline)) static double weigh(const struct vec *v)
{
    double sum = 0;
    for (int i = 0; i < v->n; i++)
        sum += v->at[i];
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    box = calloc(1, sizeof *box);
    box->a.at = malloc(100 * sizeof(double));
    for (int i = 0; i < 100; i++)
        box->a.at[i] = argc;
    resize(&box->a, argc + 7);
    resize(&box->b, argc + 5);
    often = weigh(&box->a) > 9 ? 2 : 3;
    for (int i = 0; i < often; i++)
        MPI_Bcast(&argc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < box->b.n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link passed -O1
passed_on() {
    all passed.c 'resize(&box->a' >chain
    head -c 500 chain | grep -F 'read by passed.c:' && head -c 500 chain | grep -F 'often = weigh(' && ! head -c 500 chain | grep -F 'i < box->b.n'
    ! grep -F "$(line_in passed.c 'resize(&box->a') in main: resize(&box->a, argc + 7); this call writes what is allocated at passed.c:$(line_in passed.c 'box = calloc') as box, which is read by passed.c:$(line_in passed.c 'i < box->b.n')" chain
}
case_ "for which call a function that is called by another one writes" passed_on

# A number is not stored as one of another size through a pointer that may mean both.
cat >sizes.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    int flag, number;
    double level;
} given;
struct option {
    void *at;
    char type;
    struct option *next;
} *first;

__attribute__((noinline)) static void add(void *at, char type)
{
    struct option *o = malloc(sizeof *o);
    o->at = at;
    o->type = type;
    o->next = first;
    first = o;
}

__attribute__((noinline)) static void take(char **text)
{
    for (struct option *o = first; o; o = o->next, text++)
        switch (o->type) {
        case 'f': *(int *)o->at = 1; break;
        case 'i': sscanf(*text, "%d", (int *)o->at); break;
        default: sscanf(*text, "%lf", (double *)o->at);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    add(&given.level, 'd');
    add(&given.number, 'i');
    add(&given.flag, 'f');
    take(argv);
    if (given.level > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    if (given.flag) {
        int all = 1;
        for (int i = 0; i < given.number; i++)
            all *= 2;
        if (all > 100)
            MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
link sizes -O1
as_it_is() {
    chain sizes.c '"%lf"' | grep -F 'if (given.level > 1)' && chain sizes.c 'at = 1' | grep -F 'if (given.flag)' && chain sizes.c 'at = 1' >chain && ! grep -F 'given.level' chain &&
        chain sizes.c '"%d"' >chain && ! grep -F 'given.level' chain
}
case_ "a number of the size that is read" as_it_is

# What is stored again to the same address, in the same turn of a loop, hides what was stored before; and a message that
# comes later than the call that receives it is there before what is done behind its wait.
cat >turns.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int tags[8], links[64], wanted[64], to[64], shift, n, neighbours;

__attribute__((noinline)) static int count(int add)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (tags[links[i]] == 0) {
            found++;
            tags[links[i]] = 1;
        }
        tags[links[i]] += add;
    }
    return found;
}

__attribute__((noinline)) static void meet(MPI_Request *request)
{
    for (int i = 0; i < neighbours; i++)
        MPI_Irecv(to + i, 1, MPI_INT, i, 5, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < neighbours; i++)
        MPI_Send(wanted + i, 1, MPI_INT, i, 5, MPI_COMM_WORLD);
    for (int i = 0; i < neighbours; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < neighbours; i++)
        to[i] = to[i] - shift;
}

__attribute__((noinline)) static void send(void)
{
    for (int i = 0; i < neighbours; i++)
        MPI_Send(&i, 1, MPI_INT, to[i], 6, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Request request[64];
    MPI_Init(&argc, &argv);
    n = argc;
    for (int i = 0; i < n; i++)
        links[i] = atoi(argv[i]) % 8;
    for (int i = 0; i < n; i++)
        wanted[i] = atoi(argv[i]);
    neighbours = count(argc);
    meet(request);
    send();
    MPI_Finalize();
    return 0;
}
END
link turns -O1
same_turn() {
    chain turns.c '= 1;' | grep -F "before, by turns.c:$(line_in turns.c '+= add') in count: tags[links[i]] += add; it writes tags"
}
case_ "what is stored again in the same turn" same_turn
waited() { chain turns.c 'wanted[i] =' | grep -F "it brings is in to, which may be read by turns.c:$(line_in turns.c '- shift') in meet"; }
case_ "a message that is there before what comes behind its wait" waited

# Collective calls that are never made at the same time; and a sum that a function, which begins with zero, gives to who
# has passed the call on.
cat >apart.c <<'END'
#include <mpi.h>

struct sums {
    double act, scale;
} sums;
double field[100];

__attribute__((noinline)) static double temperature(struct sums *s, int n)
{
    double t = 0, all;
    s->act = 0;
    for (int i = 0; i < n; i++)
        t += field[i] * field[i];
    s->act += t;
    MPI_Allreduce(&s->act, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all * s->scale;
}

__attribute__((noinline)) static void start(struct sums *s, int n)
{
    double mean, sum = field[n];
    MPI_Allreduce(&sum, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double by = temperature(s, n);
    for (int i = 0; i < n; i++)
        field[i] = (field[i] - mean) * by;
}

__attribute__((noinline)) static double solve(int n)
{
    double left = 0, all = 1;
    for (int i = 0; i < n && all > 0.5 && field[i] < 9; i++) {
        left += field[i];
        MPI_Allreduce(&left, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return left;
}

int main(int argc, char **argv)
{
    double late, last;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    field[argc] = rank * 0.5;
    sums.scale = 0.5;
    start(&sums, argc);
    late = solve(argc) * argc;
    late += field[argc + 1];
    MPI_Allreduce(&late, &last, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return last > 5;
}
END
link apart -O1
apart() { chain apart.c 'late += field' | grep -F 'it seems never to meet, but is kept as if it were part of the same operation as'; }
case_ "collective calls that never meet" apart
begun() {
    chain apart.c 't += field' >chain && grep -F "apart.c:$(line_in apart.c 'by = temperature') in start" chain &&
        ! grep -F 'same operation' chain
}
case_ "what a function writes for the call for which it reads it" begun

# A buffer that a call receives into is not what it reads, unless it is to work in place.
cat >place.f90 <<'END'
module sums
    use mpi
    implicit none
contains
    subroutine all_sum(value)
        real(8), intent(inout) :: value
        real(8) :: total
        integer :: err
        total = value
        call MPI_ALLREDUCE(value, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, err)
        value = total
    end subroutine all_sum
end module sums

program main
    use mpi
    use sums
    implicit none
    real(8) :: left
    integer :: err, i
    call MPI_INIT(err)
    left = command_argument_count() + 8d0
    do i = 1, 20
        call all_sum(left)
        if (left > 100) exit
    end do
    call MPI_FINALIZE(err)
end program main
END
link_f place -O1 -fno-inline
in_place() {
    commslice why place "place.f90:$(line_in place.f90 'total = value')" | tr -s ' \n' ' ' >chain && grep -F 'it helps to decide' chain && return 1
    grep -F 'it writes total, the receive buffer, which is read only if the call works in place (MPI_IN_PLACE), as the slicer cannot rule out, by place.f90:' chain
}
case_ "a receive buffer" in_place

# An argument that is passed on: by whose call it goes first.
cat >onward.c <<'END'
#include <mpi.h>

struct matrix {
    int n, neighbours;
} matrix;

__attribute__((noinline)) static void exchange(const struct matrix *a)
{
    for (int i = 0; i < a->neighbours; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((noinline)) static void solve(const struct matrix *a)
{
    exchange(a);
}

__attribute__((noinline)) static struct matrix *make(int n)
{
    struct matrix *a = n > 3 ? &matrix : 0;
    if (a)
        a->neighbours = n;
    return a;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct matrix *a = make(argc + 3);
    solve(a);
    MPI_Finalize();
    return 0;
}
END
link onward -O1
onward() { all onward.c 'a = make(' | grep -F "is passed on to exchange, by the call of solve at onward.c:$(line_in onward.c 'solve(a);'), and there used by"; }
case_ "an argument that is passed on" onward

# What the compiler computes of a variable in a line that does not name it: the line that does is shown.
cat >moved.f90 <<'END'
module ql
    implicit none
contains
    subroutine tqli(d, e, n, info)
        real(8), intent(inout) :: d(:), e(:)
        integer, intent(in) :: n
        integer, intent(out) :: info
        integer :: i, l, m
        real(8) :: b, c, f, g, p, r, s
        info = 0
        do l = 1, n - 2
            m = n - 1
            g = (d(l+1) - d(l)) / (2.0d0 * e(l))
            r = sqrt(g**2.0d0 + 1d0)
            g = d(m) - d(l) + e(l) / (g + sign(r, g))
            s = 1d0
            c = 1d0
            p = 0d0
            do i = m - 1, l, -1
                f = s * e(i)
                b = c * e(i)
                r = sqrt(f**2.0d0 + g**2.0d0)
                e(i + 1) = r
                if (r == 0d0) then
                    d(i + 1) = d(i + 1) - p
                    info = i
                    exit
                end if
                s = f / r
                c = g / r
                g = d(i + 1) - p
                r = (d(i) - g) * s + 2d0 * c * b
                p = s * r
                d(i + 1) = g + p
                g = c * r - b
            end do
        end do
    end subroutine tqli
end module ql

program main
    use mpi
    use ql
    implicit none
    integer :: err, i, info
    real(8) :: d(40), e(40)
    call MPI_INIT(err)
    do i = 1, 40
        d(i) = i * command_argument_count() + 1d0
        e(i) = i + 2d0
    end do
    call tqli(d, e, 30 + command_argument_count(), info)
    if (info > 3) call MPI_BARRIER(MPI_COMM_WORLD, err)
    call MPI_FINALIZE(err)
end program main
END
link_f moved -O1 -fno-inline
moved() {
    commslice why moved "moved.f90:$(line_in moved.f90 'g = d(m)')" | tr -s ' \n' ' ' |
        grep -F "as g, is used by moved.f90:$(line_in moved.f90 'f**2.0d0 + g')"
}
case_ "a value that is computed in another line" moved

# Parts of one array: elements, rows and the rest are told apart by the indices of all dimensions, and a row does not
# replace the array. One line allocates several.
cat >planes.f90 <<'END'
! A right-hand side of several parts, as solvers of flow have it.
module flow
  implicit none
  real(8), allocatable :: u(:, :, :), r(:, :, :), f(:, :, :)
  integer :: nx, ny, jend
end module
subroutine part_of_rows()
  use flow
  integer :: i, j, m
  do j = 2, ny - 1
    do i = 2, nx - 1
      f(1, i, j) = u(2, i, j)
      f(2, i, j) = u(1, i, j) * 0.5d0
    end do
  end do
  do j = 2, ny - 1
    do i = 2, nx - 1
      do m = 1, 2
        r(m, i, j) = r(m, i, j) - f(m, i, j)
      end do
    end do
  end do
  do i = 2, nx - 1
    do m = 1, 2
      r(m, i, 2) = r(m, i, 2) - u(m, i, 3)
    end do
  end do
  do j = 4, ny - 3
    do i = 2, nx - 1
      do m = 1, 2
        r(m, i, j) = r(m, i, j) - u(m, i, j + 1)
      end do
    end do
  end do
  do i = 2, nx - 1
    do m = 1, 2
      r(m, i, ny - 2) = r(m, i, ny - 2) - u(m, i, ny - 3)
      r(m, i, ny - 1) = r(m, i, ny - 1) - u(m, i, ny - 4)
    end do
  end do
end subroutine
subroutine norm(lx, ly, a, total)
  integer :: lx, ly, i, j
  real(8) :: a(2, lx, ly), total(2)
  total = 0
  do j = 2, ly - 1
    do i = 2, lx - 1
      total(1) = total(1) + a(1, i, j)**2
      total(2) = total(2) + a(2, i, j)**2
    end do
  end do
end subroutine
program planes
  use mpi
  use flow
  implicit none
  integer :: err, step, rank
  real(8) :: total(2)
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  nx = 10 + rank
  ny = 12 + rank
  allocate (u(2, nx, ny), r(2, nx, ny), f(2, nx, ny), stat=err)
  u = 1
  r = 0
  do step = 1, 100
    call part_of_rows()
    u = u + 0.1d0 * r
    call norm(nx, ny, r, total)
    if (total(1) < 0.001d0 .and. total(2) < 0.001d0) exit
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f planes -O2 -fno-inline
planes_chain() { commslice why planes "planes.f90:$(line_in planes.f90 "$1")" | tr -s ' \n' ' '; }
element() { planes_chain 'f(1, i, j) =' | grep -F "it writes f, which may be read by planes.f90:$(line_in planes.f90 'r(m, i, j) - f') in"; }
row() { planes_chain 'r(m, i, 2) =' | grep -F " as r, which may be read, or overwritten before, inside planes.f90:$(line_in planes.f90 'call norm') in"; }
case_ "an element that others beside it do not replace" element
case_ "a row" row
# What a call writes, and where; what is allocated in a function that is put in line, by the line that calls it.
cat >alloc.h <<'END'
#include <cstdlib>
template <typename T> inline T *make(int n)
{
    return (T *)std::malloc(n * sizeof(T));
}
END
cat >named.cc <<'END'
#include <mpi.h>
#include "alloc.h"
struct domain {
    int first;
    double step;
    double &dt() { return step; }
};
static void halve(const double *from, double *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] / 2;
}
static void least(domain &d, const double *of, int n)
{
    for (int i = 0; i < n; i++)
        if (of[i] < 1)
            d.dt() = of[i];
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double *speed = make<double>(argc + 5);
    double *length = make<double>(argc + 5);
    domain *grid = new domain;
    grid->first = 1;
    grid->dt() = 2;
    for (int i = 0; i < argc + 5; i++)
        speed[i] = i + argc;
    halve(speed, length, argc + 5);
    least(*grid, length, argc + 5);
    if (grid->dt() < 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
commslice-mpicxx -g -O2 -fno-inline-functions -o named named.cc 2>log || { cat log; die "named.cc does not link"; }
named() {
    commslice why named "named.cc:$(line_in named.cc 'speed[i] = i')" | tr -s ' \n' ' ' >chain
    cat chain
    grep -F "it writes what is allocated at named.cc:$(line_in named.cc '*speed = make') as speed, which may be read at named.cc:$(line_in named.cc 'to[i] = '), inside named.cc" chain &&
        grep -F "this call (at named.cc:$(line_in named.cc 'to[i] = ')) writes to (what is allocated at named.cc:$(line_in named.cc '*length = make') as length), which may be read" chain &&
        grep -F "dt of what is allocated at named.cc:$(line_in named.cc 'new domain') as grid" chain
}
case_ "which memory a call writes" named

# A message of a function that ends early is not what positions are for, where they also decide what is sent.
cat >early.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct atoms {
    double *x;
    int *count, *total;
    int n;
};
static void report(struct atoms *a)
{
    int lost = 0, all;
    double time = 1, sum;
    for (int i = 0; i < a->n; i++)
        if (a->x[i] < 0)
            lost++;
    MPI_Allreduce(&lost, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (all > 0) {
        printf("lost %d\n", all);
        return;
    }
    MPI_Reduce(&time, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void exchange(struct atoms *a, int to, int parts)
{
    int n = 0;
    for (int i = 0; i < a->n; i++)
        if (a->x[i] > 10)
            n++;
    a->count[parts - 1] = n;
    int sum = 0;
    for (int i = 0; i < parts; i++) {
        sum += a->count[i];
        a->total[i] = sum;
    }
    MPI_Sendrecv_replace(a->x, a->total[parts - 1], MPI_DOUBLE, to, 1, to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    struct atoms a = {.n = argc + 10};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    a.x = malloc(a.n * sizeof *a.x);
    a.count = calloc(argc + 1, sizeof *a.count);
    a.total = calloc(argc + 1, sizeof *a.total);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < a.n; i++)
            a.x[i] = rank * i * step;
        exchange(&a, !rank, argc);
        report(&a);
    }
    MPI_Finalize();
    return 0;
}
END
link early -O1
early() {
    chain early.c 'a.x[i] = rank' >chain
    cat chain
    grep -F 'in exchange: MPI_Sendrecv_replace(' chain && ! grep -F 'in report: ' chain
}
case_ "a function that ends early" early

# A member is loaded again for each access: what the function itself has stored there counts, not what another one has.
cat >again.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct lists {
    int *number;
    int parts, limit;
};
static void first(struct lists *l, const double *x, int n)
{
    int some = 0;
    if (n > 1000)
        l->number = malloc(n * sizeof *l->number);
    for (int i = 0; i < n; i++)
        if (x[i] > 5)
            some++;
    l->number[l->parts - 1] = some;
    int all = 0;
    for (int i = 0; i < l->parts; i++)
        all += l->number[i];
    if (all > l->limit)
        l->limit = all;
}
static void second(struct lists *l, const double *x, int n, int to)
{
    double in[100];
    for (int turn = 0; turn < 2; turn++) {
        int some = 0;
        for (int i = 0; i < l->parts; i++)
            l->number[i] = 0;
        for (int i = 0; i < n; i++)
            if (x[i] > turn)
                some++;
        l->number[0] = some;
        int all = 0;
        for (int i = 0; i < l->parts; i++) {
            all += l->number[i];
            l->number[i] = all;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(x, l->number[l->parts - 1], MPI_DOUBLE, to, 1, in, 100, MPI_DOUBLE, to, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}
int main(int argc, char **argv)
{
    struct lists l = {.parts = argc, .limit = 0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x = malloc((argc + 10) * sizeof *x);
    l.number = malloc(argc * sizeof *l.number);
    double *y = malloc((argc + 10) * sizeof *x);
    for (int i = 0; i < argc + 10; i++)
        x[i] = i * rank;
    for (int step = 0; step < 4; step++) {
        first(&l, x, argc + 10);
        second(&l, x, argc + 10, !rank);
        for (int i = 0; i < argc + 10; i++)
            y[i] = l.limit + i;
        if (y[argc] > 5)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
link again -O1
again() {
    chain again.c 'l->number[l->parts - 1] = some;' >chain
    cat chain
    grep -F 'in main: if (y[argc] > 5)' chain && ! grep -F 'in second: MPI_Sendrecv(' chain
}
case_ "a pointer that is loaded again" again

# What one function returns is passed on to another one, by way of a line that stores it in a variable; what is passed as
# a structure goes back to the call that passes it, not to another one.
cat >passes.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct where {
    int *p;
};
static int load(const double *x, double *out, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 3)
            out[k++] = x[i];
    return k * 2;
}
static void swap(double *out, int n, int to)
{
    MPI_Sendrecv_replace(out, n, MPI_DOUBLE, to, 1, to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int *base(struct where w)
{
    return w.p;
}
static void third(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 2 + i;
}
int main(int argc, char **argv)
{
    int rank, n = argc + 10, *near = calloc(n, sizeof *near), *far = calloc(n, sizeof *far);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; i++)
        x[i] = i * rank;
    int number = load(x, y, n);
    swap(y, number, !rank);
    struct where a = {near + argc}, b = {far};
    b.p = b.p + argc * 3;
    for (int i = 0; i < n; i++)
        x[i] = i + (base(b) - far);
    third(x, y, n);
    third(y, z, n);
    if (z[argc] > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    if (base(a) - near > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link passes -O1
by_variable() {
    at=$(line_in passes.c 'int number = load')
    chain passes.c 'return k * 2;' | grep -F "it is returned to the call at passes.c:$at, and there used by passes.c:$at in main: int number = load(x, y, n); its value, number, is passed to swap at passes.c:$((at + 1)), and there used by"
}
case_ "what is returned and passed on" by_variable
own_structure() {
    chain passes.c 'b.p = b.p +' >chain
    cat chain
    grep -F "passes.c:$(line_in passes.c 'x[i] = i + (base(b)') in main:" chain && ! grep -F 'base(a)' chain
}
case_ "a structure that is passed" own_structure

# A value that the compiler makes of what a function of a library returns belongs to the line that uses it.
cat >tree.cc <<'END'
#include <mpi.h>
#include <map>
int main(int argc, char **argv)
{
    std::map<int, int> known;
    int number = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < argc + 20; i++) {
        int key = i % 7;
        if (known.find(key) == known.end()) {
            number++;
            known[key] = i;
        }
    }
    if (number > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
commslice-mpicxx -g -O2 -o tree tree.cc 2>log || { cat log; die "tree.cc does not link"; }
found() {
    commslice why tree "tree.cc:$(line_in tree.cc 'known[key] = i')" | tr -s ' \n' ' ' >chain
    cat chain
    ! grep -F 'stl_map.h' chain &&
        grep -F "inside the library this leads on to tree.cc:$(line_in tree.cc 'known.find(key)') in main: if (known.find(key) == known.end()) { it decides which value number has" chain
}
case_ "a value of a header" found

# Two fields share a buffer that is sent, each in its part: what is packed of the one is not what is unpacked as the other.
cat >fields.f90 <<'END'
! Two fields share a buffer that is sent, each in its part.
module parts_of
  implicit none
  integer, parameter :: n = 20, heat = 1, paint = 2
  real(8), allocatable :: warm(:), red(:), out(:), in(:)
contains
  subroutine pack(field, buffer, offset)
    real(8) :: field(n), buffer(100)
    integer :: offset, i
    do i = 1, 4
      buffer(offset + i) = field(n - 4 + i)
    end do
  end subroutine
  subroutine unpack(field, buffer, offset)
    real(8) :: field(n), buffer(100)
    integer :: offset, i
    do i = 1, 4
      field(i) = buffer(offset + i)
    end do
  end subroutine
  subroutine step(field, change)
    real(8) :: field(:), change
    integer :: i
    do i = 2, n - 1
      field(i) = 0.5d0 * (field(i - 1) + field(i + 1))
      change = max(change, field(i))
    end do
  end subroutine
  subroutine exchange(rank, size)
    use mpi
    integer :: rank, size, err, k, last, offset(2), used(2)
    last = 0
    do k = 1, 2
      used(k) = size - k
      offset(k) = last
      if (used(k) > 0) last = last + 4
    end do
    if (used(heat) > 0) call pack(warm, out, offset(heat) + rank)
    if (used(paint) > 0) call pack(red, out, offset(paint) + rank)
    call mpi_sendrecv(out, last, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 0, in, last, MPI_DOUBLE_PRECISION, &
      mod(rank + size - 1, size), 0, mpi_comm_world, MPI_STATUS_IGNORE, err)
    if (used(heat) > 0) call unpack(warm, in, offset(heat) + rank)
    if (used(paint) > 0) call unpack(red, in, offset(paint) + rank)
  end subroutine
end module
program fields
  use mpi
  use parts_of
  implicit none
  integer :: err, rank, size, k
  real(8) :: change
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  call mpi_comm_size(mpi_comm_world, size, err)
  allocate (warm(n), red(n), out(100), in(100))
  warm = rank
  red = 2 * rank
  do k = 1, 100
    red(n) = k
    warm(n) = 2 * k
    call exchange(rank, size)
    change = 0
    call step(warm, change)
    if (change < 0.1d0) exit
  end do
  call mpi_finalize(err)
end program
END
link_f fields -O2 -fno-inline
packed() { commslice why fields "fields.f90:$(line_in fields.f90 "call pack($1")" | tr -s ' \n' ' '; }
own_part() { ! packed warm | grep -F 'seems never'; }
other_part() { packed red | grep -F ' as out, which seems never to be what is read by'; }
case_ "the part of a buffer that is unpacked" own_part
case_ "another part" other_part

# The same in Fortran, where the array of what is asked for is handed on by a descriptor, and by a copy.
cat >asks.f90 <<'END'
module halo
  integer, parameter :: first = 1, second = 2, third = 3, n = 100
contains
  subroutine unpack(field, buffer)
    real(8) :: field(n), buffer(n)
    field(n) = buffer(1)
  end subroutine
  subroutine choose(fields, a, b, c, buffer)
    integer :: fields(:)
    real(8) :: a(n), b(n), c(n), buffer(n)
    if (fields(first) == 1) call unpack(a, buffer)
    if (fields(second) == 1) call unpack(b, buffer)
    if (fields(third) == 1) call unpack(c, buffer)
  end subroutine
  subroutine update(fields, a, b, c, buffer)
    integer :: fields(3)
    real(8) :: a(n), b(n), c(n), buffer(n)
    call choose(fields, a, b, c, buffer)
  end subroutine
  subroutine again(fields, a, b, c, buffer)
    integer :: fields(:)
    real(8) :: a(n), b(n), c(n), buffer(n)
    call update(fields, a, b, c, buffer)
  end subroutine
end module
program asks
  use mpi
  use halo
  implicit none
  integer :: err, rank, i, fields(3)
  real(8) :: change, u(n), k(n), v(n), w(n), buffer(n)
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  u = rank
  k = rank + 1
  v = 0
  change = 0
  fields = 0
  fields(third) = 1
  if (rank > 1) fields(first) = 1
  do while (change < 1000)
    do i = 1, n
      buffer(i) = u(i) * 0.5d0
    end do
    call again(fields, v, k, u, buffer)
    do i = 1, n
      w(i) = u(i) + 1
    end do
    do i = 1, n
      change = change + w(i) + k(i)
    end do
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f asks -O1 -fno-inline
described() { commslice why asks "asks.f90:$(line_in asks.f90 'field(n) = ')" | tr -s ' \n' ' ' | grep -F 'it writes u, which may be read'; }
case_ "a field that no caller asks for by a descriptor" described

# What assigns to all of a string, by one call or two, or as a whole, replaces what was there; so does what assigns to an
# array of a function that calls itself. A number that a function gives is no negative one as it is converted.
cat >strings.f90 <<'END'
module words
  character(80) :: line
  character(80) :: text(8)
  integer :: here, rounds, marks(100), counts(5)
contains
  subroutine next
    here = here + 1
    if (here > 4) then
      line = ''
    else if (here > 2) then
      line = trim(text(9 - here)(rounds:))
    else
      line = text(here)
    end if
    rounds = rounds + ichar(line(here:here))
  end subroutine
  subroutine split
    integer :: s, i, k
    character(80) :: word
    do i = 1, 5
      s = scan(line, ' ')
      word = line(1:s)
      line = trim(line(s + 1:))
      k = len_trim(word)
      marks(k) = i
    end do
    do i = 1, 5
      counts(i) = marks(i) + 1
    end do
    do i = 1, 5
      rounds = rounds + counts(i)
    end do
  end subroutine
  recursive subroutine choose(given, depth)
    integer :: given(8), own(8), depth, k
    own = given
    if (depth > 2) then
      own = 0
      if (given(3) > 1) call choose(own, depth - 1)
      rounds = rounds + own(1)
    else
      k = own(2)
      if (k > 3) k = k * k - 1
      rounds = rounds + k
    end if
  end subroutine
end module
program strings
  use mpi
  use words
  implicit none
  integer :: err, i, numbers(8)
  call mpi_init(err)
  here = 0
  rounds = 0
  open (10, file='words')
  read (10, '(a80)') text
  read (10, *) numbers
  close (10)
  do i = 1, 8
    call next
    call split
  end do
  call choose(numbers, numbers(8))
  do i = 1, rounds
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f strings -O2 -fno-inline
strings_chain() { commslice why strings "strings.f90:$(line_in strings.f90 "$1")" | tr -s ' \n' ' '; }
cut_off() { strings_chain 'line = trim(line(s' | grep -E "it writes line, which (is read|may be read, or overwritten before,) by strings.f90:$(line_in strings.f90 'word = line(1:s)') in"; }
of_this_run() { strings_chain 'own = given' | grep -F "it writes own, which is read by strings.f90:$(line_in strings.f90 'k = own(2)') in"; }
positive() { strings_chain 'marks(k) = i' | grep -F 'it writes marks, which may be read by'; }
case_ "a string that is replaced" cut_off
case_ "an array of a function that calls itself" of_this_run
case_ "an index that a function gives" positive

# What a function, called deeper down, reads before it replaces it.
cat >deeper.c <<'END'
#include <mpi.h>

double u[100], w[100];

__attribute__((noinline)) static void all_most(double *value)
{
    double most;
    MPI_Allreduce(value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *value = most;
}

__attribute__((noinline)) static void measure(double *change)
{
    *change = 0;
    for (int i = 0; i < 100; i++)
        if (u[i] - w[i] > *change)
            *change = u[i] - w[i];
    all_most(change);
}

__attribute__((noinline)) static void solve(double *change)
{
    do {
        for (int i = 1; i < 99; i++) {
            w[i] = u[i];
            u[i] = 0.5 * (w[i - 1] + u[i + 1]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        measure(change);
    } while (*change > 0.1);
}

int main(int argc, char **argv)
{
    double change = argc;
    MPI_Init(&argc, &argv);
    u[0] = argc;
    solve(&change);
    MPI_Finalize();
    return 0;
}
END
link deeper -O1
before_end() { chain deeper.c '*change = u[i] - w[i];' | grep -F 'it writes change, which is read in the call at deeper.c:' && ! chain deeper.c '*change = u[i] - w[i];' | grep -F 'seems never'; }
case_ "what is read before it is replaced at the end of a function" before_end

# A variable that a function sets which it is handed over to may well be the number that another one asks for.
cat >given.f90 <<'END'
module setup
  use mpi
contains
  subroutine who(me)
    integer :: me, rank, err
    call mpi_comm_rank(mpi_comm_world, rank, err)
    me = rank + 1
  end subroutine
  subroutine spread_out(me, n)
    integer :: me, n, numbers(2), err
    if (me == 1) then
      numbers(1) = n * 2
      numbers(2) = n + 3
    end if
    call mpi_bcast(numbers, 2, MPI_INTEGER, 0, mpi_comm_world, err)
    n = numbers(1)
  end subroutine
end module
program given
  use setup
  implicit none
  integer :: err, me, i, n
  call mpi_init(err)
  open (10, file='numbers')
  read (10, *) n
  close (10)
  call who(me)
  call spread_out(me, n)
  do i = 1, n
    call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f given -O1 -fno-inline
set_there() { ! commslice why given "given.f90:$(line_in given.f90 'numbers(1) = n')" | grep 'seems never'; }
case_ "a number that is stored through a parameter" set_there

# Messages of one tag and length from up to four sides, where there is somebody: each is unpacked where that is asked again.
cat >corners.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct place {
    int row, column, side, n;
    double *in, from_right[100], from_below[100];
    MPI_Request got[4];
} here;
double x[100];

__attribute__((noinline)) static void receive(struct place *p, int first)
{
    int up = 1, down = 1, left = 1, right = 1, k = 0;
    if (p->row == 0)
        up = 0;
    if (p->row == p->side - 1)
        down = 0;
    if (p->column == 0)
        left = 0;
    if (p->column == p->side - 1)
        right = 0;
    if (up && first)
        MPI_Irecv(p->in + k * 100, p->n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &p->got[k]), k++;
    if (down)
        MPI_Irecv(p->in + k * 100, p->n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &p->got[k]), k++;
    if (left && first)
        MPI_Irecv(p->in + k * 100, p->n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &p->got[k]), k++;
    if (right)
        MPI_Irecv(p->in + k * 100, p->n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &p->got[k]), k++;
}

__attribute__((noinline)) static void unpack(struct place *p)
{
    int up = 1, down = 1, left = 1, right = 1, k = 0;
    if (p->row == 0)
        up = 0;
    if (p->row == p->side - 1)
        down = 0;
    if (p->column == 0)
        left = 0;
    if (p->column == p->side - 1)
        right = 0;
    if (up | down)
        MPI_Waitall(4, p->got, MPI_STATUSES_IGNORE);
    if (up) {
        for (int i = 0; i < p->n; i++)
            x[i] += p->in[k * 100 + i];
        k++;
    }
    if (down) {
        for (int i = 0; i < p->n; i++)
            x[i] += 2 * p->in[k * 100 + i];
        k++;
    }
    if (left) {
        for (int i = 0; i < p->n; i++)
            x[i] += 3 * p->in[k * 100 + i];
        k++;
    }
    if (right) {
        for (int i = 0; i < p->n; i++)
            x[i] += 4 * p->in[k * 100 + i];
        k++;
    }
}

int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &here.row);
    here.in = malloc(400 * sizeof *here.in);
    here.column = argc;
    here.side = argc + 3;
    here.n = argc * 5;
    while (sum < 1000) {
        receive(&here, argc > 1);
        for (int i = 0; i < here.n; i++)
            here.from_right[i] = i + argc;
        MPI_Send(here.from_right, here.n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        for (int i = 0; i < here.n; i++)
            here.from_below[i] = i * argc;
        MPI_Send(here.from_below, here.n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        unpack(&here);
        for (int i = 0; i < here.n; i++)
            sum += x[i];
    }
    MPI_Finalize();
    return 0;
}
END
link corners -O1
unpacked() { chain corners.c "from_right[i] = i" | grep -F '3 * p->in' && chain corners.c "from_below[i] = i" | grep -F '4 * p->in'; }
case_ "a message that is unpacked where the same is asked as where it is received" unpacked

# Whole numbers and reals go through the same buffers: a real is not what is read as a whole number, of another size.
cat >kinds.c <<'END'
#include <mpi.h>

double out[200], in[200], a[200];
int n[12], rank;

__attribute__((noinline)) static void exchange(void)
{
    MPI_Request got;
    MPI_Irecv(in, 100, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &got);
    MPI_Send(out, 100, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&got, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void take_numbers(const int *from)
{
    n[0] = from[0];
    n[1] = from[1];
    n[2] = from[2];
    n[3] = from[3];
    n[4] = from[4];
    n[5] = from[5];
    n[6] = from[6];
    n[7] = from[7];
    n[8] = from[8];
    n[9] = from[9];
    n[10] = from[10];
    n[11] = from[11];
}

int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 12; i++)
        ((int *)out)[i] = argc + i;
    exchange();
    take_numbers((int *)in);
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < n[k]; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    while (sum < 100) {
        for (int i = 0; i < 100; i++)
            out[i] = a[i] * 2;
        exchange();
        for (int i = 0; i < 100; i++)
            a[i] += in[i];
        double all = 0;
        for (int i = 0; i < 100; i++)
            all += a[i];
        sum += all;
        MPI_Bcast(n, 12, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
link kinds -O1
real_number() { chain kinds.c 'out[i] = a[i]' | grep -F 'a[i] += in[i]' && ! chain kinds.c 'out[i] = a[i]' | grep -F 'from['; }
case_ "a real that is sent is not what is received as a whole number" real_number

# A line that assigns to two arrays, and a value that GCC computes before it branches to two calls.
cat >twice.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int all;
__attribute__((noinline)) static void grow(int by)
{
    all += by;
}
__attribute__((noinline)) static void fill(int *first, int *second, int n, int by)
{
    for (int i = 0; i < n; i++)
        first[i] = second[i] = by * i;
}
__attribute__((noinline)) static void shrink(int by)
{
    all -= 2 * by;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = 100;
    int *first = malloc(n * sizeof *first);
    int *second = malloc(n * sizeof *second);
    fill(first, second, n, argc);
    int least = second[argc], extra = 1;
    if (argc > 3)
        extra = 7;
    if (least > 5) {
        grow(least + extra);
    } else {
        all = 1;
        shrink(least + extra);
    }
    for (int i = 0; i < all; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return argc > 99 ? first[3] : 0;
}
END
link twice -O2
assigned_too() { chain twice.c 'first[i] = second' | grep -F "it writes what is allocated at twice.c:$(line_in twice.c '*second = malloc') as second, which"; }
own_call() { chain twice.c 'if (argc > 3)' | grep -E 'in main: (grow|shrink)\(least \+ extra\); a value of this line is passed to \1 at'; }
case_ "the memory of a line that assigns twice has its own name" assigned_too
case_ "a value that is computed once for two calls is shown at the call" own_call

# What is printed at the end does not come to a file that was read at the beginning, though the function that prints next ran then, too.
cat >late.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void say(FILE *to, const char *what)
{
    fprintf(to, "%s\n", what);
}

int main(int argc, char **argv)
{
    char line[100] = "";
    MPI_Init(&argc, &argv);
    FILE *log = fopen(argv[2], "w");
    say(stdout, "begin");
    say(log, argv[0]);
    fprintf(stdout, "reads %d\n", argc * 3);
    say(stdout, "read");
    say(log, "read");
    FILE *in = fopen(argv[1], "r");
    fgets(line, sizeof line, in);
    for (int i = 0; i < atoi(line); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    fprintf(stdout, "end %d\n", argc * 7);
    say(stdout, "ended");
    say(log, "ended");
    MPI_Finalize();
    return 0;
}
END
link late -O1
too_late() { chain late.c '"end %d' | grep -F 'seems never to be the file that is read by' && ! chain late.c '"reads %d' | grep -F 'seems never'; }
case_ "what is printed behind the read of a file" too_late

# Which component a store is asked for goes on to what it is computed from; two halos, and messages of other counts, do not meet.
cat >parts3.f90 <<'END'
module fields
  use mpi
  implicit none
  integer :: nx, ny, nz, err, rank, left, right
  double precision, allocatable :: f(:,:,:), r(:,:,:), line(:), both(:), near(:), mine(:)
contains
  subroutine fill(flow)
    double precision :: flow(5, nx, ny)
    integer :: i, j, m
    do j = 1, ny
      do i = 1, nx
        flow(1, i, j) = i
        flow(3, i, j) = j
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        do m = 1, 5
          r(m, i, j) = r(m, i, j) - flow(m, i, j)
        end do
      end do
    end do
  end subroutine
  subroutine halo(a, n, m, l)
    integer :: n, m, l, j, k
    double precision :: a(0:n+1, 0:m+1, 0:l+1)
    do k = 1, l
      do j = 1, m
        a(0, j, k) = j
      end do
    end do
    do k = 1, l
      do j = 1, m
        a(1, j, k) = k
      end do
    end do
  end subroutine
  subroutine total(a, n, m, l, sum)
    integer :: n, m, l, i, j, k
    double precision :: a(0:n+1, 0:m+1, 0:l+1), sum
    sum = 0
    do k = 1, l
      do j = 1, m
        do i = 1, n
          sum = sum + a(i, j, k)
        end do
      end do
    end do
  end subroutine
  subroutine pass_line()
    integer :: i, status(MPI_STATUS_SIZE), request
    call MPI_Irecv(near, nx, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, request, err)
    do i = 1, nx
      mine(i) = i * rank
    end do
    call MPI_Send(mine, nx, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, err)
    call MPI_Wait(request, status, err)
  end subroutine
  subroutine pass_both()
    integer :: i, status(MPI_STATUS_SIZE), request
    call MPI_Irecv(line, 2 * nx, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, request, err)
    do i = 1, 2 * nx
      both(i) = i + rank
    end do
    call MPI_Send(both, 2 * nx, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, err)
    call MPI_Wait(request, status, err)
  end subroutine
end module
program parts3
  use fields
  implicit none
  integer :: size, step, i, j
  double precision :: sum, all
  double precision, allocatable :: u(:,:,:)
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  call MPI_Comm_size(MPI_COMM_WORLD, size, err)
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)
  open (10, file='numbers')
  read (10, *) nx, ny, nz
  close (10)
  allocate (f(5, nx, ny), r(5, nx, ny), u(0:nx+1, 0:ny+1, 0:nz+1), line(2 * nx), both(2 * nx), near(nx), mine(nx))
  r = 0
  u = 0
  do step = 1, 100
    call pass_line()
    call pass_both()
    call fill(f)
    call halo(u, nx, ny, nz)
    call total(u, nx, ny, nz, sum)
    call MPI_Allreduce(sum, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, err)
    do j = 1, ny
      do i = 1, nx
        all = all + r(1, i, j)
      end do
    end do
    if (all + line(1) > 1d6) exit
  end do
  call MPI_Finalize(err)
end program
END
link_f parts3 -O1 -fno-inline
parts3_chain() { commslice why parts3 "parts3.f90:$(line_in parts3.f90 "$1")" | tr -s ' \n' ' '; }
component() { ! parts3_chain 'flow(1, i, j) =' | grep -F 'seems never' && parts3_chain 'flow(3, i, j) =' | grep -F 'seems never'; }
plane() { ! parts3_chain 'a(1, j, k) =' | grep -F 'seems never' && parts3_chain 'a(0, j, k) =' | grep -F 'seems never'; }
count() { parts3_chain 'mine(i) = i * rank' | grep -F 'its message seems never to be the one that is received by' && ! parts3_chain 'both(i) = i + rank' | grep -F 'seems never'; }
case_ "a component that a store is asked for is that of what it is computed from" component
case_ "planes of arrays that are handed over" plane
case_ "messages with another count" count

finish
