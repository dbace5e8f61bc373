/* SPDX-License-Identifier: BSD-3-Clause
 * The pieces of computation of a rank one by one, in order: what a segment's row sums up.
 *
 *     MPI_Recv at site 3 | 1.2 ms | MPI_Send at site 5     a piece of the segment from 3 to 5 */
#ifndef CS_PIECES_H
#define CS_PIECES_H

#include "predict/model/observations.h"

/* What a rank computed between two calls that it made one after the other. */
struct cs_computed_piece {
    int segment;    /* among all that were observed */
    bool disturbed; /* others ran for a part of it, which was measured and taken off */
    double ns;
};

/* All pieces of a rank whose segments are observed; `site` has the numbers of its sites among all. To be freed. Their
 * number, or -1: no memory, or they are not those that the segments sum up. */
int cs_list_pieces(const struct cs_observations *o, const struct cs_trace *t, int rank, const int *site,
                   struct cs_computed_piece **piece);

/* Adds a replay of a rank of the run. Where it made the same calls as the replays before, each of its pieces keeps the
 * least time that one of them took: what disturbs a piece, another program in the cache or on the same core, only adds
 * to it. 0, or -1: no memory. */
int cs_replay_add(struct cs_observations *o, const struct cs_trace *t, int run, int rank, const int *site);
/* What the replays of a rank say of a segment: the sum of its pieces' least times, ns, and that of the first of them,
 * *first, 0 if there is none. -1: its replays differ, or, but for *first, it was not replayed more than once. */
double cs_replayed_ns(const struct cs_observations *o, int segment, int run, int rank, double *first);
void cs_replays_free(struct cs_observations *o);

#endif
