/* SPDX-License-Identifier: BSD-3-Clause
 * Non-negative least squares over the pieces of all segments, whose columns are the loops that are asked for; see
 * loop_prices.h. */
#include "predict/methods/loop_prices.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "predict/methods/working_set.h"
#include "predict/regression/nonnegative.h"

/* A time counts as at least so many ns; a piece counts half that is so many doublings larger or smaller than those that
 * are asked for. */
static const double FLOOR = 1000, NEAR = 1.5;
/* What cannot be told apart is drawn to the mean price, give or take so many times that, and to nothing beside the
 * loops, give or take so many ns; both as strongly as a row that is off by that share. */
static const double GIVE = 10, BESIDE_LOOPS = 3000, NOISE = 0.03;

/* The problem while it is put together: column 0 is the constant, then a column each loop, then all other turns. */
struct system {
    const struct cs_observations *o;
    int *column; /* of each counter; 0: it is among the others */
    int ncolumns, rows;
    double aim; /* log2 of the turns of what is asked, on average */
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
        double off = (log2(turns / n) - s->aim) / NEAR, scale = 1 / fmax(ns / n, FLOOR) / sqrt(1 + off * off);
        s->x.at[s->rows] = scale;
        for (int i = k; i < next; i++)
            for (int c = 0; c < g->row[i].ncounts; c++) {
                int counter = g->row[i].count[c].counter, column = s->column[counter];
                if (s->o->counter[counter].counted)
                    cs_column(&s->x, column ? column : s->ncolumns - 1)[s->rows] += g->row[i].count[c].mean / n * scale;
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
    for (int i = 0; i < s->x.rows - s->ncolumns; i++)
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
    for (int i = 0; i < s->o->nsegments && !rc; i++)
        add_segment(s, &s->o->segment[i]);
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

int cs_loop_prices_make(const struct cs_observations *o, double mean, struct cs_loop_prices *p)
{
    struct system s = {.o = o, .column = calloc((size_t)o->ncounters + 1, sizeof *s.column)};
    *p = (struct cs_loop_prices){.beside = mean,
                                 .turn = malloc(((size_t)o->ncounters + 1) * sizeof *p->turn),
                                 .known = calloc((size_t)o->ncounters + 1, sizeof *p->known),
                                 .after = malloc(((size_t)o->nsites + 1) * sizeof *p->after)};
    int rc = s.column && p->turn && p->known && p->after ? 0 : -1;
    for (int i = 0; i <= o->nsites && !rc; i++)
        p->after[i] = 1;
    for (int c = 0; c < o->ncounters && !rc; c++)
        p->turn[c] = mean;
    if (!rc)
        choose_columns(&s);
    if (!rc && s.aim >= 0 && mean > 0)
        rc = solve(&s, mean, p) ? -1 : look_behind_sites(o, p);
    free(s.column);
    return rc;
}

double cs_loop_prices_of(const struct cs_loop_prices *p, int from, const struct cs_observed_row *row)
{
    double ns = p->beside;
    for (int i = 0; i < row->ncounts; i++)
        ns += p->turn[row->count[i].counter] * row->count[i].mean;
    return ns * p->after[from + 1];
}

void cs_loop_prices_free(struct cs_loop_prices *p)
{
    free(p->turn);
    free(p->known);
    free(p->after);
    *p = (struct cs_loop_prices){0};
}
