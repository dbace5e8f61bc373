/* commslice-test: struct_copy
 * about: values travel in struct assignments, memcpy, by value and back; dead members ride along
 * ranks: 2 3 4
 * gone: price
 * array: table 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (8 * 1024 * 1024)

struct plan {
    double cost;                         /* dead */
    struct { int left, right; } nb;
    int count, tag;
    double coef[16];                     /* dead */
};

struct box {
    char name[8];
    struct plan now, next;
};

static double price(double *table, int n, int rank)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        table[i] = (double)(i % 19) * rank;
        s += table[i];
    }
    return s;
}

/* By value in, by value out: the caller's copy is not changed. */
static struct plan turned(struct plan p)
{
    int t = p.nb.left;
    p.nb.left = p.nb.right;
    p.nb.right = t;
    p.tag += 10;
    p.count *= 2;
    return p;
}

static void talk(const struct plan *p)
{
    double out[64] = {0}, in[64] = {0};
    out[0] = p->cost + p->coef[3];
    MPI_Sendrecv(out, p->count, MPI_DOUBLE, p->nb.right, p->tag, in, p->count, MPI_DOUBLE, p->nb.left, p->tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double *table = malloc(N * sizeof *table);
    struct plan a = {0}, b, list[3];
    struct box box;
    a.nb.left = (rank + size - 1) % size;
    a.nb.right = (rank + 1) % size;
    a.count = 3;
    a.tag = 5;
    a.cost = price(table, N, rank);
    for (int i = 0; i < 16; i++)
        a.coef[i] = table[i * 7];

    b = a;                               /* whole struct */
    a.count = 60;                        /* must not reach b */
    box.now = turned(b);
    memcpy(&box.next, &box.now, sizeof box.next);
    box.now = b;
    list[0] = box.next;
    list[1] = list[0];
    list[1].nb = b.nb;                   /* only a part of it */
    list[2] = turned(list[1]);
    list[2].count = list[0].count + 1;
    memmove(&list[0], &list[1], 2 * sizeof list[0]);
    for (int i = 0; i < 2; i++)
        talk(&list[i]);
    talk(&box.now);
    talk(&box.next);
    a.nb = box.next.nb;
    talk(&a);
    printf("rank %d: cost %g count %d\n", rank, list[2].cost, list[2].count);
    free(table);
    MPI_Finalize();
    return 0;
}
