/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which blocks of a function control can reach; cfg.h. */
#include "slicer/control/cfg.h"

#include <assert.h>

#include "slicer/graph/storage.h"

int cs_block_ways(const struct cs_block *b)
{
    int n = 0;
    for (int i = 0; i < b->nsuccs; i++)
        n += !b->never[i];
    return n;
}

void cs_cfg_reach(struct cs_graph *g, int func)
{
    assert(func >= 0 && func < g->nfuncs);
    struct cs_func *f = &g->funcs[func];
    struct cs_intlist work = {0};
    for (int i = 0; i < f->nblocks; i++)
        f->blocks[i].reachable = false;
    if (f->nblocks && !f->uncalled) {
        f->blocks[0].reachable = true;
        cs_intlist_add(&work, 0);
    }
    while (work.n) {
        struct cs_block *b = &f->blocks[work.a[--work.n]];
        for (int i = 0; i < b->nsuccs; i++) {
            int t = b->succs[i];
            assert(t == CS_BLOCK_EXIT || (t >= 0 && t < f->nblocks));
            if (b->never[i] || t < 0 || f->blocks[t].reachable)
                continue;
            f->blocks[t].reachable = true;
            cs_intlist_add(&work, t);
        }
    }
    cs_intlist_free(&work);
}

bool *cs_cfg_behind(const struct cs_func *f, int block, int but)
{
    assert(block >= 0 && block < f->nblocks);
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n) {
        const struct cs_block *b = &f->blocks[work.a[--work.n]];
        for (int i = 0; i < b->nsuccs; i++) {
            if (b->never[i] || b->succs[i] < 0 || seen[b->succs[i]] || b->succs[i] == but)
                continue;
            seen[b->succs[i]] = true;
            cs_intlist_add(&work, b->succs[i]);
        }
    }
    cs_intlist_free(&work);
    return seen;
}
