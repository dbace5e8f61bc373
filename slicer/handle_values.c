/* SPDX-License-Identifier: GPL-3.0-or-later
 * handle_values.h: points-to follows handles as it does addresses. */
#include "slicer/handle_values.h"

#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

static bool is_handle(const struct cs_graph *g, int obj)
{
    return obj >= 0 && obj < g->nobjs && g->objs[obj].kind == CS_OBJ_HANDLE;
}

static bool may_be_handle(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op)
{
    const struct cs_intset *to = cs_pts_operand(pts, op);
    for (int i = 0; i < to->n; i++)
        if (is_handle(g, cs_pts_loc(pts, to->a[i])->obj))
            return true;
    return false;
}

/* May a handle be in what the address leads to? */
static bool may_hold_handle(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand address)
{
    struct cs_intset objs = {0}, held = {0};
    bool any = false;
    cs_pts_objects_as_one(pts, address, &objs);
    for (int i = 0; i < objs.n; i++)
        cs_pts_stored(pts, objs.a[i], &held);
    for (int i = 0; i < held.n && !any; i++)
        any = is_handle(g, held.a[i]);
    cs_intset_free(&objs);
    cs_intset_free(&held);
    return any;
}

static bool assigns_handle(const struct cs_graph *g, struct cs_pts *pts, int stmt)
{
    struct cs_named_value v[CS_NAMED_MOST];
    const struct cs_stmt *s = &g->stmts[stmt];
    for (int n = cs_named_values(g, stmt, v), i = 0; i < n; i++) {
        bool is = v[i].kind == CS_NAMED_DEFINED  ? may_be_handle(g, pts, cs_opnd_value(s->def))
                  : v[i].kind == CS_NAMED_STORED ? may_be_handle(g, pts, s->uses[0])
                                                 : !v[i].of_mpi && may_hold_handle(g, pts, s->uses[v[i].arg]);
        if (is)
            return true;
    }
    return false;
}

void cs_handles_find(struct cs_graph *g, struct cs_pts *pts)
{
    for (int s = 0; s < g->nstmts; s++)
        g->stmts[s].handles = g->stmts[s].names >= 0 && assigns_handle(g, pts, s);
}
