/* SPDX-License-Identifier: BSD-3-Clause
 * Intercommunicators, and communicators of groups that only their members know of: leaders tell the others.
 * The side whose first member comes first in MPI_COMM_WORLD is the first side, everywhere. */
#include "emulate/communicators/intercomm_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/collectives/coll.h"
#include "emulate/messages/internal_messages.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/context.h"
#include "emulate/world/entry.h"
#include "emulate/world/world.h"

int cs_emu_comm_from_group(struct cs_emu_comm *parent, struct cs_emu_group *g, int tag, MPI_Comm *out)
{
    uint32_t context, making = CS_EMU_MAKING(parent->context);
    int leader = cs_emu_group_world(g, 0);
    if (g->rank == 0) {
        context = cs_emu_context_new();
        for (int i = 1; i < g->size; i++)
            cs_emu_tell(cs_emu_group_world(g, i), making, leader, tag, &context, sizeof context);
    } else {
        cs_emu_hear(making, leader, tag, &context, sizeof context, "MPI_Comm_create_group");
    }
    return cs_emu_comm_add(parent, context, cs_emu_group_hold(g), NULL, true, out);
}

/* What leaders tell each other, and then their own side. */
struct side {
    uint32_t context;
    int32_t size;
    int32_t world[];
};

static struct side *own_side(const struct cs_emu_group *g)
{
    struct side *s = malloc(sizeof *s + (size_t)g->size * sizeof s->world[0]);
    if (!s)
        return NULL;
    s->size = g->size;
    for (int i = 0; i < g->size; i++)
        s->world[i] = cs_emu_group_world(g, i);
    return s;
}

static size_t side_bytes(int n)
{
    return sizeof(struct side) + (size_t)n * sizeof(int32_t);
}

/* The other side with the context that both agreed on: from its leader, or from our own. */
static struct side *other_side(struct cs_emu_comm *local, int leader, struct cs_emu_comm *peer, int remote_leader,
                               int tag)
{
    struct side *own = own_side(local->local), *other = malloc(side_bytes(cs_emu_nranks()));
    const char *call = "MPI_Intercomm_create";
    size_t got = 0;
    if (own && other && local->rank == leader) {
        own->context = cs_emu_context_new();
        cs_emu_tell(cs_emu_comm_world(peer, remote_leader), CS_EMU_MAKING(peer->context), peer->rank, tag, own,
                    side_bytes(own->size));
        got = cs_emu_hear(CS_EMU_MAKING(peer->context), remote_leader, tag, other, side_bytes(cs_emu_nranks()), call);
        if (own->world[0] < other->world[0])
            other->context = own->context;
        for (int i = 0; i < local->local->size; i++)
            if (i != leader)
                cs_emu_tell(cs_emu_comm_world(local, i), CS_EMU_MAKING(local->context), leader, tag, other, got);
    } else if (own && other) {
        cs_emu_hear(CS_EMU_MAKING(local->context), leader, tag, other, side_bytes(cs_emu_nranks()), call);
    }
    free(own);
    return other;
}

static struct cs_emu_group *group_of_side(const struct side *s)
{
    int *world = malloc((size_t)s->size * sizeof *world);
    if (world)
        memcpy(world, s->world, (size_t)s->size * sizeof *world);
    return world ? cs_emu_group_new(s->size, world) : NULL;
}

CS_EMU_CALL(int, Intercomm_create,
            (MPI_Comm local_comm, int leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(local_comm), *peer = NULL;
    int rc = !c                                       ? MPI_ERR_COMM
             : !out                                   ? MPI_ERR_ARG
             : c->inter                               ? MPI_ERR_COMM
             : leader < 0 || leader >= c->local->size ? MPI_ERR_RANK
                                                      : MPI_SUCCESS;
    if (rc == MPI_SUCCESS && c->rank == leader) {
        peer = cs_emu_comm_of(peer_comm);
        rc = !peer                                                           ? MPI_ERR_COMM
             : remote_leader < 0 || remote_leader >= cs_emu_comm_peers(peer) ? MPI_ERR_RANK
                                                                             : MPI_SUCCESS;
    }
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, "MPI_Intercomm_create");
    struct side *other = other_side(c, leader, peer, remote_leader, tag);
    struct cs_emu_group *remote = other ? group_of_side(other) : NULL;
    bool first = remote && cs_emu_group_world(c->local, 0) < cs_emu_group_world(remote, 0);
    if (remote)
        rc = cs_emu_comm_add(c, other->context, cs_emu_group_hold(c->local), remote, first, out);
    free(other);
    return remote && rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, MPI_ERR_NO_MEM, "MPI_Intercomm_create");
}

/* One group after the other. */
static struct cs_emu_group *joined(const struct cs_emu_group *a, const struct cs_emu_group *b)
{
    int *world = malloc((size_t)(a->size + b->size) * sizeof *world);
    if (!world)
        return NULL;
    for (int i = 0; i < a->size; i++)
        world[i] = cs_emu_group_world(a, i);
    for (int i = 0; i < b->size; i++)
        world[a->size + i] = cs_emu_group_world(b, i);
    return cs_emu_group_new(a->size + b->size, world);
}

CS_EMU_CALL(int, Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    if (!c || !c->inter)
        return cs_emu_comm_error(c, MPI_ERR_COMM, "MPI_Intercomm_merge");
    int n = cs_emu_comm_members(c), *all = malloc((size_t)n * sizeof *all), rc = MPI_ERR_NO_MEM;
    uint32_t child = c->children++;
    high = high != 0;
    if (all) {
        cs_emu_exchange(c, &high, sizeof high, all, "MPI_Intercomm_merge");
        int theirs = all[cs_emu_coll_peers_at(c)];
        bool before = high == theirs ? c->first : !high;
        struct cs_emu_group *g = before ? joined(c->local, c->remote) : joined(c->remote, c->local);
        if (g)
            rc = cs_emu_comm_add(c, cs_emu_context(c->context, child, CS_EMU_WHOLE, n), g, NULL, true, out);
    }
    free(all);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Intercomm_merge");
}

/* The members of one side that are in their side's group, in its order; all[i] is rank i's place in the group or -1. */
static struct cs_emu_group *chosen(const int *all, const struct cs_emu_group *side)
{
    int n = 0, *world = malloc(((size_t)side->size + 1) * sizeof *world);
    for (int i = 0; world && i < side->size; i++)
        if (all[i] >= 0) {
            world[all[i]] = cs_emu_group_world(side, i);
            n++;
        }
    return world ? cs_emu_group_new(n, world) : NULL;
}

int cs_emu_intercomm_create_from(struct cs_emu_comm *c, MPI_Group group, MPI_Comm *out)
{
    struct cs_emu_group *g = cs_emu_group_of(group), *local, *remote;
    int n = cs_emu_comm_members(c), *all = malloc((size_t)n * sizeof *all), rc = MPI_SUCCESS;
    uint32_t child = c->children++;
    *out = MPI_COMM_NULL;
    if (!g || !all) {
        free(all);
        return g ? MPI_ERR_NO_MEM : MPI_ERR_GROUP;
    }
    int own = g->rank == MPI_UNDEFINED ? -1 : g->rank;
    cs_emu_exchange(c, &own, sizeof own, all, "MPI_Comm_create");
    local = chosen(all + cs_emu_coll_index(c) - c->rank, c->local);
    remote = chosen(all + cs_emu_coll_peers_at(c), c->remote);
    free(all);
    if (!local || !remote)
        return MPI_ERR_NO_MEM;
    if (own >= 0 && remote->size > 0) {
        rc = cs_emu_comm_add(c, cs_emu_context(c->context, child, CS_EMU_WHOLE, local->size + remote->size), local,
                             remote, c->first, out);
    } else {
        cs_emu_group_release(local);
        cs_emu_group_release(remote);
    }
    return rc;
}
