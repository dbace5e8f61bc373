/* SPDX-License-Identifier: BSD-3-Clause
 * Which message a receive gets: order on a pair of ranks, tags, wildcards, communicators, MPI_PROC_NULL.
 *
 * ranks: 3 */
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

static int next_rank(void)
{
    return (rank + 1) % size;
}
static int previous_rank(void)
{
    return (rank + size - 1) % size;
}

static void send_int(int value, int to, int tag)
{
    MPI_Send(&value, 1, MPI_INT, to, tag, WORLD);
}

static int recv_int(int from, int tag)
{
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, from, tag, WORLD, IGNORE);
    return value;
}

static void same_tag(void)
{
    int got[6];
    for (int i = 0; i < 6 && rank == 0; i++)
        send_int(10 + i, 1, 3);
    if (rank != 1)
        return;
    for (int i = 0; i < 6; i++) {
        got[i] = recv_int(0, 3);
        CHECK(got[i] == 10 + i);
    }
    say_ints("got", got, 6);
}

static void tags_choose(void)
{
    int got[4];
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            send_int(i, 1, i % 2);
    if (rank != 1)
        return;
    got[0] = recv_int(0, 1);
    got[1] = recv_int(0, 0);
    got[2] = recv_int(0, 0);
    got[3] = recv_int(0, 1);
    CHECK(got[0] == 1 && got[1] == 0 && got[2] == 2 && got[3] == 3);
    say_ints("got", got, 4);
}

static void any_tag_in_order(void)
{
    static const int tags[4] = {9, 2, 2, 5};
    MPI_Status st;
    int x;
    for (int i = 0; i < 4; i++) {
        if (rank == 0)
            send_int(i, 1, tags[i]);
        if (rank != 1)
            continue;
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &st);
        CHECK(x == i && st.MPI_TAG == tags[i] && st.MPI_SOURCE == 0);
        say("%d with tag %d", x, st.MPI_TAG);
    }
}

static void any_source_keeps_each_order(void)
{
    int last[3] = {-1, -1, -1}, x;
    MPI_Status st;
    if (rank > 0)
        for (int i = 0; i < 4; i++)
            send_int(i, 0, 7);
    for (int i = 0; i < 8 && rank == 0; i++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, &st);
        CHECK(x == last[st.MPI_SOURCE] + 1);
        last[st.MPI_SOURCE] = x;
    }
    say_ints("last", last, 3);
}

static void any_source_one_sender(void)
{
    MPI_Status st;
    int x = -1;
    if (rank == 2)
        send_int(42, 0, 1);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &st);
        CHECK(x == 42 && st.MPI_SOURCE == 2 && st.MPI_TAG == 1);
        say("%d from %d", x, st.MPI_SOURCE);
    }
}

static void posted_in_order(void)
{
    int got[3] = {-1, -1, -1};
    MPI_Request q[3];
    if (rank == 1)
        for (int i = 0; i < 3; i++)
            MPI_Irecv(&got[i], 1, MPI_INT, 0, 4, WORLD, &q[i]);
    meet();
    if (rank == 0)
        for (int i = 0; i < 3; i++)
            send_int(i, 1, 4);
    if (rank == 1) {
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        CHECK(got[0] == 0 && got[1] == 1 && got[2] == 2);
        say_ints("got", got, 3);
    }
}

/* The wildcard was posted first, so it takes the first message though the second receive names its tag. */
static void wildcard_posted_first(void)
{
    int any = -1, named = -1;
    MPI_Request q[2];
    if (rank == 1) {
        MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &q[0]);
        MPI_Irecv(&named, 1, MPI_INT, 0, 6, WORLD, &q[1]);
    }
    meet();
    if (rank == 0) {
        send_int(1, 1, 6);
        send_int(2, 1, 6);
    }
    if (rank == 1) {
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        CHECK(any == 1 && named == 2);
        say("%d %d", any, named);
    }
}

/* The second receive cannot take the first message, and its own comes later: it completes while the first is still
 * open. */
static void second_completes_first(void)
{
    int a = -1, b = -1;
    MPI_Request q[2];
    if (rank == 1) {
        MPI_Irecv(&a, 1, MPI_INT, 0, 1, WORLD, &q[0]);
        MPI_Irecv(&b, 1, MPI_INT, 0, 2, WORLD, &q[1]);
        MPI_Wait(&q[1], IGNORE);
        CHECK(b == 20 && a == -1);
        send_int(0, 0, 3);
        MPI_Wait(&q[0], IGNORE);
        CHECK(a == 10);
        say("%d %d", a, b);
    }
    if (rank == 0) {
        send_int(20, 1, 2);
        recv_int(1, 3);
        send_int(10, 1, 1);
    }
}

static void unexpected_many(void)
{
    int sum = 0;
    if (rank == 0)
        for (int i = 0; i < 64; i++)
            send_int(i, 1, i);
    meet();
    if (rank == 1) {
        for (int i = 63; i >= 0; i--) {
            int x = recv_int(0, i);
            CHECK(x == i);
            sum = sum * 3 % 1009 + x;
        }
        say("%d", sum);
    }
}

static void communicators_apart(void)
{
    MPI_Comm other;
    int x = 1, y = 2, a = -1, b = -1;
    MPI_Comm_dup(WORLD, &other);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 5, WORLD);
        MPI_Send(&y, 1, MPI_INT, 1, 5, other);
    }
    if (rank == 1) {
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, IGNORE);
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE);
        CHECK(a == 1 && b == 2);
        say("%d %d", a, b);
    }
    MPI_Comm_free(&other);
}

/* Collectives and wildcards on the same communicator do not see each other. */
static void collectives_apart(void)
{
    int x = rank, sum = 0, got = -1;
    MPI_Request q;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &q);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD);
    send_int(100 + rank, next_rank(), 0);
    MPI_Wait(&q, IGNORE);
    CHECK(sum == 3 && got == 100 + previous_rank());
    say("%d %d", sum, got);
}

static void large_then_small(void)
{
    enum { N = 300000 };
    int *big = malloc(N * sizeof *big), small = 5, bad = 0;
    MPI_Request q[2];
    for (int i = 0; i < N; i++)
        big[i] = rank == 0 ? i ^ 0x55 : -1;
    if (rank == 0) {
        MPI_Isend(big, N, MPI_INT, 1, 8, WORLD, &q[0]);
        MPI_Isend(&small, 1, MPI_INT, 1, 8, WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    if (rank == 1) {
        MPI_Status st;
        int n;
        MPI_Recv(big, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &st);
        MPI_Get_count(&st, MPI_INT, &n);
        small = recv_int(0, 8);
        for (int i = 0; i < N; i++)
            bad += big[i] != (i ^ 0x55);
        CHECK(n == N && bad == 0 && small == 5);
        say("%d %d %d", n, bad, small);
    }
    free(big);
}

static void large_both_ways(void)
{
    enum { N = 200000 };
    char *out = malloc(N), *in = malloc(N);
    MPI_Request q[2];
    int bad = 0;
    memset(out, 'a' + rank, N);
    MPI_Isend(out, N, MPI_CHAR, next_rank(), 1, WORLD, &q[0]);
    MPI_Irecv(in, N, MPI_CHAR, previous_rank(), 1, WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++)
        bad += in[i] != 'a' + previous_rank();
    CHECK(bad == 0);
    say("%d %c", bad, in[N - 1]);
    free(out);
    free(in);
}

static void to_myself(void)
{
    int x[2] = {rank, rank * 2}, y[2] = {-1, -1};
    MPI_Request q;
    MPI_Status st;
    MPI_Isend(x, 2, MPI_INT, rank, 1, WORLD, &q);
    MPI_Recv(y, 2, MPI_INT, rank, 1, WORLD, &st);
    MPI_Wait(&q, IGNORE);
    CHECK(y[0] == rank && y[1] == 2 * rank && st.MPI_SOURCE == rank);
    MPI_Irecv(y, 2, MPI_INT, 0, 2, MPI_COMM_SELF, &q);
    MPI_Send(x, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    MPI_Wait(&q, &st);
    CHECK(st.MPI_SOURCE == 0 && st.MPI_TAG == 2);
    say("%d %d", y[0], y[1]);
}

static void nothing_sent(void)
{
    int n = -1, x = 77;
    MPI_Status st;
    if (rank == 0)
        MPI_Send(&x, 0, MPI_INT, 1, 2, WORLD);
    if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, 2, WORLD, &st);
        MPI_Get_count(&st, MPI_INT, &n);
        CHECK(n == 0 && x == 77 && st.MPI_TAG == 2);
        say("%d %d", n, x);
    }
}

static void shorter_than_the_buffer(void)
{
    double d[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    MPI_Status st;
    int n;
    if (rank == 2)
        MPI_Send(d, 3, MPI_DOUBLE, 0, 2, WORLD);
    if (rank == 0) {
        for (int i = 0; i < 8; i++)
            d[i] = -1;
        MPI_Recv(d, 8, MPI_DOUBLE, 2, 2, WORLD, &st);
        MPI_Get_count(&st, MPI_DOUBLE, &n);
        CHECK(n == 3 && d[2] == 3 && d[3] == -1);
        say_doubles("got", d, 8);
    }
}

static void proc_null(void)
{
    int x = 3, n = -1;
    MPI_Status st;
    MPI_Request q[2];
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD);
    MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 9, WORLD, &st);
    MPI_Get_count(&st, MPI_INT, &n);
    CHECK(st.MPI_SOURCE == MPI_PROC_NULL && st.MPI_TAG == MPI_ANY_TAG && n == 0 && x == 3);
    MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &q[0]);
    MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &q[1]);
    /* The status should name MPI_PROC_NULL; MPICH 4.0.2 leaves it as it was, so it is not looked at. */
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    CHECK(x == 3);
    MPI_Sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, &n, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &st);
    CHECK(st.MPI_SOURCE == MPI_PROC_NULL && n == 0);
    say("%d %d", st.MPI_SOURCE, st.MPI_TAG);
}

static void sendrecv_ring(void)
{
    int x[2] = {rank, 2 * rank}, y[3] = {-1, -1, -1}, n;
    MPI_Status st;
    MPI_Sendrecv(x, 2, MPI_INT, next_rank(), 1, y, 3, MPI_INT, previous_rank(), 1, WORLD, &st);
    MPI_Get_count(&st, MPI_INT, &n);
    CHECK(n == 2 && y[1] == 2 * previous_rank() && y[2] == -1 && st.MPI_SOURCE == previous_rank());
    say_ints("got", y, 3);
}

static void sendrecv_open_chain(void)
{
    int x = rank, y = -1;
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&x, 1, MPI_INT, up, 1, &y, 1, MPI_INT, down, 1, WORLD, IGNORE);
    CHECK(y == (rank > 0 ? rank - 1 : -1));
    say("%d", y);
}

static void sendrecv_meets_send(void)
{
    int x = rank, y = -1;
    if (rank == 0)
        MPI_Sendrecv(&x, 1, MPI_INT, 1, 1, &y, 1, MPI_INT, 1, 2, WORLD, IGNORE);
    if (rank == 1) {
        y = recv_int(0, 1);
        send_int(5, 0, 2);
    }
    CHECK(rank != 0 || y == 5);
    say("%d", y);
}

static void sendrecv_replace(void)
{
    int x[3] = {rank, rank + 10, rank + 20};
    MPI_Status st;
    MPI_Sendrecv_replace(x, 3, MPI_INT, next_rank(), 4, previous_rank(), 4, WORLD, &st);
    CHECK(x[0] == previous_rank() && x[2] == previous_rank() + 20 && st.MPI_TAG == 4);
    MPI_Sendrecv_replace(x, 3, MPI_INT, rank, 4, rank, 4, WORLD, &st);
    say_ints("got", x, 3);
}

static void largest_tag(void)
{
    int *ub, flag, x = -1;
    MPI_Status st;
    MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &ub, &flag);
    CHECK(flag && *ub >= 32767);
    if (rank == 0)
        send_int(11, 1, *ub);
    if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &st);
        CHECK(x == 11 && st.MPI_TAG == *ub);
    }
    say("%d", x);
}

/* Types need not be the same, only their signatures. */
static void other_type_same_signature(void)
{
    int x[4] = {1, 2, 3, 4}, n;
    MPI_Datatype pair;
    MPI_Status st;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0)
        MPI_Send(x, 2, pair, 1, 0, WORLD);
    if (rank == 1) {
        x[3] = 0;
        MPI_Recv(x, 4, MPI_INT, 0, 0, WORLD, &st);
        MPI_Get_count(&st, pair, &n);
        CHECK(n == 2 && x[3] == 4);
        say("%d", n);
    }
    MPI_Type_free(&pair);
}

const struct conf_case conf_cases[] = {
    CASE(same_tag),
    CASE(tags_choose),
    CASE(any_tag_in_order),
    CASE(any_source_keeps_each_order),
    CASE(any_source_one_sender),
    CASE(posted_in_order),
    CASE(wildcard_posted_first),
    CASE(second_completes_first),
    CASE(unexpected_many),
    CASE(communicators_apart),
    CASE(collectives_apart),
    CASE(large_then_small),
    CASE(large_both_ways),
    CASE(to_myself),
    CASE(nothing_sent),
    CASE(shorter_than_the_buffer),
    CASE(proc_null),
    CASE(sendrecv_ring),
    CASE(sendrecv_open_chain),
    CASE(sendrecv_meets_send),
    CASE(sendrecv_replace),
    CASE(largest_tag),
    CASE(other_type_same_signature),
    END_OF_CASES,
};
