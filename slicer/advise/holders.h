/* SPDX-License-Identifier: GPL-3.0-or-later
 * The places that hold most of a slice up. */
#ifndef CS_HOLDERS_H
#define CS_HOLDERS_H

#include "slicer/advise/need_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A branch, or a call whose message is transmitted, by which statements are kept that would go without it; stmt -1:
 * that what is written to files may be read. */
struct cs_holder {
    int stmt, held; /* statements */
};

/* n of them in an array of their own, those that hold most first. */
struct cs_holders {
    int n;
    struct cs_holder *holder;
};

/* Who holds fewer statements of the slice than this is none. */
int cs_least_held(const struct cs_graph *g);
/* Finds them in the needs of a slice, whose branches of one line are joined. */
void cs_holders_find(struct cs_holders *h, const struct cs_need_graph *ng);
void cs_holders_free(struct cs_holders *h);

#ifdef __cplusplus
}
#endif
#endif
