/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calling context: what a callee reads and stores through a parameter counts at a call site only where that site's
 * argument can point to it. So a helper that is called once for LIVE data does not make its other calls LIVE. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

#define MAX_EFFECTS 200000 /* effects of functions that are told apart by when they are read */

/* The same of one function, where points-to takes nearly all as one: then whoever calls it is kept. */
#define MOST_EFFECTS 500

/* Is it a local variable, new in each run of the function? No caller sees what is written there. */
static bool owned(struct cs_live *l, int obj, int func)
{
    const struct cs_obj *o = &l->g->objs[obj];
    return o->kind == CS_OBJ_LOCAL && o->func == func && !l->fi[func].recursive;
}

/* This access is looked for in a list. */
struct seen_query {
    const struct access *all;
    struct access a;
};

static bool same_access(const void *what, int i, int unused)
{
    const struct seen_query *q = what;
    const struct access *o = &q->all[i];
    (void)unused;
    return o->obj == q->a.obj && o->via == q->a.via && o->size == q->a.size && o->moment == q->a.moment &&
           cs_pat_equal(o->pat, q->a.pat);
}

/* Appends an access to a list, with a hash set beside it, unless it is there already. Its number; *is_new: it was not
 * there. */
static int note_access(struct accesses *l, struct access a, bool *is_new)
{
    uint32_t h = cs_hash(cs_hash(cs_hash(0, a.obj), a.via), a.size);
    h = cs_hash(cs_hash(cs_hash(cs_hash(cs_hash(h, a.pat.off), a.pat.stride), a.pat.lo), a.pat.hi), a.moment);
    int known = cs_pairset_find(&l->seen, h, same_access, &(struct seen_query){l->a, a});
    *is_new = known < 0;
    if (known >= 0)
        return known;
    CS_GROW(l->a, l->n, l->cap);
    cs_pairset_add(&l->seen, h, l->n, 0);
    l->a[l->n++] = a;
    return l->n - 1;
}

static void free_accesses(struct accesses *l)
{
    free(l->a);
    cs_pairset_free(&l->seen);
}

static void free_by_arg(struct by_arg *b)
{
    for (int i = 0; i < b->n; i++)
        cs_intlist_free(&b->a[i].list);
    free(b->a);
    cs_pairset_free(&b->index);
}

void cs_live_free_context(struct func_info *f)
{
    free_accesses(&f->reads);
    free_accesses(&f->effects);
    free_by_arg(&f->calls_by_arg);
    free_by_arg(&f->reads_by_arg);
}

/* The list of this parameter and object is looked for. */
struct arg_query {
    const struct arg_list *all;
    int via, obj;
};

static bool same_arg(const void *what, int i, int unused)
{
    const struct arg_query *q = what;
    (void)unused;
    return q->all[i].via == q->via && q->all[i].obj == q->obj;
}

/* The list of parameter `via` and object `obj` (-1: all objects). NULL if there is none and `make` is false. */
static struct cs_intlist *list_of(struct by_arg *b, int via, int obj, bool make)
{
    uint32_t h = cs_hash(cs_hash(0, via), obj);
    struct arg_query q = {b->a, via, obj};
    int i = cs_pairset_find(&b->index, h, same_arg, &q);
    if (i >= 0)
        return &b->a[i].list;
    if (!make)
        return NULL;
    CS_GROW(b->a, b->n, b->cap);
    b->a[b->n] = (struct arg_list){.via = via, .obj = obj};
    cs_pairset_add(&b->index, h, b->n, 0);
    return &b->a[b->n++].list;
}

/* May code that the graph does not show call the function? */
static bool has_outside_callers(struct cs_live *l, int func)
{
    return l->g->funcs[func].is_entry || cs_pts_escaped(l->pts, l->g->funcs[func].obj);
}

static void add_read(struct cs_live *l, int func, struct access a);

/* A read of files: by which statement, and which one needs it. */
struct file_ctx {
    struct cs_live *l;
    int at, parent;
};

static void need_file(void *arg, struct cs_pattern pat, int64_t size)
{
    struct file_ctx *c = arg;
    if (!cs_order_need(c->l, c->l->ms->fs_obj, c->at, pat, size, c->parent))
        cs_need_place(c->l, c->l->ms->fs_obj, pat, size, c->parent);
}

/* What is read of files: all of it, or what the call says that reads it. */
static void need_files(struct cs_live *l, int at, struct cs_pattern pat, int64_t size, int parent)
{
    struct file_ctx c = {l, at, parent};
    if (at < 0)
        need_file(&c, pat, size);
    else
        cs_files_read(l, at, need_file, &c);
}

void cs_need_in_context(struct cs_live *l, int func, int via, int at, int obj, struct cs_pattern pat, int64_t size,
                        int parent)
{
    struct live_pat as = cs_live_place(l, obj, pat, size);
    pat = as.pat;
    size = as.size;
    if (obj == l->ms->fs_obj) {
        need_files(l, at, pat, size, parent);
        return;
    }
    if (obj == l->ms->unit_obj && cs_order_need(l, obj, at, pat, size, parent))
        return;
    bool at_any_time = l->in_window && l->in_window[obj];
    int moment = at_any_time ? CS_ANY_TIME : cs_moment_of_read(l, func, via, at, obj, pat, size, parent);
    if (cs_live_whole(l, obj, moment)) {
        cs_need_place_before(l, obj, pat, size, moment, parent);
        return;
    }
    if (via < 0 && cs_flow_need(l, func, at, obj, pat, size, moment, parent))
        return;
    /* A caller may store after its call has returned. */
    if (via < 0 || has_outside_callers(l, func) || cs_reads_deferred(l, at))
        cs_need_place_before(l, obj, pat, size, moment, parent);
    else
        add_read(l, func, (struct access){.obj = obj, .via = via, .pat = pat, .size = size, .stmt = parent});
}

bool cs_live_plain_call(struct cs_live *l, int call)
{
    const struct cs_intset *cs = cs_pts_callees(l->pts, call);
    for (int i = 0; i < cs->n; i++)
        if (!l->g->funcs[cs->a[i]].defined)
            return false; /* a library may call back, with arguments of its own */
    return true;
}

/* The object of an access through a parameter, at a call with this argument: one that is named is meant alone, also
 * where the callee cannot tell it from others. */
static int meant(struct cs_live *l, int obj, struct cs_operand actual)
{
    return obj == l->all && actual.kind == CS_OPND_ADDR ? actual.id : obj;
}

static void need_at_call(struct cs_live *l, int call, const struct access *a)
{
    struct cs_stmt *s = &l->g->stmts[call];
    assert(s->kind == CS_STMT_CALL && a->via >= 0);
    if (a->via >= s->nuses || !cs_live_plain_call(l, call)) {
        cs_need_place(l, a->obj, a->pat, a->size, a->stmt);
        return;
    }
    struct cs_operand actual = s->uses[a->via];
    if (!cs_pts_may_point_to(l->pts, actual, a->obj))
        return;
    int via = actual.kind == CS_OPND_VALUE ? cs_live_origin(l, actual.id) : -1;
    cs_need_among(l, actual);
    cs_need_in_context(l, s->func, via, CS_AFTER(call), meant(l, a->obj, actual), a->pat, a->size, a->stmt);
}

void cs_need_at_call(struct cs_live *l, int call, const struct access *a)
{
    int was = cs_need_because(l, a->need ? a->need : l->cause);
    struct cs_need_way before = cs_need_by_call(l, a->need, call);
    need_at_call(l, call, a);
    l->by_call = before;
    cs_need_because(l, was);
}

/* How many parameters of the call tell its reads apart, by what their arguments point to. Reads through further ones
 * count at every call. */
static int told_apart(struct cs_live *l, int call)
{
    return cs_live_plain_call(l, call) ? l->g->stmts[call].nuses : 0;
}

/* Objects that an argument may point to, without repetition; those that were taken as one as one. The caller frees. */
static struct cs_intset objects_of(struct cs_live *l, struct cs_operand op)
{
    struct cs_intset objs = {0};
    cs_pts_objects_as_one(l->pts, op, &objs);
    return objs;
}

static int as_one(struct cs_live *l, int obj)
{
    return obj >= 0 && cs_pts_lost(l->pts, obj) ? l->all : obj;
}

/* Notes a read through a parameter, and asks for it at the calls that are kept. */
static void add_read(struct cs_live *l, int func, struct access a)
{
    struct func_info *f = &l->fi[func];
    assert(a.via >= 0 && a.via < l->g->funcs[func].nparams);
    bool is_new;
    int nr = note_access(&f->reads, a, &is_new);
    l->among = 0; /* who calls knows which one it is */
    cs_need_note(l, a.stmt, cs_need_place_node(l, &f->reads.a[nr].need, a.obj, a.pat, a.size, false));
    a.need = f->reads.a[nr].need;
    cs_need_read(l, func, &a);
    if (!is_new)
        return;
    cs_intlist_add(list_of(&f->reads_by_arg, a.via, as_one(l, a.obj), true), nr);
    cs_intlist_add(list_of(&f->reads_by_arg, a.via, -1, true), nr);
    for (int pass = 0; pass < 2; pass++) {
        const struct cs_intlist *c;
        for (int i = 0; (c = list_of(&f->calls_by_arg, a.via, pass ? -1 : as_one(l, a.obj), false)) && i < c->n; i++)
            cs_need_at_call(l, c->a[i], &a);
    }
}

/* Asks at this call for the callee's reads of `obj` (-1: all) through parameter k. */
static void tell_reads(struct cs_live *l, int call, struct func_info *f, int k, int obj)
{
    const struct cs_intlist *r;
    for (int i = 0; (r = list_of(&f->reads_by_arg, k, obj, false)) && i < r->n; i++) {
        struct access a = f->reads.a[r->a[i]];
        cs_need_at_call(l, call, &a);
    }
}

void cs_live_keep_call(struct cs_live *l, int func, int call)
{
    struct func_info *f = &l->fi[func];
    int n = told_apart(l, call), nparams = l->g->funcs[func].nparams;
    for (int k = 0; k < nparams; k++) {
        struct cs_intset objs = k < n ? objects_of(l, l->g->stmts[call].uses[k]) : (struct cs_intset){0};
        if (k >= n)
            cs_intset_add(&objs, -1);
        for (int i = 0; i < objs.n; i++)
            cs_intlist_add(list_of(&f->calls_by_arg, k, objs.a[i], true), call);
        for (int i = 0; i < objs.n; i++)
            tell_reads(l, call, f, k, objs.a[i]);
        cs_intset_free(&objs);
    }
}

static void effect_at_call(struct cs_live *l, int call, const struct access *a);

void cs_add_effect(struct cs_live *l, int func, struct access a)
{
    struct func_info *f = &l->fi[func];
    if (a.obj >= 0 && owned(l, a.obj, func))
        return;
    if (!cs_pts_solved_by_call(l->pts, func)) { /* effects differ by object and parameter alone */
        a.pat = cs_pat_any();
        a.size = CS_SIZE_UNKNOWN;
    }
    if (l->neffects > MAX_EFFECTS)
        a.moment = CS_ANY_TIME;
    if (f->effects.n >= MOST_EFFECTS && cs_pts_closed(l->pts))
        a.obj = a.via = -1, a.moment = CS_ANY_TIME;
    bool is_new;
    int nr = note_access(&f->effects, a, &is_new);
    cs_need_note(l, a.stmt, cs_need_node(l, &f->effects.a[nr].need, CS_NEED_EFFECT, a.obj));
    if (!is_new)
        return;
    l->neffects++;
    int was = cs_need_because(l, l->needs ? f->effects.a[nr].need : -1);
    a.need = 0;
    for (int i = 0; i < l->fi[func].calls.n; i++)
        effect_at_call(l, l->fi[func].calls.a[i], &a);
    cs_need_because(l, was);
}

/* Keeps the call if its argument can point to what the callee changes, and notes the effect for the caller. A call that
 * cannot have begun when the place is read has not changed it. */
static void effect_at_call(struct cs_live *l, int call, const struct access *a)
{
    struct cs_stmt *s = &l->g->stmts[call];
    struct access up = {.obj = a->obj, .via = -1, .pat = a->pat, .size = a->size, .stmt = call, .moment = a->moment};
    if (!cs_moment_after(l, a->moment, call) ||
        (a->obj >= 0 && !cs_pts_call_writes(l->pts, call, a->obj, a->pat, a->size)))
        return;
    if (a->via >= 0 && a->via < s->nuses && cs_live_plain_call(l, call)) {
        struct cs_operand actual = s->uses[a->via];
        if (!cs_pts_may_point_to(l->pts, actual, a->obj))
            return;
        up.via = actual.kind == CS_OPND_VALUE ? cs_live_origin(l, actual.id) : -1;
        up.obj = meant(l, a->obj, actual);
    }
    cs_mark_stmt(l, call, CS_WHY_CALL, a->stmt);
    cs_add_effect(l, s->func, up);
}

void cs_root_effect(struct cs_live *l, int s)
{
    cs_add_effect(l, l->g->stmts[s].func,
                  (struct access){.obj = -1, .via = -1, .pat = cs_pat_any(), .size = -1, .stmt = s});
}

void cs_give_back_effect(struct cs_live *l, int s, struct cs_operand op)
{
    struct cs_intset objs = objects_of(l, op);
    int func = l->g->stmts[s].func, via = op.kind == CS_OPND_VALUE ? cs_live_origin(l, op.id) : -1;
    for (int i = 0; i < objs.n; i++)
        if (l->g->objs[objs.a[i]].kind == CS_OBJ_HEAP)
            cs_add_effect(l, func,
                          (struct access){.obj = objs.a[i], .via = via, .pat = cs_pat_any(), .size = -1, .stmt = s});
    cs_intset_free(&objs);
}
