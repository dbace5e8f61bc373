/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reaching definitions, on demand: of the writers of a variable, only those from which control can come to the read
 * without passing a store that replaces it. Inside one function; where the way back leaves it, every writer counts. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* What has been looked at for one place in one function: whole blocks, from their ends. */
struct flow_key {
    struct cs_pattern pat;
    int64_t size;
    int obj, func;
};
/* What the walk has found: blocks that it has passed (seen), whether it came to the beginning of the function, whether
 * it passed calls of functions with a body. */
struct cs_flow {
    struct flow_key key;
    bool *seen, outside, calls;
    int need; /* node of needs.h, 0: none yet */
    UT_hash_handle hh;
};

/* A walk that is under way: blocks that are left, and writers that were reached, by number. */
struct walk {
    struct cs_live *l;
    struct cs_flow *f;
    struct cs_intlist blocks, reached;
};

/* ---- set-up ---- */

static bool *when(struct func_info *f, bool team)
{
    return team ? &f->team : &f->async;
}

/* Sets `team` or else `async` of the function and of all that it calls. */
static void spread(struct cs_live *l, int func, bool team)
{
    struct cs_intlist work = {0};
    cs_intlist_add(&work, func);
    while (work.n) {
        int f = work.a[--work.n];
        if (*when(&l->fi[f], team))
            continue;
        *when(&l->fi[f], team) = true;
        for (int b = 0; b < l->g->funcs[f].nblocks; b++)
            for (int i = 0; i < l->g->funcs[f].blocks[b].nstmts; i++) {
                const struct cs_intset *c = cs_pts_callees(l->pts, l->g->funcs[f].blocks[b].stmts[i]);
                for (int k = 0; k < c->n; k++)
                    cs_intlist_add(&work, c->a[k]);
            }
    }
    cs_intlist_free(&work);
}

/* Does the call call functions back while it runs, and at no other time? */
static bool runs_team(struct cs_live *l, int call)
{
    bool team = false;
    for (int k = 0; call < l->ms->nstmts && k < l->ms->of_stmt[call].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[call].a[k]];
        if (!m->fx || !m->fx->team)
            return false;
        team = true;
    }
    return team;
}

/* Functions that run when the graph does not show it: callbacks of the library, handlers, constructors, and what they
 * call. And those that threads run while a call of the graph runs. */
static void find_async_entries(struct cs_live *l)
{
    for (int f = 0; f < l->g->nfuncs; f++) {
        bool start = l->g->funcs[f].is_entry && strcmp(cs_func_name(l->g, f), "main");
        if (start || cs_pts_escaped(l->pts, l->g->funcs[f].obj))
            spread(l, f, false);
        for (int i = 0; i < l->fi[f].calls.n && !l->fi[f].async; i++)
            if (l->g->funcs[f].defined && !cs_live_plain_call(l, l->fi[f].calls.a[i]))
                spread(l, f, runs_team(l, l->fi[f].calls.a[i]));
    }
}

static void find_positions(struct cs_live *l)
{
    struct cs_graph *g = l->g;
    l->pos = cs_calloc(g->nstmts + 1, sizeof *l->pos);
    l->point = cs_calloc(g->nstmts + 1, sizeof *l->point);
    for (int s = 0; s < g->nstmts; s++) {
        l->pos[s] = -1;
        l->point[s] = g->stmts[s].move_to < 0 ? s : -1;
    }
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            for (int i = 0; i < g->funcs[f].blocks[b].nstmts; i++)
                l->pos[g->funcs[f].blocks[b].stmts[i]] = i;
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        /* Reads when it is started. */
        bool deferred = m->mpi && (m->mpi->flags & CS_MPI_PERSISTENT) && m->mpi->kind != CS_MPI_RECV_INIT;
        for (int k = 0; k < m->pseudo.n; k++)
            l->point[m->pseudo.a[k]] = deferred ? -1 : m->stmt;
    }
}

static void find_preds(struct cs_live *l, int func)
{
    const struct cs_func *f = &l->g->funcs[func];
    l->fi[func].preds = cs_calloc(f->nblocks + 1, sizeof *l->fi[func].preds);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs && f->blocks[b].reachable; i++) {
            if (f->blocks[b].never[i] || f->blocks[b].succs[i] < 0)
                continue;
            cs_intlist_add(&l->fi[func].preds[f->blocks[b].succs[i]], b);
            l->fi[func].catches |= f->blocks[b].eh[i];
        }
}

struct cs_intlist *cs_flow_preds(struct cs_live *l, int func)
{
    if (!l->fi[func].preds)
        find_preds(l, func);
    return l->fi[func].preds;
}

/* Memory of windows: the calls of one-sided communication write it. */
static void find_windows(struct cs_live *l)
{
    for (int o = 0; o < l->nobjs; o++)
        for (int i = 0; i < l->writers[o].n; i++) {
            const struct writer *w = &l->writers[o].w[i];
            const struct cs_model *m = w->kind == W_MODEL ? cs_writer_model(l, w) : NULL;
            if (!m || !m->mpi || m->mpi->kind != CS_MPI_RMA || l->g->objs[o].kind == CS_OBJ_HIDDEN)
                continue;
            if (!l->in_window)
                l->in_window = cs_calloc(l->nobjs + 1, sizeof *l->in_window);
            l->in_window[o] = true;
        }
}

void cs_flow_prepare(struct cs_live *l)
{
    find_async_entries(l);
    find_windows(l);
    find_positions(l);
}

void cs_flow_free(struct cs_live *l)
{
    struct cs_flow *f, *next;
    HASH_ITER (hh, l->flows, f, next) {
        HASH_DEL(l->flows, f);
        free(f->seen);
        free(f);
    }
    for (int i = 0; i < l->g->nfuncs; i++) {
        for (int b = 0; l->fi[i].preds && b < l->g->funcs[i].nblocks; b++)
            cs_intlist_free(&l->fi[i].preds[b]);
        free(l->fi[i].preds);
    }
    free(l->in_window);
    free(l->polled);
    free(l->pos);
    free(l->point);
}

/* ---- what counts ---- */

/* A write that takes effect at another time than its statement runs. */
bool cs_writes_deferred(struct cs_live *l, const struct writer *w)
{
    if (w->kind != W_MODEL && w->kind != W_MODEL_COPY)
        return false;
    const struct cs_model *m = cs_writer_model(l, w);
    if (m->opaque)
        return true;
    return m->mpi && (m->mpi->kind == CS_MPI_RMA || m->mpi->kind == CS_MPI_RECV_INIT || m->mpi->kind == CS_MPI_START ||
                      (m->mpi->flags & CS_MPI_NONBLOCKING));
}

/* What a model reads that is not read when its call runs: the buffer of a persistent send, at each start. */
bool cs_reads_deferred(struct cs_live *l, int at)
{
    return at >= 0 && l->pos[at] < 0 && l->point[at] < 0;
}

static bool local_of(struct cs_live *l, int obj, int func)
{
    return l->g->objs[obj].kind == CS_OBJ_LOCAL && l->g->objs[obj].func == func;
}

/* A variable of which there is one, which only this function and those that it calls change while it runs. Not where
 * other threads run the function too. */
static bool followed(struct cs_live *l, int func, int obj, struct cs_pattern pat, int64_t size)
{
    const struct cs_obj *o = &l->g->objs[obj];
    const struct cs_func *f = &l->g->funcs[func];
    if (l->in_window && l->in_window[obj])
        return false;
    if (l->fi[func].recursive || l->fi[func].catches || f->keep_all || f->comes_back || cs_pts_lost(l->pts, obj))
        return false;
    if (!local_of(l, obj, func) && (o->kind != CS_OBJ_GLOBAL || o->external || l->fi[func].async || l->fi[func].team))
        return false;
    for (int k = 0; k < f->nparams; k++)
        if (f->param_objs[k] == obj)
            return false;
    for (int i = 0; i < l->writers[obj].n; i++) {
        const struct writer *w = &l->writers[obj].w[i];
        int wf = l->g->stmts[w->stmt].func;
        if (!cs_pat_overlap(w->pat, w->size, pat, size))
            continue;
        if (cs_writes_deferred(l, w) || (wf != func && (l->fi[wf].async || l->fi[wf].recursive)))
            return false;
    }
    return true;
}

bool cs_flow_replaces(struct cs_live *l, const struct writer *w, struct cs_pattern pat, int64_t size)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    bool store = w->kind == W_STORE ? s->kind == CS_STMT_STORE || s->kind == CS_STMT_ENTRY
                                    : w->kind == W_COPY && s->kind == CS_STMT_COPY;
    if (!store || s->partial || pat.stride || w->pat.stride || size < 0 || w->size < 0)
        return false;
    if (s->store.base.kind != CS_OPND_ADDR &&
        (s->store.base.kind != CS_OPND_VALUE || cs_pts_operand(l->pts, s->store.base)->n != 1 ||
         cs_pts_lost_its_way(l->pts, s->store.base)))
        return false;
    return w->pat.off <= pat.off && pat.off + size <= w->pat.off + w->size;
}

/* ---- the way back ---- */

static bool calls_code(struct cs_live *l, int s)
{
    const struct cs_intset *c = cs_pts_callees(l->pts, s);
    for (int i = 0; i < c->n; i++)
        if (l->g->funcs[c->a[i]].defined)
            return true;
    return false;
}

/* A binary search: writers of an object are in the order of statements. */
int cs_first_writer(const struct writers *ws, int stmt)
{
    int lo = 0, hi = ws->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (ws->w[mid].stmt < stmt)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* From before statement `end` of a block to its beginning; false if the place was replaced on the way. */
static bool walk_block(struct walk *w, int block, int end)
{
    struct cs_live *l = w->l;
    const struct flow_key *k = &w->f->key;
    const struct cs_block *b = &l->g->funcs[k->func].blocks[block];
    const struct writers *ws = &l->writers[k->obj];
    assert(end >= 0 && end <= b->nstmts);
    for (int i = end - 1; i >= 0; i--) {
        int s = b->stmts[i], lo;
        enum cs_stmt_kind kind = l->g->stmts[s].kind;
        if (kind == CS_STMT_ASSIGN || kind == CS_STMT_PHI || kind == CS_STMT_LOAD)
            continue;
        if (kind == CS_STMT_CALL && calls_code(l, s))
            w->f->calls = true;
        lo = cs_first_writer(ws, s);
        for (bool gone = false; lo < ws->n && ws->w[lo].stmt == s; lo++) {
            if (!cs_pat_overlap(ws->w[lo].pat, ws->w[lo].size, k->pat, k->size))
                continue;
            cs_intlist_add(&w->reached, lo);
            gone |= cs_flow_replaces(l, &ws->w[lo], k->pat, k->size);
            if (gone)
                return false;
        }
    }
    return true;
}

static void walk_back(struct walk *w, int point, int end)
{
    struct cs_live *l = w->l;
    int func = w->f->key.func, block = l->g->stmts[point].block;
    for (;;) {
        if (walk_block(w, block, end)) {
            w->f->outside |= block == 0;
            for (int i = 0; i < l->fi[func].preds[block].n; i++) {
                int p = l->fi[func].preds[block].a[i];
                if (w->f->seen[p])
                    continue;
                w->f->seen[p] = true;
                cs_intlist_add(&w->blocks, p);
            }
        }
        if (!w->blocks.n)
            return;
        block = w->blocks.a[--w->blocks.n];
        end = l->g->funcs[func].blocks[block].nstmts;
    }
}

static struct cs_flow *flow_of(struct cs_live *l, const struct flow_key *key)
{
    struct cs_flow *f;
    HASH_FIND(hh, l->flows, key, sizeof *key, f);
    if (f)
        return f;
    f = cs_calloc(1, sizeof *f);
    f->key = *key;
    f->seen = cs_calloc(l->g->funcs[key->func].nblocks + 1, sizeof *f->seen);
    HASH_ADD(hh, l->flows, key, sizeof *key, f);
    l->objs[key->obj].nflows++;
    return f;
}

bool cs_flow_need(struct cs_live *l, int func, int at, int obj, struct cs_pattern pat, int64_t size, int moment,
                  int parent)
{
    bool after = at < -1;
    int point = after ? CS_AFTER(at) : at >= 0 ? l->point[at] : -1;
    if (point < 0 || l->pos[point] < 0 || l->g->stmts[point].func != func)
        return false;
    cs_flow_preds(l, func);
    if (!followed(l, func, obj, pat, size))
        return false;
    struct flow_key key;
    memset(&key, 0, sizeof key);
    key.pat = pat;
    key.size = size;
    key.obj = obj;
    key.func = func;
    struct walk w = {.l = l, .f = flow_of(l, &key)};
    walk_back(&w, point, l->pos[point] + after);
    assert(!w.blocks.n);
    bool inside = !w.f->outside || local_of(l, obj, func);
    int was = l->cause;
    struct live_pat lp = {.pat = pat, .size = size, .moment = moment};
    if (inside && l->needs) {
        cs_need_note(l, parent, cs_need_place_node(l, &w.f->need, obj, pat, size, true));
        cs_need_because(l, w.f->need);
    }
    for (int i = 0; i < w.reached.n && inside; i++)
        cs_place_written(l, obj, w.reached.a[i], &lp, parent);
    for (int i = 0; i < l->writers[obj].n && inside && w.f->calls; i++)
        if (l->g->stmts[l->writers[obj].w[i].stmt].func != func)
            cs_place_written(l, obj, i, &lp, parent);
    cs_need_because(l, was);
    cs_intlist_free(&w.blocks);
    cs_intlist_free(&w.reached);
    return inside;
}
