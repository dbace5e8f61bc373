/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_persistent_helper
 * about: persistent sends are made by helpers, of a local, a global and the heap; what is stored after the helper has
 * about: returned is sent, and is a count
 * ranks: 2 3
 * gone: heat
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, np, heap_size = 4;
static MPI_Request req[6];
static int shared[4];
static double field[100], total[100];

static void heat(int n)
{
    for (int k = 1; k < 100; k++) field[k] = 0.5*(field[k - 1] + n);
}

static void make_send(int *buffer, int tag, MPI_Request *r)
{
    MPI_Send_init(buffer, 4, MPI_INT, (me + 1) % np, tag, MPI_COMM_WORLD, r);
}

static void make_receive(int *buffer, int tag, MPI_Request *r)
{
    MPI_Recv_init(buffer, 4, MPI_INT, (me + np - 1) % np, tag, MPI_COMM_WORLD, r);
}

static void make_pair(int *out, int *in, int tag)
{
    make_send(out, tag, &req[2*tag]);
    make_receive(in, tag, &req[2*tag + 1]);
}

static void step(int n)
{
    heat(n);
    MPI_Allreduce(field, total, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("%d %g\n", n, total[n - 1]);
}

int main(int argc, char **argv)
{
    int local[4] = { 1, 1, 1, 1 }, in[3][4], *heap = malloc(heap_size*sizeof *heap);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int k = 0; k < 4; k++) heap[k] = shared[k] = in[0][k] = in[1][k] = in[2][k] = 2;
    make_pair(local, in[0], 0);
    make_pair(shared, in[1], 1);
    make_pair(heap, in[2], 2);
    for (int i = 1; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            local[k] = 10*i + k;
            shared[k] = 5*i + k;
            heap[k] = 3*i + k;
        }
        MPI_Startall(6, req);
        MPI_Waitall(6, req, MPI_STATUSES_IGNORE);
        step(in[0][2]);
        step(in[1][1]);
        step(in[2][3]);
    }
    for (int i = 0; i < 6; i++) MPI_Request_free(&req[i]);
    free(heap);
    MPI_Finalize();
    return 0;
}
