/* SPDX-License-Identifier: BSD-3-Clause
 * The shift of peers.h. Which fields are peers follows from the MPI table; the walk over the fields does not depend on
 * the peers' values, so the way back sees the same fields as the way there. */
#include "trace/format/peers.h"

#include <assert.h>

#include "trace/format/fields.h"

static int64_t shift(int64_t peer, struct cs_comm_rank p, bool to_relative)
{
    if (peer < 0 || peer >= p.n)
        return peer;
    assert(p.me >= 0 && p.me < p.n);
    return (to_relative ? peer - p.me + p.n : peer + p.me) % p.n;
}

static bool is_peer(const struct cs_field *f)
{
    return f->shape == CS_FIELD_SCALAR && (f->arg->role == CS_ROLE_DEST || f->arg->role == CS_ROLE_SOURCE);
}

void cs_peers_shift(int call, int64_t *fields, int nfields, bool to_relative, cs_comm_rank_fn *rank_in, const void *arg)
{
    struct cs_event e = {.call = call, .nfields = nfields, .fields = fields};
    struct cs_field f;
    int at_arg = 0, at = 0, rc, peers[CS_MPI_MAX_ARGS], npeers = 0;
    int64_t comm = -1;
    while ((rc = cs_field_next(&e, &at_arg, &at, &f)) == 1) {
        if (f.arg->role == CS_ROLE_COMM && comm < 0)
            comm = f.values[0];
        if (is_peer(&f))
            peers[npeers++] = (int)(f.values - fields);
    }
    if (rc != 0 || comm < 0 || npeers == 0)
        return;
    struct cs_comm_rank p = rank_in(arg, comm);
    for (int i = 0; p.me >= 0 && i < npeers; i++)
        fields[peers[i]] = shift(fields[peers[i]], p, to_relative);
}

struct cs_peers cs_peers_of(int call)
{
    static const struct cs_peers differs = {.npeers = -1};
    const struct cs_mpi_call *c = cs_mpi_call(call);
    struct cs_peers p = {.comm = -1};
    bool any = false;
    for (int i = 0; i < c->nargs; i++) {
        struct cs_field f = {.arg = &c->args[i], .shape = cs_field_shape(c, i)};
        any |= is_peer(&f);
    }
    for (int i = 0; i < c->nargs && any; i++) {
        struct cs_field f = {.arg = &c->args[i], .shape = cs_field_shape(c, i)};
        bool comm = f.arg->role == CS_ROLE_COMM;
        if (f.shape == CS_FIELD_NONE)
            continue;
        if (f.shape == CS_FIELD_ARRAY || (comm && p.comm >= 0) || (is_peer(&f) && p.npeers == (int)sizeof p.peer))
            return differs;
        if (is_peer(&f))
            p.peer[p.npeers++] = p.nfields;
        if (comm)
            p.comm = p.nfields;
        p.nfields++;
    }
    return p;
}

void cs_peers_shift_at(struct cs_peers p, int call, int64_t *fields, int nfields, bool to_relative,
                       cs_comm_rank_fn *rank_in, const void *arg)
{
    if (p.npeers < 0) {
        cs_peers_shift(call, fields, nfields, to_relative, rank_in, arg);
        return;
    }
    if (p.npeers == 0 || p.comm < 0 || nfields != p.nfields || fields[p.comm] < 0)
        return;
    struct cs_comm_rank at = rank_in(arg, fields[p.comm]);
    for (int i = 0; at.me >= 0 && i < p.npeers; i++)
        fields[p.peer[i]] = shift(fields[p.peer[i]], at, to_relative);
}

struct cs_comm_rank cs_comm_rank_of(int rank, const int *world_ranks, int n)
{
    if (rank < n && world_ranks[rank] == rank)
        return (struct cs_comm_rank){rank, n};
    for (int i = 0; i < n; i++)
        if (world_ranks[i] == rank)
            return (struct cs_comm_rank){i, n};
    return (struct cs_comm_rank){-1, n};
}
