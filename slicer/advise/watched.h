/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a run of the instrumented original should tell, so that advise knows what holds of the program. */
#ifndef CS_WATCHED_H
#define CS_WATCHED_H

#include <stdbool.h>

#include "api/assumed_value.h"
#include "slicer/advise/holders.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Branches, n of them, and values, each once. */
struct cs_watched {
    int n, *stmt;           /* branches of whose lines it should tell what they did, one a line */
    bool *in_order, *loops; /* of each: can it be told what the condition did each time, and, as a loop is left before
                               it is entered again, how often the loop went round? */
    enum cs_seen_order *polled; /* of each: is that so in any run (polled.h)? */
    int nvalues;
    char **values;                     /* FILE:LINE:NAME of values of which it should tell what they are */
    enum cs_seen_order *polled_values; /* of each, as above */
    bool files;                        /* it should also tell whether a rank reads what the program wrote */
};

/* Finds it for a slice, from its needs and what holds most of it up. This takes time. */
void cs_watched_find(struct cs_watched *w, struct cs_graph *g, const struct cs_need_graph *ng,
                     const struct cs_holders *h);
void cs_watched_free(struct cs_watched *w);

#ifdef __cplusplus
}
#endif
#endif
