/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares the requests of calls of MPI in one function; completed.h. */
#include "slicer/advise/completed.h"

#include <stddef.h>

#include "api/mpi_calls.h"
#include "slicer/advise/rewritten.h"
#include "slicer/graph/storage.h"

static const struct cs_mpi_call *mpi_call(const struct cs_graph *g, int stmt)
{
    enum cs_binding b;
    const struct cs_stmt *s = &g->stmts[stmt];
    return s->kind == CS_STMT_CALL && s->callee.kind == CS_OPND_ADDR
               ? cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &b)
               : NULL;
}

/* The operand of the call that has this role, or the other one. */
static struct cs_operand argument(const struct cs_graph *g, int stmt, const struct cs_mpi_call *c, enum cs_role role,
                                  enum cs_role other)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    for (int i = 0; i < c->nargs && i < s->nuses; i++)
        if (c->args[i].role == role || c->args[i].role == other)
            return s->uses[i];
    return cs_opnd_none();
}

/* Are both in one array, as far as that is seen? */
static bool same_array(const struct cs_graph *g, struct cs_operand a, struct cs_operand b)
{
    if (a.kind != b.kind || a.kind == CS_OPND_NONE)
        return false;
    if (a.kind != CS_OPND_VALUE)
        return a.kind == CS_OPND_ADDR && a.id == b.id;
    return cs_pointer_origin(g, a.id) == cs_pointer_origin(g, b.id);
}

void cs_completed_by(const struct cs_graph *g, int call, struct cs_intlist *by)
{
    const struct cs_mpi_call *c = mpi_call(g, call);
    if (!c || !(c->flags & CS_MPI_NONBLOCKING))
        return;
    const struct cs_func *f = &g->funcs[g->stmts[call].func];
    struct cs_operand request = argument(g, call, c, CS_ROLE_REQ_OUT, CS_ROLE_REQ_OUT);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nstmts; i++) {
            int s = f->blocks[b].stmts[i];
            const struct cs_mpi_call *k = mpi_call(g, s);
            bool ends = k && (k->kind == CS_MPI_WAIT || k->kind == CS_MPI_WAIT_SOME || k->kind == CS_MPI_TEST);
            if (ends && same_array(g, request, argument(g, s, k, CS_ROLE_REQ_INOUT, CS_ROLE_REQS)))
                cs_intlist_add(by, s);
        }
}
