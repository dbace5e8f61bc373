/* SPDX-License-Identifier: GPL-3.0-or-later
 * Matching of MPI call sites; message_channels.h. Which two can meet, call_match.c says.
 * Collectives meet where control flow can differ between ranks. */
#include "slicer/messages/message_channels.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/messages/call_match.h"
#include "slicer/messages/variance.h"

static bool reached(const struct cs_match *m, const struct cs_model *model)
{
    const struct cs_stmt *s = &m->g->stmts[model->stmt];
    return cs_pts_func_reached(m->pts, s->func) && m->g->funcs[s->func].blocks[s->block].reachable;
}

static void match_p2p(struct cs_channels *c, const struct cs_match *m)
{
    const struct cs_model *all = m->ms->m;
    for (int i = 0; i < m->ms->n; i++) {
        if (!all[i].sends || !reached(m, &all[i]))
            continue;
        for (int k = 0; k < m->ms->n; k++) {
            if (!all[k].receives || !reached(m, &all[k]) || !cs_match_envelope(m, &all[i], &all[k]))
                continue;
            bool types = cs_match_types(m, all[i].type[0], all[k].type[1]);
            if (!types && !cs_match_empty(m, &all[i]))
                continue;
            assert(all[i].stmt < c->nstmts && all[k].stmt < c->nstmts);
            cs_intlist_add(types ? &c->receivers[all[i].stmt] : &c->empty_to[all[i].stmt], all[k].stmt);
            cs_intlist_add(types ? &c->senders[all[k].stmt] : &c->empty_from[all[k].stmt], all[i].stmt);
        }
    }
}

/* Two sites of the same collective can meet unless every rank runs all such sites of that communicator alike. */
static void match_collectives(struct cs_channels *c, const struct cs_match *m)
{
    const struct cs_model *all = m->ms->m;
    for (int i = 0; i < m->ms->n; i++) {
        const struct cs_model *a = &all[i];
        if (!a->mpi || (a->mpi->kind != CS_MPI_COLL && a->mpi->kind != CS_MPI_BARRIER) || !reached(m, a))
            continue;
        bool group = false;
        for (int k = 0; k < m->ms->n && !group; k++)
            group = m->variant[all[k].stmt] && reached(m, &all[k]) && cs_match_collectives(m, a, &all[k]);
        for (int k = 0; k < m->ms->n && group; k++)
            if (k != i && reached(m, &all[k]) && cs_match_collectives(m, a, &all[k]))
                cs_intlist_add(&c->peers[a->stmt], all[k].stmt);
    }
}

static void find_any_source(struct cs_channels *c, const struct cs_match *m)
{
    bool moves = cs_match_any_source_moves(m->g);
    for (int i = 0; i < m->ms->n; i++)
        if (m->ms->m[i].receives && cs_match_any_source(m, &m->ms->m[i], moves))
            c->any_source[m->ms->m[i].stmt] = true;
}

void cs_channels_build(struct cs_channels *c, struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts,
                       const struct cs_cdep *cdep)
{
    assert(cdep);
    bool *variant = cs_variance_compute(g, ms, pts, cdep);
    struct cs_match m = {g, ms, pts, variant};
    c->nstmts = g->nstmts; /* no analysis from here on adds statements */
    c->receivers = cs_calloc(g->nstmts + 1, sizeof *c->receivers);
    c->senders = cs_calloc(g->nstmts + 1, sizeof *c->senders);
    c->empty_to = cs_calloc(g->nstmts + 1, sizeof *c->empty_to);
    c->empty_from = cs_calloc(g->nstmts + 1, sizeof *c->empty_from);
    c->peers = cs_calloc(g->nstmts + 1, sizeof *c->peers);
    c->any_source = cs_calloc(g->nstmts + 1, sizeof *c->any_source);
    find_any_source(c, &m);
    match_p2p(c, &m);
    match_collectives(c, &m);
    c->variant = variant;
}

void cs_channels_free(struct cs_channels *c)
{
    for (int i = 0; i < c->nstmts; i++) {
        cs_intlist_free(&c->receivers[i]);
        cs_intlist_free(&c->senders[i]);
        cs_intlist_free(&c->empty_to[i]);
        cs_intlist_free(&c->empty_from[i]);
        cs_intlist_free(&c->peers[i]);
    }
    free(c->receivers);
    free(c->senders);
    free(c->empty_to);
    free(c->empty_from);
    free(c->peers);
    free(c->any_source);
    free(c->variant);
}
