/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares the numbers by which a function stores and reads elements; own_elements.h. */
#include "slicer/advise/own_elements.h"

#include <stdlib.h>

#include "slicer/graph/storage.h"

enum { DEPTH = 8 }; /* statements that are followed */

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

/* The value that the number of an element is, but for the size of one, and numbers that are added; it is read from
 * memory. -1: it is not. */
static int number_of(const struct cs_graph *g, struct cs_operand index)
{
    const struct cs_stmt *d;
    for (int i = 0; i < DEPTH && (d = def_of(g, index)); i++) {
        bool number = d->nuses == 2 && d->uses[1].kind == CS_OPND_CONST && (d->op == CS_OP_MUL || d->op == CS_OP_ADD);
        if (d->kind == CS_STMT_LOAD)
            return index.id;
        if (d->kind != CS_STMT_ASSIGN || !((d->op == CS_OP_COPY && d->nuses == 1) || number))
            return -1;
        index = d->uses[0];
    }
    return -1;
}

/* Likewise of the element behind a pointer; a function may give that, of what it is passed behind the object. */
static int element_of(const struct cs_graph *g, struct cs_operand pointer)
{
    const struct cs_stmt *d;
    for (int i = 0; i < DEPTH && (d = def_of(g, pointer)) && d->nuses; i++) {
        if (d->kind == CS_STMT_CALL && d->nuses == 2)
            return number_of(g, d->uses[1]);
        if (d->kind != CS_STMT_ASSIGN)
            break;
        if (d->op == CS_OP_PTRADD && d->nuses == 2 && d->uses[1].kind == CS_OPND_VALUE)
            return number_of(g, d->uses[1]);
        if (d->op != CS_OP_PTRADD && d->op != CS_OP_COPY)
            break;
        pointer = d->uses[0];
    }
    return -1;
}

/* Does the store only add to what is there? */
static bool updates(const struct cs_graph *g, const struct cs_stmt *store)
{
    const struct cs_stmt *d = store->nuses ? def_of(g, store->uses[0]) : NULL;
    bool is = false;
    for (int i = 0; d && d->kind == CS_STMT_ASSIGN && i < d->nuses && !is; i++) {
        const struct cs_stmt *of = def_of(g, d->uses[i]);
        is = of && of->kind == CS_STMT_LOAD && cs_opnd_same(of->load.base, store->store.base);
    }
    return is;
}

void cs_own_loads_find(const struct cs_graph *g, bool *is)
{
    bool *own = cs_calloc(g->nvalues + 1, sizeof *own);
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        int by = s->kind == CS_STMT_STORE ? element_of(g, s->store.base) : -1;
        if (by >= 0 && !updates(g, s))
            own[by] = true;
    }
    for (int i = 0; i < g->nstmts; i++) {
        int by = g->stmts[i].kind == CS_STMT_LOAD ? element_of(g, g->stmts[i].load.base) : -1;
        is[i] = by >= 0 && own[by];
    }
    free(own);
}
