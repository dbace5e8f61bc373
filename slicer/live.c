/* SPDX-License-Identifier: GPL-3.0-or-later
 * The mark phase. Tiny mark_*() functions in the manner of tree-ssa-dce.cc: each says what becomes LIVE and why.
 * Calling context: a callee's stores and loads through a parameter count at a call site only for what that site's argument can
 * point to, so a utility called once for LIVE data does not make its other calls LIVE. */
#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "channels.h"

/* Who may write an object: a statement, where, and how it goes on from there. */
enum writer_kind { W_STORE, W_COPY, W_CALL_RESULT, W_MODEL, W_MODEL_COPY };
struct writer { enum writer_kind kind; int stmt, index, via; struct cs_pattern pat; int64_t size; };
struct writers { struct writer *w; int n, cap; };

struct live_pat { struct cs_pattern pat; int64_t size; };
struct live_obj { struct live_pat *p; int n, cap; };

/* Something a function reads or writes through parameter `via` (-1: directly). */
struct access { int obj, via; struct cs_pattern pat; int64_t size; int stmt; };
/* A set of accesses, to ask whether one is new. Effects differ by object and parameter alone. */
struct seen { struct { struct cs_pattern pat; int64_t size; int obj, via; } key; UT_hash_handle hh; };

struct func_info {
    struct seen *seen_reads, *seen_effects;
    struct cs_intlist calls;         /* call statements that may reach it */
    struct cs_intlist kept_calls;
    struct access *reads; int nreads, areads;
    struct access *effects; int neffects, aeffects;
    int *param_why;                  /* statement that needs parameter i, -1 */
    int result_why;                  /* statement that needs the result, -1 */
    bool recursive;
    struct cs_intlist returns;
};

struct value_info { bool live; int param; signed char origin_state; int origin; };

struct cs_live {
    struct cs_graph *g;
    struct cs_models *ms;
    struct cs_pts *pts;
    struct cs_cdep *cdep;
    struct cs_channels ch;
    struct writers *writers; int nobjs;
    struct live_obj *objs;
    struct func_info *fi;
    struct value_info *vi;
    struct cs_intlist work;
    bool *result_needed;             /* call statements */
    bool dump;
};

static void mark_stmt(struct cs_live *l, int s, enum cs_reason why, int parent);
static void need_place(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int parent);

/* ---- values ---- */

/* The parameter that a pointer value is made from by moves and offsets alone, or -1. */
static int origin(struct cs_live *l, int v)
{
    struct value_info *vi = &l->vi[v];
    if (vi->origin_state == 2) return vi->origin;
    if (vi->origin_state == 1) return -2;     /* in a cycle: whatever the others say */
    vi->origin_state = 1;
    int result = -1, d = l->g->values[v].def;
    if (d < 0) {
        result = vi->param;
    } else {
        struct cs_stmt *s = &l->g->stmts[d];
        bool moves = s->kind == CS_STMT_PHI || (s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_COPY || s->op == CS_OP_PTRADD || s->op == CS_OP_FIELD));
        int n = s->kind == CS_STMT_PHI ? s->nuses : 1;
        result = -2;
        for (int i = 0; moves && i < n && i < s->nuses; i++) {
            int o = s->uses[i].kind == CS_OPND_VALUE ? origin(l, s->uses[i].id) : -1;
            if (o == -2) continue;
            result = result == -2 || result == o ? o : -1;
        }
        if (!moves || result == -2) result = -1;
    }
    vi = &l->vi[v];
    vi->origin = result;
    vi->origin_state = 2;
    return result;
}

static int ref_via(struct cs_live *l, const struct cs_ref *r)
{
    return r->base.kind == CS_OPND_VALUE ? origin(l, r->base.id) : -1;
}

static bool may_point_to(struct cs_live *l, struct cs_operand op, int obj)
{
    const struct cs_intset *s = cs_pts_operand(l->pts, op);
    for (int i = 0; i < s->n; i++)
        if (cs_pts_loc(l->pts, s->a[i])->obj == obj) return true;
    return false;
}

static void need_operand(struct cs_live *l, struct cs_operand op, int parent, enum cs_reason why);

static void need_param(struct cs_live *l, int func, int k, int parent)
{
    struct func_info *f = &l->fi[func];
    if (f->param_why[k] >= 0) return;
    f->param_why[k] = parent;
    for (int i = 0; i < f->kept_calls.n; i++) {
        int c = f->kept_calls.a[i];
        if (k < l->g->stmts[c].nuses) need_operand(l, l->g->stmts[c].uses[k], parent, CS_WHY_PARAM);
    }
}

static void need_value(struct cs_live *l, int v, int parent, enum cs_reason why)
{
    if (l->vi[v].live) return;
    l->vi[v].live = true;
    int d = l->g->values[v].def;
    if (d >= 0) {
        if (l->g->stmts[d].kind == CS_STMT_CALL) l->result_needed[d] = true;
        mark_stmt(l, d, why, parent);
        if (l->g->stmts[d].kind == CS_STMT_CALL) cs_intlist_add(&l->work, d);
    } else if (l->vi[v].param >= 0) {
        need_param(l, l->g->values[v].func, l->vi[v].param, parent);
    }
}

static void need_operand(struct cs_live *l, struct cs_operand op, int parent, enum cs_reason why)
{
    if (op.kind == CS_OPND_VALUE) need_value(l, op.id, parent, why);
}

/* ---- memory ---- */

struct place_ctx { struct cs_live *l; int parent, func, via; };

static bool owned(struct cs_live *l, int obj, int func)
{
    const struct cs_obj *o = &l->g->objs[obj];
    return o->kind == CS_OBJ_LOCAL && o->func == func && !l->fi[func].recursive;
}

/* One call site passes a read of its callee on: through its own parameter, or to the place itself. */
static void read_at_call(struct cs_live *l, int call, const struct access *a);

/* False if it was there before. */
static bool note_access(struct seen **set, int obj, int via, struct cs_pattern pat, int64_t size)
{
    struct seen *e = cs_calloc(1, sizeof *e), *old;
    e->key.pat = pat;
    e->key.size = size;
    e->key.obj = obj;
    e->key.via = via;
    HASH_FIND(hh, *set, &e->key, sizeof e->key, old);
    if (old) { free(e); return false; }
    HASH_ADD(hh, *set, key, sizeof e->key, e);
    return true;
}

static void forget_accesses(struct seen **set)
{
    struct seen *e, *next;
    HASH_ITER(hh, *set, e, next) {
        HASH_DEL(*set, e);
        free(e);
    }
}

static void add_read(struct cs_live *l, int func, struct access a)
{
    struct func_info *f = &l->fi[func];
    if (!note_access(&f->seen_reads, a.obj, a.via, a.pat, a.size)) return;
    CS_GROW(f->reads, f->nreads, f->areads);
    f->reads[f->nreads++] = a;
    for (int i = 0; i < l->fi[func].kept_calls.n; i++) read_at_call(l, l->fi[func].kept_calls.a[i], &a);
}

static bool has_outside_callers(struct cs_live *l, int func)
{
    return l->g->funcs[func].is_entry || cs_pts_escaped(l->pts, l->g->funcs[func].obj);
}

static void read_place(struct cs_live *l, int func, int via, int obj, struct cs_pattern pat, int64_t size, int parent)
{
    if (via < 0 || has_outside_callers(l, func)) need_place(l, obj, pat, size, parent);
    else add_read(l, func, (struct access){ obj, via, pat, size, parent });
}

static bool is_plain_call(struct cs_live *l, int call, int func)
{
    const struct cs_intset *cs = cs_pts_callees(l->pts, call);
    (void)func;
    for (int i = 0; i < cs->n; i++)
        if (!l->g->funcs[cs->a[i]].defined) return false;   /* callbacks: arguments are the library's */
    return true;
}

static void read_at_call(struct cs_live *l, int call, const struct access *a)
{
    struct cs_stmt *s = &l->g->stmts[call];
    if (a->via >= s->nuses || !is_plain_call(l, call, -1)) {
        need_place(l, a->obj, a->pat, a->size, a->stmt);
        return;
    }
    struct cs_operand actual = s->uses[a->via];
    if (!may_point_to(l, actual, a->obj)) return;
    int via = actual.kind == CS_OPND_VALUE ? origin(l, actual.id) : -1;
    read_place(l, s->func, via, a->obj, a->pat, a->size, a->stmt);
}

static void read_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct place_ctx *c = arg;
    read_place(c->l, c->func, c->via, obj, pat, size, c->parent);
}

static void need_ref(struct cs_live *l, const struct cs_ref *r, int func, int parent)
{
    struct place_ctx c = { l, parent, func, ref_via(l, r) };
    need_operand(l, r->base, parent, CS_WHY_DATA);
    cs_pts_places(l->pts, r, read_cb, &c);
}

/* The part of a copy's source that reaches the LIVE part of its target. */
struct copy_ctx { struct cs_live *l; int parent, func, via; struct cs_pattern dst, live; int64_t dsize, lsize; };

static int64_t wrap(int64_t a, int64_t m)
{
    return (a % m + m) % m;
}

/* From one known place to another: what is LIVE of the target, moved. False if nothing is. */
static bool moved_part(const struct copy_ctx *c, struct cs_pattern src, struct cs_pattern *part, int64_t *psize)
{
    int64_t end = c->dsize >= 0 ? c->dst.off + c->dsize : CS_OFF_MAX, by = src.off - c->dst.off;
    if (c->live.stride) {
        int64_t below = c->dst.off - c->lsize + 1, lo = c->live.lo > below ? c->live.lo : below, hi = c->live.hi < end ? c->live.hi : end;
        int64_t first = lo + wrap(c->live.off - lo, c->live.stride);
        bool one = first + c->live.stride >= hi;
        *part = one ? cs_pat_at(first + by) : (struct cs_pattern){ wrap(first + by, c->live.stride), c->live.stride, lo + by, hi + by };
        *psize = c->lsize;
        return first < hi;
    }
    int64_t lo = c->live.off > c->dst.off ? c->live.off : c->dst.off, hi = c->lsize >= 0 ? c->live.off + c->lsize : end;
    if (hi > end) hi = end;
    *part = cs_pat_compose(src, cs_pat_at(lo - c->dst.off));
    *psize = hi - lo;
    return lo < hi;
}

/* Into an element of an array, wherever: what is LIVE of every element. */
static bool element_part(const struct copy_ctx *c, struct cs_pattern src, struct cs_pattern *part, int64_t *psize)
{
    int64_t in = wrap(c->live.off - c->dst.off, c->dst.stride), end = in + c->lsize < c->dsize ? in + c->lsize : c->dsize;
    *part = cs_pat_compose(src, cs_pat_at(in));
    *psize = end - in;
    return in < end;
}

static void copy_cb(void *arg, int obj, struct cs_pattern src, int64_t size)
{
    struct copy_ctx *c = arg;
    struct cs_pattern part = src;
    int64_t psize = size, S = c->dst.stride;
    bool moved = S == 0 && (c->live.stride == 0 || (src.stride == 0 && c->lsize >= 0)) && (c->lsize >= 0 || c->dsize >= 0);
    bool element = S > 0 && c->dsize >= 0 && c->dsize <= S && c->lsize >= 0 && c->live.stride % S == 0
        && wrap(c->live.off - c->dst.off, S) + c->lsize <= S;
    if (moved && !moved_part(c, src, &part, &psize)) return;
    if (element && !element_part(c, src, &part, &psize)) return;
    read_place(c->l, c->func, c->via, obj, part, psize, c->parent);
}

static void need_copy_source(struct cs_live *l, const struct cs_ref *src, int func, int parent, const struct writer *w, const struct live_pat *lp)
{
    struct copy_ctx c = { l, parent, func, ref_via(l, src), w->pat, lp->pat, w->size, lp->size };
    cs_pts_places(l->pts, src, copy_cb, &c);
}

static void need_call_result_place(struct cs_live *l, int call, const struct writer *w, const struct live_pat *lp)
{
    const struct cs_intset *callees = cs_pts_callees(l->pts, call);
    l->result_needed[call] = true;
    mark_stmt(l, call, CS_WHY_MEMORY, -1);
    cs_intlist_add(&l->work, call);
    for (int i = 0; i < callees->n; i++) {
        int ro = l->g->funcs[callees->a[i]].result_obj;
        if (ro < 0) continue;
        struct cs_ref src = { cs_opnd_addr(ro, cs_pat_at(0)), cs_pat_at(0), w->size };
        need_copy_source(l, &src, callees->a[i], call, w, lp);
    }
}

struct unit_query { struct cs_live *l; struct cs_intset units; bool any; };

/* The library does not change the unit number in its parameter block, so the program's own stores tell it. */
static void unit_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct unit_query *q = arg;
    const struct writers *ws = &q->l->writers[obj];
    for (int i = 0; i < ws->n; i++) {
        if (ws->w[i].kind == W_MODEL || !cs_pat_overlap(ws->w[i].pat, ws->w[i].size, pat, size)) continue;
        const struct cs_stmt *s = &q->l->g->stmts[ws->w[i].stmt];
        int64_t c;
        if (s->kind == CS_STMT_STORE && ws->w[i].size == 4 && s->nuses && cs_pts_constant(q->l->pts, s->uses[0], &c)) cs_intset_add(&q->units, (int)c);
        else q->any = true;
    }
}

/* The units that a Fortran I/O call may mean; empty: any. The caller frees. */
static struct cs_intset unit_numbers(struct cs_live *l, const struct cs_model *m)
{
    struct unit_query q = { l, { 0 }, false };
    int load = l->g->values[m->unit_value].def;
    cs_pts_places(l->pts, &l->g->stmts[load].load, unit_cb, &q);
    if (q.any) q.units.n = 0;
    return q.units;
}

static bool terminal_unit(struct cs_live *l, const struct cs_model *m)
{
    struct cs_intset units = unit_numbers(l, m);
    bool terminal = units.n > 0;
    for (int i = 0; i < units.n; i++) terminal &= units.a[i] == 0 || units.a[i] == 6 || units.a[i] == -1;
    cs_intset_free(&units);
    return terminal;
}

/* Output to the terminal, or to a string, is no change of the file system. */
static bool guard_blocks(struct cs_live *l, const struct cs_model *m, const struct cs_mwrite *w)
{
    if (w->guard != CS_GUARD_STREAM) return false;
    if (m->unit_value >= 0) return terminal_unit(l, m);
    const struct cs_intset *s = cs_pts_operand(l->pts, w->guard_op);
    if (s->n == 0) return false;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, s->a[i]);
        if (loc->obj == CS_LOC_CONST && (loc->pat.off == 1 || loc->pat.off == 2)) continue;
        if (loc->obj < 0) return false;
        const char *n = cs_obj_name(l->g, loc->obj);
        if (strcmp(n, "h:stdout") && strcmp(n, "h:stderr")) return false;
    }
    return true;
}

static void add_effect(struct cs_live *l, int func, struct access a);

/* A kept statement writes a LIVE place: the calls that lead to it must stay, as far as they can mean this object. */
static void write_is_effect(struct cs_live *l, int obj, const struct writer *w)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    if (s->kind != CS_STMT_RETURN) add_effect(l, s->func, (struct access){ obj, w->via, w->pat, w->size, w->stmt });
}

static void trigger(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *lp, int parent)
{
    struct cs_stmt *s = &l->g->stmts[w->stmt];
    if (w->kind == W_MODEL && guard_blocks(l, &l->ms->m[w->index >> 12], &l->ms->m[w->index >> 12].writes[w->index & 4095])) return;
    write_is_effect(l, obj, w);
    switch (w->kind) {
    case W_STORE: mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent); return;
    case W_COPY:
        mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent);
        need_copy_source(l, &l->g->stmts[w->stmt].load, s->func, w->stmt, w, lp);
        return;
    case W_CALL_RESULT: need_call_result_place(l, w->stmt, w, lp); return;
    case W_MODEL_COPY: {
        struct cs_mcopy c = l->ms->m[w->index >> 12].copies[w->index & 4095];
        mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent);
        need_copy_source(l, &c.src, s->func, w->stmt, w, lp);
        return;
    }
    case W_MODEL: {
        const struct cs_mwrite *mw = &l->ms->m[w->index >> 12].writes[w->index & 4095];
        if (mw->level == CS_LEVEL_KEPT) mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent);
        else cs_live_mark(l, w->stmt, mw->level, parent);
        return;
    }
    }
}

/* A line for every place that becomes LIVE, in the manner of GCC's dump files: COMMSLICE_DUMP=1 at the link. */
static void dump_place(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int parent)
{
    const struct cs_stmt *s = parent >= 0 ? &l->g->stmts[parent] : NULL;
    fprintf(stderr, "LIVE %s#%d off %lld stride %lld size %lld for stmt %d at %s:%d\n", cs_obj_name(l->g, obj), obj, (long long)pat.off,
            (long long)pat.stride, (long long)size, parent, s ? cs_graph_str(l->g, s->file) : "", s ? s->line : 0);
}

static void dump_writer(struct cs_live *l, int obj, const struct writer *w, int parent)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    fprintf(stderr, "WRITER stmt %d at %s:%d of %s#%d off %lld stride %lld [%lld,%lld) size %lld for stmt %d\n", w->stmt, cs_graph_str(l->g, s->file),
            s->line, cs_obj_name(l->g, obj), obj, (long long)w->pat.off, (long long)w->pat.stride, (long long)w->pat.lo, (long long)w->pat.hi,
            (long long)w->size, parent);
}

static void need_place(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int parent)
{
    struct live_obj *lo = &l->objs[obj];
    for (int i = 0; i < lo->n; i++)
        if (lo->p[i].size == size && cs_pat_covers(lo->p[i].pat, pat)) return;
    CS_GROW(lo->p, lo->n, lo->cap);
    lo->p[lo->n++] = (struct live_pat){ pat, size };
    if (l->dump) dump_place(l, obj, pat, size, parent);
    struct live_pat lp = { pat, size };
    for (int i = 0; i < l->writers[obj].n; i++) {
        struct writer w = l->writers[obj].w[i];
        if (!cs_pat_overlap(w.pat, w.size, pat, size)) continue;
        if (l->dump) dump_writer(l, obj, &w, parent);
        trigger(l, obj, &w, &lp, parent);
    }
    /* A struct parameter is filled by every kept call. */
    const struct cs_obj *o = &l->g->objs[obj];
    if (o->kind != CS_OBJ_LOCAL || o->func < 0) return;
    const struct cs_func *f = &l->g->funcs[o->func];
    for (int k = 0; k < f->nparams; k++)
        for (int i = 0; f->param_objs[k] == obj && i < l->fi[o->func].kept_calls.n; i++)
            cs_intlist_add(&l->work, l->fi[o->func].kept_calls.a[i]);
}

/* ---- effects of functions on their callers ---- */

static void effect_at_call(struct cs_live *l, int call, const struct access *a);

static void add_effect(struct cs_live *l, int func, struct access a)
{
    struct func_info *f = &l->fi[func];
    if (a.obj >= 0 && owned(l, a.obj, func)) return;
    if (!note_access(&f->seen_effects, a.obj, a.via, cs_pat_any(), 0)) return;
    CS_GROW(f->effects, f->neffects, f->aeffects);
    f->effects[f->neffects++] = a;
    for (int i = 0; i < l->fi[func].calls.n; i++) effect_at_call(l, l->fi[func].calls.a[i], &a);
}

static void effect_at_call(struct cs_live *l, int call, const struct access *a)
{
    struct cs_stmt *s = &l->g->stmts[call];
    struct access up = { a->obj, -1, a->pat, a->size, call };
    if (a->via >= 0 && a->via < s->nuses && is_plain_call(l, call, -1)) {
        struct cs_operand actual = s->uses[a->via];
        if (!may_point_to(l, actual, a->obj)) return;
        up.via = actual.kind == CS_OPND_VALUE ? origin(l, actual.id) : -1;
    }
    mark_stmt(l, call, CS_WHY_CALL, a->stmt);
    add_effect(l, s->func, up);
}

static void root_effect(struct cs_live *l, int s)
{
    add_effect(l, l->g->stmts[s].func, (struct access){ -1, -1, cs_pat_any(), -1, s });
}

/* ---- control ---- */

static void mark_branch(struct cs_live *l, int func, int block, int parent)
{
    if (cs_block_ways(&l->g->funcs[func].blocks[block]) < 2) return;
    int b = cs_block_branch(l->g, func, block);
    if (b >= 0) mark_stmt(l, b, CS_WHY_CONTROL, parent);
}

static void mark_control(struct cs_live *l, int func, int block, int parent)
{
    const struct cs_intlist *on = &l->cdep[func].on[block];
    for (int i = 0; i < on->n; i++) mark_branch(l, func, on->a[i], parent);
}

static bool edge_live(const struct cs_block *from, int to)
{
    for (int i = 0; i < from->nsuccs; i++)
        if (from->succs[i] == to && !from->never[i]) return from->reachable;
    return false;
}

/* A merge depends on the branches that choose the way to it. */
static void process_phi(struct cs_live *l, int s)
{
    const struct cs_func *f = &l->g->funcs[l->g->stmts[s].func];
    int func = l->g->stmts[s].func, n = l->g->stmts[s].nuses, live = 0, block = l->g->stmts[s].block;
    for (int i = 0; i < n; i++) live += edge_live(&f->blocks[l->g->stmts[s].phi_preds[i]], block);
    for (int i = 0; i < n; i++) {
        int pred = l->g->stmts[s].phi_preds[i];
        if (!edge_live(&f->blocks[pred], block)) continue;
        need_operand(l, l->g->stmts[s].uses[i], s, CS_WHY_DATA);
        if (live < 2) continue;
        mark_branch(l, func, pred, s);
        mark_control(l, func, pred, s);
    }
}

/* ---- calls ---- */

static void process_defined_call(struct cs_live *l, int s, int func)
{
    struct func_info *f = &l->fi[func];
    struct cs_stmt *st = &l->g->stmts[s];
    bool first = true;
    for (int i = 0; i < f->kept_calls.n; i++)
        if (f->kept_calls.a[i] == s) first = false;
    if (first) cs_intlist_add(&f->kept_calls, s);
    if (l->result_needed[s] && f->result_why < 0) {
        f->result_why = s;
        for (int i = 0; i < f->returns.n; i++) mark_stmt(l, f->returns.a[i], CS_WHY_RETURN, s);
    }
    if (!is_plain_call(l, s, func))   /* the library may look at what a callback returns */
        for (int i = 0; i < f->returns.n; i++) mark_stmt(l, f->returns.a[i], CS_WHY_RETURN, s);
    for (int k = 0; k < st->narg_loads; k++) {
        int arg = st->arg_loads[k].arg, po = arg < l->g->funcs[func].nparams ? l->g->funcs[func].param_objs[arg] : -1;
        need_operand(l, st->arg_loads[k].ref.base, s, CS_WHY_DATA);
        if (po < 0) continue;
        struct writer w = { W_COPY, s, 0, -1, cs_pat_at(0), st->arg_loads[k].ref.size };
        for (int i = 0; i < l->objs[po].n; i++) {
            struct live_pat lp = l->objs[po].p[i];
            need_copy_source(l, &l->g->stmts[s].arg_loads[k].ref, st->func, s, &w, &lp);
        }
    }
    if (!first) return;
    for (int k = l->g->funcs[func].nparams; k < l->g->stmts[s].nuses; k++) need_operand(l, l->g->stmts[s].uses[k], s, CS_WHY_PARAM);
    for (int k = 0; k < l->g->funcs[func].nparams; k++)
        if (f->param_why[k] >= 0 && k < l->g->stmts[s].nuses) need_operand(l, l->g->stmts[s].uses[k], f->param_why[k], CS_WHY_PARAM);
    for (int i = 0; i < l->fi[func].nreads; i++) {
        struct access a = l->fi[func].reads[i];
        read_at_call(l, s, &a);
    }
}

/* Memory behind the unit number of a Fortran I/O statement: one byte a unit; 0 and 6 are output only and have
 * none, nor has -1, a string. */
struct unit_ctx { struct cs_live *l; bool read; int stmt; };

static void unit_places(struct cs_live *l, const struct cs_model *m, void (*fn)(struct unit_ctx *, struct cs_pattern, int64_t), struct unit_ctx *c)
{
    struct cs_intset units = unit_numbers(l, m);
    if (units.n == 0) fn(c, cs_pat_any(), CS_SIZE_UNKNOWN);
    for (int i = 0; i < units.n; i++) {
        int unit = units.a[i];
        if (unit != 0 && unit != 6 && unit != -1) fn(c, cs_pat_at(unit >= 0 ? unit : 1 << 20), 1);
    }
    cs_intset_free(&units);
}

static void unit_read(struct unit_ctx *c, struct cs_pattern pat, int64_t size)
{
    need_place(c->l, c->l->ms->unit_obj, pat, size, c->stmt);
}

struct count_ctx { int n; bool exact; };

static void count_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct count_ctx *c = arg;
    (void)obj;
    (void)size;
    c->n++;
    c->exact = pat.stride == 0;
}

/* A broadcast that only meets itself, from one place, of one predefined type: the root's byte is the others' byte of the same
 * variable, so what is LIVE after it is LIVE before it, and no more of the message is. */
static bool copies_onto_itself(struct cs_live *l, int s, const struct cs_model *m, struct cs_operand read)
{
    int64_t type;
    struct count_ctx c = { 0, false };
    int load = l->g->values[read.id].def;
    if (s >= l->ch.nstmts || l->ch.peers[s].n || !cs_pts_constant(l->pts, m->type[0], &type) || (type & 0xff000000) != 0x4c000000) return false;
    cs_pts_places(l->pts, &l->g->stmts[load].load, count_cb, &c);
    return c.n == 1 && c.exact;
}

static void process_model_call(struct cs_live *l, int s, int mi)
{
    struct cs_model *m = &l->ms->m[mi];
    int level = m->mpi ? l->g->stmts[s].mark : 0;
    if (m->mpi && !(m->mpi->flags & CS_MPI_EVENT)) level = 2;
    if (!m->mpi) level = 2;
    for (int k = 0; k < m->nneeds; k++)
        if ((int)m->needs[k].level <= level && !(m->needs[k].own_content && copies_onto_itself(l, s, m, m->needs[k].op)))
            need_operand(l, m->needs[k].op, s, CS_WHY_DATA);
    for (int k = 0; k < m->ncopies; k++) {
        need_operand(l, m->copies[k].dst.base, s, CS_WHY_DATA);
        need_operand(l, m->copies[k].src.base, s, CS_WHY_DATA);
    }
    if (m->unit_value >= 0) {
        struct unit_ctx c = { l, true, s };
        unit_places(l, m, unit_read, &c);
    }
    if (m->opaque) {
        for (int o = 0; o < l->nobjs; o++)
            if (cs_pts_escaped(l->pts, o) && l->g->objs[o].kind != CS_OBJ_FUNC) need_place(l, o, cs_pat_any(), CS_SIZE_UNKNOWN, s);
        root_effect(l, s);
    }
}

static void process_call(struct cs_live *l, int s)
{
    const struct cs_intset *callees = cs_pts_callees(l->pts, s);
    if (l->g->stmts[s].callee.kind == CS_OPND_VALUE) need_operand(l, l->g->stmts[s].callee, s, CS_WHY_DATA);
    for (int i = 0; i < l->g->stmts[s].nidx; i++) need_value(l, l->g->stmts[s].idx[i], s, CS_WHY_DATA);
    if (l->g->stmts[s].has_store) need_operand(l, l->g->stmts[s].store.base, s, CS_WHY_DATA);
    for (int i = 0; i < callees->n; i++)
        if (l->g->funcs[callees->a[i]].defined) process_defined_call(l, s, callees->a[i]);
    if (s < l->ms->nstmts)
        for (int k = 0; k < l->ms->of_stmt[s].n; k++) process_model_call(l, s, l->ms->of_stmt[s].a[k]);
}

/* ---- statements ---- */

static void mark_stmt(struct cs_live *l, int s, enum cs_reason why, int parent)
{
    struct cs_stmt *st = &l->g->stmts[s];
    if (st->keep) return;
    st->keep = true;
    st->why = why;
    st->parent = parent;
    l->g->funcs[st->func].needed = true;
    cs_intlist_add(&l->work, s);
}

static void process(struct cs_live *l, int s)
{
    struct cs_stmt st = l->g->stmts[s];
    if (st.source < 0 && st.kind == CS_STMT_LOAD && st.parent >= 0) { /* pseudo: its place is that of the call */ }
    if (l->g->funcs[st.func].blocks[st.block].reachable) mark_control(l, st.func, st.block, s);
    if (st.kind == CS_STMT_CALL) { process_call(l, s); return; }
    if (st.kind == CS_STMT_PHI) { process_phi(l, s); return; }
    for (int i = 0; i < st.nuses; i++) need_operand(l, st.uses[i], s, CS_WHY_DATA);
    for (int i = 0; i < st.nidx; i++) need_value(l, st.idx[i], s, CS_WHY_DATA);
    if (st.has_store) need_operand(l, st.store.base, s, CS_WHY_DATA);
    if (st.has_load && st.kind != CS_STMT_COPY && !(st.kind == CS_STMT_RETURN && l->g->funcs[st.func].result_obj >= 0))
        need_ref(l, &st.load, st.func, s);
    else if (st.has_load)
        need_operand(l, st.load.base, s, CS_WHY_DATA);   /* copies: only the part that is LIVE, see trigger() */
}

static void drain(struct cs_live *l)
{
    while (l->work.n) process(l, l->work.a[--l->work.n]);
}

/* ---- marks ---- */

static const struct cs_model *mpi_model(struct cs_live *l, int s)
{
    const struct cs_model *found = NULL;
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        if (m->mpi && (!found || (m->mpi->flags & CS_MPI_EVENT))) found = m;
    }
    return found;
}

/* A call through a pointer that may be one of several MPI functions has no site of its own that a wrapper could trust,
 * so it happens as written. */
static bool is_mpi_pointer(struct cs_live *l, int s)
{
    const struct cs_model *m = mpi_model(l, s);
    return m && (m->mpi->flags & CS_MPI_EVENT) && l->g->stmts[s].callee.kind == CS_OPND_VALUE;
}

static bool completes(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_WAIT || c->kind == CS_MPI_WAIT_SOME || c->kind == CS_MPI_TEST;
}

/* The calls that made the requests which this call completes. */
static void mark_request_makers(struct cs_live *l, int s, const struct cs_model *m, int mark)
{
    const struct cs_intset *set = cs_pts_operand(l->pts, m->request);
    bool unknown = false;
    struct cs_intlist makers = { 0 };
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, set->a[i]);
        if (loc->obj >= 0 && l->g->objs[loc->obj].kind == CS_OBJ_HANDLE) cs_intlist_add(&makers, l->g->objs[loc->obj].stmt);
        else if (loc->obj >= 0) unknown = true;
    }
    /* "Any integer" beside handles is the null request, or memory before its first use. */
    unknown |= makers.n == 0;
    for (int k = 0; unknown && k < l->ms->n; k++) {
        const struct cs_model *o = &l->ms->m[k];
        if (o->mpi && (o->mpi->kind == CS_MPI_ISEND || o->mpi->kind == CS_MPI_IRECV || o->mpi->kind == CS_MPI_SEND_INIT || o->mpi->kind == CS_MPI_RECV_INIT
                       || (o->mpi->kind == CS_MPI_COLL && (o->mpi->flags & CS_MPI_NONBLOCKING))))
            cs_intlist_add(&makers, o->stmt);
    }
    for (int i = 0; i < makers.n; i++) cs_live_mark(l, makers.a[i], mark, s);
    cs_intlist_free(&makers);
}

void cs_live_mark(struct cs_live *l, int s, int mark, int parent)
{
    const struct cs_model *m = mpi_model(l, s);
    mark_stmt(l, s, CS_WHY_MESSAGE, parent);
    if (!m || !(m->mpi->flags & CS_MPI_EVENT) || l->g->stmts[s].mark >= mark) return;
    if (m->mpi->kind == CS_MPI_COLL || m->mpi->kind == CS_MPI_SENDRECV || is_mpi_pointer(l, s)) mark = 2;
    l->g->stmts[s].mark = mark;
    if (l->dump) fprintf(stderr, "MARK %d of stmt %d at line %d for stmt %d\n", mark, s, l->g->stmts[s].line, parent);
    cs_intlist_add(&l->work, s);
    for (int k = 0; k < l->ms->of_stmt[s].n; k++) {
        m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        if (m->mpi && completes(m->mpi)) mark_request_makers(l, s, m, mark);
    }
    if (s >= l->ch.nstmts) return;
    for (int i = 0; i < l->ch.senders[s].n; i++) cs_live_mark(l, l->ch.senders[s].a[i], mark, s);
    for (int i = 0; i < l->ch.receivers[s].n; i++) cs_live_mark(l, l->ch.receivers[s].a[i], 1, s);
    for (int i = 0; i < l->ch.peers[s].n; i++) cs_live_mark(l, l->ch.peers[s].a[i], mark, s);
}

/* ---- set-up ---- */

static bool reachable_stmt(struct cs_live *l, int s)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    return st->source >= -1 && cs_pts_func_reached(l->pts, st->func) && l->g->funcs[st->func].blocks[st->block].reachable;
}

struct writer_ctx { struct cs_live *l; struct writer w; };

static void writer_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct writer_ctx *c = arg;
    struct writers *ws = &c->l->writers[obj];
    struct writer w = c->w;
    w.pat = pat;
    w.size = size;
    CS_GROW(ws->w, ws->n, ws->cap);
    ws->w[ws->n++] = w;
}

static void add_writer(struct cs_live *l, enum writer_kind kind, int stmt, int index, const struct cs_ref *r)
{
    struct writer_ctx c = { l, { kind, stmt, index, ref_via(l, r), cs_pat_any(), -1 } };
    cs_pts_places(l->pts, r, writer_cb, &c);
}

static void unit_writer(struct unit_ctx *c, struct cs_pattern pat, int64_t size)
{
    struct cs_ref r = { cs_opnd_addr(c->l->ms->unit_obj, pat), cs_pat_at(0), size };
    add_writer(c->l, W_STORE, c->stmt, 0, &r);
}

static void model_writers(struct cs_live *l, int s)
{
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++) {
        int mi = l->ms->of_stmt[s].a[k];
        struct cs_model *m = &l->ms->m[mi];
        for (int i = 0; i < m->nwrites; i++) add_writer(l, W_MODEL, s, mi << 12 | i, &m->writes[i].ref);
        for (int i = 0; i < m->ncopies; i++) add_writer(l, W_MODEL_COPY, s, mi << 12 | i, &m->copies[i].dst);
    }
}

/* After all other writers: the unit numbers are found among them. */
static void unit_writers(struct cs_live *l)
{
    for (int i = 0; i < l->ms->n; i++) {
        struct unit_ctx c = { l, false, l->ms->m[i].stmt };
        if (l->ms->m[i].unit_value >= 0 && reachable_stmt(l, c.stmt)) unit_places(l, &l->ms->m[i], unit_writer, &c);
    }
}

static void note_stmt(struct cs_live *l, int s)
{
    struct cs_stmt *st = &l->g->stmts[s];
    switch (st->kind) {
    case CS_STMT_STORE: case CS_STMT_ENTRY: case CS_STMT_ASM: if (st->has_store) add_writer(l, W_STORE, s, 0, &st->store); break;
    case CS_STMT_COPY: add_writer(l, W_COPY, s, 0, &st->store); break;
    case CS_STMT_RETURN: {
        int ro = l->g->funcs[st->func].result_obj;
        struct cs_ref r = { cs_opnd_addr(ro, cs_pat_at(0)), cs_pat_at(0), st->load.size };
        cs_intlist_add(&l->fi[st->func].returns, s);
        if (st->has_load && ro >= 0) add_writer(l, W_COPY, s, 0, &r);
        break;
    }
    case CS_STMT_CALL: {
        const struct cs_intset *c = cs_pts_callees(l->pts, s);
        if (st->has_store) add_writer(l, W_CALL_RESULT, s, 0, &st->store);
        for (int i = 0; i < c->n; i++) cs_intlist_add(&l->fi[c->a[i]].calls, s);
        model_writers(l, s);
        break;
    }
    default: break;
    }
}

static void find_recursion(struct cs_live *l)
{
    int n = l->g->nfuncs;
    bool *seen = cs_calloc(n + 1, sizeof *seen);
    for (int f = 0; f < n; f++) {
        struct cs_intlist work = { 0 };
        memset(seen, 0, n * sizeof *seen);
        cs_intlist_add(&work, f);
        while (work.n && !l->fi[f].recursive) {
            int x = work.a[--work.n];
            for (int i = 0; i < l->fi[x].calls.n; i++) {
                int caller = l->g->stmts[l->fi[x].calls.a[i]].func;
                if (caller == f) l->fi[f].recursive = true;
                if (seen[caller]) continue;
                seen[caller] = true;
                cs_intlist_add(&work, caller);
            }
        }
        if (cs_pts_escaped(l->pts, l->g->funcs[f].obj)) l->fi[f].recursive = true;
        cs_intlist_free(&work);
    }
    free(seen);
}

struct cs_live *cs_live_new(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, struct cs_cdep *cdep)
{
    struct cs_live *l = cs_calloc(1, sizeof *l);
    l->g = g;
    l->ms = ms;
    l->pts = pts;
    l->cdep = cdep;
    l->dump = getenv("COMMSLICE_DUMP") != NULL;
    l->nobjs = g->nobjs;
    l->writers = cs_calloc(g->nobjs + 1, sizeof *l->writers);
    l->objs = cs_calloc(g->nobjs + 1, sizeof *l->objs);
    l->fi = cs_calloc(g->nfuncs + 1, sizeof *l->fi);
    l->vi = cs_calloc(g->nvalues + 1, sizeof *l->vi);
    l->result_needed = cs_calloc(g->nstmts + 1, sizeof *l->result_needed);
    for (int v = 0; v < g->nvalues; v++) l->vi[v].param = -1;
    for (int f = 0; f < g->nfuncs; f++) {
        l->fi[f].result_why = -1;
        l->fi[f].param_why = cs_calloc(g->funcs[f].nparams + 1, sizeof(int));
        for (int k = 0; k < g->funcs[f].nparams; k++) {
            l->fi[f].param_why[k] = -1;
            if (g->funcs[f].params[k] >= 0) l->vi[g->funcs[f].params[k]].param = k;
        }
    }
    for (int s = 0; s < g->nstmts; s++)
        if (reachable_stmt(l, s)) note_stmt(l, s);
    unit_writers(l);
    find_recursion(l);
    cs_channels_build(&l->ch, g, ms, pts, cdep);
    return l;
}

void cs_live_free(struct cs_live *l)
{
    for (int i = 0; i < l->nobjs; i++) {
        free(l->writers[i].w);
        free(l->objs[i].p);
    }
    for (int f = 0; f < l->g->nfuncs; f++) {
        cs_intlist_free(&l->fi[f].calls);
        cs_intlist_free(&l->fi[f].kept_calls);
        cs_intlist_free(&l->fi[f].returns);
        forget_accesses(&l->fi[f].seen_reads);
        forget_accesses(&l->fi[f].seen_effects);
        free(l->fi[f].reads);
        free(l->fi[f].effects);
        free(l->fi[f].param_why);
    }
    cs_channels_free(&l->ch);
    cs_intlist_free(&l->work);
    free(l->writers);
    free(l->objs);
    free(l->fi);
    free(l->vi);
    free(l->result_needed);
    free(l);
}

static bool is_root(struct cs_live *l, int s, enum cs_reason *why)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    *why = CS_WHY_EXIT;
    if (l->g->funcs[st->func].keep_all && st->source >= 0) return true;
    if (st->kind != CS_STMT_CALL) return false;
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        *why = CS_WHY_ROOT;
        if (m->mpi && (m->mpi->flags & CS_MPI_EVENT)) return true;
        *why = CS_WHY_OPAQUE;
        if (m->opaque) return true;
        *why = CS_WHY_EXIT;
        /* Error exits that are still there were not pruned: they may be meant, or the user wants them kept. */
        if (m->fx && m->fx->noret != CS_NORET_RETURNS) return true;
    }
    return false;
}

/* Arguments that no function which the call may reach looks at. */
static uint32_t unneeded_args(struct cs_live *l, int s)
{
    const struct cs_intset *c = cs_pts_callees(l->pts, s);
    uint32_t null = c->n ? UINT32_MAX : 0;
    for (int i = 0; i < c->n; i++) {
        const struct cs_func *f = &l->g->funcs[c->a[i]];
        if (!f->defined) return 0;
        for (int k = 0; k < 32; k++)
            if (k >= f->nparams || l->fi[c->a[i]].param_why[k] >= 0) null &= ~(UINT32_C(1) << k);     /* variadic: any may be asked for */
    }
    return null;
}

void cs_live_run(struct cs_live *l)
{
    for (int s = 0, n = l->g->nstmts; s < n; s++) {
        enum cs_reason why;
        if (!reachable_stmt(l, s) || !is_root(l, s, &why)) continue;
        mark_stmt(l, s, why, -1);
        if (is_mpi_pointer(l, s)) cs_live_mark(l, s, 2, -1);
        root_effect(l, s);
    }
    drain(l);
    for (int s = 0; s < l->g->nstmts; s++) {
        struct cs_stmt *st = &l->g->stmts[s];
        if (st->kind != CS_STMT_CALL || !st->keep) continue;
        st->drop_result = !l->result_needed[s];
        st->arg_null = unneeded_args(l, s);
    }
}
