/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_attr_comm
 * about: attribute callbacks communicate: where a communicator is copied, where it is freed, and inside MPI_Finalize
 * ranks: 2 3
 */
#include <mpi.h>
#include <stddef.h>

static int buf[2048], size, count;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
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
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(copy, del, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    count = size + 11;
    meet(2);
    MPI_Comm_dup(MPI_COMM_SELF, &d);
    MPI_Comm_set_attr(d, key, NULL);
    MPI_Comm_free(&d);
    MPI_Finalize();
    return 0;
}
