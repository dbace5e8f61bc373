/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls that find their function in the object that they are given: virtual functions, and tables of functions in C.
 *
 *     table = *(object + 0);  function = *(table + 8);  function(object, ...)
 *
 * An object goes only to the functions that its own table has, not to those of all other objects that the pointer may
 * point to; so the members of one class are not written by the functions of another. Each location of the pointer is
 * loaded from by itself: what a run loads from that object is among what is stored there, so the function that it calls
 * with this object is among those that are found. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <string.h>

/* Bytes of a pointer; copies and sums that are followed back; objects that one call tells apart. */
enum { POINTER = 8, MOST_STEPS = 8, MOST_RECEIVERS = 64 };

/* A value and a distance: the operand is their sum. */
struct sum {
    struct cs_operand op;
    int64_t off;
};

/* Does the assignment move its first operand by a known distance? */
static bool moves(const struct cs_stmt *s, int64_t *by)
{
    *by = 0;
    if (s->kind != CS_STMT_ASSIGN)
        return false;
    if (s->op == CS_OP_FIELD)
        *by = s->load.pat.off;
    if (s->op == CS_OP_COPY || s->op == CS_OP_FIELD)
        return s->nuses == 1 && (s->op == CS_OP_COPY || s->load.pat.stride == 0);
    if (s->op != CS_OP_PTRADD || s->nuses != 2 || s->uses[1].kind != CS_OPND_CONST)
        return false;
    *by = s->uses[1].pat.off;
    return s->uses[1].pat.stride == 0;
}

/* Follows copies and known distances back. */
static struct sum root_of(const struct cs_pts *p, struct cs_operand op)
{
    struct sum r = {op, 0};
    int64_t by;
    for (int i = 0; i < MOST_STEPS && r.op.kind == CS_OPND_VALUE && p->g->values[r.op.id].def >= 0; i++) {
        const struct cs_stmt *s = &p->g->stmts[p->g->values[r.op.id].def];
        if (!moves(s, &by))
            break;
        if (__builtin_add_overflow(r.off, by, &r.off))
            return (struct sum){cs_opnd_none(), 0};
        r.op = s->uses[0];
    }
    return r;
}

/* The statement that loads the value as a whole pointer, or NULL. */
static const struct cs_stmt *load_of(const struct cs_pts *p, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? p->g->values[op.id].def : -1;
    const struct cs_stmt *s = d >= 0 ? &p->g->stmts[d] : NULL;
    bool plain = s && s->kind == CS_STMT_LOAD && s->op != CS_OP_OTHER && !s->partial && s->load.size == POINTER;
    return plain && s->load.base.kind == CS_OPND_VALUE && !(op.id < p->nknown && p->known[op.id]) ? s : NULL;
}

/* Fills in *d if the call is of this kind. */
static bool find_dispatch(const struct cs_pts *p, const struct cs_stmt *call, struct dispatch *d)
{
    struct sum callee = root_of(p, call->callee);
    const struct cs_stmt *function = callee.off ? NULL : load_of(p, callee.op);
    if (!function)
        return false;
    struct sum slot = root_of(p, function->load.base);
    const struct cs_stmt *table = load_of(p, slot.op);
    if (!table)
        return false;
    struct sum object = root_of(p, table->load.base);
    d->slot = cs_pat_shift(function->load.pat, slot.off);
    d->table = cs_pat_shift(table->load.pat, object.off);
    for (int i = 0; i < call->nuses && object.op.kind == CS_OPND_VALUE; i++) {
        struct sum arg = root_of(p, call->uses[i]);
        if (arg.op.kind != CS_OPND_VALUE || arg.op.id != object.op.id)
            continue;
        d->object = object.op.id;
        d->arg = i;
        d->arg_off = arg.off;
        return true;
    }
    return false;
}

void cs_pts_add_dispatch(struct cs_pts *p, int stmt)
{
    struct dispatch d = {.stmt = stmt};
    if (!find_dispatch(p, &p->g->stmts[stmt], &d))
        return;
    if (stmt >= p->ndispatch_of) {
        int n = p->g->nstmts + 64;
        p->dispatch_of = cs_realloc(p->dispatch_of, n * sizeof *p->dispatch_of);
        for (int i = p->ndispatch_of; i < n; i++)
            p->dispatch_of[i] = -1;
        p->ndispatch_of = n;
    }
    CS_GROW(p->dispatches, p->ndispatches, p->adispatches);
    p->dispatches[p->ndispatches] = d;
    p->dispatch_of[stmt] = p->ndispatches;
    cs_pts_add_hook(p, cs_pts_value_node(p, d.object), HOOK_OBJECT, p->ndispatches++);
}

bool cs_pts_is_dispatched(const struct cs_pts *p, int stmt, int arg)
{
    int d = stmt < p->ndispatch_of ? p->dispatch_of[stmt] : -1;
    return d >= 0 && !p->dispatches[d].any && p->dispatches[d].arg == arg;
}

void cs_pts_give_up_dispatch(struct cs_pts *p, int id)
{
    if (p->dispatches[id].any)
        return;
    int stmt = p->dispatches[id].stmt, arg = p->dispatches[id].arg;
    p->dispatches[id].any = true;
    struct cs_operand given = p->g->stmts[stmt].uses[arg];
    for (int i = 0; stmt < p->ncallees && i < p->callees[stmt].n; i++) {
        const struct cs_func *f = &p->g->funcs[p->callees[stmt].a[i]];
        if (f->defined && arg < f->nparams && f->params[arg] >= 0)
            cs_pts_flow(p, given, cs_pts_value_node(p, f->params[arg]), EDGE_COPY, 0);
    }
}

static int add_memcon(struct cs_pts *p, struct cs_pattern pat, int node)
{
    CS_GROW(p->mem, p->nmem, p->amem);
    p->mem[p->nmem] = (struct memcon){pat, POINTER, node, true};
    return p->nmem++;
}

void cs_pts_arrive_at_dispatch(struct cs_pts *p, int id, int loc)
{
    assert(id >= 0 && id < p->ndispatches);
    struct dispatch *d = &p->dispatches[id];
    if (d->any || !cs_bits_add(&d->seen, loc))
        return;
    if (++d->nreceivers > MOST_RECEIVERS || (p->closed && loc == p->lost_loc)) {
        cs_pts_give_up_dispatch(p, id);
        return;
    }
    struct cs_pattern slot = d->slot, table_pat = d->table;
    CS_GROW(p->receivers, p->nreceivers, p->areceivers);
    p->receivers[p->nreceivers] = (struct receiver){id, loc};
    int receiver = p->nreceivers++, table = cs_pts_new_node(p), function = cs_pts_new_node(p);
    cs_pts_add_hook(p, function, HOOK_TARGET, receiver);
    cs_pts_add_hook(p, table, HOOK_LOAD, add_memcon(p, slot, function));
    cs_pts_run_hook(p, (struct hook){HOOK_LOAD, add_memcon(p, table_pat, table), p->in, false}, loc);
}

void cs_pts_arrive_at_target(struct cs_pts *p, int id, int func)
{
    assert(id >= 0 && id < p->nreceivers);
    struct receiver r = p->receivers[id];
    struct dispatch *d = &p->dispatches[r.dispatch];
    const struct cs_func *f = &p->g->funcs[func];
    if (!f->defined || d->arg >= f->nparams || f->params[d->arg] < 0)
        return;
    struct cs_loc l = p->locs[r.loc];
    int64_t off = d->arg_off;
    int to = cs_pts_value_node(p, f->params[d->arg]),
        loc = cs_pts_intern_loc(p, l.obj, l.pat); /* it may be lost by now */
    cs_pts_add_loc(p, to, off ? cs_pts_move_loc(p, loc, EDGE_SHIFT, off) : loc);
}
