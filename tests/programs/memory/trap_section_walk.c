/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_section_walk
 * about: variables of a section that no code names, only found between its beginning and its end, in GCC's order;
 * about: one is static and marked as used, the others can be named by other objects
 * ranks: 2 3
 * gone: heat
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

struct module { const char *name; int (*count)(int); };

static int few(int k)
{
    return 3 + k % 2;
}

static int many(int k)
{
    return 40 + k;
}

#define MODULE __attribute__((section("modules"), aligned(8)))

MODULE const struct module first = { "abc", few };
static MODULE __attribute__((used)) const struct module second = { "de", many };
MODULE const struct module third = { "k", few };
extern const struct module __start_modules[], __stop_modules[];

int main(int argc, char **argv)
{
    int sum = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    for (const struct module *m = __start_modules; m < __stop_modules; m++) {
        sum = 2 * sum % 50 + m->count(sum);
        send(sum + m->name[0] - 'a');
    }
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
