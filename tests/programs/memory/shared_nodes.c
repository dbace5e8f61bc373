/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: shared_nodes
 * about: the last reference that goes frees memory and decides; pointers with a tag bit
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

typedef struct buf {
    int ref, id;
    struct buf *parent;
    double d[16];
} buf;
static int live, freed_sum;
static buf *get(int id, buf *par)
{
    buf *b = malloc(sizeof *b);
    b->ref = 1;
    b->id = id;
    b->parent = par;
    if (par)
        par->ref++;
    live++;
    memset(b->d, 0, sizeof b->d);
    return b;
}
static void put(buf *b)
{
    while (b && --b->ref == 0) {
        buf *p = b->parent;
        freed_sum = freed_sum * 2 + b->id;
        live--;
        free(b);
        b = p;
    }
}
static void swap2(buf **a, buf **b)
{
    buf *t = *a;
    *a = *b;
    *b = t;
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4;
    buf *r = get(1, NULL), *a = get(2, r), *b = get(3, a), *tab[6];
    for (int i = 0; i < 6; i++)
        tab[i] = get(10 + i * k, i & 1 ? b : a);
    for (int i = 0; i < 5; i += 2)
        swap2(&tab[i], &tab[(i * k) % 6]);
    put(r);
    SAY(live);
    for (int i = 0; i < 4; i++)
        put(tab[i]);
    SAY(freed_sum);
    put(b);
    put(a);
    SAY(live * 3);
    put(tab[4]);
    SAY(live + freed_sum);
    uintptr_t t[3];
    static int cells[3] = {5, 6, 7};
    for (int i = 0; i < 3; i++)
        t[i] = (uintptr_t)&cells[i] | (i & k & 1);
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int *c = (int *)(t[i] & ~(uintptr_t)1);
        if (t[i] & 1)
            *c += k;
        s = s * 3 + *c;
    }
    SAY(s);
    put(tab[5]);
    SAY(live + 11);
    int *x = &cells[0], *y = x + 2;
    intptr_t off = (char *)y - (char *)x;
    *(int *)((char *)x + off / 2) = k * 2;
    SAY(cells[1]);
    MPI_Finalize();
    return 0;
}
