/* SPDX-License-Identifier: GPL-3.0-or-later
 * Puts values that an assumption can be about into a need graph; value_nodes.h.
 *   argument   call -> value            becomes  call -> FILE:LINE:NAME -> value
 *   variable   value -> what makes it   becomes  value -> FILE:LINE:NAME -> what makes it
 *   in memory  store -> value           becomes  store -> FILE:LINE:NAME -> value
 *   by a call  place -> call, content   becomes  place -> FILE:LINE:NAME -> call, content */
#include "slicer/advise/value_nodes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

/* Node of each FILE:LINE:NAME, found by its hash; the pair is the node and 0. A bad one has none: the pair is its
 * statement and which of its values it is. */
struct names {
    struct cs_need_graph *ng;
    struct cs_pairset seen, bad;
    int cap;
};

static struct cs_named_value named_of(const struct cs_graph *g, struct cs_need_value v)
{
    struct cs_named_value all[CS_NAMED_MOST];
    int n = cs_named_values(g, v.stmt, all);
    assert(v.which < n);
    (void)n;
    return all[v.which];
}

/* Do two values have one name, at one line? */
static bool same_name(const struct cs_graph *g, struct cs_need_value a, struct cs_need_value b)
{
    const struct cs_stmt *x = &g->stmts[a.stmt], *y = &g->stmts[b.stmt];
    struct cs_named_value v = named_of(g, a), w = named_of(g, b);
    return x->file == y->file && x->line == y->line && v.length == w.length &&
           !strncasecmp(v.name, w.name, (size_t)v.length);
}

/* The node of the name that this value has is looked for. */
struct query {
    const struct cs_need_graph *ng;
    struct cs_need_value v;
};

static bool is_it(const void *what, int node, int unused)
{
    const struct query *q = what;
    (void)unused;
    return same_name(q->ng->g, q->v, *cs_need_graph_value(q->ng, node));
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
static bool is_counter(const struct cs_graph *g, int stmt, const struct cs_named_value *v)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    if (v->kind == CS_NAMED_DEFINED)
        return comes_back(g, s->def, s->def, NULL);
    return v->kind == CS_NAMED_STORED && s->uses[0].kind == CS_OPND_VALUE &&
           comes_back(g, s->uses[0].id, -1, &s->store);
}

/* Does a counter have the name, at its line? An assumption would be about both: where a loop starts, and how it goes
 * on.
 */
static bool counts_too(const struct cs_graph *g, struct cs_need_value v)
{
    struct cs_named_value all[CS_NAMED_MOST];
    for (int s = 0; s < g->nstmts; s++) {
        bool there = g->stmts[s].line == g->stmts[v.stmt].line && g->stmts[s].file == g->stmts[v.stmt].file;
        int n = there && g->stmts[s].names >= 0 ? cs_named_values(g, s, all) : 0;
        for (int i = 0; i < n; i++)
            if (same_name(g, v, (struct cs_need_value){s, i}) && is_counter(g, s, &all[i]))
                return true;
    }
    return false;
}

static bool is_bad(const void *what, int stmt, int which)
{
    const struct query *q = what;
    return same_name(q->ng->g, q->v, (struct cs_need_value){stmt, which});
}

/* The node of the value's name, a new one if need be; -1: the name is a counter's, too. */
static int node_of(struct names *ns, struct cs_need_value v)
{
    struct cs_need_graph *ng = ns->ng;
    const struct cs_stmt *s = &ng->g->stmts[v.stmt];
    uint32_t h = cs_hash(cs_hash(0, s->file), s->line);
    int found = cs_pairset_find(&ns->seen, h, is_it, &(struct query){ng, v});
    if (found >= 0 || cs_pairset_has(&ns->bad, h, is_bad, &(struct query){ng, v}))
        return found;
    if (counts_too(ng->g, v)) {
        cs_pairset_add(&ns->bad, h, v.stmt, v.which);
        return -1;
    }
    CS_GROW(ng->values, ng->nvalues, ns->cap);
    ng->values[ng->nvalues++] = v;
    cs_pairset_add(&ns->seen, h, ng->n, 0);
    return ng->n++;
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
static int value_of_step(const struct cs_graph *g, int stmt, int asked, bool content)
{
    struct cs_named_value v[CS_NAMED_MOST];
    const struct cs_stmt *s = &g->stmts[stmt];
    int n = s->source < 0 || (s->names < 0 && s->kind != CS_STMT_CALL) ? 0 : cs_named_values(g, stmt, v);
    for (int i = 0; i < n; i++) {
        bool fits = v[i].kind == CS_NAMED_ARGUMENT  ? asked >= 0 && gives(g, s->uses[v[i].arg], asked)
                    : v[i].kind == CS_NAMED_STORED  ? asked >= 0 && gives(g, s->uses[0], asked)
                    : v[i].kind == CS_NAMED_WRITTEN ? asked < 0 && content == !v[i].of_mpi
                                                    : false;
        if (fits && !is_counter(g, stmt, &v[i]))
            return i;
    }
    return -1;
}

/* The number of the value that a statement defines. */
static int defined_value(const struct cs_graph *g, int stmt)
{
    struct cs_named_value v[CS_NAMED_MOST];
    int n = g->stmts[stmt].names < 0 ? 0 : cs_named_values(g, stmt, v);
    for (int i = 0; i < n; i++)
        if (v[i].kind == CS_NAMED_DEFINED && !is_counter(g, stmt, &v[i]))
            return i;
    return -1;
}

/* The value through which the step goes; stmt -1: none. */
static struct cs_need_value value_on(const struct cs_need_graph *ng, const struct cs_need_edge *e)
{
    int from, to;
    enum cs_need_kind a = cs_need_kind(ng->needs, e->from, &from), b = cs_need_kind(ng->needs, e->to, &to);
    bool mark = a == CS_NEED_ENVELOPE || a == CS_NEED_CONTENT;
    struct cs_need_value none = {-1, -1}, v = none;
    if (a == CS_NEED_VALUE && ng->g->values[from].def >= 0)
        v = (struct cs_need_value){ng->g->values[from].def, defined_value(ng->g, ng->g->values[from].def)};
    else if ((a == CS_NEED_STMT || mark) && b == CS_NEED_VALUE)
        v = (struct cs_need_value){from, value_of_step(ng->g, from, to, false)};
    else if (a == CS_NEED_OTHER && (b == CS_NEED_STMT || b == CS_NEED_CONTENT) && ng->g->stmts[to].kind == CS_STMT_CALL)
        v = (struct cs_need_value){to, value_of_step(ng->g, to, -1, b == CS_NEED_CONTENT)};
    return v.which < 0 ? none : v;
}

void cs_value_nodes_add(struct cs_need_graph *ng, bool values)
{
    const struct cs_needs *nd = ng->needs;
    struct names ns = {.ng = ng};
    ng->edges = cs_calloc(2 * (size_t)nd->nedges + 1, sizeof *ng->edges);
    for (int i = 0; i < nd->nedges; i++) {
        struct cs_need_value v = {-1, -1};
        if (values)
            v = value_on(ng, &nd->edges[i]);
        int node = v.stmt < 0 ? -1 : node_of(&ns, v);
        if (node < 0) {
            ng->edges[ng->nedges++] = nd->edges[i];
            continue;
        }
        ng->edges[ng->nedges++] = (struct cs_need_edge){.from = nd->edges[i].from, .to = node};
        ng->edges[ng->nedges++] = (struct cs_need_edge){.from = node, .to = nd->edges[i].to};
    }
    cs_pairset_free(&ns.seen);
    cs_pairset_free(&ns.bad);
}
