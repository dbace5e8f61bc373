/* commslice-test: hidden_ptr
 * about: pointers hidden in integers: tagged pointers, an XOR list, container_of and a handle table
 * ranks: 2 3 4
 * gone: tire
 * array: ballast 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

struct cell { uintptr_t both; int count; };
struct entry { int peer; struct { int hook; } link; int tag; };

static double tire(double *b, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        b[i] = (double)(i % 43);
        s += b[i];
    }
    return s;
}

static struct entry *owner(int *hook)
{
    return (struct entry *)(void *)((char *)hook - offsetof(struct entry, link.hook));
}

static uintptr_t handles[4];

static void put(int slot, struct entry *e, int flag)
{
    handles[slot] = (uintptr_t)&e->link.hook | (uintptr_t)flag;
}

int main(int argc, char **argv)
{
    int rank, size;
    double in[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *ballast = malloc(N * sizeof *ballast), s = tire(ballast, N);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    /* an XOR list: each cell knows the XOR of its neighbours */
    struct cell *prev = NULL, *last = NULL, *cells[5];
    for (int i = 0; i < 5; i++) {
        cells[i] = malloc(sizeof *cells[i]);
        cells[i]->count = 3 + i * i;
        cells[i]->both = (uintptr_t)last;
        if (last)
            last->both ^= (uintptr_t)cells[i];
        last = cells[i];
    }
    for (struct cell *c = cells[0]; c;) {
        struct cell *next = (struct cell *)(c->both ^ (uintptr_t)prev);
        MPI_Sendrecv(ballast, c->count, MPI_DOUBLE, right, 1, in, c->count, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        prev = c;
        c = next;
    }

    /* low bits carry a flag, the rest a pointer into the middle of a struct */
    struct entry e[4];
    for (int i = 0; i < 4; i++) {
        e[i].peer = (rank + i) % size;
        e[i].tag = 10 + i;
        put(3 - i, &e[i], i & 1);
    }
    for (int i = 0; i < 4; i++) {
        struct entry *t = owner((int *)(handles[i] & ~(uintptr_t)1));
        t->tag += 100;
    }
    for (int i = 0; i < 4; i++)
        if (handles[3 - i] & 1)
            MPI_Sendrecv(ballast, 4, MPI_DOUBLE, e[i].peer, e[i].tag, in, 4, MPI_DOUBLE, (rank + 4 * size - i) % size,
                         e[i].tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: tag %d, %g\n", rank, e[3].tag, s);
    for (int i = 0; i < 5; i++)
        free(cells[i]);
    free(ballast);
    MPI_Finalize();
    return 0;
}
