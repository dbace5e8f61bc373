/* SPDX-License-Identifier: GPL-3.0-or-later
 * Can two MPI call sites meet, by what their arguments may be? call_match.h. Everything is "may": only a proof keeps
 * two sites apart. Proofs: disjoint sets of constant tags, of communicators, of predefined datatypes (but a message
 * without data matches any), of operations, of counts. */
#include "slicer/messages/call_match.h"

#include <assert.h>

#include "slicer/model/mpich_abi.h"

/* Values that an argument may have, as far as they are known for sure. */
static const struct cs_intset *known_set(struct cs_pts *pts, struct cs_operand op)
{
    if (op.kind == CS_OPND_NONE)
        return NULL;
    const struct cs_intset *s = cs_pts_operand(pts, op);
    return s->n ? s : NULL;
}

static const struct cs_mpi_call *maker(const struct cs_match *m, int obj)
{
    int s = m->g->objs[obj].stmt;
    const struct cs_mpi_call *c =
        s >= 0 && s < m->ms->nstmts && m->ms->of_stmt[s].n ? m->ms->m[m->ms->of_stmt[s].a[0]].mpi : NULL;
    return c ? cs_mpi_procedure(c) : NULL;
}

/* Can two constructor calls make one communicator? Not if all ranks run both; else some may run one, the others the
 * other. */
static bool same_communicator(const struct cs_match *m, int a, int b)
{
    if (a == b)
        return true;
    return maker(m, a) == maker(m, b) &&
           (!m->variant || m->variant[m->g->objs[a].stmt] || m->variant[m->g->objs[b].stmt]);
}

static bool two_tags(const struct cs_match *m, const struct cs_loc *x, const struct cs_loc *y)
{
    (void)m;
    return x->obj != CS_LOC_CONST || y->obj != CS_LOC_CONST || x->pat.off == CS_MPICH_ANY_TAG ||
           y->pat.off == CS_MPICH_ANY_TAG || x->pat.off == y->pat.off;
}

/* Communicators are constants or handle objects; anything else may be any of them. */
static bool is_handle(const struct cs_graph *g, const struct cs_loc *l)
{
    return l->obj == CS_LOC_CONST || (l->obj >= 0 && g->objs[l->obj].kind == CS_OBJ_HANDLE);
}

static bool two_comms(const struct cs_match *m, const struct cs_loc *x, const struct cs_loc *y)
{
    if (!is_handle(m->g, x) || !is_handle(m->g, y))
        return true;
    if (x->obj >= 0 && y->obj >= 0)
        return same_communicator(m, x->obj, y->obj);
    return x->obj == y->obj && x->pat.off == y->pat.off && x->pat.off != 0;
}

/* Is it a basic datatype of one element, of which a signature is made by counting? What is packed may be anything. */
static bool is_one_element(int64_t type)
{
    return cs_mpich_is_basic(type) && type != CS_MPICH_PACKED && !cs_mpich_is_double(type);
}

/* Datatypes of one element can meet if their sizes are equal and both are of real numbers, or none: they may be a C and
 * a Fortran name of the same type. */
static bool basic_types_may_meet(int64_t a, int64_t b)
{
    if (a == b || !is_one_element(a) || !is_one_element(b))
        return true;
    return cs_mpich_basic_size(a) == cs_mpich_basic_size(b) && cs_mpich_is_real(a) == cs_mpich_is_real(b);
}

static bool two_types(const struct cs_match *m, const struct cs_loc *x, const struct cs_loc *y)
{
    (void)m;
    return x->obj != CS_LOC_CONST || y->obj != CS_LOC_CONST || basic_types_may_meet(x->pat.off, y->pat.off);
}

/* Can two arguments be equal? Yes if nothing is known of one, or if `two` says so of any two values that they may have.
 */
static bool may_meet(const struct cs_match *m, struct cs_operand a, struct cs_operand b,
                     bool (*two)(const struct cs_match *, const struct cs_loc *, const struct cs_loc *))
{
    const struct cs_intset *known = known_set(m->pts, a);
    /* A copy: the set of a constant lives until the next one is asked for. */
    struct cs_intset sa = known ? cs_intset_copy(known) : (struct cs_intset){0};
    const struct cs_intset *sb = known_set(m->pts, b);
    bool meet = sa.n == 0 || !sb;
    for (int i = 0; i < sa.n && !meet; i++)
        for (int k = 0; k < sb->n && !meet; k++)
            meet = two(m, cs_pts_loc(m->pts, sa.a[i]), cs_pts_loc(m->pts, sb->a[k]));
    cs_intset_free(&sa);
    return meet;
}

bool cs_match_types(const struct cs_match *m, struct cs_operand a, struct cs_operand b)
{
    return may_meet(m, a, b, two_types);
}

bool cs_match_envelope(const struct cs_match *m, const struct cs_model *s, const struct cs_model *r)
{
    assert(s->sends && r->receives);
    return may_meet(m, s->tag[0], r->tag[1], two_tags) && may_meet(m, s->comm, r->comm, two_comms);
}

/* Can the count be zero? The signature of such a message is empty, and agrees with every datatype. */
bool cs_match_empty(const struct cs_match *m, const struct cs_model *s)
{
    const struct cs_intset *n = known_set(m->pts, s->count);
    if (!n)
        return true;
    for (int i = 0; i < n->n; i++) {
        const struct cs_loc *l = cs_pts_loc(m->pts, n->a[i]);
        if (l->obj != CS_LOC_CONST || l->pat.off <= 0)
            return true;
    }
    return false;
}

static bool is_any_source(const struct cs_graph *g, struct cs_operand op)
{
    if (op.kind == CS_OPND_ADDR && g->objs[op.id].readonly && g->objs[op.id].ninits == 1)
        op = g->objs[op.id].inits[0].val;
    return op.kind == CS_OPND_CONST && (int32_t)op.pat.off == CS_MPICH_ANY_SOURCE;
}

bool cs_match_any_source(const struct cs_match *m, const struct cs_model *r, bool moves)
{
    const struct cs_intset *s = known_set(m->pts, r->peer[1]);
    bool unknown = !s;
    if (r->peer[1].kind == CS_OPND_NONE)
        return false;
    for (int i = 0; s && i < s->n; i++) {
        const struct cs_loc *l = cs_pts_loc(m->pts, s->a[i]);
        if (l->obj == CS_LOC_CONST && (int32_t)l->pat.off == CS_MPICH_ANY_SOURCE)
            return true;
        unknown |= l->obj != CS_LOC_CONST;
    }
    return unknown && moves;
}

static bool calls_mpi(const struct cs_graph *g, const struct cs_stmt *s)
{
    enum cs_binding binding;
    return s->callee.kind == CS_OPND_ADDR && g->objs[s->callee.id].kind == CS_OBJ_FUNC &&
           cs_mpi_by_symbol(cs_func_name(g, g->objs[s->callee.id].func), &binding);
}

/* Arithmetic does not count: x - 2 is written as x + -2. */
static bool moves_any_source(const struct cs_graph *g, const struct cs_stmt *s)
{
    bool moves = s->kind == CS_STMT_PHI || s->kind == CS_STMT_STORE || s->kind == CS_STMT_RETURN ||
                 (s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_COPY || s->op == CS_OP_SELECT)) ||
                 (s->kind == CS_STMT_CALL && !calls_mpi(g, s));
    for (int i = 0; moves && i < s->nuses; i++)
        if (is_any_source(g, s->uses[i]))
            return true;
    return false;
}

bool cs_match_any_source_moves(const struct cs_graph *g)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].source >= 0 && moves_any_source(g, &g->stmts[i]))
            return true;
    for (int o = 0; o < g->nobjs; o++)
        for (int k = 0; k < g->objs[o].ninits && !(g->objs[o].readonly && g->objs[o].ninits == 1); k++)
            if (is_any_source(g, g->objs[o].inits[k].val))
                return true;
    return false;
}

static bool one_type(const struct cs_mpi_call *c)
{
    int n = 0;
    for (int i = 0; i < c->nargs; i++)
        n += c->args[i].role == CS_ROLE_TYPE;
    return n == 1;
}

/* MPI_ROOT and MPI_PROC_NULL stand for another process, in a collective between two groups; with the latter nothing
 * else of what is passed counts. */
static bool special_root(const struct cs_match *m, struct cs_operand op)
{
    if (!m->ms->between_groups)
        return false;
    const struct cs_intset *s = known_set(m->pts, op);
    bool special = !s;
    for (int i = 0; s && i < s->n && !special; i++) {
        const struct cs_loc *l = cs_pts_loc(m->pts, s->a[i]);
        special = l->obj != CS_LOC_CONST || l->pat.off < 0;
    }
    return special;
}

static bool two_numbers(const struct cs_match *m, const struct cs_loc *x, const struct cs_loc *y)
{
    (void)m;
    return x->obj != CS_LOC_CONST || y->obj != CS_LOC_CONST || x->pat.off == y->pat.off;
}

/* Is the datatype one of a single element for sure? */
static bool counts_elements(const struct cs_match *m, const struct cs_model *a)
{
    const struct cs_intset *s = known_set(m->pts, a->type[0]);
    for (int i = 0; s && i < s->n; i++) {
        const struct cs_loc *l = cs_pts_loc(m->pts, s->a[i]);
        if (l->obj != CS_LOC_CONST || !is_one_element(l->pat.off))
            return false;
    }
    return s != NULL;
}

/* All ranks of a collective name the same root and operation, and where there is one datatype, the same signature. */
bool cs_match_collectives(const struct cs_match *m, const struct cs_model *a, const struct cs_model *b)
{
    assert(a->mpi);
    if (!b->mpi || cs_mpi_procedure(b->mpi) != cs_mpi_procedure(a->mpi) || !may_meet(m, a->comm, b->comm, two_comms))
        return false;
    if (a->root.kind != CS_OPND_NONE && (special_root(m, a->root) || special_root(m, b->root)))
        return true;
    if (!may_meet(m, a->op, b->op, two_numbers))
        return false;
    if (one_type(a->mpi) && counts_elements(m, a) && counts_elements(m, b) &&
        !may_meet(m, a->count, b->count, two_numbers))
        return false;
    if (a->root.kind != CS_OPND_NONE && !may_meet(m, a->root, b->root, two_numbers))
        return false;
    return !one_type(a->mpi) || may_meet(m, a->type[0], b->type[0], two_types) ||
           (cs_match_empty(m, a) && cs_match_empty(m, b));
}
