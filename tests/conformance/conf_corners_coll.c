/* SPDX-License-Identifier: BSD-3-Clause
 * Corners of collective calls: MPI_IN_PLACE in all of them, the program's own operations, types that differ between
 * ranks, error handlers.
 *
 * ranks: 4 */
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

/* ---- MPI_IN_PLACE ---- */

/* Away from rank 0, and with a gap before the root's part. */
static void gatherv_in_place(void)
{
    int y[14], counts[4] = {1, 2, 3, 4}, at[4] = {13, 0, 3, 7},
               mine[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
    memset(y, -1, sizeof y);
    memcpy(&y[3], mine, 3 * sizeof(int));
    if (rank == 2)
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, counts, at, MPI_INT, 2, WORLD);
    else
        MPI_Gatherv(mine, counts[rank], MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 2, WORLD);
    CHECK(rank != 2 ||
          (y[13] == 0 && y[0] == 10 && y[1] == 11 && y[2] == -1 && y[5] == 22 && y[6] == -1 && y[10] == 33));
    say_ints("", y, rank == 2 ? 14 : 0);
}

static void scatter_in_place(void)
{
    int x[8], y[2] = {-1, -1};
    for (int i = 0; i < 8; i++)
        x[i] = 100 + i;
    if (rank == 3)
        MPI_Scatter(x, 2, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 3, WORLD);
    else
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, y, 2, MPI_INT, 3, WORLD);
    CHECK(rank == 3 ? x[6] == 106 && y[0] == -1 : y[1] == 101 + 2 * rank);
    say_ints("", y, 2);
}

static void scatterv_in_place(void)
{
    int x[8], y[3] = {-1, -1, -1}, counts[4] = {3, 0, 2, 1}, at[4] = {5, 0, 1, 4};
    for (int i = 0; i < 8; i++)
        x[i] = 100 + i;
    if (rank == 0)
        MPI_Scatterv(x, counts, at, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, 0, WORLD);
    else
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, y, counts[rank], MPI_INT, 0, WORLD);
    CHECK(rank == 0 || (rank == 1 && y[0] == -1) || (rank == 2 && y[0] == 101 && y[1] == 102) ||
          (rank == 3 && y[0] == 104));
    say_ints("", y, 3);
}

static void allgather_in_place(void)
{
    int x[12], counts[4] = {1, 3, 0, 2}, at[4] = {9, 0, 5, 4};
    memset(x, -1, sizeof x);
    x[2 * rank] = rank;
    x[2 * rank + 1] = rank * rank;
    MPI_Allgather(MPI_IN_PLACE, 77, MPI_DATATYPE_NULL, x, 2, MPI_INT, WORLD);
    for (int i = 0; i < 4; i++)
        CHECK(x[2 * i] == i && x[2 * i + 1] == i * i && x[8] == -1);
    memset(x, -1, sizeof x);
    for (int i = 0; i < counts[rank]; i++)
        x[at[rank] + i] = 10 * rank + i;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, x, counts, at, MPI_INT, WORLD);
    CHECK(x[9] == 0 && x[0] == 10 && x[2] == 12 && x[3] == -1 && x[4] == 30 && x[5] == 31 && x[6] == -1);
    say_ints("", x, 12);
}

static void alltoall_in_place(void)
{
    int x[8], counts[4] = {2, 2, 2, 2}, at[4] = {6, 4, 2, 0}, bytes[4];
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    for (int i = 0; i < 8; i++)
        x[i] = 10 * rank + i;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 2, MPI_INT, WORLD);
    for (int i = 0; i < 4; i++)
        CHECK(x[2 * i] == 10 * i + 2 * rank && x[2 * i + 1] == 10 * i + 2 * rank + 1);
    say_ints("alltoall", x, 8);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, x, counts, at, MPI_INT, WORLD);
    say_ints("alltoallv", x, 8);
    for (int i = 0; i < 4; i++)
        bytes[i] = at[i] * (int)sizeof(int);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, x, counts, bytes, types, WORLD);
    for (int i = 0; i < 4; i++) /* there and back */
        CHECK(x[2 * i] == 10 * i + 2 * rank);
    say_ints("alltoallw", x, 8);
}

/* Each rank's part of the result lands at the start of the buffer, also where it has no part or a larger one. */
static void reduce_scatter_in_place(void)
{
    int x[6], counts[4] = {2, 0, 3, 1};
    for (int i = 0; i < 6; i++)
        x[i] = i + rank;
    MPI_Reduce_scatter(MPI_IN_PLACE, x, counts, MPI_INT, MPI_SUM, WORLD);
    int first = rank == 0 ? 0 : rank == 2 ? 2 : 5;
    for (int i = 0; i < counts[rank]; i++)
        CHECK(x[i] == 4 * (first + i) + 6);
    say_ints("", x, counts[rank]);
    for (int i = 0; i < 4; i++)
        x[i] = i * (rank + 1);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, x, 1, MPI_INT, MPI_MAX, WORLD);
    CHECK(x[0] == 4 * rank);
    say("%d", x[0]);
}

static void scans_in_place(void)
{
    int x = rank + 1, y = rank + 1;
    MPI_Scan(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_PROD, WORLD);
    MPI_Exscan(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_PROD, WORLD);
    static const int factorial[5] = {1, 1, 2, 6, 24};
    CHECK(x == factorial[rank + 1]);
    CHECK(y == (rank == 0 ? 1 : factorial[rank])); /* the first rank's is left as it was */
    say("%d %d", x, y);
}

static void nonblocking_in_place(void)
{
    int a[4], b[4], c = rank + 1, d[4] = {rank, rank, rank, rank};
    MPI_Request q[4];
    memset(a, -1, sizeof a);
    a[rank] = rank * 3;
    for (int i = 0; i < 4; i++)
        b[i] = 10 * rank + i;
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, a, 1, MPI_INT, WORLD, &q[0]);
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, WORLD, &q[1]);
    MPI_Iallreduce(MPI_IN_PLACE, &c, 1, MPI_INT, MPI_SUM, WORLD, &q[2]);
    MPI_Ireduce(rank == 1 ? MPI_IN_PLACE : d, d, 4, MPI_INT, MPI_SUM, 1, WORLD, &q[3]);
    for (int i = 3; i >= 0; i--)
        MPI_Wait(&q[i], IGNORE);
    for (int i = 0; i < 4; i++)
        CHECK(a[i] == 3 * i && b[i] == 10 * i + rank);
    CHECK(c == 10 && d[0] == (rank == 1 ? 6 : rank));
    say("%d %d %d %d", a[3], b[3], c, d[0]);
}

static void in_place_with_a_type_with_holes(void)
{
    int x[16];
    MPI_Datatype column, t;
    memset(x, -1, sizeof x);
    for (int i = 0; i < 4; i++)
        x[4 * i + rank] = 10 * rank + i;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &t);
    MPI_Type_commit(&t);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, x, 1, t, WORLD);
    for (int i = 0; i < 16; i++)
        CHECK(x[i] == 10 * (i % 4) + i / 4);
    say_ints("", x, 16);
    MPI_Type_free(&column);
    MPI_Type_free(&t);
}

/* ---- own operations ---- */

/* Affine maps x -> a x + b, composed: associative, not commutative. */
struct map {
    int a, b;
};

static int longest;

static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    struct map *l = in, *r = inout;
    (void)type;
    if (*n > longest)
        longest = *n;
    for (int i = 0; i < *n; i++)
        r[i] = (struct map){l[i].a * r[i].a, l[i].a * r[i].b + l[i].b};
}

static MPI_Datatype map_type(void)
{
    MPI_Datatype t;
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

static struct map composed(int from, int to)
{
    struct map m = {1, 0};
    for (int i = to; i >= from; i--)
        m = (struct map){(i + 2) * m.a, (i + 2) * m.b + i + 1};
    return m;
}

#define IS(m, from, to) ((m).a == composed(from, to).a && (m).b == composed(from, to).b)

static void maps_in_rank_order(void)
{
    struct map x = {rank + 2, rank + 1}, y = {0, 0}, z[4];
    int counts[4] = {1, 1, 1, 1};
    MPI_Datatype t = map_type();
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    for (int root = 0; root < 4; root++) {
        MPI_Reduce(&x, &y, 1, t, op, root, WORLD);
        CHECK(rank != root || IS(y, 0, 3));
    }
    MPI_Scan(&x, &y, 1, t, op, WORLD);
    CHECK(IS(y, 0, rank));
    say("%d %d", y.a, y.b);
    MPI_Exscan(&x, &y, 1, t, op, WORLD);
    CHECK(rank == 0 || IS(y, 0, rank - 1));
    for (int i = 0; i < 4; i++)
        z[i] = x;
    MPI_Reduce_scatter(z, &y, counts, t, op, WORLD);
    CHECK(IS(y, 0, 3));
    MPI_Reduce_scatter_block(z, &y, 1, t, op, WORLD);
    CHECK(IS(y, 0, 3));
    say("%d %d", y.a, y.b);
    MPI_Op_free(&op);
    MPI_Type_free(&t);
}

/* In the order of a communicator whose ranks are not in the order of the world's, and of three. */
static void maps_on_a_turned_communicator(void)
{
    struct map x = {rank + 2, rank + 1}, y = {0, 0}, want = {1, 0};
    MPI_Comm c;
    MPI_Op op;
    MPI_Datatype t = map_type();
    MPI_Op_create(compose, 0, &op);
    MPI_Comm_split(WORLD, rank == 1 ? MPI_UNDEFINED : 0, -rank, &c);
    if (c != MPI_COMM_NULL) { /* 3, 2, 0 */
        MPI_Allreduce(&x, &y, 1, t, op, c);
        static const int order[3] = {3, 2, 0};
        for (int i = 2; i >= 0; i--)
            want = (struct map){(order[i] + 2) * want.a, (order[i] + 2) * want.b + order[i] + 1};
        CHECK(y.a == want.a && y.b == want.b);
        MPI_Comm_free(&c);
    }
    say("%d %d", y.a, y.b);
    MPI_Op_free(&op);
    MPI_Type_free(&t);
}

/* The operation and its type are freed while the reduction is under way. */
static void freed_operation_of_an_open_reduction(void)
{
    struct map x = {rank + 2, rank + 1}, y = {0, 0};
    MPI_Datatype t = map_type();
    MPI_Request q;
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    MPI_Iallreduce(&x, &y, 1, t, op, WORLD, &q);
    MPI_Op_free(&op);
    MPI_Type_free(&t);
    CHECK(op == MPI_OP_NULL && t == MPI_DATATYPE_NULL);
    MPI_Wait(&q, IGNORE);
    CHECK(IS(y, 0, 3));
    say("%d %d", y.a, y.b);
}

static void many_maps(void)
{
    enum { N = 3000 };
    struct map *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    MPI_Datatype t = map_type();
    MPI_Op op;
    for (int i = 0; i < N; i++)
        x[i] = (struct map){rank + 2, rank + 1};
    MPI_Op_create(compose, 0, &op);
    longest = 0;
    MPI_Allreduce(x, y, N, t, op, WORLD);
    for (int i = 0; i < N; i++)
        CHECK(IS(y[i], 0, 3));
    MPI_Reduce_local(x, y, N, t, op);
    CHECK(y[7].a == (rank + 2) * composed(0, 3).a);
    CHECK(longest == N);
    say("%d", y[N - 1].a);
    MPI_Op_free(&op);
    MPI_Type_free(&t);
    free(x);
    free(y);
}

/* ---- types and counts that differ ---- */

/* Rows are sent, columns are received: the transpose. */
static void transpose(void)
{
    int x[4], y[4], row[4], parts[4] = {1, 1, 1, 1}, at[4] = {0, 4, 8, 12}, all[16];
    MPI_Datatype column, t;
    for (int i = 0; i < 4; i++)
        x[i] = 10 * rank + i;
    MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, WORLD);
    for (int i = 0; i < 4; i++)
        CHECK(y[i] == 10 * i + rank);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &t);
    MPI_Type_commit(&t);
    MPI_Gather(x, 4, MPI_INT, all, 1, t, 0, WORLD);
    for (int i = 0; rank == 0 && i < 16; i++)
        CHECK(all[i] == 10 * (i % 4) + i / 4);
    for (int i = 0; i < 4; i++)
        parts[i] = 4;
    MPI_Scatterv(all, parts, at, MPI_INT, row, 4, MPI_INT, 0, WORLD);
    for (int i = 0; i < 4; i++)
        CHECK(row[i] == 10 * i + rank);
    say_ints("", row, 4);
    MPI_Type_free(&column);
    MPI_Type_free(&t);
}

/* To each rank another type of the same signature, and nothing to the next one. */
static void alltoallw_of_all_kinds(void)
{
    int x[8], y[8], scounts[4], rcounts[4], at[4] = {0, 8, 16, 24};
    MPI_Datatype types[4], pair, gap;
    for (int i = 0; i < 8; i++)
        x[i] = 10 * rank + i;
    memset(y, -1, sizeof y);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 1, MPI_INT, &gap);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&gap);
    for (int i = 0; i < 4; i++) {
        types[i] = i % 3 == 0 ? pair : i % 3 == 1 ? gap : MPI_2INT;
        scounts[i] = i != (rank + 1) % 4;
        rcounts[i] = i != (rank + 3) % 4;
    }
    types[2] = MPI_INT;
    scounts[2] *= 2;
    rcounts[2] *= 2;
    MPI_Alltoallw(x, scounts, at, types, y, rcounts, at, types, WORLD);
    for (int i = 0; i < 4; i++)
        CHECK(rcounts[i] ? y[2 * i] == 10 * i + 2 * rank && y[2 * i + 1] == 10 * i + 2 * rank + 1 : y[2 * i] == -1);
    say_ints("", y, 8);
    MPI_Type_free(&pair);
    MPI_Type_free(&gap);
}

static void neighbours_on_a_ring(void)
{
    int n[1] = {4}, round[1] = {1}, x[4], y[4] = {-1, -1, -1, -1};
    MPI_Comm ring, line;
    for (int i = 0; i < 4; i++)
        x[i] = 10 * rank + i;
    MPI_Cart_create(WORLD, 1, n, round, 0, &ring);
    MPI_Neighbor_alltoall(x, 2, MPI_INT, y, 2, MPI_INT, ring);
    CHECK(y[0] == 10 * ((rank + 3) % 4) + 2 && y[3] == 10 * ((rank + 1) % 4) + 1);
    say_ints("ring", y, 4);
    round[0] = 0;
    memset(y, -1, sizeof y);
    MPI_Cart_create(WORLD, 1, n, round, 0, &line);
    MPI_Neighbor_alltoall(x, 2, MPI_INT, y, 2, MPI_INT, line); /* at the ends: what has no neighbour stays */
    CHECK(rank > 0 ? y[0] == 10 * (rank - 1) + 2 : y[0] == -1);
    CHECK(rank < 3 ? y[3] == 10 * (rank + 1) + 1 : y[3] == -1);
    say_ints("line", y, 4);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&line);
}

/* Started in one order, waited for in the other, with blocking ones between. */
static void nonblocking_around_blocking(void)
{
    int a = rank == 2 ? 22 : 0, b = rank, c = 0, d = 0, all[4];
    MPI_Request q[3];
    MPI_Ibcast(&a, 1, MPI_INT, 2, WORLD, &q[0]);
    MPI_Iallreduce(&b, &c, 1, MPI_INT, MPI_SUM, WORLD, &q[1]);
    MPI_Allgather(&b, 1, MPI_INT, all, 1, MPI_INT, WORLD);
    MPI_Iexscan(&b, &d, 1, MPI_INT, MPI_SUM, WORLD, &q[2]);
    MPI_Barrier(WORLD);
    MPI_Wait(&q[2], IGNORE);
    MPI_Wait(&q[1], IGNORE);
    MPI_Wait(&q[0], IGNORE);
    CHECK(a == 22 && c == 6 && all[3] == 3 && (rank == 0 || d == rank * (rank - 1) / 2));
    say("%d %d %d", a, c, all[2]);
}

/* Two disjoint groups make communicators at once, with the same tag; only members call. */
static void groups_at_once(void)
{
    int own[2] = {rank & 2, (rank & 2) + 1}, sum, x = rank;
    MPI_Group world, g;
    MPI_Comm c;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 2, own, &g);
    MPI_Comm_create_group(WORLD, g, 5, &c);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, c);
    CHECK(sum == (rank < 2 ? 1 : 5));
    say("%d", sum);
    MPI_Comm_free(&c);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
}

/* ---- error handlers ---- */

static int handled, handled_class;
static MPI_Comm handled_by;

static void note(MPI_Comm *c, int *code, ...)
{
    handled++;
    handled_class = class_of(*code);
    handled_by = *c;
}

/* Each communicator has its own; one that is set later is the one that is called; a duplicate has that of its parent
 * then. */
static void handlers_change(void)
{
    MPI_Comm c, d;
    MPI_Errhandler h, got;
    int x = 0;
    MPI_Comm_create_errhandler(note, &h);
    MPI_Comm_dup(WORLD, &c);
    MPI_Comm_set_errhandler(c, h);
    MPI_Comm_dup(c, &d);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(d, &got);
    CHECK(got == h);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&h);
    handled = 0;
    CHECK(class_of(MPI_Send(&x, 1, MPI_INT, 99, 0, c)) == MPI_ERR_RANK && handled == 0);
    CHECK(class_of(MPI_Send(&x, 1, MPI_INT, 99, 0, d)) == MPI_ERR_RANK && handled == 1);
    CHECK(handled_class == MPI_ERR_RANK && handled_by == d);
    CHECK(MPI_Comm_call_errhandler(d, MPI_ERR_TAG) == MPI_SUCCESS && handled == 2 && handled_class == MPI_ERR_TAG);
    say("%d", handled);
    MPI_Comm_free(&c);
    MPI_Comm_free(&d);
}

static void texts_of_own_codes(void)
{
    int class, code, n;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(class, "a class of ours");
    MPI_Add_error_string(code, "a code of ours");
    MPI_Error_string(class, text, &n);
    CHECK(strcmp(text, "a class of ours") == 0 && n == (int)strlen(text));
    MPI_Error_string(code, text, &n);
    CHECK(strcmp(text, "a code of ours") == 0);
    CHECK(class_of(code) == class);
    MPI_Add_error_string(code, "another text");
    MPI_Error_string(code, text, &n);
    CHECK(strcmp(text, "another text") == 0);
    say("%s", text);
}

const struct conf_case conf_cases[] = {
    CASE(gatherv_in_place),
    CASE(scatter_in_place),
    CASE(scatterv_in_place),
    CASE(allgather_in_place),
    CASE(alltoall_in_place),
    CASE(reduce_scatter_in_place),
    CASE(scans_in_place),
    CASE(nonblocking_in_place),
    CASE(in_place_with_a_type_with_holes),
    CASE(maps_in_rank_order),
    CASE(maps_on_a_turned_communicator),
    CASE(freed_operation_of_an_open_reduction),
    CASE(many_maps),
    CASE(transpose),
    CASE(alltoallw_of_all_kinds),
    CASE(neighbours_on_a_ring),
    CASE(nonblocking_around_blocking),
    CASE(groups_at_once),
    CASE(handlers_change),
    CASE(texts_of_own_codes),
    END_OF_CASES,
};
