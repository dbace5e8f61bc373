/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Comm_split and MPI_Comm_split_type: the members tell each other what they ask for. Of the machine only that is
 * known which MPICH says of ranks that are not bound to processors: one node, and no division of it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulate/collectives/coll.h"
#include "emulate/communicators/comm_hints_internal.h"
#include "emulate/errors/error.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/context.h"
#include "emulate/objects/info_object.h"
#include "emulate/world/entry.h"
#include "emulate/world/world.h"

/* What a rank asks for; `rank` is its place among all that split. */
struct choice {
    int color, key, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* The ranks of `color` among n choices, ordered, as a group of world ranks. */
static struct cs_emu_group *members(struct choice *all, int n, int color, const struct cs_emu_group *of)
{
    int m = 0;
    for (int i = 0; i < n; i++)
        if (all[i].color == color) {
            all[m] = all[i];
            all[m++].rank = i;
        }
    qsort(all, (size_t)m, sizeof *all, by_key);
    int *world = malloc(((size_t)m + 1) * sizeof *world);
    for (int i = 0; world && i < m; i++)
        world[i] = cs_emu_group_world(of, all[i].rank);
    return world ? cs_emu_group_new(m, world) : NULL;
}

/* Collective. A rank whose color is MPI_UNDEFINED gets MPI_COMM_NULL. Returns an error class. */
static int split(struct cs_emu_comm *c, int color, int key, MPI_Comm *out, const char *call)
{
    int n = cs_emu_comm_members(c), rc = MPI_SUCCESS;
    struct choice own = {color, key, 0}, *all = malloc((size_t)n * sizeof *all);
    uint32_t child = c->children++;
    *out = MPI_COMM_NULL;
    if (!all)
        cs_emu_fail("no memory to split a communicator"); /* the other ranks would wait for this one */
    cs_emu_exchange(c, &own, sizeof own, all, call);
    if (color != MPI_UNDEFINED) {
        int mine = cs_emu_coll_index(c) - c->rank, theirs = cs_emu_coll_peers_at(c);
        struct cs_emu_group *local = members(all + mine, c->local->size, color, c->local), *remote = NULL;
        if (c->inter)
            remote = members(all + theirs, c->remote->size, color, c->remote);
        if (!local || (c->inter && !remote))
            rc = MPI_ERR_NO_MEM;
        else if (!c->inter || remote->size > 0)
            rc = cs_emu_comm_add(
                c, cs_emu_context(c->context, child, (uint32_t)color, local->size + (remote ? remote->size : 0)), local,
                remote, c->first, out);
        else
            cs_emu_group_release(local);
    }
    free(all);
    return rc;
}

CS_EMU_CALL(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = !c ? MPI_ERR_COMM : !out ? MPI_ERR_ARG : split(c, color, key, out, "MPI_Comm_split");
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Comm_split");
}

/* ---- by type ---- */

/* MPICH's types; each other one is an error. */
static bool is_type(int type)
{
    return type == MPI_UNDEFINED || type == MPI_COMM_TYPE_SHARED || type == MPI_COMM_TYPE_HW_GUIDED ||
           type == MPI_COMM_TYPE_HW_UNGUIDED || type == MPIX_COMM_TYPE_NEIGHBORHOOD;
}

/* The hint that says by what a type splits; "" where the type has none, or `info` does not give it. */
static const char *hint_of(int type, MPI_Info info)
{
    const char *key = type == MPI_COMM_TYPE_HW_GUIDED       ? "mpi_hw_resource_type"
                      : type == MPIX_COMM_TYPE_NEIGHBORHOOD ? "nbhd_common_dirname"
                                                            : NULL;
    const char *value = key ? cs_emu_info_find(info, key) : NULL;
    return value ? value : "";
}

/* The own hint, while the hints of all members are compared with it. */
struct hints {
    const char *own;
    bool differ;
};

/* Called for each member; one that asks for nothing (MPI_UNDEFINED) sends no byte, not even the zero of "". */
static void compare_hint(void *arg, int rank, const void *data, uint64_t bytes)
{
    struct hints *h = arg;
    (void)rank;
    if (bytes > 0 && (bytes != strlen(h->own) + 1 || memcmp(data, h->own, bytes) != 0))
        h->differ = true;
}

/* Do all members of this type that the rank asks for together stay together? Otherwise each gets MPI_COMM_NULL. */
static bool stay_together(int type, const char *hint)
{
    switch (type) {
    case MPI_COMM_TYPE_SHARED: return true;
    case MPI_COMM_TYPE_HW_GUIDED: return strcmp(hint, "mpi_shared_memory") == 0;
    case MPIX_COMM_TYPE_NEIGHBORHOOD: return *hint && access(hint, W_OK) == 0;
    default: return false; /* HW_UNGUIDED: no part of the machine is smaller than the communicator */
    }
}

/* Collective. Returns an error class; hints that differ are one for MPI_COMM_TYPE_HW_GUIDED alone, as with MPICH. */
static int split_type(struct cs_emu_comm *c, int type, int key, MPI_Info info, MPI_Comm *out)
{
    struct hints h = {.own = hint_of(type, info)};
    cs_emu_exchange_each(c, h.own, type == MPI_UNDEFINED ? 0 : strlen(h.own) + 1, compare_hint, &h,
                         "MPI_Comm_split_type");
    bool together = !h.differ && stay_together(type, h.own);
    int rc = split(c, together ? 0 : MPI_UNDEFINED, key, out, "MPI_Comm_split_type");
    if (rc == MPI_SUCCESS && h.differ && type == MPI_COMM_TYPE_HW_GUIDED)
        return MPI_ERR_OTHER;
    return rc == MPI_SUCCESS && *out != MPI_COMM_NULL ? cs_emu_comm_take_hints(cs_emu_comm_of(*out), info) : rc;
}

CS_EMU_CALL(int, Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = !c                         ? MPI_ERR_COMM
             : !cs_emu_info_valid(info) ? MPI_ERR_INFO
             : !out || !is_type(type)   ? MPI_ERR_ARG
                                        : split_type(c, type, key, info, out);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Comm_split_type");
}
