/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators: the predefined ones, the table of handles, and how new ones get their context without talking: all
 * members look the same key up in a table in shared memory, and the first one to come gives it a number. */
#include "emulate/objects/comm_table.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/objects/attr.h"
#include "emulate/world/entry.h"
#include "emulate/errors/error.h"
#include "emulate/world/handles.h"
#include "emulate/objects/info_object.h"
#include "emulate/world/shared_memory.h"
#include "emulate/objects/topo.h"
#include "emulate/world/world.h"
#include "base/mix.h"

enum { WORLD_CONTEXT = 1, SELF_CONTEXT = 2, FIRST_CONTEXT = 3 };

static struct cs_emu_table table = CS_EMU_TABLE(CS_EMU_COMM, 2);
static struct cs_emu_comm world, self;
static bool started;

static void predefine(struct cs_emu_comm *c, MPI_Comm handle, uint32_t context, struct cs_emu_group *g)
{
    *c = (struct cs_emu_comm){.handle = handle,
                              .refs = 1,
                              .context = context,
                              .rank = g->rank,
                              .local = g,
                              .remote = g,
                              .errhandler = MPI_ERRORS_ARE_FATAL,
                              .info = MPI_INFO_NULL};
}

void cs_emu_comms_start(void)
{
    int *own = malloc(sizeof *own);
    struct cs_emu_group *all = cs_emu_group_new(cs_emu_nranks(), NULL);
    if (own)
        *own = cs_emu_rank();
    struct cs_emu_group *me = own ? cs_emu_group_new(1, own) : NULL;
    if (!all || !me)
        cs_emu_fail("not enough memory");
    predefine(&world, MPI_COMM_WORLD, WORLD_CONTEXT, all);
    /* All ranks use this number: only the rank itself is in its communicator, but collective calls are found by it. */
    predefine(&self, MPI_COMM_SELF, SELF_CONTEXT + ((uint32_t)cs_emu_rank() << 8 | 0x80000000u), me);
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
    if (--c->refs > 0)
        return;
    cs_emu_group_release(c->local);
    if (c->inter)
        cs_emu_group_release(c->remote);
    cs_emu_topo_release(c->topo);
    cs_emu_info_free(c->info);
    cs_emu_errhandler_release(c->errhandler);
    free(c->name);
    free(c);
}

/* ---- contexts ---- */

struct interned {
    struct interned *next;
    uint64_t key[2];
    uint32_t context;
    _Atomic int32_t users; /* members that have looked it up; the last one takes it out */
    int32_t members;
};

uint32_t cs_emu_context(uint32_t parent, uint32_t child, uint64_t part, int members)
{
    uint64_t key[2] = {(uint64_t)parent << 32 | child, part};
    struct cs_emu_bucket *b = &cs_emu_world->intern[cs_mix(key[0] ^ cs_mix(part)) % CS_EMU_BUCKETS];
    cs_emu_lock(&b->lock);
    struct interned **p = (struct interned **)&b->first, *e;
    while ((e = *p) && (e->key[0] != key[0] || e->key[1] != key[1]))
        p = &e->next;
    if (!e) {
        e = cs_emu_alloc(sizeof *e);
        *e = (struct interned){.key = {key[0], key[1]},
                               .members = members,
                               .context = FIRST_CONTEXT + atomic_fetch_add(&cs_emu_world->contexts, 1)};
        *p = e;
    }
    uint32_t context = e->context;
    if (++e->users == e->members) {
        *p = e->next;
        cs_emu_free(e);
    }
    cs_emu_unlock(&b->lock);
    return context;
}

/* ---- making ---- */

int cs_emu_comm_add(struct cs_emu_comm *parent, uint32_t context, struct cs_emu_group *local,
                    struct cs_emu_group *remote, bool first, MPI_Comm *out)
{
    struct cs_emu_comm *c = malloc(sizeof *c);
    if (!c || !(*out = cs_emu_handle_new(&table, c))) {
        free(c);
        return MPI_ERR_NO_MEM;
    }
    *c = (struct cs_emu_comm){.handle = *out,
                              .refs = 1,
                              .context = context,
                              .inter = remote != NULL,
                              .first = first,
                              .rank = local->rank,
                              .local = local,
                              .remote = remote ? remote : local,
                              .errhandler = parent->errhandler,
                              .info = MPI_INFO_NULL};
    cs_emu_errhandler_hold(parent->errhandler);
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

void cs_emu_comm_end(struct cs_emu_comm *c)
{
    if (c == &world || c == &self)
        return;
    cs_emu_handle_drop(&table, c->handle);
    cs_emu_comm_release(c);
}
