/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong arguments: the error goes to the handler before anything is sent or touched, and its class says which argument
 * it was.
 *
 * ranks: 2 */
#include <stddef.h>

#include "conf_kit.h"

static void quiet(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
}

#define EXPECT(class, call) \
    do { \
        int code_ = (call), class_ = class_of(code_); \
        CHECK(class_ == class); \
        say("%s: %d", #call, class_); \
    } while (0)

/* Nothing of what was refused is on its way: the next message is the next message. */
static void nothing_was_sent(void)
{
    int x = 40 + rank, y = -1;
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, WORLD, IGNORE);
    CHECK(y == 41 - rank);
}

static void all_send_modes(void)
{
    static char space[2 * MPI_BSEND_OVERHEAD];
    int x = 0, n;
    void *back;
    MPI_Request q;
    quiet();
    MPI_Buffer_attach(space, (int)sizeof space);
    EXPECT(MPI_ERR_RANK, MPI_Ssend(&x, 1, MPI_INT, 2, 0, WORLD));
    EXPECT(MPI_ERR_RANK, MPI_Bsend(&x, 1, MPI_INT, -7, 0, WORLD));
    EXPECT(MPI_ERR_TAG, MPI_Rsend(&x, 1, MPI_INT, 1, MPI_ANY_TAG, WORLD));
    EXPECT(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, 1, 0x7fffffff, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Isend(&x, -1, MPI_INT, 1, 0, WORLD, &q));
    EXPECT(MPI_ERR_TYPE, MPI_Issend(&x, 1, MPI_DATATYPE_NULL, 1, 0, WORLD, &q));
    EXPECT(MPI_ERR_BUFFER, MPI_Ibsend(NULL, 2, MPI_INT, 1, 0, WORLD, &q));
    EXPECT(MPI_ERR_BUFFER, MPI_Irsend(NULL, 2, MPI_INT, 1, 0, WORLD, &q));
    EXPECT(MPI_ERR_COMM, MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_NULL, &q));
    MPI_Buffer_detach(&back, &n);
    nothing_was_sent();
}

static void persistent_ones(void)
{
    int x = 0;
    MPI_Request q = MPI_REQUEST_NULL;
    quiet();
    EXPECT(MPI_ERR_RANK, MPI_Send_init(&x, 1, MPI_INT, 9, 0, WORLD, &q));
    EXPECT(MPI_ERR_TAG, MPI_Recv_init(&x, 1, MPI_INT, 0, -3, WORLD, &q));
    EXPECT(MPI_ERR_BUFFER, MPI_Recv_init(NULL, 1, MPI_INT, 0, 0, WORLD, &q));
    EXPECT(MPI_ERR_COMM, MPI_Ssend_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &q));
    nothing_was_sent();
}

static void receives_and_probes(void)
{
    int x = 0, flag;
    MPI_Request q;
    MPI_Status st;
    quiet();
    EXPECT(MPI_ERR_BUFFER, MPI_Recv(NULL, 1, MPI_INT, 0, 0, WORLD, &st));
    EXPECT(MPI_ERR_TYPE, MPI_Recv(&x, 1, MPI_DATATYPE_NULL, 0, 0, WORLD, &st));
    EXPECT(MPI_ERR_COMM, MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &st));
    EXPECT(MPI_ERR_BUFFER, MPI_Irecv(NULL, 1, MPI_INT, 0, 0, WORLD, &q));
    EXPECT(MPI_ERR_RANK, MPI_Probe(2, 0, WORLD, &st));
    EXPECT(MPI_ERR_TAG, MPI_Iprobe(0, -4, WORLD, &flag, &st));
    EXPECT(MPI_ERR_COMM, MPI_Probe(0, 0, MPI_COMM_NULL, &st));
    EXPECT(MPI_ERR_RANK, MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &x, 1, MPI_INT, 5, 0, WORLD, &st));
    EXPECT(MPI_ERR_COUNT, MPI_Sendrecv_replace(&x, -2, MPI_INT, 0, 0, 0, 0, WORLD, &st));
    nothing_was_sent();
}

/* No elements, or none that have data, may come from nowhere; so may a type with absolute addresses. */
static void null_buffers_that_are_right(void)
{
    MPI_Datatype empty, absolute;
    MPI_Aint at;
    int one = 1, x = 30 + rank, y = -1;
    MPI_Get_address(&x, &at);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    quiet();
    EXPECT(MPI_SUCCESS, MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 0, NULL, 0, MPI_INT, 1 - rank, 0, WORLD, IGNORE));
    EXPECT(MPI_SUCCESS, MPI_Sendrecv(NULL, 3, empty, 1 - rank, 0, NULL, 3, empty, 1 - rank, 0, WORLD, IGNORE));
    EXPECT(MPI_SUCCESS, MPI_Sendrecv(MPI_BOTTOM, 1, absolute, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE));
    CHECK(y == 31 - rank);
    MPI_Type_free(&empty);
    MPI_Type_free(&absolute);
}

/* The request is where the program says, or nowhere. */
static void requests(void)
{
    int flag, index, n, x = 0;
    MPI_Request q, all[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status st[2];
    quiet();
    EXPECT(MPI_ERR_COUNT, MPI_Waitall(-1, all, st));
    EXPECT(MPI_ERR_COUNT, MPI_Waitany(-1, all, &index, st));
    EXPECT(MPI_ERR_COUNT, MPI_Testsome(-1, all, &n, &index, st));
    EXPECT(MPI_ERR_COUNT, MPI_Testall(-1, all, &flag, st));
    q = MPI_REQUEST_NULL;
    EXPECT(MPI_ERR_REQUEST, MPI_Start(&q));
    EXPECT(MPI_ERR_REQUEST, MPI_Cancel(&q));
    EXPECT(MPI_ERR_REQUEST, MPI_Request_free(&q));
    EXPECT(MPI_SUCCESS, MPI_Wait(&q, st));
    MPI_Irecv(&x, 1, MPI_INT, 0, 77, MPI_COMM_SELF, &q);
    EXPECT(MPI_ERR_REQUEST, MPI_Start(&q));
    MPI_Cancel(&q);
    MPI_Wait(&q, IGNORE);
}

static void broadcast_and_barrier(void)
{
    int x = 1;
    quiet();
    EXPECT(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    EXPECT(MPI_ERR_COMM, MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_NULL));
    EXPECT(MPI_ERR_ROOT, MPI_Bcast(&x, 1, MPI_INT, -1, WORLD));
    EXPECT(MPI_ERR_TYPE, MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, MPI_INT, 0, WORLD));
    nothing_was_sent();
}

static void gather_and_scatter(void)
{
    int x = 1, y[4] = {0};
    MPI_Request q;
    quiet();
    EXPECT(MPI_ERR_ROOT, MPI_Gather(&x, 1, MPI_INT, y, 1, MPI_INT, 2, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Gather(&x, -1, MPI_INT, y, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_TYPE, MPI_Gather(&x, 1, MPI_DATATYPE_NULL, y, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Gather(NULL, 1, MPI_INT, y, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Igather(NULL, 1, MPI_INT, y, 1, MPI_INT, 0, WORLD, &q));
    EXPECT(MPI_ERR_ROOT, MPI_Scatter(y, 1, MPI_INT, &x, 1, MPI_INT, -4, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Scatter(y, -1, MPI_INT, &x, -1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Scatter(NULL, 1, MPI_INT, NULL, 1, MPI_INT, 0, WORLD));
    EXPECT(MPI_ERR_COMM, MPI_Scatter(y, 1, MPI_INT, &x, 1, MPI_INT, 0, MPI_COMM_NULL));
    nothing_was_sent();
}

static void all_to_all(void)
{
    int x[4] = {0}, y[4], counts[2] = {1, -1}, ones[2] = {1, 1}, at[2] = {0, 1};
    quiet();
    EXPECT(MPI_ERR_COUNT, MPI_Allgather(x, -1, MPI_INT, y, -1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Allgather(NULL, 1, MPI_INT, y, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Allgather(x, 1, MPI_INT, NULL, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Allgather(y + rank, 1, MPI_INT, y, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Allgatherv(x, 1, MPI_INT, y, counts, at, MPI_INT, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Alltoall(x, -1, MPI_INT, y, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_TYPE, MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_DATATYPE_NULL, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Alltoall(x, 1, MPI_INT, x, 1, MPI_INT, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Alltoallv(x, counts, at, MPI_INT, y, ones, at, MPI_INT, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Alltoallv(x, ones, at, MPI_INT, NULL, ones, at, MPI_INT, WORLD));
    EXPECT(MPI_ERR_COMM, MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_NULL));
    nothing_was_sent();
}

static void reductions(void)
{
    int x = 1, y = 0, counts[2] = {1, -1}, ones[2] = {1, 1}, two[2] = {0};
    MPI_Request q;
    quiet();
    EXPECT(MPI_ERR_ROOT, MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 2, WORLD));
    EXPECT(MPI_ERR_OP, MPI_Reduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, 0, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Reduce(NULL, &y, 1, MPI_INT, MPI_SUM, 0, WORLD));
    CHECK(MPI_Allreduce(&x, &y, 1, MPI_DATATYPE_NULL, MPI_SUM, WORLD) != MPI_SUCCESS);
    EXPECT(MPI_ERR_BUFFER, MPI_Allreduce(&x, NULL, 1, MPI_INT, MPI_SUM, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Allreduce(&x, &x, 1, MPI_INT, MPI_SUM, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Allreduce(&x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, WORLD));
    EXPECT(MPI_ERR_COMM, MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL));
    EXPECT(MPI_ERR_OP, MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, WORLD, &q));
    EXPECT(MPI_ERR_COUNT, MPI_Reduce_scatter(two, &y, counts, MPI_INT, MPI_SUM, WORLD));
    EXPECT(MPI_ERR_BUFFER, MPI_Reduce_scatter(NULL, &y, ones, MPI_INT, MPI_SUM, WORLD));
    EXPECT(MPI_ERR_OP, MPI_Exscan(&x, &y, 1, MPI_INT, MPI_OP_NULL, WORLD));
    nothing_was_sent();
}

static void communicators(void)
{
    int n;
    MPI_Comm c = MPI_COMM_NULL, null = MPI_COMM_NULL;
    MPI_Group g;
    quiet();
    EXPECT(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_NULL, &n));
    EXPECT(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &n));
    EXPECT(MPI_ERR_COMM, MPI_Comm_dup(MPI_COMM_NULL, &c));
    EXPECT(MPI_ERR_COMM, MPI_Comm_free(&null));
    EXPECT(MPI_ERR_COMM, MPI_Comm_split(MPI_COMM_NULL, 0, 0, &c));
    EXPECT(MPI_ERR_COMM, MPI_Comm_group(MPI_COMM_NULL, &g));
    EXPECT(MPI_ERR_GROUP, MPI_Comm_create(WORLD, MPI_GROUP_NULL, &c));
    EXPECT(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &n));
    EXPECT(MPI_ERR_COMM, MPI_Topo_test(MPI_COMM_NULL, &n));
}

static void types(void)
{
    int n, lengths[1] = {-1}, at[1] = {0};
    MPI_Datatype t = MPI_DATATYPE_NULL;
    quiet();
    EXPECT(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &n));
    EXPECT(MPI_ERR_TYPE, MPI_Type_commit(&t));
    EXPECT(MPI_ERR_TYPE, MPI_Type_free(&t));
    EXPECT(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &t));
    EXPECT(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t));
    EXPECT(MPI_ERR_COUNT, MPI_Type_vector(1, -1, 1, MPI_INT, &t));
    EXPECT(MPI_ERR_COUNT, MPI_Type_indexed(1, lengths, at, MPI_INT, &t));
    t = MPI_INT;
    EXPECT(MPI_ERR_TYPE, MPI_Type_free(&t));
}

static void null_results(void)
{
    quiet();
    EXPECT(MPI_ERR_ARG, MPI_Comm_rank(WORLD, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Comm_size(WORLD, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Initialized(NULL));
    EXPECT(MPI_ERR_ARG, MPI_Type_size(MPI_INT, NULL));
}

const struct conf_case conf_cases[] = {
    CASE(all_send_modes),
    CASE(persistent_ones),
    CASE(receives_and_probes),
    CASE(null_buffers_that_are_right),
    CASE(requests),
    CASE(broadcast_and_barrier),
    CASE(gather_and_scatter),
    CASE(all_to_all),
    CASE(reductions),
    CASE(communicators),
    CASE(types),
    CASE(null_results),
    END_OF_CASES,
};
