/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of every kind, correct and checked: the program must not notice that it is recorded.
 * calls.expected has the events of rank 1 of 3. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, left, right, failures;

static void expect(int ok, const char *what)
{
    if (ok)
        return;
    printf("rank %d: %s\n", rank, what);
    failures++;
}

static void add_ints(void *in, void *inout, int *n, MPI_Datatype *t)
{
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void point_to_point(void)
{
    int x = rank, y = -1, n;
    MPI_Request q[3];
    MPI_Status st;
    MPI_Message m;
    MPI_Irecv(&y, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(&x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &q[1]);
    q[2] = MPI_REQUEST_NULL;
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    expect(y == left && q[0] == MPI_REQUEST_NULL && q[1] == MPI_REQUEST_NULL, "Waitall");
    MPI_Sendrecv(&x, 1, MPI_INT, right, 1, &y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
    MPI_Get_count(&st, MPI_INT, &n);
    expect(st.MPI_SOURCE == left && st.MPI_TAG == 1 && n == 1, "Sendrecv");
    MPI_Isend(&x, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &q[0]);
    MPI_Mprobe(left, 9, MPI_COMM_WORLD, &m, &st);
    MPI_Mrecv(&y, 1, MPI_INT, &m, &st);
    expect(y == left && m == MPI_MESSAGE_NULL, "Mrecv");
    MPI_Waitany(1, q, &n, &st);
    expect(n == 0 && q[0] == MPI_REQUEST_NULL, "Waitany");
    MPI_Waitany(1, q, &n, &st);
    expect(n == MPI_UNDEFINED, "Waitany of nothing");
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    MPI_Irecv(&y, 1, MPI_INT, left, 77, MPI_COMM_WORLD, &q[0]);
    MPI_Cancel(&q[0]);
    MPI_Wait(&q[0], &st);
    MPI_Test_cancelled(&st, &n);
    expect(n, "Cancel");
}

static void persistent(void)
{
    int x = rank, y, n, at[2], flag;
    MPI_Request p[2];
    MPI_Status st[2];
    MPI_Send_init(&x, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &p[0]);
    MPI_Recv_init(&y, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &p[1]);
    for (int i = 0; i < 2; i++) {
        x = rank + 10 * i;
        y = -1;
        MPI_Startall(2, p);
        MPI_Waitall(2, p, MPI_STATUSES_IGNORE);
        expect(y == left + 10 * i, "persistent");
    }
    MPI_Testsome(2, p, &n, at, st);
    expect(n == MPI_UNDEFINED, "Testsome of inactive requests");
    MPI_Test(&p[0], &flag, MPI_STATUS_IGNORE);
    expect(flag, "Test of an inactive request");
    MPI_Request_free(&p[0]);
    MPI_Request_free(&p[1]);
    expect(p[0] == MPI_REQUEST_NULL && p[1] == MPI_REQUEST_NULL, "Request_free");
}

static void datatypes(void)
{
    char buf[1000] = { 0 };
    int lengths[2] = { 1, 2 }, sizes[2] = { 4, 6 }, part[2] = { 2, 3 }, from[2] = { 1, 1 };
    MPI_Aint at[2] = { 0, 200 };
    MPI_Datatype vector, s, sub;
    MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &vector);
    MPI_Datatype types[2] = { vector, MPI_INT };
    MPI_Type_create_struct(2, lengths, at, types, &s);
    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, MPI_FLOAT, &sub);
    MPI_Type_commit(&s);
    MPI_Type_commit(&sub);
    MPI_Bcast(buf, 2, s, 0, MPI_COMM_WORLD);
    MPI_Bcast(buf, 1, sub, 0, MPI_COMM_WORLD);
    MPI_Type_free(&s);
    MPI_Type_free(&sub);
    MPI_Type_free(&vector);
    /* The library may use the handle again: this is another type now. */
    MPI_Type_contiguous(5, MPI_LONG, &s);
    MPI_Type_commit(&s);
    MPI_Bcast(buf, 1, s, 0, MPI_COMM_WORLD);
    MPI_Type_free(&s);
}

static void collectives(MPI_Comm comm)
{
    int x = rank, z, all[64], counts[64], at[64], garbage = 12345;
    MPI_Op op;
    MPI_Request q;
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        at[i] = i;
    }
    MPI_Op_create(add_ints, 1, &op);
    MPI_Allreduce(&x, &z, 1, MPI_INT, op, comm);
    MPI_Op_free(&op);
    z = rank;
    MPI_Allreduce(MPI_IN_PLACE, &z, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(z == size * (size - 1) / 2, "Allreduce");
    /* What is not significant at a rank may be anything. */
    MPI_Gather(&x, 1, MPI_INT, rank == 1 ? all : NULL, rank == 1 ? 1 : garbage,
        rank == 1 ? MPI_INT : (MPI_Datatype)garbage, 1, MPI_COMM_WORLD);
    expect(rank != 1 || all[size - 1] == size - 1, "Gather");
    MPI_Gatherv(&x, 1, MPI_INT, all, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Alltoallv(all, counts, at, MPI_INT, all + 32, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void communicators(void)
{
    MPI_Comm half, copy, cart, inter, merged, none, late;
    MPI_Request q;
    int dims[1] = { size }, periods[1] = { 1 }, x = rank, two[2], counts[2] = { 1, 1 }, at[2] = { 0, 1 };
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_dup(half, &copy);
    collectives(copy);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    MPI_Neighbor_allgather(&x, 1, MPI_INT, two, 1, MPI_INT, cart);
    expect(two[0] == left && two[1] == right, "Neighbor_allgather");
    MPI_Neighbor_alltoallv(two, counts, at, MPI_INT, two, counts, at, MPI_INT, cart);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, 0, &none);
    expect((none == MPI_COMM_NULL) == (rank == 1), "Comm_split");
    MPI_Comm_idup(MPI_COMM_WORLD, &late, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 3, &inter);
    MPI_Bcast(&x, 1, MPI_INT, rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&late);
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    point_to_point();
    persistent();
    datatypes();
    communicators();
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return failures != 0;
}
