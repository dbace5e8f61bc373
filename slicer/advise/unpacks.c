/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows the indices of stores and loads to what they are made of; unpacks.h. */
#include "slicer/advise/unpacks.h"

#include "slicer/advise/pointer_paths.h"
#include "slicer/advise/rewritten.h"

/* What an index is made of, as bits. */
enum { COUNTS = 1, GIVEN = 2, OTHER = 4, DEPTH = 10 };

static int made_of(const struct cs_graph *g, struct cs_operand op, int depth);

/* Where ways meet: a loop that begins with a number, or with what it is given. */
static int merged(const struct cs_graph *g, const struct cs_stmt *s, int depth)
{
    int is = 0, steps = 0;
    for (int i = 0; i < s->nuses; i++) {
        int d = s->uses[i].kind == CS_OPND_VALUE ? g->values[s->uses[i].id].def : -1;
        const struct cs_stmt *by = d < 0 ? NULL : &g->stmts[d];
        bool step = by && by->kind == CS_STMT_ASSIGN && by->op == CS_OP_ADD && by->nuses == 2 &&
                    by->uses[0].kind == CS_OPND_VALUE && by->uses[0].id == s->def;
        steps += step;
        if (!step)
            is |= made_of(g, s->uses[i], depth);
    }
    return steps != 1 ? OTHER : is ? is : COUNTS;
}

static int made_of(const struct cs_graph *g, struct cs_operand op, int depth)
{
    if (op.kind == CS_OPND_CONST)
        return 0;
    if (op.kind != CS_OPND_VALUE || depth <= 0)
        return OTHER;
    int d = g->values[op.id].def, is = 0;
    if (d < 0)
        return GIVEN;
    const struct cs_stmt *s = &g->stmts[d];
    if (s->kind == CS_STMT_PHI)
        return merged(g, s, depth - 1);
    if (s->kind != CS_STMT_ASSIGN ||
        (s->op != CS_OP_COPY && s->op != CS_OP_ADD && s->op != CS_OP_SUB && s->op != CS_OP_MUL && s->op != CS_OP_MIX))
        return OTHER;
    for (int i = 0; i < s->nuses; i++)
        is |= made_of(g, s->uses[i], depth - 1);
    return is;
}

/* Of the element that a pointer means, so far as it is moved behind another one; 0: it is not. */
static int index_of(const struct cs_graph *g, struct cs_operand pointer)
{
    int d = pointer.kind == CS_OPND_VALUE ? g->values[pointer.id].def : -1, is = 0;
    for (int i = 0; i < DEPTH && d >= 0 && g->stmts[d].kind == CS_STMT_ASSIGN; i++) {
        const struct cs_stmt *s = &g->stmts[d];
        if (s->op != CS_OP_COPY && s->op != CS_OP_PTRADD)
            break;
        if (s->op == CS_OP_PTRADD)
            is |= s->nuses > 1 ? made_of(g, s->uses[1], DEPTH) : 0;
        d = s->uses[0].kind == CS_OPND_VALUE ? g->values[s->uses[0].id].def : -1;
    }
    return is;
}

int cs_copies_from(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_STORE || !s->nuses || s->uses[0].kind != CS_OPND_VALUE)
        return -1;
    int d = g->values[s->uses[0].id].def;
    return d >= 0 && g->stmts[d].kind == CS_STMT_LOAD && g->stmts[d].load.base.kind == CS_OPND_VALUE ? d : -1;
}

/* Of an element of which a function gives the address, by what it is passed behind the object. */
static int index_in_call(const struct cs_graph *g, struct cs_operand pointer)
{
    int d = pointer.kind == CS_OPND_VALUE ? g->values[pointer.id].def : -1, is = 0;
    for (int i = 1; d >= 0 && g->stmts[d].kind == CS_STMT_CALL && i < g->stmts[d].nuses; i++)
        is |= made_of(g, g->stmts[d].uses[i], DEPTH);
    return is;
}

bool cs_stores_behind(const struct cs_graph *g, int stmt)
{
    struct cs_operand to = g->stmts[stmt].store.base;
    return ((index_of(g, to) | index_in_call(g, to)) & (GIVEN | OTHER)) != 0;
}

bool cs_unpacks(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    int load = cs_copies_from(g, stmt);
    if (load < 0)
        return false;
    int from = cs_pointer_origin(g, g->stmts[load].load.base.id);
    return from >= 0 && cs_param_number(g, s->func, cs_opnd_value(from)) >= 0 &&
           (index_of(g, s->store.base) & (GIVEN | OTHER)) == GIVEN;
}

bool cs_reads_first(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    return s->kind == CS_STMT_LOAD && (index_of(g, s->load.base) | index_in_call(g, s->load.base)) == COUNTS;
}
