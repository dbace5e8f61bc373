/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads the number off the sum by which an element is addressed; components.h. */
#include "slicer/advise/components.h"

/* Where a descriptor of Fortran has what is added to every index, and from where on it has the strides. */
enum { OFFSET_AT = 8, STRIDES_AT = 40 };
enum { DEPTH = 12 }; /* terms that are followed */

/* A descriptor: at off in a variable; which of its members the sum has. */
struct descriptor {
    const struct cs_graph *g;
    int obj;
    int64_t off;
    bool offset, stride;
};

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

/* Where in the descriptor the operand is loaded from, -1: from elsewhere. */
static int64_t member(const struct descriptor *d, struct cs_operand op)
{
    const struct cs_stmt *s = def_of(d->g, op);
    bool is = s && s->kind == CS_STMT_LOAD && s->load.base.kind == CS_OPND_ADDR && s->load.base.id == d->obj;
    return is ? s->load.base.pat.off + s->load.pat.off - d->off : -1;
}

/* Notes what the sum has of the descriptor; other terms may be anything that is multiplied by one of its strides. */
static bool add_terms(struct descriptor *d, struct cs_operand op, int depth)
{
    const struct cs_stmt *s = def_of(d->g, op);
    if (member(d, op) == OFFSET_AT)
        return d->offset = true;
    if (!s || s->kind != CS_STMT_ASSIGN || depth == 0)
        return false;
    if (s->op == CS_OP_COPY && s->nuses == 1)
        return add_terms(d, s->uses[0], depth - 1);
    if (s->op == CS_OP_ADD && s->nuses == 2)
        return add_terms(d, s->uses[0], depth - 1) && add_terms(d, s->uses[1], depth - 1);
    bool scaled = s->op == CS_OP_MUL && s->nuses == 2 &&
                  (member(d, s->uses[0]) >= STRIDES_AT || member(d, s->uses[1]) >= STRIDES_AT);
    d->stride |= scaled;
    return scaled;
}

bool cs_component(const struct cs_graph *g, int stmt, int64_t *component)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    bool load = s->kind == CS_STMT_LOAD, store = s->kind == CS_STMT_STORE;
    const struct cs_stmt *from = load ? def_of(g, s->load.base) : store ? def_of(g, s->store.base) : NULL;
    const struct cs_stmt *index = from && s->nidx == 1 ? def_of(g, cs_opnd_value(s->idx[0])) : NULL;
    if (!index || from->kind != CS_STMT_LOAD || from->load.base.kind != CS_OPND_ADDR || from->load.pat.stride ||
        index->kind != CS_STMT_ASSIGN || index->op != CS_OP_ADD || index->nuses != 2 ||
        index->uses[1].kind != CS_OPND_CONST)
        return false;
    struct descriptor d = {g, from->load.base.id, from->load.base.pat.off + from->load.pat.off, false, false};
    if (!add_terms(&d, index->uses[0], DEPTH) || !d.offset || !d.stride)
        return false;
    *component = index->uses[1].pat.off;
    return true;
}

bool cs_other_component(const struct cs_graph *g, int stmt, int other)
{
    int64_t a, b;
    return cs_component(g, stmt, &a) && cs_component(g, other, &b) && a != b;
}
