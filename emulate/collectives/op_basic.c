/* SPDX-License-Identifier: BSD-3-Clause
 * The predefined operations. One table says of each basic type what C type it is and what class of types it belongs to;
 * for each C type there is one function for each operation, written by macro. */
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "emulate/collectives/op_internal.h"
#include "emulate/types/type.h"

typedef void apply(const void *in, void *inout, int n);

#define LOOP(name, type, expression) \
    static void name(const void *in, void *inout, int n) \
    { \
        const type *a = in; \
        type *b = inout; \
\
        for (int i = 0; i < n; i++) \
            b[i] = (type)(expression); \
    }

#define ORDERED(tag, type) \
    LOOP(max_##tag, type, a[i] > b[i] ? a[i] : b[i]) \
    LOOP(min_##tag, type, a[i] < b[i] ? a[i] : b[i]) \
    LOOP(land_##tag, type, a[i] && b[i]) \
    LOOP(lor_##tag, type, a[i] || b[i]) \
    LOOP(lxor_##tag, type, !a[i] != !b[i])
#define NUMERIC(tag, type) \
    LOOP(sum_##tag, type, a[i] + b[i]) \
    LOOP(prod_##tag, type, a[i] * b[i])
#define BITS(tag, type) \
    LOOP(band_##tag, type, a[i] & b[i]) \
    LOOP(bor_##tag, type, a[i] | b[i]) \
    LOOP(bxor_##tag, type, a[i] ^ b[i])
#define INTEGER(tag, type) ORDERED(tag, type) NUMERIC(tag, type) BITS(tag, type)
#define REAL(tag, type) ORDERED(tag, type) NUMERIC(tag, type)
#define LOGICAL(tag, type) \
    LOOP(land_##tag, type, a[i] && b[i]) \
    LOOP(lor_##tag, type, a[i] || b[i]) \
    LOOP(lxor_##tag, type, !a[i] != !b[i])

INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)
REAL(f32, float)
REAL(f64, double)
REAL(f80, long double)
REAL(f128, __float128)
NUMERIC(c32, float complex)
NUMERIC(c64, double complex)
NUMERIC(c80, long double complex)
LOGICAL(bool, _Bool)

/* Of two equal values the lower index wins. */
#define LOCATED(tag, type, index) \
    struct pair_##tag { \
        type value; \
        index at; \
    }; \
    static void maxloc_##tag(const void *in, void *inout, int n) \
    { \
        const struct pair_##tag *a = in; \
        struct pair_##tag *b = inout; \
\
        for (int i = 0; i < n; i++) \
            if (a[i].value > b[i].value || (a[i].value == b[i].value && a[i].at < b[i].at)) \
                b[i] = (struct pair_##tag){a[i].value, a[i].at}; \
    } \
    static void minloc_##tag(const void *in, void *inout, int n) \
    { \
        const struct pair_##tag *a = in; \
        struct pair_##tag *b = inout; \
\
        for (int i = 0; i < n; i++) \
            if (a[i].value < b[i].value || (a[i].value == b[i].value && a[i].at < b[i].at)) \
                b[i] = (struct pair_##tag){a[i].value, a[i].at}; \
    }

LOCATED(float_int, float, int)
LOCATED(double_int, double, int)
LOCATED(long_int, long, int)
LOCATED(short_int, short, int)
LOCATED(int_int, int, int)
LOCATED(long_double_int, long double, int)
LOCATED(float_float, float, float)
LOCATED(double_double, double, double)

/* By operation, MPI_MAX first. */
#define NOPS 12
// clang-format off
#define INTEGER_OPS(t) {max_##t, min_##t, sum_##t, prod_##t, land_##t, band_##t, lor_##t, bor_##t, lxor_##t, bxor_##t}
#define REAL_OPS(t) {max_##t, min_##t, sum_##t, prod_##t, land_##t, NULL, lor_##t, NULL, lxor_##t}
#define COMPLEX_OPS(t) {NULL, NULL, sum_##t, prod_##t}
#define LOGICAL_OPS(t) {NULL, NULL, NULL, NULL, land_##t, NULL, lor_##t, NULL, lxor_##t}
#define BYTE_OPS(t) {NULL, NULL, NULL, NULL, NULL, band_##t, NULL, bor_##t, NULL, bxor_##t}
#define PAIR_OPS(t) {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, minloc_##t, maxloc_##t}
// clang-format on

/* What each operation does on elements of a type, by number of the operation; NULL: MPI does not allow it. */
static const struct {
    MPI_Datatype type;
    apply *ops[NOPS];
} table[] = {
    {MPI_INT, INTEGER_OPS(i32)},
    {MPI_DOUBLE, REAL_OPS(f64)},
    {MPI_DOUBLE_PRECISION, REAL_OPS(f64)},
    {MPI_INTEGER, INTEGER_OPS(i32)},
    {MPI_FLOAT, REAL_OPS(f32)},
    {MPI_REAL, REAL_OPS(f32)},
    {MPI_LONG, INTEGER_OPS(i64)},
    {MPI_SHORT, INTEGER_OPS(i16)},
    {MPI_UNSIGNED_SHORT, INTEGER_OPS(u16)},
    {MPI_UNSIGNED, INTEGER_OPS(u32)},
    {MPI_UNSIGNED_LONG, INTEGER_OPS(u64)},
    {MPI_LONG_LONG, INTEGER_OPS(i64)},
    {MPI_UNSIGNED_LONG_LONG, INTEGER_OPS(u64)},
    {MPI_SIGNED_CHAR, INTEGER_OPS(i8)},
    {MPI_UNSIGNED_CHAR, INTEGER_OPS(u8)},
    {MPI_CHAR, INTEGER_OPS(i8)},
    {MPI_INT8_T, INTEGER_OPS(i8)},
    {MPI_INT16_T, INTEGER_OPS(i16)},
    {MPI_INT32_T, INTEGER_OPS(i32)},
    {MPI_INT64_T, INTEGER_OPS(i64)},
    {MPI_UINT8_T, INTEGER_OPS(u8)},
    {MPI_UINT16_T, INTEGER_OPS(u16)},
    {MPI_UINT32_T, INTEGER_OPS(u32)},
    {MPI_UINT64_T, INTEGER_OPS(u64)},
    {MPI_AINT, INTEGER_OPS(i64)},
    {MPI_OFFSET, INTEGER_OPS(i64)},
    {MPI_COUNT, INTEGER_OPS(i64)},
    {MPI_CHARACTER, INTEGER_OPS(i8)},
    {MPI_INTEGER1, INTEGER_OPS(i8)},
    {MPI_INTEGER2, INTEGER_OPS(i16)},
    {MPI_INTEGER4, INTEGER_OPS(i32)},
    {MPI_INTEGER8, INTEGER_OPS(i64)},
    {MPI_LONG_DOUBLE, REAL_OPS(f80)},
    {MPI_REAL4, REAL_OPS(f32)},
    {MPI_REAL8, REAL_OPS(f64)},
    {MPI_REAL16, REAL_OPS(f128)},
    {MPI_LOGICAL, LOGICAL_OPS(i32)},
    {MPI_C_BOOL, LOGICAL_OPS(bool)},
    {MPI_CXX_BOOL, LOGICAL_OPS(bool)},
    {MPI_COMPLEX, COMPLEX_OPS(c32)},
    {MPI_C_FLOAT_COMPLEX, COMPLEX_OPS(c32)},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX_OPS(c64)},
    {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX_OPS(c80)},
    {MPI_DOUBLE_COMPLEX, COMPLEX_OPS(c64)},
    {MPI_COMPLEX8, COMPLEX_OPS(c32)},
    {MPI_COMPLEX16, COMPLEX_OPS(c64)},
    {MPI_CXX_FLOAT_COMPLEX, COMPLEX_OPS(c32)},
    {MPI_CXX_DOUBLE_COMPLEX, COMPLEX_OPS(c64)},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX_OPS(c80)},
    {MPI_BYTE, BYTE_OPS(u8)},
    {MPI_2INT, PAIR_OPS(int_int)},
    {MPI_FLOAT_INT, PAIR_OPS(float_int)},
    {MPI_DOUBLE_INT, PAIR_OPS(double_int)},
    {MPI_LONG_INT, PAIR_OPS(long_int)},
    {MPI_SHORT_INT, PAIR_OPS(short_int)},
    {MPI_LONG_DOUBLE_INT, PAIR_OPS(long_double_int)},
    {MPI_2INTEGER, PAIR_OPS(int_int)},
    {MPI_2REAL, PAIR_OPS(float_float)},
    {MPI_2DOUBLE_PRECISION, PAIR_OPS(double_double)},
};

static apply *find(MPI_Op op, MPI_Datatype t)
{
    int which = op - MPI_MAX;

    t = cs_emu_type_behind_f90(t);
    for (size_t i = 0; which < NOPS && i < sizeof table / sizeof *table; i++)
        if (table[i].type == t)
            return table[i].ops[which];
    return NULL;
}

bool cs_emu_op_takes(MPI_Op op, MPI_Datatype t)
{
    if (op == MPI_REPLACE || op == MPI_NO_OP)
        return true;
    return find(op, t) != NULL;
}

void cs_emu_op_apply(MPI_Op op, const void *in, void *inout, int n, MPI_Datatype t)
{
    if (op == MPI_NO_OP)
        return;
    if (op == MPI_REPLACE) {
        int64_t extent = cs_emu_type_extent(t), size = cs_emu_type_size(t);

        for (int64_t i = 0; size > 0 && i < n; i++)
            memmove((char *)inout + i * extent, (const char *)in + i * extent, (size_t)extent);
        return;
    }
    find(op, t)(in, inout, n);
}
