/* SPDX-License-Identifier: BSD-3-Clause
 * The calls that make and free communicators with one group. Only split has to ask the others; duplicates and groups
 * are known. Duplicates of an intercommunicator are here, too. */
#include <stdlib.h>
#include <string.h>

#include "emulate/collectives/coll.h"
#include "emulate/communicators/intercomm_internal.h"
#include "emulate/errors/error.h"
#include "emulate/messages/request.h"
#include "emulate/objects/attr.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/context.h"
#include "emulate/objects/info_object.h"
#include "emulate/topologies/topo.h"
#include "emulate/world/entry.h"

/* ---- duplicates ---- */

static int duplicate(struct cs_emu_comm *c, MPI_Info info, bool own_info, MPI_Comm *out)
{
    struct cs_emu_attr *attrs = NULL;
    int rc = cs_emu_attrs_copy(c->home.handle, c->attrs, &attrs);
    uint32_t context = cs_emu_context(c->context, c->children++, CS_EMU_WHOLE, cs_emu_comm_members(c));
    *out = MPI_COMM_NULL;
    if (rc != MPI_SUCCESS)
        return rc;
    cs_emu_group_hold(c->local);
    if (c->inter)
        cs_emu_group_hold(c->remote);
    rc = cs_emu_comm_add(c, context, c->local, c->inter ? c->remote : NULL, c->first, out);
    if (rc != MPI_SUCCESS)
        return rc;
    struct cs_emu_comm *made = cs_emu_comm_of(*out);
    made->attrs = attrs;
    if (c->topo)
        cs_emu_comm_set_topo(made, cs_emu_topo_hold(c->topo), c->release_topo);
    made->info = cs_emu_info_dup(own_info ? c->info : info);
    return MPI_SUCCESS;
}

static int dup_call(MPI_Comm comm, MPI_Info info, bool own_info, MPI_Comm *out, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = c && out ? duplicate(c, info, own_info, out) : c ? MPI_ERR_ARG : MPI_ERR_COMM;
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, call);
}

CS_EMU_CALL(int, Comm_dup, (MPI_Comm comm, MPI_Comm *out))
{
    return dup_call(comm, MPI_INFO_NULL, true, out, "MPI_Comm_dup");
}

CS_EMU_CALL(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *out))
{
    return dup_call(comm, info, false, out, "MPI_Comm_dup_with_info");
}

/* Nobody has to be waited for, so the request is complete. */
CS_EMU_CALL(int, Comm_idup, (MPI_Comm comm, MPI_Comm *out, MPI_Request *request))
{
    if (!request)
        return cs_emu_comm_error(cs_emu_comm_of(comm), MPI_ERR_ARG, "MPI_Comm_idup");
    int rc = dup_call(comm, MPI_INFO_NULL, true, out, "MPI_Comm_idup");
    if (rc == MPI_SUCCESS)
        *request = cs_emu_req_done();
    return rc;
}

/* ---- groups ---- */

static int create(struct cs_emu_comm *c, MPI_Group group, MPI_Comm *out)
{
    struct cs_emu_group *g = cs_emu_group_of(group);
    if (!g)
        return MPI_ERR_GROUP;
    return cs_emu_comm_make(c, g->rank == MPI_UNDEFINED ? NULL : cs_emu_group_hold(g), out);
}

CS_EMU_CALL(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_group *g = cs_emu_group_of(group);
    (void)tag;
    if (!c || c->inter || !g || !out)
        return cs_emu_comm_error(c,
                                 !c || c->inter ? MPI_ERR_COMM
                                 : g            ? MPI_ERR_ARG
                                                : MPI_ERR_GROUP,
                                 "MPI_Comm_create_group");
    *out = MPI_COMM_NULL;
    if (g->rank == MPI_UNDEFINED)
        return MPI_SUCCESS;
    /* Only members call, so numbers of children would not agree: the set of members and how often it was used does. */
    int rc = cs_emu_comm_from_group(c, g, tag, out);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Comm_create_group");
}

CS_EMU_CALL(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = !c         ? MPI_ERR_COMM
             : !out     ? MPI_ERR_ARG
             : c->inter ? cs_emu_intercomm_create_from(c, group, out)
                        : create(c, group, out);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Comm_create");
}

/* ---- split ---- */

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

static int split(struct cs_emu_comm *c, int color, int key, MPI_Comm *out, const char *call)
{
    int n = cs_emu_comm_members(c), rc = MPI_SUCCESS;
    struct choice own = {color, key, 0}, *all = malloc((size_t)n * sizeof *all);
    uint32_t child = c->children++;
    *out = MPI_COMM_NULL;
    if (!all)
        return MPI_ERR_NO_MEM;
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

/* All ranks are on one machine and share its memory. */
CS_EMU_CALL(int, Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    (void)info;
    int rc = !c     ? MPI_ERR_COMM
             : !out ? MPI_ERR_ARG
                    : split(c, type == MPI_UNDEFINED ? MPI_UNDEFINED : 0, key, out, "MPI_Comm_split_type");
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Comm_split_type");
}

/* Nobody has spawned us. */
CS_EMU_CALL(int, Comm_get_parent, (MPI_Comm * parent))
{
    if (!parent)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Comm_get_parent");
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* ---- the end ---- */

static int end(MPI_Comm *comm, const char *call)
{
    struct cs_emu_comm *c = comm ? cs_emu_comm_of(*comm) : NULL;
    if (!comm)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    if (!c || *comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
        return cs_emu_comm_error(c, MPI_ERR_COMM, call);
    int rc = cs_emu_attrs_delete(c->home.handle, &c->attrs);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    *comm = MPI_COMM_NULL;
    cs_emu_comm_end(c);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_free, (MPI_Comm * comm))
{
    return end(comm, "MPI_Comm_free");
}

CS_EMU_CALL(int, Comm_disconnect, (MPI_Comm * comm))
{
    return end(comm, "MPI_Comm_disconnect");
}
