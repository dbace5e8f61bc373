/* SPDX-License-Identifier: BSD-3-Clause
 * What there is to learn from of a segment: rows with times, how large those are that are asked for, and the columns on
 * which times may depend. */
#include "predict/methods/segment_fitting.h"

#include <math.h>
#include <stdlib.h>

/* Shares of the largest time that a time counts as at least, or of those about as large as what is asked. */
static const double FLOOR = 0.01, SHORT = 0.2;
/* Loops that are not counted have at least so many turns for each that is counted, if they matter. */
static const double MATTER = 0.2;
/* The first time is dearer if it takes so many times as long as a later one, in that share of the rows; it
 * matters where some went this way so many times as often as others. */
static const double DEARER = 1.25, MOST_ROWS = 0.75, AS_OFTEN = 1.5;
/* A counter may stand for such loops as it is, or divided by a root of the ranks, or by the ranks: a row of a matrix
 * that all ranks share is shorter on more of them. */
enum { MOST_HALVES = 2 };

double cs_fitting_turns(const struct cs_segments_model *m, const struct cs_observed_row *row, enum cs_working_set what)
{
    return what == CS_SET_ITERATION ? cs_turns_of_iteration(m->o, row)
                                    : cs_turns_counted(m->o, row) + m->around[row->run][row->rank];
}

double cs_fitting_size(const struct cs_fitting *f, const struct cs_observed_row *row)
{
    return log2(cs_fitting_turns(f->m, row, CS_SET_ALL));
}

bool cs_fitting_has(const struct cs_fitting *f, int run)
{
    for (int i = 0; i < f->nrows; i++)
        if (f->row[i].run == run)
            return true;
    return false;
}

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
static bool is_constant(const struct cs_fitting *f, int counter)
{
    for (int i = 1; i < f->s->nrows; i++)
        if (cs_observed_mean(&f->s->row[i], counter) != cs_observed_mean(&f->s->row[0], counter))
            return false;
    return f->nruns > 1;
}

static void add_columns(struct cs_fitting *f, int counter)
{
    if (is_constant(f, counter))
        return;
    double least = INFINITY, sum = 0;
    for (int i = 0; i < f->nrows; i++) {
        double turns = cs_observed_mean(&f->row[i], counter);
        least = turns > 0 ? fmin(least, turns) : least;
        sum += turns;
    }
    int most = f->hidden * f->nrows > MATTER * sum ? MOST_HALVES : 0;
    for (int halves = 0; halves <= most; halves++)
        f->column[f->ncolumns++] = (struct cs_segment_column){counter, halves, least};
}

/* What a piece does beside its loops may grow with the number of ranks, where runs had three numbers or more. */
static void add_ranks(struct cs_fitting *f)
{
    int first = 0, second = 0;
    for (int i = 0; i < f->nrows; i++) {
        int n = f->o->run[f->row[i].run].nranks;
        first = first ? first : n;
        second = second || n == first ? second : n;
        if (n != first && n != second) {
            f->column[f->ncolumns++] = (struct cs_segment_column){CS_TERM_RANKS, 0, 1};
            return;
        }
    }
}

int cs_list_columns(struct cs_fitting *f)
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
        for (int k = 0; k < f->row[i].ncounts; k++)
            t[f->row[i].count[k].counter].sum += f->row[i].count[k].mean;
    qsort(t, (size_t)f->o->ncounters, sizeof *t, by_sum);
    for (int c = 0; c < f->o->ncounters; c++)
        if (t[c].sum > 0 && f->o->counter[t[c].counter].counted)
            add_columns(f, t[c].counter);
    add_ranks(f);
    free(t);
    return 0;
}

void cs_take_aim(struct cs_fitting *f)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < f->s->nrows; i++) {
        if (f->o->run[f->s->row[i].run].with_times)
            continue;
        sum += cs_fitting_size(f, &f->s->row[i]);
        n++;
    }
    f->aim = n ? sum / n : -1;
}

void cs_find_hidden(struct cs_fitting *f)
{
    f->hidden = f->nrows ? INFINITY : 0;
    for (int i = 0; i < f->nrows; i++) {
        double turns = 0;
        for (int k = 0; k < f->row[i].ncounts; k++)
            turns += f->o->counter[f->row[i].count[k].counter].counted ? 0 : f->row[i].count[k].mean;
        f->hidden = fmin(f->hidden, turns);
    }
}

static bool is_in(enum cs_rows_of part, const struct cs_observed_row *row)
{
    return part == CS_ALL_RANKS || (row->rank == 0) == (part == CS_RANK_0);
}

/* How short a time counts as it is: a share of the largest, but not so long as what is about as large as what is asked.
 */
static double floor_of(const struct cs_fitting *f)
{
    double most = 0, nearest = INFINITY, about = INFINITY;
    for (int i = 0; i < f->nrows; i++) {
        most = fmax(most, f->row[i].ns);
        nearest = fmin(nearest, fabs(cs_fitting_size(f, &f->row[i]) - f->aim));
    }
    for (int i = 0; f->aim >= 0 && i < f->nrows; i++)
        if (fabs(cs_fitting_size(f, &f->row[i]) - f->aim) <= nearest + CS_FITTING_NEAR)
            about = fmin(about, f->row[i].ns);
    return fmax(fmin(FLOOR * most, SHORT * about), 1);
}

/* The row of those times alone. False: there are none, or nobody knows what they took. */
static bool take_times(struct cs_observed_row *row, enum cs_times_of which)
{
    double times = which == CS_FIRST_TIME ? 1 : row->times - 1;
    if (which == CS_ALL_TIMES || (row->first <= 0 && which == CS_LATER_TIMES))
        return true;
    if (row->first <= 0 || times <= 0)
        return false;
    row->ns = which == CS_FIRST_TIME ? row->first : fmax(row->ns * row->times - row->first, 0) / times;
    row->times = times;
    return true;
}

/* Do all ranks of all runs, also of one that is asked for, go this way about equally often? Then the first time is the
 * same share of each. */
static bool as_often(const struct cs_fitting *f)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < f->s->nrows; i++) {
        least = fmin(least, f->s->row[i].times);
        most = fmax(most, f->s->row[i].times);
    }
    return most < AS_OFTEN * least;
}

bool cs_first_is_dearer(const struct cs_fitting *f)
{
    int dearer = 0, known = 0;
    if (as_often(f))
        return false;
    for (int i = 0; i < f->nrows; i++) {
        struct cs_observed_row later = f->row[i];
        if (later.first <= 0 || !take_times(&later, CS_LATER_TIMES))
            continue;
        known++;
        dearer += f->row[i].first > DEARER * later.ns;
    }
    return known > 0 && dearer >= MOST_ROWS * known;
}

int cs_list_rows(struct cs_fitting *f, enum cs_rows_of part, enum cs_times_of which)
{
    f->row = malloc(((size_t)f->s->nrows + 1) * sizeof *f->row);
    if (!f->row)
        return -1;
    for (int i = 0; i < f->s->nrows; i++)
        if (f->o->run[f->s->row[i].run].with_times && is_in(part, &f->s->row[i])) {
            f->row[f->nrows] = f->s->row[i];
            f->nrows += take_times(&f->row[f->nrows], which);
        }
    f->floor = floor_of(f);
    for (int run = 0; run < f->o->nruns; run++)
        f->nruns += cs_fitting_has(f, run);
    return 0;
}
