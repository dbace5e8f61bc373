/* SPDX-License-Identifier: GPL-3.0-or-later
 * Post-dominators and control dependence; control_dependence.h.
 * Post-dominators by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001, on the reversed graph. */
#include "slicer/control/control_dependence.h"

#include <assert.h>
#include <stdlib.h>

/* The reversed graph of one function. Nodes 0 to n - 1 are its blocks, node n is the exit; edges only between reachable
 * blocks. order[0 .. count) is a postorder from the exit, num its inverse (-1: not reached, -2: being visited). */
struct rev {
    int n;
    struct cs_intlist *preds, *succs; /* by node, edges of the function itself, not reversed */
    int *order, *num;
    int count;
};

static void reverse_dfs(struct rev *r, int root)
{
    struct cs_intlist stack = {0}, pos = {0};
    cs_intlist_add(&stack, root);
    cs_intlist_add(&pos, 0);
    r->num[root] = -2;
    while (stack.n) {
        int b = stack.a[stack.n - 1], i = pos.a[pos.n - 1]++;
        if (i < r->preds[b].n) {
            int t = r->preds[b].a[i];
            if (r->num[t] != -1)
                continue;
            r->num[t] = -2;
            cs_intlist_add(&stack, t);
            cs_intlist_add(&pos, 0);
            continue;
        }
        assert(r->num[b] == -2 && r->count <= r->n);
        r->num[b] = r->count;
        r->order[r->count++] = b;
        stack.n--;
        pos.n--;
    }
    cs_intlist_free(&stack);
    cs_intlist_free(&pos);
}

/* Adds to `seen` what can be reached from `root` over these edges. */
static void spread(const struct cs_intlist *edges, bool *seen, int root)
{
    struct cs_intlist work = {0};
    cs_intlist_add(&work, root);
    seen[root] = true;
    while (work.n) {
        int b = work.a[--work.n];
        for (int i = 0; i < edges[b].n; i++)
            if (!seen[edges[b].a[i]]) {
                seen[edges[b].a[i]] = true;
                cs_intlist_add(&work, edges[b].a[i]);
            }
    }
    cs_intlist_free(&work);
}

static void link_blocks(const struct cs_graph *g, int func, struct rev *r)
{
    const struct cs_func *f = &g->funcs[func];
    for (int b = 0; b < f->nblocks; b++) {
        if (!f->blocks[b].reachable)
            continue;
        int ways = 0;
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            if (f->blocks[b].never[i])
                continue;
            int t = f->blocks[b].succs[i] < 0 ? r->n : f->blocks[b].succs[i];
            cs_intlist_add(&r->preds[t], b);
            cs_intlist_add(&r->succs[b], t);
            ways++;
        }
        if (ways == 0) {
            cs_intlist_add(&r->preds[r->n], b);
            cs_intlist_add(&r->succs[b], r->n);
        }
    }
}

/* Blocks in reverse postorder from the entry: the header of a loop comes before its body. */
static int forward_order(const struct rev *r, int *order)
{
    struct cs_intlist stack = {0}, pos = {0};
    bool *seen = cs_calloc(r->n + 1, sizeof *seen);
    int at = r->n;
    if (r->n) {
        cs_intlist_add(&stack, 0);
        cs_intlist_add(&pos, 0);
        seen[0] = true;
    }
    while (stack.n) {
        int b = stack.a[stack.n - 1], i = pos.a[pos.n - 1]++;
        if (i == r->succs[b].n) {
            order[--at] = b;
            stack.n--;
            pos.n--;
            continue;
        }
        int t = r->succs[b].a[i];
        if (t == r->n || seen[t])
            continue;
        seen[t] = true;
        cs_intlist_add(&stack, t);
        cs_intlist_add(&pos, 0);
    }
    cs_intlist_free(&stack);
    cs_intlist_free(&pos);
    free(seen);
    return at;
}

/* Does all that can be reached from b lead back to b? */
static bool comes_back(const struct rev *r, int b)
{
    bool *from = cs_calloc(r->n + 1, sizeof *from), *to = cs_calloc(r->n + 1, sizeof *to), back = true;
    spread(r->succs, from, b);
    spread(r->preds, to, b);
    for (int i = 0; i <= r->n; i++)
        back &= !from[i] || to[i];
    free(from);
    free(to);
    return back;
}

/* An endless loop (it may end by exit() in a callee) is taken to leave at its header, so that everything has a
 * post-dominator and what runs only in some iterations depends on the branches in the loop. */
static void open_endless(struct rev *r)
{
    bool *seen = cs_calloc(r->n + 1, sizeof *seen);
    int *order = cs_calloc(r->n + 1, sizeof *order);
    spread(r->preds, seen, r->n);
    for (int k = forward_order(r, order); k < r->n; k++) {
        int b = order[k];
        if (seen[b] || !comes_back(r, b))
            continue;
        cs_intlist_add(&r->preds[r->n], b);
        cs_intlist_add(&r->succs[b], r->n);
        spread(r->preds, seen, b);
    }
    free(order);
    free(seen);
}

/* The nearest block that both a and b come to on every way to the exit. */
static int intersect(const struct rev *r, const int *idom, int a, int b)
{
    assert(r->num[a] >= 0 && r->num[b] >= 0);
    while (a != b) {
        while (r->num[a] < r->num[b])
            a = idom[a];
        while (r->num[b] < r->num[a])
            b = idom[b];
    }
    return a;
}

static void post_dominators(struct rev *r, int *idom)
{
    for (int i = 0; i <= r->n; i++)
        idom[i] = -1;
    idom[r->n] = r->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = r->count - 2; k >= 0; k--) {
            int b = r->order[k], best = -1;
            assert(b >= 0 && b < r->n);
            for (int i = 0; i < r->succs[b].n; i++) {
                int t = r->succs[b].a[i];
                if (idom[t] < 0)
                    continue;
                best = best < 0 ? t : intersect(r, idom, best, t);
            }
            assert(best >= 0); /* a successor of b comes before it in this order */
            if (best != idom[b]) {
                idom[b] = best;
                changed = true;
            }
        }
    }
}

static void exit_distance(const struct rev *r, int *dist)
{
    struct cs_intlist q = {0};
    for (int i = 0; i < r->n; i++)
        dist[i] = -1;
    dist[r->n] = 0;
    cs_intlist_add(&q, r->n);
    for (int h = 0; h < q.n; h++)
        for (int i = 0; i < r->preds[q.a[h]].n; i++) {
            int t = r->preds[q.a[h]].a[i];
            if (dist[t] >= 0)
                continue;
            dist[t] = dist[q.a[h]] + 1;
            cs_intlist_add(&q, t);
        }
    cs_intlist_free(&q);
}

static void frontier(const struct rev *r, const int *idom, struct cs_cdep *cd)
{
    for (int b = 0; b < r->n; b++) {
        if (r->succs[b].n < 2)
            continue;
        for (int i = 0; i < r->succs[b].n; i++)
            for (int run = r->succs[b].a[i]; run != r->n && run != idom[b]; run = idom[run]) {
                bool have = cd->on[run].n && cd->on[run].a[cd->on[run].n - 1] == b;
                if (!have)
                    cs_intlist_add(&cd->on[run], b);
                if (idom[run] < 0)
                    break;
            }
    }
}

void cs_cdep_compute(const struct cs_graph *g, int func, struct cs_cdep *cd)
{
    int n = g->funcs[func].nblocks;
    struct rev r = {.n = n};
    r.preds = cs_calloc(n + 1, sizeof *r.preds);
    r.succs = cs_calloc(n + 1, sizeof *r.succs);
    r.order = cs_calloc(n + 1, sizeof *r.order);
    r.num = cs_calloc(n + 1, sizeof *r.num);
    for (int i = 0; i <= n; i++)
        r.num[i] = -1;
    cd->nblocks = n;
    cd->ipdom = cs_calloc(n + 1, sizeof *cd->ipdom);
    cd->exit_dist = cs_calloc(n + 1, sizeof *cd->exit_dist);
    cd->on = cs_calloc(n + 1, sizeof *cd->on);
    cd->before = cs_calloc(n + 1, sizeof *cd->before);
    link_blocks(g, func, &r);
    exit_distance(&r, cd->exit_dist);
    open_endless(&r);
    reverse_dfs(&r, n);
    assert(r.order[r.count - 1] == n);
    post_dominators(&r, cd->ipdom);
    frontier(&r, cd->ipdom, cd);
    for (int i = 0; i < n; i++) {
        if (cd->ipdom[i] >= 0)
            cs_intlist_add(&cd->before[cd->ipdom[i]], i);
        if (cd->ipdom[i] == n)
            cd->ipdom[i] = CS_BLOCK_EXIT;
    }
    for (int i = 0; i <= n; i++) {
        cs_intlist_free(&r.preds[i]);
        cs_intlist_free(&r.succs[i]);
    }
    free(r.preds);
    free(r.succs);
    free(r.order);
    free(r.num);
}

void cs_cdep_free(struct cs_cdep *cd)
{
    for (int i = 0; i <= cd->nblocks; i++) {
        cs_intlist_free(&cd->on[i]);
        cs_intlist_free(&cd->before[i]);
    }
    free(cd->on);
    free(cd->before);
    free(cd->ipdom);
    free(cd->exit_dist);
}

int cs_cdep_way_out(const struct cs_graph *g, int func, int block, const struct cs_cdep *cd)
{
    const struct cs_block *b = &g->funcs[func].blocks[block];
    int best = -1, best_dist = 0;
    assert(block >= 0 && block < cd->nblocks);
    for (int i = 0; i < b->nsuccs; i++) {
        if (b->never[i])
            continue;
        int d = b->succs[i] < 0 ? 0 : cd->exit_dist[b->succs[i]];
        if (d < 0)
            d = 1 << 30;
        if (best < 0 || d < best_dist) {
            best = i;
            best_dist = d;
        }
    }
    return best < 0 ? 0 : best;
}
