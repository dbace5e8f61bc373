/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls in the points-to solver: arguments to parameters and results back, for functions with a body, for those that a
 * model describes (model.h), for functions that a library calls back, and for unknown code, to which objects escape.
 * The call graph grows here, as pointers to functions arrive. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Unknown code calls the function: with anything, and sees what it returns. */
static void escape_function(struct cs_pts *p, int func)
{
    struct cs_func f = p->g->funcs[func];
    if (!f.defined)
        return;
    cs_pts_add_function(p, func);
    for (int i = 0; i < f.nparams; i++) {
        if (f.params[i] >= 0)
            cs_pts_add_edge(p, p->ext_node, cs_pts_value_node(p, f.params[i]), EDGE_COPY, 0);
        if (f.param_objs && f.param_objs[i] >= 0)
            cs_pts_escape(p, f.param_objs[i]);
    }
    if (f.result_obj >= 0)
        cs_pts_escape(p, f.result_obj);
    for (int b = 0; b < f.nblocks; b++)
        for (int k = 0; f.blocks[b].reachable && k < f.blocks[b].nstmts; k++) {
            const struct cs_stmt *r = &p->g->stmts[f.blocks[b].stmts[k]];
            if (r->kind == CS_STMT_RETURN && r->nuses)
                cs_pts_flow(p, r->uses[0], p->ext_node, EDGE_OUTSIDE, 0);
        }
}

void cs_pts_escape(struct cs_pts *p, int obj)
{
    obj = cs_pts_home(p, obj);
    if (cs_pts_obj_info(p, obj)->escaped)
        return;
    p->info[obj].escaped = true;
    if (p->g->objs[obj].kind == CS_OBJ_FUNC) {
        escape_function(p, p->g->objs[obj].func);
        return;
    }
    cs_pts_get_cell(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN);
    for (int k = 0; k < p->info[obj].ncells; k++) {
        cs_pts_add_edge(p, p->ext_node, p->info[obj].cells[k].store, EDGE_NO_CONST, 0);
        cs_pts_add_edge(p, p->info[obj].cells[k].store, p->ext_node, EDGE_OUTSIDE, 0);
    }
}

/* in: the instance that the call runs. */
static void bind_args(struct cs_pts *p, int stmt, int func, int in)
{
    for (int i = 0; i < p->g->stmts[stmt].nuses && i < p->g->funcs[func].nparams; i++) {
        int formal = p->g->funcs[func].params[i];
        if (formal >= 0 && !cs_pts_is_dispatched(p, stmt, i))
            cs_pts_flow(p, p->g->stmts[stmt].uses[i], cs_pts_value_in(p, in, formal), EDGE_COPY, 0);
    }
    for (int i = p->g->stmts[stmt].nuses; i < p->g->funcs[func].nparams; i++)
        if (p->g->funcs[func].params[i] >= 0)
            cs_pts_add_loc(p, cs_pts_value_in(p, in, p->g->funcs[func].params[i]), LOC_INT);
    for (int k = 0; k < p->g->stmts[stmt].narg_loads; k++) {
        int arg = p->g->stmts[stmt].arg_loads[k].arg;
        struct cs_ref src = p->g->stmts[stmt].arg_loads[k].ref;
        if (arg >= p->g->funcs[func].nparams || p->g->funcs[func].param_objs[arg] < 0)
            continue;
        struct cs_ref dst = {cs_opnd_addr(p->g->funcs[func].param_objs[arg], cs_pat_at(0)), cs_pat_at(0), src.size};
        cs_pts_add_copycon(p, &dst, &src);
    }
}

/* The parameter that this operand of the function is: its number, -1 if it is none. */
static int param_number(const struct cs_func *f, struct cs_operand op)
{
    for (int i = 0; i < f->nparams && op.kind == CS_OPND_VALUE; i++)
        if (f->params[i] == op.id)
            return i;
    return -1;
}

/* Where `to` gets what the operand is in this call of the function: the argument itself, moved by what the function
 * adds to its parameter (placement new, std::forward, the address of a member). In SSA form a parameter is in each
 * call what that call gives it, so the arguments of other calls do not come back to this one. false: it is not that
 * simple. */
static bool bind_given(struct cs_pts *p, int stmt, const struct cs_func *f, struct cs_operand op, int to, int depth)
{
    enum { MOST = 8 };
    const struct cs_stmt *call = &p->g->stmts[stmt];
    int k = param_number(f, op), d = op.kind == CS_OPND_VALUE ? p->g->values[op.id].def : -1;
    if (k >= 0 && k < call->nuses) {
        if (to >= 0)
            cs_pts_flow(p, call->uses[k], to, EDGE_COPY, 0);
        return true;
    }
    if (k >= 0 || d < 0 || depth == MOST || p->g->stmts[d].kind != CS_STMT_ASSIGN)
        return false;
    struct cs_stmt s = p->g->stmts[d];
    bool shift = s.op == CS_OP_PTRADD && s.nuses == 2 && s.uses[1].kind == CS_OPND_CONST;
    if (!s.nuses || (s.op != CS_OP_COPY && s.op != CS_OP_FIELD && !shift) || (s.op != CS_OP_PTRADD && s.nuses > 1))
        return false;
    int from = to >= 0 ? cs_pts_new_node(p) : -1;
    if (!bind_given(p, stmt, f, s.uses[0], from, depth + 1))
        return false;
    if (to >= 0 && s.op == CS_OP_FIELD) {
        CS_GROW(p->pats, p->npats, p->apats);
        p->pats[p->npats] = s.load.pat;
        cs_pts_add_edge(p, from, to, EDGE_FIELD, p->npats++);
    } else if (to >= 0) {
        cs_pts_add_edge(p, from, to, shift ? EDGE_SHIFT : EDGE_COPY, shift ? s.uses[1].pat.off : 0);
    }
    return true;
}

/* The operand of a return in instance `in` flows to the node of the caller. */
static void flow_out(struct cs_pts *p, int in, struct cs_operand op, int to, enum edge_kind kind, int64_t amount)
{
    int was = p->in;
    p->in = in;
    cs_pts_flow(p, op, to, kind, amount);
    p->in = was;
}

static int64_t new_crossing(struct cs_pts *p, int stmt, int func)
{
    CS_GROW(p->crossings, p->ncrossings, p->acrossings);
    p->crossings[p->ncrossings] = (struct crossing){stmt, func, p->in};
    return p->ncrossings++;
}

static void bind_result(struct cs_pts *p, int stmt, int func, int in)
{
    const struct cs_func *f = &p->g->funcs[func];
    struct cs_stmt *s = &p->g->stmts[stmt];
    if (s->has_store && f->result_obj >= 0) {
        struct cs_ref src = {cs_opnd_addr(f->result_obj, cs_pat_at(0)), cs_pat_at(0), s->store.size};
        struct cs_ref dst = s->store;
        cs_pts_add_copycon(p, &dst, &src);
    }
    if (s->def < 0 && !s->has_store)
        return;
    int to = s->def >= 0 ? cs_pts_value_node(p, s->def) : cs_pts_new_node(p);
    bool fresh = s->def >= 0 && cs_pts_returns_fresh(p, func);
    int64_t crossing = fresh ? new_crossing(p, stmt, func) : 0;
    if (s->has_store && f->result_obj < 0) {
        struct cs_ref dst = s->store;
        cs_pts_add_memcon(p, HOOK_STORE, &dst, to, false);
    }
    for (int b = 0; b < p->g->funcs[func].nblocks; b++) {
        const struct cs_block *bl = &p->g->funcs[func].blocks[b];
        if (!bl->reachable)
            continue;
        for (int k = 0; k < bl->nstmts; k++) {
            const struct cs_stmt *r = &p->g->stmts[bl->stmts[k]];
            if (r->kind != CS_STMT_RETURN || !r->nuses)
                continue;
            if (!fresh && !r->has_load && bind_given(p, stmt, &p->g->funcs[func], r->uses[0], -1, 0)) {
                bind_given(p, stmt, &p->g->funcs[func], r->uses[0], to, 0);
                continue;
            }
            flow_out(p, in, r->uses[0], to, fresh ? EDGE_CONTEXT : EDGE_COPY, crossing);
        }
    }
}

/* What unknown code is given, also in structs by value, it may hand on. */
static void escape_arguments(struct cs_pts *p, int stmt)
{
    for (int k = 0; k < p->g->stmts[stmt].nuses; k++)
        cs_pts_add_edge(p, cs_pts_operand_node(p, p->g->stmts[stmt].uses[k]), p->ext_node, EDGE_OUTSIDE, 0);
    for (int k = 0; k < p->g->stmts[stmt].narg_loads; k++) {
        struct cs_ref r = p->g->stmts[stmt].arg_loads[k].ref;
        int n = cs_pts_new_node(p);
        cs_pts_add_memcon(p, HOOK_LOAD, &r, n, false);
        cs_pts_add_edge(p, n, p->ext_node, EDGE_OUTSIDE, 0);
    }
}

/* Unknown code may call libraries, and find there what the program has set: the seed of rand, the environment, a unit
 * that is open. Not said of what it hardly asks for: how far output has come, errno of arithmetic, handlers and
 * exceptions, threads, MPI. */
static bool is_shared_state(struct cs_pts *p, int obj)
{
    static const char *const own[] = {"h:stdout", "h:stderr", "h:errno_math", "h:signal",
                                      "h:cxa",    "h:omp",    "h:argv",       "h:argv text"};
    const char *name = cs_obj_name(p->g, obj);
    if (p->g->objs[obj].kind != CS_OBJ_HIDDEN)
        return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i]))
            return false;
    return obj == p->ms->unit_obj || (!strncmp(name, "h:", 2) && strncmp(name, "h:MPI", 5));
}

void cs_pts_escape_state(struct cs_pts *p, int obj)
{
    if (p->unseen && is_shared_state(p, obj))
        cs_pts_escape(p, obj);
}

static void escape_states(struct cs_pts *p, int func)
{
    if (p->unseen || !strcmp(cs_func_name(p->g, func), "inline assembly"))
        return;
    p->unseen = true;
    for (int o = 0; o < p->g->nobjs; o++)
        cs_pts_escape_state(p, o);
}

/* What the library function returns in the current instance: fresh memory is the instance's own. */
static struct cs_operand returned(struct cs_pts *p, int func, struct cs_operand val)
{
    if (p->in && val.kind == CS_OPND_ADDR && p->g->objs[val.id].kind == CS_OBJ_HEAP && cs_pts_allocates(p->g, func))
        val.id = cs_pts_made_in(p, val.id, p->in);
    return val;
}

static void bind_model(struct cs_pts *p, int stmt, int func)
{
    int mi = cs_model_get(p->ms, p->g, stmt, func);
    struct cs_model *m = &p->ms->m[mi];
    for (int k = 0; k < m->pseudo.n; k++)
        cs_pts_add_stmt(p, m->pseudo.a[k]);
    for (int k = 0; k < m->nwrites; k++) {
        int n = cs_pts_new_node(p);
        cs_pts_flow(p, m->writes[k].val, n, m->writes[k].spread ? EDGE_SPREAD : EDGE_COPY, 1);
        cs_pts_add_memcon(p, HOOK_STORE, &m->writes[k].ref, n, false);
    }
    for (int k = 0; k < m->ncopies; k++)
        cs_pts_add_copycon(p, &m->copies[k].dst, &m->copies[k].src);
    for (int k = 0; k < m->ncarried; k++)
        cs_pts_add_copycon(p, &m->carried[k].dst, &m->carried[k].src);
    for (int k = 0; k < m->ncallbacks; k++) {
        CS_GROW(p->callbacks, p->ncallbacks, p->acallbacks);
        p->callbacks[p->ncallbacks] = (struct callback){mi, k};
        cs_pts_add_hook(p, cs_pts_operand_node(p, p->ms->m[mi].callbacks[k].fn), HOOK_CALLBACK, p->ncallbacks++);
        m = &p->ms->m[mi];
    }
    for (int k = 0; k < m->nmoved; k++) {
        CS_GROW(p->buffers, p->nbuffers, p->abuffers);
        p->buffers[p->nbuffers] = (struct buffercon){m->moved[k].buf, cs_pts_value_node(p, m->moved[k].value)};
        cs_pts_add_hook(p, cs_pts_operand_node(p, m->moved[k].type), HOOK_DATATYPE, p->nbuffers++);
        m = &p->ms->m[mi];
    }
    if (m->opaque) {
        escape_arguments(p, stmt);
        escape_states(p, func);
    }
    struct cs_stmt *s = &p->g->stmts[stmt];
    int to = s->def >= 0 ? cs_pts_value_node(p, s->def) : s->has_store ? cs_pts_new_node(p) : -1;
    if (to < 0)
        return;
    if (s->has_store) {
        struct cs_ref dst = s->store;
        cs_pts_add_memcon(p, HOOK_STORE, &dst, to, false);
    }
    m = &p->ms->m[mi];
    for (int k = 0; k < m->nret; k++)
        cs_pts_flow(p, returned(p, func, m->ret[k].val), to, m->ret[k].spread ? EDGE_SPREAD : EDGE_COPY, 1);
}

void cs_pts_bind_call(struct cs_pts *p, int stmt, int func)
{
    assert(stmt >= 0 && stmt < p->g->nstmts && p->g->stmts[stmt].kind == CS_STMT_CALL);
    if (stmt >= p->ncallees) {
        int n = p->g->nstmts + 64;
        p->callees = cs_realloc(p->callees, n * sizeof *p->callees);
        memset(p->callees + p->ncallees, 0, (n - p->ncallees) * sizeof *p->callees);
        p->ncallees = n;
    }
    if (!cs_intset_add(&p->callees[stmt], func) && !p->in) /* an instance comes here once */
        return;
    if (!p->g->funcs[func].defined) {
        bind_model(p, stmt, func);
        return;
    }
    int in = cs_pts_enter(p, stmt, func);
    bind_args(p, stmt, func, in);
    bind_result(p, stmt, func, in);
}

void cs_pts_bind_callback(struct cs_pts *p, int id, int func)
{
    assert(id >= 0 && id < p->ncallbacks);
    struct callback cb = p->callbacks[id];
    struct cs_mcallback c = p->ms->m[cb.model].callbacks[cb.index];
    int stmt = p->ms->m[cb.model].stmt;
    if (stmt < p->ncallees)
        cs_intset_add(&p->callees[stmt], func);
    if (!p->g->funcs[func].defined)
        return;
    cs_pts_add_function(p, func);
    for (int i = 0; i < p->g->funcs[func].nparams; i++) {
        int formal = p->g->funcs[func].params[i];
        if (formal < 0)
            continue;
        if (i < c.nargs && !c.status[i])
            cs_pts_flow(p, c.args[i], cs_pts_value_node(p, formal), c.exact[i] ? EDGE_COPY : EDGE_SPREAD, 1);
        else
            cs_pts_add_loc(p, cs_pts_value_node(p, formal), LOC_INT);
    }
}

/* ---- virtual functions of a library's classes ---- */

/* Does an object lie in both sets that is no function? */
static bool share_object(struct cs_pts *p, int a, int b)
{
    struct cs_intlist at = {0}, to = {0};
    bool share = false;
    cs_pts_list_all(p, cs_pts_find(p, a), &at);
    cs_pts_list_all(p, cs_pts_find(p, b), &to);
    for (int i = 0; i < at.n && !share; i++) {
        int obj = p->locs[at.a[i]].obj;
        if (obj < 0 || p->g->objs[obj].kind == CS_OBJ_FUNC)
            continue;
        for (int k = 0; k < to.n && !share; k++)
            share = p->locs[to.a[k]].obj == obj;
    }
    cs_intlist_free(&at);
    cs_intlist_free(&to);
    return share;
}

/* Does the call look for its function in the object that it is given, and finds none there? The library's rows say that
 * such an object points to itself, but not to its table. */
static bool asks_library(struct cs_pts *p, int stmt)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_VALUE || !s->nuses || !p->reached[s->func] ||
        !p->g->funcs[s->func].blocks[s->block].reachable || (stmt < p->ncallees && p->callees[stmt].n))
        return false;
    return share_object(p, cs_pts_operand_node(p, s->callee), cs_pts_operand_node(p, s->uses[0]));
}

bool cs_pts_bind_virtual(struct cs_pts *p)
{
    bool any = false;
    int func = p->g->nfuncs - 1;
    while (func >= 0 && strcmp(cs_func_name(p->g, func), CS_LIBRARY_VIRTUAL))
        func--;
    for (int s = 0, n = p->g->nstmts; func >= 0 && s < n; s++) {
        if (!asks_library(p, s))
            continue;
        cs_pts_bind_call(p, s, func);
        any = true;
    }
    return any;
}
