/* SPDX-License-Identifier: BSD-3-Clause
 * Non-negative least squares over the pieces of all segments, whose columns are the loops that are asked for; see
 * loop_prices.h. */
#include "predict/methods/loop_prices.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "predict/methods/nearby.h"
#include "predict/methods/working_set.h"
#include "predict/regression/nonnegative.h"

/* A time counts as at least so many ns; a piece counts half that is so many doublings larger or smaller than those that
 * are asked for. */
static const double FLOOR = 1000, NEAR = 1.5;
/* Largest logarithm of what pieces of a size are off; how often that and the prices are found in turn. */
static const double FAR_OFF = 1.6;
static const int ROUNDS = 3;
/* What cannot be told apart is drawn to the mean price, give or take so many times that, and to nothing beside the
 * loops, give or take so many ns; both as strongly as a row that is off by that share. */
static const double GIVE = 0.7, BESIDE_LOOPS = 3000, NOISE = 0.03;
/* Pieces that are left out to see how far prices are off: the longest, and so many tell something. One of which a
 * larger share is in loops that no other has tells nothing. Nobody knows how far such a loop is off its price, but by
 * that share; a piece that is left out counts as no farther off than by WORST. */
enum { LEFT_OUT_MOST = 32, LEFT_OUT_LEAST = 3 };
static const double FEW_UNKNOWN = 0.1, UNKNOWN_OFF = 1, WORST = 2;

/* The problem while it is put together: column 0 is the constant, then a column each loop, then all other turns. */
struct system {
    const struct cs_observations *o;
    int *column;                  /* of each counter; 0: it is among the others */
    int ncolumns, rows, measured; /* measured: of these rows */
    int left_out;                 /* the segment, or -1 */
    const struct cs_nearby *size; /* by what factor pieces of a size are dearer */
    double aim;                   /* log2 of the turns of what is asked, on average */
    struct cs_matrix x;
    double *y;
};

static bool is_measured(const struct cs_observations *o, const struct cs_observed_segment *s)
{
    for (int i = 0; i < s->nrows; i++)
        if (o->run[s->row[i].run].with_times)
            return true;
    return false;
}

/* The loops of segments that nobody has measured, as far as others have them. */
static void choose_columns(struct system *s)
{
    const struct cs_observations *o = s->o;
    double sum = 0;
    int n = 0;
    for (int i = 0; i < o->nsegments; i++) {
        bool measured = is_measured(o, &o->segment[i]);
        for (int k = 0; k < o->segment[i].nrows && !measured; k++, n++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            sum += log2(cs_turns_counted(o, r));
            for (int c = 0; c < r->ncounts; c++)
                s->column[r->count[c].counter] = o->counter[r->count[c].counter].counted;
        }
    }
    s->aim = n ? sum / n : -1;
    s->ncolumns = 1;
    for (int c = 0; c < o->ncounters; c++)
        s->column[c] = s->column[c] ? s->ncolumns++ : 0;
    s->ncolumns++;
}

/* A row each run that has the segment: its ranks' mean, divided by its time. */
static void add_segment(struct system *s, const struct cs_observed_segment *g)
{
    for (int k = 0, next; k < g->nrows; k = next) {
        double ns = 0, turns = 0;
        for (next = k; next < g->nrows && g->row[next].run == g->row[k].run; next++) {
            ns += g->row[next].ns;
            turns += cs_turns_counted(s->o, &g->row[next]);
        }
        int n = next - k;
        if (!s->o->run[g->row[k].run].with_times)
            continue;
        double size = log2(turns / n), off = (size - s->aim) / NEAR,
               scale = 1 / fmax(ns / n, FLOOR) / sqrt(1 + off * off);
        s->x.at[s->rows] = scale;
        double dearer = cs_nearby_factor(s->size, size);
        for (int i = k; i < next; i++)
            for (int c = 0; c < g->row[i].ncounts; c++) {
                int counter = g->row[i].count[c].counter, column = s->column[counter];
                if (s->o->counter[counter].counted)
                    cs_column(&s->x, column ? column : s->ncolumns - 1)[s->rows] +=
                        g->row[i].count[c].mean / n * scale * dearer;
            }
        s->y[s->rows++] = ns / n * scale;
    }
}

/* One more observation of each coefficient: what is expected of it. */
static void add_expected(struct system *s, double mean)
{
    for (int j = 0; j < s->ncolumns; j++) {
        cs_column(&s->x, j)[s->rows] = j ? NOISE / (GIVE * mean) : NOISE / BESIDE_LOOPS;
        s->y[s->rows++] = j ? NOISE / GIVE : 0;
    }
}

/* Is the loop in a piece that was measured? */
static bool has_turns(const struct system *s, int column)
{
    for (int i = 0; i < s->measured; i++)
        if (cs_column(&s->x, column)[i] > 0)
            return true;
    return false;
}

static int solve(struct system *s, double mean, struct cs_loop_prices *p)
{
    double *b = calloc((size_t)s->ncolumns, sizeof *b);
    int rows = s->ncolumns;
    for (int i = 0; i < s->o->nsegments; i++)
        rows += s->o->segment[i].nrows;
    s->x = (struct cs_matrix){rows, s->ncolumns, calloc((size_t)rows * (size_t)s->ncolumns, sizeof *s->x.at)};
    s->y = calloc((size_t)rows, sizeof *s->y);
    int rc = b && s->x.at && s->y ? 0 : -1;
    s->rows = 0;
    for (int i = 0; i < s->o->nsegments && !rc; i++)
        if (i != s->left_out)
            add_segment(s, &s->o->segment[i]);
    s->measured = s->rows;
    if (!rc) {
        add_expected(s, mean);
        rc = cs_nonnegative(&s->x, s->y, b);
        if (rc && errno == EDOM)
            rc = 0;
        else if (!rc) {
            p->beside = b[0];
            for (int c = 0; c < s->o->ncounters; c++)
                if (s->column[c] && has_turns(s, s->column[c])) {
                    p->turn[c] = b[s->column[c]];
                    p->known[c] = true;
                }
        }
    }
    free(b);
    free(s->x.at);
    free(s->y);
    return rc;
}

/* 0, or -1: no memory; what there is can be freed. */
static int make_room(const struct cs_observations *o, struct cs_loop_prices *p)
{
    *p = (struct cs_loop_prices){.o = o,
                                 .turn = malloc(((size_t)o->ncounters + 1) * sizeof *p->turn),
                                 .known = malloc(((size_t)o->ncounters + 1) * sizeof *p->known),
                                 .after = malloc(((size_t)o->nsites + 1) * sizeof *p->after)};
    return p->turn && p->known && p->after ? 0 : -1;
}

/* All turns cost that, wherever they are. */
static void set_all(const struct cs_observations *o, double mean, struct cs_loop_prices *p)
{
    p->beside = mean;
    p->off = UNKNOWN_OFF;
    for (int i = 0; i <= o->nsites; i++)
        p->after[i] = 1;
    for (int c = 0; c < o->ncounters; c++) {
        p->turn[c] = mean;
        p->known[c] = false;
    }
}

/* What a turn takes on average, ns, without what pieces of a size are dearer than others. */
static double mean_inside(const struct cs_observations *o, const struct cs_loop_prices *p)
{
    double ns = 0, all = 0;
    for (int i = 0; i < o->nsegments; i++)
        for (int k = 0; k < o->segment[i].nrows; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            double turns = cs_turns_counted(o, r);
            if (!o->run[r->run].with_times)
                continue;
            ns += r->ns * r->times / cs_nearby_factor(&p->size, log2(turns));
            all += turns * r->times;
        }
    return ns / all;
}

/* ns of the row's loops, wherever they are and whatever its size. */
static double turns_ns(const struct cs_loop_prices *p, const struct cs_observed_row *row)
{
    double ns = 0;
    for (int i = 0; i < row->ncounts; i++)
        ns += p->turn[row->count[i].counter] * row->count[i].mean;
    return ns;
}

/* By what factor pieces of each size are off the prices of their loops: what leaves a cache makes all loops dearer. 0,
 * or -1: no memory. */
static int look_at_sizes(const struct cs_observations *o, struct cs_loop_prices *p)
{
    struct cs_nearby size = {.most = FAR_OFF};
    int rc = 0;
    for (int i = 0; i < o->nsegments && !rc; i++)
        for (int k = 0; k < o->segment[i].nrows && !rc; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            double ns = turns_ns(p, r);
            if (o->run[r->run].with_times && r->ns >= FLOOR && ns > p->beside)
                rc = cs_nearby_add(&size, log2(cs_turns_counted(o, r)), fmax(r->ns - p->beside, 1) / ns);
        }
    cs_nearby_settle(&size);
    cs_nearby_free(&p->size);
    p->size = size;
    return rc;
}

/* Prices of loops and what pieces of each size are off them, in turn. 0, or -1. */
static int solve_by_size(struct system *s, double mean, struct cs_loop_prices *p)
{
    s->size = &p->size;
    int rc = solve(s, mean, p);
    for (int i = 0; i < ROUNDS && !rc; i++) {
        rc = look_at_sizes(s->o, p);
        mean = mean_inside(s->o, p);
        set_all(s->o, mean, p);
        rc = rc ? rc : solve(s, mean, p);
    }
    return rc;
}

/* What pieces that begin at a site were off these prices, on average, each run of a piece as much: behind the site that
 * first goes through its memory, others are dearer, too. One more says that they are not off. 0, or -1: no memory. */
static int look_behind_sites(const struct cs_observations *o, struct cs_loop_prices *p)
{
    double *n = calloc((size_t)o->nsites + 1, sizeof *n), *off = calloc((size_t)o->nsites + 1, sizeof *off);
    for (int i = 0; n && off && i < o->nsegments; i++)
        for (int k = 0; k < o->segment[i].nrows; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            double ns = cs_loop_prices_of(p, o->segment[i].from, r);
            if (!o->run[r->run].with_times || r->ns < FLOOR || !(ns > 0) || ns < 2 * p->beside)
                continue; /* it is no loops that take the time */
            off[o->segment[i].from + 1] += log(r->ns / ns);
            n[o->segment[i].from + 1]++;
        }
    for (int i = 0; n && off && i <= o->nsites; i++)
        p->after[i] = exp(off[i] / (n[i] + 1));
    int rc = n && off ? 0 : -1;
    free(n);
    free(off);
    return rc;
}

/* ---- how far they are off ---- */

/* Which share of the time that they say is in loops without a price of their own. */
static double unknown_share(const struct cs_loop_prices *p, const struct cs_observed_row *row)
{
    double ns = p->beside, unknown = 0;
    for (int i = 0; i < row->ncounts; i++) {
        double all = p->turn[row->count[i].counter] * row->count[i].mean;
        ns += all;
        unknown += p->known[row->count[i].counter] ? 0 : all;
    }
    return ns > 0 ? unknown / ns : 1;
}

/* By what share of the prices the segment's times are off them, squared, on average; below 0: it tells nothing, as most
 * of it is beside loops, or in loops without a price. */
static double off_squared(const struct cs_observations *o, const struct cs_loop_prices *p,
                          const struct cs_observed_segment *s)
{
    double sum = 0;
    int n = 0;
    for (int k = 0; k < s->nrows; k++) {
        const struct cs_observed_row *r = &s->row[k];
        double ns = cs_loop_prices_of(p, s->from, r);
        if (!o->run[r->run].with_times || r->ns < FLOOR || ns < 2 * p->beside || unknown_share(p, r) > FEW_UNKNOWN)
            continue;
        double off = fmin(fabs(r->ns / ns - 1), WORST);
        sum += off * off;
        n++;
    }
    return n ? sum / n : -1;
}

/* The longest time of a measured row; 0: there is none. */
static double longest(const struct cs_observations *o, const struct cs_observed_segment *s)
{
    double most = 0;
    for (int k = 0; k < s->nrows; k++)
        if (o->run[s->row[k].run].with_times)
            most = fmax(most, s->row[k].ns * s->row[k].times);
    return most;
}

/* Measured segments that have some, the longest first; their number. */
static int list_longest(const struct cs_observations *o, int list[LEFT_OUT_MOST])
{
    int n = 0;
    for (int i = 0; i < o->nsegments; i++) {
        double ns = longest(o, &o->segment[i]);
        int at = n < LEFT_OUT_MOST ? n++ : LEFT_OUT_MOST;
        for (; at > 0 && longest(o, &o->segment[list[at - 1]]) < ns; at--)
            if (at < LEFT_OUT_MOST)
                list[at] = list[at - 1];
        if (at < LEFT_OUT_MOST)
            list[at] = i;
    }
    while (n > 0 && longest(o, &o->segment[list[n - 1]]) <= 0)
        n--;
    return n;
}

/* Leaves measured segments out in turn, and sees how far the prices of the others are off them. 0, or -1: no memory. */
static int leave_out(struct system *s, double mean, struct cs_loop_prices *p)
{
    int list[LEFT_OUT_MOST], n = list_longest(s->o, list), told = 0;
    double sum = 0;
    struct cs_loop_prices q;
    int rc = make_room(s->o, &q);
    q.size = p->size; /* lent */
    for (int i = 0; i < n && !rc; i++) {
        set_all(s->o, mean, &q);
        s->left_out = list[i];
        rc = solve(s, mean, &q);
        double off = rc ? -1 : off_squared(s->o, &q, &s->o->segment[list[i]]);
        sum += off < 0 ? 0 : off;
        told += off >= 0;
    }
    if (told >= LEFT_OUT_LEAST)
        p->off = sqrt(sum / told);
    q.size = (struct cs_nearby){0};
    cs_loop_prices_free(&q);
    return rc;
}

double cs_loop_prices_off(const struct cs_loop_prices *p, const struct cs_observed_row *row)
{
    double unknown = unknown_share(p, row);
    return hypot((1 - unknown) * p->off, unknown * UNKNOWN_OFF);
}

/* ---- all of it ---- */

int cs_loop_prices_make(const struct cs_observations *o, double mean, struct cs_loop_prices *p)
{
    struct system s = {.o = o, .column = calloc((size_t)o->ncounters + 1, sizeof *s.column), .left_out = -1};
    int rc = make_room(o, p);
    rc = s.column ? rc : -1;
    if (!rc) {
        set_all(o, mean, p);
        choose_columns(&s);
    }
    if (!rc && s.aim >= 0 && mean > 0)
        rc = solve_by_size(&s, mean, p) || look_behind_sites(o, p) || leave_out(&s, mean_inside(o, p), p) ? -1 : 0;
    free(s.column);
    return rc;
}

double cs_loop_prices_of(const struct cs_loop_prices *p, int from, const struct cs_observed_row *row)
{
    return (p->beside + turns_ns(p, row) * cs_nearby_factor(&p->size, log2(cs_turns_counted(p->o, row)))) *
           p->after[from + 1];
}

void cs_loop_prices_free(struct cs_loop_prices *p)
{
    free(p->turn);
    free(p->known);
    free(p->after);
    cs_nearby_free(&p->size);
    *p = (struct cs_loop_prices){0};
}
