/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shortest ways through the needs of a propagation, by breadth first search from the root; chains.h. A way passes
 * statements, marks of MPI calls, and in between values, parameters and places, which tell how one needs the other. */
#include "slicer/advise/chains.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/candidates.h"
#include "slicer/advise/need_graph.h"
#include "slicer/graph/storage.h"

/* Of each node, the one before it on a shortest way from the root; -1: the root, or not reached. The caller frees. */
static int *shortest_ways(const struct cs_need_graph *ng)
{
    int *up = cs_calloc(ng->n + 1, sizeof *up);
    struct cs_intlist queue = {0};
    memset(up, -1, (ng->n + 1) * sizeof *up);
    cs_intlist_add(&queue, 0);
    for (int i = 0; i < queue.n; i++) {
        int v = queue.a[i];
        for (int k = ng->first[v]; k < ng->first[v + 1]; k++) {
            int to = ng->to[k];
            if (to == 0 || up[to] >= 0)
                continue;
            up[to] = v;
            cs_intlist_add(&queue, to);
        }
    }
    cs_intlist_free(&queue);
    return up;
}

static bool is_mark(enum cs_need_kind kind)
{
    return kind == CS_NEED_ENVELOPE || kind == CS_NEED_CONTENT;
}

static bool on_the_way(enum cs_need_kind kind)
{
    return kind == CS_NEED_VALUE || kind == CS_NEED_OTHER;
}

/* Does the way from `last` up to `end` pass a node of this kind? */
static bool has_other(const struct cs_needs *needs, const int *up, int last, int end, enum cs_need_other_kind kind)
{
    int what;
    for (int v = last; v != end; v = up[v])
        if (cs_need_kind(needs, v, &what) == CS_NEED_OTHER && cs_need_other_kind(needs, v) == kind)
            return true;
    return false;
}

/* How the node `last`, which needs a statement and is none, says that it does; `first` is the first such node of the
 * way, behind the parent. */
static enum cs_reason reason_between(const struct cs_needs *needs, const int *up, int last, int end)
{
    int what;
    if (cs_need_kind(needs, last, &what) == CS_NEED_OTHER)
        switch (cs_need_other_kind(needs, last)) {
        case CS_NEED_RESULT: return CS_WHY_RETURN;
        case CS_NEED_EFFECT: return has_other(needs, up, last, end, CS_NEED_PLACE) ? CS_WHY_EFFECT : CS_WHY_CALL;
        default: return CS_WHY_MEMORY;
        }
    return has_other(needs, up, last, end, CS_NEED_PARAM) ? CS_WHY_PARAM : CS_WHY_DATA;
}

/* Why a node, of a statement or its mark, is needed: goes up to the next statement or mark. */
static struct cs_link link_of(const struct cs_graph *g, const struct cs_needs *needs, const int *up, int node)
{
    int own, what, v = up[node];
    enum cs_need_kind kind = cs_need_kind(needs, node, &own), over = CS_NEED_ROOT;
    const struct cs_stmt *s = &g->stmts[own];
    if (v < 0)
        return (struct cs_link){CS_WHY_NONE, -1};
    while (v > 0 && on_the_way(over = cs_need_kind(needs, v, &what)))
        v = up[v];
    if (v <= 0)
        return (struct cs_link){s->parent < 0 && s->why != CS_WHY_NONE ? s->why : CS_WHY_ROOT, -1};
    over = cs_need_kind(needs, v, &what);
    if (is_mark(over) && (is_mark(kind) || what == own))
        return what == own ? link_of(g, needs, up, v) : (struct cs_link){CS_WHY_MESSAGE, what};
    if (is_mark(over))
        return (struct cs_link){up[node] == v ? CS_WHY_MESSAGE : CS_WHY_CONTENT, what};
    if (up[node] == v && kind == CS_NEED_STMT)
        return (struct cs_link){cs_block_branch(g, s->func, s->block) == own ? CS_WHY_CONTROL
                                : s->parent == what                          ? s->why
                                                                             : CS_WHY_DATA,
                                what};
    if (up[node] == v)
        return (struct cs_link){CS_WHY_EXIT, what};
    return (struct cs_link){reason_between(needs, up, up[node], v), what};
}

/* ---- what holds most up ---- */

static int more_held(const void *x, const void *y)
{
    const struct cs_holder *a = x, *b = y;
    return a->held != b->held ? (a->held < b->held) - (a->held > b->held) : a->stmt - b->stmt;
}

/* Branches, and calls that transmit content; of a way of which each holds nearly as much as the one before, the first.
 */
static void find_holders(struct cs_chains *c, const struct cs_need_graph *ng, int least)
{
    int cap = 0;
    for (int i = 1; i < ng->n; i++) {
        int s, up = ng->idom[i];
        enum cs_need_kind kind = cs_need_graph_kind(ng, i, &s);
        bool branch = cs_need_graph_is_branch(ng, i);
        bool files = i == ng->needs->files;
        if (ng->line[i] != i || ng->held[i] < least || up < 0 || (!branch && !files && kind != CS_NEED_CONTENT))
            continue;
        while (up > 0 && !cs_need_graph_is_branch(ng, up))
            up = ng->idom[up];
        if (!branch && up > 0 && ng->held[up] <= ng->held[i] + ng->held[i] / 8)
            continue;
        CS_GROW(c->holders, c->nholders, cap);
        c->holders[c->nholders++] = (struct cs_holder){files ? -1 : s, ng->held[i]};
    }
    if (c->nholders)
        qsort(c->holders, c->nholders, sizeof *c->holders, more_held);
}

/* ---- what a run should tell ---- */

/* stmt -1: files. */
static void watch(struct cs_chains *c, const struct cs_graph *g, int stmt)
{
    if (stmt < 0) {
        c->watch_files = !g->no_read_back;
        return;
    }
    const struct cs_stmt *s = &g->stmts[stmt];
    for (int i = 0; i < c->nwatched; i++)
        if (g->stmts[c->watched[i]].file == s->file && g->stmts[c->watched[i]].line == s->line)
            return;
    c->watched[c->nwatched++] = stmt;
}

/* Not twice. */
static void watch_value(struct cs_chains *c, struct cs_graph *g, const struct cs_candidate *value)
{
    char text[512];
    cs_candidate_text(g, value, text, sizeof text);
    *strrchr(text, '=') = 0;
    for (int i = 0; i < c->nvalues; i++)
        if (!strcmp(c->values[i], text))
            return;
    c->values[c->nvalues++] = cs_strdup(text);
}

/* The branches and values that advise may suggest, and the branches that hold most up. */
static void find_watched(struct cs_chains *c, const struct cs_need_graph *ng, struct cs_graph *g, int least)
{
    enum { PLANS = 24, HOLDERS = 40 };
    struct cs_plan plans[PLANS];
    int n = cs_candidates_find(ng, g, NULL, least, plans, PLANS), branches[CS_BRANCHES_MOST];
    struct cs_candidate arguments[CS_VALUES_MOST];
    c->watched = cs_calloc(PLANS * CS_PLAN_MOST + HOLDERS + CS_BRANCHES_MOST, sizeof *c->watched);
    c->values = cs_calloc(CS_VALUES_MOST + PLANS * CS_PLAN_MOST, sizeof *c->values);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < plans[i].n; k++)
            if (plans[i].c[k].kind == CS_ASSUME_VALUE)
                watch_value(c, g, &plans[i].c[k]);
            else
                watch(c, g, plans[i].c[k].stmt);
    for (int i = 0, all = cs_candidates_branches(ng, branches); i < all; i++)
        watch(c, g, branches[i]);
    for (int i = 0, values = cs_candidates_values(ng, g, arguments); i < values; i++)
        watch_value(c, g, &arguments[i]);
    for (int i = 0; i < c->nholders && i < HOLDERS; i++)
        if (c->holders[i].stmt < 0)
            watch(c, g, -1);
        else if (c->holders[i].stmt >= 0 && g->stmts[c->holders[i].stmt].kind == CS_STMT_COND)
            watch(c, g, c->holders[i].stmt);
}

void cs_chains_find(struct cs_chains *c, struct cs_graph *g, const struct cs_needs *needs)
{
    enum { LEAST_PART = 100 }; /* who holds less than a hundredth of the slice is none */
    struct cs_need_graph single, joined;
    int kept = 0;
    memset(c, 0, sizeof *c);
    c->mark = cs_calloc(g->nstmts + 1, sizeof *c->mark);
    cs_need_graph_build(&single, g, needs, false);
    int *up = shortest_ways(&single);
    struct cs_link *why = cs_calloc(g->nstmts + 1, sizeof *why);
    for (int s = 0; s < needs->nstmts; s++) {
        kept += g->stmts[s].keep && g->stmts[s].source >= 0;
        why[s] = link_of(g, needs, up, cs_need_stmt(needs, s));
        for (int mark = g->stmts[s].mark; mark >= CS_MARK_ENVELOPE && !c->mark[s].why; mark--)
            c->mark[s] = link_of(g, needs, up, cs_need_mark(needs, s, mark));
    }
    for (int s = 0; s < needs->nstmts; s++)
        if (g->stmts[s].keep && why[s].why != CS_WHY_NONE) {
            g->stmts[s].why = why[s].why;
            g->stmts[s].parent = why[s].parent;
        }
    free(why);
    free(up);
    cs_need_graph_free(&single);
    cs_need_graph_build(&joined, g, needs, true);
    find_holders(c, &joined, kept / LEAST_PART + 2);
    find_watched(c, &joined, g, kept / LEAST_PART + 2);
    cs_need_graph_free(&joined);
}

void cs_chains_free(struct cs_chains *c)
{
    free(c->mark);
    free(c->holders);
    free(c->watched);
    for (int i = 0; i < c->nvalues; i++)
        free(c->values[i]);
    free(c->values);
}
