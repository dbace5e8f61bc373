/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: node_list
 * about: nodes are given back and taken again; the pointer to the next one lies where payload was
 * ranks: 2 3 4
 * args: 4
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

struct node {
    union {
        struct node *next;
        long payload[2];
    } u;
    int kind;
};
static struct node pool[32], *freelist;
static struct node *take(void)
{
    struct node *n = freelist;
    freelist = n->u.next;
    return n;
}
static void give(struct node *n)
{
    n->u.next = freelist;
    freelist = n;
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 31; i >= 0; i--) {
        pool[i].kind = i;
        give(&pool[i]);
    }
    struct node *held[8];
    for (int i = 0; i < 8; i++) {
        held[i] = take();
        held[i]->u.payload[0] = i * k;
        held[i]->u.payload[1] = i + rank;
    }
    for (int i = 0; i < 8; i += 2)
        give(held[i]);
    for (int i = 0; i < 4; i++) {
        held[2 * i] = take();
        held[2 * i]->u.payload[0] = 100 + held[2 * i]->kind;
    }
    int s = 0;
    for (int i = 0; i < 8; i++) {
        s += held[i]->u.payload[0] * (i + 1) + held[i]->u.payload[1];
        SAY(held[i]->u.payload[0]);
    }
    SAY(s);
    SAY(freelist->kind);
    long d = freelist - pool;
    SAY(d * 3);
    MPI_Finalize();
    return 0;
}
