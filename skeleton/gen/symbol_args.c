/* SPDX-License-Identifier: BSD-3-Clause
 * Symbols of the nest with their arguments; see symbol_args.h. */
#include "skeleton/gen/symbol_args.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"

/* Fills in *part: where in r's fields the values of each argument are. */
static int open_part(struct cs_gen *g, const struct cs_mpi_call *call, const struct cs_merged_record *r,
                     struct cs_gen_part *part)
{
    int64_t *first = malloc(((size_t)r->nfields + 1) * sizeof *first);
    if (!first)
        return cs_gen_refuse(g, "not enough memory");
    for (int i = 0; i < r->nfields; i++) /* lengths do not depend on the rank */
        first[i] = cs_merged_value_at(&r->field[i], 0, 0, 1);
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = first};
    struct cs_field f;
    int arg = 0, at = 0, rc;
    part->r = r;
    memset(part->at, -1, sizeof part->at);
    while ((rc = cs_field_next(&e, &arg, &at, &f)) == 1) {
        part->at[f.arg - call->args] = (int)(f.values - first);
        part->n[f.arg - call->args] = (int)f.n;
    }
    free(first);
    return rc < 0 ? cs_gen_refuse(g, "%s: its fields do not fit", call->name) : 0;
}

static bool same_classes(const struct cs_merged_symbol *a, const struct cs_merged_symbol *b)
{
    bool same = a->nparts == b->nparts && a->call == b->call;
    for (int p = 0; same && p < a->nparts; p++)
        same = a->part[p].cls == b->part[p].cls;
    return same;
}

/* All symbols of a cycle are the same call. They have the same classes only if folded by the default method, so that is
 * checked here. */
int cs_gen_call_open(struct cs_gen *g, int64_t node, struct cs_gen_call *c)
{
    const struct cs_nest_node *n = &g->m->node[node];
    const struct cs_merged_symbol *l = &g->m->symbol[n->value];
    *c = (struct cs_gen_call){
        .node = node, .l = l, .call = cs_mpi_call(l->call), .nvariants = n->ncycle > 1 ? n->ncycle : 1};
    c->part = calloc((size_t)c->nvariants * (size_t)l->nparts + 1, sizeof *c->part);
    if (!c->part)
        return cs_gen_refuse(g, "not enough memory");
    for (int v = 0; v < c->nvariants; v++) {
        const struct cs_merged_symbol *own = n->ncycle > 1 ? &g->m->symbol[g->m->cycle[n->cycle + v]] : l;
        if (!same_classes(own, l))
            return cs_gen_refuse(g, "%s: calls of several classes are one symbol; fold it in the usual way",
                                 c->call->name);
        for (int p = 0; p < l->nparts; p++)
            if (open_part(g, c->call, &g->m->record[own->part[p].record], &c->part[v * l->nparts + p]))
                return -1;
    }
    return 0;
}

void cs_gen_call_close(struct cs_gen_call *c)
{
    free(c->part);
}

int cs_gen_arg(const struct cs_mpi_call *c, enum cs_role role, int n)
{
    for (int i = 0; i < c->nargs; i++)
        if (c->args[i].role == role && n-- == 0)
            return i;
    return -1;
}

struct cs_comm_rank cs_gen_place(const struct cs_gen *g, const struct cs_gen_part *p, int rank)
{
    assert(rank >= 0 && rank < g->m->info.nranks);
    return p->r->comm >= 0 ? cs_merged_comm_rank(g->m, p->r->comm, rank) : (struct cs_comm_rank){-1, 0};
}
