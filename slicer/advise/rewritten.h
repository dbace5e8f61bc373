/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads of memory that the function itself has written before: what was there when it began hardly matters. */
#ifndef CS_REWRITTEN_H
#define CS_REWRITTEN_H

#include <stdbool.h>

#include "slicer/advise/elements.h"
#include "slicer/control/dom.h"
#include "slicer/graph/graph.h"

/* The value that a pointer is made from by moves, and by steps to elements, which have one layout. */
int cs_pointer_origin(const struct cs_graph *g, int value);

/* Of each value, the first one that is the same pointer: a pointer that a function loads again from the same variable
 * or member is taken for the same. The caller frees it. */
int *cs_pointers_alike(const struct cs_graph *g);

/* What is known of a graph: of each value the kept stores through a pointer made from it, as a list by next[statement];
 * and the calls that write something and are given such a pointer, as a list from given[first_given[value]] on; of
 * blocks, by number through the program (first[function] + block), those that control comes to from there, made on
 * first use. A pointer that a function loads again from the same variable or member is taken for the same: alike[value]
 * is the first of these; moved[value], of the first, is the last store there, and moved_next[store] the one before. */
struct cs_rewritten {
    const struct cs_graph *g;
    struct cs_elements *elements; /* NULL: stores are not told apart by these */
    int *store, *next, *first;
    int *alike, *moved, *moved_next;
    int ngiven, agiven, *first_given;
    struct cs_given {
        int call, next; /* -1: the last one */
    } * given;
    bool **reach;
    struct cs_dom *dom; /* of functions, made on first use: idom is NULL before */
};

/* The graph must have its decisions; writes: of each statement whether it writes memory that is needed; elements: NULL,
 * or they must stay. Free *r in any case. */
void cs_rewritten_start(struct cs_rewritten *r, const struct cs_graph *g, const bool *writes,
                        struct cs_elements *elements);
void cs_rewritten_free(struct cs_rewritten *r);
/* Calls fn for the kept stores of its function that may come before the statement, which reads through the same
 * pointer, unless a call that writes, and is given that pointer, always comes between them. */
void cs_rewritten_by(struct cs_rewritten *r, int stmt, void (*fn)(void *arg, int stmt, int store), void *arg);
/* Does the statement read through a pointer through which its function has stored before, and stores no more, or has
 * always stored to an element that it looks up? A guess: the stores need not have been to the same elements. */
bool cs_rewritten_before(struct cs_rewritten *r, int stmt);

#endif
