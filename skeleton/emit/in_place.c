/* SPDX-License-Identifier: BSD-3-Clause
 * Infers where the original passed MPI_IN_PLACE, which a trace does not record: on which ranks, and in which iterations
 * of a loop (the root of a gather may change with the iteration). */
#define _GNU_SOURCE 1
#include "skeleton/emit/in_place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "skeleton/emit/values.h"

/* Bytes of the block that the rank itself (`me` in the communicator) sends or receives; -1: not in the trace, or the
 * datatype is null. */
static int64_t side_bytes(const struct cs_gen *g, const struct cs_gen_call *c, int p, int buf, int at, int me)
{
    const struct cs_mpi_arg *a = &c->call->args[buf];
    const struct cs_gen_part *part = &c->part[p];
    if (a->count_arg < 0 || a->type_arg < 0 || part->at[a->count_arg] < 0 || part->at[a->type_arg] < 0)
        return -1;
    int which = c->call->args[a->count_arg].role == CS_ROLE_COUNTS ? me : 0;
    if (which < 0 || which >= part->n[a->count_arg] || part->n[a->type_arg] == 0)
        return -1;
    int64_t type = cs_merged_value_at(&part->r->field[part->at[a->type_arg]], at, 0, 1);
    int64_t n = cs_merged_value_at(&part->r->field[part->at[a->count_arg] + which], at, 0, 1);
    return type < 0 || type >= g->m->ntypes || n == CS_UNUSED ? -1 : n * g->m->type[type].size;
}

static bool is_root(const struct cs_gen *g, const struct cs_gen_call *c, int p, int at, int rank)
{
    int root = 0;
    while (root < c->call->nargs && c->call->args[root].role != CS_ROLE_ROOT)
        root++;
    const struct cs_merged_record *r = c->part[p].r;
    if (root == c->call->nargs)
        return false;
    struct cs_comm_rank place = cs_merged_comm_rank(g->m, r->comm, rank);
    return cs_merged_value_at(&r->field[c->part[p].at[root]], at, place.me, place.n) == place.me;
}

/* Was the rank's buffer `own` MPI_IN_PLACE? Its count and datatype are then ignored by MPI, so their bytes need not
 * agree with those of the `other` buffer: that is the only sign of it in a trace. */
static bool in_place(const struct cs_gen *g, const struct cs_gen_call *c, int p, int own, int other, int at, int rank)
{
    int comm = c->part[p].r->comm;
    if (comm < 0 || cs_merged_is_inter(g->m, comm) || (c->call->flags & CS_MPI_ROOTED && !is_root(g, c, p, at, rank)))
        return false;
    int me = cs_merged_comm_rank(g->m, comm, rank).me;
    int64_t mine = side_bytes(g, c, p, own, at, me), theirs = side_bytes(g, c, p, other, at, me);
    if (c->call->args[c->call->args[own].count_arg].role == CS_ROLE_COUNTS) /* MPI_Alltoallv and -w */
        return c->part[p].n[c->call->args[own].count_arg] == 0;
    return theirs >= 0 && mine != theirs;
}

/* For one symbol of the cycle: sets g->here on the ranks that make it, g->value to 1 where they passed MPI_IN_PLACE. */
static void spread(struct cs_gen *g, const struct cs_gen_call *c, int variant, int own, int other)
{
    memset(g->here, 0, (size_t)g->m->info.nranks * sizeof *g->here);
    for (int p = 0; p < c->l->nparts; p++) {
        const struct cs_class *k = &g->m->cls[c->l->part[p].cls];
        for (int at = 0; at < k->ranks.total; at++) {
            g->here[k->rank[at]] = true;
            g->value[k->rank[at]] = in_place(g, c, variant * c->l->nparts + p, own, other, at, k->rank[at]);
        }
    }
}

/* '1' or '0' for each symbol of the cycle and, in it, each rank; to be freed. NULL: the reason is set. */
static char *all_turns(struct cs_gen *g, const struct cs_gen_call *c, int own, int other)
{
    size_t n = (size_t)g->m->info.nranks;
    char *all = n <= (1 << 26) / (size_t)c->nvariants ? malloc(n * (size_t)c->nvariants + 1) : NULL;
    if (!all) {
        cs_gen_refuse(g, "%s: what is in place is too much to write down", c->call->name);
        return NULL;
    }
    for (int v = 0; v < c->nvariants; v++) {
        spread(g, c, v, own, other);
        for (size_t r = 0; r < n; r++)
            all[(size_t)v * n + r] = g->here[r] && g->value[r] ? '1' : '0';
    }
    return all;
}

/* C text: the element of a table of all_turns() for the present occurrence and rank. */
static const char *table(struct cs_gen *g, const struct cs_gen_call *c, const char *all)
{
    size_t cells = (size_t)g->m->info.nranks * (size_t)c->nvariants;
    struct cs_gen_memory m;
    FILE *out = cs_gen_begin(g, &m);
    if (!out)
        return "0";
    for (size_t i = 0; i < cells; i++)
        fprintf(out, "%s%c", i == 0 ? "{" : i % 24 ? ", " : ",\n    ", all[i]);
    fputc('}', out);
    const char *text = cs_gen_end(g, &m);
    const char *name = cs_gen_table(g, "in_place", "const char ", cs_gen_text(g, "[%zu]", cells), text);
    g->counts_node[c->node] = true;
    return cs_gen_text(g, "%s[k%lld %% %d * %d + rank]", name, (long long)c->node, c->nvariants, g->m->info.nranks);
}

const char *cs_gen_in_place(struct cs_gen *g, const struct cs_gen_call *c, int own, int other)
{
    assert(own != other && own >= 0 && other >= 0);
    size_t n = (size_t)g->m->info.nranks;
    char *all = all_turns(g, c, own, other);
    bool changes = false;
    for (int v = 1; all && v < c->nvariants; v++)
        changes |= memcmp(all, all + (size_t)v * n, n) != 0;
    spread(g, c, 0, own, other);
    const char *text = changes ? table(g, c, all) : cs_gen_condition(g, "in_place");
    free(all);
    return text;
}
