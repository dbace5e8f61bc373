/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_struct_variance
 * about: structs carry what differs between ranks, by value, as results and into a place picked by rank: ranks come to
 * about: two sites of a broadcast
 * ranks: 2 3
 * gone: heat
 */
#include <mpi.h>
#include <stdio.h>

struct pair { int a, b; };
struct large { int a[20]; };
static int rank, size, x, y, z;
static struct pair pairs[8], got[8];
static struct large larges[8];
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

/* The root says what the others get from a variable that is looked at nowhere else. */
#define MEET(differs, place, value)                                                            \
    do {                                                                                       \
        int said = value;                                                                      \
        if (differs)                                                                           \
            MPI_Bcast(&place, 1, MPI_INT, 0, MPI_COMM_WORLD);                                  \
        else {                                                                                 \
            place = value;                                                                     \
            MPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD);                                   \
        }                                                                                      \
    } while (0)

static struct pair made(void)
{
    struct pair p = { rank == 0, 1 };
    return p;
}

static struct pair picked(int k)
{
    struct pair *p = &pairs[k];
    return *p;
}

static void by_value(struct pair p)
{
    MEET(!p.a, x, 5);
}

static void by_stack(struct large l)
{
    MEET(!l.a[3], y, 7);
}

static void stored(struct pair (*f)(int))
{
    got[rank] = f(7);
    MEET(got[0].b != 9, z, 10);
}

static struct pair nine(int k)
{
    struct pair p = { k, 9 };
    return p;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    for (int i = 7; i >= 0; i--)
        pairs[i].a = larges[i].a[3] = i == 0;
    by_value(pairs[rank]);
    send(x);
    by_stack(larges[rank]);
    send(y);
    MEET(!made().a, x, 8);
    send(x);
    MEET(!picked(rank).a, y, 9);
    send(y);
    stored(nine);
    send(z);
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
