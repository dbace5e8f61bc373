/* SPDX-License-Identifier: BSD-3-Clause
 * How much memory the largest message needs: all calls share one buffer to send from and one to receive into.
 * Looks at the counts of all ranks that make a call, and at the extents of datatypes in the trace. */
#include "skeleton/emit/buffer_room.h"

#include <assert.h>
#include <string.h>

/* Bytes that `count` elements of a datatype take; 0 for a null datatype. */
static int64_t span(const struct cs_gen *g, int64_t type, int64_t count)
{
    if (type < 0 || type >= g->m->ntypes || count <= 0)
        return 0;
    const struct cs_type_def *t = &g->m->type[type];
    int64_t extent = t->extent < 0 ? -t->extent : t->extent, last = t->size > extent ? t->size : extent;
    return count * last;
}

/* Element i of an argument, on the rank at place `at` of its class; 0: not recorded, or without meaning there. */
static int64_t field(const struct cs_gen_part *p, int arg, int i, int at, struct cs_comm_rank place)
{
    if (arg < 0 || p->at[arg] < 0 || i >= p->n[arg])
        return 0;
    int64_t v = cs_merged_value_at(&p->r->field[p->at[arg] + i], at, place.me, place.n);
    return v == CS_UNUSED ? 0 : v;
}

/* How many blocks of `count` elements the buffer of a call holds: one, or one for each member of its communicator. */
static int64_t blocks(const struct cs_gen *g, const struct cs_mpi_call *c, int buf, int64_t members)
{
    bool sends = c->args[buf].role == CS_ROLE_SBUF;
    bool reduces = c->flags & CS_MPI_REDUCES, all = c->flags & CS_MPI_ALLTOALL;
    assert(members >= 0);
    if (c->kind != CS_MPI_COLL || c->args[buf].role == CS_ROLE_SRBUF)
        return 1;
    if (c->flags & CS_MPI_NEIGHBOR)
        return all || !sends ? g->degree : 1;
    if (reduces)
        return sends && (c->flags & CS_MPI_SCATTERS) ? members : 1; /* of MPI_Reduce_scatter, counts say it */
    if (c->flags & CS_MPI_ROOTED)
        return sends == !!(c->flags & CS_MPI_ROOT_SENDS) ? members : 1;
    return all || !sends ? members : 1;
}

/* Bytes of the buffer on the rank at place `at` of its class. */
static int64_t bytes(const struct cs_gen *g, const struct cs_gen_call *c, const struct cs_gen_part *p, int buf, int at,
                     struct cs_comm_rank place)
{
    const struct cs_mpi_arg *a = &c->call->args[buf];
    int64_t sum = 0;
    if (a->count_arg < 0 || a->type_arg < 0)
        return 0;
    if (c->call->args[a->count_arg].role != CS_ROLE_COUNTS)
        return span(g, field(p, a->type_arg, 0, at, place),
                    field(p, a->count_arg, 0, at, place) * blocks(g, c->call, buf, place.n));
    bool types = c->call->args[a->type_arg].role == CS_ROLE_TYPES;
    for (int i = 0; i < p->n[a->count_arg]; i++)
        sum += span(g, field(p, a->type_arg, types ? i : 0, at, place), field(p, a->count_arg, i, at, place));
    return sum;
}

/* Raises *most to `bytes`. */
static void take(int64_t *most, int64_t bytes)
{
    if (bytes > *most)
        *most = bytes;
}

/* Raises g->degree to twice the length of a topology constructor's lists: a grid has two neighbours per dimension, a
 * graph at most as many as its lists name. */
static void count_neighbours(struct cs_gen *g, const struct cs_gen_call *c)
{
    for (int arg = 0; arg < c->call->nargs; arg++)
        for (int p = 0; p < c->l->nparts; p++)
            if (c->call->args[arg].role == CS_ROLE_VALS)
                take(&g->degree, 2 * (int64_t)c->part[p].n[arg]);
}

void cs_gen_take_buffers(struct cs_gen *g, const struct cs_gen_call *c)
{
    bool buffered = c->call->flags & CS_MPI_BUFFERED;
    if (c->call->kind == CS_MPI_COMM_CTOR)
        count_neighbours(g, c);
    for (int buf = 0; buf < c->call->nargs; buf++) {
        enum cs_role role = c->call->args[buf].role;
        if (role != CS_ROLE_SBUF && role != CS_ROLE_RBUF && role != CS_ROLE_SRBUF)
            continue;
        for (int p = 0; p < c->nvariants * c->l->nparts; p++) {
            const struct cs_gen_part *part = &c->part[p];
            const struct cs_class *k = &g->m->cls[part->r->cls];
            for (int at = 0; at < k->ranks.total; at++) {
                int64_t n = bytes(g, c, part, buf, at, cs_gen_place(g, part, k->rank[at]));
                take(role == CS_ROLE_SBUF ? &g->send_bytes : &g->recv_bytes, n);
                if (buffered)
                    take(&g->bsend_bytes, n);
            }
        }
    }
    g->bsends += buffered;
}
