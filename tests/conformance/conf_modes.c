/* SPDX-License-Identifier: BSD-3-Clause
 * Send modes: synchronous, buffered, ready, and their nonblocking and persistent forms; attached buffers; cancelled
 * receives.
 *
 * ranks: 2 */
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

static int other(void)
{
    return 1 - rank;
}

static void token(int to, int tag)
{
    MPI_Send(&tag, 1, MPI_INT, to, tag, WORLD);
}

static int take(int tag)
{
    int x = -1;
    MPI_Recv(&x, 1, MPI_INT, 0, tag, WORLD, IGNORE);
    return x;
}

static void ssend(void)
{
    int x = 12;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 1, WORLD);
    else
        say("%d", take(1));
}

/* A synchronous send is not done before its receive has begun, and that waits for a later message. */
static void issend_waits_for_its_receive(void)
{
    int x = 3, flag = 1;
    MPI_Request q;
    if (rank == 0) {
        MPI_Issend(&x, 1, MPI_INT, 1, 1, WORLD, &q);
        MPI_Test(&q, &flag, IGNORE);
        CHECK(!flag && q != MPI_REQUEST_NULL);
        token(1, 2);
        MPI_Wait(&q, IGNORE);
        CHECK(q == MPI_REQUEST_NULL);
    } else {
        take(2);
        x = take(1);
        CHECK(x == 3);
    }
    say("%d", x);
}

static void rsend(void)
{
    int x = -1, y = 8;
    MPI_Request q;
    if (rank == 1)
        MPI_Irecv(&x, 1, MPI_INT, 0, 1, WORLD, &q);
    meet();
    if (rank == 0)
        MPI_Rsend(&y, 1, MPI_INT, 1, 1, WORLD);
    else
        MPI_Wait(&q, IGNORE);
    CHECK(rank == 0 || x == 8);
    say("%d", x);
}

static void irsend(void)
{
    int x = -1, y = 9;
    MPI_Request q;
    if (rank == 1)
        MPI_Irecv(&x, 1, MPI_INT, 0, 1, WORLD, &q);
    meet();
    if (rank == 0)
        MPI_Irsend(&y, 1, MPI_INT, 1, 1, WORLD, &q);
    MPI_Wait(&q, IGNORE);
    CHECK(rank == 0 || x == 9);
    say("%d", x);
}

/* Both ranks send before they receive: only a buffer lets that through for sure. */
static void bsend(void)
{
    enum { N = 50000 };
    int bytes = N * (int)sizeof(int) + MPI_BSEND_OVERHEAD, detached = 0;
    int *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    void *buffer = malloc((size_t)bytes), *back = NULL;
    for (int i = 0; i < N; i++)
        x[i] = i + rank;
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(x, N, MPI_INT, other(), 1, WORLD);
    memset(x, 0, N * sizeof *x);
    MPI_Recv(y, N, MPI_INT, other(), 1, WORLD, IGNORE);
    MPI_Buffer_detach(&back, &detached);
    CHECK(y[0] == other() && y[N - 1] == N - 1 + other());
    CHECK(back == buffer && detached == bytes);
    say("%d", y[N - 1]);
    free(x);
    free(y);
    free(buffer);
}

static void ibsend(void)
{
    char buffer[1000 + 3 * MPI_BSEND_OVERHEAD];
    int x[3] = {1, 2, 3}, y, size_back;
    void *back;
    MPI_Request q[3];
    MPI_Buffer_attach(buffer, (int)sizeof buffer);
    for (int i = 0; i < 3; i++)
        MPI_Ibsend(&x[i], 1, MPI_INT, other(), i, WORLD, &q[i]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    x[0] = x[1] = x[2] = -1;
    for (int i = 2; i >= 0; i--) {
        MPI_Recv(&y, 1, MPI_INT, other(), i, WORLD, IGNORE);
        CHECK(y == i + 1);
        say("%d", y);
    }
    MPI_Buffer_detach(&back, &size_back);
    CHECK(size_back == (int)sizeof buffer);
}

/* Detaching waits until what is in the buffer has gone. */
static void detach_delivers(void)
{
    char buffer[400 + MPI_BSEND_OVERHEAD], text[100] = "still here";
    void *back;
    int n;
    if (rank == 0) {
        MPI_Buffer_attach(buffer, (int)sizeof buffer);
        MPI_Bsend(text, 100, MPI_CHAR, 1, 1, WORLD);
        MPI_Buffer_detach(&back, &n);
        memset(buffer, 0, sizeof buffer);
    } else {
        memset(text, 0, sizeof text);
        MPI_Recv(text, 100, MPI_CHAR, 0, 1, WORLD, IGNORE);
        CHECK(strcmp(text, "still here") == 0);
    }
    say("%s", text);
}

static void bsend_without_space(void)
{
    char buffer[MPI_BSEND_OVERHEAD + 8], text[100] = "";
    void *back;
    int n, code;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(buffer, (int)sizeof buffer);
    code = MPI_Bsend(text, 100, MPI_CHAR, other(), 1, WORLD);
    CHECK(class_of(code) == MPI_ERR_BUFFER);
    MPI_Buffer_detach(&back, &n);
    say("%d", class_of(code));
}

/* ---- what large messages take of the buffer until they are received ---- */

enum { BIG = 100000 };
static char big[4 * BIG];

static void *attach_room(int messages)
{
    int bytes = messages * (BIG + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)bytes);
    MPI_Buffer_attach(buffer, bytes);
    return buffer;
}

static void detach_room(void *buffer)
{
    void *back;
    int n;
    MPI_Buffer_detach(&back, &n);
    CHECK(back == buffer);
    free(buffer);
}

static int bsend_big(int n, int tag)
{
    return class_of(MPI_Bsend(big, n, MPI_CHAR, 1, tag, WORLD));
}

static void recv_big(int tag)
{
    MPI_Status s;
    int n;
    MPI_Recv(big, sizeof big, MPI_CHAR, 0, tag, WORLD, &s);
    MPI_Get_count(&s, MPI_CHAR, &n);
    say("%d bytes, tag %d", n, s.MPI_TAG);
}

static void bsend_fills_the_buffer(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        void *buffer = attach_room(2);
        CHECK(bsend_big(BIG, 1) == MPI_SUCCESS);
        CHECK(bsend_big(BIG, 2) == MPI_SUCCESS);
        CHECK(bsend_big(BIG, 3) == MPI_ERR_BUFFER);
        meet();
        meet();
        CHECK(bsend_big(BIG, 3) == MPI_SUCCESS);
        detach_room(buffer);
    } else {
        meet();
        recv_big(1);
        recv_big(2);
        meet();
        recv_big(3);
    }
}

/* The room of the second of three is not enough for one of twice the length. */
static void bsend_into_a_hole(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        void *buffer = attach_room(3);
        for (int tag = 1; tag <= 3; tag++)
            CHECK(bsend_big(BIG, tag) == MPI_SUCCESS);
        meet();
        meet();
        CHECK(bsend_big(2 * BIG, 4) == MPI_ERR_BUFFER);
        CHECK(bsend_big(BIG, 4) == MPI_SUCCESS);
        meet();
        meet();
        CHECK(bsend_big(2 * BIG, 5) == MPI_SUCCESS);
        detach_room(buffer);
    } else {
        meet();
        recv_big(2);
        meet();
        meet();
        recv_big(1);
        recv_big(3);
        recv_big(4);
        meet();
        recv_big(5);
    }
}

static void bsend_of_little_leaves_at_once(void)
{
    char buffer[1000 + MPI_BSEND_OVERHEAD];
    void *back;
    int n;
    if (rank == 0) {
        MPI_Buffer_attach(buffer, (int)sizeof buffer);
        for (int i = 0; i < 4; i++)
            CHECK(bsend_big(1000, i) == MPI_SUCCESS);
        MPI_Buffer_detach(&back, &n);
    }
    for (int i = 0; rank == 1 && i < 4; i++)
        recv_big(3 - i);
}

static void detach_waits_for_what_is_big(void)
{
    if (rank == 0) {
        void *buffer = attach_room(1);
        memset(big, 'x', BIG);
        CHECK(bsend_big(BIG, 1) == MPI_SUCCESS);
        memset(big, 0, BIG);
        detach_room(buffer);
    } else {
        recv_big(1);
        CHECK(big[0] == 'x' && big[BIG - 1] == 'x');
    }
}

static void bsend_init_needs_room_each_time(void)
{
    MPI_Request q[2];
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        void *buffer = attach_room(1);
        for (int i = 0; i < 2; i++)
            MPI_Bsend_init(big, BIG, MPI_CHAR, 1, i, WORLD, &q[i]);
        CHECK(MPI_Start(&q[0]) == MPI_SUCCESS);
        MPI_Wait(&q[0], IGNORE);
        CHECK(class_of(MPI_Start(&q[1])) == MPI_ERR_BUFFER);
        meet();
        meet();
        CHECK(MPI_Start(&q[1]) == MPI_SUCCESS);
        MPI_Wait(&q[1], IGNORE);
        for (int i = 0; i < 2; i++)
            MPI_Request_free(&q[i]);
        detach_room(buffer);
    } else {
        meet();
        recv_big(0);
        meet();
        recv_big(1);
    }
}

/* A message to oneself waits in the buffer as well. */
static void bsend_to_oneself(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    void *buffer = attach_room(1);
    memset(big, 0, sizeof big);
    CHECK(MPI_Bsend(strcpy(big, "mine"), BIG, MPI_CHAR, rank, 1, WORLD) == MPI_SUCCESS);
    CHECK(class_of(MPI_Bsend(big, BIG, MPI_CHAR, rank, 1, WORLD)) == MPI_ERR_BUFFER);
    MPI_Recv(big + BIG, BIG, MPI_CHAR, rank, 1, WORLD, IGNORE);
    CHECK(strcmp(big + BIG, "mine") == 0);
    say("%s", big + BIG);
    detach_room(buffer);
}

static void order_across_modes(void)
{
    char buffer[100 + MPI_BSEND_OVERHEAD];
    int x[4] = {1, 2, 3, 4}, y[4], n;
    MPI_Request q[3];
    void *back;
    if (rank == 0) {
        MPI_Buffer_attach(buffer, (int)sizeof buffer);
        MPI_Issend(&x[0], 1, MPI_INT, 1, 1, WORLD, &q[0]);
        MPI_Bsend(&x[1], 1, MPI_INT, 1, 1, WORLD);
        MPI_Isend(&x[2], 1, MPI_INT, 1, 1, WORLD, &q[1]);
        MPI_Issend(&x[3], 1, MPI_INT, 1, 1, WORLD, &q[2]);
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        MPI_Buffer_detach(&back, &n);
    } else {
        for (int i = 0; i < 4; i++) {
            y[i] = take(1);
            CHECK(y[i] == i + 1);
        }
        say_ints("got", y, 4);
    }
}

static void cancel_a_receive(void)
{
    int x = 5, cancelled = 0;
    MPI_Request q;
    MPI_Status st;
    MPI_Irecv(&x, 1, MPI_INT, other(), 99, WORLD, &q);
    MPI_Cancel(&q);
    MPI_Wait(&q, &st);
    MPI_Test_cancelled(&st, &cancelled);
    CHECK(cancelled && q == MPI_REQUEST_NULL && x == 5);
    say("%d", cancelled);
}

/* What was cancelled takes no message: the next receive does. */
static void cancelled_takes_nothing(void)
{
    int x = 5, y = -1;
    MPI_Request q;
    if (rank == 1) {
        MPI_Irecv(&x, 1, MPI_INT, 0, 1, WORLD, &q);
        MPI_Cancel(&q);
        MPI_Wait(&q, IGNORE);
    }
    meet();
    if (rank == 0)
        token(1, 1);
    else
        y = take(1);
    CHECK(x == 5 && (rank == 0 || y == 1));
    say("%d %d", x, y);
}

static void too_late_to_cancel(void)
{
    int x = -1, cancelled = 1;
    MPI_Request q;
    MPI_Status st;
    if (rank == 1)
        MPI_Irecv(&x, 1, MPI_INT, 0, 1, WORLD, &q);
    else
        token(1, 1);
    if (rank == 1) {
        until_complete(q);
        MPI_Cancel(&q);
        MPI_Wait(&q, &st);
        MPI_Test_cancelled(&st, &cancelled);
        CHECK(!cancelled && x == 1);
        say("%d %d", cancelled, x);
    }
}

static void bsend_init(void)
{
    char buffer[200 + 2 * MPI_BSEND_OVERHEAD];
    int x, n;
    void *back;
    MPI_Request q;
    MPI_Buffer_attach(buffer, (int)sizeof buffer);
    MPI_Bsend_init(&x, 1, MPI_INT, other(), 1, WORLD, &q);
    for (int i = 0; i < 3; i++) {
        int y = -1;
        x = 10 * rank + i;
        MPI_Start(&q);
        MPI_Wait(&q, IGNORE);
        x = -1;
        MPI_Recv(&y, 1, MPI_INT, other(), 1, WORLD, IGNORE);
        CHECK(y == 10 * other() + i);
        say("%d", y);
    }
    MPI_Request_free(&q);
    MPI_Buffer_detach(&back, &n);
}

static void ssend_init(void)
{
    int x = 0, flag = 1;
    MPI_Request q;
    if (rank == 0) {
        MPI_Ssend_init(&x, 1, MPI_INT, 1, 1, WORLD, &q);
        for (int i = 0; i < 2; i++) {
            x = 30 + i;
            MPI_Start(&q);
            MPI_Test(&q, &flag, IGNORE);
            CHECK(!flag);
            token(1, 2);
            MPI_Wait(&q, IGNORE);
        }
        MPI_Request_free(&q);
    } else {
        for (int i = 0; i < 2; i++) {
            take(2);
            x = take(1);
            CHECK(x == 30 + i);
            say("%d", x);
        }
    }
}

static void rsend_init(void)
{
    int x = 6, y = -1;
    MPI_Request q;
    if (rank == 0)
        MPI_Rsend_init(&x, 1, MPI_INT, 1, 1, WORLD, &q);
    else
        MPI_Recv_init(&y, 1, MPI_INT, 0, 1, WORLD, &q);
    for (int i = 0; i < 2; i++) {
        x += i;
        if (rank == 1)
            MPI_Start(&q);
        meet();
        if (rank == 0)
            MPI_Start(&q);
        MPI_Wait(&q, IGNORE);
        CHECK(rank == 0 || y == 6 + i);
        say("%d", y);
        meet();
    }
    MPI_Request_free(&q);
}

const struct conf_case conf_cases[] = {
    CASE(ssend),
    CASE(issend_waits_for_its_receive),
    CASE(rsend),
    CASE(irsend),
    CASE(bsend),
    CASE(ibsend),
    CASE(detach_delivers),
    CASE(bsend_without_space),
    CASE(bsend_fills_the_buffer),
    CASE(bsend_into_a_hole),
    CASE(bsend_of_little_leaves_at_once),
    CASE(detach_waits_for_what_is_big),
    CASE(bsend_init_needs_room_each_time),
    CASE(bsend_to_oneself),
    CASE(order_across_modes),
    CASE(cancel_a_receive),
    CASE(cancelled_takes_nothing),
    CASE(too_late_to_cancel),
    CASE(bsend_init),
    CASE(ssend_init),
    CASE(rsend_init),
    END_OF_CASES,
};
