/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bounds of loops; turns.h.
 *     for (i = 0; i < n; i++)             n was set to 1400 somewhere, and nowhere to anything else: 1400 turns
 *     for (i = a; i <= b; i++) x[i] ...   x has 1029 elements: 1029 turns */
#include "slicer/turns.h"

/* Nobody knows how many. */
static const double MANY = 1e300;
enum { STEPS = 8 }; /* a value is followed through so many operations */

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static const struct cs_stmt *def_of(const struct cs_graph *g, const struct cs_operand *o)
{
    int d = o->kind == CS_OPND_VALUE ? g->values[o->id].def : -1;
    return d >= 0 ? &g->stmts[d] : NULL;
}

/* The PHI from which the operand comes by adding constants and by conversions, or NULL. */
static const struct cs_stmt *phi_behind(const struct cs_graph *g, const struct cs_operand *o)
{
    const struct cs_stmt *st = def_of(g, o);
    for (int i = 0; st && st->kind == CS_STMT_ASSIGN && i < STEPS; i++) {
        bool moves =
            st->op == CS_OP_COPY || st->op == CS_OP_OTHER || st->op == CS_OP_FIELD || st->op == CS_OP_PTRADD ||
            ((st->op == CS_OP_ADD || st->op == CS_OP_SUB) && st->nuses == 2 && st->uses[1].kind == CS_OPND_CONST);
        st = moves && st->nuses > 0 ? def_of(g, &st->uses[0]) : NULL;
    }
    return st && st->kind == CS_STMT_PHI ? st : NULL;
}

/* Does it come back to the PHI by a step that is a constant? */
static bool steps_by_constant(const struct cs_graph *g, const struct cs_stmt *phi)
{
    for (int i = 0; i < phi->nuses; i++) {
        const struct cs_stmt *st = def_of(g, &phi->uses[i]);
        bool sum = st && st->kind == CS_STMT_ASSIGN &&
                   (st->op == CS_OP_ADD || st->op == CS_OP_SUB || st->op == CS_OP_PTRADD || st->op == CS_OP_FIELD);
        if (sum && phi_behind(g, &phi->uses[i]) == phi)
            return true;
    }
    return false;
}

/* The largest number that the operand can be, if it is one of a few constants; else 0. */
static double largest(struct cs_pts *pts, const struct cs_operand *o)
{
    double most = 0;
    const struct cs_intset *set = cs_pts_operand(pts, *o);
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, set->a[i]);
        if (l->obj != CS_LOC_CONST)
            return 0;
        most = larger(most, (double)(l->pat.off < 0 ? -l->pat.off : l->pat.off));
    }
    return most;
}

/* Elements of the largest variable so far, MANY if the size of one is not known. */
struct extent {
    const struct cs_graph *g;
    double elements;
};

static void take_extent(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct extent *e = arg;
    int64_t all = e->g->objs[obj].size;
    (void)pat;
    e->elements = all > 0 && size > 0 ? larger(e->elements, (double)all / (double)size) : MANY;
}

/* The elements of the largest variable that the statement may read or write with an index that comes from the PHI;
 * MANY: not known. */
static double indexed(const struct cs_graph *g, struct cs_pts *pts, const struct cs_stmt *st, const struct cs_stmt *phi)
{
    const struct cs_ref *r = st->kind == CS_STMT_LOAD ? &st->load : st->kind == CS_STMT_STORE ? &st->store : NULL;
    bool by = r && phi_behind(g, &r->base) == phi;
    for (int i = 0; r && i < st->nidx && !by; i++)
        by = phi_behind(g, &(struct cs_operand){.kind = CS_OPND_VALUE, .id = st->idx[i]}) == phi;
    struct extent e = {.g = g};
    if (by)
        cs_pts_accesses(pts, r, take_extent, &e);
    return e.elements > 0 ? e.elements : MANY;
}

double cs_turns_at_most(const struct cs_graph *g, struct cs_pts *pts, int cond)
{
    const struct cs_stmt *st = &g->stmts[cond];
    double least = MANY;
    for (int side = 0; side < 2 && st->kind == CS_STMT_COND && st->nuses == 2; side++) {
        const struct cs_stmt *phi = phi_behind(g, &st->uses[side]);
        if (!phi || !steps_by_constant(g, phi))
            continue;
        double end = largest(pts, &st->uses[1 - side]);
        least = end > 1 ? smaller(least, end) : least;
        const struct cs_func *f = &g->funcs[st->func];
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; f->blocks[b].reachable && i < f->blocks[b].nstmts; i++)
                least = smaller(least, indexed(g, pts, &g->stmts[f->blocks[b].stmts[i]], phi));
    }
    return least < MANY ? least : 0;
}
