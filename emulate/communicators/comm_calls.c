/* SPDX-License-Identifier: BSD-3-Clause
 * Duplicates, communicators of groups, and the end of communicators. No rank has to ask the others, as duplicates and
 * groups are known. Duplicates of an intercommunicator are here, too; comm_split.c has the splits. */
#include <stdlib.h>
#include <string.h>

#include "emulate/communicators/comm_hints_internal.h"
#include "emulate/communicators/intercomm_internal.h"
#include "emulate/errors/error.h"
#include "emulate/messages/request.h"
#include "emulate/objects/attr.h"
#include "emulate/objects/comm.h"
#include "emulate/topologies/topo.h"
#include "emulate/world/entry.h"
#include "emulate/world/world.h"

/* ---- duplicates ---- */

/* With the hints of `info`, and none of the parent's: MPI 4.0, section 7.4.2. Returns an error class. */
static int duplicate(struct cs_emu_comm *c, MPI_Info info, MPI_Comm *out)
{
    struct cs_emu_attr *attrs = NULL;
    int copied = cs_emu_attrs_copy(c->home.handle, c->attrs, &attrs), rc = cs_emu_comm_twin(c, out);
    if (rc != MPI_SUCCESS)
        return rc;
    if (copied != MPI_SUCCESS) {
        cs_emu_comm_end(cs_emu_comm_of(*out));
        *out = MPI_COMM_NULL;
        return copied;
    }
    struct cs_emu_comm *made = cs_emu_comm_of(*out);
    made->attrs = attrs;
    if (c->topo)
        cs_emu_comm_set_topo(made, cs_emu_topo_hold(c->topo), c->release_topo);
    return cs_emu_comm_take_hints(made, info);
}

static int dup_call(MPI_Comm comm, MPI_Info info, MPI_Comm *out, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = c && out ? duplicate(c, info, out) : c ? MPI_ERR_ARG : MPI_ERR_COMM;
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, call);
}

CS_EMU_CALL(int, Comm_dup, (MPI_Comm comm, MPI_Comm *out))
{
    return dup_call(comm, MPI_INFO_NULL, out, "MPI_Comm_dup");
}

CS_EMU_CALL(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *out))
{
    return dup_call(comm, info, out, "MPI_Comm_dup_with_info");
}

/* Nobody has to be waited for, so the request is complete. */
static int idup_call(MPI_Comm comm, MPI_Info info, MPI_Comm *out, MPI_Request *request, const char *call)
{
    if (!request)
        return cs_emu_comm_error(cs_emu_comm_of(comm), MPI_ERR_ARG, call);
    int rc = dup_call(comm, info, out, call);
    if (rc == MPI_SUCCESS)
        *request = cs_emu_req_done();
    return rc;
}

CS_EMU_CALL(int, Comm_idup, (MPI_Comm comm, MPI_Comm *out, MPI_Request *request))
{
    return idup_call(comm, MPI_INFO_NULL, out, request, "MPI_Comm_idup");
}

CS_EMU_CALL(int, Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *out, MPI_Request *request))
{
    return idup_call(comm, info, out, request, "MPI_Comm_idup_with_info");
}

/* ---- groups ---- */

/* Are all members of the group in the communicator? */
static bool contains(const struct cs_emu_comm *c, const struct cs_emu_group *g)
{
    bool all = c->local == g || (!c->local->world && c->local->size == cs_emu_nranks());
    if (all)
        return true;
    int *in = cs_emu_group_invert(c->local), found = 0;
    for (int i = 0; in && i < g->size; i++)
        found += in[cs_emu_group_world(g, i)] > 0;
    free(in);
    return found == g->size;
}

static int create(struct cs_emu_comm *c, MPI_Group group, MPI_Comm *out)
{
    struct cs_emu_group *g = cs_emu_group_of(group);
    *out = MPI_COMM_NULL;
    if (!g)
        return MPI_ERR_GROUP;
    if (g->rank != MPI_UNDEFINED && !contains(c, g)) { /* as with MPICH, who is no member does not look */
        c->children++;
        return MPI_ERR_GROUP;
    }
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
