/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_attr_comm
 * about: attribute callbacks communicate: where a communicator is copied, where it is freed, and inside MPI_Finalize
 * ranks: 2 3
 */
#include <mpi.h>
#include <stddef.h>

static int buf[2048], rank, size, count;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

/* The root has numbers, the others get as many of them as the callback told; their sum decides what is sent. */
static void deal(void)
{
    for (int i = 0; i < 1024; i++) buf[i] = rank ? 0 : i + 1;
}

static void around(void)
{
    static char out[512], in[512];
    int sum = 0;
    for (int i = 0; i < 1024; i++) sum += buf[i];
    MPI_Sendrecv(out, sum & 511, MPI_CHAR, (rank + 1) % size, 7, in, 512, MPI_CHAR, (rank + size - 1) % size, 7,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int del(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c;
    (void)key;
    (void)value;
    (void)extra;
    meet(count + size);
    return MPI_SUCCESS;
}

static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void)c;
    (void)key;
    (void)extra;
    (void)in;
    (void)out;
    meet(count + 20);
    *flag = 0;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key;
    MPI_Comm d;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(copy, del, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    count = size + 11;
    meet(2);
    deal();
    MPI_Comm_dup(MPI_COMM_SELF, &d);
    around();
    MPI_Comm_set_attr(d, key, NULL);
    deal();
    MPI_Comm_free(&d);
    around();
    MPI_Finalize();
    return 0;
}
