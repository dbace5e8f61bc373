/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops of the slice whose turns are alike: what a turn reads it has written itself, or no turn writes it. Such a loop
 * makes the same calls in each turn, so that one turn shows all of them, if its counter is used for nothing but its end
 * (which the compiler's side looks at). Of other loops all that is carried from turn to turn is known, and little:
 * turns that begin with the same are alike, which the run time looks at. */
#ifndef CS_ALIKE_H
#define CS_ALIKE_H

#include "slicer/graph/graph.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* A loop with calls that are recorded, by blocks of its function: where a turn begins, the one block from which it goes
 * back there, and the one whose COND ends the loop. */
struct cs_alike_loop {
    int func, header, latch, test;
    bool requests;    /* alike only where no request is open when a turn begins and ends: handles are in memory */
    bool compared;    /* alike only where what is carried is the same, `carried` of it in memory */
    const char *why;  /* NULL: its turns are alike. Or why they may not be; a constant */
    int at;           /* then: the statement that shows it, -1 */
    const char *once; /* of a loop that is compared: why one turn does not show all; a constant */
    struct cs_carried *carried;
    int ncarried, acarried;
};
/* Bytes of a variable that a turn may read after an earlier one wrote them. */
struct cs_carried {
    int obj;
    int64_t from, to;
};
enum { CS_CARRIED_MOST = 512 }; /* bytes of one loop */

/* They belong to the caller. `registers`, by object: variables that are taken for values, as they can be in the slice:
 * the compiler's side has to see that they are, in the function of the loop. */
struct cs_alike_loops {
    struct cs_alike_loop *loop;
    int n, cap;
    bool *registers;
};

/* Finds them, after all is decided. `stateful`, by function: the compiler's side puts state of its own into it. */
void cs_alike_find(struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts, const bool *stateful,
                   struct cs_alike_loops *out);
void cs_alike_free(struct cs_alike_loops *l);

#endif
