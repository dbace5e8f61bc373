/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators: the predefined ones, the table of handles, making and freeing. */
#include "emulate/objects/comm.h"

#include <assert.h>
#include <stdlib.h>

#include "emulate/objects/context.h"
#include "emulate/objects/info_object.h"
#include "emulate/world/handles.h"
#include "emulate/world/world.h"

static struct cs_emu_table table = CS_EMU_TABLE(CS_EMU_COMM, 2);
static struct cs_emu_comm world, self;
static bool started;

static void predefine(struct cs_emu_comm *c, MPI_Comm handle, uint32_t context, struct cs_emu_group *g)
{
    *c = (struct cs_emu_comm){.home = {handle, MPI_ERRHANDLER_NULL},
                              .refs = 1,
                              .context = context,
                              .rank = g->rank,
                              .local = g,
                              .remote = g,
                              .info = MPI_INFO_NULL};
}

void cs_emu_comm_start(void)
{
    assert(!started);
    int *own = malloc(sizeof *own);
    struct cs_emu_group *all = cs_emu_group_new(cs_emu_nranks(), NULL);
    if (own)
        *own = cs_emu_rank();
    struct cs_emu_group *me = own ? cs_emu_group_new(1, own) : NULL;
    if (!all || !me)
        cs_emu_fail("not enough memory");
    predefine(&world, MPI_COMM_WORLD, CS_EMU_WORLD_CONTEXT, all);
    predefine(&self, MPI_COMM_SELF, cs_emu_context_of_self(cs_emu_rank()), me);
    cs_emu_error_start(&world.home);
    started = true;
}

struct cs_emu_comm *cs_emu_comm_of(MPI_Comm handle)
{
    if (handle == MPI_COMM_WORLD)
        return started ? &world : NULL;
    if (handle == MPI_COMM_SELF)
        return started ? &self : NULL;
    return cs_emu_handle_get(&table, handle);
}

void cs_emu_comm_release(struct cs_emu_comm *c)
{
    assert(c->refs > 0);
    if (--c->refs > 0)
        return;
    assert(c != &world && c != &self);
    cs_emu_group_release(c->local);
    if (c->inter)
        cs_emu_group_release(c->remote);
    if (c->topo)
        c->release_topo(c->topo);
    cs_emu_info_free(c->info);
    cs_emu_errhandler_release(c->home.errhandler);
    free(c->name);
    free(c);
}

int cs_emu_comm_add(struct cs_emu_comm *parent, uint32_t context, struct cs_emu_group *local,
                    struct cs_emu_group *remote, bool first, MPI_Comm *out)
{
    struct cs_emu_comm *c = malloc(sizeof *c);
    assert(local->rank != MPI_UNDEFINED);
    if (!c || !(*out = cs_emu_handle_new(&table, c))) {
        free(c);
        return MPI_ERR_NO_MEM;
    }
    *c = (struct cs_emu_comm){.home = {*out, parent->home.errhandler},
                              .refs = 1,
                              .context = context,
                              .inter = remote != NULL,
                              .first = first,
                              .rank = local->rank,
                              .local = local,
                              .remote = remote ? remote : local,
                              .info = MPI_INFO_NULL};
    cs_emu_errhandler_hold(parent->home.errhandler);
    return MPI_SUCCESS;
}

int cs_emu_comm_make(struct cs_emu_comm *parent, struct cs_emu_group *g, MPI_Comm *out)
{
    uint32_t child = parent->children++;
    *out = MPI_COMM_NULL;
    if (!g)
        return MPI_SUCCESS;
    /* Disjoint groups may be given at the same time: the first member tells them apart. */
    uint32_t context = cs_emu_context(parent->context, child, (uint64_t)cs_emu_group_world(g, 0), g->size);
    return cs_emu_comm_add(parent, context, g, NULL, true, out);
}

int cs_emu_comm_twin(struct cs_emu_comm *c, MPI_Comm *out)
{
    uint32_t context = cs_emu_context(c->context, c->children++, CS_EMU_WHOLE, cs_emu_comm_members(c));
    *out = MPI_COMM_NULL;
    cs_emu_group_hold(c->local);
    if (c->inter)
        cs_emu_group_hold(c->remote);
    return cs_emu_comm_add(c, context, c->local, c->inter ? c->remote : NULL, c->first, out);
}

void cs_emu_comm_set_topo(struct cs_emu_comm *c, struct cs_emu_topo *t, void (*release)(struct cs_emu_topo *))
{
    assert(!c->topo && t);
    c->topo = t;
    c->release_topo = release;
}

void cs_emu_comm_end(struct cs_emu_comm *c)
{
    if (c == &world || c == &self)
        return;
    cs_emu_handle_drop(&table, c->home.handle);
    cs_emu_comm_release(c);
}
