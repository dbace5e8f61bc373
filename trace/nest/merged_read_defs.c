/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the first sections of the merged form's file: call sites, types, communicators, operations, and classes of
 * ranks. The functions that take numbers and strings, for all sections, are here too. */
#include <stdlib.h>
#include <string.h>

#include "trace/format/format.h"
#include "trace/nest/merged_in.h"

int cs_in_bad(struct cs_merged_in *in, const char *what)
{
    in->what = what;
    return -1;
}

uint64_t cs_in_get(struct cs_merged_in *in)
{
    return cs_cursor_varint(&in->c);
}

int64_t cs_in_signed(struct cs_merged_in *in)
{
    return cs_unzigzag(cs_cursor_varint(&in->c));
}

int cs_in_below(struct cs_merged_in *in, uint64_t max)
{
    return (int)cs_cursor_below(&in->c, max < INT32_MAX ? max : INT32_MAX);
}

int cs_in_number(struct cs_merged_in *in)
{
    return cs_in_below(in, (uint64_t)(in->c.end - in->c.p));
}

int cs_in_string(struct cs_merged_in *in, const char **out)
{
    const char *s;
    size_t n;
    cs_cursor_string(&in->c, &s, &n);
    *out = s ? cs_pool_bytes(in->m->strings, s, n) : NULL;
    return s && !*out ? -1 : 0;
}

/* ---- definitions ---- */

static int get_ranges(struct cs_merged_in *in, struct cs_ranges *r)
{
    int n = cs_in_number(in), nranks = in->m->info.nranks;
    r->range = calloc((size_t)n + 1, sizeof *r->range);
    if (!r->range)
        return -1;
    r->cap = n + 1;
    for (int i = 0; i < n && !in->c.bad; i++) {
        int64_t start = cs_in_signed(in), stride = cs_in_signed(in),
                len = cs_in_below(in, (uint64_t)(nranks - r->total));
        if (in->c.bad || start < 0 || start >= nranks || len < 1 || stride <= -nranks || stride >= nranks ||
            start + (len - 1) * stride < 0 || start + (len - 1) * stride >= nranks)
            return cs_in_bad(in, "bad list of ranks");
        r->range[r->n++] = (struct cs_range){(int)start, (int)stride, (int)len};
        r->total += (int)len;
    }
    return 0;
}

/* Fills v[0..n) with numbers less than `below`, which are stored as (number, how often) pairs. */
static int get_runs(struct cs_merged_in *in, int *v, int n, int below)
{
    for (int i = 0; i < n;) {
        int x = cs_in_below(in, (uint64_t)below - 1), len = cs_in_below(in, (uint64_t)(n - i));
        if (in->c.bad || len < 1)
            return cs_in_bad(in, "bad list of groups");
        while (len--)
            v[i++] = x;
    }
    return 0;
}

static int get_comm(struct cs_merged_in *in, struct cs_merged_comm *c)
{
    if (cs_in_string(in, &c->path))
        return -1;
    int n = cs_in_number(in);
    if (n < 1 || !c->path)
        return cs_in_bad(in, "bad communicator");
    c->group = calloc((size_t)n, sizeof *c->group);
    if (!c->group)
        return -1;
    for (; c->ngroups < n; c->ngroups++)
        if (get_ranges(in, &c->group[c->ngroups])) {
            c->ngroups++;
            return -1;
        }
    if (!cs_in_below(in, 1))
        return 0;
    c->group_of = malloc((size_t)in->m->info.nranks * sizeof *c->group_of);
    return c->group_of ? get_runs(in, c->group_of, in->m->info.nranks, c->ngroups) : -1;
}

static int get_sites(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    int n = cs_in_number(in);
    m->site = calloc((size_t)n + 1, sizeof *m->site);
    for (; m->site && m->nsites < n; m->nsites++) {
        struct cs_site *s = &m->site[m->nsites];
        if (cs_in_string(in, &s->file))
            return -1;
        int64_t line = cs_in_signed(in);
        if (line < INT32_MIN || line > INT32_MAX)
            return cs_in_bad(in, "bad call site");
        s->line = (int)line;
        if (cs_in_string(in, &s->func))
            return -1;
    }
    return m->site ? 0 : -1;
}

static int get_types(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    int n = cs_in_number(in);
    m->type = calloc((size_t)n + 1, sizeof *m->type);
    for (; m->type && m->ntypes < n; m->ntypes++) {
        if (cs_in_string(in, &m->type[m->ntypes].signature))
            return -1;
        m->type[m->ntypes].size = cs_in_signed(in);
        m->type[m->ntypes].extent = cs_in_signed(in);
        m->type[m->ntypes].pieces = cs_in_signed(in);
    }
    return m->type ? 0 : -1;
}

int cs_in_definitions(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    if (get_sites(in) || get_types(in))
        return -1;
    int n = cs_in_number(in);
    m->comm = calloc((size_t)n + 1, sizeof *m->comm);
    if (!m->comm)
        return -1;
    while (m->ncomms < n)
        if (get_comm(in, &m->comm[m->ncomms++]))
            return -1;
    n = cs_in_number(in);
    m->op = calloc((size_t)n + 1, sizeof *m->op);
    for (; m->op && m->nops < n; m->nops++)
        if (cs_in_string(in, &m->op[m->nops]))
            return -1;
    return !m->op ? -1 : in->c.bad ? cs_in_bad(in, "bad definition") : 0;
}

/* ---- classes ---- */

static int get_class(struct cs_merged_in *in, struct cs_class *c, int number)
{
    struct cs_merged *m = in->m;
    c->nevents = (int64_t)cs_cursor_below(&in->c, INT64_MAX);
    if (get_ranges(in, &c->ranks))
        return -1;
    if (c->ranks.total < 1)
        return cs_in_bad(in, "a class without ranks");
    c->rank = malloc((size_t)c->ranks.total * sizeof *c->rank);
    if (!c->rank)
        return -1;
    for (int k = 0, at = 0; k < c->ranks.n; k++)
        for (int i = 0; i < c->ranks.range[k].len; i++, at++) {
            int r = c->ranks.range[k].start + i * c->ranks.range[k].stride;
            if (m->class_of[r] >= 0)
                return cs_in_bad(in, "a rank in two classes");
            m->class_of[r] = number;
            m->index_in_class[r] = at;
            c->rank[at] = r;
        }
    return 0;
}

int cs_in_classes(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    int n = cs_in_number(in);
    m->cls = calloc((size_t)n + 1, sizeof *m->cls);
    m->class_of = malloc((size_t)m->info.nranks * sizeof *m->class_of);
    m->index_in_class = malloc((size_t)m->info.nranks * sizeof *m->index_in_class);
    if (!m->cls || !m->class_of || !m->index_in_class)
        return -1;
    memset(m->class_of, -1, (size_t)m->info.nranks * sizeof *m->class_of);
    while (m->nclasses < n) {
        int c = m->nclasses++;
        if (get_class(in, &m->cls[c], c))
            return -1;
    }
    for (int r = 0; r < m->info.nranks; r++)
        if (m->class_of[r] < 0)
            return cs_in_bad(in, "a rank in no class");
    return 0;
}
