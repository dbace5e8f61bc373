/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: wrapper_calls_back
 * about: one exchange packs and unpacks what void * points to by functions of its caller:
 * about: lists of which the lengths are sent, and forces
 * ranks: 2 3 4
 * gone: forces unpack_forces
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct exchange {
    int room;
    int (*pack)(void *data, char *buf);
    void (*unpack)(void *data, const char *buf, int n);
};
struct list {
    int n, item[30];
};
struct field {
    double f[30];
    int used;
};

static int pack_list(void *data, char *buf)
{
    struct list *l = data;
    int n = l->n / 2, *to = (int *)buf;
    for (int i = 0; i < n; i++)
        to[i] = l->item[--l->n];
    return n * (int)sizeof(int);
}

static void unpack_list(void *data, const char *buf, int n)
{
    struct list *l = data;
    const int *from = (const int *)buf;
    for (int i = 0; i < n / (int)sizeof(int) && l->n < 30; i++)
        l->item[l->n++] = from[i] + 1;
}

static int pack_forces(void *data, char *buf)
{
    struct field *f = data;
    double *to = (double *)buf;
    for (int i = 0; i < 4; i++)
        to[i] = f->f[i];
    return f->used * (int)sizeof(double);
}

static void unpack_forces(void *data, const char *buf, int n)
{
    struct field *f = data;
    const double *from = (const double *)buf;
    for (int i = 0; i < n / (int)sizeof(double); i++)
        f->f[29 - i] += from[i];
}

static int swap_bytes(const void *out, int n, void *in, int room)
{
    MPI_Status st;
    int got, rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(out, n, MPI_BYTE, (rank + 1) % size, 0, in, room, MPI_BYTE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, &st);
    MPI_Get_count(&st, MPI_BYTE, &got);
    return got;
}

static void run(struct exchange *e, void *data)
{
    char *out = malloc(e->room), *in = malloc(e->room);
    int n = e->pack(data, out);
    n = swap_bytes(out, n, in, e->room);
    e->unpack(data, in, n);
    free(out);
    free(in);
}

static struct exchange *new_exchange(int room)
{
    struct exchange *e = calloc(1, sizeof *e);
    e->room = room;
    return e;
}

static void forces(struct field *f, const struct list *l)
{
    for (int i = 0; i < 30; i++)
        f->f[i] = 0.25 * f->f[(i + 1) % 30] + (i < l->n ? l->item[i] : 0);
}

int main(int argc, char **argv)
{
    struct list l = {6, {3, 1, 4, 1, 5, 9}};
    struct field f = {{1.0}, 4};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct exchange *lists = new_exchange(200), *edges = new_exchange(100);
    lists->pack = pack_list;
    lists->unpack = unpack_list;
    edges->pack = pack_forces;
    edges->unpack = unpack_forces;
    l.n += rank;
    for (int step = 0; step < 5; step++) {
        run(lists, &l);
        forces(&f, &l);
        run(edges, &f);
    }
    printf("rank %d: %d items, %g\n", rank, l.n, f.f[29]);
    free(lists);
    free(edges);
    MPI_Finalize();
    return 0;
}
