/* SPDX-License-Identifier: GPL-3.0-or-later
 * Walks from the side of a branch on which a statement does not run to the end of the function; gives_up.h. */
#include "slicer/advise/gives_up.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"

/* What the statement calls: NONE: nothing; LIBRARY: what has no body here; COMMUNICATION: of MPI; PROGRAM: a function
 * of the program, or nobody knows what. */
enum called { NONE, LIBRARY, COMMUNICATION, PROGRAM };

static enum called called_by(const struct cs_graph *g, const struct cs_stmt *s)
{
    if (s->kind != CS_STMT_CALL)
        return NONE;
    const struct cs_obj *o = s->callee.kind == CS_OPND_ADDR ? &g->objs[s->callee.id] : NULL;
    bool library = o && o->kind == CS_OBJ_FUNC && s->site < 0 && (o->func < 0 || !g->funcs[o->func].nblocks);
    return library ? LIBRARY : s->site >= 0 ? COMMUNICATION : PROGRAM;
}

/* Is something called in the blocks of this side, of a few, to which control does not come behind the statement, and
 * nothing of the program? */
static bool says_something(const struct cs_graph *g, const struct cs_func *f, const bool *side, const bool *behind)
{
    enum { MOST = 40 };
    bool says = false;
    for (int b = 0, n = 0; b < f->nblocks; b++) {
        n += side[b];
        for (int i = 0; side[b] && i < f->blocks[b].nstmts; i++) {
            enum called c = called_by(g, &g->stmts[f->blocks[b].stmts[i]]);
            if (c == PROGRAM || c == COMMUNICATION || n > MOST)
                return false;
            says |= c == LIBRARY && !behind[b];
        }
    }
    return says;
}

/* Do the blocks, a few, only end the program, and call nothing of it before? */
static bool ends_program(const struct cs_graph *g, const struct cs_func *f, const bool *side)
{
    enum { MOST = 10 };
    for (int b = 0, n = 0; b < f->nblocks; b++) {
        n += side[b];
        for (int i = 0; side[b] && i < f->blocks[b].nsuccs; i++)
            if (f->blocks[b].succs[i] == CS_BLOCK_EXIT)
                return false;
        for (int i = 0; side[b] && i < f->blocks[b].nstmts; i++)
            if (n > MOST || called_by(g, &g->stmts[f->blocks[b].stmts[i]]) == PROGRAM)
                return false;
    }
    return true;
}

/* The blocks to which control may come from the block, and itself. The caller frees. */
static bool *from_block(const struct cs_func *f, int block)
{
    bool *is = cs_cfg_behind(f, block, -1);
    is[block] = true;
    return is;
}

bool cs_gives_up(const struct cs_graph *g, int condition, int stmt)
{
    const struct cs_stmt *c = &g->stmts[condition];
    const struct cs_func *f = &g->funcs[c->func];
    const struct cs_block *b = &f->blocks[c->block];
    if (c->kind != CS_STMT_COND || b->nsuccs != 2 || b->succs[0] < 0 || b->succs[1] < 0 ||
        g->stmts[stmt].func != c->func)
        return false;
    bool *behind = from_block(f, g->stmts[stmt].block), is = false;
    for (int i = 0; i < 2 && !is; i++) {
        bool *side = from_block(f, b->succs[i]);
        bool runs = side[g->stmts[stmt].block];
        is = !side[c->block] && (runs ? ends_program(g, f, side) : says_something(g, f, side, behind));
        free(side);
    }
    free(behind);
    return is;
}
