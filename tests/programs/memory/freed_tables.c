/* commslice-test: freed_tables
 * about: tables that decide message sizes are made and freed in every step, in three ways: the slice frees them, too,
 * about: and needs no more memory than one step; a field that decides nothing is dropped
 * ranks: 2 3
 * gone: relax
 * array: field 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 40, TABLE = 256 * 1024, FIELD = 8 * 1024 * 1024 };

struct node {
    struct node *next;
    int len;
    char room[64 * 1024];
};

static void *must(size_t n)
{
    void *p = calloc(n, 1);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static void release(int **p)
{
    if (*p != NULL) {
        free(*p);
        *p = NULL;
    }
}

static void relax(double *field, int step)
{
    for (int i = 1; i < FIELD; i++)
        field[i] = field[i - 1] * 0.5 + step;
}

/* A table of 1 MB, of which one entry is a count. */
static int from_table(int step, int rank)
{
    int *table = must(TABLE * sizeof *table);
    for (int i = 0; i < TABLE; i++)
        table[i] = (i + step) % 11;
    int n = table[rank + 7 * step] + 1;
    release(&table);
    return n;
}

/* A list of sixteen nodes, each with a length that depends on the one before. */
static int from_list(int step)
{
    struct node *head = NULL;
    int n = 0;
    for (int i = 0; i < 16; i++) {
        struct node *fresh = must(sizeof *fresh);
        fresh->next = head;
        fresh->len = (head ? head->len : step) % 5 + 1;
        head = fresh;
    }
    while (head) {
        struct node *next = head->next;
        n += head->len;
        free(head);
        head = next;
    }
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *field = must(FIELD * sizeof *field);
    for (int step = 0; step < STEPS; step++) {
        int n = from_table(step, 1), m = from_list(step);
        if (step % 20 == 0)
            relax(field, step);
        double *out = must(n * m * sizeof *out), *in = must(n * m * sizeof *in);
        for (int i = 0; i < n * m; i++)
            out[i] = field[i];
        MPI_Sendrecv(out, n * m, MPI_DOUBLE, (rank + 1) % size, 0, in, n * m, MPI_DOUBLE, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in[0] > 0;
        free(out);
        free(in);
    }
    printf("%d: %d\n", rank, sum);
    free(field);
    MPI_Finalize();
    return 0;
}
