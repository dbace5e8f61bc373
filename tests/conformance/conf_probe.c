/* SPDX-License-Identifier: BSD-3-Clause
 * Probes, matched probes, and what a status says: source, tag, count, elements.
 *
 * ranks: 2 */
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

static int other(void)
{
    return 1 - rank;
}

static void probe_then_receive(void)
{
    int x[5] = {1, 2, 3, 4, 5}, n = -1;
    MPI_Status st;
    if (rank == 0)
        MPI_Send(x, 5, MPI_INT, 1, 3, WORLD);
    else {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &st);
        MPI_Get_count(&st, MPI_INT, &n);
        CHECK(n == 5 && st.MPI_SOURCE == 0 && st.MPI_TAG == 3);
        memset(x, 0, sizeof x);
        MPI_Recv(x, n, MPI_INT, st.MPI_SOURCE, st.MPI_TAG, WORLD, IGNORE);
        CHECK(x[4] == 5);
    }
    say("%d", n);
}

static void probe_a_later_tag(void)
{
    int x = 1, y = 2, got[2];
    MPI_Status st;
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 3, WORLD);
        MPI_Send(&y, 1, MPI_INT, 1, 4, WORLD);
    } else {
        MPI_Probe(0, 4, WORLD, &st);
        CHECK(st.MPI_TAG == 4);
        MPI_Recv(&got[0], 1, MPI_INT, 0, 3, WORLD, IGNORE);
        MPI_Recv(&got[1], 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, IGNORE);
        CHECK(got[0] == 1 && got[1] == 2);
        say_ints("got", got, 2);
    }
}

static void probe_large(void)
{
    enum { N = 100000 };
    double *x = calloc(N, sizeof *x);
    int n = -1;
    MPI_Status st;
    x[N - 1] = rank == 0 ? 2.5 : 0;
    if (rank == 0)
        MPI_Send(x, N, MPI_DOUBLE, 1, 3, WORLD);
    else {
        MPI_Probe(0, 3, WORLD, &st);
        MPI_Get_count(&st, MPI_DOUBLE, &n);
        MPI_Recv(x, n, MPI_DOUBLE, 0, 3, WORLD, IGNORE);
        CHECK(n == N && x[N - 1] == 2.5);
    }
    say("%d", n);
    free(x);
}

static void iprobe(void)
{
    int flag = 1, x = 9;
    MPI_Status st;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &st);
    CHECK(!flag);
    meet();
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 3, WORLD);
    else {
        for (flag = 0; !flag;)
            MPI_Iprobe(0, MPI_ANY_TAG, WORLD, &flag, &st);
        CHECK(st.MPI_TAG == 3);
        MPI_Recv(&x, 1, MPI_INT, 0, 3, WORLD, IGNORE);
    }
    say("%d", x);
}

static void probe_proc_null(void)
{
    int flag = 0, n = -1;
    MPI_Status st;
    MPI_Message m;
    MPI_Probe(MPI_PROC_NULL, 1, WORLD, &st);
    MPI_Get_count(&st, MPI_INT, &n);
    CHECK(st.MPI_SOURCE == MPI_PROC_NULL && st.MPI_TAG == MPI_ANY_TAG && n == 0);
    MPI_Iprobe(MPI_PROC_NULL, 1, WORLD, &flag, &st);
    CHECK(flag && st.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mprobe(MPI_PROC_NULL, 1, WORLD, &m, &st);
    CHECK(m == MPI_MESSAGE_NO_PROC && st.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mrecv(&n, 1, MPI_INT, &m, &st);
    CHECK(m == MPI_MESSAGE_NULL && st.MPI_SOURCE == MPI_PROC_NULL);
    say("%d", n);
}

static void mprobe_mrecv(void)
{
    int x[3] = {4, 5, 6}, n = -1;
    MPI_Message m;
    MPI_Status st;
    if (rank == 0)
        MPI_Send(x, 3, MPI_INT, 1, 2, WORLD);
    else {
        MPI_Mprobe(MPI_ANY_SOURCE, 2, WORLD, &m, &st);
        MPI_Get_count(&st, MPI_INT, &n);
        memset(x, 0, sizeof x);
        MPI_Mrecv(x, n, MPI_INT, &m, &st);
        CHECK(n == 3 && x[2] == 6 && m == MPI_MESSAGE_NULL && st.MPI_SOURCE == 0 && st.MPI_TAG == 2);
    }
    say_ints("got", x, 3);
}

/* A matched message is out of the queue: a receive posted after it takes the next one. */
static void mprobe_takes_it_out(void)
{
    int x = 1, y = 2, a = -1, b = -1;
    MPI_Message m;
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 2, WORLD);
        MPI_Send(&y, 1, MPI_INT, 1, 2, WORLD);
    } else {
        MPI_Mprobe(0, 2, WORLD, &m, IGNORE);
        MPI_Recv(&b, 1, MPI_INT, 0, 2, WORLD, IGNORE);
        MPI_Mrecv(&a, 1, MPI_INT, &m, IGNORE);
        CHECK(a == 1 && b == 2);
    }
    say("%d %d", a, b);
}

static void improbe_imrecv(void)
{
    int x = 17, flag = 1;
    MPI_Message m = MPI_MESSAGE_NULL;
    MPI_Status st;
    MPI_Request q;
    MPI_Improbe(other(), 5, WORLD, &flag, &m, &st);
    CHECK(!flag);
    meet();
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 5, WORLD);
    else {
        x = -1;
        for (flag = 0; !flag;)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &m, &st);
        CHECK(st.MPI_SOURCE == 0 && st.MPI_TAG == 5);
        MPI_Imrecv(&x, 1, MPI_INT, &m, &q);
        CHECK(m == MPI_MESSAGE_NULL);
        MPI_Wait(&q, &st);
        CHECK(x == 17 && st.MPI_TAG == 5);
    }
    say("%d", x);
}

static void mrecv_of_two_crosswise(void)
{
    int x[2] = {5, 6}, y[2];
    MPI_Message m[2];
    MPI_Request q[2];
    if (rank == 0)
        for (int i = 0; i < 2; i++)
            MPI_Send(&x[i], 1, MPI_INT, 1, 1, WORLD);
    else {
        MPI_Mprobe(0, 1, WORLD, &m[0], IGNORE);
        MPI_Mprobe(0, 1, WORLD, &m[1], IGNORE);
        MPI_Imrecv(&y[1], 1, MPI_INT, &m[1], &q[1]);
        MPI_Imrecv(&y[0], 1, MPI_INT, &m[0], &q[0]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        CHECK(y[0] == 5 && y[1] == 6);
        say_ints("got", y, 2);
    }
}

static void count_of_other_types(void)
{
    int x[5] = {0}, n;
    MPI_Datatype pair;
    MPI_Status st;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0)
        MPI_Send(x, 5, MPI_INT, 1, 1, WORLD);
    else {
        MPI_Recv(x, 5, MPI_INT, 0, 1, WORLD, &st);
        MPI_Get_count(&st, pair, &n);
        CHECK(n == MPI_UNDEFINED);
        MPI_Get_elements(&st, pair, &n);
        CHECK(n == 5);
        MPI_Get_count(&st, MPI_INT, &n);
        say("%d", n);
    }
    MPI_Type_free(&pair);
}

static void elements_of_a_struct(void)
{
    struct {
        int i;
        double d[2];
        char c;
    } x[3] = {{0}};
    int lengths[3] = {1, 2, 1}, n, whole;
    MPI_Aint at[3] = {0, 8, 24};
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, s, part;
    MPI_Count many;
    MPI_Status st;
    MPI_Type_create_struct(3, lengths, at, types, &part);
    MPI_Type_create_resized(part, 0, sizeof x[0], &s);
    MPI_Type_free(&part);
    MPI_Type_create_struct(2, lengths, at, types, &part);
    MPI_Type_commit(&s);
    MPI_Type_commit(&part);
    if (rank == 0) {
        MPI_Send(x, 2, s, 1, 1, WORLD);
        MPI_Send(x, 1, part, 1, 1, WORLD);
    } else {
        MPI_Recv(x, 3, s, 0, 1, WORLD, &st);
        MPI_Get_count(&st, s, &whole);
        MPI_Get_elements(&st, s, &n);
        MPI_Get_elements_x(&st, s, &many);
        CHECK(whole == 2 && n == 8 && many == 8);
        say("%d %d", whole, n);
        MPI_Recv(x, 3, s, 0, 1, WORLD, &st);
        MPI_Get_count(&st, s, &whole);
        MPI_Get_elements(&st, s, &n);
        CHECK(whole == MPI_UNDEFINED && n == 3);
        say("%d %d", whole, n);
    }
    MPI_Type_free(&s);
    MPI_Type_free(&part);
}

static void status_by_hand(void)
{
    MPI_Status st;
    int n = -1, cancelled = 1;
    MPI_Count many = -1;
    memset(&st, 0, sizeof st);
    st.MPI_SOURCE = 3;
    MPI_Status_set_elements(&st, MPI_DOUBLE, 7);
    MPI_Status_set_cancelled(&st, 0);
    MPI_Get_count(&st, MPI_DOUBLE, &n);
    MPI_Test_cancelled(&st, &cancelled);
    CHECK(n == 7 && !cancelled && st.MPI_SOURCE == 3);
    MPI_Status_set_elements_x(&st, MPI_INT, 5000000000);
    MPI_Get_elements_x(&st, MPI_INT, &many);
    MPI_Get_count(&st, MPI_INT, &n);
    CHECK(many == 5000000000 && n == MPI_UNDEFINED);
    MPI_Status_set_cancelled(&st, 1);
    MPI_Test_cancelled(&st, &cancelled);
    CHECK(cancelled);
    say("%lld %d", (long long)many, n);
    MPI_Status_set_elements_x(&st, MPI_BYTE, 0x3654321f71234567);
    MPI_Get_elements_x(&st, MPI_BYTE, &many);
    MPI_Test_cancelled(&st, &cancelled);
    CHECK(many == 0x3654321f71234567 && cancelled);
}

static void status_to_fortran_and_back(void)
{
    MPI_Status st, back;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    int x = rank, n;
    MPI_Sendrecv(&rank, 1, MPI_INT, other(), 8, &x, 1, MPI_INT, other(), 8, WORLD, &st);
    memset(&back, 0, sizeof back);
    MPI_Status_c2f(&st, f);
    MPI_Status_f2c(f, &back);
    MPI_Get_count(&back, MPI_INT, &n);
    CHECK(back.MPI_SOURCE == other() && back.MPI_TAG == 8 && n == 1);
    say("%d %d", back.MPI_SOURCE, n);
}

const struct conf_case conf_cases[] = {
    CASE(probe_then_receive),
    CASE(probe_a_later_tag),
    CASE(probe_large),
    CASE(iprobe),
    CASE(probe_proc_null),
    CASE(mprobe_mrecv),
    CASE(mprobe_takes_it_out),
    CASE(improbe_imrecv),
    CASE(mrecv_of_two_crosswise),
    CASE(count_of_other_types),
    CASE(elements_of_a_struct),
    CASE(status_by_hand),
    CASE(status_to_fortran_and_back),
    END_OF_CASES,
};
