/* SPDX-License-Identifier: GPL-3.0-or-later
 * Why a statement is kept: the best way from it to what every slice keeps. */
#ifndef CS_CHAINS_H
#define CS_CHAINS_H

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

/* Why each statement of the graph is kept, and nsteps steps. */
struct cs_chains {
    struct cs_link *why;
    int nsteps;
    struct cs_chain_step *steps;
};

/* Finds the best chain of each kept statement that `needs` of their slice give. This takes longer than the slice, so
 * that no link does it: `commslice why` asks for it (advise/reasons.h). */
void cs_chains_find(struct cs_chains *c, struct cs_graph *g, const struct cs_needs *needs);
void cs_chains_free(struct cs_chains *c);

#ifdef __cplusplus
}
#endif
#endif
