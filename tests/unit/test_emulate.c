/* SPDX-License-Identifier: BSD-3-Clause
 * The emulated library's datatypes, dimensions and groups against oracles that are written straight from MPI's
 * definitions: a datatype is a list of basic types and displacements, a group is an array. CS_ROUNDS=N for more random
 * ones, CS_SEED=N for others. It calls MPI functions only, so built with -DAGAINST_MPICH and run by mpiexec -n 24 it
 * tests the oracles (rank 5 is looked at). */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "suite.h"

/* MPICH 4.0.2's MPI_Get_elements and MPI_Pack_external_size crash for some types. */
#ifdef AGAINST_MPICH
#define MORE_THAN_MPICH 0
#else
#define MORE_THAN_MPICH 1
#include "emulate/world/shared_memory.h"
#include "commlib/record/type_signatures.h"
#endif

static uint64_t state;

static uint64_t rnd(uint64_t below)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) % below;
}

static long rounds(long usual)
{
    const char *text = getenv("CS_ROUNDS");
    return text ? atol(text) : usual;
}

/* ---- datatypes: MPI 3.1, section 4.1: a type map, and the bounds that follow from it ---- */

enum { MOST_ENTRIES = 600, ROOM = 1 << 16, MIDDLE = ROOM / 2 };

struct entry {
    int basic; /* index into basics */
    long at;
};

struct map {
    int n;
    struct entry e[MOST_ENTRIES];
    long lb, ub; /* with what MPI_Type_create_resized has said */
};

static const struct {
    MPI_Datatype type;
    int size;
} basics[] = {{MPI_CHAR, 1},   {MPI_SHORT, 2},     {MPI_INT, 4}, {MPI_FLOAT, 4},
              {MPI_DOUBLE, 8}, {MPI_LONG_LONG, 8}, {MPI_BYTE, 1}};
enum { NBASICS = sizeof basics / sizeof basics[0] };

static int align_of(const struct map *m)
{
    int a = 1;
    for (int i = 0; i < m->n; i++)
        if (basics[m->e[i].basic].size > a)
            a = basics[m->e[i].basic].size;
    return a;
}

/* Appends `count` copies of `of`, the first at displacement `at`, one extent apart. False: it does not fit into our
 * tables. */
static bool put(struct map *m, const struct map *of, int count, long at)
{
    long extent = of->ub - of->lb;
    if (m->n + count * of->n > MOST_ENTRIES)
        return false;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < of->n; i++)
            m->e[m->n++] = (struct entry){of->e[i].basic, of->e[i].at + at + c * extent};
        if (of->n > 0) {
            long lb = of->lb + at + c * extent, ub = of->ub + at + c * extent;
            bool first = m->n == of->n;
            m->lb = first || lb < m->lb ? lb : m->lb;
            m->ub = first || ub > m->ub ? ub : m->ub;
        }
    }
    for (int i = 0; i < m->n; i++)
        if (m->e[i].at < -MIDDLE / 8 || m->e[i].at > MIDDLE / 8)
            return false;
    return labs(m->lb) < MIDDLE / 8 && labs(m->ub) < MIDDLE / 8;
}

struct type {
    MPI_Datatype handle;
    struct map map;
    int basic;      /* which one it is, or -1 */
    char how[3000]; /* it was made: for failures */
};

static void __attribute__((format(printf, 2, 3))) say_how(struct type *t, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(t->how, sizeof t->how, format, ap);
    va_end(ap);
}

static int small(void)
{
    return (int)rnd(4);
}

static bool make_vector(struct type *t, const struct type *of)
{
    int count = 1 + small(), length = 1 + small(), stride = (int)rnd(9) - 3;
    bool in_bytes = rnd(2), fits = true;
    say_how(t, "%svector(%d,%d,%d of %s)", in_bytes ? "h" : "", count, length, in_bytes ? 3 * stride : stride, of->how);
    long step = in_bytes ? stride * 3 : stride * (of->map.ub - of->map.lb);
    for (int i = 0; i < count && fits; i++)
        fits = put(&t->map, &of->map, length, i * step);
    if (fits && in_bytes)
        MPI_Type_create_hvector(count, length, step, of->handle, &t->handle);
    else if (fits)
        MPI_Type_vector(count, length, stride, of->handle, &t->handle);
    return fits;
}

static bool make_indexed(struct type *t, const struct type *of)
{
    int count = 1 + small(), lengths[4], displs[4], form = (int)rnd(4), length = 1 + small();
    MPI_Aint bytes[4];
    bool fits = true;
    for (int i = 0; i < count && fits; i++) {
        lengths[i] = i > 0 && form < 2 ? small() : length; /* MPI leaves open what the bounds of nothing are */
        displs[i] = (int)rnd(20) - 8;
        bytes[i] = displs[i] * 5;
        if (i == 0)
            say_how(t, "indexed form %d (%d blocks, %d at %d first, of %s)", form, count, lengths[0], displs[0],
                    of->how);
        fits = put(&t->map, &of->map, lengths[i], form % 2 ? bytes[i] : displs[i] * (of->map.ub - of->map.lb));
    }
    if (!fits)
        return false;
    switch (form) {
    case 0: MPI_Type_indexed(count, lengths, displs, of->handle, &t->handle); break;
    case 1: MPI_Type_create_hindexed(count, lengths, bytes, of->handle, &t->handle); break;
    case 2: MPI_Type_create_indexed_block(count, length, displs, of->handle, &t->handle); break;
    default: MPI_Type_create_hindexed_block(count, length, bytes, of->handle, &t->handle); break;
    }
    return true;
}

/* The upper bound of a structure is padded to its strictest basic type, unless a bound was set by hand: those do not
 * come in here. */
static bool make_struct(struct type *t, const struct type *a, const struct type *b)
{
    int lengths[2] = {1 + small(), 1 + small()};
    MPI_Aint at[2] = {(MPI_Aint)rnd(40) - 10, (MPI_Aint)rnd(200) - 40};
    MPI_Datatype types[2] = {a->handle, b->handle};
    say_how(t, "struct(%d at %ld of %s; %d at %ld of %s)", lengths[0], (long)at[0], a->how, lengths[1], (long)at[1],
            b->how);
    if (!put(&t->map, &a->map, lengths[0], at[0]) || !put(&t->map, &b->map, lengths[1], at[1]))
        return false;
    long align = align_of(&t->map), rest = (t->map.ub - t->map.lb) % align;
    if (rest > 0 && (a->basic < 0 || a->basic != b->basic)) /* with MPICH, two blocks of one type are no structure */
        t->map.ub += align - rest;
    MPI_Type_create_struct(2, lengths, at, types, &t->handle);
    return true;
}

static bool make_subarray(struct type *t, const struct type *of)
{
    int sizes[2] = {1 + small(), 1 + small()}, sub[2], start[2];
    long extent = of->map.ub - of->map.lb;
    bool fortran = rnd(2), fits = true;
    for (int d = 0; d < 2; d++) {
        sub[d] = 1 + (int)rnd((uint64_t)sizes[d]);
        start[d] = (int)rnd((uint64_t)(sizes[d] - sub[d] + 1));
    }
    int fast = fortran ? 0 : 1, slow = 1 - fast;
    say_how(t, "subarray(%dx%d of %dx%d at %d,%d %s of %s)", sub[0], sub[1], sizes[0], sizes[1], start[0], start[1],
            fortran ? "F" : "C", of->how);
    for (int i = 0; i < sub[slow] && fits; i++)
        fits = put(&t->map, &of->map, sub[fast], ((start[slow] + i) * (long)sizes[fast] + start[fast]) * extent);
    if (!fits)
        return false;
    t->map.lb = 0;
    t->map.ub = sizes[0] * (long)sizes[1] * extent;
    MPI_Type_create_subarray(2, sizes, sub, start, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, of->handle, &t->handle);
    return true;
}

static bool make_other(struct type *t, const struct type *of)
{
    int count = 1 + small();
    say_how(t, "contiguous(%d) or dup of %s", count, of->how);
    if (rnd(3) == 0) {
        t->map = of->map;
        MPI_Type_dup(of->handle, &t->handle);
        return true;
    }
    if (!put(&t->map, &of->map, count, 0))
        return false;
    MPI_Type_contiguous(count, of->handle, &t->handle);
    return true;
}

static bool make_resized(struct type *t, const struct type *of)
{
    long lb = (long)rnd(40) - 20, extent = (long)rnd(100);
    say_how(t, "resized(%ld,%ld of %s)", lb, extent, of->how);
    t->map = of->map;
    t->map.lb = lb;
    t->map.ub = lb + extent;
    MPI_Type_create_resized(of->handle, lb, extent, &t->handle);
    return true;
}

static void new_basic(struct type *t)
{
    int b = (int)rnd(NBASICS);
    t->map = (struct map){.n = 1, .e = {{b, 0}}, .lb = 0, .ub = basics[b].size};
    t->basic = b;
    say_how(t, "basic %d", b);
    MPI_Type_dup(basics[b].type, &t->handle);
}

/* A random type of this depth. Structures are made of types without bounds that were set by hand, as MPI leaves their
 * padding open. */
static void new_type(struct type *t, int depth, bool plain)
{
    struct type *of = malloc(sizeof *of), *b = malloc(sizeof *b);
    bool made = false;
    if (depth == 0) {
        new_basic(t);
        free(of);
        free(b);
        return;
    }
    int form = (int)rnd(7);
    t->basic = -1;
    new_type(of, depth - 1, plain || form == 0);
    while (!made) {
        t->map.n = 0;
        t->map.lb = t->map.ub = 0;
        switch (form) {
        case 0:
            new_type(b, depth - 1, true);
            made = make_struct(t, of, b);
            MPI_Type_free(&b->handle);
            break;
        case 1: made = make_vector(t, of); break;
        case 2:
        case 3: made = make_indexed(t, of); break;
        case 4: made = !plain && make_subarray(t, of); break;
        case 5: made = !plain && make_resized(t, of); break;
        default: made = make_other(t, of); break;
        }
        if (!made)
            form = 6;
        if (!made && 4 * of->map.n > MOST_ENTRIES) {
            *t = *of;
            MPI_Type_dup(of->handle, &t->handle);
            made = true;
        }
    }
    MPI_Type_free(&of->handle);
    free(of);
    free(b);
}

static long size_of(const struct map *m)
{
    long size = 0;
    for (int i = 0; i < m->n; i++)
        size += basics[m->e[i].basic].size;
    return size;
}

static void check_bounds(const struct type *t)
{
    const struct map *m = &t->map;
    MPI_Aint lb, extent;
    int size;
    MPI_Type_size(t->handle, &size);
    ck_assert_int_eq(size, size_of(m));
    MPI_Type_get_extent(t->handle, &lb, &extent);
    ck_assert_msg(lb == m->lb && extent == m->ub - m->lb, "bounds %ld+%ld, not %ld+%ld: %s", (long)lb, (long)extent,
                  m->lb, m->ub - m->lb, t->how);
    long low = m->e[0].at, high = low;
    for (int i = 0; i < m->n; i++) {
        long end = m->e[i].at + basics[m->e[i].basic].size;
        low = m->e[i].at < low ? m->e[i].at : low;
        high = end > high ? end : high;
    }
    MPI_Type_get_true_extent(t->handle, &lb, &extent);
    ck_assert_msg(lb == low && extent == high - low, "true bounds %ld+%ld, not %ld+%ld: %s", (long)lb, (long)extent,
                  low, high - low, t->how);
}

#ifndef AGAINST_MPICH
static int64_t pieces_exact;

/* Stretches without a gap in the order of the map: not less are counted, and not more than there are entries. */
static void check_pieces(const struct type *t)
{
    const struct map *m = &t->map;
    int64_t runs = 0, pieces = cs_type_pieces(t->handle);
    for (int i = 0; i < m->n; i++)
        runs += i == 0 || m->e[i].at != m->e[i - 1].at + basics[m->e[i - 1].basic].size;
    ck_assert_msg(pieces >= runs && pieces <= m->n, "%lld pieces, not %lld to %d: %s", (long long)pieces,
                  (long long)runs, m->n, t->how);
    pieces_exact += pieces == runs;
}
#else
static void check_pieces(const struct type *t)
{
    (void)t;
}
#endif

static unsigned char memory[ROOM], other[ROOM], packed[ROOM], wanted[ROOM];

/* Packing goes through the map entry by entry; nothing but the data is read or written. */
static void check_packing(const struct type *t, int count)
{
    const struct map *m = &t->map;
    long extent = m->ub - m->lb;
    int at = 0, back = 0, n = 0;
    for (int i = 0; i < ROOM; i++) {
        memory[i] = (unsigned char)rnd(256);
        other[i] = wanted[i] = (unsigned char)(i * 7);
    }
    MPI_Pack(memory + MIDDLE, count, t->handle, packed, ROOM, &at, MPI_COMM_SELF);
    ck_assert_int_eq(at, count * size_of(m));
    for (int c = 0; c < count; c++)
        for (int i = 0; i < m->n; i++) {
            const unsigned char *data = memory + MIDDLE + m->e[i].at + c * extent;
            int size = basics[m->e[i].basic].size;
            ck_assert_mem_eq(packed + n, data, (size_t)size);
            memcpy(wanted + (data - memory), data, (size_t)size);
            n += size;
        }
    MPI_Unpack(packed, at, &back, other + MIDDLE, count, t->handle, MPI_COMM_SELF);
    ck_assert_int_eq(back, at);
    /* Where entries overlap the last one wins, and all bring the same bytes. */
    ck_assert_mem_eq(other, wanted, ROOM);
}

static bool has_overlap(const struct map *m, int count)
{
    static unsigned char used[ROOM];
    memset(used, 0, sizeof used);
    for (int c = 0; c < count; c++)
        for (int i = 0; i < m->n; i++)
            for (int k = 0; k < basics[m->e[i].basic].size; k++)
                if (used[MIDDLE + m->e[i].at + c * (m->ub - m->lb) + k]++)
                    return true;
    return false;
}

/* A message that is shorter than the receive: its elements go to the first entries, the rest stays; then MPI counts
 * them. */
static void check_short_message(const struct type *t, int count)
{
    const struct map *m = &t->map;
    int size = (int)size_of(m), want = (int)rnd((uint64_t)(count * m->n) + 1), bytes = 0, got, elements;
    MPI_Status st;
    MPI_Request q;
    for (int i = 0; i < ROOM; i++) {
        packed[i] = (unsigned char)rnd(256);
        other[i] = wanted[i] = (unsigned char)(i * 11);
    }
    for (int i = 0; i < want; i++) {
        const struct entry *e = &m->e[i % m->n];
        memcpy(wanted + MIDDLE + e->at + i / m->n * (m->ub - m->lb), packed + bytes, (size_t)basics[e->basic].size);
        bytes += basics[e->basic].size;
    }
    MPI_Irecv(other + MIDDLE, count, t->handle, 0, 1, MPI_COMM_SELF, &q);
    MPI_Send(packed, bytes, MPI_PACKED, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&q, &st);
    MPI_Get_count(&st, t->handle, &got);
    ck_assert_int_eq(got, bytes % size ? MPI_UNDEFINED : bytes / size);
    if (MORE_THAN_MPICH) {
        MPI_Get_elements(&st, t->handle, &elements);
        ck_assert_int_eq(elements, want);
    }
    ck_assert_mem_eq(other, wanted, ROOM);
}

static void check_external(const struct type *t, int count)
{
    MPI_Aint bytes, at = 0, back = 0;
    MPI_Pack_external_size("external32", count, t->handle, &bytes);
    ck_assert_int_eq(bytes, count * size_of(&t->map)); /* no basic type of ours changes its size */
    MPI_Pack_external("external32", memory + MIDDLE, count, t->handle, packed, ROOM, &at);
    ck_assert_int_eq(at, bytes);
    int n = 0;
    for (int c = 0; c < count; c++)
        for (int i = 0; i < t->map.n; i++) {
            int size = basics[t->map.e[i].basic].size;
            const unsigned char *data = memory + MIDDLE + t->map.e[i].at + c * (t->map.ub - t->map.lb);
            for (int k = 0; k < size; k++)
                ck_assert_int_eq(packed[n + k], data[size - 1 - k]);
            n += size;
        }
    memcpy(other, memory, ROOM);
    MPI_Unpack_external("external32", packed, at, &back, other + MIDDLE, count, t->handle);
    ck_assert_mem_eq(other, memory, ROOM);
}

START_TEST(random_types)
{
    /* How many types have exact pieces is a share of a sample: it is asked of the first ones, however many follow. */
    const long first = rounds(1500) < 1500 ? rounds(1500) : 1500;
    int64_t exact_at_first = 0;
    for (long i = 0; i < rounds(1500); i++) {
        struct type *t = malloc(sizeof *t);
        int count = 1 + small();
        state = 1000003u * (uint64_t)i + (getenv("CS_SEED") ? (uint64_t)atol(getenv("CS_SEED")) : 0);
        new_type(t, (int)rnd(4), false);
        MPI_Type_commit(&t->handle);
        check_bounds(t);
        check_pieces(t);
        if (labs(t->map.ub - t->map.lb) * count < MIDDLE / 2) {
            check_packing(t, count);
            if (MORE_THAN_MPICH)
                check_external(t, count);
            if (!has_overlap(&t->map, count))
                check_short_message(t, count);
        }
        MPI_Type_free(&t->handle);
        free(t);
        if (i + 1 == first)
            exact_at_first = pieces_exact;
    }
#ifndef AGAINST_MPICH
    ck_assert_msg(exact_at_first >= first * 9 / 10, "pieces of %lld of %ld types are right", (long long)exact_at_first,
                  first);
#endif
}
END_TEST

#ifndef AGAINST_MPICH
static void has_pieces(MPI_Datatype t, int64_t n)
{
    ck_assert_int_eq(cs_type_pieces(t), n);
    MPI_Type_free(&t);
}

/* What random types do not have: many blocks, which are not counted one by one; and arrays of which the layout is not
 * known, also inside others. */
START_TEST(pieces_of_types)
{
    int one[2] = {1, 1}, none[2] = {0, 1}, size = 4, part = 2, cyclic = MPI_DISTRIBUTE_CYCLIC, each = 1;
    MPI_Aint at[2] = {0, 64};
    MPI_Datatype t, array, inner[2];
    ck_assert_int_eq(MPI_Type_vector(1 << 30, 1, 2, MPI_BYTE, &t), MPI_SUCCESS);
    has_pieces(t, 1 << 30);
    MPI_Type_vector(1 << 30, 1, 1, MPI_BYTE, &t);
    has_pieces(t, 1);
    MPI_Type_vector(0, 1, 2, MPI_BYTE, &t);
    has_pieces(t, 0);
    ck_assert_int_eq(MPI_Type_create_darray(2, 0, 1, &size, &cyclic, &each, &part, MPI_ORDER_C, MPI_INT, &array),
                     MPI_SUCCESS);
    ck_assert_int_eq(cs_type_pieces(array), 0);
    inner[0] = array, inner[1] = MPI_INT;
    MPI_Type_create_struct(2, one, at, inner, &t);
    has_pieces(t, 0);
    MPI_Type_create_struct(2, none, at, inner, &t);
    has_pieces(t, 1);
    MPI_Type_free(&array);
}
END_TEST
#endif

/* Two types with the same type map are interchangeable in a message, however they were made: what one packs the other
 * unpacks. */
START_TEST(signatures)
{
    int lengths[3] = {1, 1, 1}, displs[3] = {0, 1, 2}, x[3] = {1, 2, 3}, y[8];
    MPI_Datatype made[4];
    MPI_Type_contiguous(3, MPI_INT, &made[0]);
    MPI_Type_vector(3, 1, 2, MPI_INT, &made[1]);
    MPI_Type_indexed(3, lengths, displs, MPI_INT, &made[2]);
    MPI_Type_vector(3, 1, -2, MPI_INT, &made[3]);
    for (int i = 0; i < 4; i++) {
        static const int step[4] = {1, 2, 1, -2};
        int *start = y + (step[i] < 0 ? 4 : 0);
        MPI_Type_commit(&made[i]);
        memset(y, 0, sizeof y);
        MPI_Sendrecv(x, 1, made[0], 0, 2, start, 1, made[i], 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        for (int k = 0; k < 3; k++)
            ck_assert_int_eq(start[k * step[i]], k + 1);
    }
    for (int i = 0; i < 4; i++)
        MPI_Type_free(&made[i]);
}
END_TEST

/* ---- dimensions ---- */

struct best {
    int n, spread, tried[6];
};

/* The smallest difference between the largest and the smallest factor, by trying all. */
static void try_all(struct best *b, int k, int left)
{
    if (k == b->n - 1) {
        int low = left, high = left;
        for (int i = 0; i < k; i++) {
            low = b->tried[i] < low ? b->tried[i] : low;
            high = b->tried[i] > high ? b->tried[i] : high;
        }
        b->spread = high - low < b->spread ? high - low : b->spread;
        return;
    }
    for (int f = 1; f <= left; f++)
        if (left % f == 0) {
            b->tried[k] = f;
            try_all(b, k + 1, left / f);
        }
}

START_TEST(dims_are_balanced)
{
    for (int ndims = 1; ndims <= 4; ndims++)
        for (int n = 1; n <= 600; n++) {
            int dims[4] = {0}, product = 1;
            struct best b = {.n = ndims, .spread = n};
            MPI_Dims_create(n, ndims, dims);
            for (int i = 0; i < ndims; i++) {
                product *= dims[i];
                ck_assert(i == 0 || dims[i] <= dims[i - 1]);
            }
            ck_assert_int_eq(product, n);
            try_all(&b, 0, n);
            ck_assert_msg(dims[0] - dims[ndims - 1] == b.spread, "%d in %d dimensions: %d", n, ndims, dims[0]);
        }
}
END_TEST

START_TEST(dims_that_are_given)
{
    for (int n = 1; n <= 120; n++)
        for (int given = 1; given <= n; given++) {
            int dims[3] = {0, given, 0}, plain[2] = {0, 0};
            if (n % given)
                continue;
            MPI_Dims_create(n, 3, dims);
            MPI_Dims_create(n / given, 2, plain);
            ck_assert(dims[1] == given && dims[0] == plain[0] && dims[2] == plain[1]);
        }
}
END_TEST

/* ---- groups: ordered arrays of ranks of the world ---- */

enum { WORLD_SIZE = 24, OWN = 5 };

struct set {
    int n, m[WORLD_SIZE];
    MPI_Group g;
};

static int find(const struct set *s, int rank)
{
    for (int i = 0; i < s->n; i++)
        if (s->m[i] == rank)
            return i;
    return MPI_UNDEFINED;
}

static void free_set(struct set *s)
{
    if (s->g != MPI_GROUP_EMPTY)
        MPI_Group_free(&s->g);
}

/* Size, own rank and members as the array says. */
static void check_group(const struct set *s, MPI_Group world)
{
    int size, own, all[WORLD_SIZE], to[WORLD_SIZE];
    MPI_Group_size(s->g, &size);
    ck_assert_int_eq(size, s->n);
    MPI_Group_rank(s->g, &own);
    ck_assert_int_eq(own, find(s, OWN));
    for (int i = 0; i < WORLD_SIZE; i++)
        all[i] = i;
    MPI_Group_translate_ranks(s->g, s->n, all, world, to);
    for (int i = 0; i < s->n; i++)
        ck_assert_int_eq(to[i], s->m[i]);
    MPI_Group_translate_ranks(world, WORLD_SIZE, all, s->g, to);
    for (int i = 0; i < WORLD_SIZE; i++)
        ck_assert_int_eq(to[i], find(s, i));
}

/* A random subset, in a random order or ascending. */
static void new_set(struct set *s, MPI_Group world)
{
    int all[WORLD_SIZE], n = WORLD_SIZE;
    bool ascending = rnd(2);
    s->n = 0;
    for (int i = 0; i < n; i++)
        all[i] = i;
    for (uint64_t want = rnd(WORLD_SIZE + 1); (uint64_t)s->n < want;) {
        int k = ascending ? 0 : (int)rnd((uint64_t)n);
        s->m[s->n++] = all[k];
        memmove(all + k, all + k + 1, (size_t)(--n - k) * sizeof *all);
    }
    MPI_Group_incl(world, s->n, s->m, &s->g);
}

enum { UNION, INTERSECTION, DIFFERENCE };

static void check_two(const struct set *a, const struct set *b, MPI_Group world)
{
    for (int what = UNION; what <= DIFFERENCE; what++) {
        struct set c = {.n = 0};
        for (int i = 0; i < a->n; i++)
            if (what == UNION || (find(b, a->m[i]) != MPI_UNDEFINED) == (what == INTERSECTION))
                c.m[c.n++] = a->m[i];
        for (int i = 0; what == UNION && i < b->n; i++)
            if (find(a, b->m[i]) == MPI_UNDEFINED)
                c.m[c.n++] = b->m[i];
        if (what == UNION)
            MPI_Group_union(a->g, b->g, &c.g);
        else if (what == INTERSECTION)
            MPI_Group_intersection(a->g, b->g, &c.g);
        else
            MPI_Group_difference(a->g, b->g, &c.g);
        check_group(&c, world);
        free_set(&c);
    }
    bool same = a->n == b->n, ident = same;
    int result;
    for (int i = 0; same && i < a->n; i++) {
        same = find(b, a->m[i]) != MPI_UNDEFINED;
        ident = ident && a->m[i] == b->m[i];
    }
    MPI_Group_compare(a->g, b->g, &result);
    ck_assert_int_eq(result, same ? ident ? MPI_IDENT : MPI_SIMILAR : MPI_UNEQUAL);
}

/* Ranges (first, last, stride) of places in a group, up or down, that do not overlap. */
static void check_ranges(const struct set *a, MPI_Group world)
{
    struct set in = {.n = 0}, out = {.n = 0};
    int ranges[3][3], n = 0, at = 0;
    bool listed[WORLD_SIZE] = {false};
    while (n < 3 && at < a->n) {
        int last = at + (int)rnd((uint64_t)(a->n - at)), stride = 1 + (int)rnd(4);
        bool down = rnd(2);
        ranges[n][0] = down ? last : at;
        ranges[n][1] = down ? at : last;
        ranges[n][2] = down ? -stride : stride;
        for (int i = ranges[n][0]; down ? i >= at : i <= last; i += ranges[n][2]) {
            in.m[in.n++] = a->m[i];
            listed[i] = true;
        }
        n++;
        at = last + 1;
    }
    for (int i = 0; i < a->n; i++)
        if (!listed[i])
            out.m[out.n++] = a->m[i];
    MPI_Group_range_incl(a->g, n, ranges, &in.g);
    MPI_Group_range_excl(a->g, n, ranges, &out.g);
    check_group(&in, world);
    check_group(&out, world);
    check_two(&in, &out, world);
    free_set(&in);
    free_set(&out);
}

START_TEST(random_groups)
{
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (long i = 0; i < rounds(3000); i++) {
        struct set a, b;
        state = 7919u * (uint64_t)i + (getenv("CS_SEED") ? (uint64_t)atol(getenv("CS_SEED")) : 0);
        new_set(&a, world);
        new_set(&b, world);
        check_group(&a, world);
        check_two(&a, &b, world);
        check_two(&a, &a, world);
        check_ranges(&a, world);
        free_set(&a);
        free_set(&b);
    }
    MPI_Group_free(&world);
}
END_TEST

/* ---- operations ---- */

#ifndef AGAINST_MPICH
/* MPICH 5 has it, and its Fortran library makes all operations by it. */
typedef void function_x(void *in, void *inout, MPI_Count n, MPI_Datatype type, void *extra);
typedef void destructor(void *extra);
int MPIX_Op_create_x(function_x *function, destructor *destroy, int commute, void *extra, MPI_Op *op);

static int destroyed;

static void add_times(void *in, void *inout, MPI_Count n, MPI_Datatype type, void *extra)
{
    ck_assert(type == MPI_INT);
    for (MPI_Count i = 0; i < n; i++)
        ((int *)inout)[i] += *(int *)extra * ((int *)in)[i];
}

static void note_end(void *extra)
{
    destroyed += *(int *)extra;
}

START_TEST(operations_with_a_state)
{
    int times = 3, in[2] = {4, 5}, inout[2] = {100, 200}, commutes = -1;
    MPI_Op op;
    ck_assert_int_eq(MPIX_Op_create_x(add_times, note_end, 0, &times, &op), MPI_SUCCESS);
    MPI_Op_commutative(op, &commutes);
    ck_assert_int_eq(commutes, 0);
    MPI_Reduce_local(in, inout, 2, MPI_INT, op);
    ck_assert(inout[0] == 112 && inout[1] == 215);
    ck_assert_int_eq(destroyed, 0);
    MPI_Op_free(&op);
    ck_assert(op == MPI_OP_NULL && destroyed == times);
}
END_TEST
#endif

/* ---- more than there is memory ---- */

#ifndef AGAINST_MPICH
static int class_of(int code)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    return class;
}

#define TOO_MANY(call) ck_assert_int_eq(class_of(call), MPI_ERR_COUNT)

static const MPI_Count too_many = (MPI_Count)1 << 60; /* doubles: 2^63 bytes */
static double here[8] = {1, 2, 3}, there[8];

static void return_errors(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

START_TEST(messages_too_long)
{
    static char room[256];
    MPI_Request r;
    return_errors();
    MPI_Buffer_attach(room, sizeof room);
    TOO_MANY(MPI_Send_c(here, too_many, MPI_DOUBLE, 0, 0, MPI_COMM_SELF));
    TOO_MANY(MPI_Isend_c(here, 2 * too_many, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &r));
    TOO_MANY(MPI_Bsend_c(here, too_many, MPI_DOUBLE, 0, 0, MPI_COMM_SELF));
    ck_assert_int_eq(class_of(MPI_Bsend_c(here, too_many - 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF)), MPI_ERR_BUFFER);
}
END_TEST

/* One that has room for more than there is memory gets what comes. */
START_TEST(long_receives)
{
    MPI_Datatype apart[2];
    MPI_Type_contiguous(1, MPI_DOUBLE, &apart[0]);
    MPI_Type_create_resized(MPI_DOUBLE, 0, 16, &apart[1]);
    for (int k = 0; k < 4; k++) {
        MPI_Count n = 0;
        MPI_Status s;
        MPI_Request r;
        memset(there, 0, sizeof there);
        MPI_Type_commit(&apart[k % 2]);
        ck_assert_int_eq(MPI_Irecv_c(there, too_many << k / 2, apart[k % 2], 0, 0, MPI_COMM_SELF, &r), MPI_SUCCESS);
        MPI_Send(here, 2, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
        ck_assert_int_eq(MPI_Wait(&r, &s), MPI_SUCCESS);
        MPI_Get_count_c(&s, MPI_DOUBLE, &n);
        ck_assert(n == 2 && there[0] == 1 && there[k % 2 ? 2 : 1] == 2);
    }
}
END_TEST

START_TEST(collectives_too_long)
{
    const MPI_Aint at = 0;
    const MPI_Datatype type = MPI_DOUBLE;
    return_errors();
    TOO_MANY(MPI_Bcast_c(here, 2 * too_many, MPI_DOUBLE, 0, MPI_COMM_SELF));
    TOO_MANY(MPI_Allreduce_c(here, there, 2 * too_many, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF));
    TOO_MANY(MPI_Allgatherv_c(here, 1, MPI_DOUBLE, there, &too_many, &at, MPI_DOUBLE, MPI_COMM_SELF));
    TOO_MANY(MPI_Alltoallw_c(here, &too_many, &at, &type, there, &too_many, &at, &type, MPI_COMM_SELF));
    TOO_MANY(MPI_Reduce_local_c(here, there, 2 * too_many, MPI_DOUBLE, MPI_SUM));
    /* One fits, those of all ranks do not. */
    TOO_MANY(MPI_Gather_c(here, 1, MPI_DOUBLE, there, too_many / 2, MPI_DOUBLE, OWN, MPI_COMM_WORLD));
    TOO_MANY(MPI_Gather_c(here, 1, MPI_DOUBLE, there, 4 * too_many, MPI_DOUBLE, OWN, MPI_COMM_WORLD));
}
END_TEST

START_TEST(other_counts_too_large)
{
    char room[64];
    MPI_Count size = 0, place = 0, *none = NULL;
    MPI_Datatype t;
    MPI_Status s = {0};
    return_errors();
    TOO_MANY(MPI_Pack_c(here, too_many, MPI_DOUBLE, room, sizeof room, &place, MPI_COMM_SELF));
    TOO_MANY(MPI_Unpack_c(room, sizeof room, &place, here, 2 * too_many, MPI_DOUBLE, MPI_COMM_SELF));
    TOO_MANY(MPI_Pack_size_c(too_many, MPI_DOUBLE, MPI_COMM_SELF, &size));
    place = 8;
    int rc = MPI_Pack_c(here, too_many - 1, MPI_DOUBLE, room, sizeof room, &place, MPI_COMM_SELF);
    ck_assert_int_eq(class_of(rc), MPI_ERR_ARG);
    TOO_MANY(MPI_Status_set_elements_x(&s, MPI_DOUBLE, too_many));
    TOO_MANY(MPI_Type_create_hindexed_block_c(too_many, 1, (MPI_Count *)here, MPI_INT, &t));
    TOO_MANY(MPI_Type_indexed_c(-1, none, none, MPI_INT, &t));
}
END_TEST

START_TEST(files_too_long)
{
    MPI_File f;
    MPI_Status s;
    char name[] = "/tmp/test_emulate.XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    TOO_MANY(MPI_File_write_c(f, here, too_many, MPI_DOUBLE, &s));
    TOO_MANY(MPI_File_read_at_c(f, 0, here, 2 * too_many, MPI_DOUBLE, &s));
    MPI_File_close(&f);
    close(fd);
}
END_TEST
#endif

/* Without MPICH, a world of WORLD_SIZE ranks of which only this one is there: nothing here talks to the others. */
static void make_world(void)
{
#ifndef AGAINST_MPICH
    if (cs_emu_shared_make(WORLD_SIZE, 1))
        abort();
    cs_emu_me = &cs_emu_world->rank[OWN];
#endif
    MPI_Init(NULL, NULL);
}

int main(void)
{
    Suite *s = suite_create("emulate");
    TCase *types = tcase_create("types"), *dims = tcase_create("dims"), *groups = tcase_create("groups");
    make_world();
    tcase_set_timeout(types, 120);
    tcase_set_timeout(groups, 120);
    tcase_add_test(types, random_types);
#ifndef AGAINST_MPICH
    tcase_add_test(types, pieces_of_types);
    tcase_add_test(types, operations_with_a_state);
#endif
    tcase_add_test(types, signatures);
    tcase_add_test(dims, dims_are_balanced);
    tcase_add_test(dims, dims_that_are_given);
    tcase_add_test(groups, random_groups);
    suite_add_tcase(s, types);
    suite_add_tcase(s, dims);
    suite_add_tcase(s, groups);
#ifndef AGAINST_MPICH
    TCase *large = tcase_create("large");
    tcase_add_test(large, messages_too_long);
    tcase_add_test(large, long_receives);
    tcase_add_test(large, collectives_too_long);
    tcase_add_test(large, other_counts_too_large);
    tcase_add_test(large, files_too_long);
    suite_add_tcase(s, large);
#endif
    return suite_main(s);
}
