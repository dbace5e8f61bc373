/* SPDX-License-Identifier: GPL-3.0-or-later
 * Matching of MPI call sites; channels.h. Everything is "may": only a proof keeps two sites apart.
 * Proofs: disjoint sets of constant tags, of communicators, of predefined datatypes; for collectives, that all ranks run each site alike. */
#include "channels.h"

#include <stdlib.h>
#include <string.h>

#include "variance.h"

#define ANY_TAG (-1)
#define TYPE_PACKED 0x4c00010f

/* Values that an argument may have, as far as they are known for sure. */
static const struct cs_intset *known_set(struct cs_pts *pts, struct cs_operand op)
{
    if (op.kind == CS_OPND_NONE) return NULL;
    const struct cs_intset *s = cs_pts_operand(pts, op);
    return s->n ? s : NULL;
}

static void copy_set(struct cs_intset *to, const struct cs_intset *from)
{
    to->n = 0;
    for (int i = 0; from && i < from->n; i++) cs_intset_add(to, from->a[i]);
}

static bool tags_may_meet(struct cs_pts *pts, struct cs_operand a, struct cs_operand b)
{
    struct cs_intset sa = { 0 };
    copy_set(&sa, known_set(pts, a));
    const struct cs_intset *sb = known_set(pts, b);
    bool meet = sa.n == 0 || !sb;
    for (int i = 0; i < sa.n && !meet; i++) {
        const struct cs_loc *x = cs_pts_loc(pts, sa.a[i]);
        if (x->obj != CS_LOC_CONST || x->pat.off == ANY_TAG) meet = true;
        for (int k = 0; sb && k < sb->n && !meet; k++) {
            const struct cs_loc *y = cs_pts_loc(pts, sb->a[k]);
            meet = y->obj != CS_LOC_CONST || y->pat.off == ANY_TAG || y->pat.off == x->pat.off;
        }
    }
    cs_intset_free(&sa);
    return meet;
}

/* Communicators are constants or handle objects; anything else may be any of them. */
static bool is_handle(const struct cs_graph *g, const struct cs_loc *l)
{
    return l->obj == CS_LOC_CONST || (l->obj >= 0 && g->objs[l->obj].kind == CS_OBJ_HANDLE);
}

static bool comms_may_meet(struct cs_graph *g, struct cs_pts *pts, struct cs_operand a, struct cs_operand b)
{
    struct cs_intset sa = { 0 };
    copy_set(&sa, known_set(pts, a));
    const struct cs_intset *sb = known_set(pts, b);
    bool meet = sa.n == 0 || !sb;
    for (int i = 0; i < sa.n && !meet; i++) {
        const struct cs_loc *x = cs_pts_loc(pts, sa.a[i]);
        if (!is_handle(g, x)) meet = true;
        for (int k = 0; sb && k < sb->n && !meet; k++) {
            const struct cs_loc *y = cs_pts_loc(pts, sb->a[k]);
            if (!is_handle(g, y)) meet = true;
            else if (x->obj == y->obj && (x->obj >= 0 || x->pat.off == y->pat.off) && !(x->obj == CS_LOC_CONST && x->pat.off == 0)) meet = true;
        }
    }
    cs_intset_free(&sa);
    return meet;
}

/* MPICH's predefined datatypes carry their size in bits 8-15. Equal sizes may still be one C and one Fortran name of the same type. */
static bool basic_types_may_meet(int64_t a, int64_t b)
{
    bool basic = (a & 0xff000000) == 0x4c000000 && (b & 0xff000000) == 0x4c000000;
    if (a == b || !basic || a == TYPE_PACKED || b == TYPE_PACKED) return true;
    return (a & 0xff00) == (b & 0xff00);
}

static bool types_may_meet(struct cs_pts *pts, struct cs_operand a, struct cs_operand b)
{
    struct cs_intset sa = { 0 };
    copy_set(&sa, known_set(pts, a));
    const struct cs_intset *sb = known_set(pts, b);
    bool meet = sa.n == 0 || !sb;
    for (int i = 0; i < sa.n && !meet; i++) {
        const struct cs_loc *x = cs_pts_loc(pts, sa.a[i]);
        if (x->obj != CS_LOC_CONST) meet = true;
        for (int k = 0; sb && k < sb->n && !meet; k++) {
            const struct cs_loc *y = cs_pts_loc(pts, sb->a[k]);
            meet = y->obj != CS_LOC_CONST || basic_types_may_meet(x->pat.off, y->pat.off);
        }
    }
    cs_intset_free(&sa);
    return meet;
}

static bool p2p_may_meet(struct cs_graph *g, struct cs_pts *pts, const struct cs_model *s, const struct cs_model *r)
{
    return tags_may_meet(pts, s->tag[0], r->tag[1]) && comms_may_meet(g, pts, s->comm, r->comm) && types_may_meet(pts, s->type[0], r->type[1]);
}

static bool reached(struct cs_graph *g, struct cs_pts *pts, const struct cs_model *m)
{
    const struct cs_stmt *s = &g->stmts[m->stmt];
    return cs_pts_func_reached(pts, s->func) && g->funcs[s->func].blocks[s->block].reachable;
}

static void match_p2p(struct cs_channels *c, struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts)
{
    for (int i = 0; i < ms->n; i++) {
        if (!ms->m[i].sends || !reached(g, pts, &ms->m[i])) continue;
        for (int k = 0; k < ms->n; k++) {
            if (!ms->m[k].receives || !reached(g, pts, &ms->m[k]) || !p2p_may_meet(g, pts, &ms->m[i], &ms->m[k])) continue;
            cs_intlist_add(&c->receivers[ms->m[i].stmt], ms->m[k].stmt);
            cs_intlist_add(&c->senders[ms->m[k].stmt], ms->m[i].stmt);
        }
    }
}

static bool one_type(const struct cs_mpi_call *c)
{
    int n = 0;
    for (int i = 0; i < c->nargs; i++) n += c->args[i].role == CS_ROLE_TYPE;
    return n == 1;
}

/* All ranks of a collective name the same root, and where there is one datatype, the same signature. */
static bool collectives_may_meet(struct cs_graph *g, struct cs_pts *pts, const struct cs_model *a, const struct cs_model *b)
{
    if (b->mpi != a->mpi || !comms_may_meet(g, pts, a->comm, b->comm)) return false;
    if (a->root.kind != CS_OPND_NONE && !tags_may_meet(pts, a->root, b->root)) return false;
    return !one_type(a->mpi) || types_may_meet(pts, a->type[0], b->type[0]);
}

/* Two sites of the same collective can meet unless every rank runs all such sites of that communicator alike. */
static void match_collectives(struct cs_channels *c, struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, const bool *variant)
{
    for (int i = 0; i < ms->n; i++) {
        const struct cs_model *a = &ms->m[i];
        if (!a->mpi || a->mpi->kind != CS_MPI_COLL || !reached(g, pts, a)) continue;
        bool group = false;
        for (int k = 0; k < ms->n && !group; k++) {
            const struct cs_model *b = &ms->m[k];
            group = variant[b->stmt] && reached(g, pts, b) && collectives_may_meet(g, pts, a, b);
        }
        for (int k = 0; k < ms->n && group; k++) {
            const struct cs_model *b = &ms->m[k];
            if (k != i && reached(g, pts, b) && collectives_may_meet(g, pts, a, b)) cs_intlist_add(&c->peers[a->stmt], b->stmt);
        }
    }
}

void cs_channels_build(struct cs_channels *c, struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, const struct cs_cdep *cdep)
{
    c->nstmts = g->nstmts;
    c->receivers = cs_calloc(g->nstmts + 1, sizeof *c->receivers);
    c->senders = cs_calloc(g->nstmts + 1, sizeof *c->senders);
    c->peers = cs_calloc(g->nstmts + 1, sizeof *c->peers);
    bool *variant = cs_variance_compute(g, ms, pts, cdep);
    match_p2p(c, g, ms, pts);
    match_collectives(c, g, ms, pts, variant);
    free(variant);
}

void cs_channels_free(struct cs_channels *c)
{
    for (int i = 0; i < c->nstmts; i++) {
        cs_intlist_free(&c->receivers[i]);
        cs_intlist_free(&c->senders[i]);
        cs_intlist_free(&c->peers[i]);
    }
    free(c->receivers);
    free(c->senders);
    free(c->peers);
}
