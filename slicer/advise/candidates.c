/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds assumptions; candidates.h. A branch or value by which much is LIVE is found by dominators. Where several
 * hold the same together, none of them does alone: then what they ask for does, or much leads on from it, and they are
 * those that cut the root off from it, by the theorem of Menger. */
#include "slicer/advise/candidates.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/advise/by_arrival.h"
#include "slicer/advise/cut.h"
#include "slicer/advise/dead_code.h"
#include "slicer/control/endless.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/branch_lines.h"
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
    int holds = cs_assume_true_edge(g, stmt, 0);
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
    return (struct cs_candidate){stmt, 0, dead == cs_assume_true_edge(g, stmt, 0) ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS};
}

void cs_candidate_text(const struct cs_graph *g, const struct cs_candidate *c, char *text, size_t size)
{
    static const char *const what[] = {
        [CS_ASSUME_NEVER] = "never", [CS_ASSUME_ALWAYS] = "always", [CS_ASSUME_TRIPS] = "N"};
    struct cs_named_value v[CS_NAMED_MOST];
    if (c->kind == CS_ASSUME_NO_READ_BACK) {
        snprintf(text, size, CS_NO_READ_BACK);
        return;
    }
    const struct cs_stmt *s = &g->stmts[c->stmt];
    char nth[16] = "";
    if (c->kind == CS_ASSUME_VALUE) {
        int n = cs_named_values(g, c->stmt, v);
        assert(c->nth < n);
        snprintf(text, size, "%s:%d:%.*s=N", cs_graph_str(g, s->file), s->line, n ? v[c->nth].length : 0,
                 v[c->nth].name);
        return;
    }
    if (c->nth)
        snprintf(nth, sizeof nth, ".%d", c->nth);
    snprintf(text, size, "%s:%d%s=%s", cs_graph_str(g, s->file), s->line, nth, what[c->kind]);
}

static struct cs_candidate candidate_of_node(const struct cs_need_graph *ng, struct cs_graph *g, int node)
{
    const struct cs_need_value *v = cs_need_graph_value(ng, node);
    if (v)
        return (struct cs_candidate){v->stmt, v->which, CS_ASSUME_VALUE};
    if (node == ng->needs->files)
        return (struct cs_candidate){-1, 0, CS_ASSUME_NO_READ_BACK};
    return candidate_of(g, cs_need_graph_stmt(ng, node));
}

/* ---- what is no matter of data ---- */

/* What a statement brings into the program from outside. */
enum source { SOURCE_NONE, SOURCE_OTHER };

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
        return c->flags & CS_MPI_TIMING ? SOURCE_OTHER : SOURCE_NONE;
    return g->funcs[g->objs[s->callee.id].func].defined ? SOURCE_NONE : SOURCE_OTHER;
}

/* Is the node a message, a file, a library function or an argument of the program, by which data comes in? */
static bool is_source(const struct cs_need_graph *ng, int node)
{
    int s;
    enum cs_need_kind kind = cs_need_graph_kind(ng, node, &s);
    if (kind == CS_NEED_VALUE)
        return ng->g->values[s].def < 0 && ng->g->funcs[ng->g->values[s].func].is_entry;
    return kind == CS_NEED_CONTENT || node == ng->needs->files ||
           (kind == CS_NEED_STMT && source_of(ng->g, s) == SOURCE_OTHER);
}

/* Of each node: does what it needs lead to such a source? What does not is as the source says, or only tells ranks
 * apart, as `rank > 0 ? rank - 1 : MPI_PROC_NULL` does: to assume that it is the same on all ranks would be wrong on
 * some. `control`: by what decides whether it is computed at all, too. The caller frees. */
static char *leads_to_data(const struct cs_need_graph *ng, bool control)
{
    char *data = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    for (int v = 1; v < ng->n; v++) {
        if (!is_source(ng, v))
            continue;
        data[v] = 1;
        cs_intlist_add(&work, v);
    }
    while (work.n) {
        int v = work.a[--work.n];
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1]; k++)
            if (!data[ng->from[k]] && (control || !cs_need_graph_only_control(ng, ng->from[k], v))) {
                data[ng->from[k]] = 1;
                cs_intlist_add(&work, ng->from[k]);
            }
    }
    cs_intlist_free(&work);
    return data;
}

/* Of each node: does data decide it? Of a value: what it is, not whether it is computed. The caller frees. */
static char *asks_for_data(const struct cs_need_graph *ng)
{
    char *data = leads_to_data(ng, true), *value = leads_to_data(ng, false);
    for (int v = ng->needs->nnodes; v < ng->n; v++)
        data[v] = value[v];
    free(value);
    return data;
}

/* ---- plans ---- */

/* The plans found so far, p[n] with room for `most`, those that hold most first; what may be assumed. */
struct plans {
    const struct cs_need_graph *ng;
    struct cs_graph *g;
    struct cs_cuts cuts;
    struct cs_plan *p;
    int n, most, least;
    int reached; /* statements that are needed in all */
    int64_t budget;
    char *data, *by;    /* by node: data decides it; when messages come does (by_arrival.h) */
    char *const *hints; /* what a recorded run did, or NULL */
    char *can[3];       /* by way of looking: branches, values of calls, all; and what is read of files */
};

/* ---- what a recorded run did ---- */

/* Known words behind the `=` of a line; anything else there is a trip count. */
static bool is_word(const char *is)
{
    return !strcmp(is, "never") || !strcmp(is, "always") || !strcmp(is, "unasked") || !strncmp(is, "N ", 2);
}

bool cs_hint_varies(const char *is)
{
    return !strcmp(is, "varies") || !strcmp(is, "polled");
}

bool cs_hint_has_trips(const char *hint)
{
    size_t n = strcspn(hint, "="), colons = 0;
    for (size_t i = 0; i < n; i++)
        colons += hint[i] == ':';
    return colons == 1 && hint[n] && !is_word(hint + n + 1);
}

/* What is known of FILE:LINE, the first n characters of the text, or how often its loop ran: what is behind `=`, NULL:
 * nothing. */
static const char *hint_about(char *const *hints, const char *text, size_t n, bool trips)
{
    for (int i = 0; hints && hints[i]; i++)
        if (!strncmp(hints[i], text, n) && hints[i][n] == '=' && cs_hint_has_trips(hints[i]) == trips)
            return hints[i] + n + 1;
    return NULL;
}

static const char *hint_of(char *const *hints, const char *text, size_t n)
{
    return hint_about(hints, text, n, false);
}

/* Is no whole number near to how often the loop ran in the mean, HELD/TIMES of the branch that leaves it? Or was it, in
 * several runs of RANKS in all, entered more often than once a rank, so that it may be different each time? */
static bool trips_vary(struct cs_graph *g, int stmt, const char *share)
{
    long long held, times, ranks = 0;
    int edge;
    if (cs_assume_line_leaves(g, &stmt, &edge) == CS_LEAVES_NONE ||
        sscanf(share, "%lld/%lld/%lld", &held, &times, &ranks) < 2)
        return false;
    long long left = edge == cs_assume_true_edge(g, stmt, 0) ? held : times - held;
    double mean = left > 0 ? (double)(times - left) / (double)left : 0, off = mean - (double)(long long)(mean + 0.5);
    return 100 * (off < 0 ? -off : off) > mean || (ranks && left > ranks);
}

/* Is one of the comparisons of FILE:LINE, the first n characters of the text, known to go both ways? */
static bool a_comparison_varies(char *const *hints, const char *text, size_t n)
{
    for (int i = 0; hints && hints[i]; i++) {
        const char *h = hints[i];
        if (strncmp(h, text, n) || h[n] != '.')
            continue;
        size_t digits = strspn(h + n + 1, "0123456789");
        const char *is = h + n + 1 + digits;
        if (digits && *is == '=' && strcmp(is, "=never") && strcmp(is, "=always") && strcmp(is, "=unasked"))
            return true;
    }
    return false;
}

/* Is anything known of the line of the branch? */
static bool is_hinted(const struct plans *ps, int stmt)
{
    char place[300];
    const struct cs_stmt *s = &ps->g->stmts[stmt];
    if (!ps->hints)
        return false;
    int n = snprintf(place, sizeof place, "%s:%d", cs_graph_str(ps->g, s->file), s->line);
    return hint_of(ps->hints, place, (size_t)n) || a_comparison_varies(ps->hints, place, (size_t)n);
}

/* Is the value the count of an MPI call? */
static bool is_count(const struct cs_graph *g, const struct cs_candidate *c)
{
    struct cs_named_value v[CS_NAMED_MOST];
    bool by_address;
    int n = cs_named_values(g, c->stmt, v);
    const struct cs_mpi_call *call = cs_named_call(g, c->stmt, &by_address);
    assert(c->nth < n);
    return n && call && v[c->nth].of_mpi && call->args[v[c->nth].arg].role == CS_ROLE_COUNT;
}

/* Is the value one of several that have one name, and mostly not the same? */
static bool is_of_elements(const struct cs_graph *g, const struct cs_candidate *c)
{
    struct cs_named_value v[CS_NAMED_MOST];
    int n = cs_named_values(g, c->stmt, v);
    assert(c->nth < n);
    return n && v[c->nth].element;
}

/* Does the recorded run, if there is one, say the same as `never` or `always`, or not come there? */
static bool vouches_for(const struct plans *ps, const char *hint, enum cs_assume_kind kind)
{
    if (!ps->hints || !ps->hints[0])
        return true;
    return hint && (!strcmp(hint, "unasked") || !strcmp(hint, kind == CS_ASSUME_NEVER ? "never" : "always"));
}

/* Turns a candidate into what is known of its line: never into always, or always into never; either into a trip count,
 * if the line leaves its loop and is known to do so at times. False if it is known not to hold, or about a value
 * that varied too much for any number to stand for it, but for a count of a call that is not polled, or about elements
 * of which nothing is known, or about a loop for which none does, or about one of several functions together (a
 * template). What goes one way has to be known to, if anything is. A trip count stays as it is. */
static bool take_hint(const struct plans *ps, struct cs_candidate *c)
{
    char text[320];
    int stmt = c->stmt, edge;
    cs_candidate_text(ps->g, c, text, sizeof text);
    bool value = c->kind == CS_ASSUME_VALUE;
    const char *hint = hint_of(ps->hints, text, strcspn(text, "="));
    if (value && !hint && is_of_elements(ps->g, c))
        return false;
    if (value)
        return !hint || !cs_hint_varies(hint) || (strcmp(hint, "polled") && is_count(ps->g, c));
    if (c->kind == CS_ASSUME_NO_READ_BACK)
        return !hint || !strcmp(hint, "always") || !strcmp(hint, "unasked");
    if (c->nth)
        return vouches_for(ps, hint, c->kind);
    if (!hint)
        return c->kind == CS_ASSUME_TRIPS || vouches_for(ps, hint, c->kind);
    if (!strcmp(hint, "unasked"))
        return true;
    const char *trips = hint_about(ps->hints, text, strcspn(text, "="), true);
    if (!strncmp(hint, "N ", 2) && (trips ? !strcmp(trips, "varies") : trips_vary(ps->g, stmt, hint + 2)))
        return false;
    if (!trips && !strncmp(hint, "N ", 2) && !cs_assume_one_function(ps->g, stmt))
        return false;
    if (c->kind == CS_ASSUME_TRIPS)
        return true;
    if (strncmp(hint, "N ", 2)) {
        c->kind = !strcmp(hint, "never") ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS;
        return true;
    }
    /* How often the branch went which way says how often the loop ran only where it has no other way out. */
    c->kind = CS_ASSUME_TRIPS;
    return trips && cs_assume_line_leaves(ps->g, &stmt, &edge) != CS_LEAVES_NONE;
}

/* ---- finding plans ---- */

static bool same_candidate(const struct cs_plan *a, const struct cs_candidate *c)
{
    for (int i = 0; i < a->n; i++)
        if (a->c[i].stmt == c->stmt && a->c[i].nth == c->nth && a->c[i].kind == c->kind)
            return true;
    return false;
}

static bool same_plan(const struct cs_plan *a, const struct cs_plan *b)
{
    int same = 0;
    for (int k = 0; k < b->n; k++)
        same += same_candidate(a, &b->c[k]);
    return a->n == b->n && same == a->n;
}

/* Cuts what the candidate rules out. */
static void cut_edges(struct cs_graph *g, const struct cs_candidate *c, struct cs_assumed *out)
{
    char text[320], err[512];
    struct cs_assumption a;
    if (c->kind != CS_ASSUME_NEVER && c->kind != CS_ASSUME_ALWAYS)
        return;
    cs_candidate_text(g, c, text, sizeof text);
    if (!cs_assume_parse(text, &a, err, sizeof err))
        cs_assume_apply(g, &a, out, err, sizeof err);
}

static void uncut_edges(struct cs_graph *g, struct cs_assumed *out)
{
    for (int i = 0; i < out->ndecided; i++) {
        const struct cs_stmt *s = &g->stmts[out->decided[i].stmt];
        for (int edge = 0; edge < 2; edge++)
            if (out->decided[i].rule[edge] == CS_EDGE_DEAD)
                g->funcs[s->func].blocks[s->block].never[edge] = false;
    }
    cs_assumed_free(out);
}

/* Does the plan leave a loop no way out? */
static bool is_endless(const struct plans *ps, const struct cs_plan *p)
{
    struct cs_assumed out[CS_PLAN_MOST] = {{0}};
    bool endless = false;
    for (int i = 0; i < p->n; i++)
        cut_edges(ps->g, &p->c[i], &out[i]);
    for (int i = 0; i < p->n; i++)
        endless |= cs_endless_by(ps->g, &out[i]) >= 0;
    for (int i = 0; i < p->n; i++)
        uncut_edges(ps->g, &out[i]);
    return endless;
}

/* What a plan is worth: each assumption has to bring something. */
static int worth(const struct plans *ps, const struct cs_plan *p)
{
    return p->held - p->n * ps->least;
}

/* Inserts it in the order of what it is worth. */
static void add_plan(struct plans *ps, const struct cs_plan *p)
{
    int at = ps->n;
    for (int i = 0; i < ps->n; i++)
        if (same_plan(&ps->p[i], p))
            return;
    while (at > 0 && worth(ps, &ps->p[at - 1]) < worth(ps, p))
        at--;
    if (at == ps->most)
        return;
    ps->n += ps->n < ps->most;
    memmove(&ps->p[at + 1], &ps->p[at], (ps->n - 1 - at) * sizeof *p);
    ps->p[at] = *p;
}

/* Statements that are needed without these nodes. */
static int reached_without(const struct cs_need_graph *ng, const int *nodes, int n)
{
    char *seen = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    int reached = 0, s;
    for (int i = 0; i < n; i++)
        seen[nodes[i]] = 1;
    cs_intlist_add(&work, 0);
    seen[0] = 1;
    while (work.n) {
        int v = work.a[--work.n];
        reached += cs_need_graph_kind(ng, v, &s) == CS_NEED_STMT && ng->g->stmts[s].source >= 0;
        for (int k = ng->first[v]; k < ng->first[v + 1]; k++)
            if (!seen[ng->to[k]]) {
                seen[ng->to[k]] = 1;
                cs_intlist_add(&work, ng->to[k]);
            }
    }
    cs_intlist_free(&work);
    free(seen);
    return reached;
}

static void add_nodes(struct plans *ps, const int *nodes, int n)
{
    struct cs_plan p = {.n = n};
    for (int i = 0; i < n; i++)
        p.c[i] = candidate_of_node(ps->ng, ps->g, nodes[i]);
    for (int i = 0; i < n; i++)
        if (!take_hint(ps, &p.c[i]))
            return;
    for (int i = 0; i < ps->n; i++)
        if (same_plan(&ps->p[i], &p))
            return;
    p.held = ps->reached - reached_without(ps->ng, nodes, n);
    if (p.held >= ps->least && !is_endless(ps, &p))
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
        n += cs_need_graph_kind(ng, v, &s) == CS_NEED_STMT && ng->g->stmts[s].source >= 0;
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
    int n;
    const int *at = cs_branches_at(ps->g, f->line, &n);
    if (!cs_assume_nth(ps->g, first))
        return;
    for (int i = 0; i < n; i++) {
        int s = at[i];
        const struct cs_stmt *st = &ps->g->stmts[s];
        if (st->kind != CS_STMT_COND || !st->keep || st->file != f->file || st->func != f->func)
            continue;
        int asked = asked_by(ps->ng, s);
        second = asked > most ? most : asked > second ? asked : second;
        best = asked > most ? s : best;
        most = asked > most ? asked : most;
    }
    int nth = best >= 0 ? cs_assume_nth(ps->g, best) : 0;
    if (nth <= 0 || most < FAR_MORE * second || cs_assume_leaving(ps->g, best, &edge) == CS_LEAVES_NONE)
        return;
    enum cs_assume_kind kind = edge == cs_assume_true_edge(ps->g, best, nth) ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS;
    struct cs_plan p = {1, {{best, nth, kind}}, ps->ng->held[node]};
    if (take_hint(ps, &p.c[0]) && !is_endless(ps, &p))
        add_plan(ps, &p);
}

/* Is the node needed by itself, and not only by one node that holds nearly as much? */
static bool top_of_way(const struct cs_need_graph *ng, int node)
{
    int up = ng->idom[node];
    return up <= 0 || cs_need_graph_is_branch(ng, up) || ng->held[up] > ng->held[node] + ng->held[node] / 8;
}

/* May the value be assumed: how much, or with whom, is communicated? */
static bool may_be_assumed(const struct cs_need_graph *ng, const struct cs_need_value *v)
{
    struct cs_named_value all[CS_NAMED_MOST];
    bool by_address;
    const bool *called_back = ng->needs->flow.called_back;
    if (ng->g->stmts[v->stmt].handles || (called_back && called_back[ng->g->stmts[v->stmt].func]))
        return false;
    cs_named_values(ng->g, v->stmt, all);
    const struct cs_mpi_call *c = cs_named_call(ng->g, v->stmt, &by_address);
    if (!all[v->which].of_mpi || !c)
        return true;
    enum cs_role r = c->args[all[v->which].arg].role;
    return r == CS_ROLE_COUNT || r == CS_ROLE_DEST || r == CS_ROLE_SOURCE || r == CS_ROLE_ROOT || r == CS_ROLE_TAG ||
           r == CS_ROLE_VAL || (r == CS_ROLE_OUT && c->kind == CS_MPI_LOCAL);
}

static void find_what_can(struct plans *ps)
{
    const struct cs_need_graph *ng = ps->ng;
    enum { BRANCHES, ARGUMENTS, ALL };
    for (int i = 0; i < 3; i++)
        ps->can[i] = cs_calloc(ng->n + 1, 1);
    for (int v = 1; v < ng->n; v++) {
        const struct cs_need_value *x = cs_need_graph_value(ng, v);
        bool files = v == ng->needs->files && !ng->g->no_read_back, branch = cs_need_graph_is_branch(ng, v);
        if (ng->idom[v] < 0 || !ps->data[v] || (!files && !branch && !x) || (x && !may_be_assumed(ng, x)))
            continue;
        bool hinted = branch && is_hinted(ps, cs_need_graph_stmt(ng, v));
        if (ps->by[v] && !hinted)
            continue;
        if (files || x || hinted) {
            struct cs_candidate c = candidate_of_node(ng, ps->g, v);
            if (!take_hint(ps, &c) || (ps->by[v] && c.kind == CS_ASSUME_TRIPS))
                continue;
        }
        ps->can[BRANCHES][v] = files || branch;
        ps->can[ARGUMENTS][v] = files || (x && ng->g->stmts[x->stmt].kind == CS_STMT_CALL);
        ps->can[ALL][v] = 1;
    }
}

/* All nodes nearest to the node without which nobody needs it. Their number; 0 if there are more than CS_PLAN_MOST, or
 * if it is needed without any. One of them may be needed only by way of another one; but where that is assumed, control
 * goes other ways, and it is needed again. */
static int nearest(const struct cs_need_graph *ng, const char *can, int node, int nodes[CS_PLAN_MOST])
{
    char *seen = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    int n = 0;
    seen[node] = 1;
    cs_intlist_add(&work, node);
    while (work.n && n >= 0) {
        int v = work.a[--work.n];
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1] && n >= 0; k++) {
            int u = ng->from[k];
            if (seen[u] || (u && ng->idom[u] < 0))
                continue;
            seen[u] = 1;
            if (u && !can[u])
                cs_intlist_add(&work, u);
            else
                n = u && n < CS_PLAN_MOST ? n + 1 : -1;
            if (n > 0 && can[u])
                nodes[n - 1] = u;
        }
    }
    cs_intlist_free(&work);
    free(seen);
    return n < 0 ? 0 : n;
}

/* What cuts the node off, in each way of looking. */
static void cut(struct plans *ps, int node)
{
    int near[2][CS_PLAN_MOST];
    for (int way = 0; way < 3 && ps->cuts.steps < ps->budget; way++) {
        ps->cuts.steps += 4 * (int64_t)(ps->ng->n + ps->ng->first[ps->ng->n]); /* what is found is looked at, too */
        int all = nearest(ps->ng, ps->can[way], node, near[0]);
        if (all)
            add_nodes(ps, near[0], all);
        int n = cs_cut_off(&ps->cuts, ps->can[way], node, CS_PLAN_MOST, near[0], near[1]);
        for (int i = 0; n && i < 2; i++)
            add_nodes(ps, near[i], n);
    }
}

/* A node and what it is chosen by: how many steps lead on from it, or what it holds. */
struct hub {
    int node, steps;
};

static int more_steps(const void *x, const void *y)
{
    const struct hub *a = x, *b = y;
    return a->steps != b->steps ? (a->steps < b->steps) - (a->steps > b->steps) : a->node - b->node;
}

/* Cuts off what brings data into the slice: messages whose content is transmitted, and places in memory of which most
 * is made. Where much is LIVE by many ways, no node dominates it, but all the ways lead through few of these. */
static void cut_hubs(struct plans *ps, bool messages)
{
    enum { MOST = 24 };
    const struct cs_need_graph *ng = ps->ng;
    struct hub *h = cs_calloc(ng->n + 1, sizeof *h);
    int n = 0;
    for (int v = 1; v < ng->n; v++) {
        int s;
        enum cs_need_kind kind = cs_need_graph_kind(ng, v, &s);
        if (ng->idom[v] < 0 || ps->can[2][v] || kind != (messages ? CS_NEED_CONTENT : CS_NEED_OTHER))
            continue;
        h[n++] = (struct hub){v, ng->first[v + 1] - ng->first[v]};
    }
    if (n)
        qsort(h, n, sizeof *h, more_steps);
    for (int i = 0; i < n && i < MOST; i++)
        cut(ps, h[i].node);
    free(h);
}

/* What the recorded run did not come to: code behind a condition that always was the same, with the MPI calls in it. */
static void add_unused(struct plans *ps)
{
    const struct cs_need_graph *ng = ps->ng;
    struct cs_code *code = cs_code_new(ps->g);
    int reached = ps->hints && ps->hints[0] ? cs_code_reached(code, -1, CS_ASSUME_NEVER) : 0;
    for (int v = 1; reached && v < ng->n; v++) {
        if (!ps->can[0][v] || v == ng->needs->files || !is_hinted(ps, cs_need_graph_stmt(ng, v)))
            continue;
        struct cs_plan p = {.n = 1, .c = {candidate_of_node(ng, ps->g, v)}};
        if (!take_hint(ps, &p.c[0]) || p.c[0].kind == CS_ASSUME_TRIPS)
            continue;
        p.held = reached - cs_code_reached(code, p.c[0].stmt, p.c[0].kind);
        if (p.held >= ps->least)
            add_plan(ps, &p);
    }
    cs_code_free(code);
}

int cs_candidates_find(const struct cs_need_graph *ng, struct cs_graph *g, char *const *hints, int least,
                       struct cs_plan *plans, int most, int64_t budget)
{
    struct plans ps = {.ng = ng, .g = g, .p = plans, .most = most, .least = least, .budget = budget, .hints = hints};
    ps.reached = reached_without(ng, NULL, 0);
    ps.data = asks_for_data(ng);
    ps.by = cs_by_arrival(ng);
    cs_cuts_start(&ps.cuts, ng);
    find_what_can(&ps);
    for (int i = 1; i < ng->n; i++) {
        if (ng->line[i] != i || ng->held[i] < least || ng->idom[i] < 0)
            continue;
        if (ps.can[2][i])
            add_nodes(&ps, &i, 1);
        else if (!cs_need_graph_is_branch(ng, i) && top_of_way(ng, i))
            cut(&ps, i);
        if (cs_need_graph_is_branch(ng, i) && !ps.by[i])
            add_comparison(&ps, i);
    }
    cut_hubs(&ps, true);
    cut_hubs(&ps, false);
    add_unused(&ps);
    for (int i = 0; i < 3; i++)
        free(ps.can[i]);
    free(ps.data);
    free(ps.by);
    cs_cuts_free(&ps.cuts);
    return ps.n;
}

/* Values of MPI calls that data decides, or of variables: those that hold most first. Appends to c, which has n. */
static int add_values(const struct cs_need_graph *ng, struct cs_graph *g, const char *data, bool of_calls,
                      struct cs_candidate *c, int n)
{
    struct hub *h = cs_calloc(ng->nvalues + 1, sizeof *h);
    int found = 0;
    for (int v = ng->needs->nnodes; v < ng->n; v++) {
        const struct cs_need_value *x = cs_need_graph_value(ng, v);
        if (data[v] && ng->idom[v] >= 0 && (g->stmts[x->stmt].kind == CS_STMT_CALL) == of_calls &&
            may_be_assumed(ng, x))
            h[found++] = (struct hub){v, ng->held[v]};
    }
    if (found)
        qsort(h, found, sizeof *h, more_steps);
    for (int i = 0; i < found && n < CS_VALUES_MOST; i++)
        c[n++] = candidate_of_node(ng, g, h[i].node);
    free(h);
    return n;
}

/* Is it a kept call of a function of the program? */
static bool calls_own(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    return s->kind == CS_STMT_CALL && s->keep && s->callee.kind == CS_OPND_ADDR &&
           g->objs[s->callee.id].kind == CS_OBJ_FUNC && g->funcs[g->objs[s->callee.id].func].defined;
}

/* Variables whose addresses kept calls hand to functions of the program: what computes them is inside, and no value of
 * the call in the need graph. */
static int add_handed(const struct cs_graph *g, struct cs_candidate *c, int n)
{
    for (int s = 0; s < g->nstmts; s++) {
        struct cs_named_value v[CS_NAMED_MOST];
        int nv = calls_own(g, s) ? cs_named_values(g, s, v) : 0;
        for (int i = 0; i < nv && n < CS_VALUES_MOST; i++)
            if (v[i].kind == CS_NAMED_WRITTEN && !v[i].of_mpi && !g->stmts[s].handles)
                c[n++] = (struct cs_candidate){s, i, CS_ASSUME_VALUE};
    }
    return n;
}

int cs_candidates_values(const struct cs_need_graph *ng, struct cs_graph *g, struct cs_candidate c[CS_VALUES_MOST])
{
    char *data = asks_for_data(ng), *by = cs_by_arrival(ng);
    for (int v = 0; v < ng->n; v++)
        data[v] = data[v] && !by[v];
    free(by);
    int n = add_values(ng, g, data, true, c, 0);
    n = add_values(ng, g, data, false, c, n);
    n = add_handed(g, c, n);
    free(data);
    return n;
}

/* How much may be LIVE by a branch: what needs it, or is behind its lighter side. `deep`: the latter is asked for. */
static int weight_of(const struct cs_need_graph *ng, struct cs_code *code, int node, int reached, bool deep)
{
    int stmt = cs_need_graph_stmt(ng, node), weight = ng->held[node];
    for (int way = 0; way < 2 && deep; way++) {
        int behind = reached - cs_code_reached(code, stmt, way ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS);
        weight = behind > weight && behind < reached / 2 ? behind : weight;
    }
    return weight;
}

int cs_candidates_branches(const struct cs_need_graph *ng, int stmts[CS_BRANCHES_MOST])
{
    const int64_t most = 40000000; /* steps, a second or so */
    struct hub *h = cs_calloc(ng->n + 1, sizeof *h);
    char *data = asks_for_data(ng);
    struct cs_code *code = cs_code_new(ng->g);
    int n = 0, reached = cs_code_reached(code, -1, CS_ASSUME_NEVER);
    for (int v = 1; v < ng->n; v++)
        if (data[v] && ng->idom[v] >= 0 && cs_need_graph_is_branch(ng, v))
            h[n++].node = v;
    for (int i = 0; i < n; i++)
        h[i].steps = weight_of(ng, code, h[i].node, reached, (int64_t)n * ng->g->nstmts < most);
    if (n)
        qsort(h, n, sizeof *h, more_steps);
    n = n < CS_BRANCHES_MOST ? n : CS_BRANCHES_MOST;
    for (int i = 0; i < n; i++)
        stmts[i] = cs_need_graph_stmt(ng, h[i].node);
    cs_code_free(code);
    free(data);
    free(h);
    return n;
}
