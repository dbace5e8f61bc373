/* SPDX-License-Identifier: GPL-3.0-or-later
 * Keeps everything; keep_all.h. What is needed of the call graph is which calls may be calls of MPI: those by name,
 * and those by a pointer, as soon as the address of a function of MPI is anywhere but in a call of it. */
#include "slicer/keep_all.h"

#include <assert.h>

#include "api/mpi_calls.h"
#include "slicer/graph/storage.h"

/* The function without a body that the operand names, -1: none. */
static int outside(const struct cs_graph *g, struct cs_operand op)
{
    if (op.kind != CS_OPND_ADDR || g->objs[op.id].kind != CS_OBJ_FUNC)
        return -1;
    int f = g->objs[op.id].func;
    return g->funcs[f].defined ? -1 : f;
}

static void note_mpi(const struct cs_graph *g, struct cs_operand op, struct cs_intset *out)
{
    enum cs_binding b;
    int f = outside(g, op);
    const struct cs_mpi_call *c = f >= 0 ? cs_mpi_by_symbol(cs_func_name(g, f), &b) : NULL;
    if (c && (c->flags & CS_MPI_EVENT))
        cs_intset_add(out, f);
}

/* Adds the functions of MPI that a pointer may point to. */
static void find_mpi_pointers(const struct cs_graph *g, struct cs_intset *out)
{
    for (int s = 0; s < g->nstmts; s++)
        for (int i = 0; i < g->stmts[s].nuses; i++)
            note_mpi(g, g->stmts[s].uses[i], out);
    for (int o = 0; o < g->nobjs; o++)
        for (int i = 0; i < g->objs[o].ninits; i++)
            note_mpi(g, g->objs[o].inits[i].val, out);
}

static bool may_run(const struct cs_graph *g, int s)
{
    const struct cs_stmt *st = &g->stmts[s];
    return st->source >= -1 && g->funcs[st->func].blocks[st->block].reachable;
}

static void add_models(struct cs_graph *g, struct cs_models *ms, int s, const struct cs_intset *pointers)
{
    struct cs_operand callee = g->stmts[s].callee;
    int f = outside(g, callee);
    if (f >= 0)
        cs_model_get(ms, g, s, f);
    for (int i = 0; callee.kind == CS_OPND_VALUE && i < pointers->n; i++)
        cs_model_get(ms, g, s, pointers->a[i]);
}

static void keep(struct cs_graph *g, const struct cs_models *ms, int s)
{
    struct cs_stmt *st = &g->stmts[s];
    st->keep = true;
    st->why = CS_WHY_BUDGET;
    st->parent = -1;
    g->funcs[st->func].needed = true;
    for (int k = 0; s < ms->nstmts && k < ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &ms->m[ms->of_stmt[s].a[k]];
        if (m->mpi && (m->mpi->flags & CS_MPI_EVENT))
            st->mark = CS_MARK_CONTENT;
    }
}

void cs_keep_all(struct cs_graph *g, struct cs_models *ms, struct cs_needs *needs)
{
    struct cs_intset pointers = {0};
    int n = g->nstmts; /* models add statements that are not the program's */
    find_mpi_pointers(g, &pointers);
    for (int s = 0; s < n; s++)
        if (g->stmts[s].kind == CS_STMT_CALL && may_run(g, s))
            add_models(g, ms, s, &pointers);
    for (int s = 0; s < n; s++)
        if (may_run(g, s))
            keep(g, ms, s);
    cs_intset_free(&pointers);
    if (!needs)
        return;
    *needs = (struct cs_needs){.nstmts = g->nstmts, .nvalues = g->nvalues};
    needs->nnodes = 1 + 3 * g->nstmts + g->nvalues;
    assert(!needs->nedges);
}
