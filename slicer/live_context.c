/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calling context: a callee's reads and stores through a parameter count at a call site only for what that site's argument can
 * point to, so a utility called once for LIVE data does not make its other calls LIVE. */
#include "live_parts.h"

#include <stdlib.h>

static bool owned(struct cs_live *l, int obj, int func)
{
    const struct cs_obj *o = &l->g->objs[obj];
    return o->kind == CS_OBJ_LOCAL && o->func == func && !l->fi[func].recursive;
}

struct seen_query { const struct access *all; struct access a; };

static bool same_access(const void *what, int i, int unused)
{
    const struct seen_query *q = what;
    const struct access *o = &q->all[i];
    (void)unused;
    return o->obj == q->a.obj && o->via == q->a.via && o->size == q->a.size && cs_pat_equal(o->pat, q->a.pat);
}

/* Appends an access to a list, with a hash set beside it. False if it was there before. */
static bool note_access(struct accesses *l, struct access a)
{
    uint32_t h = cs_hash(cs_hash(0, (int64_t)a.obj << 32 | (uint32_t)a.via), a.size);
    h = cs_hash(cs_hash(cs_hash(cs_hash(h, a.pat.off), a.pat.stride), a.pat.lo), a.pat.hi);
    if (cs_pairset_has(&l->seen, h, same_access, &(struct seen_query){ l->a, a })) return false;
    CS_GROW(l->a, l->n, l->cap);
    cs_pairset_add(&l->seen, h, l->n, 0);
    l->a[l->n++] = a;
    return true;
}

void cs_live_free_accesses(struct accesses *l)
{
    free(l->a);
    cs_pairset_free(&l->seen);
}

static void add_read(struct cs_live *l, int func, struct access a)
{
    struct func_info *f = &l->fi[func];
    if (!note_access(&f->reads, a)) return;
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
    if (!cs_pts_may_point_to(l->pts, actual, a->obj)) return;
    int via = actual.kind == CS_OPND_VALUE ? cs_live_origin(l, actual.id) : -1;
    cs_need_in_context(l, s->func, via, a->obj, a->pat, a->size, a->stmt);
}

static void effect_at_call(struct cs_live *l, int call, const struct access *a);

void cs_add_effect(struct cs_live *l, int func, struct access a)
{
    struct func_info *f = &l->fi[func];
    if (a.obj >= 0 && owned(l, a.obj, func)) return;
    a.pat = cs_pat_any();       /* effects differ by object and parameter alone */
    a.size = CS_SIZE_UNKNOWN;
    if (!note_access(&f->effects, a)) return;
    for (int i = 0; i < l->fi[func].calls.n; i++) effect_at_call(l, l->fi[func].calls.a[i], &a);
}

static void effect_at_call(struct cs_live *l, int call, const struct access *a)
{
    struct cs_stmt *s = &l->g->stmts[call];
    struct access up = { a->obj, -1, a->pat, a->size, call };
    if (a->via >= 0 && a->via < s->nuses && cs_live_plain_call(l, call)) {
        struct cs_operand actual = s->uses[a->via];
        if (!cs_pts_may_point_to(l->pts, actual, a->obj)) return;
        up.via = actual.kind == CS_OPND_VALUE ? cs_live_origin(l, actual.id) : -1;
    }
    cs_mark_stmt(l, call, CS_WHY_CALL, a->stmt);
    cs_add_effect(l, s->func, up);
}

void cs_root_effect(struct cs_live *l, int s)
{
    cs_add_effect(l, l->g->stmts[s].func, (struct access){ -1, -1, cs_pat_any(), -1, s });
}
