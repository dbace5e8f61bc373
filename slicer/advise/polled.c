/* SPDX-License-Identifier: GPL-3.0-or-later
 * A fixpoint over values, blocks and functions; polled.h.
 *   while (state == WAITING) {   `state` is set where a poll finds a message: the loop runs as often as none came,
 *       compute(part++);         and so do all blocks that depend on its condition,
 *       progress(&state);        and all functions that they call. */
#include "slicer/advise/polled.h"

#include <stdlib.h>

#include "slicer/advise/by_arrival.h"
#include "slicer/control/control_dependence.h"
#include "slicer/graph/storage.h"

/* Blocks are numbered through the program: first[function] + block. */
struct search {
    const struct cs_need_graph *ng;
    const struct cs_graph *g;
    struct cs_polled *to;
    int *first;
    bool *block, *func;
    struct cs_intlist *decides;  /* by block: those that its branch decides */
    struct cs_intlist *branches; /* by node: the blocks whose branches it stands for */
    struct cs_intlist nodes, blocks;
};

/* ---- the program ---- */

static bool is_branch(const struct cs_stmt *s)
{
    return s->kind == CS_STMT_COND || s->kind == CS_STMT_SWITCH;
}

static void add_function(struct search *s, int func)
{
    struct cs_cdep d;
    int first = s->first[func];
    cs_cdep_compute(s->g, func, &d);
    for (int b = 0; b < s->g->funcs[func].nblocks; b++) {
        int last = cs_block_branch(s->g, func, b);
        for (int i = 0; i < d.on[b].n; i++)
            cs_intlist_add(&s->decides[first + d.on[b].a[i]], first + b);
        if (last >= 0 && is_branch(&s->g->stmts[last]))
            cs_intlist_add(&s->branches[cs_need_graph_node(s->ng, last)], first + b);
    }
    cs_cdep_free(&d);
}

static void start(struct search *s)
{
    int blocks = 0;
    s->first = cs_calloc(s->g->nfuncs + 1, sizeof *s->first);
    for (int f = 0; f < s->g->nfuncs; f++) {
        s->first[f] = blocks;
        blocks += s->g->funcs[f].nblocks;
    }
    s->block = cs_calloc(blocks + 1, sizeof *s->block);
    s->func = cs_calloc(s->g->nfuncs + 1, sizeof *s->func);
    s->decides = cs_calloc(blocks + 1, sizeof *s->decides);
    s->branches = cs_calloc(s->ng->n + 1, sizeof *s->branches);
    for (int f = 0; f < s->g->nfuncs; f++)
        if (s->g->funcs[f].nblocks)
            add_function(s, f);
}

static void end(struct search *s)
{
    for (int f = 0; f < s->g->nfuncs; f++)
        for (int b = 0; b < s->g->funcs[f].nblocks; b++)
            cs_intlist_free(&s->decides[s->first[f] + b]);
    for (int v = 0; v < s->ng->n; v++)
        cs_intlist_free(&s->branches[v]);
    cs_intlist_free(&s->nodes);
    cs_intlist_free(&s->blocks);
    free(s->first);
    free(s->block);
    free(s->func);
    free(s->decides);
    free(s->branches);
}

/* ---- the fixpoint ---- */

static void reach_node(struct search *s, int v)
{
    if (s->to->node[v])
        return;
    s->to->node[v] = true;
    cs_intlist_add(&s->nodes, v);
}

static void reach_block(struct search *s, int b)
{
    if (s->block[b])
        return;
    s->block[b] = true;
    cs_intlist_add(&s->blocks, b);
}

static void reach_function(struct search *s, int func)
{
    if (s->func[func])
        return;
    s->func[func] = true;
    for (int b = 0; b < s->g->funcs[func].nblocks; b++)
        reach_block(s, s->first[func] + b);
}

/* Is it a place in an array? What goes on in parts, as messages permit, makes the same array in the end; a variable or
 * a member tells of it, as a flag and a count do. */
static bool in_array(const struct cs_need_graph *ng, int v)
{
    int what;
    if (v >= ng->needs->nnodes || cs_need_graph_kind(ng, v, &what) != CS_NEED_OTHER)
        return false;
    const struct cs_need_other *o = cs_need_other(ng->needs, v);
    return o->kind == CS_NEED_PLACE && !o->exact;
}

/* The variables that it writes tell of it. */
static void reach_written(struct search *s, int stmt)
{
    int v = cs_need_graph_node(s->ng, stmt), what;
    for (int k = s->ng->rfirst[v]; k < s->ng->rfirst[v + 1]; k++) {
        int u = s->ng->from[k];
        if (u >= s->ng->needs->nnodes || cs_need_graph_kind(s->ng, u, &what) != CS_NEED_OTHER)
            continue;
        const struct cs_need_other *o = cs_need_other(s->ng->needs, u);
        if (o->kind == CS_NEED_PLACE && o->exact)
            reach_node(s, u);
    }
}

static void follow_stmt(struct search *s, int stmt)
{
    const struct cs_need_flow *flow = &s->ng->needs->flow;
    s->to->stmt[stmt] = true;
    if (s->g->stmts[stmt].kind == CS_STMT_STORE)
        reach_written(s, stmt);
    for (int k = flow->first_callee ? flow->first_callee[stmt] : 0;
         flow->first_callee && k < flow->first_callee[stmt + 1]; k++)
        reach_function(s, flow->callees[k]);
}

static void follow_block(struct search *s, int func, int b)
{
    const struct cs_block *at = &s->g->funcs[func].blocks[b];
    for (int i = 0; i < at->nstmts; i++)
        if (at->stmts[i] < s->ng->needs->nstmts)
            follow_stmt(s, at->stmts[i]);
    const struct cs_intlist *d = &s->decides[s->first[func] + b];
    for (int i = 0; i < d->n; i++)
        reach_block(s, d->a[i]);
}

static void follow_node(struct search *s, int v)
{
    for (int k = s->ng->rfirst[v]; k < s->ng->rfirst[v + 1]; k++)
        if (cs_arrival_computes(s->ng, s->ng->from[k], v) &&
            (!in_array(s->ng, s->ng->from[k]) || cs_arrival_observed(s->ng, v)))
            reach_node(s, s->ng->from[k]);
    for (int i = 0; i < s->branches[v].n; i++) {
        const struct cs_intlist *d = &s->decides[s->branches[v].a[i]];
        for (int k = 0; k < d->n; k++)
            reach_block(s, d->a[k]);
    }
}

static int function_of(const struct search *s, int block)
{
    int least = 0, most = s->g->nfuncs - 1;
    while (least < most) {
        int f = (least + most + 1) / 2;
        if (s->first[f] <= block)
            least = f;
        else
            most = f - 1;
    }
    return least;
}

void cs_polled_find(struct cs_polled *p, const struct cs_need_graph *ng)
{
    struct search s = {.ng = ng, .g = ng->g, .to = p};
    p->stmt = cs_calloc(ng->g->nstmts + 1, sizeof *p->stmt);
    p->node = cs_calloc(ng->n + 1, sizeof *p->node);
    for (int v = 1; v < ng->n; v++)
        if (cs_arrival_observed(ng, v))
            reach_node(&s, v);
    if (!s.nodes.n)
        return;
    start(&s);
    while (s.nodes.n || s.blocks.n) {
        if (s.nodes.n) {
            follow_node(&s, s.nodes.a[--s.nodes.n]);
            continue;
        }
        int b = s.blocks.a[--s.blocks.n], f = function_of(&s, b);
        follow_block(&s, f, b - s.first[f]);
    }
    end(&s);
}

void cs_polled_free(struct cs_polled *p)
{
    free(p->stmt);
    free(p->node);
}

/* Is that what the candidate is about itself made from what arrivals decide? */
static bool is_decided(const struct cs_polled *p, const struct cs_need_graph *ng, const struct cs_candidate *c)
{
    if (c->kind != CS_ASSUME_VALUE)
        return p->node[cs_need_graph_node(ng, c->stmt)];
    for (int v = ng->needs->nnodes; v < ng->n; v++) {
        const struct cs_need_value *x = cs_need_graph_value(ng, v);
        if (p->node[v] && x->stmt == c->stmt && x->which == c->nth)
            return true;
    }
    return false;
}

enum cs_seen_order cs_polled_candidate(const struct cs_polled *p, const struct cs_need_graph *ng,
                                       const struct cs_candidate *c)
{
    const struct cs_graph *g = ng->g;
    if (is_decided(p, ng, c))
        return CS_SEEN_DECIDED;
    for (int s = 0; s < ng->needs->nstmts; s++)
        if (p->stmt[s] && g->stmts[s].file == g->stmts[c->stmt].file && g->stmts[s].line == g->stmts[c->stmt].line)
            return CS_SEEN_POLLED;
    return CS_SEEN_IN_ORDER;
}
