/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds callbacks that are given a variable that is gone; gone_state.h. */
#include "slicer/gone_state.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/graph/storage.h"

/* The argument that callbacks of the key are given, or NONE: the call makes no key, or is one of C, where a pointer
 * to what is gone is the program's own mistake. */
static struct cs_operand extra_of(const struct cs_graph *g, const struct cs_model *m)
{
    const struct cs_stmt *s = &g->stmts[m->stmt];
    if (!m->mpi || m->binding == CS_BIND_C || !cs_mpi_has_role(m->mpi, CS_ROLE_NEWKEY) || !s->keep)
        return cs_opnd_none();
    for (int i = 0; i < m->mpi->nargs && i < s->nuses; i++)
        if (m->mpi->args[i].role == CS_ROLE_PTR_IN)
            return s->uses[i];
    return cs_opnd_none();
}

/* Does a kept statement of another function read the variable? */
static bool read_elsewhere(const struct cs_graph *g, struct cs_pts *pts, int obj)
{
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        if (s->kind == CS_STMT_LOAD && s->keep && s->source >= 0 && s->func != g->objs[obj].func &&
            cs_pts_may_point_to(pts, s->load.base, obj))
            return true;
    }
    return false;
}

/* Adds what the statement may call, but for function `not`, unless it was seen. */
static void add_callees(struct cs_pts *pts, int stmt, int not, bool *seen, struct cs_intlist *work)
{
    const struct cs_intset *c = cs_pts_callees(pts, stmt);
    for (int k = 0; c && k < c->n; k++)
        if (!seen[c->a[k]] && c->a[k] != not ) {
            seen[c->a[k]] = true;
            cs_intlist_add(work, c->a[k]);
        }
}

/* Functions that may run while `func` does not. The caller frees. */
static bool *without(const struct cs_graph *g, struct cs_pts *pts, int func)
{
    bool *seen = cs_calloc(g->nfuncs + 1, sizeof *seen);
    struct cs_intlist work = {0};
    for (int f = 0; f < g->nfuncs; f++)
        if (g->funcs[f].is_entry && f != func) {
            seen[f] = true;
            cs_intlist_add(&work, f);
        }
    while (work.n) {
        const struct cs_func *f = &g->funcs[work.a[--work.n]];
        for (int b = 0; f->defined && b < f->nblocks; b++)
            for (int i = 0; i < f->blocks[b].nstmts; i++)
                add_callees(pts, f->blocks[b].stmts[i], func, seen, &work);
    }
    cs_intlist_free(&work);
    return seen;
}

/* Is a call that runs callbacks made while the function does not run? */
static bool runs_after(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts, int func)
{
    bool *other = without(g, pts, func), any = false;
    for (int i = 0; i < ms->n && !any; i++) {
        const struct cs_model *m = &ms->m[i];
        any = m->mpi && m->mpi->flags & CS_MPI_ATTRIBUTES && g->stmts[m->stmt].keep && other[g->stmts[m->stmt].func];
    }
    free(other);
    return any;
}

void cs_gone_state_check(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts,
                         void (*say)(void *arg, int stmt), void *arg)
{
    for (int i = 0; i < ms->n; i++) {
        struct cs_operand extra = extra_of(g, &ms->m[i]);
        const struct cs_intset *set = extra.kind == CS_OPND_NONE ? NULL : cs_pts_operand(pts, extra);
        bool gone = false;
        for (int k = 0; set && k < set->n && !gone; k++) {
            int obj = cs_pts_loc(pts, set->a[k])->obj;
            gone = obj >= 0 && g->objs[obj].kind == CS_OBJ_LOCAL && read_elsewhere(g, pts, obj) &&
                   runs_after(g, ms, pts, g->objs[obj].func);
        }
        if (gone)
            say(arg, ms->m[i].stmt);
    }
}
