/* SPDX-License-Identifier: GPL-3.0-or-later
 * A walk back from a read, against the flow of control; arrivals.h. At the beginning of a function it goes on before
 * the calls of it (up); a call that it passes it enters from its end, and leaves only where it passed it (down). */
#include "slicer/advise/arrivals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/rewritten.h"
#include "slicer/graph/storage.h"

/* ---- the graph ---- */

static const struct cs_block *block_of(const struct cs_arrivals *a, int block)
{
    int f = a->func[block];
    return &a->g->funcs[f].blocks[block - a->first[f]];
}

static int block_at(const struct cs_arrivals *a, int stmt)
{
    return a->first[a->g->stmts[stmt].func] + a->g->stmts[stmt].block;
}

static int ncallees(const struct cs_arrivals *a, int stmt)
{
    return a->flow->first_callee[stmt + 1] - a->flow->first_callee[stmt];
}

static int callee(const struct cs_arrivals *a, int stmt, int i)
{
    return a->flow->callees[a->flow->first_callee[stmt] + i];
}

static void link_block(struct cs_arrivals *a, int f, int b)
{
    const struct cs_block *bl = &a->g->funcs[f].blocks[b];
    int n = a->first[f] + b;
    a->func[n] = f;
    for (int i = 0; i < bl->nsuccs && bl->reachable; i++)
        if (!bl->never[i] && bl->succs[i] >= 0)
            cs_intlist_add(&a->preds[a->first[f] + bl->succs[i]], n);
    for (int i = 0; i < bl->nstmts; i++) {
        int s = bl->stmts[i];
        a->at[s] = i;
        for (int k = 0; k < ncallees(a, s) && bl->reachable; k++) {
            a->calls[n] = true;
            cs_intlist_add(&a->callers[callee(a, s, k)], s);
        }
    }
}

static int *numbers(int n)
{
    return cs_calloc(n + 1, sizeof(int));
}

/* In an array of edges: control does not come to the block at all. */
enum { NOT_REACHED = 1 << 7 };

static void note_never(struct cs_arrivals *a)
{
    memcpy(a->never, cs_settings_never(a->settings), a->nblocks);
    for (int b = 0; b < a->nblocks; b++)
        if (cs_settings_at(a->settings, a->func[b], b - a->first[a->func[b]]) == CS_SETTINGS_NONE)
            a->never[b] |= NOT_REACHED;
}

void cs_arrivals_start(struct cs_arrivals *a, const struct cs_graph *g, const struct cs_need_flow *flow,
                       struct cs_settings *settings)
{
    int nf = g->nfuncs, ns = g->nstmts;
    *a = (struct cs_arrivals){.g = g, .flow = flow, .settings = settings, .first = numbers(nf)};
    a->with = CS_SETTINGS_ALL;
    for (int f = 0; f < nf; f++) {
        a->first[f] = a->nblocks;
        a->nblocks += g->funcs[f].nblocks;
    }
    int nb = a->nblocks, **by_stmt[] = {&a->at,      &a->is_writer, &a->replaces, &a->for_call, &a->passed,
                                        &a->reached, &a->left,      &a->stops,    &a->begun};
    int **by_block[] = {&a->func, &a->loop_end, &a->fill_end,    &a->fill_by,  &a->has_writer,
                        &a->up,   &a->down,     &a->loop_passed, &a->has_cover};
    int **by_func[] = {&a->may_kill, &a->killers, &a->must[0], &a->must[1], &a->entered, &a->active};
    for (size_t i = 0; i < sizeof by_stmt / sizeof *by_stmt; i++)
        *by_stmt[i] = numbers(ns);
    for (size_t i = 0; i < sizeof by_block / sizeof *by_block; i++)
        *by_block[i] = numbers(nb);
    for (size_t i = 0; i < sizeof by_func / sizeof *by_func; i++)
        *by_func[i] = numbers(nf);
    a->inside = cs_calloc(nb + 1, sizeof *a->inside);
    a->loop_calls = cs_calloc(nb + 1, sizeof *a->loop_calls);
    a->loop_known = cs_calloc(nb + 1, sizeof *a->loop_known);
    a->preds = cs_calloc(nb + 1, sizeof *a->preds);
    a->callers = cs_calloc(nf + 1, sizeof *a->callers);
    a->calls = cs_calloc(nb + 1, 1);
    a->never = cs_calloc(nb + 1, 1);
    a->turns = cs_same_turn_start(g, flow);
    cs_once_start(&a->once, g, a->flow, a->callers);
    cs_constant_calls_start(&a->constants, g, flow);
    a->cdep = cs_calloc(nf + 1, sizeof *a->cdep);
    a->cdep_known = cs_calloc(nf + 1, sizeof *a->cdep_known);
    memset(a->at, -1, ns * sizeof *a->at);
    a->alike = cs_pointers_alike(g);
    for (int f = 0; f < nf; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            link_block(a, f, b);
    if (settings)
        note_never(a);
}

void cs_arrivals_free(struct cs_arrivals *a)
{
    for (int i = 0; i < a->nblocks; i++) {
        cs_intlist_free(&a->preds[i]);
        cs_intlist_free(&a->loop_calls[i]);
        free(a->inside[i]);
    }
    for (int f = 0; f < a->g->nfuncs; f++) {
        cs_intlist_free(&a->callers[f]);
        if (a->cdep_known[f])
            cs_cdep_free(&a->cdep[f]);
    }
    int *all[] = {a->first,      a->func,     a->at,      a->is_writer, a->replaces,    a->for_call, a->loop_end,
                  a->has_writer, a->may_kill, a->killers, a->must[0],   a->must[1],     a->up,       a->down,
                  a->passed,     a->entered,  a->reached, a->left,      a->loop_passed, a->stops,    a->begun,
                  a->active,     a->fill_end, a->fill_by, a->alike,     a->has_cover};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(a->inside);
    free(a->loop_calls);
    free(a->loop_known);
    for (int i = 0; i < a->nshut; i++)
        free(a->shut[i].edges);
    free(a->shut);
    free(a->preds);
    free(a->callers);
    free(a->calls);
    free(a->never);
    cs_once_free(&a->once);
    cs_same_turn_free(a->turns);
    cs_intlist_free(&a->asked);
    cs_intlist_free(&a->deeper);
    cs_constant_calls_free(&a->constants);
    free(a->cdep);
    free(a->cdep_known);
    cs_intlist_free(&a->writers);
    cs_intlist_free(&a->work);
    cs_intlist_free(&a->at_first);
    cs_intlist_free(&a->covers);
}

static const struct cs_cdep *cdep_of(struct cs_arrivals *a, int func)
{
    if (!a->cdep_known[func])
        cs_cdep_compute(a->g, func, &a->cdep[func]);
    a->cdep_known[func] = true;
    return &a->cdep[func];
}

static bool depends(const struct cs_cdep *d, int block, int on)
{
    for (int i = 0; i < d->on[block].n; i++)
        if (d->on[block].a[i] == on)
            return true;
    return false;
}

/* Can control go from the block by its edge i, with the settings of the read? */
static bool may_take(const struct cs_arrivals *a, int block, int i)
{
    return i > 1 || !((a->never[block] | (a->closed ? a->closed[block] : 0)) >> i & 1);
}

/* Can control come to the block at all, with these? */
static bool may_reach(const struct cs_arrivals *a, int block)
{
    return !((a->never[block] | (a->closed ? a->closed[block] : 0)) & NOT_REACHED);
}

/* The edges by which control cannot go with these settings. */
static const unsigned char *closed_with(struct cs_arrivals *a, int with)
{
    for (int i = 0; i < a->nshut; i++)
        if (a->shut[i].with == with)
            return a->shut[i].edges;
    unsigned char *edges = cs_calloc(a->nblocks + 1, 1);
    for (int b = 0; b < a->nblocks; b++) {
        int f = a->func[b], at = b - a->first[f];
        for (int i = 0; i < block_of(a, b)->nsuccs && i < 2; i++)
            if (!cs_settings_allow(a->settings, with, f, at, i))
                edges[b] |= 1 << i;
        if (cs_settings_both(a->settings, with, cs_settings_at(a->settings, f, at)) == CS_SETTINGS_NONE)
            edges[b] |= NOT_REACHED;
    }
    CS_GROW(a->shut, a->nshut, a->ashut);
    a->shut[a->nshut++] = (struct cs_shut_edges){with, edges};
    return edges;
}

/* Likewise to that one, which may come behind it. */
static bool may_go(const struct cs_arrivals *a, int from, int to)
{
    const struct cs_block *b = block_of(a, from);
    int f = a->func[from];
    for (int i = 0; i < b->nsuccs; i++)
        if (b->succs[i] == to - a->first[f] && may_take(a, from, i))
            return true;
    return false;
}

/* ---- is there only one of it? ---- */

static bool is_single(struct cs_arrivals *a, int obj)
{
    const struct cs_obj *o = obj >= 0 ? &a->g->objs[obj] : NULL;
    if (!o)
        return false;
    if (o->kind == CS_OBJ_LOCAL)
        return o->func >= 0 && !a->flow->any_time[o->func];
    if (o->kind != CS_OBJ_HEAP || o->stmt < 0)
        return o->kind == CS_OBJ_GLOBAL;
    return cs_once_stmt(&a->once, o->stmt);
}

/* ---- what replaces the place ---- */

void cs_arrivals_place(struct cs_arrivals *a, int obj, bool exact)
{
    a->place++;
    a->key++;
    a->obj = obj;
    a->exact = exact;
    a->single = is_single(a, obj);
    a->own = obj >= 0 && a->g->objs[obj].kind == CS_OBJ_LOCAL && a->single && a->flow->recursive[a->g->objs[obj].func];
    a->writers.n = a->covers.n = 0;
}

/* Functions from which control comes to this one by calls: what it does may replace the place there. */
static void spread_killer(struct cs_arrivals *a, int func)
{
    struct cs_intlist work = {0};
    cs_intlist_add(&work, func);
    while (work.n) {
        int f = work.a[--work.n];
        if (a->may_kill[f] == a->place)
            continue;
        a->may_kill[f] = a->place;
        for (int i = 0; i < a->callers[f].n; i++)
            cs_intlist_add(&work, a->g->stmts[a->callers[f].a[i]].func);
    }
    cs_intlist_free(&work);
}

/* Is it a test before a loop that ends where the other branch does, `for` in a few words? They ask about one number. */
static bool guards(const struct cs_arrivals *a, int func, int guard, int loop)
{
    int x = cs_block_branch(a->g, func, guard), y = cs_block_branch(a->g, func, loop);
    if (x < 0 || y < 0 || a->g->stmts[x].kind != CS_STMT_COND || a->g->stmts[y].kind != CS_STMT_COND)
        return false;
    for (int i = 0; i < a->g->stmts[x].nuses; i++)
        for (int k = 0; k < a->g->stmts[y].nuses; k++)
            if (cs_opnd_same(a->g->stmts[x].uses[i], a->g->stmts[y].uses[k]))
                return true;
    return false;
}

/* May the load read what the store writes, by the same pointer? */
static bool same_array(const struct cs_arrivals *a, const struct cs_stmt *st, const struct cs_stmt *load)
{
    const struct cs_operand *to = &st->store.base, *from = &load->load.base;
    if (from->kind != to->kind || !cs_pat_overlap(load->load.pat, load->load.size, st->store.pat, st->store.size))
        return false;
    return to->kind == CS_OPND_VALUE ? cs_pointer_origin(a->g, from->id) == cs_pointer_origin(a->g, to->id)
                                     : from->id == to->id;
}

/* Is what is stored computed from what was there? Then it is an update. */
static bool updates(const struct cs_arrivals *a, const struct cs_stmt *st)
{
    enum { MOST = 300 }; /* values that are followed; more may be one */
    struct cs_intset seen = {0};
    struct cs_intlist work = {0};
    bool is = false;
    if (st->nuses && st->uses[0].kind == CS_OPND_VALUE)
        cs_intlist_add(&work, st->uses[0].id);
    while (work.n && !is) {
        int d = a->g->values[work.a[--work.n]].def;
        const struct cs_stmt *s = d < 0 ? NULL : &a->g->stmts[d];
        is = seen.n > MOST || (s && s->kind == CS_STMT_LOAD && same_array(a, st, s));
        bool goes_on = s && (s->kind == CS_STMT_ASSIGN || s->kind == CS_STMT_PHI) && cs_intset_add(&seen, d);
        for (int i = 0; goes_on && i < s->nuses; i++)
            if (s->uses[i].kind == CS_OPND_VALUE)
                cs_intlist_add(&work, s->uses[i].id);
    }
    cs_intset_free(&seen);
    cs_intlist_free(&work);
    return is;
}

/* Is the place that of an element, as told by an index? */
static bool is_moved(const struct cs_arrivals *a, const struct cs_ref *r)
{
    int d = r->base.kind == CS_OPND_VALUE ? a->g->values[r->base.id].def : -1;
    return r->pat.stride || r->base.pat.stride || (d >= 0 && a->g->stmts[d].op == CS_OP_PTRADD);
}

/* Is the element of an array that is stored to told by numbers that count, and not by what is in another array, or what
 * a call says? Of a pointer only the steps count. */
static bool is_dense(const struct cs_arrivals *a, const struct cs_stmt *st)
{
    enum { MOST = 100 }; /* values that are followed */
    struct cs_intset seen = {0};
    struct cs_intlist work = {0}; /* twice a value, 1 more for a pointer */
    bool dense = true;
    for (int i = 1; i < st->nuses; i++)
        if (st->uses[i].kind == CS_OPND_VALUE)
            cs_intlist_add(&work, 2 * st->uses[i].id);
    for (int i = 0; i < st->nidx; i++)
        cs_intlist_add(&work, 2 * st->idx[i]);
    if (st->store.base.kind == CS_OPND_VALUE)
        cs_intlist_add(&work, 2 * st->store.base.id + 1);
    while (work.n && dense) {
        int item = work.a[--work.n], d = a->g->values[item / 2].def;
        const struct cs_stmt *s = d < 0 ? NULL : &a->g->stmts[d];
        if (!s || !cs_intset_add(&seen, 2 * d + item % 2))
            continue;
        bool element = s->kind == CS_STMT_LOAD && s->load.size <= (int64_t)sizeof(int32_t) && is_moved(a, &s->load);
        dense = seen.n < MOST && (s->kind != CS_STMT_CALL || item % 2) && !element;
        for (int i = 0; i < s->nuses && (s->kind == CS_STMT_ASSIGN || s->kind == CS_STMT_PHI); i++)
            if (s->uses[i].kind == CS_OPND_VALUE)
                cs_intlist_add(&work, 2 * s->uses[i].id + (item % 2 && !(s->op == CS_OP_PTRADD && i > 0)));
    }
    cs_intset_free(&seen);
    cs_intlist_free(&work);
    return dense;
}

/* Notes that the block ends a loop that replaces the place, or (by >= 0) what pointers made from this one mean. False:
 * that is known. */
static bool note_end(struct cs_arrivals *a, int block, int by)
{
    int *end = by < 0 ? &a->loop_end[block] : &a->fill_end[block];
    if (*end == a->place)
        return false;
    *end = a->place;
    if (by >= 0)
        a->fill_by[block] = by;
    return true;
}

/* Notes the ends of the loops round a store with no condition but theirs; whoever leaves them has passed it. True:
 * there are some. */
static bool note_loops(struct cs_arrivals *a, int stmt, int by)
{
    const struct cs_stmt *s = &a->g->stmts[stmt];
    const struct cs_cdep *d = cdep_of(a, s->func);
    struct cs_intlist work = {0};
    int loop = -1;
    cs_intlist_add(&work, s->block);
    for (int n = 0; n < work.n && n < 1000; n++)
        for (int i = 0; i < d->on[work.a[n]].n; i++) {
            int p = d->on[work.a[n]].a[i];
            bool own = depends(d, p, p);
            if ((!own && (loop < 0 || !guards(a, s->func, p, loop))) || !note_end(a, a->first[s->func] + p, by))
                continue;
            loop = own ? p : loop;
            cs_intlist_add(&work, p);
        }
    bool any = work.n > 1;
    cs_intlist_free(&work);
    return any;
}

/* Notes that whoever leaves the outermost loop round the store, with no condition but those of loops, has passed it. */
static void note_cover(struct cs_arrivals *a, int stmt)
{
    enum { MOST = 16 }; /* blocks that are looked at */
    const struct cs_stmt *s = &a->g->stmts[stmt];
    const struct cs_cdep *d = cdep_of(a, s->func);
    int work[MOST] = {s->block}, n = 1, loop = -1;
    for (int at = 0; at < n; at++)
        for (int i = 0; i < d->on[work[at]].n; i++) {
            int p = d->on[work[at]].a[i], known = 0;
            while (known < n && work[known] != p)
                known++;
            bool own = depends(d, p, p);
            if (known < n && (known > 0 || !own))
                continue;
            if (n == MOST || (!own && (loop < 0 || !guards(a, s->func, p, loop))))
                return;
            loop = own ? p : loop;
            work[n++] = p;
        }
    if (loop < 0)
        return;
    a->has_cover[a->first[s->func] + loop] = a->place;
    cs_intlist_add(&a->covers, a->first[s->func] + loop);
    cs_intlist_add(&a->covers, stmt);
}

/* The pointer from which that of the place is made, -1. */
static int made_from(const struct cs_arrivals *a, const struct cs_ref *r)
{
    return r->base.kind == CS_OPND_VALUE ? a->alike[cs_pointer_origin(a->g, r->base.id)] : -1;
}

/* Notes loops round the store that replace the place, or what its pointer means of it. */
static void note_store(struct cs_arrivals *a, int stmt, enum cs_loop_writes loop, const int *calls, int n)
{
    const struct cs_stmt *s = &a->g->stmts[stmt];
    if (loop == CS_LOOP_WRITES_PART || (a->exact && !is_moved(a, &s->store)) || (updates(a, s) && !is_dense(a, s)))
        return;
    if (loop == CS_LOOP_WRITES_POINTED) {
        if (made_from(a, &s->store) >= 0 && is_moved(a, &s->store))
            note_loops(a, stmt, made_from(a, &s->store));
        return;
    }
    if (note_loops(a, stmt, -1)) {
        a->killers[s->func] = n > 0 ? a->place : -a->place;
        spread_killer(a, s->func);
    }
    for (int i = 0; i < n; i++)
        a->for_call[calls[i]] = a->place;
}

void cs_arrivals_writer(struct cs_arrivals *a, int stmt, bool replaces, enum cs_loop_writes loop, const int *calls,
                        int n)
{
    const struct cs_stmt *s = &a->g->stmts[stmt];
    cs_intlist_add(&a->writers, stmt);
    a->is_writer[stmt] = a->place;
    if (a->at[stmt] < 0)
        return;
    a->has_writer[block_at(a, stmt)] = a->place;
    if (replaces && a->single && a->own) {
        if (s->func == a->g->objs[a->obj].func)
            a->replaces[stmt] = a->place;
    } else if (replaces && a->single) {
        a->replaces[stmt] = a->place;
        spread_killer(a, s->func);
    } else if (s->kind == CS_STMT_STORE) {
        note_store(a, stmt, loop, calls, n);
        if (a->cover && !a->exact && is_moved(a, &s->store))
            note_cover(a, stmt);
    }
}

static bool replaces_always(struct cs_arrivals *a, int func, bool for_call);
static const bool *inside_of(struct cs_arrivals *a, int block);

/* Does what the call calls replace the place in any case? */
static bool call_replaces(struct cs_arrivals *a, int call)
{
    bool for_call = a->for_call[call] == a->place;
    for (int i = 0; i < ncallees(a, call); i++)
        if (!replaces_always(a, callee(a, call, i), for_call))
            return false;
    return ncallees(a, call) > 0;
}

/* Does the statement? */
static bool stmt_replaces(struct cs_arrivals *a, int stmt)
{
    return a->replaces[stmt] == a->place || (ncallees(a, stmt) && call_replaces(a, stmt));
}

/* The calls in the loop that the block ends. */
static const struct cs_intlist *loop_calls(struct cs_arrivals *a, int block)
{
    int f = a->func[block];
    if (a->loop_known[block])
        return &a->loop_calls[block];
    a->loop_known[block] = true;
    if (!depends(cdep_of(a, f), block - a->first[f], block - a->first[f]))
        return &a->loop_calls[block];
    const bool *in = inside_of(a, block);
    for (int b = 0; b < a->g->funcs[f].nblocks; b++)
        for (int i = 0; in[b] && i < a->g->funcs[f].blocks[b].nstmts; i++)
            if (ncallees(a, a->g->funcs[f].blocks[b].stmts[i]))
                cs_intlist_add(&a->loop_calls[block], a->g->funcs[f].blocks[b].stmts[i]);
    return &a->loop_calls[block];
}

/* Does the block of the function run in each turn of the loop that block `loop` ends, with the settings of the read? */
static bool each_turn(struct cs_arrivals *a, int f, int block, int loop, int depth)
{
    const struct cs_cdep *d = cdep_of(a, f);
    for (int i = 0; i < d->on[block].n; i++) {
        int p = d->on[block].a[i];
        bool decided = !may_take(a, a->first[f] + p, 0) || !may_take(a, a->first[f] + p, 1);
        if (p != loop && (!decided || depth == 0 || !each_turn(a, f, p, loop, depth - 1)))
            return false;
    }
    return true;
}

static bool is_param(const struct cs_graph *g, const struct cs_operand *op, int func)
{
    const struct cs_func *f = &g->funcs[func];
    int v = op->kind == CS_OPND_VALUE ? cs_pointer_origin(g, op->id) : -1, k = 0;
    while (v >= 0 && k < f->nparams && f->params[k] != v)
        k++;
    return v >= 0 && k < f->nparams;
}

/* Does the call hand on what its function was given? Then it may mean another place each time. */
static bool hands_on(const struct cs_arrivals *a, int call)
{
    const struct cs_stmt *s = &a->g->stmts[call];
    bool is = false;
    for (int i = 0; i < s->nuses; i++)
        is |= is_param(a->g, &s->uses[i], s->func);
    return is;
}

/* Does the loop that the block ends call in each turn what replaces the place, that of this turn? own: the place is
 * what its function was given. */
static bool calls_replace(struct cs_arrivals *a, int block, bool own)
{
    enum { DEPTH = 4 };
    int f = a->func[block];
    const struct cs_intlist *calls = loop_calls(a, block);
    for (int i = 0; i < calls->n; i++) {
        int c = calls->a[i];
        if (a->may_kill[callee(a, c, 0)] == a->place && (own || !hands_on(a, c)) &&
            each_turn(a, f, a->g->stmts[c].block, block - a->first[f], DEPTH) && call_replaces(a, c))
            return true;
    }
    return false;
}

/* Does the edge leave a loop that does? */
static bool edge_replaces(struct cs_arrivals *a, int from, int to, bool own)
{
    int f = a->func[from];
    bool stores = a->loop_end[from] == a->place && (own ? abs(a->killers[f]) : -a->killers[f]) == a->place;
    if (!stores && (a->exact || a->may_kill[f] != a->place || !loop_calls(a, from)->n))
        return false;
    return (to < 0 || !depends(cdep_of(a, f), to - a->first[f], from - a->first[f])) &&
           (stores || calls_replace(a, from, own));
}

/* Does the edge leave a loop of the function that reads, which stores all that the pointer means by which it reads? */
static bool edge_fills(struct cs_arrivals *a, int from, int to)
{
    int f = a->func[from];
    return a->by >= 0 && f == a->start && a->fill_end[from] == a->place && a->fill_by[from] == a->by &&
           !depends(cdep_of(a, f), to - a->first[f], from - a->first[f]);
}

/* Does the edge leave a loop that stores all elements that are read, by the same pointer or to the same variable? */
static bool edge_covers(struct cs_arrivals *a, int from, int to)
{
    int f = a->func[from];
    if (a->one < 0 || a->has_cover[from] != a->place || depends(cdep_of(a, f), to - a->first[f], from - a->first[f]))
        return false;
    for (int i = 0; i < a->covers.n; i += 2) {
        int store = a->covers.a[i + 1];
        if (a->covers.a[i] == from && (f == a->start ? a->by == made_from(a, &a->g->stmts[store].store) : a->single) &&
            a->cover(a->arg, store, a->one))
            return true;
    }
    return false;
}

/* From the start of a block to its ends; true if control can come out of the function without the place being replaced.
 */
static bool leaves(struct cs_arrivals *a, int block, bool *seen, struct cs_intlist *work, bool own)
{
    const struct cs_block *b = block_of(a, block);
    int f = a->func[block];
    for (int i = 0; i < b->nstmts; i++)
        if (a->g->stmts[b->stmts[i]].kind == CS_STMT_RETURN)
            return true;
        else if (stmt_replaces(a, b->stmts[i]))
            return false;
    for (int i = 0; i < b->nsuccs; i++) {
        int to = b->succs[i] < 0 ? -1 : a->first[f] + b->succs[i];
        if (b->never[i] || !may_take(a, block, i) || edge_replaces(a, block, to, own))
            continue;
        if (to < 0)
            return true;
        if (!seen[b->succs[i]])
            cs_intlist_add(work, to);
        seen[b->succs[i]] = true;
    }
    return false;
}

static bool replaces_always(struct cs_arrivals *a, int func, bool for_call)
{
    int *known = &a->must[for_call][func];
    if (a->may_kill[func] != a->place)
        return false;
    if (*known / 2 == a->key)
        return *known % 2;
    *known = 2 * a->key; /* while it is asked for */
    bool *seen = cs_calloc(a->g->funcs[func].nblocks + 1, sizeof *seen), out = false;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, a->first[func]);
    while (work.n && !out) {
        int block = work.a[--work.n];
        a->effort++;
        out = leaves(a, block, seen, &work, for_call || a->killers[func] < 0);
    }
    cs_intlist_free(&work);
    free(seen);
    *known = 2 * a->key + !out;
    return !out;
}

/* ---- the way back ---- */

/* How the walk has come into a function, from below or by a call that it has passed. */
enum { UP, DOWN };

static void push(struct cs_arrivals *a, int block, int end, int mode)
{
    cs_intlist_add(&a->work, block);
    cs_intlist_add(&a->work, end);
    cs_intlist_add(&a->work, mode);
}

static void push_whole(struct cs_arrivals *a, int block, int mode)
{
    if (a->up[block] == a->read || (mode == DOWN && a->down[block] == a->read))
        return;
    *(mode == UP ? &a->up[block] : &a->down[block]) = a->read;
    push(a, block, block_of(a, block)->nstmts, mode);
}

static void enter(struct cs_arrivals *a, int func)
{
    const struct cs_func *f = &a->g->funcs[func];
    if (a->entered[func] == a->read)
        return;
    a->entered[func] = a->read;
    for (int b = 0; b < f->nblocks; b++) {
        bool end = f->blocks[b].nsuccs == 0;
        for (int i = 0; i < f->blocks[b].nsuccs; i++)
            end |= f->blocks[b].succs[i] < 0 && !f->blocks[b].never[i];
        if (end && f->blocks[b].reachable)
            push_whole(a, a->first[func] + b, DOWN);
    }
}

static bool is_own(const struct cs_arrivals *a, int func)
{
    const struct cs_obj *o = a->obj >= 0 ? &a->g->objs[a->obj] : NULL;
    return o && o->kind == CS_OBJ_LOCAL && o->func == func && !a->flow->recursive[func];
}

/* Does the call skip all statements where the walk up began? Then it did not come from there. */
static bool is_skipped(struct cs_arrivals *a, int call)
{
    for (int i = 0; i < a->at_first.n; i++)
        if (a->at_first.a[i] < 0 || !cs_constant_call_skips_stmt(&a->constants, call, a->at_first.a[i]))
            return false;
    return a->at_first.n > 0;
}

/* At the beginning of a function. */
static void leave(struct cs_arrivals *a, int func, int mode)
{
    a->came_out |= func == a->start;
    if (mode == DOWN || is_own(a, func))
        return;
    a->any |= a->flow->any_time[func];
    for (int i = 0; i < a->callers[func].n; i++) {
        int call = a->callers[func].a[i];
        if (is_skipped(a, call) || !may_reach(a, block_at(a, call)))
            continue;
        a->passed[call] = a->read;
        if (a->left[call] != a->read)
            push(a, block_at(a, call), a->at[call], UP);
        a->left[call] = a->read;
    }
}

/* Does the statement write a variable of another run of the function than the one that reads? */
static bool is_of_other_run(const struct cs_arrivals *a, int stmt, int mode)
{
    const struct cs_stmt *s = &a->g->stmts[stmt];
    bool named = s->has_store && s->store.base.kind == CS_OPND_ADDR && s->store.base.id == a->obj;
    for (int i = 0; i < s->nuses && !named; i++)
        named = s->uses[i].kind == CS_OPND_ADDR && s->uses[i].id == a->obj;
    return a->own && a->asked_inside && mode == DOWN && named;
}

/* From before statement `end` of a block to its start. False: the place is replaced on the way. */
static bool walk_block(struct cs_arrivals *a, int block, int end, int mode)
{
    const struct cs_block *b = block_of(a, block);
    a->effort++;
    if (!a->calls[block] && a->has_writer[block] != a->place)
        return true;
    for (int i = end - 1; i >= 0; i--) {
        int s = b->stmts[i], n = ncallees(a, s);
        if (a->is_writer[s] == a->place && !is_of_other_run(a, s, mode))
            a->reached[s] = a->read;
        if (a->stops[s] == a->read)
            return false;
        for (int k = 0; k < n; k++)
            enter(a, callee(a, s, k));
        if (n)
            a->passed[s] = a->read;
        bool throws = i == b->nstmts - 1 && b->nsuccs > 1;
        if (stmt_replaces(a, s) && !throws && (!a->own || (mode == UP && a->asked_inside)))
            return false;
    }
    return true;
}

/* The blocks that run only if the branch of this one has it so, in all its function: those of a loop that it ends. */
static const bool *inside_of(struct cs_arrivals *a, int block)
{
    int f = a->func[block], n = a->g->funcs[f].nblocks;
    const struct cs_cdep *d = cdep_of(a, f);
    if (a->inside[block])
        return a->inside[block];
    bool *in = a->inside[block] = cs_calloc(n + 1, sizeof *in), more = true;
    in[block - a->first[f]] = true;
    while (more) {
        more = false;
        for (int b = 0; b < n; b++)
            for (int i = 0; !in[b] && i < d->on[b].n; i++)
                more |= in[b] = in[d->on[b].a[i]];
    }
    return in;
}

/* Control leaves a loop that replaces the place: by what is in it. */
static void pass_loop(struct cs_arrivals *a, int block)
{
    int f = a->func[block];
    if (a->loop_passed[block] == a->read)
        return;
    a->loop_passed[block] = a->read;
    const bool *in = inside_of(a, block);
    for (int b = 0; b < a->g->funcs[f].nblocks; b++) {
        const struct cs_block *bl = &a->g->funcs[f].blocks[b];
        for (int i = 0; in[b] && i < bl->nstmts; i++) {
            int s = bl->stmts[i];
            a->reached[s] = a->read;
            for (int k = 0; k < ncallees(a, s); k++) {
                a->passed[s] = a->read;
                enter(a, callee(a, s, k));
            }
        }
    }
}

static void walk(struct cs_arrivals *a)
{
    while (a->work.n && !a->any) {
        int mode = a->work.a[--a->work.n], end = a->work.a[--a->work.n], block = a->work.a[--a->work.n];
        int func = a->func[block];
        if (!walk_block(a, block, end, mode))
            continue;
        if (block == a->first[func])
            leave(a, func, mode);
        for (int i = 0; i < a->preds[block].n; i++)
            if (!may_go(a, a->preds[block].a[i], block) || !may_reach(a, a->preds[block].a[i]))
                continue;
            else if (edge_replaces(a, a->preds[block].a[i], block, true) ||
                     (mode == UP &&
                      (edge_fills(a, a->preds[block].a[i], block) || edge_covers(a, a->preds[block].a[i], block))))
                pass_loop(a, a->preds[block].a[i]);
            else
                push_whole(a, a->preds[block].a[i], mode);
    }
    a->work.n = 0;
}

/* From now on control goes as it does with the settings with which the statements run, and the call, if there is one.
 */
static void take_settings(struct cs_arrivals *a, const int *stmts, int n, int call)
{
    if (!a->settings)
        return;
    int with = n ? cs_settings_of(a->settings, stmts[0]) : CS_SETTINGS_ALL;
    for (int i = 1; i < n; i++)
        with = cs_settings_of(a->settings, stmts[i]) == with ? with : CS_SETTINGS_ALL;
    if (call >= 0)
        with = cs_settings_both(a->settings, with, cs_settings_of(a->settings, call));
    if (with == CS_SETTINGS_NONE)
        with = CS_SETTINGS_ALL;
    if (with == a->with)
        return;
    a->key++;
    a->with = with;
    a->closed = with == CS_SETTINGS_ALL ? NULL : closed_with(a, with);
}

/* Notes which stores of the same turn replace what is read by one statement. */
static void find_stops(struct cs_arrivals *a, const int *stmts, int n, int call)
{
    struct cs_intlist stores = {0};
    a->asked.n = 0;
    for (int i = 0; i < n; i++)
        cs_intlist_add(&a->asked, stmts[i]);
    if (n == 1 && call < 0 && cs_same_turn_stored(a->turns, stmts[0], &stores))
        for (int i = 0; i < stores.n; i++)
            a->stops[stores.a[i]] = a->read;
    cs_intlist_free(&stores);
}

/* Notes the calls by which the function may run while the read does, and those by which their functions do. */
static void note_begun(struct cs_arrivals *a, int func)
{
    struct cs_intlist work = {0};
    for (cs_intlist_add(&work, func); work.n;) {
        int f = work.a[--work.n];
        if (a->active[f] == a->read)
            continue;
        a->active[f] = a->read;
        for (int i = 0; i < a->callers[f].n; i++) {
            int call = a->callers[f].a[i];
            a->effort++;
            if ((f == func && is_skipped(a, call)) || !may_reach(a, block_at(a, call)))
                continue;
            a->begun[call] = a->read;
            cs_intlist_add(&work, a->g->stmts[call].func);
        }
    }
    cs_intlist_free(&work);
}

bool cs_arrivals_read(struct cs_arrivals *a, const int *stmts, int n, int call)
{
    a->read++;
    a->any = a->came_out = false;
    a->start = -1;
    a->at_first.n = 0;
    for (int i = 0; i < (call < 0 ? n : 1); i++)
        cs_intlist_add(&a->at_first, call < 0 ? a->flow->point[stmts[i]] : call);
    take_settings(a, stmts, n, call);
    find_stops(a, stmts, n, call);
    a->asked_inside = call < 0;
    for (int i = 0; i < n && a->own; i++)
        a->asked_inside &= a->g->stmts[stmts[i]].func == a->g->objs[a->obj].func;
    const struct cs_stmt *one = n == 1 && call < 0 ? &a->g->stmts[stmts[0]] : NULL;
    a->by = one && one->kind == CS_STMT_LOAD ? made_from(a, &one->load) : -1;
    a->one = one && one->kind == CS_STMT_LOAD ? stmts[0] : -1;
    for (int i = 0; i < n; i++) {
        int at = a->flow->point[stmts[i]];
        if (at < 0 || a->at[at] < 0 || a->flow->any_time[a->g->stmts[at].func])
            return false;
        a->start = a->g->stmts[at].func;
        note_begun(a, call >= 0 ? a->g->stmts[call].func : a->start);
        push(a, block_at(a, at), a->at[at], call >= 0 ? DOWN : UP);
        for (int k = 0; call >= 0 && k < ncallees(a, at); k++) {
            a->passed[at] = a->read;
            enter(a, callee(a, at, k));
        }
    }
    for (int i = 0; i < a->deeper.n; i++) {
        int at = a->flow->point[a->deeper.a[i]];
        if (at < 0 || a->at[at] < 0)
            return false;
        push(a, block_at(a, at), a->at[at], DOWN);
        a->passed[at] = a->read;
    }
    walk(a);
    if (call >= 0)
        a->passed[call] = a->read;
    if (call >= 0 && (a->came_out || !n)) {
        for (int k = 0; !n && k < ncallees(a, call); k++)
            enter(a, callee(a, call, k));
        push(a, block_at(a, call), a->at[call], UP);
        walk(a);
    }
    return !a->any;
}

/* Is what the store writes always replaced in its turn before it is read? */
static bool is_replaced(const struct cs_arrivals *a, int stmt)
{
    for (int i = 0; i < a->asked.n; i++)
        if (cs_same_turn_arrives(a->turns, stmt, a->asked.a[i]))
            return false;
    return a->asked.n > 0;
}

bool cs_arrives(const struct cs_arrivals *a, int stmt)
{
    if (is_replaced(a, stmt))
        return false;
    return a->any || a->at[stmt] < 0 || a->reached[stmt] == a->read || a->flow->any_time[a->g->stmts[stmt].func];
}

bool cs_arrives_by(const struct cs_arrivals *a, int call)
{
    return a->any || a->at[call] < 0 || a->passed[call] == a->read || a->begun[call] == a->read ||
           a->flow->any_time[a->g->stmts[call].func];
}
