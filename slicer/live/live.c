/* SPDX-License-Identifier: GPL-3.0-or-later
 * The mark phase. Tiny functions in the manner of tree-ssa-dce.cc: each says what becomes LIVE and why.
 * Here: values, control dependence, single statements, roots. Memory, calls, calling context and marks have files of
 * their own. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

#include "slicer/control/caught.h"
#include "slicer/control/cfg.h"
#include "slicer/graph/progress.h"

/* ---- values ---- */

/* Where the moves that make a value come from: a parameter, -1 for anything else, -2 if the answer is that of the
 * values now in `seen`. */
static int step_back(struct cs_live *l, int v, struct cs_intlist *seen)
{
    int d = l->g->values[v].def;
    if (l->vi[v].origin_state == 2)
        return l->vi[v].origin;
    if (d < 0)
        return l->vi[v].param;
    const struct cs_stmt *s = &l->g->stmts[d];
    bool moves = s->kind == CS_STMT_PHI ||
                 (s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_COPY || s->op == CS_OP_PTRADD || s->op == CS_OP_FIELD));
    int n = s->kind == CS_STMT_PHI ? s->nuses : 1;
    if (!moves || !s->nuses)
        return -1;
    for (int i = 0; i < n && i < s->nuses; i++) {
        if (s->uses[i].kind != CS_OPND_VALUE)
            return -1;
        struct value_info *from = &l->vi[s->uses[i].id];
        if (from->origin_state == 1)
            continue;
        if (from->origin_state == 0)
            from->origin_state = 1;
        cs_intlist_add(seen, s->uses[i].id);
    }
    return -2;
}

/* The parameter that v is made from. Follows moves back through phis to all values that v may be a move of. They may
 * form a circle, as two pointers do that a loop exchanges; the answer is a parameter only if every value outside the
 * circle leads to that one. Values on the way get the same answer. */
int cs_live_origin(struct cs_live *l, int v)
{
    struct cs_intlist seen = {0};
    int result = -2;
    if (l->vi[v].origin_state == 2)
        return l->vi[v].origin;
    l->vi[v].origin_state = 1;
    cs_intlist_add(&seen, v);
    for (int i = 0; i < seen.n && result != -1; i++) {
        int from = step_back(l, seen.a[i], &seen);
        if (from != -2)
            result = result == -2 || result == from ? from : -1;
    }
    if (result == -2)
        result = -1;
    for (int i = 0; i < seen.n; i++) {
        struct value_info *vi = &l->vi[seen.a[i]];
        if (vi->origin_state == 2)
            continue;
        bool known = i == 0 || result >= 0; /* one parameter for all, so for each */
        vi->origin_state = known ? 2 : 0;
        vi->origin = known ? result : -1;
    }
    cs_intlist_free(&seen);
    return result;
}

int cs_live_ref_via(struct cs_live *l, const struct cs_ref *r)
{
    return r->base.kind == CS_OPND_VALUE ? cs_live_origin(l, r->base.id) : -1;
}

static void need_param(struct cs_live *l, int func, int k, int parent)
{
    struct func_info *f = &l->fi[func];
    assert(k >= 0 && k < l->g->funcs[func].nparams);
    cs_need_note(l, parent, cs_need_node(l, &f->param_need[k], CS_NEED_PARAM, -1));
    if (f->param_why[k] >= 0)
        return;
    f->param_why[k] = parent;
    int was = cs_need_because(l, f->param_need[k]);
    for (int i = 0; i < f->kept_calls.n; i++) {
        int c = f->kept_calls.a[i];
        struct cs_need_way before = cs_need_by_call(l, f->param_need[k], c);
        if (k < l->g->stmts[c].nuses)
            cs_need_operand(l, l->g->stmts[c].uses[k], parent, CS_WHY_PARAM);
        l->by_call = before;
    }
    cs_status_need(l, func, k, parent);
    cs_need_because(l, was);
}

void cs_need_value(struct cs_live *l, int v, int parent, enum cs_reason why)
{
    const struct cs_operand *same = &l->g->values[v].same;
    if (same->kind == CS_OPND_CONST)
        return;
    if (same->kind == CS_OPND_VALUE)
        v = same->id;
    assert(l->g->values[v].same.kind == CS_OPND_NONE); /* what stands for a value stands for itself */
    cs_need_note(l, parent, cs_need_value_node(l, v));
    if (l->vi[v].live)
        return;
    l->vi[v].live = true;
    int d = l->g->values[v].def, was = cs_need_because(l, cs_need_value_node(l, v));
    if (d >= 0) {
        if (l->g->stmts[d].kind == CS_STMT_CALL)
            l->result_needed[d] = true;
        cs_mark_stmt(l, d, why, parent);
        if (l->g->stmts[d].kind == CS_STMT_CALL)
            cs_intlist_add(&l->work, d);
    } else if (l->vi[v].param >= 0) {
        need_param(l, l->g->values[v].func, l->vi[v].param, parent);
    }
    cs_need_because(l, was);
}

void cs_need_operand(struct cs_live *l, struct cs_operand op, int parent, enum cs_reason why)
{
    if (op.kind == CS_OPND_VALUE)
        cs_need_value(l, op.id, parent, why);
}

/* ---- control ---- */

static void mark_branch(struct cs_live *l, int func, int block, int parent)
{
    if (cs_block_ways(&l->g->funcs[func].blocks[block]) < 2)
        return;
    int b = cs_block_branch(l->g, func, block);
    if (b >= 0)
        cs_mark_stmt(l, b, CS_WHY_CONTROL, parent);
}

static void mark_control(struct cs_live *l, int func, int block, int parent)
{
    const struct cs_intlist *on = &l->cdep[func].on[block];
    for (int i = 0; i < on->n; i++)
        mark_branch(l, func, on->a[i], parent);
}

static bool edge_live(const struct cs_block *from, int to)
{
    for (int i = 0; i < from->nsuccs; i++)
        if (from->succs[i] == to && !from->never[i])
            return from->reachable;
    return false;
}

/* A phi needs the branches that choose by which edge control comes to it, as far as their operands differ. That it runs
 * at all is decided by those that its block depends on. */
static void process_phi(struct cs_live *l, int s)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    const struct cs_func *f = &l->g->funcs[st->func];
    for (int i = 0; i < st->nuses; i++)
        if (edge_live(&f->blocks[st->phi_preds[i]], st->block))
            cs_need_operand(l, st->uses[i], s, CS_WHY_DATA);
    cs_live_merge(l, s, mark_branch);
}

/* ---- statements ---- */

void cs_mark_stmt(struct cs_live *l, int s, enum cs_reason why, int parent)
{
    assert(s >= 0 && s < l->g->nstmts);
    struct cs_stmt *st = &l->g->stmts[s];
    if (l->needs)
        cs_need_note(l, parent, cs_need_stmt(l->needs, s));
    if (st->keep)
        return;
    st->keep = true;
    st->why = why;
    st->parent = parent;
    l->g->funcs[st->func].needed = true;
    cs_intlist_add(&l->work, s);
}

static void process(struct cs_live *l, int s)
{
    struct cs_stmt st = l->g->stmts[s];
    assert(st.keep);
    int block = st.move_to >= 0 ? st.move_to : st.block;
    cs_need_because(l, -1);
    if (l->g->funcs[st.func].blocks[block].reachable)
        mark_control(l, st.func, block, s);
    if (st.kind == CS_STMT_CALL) {
        cs_live_call(l, s);
        cs_order_call_kept(l, s);
        return;
    }
    if (st.kind == CS_STMT_PHI) {
        process_phi(l, s);
        return;
    }
    cs_live_ask_handles(l, s);
    for (int i = 0; i < st.nuses; i++)
        cs_need_operand(l, st.uses[i], s, CS_WHY_DATA);
    for (int i = 0; i < st.nidx; i++)
        cs_need_value(l, st.idx[i], s, CS_WHY_DATA);
    if (st.has_store)
        cs_need_operand(l, st.store.base, s, CS_WHY_DATA);
    if (st.has_load && st.kind != CS_STMT_COPY && !(st.kind == CS_STMT_RETURN && l->g->funcs[st.func].result_obj >= 0))
        cs_need_ref(l, &st.load, st.func, s, s);
    else if (st.has_load)
        cs_need_operand(l, st.load.base, s, CS_WHY_DATA); /* copies: only the part that is LIVE, see trigger() */
}

static void drain(struct cs_live *l)
{
    while (l->work.n || cs_live_ask_deferred(l)) {
        cs_progress("what decides communication", l->nplaces, "places in memory");
        if (l->work.n)
            process(l, l->work.a[--l->work.n]);
    }
}

/* A library function that calls an MPI function back which is recorded: atexit(MPI_Finalize). */
static bool calls_back_mpi(struct cs_live *l, int s)
{
    enum cs_binding bind;
    const struct cs_intset *c = cs_pts_callees(l->pts, s);
    if (cs_live_mpi_model(l, s))
        return false;
    for (int i = 0; i < c->n; i++) {
        const struct cs_mpi_call *m =
            l->g->funcs[c->a[i]].defined ? NULL : cs_mpi_by_symbol(cs_func_name(l->g, c->a[i]), &bind);
        if (m && (m->flags & CS_MPI_EVENT))
            return true;
    }
    return false;
}

/* Does the call itself make it a root? */
static bool call_is_root(struct cs_live *l, int s, enum cs_reason *why)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    if (st->kind != CS_STMT_CALL)
        return false;
    *why = CS_WHY_ROOT;
    if (calls_back_mpi(l, s))
        return true;
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        *why = CS_WHY_ROOT;
        if (m->mpi && (m->mpi->flags & CS_MPI_EVENT))
            return true;
        /* A call that fails, and whose code nobody asks for, must not end the run here alone. */
        if (m->mpi && l->ms->errors_return && cs_mpi_sets_handler(m->mpi))
            return true;
        *why = CS_WHY_OPAQUE;
        if (m->opaque)
            return true;
        *why = CS_WHY_EXIT;
        /* Error exits that are still there were not pruned: they may be meant, or the user wants them kept. */
        if (m->fx && cs_model_noret(l->ms->fx, l->g, s, m->func) != CS_NORET_RETURNS)
            return true;
        if (m->fx && m->fx->catches && l->g->funcs[st->func].comes_back)
            return true;
        bool thrown = cs_model_throws(l->ms->catching, m->fx) && cs_caught_behind(l->g, s);
        if (m->fx && (m->fx->keep || thrown))
            return true;
    }
    return false;
}

static bool is_root(struct cs_live *l, int s, enum cs_reason *why)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    if (call_is_root(l, s, why))
        return true;
    *why = CS_WHY_WHOLE;
    return l->g->funcs[st->func].keep_all && st->source >= 0;
}

/* Functions that MPI calls back (on attributes), and what they call. What they communicate happens inside a call, where
 * no wrapper looks at marks, so it happens as written. The caller frees. */
bool *cs_live_called_by_mpi(struct cs_live *l)
{
    bool *in = cs_calloc(l->g->nfuncs + 1, sizeof *in);
    struct cs_intlist work = {0};
    for (int i = 0; i < l->ms->n; i++)
        if (l->ms->m[i].mpi && l->ms->m[i].ncallbacks)
            cs_intlist_add(&work, l->ms->m[i].stmt);
    while (work.n) {
        const struct cs_intset *c = cs_pts_callees(l->pts, work.a[--work.n]);
        for (int k = 0; k < c->n; k++) {
            const struct cs_func *f = &l->g->funcs[c->a[k]];
            if (in[c->a[k]] || !f->defined)
                continue;
            in[c->a[k]] = true;
            for (int b = 0; b < f->nblocks; b++)
                for (int i = 0; i < f->blocks[b].nstmts; i++)
                    cs_intlist_add(&work, f->blocks[b].stmts[i]);
        }
    }
    cs_intlist_free(&work);
    return in;
}

/* A call that gives memory back stays, with the calls that lead to it with memory that it may mean. */
static void give_back(struct cs_live *l, int s)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    cs_mark_stmt(l, s, CS_WHY_FREE, -1);
    for (int i = 0; i < st->nuses; i++) {
        cs_need_operand(l, st->uses[i], s, CS_WHY_DATA);
        cs_give_back_effect(l, s, st->uses[i]);
    }
}

/* Runs to the fixpoint of what is marked so far, and says of kept calls what of them is needed. */
static void settle(struct cs_live *l)
{
    do
        drain(l);
    while (cs_arrival_keep(l) || cs_order_keep(l) || cs_order_polls_keep(l) || cs_operations_keep(l) ||
           cs_moments_grow(l));
    if (l->needs)
        l->needs->files = l->files_need;
    cs_need_writes(l);
    cs_need_reads(l);
    cs_need_flow(l);
    cs_need_because(l, -1);
    assert(!l->work.n && !l->ndeferred);
    for (int s = 0; s < l->g->nstmts; s++) {
        struct cs_stmt *st = &l->g->stmts[s];
        assert(st->keep || st->mark == CS_MARK_NONE);
        if (st->kind != CS_STMT_CALL || !st->keep)
            continue;
        st->drop_result = !l->result_needed[s];
        st->arg_null = cs_live_unneeded_args(l, s);
    }
}

void cs_live_run(struct cs_live *l, struct cs_needs *needs)
{
    assert(l->cdep && !l->work.n);
    bool *in_callback = cs_live_called_by_mpi(l);
    cs_need_start(l, needs);
    for (int s = 0, n = l->g->nstmts; s < n; s++) {
        enum cs_reason why;
        if (!cs_live_reachable_stmt(l, s) || !is_root(l, s, &why))
            continue;
        cs_mark_stmt(l, s, why, -1);
        if (cs_live_is_mpi_pointer(l, s) || in_callback[l->g->stmts[s].func])
            cs_live_mark(l, s, CS_MARK_CONTENT, -1);
        cs_root_effect(l, s);
    }
    free(in_callback);
    cs_arrival_roots(l);
    settle(l);
}

void cs_live_count(struct cs_live *l, const bool *calls)
{
    for (int s = 0, n = l->g->nstmts; s < n; s++) {
        if (!calls[s] || !cs_live_reachable_stmt(l, s))
            continue;
        cs_mark_stmt(l, s, CS_WHY_COUNT, -1);
        for (int i = 0; i < l->g->stmts[s].nuses; i++)
            cs_need_operand(l, l->g->stmts[s].uses[i], s, CS_WHY_DATA);
        cs_root_effect(l, s);
    }
    settle(l);
}

void cs_live_give_back(struct cs_live *l, const bool *calls)
{
    for (int s = 0, n = l->g->nstmts; s < n; s++)
        if (calls[s] && cs_live_reachable_stmt(l, s))
            give_back(l, s);
    settle(l);
}
