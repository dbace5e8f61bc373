/* SPDX-License-Identifier: GPL-3.0-or-later
 * How well a send and a receive fit, by how their ranks and counts are computed: of `me + n` and `me - n` one sends
 * what the other receives. For people who ask why something is kept: that the same words mean the same is taken for
 * granted.
 */
#ifndef CS_MESSAGE_FIT_H
#define CS_MESSAGE_FIT_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* What was found of calls; private to message_fit.c. */
struct cs_message_fit;

/* callers: of each function the calls of it, NULL: not known. They and the graph must stay. The caller frees it. */
struct cs_message_fit *cs_message_fit_start(const struct cs_graph *g, const struct cs_intlist *callers);
void cs_message_fit_free(struct cs_message_fit *f);
/* Do the statements send, and receive, messages between two ranks? */
bool cs_sends(const struct cs_graph *g, int stmt);
bool cs_receives(const struct cs_graph *g, int stmt);
/* 0: nothing is seen by which they fit; else the more the better: each names the rank that the other one is of; their
 * counts are the same; their functions work together (partners.h). */
enum { CS_SAME_COUNT = 2 }; /* in that number */
int cs_message_fits(const struct cs_message_fit *f, int send, int receive);
/* Are both counts known, and different? */
bool cs_message_has_other_count(const struct cs_message_fit *f, int send, int receive);

/* Does the call send what is in a buffer of one rank to the same buffer of the others? */
bool cs_spreads(const struct cs_graph *g, int stmt);

#endif
