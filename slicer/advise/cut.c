/* SPDX-License-Identifier: GPL-3.0-or-later
 * Smallest cuts by the theorem of Menger: as many ways from the root as have no cuttable node in common, found one
 * after the other by augmenting (Ford and Fulkerson, 1956); cut.h. A state is a node's entrance (2 * node) or its exit
 * (2 * node + 1), between which a cuttable node lets one way through. */
#include "slicer/advise/cut.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

void cs_cuts_start(struct cs_cuts *c, const struct cs_need_graph *ng)
{
    int nedges = ng->first[ng->n], *next = cs_calloc(ng->n + 1, sizeof *next);
    *c = (struct cs_cuts){.ng = ng};
    c->edge = cs_calloc(nedges + 1, sizeof *c->edge);
    c->flow = cs_calloc(nedges + 1, 1);
    c->through = cs_calloc(ng->n + 1, 1);
    c->from = cs_calloc(2 * (size_t)ng->n + 2, sizeof *c->from);
    memcpy(next, ng->rfirst, ng->n * sizeof *next);
    for (int u = 0; u < ng->n; u++)
        for (int k = ng->first[u]; k < ng->first[u + 1]; k++)
            c->edge[next[ng->to[k]]++] = k;
    free(next);
}

void cs_cuts_free(struct cs_cuts *c)
{
    free(c->edge);
    free(c->flow);
    free(c->through);
    free(c->from);
}

/* The node that an edge comes from. */
static int source_of(const struct cs_cuts *c, int k)
{
    int lo = 0, hi = c->ng->n;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (c->ng->first[mid] <= k)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static void reach(struct cs_cuts *c, struct cs_intlist *queue, int state, int from)
{
    if (c->from[state] >= 0)
        return;
    c->from[state] = from;
    cs_intlist_add(queue, state);
}

/* All states that one more way from the root can come to, until it comes to the target's entrance. */
static bool spread(struct cs_cuts *c, const char *can, int target, struct cs_intlist *queue)
{
    const struct cs_need_graph *ng = c->ng;
    memset(c->from, -1, (2 * (size_t)ng->n + 2) * sizeof *c->from);
    queue->n = 0;
    c->from[1] = 1; /* the root's exit */
    cs_intlist_add(queue, 1);
    for (int i = 0; i < queue->n && c->from[2 * target] < 0; i++) {
        int at = queue->a[i], u = at / 2;
        if (at % 2) {
            if (u && c->through[u])
                reach(c, queue, at - 1, at);
            for (int k = ng->first[u]; k < ng->first[u + 1]; k++)
                reach(c, queue, 2 * ng->to[k], at);
            continue;
        }
        if (!can[u] || !c->through[u])
            reach(c, queue, at + 1, at);
        for (int i2 = ng->rfirst[u]; c->through[u] && i2 < ng->rfirst[u + 1]; i2++)
            if (c->flow[c->edge[i2]])
                reach(c, queue, 2 * source_of(c, c->edge[i2]) + 1, at);
    }
    return c->from[2 * target] >= 0;
}

/* The place in ng->to of an edge; one that is used already, if a way is taken back. */
static int edge_between(const struct cs_cuts *c, int u, int v, bool used)
{
    for (int k = c->ng->first[u]; k < c->ng->first[u + 1]; k++)
        if (c->ng->to[k] == v && (!used || c->flow[k]))
            return k;
    assert(!"there is an edge");
    return -1;
}

/* Notes the way that spread() found. */
static void augment(struct cs_cuts *c, int target)
{
    c->through[target]++;
    for (int at = 2 * target; at != 1; at = c->from[at]) {
        int from = c->from[at], u = from / 2, v = at / 2;
        if (u == v)
            c->through[u] += at % 2 ? 1 : -1;
        else if (from % 2)
            c->flow[edge_between(c, u, v, false)]++;
        else
            c->flow[edge_between(c, v, u, true)]--;
    }
}

/* States from which one more way can come to the target. */
static void spread_back(struct cs_cuts *c, const char *can, int target, struct cs_intlist *queue)
{
    const struct cs_need_graph *ng = c->ng;
    memset(c->from, -1, (2 * (size_t)ng->n + 2) * sizeof *c->from);
    queue->n = 0;
    c->from[2 * target] = 0;
    cs_intlist_add(queue, 2 * target);
    for (int i = 0; i < queue->n; i++) {
        int at = queue->a[i], v = at / 2;
        if (at % 2) {
            if (!can[v] || !c->through[v])
                reach(c, queue, at - 1, 0);
            for (int k = ng->first[v]; c->through[v] && k < ng->first[v + 1]; k++)
                if (c->flow[k])
                    reach(c, queue, 2 * ng->to[k], 0);
            continue;
        }
        if (c->through[v] && v != target)
            reach(c, queue, at + 1, 0);
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1]; k++)
            reach(c, queue, 2 * ng->from[k] + 1, 0);
    }
}

/* Cuttable nodes of which one side was come to; `side`: which one. */
static int border(const struct cs_cuts *c, const char *can, int side, int most, int *nodes)
{
    int n = 0;
    for (int u = 1; u < c->ng->n; u++)
        if (can[u] && c->through[u] && c->from[2 * u + side] >= 0 && c->from[2 * u + !side] < 0 && n < most)
            nodes[n++] = u;
    return n;
}

int cs_cut_off(struct cs_cuts *c, const char *can, int target, int most, int *near_root, int *near_target)
{
    struct cs_intlist queue = {0};
    int ways = 0, n = 0;
    assert(target > 0 && target < c->ng->n && !can[target]);
    memset(c->flow, 0, c->ng->first[c->ng->n]);
    memset(c->through, 0, c->ng->n);
    for (; ways <= most && spread(c, can, target, &queue); ways++) {
        c->steps += 2 * (int64_t)c->ng->n + c->ng->first[c->ng->n];
        augment(c, target);
    }
    if (ways > 0 && ways <= most) {
        n = border(c, can, 0, most, near_root);
        spread_back(c, can, target, &queue);
        border(c, can, 1, most, near_target);
        assert(n == ways);
    }
    cs_intlist_free(&queue);
    return n;
}
