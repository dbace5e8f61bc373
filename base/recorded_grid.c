/* SPDX-License-Identifier: BSD-3-Clause
 * Tries all grids and all features of a place in a grid; recorded_grid.h. */
#include "base/recorded_grid.h"

const struct cs_rank_grid cs_rank_grids[CS_RANK_GRIDS] = {{3, {2, 1, 0}}, {3, {0, 1, 2}}, {3, {1, 0, 2}},
                                                          {3, {2, 0, 1}}, {3, {1, 2, 0}}, {3, {0, 2, 1}},
                                                          {2, {1, 0}},    {2, {0, 1}}};

static struct cs_rank_place place_of(const struct cs_rank_grid *g, const struct cs_rank_number *x)
{
    return cs_rank_place(g, x->rank, x->size);
}

/* ---- what a rule may be about ---- */

/* SIDE, AT, NEXT and LAST: of side q. AROUND and BESIDE: neighbours in all directions, and along sides only. */
enum feature { SIDE, AT, AROUND, BESIDE, NEXT, LAST, FEATURES };

static int beside(const struct cs_rank_place *p)
{
    int n = 0;
    for (int q = 0; q < p->n; q++)
        n += (p->at[q] > 0) + (p->at[q] < p->side[q] - 1);
    return n;
}

static int64_t value_of(const struct cs_rank_place *p, enum feature f, int q)
{
    int step = 1, further = f == NEXT ? 1 : p->side[q] - 1;
    for (int i = 0; i < q; i++)
        step *= p->side[i];
    switch (f) {
    case SIDE: return p->side[q];
    case AT: return p->at[q];
    case AROUND: return cs_ranks_around(p);
    case BESIDE: return beside(p);
    default: return p->rank + ((p->at[q] + further) % p->side[q] - p->at[q]) * step;
    }
}

/* ---- as a text ---- */

static void print_side(FILE *f, const struct cs_rank_grid *g, int q)
{
    fprintf(f, "dims(size,%d,%d)", g->nsides, g->order[q]);
}

static void print_at(FILE *f, const struct cs_rank_grid *g, int q)
{
    fputs("rank", f);
    for (int i = 0; i < q; i++) {
        fputc('/', f);
        print_side(f, g, i);
    }
    if (q == g->nsides - 1)
        return;
    fputc('%', f);
    print_side(f, g, q);
}

static void print_neighbours(FILE *f, const struct cs_rank_grid *g, bool around)
{
    for (int q = 0; q < g->nsides; q++) {
        fputs(q == 0 ? "" : around ? "*" : "+", f);
        fputs(around ? "(1+(" : "(", f);
        print_at(f, g, q);
        fputs(around ? ">0)+(" : ">0)+(", f);
        print_at(f, g, q);
        fputc('<', f);
        print_side(f, g, q);
        fputs(around ? "-1))" : "-1)", f);
    }
    if (around)
        fputs("-1", f);
}

void cs_grid_print_around(FILE *f, const struct cs_rank_grid *g)
{
    print_neighbours(f, g, true);
}

static void print_next(FILE *f, const struct cs_rank_grid *g, enum feature which, int q)
{
    fputs("rank+((", f);
    print_at(f, g, q);
    fputc('+', f);
    if (which == NEXT)
        fputc('1', f);
    else
        print_side(f, g, q);
    fputs(which == NEXT ? ")%" : "-1)%", f);
    print_side(f, g, q);
    fputs("-(", f);
    print_at(f, g, q);
    fputs("))", f);
    for (int i = 0; i < q; i++) {
        fputc('*', f);
        print_side(f, g, i);
    }
}

static void print_rule(FILE *f, const struct cs_rank_grid *g, enum feature which, int q)
{
    if (which == SIDE)
        print_side(f, g, q);
    else if (which == AT)
        print_at(f, g, q);
    else if (which == AROUND || which == BESIDE)
        print_neighbours(f, g, which == AROUND);
    else
        print_next(f, g, which, q);
}

/* ---- does it hold? ---- */

/* Are they of so many ranks, on three or more numbers of ranks, that a rule is no chance? */
static bool enough(const struct cs_rank_number *a, size_t n)
{
    int sizes = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && a[k].size != a[i].size)
            k++;
        sizes += k == i;
    }
    return sizes > 2 && n > 8;
}

/* Has the grid other sides on some numbers of ranks, so that it can be told from a constant? Side q, or any. */
static bool varies(const struct cs_rank_grid *g, int q, bool any, const struct cs_rank_number *a, size_t n)
{
    struct cs_rank_place first = place_of(g, &a[0]);
    for (size_t i = 1; i < n; i++) {
        struct cs_rank_place p = place_of(g, &a[i]);
        for (int k = any ? 0 : q; k < (any ? g->nsides : q + 1); k++)
            if (p.side[k] != first.side[k])
                return true;
    }
    return false;
}

static bool holds(const struct cs_rank_grid *g, enum feature which, int q, const struct cs_rank_number *a, size_t n,
                  int64_t *multiple)
{
    *multiple = which == NEXT || which == LAST ? 1 : 0;
    for (size_t i = 0; i < n; i++) {
        struct cs_rank_place p = place_of(g, &a[i]);
        int64_t is = value_of(&p, which, q);
        if (!*multiple && is && a[i].value)
            *multiple = a[i].value / is;
        if (*multiple * is != a[i].value || *multiple < 0)
            return false;
    }
    return *multiple != 0;
}

static bool grid_rule(FILE *f, const struct cs_rank_grid *g, const struct cs_rank_number *a, size_t n,
                      int64_t *multiple)
{
    for (enum feature which = 0; which < FEATURES; which++)
        for (int q = 0; q < (which == AROUND || which == BESIDE ? 1 : g->nsides); q++) {
            if (!holds(g, which, q, a, n, multiple) || !varies(g, q, which == AROUND || which == BESIDE, a, n))
                continue;
            print_rule(f, g, which, q);
            return true;
        }
    return false;
}

bool cs_grid_rule(FILE *f, const struct cs_rank_number *a, size_t n, int64_t *multiple)
{
    for (size_t i = 0; enough(a, n) && i < CS_RANK_GRIDS; i++)
        if (grid_rule(f, &cs_rank_grids[i], a, n, multiple))
            return true;
    return false;
}
