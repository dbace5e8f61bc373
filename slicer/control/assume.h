/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assumptions of the user: FILE:LINE=never, =always or =N decides the branches of the condition at that line, so that
 * their inputs are no longer LIVE. FILE:LINE:NAME=EXPRESSION says what an argument or a variable is. Each is stored in
 * the slice and checked on the original (docs/reference/assumptions.md). */
#ifndef CS_ASSUME_H
#define CS_ASSUME_H

#include <stddef.h>

#include "api/assumption.h"
#include "base/expression.h"
#include "slicer/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the user says of a condition: it never holds, it always does, or its loop makes so many iterations. Or of an
 * argument of a call of MPI or a variable that is assigned: its value. */
enum cs_assume_kind {
    CS_ASSUME_NEVER,
    CS_ASSUME_ALWAYS,
    CS_ASSUME_TRIPS,
    CS_ASSUME_NO_READ_BACK,
    CS_ASSUME_VALUE,
    CS_ASSUME_WHEN,   /* it holds where `value`, whose iteration is how often it was asked before, is not 0 */
    CS_ASSUME_CALLED, /* no function is called that the recorded run did not call (control/called.h) */
    CS_ASSUME_NO_MPI_ERRORS
};

/* One assumption, as the user wrote it. */
struct cs_assumption {
    char file[256]; /* as given: a path, of which the last part counts; CS_ASSUME_NO_READ_BACK and _NO_MPI_ERRORS:
                       empty; CS_ASSUME_CALLED: the file that tells of the recorded run */
    int line;       /* CS_ASSUME_NO_READ_BACK, CS_ASSUME_NO_MPI_ERRORS, CS_ASSUME_CALLED: 0 */
    int nth;        /* LINE.K: only the K-th comparison of the line, from 1; 0: the whole condition */
    enum cs_assume_kind kind;
    int64_t trips;        /* CS_ASSUME_TRIPS: iterations each time that the loop is entered; -1: `value` says */
    char name[64];        /* CS_ASSUME_VALUE: of the argument or variable */
    struct cs_expr value; /* CS_ASSUME_TRIPS: its iteration is how often the loop was entered before */
};

/* Reads "FILE:LINE=never|always|EXPRESSION|when(EXPRESSION)",
 * "FILE:LINE.K=never|always" for one comparison of several,
 * "FILE:LINE:NAME=EXPRESSION", CS_NO_READ_BACK, CS_NO_MPI_ERRORS, or CS_ONLY_CALLED and the name of a file. 0, or -1
 * with a one-line cause in err. */
int cs_assume_parse(const char *text, struct cs_assumption *a, char *err, size_t errlen);

/* What an assumption says of an edge of a branch. t: the iteration, from 0, of the counted loop that the branch is in.
 */
enum cs_edge_rule {
    CS_EDGE_FREE, /* nothing */
    CS_EDGE_DEAD, /* is not taken */
    CS_EDGE_EXIT, /* is not taken while t < limit */
    CS_EDGE_BODY  /* is not taken once t >= limit */
};
/* A branch that is decided: the COND, and what holds of its two edges. */
struct cs_decided {
    int stmt;
    enum cs_edge_rule rule[2]; /* by edge: 0 if the comparison holds, 1 if not */
    int trip;                  /* index of its loop in cs_assumed.trips, -1: none */
};

/* A loop whose iterations are counted, for the compiler back-end to put the counter in: from -1, up by one at the start
 * of `header`, set back at the end of each of `entries`. The COND `stmt` leaves the loop by edge `exit_edge` when the
 * count is at least `limit`, and goes on by the other one before. With `value`, which is the trip's own, the limit is
 * its value at the entry, or one less if `later`: an iteration asks the condition when something of it is done. */
struct cs_trip {
    int func, header, nentries, *entries;
    int stmt, exit_edge;
    int64_t limit;
    struct cs_expr *value; /* NULL: the limit is a number */
    bool later;
    /* Of cs_assume_only_trip(): the branches of the condition, and by which edges they leave. */
    int nasks;
    struct cs_decided *asks;
};

/* A branch that asks an expression, which is its own: the COND `stmt` of the function takes `edge` where it is not 0.
 */
struct cs_when {
    int func, stmt, edge;
    struct cs_expr *value;
};

/* All that assumptions have decided in a program. Its arrays are its own, and grow by one at a time. */
struct cs_assumed {
    int ndecided, ntrips, nwhens;
    struct cs_decided *decided;
    struct cs_trip *trips;
    struct cs_when *whens;
};

/* Do both say something of the same condition, argument or variable? Do they say the same of it? */
bool cs_assume_same_subject(const struct cs_assumption *a, const struct cs_assumption *b);
bool cs_assume_agree(const struct cs_assumption *a, const struct cs_assumption *b);

/* Neither for values nor for CS_ASSUME_CALLED. Decides the branches at the line: marks edges as never taken, takes the
 * inputs from the branch that ends a counted loop. Adds to *out, which begins zeroed. The number of branches decided;
 * 0: nothing matches; -1: the line is no place for a trip count, with the cause in err. */
int cs_assume_apply(struct cs_graph *g, const struct cs_assumption *a, struct cs_assumed *out, char *err,
                    size_t errlen);
/* Has the program a branch at the line of the assumption, whatever its number? */
bool cs_assume_has_line(struct cs_graph *g, const struct cs_assumption *a);
/* Does the branch leave the innermost loop around it, and has that loop other ways out, on other lines? *edge: by which
 * it leaves. */
enum cs_leaving { CS_LEAVES_NONE, CS_LEAVES_ONE_WAY, CS_LEAVES_ONLY_WAY };
enum cs_leaving cs_assume_leaving(struct cs_graph *g, int stmt, int *edge);
/* The same of all branches of the line in its function. Sets *stmt to the first one that leaves. */
enum cs_leaving cs_assume_line_leaves(struct cs_graph *g, int *stmt, int *edge);
/* Is the condition of the line, by which this branch leaves its loop, asked once in each iteration, at its start
 * (1) or later (0)? -1: that cannot be said, or the line also asks before the loop. */
int cs_assume_asked_first(struct cs_graph *g, int stmt);
/* Is the branch part of the only condition of its line in the program, and does that leave a loop that counts its
 * iterations by it alone? Sets *t, without limit and value; t->entries and t->asks are the caller's to free. */
bool cs_assume_only_trip(struct cs_graph *g, int stmt, struct cs_trip *t);
/* Is the branch the only one that FILE:LINE means, or FILE:LINE.K with *nth for K (0: the line has no other), and does
 * it not end a loop? */
bool cs_assume_only_when(struct cs_graph *g, int stmt, int *nth);
/* Has no other function, clones aside, a branch of its line? Instances of a template have. */
bool cs_assume_one_function(const struct cs_graph *g, int stmt);
/* The number K for which FILE:LINE.K means this branch alone, 0 if the line has no other branch; -1: the compiler has
 * joined comparisons of the line, or turned them perhaps, so that none is known to. */
int cs_assume_nth(struct cs_graph *g, int stmt);
/* The edge that is taken where the condition of the source holds; nth is not 0: where the comparison does, as the
 * source has it. */
int cs_assume_true_edge(const struct cs_graph *g, int stmt, int nth);
/* Frees what *out holds, not *out. */
void cs_assumed_free(struct cs_assumed *out);

#ifdef __cplusplus
}
#endif
#endif
