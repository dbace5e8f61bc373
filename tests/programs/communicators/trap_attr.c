/* commslice-test: trap_attr
 * about: an attribute with copy and delete callbacks on a communicator carries and changes the count
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int copies, deletes;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    int *from = in, *to = malloc(sizeof *to);
    (void)comm;
    (void)key;
    *to = *from * 2 + *(int *)extra;
    *(int **)out = to;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    deletes += *(int *)value;
    free(value);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, extra = 1, flag, *value, *found, *ub;
    MPI_Comm one, two;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(copy, delete, &key, &extra);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    value = malloc(sizeof *value);
    *value = 4;
    MPI_Comm_set_attr(one, key, value);
    extra = 3;
    MPI_Comm_dup(one, &two);
    *value = 30;
    MPI_Comm_get_attr(two, key, &found, &flag);
    if (flag)
        shift(*found, copies, 1);
    MPI_Comm_get_attr(one, key, &found, &flag);
    if (flag)
        shift(*found, 2, 1);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
    if (flag && *ub > 1000)
        shift(5, *ub, 1);
    MPI_Comm_free(&two);
    MPI_Comm_free(&one);
    MPI_Comm_free_keyval(&key);
    shift(deletes, 3, 1);
    printf("rank %d: %d copies, %d deleted\n", rank, copies, deletes);
    MPI_Finalize();
    return 0;
}
