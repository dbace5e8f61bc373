/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows the calls from the function in which a chain is to those of its writers, and compares where these stand in
 * it; run_order.h. */
#include "slicer/advise/run_order.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

/* Calls are followed so far up, where there is but one. */
enum { HIGHEST = 6 };

/* calls: of each function its calls of functions with a body; leads, behind: on first use, of each function those that
 * it calls, and those that they call; of each block, numbered through the program, those behind it. */
struct cs_run_order {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    const struct cs_intlist *callers;
    struct cs_intlist *calls;
    bool **leads, **behind;
    int nblocks, *first, *at; /* at: of a statement its place in its block */
};

/* ---- in one function ---- */

static const bool *behind(struct cs_run_order *o, int func, int block)
{
    bool **b = &o->behind[o->first[func] + block];
    if (!*b)
        *b = cs_cfg_behind(&o->g->funcs[func], block, -1);
    return *b;
}

/* May control come from the one statement to the other one in a run of their function? */
static bool comes(struct cs_run_order *o, int a, int b)
{
    const struct cs_stmt *s = &o->g->stmts[a], *t = &o->g->stmts[b];
    return (s->block == t->block && o->at[a] <= o->at[b]) || behind(o, s->func, s->block)[t->block];
}

bool cs_run_order_before(struct cs_run_order *o, int a, int b)
{
    return a == b || (o->g->stmts[a].func == o->g->stmts[b].func && comes(o, a, b));
}

/* ---- calls ---- */

static void add_leads(const struct cs_run_order *o, int func, bool *is, struct cs_intlist *work)
{
    for (int i = 0; i < o->calls[func].n; i++) {
        int c = o->calls[func].a[i];
        for (int k = o->flow->first_callee[c]; k < o->flow->first_callee[c + 1]; k++) {
            int callee = o->flow->callees[k];
            if (!is[callee])
                cs_intlist_add(work, callee);
            is[callee] = true;
        }
    }
}

/* Does the one function call the other one, or who does? */
static bool leads(struct cs_run_order *o, int func, int to)
{
    if (!o->leads[func]) {
        struct cs_intlist work = {0};
        bool *is = o->leads[func] = cs_calloc(o->g->nfuncs + 1, sizeof *is);
        add_leads(o, func, is, &work);
        while (work.n)
            add_leads(o, work.a[--work.n], is, &work);
        cs_intlist_free(&work);
    }
    return o->leads[func][to];
}

/* Does the call lead into the function? */
static bool goes_to(struct cs_run_order *o, int call, int func)
{
    bool is = false;
    for (int k = o->flow->first_callee[call]; k < o->flow->first_callee[call + 1] && !is; k++)
        is = o->flow->callees[k] == func || leads(o, o->flow->callees[k], func);
    return is;
}

/* Does who calls the function only do so in a run of the other one? */
static bool only_in(struct cs_run_order *o, int func, int in)
{
    const struct cs_intlist *c = &o->callers[func];
    bool only = c->n > 0 && !o->flow->any_time[func] && !o->flow->called_back[func];
    for (int i = 0; i < c->n && only; i++) {
        int from = o->g->stmts[c->a[i]].func;
        only = from == in || (from != func && leads(o, in, from));
    }
    return only;
}

/* The calls of `when`'s function by which control comes to the other function before that: the last one, or `when` if
 * none is the last; -1: it comes there later. */
static int last_call(struct cs_run_order *o, int when, int func)
{
    const struct cs_intlist *calls = &o->calls[o->g->stmts[when].func];
    int last = -1;
    bool one = true;
    for (int i = 0; i < calls->n; i++) {
        int c = calls->a[i];
        if (!cs_run_order_before(o, c, when) || !goes_to(o, c, func))
            continue;
        one &= last < 0 || comes(o, last, c) || comes(o, c, last);
        last = last < 0 || comes(o, last, c) ? c : last;
    }
    return last >= 0 && (!one || comes(o, when, last)) ? when : last;
}

/* The statement, or in its place the one call of its function, and so on, so that it is in one that calls the other
 * function, or in that; -1: there is none. */
static int lift(struct cs_run_order *o, int stmt, int func)
{
    for (int i = 0; i < HIGHEST && stmt >= 0; i++) {
        int in = o->g->stmts[stmt].func;
        if (in == func || leads(o, in, func))
            return stmt;
        stmt = o->callers[in].n == 1 ? o->callers[in].a[0] : -1;
    }
    return -1;
}

/* Can the statement run again in a run of its function? */
static bool is_in_loop(struct cs_run_order *o, int stmt)
{
    const struct cs_stmt *s = &o->g->stmts[stmt];
    return behind(o, s->func, s->block)[s->block];
}

/* Of a writer before `from` or by that call, if it is `before`. */
static enum cs_run_order_step step_of(struct cs_run_order *o, int from, int writer, bool before)
{
    if (!before)
        return CS_ORDER_LATER;
    return is_in_loop(o, from) && !comes(o, from, writer) ? CS_ORDER_BEFORE : CS_ORDER_TOGETHER;
}

/* The writer is in a function that calls that of `when`. */
static int behind_caller(struct cs_run_order *o, int when, int writer, enum cs_run_order_step *step)
{
    const struct cs_intlist *calls = &o->calls[o->g->stmts[writer].func];
    int func = o->g->stmts[when].func;
    *step = only_in(o, func, o->g->stmts[writer].func) ? CS_ORDER_LATER : CS_ORDER_TOGETHER;
    bool before = false;
    for (int i = 0; i < calls->n && !(before && *step == CS_ORDER_TOGETHER); i++)
        if (goes_to(o, calls->a[i], func) && comes(o, writer, calls->a[i]) &&
            (writer != calls->a[i] || is_in_loop(o, writer))) {
            *step = step_of(o, calls->a[i], writer, true);
            before = true;
        }
    return writer;
}

/* The writer is in the function of `from`. */
static int behind_here(struct cs_run_order *o, int from, int writer, bool known, enum cs_run_order_step *step)
{
    *step = step_of(o, from, writer, !known || cs_run_order_before(o, writer, from));
    if (!o->calls[o->g->stmts[writer].func].n)
        return -1;
    return *step != CS_ORDER_LATER && comes(o, from, writer) ? from : writer;
}

int cs_run_order_behind(struct cs_run_order *o, int when, int reader, int writer, enum cs_run_order_step *step)
{
    int func = o->g->stmts[writer].func, from = when >= 0 ? when : reader;
    *step = CS_ORDER_TOGETHER;
    if (from < 0 || o->flow->recursive[func] || o->flow->any_time[func])
        return -1;
    if (leads(o, func, o->g->stmts[from].func))
        return behind_caller(o, from, writer, step);
    from = lift(o, from, func);
    if (from < 0 || o->flow->recursive[o->g->stmts[from].func])
        return -1;
    if (o->g->stmts[from].func == func)
        return behind_here(o, from, writer, when >= 0, step);
    int at = last_call(o, from, func);
    bool outside = at < 0 && !only_in(o, func, o->g->stmts[from].func);
    *step = outside ? CS_ORDER_TOGETHER : step_of(o, from, at, at >= 0);
    return at;
}

int cs_run_order_leave(struct cs_run_order *o, int when, int call, enum cs_run_order_step *step)
{
    *step = CS_ORDER_TOGETHER;
    if (when < 0)
        return -1;
    int func = o->g->stmts[call].func, in = o->g->stmts[when].func;
    if (func != in)
        return leads(o, in, func) ? when : -1;
    bool before = cs_run_order_before(o, call, when);
    *step = before ? CS_ORDER_TOGETHER : CS_ORDER_LATER;
    return before && comes(o, when, call) ? when : call;
}

/* ---- start and end ---- */

static void number_blocks(struct cs_run_order *o)
{
    const struct cs_graph *g = o->g;
    o->first = cs_calloc(g->nfuncs + 1, sizeof *o->first);
    o->at = cs_calloc(g->nstmts + 1, sizeof *o->at);
    for (int f = 0; f < g->nfuncs; f++) {
        o->first[f] = o->nblocks;
        o->nblocks += g->funcs[f].nblocks;
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            for (int i = 0; i < g->funcs[f].blocks[b].nstmts; i++)
                o->at[g->funcs[f].blocks[b].stmts[i]] = i;
    }
}

struct cs_run_order *cs_run_order_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                        const struct cs_intlist *callers)
{
    struct cs_run_order *o = cs_calloc(1, sizeof *o);
    *o = (struct cs_run_order){.g = g, .flow = flow, .callers = callers};
    number_blocks(o);
    o->calls = cs_calloc(g->nfuncs + 1, sizeof *o->calls);
    o->leads = cs_calloc(g->nfuncs + 1, sizeof *o->leads);
    o->behind = cs_calloc(o->nblocks + 1, sizeof *o->behind);
    for (int s = 0; s < g->nstmts; s++)
        if (flow->first_callee[s] < flow->first_callee[s + 1])
            cs_intlist_add(&o->calls[g->stmts[s].func], s);
    return o;
}

void cs_run_order_free(struct cs_run_order *o)
{
    for (int f = 0; f < o->g->nfuncs; f++) {
        cs_intlist_free(&o->calls[f]);
        free(o->leads[f]);
    }
    for (int b = 0; b < o->nblocks; b++)
        free(o->behind[b]);
    free(o->calls);
    free(o->leads);
    free(o->behind);
    free(o->first);
    free(o->at);
    free(o);
}
