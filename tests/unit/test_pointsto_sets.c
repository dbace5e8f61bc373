/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/graph/bits.c, pointsto_set.c and pointsto_flow.c against naive ones: random sets of numbers,
 * random locations that go into a set by the word and one by one, and random constraint graphs with cycles, solved here
 * by going round until nothing changes. */
#include <stdio.h>
#include <string.h>

#include "slicer/pointsto/pointsto_internal.h"
#include "suite.h"

#define RANGE 1500 /* numbers in the sets of bits */
#define NOBJS 6
#define NNODES 24
#define MAX_LOCS 4000

static uint32_t seed;

static int roll(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

/* ---- sets of numbers ---- */

struct model {
    struct cs_bits b;
    bool has[RANGE];
};

static void fill(struct model *m)
{
    int base = roll(RANGE - 200), width = roll(2) ? 199 : RANGE - base;
    for (int k = roll(120); k > 0; k--) {
        int x = base + roll(width);
        ck_assert_int_eq(cs_bits_add(&m->b, x), !m->has[x]);
        m->has[x] = true;
    }
}

static void same_bits(const struct cs_bits *b, const bool *has)
{
    struct cs_intlist all = {0};
    int n = 0, next = -1;
    cs_bits_list(b, &all);
    for (int x = RANGE - 1; x >= 0; x--) {
        ck_assert_int_eq(cs_bits_has(b, x), has[x]);
        if (has[x])
            next = x;
        ck_assert_int_eq(cs_bits_next(b, x), next);
    }
    for (int x = 0; x < RANGE; x++)
        if (has[x]) {
            ck_assert_int_lt(n, all.n);
            ck_assert_int_eq(all.a[n++], x);
        }
    ck_assert_int_eq(n, all.n);
    ck_assert_int_eq(n, cs_bits_count(b));
    cs_intlist_free(&all);
}

START_TEST(bits)
{
    struct model a = {0}, b = {0};
    struct cs_bits out = {0};
    bool both[RANGE], only[RANGE];
    seed = (uint32_t)_i;
    for (int round = roll(4); round >= 0; round--) {
        fill(&a);
        fill(&b);
    }
    if (roll(8) == 0)
        cs_bits_free(&b.b), memset(b.has, 0, sizeof b.has);
    for (int x = 0; x < RANGE; x++) {
        both[x] = a.has[x] && b.has[x];
        only[x] = a.has[x] && !b.has[x];
    }
    cs_bits_and(&out, &a.b, &b.b);
    same_bits(&out, both);
    cs_bits_minus(&out, &a.b, &b.b);
    same_bits(&out, only);
    cs_bits_or(&a.b, &b.b);
    for (int x = 0; x < RANGE; x++)
        a.has[x] |= b.has[x];
    same_bits(&a.b, a.has);
    same_bits(&b.b, b.has);
    cs_bits_free(&a.b);
    cs_bits_free(&b.b);
    cs_bits_free(&out);
}
END_TEST

/* ---- locations into one set ---- */

static struct cs_pts *solver(void)
{
    struct cs_pts *p = cs_calloc(1, sizeof *p);
    p->budget = INT64_MAX;
    p->lost_obj = p->lost_loc = -1;
    p->many = CS_PTS_MANY;
    p->next_widening = INT64_MAX;
    p->g = cs_graph_new();
    for (int i = 0; i < NOBJS; i++)
        cs_graph_add_obj(p->g, CS_OBJ_GLOBAL, "o", i ? 400 : CS_SIZE_UNKNOWN);
    cs_pts_first_locs(p);
    return p;
}

static void solver_free(struct cs_pts *p)
{
    cs_graph_free(p->g);
    cs_pts_free(p);
}

/* Objects of low number have many places, wide and narrow ones. */
static int any_loc(struct cs_pts *p)
{
    int obj = roll(NOBJS + 1) - 1;
    struct cs_pattern pat = cs_pat_at(8 * roll(obj < 3 ? 40 : 5));
    if (obj < 0)
        return roll(6) ? cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(roll(12))) : LOC_INT;
    if (obj < 2 && roll(3) == 0)
        pat = cs_pat_spread(pat, 8 << roll(3));
    if (obj < 2 && roll(3) == 0) {
        pat.lo = pat.off / 16 * 16;
        pat.hi = pat.lo + 16 * (1 + roll(4));
    }
    if (obj < 2 && roll(40) == 0)
        pat = cs_pat_any();
    return cs_pts_intern_loc(p, obj, pat);
}

/* The rules as they are said, one location after the other. */
static void naive_add(struct cs_pts *p, bool *has, int loc)
{
    struct cs_loc l = p->locs[loc];
    struct cs_pattern join = l.pat;
    int same = 0, numbers = 0;
    bool apart = false;
    for (int i = 0; i < p->nlocs; i++) {
        const struct cs_pattern *o = &p->locs[i].pat;
        if (has[i] && p->locs[i].obj == CS_LOC_CONST)
            numbers++;
        if (!has[i] || l.obj < 0 || p->locs[i].obj != l.obj)
            continue;
        if (cs_pat_covers(*o, l.pat))
            return;
        same++;
        join = cs_pat_spread(cs_pat_spread(join, o->off - l.pat.off), o->stride);
        join.lo = o->lo < join.lo ? o->lo : join.lo;
        join.hi = o->hi > join.hi ? o->hi : join.hi;
        apart |= o->off != l.pat.off;
    }
    if (l.obj == CS_LOC_CONST && has[LOC_INT] && l.pat.off != 0)
        return;
    if (l.obj == CS_LOC_CONST && !has[loc] && numbers >= MAX_CONSTS)
        loc = LOC_INT;
    if (same >= MAX_OFFSETS)
        loc = cs_pts_intern_loc(p, l.obj, apart ? join : cs_pat_any());
    ck_assert_int_lt(loc, MAX_LOCS);
    has[loc] = true;
}

static int as_number(const struct cs_pts *p, int loc, bool numbers)
{
    return !numbers && p->locs[loc].obj == CS_LOC_CONST && p->locs[loc].pat.off != 0 ? LOC_INT : loc;
}

START_TEST(one_set)
{
    struct cs_pts *p = solver();
    static bool has[MAX_LOCS];
    int node = cs_pts_new_node(p);
    memset(has, 0, sizeof has);
    seed = (uint32_t)_i;
    for (int batch = 0; batch < 30; batch++) {
        struct cs_bits what = {0};
        struct cs_intlist list = {0};
        bool numbers = roll(3) > 0;
        for (int k = roll(12); k >= 0; k--)
            cs_bits_add(&what, any_loc(p));
        cs_bits_list(&what, &list);
        cs_pts_add_locs(p, node, &what, numbers);
        for (int i = 0; i < list.n; i++)
            if (list.a[i] != LOC_INT)
                naive_add(p, has, as_number(p, list.a[i], numbers));
        if (list.n && list.a[0] == LOC_INT)
            naive_add(p, has, LOC_INT);
        for (int i = 0; i < p->nlocs; i++)
            ck_assert_msg(cs_bits_has(&p->nodes[node].members, i) == has[i], "seed %d batch %d location %d: %d here",
                          _i, batch, i, has[i]);
        ck_assert_int_eq(p->nodes[node].nmembers, cs_bits_count(&p->nodes[node].members));
        cs_bits_free(&what);
        cs_intlist_free(&list);
    }
    solver_free(p);
}
END_TEST

/* ---- constraint graphs ---- */

struct naive {
    bool has[NNODES][MAX_LOCS];
    int nedges;
    struct {
        int from, to;
        enum edge_kind kind;
    } edges[NNODES * 3];
};

static bool go_round(struct cs_pts *p, struct naive *w)
{
    bool changed = false;
    for (int e = 0; e < w->nedges; e++)
        for (int i = 0; i < p->nlocs; i++) {
            if (!w->has[w->edges[e].from][i])
                continue;
            int loc = as_number(p, i, w->edges[e].kind == EDGE_COPY);
            if (w->edges[e].kind == EDGE_OUTSIDE && p->locs[i].obj >= 0)
                loc = cs_pts_intern_loc(p, p->locs[i].obj, cs_pat_any());
            changed |= !w->has[w->edges[e].to][loc];
            w->has[w->edges[e].to][loc] = true;
        }
    return changed;
}

/* Of a set, what counts: no number beside "any integer", nothing that lies in something wider. */
static bool counts(const struct cs_pts *p, const bool *has, int loc)
{
    if (!has[loc])
        return false;
    if (p->locs[loc].obj < 0)
        return as_number(p, loc, !has[LOC_INT]) == loc;
    for (int i = 0; i < p->nlocs; i++)
        if (i != loc && has[i] && p->locs[i].obj == p->locs[loc].obj && cs_pat_covers(p->locs[i].pat, p->locs[loc].pat))
            return false;
    return true;
}

/* Few offsets and constants, so that nothing is widened and there is one solution. */
static void random_graph(struct cs_pts *p, struct naive *w)
{
    static const enum edge_kind kinds[] = {EDGE_COPY, EDGE_COPY, EDGE_COPY, EDGE_NO_CONST, EDGE_NO_CONST, EDGE_OUTSIDE};
    for (int i = 0; i < NNODES; i++)
        cs_pts_new_node(p);
    for (int k = 0; k < NNODES * 3; k++) {
        int from = roll(NNODES), to = roll(NNODES), n = roll(NNODES), obj = roll(NOBJS + 2) - 2;
        enum edge_kind kind = kinds[roll(roll(3) ? 5 : 6)];
        int loc = obj == -2 ? LOC_INT : cs_pts_intern_loc(p, obj, cs_pat_at(8 * roll(6)));
        if (obj == -2 && roll(4))
            continue;
        cs_pts_add_edge(p, from, to, kind, 0);
        w->edges[w->nedges].from = from;
        w->edges[w->nedges].to = to;
        w->edges[w->nedges++].kind = kind;
        if (roll(3) == 0) {
            cs_pts_add_loc(p, n, loc);
            w->has[n][loc] = true;
        }
        if (roll(6) == 0)
            cs_pts_drain(p);
    }
    cs_pts_drain(p);
}

START_TEST(graphs)
{
    struct cs_pts *p = solver();
    struct naive *w = cs_calloc(1, sizeof *w);
    static bool mine[MAX_LOCS];
    seed = (uint32_t)_i;
    random_graph(p, w);
    while (go_round(p, w)) {
    }
    for (int n = 0; n < NNODES; n++) {
        for (int i = 0; i < p->nlocs; i++)
            mine[i] = cs_bits_has(&p->nodes[n].members, i);
        for (int i = 0; i < p->nlocs; i++)
            ck_assert_msg(counts(p, mine, i) == counts(p, w->has[n], i), "seed %d node %d location %d: should be %d",
                          _i, n, i, w->has[n][i]);
    }
    free(w);
    solver_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pointsto sets");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, bits, 0, 300);
    tcase_add_loop_test(c, one_set, 0, 200);
    tcase_add_loop_test(c, graphs, 0, 200);
    suite_add_tcase(s, c);
    return suite_main(s);
}
