/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of traffic.h for a merged or folded trace, by its profile. */
#include <stdio.h>
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "base/grow.h"
#include "trace/analyse/profile.h"
#include "trace/analyse/traffic.h"

static int add_pair(void *arg, int source, int dest, uint64_t messages, uint64_t bytes)
{
    struct cs_traffic *s = arg;
    if (!CS_MAKE_ROOM(s->pair, s->npairs, s->cap))
        return -1;
    s->pair[s->npairs++] = (struct cs_pair){source, dest, messages, bytes};
    return 0;
}

int cs_traffic_sum_merged(const struct cs_merged *m, struct cs_traffic *s,
                          void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen)
{
    *s = (struct cs_traffic){.call = calloc((size_t)cs_mpi_ncalls(), sizeof *s->call)};
    struct cs_profile *p = s->call ? cs_profile_make(m, add_pair, s, progress) : NULL;
    if (!p) {
        snprintf(errbuf, errlen, "not enough memory");
        return -1;
    }
    for (int c = 0; c < cs_mpi_ncalls(); c++)
        s->call[c] = (struct cs_call_sum){p->call[c].calls, p->call[c].bytes + p->call[c].handed};
    s->lost = p->unknown_dest;
    cs_profile_free(p);
    return 0;
}
