/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a kept call needs: arguments and results of functions with a body, and of those that only have a model (MPI,
 * libraries). A function is asked again when more of it becomes LIVE. */
#include "slicer/live/live_internal.h"

#include <string.h>

#include "slicer/control/cfg.h"
#include "slicer/model/mpich_abi.h"

/* The call's result is asked for, so what its callee returns is. */
static void need_result(struct cs_live *l, int s, struct func_info *f)
{
    int def = l->g->stmts[s].def, asks = l->needs && def >= 0 ? cs_need_value_node(l, def) : -1;
    int was = cs_need_because(l, asks);
    struct cs_need_way before = cs_need_by_call(l, asks >= 0 ? asks : cs_need_stmt_node(l, s), s);
    cs_need_note(l, s, cs_need_node(l, &f->result_need, CS_NEED_RESULT, -1));
    l->by_call = before;
    cs_need_because(l, l->needs ? f->result_need : -1);
    for (int i = 0; f->result_why < 0 && i < f->returns.n; i++)
        cs_mark_stmt(l, f->returns.a[i], CS_WHY_RETURN, s);
    f->result_why = s;
    cs_need_because(l, was);
}

/* The callee asks for parameter k. */
static void need_argument(struct cs_live *l, int s, struct func_info *f, int k)
{
    int was = cs_need_because(l, l->needs ? f->param_need[k] : -1);
    struct cs_need_way before = cs_need_by_call(l, f->param_need[k], s);
    cs_need_operand(l, l->g->stmts[s].uses[k], f->param_why[k], CS_WHY_PARAM);
    l->by_call = before;
    cs_need_because(l, was);
}

/* What the statement returns, to code that is not seen: all of a struct. */
static void need_returned(struct cs_live *l, int stmt, int parent)
{
    const struct cs_stmt *r = &l->g->stmts[stmt];
    cs_mark_stmt(l, stmt, CS_WHY_RETURN, parent);
    if (r->has_load && l->g->funcs[r->func].result_obj >= 0)
        cs_need_ref(l, &r->load, r->func, stmt, stmt);
}

static void process_defined_call(struct cs_live *l, int s, int func)
{
    struct func_info *f = &l->fi[func];
    struct cs_stmt *st = &l->g->stmts[s];
    bool first = true;
    for (int i = 0; i < f->kept_calls.n; i++)
        if (f->kept_calls.a[i] == s)
            first = false;
    if (first)
        cs_intlist_add(&f->kept_calls, s);
    if (l->result_needed[s])
        need_result(l, s, f);
    if (!cs_live_plain_call(l, s)) /* the library may look at what a callback returns */
        for (int i = 0; i < f->returns.n; i++)
            need_returned(l, f->returns.a[i], s);
    for (int k = 0; k < st->narg_loads; k++) {
        int arg = st->arg_loads[k].arg, po = arg < l->g->funcs[func].nparams ? l->g->funcs[func].param_objs[arg] : -1;
        cs_need_operand(l, st->arg_loads[k].ref.base, s, CS_WHY_DATA);
        if (po < 0)
            continue;
        struct writer w = {W_COPY, s, NO_EFFECT, -1, cs_pat_at(0), st->arg_loads[k].ref.size};
        for (int i = 0; i < l->objs[po].n; i++) {
            struct live_pat lp = l->objs[po].p[i];
            int was = cs_need_because(l, l->needs && lp.need ? lp.need : -1);
            struct cs_need_way before = cs_need_by_call(l, lp.need, s);
            cs_need_copy_source(l, &l->g->stmts[s].arg_loads[k].ref, st->func, s, s, &w, &lp);
            l->by_call = before;
            cs_need_because(l, was);
        }
        struct live_pat whole = {.pat = cs_pat_any(), .size = CS_SIZE_UNKNOWN};
        if (cs_pts_lost(l->pts, po) && l->objs[l->all].n)
            cs_need_copy_source(l, &l->g->stmts[s].arg_loads[k].ref, st->func, s, s, &w, &whole);
    }
    if (!first)
        return;
    for (int k = l->g->funcs[func].nparams; k < l->g->stmts[s].nuses; k++)
        cs_need_operand(l, l->g->stmts[s].uses[k], s, CS_WHY_PARAM);
    for (int k = 0; k < l->g->funcs[func].nparams; k++)
        if (f->param_why[k] >= 0 && k < l->g->stmts[s].nuses)
            need_argument(l, s, f, k);
    cs_live_keep_call(l, func, s);
}

static void unit_read(struct unit_ctx *c, struct cs_pattern pat, int64_t size)
{
    int obj = c->l->ms->unit_obj;
    if (!cs_order_need(c->l, obj, c->stmt, pat, size, c->stmt))
        cs_need_place(c->l, obj, pat, size, c->stmt);
}

/* What count_cb() counts: n places, whether the last is at one offset. */
struct count_ctx {
    int n;
    bool exact;
};

static void count_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct count_ctx *c = arg;
    (void)obj;
    (void)size;
    c->n++;
    c->exact = pat.stride == 0;
}

/* Do all runs of a function come from the same call, and those of its caller, and so on? */
static bool called_one_way(const struct cs_live *l, int func)
{
    for (;;) {
        const struct func_info *f = &l->fi[func];
        if (f->recursive || f->async || f->team || f->calls.n > 1 || cs_pts_escaped(l->pts, l->g->funcs[func].obj))
            return false;
        if (!f->calls.n)
            return true;
        func = l->g->stmts[f->calls.a[0]].func;
    }
}

/* A broadcast that only meets itself, and to which all ranks come alike, from one place, of one predefined type: the
 * root's byte is the others' byte of the same variable, so what is LIVE after it is LIVE before it, and no more of the
 * message is. Where ranks come to it from different calls, what is LIVE after one need not be after another. */
static bool copies_onto_itself(struct cs_live *l, int s, const struct cs_model *m, struct cs_operand read)
{
    int64_t type;
    struct count_ctx c = {0, false};
    assert(read.kind == CS_OPND_VALUE);
    int load = l->g->values[read.id].def;
    if (s >= l->ch->nstmts || l->ch->peers[s].n || !cs_pts_constant(l->pts, m->type[0], &type) ||
        !cs_mpich_is_basic(type))
        return false;
    if (l->ch->variant[s] && !called_one_way(l, l->g->stmts[s].func))
        return false;
    cs_pts_places(l->pts, &l->g->stmts[load].load, count_cb, &c);
    return c.n == 1 && c.exact;
}

/* Is it a branch that only goes one way, as the others end the run in an error? */
static bool is_check(const struct cs_block *b, const struct cs_stmt *s)
{
    return (s->kind == CS_STMT_COND || s->kind == CS_STMT_SWITCH) && b->nsuccs > 1 && cs_block_ways(b) == 1;
}

/* Threads: what makes one wait for another is no dependence that the graph shows, so all that they run stays as it is,
 * but for checks of errors. So does a function that shares out work, where one thread alone runs it: the calls that do
 * so belong together. */
static void keep_whole(struct cs_live *l, int func, int parent)
{
    const struct cs_func *f = &l->g->funcs[func];
    if (!f->defined || l->fi[func].whole)
        return;
    l->fi[func].whole = true;
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts; k++) {
            int s = f->blocks[b].stmts[k];
            if (l->g->stmts[s].source >= 0 && !is_check(&f->blocks[b], &l->g->stmts[s]))
                cs_mark_stmt(l, s, CS_WHY_EXIT, parent);
            const struct cs_intset *callees = cs_pts_callees(l->pts, s);
            for (int i = 0; l->g->stmts[s].kind == CS_STMT_CALL && i < callees->n; i++)
                keep_whole(l, callees->a[i], parent);
        }
}

/* Code that is not seen may call what it knows, and use what comes back. */
static void need_results_outside(struct cs_live *l, int parent)
{
    for (int f = 0; f < l->g->nfuncs; f++) {
        if (!l->g->funcs[f].defined || !cs_pts_escaped(l->pts, l->g->funcs[f].obj))
            continue;
        for (int i = 0; i < l->fi[f].returns.n; i++) {
            const struct cs_stmt *r = &l->g->stmts[l->fi[f].returns.a[i]];
            if (r->nuses || r->has_load || l->g->funcs[f].result_obj >= 0)
                need_returned(l, l->fi[f].returns.a[i], parent);
        }
    }
}

/* What the call reads because it is kept, or because its message is transmitted. */
static void need_of_model(struct cs_live *l, int s, const struct cs_mneed *n, bool event)
{
    bool sent = event && n->level >= CS_LEVEL_ENVELOPE;
    int was = cs_need_because(l, sent && l->needs ? cs_need_mark_node(l, s, (int)n->level) : -1);
    cs_need_operand(l, n->op, s, CS_WHY_DATA);
    cs_need_because(l, was);
}

/* Does an operation of the call not look at this, as it is known to leave halves of elements apart? */
static bool not_mixed(const struct cs_live *l, const struct cs_model *m, const struct cs_mneed *n)
{
    int64_t op, type;
    bool plain = n->mixed && cs_pts_constant(l->pts, m->type[0], &type) && cs_mpich_is_plain(type);
    return n->mixed && cs_pts_constant(l->pts, m->op, &op) && !cs_mpich_mixes_halves(op, plain);
}

static void process_model_call(struct cs_live *l, int s, int mi)
{
    struct cs_model *m = &l->ms->m[mi];
    /* Only an event transmits less than its original; all else does what it does. */
    bool event = m->mpi && (m->mpi->flags & CS_MPI_EVENT);
    /* Whether it failed is known of a call on a file or a window only if it happens. */
    bool may_fail = event && (m->mpi->kind == CS_MPI_IO || (m->mpi->kind == CS_MPI_RMA && l->ms->errors_return));
    if (may_fail && l->result_needed[s])
        cs_live_mark(l, s, CS_MARK_CONTENT, s);
    if (!m->mpi && l->result_needed[s] && !m->ncopies)
        cs_live_ask_handles_behind(l, s);
    int level = event ? l->g->stmts[s].mark : CS_LEVEL_CONTENT;
    for (int k = 0; k < m->nneeds; k++)
        if ((int)m->needs[k].level <= level && !not_mixed(l, m, &m->needs[k]) &&
            !(m->needs[k].own_content && copies_onto_itself(l, s, m, m->needs[k].op)) &&
            (m->needs[k].format.kind == CS_OPND_NONE || !cs_live_harmless_format(l, m->needs[k].format)))
            need_of_model(l, s, &m->needs[k], event);
    for (int k = 0; k < m->ncopies; k++) {
        cs_need_operand(l, m->copies[k].dst.base, s, CS_WHY_DATA);
        cs_need_operand(l, m->copies[k].src.base, s, CS_WHY_DATA);
    }
    cs_unit_keep_end(l, m);
    if (m->unit_value >= 0) {
        struct unit_ctx c = {l, s};
        cs_unit_places(l, m, unit_read, &c);
    }
    const struct cs_intset *callees = cs_pts_callees(l->pts, s);
    for (int i = 0; m->fx && m->fx->whole && i < callees->n; i++)
        keep_whole(l, callees->a[i], s);
    if (m->fx && m->fx->whole && !m->ncallbacks)
        keep_whole(l, l->g->stmts[s].func, s);
    if (m->opaque) {
        need_results_outside(l, s);
        for (int o = 0; o < l->nobjs; o++)
            if (cs_pts_escaped(l->pts, o) && l->g->objs[o].kind != CS_OBJ_FUNC)
                cs_need_place(l, cs_pts_lost(l->pts, o) ? l->all : o, cs_pat_any(), CS_SIZE_UNKNOWN, s);
        cs_root_effect(l, s);
    }
}

static bool calls_function(struct cs_live *l, int s, const char *prefix)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    if (st->kind != CS_STMT_CALL || st->callee.kind != CS_OPND_ADDR || l->g->objs[st->callee.id].kind != CS_OBJ_FUNC)
        return false;
    return !strncmp(cs_func_name(l->g, l->g->objs[st->callee.id].func), prefix, strlen(prefix));
}

/* Where arrays of variable size stay on the stack, so does what gives it back: a loop would need ever more of it. */
static void keep_stack(struct cs_live *l, int func, int parent)
{
    const struct cs_func *f = &l->g->funcs[func];
    if (l->fi[func].stack)
        return;
    l->fi[func].stack = true;
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts; k++) {
            int s = f->blocks[b].stmts[k];
            if (!calls_function(l, s, "__builtin_stack_restore"))
                continue;
            cs_mark_stmt(l, s, CS_WHY_CALL, parent);
            cs_need_operand(l, l->g->stmts[s].uses[0], s, CS_WHY_DATA);
        }
}

void cs_live_call(struct cs_live *l, int s)
{
    const struct cs_intset *callees = cs_pts_callees(l->pts, s);
    if (calls_function(l, s, "__builtin_alloca"))
        keep_stack(l, l->g->stmts[s].func, s);
    if (l->g->stmts[s].callee.kind == CS_OPND_VALUE)
        cs_need_operand(l, l->g->stmts[s].callee, s, CS_WHY_DATA);
    for (int i = 0; i < l->g->stmts[s].nidx; i++)
        cs_need_value(l, l->g->stmts[s].idx[i], s, CS_WHY_DATA);
    if (l->g->stmts[s].has_store)
        cs_need_operand(l, l->g->stmts[s].store.base, s, CS_WHY_DATA);
    /* No function is known where an object of the library is asked, as what() of an exception that the library threw:
     * it gets its arguments. */
    for (int i = 0; !callees->n && i < l->g->stmts[s].nuses; i++)
        cs_need_operand(l, l->g->stmts[s].uses[i], s, CS_WHY_DATA);
    for (int i = 0; i < callees->n; i++)
        if (l->g->funcs[callees->a[i]].defined)
            process_defined_call(l, s, callees->a[i]);
    if (s < l->ms->nstmts)
        for (int k = 0; k < l->ms->of_stmt[s].n; k++)
            process_model_call(l, s, l->ms->of_stmt[s].a[k]);
}

/* May the function ask for argument k without a parameter of its own for it, as one of variable arguments? */
static bool may_ask(const struct cs_func *f, int k)
{
    return k >= f->nparams || (f->nparams > CS_BEHIND_VARIADIC && f->params[k] < 0);
}

uint32_t cs_live_unneeded_args(struct cs_live *l, int s)
{
    const struct cs_intset *c = cs_pts_callees(l->pts, s);
    uint32_t null = c->n ? UINT32_MAX : 0;
    for (int i = 0; i < c->n; i++) {
        const struct cs_func *f = &l->g->funcs[c->a[i]];
        if (!f->defined)
            return 0;
        for (int k = 0; k < 32; k++)
            if (may_ask(f, k) || l->fi[c->a[i]].param_why[k] >= 0)
                null &= ~(UINT32_C(1) << k);
    }
    return null;
}
