/* SPDX-License-Identifier: BSD-3-Clause
 * Corners of messages: truncation in every call that receives, what statuses keep, order between probes and receives,
 * buffers with holes.
 *
 * ranks: 4 */
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

static void quiet(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
}

/* Three, then one: the one must come through whatever became of the three. */
static void send_three_and_one(int to)
{
    int x[3] = {1, 2, 3}, one = 77;
    MPI_Send(x, 3, MPI_INT, to, 0, WORLD);
    MPI_Send(&one, 1, MPI_INT, to, 0, WORLD);
}

static void the_one_comes(int from)
{
    int y = 0;
    MPI_Recv(&y, 1, MPI_INT, from, 0, WORLD, IGNORE);
    CHECK(y == 77);
    say("then %d", y);
}

/* ---- too long a message ---- */

static void truncated_in_sendrecv(void)
{
    int x[3] = {rank, 2, 3}, y[2] = {-1, -1};
    quiet();
    int code = MPI_Sendrecv(x, 3, MPI_INT, (rank + 1) % 4, 1, y, 2, MPI_INT, (rank + 3) % 4, 1, WORLD, IGNORE);
    CHECK(class_of(code) == MPI_ERR_TRUNCATE);
    send_three_and_one(rank);
    MPI_Recv(x, 3, MPI_INT, rank, 0, WORLD, IGNORE);
    the_one_comes(rank);
}

static void truncated_in_mrecv(void)
{
    int y[2] = {-1, -1}, flag = 0;
    MPI_Message m;
    MPI_Request q;
    quiet();
    if (rank == 0)
        send_three_and_one(1);
    if (rank == 2)
        send_three_and_one(3);
    if (rank == 1) {
        MPI_Mprobe(0, 0, WORLD, &m, IGNORE);
        CHECK(class_of(MPI_Mrecv(y, 2, MPI_INT, &m, IGNORE)) == MPI_ERR_TRUNCATE);
        the_one_comes(0);
    }
    if (rank == 3) {
        while (!flag)
            MPI_Improbe(2, 0, WORLD, &flag, &m, IGNORE);
        CHECK(MPI_Imrecv(y, 2, MPI_INT, &m, &q) == MPI_SUCCESS);
        CHECK(class_of(MPI_Wait(&q, IGNORE)) == MPI_ERR_TRUNCATE);
        CHECK(q == MPI_REQUEST_NULL);
        the_one_comes(2);
    }
    say("%d", y[0] == -1 || y[0] == 1);
}

static void truncated_in_waitany_and_waitsome(void)
{
    int y[2], index = -1, n = -1, which[2];
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[2];
    quiet();
    if (rank % 2 == 0)
        send_three_and_one(rank + 1);
    if (rank == 1) {
        MPI_Irecv(y, 2, MPI_INT, 0, 0, WORLD, &q[1]);
        CHECK(class_of(MPI_Waitany(2, q, &index, IGNORE)) == MPI_ERR_TRUNCATE);
        CHECK(index == 1 && q[1] == MPI_REQUEST_NULL);
        the_one_comes(0);
    }
    if (rank == 3) {
        MPI_Irecv(y, 2, MPI_INT, 2, 0, WORLD, &q[0]);
        CHECK(class_of(MPI_Waitsome(2, q, &n, which, s)) == MPI_ERR_IN_STATUS);
        CHECK(n == 1 && which[0] == 0 && class_of(s[0].MPI_ERROR) == MPI_ERR_TRUNCATE);
        the_one_comes(2);
    }
    say("%d", index);
}

static void truncated_in_test_and_testall(void)
{
    int y[2], flag = 0, code = MPI_SUCCESS;
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[2];
    quiet();
    if (rank % 2 == 0)
        send_three_and_one(rank + 1);
    if (rank == 1) {
        MPI_Irecv(y, 2, MPI_INT, 0, 0, WORLD, &q[0]);
        until_complete(q[0]);
        code = MPI_Test(&q[0], &flag, IGNORE);
        CHECK(class_of(code) == MPI_ERR_TRUNCATE && flag);
        the_one_comes(0);
    }
    if (rank == 3) {
        MPI_Irecv(y, 2, MPI_INT, 2, 0, WORLD, &q[0]);
        until_complete(q[0]);
        code = MPI_Testall(2, q, &flag, s);
        CHECK(class_of(code) == MPI_ERR_IN_STATUS && class_of(s[0].MPI_ERROR) == MPI_ERR_TRUNCATE &&
              class_of(s[1].MPI_ERROR) == MPI_SUCCESS);
        the_one_comes(2);
    }
    say("%d", class_of(code));
}

/* A persistent receive that was too short can be started again. */
static void truncated_persistent(void)
{
    int y[2] = {0, 0};
    MPI_Request q;
    quiet();
    if (rank % 2 == 0) {
        send_three_and_one(rank + 1);
    } else {
        MPI_Recv_init(y, 2, MPI_INT, rank - 1, 0, WORLD, &q);
        MPI_Start(&q);
        CHECK(class_of(MPI_Wait(&q, IGNORE)) == MPI_ERR_TRUNCATE);
        CHECK(q != MPI_REQUEST_NULL);
        MPI_Start(&q);
        CHECK(MPI_Wait(&q, IGNORE) == MPI_SUCCESS);
        CHECK(y[0] == 77);
        MPI_Request_free(&q);
    }
    say("%d", y[0]);
}

/* Room for less than one element of the type: nothing that does not belong to the type is written. */
static void truncated_with_holes(void)
{
    int x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {-1, -1, -1, -1, -1, -1};
    MPI_Datatype t;
    quiet();
    MPI_Type_vector(3, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    if (rank % 2 == 0)
        MPI_Send(x, 6, MPI_INT, rank + 1, 3, WORLD);
    else
        CHECK(class_of(MPI_Recv(y, 1, t, rank - 1, 3, WORLD, IGNORE)) == MPI_ERR_TRUNCATE);
    CHECK(y[1] == -1 && y[3] == -1 && y[5] == -1);
    say("%d %d", y[1], y[5]);
    MPI_Type_free(&t);
}

/* ---- statuses ---- */

/* Calls with one status leave its error field alone. */
static void error_field_is_kept(void)
{
    int x = rank, y, flag = 0;
    MPI_Status s;
    MPI_Request q;
    s.MPI_ERROR = 4242;
    MPI_Sendrecv(&x, 1, MPI_INT, rank ^ 1, 0, &y, 1, MPI_INT, rank ^ 1, 0, WORLD, &s);
    CHECK(s.MPI_ERROR == 4242);
    MPI_Isend(&x, 1, MPI_INT, rank ^ 1, 0, WORLD, &q);
    MPI_Recv(&y, 1, MPI_INT, rank ^ 1, 0, WORLD, &s);
    CHECK(s.MPI_ERROR == 4242 && s.MPI_SOURCE == (rank ^ 1));
    MPI_Wait(&q, IGNORE);
    MPI_Irecv(&y, 1, MPI_INT, rank ^ 1, 1, WORLD, &q);
    MPI_Send(&x, 1, MPI_INT, rank ^ 1, 1, WORLD);
    until_complete(q);
    MPI_Test(&q, &flag, &s);
    CHECK(flag && s.MPI_ERROR == 4242 && s.MPI_TAG == 1);
    say("%d", s.MPI_ERROR);
}

/* Parts of an element: counts are undefined, elements are not. */
static void parts_of_elements(void)
{
    int x[9] = {0}, y[20], n, elements;
    MPI_Count many;
    MPI_Datatype three, nested, nothing;
    MPI_Status s;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_vector(2, 1, 3, three, &nested);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nested);
    MPI_Type_commit(&nothing);
    for (int length = 0; length <= 9; length += 3) {
        MPI_Sendrecv(x, length, MPI_INT, rank, 0, y, 2, nested, rank, 0, WORLD, &s);
        MPI_Get_count(&s, nested, &n);
        MPI_Get_elements(&s, nested, &elements);
        MPI_Get_elements_x(&s, nested, &many);
        CHECK(elements == length && many == length && n == (length % 6 ? MPI_UNDEFINED : length / 6));
        say("%d: %d %d", length, n == MPI_UNDEFINED ? -1 : n, elements);
    }
    MPI_Sendrecv(x, 0, MPI_INT, rank, 0, y, 2, nothing, rank, 0, WORLD, &s);
    MPI_Get_count(&s, nothing, &n);
    CHECK(n == 0);
    MPI_Type_free(&three);
    MPI_Type_free(&nested);
    MPI_Type_free(&nothing);
}

/* Statuses of completed sends, and of requests that were null, are empty. */
static void statuses_of_a_mixed_waitall(void)
{
    int x = rank, y = -1, n;
    MPI_Request q[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[4];
    MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &q[3]);
    MPI_Isend(&x, 1, MPI_INT, (rank + 1) % 4, 40 + rank, WORLD, &q[1]);
    MPI_Waitall(4, q, s);
    for (int i = 0; i < 4; i += 2) {
        MPI_Get_count(&s[i], MPI_INT, &n);
        CHECK(s[i].MPI_SOURCE == MPI_ANY_SOURCE && s[i].MPI_TAG == MPI_ANY_TAG && n == 0);
    }
    CHECK(s[3].MPI_SOURCE == (rank + 3) % 4 && s[3].MPI_TAG == 40 + (rank + 3) % 4 && y == (rank + 3) % 4);
    say("%d %d", s[3].MPI_SOURCE, s[3].MPI_TAG);
}

/* ---- order ---- */

/* A receive that was posted takes the first message, so a probe sees the second. */
static void a_probe_sees_what_is_left(void)
{
    int x[2] = {10, 20}, y[2] = {0, 0}, n;
    MPI_Request q;
    MPI_Status s;
    if (rank % 2 == 1)
        MPI_Irecv(y, 2, MPI_INT, rank - 1, MPI_ANY_TAG, WORLD, &q);
    meet();
    if (rank % 2 == 0) {
        MPI_Send(x, 1, MPI_INT, rank + 1, 5, WORLD);
        MPI_Send(x, 2, MPI_INT, rank + 1, 6, WORLD);
    } else {
        MPI_Probe(rank - 1, MPI_ANY_TAG, WORLD, &s);
        MPI_Get_count(&s, MPI_INT, &n);
        CHECK(s.MPI_TAG == 6 && n == 2);
        MPI_Wait(&q, &s);
        CHECK(s.MPI_TAG == 5 && y[0] == 10);
        MPI_Recv(y, 2, MPI_INT, rank - 1, 6, WORLD, IGNORE);
    }
    say_ints("", y, 2);
}

/* Messages that a matched probe has taken out no longer stand in the way of later ones. */
static void a_taken_message_does_not_match(void)
{
    int x[3] = {1, 2, 3}, y[3];
    MPI_Message m[2];
    if (rank % 2 == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Send(&x[i], 1, MPI_INT, rank + 1, 9, WORLD);
    } else {
        MPI_Mprobe(MPI_ANY_SOURCE, 9, WORLD, &m[0], IGNORE);
        MPI_Mprobe(rank - 1, MPI_ANY_TAG, WORLD, &m[1], IGNORE);
        MPI_Recv(&y[2], 1, MPI_INT, rank - 1, 9, WORLD, IGNORE);
        MPI_Mrecv(&y[1], 1, MPI_INT, &m[1], IGNORE);
        MPI_Mrecv(&y[0], 1, MPI_INT, &m[0], IGNORE);
        CHECK(y[0] == 1 && y[1] == 2 && y[2] == 3);
        say_ints("", y, 3);
    }
    say("done");
}

/* One receive by tag and one by source, each would take the other's message: what was posted first has the choice. */
static void wildcards_that_cross(void)
{
    int x[2] = {100 + rank, 200 + rank}, y[3] = {0, 0, 0};
    MPI_Request q[3];
    if (rank == 0) {
        MPI_Irecv(&y[0], 1, MPI_INT, 2, MPI_ANY_TAG, WORLD, &q[0]);
        MPI_Irecv(&y[1], 1, MPI_INT, 2, 7, WORLD, &q[1]);
        MPI_Irecv(&y[2], 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, &q[2]);
    }
    meet();
    if (rank == 2) {
        MPI_Send(&x[0], 1, MPI_INT, 0, 7, WORLD);
        MPI_Send(&x[1], 1, MPI_INT, 0, 7, WORLD);
    }
    meet();
    if (rank == 1)
        MPI_Send(&x[0], 1, MPI_INT, 0, 7, WORLD);
    if (rank == 0) {
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        CHECK(y[0] == 102 && y[1] == 202 && y[2] == 101);
    }
    say_ints("", y, 3);
}

/* A cancelled receive gives its place to the one behind it. */
static void cancelled_makes_room(void)
{
    int x = 5 + rank, y[2] = {0, 0}, gone = 0;
    MPI_Request q[2];
    MPI_Status s;
    if (rank % 2 == 1) {
        MPI_Irecv(&y[0], 1, MPI_INT, MPI_ANY_SOURCE, 3, WORLD, &q[0]);
        MPI_Irecv(&y[1], 1, MPI_INT, rank - 1, 3, WORLD, &q[1]);
        MPI_Cancel(&q[0]);
        MPI_Wait(&q[0], &s);
        MPI_Test_cancelled(&s, &gone);
        CHECK(gone);
    }
    meet();
    if (rank % 2 == 0)
        MPI_Send(&x, 1, MPI_INT, rank + 1, 3, WORLD);
    else
        MPI_Wait(&q[1], IGNORE);
    CHECK(rank % 2 == 0 || (y[0] == 0 && y[1] == 5 + rank - 1));
    say("%d", y[1]);
}

/* ---- buffers ---- */

/* What lies in the holes of a buffer stays there, also when it is replaced. */
static void replaced_around_holes(void)
{
    int x[8];
    MPI_Datatype t;
    MPI_Status s;
    for (int i = 0; i < 8; i++)
        x[i] = 10 * rank + i;
    MPI_Type_vector(4, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Sendrecv_replace(x, 1, t, (rank + 1) % 4, 1, (rank + 3) % 4, 1, WORLD, &s);
    for (int i = 0; i < 8; i++)
        CHECK(x[i] == 10 * (i % 2 ? rank : (rank + 3) % 4) + i);
    CHECK(s.MPI_SOURCE == (rank + 3) % 4);
    say_ints("", x, 8);
    MPI_Type_free(&t);
}

/* Absolute addresses on both sides, of several variables at once. */
static void addresses_from_the_bottom(void)
{
    int a = rank, lengths[2] = {1, 2};
    double b[2] = {rank + 0.5, rank + 0.25};
    MPI_Aint at[2];
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, t;
    MPI_Get_address(&a, &at[0]);
    MPI_Get_address(b, &at[1]);
    MPI_Type_create_struct(2, lengths, at, parts, &t);
    MPI_Type_commit(&t);
    MPI_Bcast(MPI_BOTTOM, 1, t, 2, WORLD);
    CHECK(a == 2 && b[1] == 2.25);
    a += rank;
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, t, rank ^ 1, 0, rank ^ 1, 0, WORLD, IGNORE);
    CHECK(a == 2 + (rank ^ 1));
    say("%d %g %g", a, b[0], b[1]);
    MPI_Type_free(&t);
}

/* A type that begins before its address. */
static void negative_displacements(void)
{
    int x[6] = {0, 1, 2, 3, 4, 5}, y[6] = {0}, lengths[2] = {2, 1}, at[2] = {-3, 1};
    MPI_Aint lb, extent;
    MPI_Datatype t;
    MPI_Type_indexed(2, lengths, at, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Type_get_extent(t, &lb, &extent);
    CHECK(lb == -3 * (MPI_Aint)sizeof(int) && extent == 5 * (MPI_Aint)sizeof(int));
    MPI_Sendrecv(x + 3, 1, t, rank ^ 1, 0, y + 4, 1, t, rank ^ 1, 0, WORLD, IGNORE);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 1 && y[3] == 0 && y[5] == 4);
    say_ints("", y, 6);
    MPI_Type_free(&t);
}

/* The type is freed while the receive is under way: it lives until that is done. */
static void freed_type_of_an_open_receive(void)
{
    int x[2] = {rank, rank + 1}, y[3] = {-1, -1, -1};
    MPI_Datatype t;
    MPI_Request q;
    MPI_Type_vector(2, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Irecv(y, 1, t, rank ^ 1, 0, WORLD, &q);
    MPI_Type_free(&t);
    MPI_Send(x, 2, MPI_INT, rank ^ 1, 0, WORLD);
    MPI_Wait(&q, IGNORE);
    CHECK(y[0] == (rank ^ 1) && y[1] == -1 && y[2] == (rank ^ 1) + 1);
    say_ints("", y, 3);
}

/* Starts of several kinds at once, in an order that is not that of their making. */
static void startall_of_all_kinds(void)
{
    int x[3] = {1, 2, 3}, y[3], next = (rank + 1) % 4, before = (rank + 3) % 4;
    MPI_Request q[6], shuffled[6];
    static const int order[6] = {3, 0, 5, 1, 4, 2};
    MPI_Send_init(&x[0], 1, MPI_INT, next, 0, WORLD, &q[0]);
    MPI_Ssend_init(&x[1], 1, MPI_INT, next, 1, WORLD, &q[1]);
    MPI_Send_init(&x[2], 1, MPI_INT, next, 2, WORLD, &q[2]);
    for (int i = 0; i < 3; i++)
        MPI_Recv_init(&y[i], 1, MPI_INT, before, i, WORLD, &q[3 + i]);
    for (int i = 0; i < 6; i++)
        shuffled[i] = q[order[i]];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            x[i] += 10 * rank;
            y[i] = -1;
        }
        MPI_Startall(6, shuffled);
        MPI_Waitall(6, shuffled, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++)
            CHECK(y[i] == i + 1 + 10 * before * (round + 1));
    }
    say_ints("", y, 3);
    for (int i = 0; i < 6; i++)
        MPI_Request_free(&q[i]);
}

const struct conf_case conf_cases[] = {
    CASE(truncated_in_sendrecv),
    CASE(truncated_in_mrecv),
    CASE(truncated_in_waitany_and_waitsome),
    CASE(truncated_in_test_and_testall),
    CASE(truncated_persistent),
    CASE(truncated_with_holes),
    CASE(error_field_is_kept),
    CASE(parts_of_elements),
    CASE(statuses_of_a_mixed_waitall),
    CASE(a_probe_sees_what_is_left),
    CASE(a_taken_message_does_not_match),
    CASE(wildcards_that_cross),
    CASE(cancelled_makes_room),
    CASE(replaced_around_holes),
    CASE(addresses_from_the_bottom),
    CASE(negative_displacements),
    CASE(freed_type_of_an_open_receive),
    CASE(startall_of_all_kinds),
    END_OF_CASES,
};
