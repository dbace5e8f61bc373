/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the mark phase knows before it starts: who writes each object, who calls each function, which functions recurse.
 * Only what is reached counts. */
#include "base/environment.h"
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>

bool cs_live_reachable_stmt(struct cs_live *l, int s)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    return st->source >= -1 && cs_pts_func_reached(l->pts, st->func) &&
           l->g->funcs[st->func].blocks[st->block].reachable;
}

/* A writer whose places are being found: all of it but pat and size. */
struct writer_ctx {
    struct cs_live *l;
    struct writer w;
};

static void writer_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct writer_ctx *c = arg;
    struct writers *ws = &c->l->writers[obj];
    struct writer w = c->w;
    bool own = w.kind != W_MODEL && w.kind != W_MODEL_COPY && c->l->g->stmts[w.stmt].source >= 0;
    if (own && c->l->g->objs[obj].kind == CS_OBJ_HANDLE)
        return; /* handles are no memory to the program itself */
    w.pat = pat;
    w.size = size;
    bool sorted_later = obj == c->l->ms->unit_obj || obj == c->l->ms->fs_obj;
    assert(!ws->n || sorted_later || ws->w[ws->n - 1].stmt <= w.stmt); /* for cs_first_writer() */
    (void)sorted_later;
    CS_GROW(ws->w, ws->n, ws->cap);
    ws->w[ws->n++] = w;
}

void cs_live_add_writer(struct cs_live *l, enum writer_kind kind, int stmt, struct effect_no effect,
                        const struct cs_ref *r)
{
    struct writer_ctx c = {l, {kind, stmt, effect, cs_live_ref_via(l, r), cs_pat_any(), -1}};
    if (kind == W_STORE || kind == W_MODEL)
        cs_pts_accesses_as_one(l->pts, r, writer_cb, &c);
    else
        cs_pts_places_as_one(l->pts, r, writer_cb, &c);
}

static void model_writers(struct cs_live *l, int s)
{
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++) {
        int mi = l->ms->of_stmt[s].a[k];
        struct cs_model *m = &l->ms->m[mi];
        assert(m->stmt == s);
        for (int i = 0; i < m->nwrites; i++)
            if (!m->writes[i].flow_only && !cs_files_is_change(l, &m->writes[i]))
                cs_live_add_writer(l, W_MODEL, s, (struct effect_no){mi, i}, &m->writes[i].ref);
        for (int i = 0; i < m->ncopies; i++)
            cs_live_add_writer(l, W_MODEL_COPY, s, (struct effect_no){mi, i}, &m->copies[i].dst);
    }
}

static void note_stmt(struct cs_live *l, int s)
{
    struct cs_stmt *st = &l->g->stmts[s];
    switch (st->kind) {
    case CS_STMT_STORE:
    case CS_STMT_ENTRY:
    case CS_STMT_ASM:
        if (st->has_store)
            cs_live_add_writer(l, W_STORE, s, NO_EFFECT, &st->store);
        break;
    case CS_STMT_COPY: cs_live_add_writer(l, W_COPY, s, NO_EFFECT, &st->store); break;
    case CS_STMT_RETURN: {
        int ro = l->g->funcs[st->func].result_obj;
        cs_intlist_add(&l->fi[st->func].returns, s);
        if (!st->has_load || ro < 0)
            break;
        struct cs_ref r = {cs_opnd_addr(ro, cs_pat_at(0)), cs_pat_at(0), st->load.size};
        cs_live_add_writer(l, W_COPY, s, NO_EFFECT, &r);
        break;
    }
    case CS_STMT_CALL: {
        const struct cs_intset *c = cs_pts_callees(l->pts, s);
        if (st->has_store)
            cs_live_add_writer(l, W_CALL_RESULT, s, NO_EFFECT, &st->store);
        for (int i = 0; i < c->n; i++)
            cs_intlist_add(&l->fi[c->a[i]].calls, s);
        model_writers(l, s);
        break;
    }
    default: break;
    }
}

static int by_stmt(const void *a, const void *b)
{
    const struct writer *x = a, *y = b;
    return (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

void cs_live_sort_writers(struct cs_live *l, int obj)
{
    if (l->writers[obj].n)
        qsort(l->writers[obj].w, (size_t)l->writers[obj].n, sizeof *l->writers[obj].w, by_stmt);
}

/* The search for functions that can call themselves: strongly connected components of the graph of callers, after
 * Tarjan 1972, without recursion of its own. `at`: how many calls of a function have been looked at. */
struct search {
    struct cs_live *l;
    int *number, *low, *at, count;
    bool *open;
    struct cs_intlist path, members;
};

static void enter(struct search *s, int f)
{
    s->number[f] = s->low[f] = ++s->count;
    s->open[f] = true;
    cs_intlist_add(&s->path, f);
    cs_intlist_add(&s->members, f);
}

/* Looks at the next caller of the last function of the path. false: there is none left. */
static bool look_at_caller(struct search *s, int f)
{
    const struct cs_intlist *calls = &s->l->fi[f].calls;
    if (s->at[f] == calls->n)
        return false;
    int caller = s->l->g->stmts[calls->a[s->at[f]++]].func;
    if (caller == f)
        s->l->fi[f].recursive = true;
    if (!s->number[caller])
        enter(s, caller);
    else if (s->open[caller] && s->number[caller] < s->low[f])
        s->low[f] = s->number[caller];
    return true;
}

/* The last function of the path has no more callers; all that call each other are found at the first of them. */
static void leave(struct search *s)
{
    int f = s->path.a[--s->path.n], up = s->path.n ? s->path.a[s->path.n - 1] : -1, last;
    if (up >= 0 && s->low[f] < s->low[up])
        s->low[up] = s->low[f];
    if (s->low[f] != s->number[f])
        return;
    bool alone = s->members.a[s->members.n - 1] == f;
    do {
        last = s->members.a[--s->members.n];
        s->open[last] = false;
        s->l->fi[last].recursive |= !alone;
    } while (last != f);
}

static void find_recursion(struct cs_live *l)
{
    int n = l->g->nfuncs;
    struct search s = {.l = l};
    s.number = cs_calloc(n + 1, sizeof *s.number);
    s.low = cs_calloc(n + 1, sizeof *s.low);
    s.at = cs_calloc(n + 1, sizeof *s.at);
    s.open = cs_calloc(n + 1, sizeof *s.open);
    for (int f = 0; f < n; f++) {
        if (!s.number[f])
            enter(&s, f);
        while (s.path.n)
            if (!look_at_caller(&s, s.path.a[s.path.n - 1]))
                leave(&s);
        if (cs_pts_escaped(l->pts, l->g->funcs[f].obj))
            l->fi[f].recursive = true;
    }
    free(s.number);
    free(s.low);
    free(s.at);
    free(s.open);
    cs_intlist_free(&s.path);
    cs_intlist_free(&s.members);
}

struct cs_live *cs_live_new(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, struct cs_cdep *cdep,
                            const struct cs_channels *ch)
{
    static const struct cs_channels none;
    struct cs_live *l = cs_calloc(1, sizeof *l);
    l->g = g;
    l->ms = ms;
    l->pts = pts;
    l->cdep = cdep;
    l->ch = ch ? ch : &none;
    l->dump = getenv(CS_ENV_DUMP) != NULL;
    l->nobjs = g->nobjs;
    l->all = cs_pts_stand_in(pts);
    l->writers = cs_calloc(g->nobjs + 1, sizeof *l->writers);
    l->objs = cs_calloc(g->nobjs + 1, sizeof *l->objs);
    l->fi = cs_calloc(g->nfuncs + 1, sizeof *l->fi);
    l->vi = cs_calloc(g->nvalues + 1, sizeof *l->vi);
    l->result_needed = cs_calloc(g->nstmts + 1, sizeof *l->result_needed);
    l->asked_parts = cs_calloc(g->nstmts + 1, sizeof *l->asked_parts);
    for (int v = 0; v < g->nvalues; v++)
        l->vi[v].param = -1;
    for (int f = 0; f < g->nfuncs; f++) {
        l->fi[f].result_why = -1;
        l->fi[f].param_why = cs_calloc(g->funcs[f].nparams + 1, sizeof(int));
        l->fi[f].param_need = cs_calloc(g->funcs[f].nparams + 1, sizeof(int));
        for (int k = 0; k < g->funcs[f].nparams; k++) {
            l->fi[f].param_why[k] = -1;
            if (g->funcs[f].params[k] >= 0)
                l->vi[g->funcs[f].params[k]].param = k;
        }
    }
    for (int s = 0; s < g->nstmts; s++)
        if (cs_live_reachable_stmt(l, s))
            note_stmt(l, s);
    cs_unit_writers(l);
    find_recursion(l);
    cs_flow_prepare(l);
    cs_moments_prepare(l);
    cs_files_prepare(l);
    cs_live_find_opens(l);
    cs_live_sort_writers(l, ms->fs_obj);
    return l;
}

void cs_live_free(struct cs_live *l)
{
    free(l->holds_opens);
    for (int i = 0; i < l->nobjs; i++) {
        free(l->writers[i].w);
        free(l->objs[i].p);
        free(l->objs[i].asked);
    }
    for (int f = 0; f < l->g->nfuncs; f++) {
        cs_intlist_free(&l->fi[f].calls);
        cs_intlist_free(&l->fi[f].kept_calls);
        cs_intlist_free(&l->fi[f].returns);
        cs_live_free_context(&l->fi[f]);
        free(l->fi[f].param_why);
        free(l->fi[f].param_need);
    }
    cs_order_free(l);
    cs_intlist_free(&l->partners);
    cs_files_free(l);
    cs_found_free(l);
    cs_moments_free(l);
    cs_flow_free(l);
    cs_intlist_free(&l->work);
    free(l->deferred);
    cs_pairset_free(&l->copied_set);
    free(l->known_among);
    cs_pairset_free(&l->known_among_set);
    free(l->parts);
    free(l->writes);
    cs_pairset_free(&l->writes_set);
    cs_pairset_free(&l->edges_set);
    free(l->reads);
    cs_pairset_free(&l->parts_set);
    free(l->copied);
    free(l->writers);
    free(l->objs);
    free(l->fi);
    free(l->vi);
    free(l->result_needed);
    free(l->asked_parts);
    free(l);
}
