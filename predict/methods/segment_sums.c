/* SPDX-License-Identifier: BSD-3-Clause
 * Sums of a segment's columns, by least squares of relative errors: rows are divided by their times, then by what that
 * sum says of them; columns stand in descending order of their sums, so that of counters which nobody can tell apart
 * the one with most counts, the innermost loop, is taken. Of several forms the one is chosen that predicts best what it
 * has not seen. */
#include "predict/methods/segment_fitting.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/regression/nonnegative.h"

/* Shares by which a form must be better than a simpler one, and at least. */
static const double BETTER = 0.9, LEAST_GAIN = 0.001;
/* What a program does between two calls beside its loops, ns, and how exactly times are known, as a share: a constant
 * beyond that has to be borne out by the times. */
static const double BESIDE_LOOPS = 3000, NOISE = 0.03;
/* A turn may take so many ns beside the loops in it; so many one of a loop that is not counted; twice as many ranks. */
static const double TURN = 100, HIDDEN_TURN = 10, DOUBLING = 30;
/* Errors are in shares of what the sum said before, so many times; a time so many times longer than that counts less.
 */
enum { AGAIN = 2 };
static const double FAR = 2;
/* Largest logarithm of a correction by iterations: data in memory takes a loop several times as long as in a cache. */
static const double FAR_OFF = 1.6;

bool cs_is_left_out(const struct cs_fitting *f, int i)
{
    return f->row[i].run == f->left_out || (f->fewer > 0 && f->o->run[f->row[i].run].nranks >= f->fewer);
}

double cs_fitting_scale(const struct cs_fitting *f, int i)
{
    return 1 / fmax(f->row[i].ns, f->floor);
}

enum cs_working_set cs_fitting_set(bool by_iteration)
{
    return by_iteration ? CS_SET_ITERATION : CS_SET_ALL;
}

/* By what a correction knows it again. */
static double place_of(const struct cs_fitting *f, const struct cs_observed_row *row)
{
    return log2(cs_fitting_turns(f->m, row, cs_fitting_set(f->nearby == CS_BY_ITERATION)));
}

/* How much a row counts. What is as large as what is asked counts most: it has the same caches, and whatever else makes
 * a turn dearer in larger pieces. */
static double weight(const struct cs_fitting *f, int i)
{
    if (f->aim < 0)
        return 1;
    double off = (cs_fitting_size(f, &f->row[i]) - f->aim) / CS_FITTING_NEAR;
    return 1 / (1 + off * off);
}

double cs_spread_turns(double turns, int halves, int nranks)
{
    return halves == 0 ? turns : turns * pow(nranks, -0.5 * halves);
}

static double turns_of(const struct cs_fitting *f, const struct cs_segment_column *c, const struct cs_observed_row *row)
{
    if (c->counter == CS_TERM_RANKS)
        return log2(f->o->run[row->run].nranks);
    return cs_spread_turns(cs_observed_mean(row, c->counter), c->halves, f->o->run[row->run].nranks);
}

/* ns that are expected of what cannot be told from something else: of a constant, or of each turn of a column. */
static double expected(const struct cs_fitting *f, const struct cs_segment_column *c)
{
    if (c && c->counter == CS_TERM_RANKS)
        return DOUBLING;
    return c ? TURN + HIDDEN_TURN * f->hidden / c->least : BESIDE_LOOPS + HIDDEN_TURN * f->hidden;
}

static double formula(const struct cs_fitting *f, const struct cs_segment_sum *s, const struct cs_observed_row *row)
{
    double v = s->b[0];
    for (int i = 0; i < s->n; i++)
        v += s->b[1 + i] * turns_of(f, &f->column[s->pick[i]], row);
    return v;
}

double cs_sum_value(const struct cs_fitting *f, const struct cs_segment_sum *s, const struct cs_observed_row *row)
{
    double v = formula(f, s, row);
    return s->near.n ? v * cs_nearby_factor(&s->near, place_of(f, row)) : v;
}

/* What the formula leaves over of all rows but those of the run that is left out. 0, or -1: no memory. */
static int look_nearby(const struct cs_fitting *f, struct cs_segment_sum *s)
{
    s->near.n = 0;
    s->near.most = f->nearby == CS_BY_ITERATION ? FAR_OFF : 0;
    for (int i = 0; i < f->nrows && f->nearby != CS_AS_IT_IS; i++) {
        double v = fmax(formula(f, s, &f->row[i]), f->floor);
        if (!cs_is_left_out(f, i) && cs_nearby_add(&s->near, place_of(f, &f->row[i]), fmax(f->row[i].ns, f->floor) / v))
            return -1;
    }
    cs_nearby_settle(&s->near);
    return 0;
}

double cs_sum_error(const struct cs_fitting *f, const struct cs_segment_sum *s, bool of_left_out)
{
    double sum = 0, all = 0;
    for (int i = 0; i < f->nrows; i++) {
        if (cs_is_left_out(f, i) != of_left_out)
            continue;
        double e = (cs_sum_value(f, s, &f->row[i]) - f->row[i].ns) * cs_fitting_scale(f, i);
        sum += e * e * weight(f, i);
        all += weight(f, i);
    }
    return all > 0 ? sqrt(sum / all) : 0;
}

/* By what a row is divided: its time, or the time that a first sum says of it, as errors in shares of measured times
 * make much of those that are short by chance. A time that is more than FAR times what the sum says counts less than
 * that would have it, as another process may have taken the processor. */
static double divisor(const struct cs_fitting *f, const double *said, int i)
{
    double ns = fmax(f->row[i].ns, f->floor);
    return said ? fmax(fmax(said[i], f->floor), ns / FAR) : ns;
}

/* Least squares with the columns picked, over all rows but those of the run that is left out; `said`: what a first sum
 * says of each row, or NULL. 0, or -1. */
static int solve_by(const struct cs_fitting *f, const double *said, struct cs_segment_sum *s)
{
    int rows = 0;
    struct cs_matrix x = {.cols = s->n + 1};
    x.at = malloc(((size_t)f->nrows + (size_t)x.cols) * (size_t)x.cols * sizeof *x.at);
    double *y = malloc(((size_t)f->nrows + (size_t)x.cols) * sizeof *y);
    int rc = -1;
    if (!x.at || !y)
        goto out;
    for (int i = 0; i < f->nrows; i++)
        rows += !cs_is_left_out(f, i);
    x.rows = rows + x.cols;
    int k = 0;
    for (int i = 0; i < f->nrows; i++) {
        if (cs_is_left_out(f, i))
            continue;
        double times = sqrt(weight(f, i)) / divisor(f, said, i);
        x.at[k] = times;
        for (int j = 0; j < s->n; j++)
            cs_column(&x, j + 1)[k] = turns_of(f, &f->column[s->pick[j]], &f->row[i]) * times;
        y[k++] = f->row[i].ns * times;
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
    s->error = cs_sum_error(f, s, false);
out:
    free(x.at);
    free(y);
    return rc;
}

static int solve(const struct cs_fitting *f, struct cs_segment_sum *s)
{
    return solve_by(f, NULL, s);
}

/* The same columns, with errors in shares of what the sum says; the sum as it is where rounding keeps that from an end.
 * 0, or -1: no memory. */
static int solve_again(const struct cs_fitting *f, struct cs_segment_sum *s)
{
    size_t size = ((size_t)s->n + 1) * sizeof *s->b;
    double *said = malloc(((size_t)f->nrows + 1) * sizeof *said), *before = malloc(size), error = s->error;
    int rc = said && before ? 0 : -1;
    if (!rc)
        memcpy(before, s->b, size);
    for (int k = 0; k < AGAIN && !rc; k++) {
        for (int i = 0; i < f->nrows; i++)
            said[i] = formula(f, s, &f->row[i]);
        rc = solve_by(f, said, s);
    }
    if (rc && before && errno == EDOM) {
        memcpy(s->b, before, size);
        s->error = error;
        rc = 0;
    }
    free(said);
    free(before);
    return rc;
}

/* Adds the column that makes the error smallest. 0, or -1. */
static int add_best(const struct cs_fitting *f, struct cs_segment_sum *s)
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

int cs_fit_form(const struct cs_fitting *f, enum cs_sum_form form, struct cs_segment_sum *s)
{
    s->n = 0;
    if (form == CS_FORM_ALL)
        for (; s->n < f->ncolumns; s->n++)
            s->pick[s->n] = s->n;
    if ((form == CS_FORM_CONSTANT || form == CS_FORM_ALL) && solve(f, s))
        return -1;
    for (int i = 0; form != CS_FORM_ALL && i < (int)form && s->n < f->ncolumns; i++)
        if (add_best(f, s))
            return -1;
    if (solve_again(f, s))
        return -1;
    return f->nearby != CS_AS_IT_IS ? look_nearby(f, s) : 0;
}

/* How far the sum is off the slowest rank of the run that is left out, as a share: all others wait for it. */
static double slowest_off(const struct cs_fitting *f, const struct cs_segment_sum *s)
{
    double measured = 0, predicted = 0;
    int n = 0;
    for (int i = 0; i < f->nrows; i++) {
        if (f->row[i].run != f->left_out)
            continue;
        measured = fmax(measured, f->row[i].ns);
        predicted = fmax(predicted, cs_sum_value(f, s, &f->row[i]));
        n++;
    }
    return n > 1 ? (predicted - measured) / fmax(measured, f->floor) : 0;
}

/* How far a form is off runs that it has not seen, by how it is corrected: all ranks, and the slowest one of each run.
 * known: rounding does not keep it from an end. */
struct checked {
    double error[CS_NEARBYS], slowest[CS_NEARBYS];
    bool known;
};

/* Adds how far the sum is off the run that is left out, corrected in each way. 0, or -1: no memory. */
static int check_run(struct cs_fitting *f, struct cs_segment_sum *s, int nearbys, struct checked *c)
{
    for (int i = 0; i < nearbys; i++) {
        f->nearby = (enum cs_nearby_by)i;
        if (look_nearby(f, s))
            return -1;
        c->error[i] += pow(f->nruns > 1 ? cs_sum_error(f, s, true) : s->error, 2);
        c->slowest[i] += pow(slowest_off(f, s), 2);
    }
    return 0;
}

/* Leaves each run out in turn; where there is only one, how far the form is off that one. 0, or -1: no memory, or not
 * finite. The sum itself does not depend on how it is corrected. */
static int check_form(struct cs_fitting *f, enum cs_sum_form form, int nearbys, struct cs_segment_sum *s,
                      struct checked *c)
{
    int n = 0;
    *c = (struct checked){.known = true};
    for (int run = 0; run < f->o->nruns; run++) {
        f->left_out = f->nruns > 1 ? run : -1;
        if (!cs_fitting_has(f, run))
            continue;
        f->nearby = CS_AS_IT_IS;
        if (cs_fit_form(f, form, s)) {
            c->known = false;
            return errno == EDOM && form != CS_FORM_CONSTANT ? 0 : -1;
        }
        if (check_run(f, s, nearbys, c))
            return -1;
        n++;
    }
    f->left_out = -1;
    for (int i = 0; i < nearbys; i++) {
        c->error[i] = n ? sqrt(c->error[i] / n) : 0;
        c->slowest[i] = n ? sqrt(c->slowest[i] / n) : 0;
    }
    return 0;
}

/* Do pieces differ in what an iteration goes through? */
static bool has_iterations(const struct cs_fitting *f)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < f->nrows; i++) {
        double turns = cs_fitting_turns(f->m, &f->row[i], CS_SET_ITERATION);
        least = fmin(least, turns);
        most = fmax(most, turns);
    }
    return most > 2 * least;
}

int cs_choose_form(struct cs_fitting *f, struct cs_segment_sum *s, double *error)
{
    /* Times that are alike where turns are, too, say nothing: then it is the loop that takes them. */
    static const enum cs_sum_form order[CS_FORMS] = {CS_FORM_ONE, CS_FORM_CONSTANT, CS_FORM_TWO, CS_FORM_ALL};
    struct checked c[CS_FORMS] = {0};
    int best = -1, nearbys = has_iterations(f) ? CS_NEARBYS : CS_BY_ITERATION;
    enum cs_nearby_by best_nearby = CS_AS_IT_IS;
    double least = INFINITY;
    *error = INFINITY;
    for (int form = 0; form < CS_FORMS; form++)
        if (form == CS_FORM_CONSTANT || f->ncolumns >= (form == CS_FORM_ALL ? 3 : form))
            if (check_form(f, (enum cs_sum_form)form, nearbys, s, &c[form]))
                return -1;
    for (int i = 0; i < CS_FORMS * nearbys; i++) {
        int form = order[i % CS_FORMS], nearby = i / CS_FORMS;
        double e = c[form].error[nearby], slowest = c[form].slowest[nearby], both = hypot(e, slowest);
        if (c[form].known && (best < 0 || both < BETTER * least - LEAST_GAIN)) {
            best = form;
            least = both;
            best_nearby = (enum cs_nearby_by)nearby;
            *error = fmax(e, slowest);
        }
    }
    f->nearby = best_nearby;
    return best;
}
