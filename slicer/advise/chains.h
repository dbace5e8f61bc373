/* SPDX-License-Identifier: GPL-3.0-or-later
 * Why a statement is kept: the best way from it to what every slice keeps, and the places that hold most up. */
#ifndef CS_CHAINS_H
#define CS_CHAINS_H

#include "api/assumed_value.h"
#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why one thing is kept: `parent` needs it, a statement, or behind these a step, or -1. */
struct cs_link {
    enum cs_reason why; /* CS_WHY_NONE: nobody needs it */
    int parent;
    int call;   /* the call that passes it, between function and caller, of an argument the first one; -1 */
    int obj;    /* the object by which it goes through memory, -1: none, or it cannot be told apart */
    int among;  /* of how many objects this may be one */
    int writer; /* where a call writes that: the statement in what it calls, -1: not known, or there are more lines */
    int reader; /* where a call reads that: likewise, the first one */
    bool may;   /* elements of arrays are not told apart, so what is written need not be what is read */
    bool if_so; /* a call writes it only under a condition in what it calls */
    bool again; /* others write it too, and may have overwritten it before it is read */
    bool never; /* it seems that what is written is never there when it is read */
};

/* A step that is not the statement's own chain: why the message of a call is transmitted, or why a statement is needed
 * on a way that its own chain does not go. */
struct cs_chain_step {
    int stmt;
    bool message;
    struct cs_link link;
};

/* A branch, or a call whose message is transmitted, by which statements are kept that would go without it; stmt -1:
 * that what is written to files may be read. */
struct cs_holder {
    int stmt, held; /* statements */
};

/* why: of each statement of the graph; holders: those that hold most first. */
struct cs_chains {
    struct cs_link *why;
    int nsteps;
    struct cs_chain_step *steps;
    int nholders;
    struct cs_holder *holders;
    int nwatched, *watched; /* branches of whose lines a run of the original should tell what they did, one a line */
    bool *in_order, *loops; /* of each: can it be told what the condition did each time, and, as a loop is left before
                               it is entered again, how often the loop went round? */
    enum cs_seen_order *polled; /* of each: is that so in any run (polled.h)? */
    int nvalues;
    char **values;                     /* FILE:LINE:NAME of values of which it should tell what they are */
    enum cs_seen_order *polled_values; /* of each, as above */
    bool watch_files;                  /* it should also tell whether a rank reads what the program wrote */
};

/* Finds the best chain of each kept statement that `needs` of their slice gives, and sets its `why` and `parent`, a
 * statement. watched: finds what a run should tell, too, which takes time; only the original asks for it. */
void cs_chains_find(struct cs_chains *c, struct cs_graph *g, const struct cs_needs *needs, bool watched);
void cs_chains_free(struct cs_chains *c);

#ifdef __cplusplus
}
#endif
#endif
