/* SPDX-License-Identifier: GPL-3.0-or-later
 * natural_loop.h: from the outermost cycle around the block to the innermost one. */
#include "slicer/control/natural_loop.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

void cs_flow_spread(const struct cs_func *f, const bool *within, bool *seen, int from)
{
    struct cs_intlist work = {0};
    cs_intlist_add(&work, from);
    while (work.n) {
        const struct cs_block *b = &f->blocks[work.a[--work.n]];
        for (int i = 0; i < b->nsuccs; i++) {
            int t = b->succs[i];
            if (b->never[i] || t < 0 || !within[t] || seen[t])
                continue;
            seen[t] = true;
            cs_intlist_add(&work, t);
        }
    }
    cs_intlist_free(&work);
}

/* Adds to `seen` the blocks of `within` from which `to` can be reached. */
static void spread_back(const struct cs_func *f, const bool *within, bool *seen, int to)
{
    for (bool again = true; again;) {
        again = false;
        for (int b = f->nblocks - 1; b >= 0; b--)
            for (int i = 0; within[b] && !seen[b] && i < f->blocks[b].nsuccs; i++) {
                int t = f->blocks[b].succs[i];
                if (!f->blocks[b].never[i] && t >= 0 && (t == to || seen[t]))
                    seen[b] = again = true;
            }
    }
}

/* Blocks of `within` on a way from b to b; false if there is none. */
static bool cycle_of(const struct cs_func *f, const bool *within, int b, bool *in)
{
    bool *to = cs_calloc(f->nblocks + 1, 1);
    memset(in, 0, f->nblocks);
    cs_flow_spread(f, within, in, b);
    spread_back(f, within, to, b);
    for (int i = 0; i < f->nblocks; i++)
        in[i] = in[i] && to[i];
    free(to);
    return in[b];
}

/* The only block through which the set is entered, -1 if there are several. */
static int entry_of(const struct cs_func *f, const bool *there, const bool *in)
{
    int header = in[0] ? 0 : -1;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            int t = f->blocks[b].succs[i];
            if (!there[b] || in[b] || t < 0 || !in[t] || t == header)
                continue;
            if (header >= 0)
                return -1;
            header = t;
        }
    return header;
}

/* Does the block, but for merges, only lead to the other one? */
static bool only_leads_to(const struct cs_graph *g, int func, int block, int to)
{
    const struct cs_block *b = &g->funcs[func].blocks[block];
    for (int i = 0; i < b->nstmts; i++)
        if (g->stmts[b->stmts[i]].source >= 0 && g->stmts[b->stmts[i]].kind != CS_STMT_PHI)
            return false;
    return b->nsuccs == 1 && b->succs[0] == to;
}

/* Takes the next loop inwards, of which `in` has the blocks. */
static void go_in(const struct cs_graph *g, int func, struct cs_natural_loop *l, const bool *in, int header)
{
    bool same = l->header >= 0 && header >= 0 && only_leads_to(g, func, l->body, header);
    l->body = header;
    if (same)
        return;
    l->header = header;
    memcpy(l->in, in, g->funcs[func].nblocks);
}

bool cs_natural_loop_find(const struct cs_graph *g, int func, int b, struct cs_natural_loop *l)
{
    const struct cs_func *f = &g->funcs[func];
    bool *there = cs_calloc(f->nblocks + 1, 1), *within = cs_calloc(f->nblocks + 1, 1),
         *in = cs_calloc(f->nblocks + 1, 1);
    for (int i = 0; i < f->nblocks; i++)
        within[i] = true;
    there[0] = true;
    cs_flow_spread(f, within, there, 0);
    *l = (struct cs_natural_loop){cs_calloc(f->nblocks + 1, 1), -1, -1};
    memcpy(within, there, f->nblocks);
    while (there[b] && l->body != b && cycle_of(f, within, b, in)) {
        go_in(g, func, l, in, entry_of(f, there, in));
        if (l->header < 0)
            break;
        memcpy(within, in, f->nblocks);
        within[l->body] = false;
    }
    free(there);
    free(within);
    free(in);
    return l->header >= 0;
}

bool cs_natural_loop_left(const struct cs_graph *g, int func, const struct cs_natural_loop *l, int block, int edge)
{
    const struct cs_block *b = &g->funcs[func].blocks[block];
    assert(edge >= 0 && edge < b->nsuccs);
    return b->succs[edge] < 0 || !l->in[b->succs[edge]];
}
