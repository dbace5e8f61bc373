/* SPDX-License-Identifier: BSD-3-Clause
 * Reductions: all predefined operations over their types, user operations, every collective that reduces.
 *
 * ranks: 4 */
#include <complex.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "conf_kit.h"

enum { P = 4 };

static void sum_int(void)
{
    int x = rank + 1, y = -1;
    MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 2, WORLD);
    CHECK(y == (rank == 2 ? 10 : -1));
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_PROD, WORLD);
    CHECK(y == 24);
    say("%d", y);
}

static void max_min(void)
{
    double x[2] = {rank * 1.5, -rank}, y[2], z[2];
    MPI_Allreduce(x, y, 2, MPI_DOUBLE, MPI_MAX, WORLD);
    MPI_Allreduce(x, z, 2, MPI_DOUBLE, MPI_MIN, WORLD);
    CHECK(y[0] == 4.5 && y[1] == 0 && z[0] == 0 && z[1] == -3);
    say_doubles("max", y, 2);
    say_doubles("min", z, 2);
}

/* Every integer type with sum, product, maximum, minimum and the bits. */
#define INTEGER(ctype, type) \
    do { \
        MPI_Op ops[7] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_BOR, MPI_BXOR}; \
        int results[7], expected[7] = {16, 105, 7, 1, 1, 7, 1 ^ 3 ^ 5 ^ 7}; \
        for (int k = 0; k < 7; k++) { \
            ctype x = (ctype)(2 * rank + 1), y = 0; \
            MPI_Allreduce(&x, &y, 1, type, ops[k], WORLD); \
            results[k] = (int)y; \
            CHECK(results[k] == expected[k]); \
        } \
        say_ints(#type, results, 7); \
    } while (0)

static void integer_types(void)
{
    INTEGER(signed char, MPI_SIGNED_CHAR);
    INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGER(short, MPI_SHORT);
    INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGER(unsigned, MPI_UNSIGNED);
    INTEGER(long, MPI_LONG);
    INTEGER(unsigned long, MPI_UNSIGNED_LONG);
    INTEGER(long long, MPI_LONG_LONG);
    INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
}

static void sized_integer_types(void)
{
    INTEGER(int8_t, MPI_INT8_T);
    INTEGER(int16_t, MPI_INT16_T);
    INTEGER(int32_t, MPI_INT32_T);
    INTEGER(int64_t, MPI_INT64_T);
    INTEGER(uint8_t, MPI_UINT8_T);
    INTEGER(uint16_t, MPI_UINT16_T);
    INTEGER(uint32_t, MPI_UINT32_T);
    INTEGER(uint64_t, MPI_UINT64_T);
    INTEGER(MPI_Aint, MPI_AINT);
    INTEGER(MPI_Offset, MPI_OFFSET);
    INTEGER(MPI_Count, MPI_COUNT);
    INTEGER(MPI_Fint, MPI_INTEGER);
}

static void bytes(void)
{
    unsigned char x = (unsigned char)(1 << rank), y[3];
    MPI_Allreduce(&x, &y[0], 1, MPI_BYTE, MPI_BOR, WORLD);
    MPI_Allreduce(&x, &y[1], 1, MPI_BYTE, MPI_BAND, WORLD);
    MPI_Allreduce(&x, &y[2], 1, MPI_BYTE, MPI_BXOR, WORLD);
    CHECK(y[0] == 15 && y[1] == 0 && y[2] == 15);
    say("%d %d %d", y[0], y[1], y[2]);
}

static void floating_types(void)
{
    float f = (float)rank + 0.5f, fs;
    double d = rank - 1.5, ds;
    long double l = rank * 2.0L, ls;
    MPI_Allreduce(&f, &fs, 1, MPI_FLOAT, MPI_SUM, WORLD);
    MPI_Allreduce(&d, &ds, 1, MPI_DOUBLE, MPI_PROD, WORLD);
    MPI_Allreduce(&l, &ls, 1, MPI_LONG_DOUBLE, MPI_MAX, WORLD);
    CHECK(fs == 8.0f && ds == 0.5625 && ls == 6.0L);
    say("%g %g %Lg", fs, ds, ls);
}

static void complex_types(void)
{
    double complex z = rank + 1 + I, s, p;
    float complex f = 1 - I * rank, fs;
    MPI_Allreduce(&z, &s, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, WORLD);
    MPI_Allreduce(&z, &p, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, WORLD);
    MPI_Allreduce(&f, &fs, 1, MPI_C_FLOAT_COMPLEX, MPI_SUM, WORLD);
    CHECK(s == 10 + 4 * I && p == (1 + I) * (2 + I) * (3 + I) * (4 + I) && fs == 4 - 6 * I);
    say("%g %g %g %g", creal(p), cimag(p), creal(fs), cimag(fs));
}

static void logical(void)
{
    int x = rank == 1, a, o, e;
    bool b = rank != 2, band;
    MPI_Allreduce(&x, &a, 1, MPI_INT, MPI_LAND, WORLD);
    MPI_Allreduce(&x, &o, 1, MPI_INT, MPI_LOR, WORLD);
    MPI_Allreduce(&x, &e, 1, MPI_INT, MPI_LXOR, WORLD);
    MPI_Allreduce(&b, &band, 1, MPI_C_BOOL, MPI_LAND, WORLD);
    CHECK(a == 0 && o == 1 && e == 1 && !band);
    x = rank + 5; /* any number but 0 is true, the result is 1 */
    MPI_Allreduce(&x, &a, 1, MPI_INT, MPI_LAND, WORLD);
    CHECK(a == 1);
    say("%d %d %d %d", a, o, e, band);
}

#define LOC(ctype, type, name) \
    do { \
        struct { \
            ctype value; \
            int at; \
        } x = {(ctype)(rank == 3 ? 1 : rank), rank}, hi, lo; \
        MPI_Allreduce(&x, &hi, 1, type, MPI_MAXLOC, WORLD); \
        MPI_Allreduce(&x, &lo, 1, type, MPI_MINLOC, WORLD); \
        CHECK(hi.value == 2 && hi.at == 2 && lo.value == 0 && lo.at == 0); \
        say(name " %d %d", hi.at, lo.at); \
    } while (0)

static void maxloc_minloc(void)
{
    LOC(float, MPI_FLOAT_INT, "float");
    LOC(double, MPI_DOUBLE_INT, "double");
    LOC(long, MPI_LONG_INT, "long");
    LOC(int, MPI_2INT, "int");
    LOC(short, MPI_SHORT_INT, "short");
    LOC(long double, MPI_LONG_DOUBLE_INT, "long double");
}

static void maxloc_tie(void)
{
    struct {
        double value;
        int at;
    } x = {7, 10 - rank}, y;
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE_INT, MPI_MAXLOC, WORLD);
    CHECK(y.value == 7 && y.at == 7);
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE_INT, MPI_MINLOC, WORLD);
    CHECK(y.at == 7);
    say("%d", y.at);
}

static void in_place(void)
{
    int x[2] = {rank, 1}, y;
    MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INT, MPI_SUM, WORLD);
    CHECK(x[0] == 6 && x[1] == 4);
    y = rank + 1;
    if (rank == 1)
        MPI_Reduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_PROD, 1, WORLD);
    else
        MPI_Reduce(&y, NULL, 1, MPI_INT, MPI_PROD, 1, WORLD);
    CHECK(y == (rank == 1 ? 24 : rank + 1));
    say("%d %d %d", x[0], x[1], y);
}

static void scan_exscan(void)
{
    int x[2] = {rank + 1, 1}, y[2], z[2] = {-9, -9};
    MPI_Scan(x, y, 2, MPI_INT, MPI_SUM, WORLD);
    CHECK(y[0] == (rank + 1) * (rank + 2) / 2 && y[1] == rank + 1);
    MPI_Exscan(x, z, 2, MPI_INT, MPI_SUM, WORLD);
    CHECK(rank == 0 || (z[0] == rank * (rank + 1) / 2 && z[1] == rank));
    MPI_Scan(MPI_IN_PLACE, x, 2, MPI_INT, MPI_SUM, WORLD);
    CHECK(x[0] == y[0]);
    if (rank > 0)
        say_ints("exscan", z, 2);
    say_ints("scan", x, 2);
}

static void reduce_scatter(void)
{
    int x[6], y[3] = {-1, -1, -1}, counts[P] = {1, 2, 0, 3};
    for (int i = 0; i < 6; i++)
        x[i] = i + rank;
    MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, WORLD);
    for (int i = 0, at = rank == 0 ? 0 : rank == 1 ? 1 : 3; i < counts[rank]; i++)
        CHECK(y[i] == 4 * (at + i) + 6);
    CHECK(rank != 2 || y[0] == -1);
    say_ints("got", y, 3);
    MPI_Reduce_scatter(MPI_IN_PLACE, x, counts, MPI_INT, MPI_SUM, WORLD);
    say_ints("in place", x, counts[rank]);
}

static void reduce_scatter_block(void)
{
    int x[2 * P], y[2];
    for (int i = 0; i < 2 * P; i++)
        x[i] = i * (rank + 1);
    MPI_Reduce_scatter_block(x, y, 2, MPI_INT, MPI_SUM, WORLD);
    CHECK(y[0] == 20 * rank && y[1] == 10 * (2 * rank + 1));
    say_ints("got", y, 2);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, x, 2, MPI_INT, MPI_MAX, WORLD);
    CHECK(x[0] == 8 * rank);
}

static void nonblocking(void)
{
    int x[P], y, counts[P] = {1, 1, 1, 1}, r[7] = {0};
    MPI_Request q[7];
    for (int i = 0; i < P; i++)
        x[i] = rank + i;
    y = rank;
    MPI_Ireduce(&y, &r[0], 1, MPI_INT, MPI_SUM, 0, WORLD, &q[0]);
    MPI_Iallreduce(&y, &r[1], 1, MPI_INT, MPI_MAX, WORLD, &q[1]);
    MPI_Iscan(&y, &r[2], 1, MPI_INT, MPI_SUM, WORLD, &q[2]);
    MPI_Iexscan(&y, &r[3], 1, MPI_INT, MPI_SUM, WORLD, &q[3]);
    MPI_Ireduce_scatter(x, &r[4], counts, MPI_INT, MPI_SUM, WORLD, &q[4]);
    MPI_Ireduce_scatter_block(x, &r[5], 1, MPI_INT, MPI_SUM, WORLD, &q[5]);
    r[6] = rank;
    MPI_Iallreduce(MPI_IN_PLACE, &r[6], 1, MPI_INT, MPI_MIN, WORLD, &q[6]);
    MPI_Waitall(7, q, MPI_STATUSES_IGNORE);
    CHECK(rank != 0 || r[0] == 6);
    CHECK(r[1] == 3 && r[2] == rank * (rank + 1) / 2 && r[4] == 6 + 4 * rank && r[5] == r[4] && r[6] == 0);
    CHECK(rank == 0 || r[3] == rank * (rank - 1) / 2);
    if (rank == 0)
        r[3] = 0;
    say_ints("got", r, 7);
}

static void no_elements(void)
{
    int x = 1, y = 2;
    MPI_Allreduce(&x, &y, 0, MPI_INT, MPI_SUM, WORLD);
    MPI_Reduce(&x, &y, 0, MPI_INT, MPI_SUM, 0, WORLD);
    CHECK(y == 2);
    say("%d", y);
}

/* Affine maps x -> a*x + b under composition: associative, not commutative. */
struct affine {
    int a, b;
};
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    struct affine *f = in, *g = inout;
    (void)type;
    for (int i = 0; i < *n; i++) {
        struct affine h = {f[i].a * g[i].a, f[i].a * g[i].b + f[i].b};
        g[i] = h;
    }
}

static struct affine composed(int from, int to)
{
    struct affine all = {1, 0};
    for (int r = to; r >= from; r--) {
        all.b = (r + 2) * all.b + r + 1;
        all.a = (r + 2) * all.a;
    }
    return all;
}

static void user_op_in_rank_order(void)
{
    struct affine f = {rank + 2, rank + 1}, g = {0, 0}, want = composed(0, 3);
    MPI_Datatype pair;
    MPI_Op op;
    int commutes = -1;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    MPI_Op_commutative(op, &commutes);
    CHECK(commutes == 0);
    MPI_Allreduce(&f, &g, 1, pair, op, WORLD);
    CHECK(g.a == want.a && g.b == want.b);
    say("%d %d", g.a, g.b);
    g.a = g.b = 0;
    MPI_Reduce(&f, &g, 1, pair, op, 2, WORLD);
    CHECK(rank != 2 || (g.a == want.a && g.b == want.b));
    MPI_Scan(&f, &g, 1, pair, op, WORLD);
    want = composed(0, rank);
    CHECK(g.a == want.a && g.b == want.b);
    say("%d %d", g.a, g.b);
    MPI_Exscan(&f, &g, 1, pair, op, WORLD);
    want = composed(0, rank - 1);
    CHECK(rank == 0 || (g.a == want.a && g.b == want.b));
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    CHECK(op == MPI_OP_NULL);
}

static int type_was_right;
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    type_was_right = *type == MPI_INT;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void user_op_that_commutes(void)
{
    int x[3] = {rank, 1, -rank}, y[3], commutes = -1;
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    MPI_Op_commutative(op, &commutes);
    MPI_Allreduce(x, y, 3, MPI_INT, op, WORLD);
    CHECK(commutes == 1 && y[0] == 6 && y[1] == 4 && y[2] == -6 && type_was_right);
    MPI_Reduce_local(x, y, 3, MPI_INT, op);
    CHECK(y[0] == 6 + rank);
    MPI_Op_free(&op);
    say_ints("got", y, 3);
}

/* Every second element of a vector type. */
static void add_vector(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < 3; k += 2) {
            MPI_Aint at = i * extent + k * (MPI_Aint)sizeof(int);
            *(int *)((char *)inout + at) += *(int *)((char *)in + at);
        }
}

static void user_op_on_a_derived_type(void)
{
    int x[8], y[8];
    MPI_Datatype vector, spaced;
    MPI_Op op;
    for (int i = 0; i < 8; i++) {
        x[i] = rank + i;
        y[i] = -1;
    }
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 16, &spaced);
    MPI_Type_commit(&spaced);
    MPI_Op_create(add_vector, 1, &op);
    MPI_Allreduce(x, y, 2, spaced, op, WORLD);
    CHECK(y[0] == 6 && y[1] == -1 && y[2] == 14 && y[3] == -1 && y[4] == 22 && y[6] == 30 && y[7] == -1);
    say_ints("got", y, 8);
    MPI_Op_free(&op);
    MPI_Type_free(&spaced);
    MPI_Type_free(&vector);
}

static void reduce_local(void)
{
    int x[3] = {1, 5, 3}, y[3] = {4, 2, 3};
    MPI_Reduce_local(x, y, 3, MPI_INT, MPI_MAX);
    CHECK(y[0] == 4 && y[1] == 5 && y[2] == 3);
    MPI_Reduce_local(x, y, 0, MPI_INT, MPI_SUM);
    CHECK(y[0] == 4);
    say_ints("got", y, 3);
}

static void predefined_commute(void)
{
    MPI_Op ops[12] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                      MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    int yes, all = 1;
    for (int i = 0; i < 12; i++) {
        MPI_Op_commutative(ops[i], &yes);
        all &= yes;
    }
    CHECK(all);
    say("%d", all);
}

static void wrong_op_for_the_type(void)
{
    double x = 1, y = 2;
    int code;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    code = MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, WORLD);
    CHECK(class_of(code) == MPI_ERR_OP);
    code = MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_OP_NULL, WORLD);
    CHECK(class_of(code) == MPI_ERR_OP);
    say("%d", class_of(code));
}

const struct conf_case conf_cases[] = {
    CASE(sum_int),
    CASE(max_min),
    CASE(integer_types),
    CASE(sized_integer_types),
    CASE(bytes),
    CASE(floating_types),
    CASE(complex_types),
    CASE(logical),
    CASE(maxloc_minloc),
    CASE(maxloc_tie),
    CASE(in_place),
    CASE(scan_exscan),
    CASE(reduce_scatter),
    CASE(reduce_scatter_block),
    CASE(nonblocking),
    CASE(no_elements),
    CASE(user_op_in_rank_order),
    CASE(user_op_that_commutes),
    CASE(user_op_on_a_derived_type),
    CASE(reduce_local),
    CASE(predefined_commute),
    CASE(wrong_op_for_the_type),
    END_OF_CASES,
};
