/* SPDX-License-Identifier: BSD-3-Clause
 * A table by rounds and ways; recorded_around.h. A round goes to each rank around one, in their order. Rounds of the
 * same numbers are one row of the table; which row each round has is a list of its own.
 *   pick(pick(iteration/AROUND,0,1), pick(toward(iteration,2,1,0)-1,64,64,8,...), pick(...)) */
#include "base/recorded_around.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/recorded_grid.h"
#include "base/recorded_walk.h"

/* Ways to another rank, at most; rounds; rows that are not the same. */
enum { WAYS = 7, ROUNDS = 8192, ROWS = 32 };

/* What all ranks had on the way in the round. */
struct cell {
    int64_t value;
    bool known;
};
/* One grid that is tried, and what is so of the numbers so far. */
struct around {
    const struct cs_rank_grid *grid;
    int64_t rounds; /* -1: not known yet */
    struct cell (*cell)[WAYS];
    bool ranks, ways; /* they are the ranks around; the way decides them */
};

static int nways(const struct cs_rank_grid *g)
{
    return (1 << g->nsides) - 1;
}

/* Are there runs of three numbers of ranks, and grids of different sides, so that it is no chance? */
static bool enough(const struct cs_rank_grid *g, const struct cs_recorded_value *v)
{
    struct cs_rank_place first = cs_rank_place(g, 0, v->nranks);
    int runs = 0;
    bool differ = false;
    for (; v; v = v->also) {
        if (v->nranks < 2)
            return false;
        struct cs_rank_place p = cs_rank_place(g, 0, v->nranks);
        differ |= memcmp(p.side, first.side, sizeof p.side) != 0;
        runs++;
    }
    return runs > 2 && differ;
}

static void take_way(struct around *a, int64_t round, int way, int64_t value)
{
    struct cell *c = &a->cell[round][way - 1];
    a->ways &= !c->known || c->value == value;
    *c = (struct cell){value, true};
}

/* Takes what the rank had; false: it is no rule, or memory is out. */
static bool take_rank(struct around *a, const struct cs_recorded_rank *r, int rank, int size)
{
    struct cs_rank_place p = cs_rank_place(a->grid, rank, size);
    int64_t around = cs_ranks_around(&p), rounds = around ? r->each.times / around : 0, value;
    if (!r->in_order || !rounds || rounds * around != r->each.times || rounds > ROUNDS)
        return false;
    if (a->rounds < 0 && !(a->cell = calloc((size_t)rounds, sizeof *a->cell)))
        return false;
    a->rounds = a->rounds < 0 ? rounds : a->rounds;
    struct cs_recorded_walk w = {.r = r};
    for (int64_t i = 0; rounds == a->rounds && (a->ranks || a->ways) && cs_recorded_next(&w, 0, &value); i++) {
        int way, to = cs_rank_near(&p, i % around, &way);
        a->ranks &= value == to;
        if (a->ways)
            take_way(a, i / around, way, value);
    }
    return rounds == a->rounds && (a->ranks || a->ways);
}

static bool take_all(struct around *a, const struct cs_recorded_value *v)
{
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++)
            if (!take_rank(a, &v->by_rank[i], i, v->nranks))
                return false;
    return true;
}

/* ---- as a text ---- */

static void print_order(FILE *f, const struct cs_rank_grid *g)
{
    for (int q = 0; q < g->nsides; q++)
        fprintf(f, ",%d", g->order[q]);
    fputc(')', f);
}

static bool same_row(const struct cell *x, const struct cell *y)
{
    for (int i = 0; i < WAYS; i++)
        if (x[i].known != y[i].known || x[i].value != y[i].value)
            return false;
    return true;
}

static void print_row(FILE *f, const struct cs_rank_grid *g, const struct cell *row)
{
    fputs("pick(toward(iteration", f);
    print_order(f, g);
    fputs("-1", f);
    for (int i = 0; i < nways(g); i++)
        fprintf(f, ",%lld", (long long)row[i].value);
    fputc(')', f);
}

/* The text with how many rounds have been before in place of how many numbers. */
static void print_by_round(FILE *f, const struct cs_rank_grid *g, const char *text)
{
    static const char word[] = "iteration";
    for (const char *at; (at = strstr(text, word)); text = at + sizeof word - 1) {
        fprintf(f, "%.*s(iteration/(", (int)(at - text), text);
        cs_grid_print_around(f, g);
        fputs("))", f);
    }
    fputs(text, f);
}

/* Sets which row each round has, and the first round of each row. How many rows there are; 0: too many. */
static int find_rows(const struct around *a, struct cs_series *which, int64_t first[ROWS])
{
    int n = 0;
    for (int64_t i = 0; i < a->rounds; i++) {
        int row = 0;
        while (row < n && !same_row(a->cell[first[row]], a->cell[i]))
            row++;
        if (row == ROWS)
            return 0;
        if (row == n)
            first[n++] = i;
        cs_series_add(which, row);
    }
    return which->unknown ? 0 : n;
}

static bool print_rows(FILE *f, const struct around *a)
{
    struct cs_series which = {0};
    int64_t first[ROWS];
    int n = find_rows(a, &which, first);
    char *text = NULL;
    size_t size;
    FILE *to = n > 1 ? open_memstream(&text, &size) : NULL;
    if (to) {
        cs_series_expression(to, &which);
        n = fclose(to) ? 0 : n;
        fputs("pick(", f);
        print_by_round(f, a->grid, text);
    }
    for (int i = 0; i < n && (n == 1 || to); i++) {
        fputs(n > 1 ? "," : "", f);
        print_row(f, a->grid, a->cell[first[i]]);
    }
    if (to)
        fputc(')', f);
    free(text);
    cs_series_free(&which);
    return n == 1 || (n && to);
}

static bool print(FILE *f, const struct around *a)
{
    if (!a->ranks)
        return print_rows(f, a);
    fputs("near(iteration", f);
    print_order(f, a->grid);
    return true;
}

bool cs_recorded_around(FILE *f, const struct cs_recorded_value *v)
{
    bool found = false;
    for (int i = 0; i < CS_RANK_GRIDS && !found; i++) {
        struct around a = {.grid = &cs_rank_grids[i], .rounds = -1, .ranks = true, .ways = true};
        char *text = NULL;
        size_t size;
        FILE *to = enough(a.grid, v) && take_all(&a, v) ? open_memstream(&text, &size) : NULL;
        found = to && print(to, &a);
        if (to && fclose(to))
            found = false;
        if (found)
            fputs(text, f);
        free(text);
        free(a.cell);
    }
    return found;
}
