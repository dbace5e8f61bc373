/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds loops whose turns are alike; alike.h. The loops are those of the slice: a branch that it does not take is none.
 *
 *     for (step = 0; step < n; step++) {     step: the compiler's side
 *         exchange();                        reads `left`, `right`, which no turn writes: alike
 *         odd = !odd;                        carries `odd`: alike where that is the same
 *     }                                                                                                              */
#include "slicer/alike/alike.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/alike/registers.h"
#include "slicer/alike/touched.h"
#include "slicer/alike/turn_memory.h"
#include "slicer/control/cfg.h"
#include "slicer/control/dom.h"
#include "slicer/graph/storage.h"

/* ---- the program as it is sliced ---- */

/* A copy of the block in which edges that the slice does not take are never taken. */
static struct cs_block sliced_block(const struct cs_block *b)
{
    struct cs_block c = *b;
    c.never = cs_calloc(b->nsuccs + 1, sizeof *c.never);
    for (int i = 0; i < b->nsuccs; i++)
        c.never[i] = b->never[i] || (b->take >= 0 && b->take < b->nsuccs && i != b->take);
    return c;
}

/* A copy of the graph that shares all but its flow graphs. */
static struct cs_graph sliced(const struct cs_graph *g)
{
    struct cs_graph s = *g;
    s.funcs = cs_calloc(g->nfuncs + 1, sizeof *s.funcs);
    for (int f = 0; f < g->nfuncs; f++) {
        s.funcs[f] = g->funcs[f];
        s.funcs[f].blocks = cs_calloc(g->funcs[f].nblocks + 1, sizeof *s.funcs[f].blocks);
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            s.funcs[f].blocks[b] = sliced_block(&g->funcs[f].blocks[b]);
        if (g->funcs[f].nblocks)
            cs_cfg_reach(&s, f);
    }
    return s;
}

static void free_sliced(struct cs_graph *s)
{
    for (int f = 0; f < s->nfuncs; f++) {
        for (int b = 0; b < s->funcs[f].nblocks; b++)
            free(s->funcs[f].blocks[b].never);
        free(s->funcs[f].blocks);
    }
    free(s->funcs);
}

/* ---- one loop ---- */

/* A function whose loops are looked for. */
struct search {
    struct cs_graph *g;
    struct cs_toucher t;
    struct cs_memories *memories;
    const bool *stateful;
    int func;
    struct cs_dom dom;
    struct cs_intlist *preds; /* of its blocks */
    bool *in;                 /* the loop's blocks */
    struct cs_alike_loops *out;
};

static void find_preds(struct search *s)
{
    const struct cs_func *f = &s->g->funcs[s->func];
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; f->blocks[b].reachable && i < f->blocks[b].nsuccs; i++)
            if (!f->blocks[b].never[i] && f->blocks[b].succs[i] >= 0)
                cs_intlist_add(&s->preds[f->blocks[b].succs[i]], b);
}

/* The blocks from which `latch` is reached without going through the header. */
static void find_body(struct search *s, int header, int latch)
{
    struct cs_intlist work = {0};
    memset(s->in, 0, s->g->funcs[s->func].nblocks);
    s->in[header] = true;
    cs_intlist_add(&work, latch);
    while (work.n) {
        int b = work.a[--work.n];
        if (s->in[b])
            continue;
        s->in[b] = true;
        for (int i = 0; i < s->preds[b].n; i++)
            cs_intlist_add(&work, s->preds[b].a[i]);
    }
    cs_intlist_free(&work);
}

/* Does a kept statement of the loop make recorded calls, itself or in what it calls? */
static bool talks(const struct search *s)
{
    const struct cs_func *f = &s->g->funcs[s->func];
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; s->in[b] && i < f->blocks[b].nstmts; i++) {
            int st = f->blocks[b].stmts[i];
            if (s->g->stmts[st].kind != CS_STMT_CALL || !s->g->stmts[st].keep)
                continue;
            if (cs_touched_event(&s->t, st))
                return true;
            const struct cs_intset *c = cs_pts_callees(s->t.pts, st);
            for (int k = 0; k < c->n; k++)
                if (cs_memories_talks(s->memories, c->a[k]))
                    return true;
        }
    return false;
}

/* Counts the edges that leave the loop, and sets the block of the last one. -1: it is left in other ways, too. */
static int find_ends(const struct search *s, int *test)
{
    const struct cs_func *f = &s->g->funcs[s->func];
    int n = 0;
    for (int b = 0; b < f->nblocks; b++) {
        if (!s->in[b])
            continue;
        int ways = 0;
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            bool taken = !f->blocks[b].never[i];
            bool leaves = taken && (f->blocks[b].succs[i] < 0 || !s->in[f->blocks[b].succs[i]]);
            ways += taken;
            n += leaves;
            if (leaves)
                *test = b;
            if (taken && f->blocks[b].eh[i])
                return -1;
        }
        if (!ways)
            return -1;
    }
    return n;
}

/* Why the only end of the loop is not one that a counter decides. */
static const char *why_not_test(const struct search *s, const struct cs_alike_loop *l)
{
    int branch = cs_block_branch(s->g, s->func, l->test);
    if (branch < 0 || s->g->stmts[branch].kind != CS_STMT_COND || !s->g->stmts[branch].keep)
        return "what ends it is no comparison of the slice";
    if (!cs_dom_dominates(&s->dom, l->test, l->latch))
        return "its end is not asked for in each turn";
    return NULL;
}

/* Why turns are not alike even if they begin with the same; or sets why one turn does not show all. */
static const char *why_not_flow(const struct search *s, struct cs_alike_loop *l)
{
    int ends = find_ends(s, &l->test);
    if (ends <= 0)
        return "it has no end, or one that is no branch";
    l->once = ends == 1 ? why_not_test(s, l) : "it has more than one end";
    l->compared = l->once != NULL;
    return NULL;
}

/* Where places are put that are told by what they are in, not by a parameter. */
struct named {
    struct cs_touches *to;
    struct cs_touch proto;
};

static void name_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct named *n = arg;
    n->proto.obj = obj;
    n->proto.pat = pat;
    n->proto.size = size;
    cs_touches_add(n->to, n->proto);
}

/* The same places, none of them behind a parameter. */
static struct cs_touches named(struct search *s, const struct cs_touches *places)
{
    struct cs_touches all = {0};
    for (int i = 0; i < places->n; i++) {
        struct named n = {&all, places->a[i]};
        int via = n.proto.via;
        n.proto.via = -1;
        if (via < 0) {
            cs_touches_add(&all, n.proto);
            continue;
        }
        struct cs_operand base = cs_opnd_value(s->g->funcs[s->func].params[via]);
        struct cs_ref r = {base, n.proto.pat, n.proto.size};
        cs_pts_accesses(s->t.pts, &r, name_place, &n);
    }
    return all;
}

/* ---- what is carried ---- */

/* Can a function be called while it runs? From `func` over calls. */
static bool reaches(const struct search *s, int from, int func, bool *seen)
{
    for (int i = 0; i < s->g->nstmts; i++) {
        const struct cs_stmt *st = &s->g->stmts[i];
        if (st->func != from || st->kind != CS_STMT_CALL || !st->keep)
            continue;
        const struct cs_intset *c = cs_pts_callees(s->t.pts, i);
        for (int k = 0; k < c->n; k++) {
            if (c->a[k] == func)
                return true;
            if (!seen[c->a[k]]) {
                seen[c->a[k]] = true;
                if (reaches(s, c->a[k], func, seen))
                    return true;
            }
        }
    }
    return false;
}

static bool is_recursive(const struct search *s, int func)
{
    bool *seen = cs_calloc(s->g->nfuncs + 1, sizeof *seen);
    bool is = reaches(s, func, func, seen);
    free(seen);
    return is;
}

/* Is it one variable, which the loop's function can name? */
static bool can_be_compared(const struct search *s, int obj)
{
    if (obj < 0 || s->g->objs[obj].size <= 0)
        return false;
    const struct cs_obj *o = &s->g->objs[obj];
    return o->kind == CS_OBJ_GLOBAL || (o->kind == CS_OBJ_LOCAL && o->func == s->func && !is_recursive(s, s->func));
}

static void add_carried(struct cs_alike_loop *l, struct cs_carried c)
{
    for (int i = 0; i < l->ncarried; i++) {
        struct cs_carried *x = &l->carried[i];
        if (x->obj != c.obj || c.from > x->to || x->from > c.to)
            continue;
        c.from = c.from < x->from ? c.from : x->from;
        c.to = c.to > x->to ? c.to : x->to;
        *x = l->carried[--l->ncarried];
        i = -1; /* it may touch another one now */
    }
    CS_GROW(l->carried, l->ncarried, l->acarried);
    l->carried[l->ncarried++] = c;
}

/* The bytes of a place that is read: all of the variable, if they are not known. */
static struct cs_carried bytes_of(const struct search *s, const struct cs_touch *r)
{
    const struct cs_obj *o = &s->g->objs[r->obj];
    bool known = r->pat.stride == 0 && r->size > 0 && !o->common && r->pat.off >= 0 && r->pat.off + r->size <= o->size;
    return known ? (struct cs_carried){r->obj, r->pat.off, r->pat.off + r->size}
                 : (struct cs_carried){r->obj, 0, o->size};
}

static int64_t bytes_carried(const struct cs_alike_loop *l)
{
    int64_t sum = 0;
    for (int i = 0; i < l->ncarried; i++)
        sum += l->carried[i].to - l->carried[i].from;
    return sum;
}

/* Of a place that is read and one that is written: notes it if both may be the same. False if it cannot be compared. */
static bool carry(const struct search *s, struct cs_alike_loop *l, const struct cs_touch *r, const struct cs_touch *w)
{
    if (r->obj != w->obj || !cs_pat_overlap(r->pat, r->size, w->pat, w->size))
        return true;
    if (r->request && w->request) {
        l->requests = true;
        return true;
    }
    l->compared = true;
    l->once = "a turn reads what an earlier one wrote";
    l->at = r->stmt;
    if (!can_be_compared(s, r->obj))
        return false;
    add_carried(l, bytes_of(s, r));
    return bytes_carried(l) <= CS_CARRIED_MOST;
}

/* What computes the operand, in the loop, as this kind of statement. NULL: nothing does. */
static const struct cs_stmt *made_in_loop(const struct search *s, struct cs_operand v, enum cs_stmt_kind kind)
{
    int def = v.kind == CS_OPND_VALUE ? s->g->values[v.id].def : -1;
    const struct cs_stmt *st = def >= 0 ? &s->g->stmts[def] : NULL;
    return st && st->kind == kind && st->func == s->func && s->in[st->block] ? st : NULL;
}

static bool same_ref(const struct cs_ref *a, const struct cs_ref *b)
{
    return cs_opnd_same(a->base, b->base) && a->size == b->size && a->pat.off == b->pat.off &&
           a->pat.stride == b->pat.stride;
}

/* Does the statement add a constant to what is there, in each turn? A multiple of 256 comes round too soon. */
static bool adds_constant(const struct search *s, const struct cs_stmt *st, int latch)
{
    if (st->kind != CS_STMT_STORE || st->func != s->func || st->partial || st->nuses != 1 ||
        !cs_dom_dominates(&s->dom, st->block, latch))
        return false;
    const struct cs_stmt *sum = made_in_loop(s, st->uses[0], CS_STMT_ASSIGN);
    if (!sum || sum->op != CS_OP_ADD || sum->nuses != 2 || sum->uses[1].kind != CS_OPND_CONST ||
        sum->uses[1].pat.off % 256 == 0)
        return false;
    const struct cs_stmt *load = made_in_loop(s, sum->uses[0], CS_STMT_LOAD);
    return load && same_ref(&load->load, &st->store);
}

/* The statement by which a variable of 4 bytes or more goes on by a constant in each turn, if nothing else writes it:
 * it is the same again after more turns than a run makes. -1: there is none. Of such a loop nothing needs to be told:
 * its turns never begin alike, and all of them run. */
static int find_endless(const struct search *s, const struct cs_alike_loop *l, const struct cs_touches *written)
{
    for (int i = 0; i < written->n; i++) {
        const struct cs_touch *w = &written->a[i];
        bool carried = false;
        for (int k = 0; k < l->ncarried; k++)
            carried |= l->carried[k].obj == w->obj && w->exact && w->size >= 4 && l->carried[k].from <= w->pat.off &&
                       w->pat.off + w->size <= l->carried[k].to;
        if (!carried || !adds_constant(s, &s->g->stmts[w->stmt], l->latch))
            continue;
        bool alone = true;
        for (int k = 0; k < written->n; k++)
            alone &= k == i || written->a[k].obj != w->obj ||
                     !cs_pat_overlap(written->a[k].pat, written->a[k].size, w->pat, w->size);
        if (alone)
            return w->stmt;
    }
    return -1;
}

/* Finds what a turn may read that an earlier turn wrote. Or why it cannot be compared, or need not be; l->at shows it.
 */
static const char *find_carried(struct search *s, const struct cs_memory *m, struct cs_alike_loop *l)
{
    struct cs_touches before = named(s, &m->before), written = named(s, &m->written);
    bool all = true;
    for (int i = 0; i < before.n && all; i++)
        for (int k = 0; k < written.n && all; k++)
            all = carry(s, l, &before.a[i], &written.a[k]);
    int endless = all ? find_endless(s, l, &written) : -1;
    cs_touches_free(&before);
    cs_touches_free(&written);
    l->at = endless >= 0 ? endless : l->at;
    return !all ? l->once : endless >= 0 ? "a variable goes on by the same in each turn" : NULL;
}

static void look_at_memory(struct search *s, struct cs_alike_loop *l)
{
    struct cs_memory m = cs_memory_of(s->memories, s->func, s->in, l->header);
    l->why = m.why;
    l->at = m.at;
    if (!l->why)
        l->why = find_carried(s, &m, l);
    cs_memory_free(&m);
}

static void look_at_loop(struct search *s, int header, int latch)
{
    struct cs_alike_loop l = {.func = s->func, .header = header, .latch = latch, .test = -1, .at = -1};
    find_body(s, header, latch);
    if (!talks(s))
        return;
    l.why = s->stateful[s->func] ? "an assumption counts in it" : why_not_flow(s, &l);
    if (!l.why)
        look_at_memory(s, &l);
    CS_GROW(s->out->loop, s->out->n, s->out->cap);
    s->out->loop[s->out->n++] = l;
}

/* The one edge back to the header, if it is a header at all. -1: there is none; -2: there are several. */
static int latch_of(const struct search *s, int header)
{
    int latch = -1;
    for (int i = 0; i < s->preds[header].n; i++)
        if (cs_dom_dominates(&s->dom, header, s->preds[header].a[i]))
            latch = latch == -1 ? s->preds[header].a[i] : -2;
    return latch;
}

static void look_at_function(struct search *s)
{
    const struct cs_func *f = &s->g->funcs[s->func];
    s->preds = cs_calloc(f->nblocks + 1, sizeof *s->preds);
    s->in = cs_calloc(f->nblocks + 1, sizeof *s->in);
    cs_dom_compute(s->g, s->func, &s->dom);
    find_preds(s);
    for (int b = 0; b < f->nblocks; b++) {
        int latch = f->blocks[b].reachable ? latch_of(s, b) : -1;
        if (latch >= 0)
            look_at_loop(s, b, latch);
    }
    for (int b = 0; b < f->nblocks; b++)
        cs_intlist_free(&s->preds[b]);
    free(s->preds);
    free(s->in);
    cs_dom_free(&s->dom);
}

/* ---- all loops ---- */

/* Functions that run when the graph does not show it may change what a loop reads at any time. */
static bool runs_at_any_time(const struct cs_graph *g, struct cs_pts *pts)
{
    for (int f = 0; f < g->nfuncs; f++)
        if (g->funcs[f].defined && g->funcs[f].needed && cs_pts_escaped(pts, g->funcs[f].obj))
            return true;
    return false;
}

/* By value: the number of the parameter that it is, or -1. The caller frees. */
static int *params(const struct cs_graph *g)
{
    int *of = cs_calloc(g->nvalues + 1, sizeof *of);
    for (int v = 0; v < g->nvalues; v++)
        of[v] = -1;
    for (int f = 0; f < g->nfuncs; f++)
        for (int k = 0; k < g->funcs[f].nparams; k++)
            if (g->funcs[f].params && g->funcs[f].params[k] >= 0)
                of[g->funcs[f].params[k]] = k;
    return of;
}

void cs_alike_find(struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts, const bool *stateful,
                   struct cs_alike_loops *out)
{
    struct cs_graph s = sliced(g);
    out->registers = cs_registers_find(g);
    struct search search = {.g = &s, .t = {&s, ms, pts, out->registers}, .stateful = stateful, .out = out};
    search.t.param_of = params(g);
    search.memories = cs_memories_new(&search.t, stateful);
    if (!cs_pts_widened(pts) && !cs_pts_closed(pts) && !runs_at_any_time(g, pts))
        for (int f = 0; f < s.nfuncs; f++) {
            search.func = f;
            if (s.funcs[f].defined && s.funcs[f].nblocks && cs_memories_talks(search.memories, f))
                look_at_function(&search);
        }
    cs_memories_free(search.memories);
    free(search.t.param_of);
    free_sliced(&s);
}

void cs_alike_free(struct cs_alike_loops *l)
{
    for (int i = 0; i < l->n; i++)
        free(l->loop[i].carried);
    free(l->loop);
    free(l->registers);
    *l = (struct cs_alike_loops){0};
}
