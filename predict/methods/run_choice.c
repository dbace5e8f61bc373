/* SPDX-License-Identifier: BSD-3-Clause
 * A segment's time is linear in its counters. Each coefficient is known beforehand within PRIOR, each row that is
 * measured tells more of them, the less the farther its size is from the target's; what is left is the variance of the
 * target's time:
 *
 *     A = 1/PRIOR^2 + sum over rows of x x' / noise^2,    variance = t' A^-1 t    (x, t: counters of a row, a target)
 *
 * Runs are added one by one, always the one after which the sum over all segments is least. Where the target goes
 * through more than a cache holds, again and again, a turn costs more by a coefficient of its own, of which only those
 * rows tell that go through as much. */
#include "predict/methods/run_choice.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/methods/working_set.h"

/* ns of a turn, and of what is beside the loops; how far each may be off; how exactly a time is known, as a share. */
static const double TURN = 1, BESIDE = 100, PRIOR_TURN = 10, PRIOR_BESIDE = 3000, NOISE = 0.03;
/* ns that a turn may cost more beyond a cache. */
static const double PRIOR_BEYOND = 3;
/* A row counts half when its turns are so many doublings off the target's. */
static const double NEAR = 1.5;
/* Runs are as good if their errors are so near; a run that makes the error less than so much smaller is not worth it.
 */
static const double AS_GOOD = 1.02, WORTH = 0.95;
/* Least number of runs: one is left out to see how well it is predicted, and two are needed to tell anything. So many
 * rows of a run and segment are looked at. */
enum { LEAST_RUNS = 3, MOST_ROWS = 16 };

/* A choice on its way. Matrices have `room` rows and columns, of which a segment uses the first n. level: beyond how
 * many caches the target's rows in the segment go. */
struct choosing {
    const struct cs_observations *o;
    struct cs_run_choice *c;
    int target;
    bool *chosen;         /* runs */
    int n, room, *column; /* counters of the segment; 0 is what is beside the loops; behind them caches */
    int level[CS_SETS];
    double *a, *work, *x;                /* A, a copy of it for LAPACK, counters of a row */
    const struct cs_observed_row **rows; /* of a run in a segment */
};

static double turns_of(const struct cs_observations *o, const struct cs_observed_row *row)
{
    return cs_turns_counted(o, row) - 1;
}

/* What the row goes through again and again. */
static double bytes_of(const struct cs_observations *o, const struct cs_observed_row *row, int what)
{
    return cs_bytes_of_turns(what == CS_SET_ITERATION ? cs_turns_of_iteration(o, row) : cs_turns_counted(o, row));
}

static double time_of(const struct cs_observations *o, const struct cs_observed_row *row)
{
    return BESIDE + TURN * turns_of(o, row);
}

/* The rows of a run in a segment, of many only some; how many. */
static int list_rows(struct choosing *g, const struct cs_observed_segment *s, int run)
{
    int n = 0, first = 0, end;
    while (first < s->nrows && s->row[first].run != run)
        first++;
    for (end = first; end < s->nrows && s->row[end].run == run;)
        end++;
    int all = end - first, most = all < MOST_ROWS ? all : MOST_ROWS;
    for (; n < most; n++)
        g->rows[n] = &s->row[first + (int)((long)n * all / most)];
    return n;
}

/* Which counters the segment has anywhere. */
static void list_columns(struct choosing *g, const struct cs_observed_segment *s)
{
    memset(g->column, -1, (size_t)g->o->ncounters * sizeof *g->column);
    g->n = 1;
    for (int i = 0; i < s->nrows; i++)
        for (int k = 0; k < s->row[i].ncounts; k++) {
            int counter = s->row[i].count[k].counter;
            if (g->o->counter[counter].counted && g->column[counter] < 0)
                g->column[counter] = g->n++;
        }
    g->n += CS_SETS;
}

/* Beyond how many caches the rows of the target go in the segment. */
static void list_levels(struct choosing *g, const struct cs_observed_segment *s)
{
    for (int what = 0; what < CS_SETS; what++) {
        g->level[what] = 0;
        for (int i = 0; i < s->nrows; i++) {
            int level = s->row[i].run == g->target ? cs_cache_level(g->o, bytes_of(g->o, &s->row[i], what)) : 0;
            g->level[what] = level > g->level[what] ? level : g->level[what];
        }
    }
}

/* The row's counters, in units of what is known of them beforehand. */
static void fill(struct choosing *g, const struct cs_observed_row *row)
{
    memset(g->x, 0, (size_t)g->n * sizeof *g->x);
    g->x[0] = PRIOR_BESIDE;
    for (int k = 0; k < row->ncounts; k++)
        if (g->o->counter[row->count[k].counter].counted)
            g->x[g->column[row->count[k].counter]] = PRIOR_TURN * row->count[k].mean;
    for (int what = 0; what < CS_SETS; what++)
        if (g->level[what] > 0 && cs_cache_level(g->o, bytes_of(g->o, row, what)) >= g->level[what])
            g->x[g->n - CS_SETS + what] = PRIOR_BEYOND * turns_of(g->o, row);
}

static void add_row(struct choosing *g, const struct cs_observed_row *row, double size, double part)
{
    double off = (log2(time_of(g->o, row)) - size) / NEAR, noise = NOISE * time_of(g->o, row);
    double weight = part / (noise * noise * (1 + off * off));
    fill(g, row);
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j <= i && g->x[i] > 0; j++)
            g->a[j * g->n + i] += weight * g->x[i] * g->x[j];
}

static void add_run(struct choosing *g, const struct cs_observed_segment *s, int run, double size)
{
    int n = list_rows(g, s, run);
    for (int i = 0; i < n; i++)
        add_row(g, g->rows[i], size, 1.0 / n);
}

/* The error of the row's time that A leaves, as a share, at most 1. */
static double error_of(struct choosing *g, const struct cs_observed_row *row)
{
    double sum = 0, time = time_of(g->o, row);
    fill(g, row);
    memcpy(g->work, g->a, (size_t)g->n * (size_t)g->n * sizeof *g->a);
    memcpy(g->work + (size_t)g->n * (size_t)g->n, g->x, (size_t)g->n * sizeof *g->x);
    double *solved = g->work + (size_t)g->n * (size_t)g->n;
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', g->n, 1, g->work, g->n, solved, g->n))
        return 1;
    for (int i = 0; i < g->n; i++)
        sum += g->x[i] * solved[i];
    return fmin(sqrt(fmax(sum, 0)) / time, 1);
}

/* The mean size of the target's rows, as add_row takes it. */
static double size_of(struct choosing *g, const struct cs_observed_segment *s)
{
    int n = list_rows(g, s, g->target);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += log2(time_of(g->o, g->rows[i]));
    return n ? sum / n : 0;
}

/* The error of the segment at the target after the chosen runs and one more (-1: none). */
static double segment_error(struct choosing *g, const struct cs_observed_segment *s, int more)
{
    double size = size_of(g, s), worst = 0;
    list_columns(g, s);
    list_levels(g, s);
    memset(g->a, 0, (size_t)g->n * (size_t)g->n * sizeof *g->a);
    for (int i = 0; i < g->n; i++)
        g->a[i * g->n + i] = 1;
    for (int run = 0; run < g->target; run++)
        if (g->chosen[run] || run == more)
            add_run(g, s, run, size);
    int n = list_rows(g, s, g->target);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, error_of(g, g->rows[i]));
    return worst;
}

static double total_error(struct choosing *g, int more)
{
    double sum = 0;
    for (int i = 0; i < g->o->nsegments; i++)
        if (g->c->share[i] > 0)
            sum += g->c->share[i] * segment_error(g, &g->o->segment[i], more);
    return sum;
}

/* The run after which the error is least; of those that are as good the cheapest. -1: there is none. */
static int best_run(struct choosing *g, double *error)
{
    int best = -1;
    double *e = g->work + (size_t)g->room * (size_t)g->room + (size_t)g->room, least = INFINITY;
    for (int run = 0; run < g->target; run++) {
        e[run] = g->chosen[run] ? INFINITY : total_error(g, run);
        least = fmin(least, e[run]);
    }
    for (int run = 0; run < g->target; run++)
        if (!g->chosen[run] && e[run] <= least * AS_GOOD && (best < 0 || g->c->turns[run] < g->c->turns[best]))
            best = run;
    if (best >= 0)
        *error = e[best];
    return best;
}

static void choose(struct choosing *g, int most)
{
    struct cs_run_choice *c = g->c;
    double before = INFINITY, error = 0;
    for (int run; c->n < most && (run = best_run(g, &error)) >= 0; before = error) {
        if (c->n >= LEAST_RUNS && error > WORTH * before)
            return;
        g->chosen[run] = true;
        c->run[c->n] = run;
        c->error[c->n++] = error;
    }
}

/* What each run costs, and how much of the target each segment is. */
static void weigh(struct choosing *g)
{
    double all = 0;
    for (int i = 0; i < g->o->nsegments; i++) {
        const struct cs_observed_segment *s = &g->o->segment[i];
        for (int k = 0; k < s->nrows; k++) {
            double time = time_of(g->o, &s->row[k]) * s->row[k].times;
            g->c->turns[s->row[k].run] += turns_of(g->o, &s->row[k]) * s->row[k].times;
            g->c->share[i] += s->row[k].run == g->target ? time : 0;
        }
        all += g->c->share[i];
    }
    for (int i = 0; i < g->o->nsegments && all > 0; i++)
        g->c->share[i] /= all;
}

static bool prepare(struct choosing *g, const struct cs_observations *o, struct cs_run_choice *c)
{
    size_t runs = (size_t)o->nruns + 1, room = (size_t)o->ncounters + 1 + CS_SETS;
    *c = (struct cs_run_choice){.run = malloc(runs * sizeof *c->run),
                                .error = malloc(runs * sizeof *c->error),
                                .turns = calloc(runs, sizeof *c->turns),
                                .share = calloc((size_t)o->nsegments + 1, sizeof *c->share)};
    *g = (struct choosing){.o = o,
                           .c = c,
                           .target = o->nruns - 1,
                           .room = (int)room,
                           .chosen = calloc(runs, sizeof *g->chosen),
                           .column = malloc(room * sizeof *g->column),
                           .a = malloc(room * room * sizeof *g->a),
                           .work = malloc((room * room + room + runs) * sizeof *g->work),
                           .x = malloc(room * sizeof *g->x),
                           .rows = malloc(MOST_ROWS * sizeof(const struct cs_observed_row *))};
    return c->run && c->error && c->turns && c->share && g->chosen && g->column && g->a && g->work && g->x && g->rows;
}

int cs_choose_runs(const struct cs_observations *o, int most, struct cs_run_choice *c)
{
    struct choosing g;
    assert(o->nruns > 0 && most > 0);
    bool ready = prepare(&g, o, c);
    if (ready) {
        weigh(&g);
        choose(&g, most);
    }
    free(g.chosen);
    free(g.column);
    free(g.a);
    free(g.work);
    free(g.x);
    free(g.rows);
    if (!ready)
        cs_run_choice_free(c);
    return ready ? 0 : -1;
}

static bool is_chosen(const struct cs_run_choice *c, int run)
{
    for (int i = 0; i < c->n; i++)
        if (c->run[i] == run)
            return true;
    return false;
}

/* By what factor v lies outside of least..most. */
static double factor(double v, double least, double most)
{
    if (v > most)
        return most > 0 ? v / most : INFINITY;
    return v < least ? least / fmax(v, 1) : 1;
}

double cs_choice_outside(const struct cs_observations *o, const struct cs_run_choice *c, int segment, int *counter)
{
    const struct cs_observed_segment *s = &o->segment[segment];
    double worst = 0;
    *counter = -1;
    for (int j = 0; j < o->ncounters; j++) {
        double least = INFINITY, most = 0, sum = 0;
        int n = 0;
        for (int i = 0; i < s->nrows; i++) {
            double v = cs_observed_mean(&s->row[i], j);
            if (s->row[i].run == o->nruns - 1) {
                sum += v;
                n++;
            } else if (is_chosen(c, s->row[i].run)) {
                least = fmin(least, v);
                most = fmax(most, v);
            }
        }
        if (!n || isinf(least))
            return n ? 0 : 1;
        double f = o->counter[j].counted ? factor(sum / n, least, most) : 1;
        if (f > worst) {
            worst = f;
            *counter = f > 1 ? j : -1;
        }
    }
    return worst > 1 ? worst : 1;
}

bool cs_choice_beyond(const struct cs_observations *o, const struct cs_run_choice *c, int segment, double *bytes,
                      double *measured)
{
    const struct cs_observed_segment *s = &o->segment[segment];
    int farthest = 0;
    for (int what = 0; what < CS_SETS; what++) {
        double target = 0, runs = 0;
        for (int i = 0; i < s->nrows; i++) {
            double now = bytes_of(o, &s->row[i], what);
            if (s->row[i].run == o->nruns - 1)
                target = fmax(target, now);
            else if (is_chosen(c, s->row[i].run))
                runs = fmax(runs, now);
        }
        int far = runs > 0 ? cs_cache_level(o, target) - cs_cache_level(o, runs) : 0;
        if (far <= farthest)
            continue;
        farthest = far;
        *bytes = target;
        *measured = runs;
    }
    return farthest > 0;
}

void cs_run_choice_free(struct cs_run_choice *c)
{
    free(c->run);
    free(c->error);
    free(c->turns);
    free(c->share);
    *c = (struct cs_run_choice){0};
}
