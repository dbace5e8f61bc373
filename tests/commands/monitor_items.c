/* SPDX-License-Identifier: BSD-3-Clause
 * A loop of libcommslice-balance that stops: rank 1 at the item that was given, until the file `go` is there; the
 * others wait for `go`, too, when they have done theirs. Then each item was done once. usage: monitor_items TECHNIQUE
 * ITEMS STOP [chunks]; with the last one, each chunk makes a call of MPI. */
#include <commslice-balance.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;

static void wait_for_go(void)
{
    while (access("go", F_OK))
        usleep(10000);
}

int main(int argc, char **argv)
{
    int items = atoi(argv[2]), stop = atoi(argv[3]), wrong = 0, did = 0;
    int *times = calloc((size_t)items, sizeof *times);
    int64_t first, count;
    struct cs_balancer *b;
    struct cs_balance_options o = {.technique = argv[1]};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (cs_balance_setup(MPI_COMM_WORLD, &o, &b) || cs_balance_start_loop(b, items))
        MPI_Abort(MPI_COMM_WORLD, 2);
    while (cs_balance_start_chunk(b, &first, &count)) {
        for (int64_t i = first; i < first + count; i++, did++) {
            times[i]++;
            usleep(1000);
            if (rank == 1 && did == stop)
                wait_for_go();
        }
        if (argc > 4)
            MPI_Bcast(times, 1, MPI_INT, 0, MPI_COMM_SELF);
        cs_balance_end_chunk(b);
    }
    cs_balance_end_loop(b, NULL);
    if (rank != 1)
        wait_for_go();
    cs_balance_finish(&b);
    MPI_Allreduce(MPI_IN_PLACE, times, items, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < items; i++)
        wrong += times[i] != 1;
    if (rank == 0)
        printf("%d items wrong\n", wrong);
    MPI_Finalize();
    return wrong != 0;
}
