/* commslice-test: error_or_end
 * about: functions called by pointer that end the run well, leave by a jump,
 * about: or loop until they are told to stop, beside ones that fail
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
static int rank, size, seen;

static void fail(void)
{
    fputs("no\n", stderr);
    abort();
}

/* Only its way out by the jump is taken in this program. */
static void jump(void)
{
    if (seen > 1000)
        fail();
    longjmp(back, 1 + seen % 2);
}

static void finish(void)
{
    printf("%d\n", seen);
    MPI_Finalize();
    exit(0);
}

/* Takes orders until there is none; comes back by finish() alone. */
static void serve(void)
{
    for (;;) {
        int order;
        MPI_Bcast(&order, 1, MPI_INT, 0, MPI_COMM_WORLD);
        seen += order;
        if (order > 1000)
            fail();
        if (order == 0)
            finish();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void (*const steps[])(void) = {fail, jump, serve, finish};

static void (*step_of(int i))(void)
{
    return steps[i % 4];
}

int main(int argc, char **argv)
{
    int order = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    seen = size;
    int how = setjmp(back);
    if (how == 0)
        step_of(argc)();
    MPI_Send(&order, how, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Recv(&order, 4, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank) {
        step_of(argc + 1)();
        return 1;
    }
    for (order = 3; order >= 0; order--) {
        MPI_Bcast(&order, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (order)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    step_of(argc + 2)();
    return 1;
}
