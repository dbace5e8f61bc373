/* SPDX-License-Identifier: BSD-3-Clause
 * How requests complete: Wait, Test and their all, any and some forms; null and inactive requests; persistent requests.
 *
 * ranks: 2 */
#include "conf_kit.h"

static int other(void)
{
    return 1 - rank;
}

/* n requests: rank 1 receives tags 0 to n-1, rank 0 sends them in the order of `order`; returns when all are complete.
 */
static void start_and_finish(MPI_Request *q, int *in, int n)
{
    static int out[8];
    for (int i = 0; i < n; i++) {
        in[i] = -1;
        out[i] = 100 + i;
        if (rank == 1)
            MPI_Irecv(&in[i], 1, MPI_INT, 0, i, WORLD, &q[i]);
        else
            MPI_Isend(&out[i], 1, MPI_INT, 1, i, WORLD, &q[i]);
    }
    for (int i = 0; i < n; i++)
        until_complete(q[i]);
}

static int is_empty(const MPI_Status *st)
{
    int n, cancelled;
    MPI_Get_count(st, MPI_INT, &n);
    MPI_Test_cancelled(st, &cancelled);
    return st->MPI_SOURCE == MPI_ANY_SOURCE && st->MPI_TAG == MPI_ANY_TAG && n == 0 && !cancelled;
}

static void waitall(void)
{
    MPI_Request q[4];
    MPI_Status st[4];
    int in[4];
    start_and_finish(q, in, 3);
    q[3] = MPI_REQUEST_NULL;
    MPI_Waitall(4, q, st);
    for (int i = 0; i < 4; i++)
        CHECK(q[i] == MPI_REQUEST_NULL);
    if (rank == 1)
        for (int i = 0; i < 3; i++)
            CHECK(in[i] == 100 + i && st[i].MPI_SOURCE == 0 && st[i].MPI_TAG == i);
    CHECK(is_empty(&st[3]));
    say_ints("got", in, 3);
}

static void waitall_of_none(void)
{
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Waitall(0, q, MPI_STATUSES_IGNORE);
    CHECK(MPI_Waitall(2, q, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    say("done");
}

static void waitany_takes_the_finished_one(void)
{
    int x[2] = {-1, -1}, y = 7, at = -1;
    MPI_Request q[2];
    MPI_Status st;
    if (rank == 0)
        MPI_Send(&y, 1, MPI_INT, 1, 5, WORLD);
    else {
        MPI_Irecv(&x[0], 1, MPI_INT, 0, 4, WORLD, &q[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 0, 5, WORLD, &q[1]);
        MPI_Waitany(2, q, &at, &st);
        CHECK(at == 1 && q[1] == MPI_REQUEST_NULL && q[0] != MPI_REQUEST_NULL && st.MPI_TAG == 5);
        MPI_Send(&y, 1, MPI_INT, 0, 6, WORLD);
        MPI_Waitany(2, q, &at, &st);
        CHECK(at == 0 && x[0] == 8);
    }
    if (rank == 0) {
        MPI_Recv(&y, 1, MPI_INT, 1, 6, WORLD, IGNORE);
        y = 8;
        MPI_Send(&y, 1, MPI_INT, 1, 4, WORLD);
    }
    say("%d %d", x[0], x[1]);
}

static void waitany_of_none(void)
{
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status st;
    int at = 5;
    MPI_Waitany(2, q, &at, &st);
    CHECK(at == MPI_UNDEFINED && is_empty(&st));
    MPI_Waitany(0, q, &at, &st);
    CHECK(at == MPI_UNDEFINED);
    say("%d", at);
}

static void waitany_one_by_one(void)
{
    MPI_Request q[4];
    int in[4], at, seen = 0;
    start_and_finish(q, in, 4);
    for (int i = 0; i < 4; i++) {
        MPI_Waitany(4, q, &at, IGNORE);
        CHECK(at >= 0 && at < 4 && !(seen >> at & 1));
        seen |= 1 << at;
    }
    MPI_Waitany(4, q, &at, IGNORE);
    CHECK(seen == 15 && at == MPI_UNDEFINED);
    say("%d", seen);
}

static void waitsome_takes_all_finished(void)
{
    MPI_Request q[4];
    MPI_Status st[4];
    int in[4], at[4], n = -1, seen = 0;
    start_and_finish(q, in, 4);
    MPI_Waitsome(4, q, &n, at, st);
    CHECK(n == 4);
    for (int i = 0; i < n; i++) {
        seen |= 1 << at[i];
        CHECK(q[at[i]] == MPI_REQUEST_NULL && (rank == 0 || st[i].MPI_TAG == at[i]));
    }
    MPI_Waitsome(4, q, &n, at, st);
    CHECK(seen == 15 && n == MPI_UNDEFINED);
    say("%d %d", seen, n);
}

static void waitsome_leaves_the_open_one(void)
{
    int x[2] = {-1, -1}, y = 7, n, at[2];
    MPI_Request q[2];
    if (rank == 1) {
        MPI_Irecv(&x[0], 1, MPI_INT, 0, 4, WORLD, &q[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 0, 5, WORLD, &q[1]);
    } else
        MPI_Send(&y, 1, MPI_INT, 1, 5, WORLD);
    if (rank == 1) {
        MPI_Waitsome(2, q, &n, at, MPI_STATUSES_IGNORE);
        CHECK(n == 1 && at[0] == 1 && x[1] == 7);
        MPI_Cancel(&q[0]);
        MPI_Wait(&q[0], IGNORE);
    }
    say("%d %d", x[0], x[1]);
}

static void test(void)
{
    int x = -1, y = 4, flag = 1;
    MPI_Request q;
    MPI_Status st;
    if (rank == 1) {
        MPI_Irecv(&x, 1, MPI_INT, 0, 1, WORLD, &q);
        MPI_Test(&q, &flag, &st);
        CHECK(!flag && q != MPI_REQUEST_NULL);
    }
    meet();
    if (rank == 0)
        MPI_Send(&y, 1, MPI_INT, 1, 1, WORLD);
    else {
        for (flag = 0; !flag;)
            MPI_Test(&q, &flag, &st);
        CHECK(x == 4 && q == MPI_REQUEST_NULL && st.MPI_SOURCE == 0 && st.MPI_TAG == 1);
    }
    say("%d", x);
}

static void tests_of_null(void)
{
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status st[2];
    int flag = 0, at = 0, n = 0, many[2];
    MPI_Test(q, &flag, st);
    CHECK(flag && is_empty(st));
    flag = 0;
    MPI_Testall(2, q, &flag, st);
    CHECK(flag && is_empty(&st[1]));
    flag = 0;
    MPI_Testany(2, q, &at, &flag, st);
    CHECK(flag && at == MPI_UNDEFINED && is_empty(st));
    MPI_Testsome(2, q, &n, many, st);
    CHECK(n == MPI_UNDEFINED);
    MPI_Wait(q, st);
    CHECK(is_empty(st));
    flag = 0;
    st->MPI_ERROR = MPI_SUCCESS; /* MPI asks for that of an empty status, MPICH leaves it as it was */
    MPI_Request_get_status(MPI_REQUEST_NULL, &flag, st);
    CHECK(flag && is_empty(st) && st->MPI_ERROR == MPI_SUCCESS);
    MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE);
    CHECK(flag);
    say("%d %d", at, n);
}

static void testall_is_all_or_nothing(void)
{
    int x[2] = {-1, -1}, y[2] = {7, 8}, flag = 1;
    MPI_Request q[2];
    if (rank == 1) {
        MPI_Irecv(&x[0], 1, MPI_INT, 0, 4, WORLD, &q[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 0, 5, WORLD, &q[1]);
    } else
        MPI_Send(&y[0], 1, MPI_INT, 1, 4, WORLD);
    if (rank == 1) {
        until_complete(q[0]);
        MPI_Testall(2, q, &flag, MPI_STATUSES_IGNORE);
        CHECK(!flag && q[0] != MPI_REQUEST_NULL && q[1] != MPI_REQUEST_NULL);
    }
    meet();
    if (rank == 0)
        MPI_Send(&y[1], 1, MPI_INT, 1, 5, WORLD);
    else {
        until_complete(q[1]);
        MPI_Testall(2, q, &flag, MPI_STATUSES_IGNORE);
        CHECK(flag && q[0] == MPI_REQUEST_NULL && q[1] == MPI_REQUEST_NULL && x[0] == 7 && x[1] == 8);
    }
    say("%d %d", x[0], x[1]);
}

static void testany(void)
{
    MPI_Request q[3];
    int in[3], flag = 0, at = -1;
    q[0] = MPI_REQUEST_NULL;
    start_and_finish(q + 1, in, 2);
    MPI_Wait(&q[1], IGNORE);
    MPI_Testany(3, q, &at, &flag, IGNORE);
    CHECK(flag && at == 2 && q[2] == MPI_REQUEST_NULL);
    say("%d", at);
}

static void testsome(void)
{
    MPI_Request q[4];
    int in[3], at[4], n = -1;
    MPI_Irecv(&n, 1, MPI_INT, other(), 77, WORLD, &q[3]);
    start_and_finish(q, in, 3);
    MPI_Testsome(4, q, &n, at, MPI_STATUSES_IGNORE);
    CHECK(n == 3 && q[3] != MPI_REQUEST_NULL && at[0] + at[1] + at[2] == 3);
    MPI_Cancel(&q[3]);
    MPI_Wait(&q[3], IGNORE);
    say("%d", n);
}

static void get_status_keeps_the_request(void)
{
    MPI_Request q[1];
    MPI_Status st;
    int in[1], flag = 0;
    start_and_finish(q, in, 1);
    MPI_Request_get_status(q[0], &flag, &st);
    CHECK(flag && q[0] != MPI_REQUEST_NULL && (rank == 0 || (st.MPI_SOURCE == 0 && st.MPI_TAG == 0)));
    MPI_Wait(q, IGNORE);
    say("%d", in[0]);
}

static void free_an_active_send(void)
{
    static int x = 21;
    int y = -1;
    MPI_Request q;
    MPI_Isend(&x, 1, MPI_INT, other(), 1, WORLD, &q);
    MPI_Request_free(&q);
    CHECK(q == MPI_REQUEST_NULL);
    MPI_Recv(&y, 1, MPI_INT, other(), 1, WORLD, IGNORE);
    CHECK(y == 21);
    say("%d", y);
}

static void persistent(void)
{
    int x, y;
    MPI_Request q[2];
    MPI_Status st[2];
    MPI_Send_init(&x, 1, MPI_INT, other(), 1, WORLD, &q[0]);
    MPI_Recv_init(&y, 1, MPI_INT, other(), 1, WORLD, &q[1]);
    for (int i = 0; i < 3; i++) {
        x = 10 * rank + i;
        y = -1;
        MPI_Startall(2, q);
        MPI_Waitall(2, q, st);
        CHECK(y == 10 * other() + i && q[0] != MPI_REQUEST_NULL && q[1] != MPI_REQUEST_NULL);
        CHECK(st[1].MPI_SOURCE == other() && st[1].MPI_TAG == 1);
        say("%d", y);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    CHECK(q[0] == MPI_REQUEST_NULL && q[1] == MPI_REQUEST_NULL);
}

static void persistent_inactive(void)
{
    int x = 0, flag = 0, at = 0, n = 0, many[2];
    MPI_Request q[2];
    MPI_Status st;
    MPI_Send_init(&x, 1, MPI_INT, other(), 1, WORLD, &q[0]);
    MPI_Recv_init(&x, 1, MPI_INT, other(), 1, WORLD, &q[1]);
    MPI_Wait(&q[1], &st);
    CHECK(is_empty(&st));
    MPI_Test(&q[0], &flag, &st);
    CHECK(flag && is_empty(&st));
    MPI_Waitany(2, q, &at, &st);
    CHECK(at == MPI_UNDEFINED && is_empty(&st));
    MPI_Testsome(2, q, &n, many, MPI_STATUSES_IGNORE);
    CHECK(n == MPI_UNDEFINED);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    say("%d %d", at, n);
}

static void persistent_restarted_by_waitany(void)
{
    int x[2] = {1, 2}, y[2], at;
    MPI_Request q[2];
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            MPI_Send(&x[i % 2], 1, MPI_INT, 1, i % 2, WORLD);
    else {
        for (int i = 0; i < 2; i++)
            MPI_Recv_init(&y[i], 1, MPI_INT, 0, i, WORLD, &q[i]);
        MPI_Start(&q[0]);
        MPI_Waitany(2, q, &at, IGNORE);
        CHECK(at == 0 && y[0] == 1);
        MPI_Start(&q[1]);
        MPI_Waitany(2, q, &at, IGNORE);
        CHECK(at == 1 && y[1] == 2);
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        MPI_Request_free(&q[0]);
        MPI_Request_free(&q[1]);
        say_ints("got", y, 2);
    }
}

static void persistent_to_proc_null(void)
{
    int x = 1;
    MPI_Request q[2];
    MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 1, WORLD, &q[0]);
    MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, 1, WORLD, &q[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        CHECK(x == 1);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    say("%d", x);
}

/* Freed while it is active: it goes when it is done. */
static void persistent_freed_active(void)
{
    static int x = 31;
    int y = -1;
    MPI_Request q;
    MPI_Send_init(&x, 1, MPI_INT, other(), 1, WORLD, &q);
    MPI_Start(&q);
    MPI_Request_free(&q);
    MPI_Recv(&y, 1, MPI_INT, other(), 1, WORLD, IGNORE);
    CHECK(y == 31 && q == MPI_REQUEST_NULL);
    say("%d", y);
}

static void many_at_once(void)
{
    enum { N = 200 };
    int x[N], y[N], sum = 0;
    MPI_Request q[2 * N];
    for (int i = 0; i < N; i++) {
        x[i] = i * (rank + 1);
        MPI_Irecv(&y[i], 1, MPI_INT, other(), N - i, WORLD, &q[i]);
    }
    for (int i = 0; i < N; i++)
        MPI_Isend(&x[i], 1, MPI_INT, other(), N - i, WORLD, &q[N + i]);
    MPI_Waitall(2 * N, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++) {
        CHECK(y[i] == i * (other() + 1));
        sum += y[i];
    }
    say("%d", sum);
}

const struct conf_case conf_cases[] = {
    CASE(waitall),
    CASE(waitall_of_none),
    CASE(waitany_takes_the_finished_one),
    CASE(waitany_of_none),
    CASE(waitany_one_by_one),
    CASE(waitsome_takes_all_finished),
    CASE(waitsome_leaves_the_open_one),
    CASE(test),
    CASE(tests_of_null),
    CASE(testall_is_all_or_nothing),
    CASE(testany),
    CASE(testsome),
    CASE(get_status_keeps_the_request),
    CASE(free_an_active_send),
    CASE(persistent),
    CASE(persistent_inactive),
    CASE(persistent_restarted_by_waitany),
    CASE(persistent_to_proc_null),
    CASE(persistent_freed_active),
    CASE(many_at_once),
    END_OF_CASES,
};
