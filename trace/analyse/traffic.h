/* SPDX-License-Identifier: BSD-3-Clause
 * Sums up what a trace sends: messages and bytes per pair of ranks, calls and bytes per kind of collective.
 * A message counts where it is sent; a collective's bytes are what its ranks hand in. */
#ifndef CS_TRAFFIC_H
#define CS_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "trace/nest/nest.h"
#include "trace/trace.h"

/* What one rank sends to another in the whole run. */
struct cs_pair {
    int source, dest; /* ranks of MPI_COMM_WORLD */
    uint64_t messages, bytes;
};

/* What one MPI call did in the whole run. */
struct cs_call_sum {
    uint64_t calls, bytes; /* over all ranks; bytes only of collectives and of what sends */
};

/* The sums of a run: a sparse matrix of pairs of ranks, and a table by call. cs_traffic_free frees both. */
struct cs_traffic {
    struct cs_pair *pair; /* sorted by source, then dest; only those with messages */
    size_t npairs, cap;
    struct cs_call_sum *call; /* by index in the MPI table */
    uint64_t lost;            /* messages whose destination the trace does not tell */
};

/* Reads the whole trace; progress may be NULL. 0, or -1 and a one-line reason; s is to be freed in both cases. */
int cs_traffic_sum(const struct cs_trace *t, struct cs_traffic *s,
                   void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen);
/* The same of a merged or folded trace. */
int cs_traffic_sum_merged(const struct cs_merged *m, struct cs_traffic *s,
                          void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen);
void cs_traffic_free(struct cs_traffic *s);

#endif
