/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which places in memory a statement of the slice reads and writes when it runs, and whether it does anything else that
 * would not be the same in each turn of a loop. */
#ifndef CS_TOUCHED_H
#define CS_TOUCHED_H

#include "slicer/graph/graph.h"
#include "slicer/graph/storage.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* `size` bytes at each of the offsets of an object, or from what a parameter of the function points to. */
struct cs_touch {
    int obj, via; /* the object, or the parameter's number; the other one is -1 */
    struct cs_pattern pat;
    int64_t size;
    bool exact;   /* these bytes and no others, for sure */
    bool request; /* a call of MPI keeps, or looks at, the handle of a request there */
    int stmt;
};
/* Places, each once, in the order in which they were found. */
struct cs_touches {
    struct cs_touch *a;
    int n, cap;
};

/* The program, as the slice is. */
struct cs_toucher {
    struct cs_graph *g;
    const struct cs_models *ms;
    struct cs_pts *pts;
    const bool *registers; /* registers.h: they are no memory */
    int *param_of;         /* of each value: the number of the parameter that it is, -1 */
};

enum { CS_TOUCHES_MOST = 2000 }; /* in one list: then it is given up */

/* Adds a place, unless it is there. */
void cs_touches_add(struct cs_touches *t, struct cs_touch place);
void cs_touches_free(struct cs_touches *t);

/* Adds what the kept statement reads and writes itself (not what functions with a body do that it calls). NULL, or why
 * turns with it are not alike. */
const char *cs_touched(struct cs_toucher *t, int stmt, struct cs_touches *reads, struct cs_touches *writes);
/* Adds the places of a reference in a statement; partial: perhaps not all bytes. NULL, or why they are not known. */
const char *cs_touch_ref(struct cs_toucher *t, const struct cs_ref *r, struct cs_touch proto, bool partial,
                         struct cs_touches *to);
/* Does it make a call that is recorded? */
bool cs_touched_event(const struct cs_toucher *t, int stmt);

#endif
