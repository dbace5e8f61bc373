/* SPDX-License-Identifier: GPL-3.0-or-later
 * Why a statement is kept: the shortest way from it to what every slice keeps, and the places that hold most up. */
#ifndef CS_CHAINS_H
#define CS_CHAINS_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why one thing is kept: `parent` needs it, a statement or -1. */
struct cs_link {
    enum cs_reason why; /* CS_WHY_NONE: nobody needs it */
    int parent;
};

/* A branch, or a call whose message is transmitted, by which statements are kept that would go without it; stmt -1:
 * that what is written to files may be read. */
struct cs_holder {
    int stmt, held; /* statements */
};

/* mark: of each statement of the graph, why its message is transmitted, if it is an MPI call and it is; holders: those
 * that hold most first. */
struct cs_chains {
    struct cs_link *mark;
    int nholders;
    struct cs_holder *holders;
    int nwatched, *watched; /* branches of whose lines a run of the original should tell what they did, one a line */
    int nvalues;
    char **values;    /* FILE:LINE:NAME of values of which it should tell what they are */
    bool watch_files; /* it should also tell whether a rank reads what the program wrote */
};

/* Sets `why` and `parent` of all kept statements to the shortest way that `needs` of their slice gives. Of the parent
 * of CS_WHY_CONTENT and CS_WHY_MESSAGE the next step is why its message is transmitted, of others why it is kept. */
void cs_chains_find(struct cs_chains *c, struct cs_graph *g, const struct cs_needs *needs);
void cs_chains_free(struct cs_chains *c);

#ifdef __cplusplus
}
#endif
#endif
