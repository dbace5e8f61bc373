/* SPDX-License-Identifier: BSD-3-Clause
 * Errors: classes of wrong arguments, truncation, handlers by communicator, own classes and codes.
 *
 * ranks: 2 */
#include <string.h>

#include "conf_kit.h"

static void quiet(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
}

#define EXPECT(class, call) \
    do { \
        int code_ = (call), class_ = class_of(code_); \
        CHECK(class_ == class); \
        say("%s: %d", #class, class_); \
    } while (0)

static void wrong_arguments_of_a_send(void)
{
    int x = 0;
    quiet();
    EXPECT(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD));
    EXPECT(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD));
    EXPECT(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, 1, -5, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Send(&x, -1, MPI_INT, 1, 0, WORLD));
    EXPECT(MPI_ERR_TYPE, MPI_Send(&x, 1, MPI_DATATYPE_NULL, 1, 0, WORLD));
    EXPECT(MPI_ERR_COMM, MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_NULL));
    EXPECT(MPI_ERR_BUFFER, MPI_Send(NULL, 1, MPI_INT, 1, 0, WORLD));
}

static void wrong_arguments_of_a_receive(void)
{
    int x = 0;
    MPI_Request q;
    quiet();
    EXPECT(MPI_ERR_RANK, MPI_Recv(&x, 1, MPI_INT, 7, 0, WORLD, IGNORE));
    EXPECT(MPI_ERR_TAG, MPI_Recv(&x, 1, MPI_INT, 1, -9, WORLD, IGNORE));
    EXPECT(MPI_ERR_COUNT, MPI_Irecv(&x, -1, MPI_INT, 1, 0, WORLD, &q));
}

static void wrong_root(void)
{
    int x = 0;
    quiet();
    EXPECT(MPI_ERR_ROOT, MPI_Bcast(&x, 1, MPI_INT, 5, WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Bcast(&x, -1, MPI_INT, 0, WORLD));
}

static void uncommitted_type(void)
{
    int x[4] = {0};
    MPI_Datatype t;
    quiet();
    MPI_Type_contiguous(2, MPI_INT, &t);
    EXPECT(MPI_ERR_TYPE, MPI_Send(x, 1, t, 1, 0, WORLD));
    MPI_Type_free(&t);
}

static void wrong_dims(void)
{
    int dims[2] = {3, 0}, big[1] = {9}, periods[1] = {0};
    MPI_Comm c;
    quiet();
    EXPECT(MPI_ERR_DIMS, MPI_Dims_create(8, 2, dims));
    CHECK(MPI_Cart_create(WORLD, 1, big, periods, 0, &c) != MPI_SUCCESS);
}

static void no_topology(void)
{
    int n;
    quiet();
    EXPECT(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(WORLD, &n));
}

/* The first elements arrive, what is behind the buffer stays as it was, and the message is gone. */
static void truncated(void)
{
    int x[4] = {1, 2, 3, 4}, y[4] = {-1, -1, -1, -1};
    quiet();
    if (rank == 0) {
        MPI_Send(x, 4, MPI_INT, 1, 0, WORLD);
        MPI_Send(x, 1, MPI_INT, 1, 0, WORLD);
    } else {
        EXPECT(MPI_ERR_TRUNCATE, MPI_Recv(y, 2, MPI_INT, 0, 0, WORLD, IGNORE));
        CHECK(y[2] == -1 && y[3] == -1);
        CHECK(MPI_Recv(y, 2, MPI_INT, 0, 0, WORLD, IGNORE) == MPI_SUCCESS && y[0] == 1);
    }
}

static void truncated_when_posted_before(void)
{
    int x[4] = {1, 2, 3, 4}, y[4] = {-1, -1, -1, -1};
    MPI_Request q;
    quiet();
    if (rank == 1)
        MPI_Irecv(y, 2, MPI_INT, 0, 0, WORLD, &q);
    meet();
    if (rank == 0)
        MPI_Send(x, 4, MPI_INT, 1, 0, WORLD);
    else {
        EXPECT(MPI_ERR_TRUNCATE, MPI_Wait(&q, IGNORE));
        CHECK(q == MPI_REQUEST_NULL && y[2] == -1);
    }
}

static void one_error_among_several(void)
{
    int x[3] = {5, 6, 7}, y = -1, z[3];
    MPI_Request q[2];
    MPI_Status st[2];
    quiet();
    if (rank == 0) {
        MPI_Send(x, 3, MPI_INT, 1, 0, WORLD);
        MPI_Send(x, 3, MPI_INT, 1, 1, WORLD);
    } else {
        MPI_Irecv(&y, 1, MPI_INT, 0, 0, WORLD, &q[1]);
        MPI_Irecv(z, 3, MPI_INT, 0, 1, WORLD, &q[0]);
        until_complete(q[0]); /* else it may be MPI_ERR_PENDING */
        EXPECT(MPI_ERR_IN_STATUS, MPI_Waitall(2, q, st));
        CHECK(class_of(st[1].MPI_ERROR) == MPI_ERR_TRUNCATE && st[0].MPI_ERROR == MPI_SUCCESS && z[2] == 7);
    }
}

/* ---- handlers ---- */

static int calls, last_class;
static MPI_Comm last_comm;
static void note(MPI_Comm *c, int *code, ...)
{
    calls++;
    last_class = class_of(*code);
    last_comm = *c;
}

static void own_handler(void)
{
    MPI_Errhandler h;
    int x = 0;
    calls = 0;
    MPI_Comm_create_errhandler(note, &h);
    MPI_Comm_set_errhandler(WORLD, h);
    MPI_Errhandler_free(&h);
    CHECK(h == MPI_ERRHANDLER_NULL);
    EXPECT(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, 9, 0, WORLD));
    CHECK(calls == 1 && last_class == MPI_ERR_RANK && last_comm == WORLD);
    MPI_Comm_call_errhandler(WORLD, MPI_ERR_OTHER);
    CHECK(calls == 2 && last_class == MPI_ERR_OTHER);
    say("%d", calls);
}

static void handler_by_communicator(void)
{
    MPI_Errhandler h, got;
    MPI_Comm copy;
    int x = 0;
    calls = 0;
    quiet();
    MPI_Comm_create_errhandler(note, &h);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_set_errhandler(copy, h);
    MPI_Send(&x, 1, MPI_INT, 9, 0, WORLD);
    CHECK(calls == 0);
    MPI_Send(&x, 1, MPI_INT, 9, 0, copy);
    CHECK(calls == 1 && last_comm == copy);
    MPI_Comm_get_errhandler(copy, &got);
    CHECK(got == h);
    MPI_Errhandler_free(&got);
    MPI_Comm_get_errhandler(WORLD, &got);
    CHECK(got == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&h);
    MPI_Comm_free(&copy);
    say("%d", calls);
}

static void handler_is_inherited(void)
{
    MPI_Errhandler h, got;
    MPI_Comm copy, half;
    calls = 0;
    MPI_Comm_create_errhandler(note, &h);
    MPI_Comm_set_errhandler(WORLD, h);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_split(WORLD, rank, 0, &half);
    MPI_Comm_get_errhandler(copy, &got);
    CHECK(got == h);
    MPI_Errhandler_free(&got);
    MPI_Comm_call_errhandler(half, MPI_ERR_ARG);
    CHECK(calls == 1 && last_class == MPI_ERR_ARG);
    MPI_Errhandler_free(&h);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    say("%d", calls);
}

static void handler_in_a_wait(void)
{
    MPI_Errhandler h;
    int x[2] = {1, 2}, y = 0;
    MPI_Request q;
    calls = 0;
    MPI_Comm_create_errhandler(note, &h);
    MPI_Comm_set_errhandler(WORLD, h);
    MPI_Errhandler_free(&h);
    if (rank == 0)
        MPI_Send(x, 2, MPI_INT, 1, 0, WORLD);
    else {
        MPI_Irecv(&y, 1, MPI_INT, 0, 0, WORLD, &q);
        MPI_Wait(&q, IGNORE);
        CHECK(calls == 1 && last_class == MPI_ERR_TRUNCATE);
    }
    say("%d", calls);
}

static void old_names_of_handlers(void)
{
    MPI_Errhandler h, got;
    int x = 0;
    calls = 0;
    MPI_Errhandler_create(note, &h);
    MPI_Errhandler_set(WORLD, h);
    MPI_Errhandler_get(WORLD, &got);
    CHECK(got == h);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&h);
    MPI_Send(&x, 1, MPI_INT, 9, 0, WORLD);
    CHECK(calls == 1);
    say("%d", calls);
}

static void own_classes_and_codes(void)
{
    int class, code, got, n;
    char text[MPI_MAX_ERROR_STRING];
    int *last, flag;
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "too many cooks");
    MPI_Error_class(code, &got);
    MPI_Error_string(code, text, &n);
    CHECK(got == class && class > MPI_ERR_LASTCODE && strcmp(text, "too many cooks") == 0 && n == 14);
    MPI_Comm_get_attr(WORLD, MPI_LASTUSEDCODE, &last, &flag);
    CHECK(flag && *last >= class);
    say("%s", text);
}

static void classes_of_classes(void)
{
    static const int classes[] = {
        MPI_SUCCESS,       MPI_ERR_BUFFER,  MPI_ERR_COUNT,    MPI_ERR_TYPE,       MPI_ERR_TAG,        MPI_ERR_COMM,
        MPI_ERR_RANK,      MPI_ERR_ROOT,    MPI_ERR_TRUNCATE, MPI_ERR_GROUP,      MPI_ERR_OP,         MPI_ERR_REQUEST,
        MPI_ERR_TOPOLOGY,  MPI_ERR_DIMS,    MPI_ERR_ARG,      MPI_ERR_OTHER,      MPI_ERR_UNKNOWN,    MPI_ERR_INTERN,
        MPI_ERR_IN_STATUS, MPI_ERR_PENDING, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, MPI_ERR_INFO_NOKEY, MPI_ERR_KEYVAL};
    char texts[24][MPI_MAX_ERROR_STRING];
    int n;
    for (int i = 0; i < 24; i++) {
        CHECK(class_of(classes[i]) == classes[i]);
        MPI_Error_string(classes[i], texts[i], &n);
        CHECK(n > 0 && n == (int)strlen(texts[i]));
        for (int k = 0; k < i; k++)
            CHECK(strcmp(texts[i], texts[k]) != 0);
    }
    say("done");
}

const struct conf_case conf_cases[] = {
    CASE(wrong_arguments_of_a_send),
    CASE(wrong_arguments_of_a_receive),
    CASE(wrong_root),
    CASE(uncommitted_type),
    CASE(wrong_dims),
    CASE(no_topology),
    CASE(truncated),
    CASE(truncated_when_posted_before),
    CASE(one_error_among_several),
    CASE(own_handler),
    CASE(handler_by_communicator),
    CASE(handler_is_inherited),
    CASE(handler_in_a_wait),
    CASE(old_names_of_handlers),
    CASE(own_classes_and_codes),
    CASE(classes_of_classes),
    END_OF_CASES,
};
