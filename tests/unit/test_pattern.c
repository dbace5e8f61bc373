/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/graph/offsets.c against brute force: every pattern of a small grid, written out as the set of
 * its offsets. A pattern may say too much, never too little; where the bounds do not interfere it must be exact. */

#include "slicer/graph/offsets.h"
#include "suite.h"

#define LOW (-40)
#define HIGH 60 /* the window in which sets are written out */

static const struct {
    int64_t lo, hi;
} bounds[] = {{CS_OFF_MIN, CS_OFF_MAX}, {0, 12}, {2, 8}, {4, 12}, {0, 7}};
static const int64_t strides[] = {0, 1, 2, 3, 4, 6};
static const int64_t sizes[] = {-1, 1, 2, 3, 4, 8};
#define N(a) (int)(sizeof(a) / sizeof *(a))

static struct cs_pattern pats[400];
static int npats;

static void set_up(void)
{
    npats = 0;
    for (int s = 0; s < N(strides); s++)
        for (int b = 0; b < N(bounds); b++)
            for (int64_t off = 0; off < (strides[s] ? strides[s] : 12); off++) {
                if (strides[s] == 0 && (off < bounds[b].lo || off > bounds[b].hi))
                    continue;
                pats[npats++] = (struct cs_pattern){off, strides[s], bounds[b].lo, bounds[b].hi};
            }
}

static bool has(struct cs_pattern p, int64_t x)
{
    if (p.stride == 0)
        return x == p.off;
    return x >= p.lo && x < p.hi && ((x - p.off) % p.stride) == 0;
}

static bool inside(struct cs_pattern p, int64_t x)
{
    return x >= p.lo && x < p.hi;
}

#define SHOW "%ld%%%ld[%ld:%ld]"
#define ARGS(p) (long)(p).off, (long)(p).stride, (long)(p).lo, (long)(p).hi

START_TEST(spread)
{
    for (int i = 0; i < npats; i++)
        for (int64_t s = 0; s <= 6; s++) {
            struct cs_pattern p = pats[i], r = cs_pat_spread(p, s);
            for (int64_t x = LOW; x < HIGH; x++)
                for (int k = -6; has(p, x) && k <= 6; k++)
                    ck_assert_msg(!(s && !inside(p, x + k * s)) ? has(r, x + k * s) : true,
                                  SHOW " spread by %ld lacks %ld", ARGS(p), (long)s, (long)(x + k * s));
        }
}
END_TEST

START_TEST(shift)
{
    for (int i = 0; i < npats; i++)
        for (int64_t c = -14; c <= 14; c++) {
            struct cs_pattern p = pats[i], r = cs_pat_shift(p, c);
            for (int64_t x = LOW; x < HIGH; x++) {
                bool was = has(p, x) && (p.stride == 0 || inside(p, x + c) || c >= p.hi - p.lo || -c >= p.hi - p.lo);
                ck_assert_msg(!was || has(r, x + c), SHOW " shifted by %ld lacks %ld", ARGS(p), (long)c, (long)(x + c));
            }
            if (p.stride == 0)
                ck_assert_msg(r.off >= r.lo && r.off <= r.hi, SHOW " shifted by %ld is out of its bounds", ARGS(p),
                              (long)c);
        }
}
END_TEST

/* A pointer with the offsets of `outer`, and a place relative to it. What leaves the outer subobject is no correct
 * program, unless the inner bounds say so themselves. */
START_TEST(compose)
{
    for (int i = 0; i < npats; i++)
        for (int k = 0; k < npats; k++) {
            struct cs_pattern o = pats[i], n = pats[k], r = cs_pat_compose(o, n);
            bool own = o.stride == 0 && n.stride && n.lo > CS_OFF_MIN;
            for (int64_t x = -12; x < 24; x++)
                for (int64_t y = -12; has(o, x) && y < 24; y++) {
                    if (!has(n, y) || !(own || (o.stride == 0 && n.stride == 0) || inside(o, x + y)))
                        continue;
                    ck_assert_msg(has(r, x + y), SHOW " at " SHOW " is " SHOW " and lacks %ld", ARGS(n), ARGS(o),
                                  ARGS(r), (long)(x + y));
                }
        }
}
END_TEST

/* Is the byte in the place? */
static bool covered(struct cs_pattern p, int64_t size, int64_t byte)
{
    for (int64_t b = 0; b < size; b++)
        if (has(p, byte - b))
            return true;
    return false;
}

/* Where the place is another than that of compose, it has each byte of each element, or of the array. */
START_TEST(access_elements)
{
    int told = 0;
    for (int i = 0; i < npats; i++)
        for (int k = 0; k < npats; k++)
            for (int64_t given = -1; given <= 8; given++) {
                struct cs_pattern o = pats[i], n = pats[k];
                int64_t size = given;
                struct cs_pattern r = cs_pat_access(o, n, &size);
                if (size == given || n.hi - n.lo > 24)
                    continue;
                told++;
                for (int64_t x = -12; x < 24; x++)
                    for (int64_t y = n.lo; has(o, x) && y < n.hi; y++)
                        if ((given < 0 || has(n, y)) && inside(o, x + n.lo))
                            ck_assert_msg(covered(r, size, x + y),
                                          SHOW " in " SHOW " is %ld bytes at " SHOW " and lacks %ld", ARGS(n), ARGS(o),
                                          (long)size, ARGS(r), (long)(x + y));
            }
    struct cs_pattern outer = cs_pat_spread(cs_pat_at(0), 40), inner = {0, 8, 8, 32};
    int64_t size = 8;
    ck_assert(cs_pat_equal(cs_pat_access(outer, inner, &size), (struct cs_pattern){8, 40, CS_OFF_MIN, CS_OFF_MAX}));
    ck_assert_int_eq(size, 24);
    ck_assert_int_gt(told, 0);
}
END_TEST

START_TEST(normal)
{
    static const int64_t objsize[] = {-1, 4, 8, 12, 24};
    for (int i = 0; i < npats; i++)
        for (int s = 0; s < N(objsize); s++) {
            struct cs_pattern p = pats[i], r = cs_pat_normal(p, objsize[s]);
            int64_t end = objsize[s] < 0 ? HIGH : objsize[s];
            ck_assert(r.lo >= 0 && r.hi >= r.lo && (objsize[s] < 0 || r.hi <= objsize[s]));
            for (int64_t x = 0; x < end; x++)
                ck_assert_msg(!has(p, x) || has(r, x), SHOW " in %ld bytes is " SHOW " and lacks %ld", ARGS(p),
                              (long)objsize[s], ARGS(r), (long)x);
            ck_assert(cs_pat_equal(cs_pat_normal(r, objsize[s]), r));
        }
}
END_TEST

START_TEST(covers)
{
    for (int i = 0; i < npats; i++)
        for (int k = 0; k < npats; k++) {
            struct cs_pattern a = pats[i], b = pats[k];
            bool subset = true;
            for (int64_t x = LOW; x < HIGH && subset; x++)
                subset = !has(b, x) || has(a, x);
            bool wide = a.lo <= b.lo && a.hi >= b.hi;
            if (cs_pat_covers(a, b))
                ck_assert_msg(subset && wide, SHOW " does not cover " SHOW, ARGS(a), ARGS(b));
            bool strides_tell = b.stride == 0 || (a.stride && b.stride % a.stride == 0);
            if (subset && wide && strides_tell)
                ck_assert_msg(cs_pat_covers(a, b), SHOW " covers " SHOW, ARGS(a), ARGS(b));
        }
    ck_assert(cs_pat_covers(cs_pat_any(), cs_pat_at(17)));
    ck_assert(!cs_pat_covers(cs_pat_at(17), cs_pat_any()));
}
END_TEST

/* The bytes that an access may touch: size bytes at each offset, within the bounds if it can move; to the upper bound
 * (beyond the window if there is none) if the size is not known. */
static void touched(struct cs_pattern p, int64_t size, bool *bytes)
{
    for (int64_t x = LOW; x < HIGH; x++)
        bytes[x - LOW] = false;
    for (int64_t x = LOW; x < HIGH; x++) {
        if (!has(p, x))
            continue;
        int64_t end = size >= 0 ? x + size : p.hi > x ? p.hi : HIGH;
        for (int64_t y = x; y < end && y < HIGH; y++)
            if (p.stride == 0 || inside(p, y))
                bytes[y - LOW] = true;
    }
}

START_TEST(overlap)
{
    static bool a[400 * 6][HIGH - LOW];
    for (int i = 0; i < npats; i++)
        for (int s = 0; s < N(sizes); s++)
            touched(pats[i], sizes[s], a[i * 6 + s]);
    for (int i = 0; i < npats * 6; i++)
        for (int k = 0; k < npats * 6; k++) {
            struct cs_pattern p = pats[i / 6], q = pats[k / 6];
            int64_t ps = sizes[i % 6], qs = sizes[k % 6];
            bool share = false, says = cs_pat_overlap(p, ps, q, qs);
            for (int64_t x = 0; x < HIGH - LOW && !share; x++)
                share = a[i][x] && a[k][x];
            if (share && !says)
                ck_abort_msg(SHOW " of %ld bytes and " SHOW " of %ld bytes share a byte", ARGS(p), (long)ps, ARGS(q),
                             (long)qs);
            bool exact =
                (p.stride == 0 || p.lo == CS_OFF_MIN) && (q.stride == 0 || q.lo == CS_OFF_MIN) && ps > 0 && qs > 0;
            if (exact && !share && says)
                ck_abort_msg(SHOW " of %ld bytes and " SHOW " of %ld bytes share no byte", ARGS(p), (long)ps, ARGS(q),
                             (long)qs);
        }
}
END_TEST

/* The uses that the header names, as a table. */
START_TEST(fields_of_arrays)
{
    struct cs_pattern elem = {0, 24, 0, 240}; /* &grid[i], 10 structs of 24 bytes */
    struct cs_pattern x = cs_pat_compose(elem, cs_pat_at(0)), y = cs_pat_compose(elem, cs_pat_at(8)),
                      z = cs_pat_compose(elem, cs_pat_at(16));
    ck_assert(!cs_pat_overlap(x, 8, y, 8) && !cs_pat_overlap(y, 8, z, 8) && !cs_pat_overlap(x, 8, z, 8));
    ck_assert(cs_pat_overlap(x, 16, y, 8) && cs_pat_overlap(x, 8, cs_pat_at(48), 4) &&
              !cs_pat_overlap(x, 8, cs_pat_at(56), 4));
    ck_assert(!cs_pat_overlap(x, 8, cs_pat_at(240), 8));
    /* struct { int n; int a[4]; int m; }: an index in a never reaches n or m. */
    struct cs_pattern a = {0, 4, 4, 20};
    ck_assert(!cs_pat_overlap(a, 4, cs_pat_at(0), 4) && !cs_pat_overlap(a, 4, cs_pat_at(20), 4) &&
              cs_pat_overlap(a, 4, cs_pat_at(16), 4));
    /* container_of: from the member back to the whole lifts the bounds. */
    struct cs_pattern member = {8, 0, 8, 16}, whole = cs_pat_shift(member, -8);
    ck_assert(whole.off == 0 && whole.lo == CS_OFF_MIN && whole.hi == CS_OFF_MAX);
    /* Also from any byte of a member that is an array, but not by a step in it. */
    struct cs_pattern text = {0, 1, 8, 40}, from_text = cs_pat_shift(text, -8), before = cs_pat_shift(text, -1);
    ck_assert(from_text.lo == CS_OFF_MIN && before.lo == 8);
    /* Nor from one member of an element to another one. */
    struct cs_pattern part = {16, 24, 24, 240}, first = cs_pat_shift(part, -16);
    ck_assert(first.off == 0 && first.lo == 24);
    /* Forward, to what is behind the array, from any element; what is in front of it stays out of reach. */
    struct cs_pattern key = {0, 4, 8, 24}, behind = cs_pat_shift(key, 12), next = cs_pat_shift(key, 4);
    ck_assert(behind.lo == 8 && behind.hi == CS_OFF_MAX && next.hi == 24);
    /* The struct that any element leads back to, and there an array of unknown index. */
    struct cs_pattern tail = {0, 4, 16, 32}, other = cs_pat_compose(key, tail);
    ck_assert(cs_pat_overlap(other, 4, cs_pat_at(32), 4) && !cs_pat_overlap(other, 4, cs_pat_at(0), 4));
}
END_TEST

START_TEST(extremes)
{
    struct cs_pattern far = cs_pat_shift(cs_pat_at(CS_OFF_MAX), CS_OFF_MAX),
                      near = cs_pat_shift(cs_pat_at(CS_OFF_MIN), CS_OFF_MIN);
    ck_assert(far.off <= CS_OFF_MAX && near.off >= CS_OFF_MIN);
    ck_assert(cs_pat_shift(cs_pat_at(0), INT64_MAX).off == CS_OFF_MAX);
    ck_assert(cs_pat_shift(cs_pat_at(CS_OFF_MAX), INT64_MAX).off == CS_OFF_MAX);
    ck_assert(cs_pat_shift(cs_pat_at(CS_OFF_MIN), INT64_MIN).off == CS_OFF_MIN);
    ck_assert(cs_pat_spread(cs_pat_at(3), INT64_MIN).stride >= 0);
    ck_assert(cs_pat_overlap(cs_pat_any(), -1, cs_pat_at(CS_OFF_MAX - 1), 1));
    ck_assert(cs_pat_overlap(cs_pat_at(5), -1, cs_pat_at(500), 1));
    ck_assert(!cs_pat_overlap(cs_pat_at(5), -1, cs_pat_at(4), 1));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pattern");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, set_up, NULL);
    tcase_add_test(c, spread);
    tcase_add_test(c, shift);
    tcase_add_test(c, compose);
    tcase_add_test(c, access_elements);
    tcase_add_test(c, normal);
    tcase_add_test(c, covers);
    tcase_add_test(c, overlap);
    tcase_add_test(c, fields_of_arrays);
    tcase_add_test(c, extremes);
    suite_add_tcase(s, c);
    return suite_main(s);
}
