/* SPDX-License-Identifier: GPL-3.0-or-later
 * The user's assumptions in the compiler: decided on the graph (slicer/control/assume.h), then put into GIMPLE:
 * counters of iterations into the slice, counters of violations into the instrumented original. */
#ifndef CS_ASSUME_GIMPLE_H
#define CS_ASSUME_GIMPLE_H

#include "api/assumed_value.h"
#include "gcc-plugin/apply/assume_value.h"
#include "gcc-plugin/lower/lower.h"
#include "slicer/control/assume.h"

/* In the compilers, for all programs: gives every branch the sense that its source has and notes where the compiler had
 * exchanged its sides, so that `never` cuts the right one after optimisation. */
void cs_assume_keep_senses(const char *plugin);

/* A loop of which the instrumented original notes how many iterations it made each time: its number in
 * cs_assumptions.seen. */
struct cs_seen_trip {
    int index;
    struct cs_trip trip;
};

/* A condition of which it notes what it did each time. */
struct cs_seen_when {
    int index, stmt, nth; /* its number among the comparisons of its line, 0: the only one */
};

/* What the user has the link assume: texts as given, in that order, and what each was found to be about. */
struct cs_assumptions {
    vec<const char *> texts;
    vec<cs_assumed> decided;    /* one for each text; nothing is decided by those about values */
    vec<cs_value_place> values; /* where values are assumed */
    vec<const char *>
        watched; /* FILE:LINE and FILE:LINE.K of branches of which the instrumented original counts what they do, and
                    CS_NO_READ_BACK, of which the run time counts that;
                    CS_ONLY_CALLED and a function's name */
    vec<const char *> seen; /* FILE:LINE:NAME of values of which it notes what they are, FILE:LINE=N of loops
                               and FILE:LINE=when(N) of conditions, of which it notes what they do each time */
    vec<enum cs_seen_order> seen_order; /* of each of these */
    vec<cs_seen_trip> seen_trips;
    vec<cs_seen_when> seen_whens;
    vec<cs_value_place> seen_places;
    vec<cs_assumed> watching; /* two for each watched line: how often the condition held, how often it did not */
    vec<int> called;          /* by function: the number in `watched` of its calls, -1: they are not counted */
    int only_called;          /* the text that says which functions are called, -1: none */
};

/* Replaces values, before the program is lowered, and says so; ends the compilation where that cannot be done. */
void cs_assume_values(struct cs_assumptions *as);
/* Leaves functions out that are assumed not to be called, before anything is decided, and says so; ends the compilation
 * where the file cannot be read. */
void cs_assume_called(struct cs_program *p, struct cs_assumptions *as);
/* Statement of the graph that an assumption is about first, -1: it is in none. */
int cs_assume_stmt(const struct cs_assumptions *as, unsigned assumption);
/* Decides the branches and says so; ends the compilation where that cannot be done. */
void cs_assume_decide(struct cs_program *p, struct cs_assumptions *as);
/* Once the slice is decided: warns of assumptions that leave a loop no way out, and of those that count how often a
 * rank comes to a place (`iteration`) where that is not the program's to decide. called_back: by function,
 * slicer/live/needs.h; NULL: it is not known. */
void cs_assume_warn(const struct cs_program *p, const struct cs_assumptions *as, const bool *called_back);
/* By function: does what is assumed of its branches put state of its own into the slice? */
void cs_assume_stateful(const struct cs_program *p, const struct cs_assumptions *as, vec<bool> *stateful);
/* Has the instrumented original count what the line of this branch does, and each comparison of it that may end a loop.
 */
void cs_assume_watch(struct cs_program *p, struct cs_assumptions *as, int stmt);
/* Has the instrumented original note how many iterations the loop makes that ends by this branch alone, if it does and
 * `loops`, or what the branch does each time, if it ends no loop. */
void cs_assume_watch_trips(struct cs_program *p, struct cs_assumptions *as, int stmt, enum cs_seen_order order,
                           bool loops);
/* Has the instrumented original note what this FILE:LINE:NAME is. */
void cs_assume_watch_value(struct cs_assumptions *as, const char *text, enum cs_seen_order order);
/* Has the instrumented original count how often it calls each function. */
void cs_assume_watch_calls(const struct cs_program *p, struct cs_assumptions *as);
/* Has the recorder count whether a rank reads what the program wrote. */
void cs_assume_watch_files(struct cs_assumptions *as);
/* Slice, function f after its statements were swept: loops with a trip count get their counter. */
void cs_assume_sweep(const struct cs_graph *g, const struct cs_assumptions *as, const struct cs_lowered *f);
/* Slice, first block of a function that is assumed not to be called: tells the recorder that it is. */
void cs_assume_tell_called(basic_block bb, tree tell);
/* Instrumented original, function f: branches count how often an assumption was wrong, in `violations` (NULL: none);
 * `tell` as in cs_value_observe(). */
void cs_assume_check(const struct cs_graph *g, const struct cs_assumptions *as, const struct cs_lowered *f,
                     tree violations, tree tell);
/* The type of those counters, int64: one for each assumption, two for each line that is watched, two more for each
 * assumption, of which those about values use three, and CS_SEEN_COUNTERS for each value that is noted
 * (assume_value.h). */
tree cs_assume_counters_type(const struct cs_assumptions *as);

#endif
