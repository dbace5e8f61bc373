/* SPDX-License-Identifier: BSD-3-Clause
 * The definitions of otf2_defs.h. Locations are ranks of MPI_COMM_WORLD; a communicator is a group of them.
 * Communicators with the same path can have different members (the halves of a split), so path and members together
 * are the key. */
#include "cli/export/otf2_defs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "api/mpi_calls.h"

/* A communicator of OTF2: one for each path and list of members, which together are its key in a uthash table. */
struct cs_otf2_comm {
    OTF2_CommRef ref;
    int nranks;
    int *ranks;
    char *name; /* the path, in key */
    UT_hash_handle hh;
    size_t key_len;
    char key[]; /* the path with its 0, then the bytes of the members' ranks */
};

int cs_otf2_defs_start(struct cs_otf2_defs *d, int nranks)
{
    *d = (struct cs_otf2_defs){.nranks = nranks,
                               .region = calloc((size_t)cs_mpi_ncalls(), sizeof *d->region),
                               .nevents = calloc((size_t)nranks, sizeof *d->nevents)};
    return d->region && d->nevents ? 0 : -1;
}

static struct cs_otf2_comm *new_comm(const struct cs_comm_def *c)
{
    const char *path = c->path ? c->path : "?";
    size_t name_len = strlen(path) + 1, ranks_len = (size_t)c->nranks * sizeof *c->world_ranks;
    struct cs_otf2_comm *n = calloc(1, sizeof *n + name_len + ranks_len);
    if (!n)
        return NULL;
    n->key_len = name_len + ranks_len;
    memcpy(n->key, path, name_len);
    memcpy(n->key + name_len, c->world_ranks, ranks_len);
    n->name = n->key;
    n->nranks = c->nranks;
    return n;
}

OTF2_CommRef cs_otf2_defs_comm(struct cs_otf2_defs *d, const struct cs_comm_def *c)
{
    struct cs_otf2_comm *n = new_comm(c), *known;
    if (!n)
        return OTF2_UNDEFINED_COMM;
    HASH_FIND(hh, d->comms, n->key, n->key_len, known);
    if (known) {
        free(n);
        return known->ref;
    }
    n->ref = d->ncomms++;
    n->ranks = malloc((size_t)c->nranks * sizeof *n->ranks + 1);
    if (!n->ranks) {
        free(n);
        return OTF2_UNDEFINED_COMM;
    }
    memcpy(n->ranks, c->world_ranks, (size_t)c->nranks * sizeof *n->ranks);
    HASH_ADD_KEYPTR(hh, d->comms, n->key, n->key_len, n);
    return n->ref;
}

OTF2_RegionRef cs_otf2_defs_region(struct cs_otf2_defs *d, int call)
{
    if (!d->region[call])
        d->region[call] = ++d->nregions;
    return (OTF2_RegionRef)(d->region[call] - 1);
}

/* ---- writing ---- */

/* The global definitions while they are written: `strings` have got numbers so far, and rc is the first error. */
struct out {
    OTF2_GlobalDefWriter *w;
    OTF2_StringRef strings;
    OTF2_ErrorCode rc;
};

/* Keeps the first error. */
static void keep(struct out *o, OTF2_ErrorCode rc)
{
    if (o->rc == OTF2_SUCCESS)
        o->rc = rc;
}

/* Writes a string and returns its number. */
static OTF2_StringRef put_string(struct out *o, const char *s)
{
    keep(o, OTF2_GlobalDefWriter_WriteString(o->w, o->strings, s));
    return o->strings++;
}

static OTF2_RegionRole role_of(const struct cs_mpi_call *c)
{
    switch (c->kind) {
    case CS_MPI_BARRIER: return OTF2_REGION_ROLE_BARRIER;
    case CS_MPI_COLL: return OTF2_REGION_ROLE_COLL_OTHER;
    case CS_MPI_SEND:
    case CS_MPI_RECV:
    case CS_MPI_ISEND:
    case CS_MPI_IRECV:
    case CS_MPI_SENDRECV: return OTF2_REGION_ROLE_POINT2POINT;
    default: return OTF2_REGION_ROLE_FUNCTION;
    }
}

static void put_regions(struct out *o, const struct cs_otf2_defs *d, OTF2_StringRef empty)
{
    int *call = calloc((size_t)d->nregions + 1, sizeof *call); /* by number */
    if (!call)
        keep(o, OTF2_ERROR_MEM_ALLOC_FAILED);
    for (int c = 0; call && c < cs_mpi_ncalls(); c++)
        if (d->region[c])
            call[d->region[c] - 1] = c;
    for (int i = 0; call && i < d->nregions; i++) {
        OTF2_StringRef name = put_string(o, cs_mpi_call(call[i])->name);
        keep(o,
             OTF2_GlobalDefWriter_WriteRegion(o->w, (OTF2_RegionRef)i, name, name, empty, role_of(cs_mpi_call(call[i])),
                                              OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, empty, 0, 0));
    }
    free(call);
}

static void put_locations(struct out *o, const struct cs_otf2_defs *d)
{
    OTF2_StringRef root = put_string(o, "run"), class = put_string(o, "machine");
    keep(o, OTF2_GlobalDefWriter_WriteSystemTreeNode(o->w, 0, root, class, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int r = 0; r < d->nranks; r++) {
        char text[32];
        snprintf(text, sizeof text, "rank %d", r);
        OTF2_StringRef name = put_string(o, text);
        keep(o, OTF2_GlobalDefWriter_WriteLocationGroup(o->w, (OTF2_LocationGroupRef)r, name,
                                                        OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                        OTF2_UNDEFINED_LOCATION_GROUP));
        keep(o, OTF2_GlobalDefWriter_WriteLocation(o->w, (OTF2_LocationRef)r, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                   d->nevents[r], (OTF2_LocationGroupRef)r));
    }
}

/* Group 0 is all locations; communicator i has group i + 1, whose members are positions in group 0. */
static void put_comms(struct out *o, const struct cs_otf2_defs *d, OTF2_StringRef empty)
{
    size_t most = (size_t)d->nranks;
    for (const struct cs_otf2_comm *c = d->comms; c; c = c->hh.next)
        most = (size_t)c->nranks > most ? (size_t)c->nranks : most;
    uint64_t *members = calloc(most, sizeof *members);
    if (!members) {
        keep(o, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    for (int r = 0; r < d->nranks; r++)
        members[r] = (uint64_t)r;
    keep(o, OTF2_GlobalDefWriter_WriteGroup(o->w, 0, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                            OTF2_GROUP_FLAG_NONE, (uint32_t)d->nranks, members));
    for (const struct cs_otf2_comm *c = d->comms; c; c = c->hh.next) {
        OTF2_StringRef name = put_string(o, c->name);
        for (int i = 0; i < c->nranks; i++)
            members[i] = (uint64_t)c->ranks[i];
        keep(o, OTF2_GlobalDefWriter_WriteGroup(o->w, c->ref + 1, name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                                OTF2_GROUP_FLAG_NONE, (uint32_t)c->nranks, members));
        keep(o,
             OTF2_GlobalDefWriter_WriteComm(o->w, c->ref, name, c->ref + 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
    free(members);
}

OTF2_ErrorCode cs_otf2_defs_write(const struct cs_otf2_defs *d, OTF2_GlobalDefWriter *w)
{
    struct out o = {.w = w, .rc = OTF2_SUCCESS};
    keep(&o, OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, 0, (uint64_t)d->last_time + 1,
                                                       OTF2_UNDEFINED_TIMESTAMP));
    OTF2_StringRef empty = put_string(&o, "");
    put_regions(&o, d, empty);
    put_locations(&o, d);
    put_comms(&o, d, empty);
    return o.rc;
}

void cs_otf2_defs_free(struct cs_otf2_defs *d)
{
    struct cs_otf2_comm *c, *next;
    HASH_ITER (hh, d->comms, c, next) {
        HASH_DEL(d->comms, c);
        free(c->ranks);
        free(c);
    }
    free(d->region);
    free(d->nevents);
}
