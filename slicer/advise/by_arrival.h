/* SPDX-License-Identifier: GPL-3.0-or-later
 * What depends on when messages come: how often a loop polls, which request was the first. One run says nothing about
 * the next one, so nobody can assume it. */
#ifndef CS_BY_ARRIVAL_H
#define CS_BY_ARRIVAL_H

#include "slicer/advise/need_graph.h"

/* Of each node: is it computed from what a call says of completion or arrival (MPI_Test, MPI_Iprobe, MPI_Waitany ...),
 * by values and memory of the rank, not by messages? The caller frees. */
char *cs_by_arrival(const struct cs_need_graph *ng);
/* Is the node a call whose outcome tells when something came? */
bool cs_arrival_observed(const struct cs_need_graph *ng, int node);
/* Does who needs `to` by this step compute something from it? Not where it only says whether, or at which address. */
bool cs_arrival_computes(const struct cs_need_graph *ng, int from, int to);

#endif
