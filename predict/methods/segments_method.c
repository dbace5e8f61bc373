/* SPDX-License-Identifier: BSD-3-Clause
 * Fits segments one by one. Rows are divided by their times before least squares, so that errors are relative; columns
 * stand in descending order of their sums, so that of counters which nobody can tell apart the one with most counts,
 * the innermost loop, is taken. */
#include "predict/methods/segments_method.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/regression/nonnegative.h"

/* Forms of the sum, from the simplest on. */
enum form { CONSTANT, ONE_COUNTER, TWO_COUNTERS, ALL_COUNTERS, FORMS };
/* Each may be corrected by what was measured nearby: of about so many turns, or of about so many in one iteration of
 * the outermost loop, as loops that go through the same again and again take as long as the cache that it fits. */
enum nearby { AS_IT_IS, BY_TURNS, BY_ITERATION, NEARBYS };

/* Shares: of the largest time that a time counts as at least, or of those about as large as what is asked; by which a
 * form must be better than a simpler one, and at least; the least spread. */
static const double FLOOR = 0.01, SHORT = 0.2, BETTER = 0.9, LEAST_GAIN = 0.001, LEAST_SPREAD = 0.01;
/* What a program does between two calls beside its loops, ns, and how exactly times are known, as a share: a constant
 * beyond that has to be borne out by the times. */
static const double BESIDE_LOOPS = 3000, NOISE = 0.03;
/* A turn may take so many ns beside the loops in it; so many one of a loop that is not counted; twice as many ranks. */
static const double TURN = 100, HIDDEN_TURN = 10, DOUBLING = 30;
/* Loops that are not counted have at least so many turns for each that is counted, if they matter. */
static const double MATTER = 0.2;
/* A counter may stand for such loops as it is, or divided by a root of the ranks, or by the ranks: a row of a matrix
 * that all ranks share is shorter on more of them. */
enum { MOST_HALVES = 2 };
/* Rank 0 is fitted apart if it is off the others by that share; of rows that are less than so many doublings off. */
static const double APART = 0.15, ALIKE = 0.1;
/* A measured row counts half when its turns are so many doublings off those of the target. */
static const double NEAR = 1.5;
/* Largest logarithm of a correction by iterations: data in memory takes a loop several times as long as in a cache. */
static const double FAR_OFF = 1.6;

/* All computation of a run: as it was measured, and as it is predicted without that run. */
struct total_time {
    double measured, predicted;
};

/* A counter, divided by ranks^(halves / 2); or CS_TERM_RANKS. */
struct column {
    int counter, halves;
    double least; /* turns, in rows that have some */
};

/* A segment while it is fitted. */
struct fitting {
    const struct cs_segments_model *m;
    const struct cs_observations *o;
    const struct cs_observed_segment *s;
    const struct cs_observed_row **row; /* those with times */
    int nrows;
    struct column *column; /* counters that are not zero everywhere, those with the largest sums first */
    int ncolumns;
    double floor;       /* ns */
    double aim;         /* logarithm of the turns that a run without times has on average; below 0: there is none */
    double hidden;      /* turns of loops that are not counted, in the row that has least of them */
    int nruns;          /* that have rows */
    int left_out;       /* the run that is left out to choose, or -1 */
    enum nearby nearby; /* how sums are corrected */
    struct total_time *total; /* of each run */
};

/* A sum of some columns: b[0] is the constant, b[1 + i] belongs to pick[i]. */
struct sum {
    int n, *pick; /* places in `column` */
    double *b;
    double error; /* root mean square of relative errors */
    struct cs_nearby near;
};

static double scale(const struct fitting *f, int i)
{
    return 1 / fmax(f->row[i]->ns, f->floor);
}

/* Its turns and those around it, which leave the caches as it finds them; or those of an iteration. */
static double turns_in(const struct cs_segments_model *m, const struct cs_observed_row *row, enum cs_working_set what)
{
    return what == CS_SET_ITERATION ? cs_turns_of_iteration(m->o, row)
                                    : cs_turns_counted(m->o, row) + m->around[row->run][row->rank];
}

/* How large a piece is: log2 of its turns. */
static double size_of(const struct fitting *f, const struct cs_observed_row *row)
{
    return log2(turns_in(f->m, row, CS_SET_ALL));
}

static enum cs_working_set set_of(bool by_iteration)
{
    return by_iteration ? CS_SET_ITERATION : CS_SET_ALL;
}

/* By what a correction knows it again. */
static double place_of(const struct fitting *f, const struct cs_observed_row *row)
{
    return log2(turns_in(f->m, row, set_of(f->nearby == BY_ITERATION)));
}

/* How much a row counts. What is as large as what is asked counts most: it has the same caches, and whatever else makes
 * a turn dearer in larger pieces. */
static double weight(const struct fitting *f, int i)
{
    if (f->aim < 0)
        return 1;
    double off = (size_of(f, f->row[i]) - f->aim) / NEAR;
    return 1 / (1 + off * off);
}

/* What the counter comes to on a run of so many ranks. */
static double spread_turns(double turns, int halves, int nranks)
{
    return halves == 0 ? turns : turns * pow(nranks, -0.5 * halves);
}

static double turns_of(const struct fitting *f, const struct column *c, const struct cs_observed_row *row)
{
    if (c->counter == CS_TERM_RANKS)
        return log2(f->o->run[row->run].nranks);
    return spread_turns(cs_observed_mean(row, c->counter), c->halves, f->o->run[row->run].nranks);
}

/* ns that are expected of what cannot be told from something else: of a constant, or of each turn of a column. */
static double expected(const struct fitting *f, const struct column *c)
{
    if (c && c->counter == CS_TERM_RANKS)
        return DOUBLING;
    return c ? TURN + HIDDEN_TURN * f->hidden / c->least : BESIDE_LOOPS + HIDDEN_TURN * f->hidden;
}

static bool has_rows(const struct fitting *f, int run)
{
    for (int i = 0; i < f->nrows; i++)
        if (f->row[i]->run == run)
            return true;
    return false;
}

static double formula(const struct fitting *f, const struct sum *s, const struct cs_observed_row *row)
{
    double v = s->b[0];
    for (int i = 0; i < s->n; i++)
        v += s->b[1 + i] * turns_of(f, &f->column[s->pick[i]], row);
    return v;
}

static double value(const struct fitting *f, const struct sum *s, const struct cs_observed_row *row)
{
    double v = formula(f, s, row);
    return s->near.n ? v * cs_nearby_factor(&s->near, place_of(f, row)) : v;
}

/* What the formula leaves over of all rows but those of the run that is left out. 0, or -1: no memory. */
static int look_nearby(const struct fitting *f, struct sum *s)
{
    s->near.n = 0;
    s->near.most = f->nearby == BY_ITERATION ? FAR_OFF : 0;
    for (int i = 0; i < f->nrows && f->nearby != AS_IT_IS; i++) {
        double v = fmax(formula(f, s, f->row[i]), f->floor);
        if (f->row[i]->run != f->left_out &&
            cs_nearby_add(&s->near, place_of(f, f->row[i]), fmax(f->row[i]->ns, f->floor) / v))
            return -1;
    }
    cs_nearby_settle(&s->near);
    return 0;
}

/* The root mean square of relative errors over the rows of the run that is left out, or over all others. */
static double error_of(const struct fitting *f, const struct sum *s, bool of_left_out)
{
    double sum = 0, all = 0;
    for (int i = 0; i < f->nrows; i++) {
        if ((f->row[i]->run == f->left_out) != of_left_out)
            continue;
        double e = (value(f, s, f->row[i]) - f->row[i]->ns) * scale(f, i);
        sum += e * e * weight(f, i);
        all += weight(f, i);
    }
    return all > 0 ? sqrt(sum / all) : 0;
}

/* Least squares with the columns picked, over all rows but those of the run that is left out. 0, or -1. */
static int solve(const struct fitting *f, struct sum *s)
{
    int rows = 0;
    struct cs_matrix x = {.cols = s->n + 1};
    x.at = malloc(((size_t)f->nrows + (size_t)x.cols) * (size_t)x.cols * sizeof *x.at);
    double *y = malloc(((size_t)f->nrows + (size_t)x.cols) * sizeof *y);
    int rc = -1;
    if (!x.at || !y)
        goto out;
    for (int i = 0; i < f->nrows; i++)
        rows += f->row[i]->run != f->left_out;
    x.rows = rows + x.cols;
    int k = 0;
    for (int i = 0; i < f->nrows; i++) {
        if (f->row[i]->run == f->left_out)
            continue;
        double times = scale(f, i) * sqrt(weight(f, i));
        x.at[k] = times;
        for (int j = 0; j < s->n; j++)
            cs_column(&x, j + 1)[k] = turns_of(f, &f->column[s->pick[j]], f->row[i]) * times;
        y[k++] = f->row[i]->ns * times;
    }
    /* One more observation of each coefficient: it is 0, give or take what is expected. */
    for (int j = 0; j <= s->n; j++, k++) {
        for (int i = 0; i <= s->n; i++)
            cs_column(&x, i)[k] = 0;
        cs_column(&x, j)[k] = s->n == 0 ? 0 : NOISE / expected(f, j > 0 ? &f->column[s->pick[j - 1]] : NULL);
        y[k] = 0;
    }
    s->near.n = 0;
    rc = cs_nonnegative(&x, y, s->b);
    s->error = error_of(f, s, false);
out:
    free(x.at);
    free(y);
    return rc;
}

/* Adds the column that makes the error smallest. 0, or -1. */
static int add_best(const struct fitting *f, struct sum *s)
{
    int best = -1;
    double least = INFINITY;
    s->n++;
    for (int c = 0; c < f->ncolumns; c++) {
        s->pick[s->n - 1] = c;
        if (solve(f, s))
            return -1;
        if (s->error < least * (1 - 1e-9)) {
            least = s->error;
            best = c;
        }
    }
    s->pick[s->n - 1] = best;
    return solve(f, s);
}

static int fit_form(const struct fitting *f, enum form form, struct sum *s)
{
    s->n = 0;
    if (form == ALL_COUNTERS)
        for (; s->n < f->ncolumns; s->n++)
            s->pick[s->n] = s->n;
    if ((form == CONSTANT || form == ALL_COUNTERS) && solve(f, s))
        return -1;
    for (int i = 0; form != ALL_COUNTERS && i < (int)form && s->n < f->ncolumns; i++)
        if (add_best(f, s))
            return -1;
    return f->nearby != AS_IT_IS ? look_nearby(f, s) : 0;
}

/* How far the form is off runs that it has not seen: each is left out in turn. Where there is only one, how far it is
 * off that one. 0, 1: rounding keeps it from an end, -1: no memory, or not finite. */
static int check_form(struct fitting *f, enum form form, struct sum *s, double *error)
{
    double sum = 0;
    int n = 0;
    for (int run = 0; run < f->o->nruns; run++) {
        f->left_out = f->nruns > 1 ? run : -1;
        if (!has_rows(f, run))
            continue;
        if (fit_form(f, form, s))
            return errno == EDOM && form != CONSTANT ? 1 : -1;
        double e = f->nruns > 1 ? error_of(f, s, true) : s->error;
        sum += e * e;
        n++;
    }
    f->left_out = -1;
    *error = n ? sqrt(sum / n) : 0;
    return 0;
}

/* Do pieces differ in what an iteration goes through? */
static bool has_iterations(const struct fitting *f)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < f->nrows; i++) {
        double turns = turns_in(f->m, f->row[i], CS_SET_ITERATION);
        least = fmin(least, turns);
        most = fmax(most, turns);
    }
    return most > 2 * least;
}

/* The form that predicts what it has not seen best; *error is by how much it is off, and f->nearby says whether it is
 * corrected. -1: no memory, or not finite. */
static int choose_form(struct fitting *f, struct sum *s, double *error)
{
    /* Times that are alike where turns are, too, say nothing: then it is the loop that takes them. */
    static const enum form order[FORMS] = {ONE_COUNTER, CONSTANT, TWO_COUNTERS, ALL_COUNTERS};
    int best = -1;
    enum nearby best_nearby = AS_IT_IS;
    *error = INFINITY;
    for (int i = 0; i < FORMS * (has_iterations(f) ? NEARBYS : BY_ITERATION); i++) {
        int form = order[i % FORMS];
        double e;
        f->nearby = (enum nearby)(i / FORMS);
        if (form != CONSTANT && f->ncolumns < (form == ALL_COUNTERS ? 3 : form))
            continue;
        int rc = check_form(f, (enum form)form, s, &e);
        if (rc < 0)
            return -1;
        if (rc == 0 && (best < 0 || e < BETTER * *error - LEAST_GAIN)) {
            best = form;
            best_nearby = f->nearby;
            *error = e;
        }
    }
    f->nearby = best_nearby;
    return best;
}

static int keep(const struct fitting *f, const struct sum *s, struct cs_segment_fit *fit)
{
    fit->constant = s->b[0];
    fit->term = malloc(((size_t)s->n + 1) * sizeof *fit->term);
    if (!fit->term)
        return -1;
    for (int i = 0; i < s->n; i++) {
        const struct column *c = &f->column[s->pick[i]];
        struct cs_segment_term t = {.counter = c->counter, .halves = c->halves, .ns = s->b[1 + i], .least = INFINITY};
        for (int k = 0; k < f->nrows; k++) {
            double mean =
                t.counter == CS_TERM_RANKS ? f->o->run[f->row[k]->run].nranks : cs_observed_mean(f->row[k], t.counter);
            t.least = fmin(t.least, mean);
            t.most = fmax(t.most, mean);
        }
        if (t.ns > 0)
            fit->term[fit->nterms++] = t;
    }
    return 0;
}

/* ---- what there is to learn from ---- */

/* What a counter comes to in all rows. */
struct total {
    int counter;
    double sum;
};

static int by_sum(const void *a, const void *b)
{
    const struct total *x = a, *y = b;
    return x->sum != y->sum ? (x->sum < y->sum) - (x->sum > y->sum) : x->counter - y->counter;
}

/* Is the counter the same in all rows, also in those that are asked for? Then it is the constant under another name. */
static bool is_constant(const struct fitting *f, int counter)
{
    for (int i = 1; i < f->s->nrows; i++)
        if (cs_observed_mean(&f->s->row[i], counter) != cs_observed_mean(&f->s->row[0], counter))
            return false;
    return f->nruns > 1;
}

static void add_columns(struct fitting *f, int counter)
{
    if (is_constant(f, counter))
        return;
    double least = INFINITY, sum = 0;
    for (int i = 0; i < f->nrows; i++) {
        double turns = cs_observed_mean(f->row[i], counter);
        least = turns > 0 ? fmin(least, turns) : least;
        sum += turns;
    }
    int most = f->hidden * f->nrows > MATTER * sum ? MOST_HALVES : 0;
    for (int halves = 0; halves <= most; halves++)
        f->column[f->ncolumns++] = (struct column){counter, halves, least};
}

/* What a piece does beside its loops may grow with the number of ranks, where runs had three numbers or more. */
static void add_ranks(struct fitting *f)
{
    int first = 0, second = 0;
    for (int i = 0; i < f->nrows; i++) {
        int n = f->o->run[f->row[i]->run].nranks;
        first = first ? first : n;
        second = second || n == first ? second : n;
        if (n != first && n != second) {
            f->column[f->ncolumns++] = (struct column){CS_TERM_RANKS, 0, 1};
            return;
        }
    }
}

static int list_columns(struct fitting *f)
{
    struct total *t = calloc((size_t)f->o->ncounters + 1, sizeof *t);
    f->column = malloc(((size_t)f->o->ncounters * (MOST_HALVES + 1) + 2) * sizeof *f->column);
    if (!t || !f->column) {
        free(t);
        return -1;
    }
    for (int c = 0; c < f->o->ncounters; c++)
        t[c].counter = c;
    for (int i = 0; i < f->nrows; i++)
        for (int k = 0; k < f->row[i]->ncounts; k++)
            t[f->row[i]->count[k].counter].sum += f->row[i]->count[k].mean;
    qsort(t, (size_t)f->o->ncounters, sizeof *t, by_sum);
    for (int c = 0; c < f->o->ncounters; c++)
        if (t[c].sum > 0 && f->o->counter[t[c].counter].counted)
            add_columns(f, t[c].counter);
    add_ranks(f);
    free(t);
    return 0;
}

/* What the rows without times say: how large the pieces are that are asked for. */
static void take_aim(struct fitting *f)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < f->s->nrows; i++) {
        if (f->o->run[f->s->row[i].run].with_times)
            continue;
        sum += size_of(f, &f->s->row[i]);
        n++;
    }
    f->aim = n ? sum / n : -1;
}

/* How many turns each row has at least of loops that are not counted. */
static void find_hidden(struct fitting *f)
{
    f->hidden = f->nrows ? INFINITY : 0;
    for (int i = 0; i < f->nrows; i++) {
        double turns = 0;
        for (int k = 0; k < f->row[i]->ncounts; k++)
            turns += f->o->counter[f->row[i]->count[k].counter].counted ? 0 : f->row[i]->count[k].mean;
        f->hidden = fmin(f->hidden, turns);
    }
}

/* Which rows. */
enum part { ALL_RANKS, RANK_0, OTHER_RANKS };

static bool is_in(enum part part, const struct cs_observed_row *row)
{
    return part == ALL_RANKS || (row->rank == 0) == (part == RANK_0);
}

/* How short a time counts as it is: a share of the largest, but not so long as what is about as large as what is asked.
 */
static double floor_of(const struct fitting *f)
{
    double most = 0, nearest = INFINITY, about = INFINITY;
    for (int i = 0; i < f->nrows; i++) {
        most = fmax(most, f->row[i]->ns);
        nearest = fmin(nearest, fabs(size_of(f, f->row[i]) - f->aim));
    }
    for (int i = 0; f->aim >= 0 && i < f->nrows; i++)
        if (fabs(size_of(f, f->row[i]) - f->aim) <= nearest + NEAR)
            about = fmin(about, f->row[i]->ns);
    return fmax(fmin(FLOOR * most, SHORT * about), 1);
}

static int list_rows(struct fitting *f, enum part part)
{
    f->row = malloc(((size_t)f->s->nrows + 1) * sizeof *f->row);
    if (!f->row)
        return -1;
    for (int i = 0; i < f->s->nrows; i++)
        if (f->o->run[f->s->row[i].run].with_times && is_in(part, &f->s->row[i]))
            f->row[f->nrows++] = &f->s->row[i];
    f->floor = floor_of(f);
    for (int run = 0; run < f->o->nruns; run++)
        f->nruns += has_rows(f, run);
    return 0;
}

/* Adds what the form says of each run, when it is left out, to what all segments say. 0, or -1. */
static int add_totals(struct fitting *f, enum form form, struct sum *s)
{
    for (int run = 0; run < f->o->nruns; run++) {
        f->left_out = f->nruns > 1 ? run : -1;
        if (!has_rows(f, run))
            continue;
        if (fit_form(f, form, s))
            return -1;
        for (int i = 0; i < f->nrows; i++)
            if (f->row[i]->run == run) {
                f->total[run].measured += f->row[i]->ns * f->row[i]->times;
                f->total[run].predicted += value(f, s, f->row[i]) * f->row[i]->times;
            }
    }
    f->left_out = -1;
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How far most ranks of a run are off each other beyond what the formula says of them: as a standard deviation, from
 * the median, as single ranks may do something else. 0, or -1: no memory. */
static int measure_jitter(const struct fitting *f, const struct sum *s, double *jitter)
{
    int n = 0;
    double *off = malloc(((size_t)f->nrows + 1) * sizeof *off);
    if (!off)
        return -1;
    for (int run = 0; run < f->o->nruns; run++) {
        double sum = 0;
        int first = n;
        for (int i = 0; i < f->nrows; i++)
            if (f->row[i]->run == run)
                sum += off[n++] = (f->row[i]->ns - value(f, s, f->row[i])) * scale(f, i);
        for (int i = first; i < n; i++)
            off[i] = fabs(off[i] - sum / (n - first));
        n -= n - first == 1;
    }
    qsort(off, (size_t)n, sizeof *off, by_size);
    *jitter = n ? 1.4826 * off[n / 2] : 0;
    free(off);
    return 0;
}

/* Fits the rows that are listed, and adds to what all segments say of each run. 0, or -1. */
static int fit_rows(struct fitting *f, struct cs_segment_fit *fit)
{
    struct sum s = {.pick = malloc(((size_t)f->ncolumns + 1) * sizeof *s.pick),
                    .b = malloc(((size_t)f->ncolumns + 1) * sizeof *s.b)};
    int rc = -1, form;
    double error = 0;
    f->left_out = -1;
    fit->nrows = f->nrows;
    if (!s.pick || !s.b || (form = choose_form(f, &s, &error)) < 0)
        goto out;
    fit->checked = f->nruns > 1 ? error : -1;
    if (add_totals(f, (enum form)form, &s) || fit_form(f, (enum form)form, &s) || keep(f, &s, fit))
        goto out;
    if (measure_jitter(f, &s, &fit->jitter))
        goto out;
    fit->spread = fmax(LEAST_SPREAD, fmax(error_of(f, &s, false), fit->checked));
    fit->near = s.near;
    fit->by_iteration = f->nearby == BY_ITERATION;
    for (int i = 0; i < f->nrows; i++)
        for (int what = 0; what < CS_SETS; what++)
            fit->turns[what] = fmax(fit->turns[what], turns_in(f->m, f->row[i], (enum cs_working_set)what));
    s.near = (struct cs_nearby){0};
    rc = 0;
out:
    cs_nearby_free(&s.near);
    free(s.pick);
    free(s.b);
    return rc;
}

/* ---- rank 0, which often prints and reads ---- */

/* Fits the rows of the part. 0, or -1. */
static int fit_part(struct fitting f, enum part part, struct cs_segment_fit *fit)
{
    int rc = list_rows(&f, part) || list_columns(&f) || (f.nrows > 0 && fit_rows(&f, fit)) ? -1 : 0;
    free(f.row);
    free(f.column);
    return rc;
}

/* Does rank 0 take longer or shorter than other ranks of the same run with about as many turns, and always so? In at
 * least two runs, and by a share of APART. */
static bool first_is_apart(const struct fitting *f)
{
    int longer = 0, shorter = 0, runs = 0;
    for (int run = 0; run < f->o->nruns; run++) {
        const struct cs_observed_row *first = NULL;
        double least = INFINITY, most = 0;
        for (int i = 0; i < f->nrows; i++)
            if (f->row[i]->run == run && f->row[i]->rank == 0)
                first = f->row[i];
        for (int i = 0; first && i < f->nrows; i++)
            if (f->row[i]->run == run && f->row[i] != first &&
                fabs(size_of(f, f->row[i]) - size_of(f, first)) < ALIKE) {
                least = fmin(least, f->row[i]->ns);
                most = fmax(most, f->row[i]->ns);
            }
        if (most <= 0)
            continue;
        runs++;
        longer += first->ns > (1 + APART) * most;
        shorter += first->ns * (1 + APART) < least;
    }
    return runs > 1 && (longer == runs || shorter == runs);
}

static int fit_segment(const struct cs_segments_model *m, int segment, struct total_time *total)
{
    struct cs_segment_fit *fit = &m->fit[segment];
    struct fitting f = {.m = m, .o = m->o, .s = &m->o->segment[segment], .total = total};
    take_aim(&f);
    int rc = list_rows(&f, ALL_RANKS);
    bool apart = rc == 0 && first_is_apart(&f);
    find_hidden(&f);
    free(f.row);
    f.row = NULL;
    f.nrows = f.nruns = 0;
    if (rc == 0 && apart)
        rc = (fit->first = calloc(1, sizeof *fit->first)) ? fit_part(f, RANK_0, fit->first) : -1;
    return rc ? rc : fit_part(f, apart ? OTHER_RANKS : ALL_RANKS, fit);
}

/* ---- all segments ---- */

/* What a rank does on average between two calls. 0, or -1: no memory. */
static int look_around(struct cs_segments_model *m, const struct cs_observations *o)
{
    m->around = calloc((size_t)o->nruns + 1, sizeof *m->around);
    for (int run = 0; m->around && run < o->nruns; run++)
        if (!(m->around[run] = calloc(2 * (size_t)o->run[run].nranks + 1, sizeof **m->around)))
            return -1;
    for (int i = 0; m->around && i < o->nsegments; i++)
        for (int k = 0; k < o->segment[i].nrows; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            double *turns = m->around[r->run], *times = turns + o->run[r->run].nranks;
            turns[r->rank] += cs_turns_counted(o, r) * r->times;
            times[r->rank] += r->times;
        }
    for (int run = 0; m->around && run < o->nruns; run++)
        for (int rank = 0, n = o->run[run].nranks; rank < n; rank++)
            m->around[run][rank] /= fmax(m->around[run][n + rank], 1);
    return m->around ? 0 : -1;
}

static double mean_price(const struct cs_observations *o)
{
    double ns = 0, counts = 0;
    for (int i = 0; i < o->nsegments; i++)
        for (int k = 0; k < o->segment[i].nrows; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            if (!o->run[r->run].with_times)
                continue;
            ns += r->ns * r->times;
            counts += cs_turns_counted(o, r) * r->times;
        }
    return counts > 0 ? ns / counts : 0;
}

/* Nine of ten runs are off by at most that: of n errors that were seen, the one of which 0.9 (n + 1) are no larger, or
 * the largest. 0, or -1: no memory. */
static int judge_totals(const struct total_time *total, int nruns, double *off)
{
    int n = 0;
    double *e = malloc(((size_t)nruns + 1) * sizeof *e);
    if (!e)
        return -1;
    for (int i = 0; i < nruns; i++)
        if (total[i].measured > 0)
            e[n++] = fabs(total[i].predicted / total[i].measured - 1);
    qsort(e, (size_t)n, sizeof *e, by_size);
    int at = (int)ceil(0.9 * (n + 1)) - 1;
    *off = n ? e[at < n ? at : n - 1] : 0;
    free(e);
    return 0;
}

int cs_segments_fit(const struct cs_observations *o, struct cs_segments_model *m)
{
    *m = (struct cs_segments_model){
        .o = o, .n = o->nsegments, .nruns = o->nruns, .fit = calloc((size_t)o->nsegments + 1, sizeof *m->fit)};
    struct total_time *total = calloc((size_t)o->nruns + 1, sizeof *total);
    int rc = m->fit && total ? look_around(m, o) : -1;
    m->ns_per_count = mean_price(o);
    for (int i = 0; i < o->nsegments && !rc; i++)
        rc = fit_segment(m, i, total);
    if (!rc)
        rc = judge_totals(total, o->nruns, &m->off);
    free(total);
    if (rc)
        cs_segments_free(m);
    return rc;
}

/* The segment's, or what rank 0 has of its own. */
static const struct cs_segment_fit *fit_of(const struct cs_segments_model *m, int segment,
                                           const struct cs_observed_row *row)
{
    const struct cs_segment_fit *f = &m->fit[segment];
    return f->first && row->rank == 0 ? f->first : f;
}

double cs_segment_time(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row, int nranks)
{
    assert(segment >= 0 && segment < m->n);
    const struct cs_segment_fit *f = fit_of(m, segment, row);
    double ns = f->constant;
    for (int i = 0; i < f->nterms; i++)
        ns +=
            f->term[i].ns * (f->term[i].counter == CS_TERM_RANKS
                                 ? log2(nranks)
                                 : spread_turns(cs_observed_mean(row, f->term[i].counter), f->term[i].halves, nranks));
    if (f->nrows > 0)
        return f->near.n ? ns * cs_nearby_factor(&f->near, log2(turns_in(m, row, set_of(f->by_iteration)))) : ns;
    ns = m->ns_per_count;
    for (int i = 0; i < row->ncounts; i++)
        ns += m->ns_per_count * row->count[i].mean;
    return ns;
}

double cs_segment_outside(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row,
                          int *counter)
{
    const struct cs_segment_fit *f = fit_of(m, segment, row);
    double worst = 1;
    *counter = -1;
    for (int i = 0; i < f->nterms; i++) {
        if (f->term[i].counter == CS_TERM_RANKS)
            continue;
        double v = cs_observed_mean(row, f->term[i].counter), factor = 1;
        if (v > f->term[i].most && f->term[i].most > 0)
            factor = v / f->term[i].most;
        else if (v < f->term[i].least)
            factor = v > 0 ? f->term[i].least / v : f->term[i].least;
        if (factor > worst) {
            worst = factor;
            *counter = f->term[i].counter;
        }
    }
    return worst;
}

double cs_segment_beyond(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row,
                         double *bytes, double *measured)
{
    const struct cs_segment_fit *f = fit_of(m, segment, row);
    double most = 0;
    for (int what = 0; f->nrows > 0 && what < CS_SETS; what++) {
        double now = cs_bytes_of_turns(turns_in(m, row, (enum cs_working_set)what));
        double then = cs_bytes_of_turns(f->turns[what]);
        double ns = cs_cache_step_ns(m->o, cs_cache_level(m->o, then), cs_cache_level(m->o, now));
        if (ns > most) {
            most = ns;
            *bytes = now;
            *measured = then;
        }
    }
    return most * cs_turns_counted(m->o, row);
}

static void free_fit(struct cs_segment_fit *f)
{
    free(f->term);
    cs_nearby_free(&f->near);
}

void cs_segments_free(struct cs_segments_model *m)
{
    for (int i = 0; m->fit && i < m->n; i++) {
        if (m->fit[i].first)
            free_fit(m->fit[i].first);
        free(m->fit[i].first);
        free_fit(&m->fit[i]);
    }
    free(m->fit);
    for (int i = 0; m->around && i < m->nruns; i++)
        free(m->around[i]);
    free(m->around);
    *m = (struct cs_segments_model){0};
}
