/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent collectives: each of them started several times, in different orders, with arrays and types that are gone,
 * freed while under way; and MPI_Isendrecv.
 *
 * ranks: 4 */
#include <string.h>

#include "conf_kit.h"

enum { P = 4 };

static int x[16], y[16], ones[P] = {1, 1, 1, 1}, places[P] = {0, 1, 2, 3}, bytes[P] = {0, 4, 8, 12};

/* Starts it and waits, with other content each time; says what has come. */
static void start(const char *name, MPI_Request *q, int times)
{
    for (int turn = 0; turn < times; turn++) {
        MPI_Status status;
        for (int i = 0; i < 16; i++) {
            x[i] = 100 * rank + 10 * turn + i;
            y[i] = -1;
        }
        CHECK(MPI_Start(q) == MPI_SUCCESS);
        CHECK(MPI_Wait(q, &status) == MPI_SUCCESS && *q != MPI_REQUEST_NULL);
        say_ints(name, y, P);
    }
    MPI_Request_free(q);
    CHECK(*q == MPI_REQUEST_NULL);
}

#define STARTED(times, call, ...) \
    { \
        MPI_Request q; \
        call(__VA_ARGS__, MPI_INFO_NULL, &q); \
        start(#call, &q, times); \
    }

static void rooted(void)
{
    STARTED(3, MPI_Barrier_init, WORLD)
    STARTED(3, MPI_Bcast_init, rank == 2 ? x : y, 3, MPI_INT, 2, WORLD)
    STARTED(1, MPI_Gather_init, x, 0, MPI_INT, y, 0, MPI_INT, 0, WORLD) /* MPICH gives wrong data */
    STARTED(3, MPI_Gatherv_init, x, 1, MPI_INT, y, ones, places, MPI_INT, 1, WORLD)
    STARTED(1, MPI_Scatter_init, x, 1, MPI_INT, y, 1, MPI_INT, 3, WORLD) /* MPICH fails at the second start */
    STARTED(3, MPI_Scatterv_init, x, ones, places, MPI_INT, y, 1, MPI_INT, 3, WORLD)
    STARTED(3, MPI_Reduce_init, x, y, 2, MPI_INT, MPI_SUM, 0, WORLD)
}

static void for_all(void)
{
    MPI_Datatype types[P] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    STARTED(1, MPI_Allgather_init, x, 1, MPI_INT, y, 1, MPI_INT, WORLD) /* as far as MPICH has it right */
    STARTED(3, MPI_Allgatherv_init, x, 1, MPI_INT, y, ones, places, MPI_INT, WORLD)
    STARTED(3, MPI_Alltoall_init, x, 1, MPI_INT, y, 1, MPI_INT, WORLD)
    STARTED(3, MPI_Alltoallv_init, x, ones, places, MPI_INT, y, ones, places, MPI_INT, WORLD)
    STARTED(3, MPI_Alltoallw_init, x, ones, bytes, types, y, ones, bytes, types, WORLD)
}

static void reductions(void)
{
    STARTED(3, MPI_Allreduce_init, x, y, 2, MPI_INT, MPI_MAX, WORLD)
    STARTED(3, MPI_Reduce_scatter_block_init, x, y, 1, MPI_INT, MPI_SUM, WORLD)
    STARTED(3, MPI_Reduce_scatter_init, x, y, ones, MPI_INT, MPI_SUM, WORLD)
    STARTED(3, MPI_Scan_init, x, y, 2, MPI_INT, MPI_SUM, WORLD)
    STARTED(3, MPI_Exscan_init, x, y, 2, MPI_INT, MPI_SUM, WORLD)
}

static void neighbours(void)
{
    MPI_Comm ring;
    int all = P, round = 1;
    MPI_Aint far[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Cart_create(WORLD, 1, &all, &round, 0, &ring);
    STARTED(3, MPI_Neighbor_allgather_init, x, 1, MPI_INT, y, 1, MPI_INT, ring)
    STARTED(3, MPI_Neighbor_allgatherv_init, x, 1, MPI_INT, y, ones, places, MPI_INT, ring)
    STARTED(3, MPI_Neighbor_alltoall_init, x, 1, MPI_INT, y, 1, MPI_INT, ring)
    STARTED(3, MPI_Neighbor_alltoallv_init, x, ones, places, MPI_INT, y, ones, places, MPI_INT, ring)
    STARTED(3, MPI_Neighbor_alltoallw_init, x, ones, far, types, y, ones, far, types, ring)
    MPI_Comm_free(&ring);
}

/* MPI 4.0, section 6.13: once prepared, they may be started in any order, which may differ between processes. */
static void any_order(void)
{
    MPI_Request q[3];
    int sum[3], own[3] = {1, 10, 100};
    for (int i = 0; i < 3; i++)
        MPI_Allreduce_init(&own[i], &sum[i], 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &q[i]);
    for (int i = 0; i < 3; i++)
        MPI_Start(&q[(i + rank) % 3]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    CHECK(sum[0] == P && sum[1] == 10 * P && sum[2] == 100 * P);
    MPI_Startall(3, q);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    say_ints("sums", sum, 3);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&q[i]);
}

/* The type is freed, and the arrays are written over, before the start. */
static void gone(void)
{
    MPI_Request q;
    MPI_Datatype pair;
    int counts[P] = {1, 1, 1, 1}, at[P] = {3, 2, 1, 0};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Allgatherv_init(x, 1, pair, y, counts, at, pair, WORLD, MPI_INFO_NULL, &q);
    MPI_Type_free(&pair);
    memset(counts, 0, sizeof counts);
    memset(at, 0, sizeof at);
    start("gone", &q, 2);
}

/* Completed by tests. MPICH never ends a wait or test of an inactive one. */
static void tested(void)
{
    MPI_Request q;
    int one = 1, sum = 0;
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &q);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Start(&q);
        for (int flag = 0; !flag;)
            MPI_Test(&q, &flag, IGNORE);
        CHECK(sum == P && q != MPI_REQUEST_NULL);
        sum = 0;
    }
    MPI_Request_free(&q);
    say("done");
}

/* Of an intercommunicator: each side gets the sum of the other. */
static void two_groups(void)
{
    MPI_Comm half, both;
    MPI_Request q;
    int own = 1 + rank, sum;
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, WORLD, 1 - rank % 2, 3, &both);
    MPI_Allreduce_init(&own, &sum, 1, MPI_INT, MPI_SUM, both, MPI_INFO_NULL, &q);
    for (int i = 0; i < 2; i++) {
        sum = 0;
        MPI_Start(&q);
        MPI_Wait(&q, IGNORE);
        say("%d", sum);
    }
    CHECK(sum == (rank % 2 ? 1 + 3 : 2 + 4));
    MPI_Request_free(&q);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

static void duplicate_with_hints(void)
{
    MPI_Comm twin;
    MPI_Request q;
    int same;
    CHECK(MPI_Comm_idup_with_info(WORLD, MPI_INFO_NULL, &twin, &q) == MPI_SUCCESS);
    MPI_Wait(&q, IGNORE);
    MPI_Comm_compare(WORLD, twin, &same);
    CHECK(same == MPI_CONGRUENT);
    MPI_Barrier(twin);
    MPI_Comm_free(&twin);
    say("%d", same == MPI_CONGRUENT);
}

/* MPICH says nothing of the message in the status, and crashes where both peers are nobody. */
static void isendrecv(void)
{
    MPI_Request q[2];
    int out = 7 + rank, in = 0, both[2] = {rank, rank}, next = (rank + 1) % P, last = (rank + P - 1) % P;
    MPI_Isendrecv(&out, 1, MPI_INT, next, 4, &in, 1, MPI_INT, last, 4, WORLD, &q[0]);
    MPI_Isendrecv_replace(both, 2, MPI_INT, last, 5, next, 5, WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    CHECK(q[0] == MPI_REQUEST_NULL && in == 7 + last && both[0] == next && both[1] == next);
    /* What one of them sends, others receive. */
    MPI_Isendrecv(&out, 1, MPI_INT, next, 6, &in, 1, MPI_INT, MPI_PROC_NULL, 6, WORLD, &q[0]);
    MPI_Recv(&in, 1, MPI_INT, last, 6, WORLD, IGNORE);
    MPI_Wait(&q[0], IGNORE);
    say("%d %d", in, both[1]);
}

const struct conf_case conf_cases[] = {
    CASE(rooted), CASE(for_all),    CASE(reductions),           CASE(neighbours), CASE(any_order), CASE(gone),
    CASE(tested), CASE(two_groups), CASE(duplicate_with_hints), CASE(isendrecv),  END_OF_CASES,
};
