/* SPDX-License-Identifier: BSD-3-Clause
 * Fits segments one by one, and says what they take. Rank 0, which often prints and reads, may have a fit of its own.
 */
#include "predict/methods/segments_method.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "predict/methods/segment_fitting.h"

/* The least spread, as a share. */
static const double LEAST_SPREAD = 0.01;
/* A time that is that share above what the formula says is slow; how sure the chance of one is that was never seen. */
static const double SLOW = 0.5, SURE = 0.95;
/* Rank 0 is fitted apart if it is off the others by that share; of rows that are less than so many doublings off. */
static const double APART = 0.15, ALIKE = 0.1;

static int keep(const struct cs_fitting *f, const struct cs_segment_sum *s, struct cs_segment_fit *fit)
{
    fit->constant = s->b[0];
    fit->term = malloc(((size_t)s->n + 1) * sizeof *fit->term);
    if (!fit->term)
        return -1;
    for (int i = 0; i < s->n; i++) {
        const struct cs_segment_column *c = &f->column[s->pick[i]];
        struct cs_segment_term t = {.counter = c->counter, .halves = c->halves, .ns = s->b[1 + i], .least = INFINITY};
        for (int k = 0; k < f->nrows; k++) {
            double mean =
                t.counter == CS_TERM_RANKS ? f->o->run[f->row[k].run].nranks : cs_observed_mean(&f->row[k], t.counter);
            t.least = fmin(t.least, mean);
            t.most = fmax(t.most, mean);
        }
        if (t.ns > 0)
            fit->term[fit->nterms++] = t;
    }
    return 0;
}

/* The most ranks of a run with times; with a limit, of those with fewer. 0: there are none. */
static int most_ranks(const struct cs_observations *o, int below)
{
    int most = 0;
    for (int i = 0; i < o->nruns; i++)
        if (o->run[i].with_times && (below == 0 || o->run[i].nranks < below) && o->run[i].nranks > most)
            most = o->run[i].nranks;
    return most;
}

/* Adds what the form says of each run, when it is left out, to what all segments say. 0, or -1. */
static int add_totals(struct cs_fitting *f, enum cs_sum_form form, struct cs_segment_sum *s)
{
    for (int run = 0; run < f->o->nruns; run++) {
        f->left_out = f->nruns > 1 ? run : -1;
        if (!cs_fitting_has(f, run))
            continue;
        if (cs_fit_form(f, form, s))
            return -1;
        for (int i = 0; i < f->nrows; i++)
            if (f->row[i].run == run) {
                f->total[run].measured += f->row[i].ns * f->row[i].times;
                f->total[run].predicted += cs_sum_value(f, s, &f->row[i]) * f->row[i].times;
            }
    }
    f->left_out = -1;
    return 0;
}

/* Adds what the form says of the runs with most ranks, learnt from the others. 0, or -1. */
static int add_by_fewer(struct cs_fitting *f, enum cs_sum_form form, struct cs_segment_sum *s)
{
    int left = 0, rc;
    f->fewer = most_ranks(f->o, 0);
    for (int i = 0; i < f->nrows; i++)
        left += cs_is_left_out(f, i);
    if (left == 0 || left == f->nrows) {
        f->fewer = 0;
        return 0;
    }
    rc = cs_fit_form(f, form, s);
    for (int i = 0; i < f->nrows && !rc; i++)
        if (cs_is_left_out(f, i)) {
            struct cs_total_time *t = &f->total[f->row[i].run];
            t->of_these += f->row[i].ns * f->row[i].times;
            t->by_fewer += cs_sum_value(f, s, &f->row[i]) * f->row[i].times;
        }
    f->fewer = 0;
    return rc && errno == EDOM ? 0 : rc;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* What each rank's time is off the formula: as a share of what that says, or as the logarithm of their ratio. */
enum off_as { OFF_SHARE, OFF_LOGARITHM };

/* What each rank is off the formula, beyond its run's mean, of runs of several. Their number. */
static int list_off(const struct cs_fitting *f, const struct cs_segment_sum *s, enum off_as as, double *off)
{
    int n = 0;
    for (int run = 0; run < f->o->nruns; run++) {
        double sum = 0;
        int first = n;
        for (int i = 0; i < f->nrows; i++)
            if (f->row[i].run == run) {
                double says = fmax(cs_sum_value(f, s, &f->row[i]), f->floor), ns = f->row[i].ns;
                sum += off[n++] = as == OFF_SHARE ? ns / says - 1 : log(fmax(ns, f->floor) / says);
            }
        for (int i = first; i < n; i++)
            off[i] -= sum / (n - first);
        n -= n - first == 1;
    }
    return n;
}

/* Did ranks go through it so seldom that nothing tells a rank from a time? */
static bool is_seldom(const struct cs_fitting *f)
{
    for (int i = 0; i < f->nrows; i++)
        if (f->row[i].times >= CS_VARIATION_TIMES || f->o->run[f->row[i].run].replayed)
            return false;
    return true;
}

/* How many times there are, if none of them is slow. */
static double count_times(const struct cs_fitting *f, const double *off, int n)
{
    double times = 0;
    for (int i = 0; i < n; i++)
        if (off[i] > SLOW)
            return 0;
    for (int i = 0; i < f->nrows; i++)
        times += f->row[i].times;
    return times;
}

/* How far most ranks of a run are off each other beyond what the formula says of them: as a standard deviation of the
 * logarithm, from the median, as single ranks may do something else. What they go through seldom has a distribution of
 * its own, as one of them was disturbed now and then, and all wait for it. 0, or -1: no memory. */
static int measure_jitter(const struct cs_fitting *f, const struct cs_segment_sum *s, struct cs_segment_fit *fit)
{
    double *off = malloc(((size_t)f->nrows + 1) * sizeof *off);
    if (!off)
        return -1;
    int n = list_off(f, s, OFF_SHARE, off);
    bool seldom = is_seldom(f);
    fit->never_slow = seldom ? count_times(f, off, n) : 0;
    if (!seldom || !cs_variation_of(off, n, &fit->once))
        fit->once.pieces = 0;
    n = list_off(f, s, OFF_LOGARITHM, off);
    for (int i = 0; i < n; i++)
        off[i] = fabs(off[i]);
    qsort(off, (size_t)n, sizeof *off, by_size);
    fit->jitter = n ? 1.4826 * off[n / 2] : 0;
    free(off);
    return 0;
}

/* Fits the rows that are listed, and adds to what all segments say of each run. 0, or -1. */
static int fit_rows(struct cs_fitting *f, struct cs_segment_fit *fit)
{
    struct cs_segment_sum s = {.pick = malloc(((size_t)f->ncolumns + 1) * sizeof *s.pick),
                               .b = malloc(((size_t)f->ncolumns + 1) * sizeof *s.b)};
    int rc = -1, form;
    double error = 0;
    f->left_out = -1;
    fit->nrows = f->nrows;
    if (!s.pick || !s.b || (form = cs_choose_form(f, &s, &error)) < 0)
        goto out;
    fit->checked = f->nruns > 1 ? error : -1;
    if (add_totals(f, (enum cs_sum_form)form, &s) || add_by_fewer(f, (enum cs_sum_form)form, &s) ||
        cs_fit_form(f, (enum cs_sum_form)form, &s) || keep(f, &s, fit))
        goto out;
    if (measure_jitter(f, &s, fit))
        goto out;
    fit->spread = fmax(LEAST_SPREAD, fmax(cs_sum_error(f, &s, false), fit->checked));
    fit->near = s.near;
    fit->by_iteration = f->nearby == CS_BY_ITERATION;
    for (int i = 0; i < f->nrows; i++)
        for (int what = 0; what < CS_SETS; what++)
            fit->turns[what] = fmax(fit->turns[what], cs_fitting_turns(f->m, &f->row[i], (enum cs_working_set)what));
    s.near = (struct cs_nearby){0};
    rc = 0;
out:
    cs_nearby_free(&s.near);
    free(s.pick);
    free(s.b);
    return rc;
}

/* ---- rank 0, which often prints and reads ---- */

/* Fits those times of the rows of the part; *dearer if the first time is dearer, of all times. 0, or -1. */
static int fit_times(struct cs_fitting f, enum cs_rows_of part, enum cs_times_of which, struct cs_segment_fit *fit,
                     bool *dearer)
{
    int rc = cs_list_rows(&f, part, which);
    *dearer = rc == 0 && which == CS_ALL_TIMES && cs_first_is_dearer(&f);
    if (!rc && !*dearer)
        rc = cs_list_columns(&f) || (f.nrows > 0 && fit_rows(&f, fit)) ? -1 : 0;
    free(f.row);
    free(f.column);
    return rc;
}

/* Fits the rows of the part. 0, or -1. */
static int fit_part(struct cs_fitting f, enum cs_rows_of part, struct cs_segment_fit *fit)
{
    bool apart, none;
    if (fit_times(f, part, CS_ALL_TIMES, fit, &apart))
        return -1;
    if (!apart)
        return 0;
    fit->cold = calloc(1, sizeof *fit->cold);
    return !fit->cold || fit_times(f, part, CS_LATER_TIMES, fit, &none) ||
                   fit_times(f, part, CS_FIRST_TIME, fit->cold, &none)
               ? -1
               : 0;
}

/* Does rank 0 take longer or shorter than other ranks of the same run with about as many turns, and always so? In at
 * least two runs, and by a share of APART. */
static bool first_is_apart(const struct cs_fitting *f)
{
    int longer = 0, shorter = 0, runs = 0;
    for (int run = 0; run < f->o->nruns; run++) {
        const struct cs_observed_row *first = NULL;
        double least = INFINITY, most = 0;
        for (int i = 0; i < f->nrows; i++)
            if (f->row[i].run == run && f->row[i].rank == 0)
                first = &f->row[i];
        for (int i = 0; first && i < f->nrows; i++)
            if (f->row[i].run == run && &f->row[i] != first &&
                fabs(cs_fitting_size(f, &f->row[i]) - cs_fitting_size(f, first)) < ALIKE) {
                least = fmin(least, f->row[i].ns);
                most = fmax(most, f->row[i].ns);
            }
        if (most <= 0)
            continue;
        runs++;
        longer += first->ns > (1 + APART) * most;
        shorter += first->ns * (1 + APART) < least;
    }
    return runs > 1 && (longer == runs || shorter == runs);
}

static int fit_segment(const struct cs_segments_model *m, int segment, struct cs_total_time *total)
{
    struct cs_segment_fit *fit = &m->fit[segment];
    struct cs_fitting f = {.m = m, .o = m->o, .s = &m->o->segment[segment], .total = total};
    cs_take_aim(&f);
    int rc = cs_list_rows(&f, CS_ALL_RANKS, CS_ALL_TIMES);
    bool apart = rc == 0 && first_is_apart(&f);
    cs_find_hidden(&f);
    free(f.row);
    f.row = NULL;
    f.nrows = f.nruns = 0;
    if (rc == 0 && apart)
        rc = (fit->first = calloc(1, sizeof *fit->first)) ? fit_part(f, CS_RANK_0, fit->first) : -1;
    return rc ? rc : fit_part(f, apart ? CS_OTHER_RANKS : CS_ALL_RANKS, fit);
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
static int judge_totals(const struct cs_total_time *total, int nruns, double *off)
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

/* How far runs of fewer ranks are off those with most: the root mean square. */
static void judge_by_fewer(struct cs_segments_model *m, const struct cs_total_time *total)
{
    int n = 0, most = most_ranks(m->o, 0), fewer = most_ranks(m->o, most);
    double sum = 0;
    for (int i = 0; i < m->nruns; i++)
        if (total[i].of_these > 0) {
            double off = total[i].by_fewer / total[i].of_these - 1;
            sum += off * off;
            n++;
        }
    m->off_by_fewer = n ? sqrt(sum / n) : 0;
    m->doublings = fewer > 0 && n ? log2((double)most / fewer) : 0;
}

double cs_segments_off_by_ranks(const struct cs_segments_model *m, int nranks)
{
    int most = most_ranks(m->o, 0);
    return m->doublings > 0 && nranks > most ? m->off_by_fewer * sqrt(log2((double)nranks / most) / m->doublings) : 0;
}

bool cs_segment_may_be_slow(const struct cs_segment_fit *f, double times)
{
    return f->never_slow > 0 && pow(1 - SURE, times / f->never_slow) < SURE; /* (1 - chance)^times: none is slow */
}

int cs_segments_fit(const struct cs_observations *o, struct cs_segments_model *m)
{
    *m = (struct cs_segments_model){
        .o = o, .n = o->nsegments, .nruns = o->nruns, .fit = calloc((size_t)o->nsegments + 1, sizeof *m->fit)};
    struct cs_total_time *total = calloc((size_t)o->nruns + 1, sizeof *total);
    int rc = m->fit && total ? look_around(m, o) : -1;
    if (!rc)
        rc = cs_loop_prices_make(o, mean_price(o), &m->loops);
    for (int i = 0; i < o->nsegments && !rc; i++)
        rc = fit_segment(m, i, total);
    if (!rc)
        rc = judge_totals(total, o->nruns, &m->off);
    if (!rc)
        judge_by_fewer(m, total);
    free(total);
    if (rc)
        cs_segments_free(m);
    return rc;
}

const struct cs_segment_fit *cs_segment_fit_of(const struct cs_segments_model *m, int segment, int rank)
{
    const struct cs_segment_fit *f = &m->fit[segment];
    return f->first && rank == 0 ? f->first : f;
}

/* What the fit says of the row. */
static double fit_time(const struct cs_segments_model *m, const struct cs_segment_fit *f,
                       const struct cs_observed_row *row, int nranks)
{
    double ns = f->constant;
    for (int i = 0; i < f->nterms; i++)
        ns += f->term[i].ns *
              (f->term[i].counter == CS_TERM_RANKS
                   ? log2(nranks)
                   : cs_spread_turns(cs_observed_mean(row, f->term[i].counter), f->term[i].halves, nranks));
    return f->near.n ? ns * cs_nearby_factor(&f->near, log2(cs_fitting_turns(m, row, cs_fitting_set(f->by_iteration))))
                     : ns;
}

double cs_segment_time(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row, int nranks)
{
    assert(segment >= 0 && segment < m->n);
    const struct cs_segment_fit *f = cs_segment_fit_of(m, segment, row->rank);
    if (!f->nrows)
        return cs_loop_prices_of(&m->loops, m->o->segment[segment].from, row);
    double ns = fit_time(m, f, row, nranks);
    return f->cold ? (fit_time(m, f->cold, row, nranks) + fmax(row->times - 1, 0) * ns) / fmax(row->times, 1) : ns;
}

double cs_segment_outside(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row,
                          int *counter)
{
    const struct cs_segment_fit *f = cs_segment_fit_of(m, segment, row->rank);
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
    const struct cs_segment_fit *f = cs_segment_fit_of(m, segment, row->rank);
    double most = 0;
    for (int what = 0; f->nrows > 0 && what < CS_SETS; what++) {
        double now = cs_bytes_of_turns(cs_fitting_turns(m, row, (enum cs_working_set)what));
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
    if (f->cold)
        free_fit(f->cold);
    free(f->cold);
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
    cs_loop_prices_free(&m->loops);
    *m = (struct cs_segments_model){0};
}
