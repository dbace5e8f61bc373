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

/* Is the object made by a call of one of these functions, a local or memory that one allocates? */
static bool made_inside(const struct cs_live *l, int o, const bool *runs)
{
    const struct cs_obj *ob = o < l->g->nobjs ? &l->g->objs[o] : NULL;
    if (ob && ob->kind == CS_OBJ_HEAP && ob->stmt >= 0)
        return runs[l->g->stmts[ob->stmt].func];
    return ob && ob->kind == CS_OBJ_LOCAL && runs[ob->func];
}

/* What is made inside and ends with the call, as nothing that was not made inside holds its address: scratch memory. */
static bool ends_inside(struct cs_live *l, int o, const bool *runs, const struct cs_intset *held)
{
    if (!made_inside(l, o, runs))
        return false;
    return l->g->objs[o].kind == CS_OBJ_LOCAL || (!cs_intset_has(held, o) && !cs_pts_escaped(l->pts, o));
}

/* Objects whose addresses are stored in what these functions do not make. */
static void held_outside(struct cs_live *l, const bool *runs, struct cs_intset *held)
{
    for (int o = 0; o < l->nobjs; o++)
        if (!made_inside(l, o, runs))
            cs_pts_stored(l->pts, o, held);
}

/* Does a kept statement of these functions write memory that outlives them and is not the reduction's own? */
static bool has_effect(struct cs_live *l, const bool *runs)
{
    struct cs_intset held = {0};
    bool any = false;
    held_outside(l, runs, &held);
    for (int o = 0; o < l->nobjs && !any; o++) {
        if (o == l->ms->mpibuf_obj || ends_inside(l, o, runs, &held))
            continue;
        for (int i = 0; i < l->writers[o].n && !any; i++) {
            const struct cs_stmt *s = &l->g->stmts[l->writers[o].w[i].stmt];
            any = s->keep && runs[s->func];
        }
    }
    cs_intset_free(&held);
    return any;
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
