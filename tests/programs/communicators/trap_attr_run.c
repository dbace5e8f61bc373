/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_attr_run
 * about: calls that run attribute callbacks: delete, free, dup, a new value; the callbacks change counts, the flag of a
 * about: deleted one too
 * ranks: 2 3
 */
#include <mpi.h>
#include <stddef.h>
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static int deleted, copied;

static int del(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c;
    (void)key;
    deleted += *(int *)value + *(int *)extra;
    return MPI_SUCCESS;
}

static int del_type(MPI_Datatype t, int key, void *value, void *extra)
{
    (void)t;
    (void)key;
    (void)extra;
    deleted += 3 * *(int *)value;
    return MPI_SUCCESS;
}

static int copy_type(MPI_Datatype t, int key, void *extra, void *in, void *out, int *flag)
{
    (void)t;
    (void)key;
    (void)extra;
    copied += 5 + size;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, tkey, value, other = 4, extra = 2, flag;
    void *p;
    MPI_Datatype t, u;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    value = size + 3;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, del, &key, &extra);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &p, &flag);
    meet(flag + 3);
    meet(deleted + 1);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &other);
    meet(deleted + 2);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
    meet(deleted + 5);
    MPI_Type_create_keyval(copy_type, del_type, &tkey, NULL);
    MPI_Type_contiguous(3, MPI_INT, &t);
    MPI_Type_set_attr(t, tkey, &value);
    MPI_Type_dup(t, &u);
    meet(copied + 1);
    MPI_Type_delete_attr(t, tkey);
    meet(deleted + 3);
    MPI_Type_free(&u);
    meet(deleted + 4);
    MPI_Type_free(&t);
    MPI_Finalize();
    return 0;
}
