/* SPDX-License-Identifier: BSD-3-Clause
 * A segment of a program while its time is fitted: the rows and columns that it is learnt from (segment_rows.c), and
 * sums of columns, of which one form is chosen (segment_sums.c). For segments_method.c alone. */
#ifndef CS_SEGMENT_FITTING_H
#define CS_SEGMENT_FITTING_H

#include "predict/methods/segments_method.h"

/* Forms of the sum, from the simplest on. */
enum cs_sum_form { CS_FORM_CONSTANT, CS_FORM_ONE, CS_FORM_TWO, CS_FORM_ALL, CS_FORMS };
/* Each may be corrected by what was measured nearby: of about so many turns, or of about so many in one iteration of
 * the outermost loop, as loops that go through the same again and again take as long as the cache that it fits. */
enum cs_nearby_by { CS_AS_IT_IS, CS_BY_TURNS, CS_BY_ITERATION, CS_NEARBYS };

/* Which of its rows a segment is fitted to: rank 0 often does something else, it reads and prints. */
enum cs_rows_of { CS_ALL_RANKS, CS_RANK_0, CS_OTHER_RANKS };

/* Which of a rank's times through a segment a fit is of: the first one finds neither code nor data in the caches. */
enum cs_times_of { CS_ALL_TIMES, CS_FIRST_TIME, CS_LATER_TIMES };

/* All computation of a run: as it was measured; as it is predicted without that run; as runs of fewer ranks predict it,
 * and what was measured of that. */
struct cs_total_time {
    double measured, predicted, by_fewer, of_these;
};

/* A counter, divided by ranks^(halves / 2); or CS_TERM_RANKS. */
struct cs_segment_column {
    int counter, halves;
    double least; /* turns, in rows that have some */
};

/* A segment while it is fitted. */
struct cs_fitting {
    const struct cs_segments_model *m;
    const struct cs_observations *o;
    const struct cs_observed_segment *s;
    struct cs_observed_row *row; /* those with times; their counts are the observations' */
    int nrows;
    struct cs_segment_column *column; /* counters that are not zero everywhere, those with the largest sums first */
    int ncolumns;
    double floor;  /* ns */
    double aim;    /* logarithm of the turns that a run without times has on average; below 0: there is none */
    double hidden; /* turns of loops that are not counted, in the row that has least of them */
    int nruns;     /* that have rows */
    int left_out;  /* the run that is left out to choose, or -1 */
    int fewer;     /* runs of so many ranks and more are left out; 0: none */
    enum cs_nearby_by nearby;    /* how sums are corrected */
    struct cs_total_time *total; /* of each run */
};

/* A sum of some columns: b[0] is the constant, b[1 + i] belongs to pick[i]. */
struct cs_segment_sum {
    int n, *pick; /* places in `column` */
    double *b;
    double error; /* root mean square of relative errors */
    struct cs_nearby near;
};

/* A measured row counts half when its turns are so many doublings off those of the target. */
static const double CS_FITTING_NEAR = 1.5;

/* ---- segment_rows.c ---- */

/* What the rows without times say: how large the pieces are that are asked for. Sets `aim`. */
void cs_take_aim(struct cs_fitting *f);
/* The rows with times, of that part of the ranks, and what those times of them took: `row`, to be freed, `floor`,
 * `nruns`. 0, or -1: no memory. */
int cs_list_rows(struct cs_fitting *f, enum cs_rows_of part, enum cs_times_of which);
/* Do most listed rows, all times of them, say that the first time takes longer than the later ones, and does that
 * matter? */
bool cs_first_is_dearer(const struct cs_fitting *f);
/* How many turns each listed row has at least of loops that are not counted. Sets `hidden`. */
void cs_find_hidden(struct cs_fitting *f);
/* What the listed rows may depend on: `column`, to be freed. 0, or -1: no memory. */
int cs_list_columns(struct cs_fitting *f);
/* Has the run a listed row? */
bool cs_fitting_has(const struct cs_fitting *f, int run);
/* Turns of the row and of those around it, which leave the caches as it finds them; or those of an iteration. */
double cs_fitting_turns(const struct cs_segments_model *m, const struct cs_observed_row *row, enum cs_working_set what);
/* How large a piece is: log2 of its turns. */
double cs_fitting_size(const struct cs_fitting *f, const struct cs_observed_row *row);

/* ---- segment_sums.c ---- */

/* Is row i of a run that is left out? */
bool cs_is_left_out(const struct cs_fitting *f, int i);
/* What a counter comes to on a run of so many ranks, divided by ranks^(halves / 2). */
double cs_spread_turns(double turns, int halves, int nranks);
/* By what the error of row i is multiplied to be relative, 1/ns. */
double cs_fitting_scale(const struct cs_fitting *f, int i);
/* ns that the sum says of the row. */
double cs_sum_value(const struct cs_fitting *f, const struct cs_segment_sum *s, const struct cs_observed_row *row);
/* The root mean square of relative errors over the rows of the run that is left out, or over all others. */
double cs_sum_error(const struct cs_fitting *f, const struct cs_segment_sum *s, bool of_left_out);
/* Fits a sum of this form to all rows but those of the run that is left out. 0, or -1 with errno ENOMEM or EDOM. */
int cs_fit_form(const struct cs_fitting *f, enum cs_sum_form form, struct cs_segment_sum *s);
/* The form that predicts what it has not seen best; *error is by how much it is off, of all ranks or of the slowest,
 * and f->nearby says whether it is corrected. -1: no memory, or not finite. */
int cs_choose_form(struct cs_fitting *f, struct cs_segment_sum *s, double *error);
/* By what a correction knows a piece again: all its turns, or those of an iteration. */
enum cs_working_set cs_fitting_set(bool by_iteration);

#endif
