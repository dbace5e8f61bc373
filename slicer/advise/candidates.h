/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which assumptions are worth a try: branches, values and files by which much of a slice is LIVE, alone or several
 * together. What each would free is an estimate, from the needs of one propagation; only slicing again tells. */
#ifndef CS_CANDIDATES_H
#define CS_CANDIDATES_H

#include "slicer/advise/need_graph.h"
#include "slicer/control/assume.h"

/* Assumptions that one plan makes, at most. */
enum { CS_PLAN_MOST = 8 };

/* One assumption: of the line of a branch, or of its nth comparison; CS_ASSUME_NO_READ_BACK: stmt is -1;
 * CS_ASSUME_VALUE: of value number nth of the statement (control/named_values.h). */
struct cs_candidate {
    int stmt, nth;
    enum cs_assume_kind kind; /* CS_ASSUME_TRIPS, CS_ASSUME_VALUE: how many, or which, the program's user knows */
};

/* Assumptions that are made together. */
struct cs_plan {
    int n;
    struct cs_candidate c[CS_PLAN_MOST];
    int held; /* statements that are LIVE only by what the plan is about */
};

/* At most `most` plans, those that hold most first, none below `least` statements. The graph has its decisions. Their
 * number. hints, NULL at the end or NULL: what a recorded run did: "cg.c:83=never", "=always", "=N HELD/TIMES" for a
 * condition that held at times, "=N HELD/TIMES/RANKS" in several runs of so many ranks in all, "=12" or another
 * expression for how often its loop ran,
 * "=when(EXPRESSION)" for what it did each time, "=unasked" for one that was not
 * come to, "halo.c:40:n=varies" for a value for which no number can stand, "=polled" likewise where that goes with
 * arrivals. No plan is against it.
 * When `budget` steps are made, plans of several assumptions are looked for no more; the steps are the same in every
 * run. */
int cs_candidates_find(const struct cs_need_graph *ng, struct cs_graph *g, char *const *hints, int least,
                       struct cs_plan *plans, int most, int64_t budget);
/* Does what stands behind the `=` of a hint say that no number can stand there? */
bool cs_hint_varies(const char *is);
/* Does the hint say how often a loop ran each time, or what a condition did each time? */
bool cs_hint_has_trips(const char *hint);
/* Of which branches and values, FILE:LINE and FILE:LINE:NAME, a run of the original should tell, at most. */
enum { CS_BRANCHES_MOST = 2000 };
/* Branches that data decides, one a line, those that hold most first, of which advise may suggest an assumption when
 * others have been made: statements. Their number. */
int cs_candidates_branches(const struct cs_need_graph *ng, int stmts[CS_BRANCHES_MOST]);
/* Values that a run of the original should tell, at most. */
enum { CS_VALUES_MOST = 300 };
/* Values that data decides, of which advise may suggest an assumption when others have been made: those of MPI calls
 * first, then of variables, then of those that functions are to set. Their number. */
int cs_candidates_values(const struct cs_need_graph *ng, struct cs_graph *g, struct cs_candidate c[CS_VALUES_MOST]);
/* "cg.c:83=never"; for a trip count, "cg.c:83=N"; for a value, "halo.c:40:count=N". */
void cs_candidate_text(const struct cs_graph *g, const struct cs_candidate *c, char *text, size_t size);

#endif
