/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_unlike_turns
 * about: loops whose turns look alike and are not: what is carried from turn to turn is a variable, an element,
 * about: memory behind a pointer, a static variable of a function, a request, two buffers that change places
 * args: 40
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double field[64], limit[1] = {1};
static int count = 1, table[4] = {1, 2, 3, 4};
static struct {
    int now, next;
} state = {1, 2};

static void send_some(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int next_count(void)
{
    static int calls;
    calls = calls % 5 + 1;
    return calls;
}

static void add(int *to, int by)
{
    *to = (*to + by) % 7;
}

static void by_memory(int n)
{
    int own = 0;
    for (int i = 0; i < n; i++) {
        send_some(count);
        count = (count + 2) % 9;
    }
    for (int i = 0; i < n; i++) {
        add(&own, 3);
        send_some(own);
    }
    for (int i = 0; i < n; i++)
        send_some(next_count());
    for (int i = 0; i < n; i++) {
        send_some(table[i & 3]);
        if (table[i & 3] < 5 + (i & 3)) /* in the end nothing changes */
            table[i & 3]++;
    }
    for (int i = 0; i < n; i++) {
        int was = state.now;
        state.now = state.next;
        state.next = was;
        send_some(state.now);
    }
}

/* The first turn is another one: it is the last that sets what the next one reads. */
static void by_first(int n)
{
    int first = 1, last = 9;
    for (int i = 0; i < n; i++) {
        send_some(first ? 5 : 6);
        first = 0;
    }
    for (int i = 0; i < n; i++) {
        send_some(last);
        last = 2;
    }
    for (int i = 0; i < n; i++)
        if (i % 3 == 0)
            send_some(11);
    for (int i = 0; i < n; i++) {
        send_some(12);
        if (limit[0] < i - 3)
            break;
    }
}

/* Each turn waits for what the one before began. */
static void by_request(int n, int rank)
{
    MPI_Request open = MPI_REQUEST_NULL, none = MPI_REQUEST_NULL;
    int self[2] = {rank, 0};
    for (int i = 0; i < n; i++) {
        MPI_Wait(&open, MPI_STATUS_IGNORE);
        MPI_Isend(self, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &open);
        MPI_Recv(self + 1, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&open, MPI_STATUS_IGNORE);
    MPI_Wait(&none, MPI_STATUS_IGNORE);
}

static void by_pointer(int n)
{
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *a = 3;
    *b = 8;
    for (int i = 0; i < n; i++) {
        int *c = a;
        a = b;
        b = c;
        send_some(*a);
    }
    for (int i = 0; i < n; i++) {
        send_some(*a);
        *b = *a + 1;
        *a = *b;
    }
    free(a);
    free(b);
}

/* A counter that is looked at by its address, one that also moves in the loop, and one that is too small. */
static void by_counter(int n)
{
    int i, k = 0;
    int *look = n > 100 ? &k : &i;
    unsigned char u;
    for (i = 0; i < n; i++)
        send_some(*look);
    for (i = 0; i < n; i++) {
        send_some(4);
        if (count > 3 && i == 2)
            i++;
    }
    for (u = 200; u > 20; u += 9)
        send_some(13);
}

int main(int argc, char **argv)
{
    int rank, n = 6;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1)
        sscanf(argv[1], "%d", &n);
    by_memory(n);
    by_first(n);
    by_request(n, rank);
    by_pointer(n);
    by_counter(n);
    MPI_Finalize();
    return 0;
}
