/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives that move data: each root, types, v and w forms, MPI_IN_PLACE, zero counts, and the nonblocking form of
 * each.
 *
 * ranks: 4 */
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

enum { P = 4 };

static void fill(int *x, int n, int value)
{
    for (int i = 0; i < n; i++)
        x[i] = value;
}

static void barrier(void)
{
    MPI_Request q;
    MPI_Barrier(WORLD);
    MPI_Ibarrier(WORLD, &q);
    MPI_Wait(&q, IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
    say("done");
}

static void bcast_each_root(void)
{
    double x[3];
    for (int root = 0; root < P; root++) {
        x[0] = x[1] = x[2] = rank == root ? root + 0.5 : -1;
        MPI_Bcast(x, 3, MPI_DOUBLE, root, WORLD);
        CHECK(x[0] == root + 0.5 && x[2] == root + 0.5);
        say_doubles("got", x, 3);
    }
}

static void bcast_nothing(void)
{
    int x = 5;
    CHECK(MPI_Bcast(&x, 0, MPI_INT, 1, WORLD) == MPI_SUCCESS && x == 5);
    say("%d", x);
}

/* The root has a vector, the others a contiguous row. */
static void bcast_other_layout(void)
{
    int x[6];
    MPI_Datatype column;
    for (int i = 0; i < 6; i++)
        x[i] = rank == 2 ? i : -1;
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 2)
        MPI_Bcast(x, 1, column, 2, WORLD);
    else
        MPI_Bcast(x, 3, MPI_INT, 2, WORLD);
    CHECK(rank == 2 || (x[0] == 0 && x[1] == 2 && x[2] == 4 && x[3] == -1));
    say_ints("got", x, 6);
    MPI_Type_free(&column);
}

static void bcast_large(void)
{
    enum { N = 60000 };
    int *x = malloc(N * sizeof *x), bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = rank == 3 ? 7 * i : 0;
    MPI_Bcast(x, N, MPI_INT, 3, WORLD);
    for (int i = 0; i < N; i++)
        bad += x[i] != 7 * i;
    CHECK(bad == 0);
    say("%d", bad);
    free(x);
}

static void ibcast_two_at_once(void)
{
    int a = rank == 0 ? 10 : -1, b = rank == 1 ? 20 : -1;
    MPI_Request q[2];
    MPI_Ibcast(&a, 1, MPI_INT, 0, WORLD, &q[0]);
    MPI_Ibcast(&b, 1, MPI_INT, 1, WORLD, &q[1]);
    MPI_Wait(&q[1], IGNORE);
    MPI_Wait(&q[0], IGNORE);
    CHECK(a == 10 && b == 20);
    say("%d %d", a, b);
}

static void gather(void)
{
    int x[2] = {rank, 10 * rank}, all[2 * P];
    for (int root = 0; root < P; root += 3) {
        fill(all, 2 * P, -1);
        MPI_Gather(x, 2, MPI_INT, all, 2, MPI_INT, root, WORLD);
        for (int i = 0; i < P; i++)
            CHECK(rank == root ? all[2 * i] == i && all[2 * i + 1] == 10 * i : all[i] == -1);
        say_ints("got", all, 2 * P);
    }
}

static void gather_in_place(void)
{
    int all[P];
    MPI_Request q;
    fill(all, P, -1);
    all[rank == 1 ? 1 : 0] = 5 + rank;
    if (rank == 1)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, 1, WORLD);
    else
        MPI_Gather(all, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 1, WORLD);
    CHECK(rank != 1 || (all[0] == 5 && all[1] == 6 && all[3] == 8));
    say_ints("got", all, P);
    MPI_Igather(rank == 0 ? MPI_IN_PLACE : &all[0], 1, MPI_INT, all, 1, MPI_INT, 0, WORLD, &q);
    MPI_Wait(&q, IGNORE);
    say_ints("got", all, P);
}

static void gatherv_with_gaps(void)
{
    int x[P], all[16], counts[P] = {1, 0, 3, 2}, at[P] = {12, 0, 1, 6};
    MPI_Request q;
    fill(x, P, 100 + rank);
    for (int form = 0; form < 2; form++) {
        fill(all, 16, -1);
        if (form == 0)
            MPI_Gatherv(x, counts[rank], MPI_INT, all, counts, at, MPI_INT, 2, WORLD);
        else {
            MPI_Igatherv(x, counts[rank], MPI_INT, all, counts, at, MPI_INT, 2, WORLD, &q);
            MPI_Wait(&q, IGNORE);
        }
        CHECK(rank != 2 ||
              (all[12] == 100 && all[1] == 102 && all[3] == 102 && all[7] == 103 && all[0] == -1 && all[4] == -1));
        say_ints("got", all, 16);
    }
}

static void scatter(void)
{
    int all[2 * P], x[2] = {-1, -1};
    MPI_Request q;
    for (int i = 0; i < 2 * P; i++)
        all[i] = rank == 1 ? i : -2;
    MPI_Scatter(all, 2, MPI_INT, x, 2, MPI_INT, 1, WORLD);
    CHECK(x[0] == 2 * rank && x[1] == 2 * rank + 1);
    say_ints("got", x, 2);
    x[0] = -1;
    MPI_Iscatter(all, 2, MPI_INT, rank == 1 ? MPI_IN_PLACE : x, 2, MPI_INT, 1, WORLD, &q);
    MPI_Wait(&q, IGNORE);
    CHECK(x[0] == (rank == 1 ? -1 : 2 * rank));
    say_ints("got", x, 2);
}

static void scatterv(void)
{
    int all[16], x[4], counts[P] = {2, 0, 1, 4}, at[P] = {10, 0, 3, 5};
    MPI_Request q;
    for (int i = 0; i < 16; i++)
        all[i] = i;
    for (int form = 0; form < 2; form++) {
        fill(x, 4, -1);
        if (form == 0)
            MPI_Scatterv(all, counts, at, MPI_INT, x, counts[rank], MPI_INT, 0, WORLD);
        else {
            MPI_Iscatterv(all, counts, at, MPI_INT, x, counts[rank], MPI_INT, 0, WORLD, &q);
            MPI_Wait(&q, IGNORE);
        }
        for (int i = 0; i < 4; i++)
            CHECK(x[i] == (i < counts[rank] ? at[rank] + i : -1));
        say_ints("got", x, 4);
    }
}

static void allgather(void)
{
    int x[2] = {rank, -rank}, all[2 * P], own[P];
    MPI_Request q;
    MPI_Allgather(x, 2, MPI_INT, all, 2, MPI_INT, WORLD);
    for (int i = 0; i < P; i++)
        CHECK(all[2 * i] == i && all[2 * i + 1] == -i);
    fill(own, P, -1);
    own[rank] = rank * rank;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, own, 1, MPI_INT, WORLD);
    CHECK(own[3] == 9 && own[2] == 4);
    MPI_Iallgather(x, 1, MPI_INT, all, 1, MPI_INT, WORLD, &q);
    MPI_Wait(&q, IGNORE);
    CHECK(all[3] == 3);
    say_ints("got", all, P);
    say_ints("own", own, P);
}

static void allgatherv(void)
{
    int x[4], all[12], counts[P] = {3, 1, 0, 2}, at[P] = {0, 11, 4, 5};
    MPI_Request q;
    for (int form = 0; form < 3; form++) {
        fill(x, 4, 10 * rank);
        fill(all, 12, -1);
        if (form == 0)
            MPI_Allgatherv(x, counts[rank], MPI_INT, all, counts, at, MPI_INT, WORLD);
        else if (form == 1) {
            MPI_Iallgatherv(x, counts[rank], MPI_INT, all, counts, at, MPI_INT, WORLD, &q);
            MPI_Wait(&q, IGNORE);
        } else {
            fill(all + at[rank], counts[rank], 10 * rank);
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, at, MPI_INT, WORLD);
        }
        CHECK(all[0] == 0 && all[2] == 0 && all[3] == -1 && all[11] == 10 && all[6] == 30 && all[4] == -1);
        say_ints("got", all, 12);
    }
}

static void alltoall(void)
{
    int x[P], y[P];
    MPI_Request q;
    for (int i = 0; i < P; i++)
        x[i] = 10 * rank + i;
    MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, WORLD);
    for (int i = 0; i < P; i++)
        CHECK(y[i] == 10 * i + rank);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, y, 1, MPI_INT, WORLD);
    CHECK(memcmp(x, y, sizeof x) == 0);
    MPI_Ialltoall(x, 1, MPI_INT, y, 1, MPI_INT, WORLD, &q);
    MPI_Wait(&q, IGNORE);
    say_ints("got", y, P);
}

/* Rank r sends i + 1 numbers to rank i. */
static void alltoallv(void)
{
    int x[16], y[16], scounts[P], sat[P], rcounts[P], rat[P];
    MPI_Request q;
    for (int i = 0; i < P; i++) {
        scounts[i] = i + 1;
        sat[i] = i * (i + 1) / 2;
        rcounts[i] = rank + 1;
        rat[i] = (P - 1 - i) * (rank + 1);
    }
    for (int i = 0; i < 16; i++)
        x[i] = 100 * rank + i;
    for (int form = 0; form < 2; form++) {
        fill(y, 16, -1);
        if (form == 0)
            MPI_Alltoallv(x, scounts, sat, MPI_INT, y, rcounts, rat, MPI_INT, WORLD);
        else {
            MPI_Ialltoallv(x, scounts, sat, MPI_INT, y, rcounts, rat, MPI_INT, WORLD, &q);
            MPI_Wait(&q, IGNORE);
        }
        for (int i = 0; i < P; i++)
            CHECK(y[rat[i]] == 100 * i + sat[rank]);
        say_ints("got", y, 16);
    }
}

static void alltoallv_in_place(void)
{
    int y[8], counts[P] = {2, 1, 1, 2}, at[P] = {0, 3, 4, 6};
    if (rank == 1 ||
        rank == 2) /* counts are symmetric: 2 between 0 and 3, 1 between all others, 2 to oneself at the ends */
        counts[0] = counts[3] = 1;
    for (int i = 0; i < 8; i++)
        y[i] = 10 * rank + i;
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, y, counts, at, MPI_INT, WORLD);
    CHECK(y[3] == 10 + at[rank] && y[at[rank]] == 10 * rank + at[rank]);
    say_ints("got", y, 8);
}

/* Each pair with a type of its own: bytes at displacements, ints one way and pairs the other. */
static void alltoallw(void)
{
    int x[2 * P], y[2 * P], counts[P], ones[P], at[P];
    MPI_Datatype pair, pairs[P], ints[P];
    MPI_Request q;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < P; i++) {
        pairs[i] = pair;
        ints[i] = MPI_INT;
        counts[i] = 2;
        ones[i] = 1;
        at[i] = 8 * i;
        x[2 * i] = 10 * rank + i;
        x[2 * i + 1] = -x[2 * i];
    }
    for (int form = 0; form < 2; form++) {
        fill(y, 2 * P, -1);
        if (form == 0)
            MPI_Alltoallw(x, ones, at, pairs, y, counts, at, ints, WORLD);
        else {
            MPI_Ialltoallw(x, counts, at, ints, y, ones, at, pairs, WORLD, &q);
            MPI_Wait(&q, IGNORE);
        }
        for (int i = 0; i < P; i++)
            CHECK(y[2 * i] == 10 * i + rank && y[2 * i + 1] == -y[2 * i]);
        say_ints("got", y, 2 * P);
    }
    MPI_Type_free(&pair);
}

/* Several on their way at once, waited for in another order, with messages between. */
static void nonblocking_overlap(void)
{
    int x = rank + 1, sum = 0, all[P], got = -1, token = rank;
    MPI_Request q[4];
    MPI_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD, &q[0]);
    MPI_Iallgather(&x, 1, MPI_INT, all, 1, MPI_INT, WORLD, &q[1]);
    MPI_Ibarrier(WORLD, &q[2]);
    MPI_Irecv(&got, 1, MPI_INT, (rank + 3) % 4, 1, WORLD, &q[3]);
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % 4, 1, WORLD);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    CHECK(sum == 10 && all[3] == 4 && got == (rank + 3) % 4);
    say("%d %d", sum, got);
}

/* A barrier is not done before all have come to it. */
static void ibarrier_waits(void)
{
    int flag = 1, x = 1;
    MPI_Request q;
    if (rank != 0) {
        MPI_Ibarrier(WORLD, &q);
        MPI_Test(&q, &flag, IGNORE);
        CHECK(!flag);
        if (rank == 1)
            MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD);
        if (rank == 2)
            MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);
        if (rank == 2)
            MPI_Send(&x, 1, MPI_INT, 3, 0, WORLD);
        if (rank == 3) {
            MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE);
            MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        }
    } else {
        MPI_Recv(&x, 1, MPI_INT, 3, 0, WORLD, IGNORE);
        MPI_Ibarrier(WORLD, &q);
    }
    MPI_Wait(&q, IGNORE);
    say("done");
}

static void on_a_communicator_of_one(void)
{
    int x = 3, y = -1, sum = -1;
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, MPI_COMM_SELF);
    CHECK(sum == 3 && y == 3);
    MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Alltoall(&x, 1, MPI_INT, &y, 1, MPI_INT, MPI_COMM_SELF);
    CHECK(y == 3);
    say("%d %d", sum, y);
}

/* What only counts at the root may be anything elsewhere. */
static void garbage_where_not_significant(void)
{
    int x = rank, all[P] = {-1, -1, -1, -1}, sum = -1;
    MPI_Gather(&x, 1, MPI_INT, rank == 3 ? all : (int *)8, rank == 3 ? 1 : -7,
               rank == 3 ? MPI_INT : (MPI_Datatype)12345, 3, WORLD);
    CHECK(rank != 3 || all[2] == 2);
    MPI_Reduce(&x, rank == 3 ? &sum : NULL, 1, MPI_INT, MPI_SUM, 3, WORLD);
    CHECK(rank != 3 || sum == 6);
    say_ints("got", all, P);
}

const struct conf_case conf_cases[] = {
    CASE(barrier),
    CASE(bcast_each_root),
    CASE(bcast_nothing),
    CASE(bcast_other_layout),
    CASE(bcast_large),
    CASE(ibcast_two_at_once),
    CASE(gather),
    CASE(gather_in_place),
    CASE(gatherv_with_gaps),
    CASE(scatter),
    CASE(scatterv),
    CASE(allgather),
    CASE(allgatherv),
    CASE(alltoall),
    CASE(alltoallv),
    CASE(alltoallv_in_place),
    CASE(alltoallw),
    CASE(nonblocking_overlap),
    CASE(ibarrier_waits),
    CASE(on_a_communicator_of_one),
    CASE(garbage_where_not_significant),
    END_OF_CASES,
};
