/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominators; dom.h. Blocks are numbered in reverse postorder, so that of two blocks the one further down has the
 * higher number. The time is linear, except where loops have several entries. */
#include "slicer/control/dom.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/graph/storage.h"

/* A block on the way down, and which of its successors is looked at next. */
struct visit {
    int block, next;
};

/* Reverse postorder, by a depth-first search without recursion. */
static void number(const struct cs_func *f, struct cs_dom *d)
{
    struct visit *stack = cs_calloc(f->nblocks + 1, sizeof *stack);
    int depth = 0, at = f->nblocks;
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    if (f->nblocks) {
        stack[depth++] = (struct visit){0, 0};
        seen[0] = true;
    }
    while (depth) {
        struct visit *v = &stack[depth - 1];
        const struct cs_block *b = &f->blocks[v->block];
        if (v->next == b->nsuccs) {
            d->order[--at] = v->block;
            depth--;
            continue;
        }
        int i = v->next++, t = b->succs[i];
        if (b->never[i] || t < 0 || seen[t])
            continue;
        seen[t] = true;
        stack[depth++] = (struct visit){t, 0};
    }
    d->n = f->nblocks - at;
    for (int i = 0; i < d->n; i++) {
        d->order[i] = d->order[at + i];
        d->num[d->order[i]] = i;
    }
    free(stack);
    free(seen);
}

int cs_dom_common(const struct cs_dom *d, int a, int b)
{
    assert(d->num[a] >= 0 && d->num[b] >= 0);
    while (a != b) {
        while (d->num[a] > d->num[b])
            a = d->idom[a];
        while (d->num[b] > d->num[a])
            b = d->idom[b];
    }
    return a;
}

bool cs_dom_dominates(const struct cs_dom *d, int a, int b)
{
    return d->num[a] >= 0 && d->num[b] >= 0 && cs_dom_common(d, a, b) == a;
}

/* One more look at the ways out of block b; whether a dominator has changed. */
static bool push(const struct cs_func *f, struct cs_dom *d, int b)
{
    bool changed = false;
    for (int i = 0; i < f->blocks[b].nsuccs; i++) {
        int t = f->blocks[b].succs[i];
        if (t <= 0 || f->blocks[b].never[i])
            continue;
        assert(d->idom[b] >= 0); /* in reverse postorder, a way to b has been looked at */
        int by = d->idom[t] < 0 ? b : cs_dom_common(d, d->idom[t], b);
        changed |= by != d->idom[t];
        d->idom[t] = by;
    }
    return changed;
}

void cs_dom_compute(const struct cs_graph *g, int func, struct cs_dom *d)
{
    const struct cs_func *f = &g->funcs[func];
    d->order = cs_calloc(f->nblocks + 1, sizeof *d->order);
    d->num = cs_calloc(f->nblocks + 1, sizeof *d->num);
    d->idom = cs_calloc(f->nblocks + 1, sizeof *d->idom);
    for (int i = 0; i < f->nblocks; i++)
        d->num[i] = d->idom[i] = -1;
    number(f, d);
    if (f->nblocks)
        d->idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < d->n; i++)
            changed |= push(f, d, d->order[i]);
    }
    for (int i = 0; i < d->n; i++)
        assert(d->num[d->order[i]] == i && d->num[d->idom[d->order[i]]] <= i);
}

void cs_dom_free(struct cs_dom *d)
{
    free(d->order);
    free(d->num);
    free(d->idom);
}
