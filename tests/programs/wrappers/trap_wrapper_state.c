/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_wrapper_state
 * about: what calls of a wrapper share: a counter that is the tag, what an earlier call received, a pointer to it,
 * about: requests that one wrapper begins and another ends, and a wrapper that calls itself
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static MPI_Request open_request;

/* The tag counts the calls of all callers; the result is what the call before this one received. */
static int ring(const int *out, int *in)
{
    static int calls, kept = 1;
    int before = kept;
    MPI_Sendrecv(out, 1, MPI_INT, (rank + 1) % size, calls, in, 1, MPI_INT, (rank + size - 1) % size, calls,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    calls++;
    kept = *in;
    return before;
}

static void begin(int *buf, int n, int tag)
{
    if (rank == 0)
        MPI_Isend(buf, n, MPI_INT, 1, tag, MPI_COMM_WORLD, &open_request);
    if (rank == 1)
        MPI_Irecv(buf, n, MPI_INT, 0, tag, MPI_COMM_WORLD, &open_request);
}

static void end(int *buf)
{
    if (rank < 2)
        MPI_Wait(&open_request, MPI_STATUS_IGNORE);
    buf[1] = buf[0] + 1;
}

/* Sends n, n - 1, ... */
static void countdown(int *buf, int n)
{
    buf[0] = n;
    MPI_Bcast(buf, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (buf[0] > 1)
        countdown(buf, buf[0] - 1);
}

/* Ends the loop of whoever calls it by what it brings. */
static int more(int *left)
{
    int mine = *left;
    MPI_Allreduce(&mine, left, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return --*left > 0;
}

int main(int argc, char **argv)
{
    int a = argc + 1, b = 0, c = 0, pair[2] = {0, 0}, deep[1], n = 0;
    int (*volatile by_pointer)(const int *, int *) = ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring(&a, &b);
    a = b + 2;
    by_pointer(&a, &c);
    for (int i = ring(&c, &b); i > 0; i--) /* what the call by pointer received */
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        pair[0] = b + 1;
    begin(pair, 1, 7);
    end(pair);
    for (int i = 0; rank < 2 && i < pair[1]; i++) {
        begin(deep, 0, 8);
        end(pair);
        n++;
    }
    countdown(deep, 4);
    countdown(deep, b);
    int left = deep[0] + 3, again = rank == size - 1 ? 4 : 2;
    while (more(&left))
        n++;
    while (more(&again))
        ring(&n, &b);
    printf("rank %d: %d %d %d\n", rank, b, c, n);
    MPI_Finalize();
    return 0;
}
