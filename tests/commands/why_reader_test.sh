#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice why: that the step behind a write is one that can get what was written, and is named by the line that uses
# it.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/chains.sh"

# A small array that a loop fills again is read by number, and a list is made into running sums, by a pointer that may
# mean two pieces of memory: what was there before gets no further.
cat >refill.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct list {
    int *count, *others, n;
} list;
__attribute__((noinline)) static double mix(const double *x, const double *y, const double *weight, double *out)
{
    double part[4], sum = 0;
    for (int i = 0; i < 4; i++)
        part[i] = weight[i] * x[0];
    for (int i = 0; i < 8; i++)
        out[i] = part[0] + i * part[2];
    for (int i = 0; i < 4; i++)
        part[i] = weight[i] * y[0];
    for (int i = 0; i < 8; i++)
        sum += part[0] * part[1] + i * part[2];
    return sum;
}
__attribute__((noinline)) static int add_up(struct list *l, int mine)
{
    int total = 0;
    for (int i = 0; i < l->n; i++)
        l->count[i] = 0;
    l->count[l->others[mine]] = mine;
    for (int i = 0; i < l->n; i++) {
        total += l->count[i];
        l->count[i] = total;
    }
    return l->count[l->n - 1];
}
int main(int argc, char **argv)
{
    double x[4] = {argc}, y[4] = {argc + 1}, weight[4], out[8], twice[8], sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        weight[i] = i * argc;
    list.n = argc + 3;
    list.others = calloc(list.n, sizeof *list.others);
    list.count = argc > 2 ? malloc(list.n * sizeof *list.count) : calloc(2 * list.n, sizeof *list.count);
    if (mix(x, y, weight, out) > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 8; i++)
        twice[i] = out[i] * 2;
    for (int i = 0; i < 8; i++)
        sum += twice[i];
    if (sum > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    if (add_up(&list, argc) > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link refill -O1
filled() { chain refill.c 'weight[i] * x[0]' | grep -F "it writes part, which may be read by refill.c:$(line_in refill.c 'out[i] = part') in"; }
summed() { chain refill.c '] = mine;' | grep -F "it writes l->count, which may be read by refill.c:$(line_in refill.c 'total += l') in"; }
case_ "a small array that is filled again" filled
case_ "an update in place is a step" summed

# What is received is read in a loop over as many whole numbers of another array: what was sent is no other for that.
cat >sums.c <<'END'
#include <mpi.h>
#include <math.h>
enum { TIMERS = 11 };
struct timer {
    unsigned long total;
    double mean, spread;
} timers[TIMERS];
unsigned long calls[TIMERS];
__attribute__((noinline)) static void add(const double *mine, double *all, int n)
{
    MPI_Allreduce(mine, all, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
__attribute__((noinline)) static void compare(void)
{
    double mine[TIMERS], all[TIMERS];
    for (int i = 0; i < TIMERS; i++)
        mine[i] = (double)timers[i].total;
    add(mine, all, TIMERS);
    for (int i = 0; i < TIMERS; i++)
        timers[i].mean = all[i];
    for (int i = 0; i < TIMERS; i++) {
        double apart = (double)timers[i].total - timers[i].mean;
        mine[i] = apart * apart;
    }
    add(mine, all, TIMERS);
    for (int i = 0; i < TIMERS; i++)
        timers[i].spread = sqrt(all[i]);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < TIMERS; i++) {
        timers[i].total = argc * i;
        calls[i] = argc + i;
    }
    for (int i = 0; i < TIMERS; i++)
        if (calls[i] * 0.5 > argc)
            MPI_Barrier(MPI_COMM_WORLD);
    compare();
    if (timers[argc].spread > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link sums -O1
sent() { chain sums.c 'apart * apart' | grep -F "it writes mine, which may be read by sums.c:$(line_in sums.c 'timers[i].spread =' | awk '{ print $1 - 2 }') in"; }
case_ "what a call sends in every run" sent

# GCC reads a variable once for two lines: who passes it on is named by the call.
cat >passed.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void meet(int n, double *buf)
{
    if (n > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    buf[0] = n;
}
int main(int argc, char **argv)
{
    int rows, columns;
    MPI_Init(&argc, &argv);
    sscanf(argv[0], "%d %d", &rows, &columns);
    int most = rows > columns ? rows : columns;
    double *buf = malloc(most * sizeof *buf);
    for (int i = 0; i < columns; i++)
        scanf("%lg", buf + i);
    for (int i = 1; i < columns; i++)
        buf[i] /= i;
    meet(columns, buf);
    if (buf[argc] > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link passed -O1
passed_on() {
    at=$(line_in passed.c '    meet(columns')
    chain passed.c 'sscanf(' | grep -F "it writes columns, which may be read by passed.c:$at in main: meet(columns, buf); a value of this line, columns, is passed to meet at passed.c:$at,"
}
case_ "a variable that is read once for two lines" passed_on

# Steps inside a library say which memory the last one writes, and that it need not be the one.
cat >vectors.cc <<'END'
#include <mpi.h>
#include <vector>
struct parts {
    std::vector<int> a, b;
    int n;
    int &left(int i) { return a[i]; }
    int &right(int i) { return b[i]; }
};
__attribute__((noinline)) static void make(parts &p, int n)
{
    p.a.resize(n);
    p.b.resize(2 * n);
    p.n = n;
}
int main(int argc, char **argv)
{
    parts p;
    MPI_Init(&argc, &argv);
    make(p, argc + 3);
    for (int i = 0; i < argc; i++)
        p.left(i * argc % 3) = i;
    p.right(argc - 1) = argc;
    if (p.right(argc) + p.left(p.n - 1) > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
commslice-mpicxx -g -O2 -o vectors vectors.cc 2>log || { cat log; die "vectors.cc does not link"; }
objcopy --dump-section .commslice=section --dump-section .commslice.graph=graph vectors copy
zstd -dcqf <graph | "$build/advise/commslice-advise" why >reasons || die "no reasons"
# Lines of the library that give a value to one that writes memory.
zstd -dcqf <section | cat - reasons | awk -F '\t' '
    $1 == "stmt" && $6 == 1 && $4 != "vectors.cc" { place[$2] = $4 ":" $5 }
    $1 == "why" && $2 in place { kind[$2] = $3; up[$2] = $4 }
    END { for (i in up) if (kind[i] == "data" && kind[up[i]] == "memory" && place[i] != place[up[i]]) print place[i] }' |
    sort -u >places
inside() {
    while read -r at; do commslice why vectors "$at"; done <places | tr -s ' \n' ' ' >all
    cat all
    at=$(line_in vectors.cc 'p.right(argc) +')
    grep -F "(a library's) inside the library it writes one of 2 pieces of memory that are not told apart; what is allocated at vectors.cc:$(line_in vectors.cc b.resize) as b, one of them, may be read, or overwritten before, by vectors.cc:$at in main:" all
}
case_ "memory that a library writes" inside

# Components of vectors that are moved one after the other, a list that grows while it is read, and a value that a line
# makes of a pointer.
cat >moves.c <<'END'
#include <mpi.h>
#include <stdlib.h>
double *force, *speed, *place, *seen, *last, *grid;
int n;
__attribute__((noinline)) static void step(double *x, double *v, const double *f)
{
    for (int i = 0; i < n; i++) {
        v[i * 3] += f[i * 3];
        v[i * 3 + 1] += f[i * 3 + 1];
        v[i * 3 + 2] += f[i * 3 + 2];
        x[i * 3] += v[i * 3];
        x[i * 3 + 1] += v[i * 3 + 1];
        x[i * 3 + 2] += v[i * 3 + 2];
    }
}
__attribute__((noinline)) static void make(void)
{
    grid = calloc(n, sizeof *grid);
    grid[n / 2] = n;
}
__attribute__((noinline)) static int find(const double *at, int most)
{
    return *at > most ? most : *at < 0 ? 0 : 1;
}
__attribute__((noinline)) static void meet(int box)
{
    if (box > 1)
        MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    int *list, *other, known = 0;
    MPI_Init(&argc, &argv);
    n = argc + 5;
    force = calloc(3 * n, sizeof *force);
    speed = calloc(3 * n, sizeof *speed);
    place = calloc(3 * n, sizeof *place);
    seen = calloc(3 * n, sizeof *seen);
    last = calloc(3 * n, sizeof *last);
    list = calloc(n, sizeof *list);
    other = calloc(n, sizeof *other);
    for (int i = 0; i < n; i++) {
        force[i * 3 + 1] = i;
        speed[i * 3] = i;
        speed[i * 3 + 1] = argc * i;
        speed[i * 3 + 2] = argc + i;
        other[i] = i * argc % 7;
    }
    for (int i = 0; i < 3 * n; i++)
        seen[i] = speed[i] * 2;
    for (int i = 0; i < 3 * n; i++)
        last[i] = seen[i] * 2;
    if (last[argc] > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    make();
    step(place, speed, force);
    if (place[argc] > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (int k = 0; k < known; k++)
            if (list[k] == other[i])
                found = 1;
        if (!found)
            list[known++] = other[i];
    }
    for (int i = 0; i < known; i++)
        if (list[i] > 3)
            MPI_Barrier(MPI_COMM_WORLD);
    int box = find(grid + argc, n);
    meet(box);
    MPI_Finalize();
    return 0;
}
END
link moves -O1
component() { chain moves.c 'speed[i * 3 + 2] =' | grep -F ", which may be read, or overwritten before, by moves.c:$(line_in moves.c 'step(place') in main:"; }
grown() { chain moves.c 'list[known++] =' | grep -F "it writes list, which may be read by moves.c:$(line_in moves.c 'list[i] > 3') in"; }
made() { chain moves.c 'grid = calloc' | grep -F 'int box = find(grid + argc, n); a value of this line, as box, is passed to meet'; }
case_ "another component is stored before" component
case_ "a list that grows" grown
case_ "the value that a line makes" made

# What a loop changes is read by the call in the loop, and not by the one that ran before, though both read the same.
cat >rounds.c <<'END'
#include <mpi.h>
#include <stdlib.h>
double *state, *change, norms[4];
int n;
__attribute__((noinline)) static void residual(void)
{
    for (int i = 1; i < n; i++)
        change[i] = state[i] - state[i - 1];
}
__attribute__((noinline)) static void norm(const double *of, double *out)
{
    double mine[4] = {0};
    for (int i = 1; i < n; i++)
        mine[i % 4] += of[i] * of[i];
    MPI_Allreduce(mine, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void first(void);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    n = argc + 8;
    state = calloc(n, sizeof *state);
    change = calloc(n, sizeof *change);
    for (int i = 0; i < n; i++)
        state[i] = i * argc;
    first();
    int step = 0;
    do {
        for (int i = 1; i < n; i++)
            state[i] += 0.5 * change[i];
        residual();
        if (step % argc == 0)
            norm(change, norms); /* in the loop */
        if (norms[argc] < 1e-3)
            break;
        MPI_Barrier(MPI_COMM_WORLD);
    } while (++step < argc + 10);
    MPI_Finalize();
    return 0;
}
__attribute__((noinline)) static void first(void)
{
    residual();
    norm(change, norms); /* before */
}
END
link rounds -O1
in_the_loop() { chain rounds.c 'state[i] +=' | grep -F "rounds.c:$(line_in rounds.c 'in the loop') in main: norm("; }
case_ "what runs before gets nothing of a loop" in_the_loop

# What rank 0 writes and others read comes there by the message; and memory that the line calls *n has that name.
cat >ranks.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int me;
__attribute__((noinline)) static int my_rank(void)
{
    return me;
}
__attribute__((noinline)) static double *share(int *n, const double *mine)
{
    int number;
    if (my_rank() == 0)
        number = *n;
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (my_rank() != 0)
        *n = number;
    double *all = calloc(*n, sizeof *all);
    for (int i = 0; i < *n && my_rank() == 0; i++)
        all[i] = mine[i];
    MPI_Bcast(all, *n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return all;
}
int main(int argc, char **argv)
{
    int n = 0;
    double mine[100] = {argc};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0)
        scanf("%d", &n);
    double *all = share(&n, mine);
    free(all);
    MPI_Finalize();
    return 0;
}
END
link ranks -O1
by_message() {
    at=$(line_in ranks.c 'MPI_Bcast(&number')
    chain ranks.c 'number = *n;' | grep -F "it writes number, which is read by ranks.c:$at in share: MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD); what it brings is in number, which is read by ranks.c:$((at + 2)) in"
}
pointed() { chain ranks.c '*n = number;' | grep -F "it writes *n, which may be read by"; }
case_ "what a rank writes and others read" by_message
case_ "memory that a pointer means" pointed

# What a line gets of an element by a function that is put in line is not what it writes.
cat >fetched.cc <<'END'
#include <mpi.h>
#include <cstdlib>
inline int add_to(int *at, int n)
{
    int was = *at;
    *at += n;
    return was;
}
struct boxes {
    int *count, *list;
    void add(int box, int i)
    {
        int was;
        was = add_to(count + box, 1);
        list[was + i] = i;
    }
};
int main(int argc, char **argv)
{
    boxes b;
    int n = argc + 5;
    MPI_Init(&argc, &argv);
    b.count = (int *)calloc(n, sizeof *b.count);
    b.list = (int *)calloc(10 * n, sizeof *b.list);
    for (int i = 0; i < 5; i++)
        b.add(i * argc % 3, i);
    for (int i = 0; i < n; i++)
        if (b.count[i] > 2)
            MPI_Barrier(MPI_COMM_WORLD);
    if (b.list[argc] > 2)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
commslice-mpicxx -g -O1 -o fetched fetched.cc 2>log || { cat log; die "fetched.cc does not link"; }
fetched() {
    commslice why fetched "fetched.cc:$(line_in fetched.cc 'b.add(')" | tr -s ' \n' ' ' >why
    cat why
    grep -F 'was = add_to(count + box, 1);' why >/dev/null && ! grep -F 'writes was' why
}
case_ "what a line fetches" fetched

# A column of a block that a loop fills is read where an element of it is, and not where another one is.
cat >block.f90 <<'END'
subroutine solve(d, v)
  implicit none
  double precision :: d(5, 5), v(5), t(5, 5)
  integer :: m
  do m = 1, 5
    t(m, 1) = d(m, 1)
    t(m, 4) = d(m, 4) * 2
  end do
  v(1) = v(1) / t(1, 1)
  v(2) = v(2) - t(2, 4) * 3
end subroutine
program block
  use mpi
  implicit none
  double precision :: d(5, 5), v(5)
  integer :: err, i
  call mpi_init(err)
  do i = 1, 5
    d(:, i) = i + err
    v(i) = i - err
  end do
  call solve(d, v)
  if (v(1) > 2) call mpi_barrier(mpi_comm_world, err)
  if (v(2) > 2) call mpi_barrier(mpi_comm_world, err)
  call mpi_finalize(err)
end program
END
link_f block -O1 -fno-inline
column() {
    commslice why block "block.f90:$(line_in block.f90 't(m, 4) =')" | tr -s ' \n' ' ' |
        grep -F "it writes t, which may be read by block.f90:$(line_in block.f90 'v(2) = v(2)') in"
}
case_ "a column of a block" column

# What is unpacked into the halo of a field of three dimensions is read by who reads the halo, and not by who reads the
# inside, though each function has its bounds and its strides from its own arguments.
cat >halo.f90 <<'END'
module grids
  implicit none
  type tile_t
    integer :: xmin, xmax, ymin, ymax, zmin, zmax
    double precision, allocatable :: p(:, :, :), q(:, :, :)
  end type
  type(tile_t), allocatable :: tiles(:)
  double precision, allocatable :: buf(:)
contains
  subroutine inside(xmin, xmax, ymin, ymax, zmin, zmax, p, s)
    integer :: xmin, xmax, ymin, ymax, zmin, zmax, j, k, l
    double precision :: p(xmin - 2:xmax + 2, ymin - 2:ymax + 2, zmin - 2:zmax + 2), s
    s = 0
    do l = zmin, zmax
      do k = ymin, ymax
        do j = xmin, xmax
          s = s + p(j, k, l)
        end do
      end do
    end do
  end subroutine
  subroutine edges(xmin, xmax, ymin, ymax, zmin, zmax, p, q)
    integer :: xmin, xmax, ymin, ymax, zmin, zmax, j, k, l
    double precision, dimension(xmin - 2:xmax + 2, ymin - 2:ymax + 2, zmin - 2:zmax + 2) :: p, q
    do l = zmin, zmax
      do k = ymin, ymax
        do j = xmin, xmax
          q(j, k, l) = p(j, k - 1, l)
        end do
      end do
    end do
  end subroutine
  subroutine unpack_low(xmin, xmax, ymin, zmin, zmax, field, from, depth)
    integer :: xmin, xmax, ymin, zmin, zmax, depth, j, k, l
    double precision :: field(-1:, -1:, -1:), from(:)
    do l = zmin - depth, zmax + depth
      do k = 1, depth
        do j = xmin - depth, xmax + depth
          field(j, ymin - k, l) = from(j + depth + (k - 1) * (xmax + 2 * depth))
        end do
      end do
    end do
  end subroutine
end module
program halo
  use mpi
  use grids
  implicit none
  integer :: err, t, rank, n
  double precision :: s
  call mpi_init(err)
  call mpi_comm_rank(mpi_comm_world, rank, err)
  read (*, *) n
  allocate (tiles(2), buf(100 * n))
  do t = 1, 2
    tiles(t)%xmin = 1
    tiles(t)%xmax = n
    tiles(t)%ymin = 1
    tiles(t)%ymax = n / 2
    tiles(t)%zmin = 1
    tiles(t)%zmax = n / 3
    allocate (tiles(t)%p(tiles(t)%xmin - 2:tiles(t)%xmax + 2, tiles(t)%ymin - 2:tiles(t)%ymax + 2, &
                         tiles(t)%zmin - 2:tiles(t)%zmax + 2))
    allocate (tiles(t)%q(tiles(t)%xmin - 2:tiles(t)%xmax + 2, tiles(t)%ymin - 2:tiles(t)%ymax + 2, &
                         tiles(t)%zmin - 2:tiles(t)%zmax + 2))
    tiles(t)%p = rank
    tiles(t)%q = rank
  end do
  do t = 1, 2
    call mpi_recv(buf, 2 * (n + 4), mpi_double_precision, 1 - rank, 1, mpi_comm_world, mpi_status_ignore, err)
    call unpack_low(tiles(t)%xmin, tiles(t)%xmax, tiles(t)%ymin, tiles(t)%zmin, tiles(t)%zmax, tiles(t)%p, buf, 2)
    call edges(tiles(t)%xmin, tiles(t)%xmax, tiles(t)%ymin, tiles(t)%ymax, tiles(t)%zmin, tiles(t)%zmax, tiles(t)%p, &
               tiles(t)%q)
    call inside(tiles(t)%xmin, tiles(t)%xmax, tiles(t)%ymin, tiles(t)%ymax, tiles(t)%zmin, tiles(t)%zmax, tiles(t)%q, s)
    if (s > 3) call mpi_barrier(mpi_comm_world, err)
    call inside(tiles(t)%xmin, tiles(t)%xmax, tiles(t)%ymin, tiles(t)%ymax, tiles(t)%zmin, tiles(t)%zmax, tiles(t)%p, s)
    if (s > 2) call mpi_barrier(mpi_comm_world, err)
  end do
  call mpi_finalize(err)
end program
END
link_f halo -O2 -fno-inline
halo() {
    commslice why halo "halo.f90:$(line_in halo.f90 'field(j, ymin - k, l) =')" | tr -s ' \n' ' ' |
        grep -E 'inside halo.f90:[0-9]+ in MAIN_: call edges'
}
case_ "halo of three dimensions" halo

# Two functions receive into one buffer and read it, one of them in many lines: what is sent to the other one is read
# there.
cat >shared.c <<'END'
#include <mpi.h>
#include <stdlib.h>
double *out, *in, *r, *u;
int n, up, down;
__attribute__((noinline)) static void both_rows(double *g)
{
    MPI_Recv(in, 10 * n, MPI_DOUBLE, up, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int j = 0; j < n; j++) {
        g[0 * n + 0 + 5 * j] = in[0 * n + 0 + 5 * j];
        g[0 * n + 1 + 5 * j] = in[0 * n + 1 + 5 * j];
        g[0 * n + 2 + 5 * j] = in[0 * n + 2 + 5 * j];
        g[0 * n + 3 + 5 * j] = in[0 * n + 3 + 5 * j];
        g[0 * n + 4 + 5 * j] = in[0 * n + 4 + 5 * j];
        g[5 * n + 0 + 5 * j] = in[5 * n + 0 + 5 * j];
        g[5 * n + 1 + 5 * j] = in[5 * n + 1 + 5 * j];
        g[5 * n + 2 + 5 * j] = in[5 * n + 2 + 5 * j];
        g[5 * n + 3 + 5 * j] = in[5 * n + 3 + 5 * j];
        g[5 * n + 4 + 5 * j] = in[5 * n + 4 + 5 * j];
    }
    for (int j = 0; j < n; j++) {
        out[0 * n + 0 + 5 * j] = g[0 * n + 0 + 5 * (j + 1)];
        out[0 * n + 1 + 5 * j] = g[0 * n + 1 + 5 * (j + 1)];
        out[0 * n + 2 + 5 * j] = g[0 * n + 2 + 5 * (j + 1)];
        out[0 * n + 3 + 5 * j] = g[0 * n + 3 + 5 * (j + 1)];
        out[0 * n + 4 + 5 * j] = g[0 * n + 4 + 5 * (j + 1)];
        out[5 * n + 0 + 5 * j] = g[5 * n + 0 + 5 * (j + 1)];
        out[5 * n + 1 + 5 * j] = g[5 * n + 1 + 5 * (j + 1)];
        out[5 * n + 2 + 5 * j] = g[5 * n + 2 + 5 * (j + 1)];
        out[5 * n + 3 + 5 * j] = g[5 * n + 3 + 5 * (j + 1)];
        out[5 * n + 4 + 5 * j] = g[5 * n + 4 + 5 * (j + 1)];
    }
    MPI_Send(out, 10 * n, MPI_DOUBLE, down, 3, MPI_COMM_WORLD);
}
__attribute__((noinline)) static void one_row(double *g)
{
    MPI_Recv(in, 5 * n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int j = 0; j < n; j++) {
        g[0 + 5 * j] = in[0 + 5 * j];
        g[1 + 5 * j] = in[1 + 5 * j];
        g[2 + 5 * j] = in[2 + 5 * j];
        g[3 + 5 * j] = in[3 + 5 * j];
        g[4 + 5 * j] = in[4 + 5 * j];
    }
    for (int j = 0; j < n; j++) {
        out[0 + 5 * j] = g[0 + 5 * (j + 7)];
        out[1 + 5 * j] = g[1 + 5 * (j + 7)];
        out[2 + 5 * j] = g[2 + 5 * (j + 7)];
        out[3 + 5 * j] = g[3 + 5 * (j + 7)];
        out[4 + 5 * j] = g[4 + 5 * (j + 7)];
    }
    MPI_Send(out, 5 * n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    n = argc + 9;
    up = argc - 2;
    down = argc;
    out = malloc(10 * n * sizeof *out);
    in = malloc(10 * n * sizeof *in);
    r = calloc(20 * n, sizeof *r);
    u = calloc(20 * n, sizeof *u);
    for (int t = 0; t < argc; t++) {
        double sum = 0;
        one_row(r);
        for (int i = 0; i < 20 * n; i++)
            u[i] += r[i];
        both_rows(u);
        for (int i = 0; i < 20 * n; i++)
            sum += u[i];
        if (sum > 5)
            MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 20 * n; i++)
            r[i] = u[i] * 2;
    }
    MPI_Finalize();
}
END
link shared -O2
shared() {
    chain shared.c 'out[1 + 5 * j] =' >why
    cat why
    grep -F 'what it brings' why | grep -F "in one_row: g[" >/dev/null && ! grep -F 'in both_rows' why
}
case_ "a buffer of two functions" shared

# What sscanf() stores where is told by its format: a member beside it is not written.
cat >scanned.c <<'END'
#include <mpi.h>
#include <stdio.h>
struct body {
    double mass;
    int size;
};
__attribute__((noinline)) static void read_body(struct body *b, const char *line)
{
    int n;
    sscanf(line, "%d %lg", &n, &b->mass);
}
__attribute__((noinline)) static double half(const struct body *b, int more)
{
    double h = b->mass * 0.5;
    for (int i = 0; i < more; i++)
        h = h * h + i;
    return h;
}
__attribute__((noinline)) static double weigh(const struct body *b)
{
    return half(b, 3) + half(b, b->size);
}
__attribute__((noinline)) static void meet(const struct body *b)
{
    for (int i = 0; i < b->size; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    struct body b = {argc, argc};
    MPI_Init(&argc, &argv);
    read_body(&b, argv[0]);
    meet(&b);
    if (weigh(&b) > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link scanned -O1
scanned() {
    commslice why --all scanned "scanned.c:$(line_in scanned.c 'sscanf(line')" | tr -s ' \n' ' ' >why
    grep -F "it writes b, which may be read at scanned.c:$(line_in scanned.c 'b->mass * 0.5'), inside" why && ! grep -F 'i < b->size' why
}
case_ "what a format says" scanned

# What other ranks send is put behind a rank's own elements: it is read by a list of neighbours, and not by the number by
# which a function stores.
cat >ghosts.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct mesh {
    int n, *list, *left;
    double *a, *q, *out, *in;
} mesh;
__attribute__((noinline)) static void exchange(struct mesh *m, int to, int from, int count)
{
    for (int i = 0; i < count; i++)
        m->out[i] = m->q[i];
    MPI_Sendrecv(m->out, count, MPI_DOUBLE, to, 0, m->in, count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        m->a[m->n + i] = m->in[i];
}
__attribute__((noinline)) static void compute(struct mesh *m)
{
    for (int i = 0; i < m->n; i++) {
        int e = m->list[i];
        double side = m->a[m->left[e]] + 3;
        side = side * side;
        side = side < 8 ? 1 / side : side;
        m->q[e] = side * side +
                  m->a[e];
    }
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mesh.n = 100 * argc;
    mesh.list = calloc(mesh.n, sizeof(int));
    mesh.left = calloc(mesh.n, sizeof(int));
    mesh.a = calloc(2 * mesh.n, sizeof(double));
    mesh.q = calloc(mesh.n, sizeof(double));
    mesh.out = calloc(mesh.n, sizeof(double));
    mesh.in = calloc(mesh.n, sizeof(double));
    for (int i = 0; i < mesh.n; i++) {
        mesh.list[i] = mesh.n - 1 - i;
        mesh.left[i] = rank + i;
    }
    do {
        exchange(&mesh, (rank + 1) % size, (rank + size - 1) % size, 9 * argc);
        compute(&mesh);
    } while (mesh.q[argc] < 100);
    MPI_Finalize();
    return 0;
}
END
link ghosts -O1
ghosts() { chain ghosts.c '] = m->in[i]' | grep -E "may be read(, or overwritten before,)? by ghosts.c:$(line_in ghosts.c 'm->left[e]]') in"; }
case_ "elements behind a rank's own" ghosts

# An array that is allocated in a module is read by its descriptor, and written by a subroutine that is given its sizes:
# both count from the same element, and rows that are read are told from those of the halo.
cat >halo.f90 <<'END'
module fields
  implicit none
  integer :: n1, n2, n3, jfirst, jlast
  double precision, allocatable :: u(:,:,:,:), row(:,:)
contains
  subroutine choose(n)
    integer, intent(in) :: n
    n1 = n + 9
    if (n > 3) n1 = n1 + 1
    n2 = n + 7
    n3 = 5
  end subroutine
  subroutine make
    allocate(u(5,-1:n1+2,-1:n2+2,n3), row(5,2*n1*n3))
    u = n1
  end subroutine
end module

subroutine fetch(g)
  use fields
  use mpi
  implicit none
  double precision :: g(5,-1:n1+2,-1:n2+2,n3)
  integer :: i, k, ierror
  call MPI_Bcast(row, 10*n1*n3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  do k = 1, n3
    do i = 1, n1
      g(1,i,0,k) = row(1,(k-1)*n1+i)
    end do
  end do
end subroutine

double precision function weigh()
  use fields
  implicit none
  integer :: i, j, k, m
  double precision :: beside, sum
  sum = 0
  beside = 0
  do k = 1, n3
    do j = jfirst, jlast
      do i = 1, n1
        do m = 1, 5
          beside = beside + u(m,i,j-1,k)
        end do
      end do
    end do
  end do
  beside = beside * beside + 3
  if (beside < 9) beside = 1 / beside
  do k = 2, n3 - 2
    do j = jfirst, jlast
      do i = 1, n1
        do m = 1, 5
          sum = sum + u(m,i,j,k+2)
        end do
      end do
    end do
  end do
  weigh = sum + beside * beside
end function

program halo
  use fields
  use mpi
  implicit none
  double precision, external :: weigh
  integer :: ierror
  call MPI_Init(ierror)
  call choose(command_argument_count() + 2)
  call make
  jfirst = 1
  if (n1 > 99) jfirst = 2
  jlast = n2
  do
    call fetch(u)
    if (weigh() > 5) exit
  end do
  call MPI_Finalize(ierror)
end program
END
link_f halo -O1
halo() {
    commslice why halo "halo.f90:$(line_in halo.f90 'g(1,i,0,k) = row')" | tr -s ' \n' ' ' |
        grep -F "by halo.f90:$(line_in halo.f90 'beside + u(m,i,j-1,k)') in weigh"
}
case_ "an array of a module that is given with its sizes" halo

# A loop goes through the rows of an array four at a time, and one behind it through the rest: that one does not write
# again what the first one wrote.
cat >rest.f90 <<'END'
module rows
  implicit none
contains
subroutine weigh(z, r, n, m)
  integer, intent(in) :: n, m
  double precision, intent(in) :: r(n, m)
  double precision, intent(out) :: z(n, m)
  integer :: ko, ki, k, j, most, first, last
  most = m - mod(m, 8)
  do ko = 1, most, 4
    do j = 1, n
      do k = ko, ko + 3
        z(j, k) = 2 * r(j, k)
      end do
    end do
  end do
  do ki = most + 1, m, 4
    first = min(ki, m)
    last = min(ki + 3, m)
    do j = 1, n
      do k = first, last
        z(j, k) = 3 * r(j, k)
      end do
    end do
  end do
end subroutine
double precision function total(z, n, m)
  integer, intent(in) :: n, m
  double precision, intent(in) :: z(n, m)
  integer :: k, j
  total = 0
  do k = 1, m
    do j = 1, n
      total = total + z(j, k)
    end do
  end do
end function
end module
program rest
  use mpi
  use rows
  implicit none
  double precision, allocatable :: z(:, :), r(:, :)
  integer :: err, n
  call mpi_init(err)
  n = command_argument_count() + 9
  allocate (z(n, n), r(n, n))
  r = n
  call weigh(z, r, n, n)
  if (total(z, n, n) > 5) call mpi_barrier(mpi_comm_world, err)
  call mpi_finalize(err)
end program
END
link_f rest -O1 -fno-inline
rest() {
    for text in '2 * r(j, k)' '3 * r(j, k)'; do
        commslice why rest "rest.f90:$(line_in rest.f90 "$text")" | tr -s ' \n' ' ' >why
        cat why
        { grep -F 'which may be read' why >/dev/null && ! grep -F 'seems never' why; } || return 1
    done
}
case_ "a loop over what another one in steps leaves" rest

# A function makes memory for several that are called for it, some calls further up: what is passed to it for one of them
# is in the memory that this one gets.
cat >makers.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct domain {
    int at[3], of[3];
};
struct exchange {
    int rank[6], *cells;
};
struct forces {
    struct exchange *force_exchange;
    double cut;
} forces;
struct simulation {
    struct domain *domain;
    struct exchange *atom_exchange;
    int n;
};
__attribute__((noinline)) static struct domain *cut_up(int n)
{
    struct domain *d = malloc(sizeof *d);
    for (int i = 0; i < 3; i++) {
        d->at[i] = n % (i + 2);
        d->of[i] = i + 2;
    }
    return d;
}
__attribute__((noinline)) static int beside(const struct domain *d, int by)
{
    return (d->at[0] + by + d->of[0]) % d->of[0] + d->of[0] * d->at[1];
}
__attribute__((noinline)) static struct exchange *make_exchange(const struct domain *d)
{
    struct exchange *e = malloc(sizeof *e);
    e->rank[0] = beside(d, -1);
    e->rank[1] = beside(d, 1);
    return e;
}
__attribute__((noinline)) static struct exchange *exchange_of_atoms(const struct domain *d, int n)
{
    struct exchange *e = make_exchange(d);
    e->cells = calloc(n, sizeof *e->cells);
    return e;
}
__attribute__((noinline)) static struct exchange *exchange_of_forces(const struct domain *d, int n)
{
    struct exchange *e = make_exchange(d);
    e->cells = calloc(2 * n, sizeof *e->cells);
    return e;
}
__attribute__((noinline)) static void exchange(const struct exchange *e)
{
    double x = 3, y;
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, e->rank[0], 0, &y, 1, MPI_DOUBLE, e->rank[1], 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}
__attribute__((noinline)) static void find_forces(struct simulation *s)
{
    if (!forces.force_exchange) {
        forces.force_exchange = exchange_of_forces(s->domain, s->n);
        forces.cut = s->n;
    }
    exchange(forces.force_exchange);
}
__attribute__((noinline)) static struct simulation *start(int n)
{
    struct simulation *s = calloc(1, sizeof *s);
    s->n = n;
    s->domain = cut_up(n);
    s->atom_exchange = exchange_of_atoms(s->domain, n);
    return s;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct simulation *s = start(argc + 5);
    for (int i = 0; i < argc + 3; i++) {
        exchange(s->atom_exchange);
        find_forces(s);
    }
    MPI_Finalize();
    return 0;
}
END
link makers -O1
makers() {
    chain makers.c 's->domain = cut_up(n)' >why
    cat why
    grep -F "by the call of exchange_of_forces at makers.c:$(line_in makers.c 'exchange_of_forces(s->domain')," why >/dev/null &&
        grep -F "allocated at makers.c:$(line_in makers.c 'exchange_of_forces(s->domain') as force_exchange" why >/dev/null
}
case_ "for whom memory is made, some calls up" makers

# Updates in place of two rows, and of all rows: who asks what is done to all of them hears of the one that does it.
cat >all_rows.f90 <<'END'
module field
  implicit none
  double precision, allocatable :: u(:, :, :), f(:, :, :)
  integer :: n
contains
subroutine change(u, f, n, edge)
  integer, intent(in) :: n
  logical, intent(in) :: edge
  double precision, intent(in) :: u(n, n, n)
  double precision, intent(inout) :: f(n, n, n)
  integer :: i, j, k
  do k = 1, n
    do j = 1, n
      do i = 1, n
        f(i, j, k) = f(i, j, k) - u(i, j, k) * u(j, i, k)
      end do
    end do
    if (edge) then
      do i = 1, n
        f(i, 2, k) = f(i, 2, k) - 3 * u(i, 2, k)
      end do
    end if
    do j = 3, n - 2
      do i = 1, n
        f(i, j, k) = f(i, j, k) + u(i, j - 2, k) * u(1, i, k)
      end do
    end do
    if (edge) then
      do i = 1, n
        f(i, n, k) = f(i, n, k) - 3 * u(i, n, k)
      end do
    end if
  end do
  do k = 1, n
    do j = 1, n
      do i = 1, n
        f(i, j, k) = f(i, j, k) * u(i, j, k) + u(2, i, k)
      end do
    end do
  end do
end subroutine
end module
program all_rows
  use mpi
  use field
  implicit none
  integer :: err
  call mpi_init(err)
  n = command_argument_count() + 50
  allocate (u(n, n, n), f(n, n, n))
  u = n
  f = 2 * n
  call change(u, f, n, n > 51)
  if (sum(f) > 5) call mpi_barrier(mpi_comm_world, err)
  call mpi_finalize(err)
end program
END
link_f all_rows -O1 -fno-inline
all_rows() {
    commslice why all_rows "all_rows.f90:$(line_in all_rows.f90 'u(j, i, k)')" | tr -s ' \n' ' ' >why
    cat why
    ! grep -F 'f(i, 2, k) =' why && ! grep -F 'f(i, n, k) =' why && grep -F 'u(i, j, k) + u(2, i, k)' why >/dev/null
}
case_ "updates of all rows and of some" all_rows

# Of steps inside a library only the first is shown: what is said of a call among them is not said of that one.
cat >inner.cc <<'END'
#include <mpi.h>
#include <vector>
class domain
{
public:
    domain(int n) : time(n), cells(n) { x.resize(n); }
    void widen(int n) { x.resize(n); y.resize(2 * n); }
    std::vector<double> x, y;
    int time, cells;
};
__attribute__((noinline)) static domain *make(int n) { return new domain(n); }
__attribute__((noinline)) static void step(domain &d)
{
    double most = 0, all;
    for (unsigned i = 0; i < d.x.size(); i++)
        most = d.x[i] > most ? d.x[i] : most;
    MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    d.time += all > 3 ? 2 : 1;
    d.widen(d.cells + d.time);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    domain *d = make(argc + 3);
    while (d->time < 20 && d->y.size() < 90)
        step(*d);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicxx -g -O1 -o inner inner.cc 2>log || { cat log; die "inner.cc does not link"; }
inner() {
    for line in $(seq 500 900); do
        commslice why inner "vector.tcc:$line"
    done 2>/dev/null | grep 'inside the library' >why
    cat why
    grep -F 'a call' why >/dev/null && ! grep -F 'this call' why
}
case_ "a call among steps inside a library" inner

# gfortran calls once what a line calls twice, and names that itself.
cat >limit.f90 <<'END'
subroutine limit(x, y, a, n, total)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: x(n), y(n), a
  double precision, intent(out) :: total(n)
  double precision :: limiter, up, down, third
  integer :: i
  third = a * a
  do i = 2, n - 1
    up = x(i) - x(i-1)
    down = x(i+1) - x(i)
    if (up * down > 0) then
      limiter = (1 - a) * sign(1d0, down) * min(abs(up), abs(down), third * (a * abs(up) + y(i) * abs(down)))
    else
      limiter = 0
    end if
    total(i) = x(i) * (y(i) + limiter)
  end do
end subroutine
subroutine meet
  use mpi
  integer :: err
  call mpi_barrier(mpi_comm_world, err)
end subroutine
program limits
  use mpi
  implicit none
  integer :: err, i
  double precision :: x(50), y(50), total(50)
  call mpi_init(err)
  do i = 1, 50
    x(i) = i * command_argument_count()
    y(i) = i - command_argument_count()
  end do
  call limit(x, y, x(3), 50, total)
  if (total(20) > 3) call meet
  call mpi_finalize(err)
end program
END
link_f limit -O2 -fno-inline
limiter() {
    commslice why limit "limit.f90:$(line_in limit.f90 'limiter = (1')" --all | tr -s ' \n' ' ' >why
    cat why
    ! grep -F __var why && grep -F 'limiter,' why >/dev/null
}
case_ "what gfortran computes once" limiter

finish
