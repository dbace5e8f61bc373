/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks for a way from a decided branch to an end of its function; endless.h. */
#include "slicer/control/endless.h"

#include <stdlib.h>

#include "slicer/control/natural_loop.h"
#include "slicer/graph/storage.h"

/* Blocks that are no handler of an exception. Malloced. */
static bool *plain_blocks(const struct cs_func *f)
{
    bool *plain = cs_calloc(f->nblocks + 1, sizeof *plain);
    for (int b = 0; b < f->nblocks; b++)
        plain[b] = true;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++)
            if (f->blocks[b].eh[i] && f->blocks[b].succs[i] >= 0)
                plain[f->blocks[b].succs[i]] = false;
    return plain;
}

/* Does the block end a call of the function, or the program? */
static bool ends(const struct cs_block *b)
{
    bool is = b->nsuccs == 0;
    for (int i = 0; i < b->nsuccs; i++)
        is |= b->succs[i] < 0 && !b->eh[i] && !b->never[i];
    return is;
}

/* Can control go from the start of the block to an end? `again`: and to its own start. */
static bool comes_to_end(const struct cs_func *f, int block, bool *again)
{
    bool *plain = plain_blocks(f), *seen = cs_calloc(f->nblocks + 1, sizeof *seen), end = ends(&f->blocks[block]);
    cs_flow_spread(f, plain, seen, block);
    for (int b = 0; b < f->nblocks; b++)
        end |= seen[b] && ends(&f->blocks[b]);
    *again = seen[block];
    free(plain);
    free(seen);
    return end;
}

/* Does control come to the block at all, and from there only to it again? */
static bool goes_round(const struct cs_func *f, int block)
{
    bool again, end = comes_to_end(f, block, &again);
    if (end || !again)
        return false;
    bool *plain = plain_blocks(f), *there = cs_calloc(f->nblocks + 1, sizeof *there);
    there[0] = true;
    cs_flow_spread(f, plain, there, 0);
    bool comes = there[block];
    free(plain);
    free(there);
    return comes;
}

/* Did the edge lead out of where control now goes round? */
static bool led_out(const struct cs_func *f, int block, int edge)
{
    bool again;
    int to = f->blocks[block].succs[edge];
    return f->blocks[block].never[edge] && (to < 0 || comes_to_end(f, to, &again));
}

int cs_endless_by(const struct cs_graph *g, const struct cs_assumed *a)
{
    for (int i = 0; i < a->ndecided; i++) {
        const struct cs_stmt *s = &g->stmts[a->decided[i].stmt];
        const struct cs_func *f = &g->funcs[s->func];
        for (int edge = 0; edge < 2 && !f->comes_back; edge++)
            if (a->decided[i].rule[edge] == CS_EDGE_DEAD && led_out(f, s->block, edge) && goes_round(f, s->block))
                return a->decided[i].stmt;
    }
    return -1;
}
