/* SPDX-License-Identifier: BSD-3-Clause
 * Looks things up in the merged form, and frees it. trace/merge/ makes it, merged_walk.c walks through it,
 * merged_read.c and merged_write.c are for its file. */
#include "trace/nest/nest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct cs_ranges *cs_merged_group_of(const struct cs_merged *m, int comm, int rank)
{
    assert(comm >= 0 && comm < m->ncomms && rank >= 0 && rank < m->info.nranks);
    const struct cs_merged_comm *c = &m->comm[comm];
    return &c->group[c->group_of ? c->group_of[rank] : 0];
}

struct cs_comm_rank cs_merged_comm_rank(const struct cs_merged *m, int comm, int rank)
{
    const struct cs_ranges *r = cs_merged_group_of(m, comm, rank);
    return (struct cs_comm_rank){cs_ranges_find(r, rank), r->total};
}

bool cs_merged_is_inter(const struct cs_merged *m, int comm)
{
    const char *path = m->comm[comm].path;
    return path[0] && path[strlen(path) - 1] == '~';
}

const struct cs_merged_part *cs_merged_part_of(const struct cs_merged_symbol *l, int cls)
{
    int lo = 0, hi = l->nparts;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (l->part[mid].cls < cls)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < l->nparts && l->part[lo].cls == cls ? &l->part[lo] : NULL;
}

int64_t cs_nest_symbols(const struct cs_nest_node *node, int64_t n)
{
    int64_t symbols = 0;
    for (int64_t i = 0; i < n; i++)
        symbols += node[i].count == 0;
    return symbols;
}

int64_t cs_nest_iterations(const struct cs_merged *m, const struct cs_nest_node *loop, int64_t times)
{
    int64_t sum = 0;
    assert(loop->count > 0 && times >= 0);
    if (!loop->ncycle)
        return times * loop->count;
    for (int32_t k = 0; k < loop->ncycle; k++)
        sum += m->cycle[loop->cycle + k] * (times / loop->ncycle + (k < times % loop->ncycle));
    return sum;
}

bool cs_merged_has_counts(const struct cs_merged *m)
{
    for (int64_t i = 0; m->ncycles && i < m->nnodes; i++)
        if (m->node[i].count && m->node[i].ncycle)
            return true;
    return false;
}

static void free_records(struct cs_merged *m)
{
    for (int i = 0; i < m->nrecords; i++) {
        for (int k = 0; k < m->record[i].nfields; k++)
            cs_merged_value_free(&m->record[i].field[k]);
        free(m->record[i].field);
    }
    free(m->record);
}

static void free_comms(struct cs_merged *m)
{
    for (int i = 0; i < m->ncomms; i++) {
        for (int k = 0; k < m->comm[i].ngroups; k++)
            cs_ranges_free(&m->comm[i].group[k]);
        free(m->comm[i].group);
        free(m->comm[i].group_of);
    }
    free(m->comm);
}

void cs_merged_forget_times(struct cs_merged *m)
{
    free(m->gap_at);
    free(m->gap);
    free(m->tail);
    m->gap_at = NULL;
    m->gap = NULL;
    m->tail = NULL;
    m->ngaps = 0;
}

void cs_merged_forget_nest(struct cs_merged *m)
{
    cs_merged_forget_times(m);
    for (int i = 0; i < m->nsymbols; i++)
        free(m->symbol[i].part);
    free(m->symbol);
    free(m->node);
    free(m->cycle);
    m->symbol = NULL;
    m->node = NULL;
    m->cycle = NULL;
    m->nsymbols = 0;
    m->nnodes = m->ncycles = 0;
}

void cs_merged_free(struct cs_merged *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->nclasses; i++) {
        cs_ranges_free(&m->cls[i].ranks);
        free(m->cls[i].rank);
    }
    cs_merged_forget_nest(m);
    free_records(m);
    free_comms(m);
    free(m->cls);
    free(m->class_of);
    free(m->index_in_class);
    free(m->site);
    free(m->type);
    free(m->op);
    if (m->strings)
        cs_pool_free(m->strings);
    free(m->strings);
    free(m);
}
