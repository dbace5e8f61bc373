/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_section
 * about: variables that a section of the linker collects: written by name, found between its beginning and its end
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
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

struct entry { int (*call)(int); int number; };
static int sum;

static int one(int k)
{
    sum += k;
    return 1;
}

static int two(int k)
{
    sum += 2 * k;
    return 2;
}

static struct entry first __attribute__((section("entries"), used)) = { one, 0 };
static struct entry second __attribute__((section("entries"), used)) = { two, 0 };
extern struct entry __start_entries[], __stop_entries[];

static void all(void)
{
    first.number = size;
    second.number = size + 1;
    for (struct entry *e = __start_entries; e < __stop_entries; e++) {
        sum += e->call(e->number);
        send(e->number);
    }
    send(sum);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    all();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
