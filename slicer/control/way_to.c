/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds the branch that leads to a statement; way_to.h. An edge is taken on every way to a block if the block cannot be
 * reached without it. */
#include "slicer/control/way_to.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "slicer/control/assume.h"
#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

/* Blocks that control comes to from block `start`, itself one, if it never takes this edge of block `from`. Sets
 * seen[]; true if the function can end so. */
static bool spread_without(const struct cs_func *f, int start, int from, int edge, bool *seen)
{
    struct cs_intlist work = {0};
    bool ends = false;
    cs_intlist_add(&work, start);
    seen[start] = true;
    while (work.n) {
        int at = work.a[--work.n];
        const struct cs_block *b = &f->blocks[at];
        ends |= !b->nsuccs;
        for (int i = 0; i < b->nsuccs; i++) {
            int to = b->succs[i];
            if (b->never[i] || (at == from && i == edge))
                continue;
            ends |= to < 0;
            if (to < 0 || seen[to])
                continue;
            seen[to] = true;
            cs_intlist_add(&work, to);
        }
    }
    cs_intlist_free(&work);
    return ends;
}

/* How many blocks control comes to from the entry if it never takes this edge of block `from`; -1: `block` is one of
 * them, or there is no end behind the other edges, as in a loop that this one leaves. */
static int without_edge(const struct cs_func *f, int from, int edge, int block)
{
    bool *seen = cs_calloc(f->nblocks + 1, 1), *behind = cs_calloc(f->nblocks + 1, 1);
    int n = 0;
    spread_without(f, 0, from, edge, seen);
    for (int b = 0; b < f->nblocks; b++)
        n += seen[b];
    if (seen[block] || !spread_without(f, from, from, edge, behind))
        n = -1;
    free(seen);
    free(behind);
    return n;
}

/* The nearest branch of the function that every way to the block takes by one edge, -1 if there is none. The nearer an
 * edge is, the more blocks remain without it. */
static int nearest_branch(const struct cs_graph *g, int func, int block, int *edge)
{
    const struct cs_func *f = &g->funcs[func];
    int best = -1, most = -1;
    for (int b = 0; b < f->nblocks; b++) {
        int s = cs_block_branch(g, func, b);
        if (s < 0 || g->stmts[s].kind != CS_STMT_COND || g->stmts[s].line <= 0 || !f->blocks[b].reachable ||
            cs_block_ways(&f->blocks[b]) < 2)
            continue;
        for (int i = 0; i < 2 && i < f->blocks[b].nsuccs; i++) {
            int n = without_edge(f, b, i, block);
            if (n <= most)
                continue;
            most = n;
            best = s;
            *edge = i;
        }
    }
    return best;
}

/* The only call of the function, -1 if there are more or none. */
static int only_call(const struct cs_graph *g, const struct cs_pts *pts, int func)
{
    int call = -1;
    for (int s = 0; s < g->nstmts; s++) {
        if (g->stmts[s].kind != CS_STMT_CALL || !cs_intset_has(cs_pts_callees(pts, s), func))
            continue;
        if (call >= 0)
            return -1;
        call = s;
    }
    return call;
}

bool cs_way_to(struct cs_graph *g, const struct cs_pts *pts, int stmt, char *text, size_t size)
{
    enum { MOST_CALLS = 8 }; /* a recursion has no end */
    assert(size > 0);
    *text = '\0';
    for (int i = 0; stmt >= 0 && i < MOST_CALLS; i++) {
        int func = g->stmts[stmt].func, edge = 0, s = nearest_branch(g, func, g->stmts[stmt].block, &edge);
        if (s < 0) {
            stmt = cs_pts_escaped(pts, g->funcs[func].obj) ? -1 : only_call(g, pts, func);
            continue;
        }
        int nth = cs_assume_nth(g, s);
        if (nth < 0)
            return false;
        char number[16] = "";
        if (nth)
            snprintf(number, sizeof number, ".%d", nth);
        snprintf(text, size, "%s:%d%s=%s", cs_graph_str(g, g->stmts[s].file), g->stmts[s].line, number,
                 edge == cs_assume_true_edge(g, s, nth) ? "never" : "always");
        return true;
    }
    return false;
}
