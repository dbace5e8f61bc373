/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds memmove(a, b, n) before memset(a + n, c, size of a - n); string_fills.h. */
#include "slicer/advise/string_fills.h"

#include <string.h>

#include "slicer/graph/storage.h"

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

/* Behind conversions. */
static struct cs_operand converted_from(const struct cs_graph *g, struct cs_operand op)
{
    enum { DEPTH = 6 };
    for (int i = 0; i < DEPTH; i++) {
        const struct cs_stmt *d = def_of(g, op);
        if (!d || d->kind != CS_STMT_ASSIGN || (d->op != CS_OP_COPY && d->op != CS_OP_MIX) || d->nuses != 1)
            break;
        op = d->uses[0];
    }
    return op;
}

static bool calls(const struct cs_graph *g, const struct cs_stmt *s, const char *name)
{
    return s->kind == CS_STMT_CALL && s->nuses == 3 && s->callee.kind == CS_OPND_ADDR &&
           !strcmp(cs_obj_name(g, s->callee.id), name);
}

static bool is_start(const struct cs_operand *op, int obj)
{
    return op->kind == CS_OPND_ADDR && op->id == obj && !op->pat.stride && !op->pat.off;
}

/* Is that many characters, of all that the object has, the rest behind so many? */
static bool is_rest(const struct cs_graph *g, struct cs_operand rest, struct cs_operand number, int obj)
{
    const struct cs_stmt *d = def_of(g, converted_from(g, rest));
    return d && d->kind == CS_STMT_ASSIGN && d->op == CS_OP_SUB && d->nuses == 2 && d->uses[0].kind == CS_OPND_CONST &&
           d->uses[0].pat.off == g->objs[obj].size && cs_opnd_same(converted_from(g, d->uses[1]), number);
}

/* Does the call fill the rest of the object, behind so many characters? */
static bool fills_rest(const struct cs_graph *g, const struct cs_stmt *s, struct cs_operand number, int obj)
{
    const struct cs_stmt *to = calls(g, s, "memset") ? def_of(g, s->uses[0]) : NULL;
    return to && to->kind == CS_STMT_ASSIGN && to->op == CS_OP_PTRADD && to->nuses == 2 &&
           is_start(&to->uses[0], obj) && cs_opnd_same(converted_from(g, to->uses[1]), number) &&
           is_rest(g, s->uses[2], number, obj);
}

bool cs_begins_fill(const struct cs_graph *g, int stmt, int obj)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    if (obj < 0 || s->block < 0 || !(calls(g, s, "memcpy") || calls(g, s, "memmove")) || !is_start(&s->uses[0], obj))
        return false;
    struct cs_operand number = converted_from(g, s->uses[2]);
    const struct cs_block *b = &g->funcs[s->func].blocks[s->block];
    bool behind = false, filled = false;
    for (int i = 0; i < b->nstmts && !filled; i++) {
        filled = behind && fills_rest(g, &g->stmts[b->stmts[i]], number, obj);
        behind |= b->stmts[i] == stmt;
    }
    return filled;
}

bool cs_fills_behind(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt], *to = calls(g, s, "memset") ? def_of(g, s->uses[0]) : NULL;
    return to && to->kind == CS_STMT_ASSIGN && to->op == CS_OP_PTRADD && to->nuses == 2 &&
           to->uses[1].kind != CS_OPND_CONST;
}

bool cs_is_assignment(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    return g->funcs[s->func].fortran && (calls(g, s, "memset") || calls(g, s, "memcpy") || calls(g, s, "memmove"));
}
