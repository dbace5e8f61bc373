/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long the arrays are that MPI is given: the largest count that points-to knows, of the largest datatype;
 * extents.h. */
#include "slicer/extents.h"

#include "slicer/model/mpich_abi.h"

/* A number that a correct program cannot pass here says nothing: the 0 that memory holds before its first use. */
static bool largest(struct cs_pts *pts, struct cs_operand op, bool type, int64_t *max)
{
    const struct cs_intset *s = cs_pts_operand(pts, op);
    *max = 0;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, s->a[i]);
        if (l->obj != CS_LOC_CONST || (type && l->pat.off && !cs_mpich_is_basic(l->pat.off)))
            return false;
        int64_t n = type && l->pat.off ? cs_mpich_basic_size(l->pat.off) : l->pat.off;
        if (n > INT32_MAX)
            return false;
        if (n > *max)
            *max = n;
    }
    return *max > 0;
}

static void shorten(struct cs_graph *g, struct cs_model *m, struct cs_pts *pts)
{
    int64_t count, size;
    for (int i = 0; i < m->narrays; i++) {
        const struct cs_marray *a = &m->arrays[i];
        size = a->unit;
        if (!largest(pts, a->count, false, &count) || (!size && !largest(pts, a->type, true, &size)))
            continue;
        if (a->load >= 0)
            g->stmts[a->load].load.size = count * size;
        if (a->write >= 0)
            m->writes[a->write].ref.size = count * size;
    }
}

void cs_extents_find(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts)
{
    for (int i = 0; i < ms->n; i++)
        shorten(g, &ms->m[i], pts);
}
