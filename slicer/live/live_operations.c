/* SPDX-License-Identifier: GPL-3.0-or-later
 * Operations of reductions that the program has made (MPI_Op_create) and that do more than reduce: where a variable
 * that one sets is LIVE, the reductions with it transmit their content, since a slice's other collectives run none. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

#include "slicer/live/live.h"

/* Adds the functions that run when this call's callees run. */
static void add_callees(struct cs_live *l, int call, bool *runs)
{
    const struct cs_intset *c = cs_pts_callees(l->pts, call);
    for (int k = 0; k < c->n; k++) {
        const struct cs_func *f = &l->g->funcs[c->a[k]];
        if (runs[c->a[k]] || !f->defined)
            continue;
        runs[c->a[k]] = true;
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; i < f->blocks[b].nstmts; i++)
                add_callees(l, f->blocks[b].stmts[i], runs);
    }
}

/* Does a kept statement of these functions write memory that outlives them and is not the reduction's own? */
static bool has_effect(struct cs_live *l, const bool *runs)
{
    for (int o = 0; o < l->nobjs; o++) {
        const struct cs_obj *ob = o < l->g->nobjs ? &l->g->objs[o] : NULL;
        if (o == l->ms->mpibuf_obj || (ob && ob->kind == CS_OBJ_LOCAL && runs[ob->func]))
            continue;
        for (int i = 0; i < l->writers[o].n; i++) {
            const struct cs_stmt *s = &l->g->stmts[l->writers[o].w[i].stmt];
            if (s->keep && runs[s->func])
                return true;
        }
    }
    return false;
}

/* May the reduction run what this call of MPI_Op_create has made? A handle of any other kind says no. */
static bool may_run(struct cs_live *l, const struct cs_model *reduction, int maker)
{
    const struct cs_intset *set = cs_pts_operand(l->pts, reduction->op);
    bool handles = false;
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, set->a[i]);
        if (cs_pts_is_stand_in(l->pts, loc->obj))
            return true;
        bool handle = loc->obj >= 0 && loc->obj < l->g->nobjs && l->g->objs[loc->obj].kind == CS_OBJ_HANDLE;
        if (handle && l->g->objs[loc->obj].stmt == maker)
            return true;
        handles |= handle;
    }
    return !handles;
}

/* Marks the reductions that may run the operation. True if one was not. */
static bool mark_reductions(struct cs_live *l, int maker)
{
    bool any = false;
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!m->mpi || !(m->mpi->flags & CS_MPI_EVENT) || !cs_mpi_has_role(m->mpi, CS_ROLE_OP) ||
            m->op.kind == CS_OPND_CONST || !cs_live_reachable_stmt(l, m->stmt) || !may_run(l, m, maker))
            continue;
        any |= l->g->stmts[m->stmt].mark < CS_MARK_CONTENT;
        cs_live_mark(l, m->stmt, CS_MARK_CONTENT, maker);
    }
    return any;
}

bool cs_operation_acts(struct cs_live *l, int maker)
{
    bool *runs = cs_calloc(l->g->nfuncs + 1, sizeof *runs);
    add_callees(l, maker, runs);
    bool acts = has_effect(l, runs);
    free(runs);
    return acts;
}

bool cs_operations_keep(struct cs_live *l)
{
    bool any = false;
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (m->mpi && cs_mpi_has_role(m->mpi, CS_ROLE_NEWOP) && cs_live_reachable_stmt(l, m->stmt) &&
            cs_operation_acts(l, m->stmt))
            any |= mark_reductions(l, m->stmt);
    }
    return any;
}
