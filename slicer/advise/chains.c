/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chains of reasons, from the best ways through the needs of a propagation (ways.h); chains.h. A way passes statements,
 * marks of MPI calls, and in between values, parameters and places, which tell how one needs the other. */
#include "slicer/advise/chains.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/conditional.h"
#include "slicer/advise/exact_needs.h"
#include "slicer/advise/exclusive.h"
#include "slicer/advise/message_fit.h"
#include "slicer/advise/settings.h"
#include "slicer/advise/string_fills.h"
#include "slicer/advise/too_late.h"
#include "slicer/advise/ways.h"
#include "slicer/graph/storage.h"

static bool is_mark(enum cs_need_kind kind)
{
    return kind == CS_NEED_ENVELOPE || kind == CS_NEED_CONTENT;
}

/* ---- from one statement to the next ---- */

/* What the way from a statement, or its message, up to the next one passes. */
struct passage {
    int end;                              /* the mark of the next one, 0: the root */
    int nodes;                            /* in between */
    const struct cs_need_other *behind;   /* the one that the statement is needed by, NULL: none, or a value */
    bool param, place, may, again, never; /* it passes an argument; memory; the others as in struct cs_link */
    int call, calls, obj, among;          /* as in struct cs_link; calls: how many it goes by */
    int passed;                           /* the first call by which it goes into a function, -1 */
    int first;                            /* the first call by which it goes, -1 */
    int memory;                           /* the node of the memory, -1 */
    int reader;                           /* who reads it in a function that the next one calls, a statement; -1 */
};

/* Takes what a node in between tells. */
static void note_node(struct passage *p, int node, const struct cs_need_other *o)
{
    p->param |= o->kind == CS_NEED_PARAM;
    if (o->kind != CS_NEED_PLACE)
        return;
    p->obj = p->place ? p->obj : o->obj;
    p->memory = p->place ? p->memory : node;
    p->place = true;
    p->may |= !o->exact;
}

/* Does another line of the statement's function write the memory, too? */
static bool has_other_line(const struct cs_ways *w, int memory, int stmt)
{
    const struct cs_stmt *s = w->g->stmts;
    int what;
    bool has = false;
    for (int k = w->first[memory]; k < w->first[memory + 1] && !has; k++)
        has = w->edges[k].to < w->n && cs_ways_kind(w, w->edges[k].to, &what) == CS_NEED_STMT &&
              s[what].func == s[stmt].func && s[what].line != s[stmt].line;
    return has;
}

/* Who reads the memory in the function that the edge's first node calls, behind the mark; -1: some do, in other lines.
 */
static int one_reader(const struct cs_ways *w, int mark, const struct cs_way_edge *e)
{
    const struct cs_stmt *s = w->g->stmts;
    int by = e->from < w->n ? -1 : w->written[e->from - w->n], up = w->marks[mark].from, what;
    bool known = by >= 0 && up >= 0 && cs_ways_kind(w, by, &what) == CS_NEED_STMT;
    bool one = !known || !has_other_line(w, cs_ways_node(w, up), what);
    for (int k = w->first[e->from]; k < w->first[e->from + 1]; k++) {
        const struct cs_way_edge *o = &w->edges[k];
        one &= o->to != e->to || (o->read > 0 && s[o->read - 1].line == s[e->read - 1].line);
    }
    return one ? e->read - 1 : -1;
}

static struct passage pass(const struct cs_ways *w, int mark)
{
    struct passage p = {.call = -1, .obj = -1, .among = 1, .passed = -1, .first = -1, .memory = -1, .reader = -1};
    int what;
    for (int s = mark; s > 0;) {
        const struct cs_way_edge *e = &w->edges[w->marks[s].edge];
        p.call = e->call ? e->call - 1 : p.call;
        p.first = p.first < 0 ? p.call : p.first;
        if (p.passed < 0 && cs_ways_kind(w, e->from, &what) == CS_NEED_OTHER &&
            cs_need_other(w->needs, e->from)->kind == CS_NEED_PARAM)
            p.passed = p.call;
        p.calls += e->call > 0;
        p.among = e->among > p.among && !w->marks[s].told ? e->among : p.among;
        p.never |= e->doubtful || w->marks[s].broken;
        p.may |= e->loose;
        p.again |= e->unsure;
        if (e->read > 0 && cs_ways_node(w, s) == p.memory)
            p.reader = one_reader(w, w->marks[s].from, e);
        s = w->marks[s].from;
        enum cs_need_kind kind = cs_ways_kind(w, cs_ways_node(w, s), &what);
        p.end = s;
        if (kind != CS_NEED_VALUE && kind != CS_NEED_OTHER)
            break;
        const struct cs_need_other *o = kind == CS_NEED_OTHER ? cs_need_other(w->needs, cs_ways_node(w, s)) : NULL;
        if (p.nodes++ == 0)
            p.behind = o;
        if (o)
            note_node(&p, cs_ways_node(w, s), o);
    }
    return p;
}

/* How the node in front of the statement says that it needs it. */
static enum cs_reason reason_of(const struct passage *p)
{
    if (!p->behind)
        return p->param ? CS_WHY_PARAM : CS_WHY_DATA;
    if (p->behind->kind == CS_NEED_RESULT)
        return CS_WHY_RETURN;
    if (p->behind->kind == CS_NEED_EFFECT)
        return p->place ? CS_WHY_EFFECT : CS_WHY_CALL;
    return CS_WHY_MEMORY;
}

/* The search for chains: links of statements and of messages, and steps that are no statement's own. */
struct finder {
    struct cs_chains *c;
    const struct cs_graph *g;
    const struct cs_ways *w;
    int asteps;
    struct cs_pairset seen; /* step, mark */
    struct cs_conditional conditional;
    struct cs_exclusive *exclusive;
    const struct cs_need_flow *flow;
};

static int step_of(struct finder *f, int mark);

/* Why a statement is needed by itself, or by another one in the same function. */
static enum cs_reason plain_reason(const struct finder *f, int own, int what, bool statement)
{
    const struct cs_stmt *s = &f->g->stmts[own];
    if (!statement)
        return CS_WHY_EXIT;
    return cs_block_branch(f->g, s->func, s->block) == own ? CS_WHY_CONTROL : s->parent == what ? s->why : CS_WHY_DATA;
}

/* Of how many other calls the message may be that the call of this mark transmits. */
static int matches(const struct cs_ways *w, int node)
{
    int n = 0, own, what;
    cs_ways_kind(w, node, &own);
    for (int k = w->first[node]; k < w->first[node + 1]; k++)
        n += is_mark(cs_ways_kind(w, w->edges[k].to, &what)) && what != own;
    return n > 1 ? n : 1;
}

static bool calls(const struct finder *f, int call, int func)
{
    bool is = false;
    for (int i = f->flow->first_callee[call]; i < f->flow->first_callee[call + 1] && !is; i++)
        is = f->flow->callees[i] == func;
    return is;
}

/* Do the functions that the call calls write the memory themselves, and only under conditions? */
static bool callees_write_if_so(struct finder *f, int memory, int call)
{
    int what, n = 0;
    for (int k = f->w->first[memory]; k < f->w->first[memory + 1] && f->flow->first_callee; k++) {
        int to = f->w->edges[k].to;
        if (to >= f->w->n || cs_ways_kind(f->w, to, &what) != CS_NEED_STMT || !calls(f, call, f->g->stmts[what].func))
            continue;
        if (!cs_is_conditional(&f->conditional, what))
            return false;
        n++;
    }
    return n > 0;
}

/* Does the call write what it is needed for only under a condition in what it calls? */
static bool writes_if_so(struct finder *f, int node, const struct passage *p)
{
    int what, by = node < f->w->n ? -1 : f->w->written[node - f->w->n];
    if (p->memory < 0)
        return false;
    if (by >= 0)
        return cs_ways_kind(f->w, by, &what) == CS_NEED_STMT && cs_is_conditional(&f->conditional, what);
    return cs_ways_kind(f->w, node, &what) == CS_NEED_STMT && f->g->stmts[what].kind == CS_STMT_CALL &&
           callees_write_if_so(f, p->memory, what);
}

/* Adds the functions that those may call which are there, each once. */
static void add_callees(const struct finder *f, int call, struct cs_intlist *funcs)
{
    for (int i = f->flow->first_callee[call]; i < f->flow->first_callee[call + 1]; i++) {
        bool known = false;
        for (int k = 0; k < funcs->n && !known; k++)
            known = funcs->a[k] == f->flow->callees[i];
        if (!known)
            cs_intlist_add(funcs, f->flow->callees[i]);
    }
}

/* The one statement, or one of one line, that writes the memory in these functions; -1: there is none, NOT_ONE: there
 * are some. */
enum { NOT_ONE = -2 };
static int writer_in(const struct finder *f, int memory, const struct cs_intlist *funcs)
{
    const struct cs_ways *w = f->w;
    int what, found = -1;
    for (int k = w->first[memory]; k < w->first[memory + 1] && found != NOT_ONE; k++) {
        int to = w->edges[k].to;
        if (to >= w->n || cs_ways_kind(w, to, &what) != CS_NEED_STMT || what == found || !f->g->stmts[what].line)
            continue;
        bool in = false;
        for (int i = 0; i < funcs->n && !in; i++)
            in = funcs->a[i] == f->g->stmts[what].func;
        bool writes = in && f->flow->first_callee[what] == f->flow->first_callee[what + 1];
        if (writes)
            found = found < 0 || f->g->stmts[found].line == f->g->stmts[what].line ? what : NOT_ONE;
    }
    return found;
}

/* The statement by which the call writes the memory, in what it calls, and in what that calls; -1. */
static int writer_of(const struct finder *f, int node, const struct passage *p)
{
    enum { FUNCS = 30, DEPTH = 4 };
    int what, by = node < f->w->n ? -1 : f->w->written[node - f->w->n], found = -1;
    struct cs_intlist funcs = {0};
    if (p->memory < 0 || !f->flow->first_callee)
        return -1;
    if (by >= 0 && cs_ways_kind(f->w, by, &what) == CS_NEED_STMT &&
        f->flow->first_callee[what] == f->flow->first_callee[what + 1])
        return has_other_line(f->w, p->memory, what) ? -1 : what;
    cs_ways_kind(f->w, by >= 0 ? by : node, &what);
    add_callees(f, what, &funcs);
    for (int depth = 0, from = 0; depth < DEPTH && funcs.n < FUNCS && found == -1; depth++) {
        int n = funcs.n;
        found = writer_in(f, p->memory, &funcs);
        for (; found == -1 && from < n; from++)
            for (int b = 0; b < f->g->funcs[funcs.a[from]].nblocks; b++) {
                const struct cs_block *block = &f->g->funcs[funcs.a[from]].blocks[b];
                for (int i = 0; i < block->nstmts; i++)
                    add_callees(f, block->stmts[i], &funcs);
            }
    }
    cs_intlist_free(&funcs);
    return found < 0 ? -1 : found;
}

/* What is returned to one call, and from there is given to another one: by a step of its own, that of the first call.
 */
static struct cs_link returned(struct finder *f, struct cs_link l, const struct passage *p)
{
    int n = f->c->nsteps;
    struct cs_link on = l;
    on.why = CS_WHY_PARAM;
    on.call = p->passed;
    if (p->passed < 0 || p->passed == p->first)
        return l;
    CS_GROW(f->c->steps, f->c->nsteps, f->asteps);
    f->c->steps[f->c->nsteps++] = (struct cs_chain_step){.stmt = p->first, .link = on};
    l.parent = f->g->nstmts + n;
    l.call = p->first;
    return l;
}

/* The call that sends the memory from one rank to the same memory of the others, -1: there is none. */
static int spreader(const struct cs_ways *w, int memory)
{
    int what, found = -1;
    for (int k = w->first[memory]; k < w->first[memory + 1] && found < 0; k++)
        if (is_mark(cs_ways_kind(w, w->edges[k].to, &what)) && cs_spreads(w->g, what))
            found = what;
    return found;
}

/* What one rank writes and only others read: by a step of its own, that of the call that brings it there. */
static struct cs_link brought(struct finder *f, struct cs_link l, const struct passage *p, int writer, int reader)
{
    int n = f->c->nsteps, call = p->memory < 0 ? -1 : spreader(f->w, p->memory);
    if (call < 0 || !cs_are_exclusive(f->exclusive, writer, reader))
        return l;
    CS_GROW(f->c->steps, f->c->nsteps, f->asteps);
    f->c->steps[f->c->nsteps++] = (struct cs_chain_step){.stmt = call, .message = true, .link = l};
    l.parent = f->g->nstmts + n;
    l.reader = -1;
    return l;
}

/* Why what the mark stands for, a statement or its message, is needed: goes up to the next statement or message. */
static struct cs_link link_of(struct finder *f, int mark)
{
    int own, what, node = cs_ways_node(f->w, mark);
    struct cs_link none = {
        .why = CS_WHY_NONE, .parent = -1, .call = -1, .obj = -1, .among = 1, .writer = -1, .reader = -1};
    enum cs_need_kind kind = cs_ways_kind(f->w, node, &own);
    const struct cs_stmt *s = &f->g->stmts[own];
    if (mark == 0)
        return none;
    struct passage p = pass(f->w, mark);
    struct cs_link l = {.why = CS_WHY_ROOT,
                        .parent = -1,
                        .call = p.calls == 1 ? p.call : -1,
                        .obj = p.obj,
                        .among = p.among,
                        .writer = -1,
                        .reader = p.reader,
                        .may = p.may,
                        .if_so = writes_if_so(f, node, &p),
                        .again = p.again,
                        .never = p.never};
    if (p.end <= 0) {
        l.why = s->parent < 0 && s->why != CS_WHY_NONE ? s->why : CS_WHY_ROOT;
        return l;
    }
    int up = cs_ways_node(f->w, p.end);
    enum cs_need_kind over = cs_ways_kind(f->w, up, &what);
    bool extra = up >= f->w->n; /* the call, for what it returns or writes */
    if ((is_mark(over) || extra) && what == own)
        return link_of(f, p.end);
    l.parent = step_of(f, p.end);
    if (is_mark(over)) {
        l.why = is_mark(kind) || !p.nodes ? CS_WHY_MESSAGE : CS_WHY_CONTENT;
        l.among = l.why == CS_WHY_MESSAGE ? matches(f->w, up) : 1;
    } else if (!p.nodes && f->w->edges[f->w->marks[mark].edge].same) {
        l.why = CS_WHY_MEMORY;
        l.may = true;
    } else if (node >= f->w->n && p.place)
        l.why = s->kind == CS_STMT_CALL ? CS_WHY_EFFECT : CS_WHY_MEMORY;
    else
        l.why = p.nodes ? reason_of(&p) : plain_reason(f, own, what, kind == CS_NEED_STMT);
    if (l.why == CS_WHY_PARAM && p.calls > 1)
        l.call = p.passed;
    if (l.why == CS_WHY_RETURN && p.calls > 1)
        l = returned(f, l, &p);
    if (l.why == CS_WHY_EFFECT && cs_is_assignment(f->g, own))
        l.why = CS_WHY_MEMORY;
    if (l.why == CS_WHY_EFFECT)
        l.writer = writer_of(f, node, &p);
    return l.why == CS_WHY_MEMORY && kind == CS_NEED_STMT ? brought(f, l, &p, own, what) : l;
}

static bool same_mark(const void *what, int step, int mark)
{
    (void)step;
    return *(const int *)what == mark;
}

/* The number of the step that a mark is: of a statement whose best way it is, or of its message, the statement's. */
static int step_of(struct finder *f, int mark)
{
    int what, node = cs_ways_node(f->w, mark);
    enum cs_need_kind kind = cs_ways_kind(f->w, node, &what);
    if (node < f->w->n && kind == CS_NEED_STMT && cs_ways_best(f->w, node) == mark)
        return what;
    uint32_t h = cs_hash(0, mark);
    int known = cs_pairset_find(&f->seen, h, same_mark, &mark);
    if (known >= 0)
        return f->g->nstmts + known;
    int n = f->c->nsteps;
    CS_GROW(f->c->steps, f->c->nsteps, f->asteps);
    f->c->steps[f->c->nsteps++] = (struct cs_chain_step){.stmt = what, .message = is_mark(kind)};
    cs_pairset_add(&f->seen, h, n, mark);
    struct cs_link l = link_of(f, mark);
    f->c->steps[n].link = l;
    return f->g->nstmts + n;
}

/* Sets the links of all statements and messages. */
static void find_links(struct cs_chains *c, const struct cs_graph *g, const struct cs_needs *needs)
{
    struct cs_needs exact;
    struct cs_ways w;
    struct finder f = {.c = c, .g = g, .w = &w, .flow = &needs->flow};
    struct cs_settings *settings = needs->flow.first_callee ? cs_settings_find(g, &needs->flow) : NULL;
    cs_conditional_start(&f.conditional, g);
    f.exclusive = cs_exclusive_start(g);
    cs_exact_needs(g, needs, settings, &exact);
    cs_ways_find(&w, g, &exact, &needs->flow, settings);
    c->why = cs_calloc(g->nstmts + 1, sizeof *c->why);
    for (int s = 0; s < needs->nstmts; s++) {
        int best = cs_ways_best(&w, cs_need_stmt(needs, s));
        if (best >= 0)
            c->why[s] = link_of(&f, best);
    }
    if (needs->flow.first_callee)
        cs_too_late_find(c, g, &needs->flow, settings);
    cs_pairset_free(&f.seen);
    cs_conditional_free(&f.conditional);
    cs_exclusive_free(f.exclusive);
    cs_ways_free(&w);
    cs_settings_free(settings);
    cs_needs_free(&exact);
}

void cs_chains_find(struct cs_chains *c, struct cs_graph *g, const struct cs_needs *needs)
{
    memset(c, 0, sizeof *c);
    find_links(c, g, needs);
    for (int s = 0; s < needs->nstmts; s++) {
        struct cs_link *l = &c->why[s];
        if (g->stmts[s].keep && l->why != CS_WHY_NONE)
            continue;
        *l = (struct cs_link){.why = g->stmts[s].why,
                              .parent = g->stmts[s].parent,
                              .call = -1,
                              .obj = -1,
                              .among = 1,
                              .writer = -1,
                              .reader = -1};
    }
}

void cs_chains_free(struct cs_chains *c)
{
    free(c->why);
    free(c->steps);
}
