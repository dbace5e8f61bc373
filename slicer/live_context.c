/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calling context: a callee's reads and stores through a parameter count at a call site only for what that site's argument can
 * point to, so a utility called once for LIVE data does not make its other calls LIVE. */
#include "live_parts.h"

#include <stdlib.h>
#include <uthash.h>

/* A set of accesses, to ask whether one is new. Effects differ by object and parameter alone. */
struct seen { struct { struct cs_pattern pat; int64_t size; int obj, via; } key; UT_hash_handle hh; };

static bool owned(struct cs_live *l, int obj, int func)
{
    const struct cs_obj *o = &l->g->objs[obj];
    return o->kind == CS_OBJ_LOCAL && o->func == func && !l->fi[func].recursive;
}

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

void cs_live_forget_accesses(struct seen **set)
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
    for (int i = 0; i < l->fi[func].kept_calls.n; i++) cs_need_at_call(l, l->fi[func].kept_calls.a[i], &a);
}

static bool has_outside_callers(struct cs_live *l, int func)
{
    return l->g->funcs[func].is_entry || cs_pts_escaped(l->pts, l->g->funcs[func].obj);
}

void cs_need_in_context(struct cs_live *l, int func, int via, int obj, struct cs_pattern pat, int64_t size, int parent)
{
    if (via < 0 || has_outside_callers(l, func)) cs_need_place(l, obj, pat, size, parent);
    else add_read(l, func, (struct access){ obj, via, pat, size, parent });
}

bool cs_live_plain_call(struct cs_live *l, int call)
{
    const struct cs_intset *cs = cs_pts_callees(l->pts, call);
    for (int i = 0; i < cs->n; i++)
        if (!l->g->funcs[cs->a[i]].defined) return false;   /* callbacks: arguments are the library's */
    return true;
}

void cs_need_at_call(struct cs_live *l, int call, const struct access *a)
{
    struct cs_stmt *s = &l->g->stmts[call];
    if (a->via >= s->nuses || !cs_live_plain_call(l, call)) {
        cs_need_place(l, a->obj, a->pat, a->size, a->stmt);
        return;
    }
    struct cs_operand actual = s->uses[a->via];
    if (!cs_live_may_point_to(l, actual, a->obj)) return;
    int via = actual.kind == CS_OPND_VALUE ? cs_live_origin(l, actual.id) : -1;
    cs_need_in_context(l, s->func, via, a->obj, a->pat, a->size, a->stmt);
}

static void effect_at_call(struct cs_live *l, int call, const struct access *a);

void cs_add_effect(struct cs_live *l, int func, struct access a)
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
    if (a->via >= 0 && a->via < s->nuses && cs_live_plain_call(l, call)) {
        struct cs_operand actual = s->uses[a->via];
        if (!cs_live_may_point_to(l, actual, a->obj)) return;
        up.via = actual.kind == CS_OPND_VALUE ? cs_live_origin(l, actual.id) : -1;
    }
    cs_mark_stmt(l, call, CS_WHY_CALL, a->stmt);
    cs_add_effect(l, s->func, up);
}

void cs_root_effect(struct cs_live *l, int s)
{
    cs_add_effect(l, l->g->stmts[s].func, (struct access){ -1, -1, cs_pat_any(), -1, s });
}
