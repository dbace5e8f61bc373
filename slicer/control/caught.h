/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where an exception may be caught by a handler from which the run may end well. Handlers that only tidy up and throw
 * again, as the containers of the standard library have them, or that end the run in an error, catch nothing. */
#ifndef CS_CAUGHT_H
#define CS_CAUGHT_H

#include "slicer/control/indirect.h"
#include "slicer/graph/graph.h"
#include "slicer/model/model.h"

/* The state of the analysis. func only grows. g, fx and indirect are the caller's. */
struct cs_caught {
    const struct cs_graph *g;
    const struct cs_effects *fx;
    const struct cs_indirect *indirect;
    bool any;        /* the program has handlers, or comes back by jumps */
    bool everywhere; /* not by handlers that are seen alone: nothing is known */
    bool *func;      /* by function: what leaves it by an exception may be caught, and the run go on */
};

/* Starts with "nowhere", or "everywhere" where handlers are not all that catches. The caller frees. */
struct cs_caught cs_caught_new(const struct cs_graph *g, const struct cs_effects *fx,
                               const struct cs_indirect *indirect);
void cs_caught_free(struct cs_caught *c);
/* May the run go on behind an exception that this call throws or lets through? good[f][b]: block b of function f can
 * reach a normal end, by what is known so far. */
bool cs_caught_at(const struct cs_caught *c, int stmt, bool *const *good);
/* Has the call landing pads in its own function? */
bool cs_caught_lands(const struct cs_graph *g, int stmt);
/* Is the object the function that every handler begins with? */
bool cs_caught_is_handler(const struct cs_graph *g, int obj);
/* From now on whatever is thrown may be caught. */
void cs_caught_give_up(struct cs_caught *c);
/* One step of the fixpoint: callers hand on what they know. True if something has grown. */
bool cs_caught_grow(struct cs_caught *c, bool *const *good);
/* The same question as cs_caught_at(), when error exits are pruned. */
bool cs_caught_behind(const struct cs_graph *g, int stmt);

#endif
