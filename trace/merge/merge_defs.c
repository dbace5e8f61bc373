/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of the whole run: equal definitions of several ranks become one. A communicator is known by its path; the
 * group that it stands for depends on the rank. The reader's pool stores equal strings and lists of ranks once, so two
 * of them are equal if their addresses are; the keys below hold these addresses. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "trace/merge/merge_internal.h"

/* The tables of definitions. One hash table, g->defs, has the keys of all of them. */
enum table { SITE, TYPE, COMM, GROUP, OP, TABLES };

/* The key of a definition: its table (enum table), and the numbers and addresses that tell the entries of that table
 * apart; those that a table does not need are 0. Keys are compared as bytes, so the struct has no padding. */
struct key {
    uint64_t table, a, b, c, d;
};
_Static_assert(sizeof(struct key) == 5 * sizeof(uint64_t), "a key has padding");

/* A definition that m has: an entry of the hash table g->defs, which owns it. `number` is the definition's index in m's
 * array of its kind; that of a group is the index in its communicator's group[]. */
struct cs_defs_index {
    struct key key;
    int number;
    UT_hash_handle hh;
};

/* The entry with this key, or NULL. */
static struct cs_defs_index *find(struct cs_merging *g, const struct key *k)
{
    struct cs_defs_index *d;
    HASH_FIND(hh, g->defs, k, sizeof *k, d);
    return d;
}

/* Adds an entry with this key, which must not be there yet. The number, or -1: no memory. */
static int remember(struct cs_merging *g, const struct key *k, int number)
{
    assert(!find(g, k));
    struct cs_defs_index *d = calloc(1, sizeof *d);
    if (!d)
        return -1;
    d->key = *k;
    d->number = number;
    HASH_ADD(hh, g->defs, key, sizeof d->key, d);
    return number;
}

void cs_merge_defs_free(struct cs_merging *g)
{
    struct cs_defs_index *d, *next;
    HASH_ITER (hh, g->defs, d, next) {
        HASH_DEL(g->defs, d);
        free(d);
    }
}

/* *out gets a copy of s that m->strings owns; of NULL, NULL. 0, or -1: no memory. */
static int keep(struct cs_merged *m, const char *s, const char **out)
{
    *out = s ? cs_pool_bytes(m->strings, s, strlen(s)) : NULL;
    return s && !*out ? -1 : 0;
}

int cs_merge_info(struct cs_merged *m, const struct cs_run_info *info)
{
    m->info = *info;
    return keep(m, info->program, &m->info.program) || keep(m, info->args, &m->info.args) ||
                   keep(m, info->kind, &m->info.kind) || keep(m, info->engine, &m->info.engine) ||
                   keep(m, info->assumptions, &m->info.assumptions) || keep(m, info->versions, &m->info.versions) ||
                   keep(m, info->unrecorded, &m->info.unrecorded)
               ? -1
               : 0;
}

int cs_merge_site(struct cs_merging *g, const struct cs_site *s)
{
    struct key k = {SITE, (uintptr_t)s->file, (uintptr_t)s->func, (uint64_t)s->line, 0};
    struct cs_defs_index *d = find(g, &k);
    if (d)
        return d->number;
    if (!CS_ONE_MORE(g->m->site, g->m->nsites))
        return -1;
    struct cs_site *p = &g->m->site[g->m->nsites];
    if (keep(g->m, s->file, &p->file) || keep(g->m, s->func, &p->func))
        return -1;
    p->line = s->line;
    return remember(g, &k, g->m->nsites++);
}

int cs_merge_type(struct cs_merging *g, const struct cs_type_def *t)
{
    struct key k = {TYPE, (uintptr_t)t->signature, (uint64_t)t->size, (uint64_t)t->extent, (uint64_t)t->pieces};
    struct cs_defs_index *d = find(g, &k);
    if (d)
        return d->number;
    if (!CS_ONE_MORE(g->m->type, g->m->ntypes))
        return -1;
    struct cs_type_def *p = &g->m->type[g->m->ntypes];
    if (keep(g->m, t->signature, &p->signature))
        return -1;
    p->size = t->size;
    p->extent = t->extent;
    p->pieces = t->pieces;
    return remember(g, &k, g->m->ntypes++);
}

int cs_merge_op(struct cs_merging *g, const char *name)
{
    struct key k = {OP, (uintptr_t)name, 0, 0, 0};
    struct cs_defs_index *d = find(g, &k);
    if (d)
        return d->number;
    if (!CS_ONE_MORE(g->m->op, g->m->nops) || keep(g->m, name, &g->m->op[g->m->nops]))
        return -1;
    return remember(g, &k, g->m->nops++);
}

/* Appends the members of d to c's groups. 0, or -1: no memory. */
static int new_group(struct cs_merged_comm *c, const struct cs_comm_def *d)
{
    if (!CS_ONE_MORE(c->group, c->ngroups))
        return -1;
    struct cs_ranges *p = &c->group[c->ngroups++];
    *p = (struct cs_ranges){0};
    for (int i = 0; i < d->nranks; i++)
        if (cs_ranges_add(p, d->world_ranks[i]))
            return -1;
    return 0;
}

/* Notes that for this rank of the run, c stands for this one of c's groups. 0, or -1: no memory. group_of is made when
 * the first rank with another group than 0 comes. */
static int set_group(struct cs_merged *m, struct cs_merged_comm *c, int rank, int group)
{
    assert(rank >= 0 && rank < m->info.nranks && group >= 0 && group < c->ngroups);
    if (group == 0 && !c->group_of)
        return 0;
    if (!c->group_of && !(c->group_of = calloc((size_t)m->info.nranks, sizeof *c->group_of)))
        return -1;
    c->group_of[rank] = group;
    return 0;
}

int cs_merge_comm(struct cs_merging *g, const struct cs_comm_def *def, int rank)
{
    struct key k = {COMM, (uintptr_t)def->path, 0, 0, 0};
    struct cs_defs_index *d = find(g, &k);
    int comm = d ? d->number : g->m->ncomms;
    if (!d) {
        if (!CS_ONE_MORE(g->m->comm, g->m->ncomms))
            return -1;
        struct cs_merged_comm *p = &g->m->comm[g->m->ncomms++];
        *p = (struct cs_merged_comm){0};
        if (keep(g->m, def->path, &p->path) || remember(g, &k, comm) < 0)
            return -1;
    }
    struct cs_merged_comm *c = &g->m->comm[comm];
    struct key kg = {GROUP, (uint64_t)comm, (uintptr_t)def->world_ranks, (uint64_t)def->nranks, 0};
    d = find(g, &kg);
    int group = d ? d->number : c->ngroups;
    if (!d && (new_group(c, def) || remember(g, &kg, group) < 0))
        return -1;
    return set_group(g->m, c, rank, group) ? -1 : comm;
}
