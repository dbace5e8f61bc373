/* SPDX-License-Identifier: BSD-3-Clause
 * libcommslice: the loop nest and the rank classes of a run; see commslice.h. */
#include <stdio.h>
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "reading/reader.h"

static struct cs_reader_node describe(const struct cs_reader *r, const struct cs_merged *m,
                                      const struct cs_nest_node *node)
{
    if (node->count)
        return (struct cs_reader_node){.count = node->count, .body = node->value, .line = -1};
    const struct cs_merged_symbol *symbol = &m->symbol[node->value];
    const struct cs_merged_record *record = &m->record[symbol->part[0].record];
    struct cs_reader_event at;
    cs_reader_place(r, cs_merged_site(m, record->site), &at);
    struct cs_reader_node out = {
        .call = cs_mpi_call(symbol->call)->name, .file = at.file, .function = at.function, .line = at.line};
    for (int i = 0; i < symbol->nparts; i++)
        out.ranks += m->cls[symbol->part[i].cls].ranks.total;
    return out;
}

int cs_reader_nest(struct cs_reader *r, struct cs_reader_node **nodes, size_t *n, char *why, size_t whylen)
{
    const struct cs_merged *m = cs_reader_merged(r, why, whylen);
    *nodes = m ? malloc(((size_t)m->nnodes + 1) * sizeof **nodes) : NULL;
    *n = 0;
    if (m && !*nodes)
        snprintf(why, whylen, "not enough memory");
    if (*nodes)
        for (; *n < (size_t)m->nnodes; ++*n)
            (*nodes)[*n] = describe(r, m, &m->node[*n]);
    return *nodes ? 0 : -1;
}

int cs_reader_classes(struct cs_reader *r, int32_t *of_rank, char *why, size_t whylen)
{
    const struct cs_merged *m = cs_reader_merged(r, why, whylen);
    for (int i = 0; m && i < m->info.nranks; i++)
        of_rank[i] = m->class_of[i];
    return m ? m->nclasses : -1;
}
