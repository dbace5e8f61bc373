/* SPDX-License-Identifier: BSD-3-Clause
 * Checks the merged form for assertions, part by part. Whoever makes one, or changes its nest, asserts that it is
 * sound; a file of a user is checked by merged_read*.c, with a message for each fault. */
#include "trace/nest/nest_sound.h"

#include "api/mpi_calls.h"

/* ---- classes, communicators ---- */

/* A class lists its ranks twice, ascending; of each rank it says where the rank is. */
static bool class_is_sound(const struct cs_merged *m, int c)
{
    const struct cs_class *cls = &m->cls[c];
    if (cls->ranks.total < 1 || cls->nevents < 0)
        return false;
    for (int i = 0; i < cls->ranks.total; i++) {
        int rank = cls->rank[i];
        if (rank < 0 || rank >= m->info.nranks || (i && rank <= cls->rank[i - 1]) || m->class_of[rank] != c ||
            m->index_in_class[rank] != i)
            return false;
    }
    return cs_ranges_at(&cls->ranks, cls->ranks.total - 1) == cls->rank[cls->ranks.total - 1];
}

static bool comm_is_sound(const struct cs_merged *m, const struct cs_merged_comm *c)
{
    if (!c->path || c->ngroups < 1)
        return false;
    for (int i = 0; c->group_of && i < m->info.nranks; i++)
        if (c->group_of[i] < 0 || c->group_of[i] >= c->ngroups)
            return false;
    return true;
}

/* ---- records, symbols ---- */

static bool record_is_sound(const struct cs_merged *m, const struct cs_merged_record *r)
{
    return r->cls >= 0 && r->cls < m->nclasses && cs_mpi_call(r->call) && r->site >= -1 && r->site < m->nsites &&
           r->comm >= -1 && r->comm < m->ncomms && r->nfields >= 0;
}

static bool symbol_is_sound(const struct cs_merged *m, const struct cs_merged_symbol *s)
{
    for (int i = 0; i < s->nparts; i++) {
        const struct cs_merged_part *p = &s->part[i];
        if ((i && p->cls <= s->part[i - 1].cls) || p->record < 0 || p->record >= m->nrecords ||
            m->record[p->record].cls != p->cls || m->record[p->record].call != s->call || p->shift < 0)
            return false;
    }
    return s->nparts > 0;
}

/* ---- nest ---- */

/* A cycle of symbols has one call; one of counts has no count above that of its loop. */
static bool cycle_is_sound(const struct cs_merged *m, const struct cs_nest_node *n)
{
    if (n->ncycle < 2 || n->cycle < 0 || n->cycle + (int64_t)n->ncycle > m->ncycles)
        return false;
    for (int32_t k = 0; k < n->ncycle; k++) {
        int32_t v = m->cycle[n->cycle + k];
        if (v < 0 || (n->count ? v > n->count : v >= m->nsymbols || m->symbol[v].call != m->symbol[n->value].call))
            return false;
    }
    return n->count || m->cycle[n->cycle] == n->value;
}

static bool node_is_sound(const struct cs_merged *m, const struct cs_nest_node *n, int64_t end)
{
    int64_t rest = end - (n - m->node) - 1;
    if (n->ncycle && !cycle_is_sound(m, n))
        return false;
    if (n->count == 0)
        return n->value >= 0 && n->value < m->nsymbols;
    return n->count >= (n->ncycle ? 1 : 2) && n->value >= 1 && n->value <= rest;
}

/* The nodes from `from` to before `to`: no loop's body reaches beyond that of the loop around it. */
static bool nodes_are_sound(const struct cs_merged *m, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (!node_is_sound(m, n, to) || (n->count && !nodes_are_sound(m, i + 1, i + 1 + n->value)))
            return false;
        i += n->count ? n->value : 0;
    }
    return true;
}

/* Each symbol's node has a gap for each of the symbol's parts. */
static bool times_are_sound(const struct cs_merged *m)
{
    int64_t at = 0;
    for (int64_t i = 0; i < m->nnodes; i++) {
        if (m->gap_at[i] != at)
            return false;
        at += m->node[i].count ? 0 : m->symbol[m->node[i].value].nparts;
    }
    return at == m->ngaps && m->tail;
}

bool cs_merged_is_sound(const struct cs_merged *m)
{
    bool sound = true;
    for (int c = 0; c < m->nclasses && sound; c++)
        sound = class_is_sound(m, c);
    for (int i = 0; i < m->ncomms && sound; i++)
        sound = comm_is_sound(m, &m->comm[i]);
    for (int i = 0; i < m->nrecords && sound; i++)
        sound = record_is_sound(m, &m->record[i]);
    for (int i = 0; i < m->nsymbols && sound; i++)
        sound = symbol_is_sound(m, &m->symbol[i]);
    return sound && nodes_are_sound(m, 0, m->nnodes) && (!m->gap_at || times_are_sound(m));
}
