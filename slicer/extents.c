/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long the arrays are that MPI is given: the largest count that points-to knows, of the largest datatype.
 * What descriptors of mpi_f08 say; extents.h. */
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

/* The number in every descriptor that may be meant; the 0 that memory holds before its first use does not count. */
static bool told(struct cs_pts *pts, int value, int64_t *n)
{
    const struct cs_intset *s = cs_pts_operand(pts, cs_opnd_value(value));
    *n = 0;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, s->a[i]);
        if (l->obj != CS_LOC_CONST || l->pat.stride || (l->pat.off && *n && l->pat.off != *n))
            return false;
        if (l->pat.off)
            *n = l->pat.off;
    }
    return *n > 0;
}

/* Is it a scalar, by every descriptor that may be meant? */
static bool is_scalar(struct cs_pts *pts, const struct cs_mshape *s)
{
    const struct cs_intset *rank = cs_pts_operand(pts, cs_opnd_value(s->told[0]));
    for (int i = 0; i < rank->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, rank->a[i]);
        if (l->obj != CS_LOC_CONST || l->pat.stride || l->pat.off)
            return false;
    }
    return rank->n > 0;
}

/* A scalar, or one dimension without gaps. */
static bool has_no_gaps(struct cs_pts *pts, const struct cs_mshape *s)
{
    int64_t n[4];
    if (is_scalar(pts, s))
        return true;
    for (int i = 0; i < 4; i++)
        if (!told(pts, s->told[i], &n[i]))
            return false;
    return n[0] == 1 && n[1] == n[2] && n[3] == 1;
}

static void shorten(struct cs_graph *g, struct cs_model *m, struct cs_pts *pts)
{
    int64_t count, size;
    for (int i = 0; i < m->narrays; i++) {
        const struct cs_marray *a = &m->arrays[i];
        size = a->unit;
        if (a->described && !has_no_gaps(pts, &a->shape))
            continue;
        if (!largest(pts, a->count, false, &count) || (!size && !largest(pts, a->type, true, &size)))
            continue;
        if (a->load >= 0)
            g->stmts[a->load].load.size = count * size;
        if (a->write >= 0)
            m->writes[a->write].ref.size = count * size;
    }
}

/* MPICH's binding looks at no bounds of what has no gaps. */
static void leave_bounds(struct cs_graph *g, const struct cs_mdescriptor *d, struct cs_pts *pts)
{
    if (has_no_gaps(pts, &d->shape))
        g->stmts[g->values[d->dims].def].load.size = 8;
}

void cs_extents_find(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts)
{
    for (int i = 0; i < ms->n; i++) {
        shorten(g, &ms->m[i], pts);
        for (int k = 0; k < ms->m[i].ndescriptors; k++)
            leave_bounds(g, &ms->m[i].descriptors[k], pts);
    }
}
