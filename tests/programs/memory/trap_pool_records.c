/* commslice-test: trap_pool_records
 * about: arrays of structs in which a place is not what its member says: records of several units in a pool, a last
 * about: array that goes on behind its struct, elements copied and cleared whole, members of members
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record of a pool begins at a multiple of 64 bytes, and is as long as it needs. */
struct record {
    int length, kind;
    int head[6];
    int data[8];
};
struct inner {
    int a[4], b;
};
struct outer {
    int before[3];
    struct inner in[3];
    int n[4], after;
};

static int nothing[64];

static void tell(int n)
{
    MPI_Bcast(nothing, n & 31, MPI_INT, 0, MPI_COMM_SELF);
}

static struct record *record(char *pool, int unit)
{
    return (struct record *)(void *)(pool + 64 * unit);
}

static void records(int rank)
{
    char *pool = calloc(64, 64);
    for (int unit = 0; unit < 16; unit += 4) {
        struct record *r = record(pool, unit);
        r->length = 40;
        for (int i = 0; i < r->length; i++)
            r->data[i] = rank + i + unit;
    }
    for (int unit = 0; unit < 16; unit++)
        tell(record(pool, unit)->length + record(pool, unit)->head[unit % 6]);
    free(pool);
}

static void elements(int rank)
{
    struct outer *o = malloc(6 * sizeof *o), *p = malloc(6 * sizeof *p);
    for (int k = 0; k < 6; k++) {
        memset(&o[k], k, sizeof o[k]);
        for (int i = 0; i < 3; i++)
            o[k].before[i] = k * i + rank;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                o[k].in[i].a[j] = i + j + rank;
        o[k].in[k % 3].b = k + 1;
        o[k].n[k % 4] = 3;
        o[k].after = 2;
        p[5 - k] = o[k];
    }
    for (int k = 0; k < 6; k++) {
        memcpy(&p[k].in[1], &o[k].in[2], sizeof p[k].in[1]);
        memmove(p[k].n, p[k].n + 1, 3 * sizeof(int));
    }
    for (int k = 0; k < 6; k++) {
        tell(p[k].before[k % 3] + p[k].in[k % 3].a[k % 4]);
        tell(p[k].in[k % 3].b + p[k].n[k % 4] + p[k].after);
    }
    free(o);
    free(p);
}

/* A message into the array of one element, whose length is not known, and what is beside it. */
static void messages(int rank)
{
    struct outer *o = calloc(4, sizeof *o);
    for (int k = 0; k < 4; k++) {
        o[k].after = k + 1;
        for (int i = 0; i < 4; i++)
            o[k].n[i] = rank + i;
        MPI_Sendrecv_replace(o[k].n, o[k].after, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Bcast(o[k].before, o[k].after % 3 + 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce(o[k].n, o[k].in[1].a, o[k].after, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    for (int k = 0; k < 4; k++)
        tell(o[k].before[k % 3] + o[k].in[1].a[k] + o[k].after);
    free(o);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    records(rank);
    elements(rank);
    messages(rank);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
