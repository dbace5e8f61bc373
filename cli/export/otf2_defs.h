/* SPDX-License-Identifier: BSD-3-Clause
 * The global definitions of an OTF2 archive while its events are written: strings, one region for each MPI call, and
 * communicators, which a trace numbers for each rank and OTF2 for all ranks together. */
#ifndef CS_OTF2_DEFS_H
#define CS_OTF2_DEFS_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "trace/trace.h"

struct cs_otf2_comm;

/* What the ranks' events refer to, gathered while they are written and defined at the end. It owns its arrays and
 * communicators. */
struct cs_otf2_defs {
    int nranks;
    int *region;                /* by index in the MPI table: 1 more than the number of its region; 0: not called */
    int nregions;               /* numbers are given in the order of the first calls, as tools want them without gaps */
    struct cs_otf2_comm *comms; /* hash by path and members */
    uint32_t ncomms;
    int64_t last_time;
    uint64_t *nevents; /* of each rank, for its location */
};

/* 0 or -1: out of memory. */
int cs_otf2_defs_start(struct cs_otf2_defs *d, int nranks);
/* OTF2's number for the communicator; OTF2_UNDEFINED_COMM if memory is out. */
OTF2_CommRef cs_otf2_defs_comm(struct cs_otf2_defs *d, const struct cs_comm_def *c);
/* The number of the region of an MPI call, which it gets now if it is called for the first time. */
OTF2_RegionRef cs_otf2_defs_region(struct cs_otf2_defs *d, int call);
/* Writes them all. */
OTF2_ErrorCode cs_otf2_defs_write(const struct cs_otf2_defs *d, OTF2_GlobalDefWriter *w);
void cs_otf2_defs_free(struct cs_otf2_defs *d);

#endif
