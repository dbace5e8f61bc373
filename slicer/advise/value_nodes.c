/* SPDX-License-Identifier: GPL-3.0-or-later
 * Puts values that an assumption can be about into a need graph; value_nodes.h.
 *   argument   call -> value            becomes  call -> FILE:LINE:NAME -> value
 *   variable   value -> what makes it   becomes  value -> FILE:LINE:NAME -> what makes it
 *   in memory  store -> value           becomes  store -> FILE:LINE:NAME -> value
 *   by a call  place -> call, content   becomes  place -> FILE:LINE:NAME -> call, content */
#include "slicer/advise/value_nodes.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

/* What is known of value number i of a statement: `counts` is 1 if it is a counter, 0 if not, -1 if nobody asked;
 * `node` is that of its name, NO_NODE if the name has none, UNKNOWN if nobody asked. */
struct known {
    struct cs_named_value v;
    int counts, node;
};

/* In place of a node. */
enum { NO_NODE = -1, UNKNOWN = -2 };

/* Node of each FILE:LINE:NAME, found by its hash; the pair is the node and 0. A bad one has none: the pair is its
 * statement and which of its values it is. Steps ask again and again of the same statements, so what is known of the
 * values of statement s is kept: known[first[s]] to known[first[s] + n[s] - 1], first[s] -1 if nobody asked. Statements
 * with names that have one hash of file and line: of_line[hash & mask], and next[s] after each, -1 at the end; NULL
 * until somebody asks. */
struct names {
    struct cs_need_graph *ng;
    struct cs_pairset seen, bad;
    int cap;
    int *first, *n;
    struct known *known;
    int nknown, aknown;
    int *of_line, *next;
    uint32_t mask;
};

/* What is known of the values of a statement, *n of them. They may move with the next such call. */
static struct known *values_of(struct names *ns, int stmt, int *n)
{
    if (ns->first[stmt] < 0) {
        struct cs_named_value v[CS_NAMED_MOST];
        ns->n[stmt] = cs_named_values(ns->ng->g, stmt, v);
        ns->first[stmt] = ns->nknown;
        for (int i = 0; i < ns->n[stmt]; i++) {
            CS_GROW(ns->known, ns->nknown, ns->aknown);
            ns->known[ns->nknown++] = (struct known){v[i], -1, UNKNOWN};
        }
    }
    *n = ns->n[stmt];
    return ns->known + ns->first[stmt];
}

static struct known *value_of(struct names *ns, struct cs_need_value v)
{
    int n;
    struct known *all = values_of(ns, v.stmt, &n);
    assert(v.which >= 0 && v.which < n);
    return &all[v.which];
}

/* Do two values have one name, at one line? */
static bool same_name(struct names *ns, struct cs_need_value a, struct cs_need_value b)
{
    const struct cs_stmt *x = &ns->ng->g->stmts[a.stmt], *y = &ns->ng->g->stmts[b.stmt];
    if (x->file != y->file || x->line != y->line)
        return false;
    struct cs_named_value v = value_of(ns, a)->v, w = value_of(ns, b)->v;
    return v.length == w.length && !strncasecmp(v.name, w.name, (size_t)v.length);
}

static uint32_t line_hash(const struct cs_stmt *s)
{
    return cs_hash(cs_hash(0, s->file), s->line);
}

/* The hash of what same_name() compares. */
static uint32_t name_hash(struct names *ns, struct cs_need_value v)
{
    struct cs_named_value named = value_of(ns, v)->v;
    uint32_t h = line_hash(&ns->ng->g->stmts[v.stmt]);
    for (int i = 0; i < named.length; i++)
        h = cs_hash(h, tolower((unsigned char)named.name[i]));
    return h;
}

/* The node of the name that this value has is looked for. */
struct query {
    struct names *ns;
    struct cs_need_value v;
};

static bool is_it(const void *what, int node, int unused)
{
    const struct query *q = what;
    (void)unused;
    return same_name(q->ns, q->v, *cs_need_graph_value(q->ns->ng, node));
}

/* ---- which values are no good ---- */

/* Adds the values that a statement computes its own from, or the address that it loads from, to the list, if they are
 * not in the set yet. Is `to` one of them? */
static bool add_operands(const struct cs_stmt *s, int to, struct cs_intset *seen, struct cs_intlist *work)
{
    bool loads = s->kind == CS_STMT_LOAD, found = false;
    int n = s->kind == CS_STMT_CALL || loads ? 0 : s->nuses;
    for (int i = 0; i < n + (loads ? 1 + s->nidx : 0); i++) {
        struct cs_operand op = i < n ? s->uses[i] : i == n ? s->load.base : cs_opnd_value(s->idx[i - n - 1]);
        found |= op.kind == CS_OPND_VALUE && op.id == to;
        if (op.kind == CS_OPND_VALUE && cs_intset_add(seen, op.id))
            cs_intlist_add(work, op.id);
    }
    return found;
}

/* Is the value made from itself, as a counter is, or as the next element of a chain (c = next[c]), or the other one
 * (-1: none) from it? By what is computed in its function, not by way of calls, nor of memory but for the place
 * `store`. */
static bool comes_back(const struct cs_graph *g, int from, int to, const struct cs_ref *store)
{
    enum { MOST = 200 };
    struct cs_intset seen = {0};
    struct cs_intlist work = {0};
    bool found = false;
    cs_intlist_add(&work, from);
    while (work.n && !found && seen.n < MOST) {
        int d = g->values[work.a[--work.n]].def;
        if (d < 0)
            continue;
        const struct cs_stmt *s = &g->stmts[d];
        found = s->kind == CS_STMT_LOAD && store && s->load.base.kind == store->base.kind &&
                s->load.base.id == store->base.id && s->load.pat.off == store->pat.off;
        if (s->kind != CS_STMT_LOAD || !store)
            found |= add_operands(s, to, &seen, &work);
    }
    cs_intset_free(&seen);
    cs_intlist_free(&work);
    return found;
}

/* Counters are no matter of data: a loop that counts would not end. */
static bool counts(const struct cs_graph *g, int stmt, const struct cs_named_value *v)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    if (v->kind == CS_NAMED_DEFINED)
        return comes_back(g, s->def, s->def, NULL);
    return v->kind == CS_NAMED_STORED && s->uses[0].kind == CS_OPND_VALUE &&
           comes_back(g, s->uses[0].id, -1, &s->store);
}

static bool is_counter(struct names *ns, struct cs_need_value v)
{
    struct known *k = value_of(ns, v);
    if (k->counts < 0)
        k->counts = counts(ns->ng->g, v.stmt, &k->v);
    return k->counts;
}

/* Puts the statements that have names into the lists of their lines. */
static void index_lines(struct names *ns)
{
    const struct cs_graph *g = ns->ng->g;
    uint32_t size = 64;
    while (size < (uint32_t)g->nstmts)
        size *= 2;
    ns->mask = size - 1;
    ns->of_line = cs_calloc(size, sizeof *ns->of_line);
    ns->next = cs_calloc(g->nstmts + 1, sizeof *ns->next);
    memset(ns->of_line, -1, size * sizeof *ns->of_line);
    for (int s = 0; s < g->nstmts; s++) {
        if (g->stmts[s].names < 0)
            continue;
        int *head = &ns->of_line[line_hash(&g->stmts[s]) & ns->mask];
        ns->next[s] = *head;
        *head = s;
    }
}

/* Does a counter have the name, at its line? An assumption would be about both: where a loop starts, and how it goes
 * on.
 */
static bool counts_too(struct names *ns, struct cs_need_value v)
{
    if (!ns->of_line)
        index_lines(ns);
    for (int s = ns->of_line[line_hash(&ns->ng->g->stmts[v.stmt]) & ns->mask]; s >= 0; s = ns->next[s]) {
        int n;
        values_of(ns, s, &n);
        for (int i = 0; i < n; i++)
            if (same_name(ns, v, (struct cs_need_value){s, i}) && is_counter(ns, (struct cs_need_value){s, i}))
                return true;
    }
    return false;
}

static bool is_bad(const void *what, int stmt, int which)
{
    const struct query *q = what;
    return same_name(q->ns, q->v, (struct cs_need_value){stmt, which});
}

/* The same as node_of(), of a value of which nobody asked. */
static int find_node(struct names *ns, struct cs_need_value v)
{
    struct cs_need_graph *ng = ns->ng;
    uint32_t h = name_hash(ns, v);
    int found = cs_pairset_find(&ns->seen, h, is_it, &(struct query){ns, v});
    if (found >= 0 || cs_pairset_has(&ns->bad, h, is_bad, &(struct query){ns, v}))
        return found;
    if (counts_too(ns, v)) {
        cs_pairset_add(&ns->bad, h, v.stmt, v.which);
        return NO_NODE;
    }
    CS_GROW(ng->values, ng->nvalues, ns->cap);
    ng->values[ng->nvalues++] = v;
    cs_pairset_add(&ns->seen, h, ng->n, 0);
    return ng->n++;
}

/* The node of the value's name, a new one if need be; NO_NODE: the name is a counter's, too. */
static int node_of(struct names *ns, struct cs_need_value v)
{
    int node = value_of(ns, v)->node;
    if (node == UNKNOWN) {
        node = find_node(ns, v);
        value_of(ns, v)->node = node;
    }
    return node;
}

/* ---- which step asks for which value ---- */

/* Is the operand the value, or the address that it is loaded from for the model of the call? */
static bool gives(const struct cs_graph *g, struct cs_operand op, int value)
{
    int d = g->values[value].def;
    if (op.kind == CS_OPND_VALUE && op.id == value)
        return true;
    return d >= 0 && g->stmts[d].kind == CS_STMT_LOAD && g->stmts[d].source < 0 && op.kind != CS_OPND_CONST &&
           g->stmts[d].load.base.kind == op.kind && g->stmts[d].load.base.id == op.id;
}

/* The number of the value of statement `stmt` by which a step goes, -1: none. `asked`: the value that a step from the
 * statement leads to, or -1 for a step from a value or place to the statement. */
static int value_of_step(struct names *ns, int stmt, int asked, bool content)
{
    const struct cs_graph *g = ns->ng->g;
    const struct cs_stmt *s = &g->stmts[stmt];
    int n = 0;
    if (s->source >= 0 && (s->names >= 0 || s->kind == CS_STMT_CALL))
        values_of(ns, stmt, &n);
    for (int i = 0; i < n; i++) {
        struct cs_need_value which = {stmt, i};
        const struct cs_named_value *v = &value_of(ns, which)->v;
        bool fits = v->kind == CS_NAMED_ARGUMENT  ? asked >= 0 && gives(g, s->uses[v->arg], asked)
                    : v->kind == CS_NAMED_STORED  ? asked >= 0 && gives(g, s->uses[0], asked)
                    : v->kind == CS_NAMED_WRITTEN ? asked < 0 && content == !v->of_mpi
                                                  : false;
        if (fits && !is_counter(ns, which))
            return i;
    }
    return -1;
}

/* The number of the value that a statement defines. */
static int defined_value(struct names *ns, int stmt)
{
    int n = 0;
    if (ns->ng->g->stmts[stmt].names >= 0)
        values_of(ns, stmt, &n);
    for (int i = 0; i < n; i++) {
        struct cs_need_value which = {stmt, i};
        if (value_of(ns, which)->v.kind == CS_NAMED_DEFINED && !is_counter(ns, which))
            return i;
    }
    return -1;
}

/* The value through which the step goes; stmt -1: none. */
static struct cs_need_value value_on(struct names *ns, const struct cs_need_edge *e)
{
    int from, to;
    const struct cs_graph *g = ns->ng->g;
    const struct cs_needs *nd = ns->ng->needs;
    enum cs_need_kind a = cs_need_kind(nd, e->from, &from), b = cs_need_kind(nd, e->to, &to);
    bool mark = a == CS_NEED_ENVELOPE || a == CS_NEED_CONTENT;
    struct cs_need_value none = {-1, -1}, v = none;
    if (a == CS_NEED_VALUE && g->values[from].def >= 0)
        v = (struct cs_need_value){g->values[from].def, defined_value(ns, g->values[from].def)};
    else if ((a == CS_NEED_STMT || mark) && b == CS_NEED_VALUE)
        v = (struct cs_need_value){from, value_of_step(ns, from, to, false)};
    else if (a == CS_NEED_OTHER && (b == CS_NEED_STMT || b == CS_NEED_CONTENT) && g->stmts[to].kind == CS_STMT_CALL)
        v = (struct cs_need_value){to, value_of_step(ns, to, -1, b == CS_NEED_CONTENT)};
    return v.which < 0 ? none : v;
}

static void free_names(struct names *ns)
{
    cs_pairset_free(&ns->seen);
    cs_pairset_free(&ns->bad);
    free(ns->first);
    free(ns->n);
    free(ns->known);
    free(ns->of_line);
    free(ns->next);
}

void cs_value_nodes_add(struct cs_need_graph *ng, bool values)
{
    const struct cs_needs *nd = ng->needs;
    struct names ns = {.ng = ng};
    ns.first = cs_calloc(ng->g->nstmts + 1, sizeof *ns.first);
    ns.n = cs_calloc(ng->g->nstmts + 1, sizeof *ns.n);
    memset(ns.first, -1, (size_t)ng->g->nstmts * sizeof *ns.first);
    ng->edges = cs_calloc(2 * (size_t)nd->nedges + 1, sizeof *ng->edges);
    for (int i = 0; i < nd->nedges; i++) {
        struct cs_need_value v = {-1, -1};
        if (values)
            v = value_on(&ns, &nd->edges[i]);
        int node = v.stmt < 0 ? NO_NODE : node_of(&ns, v);
        if (node < 0) {
            ng->edges[ng->nedges++] = nd->edges[i];
            continue;
        }
        ng->edges[ng->nedges++] = (struct cs_need_edge){.from = nd->edges[i].from, .to = node};
        ng->edges[ng->nedges++] = (struct cs_need_edge){.from = node, .to = nd->edges[i].to};
    }
    free_names(&ns);
}
