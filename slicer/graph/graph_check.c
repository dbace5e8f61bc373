/* SPDX-License-Identifier: GPL-3.0-or-later
 * Asserts that a program graph is as graph.h describes it: ids are in range, and what names each other agrees.
 * One pass over the graph, at the border between those who build it and the analyses. */
#include <assert.h>

#include "slicer/graph/graph.h"

static bool is_id(int id, int n)
{
    return id >= 0 && id < n;
}

static bool is_id_or_none(int id, int n)
{
    return id >= -1 && id < n;
}

/* An operand of a statement of this function; -1: of an initial value. */
static void check_operand(const struct cs_graph *g, struct cs_operand op, int func)
{
    assert(op.kind >= CS_OPND_NONE && op.kind <= CS_OPND_ADDR);
    assert(op.kind != CS_OPND_VALUE || (is_id(op.id, g->nvalues) && g->values[op.id].func == func));
    assert(op.kind != CS_OPND_ADDR || is_id(op.id, g->nobjs));
    assert(op.pat.stride >= 0);
    (void)g, (void)op, (void)func;
}

static void check_ref(const struct cs_graph *g, const struct cs_ref *r, int func)
{
    check_operand(g, r->base, func);
    assert(r->size >= CS_SIZE_UNKNOWN && r->pat.stride >= 0);
}

static void check_call(const struct cs_graph *g, const struct cs_stmt *s)
{
    check_operand(g, s->callee, s->func);
    for (int i = 0; i < s->narg_loads; i++) {
        assert(is_id(s->arg_loads[i].arg, s->nuses));
        check_ref(g, &s->arg_loads[i].ref, s->func);
    }
}

static void check_stmt(const struct cs_graph *g, const struct cs_stmt *s)
{
    assert(s->kind >= CS_STMT_ASSIGN && s->kind <= CS_STMT_ENTRY && s->op >= CS_OP_COPY && s->op <= CS_OP_OTHER);
    assert(is_id(s->func, g->nfuncs) && is_id(s->block, g->funcs[s->func].nblocks));
    assert(s->def == -1 || (is_id(s->def, g->nvalues) && g->values[s->def].func == s->func));
    assert(is_id_or_none(s->source, g->nstmts) && is_id_or_none(s->shape, g->nstrings));
    assert(is_id(s->file, g->nstrings) && is_id_or_none(s->text, g->nstrings));
    assert(is_id_or_none(s->names, g->nstrings));
    for (int i = 0; i < s->nuses; i++) {
        check_operand(g, s->uses[i], s->func);
        assert(s->kind != CS_STMT_PHI || is_id(s->phi_preds[i], g->funcs[s->func].nblocks));
    }
    for (int i = 0; i < s->nidx; i++)
        assert(is_id(s->idx[i], g->nvalues));
    assert(s->has_load || (s->kind != CS_STMT_LOAD && s->kind != CS_STMT_COPY));
    assert(s->has_store || (s->kind != CS_STMT_STORE && s->kind != CS_STMT_COPY && s->kind != CS_STMT_ENTRY));
    if (s->has_load)
        check_ref(g, &s->load, s->func);
    if (s->has_store)
        check_ref(g, &s->store, s->func);
    if (s->kind == CS_STMT_CALL)
        check_call(g, s);
}

static void check_block(const struct cs_graph *g, int func, int block)
{
    const struct cs_func *f = &g->funcs[func];
    const struct cs_block *b = &f->blocks[block];
    for (int i = 0; i < b->nsuccs; i++)
        assert(b->succs[i] == CS_BLOCK_EXIT || is_id(b->succs[i], f->nblocks));
    for (int i = 0; i < b->nstmts; i++) {
        assert(is_id(b->stmts[i], g->nstmts));
        assert(g->stmts[b->stmts[i]].func == func && g->stmts[b->stmts[i]].block == block);
    }
    (void)f, (void)b;
}

static void check_func(const struct cs_graph *g, int func)
{
    const struct cs_func *f = &g->funcs[func];
    assert(is_id(f->obj, g->nobjs) && g->objs[f->obj].kind == CS_OBJ_FUNC && g->objs[f->obj].func == func);
    assert(is_id(f->name, g->nstrings) && is_id_or_none(f->result_obj, g->nobjs) && is_id(f->source, g->nfuncs));
    assert(f->defined || !f->nblocks);
    for (int k = 0; k < f->nparams; k++) {
        assert(is_id_or_none(f->params[k], g->nvalues) && is_id_or_none(f->param_objs[k], g->nobjs));
        assert(f->params[k] < 0 || (g->values[f->params[k]].func == func && g->values[f->params[k]].def == -1));
    }
    for (int b = 0; b < f->nblocks; b++)
        check_block(g, func, b);
}

static void check_obj(const struct cs_graph *g, const struct cs_obj *o)
{
    assert(is_id(o->name, g->nstrings) && o->size >= CS_SIZE_UNKNOWN);
    assert(is_id_or_none(o->func, g->nfuncs) && (o->kind != CS_OBJ_FUNC || o->func >= 0));
    assert(is_id_or_none(o->stmt, g->nstmts) && is_id_or_none(o->parent, g->nobjs));
    for (int i = 0; i < o->ninits; i++)
        check_operand(g, o->inits[i].val, -1);
}

void cs_graph_check(const struct cs_graph *g)
{
    for (int f = 0; f < g->nfuncs; f++)
        check_func(g, f);
    for (int s = 0; s < g->nstmts; s++)
        check_stmt(g, &g->stmts[s]);
    for (int o = 0; o < g->nobjs; o++)
        check_obj(g, &g->objs[o]);
    for (int v = 0; v < g->nvalues; v++)
        assert(g->values[v].def == -1 || (is_id(g->values[v].def, g->nstmts) && g->stmts[g->values[v].def].def == v));
}
