/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds need graphs; need_graph.h. Dominators by Semi-NCA (Georgiadis: Linear-Time Algorithms for Dominators and
 * Related Problems, 2005, chapter 2). */
#include "slicer/advise/need_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/value_nodes.h"
#include "slicer/graph/storage.h"

enum cs_need_kind cs_need_graph_kind(const struct cs_need_graph *ng, int node, int *what)
{
    assert(node >= 0 && node < ng->n);
    *what = -1;
    return node < ng->needs->nnodes ? cs_need_kind(ng->needs, node, what) : CS_NEED_OTHER;
}

const struct cs_need_value *cs_need_graph_value(const struct cs_need_graph *ng, int node)
{
    assert(node >= 0 && node < ng->n);
    return node < ng->needs->nnodes ? NULL : &ng->values[node - ng->needs->nnodes];
}

/* Is it in a function that was put in line? Its line is that of all its copies, as the comparison in std::max is: no
 * assumption can be about one of them, and as one node they would seem to lead to each other. */
static bool is_inlined(const struct cs_graph *g, const struct cs_stmt *s)
{
    int file = g->funcs[s->func].file;
    return file >= 0 && s->file != file;
}

static bool is_branch(const struct cs_graph *g, const struct cs_needs *needs, int node)
{
    int s;
    return cs_need_kind(needs, node, &s) == CS_NEED_STMT && g->stmts[s].kind == CS_STMT_COND &&
           g->stmts[s].source >= 0 && g->stmts[s].line > 0 && !is_inlined(g, &g->stmts[s]);
}

/* ---- one node for the branches of a line ---- */

/* A statement of the line of `stmt` is looked for. */
struct by_line {
    const struct cs_graph *g;
    int stmt;
};

static bool same_line(const void *what, int stmt, int node)
{
    const struct by_line *q = what;
    const struct cs_stmt *a = &q->g->stmts[q->stmt], *b = &q->g->stmts[stmt];
    (void)node;
    return a->file == b->file && a->line == b->line;
}

/* Second numbers of pairs cannot be asked for, so the node is found again from the statement. */
static void join_lines(struct cs_need_graph *ng)
{
    struct cs_pairset seen = {0};
    for (int i = 0; i < ng->needs->nnodes; i++) {
        int s;
        if (!is_branch(ng->g, ng->needs, i))
            continue;
        cs_need_kind(ng->needs, i, &s);
        uint32_t h = cs_hash(cs_hash(0, ng->g->stmts[s].file), ng->g->stmts[s].line);
        int first = cs_pairset_find(&seen, h, same_line, &(struct by_line){ng->g, s});
        if (first < 0)
            cs_pairset_add(&seen, h, s, i);
        else
            ng->line[i] = cs_need_stmt(ng->needs, first);
    }
    cs_pairset_free(&seen);
}

/* ---- edges ---- */

/* Is it needed by the root only since it gives memory back? Calls that do are chosen where nearly all that they need
 * stays anyway, so they are no reason for anything; what is a root in earnest is marked before anything else. */
static bool gives_back(const struct cs_need_graph *ng, const struct cs_need_edge *e)
{
    int s;
    return e->from == 0 && cs_need_graph_kind(ng, e->to, &s) == CS_NEED_STMT &&
           (ng->g->stmts[s].why == CS_WHY_FREE || ng->g->stmts[s].why == CS_WHY_COUNT || ng->g->stmts[s].parent >= 0);
}

/* The node that the edge leads to; one that is no reason leads back to the root. */
static int target(const struct cs_need_graph *ng, const struct cs_need_edge *e)
{
    return gives_back(ng, e) ? 0 : ng->line[e->to];
}

/* Sorts the edges by one end: those of node i are other[first[i]] and on. */
static void sort_edges(const struct cs_need_graph *ng, bool by_from, int **first, int **other)
{
    int *at = *first = cs_calloc(ng->n + 2, sizeof *at);
    *other = cs_calloc(ng->nedges + 1, sizeof **other);
    for (int i = 0; i < ng->nedges; i++)
        at[(by_from ? ng->line[ng->edges[i].from] : target(ng, &ng->edges[i])) + 1]++;
    for (int i = 0; i < ng->n; i++)
        at[i + 1] += at[i];
    for (int i = ng->nedges - 1; i >= 0; i--) {
        int a = ng->line[ng->edges[i].from], b = target(ng, &ng->edges[i]);
        (*other)[--at[(by_from ? a : b) + 1]] = by_from ? b : a;
    }
    /* Each at[i + 1] is now where the edges of i begin. */
    memmove(at, at + 1, ng->n * sizeof *at);
    assert(ng->n == 0 || at[0] == 0);
    at[ng->n] = ng->nedges;
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Leaves one of the edges that lead from one node to the same other one: most do, where lines are joined. */
static void join_edges(int n, int *first, int *other)
{
    int to = 0;
    for (int i = 0, at = 0; i < n; i++) {
        int end = first[i + 1], begin = to;
        if (end - at > 1)
            qsort(other + at, end - at, sizeof *other, ascending);
        for (int k = at; k < end; k++)
            if (to == begin || other[to - 1] != other[k])
                other[to++] = other[k];
        first[i] = begin;
        at = end;
    }
    first[n] = to;
}

/* ---- dominators ---- */

/* By number in preorder, from 0 for the root. */
struct dominators {
    int n;
    int *node, *parent, *semi, *label, *up, *number; /* number: of a node, -1 if it is not reached */
};

static void number_nodes(const struct cs_need_graph *ng, struct dominators *d)
{
    int *next = cs_calloc(ng->n + 1, sizeof *next);
    memset(d->number, -1, ng->n * sizeof *d->number);
    memcpy(next, ng->first, ng->n * sizeof *next);
    d->number[0] = 0;
    d->n = 1;
    for (int at = 0; at >= 0;) {
        int v = d->node[at];
        if (next[v] == ng->first[v + 1]) {
            at = at ? d->parent[at] : -1;
            continue;
        }
        int w = ng->to[next[v]++];
        if (d->number[w] >= 0)
            continue;
        d->parent[d->n] = at;
        d->node[d->n] = w;
        at = d->number[w] = d->n++;
    }
    free(next);
}

/* The number with the least semidominator on the way up from v, below those not yet linked (> last). Shortens the way.
 */
static int least(struct dominators *d, int v, int last, int *stack)
{
    int n = 0;
    if (v <= last)
        return v;
    for (int x = v; d->up[x] > last; x = d->up[x])
        stack[n++] = x;
    while (n > 0) {
        int x = stack[--n], over = d->up[x];
        if (d->semi[d->label[over]] < d->semi[d->label[x]])
            d->label[x] = d->label[over];
        d->up[x] = d->up[over];
    }
    return d->label[v];
}

static void find_dominators(struct cs_need_graph *ng, struct dominators *d)
{
    int *stack = cs_calloc(d->n + 1, sizeof *stack);
    for (int i = 0; i < d->n; i++) {
        d->semi[i] = d->label[i] = i;
        d->up[i] = d->parent[i];
    }
    for (int w = d->n - 1; w > 0; w--) {
        int v = d->node[w];
        d->semi[w] = d->parent[w];
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1]; k++) {
            int p = d->number[ng->from[k]];
            if (p < 0)
                continue;
            int u = d->semi[least(d, p, w, stack)];
            if (u < d->semi[w])
                d->semi[w] = u;
        }
    }
    int *idom = d->label; /* no more labels are needed */
    for (int w = 1; w < d->n; w++) {
        idom[w] = d->parent[w];
        while (idom[w] > d->semi[w])
            idom[w] = idom[idom[w]];
        assert(idom[w] < w);
        ng->idom[d->node[w]] = d->node[idom[w]];
    }
    free(stack);
}

static void count_held(struct cs_need_graph *ng, const struct dominators *d)
{
    for (int i = 0; i < ng->n; i++) {
        int s;
        if (cs_need_graph_kind(ng, i, &s) == CS_NEED_STMT && ng->g->stmts[s].source >= 0 && d->number[ng->line[i]] >= 0)
            ng->held[ng->line[i]]++;
    }
    for (int w = d->n - 1; w > 0; w--)
        ng->held[ng->idom[d->node[w]]] += ng->held[d->node[w]];
}

static void dominate(struct cs_need_graph *ng)
{
    int *all = cs_calloc(6 * (size_t)(ng->n + 1), sizeof *all), n = ng->n + 1;
    struct dominators d = {0, all, all + n, all + 2 * n, all + 3 * n, all + 4 * n, all + 5 * n};
    number_nodes(ng, &d);
    find_dominators(ng, &d);
    count_held(ng, &d);
    free(all);
}

void cs_need_graph_build(struct cs_need_graph *ng, const struct cs_graph *g, const struct cs_needs *needs, bool join)
{
    *ng = (struct cs_need_graph){.g = g, .needs = needs, .n = needs->nnodes};
    cs_value_nodes_add(ng, join);
    ng->line = cs_calloc(ng->n + 1, sizeof *ng->line);
    ng->idom = cs_calloc(ng->n + 1, sizeof *ng->idom);
    ng->held = cs_calloc(ng->n + 1, sizeof *ng->held);
    memset(ng->idom, -1, (ng->n + 1) * sizeof *ng->idom);
    for (int i = 0; i < ng->n; i++)
        ng->line[i] = i;
    if (join)
        join_lines(ng);
    sort_edges(ng, true, &ng->first, &ng->to);
    sort_edges(ng, false, &ng->rfirst, &ng->from);
    if (!join)
        return;
    join_edges(ng->n, ng->first, ng->to);
    join_edges(ng->n, ng->rfirst, ng->from);
    dominate(ng);
}

void cs_need_graph_free(struct cs_need_graph *ng)
{
    free(ng->values);
    free(ng->edges);
    free(ng->line);
    free(ng->first);
    free(ng->to);
    free(ng->rfirst);
    free(ng->from);
    free(ng->idom);
    free(ng->held);
}

int cs_need_graph_node(const struct cs_need_graph *ng, int stmt)
{
    return ng->line[cs_need_stmt(ng->needs, stmt)];
}

int cs_need_graph_stmt(const struct cs_need_graph *ng, int node)
{
    int s;
    return cs_need_graph_kind(ng, node, &s) == CS_NEED_STMT ? s : -1;
}

bool cs_need_graph_is_branch(const struct cs_need_graph *ng, int node)
{
    return ng->line[node] == node && node < ng->needs->nnodes && is_branch(ng->g, ng->needs, node);
}

bool cs_need_graph_only_control(const struct cs_need_graph *ng, int from, int to)
{
    int a, b;
    if (cs_need_graph_kind(ng, from, &a) != CS_NEED_STMT || cs_need_graph_kind(ng, to, &b) != CS_NEED_STMT)
        return false;
    enum cs_stmt_kind s = ng->g->stmts[a].kind, t = ng->g->stmts[b].kind;
    return (t == CS_STMT_COND || t == CS_STMT_SWITCH) && s != CS_STMT_PHI && s != CS_STMT_STORE && s != CS_STMT_COPY;
}
