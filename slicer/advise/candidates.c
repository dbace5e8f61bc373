/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds assumptions; candidates.h. A branch by which much is LIVE is found by dominators. Where two or three branches
 * hold the same together, none of them does alone: then the value that they ask for does, and the branches are those
 * that cut the root off from it, by the theorem of Menger. */
#include "slicer/advise/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/graph/storage.h"

/* ---- what a branch can be assumed to do ---- */

/* How much that is kept is reached from `from`, without what is reached from `other`; calls count for what they may
 * lead to. */
static int weight_behind(const struct cs_graph *g, int func, int from, const bool *other, bool *seen)
{
    const struct cs_func *f = &g->funcs[func];
    struct cs_intlist work = {0};
    int weight = 0;
    if (from >= 0 && !seen[from])
        cs_intlist_add(&work, from);
    while (work.n) {
        int b = work.a[--work.n];
        if (seen[b])
            continue;
        seen[b] = true;
        for (int i = 0; i < f->blocks[b].nstmts && !(other && other[b]); i++) {
            const struct cs_stmt *s = &g->stmts[f->blocks[b].stmts[i]];
            weight += !s->keep ? 0 : s->kind == CS_STMT_CALL ? 100 : 1;
        }
        for (int i = 0; i < f->blocks[b].nsuccs; i++)
            if (!f->blocks[b].never[i] && f->blocks[b].succs[i] >= 0)
                cs_intlist_add(&work, f->blocks[b].succs[i]);
    }
    cs_intlist_free(&work);
    return weight;
}

/* The edge behind which less of the slice is. */
static int lighter_edge(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    const struct cs_func *f = &g->funcs[s->func];
    bool *seen[2];
    int weight[2];
    for (int i = 0; i < 2; i++) {
        seen[i] = cs_calloc(f->nblocks + 1, 1);
        seen[i][s->block] = true;
        weight_behind(g, s->func, f->blocks[s->block].succs[i], NULL, seen[i]);
    }
    for (int i = 0; i < 2; i++) {
        bool *own = cs_calloc(f->nblocks + 1, 1);
        own[s->block] = true;
        weight[i] = weight_behind(g, s->func, f->blocks[s->block].succs[i], seen[!i], own);
        free(own);
    }
    free(seen[0]);
    free(seen[1]);
    int holds = cs_assume_true_edge(g, stmt);
    return weight[holds] <= weight[!holds] ? holds : !holds;
}

/* The assumption for the branches of a line: that the loop goes on, how often it runs, or that the side is taken behind
 * which more is. */
static struct cs_candidate candidate_of(struct cs_graph *g, int stmt)
{
    int dead = -1;
    enum cs_leaving leaving = cs_assume_line_leaves(g, &stmt, &dead);
    if (leaving == CS_LEAVES_ONLY_WAY)
        return (struct cs_candidate){stmt, 0, CS_ASSUME_TRIPS};
    if (leaving == CS_LEAVES_NONE)
        dead = lighter_edge(g, stmt);
    return (struct cs_candidate){stmt, 0, dead == cs_assume_true_edge(g, stmt) ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS};
}

void cs_candidate_text(const struct cs_graph *g, const struct cs_candidate *c, char *text, size_t size)
{
    static const char *const what[] = {
        [CS_ASSUME_NEVER] = "never", [CS_ASSUME_ALWAYS] = "always", [CS_ASSUME_TRIPS] = "N"};
    if (c->kind == CS_ASSUME_NO_READ_BACK) {
        snprintf(text, size, CS_NO_READ_BACK);
        return;
    }
    const struct cs_stmt *s = &g->stmts[c->stmt];
    char nth[16] = "";
    if (c->nth)
        snprintf(nth, sizeof nth, ".%d", c->nth);
    snprintf(text, size, "%s:%d%s=%s", cs_graph_str(g, s->file), s->line, nth, what[c->kind]);
}

/* Is it a node that an assumption takes away: a line's branches, or what is read of files? */
static bool can_be_cut(const struct cs_need_graph *ng, int node)
{
    return cs_need_graph_is_branch(ng, node) || (node == ng->needs->files && node > 0 && !ng->g->no_read_back);
}

static struct cs_candidate candidate_of_node(const struct cs_need_graph *ng, struct cs_graph *g, int node)
{
    if (node == ng->needs->files)
        return (struct cs_candidate){-1, 0, CS_ASSUME_NO_READ_BACK};
    return candidate_of(g, cs_need_graph_stmt(ng, node));
}

/* ---- what cuts a node off ---- */

/* Of each node: does `d` dominate it? The caller frees. */
static char *below(const struct cs_need_graph *ng, int d)
{
    enum { UNKNOWN, YES, NO };
    char *in = cs_calloc(ng->n + 1, 1);
    struct cs_intlist way = {0};
    in[d] = YES;
    in[0] = d ? NO : YES;
    for (int i = 0; i < ng->n; i++) {
        int v = i;
        for (way.n = 0; v >= 0 && !in[v]; v = ng->idom[v])
            cs_intlist_add(&way, v);
        for (int k = 0; k < way.n; k++)
            in[way.a[k]] = v >= 0 ? in[v] : NO;
    }
    cs_intlist_free(&way);
    for (int i = 0; i < ng->n; i++)
        in[i] = in[i] == YES;
    return in;
}

/* The branches nearest to d, or reads of files, without which nobody needs it. Their number; 0 if there are more than
 * CS_PLAN_MOST, or if it is needed without any branch. */
static int cut_off(const struct cs_need_graph *ng, int d, int nodes[CS_PLAN_MOST])
{
    char *seen = below(ng, d);
    struct cs_intlist work = {0};
    int n = 0;
    cs_intlist_add(&work, d);
    while (work.n && n >= 0) {
        int v = work.a[--work.n];
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1] && n >= 0; k++) {
            int u = ng->from[k];
            if (seen[u] || (u && ng->idom[u] < 0))
                continue;
            seen[u] = true;
            if (u == 0)
                n = -1;
            else if (!can_be_cut(ng, u))
                cs_intlist_add(&work, u);
            else if (n < CS_PLAN_MOST)
                nodes[n++] = u;
            else
                n = -1;
        }
    }
    cs_intlist_free(&work);
    free(seen);
    return n < 0 ? 0 : n;
}

/* ---- what is no matter of data ---- */

/* What a statement brings into the program from outside. */
enum source { SOURCE_NONE, SOURCE_RANK, SOURCE_OTHER };

static enum source source_of(const struct cs_graph *g, int stmt)
{
    enum cs_binding bind;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL)
        return SOURCE_NONE;
    if (s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return SOURCE_OTHER;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &bind);
    if (c)
        return c->kind == CS_MPI_LOCAL && !(c->flags & (CS_MPI_UNIFORM | CS_MPI_TIMING)) ? SOURCE_RANK
               : c->flags & CS_MPI_TIMING                                                ? SOURCE_OTHER
                                                                                         : SOURCE_NONE;
    return g->funcs[g->objs[s->callee.id].func].defined ? SOURCE_NONE : SOURCE_OTHER;
}

/* Does the line's branch tell ranks apart, and nothing else? What it needs leads to the rank's number, and to no
 * message, file or library function: `rank > 0 ? rank - 1 : MPI_PROC_NULL`. To assume that it goes one way on all ranks
 * would be wrong on some. */
static bool only_tells_ranks_apart(const struct cs_need_graph *ng, int node)
{
    char *seen = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    bool rank = false, data = false;
    int s;
    seen[node] = true;
    cs_intlist_add(&work, node);
    while (work.n && !data) {
        int v = work.a[--work.n];
        enum cs_need_kind kind = cs_need_kind(ng->needs, v, &s);
        enum source from = kind == CS_NEED_STMT ? source_of(ng->g, s) : SOURCE_NONE;
        data = kind == CS_NEED_CONTENT || (v == ng->needs->files && v > 0) || from == SOURCE_OTHER;
        rank |= from == SOURCE_RANK;
        for (int k = ng->first[v]; k < ng->first[v + 1]; k++)
            if (!seen[ng->to[k]]) {
                seen[ng->to[k]] = true;
                cs_intlist_add(&work, ng->to[k]);
            }
    }
    cs_intlist_free(&work);
    free(seen);
    return rank && !data;
}

/* ---- plans ---- */

/* The plans found so far, p[n] with room for `most`, those that hold most first. */
struct plans {
    const struct cs_need_graph *ng;
    struct cs_graph *g;
    struct cs_plan *p;
    int n, most;
};

static bool same_plan(const struct cs_plan *a, const struct cs_plan *b)
{
    int same = 0;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            same += a->c[i].stmt == b->c[k].stmt && a->c[i].nth == b->c[k].nth;
    return a->n == b->n && same == a->n;
}

/* Inserts it in the order of what is held, unless it is there. */
static void add_plan(struct plans *ps, const struct cs_plan *p)
{
    int at = ps->n;
    for (int i = 0; i < ps->n; i++)
        if (same_plan(&ps->p[i], p))
            return;
    while (at > 0 && ps->p[at - 1].held < p->held)
        at--;
    if (at == ps->most)
        return;
    ps->n += ps->n < ps->most;
    memmove(&ps->p[at + 1], &ps->p[at], (ps->n - 1 - at) * sizeof *p);
    ps->p[at] = *p;
}

static void add_nodes(struct plans *ps, const int *nodes, int n, int held)
{
    struct cs_plan p = {.n = n, .held = held};
    for (int i = 0; i < n; i++)
        if (cs_need_graph_is_branch(ps->ng, nodes[i]) && only_tells_ranks_apart(ps->ng, nodes[i]))
            return;
    for (int i = 0; i < n; i++)
        p.c[i] = candidate_of_node(ps->ng, ps->g, nodes[i]);
    add_plan(ps, &p);
}

/* Statements that are reached from what the branch itself asks for, and not by way of its line again. */
static int asked_by(const struct cs_need_graph *ng, int stmt)
{
    char *seen = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    int n = 0, s;
    seen[cs_need_graph_node(ng, stmt)] = true;
    for (int i = 0; i < ng->needs->nedges; i++)
        if (ng->needs->edges[i].from == cs_need_stmt(ng->needs, stmt) &&
            cs_need_kind(ng->needs, ng->needs->edges[i].to, &s) == CS_NEED_VALUE)
            cs_intlist_add(&work, ng->needs->edges[i].to);
    while (work.n) {
        int v = work.a[--work.n];
        if (seen[v])
            continue;
        seen[v] = true;
        n += cs_need_kind(ng->needs, v, &s) == CS_NEED_STMT && ng->g->stmts[s].source >= 0;
        for (int k = ng->first[v]; k < ng->first[v + 1]; k++)
            cs_intlist_add(&work, ng->to[k]);
    }
    cs_intlist_free(&work);
    free(seen);
    return n;
}

/* `while (res > eps && it < max)`: one comparison alone may ask for all that is held, and the others still end the
 * loop.
 */
static void add_comparison(struct plans *ps, int node)
{
    enum { FAR_MORE = 4 };
    int first = cs_need_graph_stmt(ps->ng, node), best = -1, most = 0, second = 0, edge;
    const struct cs_stmt *f = &ps->g->stmts[first];
    for (int s = 0; s < ps->g->nstmts; s++) {
        const struct cs_stmt *st = &ps->g->stmts[s];
        if (st->kind != CS_STMT_COND || !st->keep || st->file != f->file || st->line != f->line || st->func != f->func)
            continue;
        int asked = asked_by(ps->ng, s);
        second = asked > most ? most : asked > second ? asked : second;
        best = asked > most ? s : best;
        most = asked > most ? asked : most;
    }
    int nth = best >= 0 ? cs_assume_nth(ps->g, best) : 0;
    if (!nth || most < FAR_MORE * second || cs_assume_leaving(ps->g, best, &edge) == CS_LEAVES_NONE)
        return;
    enum cs_assume_kind kind = edge == cs_assume_true_edge(ps->g, best) ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS;
    add_plan(ps, &(struct cs_plan){1, {{best, nth, kind}}, ps->ng->held[node]});
}

/* Is the node needed by itself, and not only by one node that holds nearly as much? */
static bool top_of_way(const struct cs_need_graph *ng, int node)
{
    int up = ng->idom[node];
    return up <= 0 || cs_need_graph_is_branch(ng, up) || ng->held[up] > ng->held[node] + ng->held[node] / 8;
}

int cs_candidates_find(const struct cs_need_graph *ng, struct cs_graph *g, int least, struct cs_plan *plans, int most)
{
    struct plans ps = {ng, g, plans, 0, most};
    for (int i = 1; i < ng->n; i++) {
        int nodes[CS_PLAN_MOST] = {i};
        if (ng->line[i] != i || ng->held[i] < least || ng->idom[i] < 0)
            continue;
        if (can_be_cut(ng, i)) {
            add_nodes(&ps, nodes, 1, ng->held[i]);
            if (cs_need_graph_is_branch(ng, i))
                add_comparison(&ps, i);
            continue;
        }
        int n = top_of_way(ng, i) ? cut_off(ng, i, nodes) : 0;
        if (n)
            add_nodes(&ps, nodes, n, ng->held[i]);
    }
    return ps.n;
}
