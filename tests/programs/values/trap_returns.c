/* commslice-test: trap_returns
 * about: results by struct, complex and vector, unprototyped calls, computed goto, thread-local and weak symbols, ifunc
 * about: give counts
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int v4 __attribute__((vector_size(16)));
struct small { int a, b; };
struct big { int a[10]; double dead; };
struct bits { unsigned x : 3, y : 30, z : 9; } __attribute__((packed));

static double data[512];
static _Thread_local int local_count = 4;

static int twice(int x) { return 2 * x; }
static int (*choose(void))(int) { return twice; }
int by_ifunc(int) __attribute__((ifunc("choose")));
extern int missing(int) __attribute__((weak));
static int real_name(int x) { return x + 3; }
int other_name(int) __attribute__((alias("real_name")));

static struct small pair(int n) { struct small s = {n, n + 1}; return s; }
static struct big many(int n) { struct big b = {.dead = 2.5}; for (int i = 0; i < 10; i++) b.a[i] = n + i; return b; }
static double _Complex plane(int n) { return n + 2.0 * n * I; }
static v4 vector(int n) { v4 v = {n, n + 1, n + 2, n + 3}; return v; }
static int by_value(struct big b, struct small s) { return b.a[3] + s.b; }
static int count_of_this_thread(void) { return local_count; }
static int unprototyped(a, b) int a, b; { return a + b; }

static void exchange(int count, int tag)
{
    MPI_Bcast(data, count, MPI_DOUBLE, tag % 2, MPI_COMM_WORLD);
}

static int walk(int n)
{
    static const void *const to[] = {&&one, &&two, &&end};
    int sum = 0;
    goto *to[n % 3];
one: sum += 5;
two: sum += 7;
end: return sum + n;
}

static int nested(int n)
{
    int inner_sum = 0, limit[n + 2];
    for (int i = 0; i < n + 2; i++)
        limit[i] = i;
    int add(int k) { inner_sum += limit[k % (n + 2)]; return inner_sum; }
    int (*volatile f)(int) = add;
    for (int i = 0; i < n; i++)
        f(i);
    return inner_sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct bits b = {5, size * 3 + 1, 17};
    b.z += size;
    local_count += size;
    exchange(pair(size).b, 0);
    exchange(many(size).a[4], 1);
    exchange((int)cimag(plane(size)), 0);
    exchange(vector(size)[2], 1);
    exchange(by_value(many(2), pair(size)), 0);
    exchange(unprototyped(size, 4), 1);
    exchange(walk(size), 0);
    exchange(nested(size), 1);
    exchange(by_ifunc(size) + (missing ? missing(1) : 0) + other_name(2), 0);
    exchange((int)(b.y + b.z + b.x), 1);
    exchange(count_of_this_thread(), 0);
    pair(rank);
    printf("rank %d: %d\n", rank, local_count);
    MPI_Finalize();
    return 0;
}
