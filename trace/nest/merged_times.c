/* SPDX-License-Identifier: BSD-3-Clause
 * Sums up the times of a nest (struct cs_gap). Each rank, or class, goes through the nest once; the times of its events
 * come from its trace, from a function of call sites, or, after folding, from the times of the nest before folding. */
#include <stdlib.h>
#include <string.h>

#include "trace/nest/merged_times.h"
#include "base/grow.h"
#include "base/error_text.h"

/* ---- through another nest ---- */

/* A loop being unrolled: nodes [from, to), of which `at` is next; iterations left; is this the first one? */
struct frame {
    int64_t from, to, at, left;
    bool first;
};

/* A walk through one class's symbols of another nest that has times, loops unrolled. */
struct other {
    const struct cs_merged *m;
    struct frame *frame;
    int depth, cap;
};

static int enter(struct other *o, int64_t from, int64_t to, int64_t count)
{
    if (!CS_MAKE_ROOM(o->frame, o->depth, o->cap))
        return -1;
    o->frame[o->depth++] = (struct frame){from, to, from, count, true};
    return 0;
}

/* The node of the next symbol that the class takes part in, or -1. *first: is the loop around it in its first turn? */
static int64_t next_node(struct other *o, int cls, bool *first)
{
    while (o->depth) {
        struct frame *f = &o->frame[o->depth - 1];
        if (f->at == f->to) {
            f->at = f->from;
            f->first = false;
            if (--f->left == 0)
                o->depth--;
            continue;
        }
        int64_t at = f->at++;
        const struct cs_nest_node *n = &o->m->node[at];
        *first = f->first;
        if (n->count) {
            f->at += n->value;
            if (enter(o, at + 1, at + 1 + n->value, n->count))
                return -1;
        } else if (cs_merged_part_of(&o->m->symbol[n->value], cls)) {
            return at;
        }
    }
    return -1;
}

/* ---- the walk ---- */

/* A walk through m's nest for a rank. One of `it`, `gap` and `other` is the source of the times. */
struct walk {
    struct cs_merged *m;
    struct cs_trace_iter *it;    /* the rank's events in the trace */
    cs_merged_gap_fn *gap;       /* function of call sites */
    void *arg;                   /* of `gap` or `seen` */
    struct other *other;         /* another nest; one walk then stands for all ranks of the class */
    cs_merged_gap_seen_fn *seen; /* with `it`: receives each gap, and nothing is summed up */
    int rank;
    int site; /* of the call before */
    int cls;
    bool *has;    /* of each node: the class is in it */
    int64_t last; /* end of the call before; -1: none */
    bool failed;
};

static bool find_nodes(struct walk *w, int64_t from, int64_t to)
{
    bool any = false;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &w->m->node[i];
        w->has[i] = n->count ? find_nodes(w, i + 1, i + 1 + n->value)
                             : cs_merged_part_of(&w->m->symbol[n->value], w->cls) != NULL;
        any |= w->has[i];
        i += n->count ? n->value : 0;
    }
    return any;
}

/* Of one call, in ns: the time before it and the time in it. */
struct times {
    double gap, busy;
};

static struct times from_sites(struct walk *w, const struct cs_merged_symbol *l)
{
    int site = w->m->record[cs_merged_part_of(l, w->cls)->record].site;
    bool known = site >= 0 && w->last >= 0;
    double gap = known ? w->gap(w->arg, w->site >= 0 ? &w->m->site[w->site] : NULL, &w->m->site[site]) : 0;
    w->site = site;
    w->last = 0;
    return (struct times){gap, 0};
}

static struct times from_trace(struct walk *w, const struct cs_merged_symbol *l)
{
    struct cs_event e;
    struct times t = {0};
    if (cs_trace_iter_next(w->it, &e) != 1 || e.call != l->call) {
        w->failed = true;
        return t;
    }
    t.gap = w->last < 0 ? 0 : (double)(e.t_enter - w->last - e.t_delay);
    t.busy = (double)(e.t_exit - e.t_enter);
    w->last = e.t_exit;
    return t;
}

/* Means over the events at the other nest's node: of first iterations and of all later ones apart. */
static struct times from_other(struct walk *w, const struct cs_merged_symbol *l)
{
    const struct cs_merged *m = w->other->m;
    bool first;
    int64_t node = next_node(w->other, w->cls, &first);
    if (node < 0 || m->symbol[m->node[node].value].call != l->call) {
        w->failed = true;
        return (struct times){0, 0};
    }
    const struct cs_merged_symbol *from = &m->symbol[m->node[node].value];
    const struct cs_gap *g = &m->gap[m->gap_at[node] + (cs_merged_part_of(from, w->cls) - from->part)];
    if (g->n <= 0)
        return (struct times){0, 0};
    double busy = g->busy / (double)g->n;
    if (first && g->first_n > 0)
        return (struct times){g->first_gap / (double)g->first_n, busy};
    if (g->n > g->first_n)
        return (struct times){(g->gap - g->first_gap) / (double)(g->n - g->first_n), busy};
    return (struct times){g->gap / (double)g->n, busy};
}

static void symbol(struct walk *w, int64_t node, bool first)
{
    const struct cs_merged_symbol *l = &w->m->symbol[w->m->node[node].value];
    struct cs_gap *g = &w->m->gap[w->m->gap_at[node] + (cs_merged_part_of(l, w->cls) - l->part)];
    struct times t = w->it ? from_trace(w, l) : w->other ? from_other(w, l) : from_sites(w, l);
    int64_t n = w->other ? w->m->cls[w->cls].ranks.total : 1;
    double gap = t.gap < 0 ? 0 : t.gap * (double)n;
    if (w->seen) {
        if (!w->failed)
            w->seen(w->arg, w->rank, node, first, gap);
        return;
    }
    g->n += n;
    g->gap += gap;
    g->busy += t.busy * (double)n;
    if (first) {
        g->first_n += n;
        g->first_gap += gap;
    }
}

static void nodes(struct walk *w, int64_t from, int64_t to, bool first)
{
    for (int64_t i = from; i < to && !w->failed; i++) {
        const struct cs_nest_node *n = &w->m->node[i];
        if (w->has[i] && !n->count)
            symbol(w, i, first);
        for (int64_t k = 0; w->has[i] && k < n->count && !w->failed; k++)
            nodes(w, i + 1, i + 1 + n->value, k == 0);
        i += n->count ? n->value : 0;
    }
}

static int allocate(struct cs_merged *m)
{
    cs_merged_forget_times(m);
    m->gap_at = calloc((size_t)m->nnodes + 1, sizeof *m->gap_at);
    if (!m->gap_at)
        return -1;
    for (int64_t i = 0; i < m->nnodes; i++) {
        m->gap_at[i] = m->ngaps;
        m->ngaps += m->node[i].count ? 0 : m->symbol[m->node[i].value].nparts;
    }
    m->gap = calloc((size_t)m->ngaps + 1, sizeof *m->gap);
    m->tail = calloc((size_t)m->nclasses + 1, sizeof *m->tail);
    return m->gap && m->tail ? 0 : -1;
}

static void walk_rank(struct walk *w, const struct cs_trace *t, int rank)
{
    w->last = w->site = -1;
    w->rank = rank;
    w->it = t ? cs_trace_iter_open(t, rank) : NULL;
    w->failed = t && !w->it;
    nodes(w, 0, w->m->nnodes, true);
    cs_trace_iter_free(w->it);
}

static void walk_class(struct walk *w, const struct cs_trace *t)
{
    const struct cs_class *c = &w->m->cls[w->cls];
    find_nodes(w, 0, w->m->nnodes);
    if (w->other) {
        w->other->depth = 0;
        w->failed = enter(w->other, 0, w->other->m->nnodes, 1) != 0;
        nodes(w, 0, w->m->nnodes, true);
        return;
    }
    for (int i = 0; i < c->ranks.total && !w->failed; i++)
        walk_rank(w, t, c->rank[i]);
}

static int walk_all(struct walk *w, const struct cs_trace *t, char *errbuf, size_t errlen)
{
    struct cs_merged *m = w->m;
    w->has = calloc((size_t)m->nnodes + 1, 1);
    const char *why = w->has && (w->seen || allocate(m) == 0) ? NULL : "not enough memory";
    for (w->cls = 0; w->cls < m->nclasses && !why; w->cls++) {
        walk_class(w, t);
        if (w->failed)
            why = "the times do not go with the calls";
    }
    free(w->has);
    if (!why)
        return 0;
    if (!w->seen)
        cs_merged_forget_times(m);
    return cs_error_text(errbuf, errlen, "%s", why);
}

int cs_merged_each_gap(const struct cs_merged *m, const struct cs_trace *t, cs_merged_gap_seen_fn *seen, void *arg,
                       char *errbuf, size_t errlen)
{
    return walk_all(
        &(struct walk){.m = (struct cs_merged *)m /* which is only read, with .seen */, .seen = seen, .arg = arg}, t,
        errbuf, errlen);
}

int cs_merged_times(struct cs_merged *m, const struct cs_trace *t, char *errbuf, size_t errlen)
{
    return walk_all(&(struct walk){.m = m}, t, errbuf, errlen);
}

int cs_merged_times_of_sites(struct cs_merged *m, cs_merged_gap_fn *gap, void *arg, char *errbuf, size_t errlen)
{
    return walk_all(&(struct walk){.m = m, .gap = gap, .arg = arg}, NULL, errbuf, errlen);
}

/* ---- from one nest to another ---- */

/* Copies m's nodes and symbols. 0, or -1: no memory. */
static int copy_nest(struct cs_merged *to, struct cs_merged *m)
{
    to->node = malloc(((size_t)m->nnodes + 1) * sizeof *to->node);
    to->symbol = calloc((size_t)m->nsymbols + 1, sizeof *to->symbol);
    if (!to->node || !to->symbol)
        return -1;
    memcpy(to->node, m->node, (size_t)m->nnodes * sizeof *to->node);
    to->nnodes = m->nnodes;
    for (; to->nsymbols < m->nsymbols; to->nsymbols++) {
        const struct cs_merged_symbol *l = &m->symbol[to->nsymbols];
        struct cs_merged_part *p = malloc((size_t)l->nparts * sizeof *p);
        if (!p)
            return -1;
        memcpy(p, l->part, (size_t)l->nparts * sizeof *p);
        to->symbol[to->nsymbols] = (struct cs_merged_symbol){l->call, l->nparts, p};
    }
    return 0;
}

struct cs_merged *cs_merged_times_out(struct cs_merged *m)
{
    struct cs_merged *to = calloc(1, sizeof *to);
    if (!to || copy_nest(to, m)) {
        cs_merged_free(to);
        return NULL;
    }
    to->gap_at = m->gap_at;
    to->gap = m->gap;
    to->ngaps = m->ngaps;
    to->tail = m->tail;
    m->gap_at = NULL;
    m->gap = NULL;
    m->tail = NULL;
    m->ngaps = 0;
    return to;
}

int cs_merged_times_in(struct cs_merged *m, struct cs_merged *from, char *errbuf, size_t errlen)
{
    struct other o = {.m = from};
    int rc = walk_all(&(struct walk){.m = m, .other = &o}, NULL, errbuf, errlen);
    if (rc == 0)
        memcpy(m->tail, from->tail, (size_t)m->nclasses * sizeof *m->tail);
    free(o.frame);
    return rc;
}
