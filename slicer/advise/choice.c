/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses among assumptions by what is still reached in the graph of needs, without what they decide and without the
 * code to which control comes no more; choice.h. From all of them on, one after the other is left out that brings back
 * next to nothing; what it brings back is followed from there, and taken back where it is more. */
#include "slicer/advise/choice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/mpi_calls.h"
#include "slicer/advise/dead_code.h"
#include "slicer/control/assume.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

/* An edge of a branch: the block that it leaves, and which of its edges it is. */
struct edge {
    int func, block, nth;
};

/* What one assumption takes away: nodes that nobody asks for any more, edges that control does not take. */
struct item {
    struct cs_intlist nodes;
    struct edge *dead;
    int ndead;
    bool list;  /* it says something else each time, or what was only near */
    bool loose; /* it is a list, or the number of ranks decides it */
    int code;   /* about so many statements compute what it says */
};

/* The choice: items in the order of the texts, in[i]: item i is assumed. The rest says what is needed where these are:
 * kept statements, nodes, blocks that control comes to. */
struct choice {
    const struct cs_need_graph *ng;
    struct cs_graph *g;
    struct item *items;
    int n, fixed, total, kept;
    bool any_size; /* it is to hold on any number of ranks */
    bool *in;
    int *cut;             /* by node: how many of the items that are in take it away */
    char *seen, *asked;   /* by node: it is needed; something that is needed asks for it */
    struct cs_code *code; /* to which blocks control comes */
    struct cs_intlist work;
    struct cs_intlist saw, askd, came; /* what is new since an item was left out; `came`: pairs */
};

/* ---- what an assumption takes away ---- */

static void add_dead(struct item *it, const struct cs_graph *g, int stmt, int nth)
{
    it->dead = cs_realloc(it->dead, (it->ndead + 1) * sizeof *it->dead);
    it->dead[it->ndead++] = (struct edge){g->stmts[stmt].func, g->stmts[stmt].block, nth};
}

/* The flags of the branches' edges, two of each statement: which is never taken. The caller frees. */
static bool *never_taken(const struct cs_graph *g)
{
    bool *never = cs_calloc(2 * (size_t)g->nstmts + 2, 1);
    for (int s = 0; s < g->nstmts; s++) {
        const struct cs_block *b = &g->funcs[g->stmts[s].func].blocks[g->stmts[s].block];
        for (int i = 0; i < 2 && g->stmts[s].kind == CS_STMT_COND && i < b->nsuccs; i++)
            never[2 * s + i] = b->never[i];
    }
    return never;
}

/* Of a condition or a loop; the edges are marked as they were again. */
static void branches_of(struct choice *c, struct item *it, const struct cs_assumption *a, const bool *never)
{
    char err[512];
    struct cs_assumed out = {0};
    int n = cs_assume_apply(c->g, a, &out, err, sizeof err);
    for (int i = 0; i < out.ndecided; i++) {
        const struct cs_decided *d = &out.decided[i];
        struct cs_block *b = &c->g->funcs[c->g->stmts[d->stmt].func].blocks[c->g->stmts[d->stmt].block];
        for (int k = 0; k < 2; k++) {
            b->never[k] = never[2 * d->stmt + k];
            if (n > 0 && d->rule[k] == CS_EDGE_DEAD && !b->never[k])
                add_dead(it, c->g, d->stmt, k);
        }
        if (n > 0)
            cs_intlist_add(&it->nodes, cs_need_graph_node(c->ng, d->stmt));
    }
    for (int i = 0; i < out.nwhens && n > 0; i++)
        cs_intlist_add(&it->nodes, cs_need_graph_node(c->ng, out.whens[i].stmt));
    cs_assumed_free(&out);
}

static bool same_file(const char *have, const char *want)
{
    const char *base = strrchr(want, '/');
    return !strcmp(have, base ? base + 1 : want);
}

static bool of_line(const struct choice *c, const struct cs_stmt *s, const struct cs_assumption *a)
{
    return s->line == a->line && same_file(cs_graph_str(c->g, s->file), a->file);
}

static bool has_name(const struct cs_named_value *v, const struct cs_assumption *a)
{
    return (size_t)v->length == strlen(a->name) && !strncasecmp(v->name, a->name, (size_t)v->length);
}

/* What is read of the variable. */
static void places_of(const struct choice *c, struct item *it, int obj)
{
    const struct cs_needs *n = c->ng->needs;
    for (int v = 3 * n->nstmts + n->nvalues + 1; v < n->nnodes; v++)
        if (cs_need_other(n, v)->kind == CS_NEED_PLACE && cs_need_other(n, v)->obj == obj)
            cs_intlist_add(&it->nodes, v);
}

/* A variable that a call hands to a function, which is to set it: nobody asks who did. */
static void handed_of(const struct choice *c, struct item *it, const struct cs_assumption *a)
{
    for (int s = 0; s < c->g->nstmts; s++) {
        struct cs_named_value all[CS_NAMED_MOST];
        const struct cs_stmt *st = &c->g->stmts[s];
        int n = st->kind == CS_STMT_CALL && of_line(c, st, a) ? cs_named_values(c->g, s, all) : 0;
        for (int i = 0; i < n; i++)
            if (all[i].kind == CS_NAMED_WRITTEN && !all[i].of_mpi && has_name(&all[i], a) &&
                st->uses[all[i].arg].kind == CS_OPND_ADDR)
                places_of(c, it, st->uses[all[i].arg].id);
    }
}

static void values_of(struct choice *c, struct item *it, const struct cs_assumption *a)
{
    for (int v = c->ng->needs->nnodes; v < c->ng->n; v++) {
        const struct cs_need_value *x = cs_need_graph_value(c->ng, v);
        const struct cs_stmt *s = &c->g->stmts[x->stmt];
        struct cs_named_value all[CS_NAMED_MOST];
        int n = of_line(c, s, a) ? cs_named_values(c->g, x->stmt, all) : 0;
        if (x->which < n && has_name(&all[x->which], a))
            cs_intlist_add(&it->nodes, v);
    }
    if (!it->nodes.n)
        handed_of(c, it, a);
}

/* Is it about a line of a library, which is there for each of its users? */
static bool in_library(const struct choice *c, const struct item *it)
{
    for (int i = 0; i < it->nodes.n; i++) {
        int s = cs_need_graph_stmt(c->ng, it->nodes.a[i]);
        if (s >= 0 && c->g->stmts[s].in_header)
            return true;
    }
    return false;
}

/* Can it be made, and does it say the same of each time, or at least of a line of the program's own? */
static bool may_be_made(const struct choice *c, const struct item *it, const struct cs_assumption *a)
{
    bool way = a->kind == CS_ASSUME_NEVER || a->kind == CS_ASSUME_ALWAYS;
    return it->nodes.n > 0 && (way || !in_library(c, it)) && !(a->kind == CS_ASSUME_VALUE && cs_named_unsafe(c->g, a));
}

static void find_items(struct choice *c, char *const *texts)
{
    enum { EXPRESSION = 10 }; /* it asks for rank or size, and computes */
    bool *never = never_taken(c->g);
    for (int i = 0; i < c->n; i++) {
        char err[512];
        struct cs_assumption a;
        if (cs_assume_parse(texts[i], &a, err, sizeof err))
            continue;
        if (a.kind == CS_ASSUME_VALUE)
            values_of(c, &c->items[i], &a);
        else
            branches_of(c, &c->items[i], &a, never);
        c->in[i] = may_be_made(c, &c->items[i], &a);
        c->items[i].list = a.kind == CS_ASSUME_WHEN || strstr(texts[i], "iteration");
        c->items[i].loose = c->any_size && c->items[i].list;
        c->items[i].code = a.value.n > 1 ? EXPRESSION : 0;
    }
    free(never);
}

/* ---- what the number of ranks decides ---- */

/* Does the call say how many ranks there are, or what is made of that alone, as MPI_Dims_create does? */
static bool tells_ranks(const struct cs_graph *g, int stmt)
{
    enum cs_binding bind;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return false;
    const struct cs_mpi_call *m = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &bind);
    return m && m->kind == CS_MPI_LOCAL && m->flags & CS_MPI_UNIFORM;
}

static void find_by_ranks(struct choice *c)
{
    const struct cs_need_graph *ng = c->ng;
    char *by = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    for (int v = 1; v < ng->n; v++) {
        int s = cs_need_graph_stmt(ng, v);
        if (s >= 0 && ng->idom[v] >= 0 && tells_ranks(c->g, s)) {
            by[v] = 1;
            cs_intlist_add(&work, v);
        }
    }
    while (work.n) {
        int v = work.a[--work.n];
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1]; k++) {
            if (ng->from[k] && !by[ng->from[k]] && !cs_need_graph_only_control(ng, ng->from[k], v)) {
                by[ng->from[k]] = 1;
                cs_intlist_add(&work, ng->from[k]);
            }
        }
    }
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->items[i].nodes.n; k++)
            c->items[i].loose |= by[c->items[i].nodes.a[k]];
    cs_intlist_free(&work);
    free(by);
}

/* ---- what stays ---- */

static void mark_dead(const struct choice *c, const struct item *it, bool dead)
{
    for (int k = 0; k < it->ndead; k++) {
        const struct edge *e = &it->dead[k];
        c->g->funcs[e->func].blocks[e->block].never[e->nth] = dead;
    }
}

static bool comes_to(const struct choice *c, int func, int block)
{
    return cs_code_has(c->code, func, block);
}

/* Does control come no more to the statement that the node stands for? */
static bool is_dead(const struct choice *c, int node)
{
    int what;
    enum cs_need_kind kind = cs_need_graph_kind(c->ng, node, &what);
    if (kind == CS_NEED_VALUE)
        what = c->g->values[what].def;
    else if (kind == CS_NEED_OTHER)
        what = -1;
    return what >= 0 && !comes_to(c, c->g->stmts[what].func, c->g->stmts[what].block);
}

/* The node is needed, if it may be. */
static void need(struct choice *c, int node)
{
    int s;
    if (c->seen[node] || c->cut[node] || is_dead(c, node))
        return;
    c->seen[node] = 1;
    c->kept += cs_need_graph_kind(c->ng, node, &s) == CS_NEED_STMT && cs_stmt_counts(&c->g->stmts[s]);
    cs_intlist_add(&c->saw, node);
    cs_intlist_add(&c->work, node);
}

static void ask(struct choice *c, int node)
{
    if (!c->asked[node])
        cs_intlist_add(&c->askd, node);
    c->asked[node] = 1;
    need(c, node);
}

/* All that is needed by what is new, or until more than `most` statements are. */
static void follow(struct choice *c, int most)
{
    const struct cs_need_graph *ng = c->ng;
    while (c->work.n && c->kept <= most) {
        int v = c->work.a[--c->work.n];
        for (int k = ng->first[v]; k < ng->first[v + 1]; k++)
            ask(c, ng->to[k]);
    }
    c->work.n = 0;
}

static void need_if_asked(struct choice *c, int node)
{
    if (c->asked[node])
        need(c, node);
}

/* Control comes to the blocks that are new: what was asked for of them is needed. */
static void revive(struct choice *c)
{
    const struct cs_needs *n = c->ng->needs;
    for (int i = 0; i < c->came.n; i += 2) {
        const struct cs_block *b = &c->g->funcs[c->came.a[i]].blocks[c->came.a[i + 1]];
        for (int k = 0; k < b->nstmts; k++) {
            int s = b->stmts[k], def = c->g->stmts[s].def;
            need_if_asked(c, cs_need_graph_node(c->ng, s));
            need_if_asked(c, cs_need_mark(n, s, CS_MARK_ENVELOPE));
            need_if_asked(c, cs_need_mark(n, s, CS_MARK_CONTENT));
            if (def >= 0)
                need_if_asked(c, 1 + 3 * n->nstmts + def);
        }
    }
}

/* The item is assumed no more. */
static void open_up(struct choice *c, int i)
{
    struct item *it = &c->items[i];
    c->in[i] = false;
    mark_dead(c, it, false);
    for (int k = 0; k < it->nodes.n; k++)
        c->cut[it->nodes.a[k]]--;
    for (int k = 0; k < it->ndead; k++) {
        const struct edge *e = &it->dead[k];
        int to = c->g->funcs[e->func].blocks[e->block].succs[e->nth];
        if (comes_to(c, e->func, e->block) && to >= 0)
            cs_code_reach_more(c->code, e->func, to, &c->came);
    }
    revive(c);
    for (int k = 0; k < it->nodes.n; k++)
        need_if_asked(c, it->nodes.a[k]);
}

/* It is assumed again, and all as before. */
static void close_up(struct choice *c, int i, int kept)
{
    struct item *it = &c->items[i];
    c->in[i] = true;
    mark_dead(c, it, true);
    for (int k = 0; k < it->nodes.n; k++)
        c->cut[it->nodes.a[k]]++;
    for (int k = 0; k < c->saw.n; k++)
        c->seen[c->saw.a[k]] = 0;
    for (int k = 0; k < c->askd.n; k++)
        c->asked[c->askd.a[k]] = 0;
    for (int k = 0; k < c->came.n; k += 2)
        cs_code_take_back(c->code, c->came.a[k], c->came.a[k + 1]);
    c->kept = kept;
}

/* Leaves out each item of this kind, but for those that are fixed, without which no more than `each` further statements
 * stay, and `most` in all. */
static void leave_out(struct choice *c, bool loose, int each, int most)
{
    for (int i = c->fixed; i < c->n; i++) {
        int kept = c->kept, back = each + c->items[i].code, limit = kept + back < most ? kept + back : most;
        if (!c->in[i] || c->items[i].loose != loose)
            continue;
        c->saw.n = c->askd.n = c->came.n = 0;
        open_up(c, i);
        follow(c, limit);
        if (c->kept > limit)
            close_up(c, i, kept);
    }
}

/* What does not lead to a small slice is not worth being wrong on other numbers of ranks. */
static void leave_out_lists(struct choice *c)
{
    for (int i = c->fixed; i < c->n; i++) {
        if (!c->in[i] || !c->items[i].list)
            continue;
        open_up(c, i);
        follow(c, c->total);
    }
}

/* ---- the choice ---- */

static void assume_all(struct choice *c)
{
    for (int i = 0; i < c->n; i++) {
        for (int k = 0; k < c->items[i].nodes.n && c->in[i]; k++)
            c->cut[c->items[i].nodes.a[k]]++;
        if (c->in[i])
            mark_dead(c, &c->items[i], true);
    }
    c->code = cs_code_new(c->g);
    cs_code_reached(c->code, -1, CS_ASSUME_NEVER);
    ask(c, 0);
    follow(c, c->total);
}

static int most_of(int a, int b)
{
    return a > b ? a : b;
}

/* First what brings back nothing, then more and more. */
static void choose(struct choice *c)
{
    enum { NOTHING = 1000, LITTLE = 50, SOME = 40, SMALL = 6, LARGE = 5 }; /* one statement in so many */
    for (int s = 0; s < c->g->nstmts; s++)
        c->total += cs_stmt_counts(&c->g->stmts[s]);
    assume_all(c);
    int few = c->total / NOTHING, most = c->kept + c->total / LITTLE;
    leave_out(c, true, 0, most);
    leave_out(c, false, 0, most);
    int most_loose = most_of(c->kept + c->total / SOME, c->total / SMALL);
    leave_out(c, true, few, most_loose);
    leave_out(c, true, c->total, most_loose);
    leave_out(c, false, few, most_of(most, c->kept + few));
    if (c->any_size && c->kept > c->total / LARGE)
        leave_out_lists(c);
    for (int i = 0; i < c->n; i++)
        if (c->in[i])
            mark_dead(c, &c->items[i], false);
    cs_code_free(c->code);
}

int cs_choice_make(const struct cs_need_graph *ng, struct cs_graph *g, char *const *texts, int n, int fixed,
                   bool any_size, bool *chosen)
{
    struct choice c = {.ng = ng, .g = g, .n = n, .fixed = fixed, .any_size = any_size, .in = chosen};
    assert(fixed >= 0 && n >= fixed);
    memset(chosen, 0, (size_t)n * sizeof *chosen);
    c.items = cs_calloc(n + 1, sizeof *c.items);
    c.cut = cs_calloc(ng->n + 1, sizeof *c.cut);
    c.seen = cs_calloc(ng->n + 1, 1);
    c.asked = cs_calloc(ng->n + 1, 1);
    find_items(&c, texts);
    if (any_size)
        find_by_ranks(&c);
    choose(&c);
    for (int i = 0; i < n; i++) {
        cs_intlist_free(&c.items[i].nodes);
        free(c.items[i].dead);
    }
    free(c.items);
    free(c.cut);
    free(c.seen);
    free(c.asked);
    cs_intlist_free(&c.work);
    cs_intlist_free(&c.saw);
    cs_intlist_free(&c.askd);
    cs_intlist_free(&c.came);
    return c.kept;
}
