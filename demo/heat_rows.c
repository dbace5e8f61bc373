/* SPDX-License-Identifier: BSD-3-Clause
 * A demo: heat spreads over a plate of N by N points in blocks of rows. Rank 0 hands the rows out, in each step ranks
 * exchange their borders, and rank 0 collects. usage: heat_rows N STEPS [SHARES]
 * SHARES is a file with the rows of each rank, as commslice shares --shares writes it; without it blocks are equal. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rank's rows, with one above and one below. */
struct block {
    int n, rows;
    int *share;         /* rows of each rank */
    double *now, *next; /* (rows + 2) x (n + 2) */
};

static int me, ranks;

/* Rows of each rank, from lines that do not begin with #; 0, or -1. */
static int read_shares(const char *file, int *share, int n)
{
    char line[64];
    int got = 0, sum = 0;
    FILE *f = fopen(file, "r");
    while (f && got < ranks && fgets(line, sizeof line, f))
        if (line[0] != '#')
            sum += share[got++] = atoi(line);
    return f && fclose(f) == 0 && got == ranks && sum == n ? 0 : -1;
}

static void cut(struct block *b, const char *file)
{
    b->share = calloc((size_t)ranks, sizeof *b->share);
    for (int r = 0; r < ranks; r++)
        b->share[r] = b->n / ranks + (r < b->n % ranks);
    if (me == 0 && file && read_shares(file, b->share, b->n)) {
        fprintf(stderr, "%s: not %d shares of %d rows\n", file, ranks, b->n);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Bcast(b->share, ranks, MPI_INT, 0, MPI_COMM_WORLD);
    b->rows = b->share[me];
    b->now = calloc((size_t)(b->rows + 2) * (b->n + 2), sizeof(double));
    b->next = calloc((size_t)(b->rows + 2) * (b->n + 2), sizeof(double));
}

/* Rank 0 makes the rows: the plate is hot in its middle. */
static void hand_out(struct block *b)
{
    int width = b->n + 2;
    double *row = calloc((size_t)width, sizeof *row);
    for (int r = 0, at = 0; r < ranks; at += b->share[r++])
        for (int i = 1; i <= b->share[r]; i++) {
            if (me == 0)
                for (int j = 1; j <= b->n; j++)
                    row[j] = abs(2 * (at + i) - b->n) + abs(2 * j - b->n) < b->n / 2 ? 100 : 0;
            if (me == 0 && r == 0)
                memcpy(b->now + i * width, row, (size_t)width * sizeof *row);
            else if (me == 0)
                MPI_Send(row, width, MPI_DOUBLE, r, 1, MPI_COMM_WORLD);
            else if (me == r)
                MPI_Recv(b->now + i * width, width, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    free(row);
}

static void exchange_borders(struct block *b)
{
    int width = b->n + 2, up = me ? me - 1 : MPI_PROC_NULL, down = me + 1 < ranks ? me + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(b->now + width, width, MPI_DOUBLE, up, 2, b->now + (b->rows + 1) * width, width, MPI_DOUBLE, down, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(b->now + b->rows * width, width, MPI_DOUBLE, down, 3, b->now, width, MPI_DOUBLE, up, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void relax(struct block *b)
{
    int width = b->n + 2;
    double *t = b->now;
    for (int i = 1; i <= b->rows; i++)
        for (int j = i * width + 1; j <= i * width + b->n; j++)
            b->next[j] = 0.25 * (t[j - 1] + t[j + 1] + t[j - width] + t[j + width]);
    b->now = b->next;
    b->next = t;
}

static double sum_of(const double *row, int n)
{
    double sum = 0;
    for (int j = 1; j <= n; j++)
        sum += row[j];
    return sum;
}

/* The sum of all points, on rank 0. */
static double collect(const struct block *b)
{
    int width = b->n + 2;
    double *row = calloc((size_t)width, sizeof *row), sum = 0;
    for (int r = 0; r < ranks; r++)
        for (int i = 1; i <= b->share[r]; i++) {
            if (me == r && r > 0)
                MPI_Send(b->now + i * width, width, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
            if (me == 0 && r > 0)
                MPI_Recv(row, width, MPI_DOUBLE, r, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (me == 0)
                sum += sum_of(r ? row : b->now + i * width, b->n);
        }
    free(row);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct block b = {.n = argc > 1 ? atoi(argv[1]) : 256};
    int steps = argc > 2 ? atoi(argv[2]) : 20;
    cut(&b, argc > 3 ? argv[3] : NULL);
    hand_out(&b);
    for (int s = 0; s < steps; s++) {
        exchange_borders(&b);
        relax(&b);
    }
    double sum = collect(&b);
    if (me == 0)
        printf("sum %.6f\n", sum);
    MPI_Finalize();
    return 0;
}
