/* SPDX-License-Identifier: GPL-3.0-or-later
 * Goes down from main to the function in which the ways to two calls part, and looks there in which order they come;
 * meetings.h. */
#include "slicer/advise/meetings.h"

#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/advise/once.h"
#include "slicer/control/control_dependence.h"
#include "slicer/graph/storage.h"

/* Answers that are known at a time. */
enum { ANSWERS = 1024 };

/* leads[function]: of each function whether control comes from it to that one, made on first use; ranks: by object,
 * whether a call of MPI writes the rank there; anywhere: one writes it through a pointer. */
struct cs_meetings {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    const struct cs_intlist *callers;
    struct cs_once once;
    bool **leads, *ranks, anywhere;
    int main;
    struct answer {
        int call, other; /* 0, 0: none */
        bool may;
    } answers[ANSWERS]; /* those that were found last, by hash */
};

static void note_rank(struct cs_meetings *m, int stmt)
{
    enum cs_binding b;
    const struct cs_stmt *s = &m->g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR)
        return;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(m->g, s->callee.id), &b);
    if (!c || strcmp(c->name, CS_MPI_OWN_RANK + 1) != 0 || s->nuses < 2)
        return;
    if (s->uses[1].kind == CS_OPND_ADDR)
        m->ranks[s->uses[1].id] = true;
    else
        m->anywhere = true;
}

struct cs_meetings *cs_meetings_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                      const struct cs_intlist *callers)
{
    struct cs_meetings *m = cs_calloc(1, sizeof *m);
    m->g = g;
    m->flow = flow;
    m->callers = callers;
    m->main = -1;
    m->leads = cs_calloc(g->nfuncs + 1, sizeof *m->leads);
    m->ranks = cs_calloc(g->nobjs + 1, sizeof *m->ranks);
    cs_once_start(&m->once, g, flow, callers);
    for (int f = 0; f < g->nfuncs; f++)
        if (g->funcs[f].defined && !strcmp(cs_func_name(g, f), "main"))
            m->main = f;
    for (int s = 0; s < g->nstmts; s++)
        note_rank(m, s);
    return m;
}

void cs_meetings_free(struct cs_meetings *m)
{
    for (int f = 0; f < m->g->nfuncs; f++)
        free(m->leads[f]);
    free(m->leads);
    free(m->ranks);
    cs_once_free(&m->once);
    free(m);
}

/* From which functions control comes to this one by calls, itself among them. */
static const bool *leads_to(struct cs_meetings *m, int func)
{
    if (m->leads[func])
        return m->leads[func];
    bool *is = m->leads[func] = cs_calloc(m->g->nfuncs + 1, sizeof *is);
    struct cs_intlist work = {0};
    is[func] = true;
    cs_intlist_add(&work, func);
    while (work.n) {
        const struct cs_intlist *c = &m->callers[work.a[--work.n]];
        for (int i = 0; i < c->n; i++) {
            int f = m->g->stmts[c->a[i]].func;
            if (!is[f])
                cs_intlist_add(&work, f);
            is[f] = true;
        }
    }
    cs_intlist_free(&work);
    return is;
}

/* The statements of the function by which control comes to the call. */
static void find_sites(struct cs_meetings *m, int func, int call, struct cs_intlist *sites)
{
    const struct cs_func *f = &m->g->funcs[func];
    const bool *leads = leads_to(m, m->g->stmts[call].func);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nstmts && f->blocks[b].reachable; i++) {
            int s = f->blocks[b].stmts[i];
            bool is = s == call;
            for (int k = m->flow->first_callee[s]; k < m->flow->first_callee[s + 1] && !is; k++)
                is = leads[m->flow->callees[k]];
            if (is)
                cs_intlist_add(sites, s);
        }
}

static bool is_in(const struct cs_intlist *l, int a)
{
    for (int i = 0; i < l->n; i++)
        if (l->a[i] == a)
            return true;
    return false;
}

/* Scans a block from statement `from`: 1: there is one of `to`; -1: one of `past`, behind which it does not go; 0. */
static int scan(const struct cs_block *b, int from, const struct cs_intlist *to, const struct cs_intlist *past)
{
    for (int i = from; i < b->nstmts; i++)
        if (is_in(to, b->stmts[i]))
            return 1;
        else if (past && is_in(past, b->stmts[i]))
            return -1;
    return 0;
}

/* Can control go from behind a statement of the block (-1: from its start) to one of `to`, and not by one of `past`
 * (NULL: none)? */
static bool comes_to(const struct cs_func *f, int start, int block, const struct cs_intlist *to,
                     const struct cs_intlist *past)
{
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen), found = false;
    struct cs_intlist work = {0};
    int from = 0;
    for (int i = 0; start >= 0 && i < f->blocks[block].nstmts; i++)
        if (f->blocks[block].stmts[i] == start)
            from = i + 1;
    for (bool more = true; more && !found; from = 0) {
        const struct cs_block *b = &f->blocks[block];
        int met = scan(b, from, to, past);
        found = met > 0;
        for (int i = 0; i < b->nsuccs && !met; i++)
            if (!b->never[i] && b->succs[i] >= 0 && !seen[b->succs[i]]) {
                seen[b->succs[i]] = true;
                cs_intlist_add(&work, b->succs[i]);
            }
        more = work.n > 0;
        block = more ? work.a[--work.n] : 0;
    }
    free(seen);
    cs_intlist_free(&work);
    return found;
}

static bool any_comes_to(const struct cs_meetings *m, int func, const struct cs_intlist *from,
                         const struct cs_intlist *to)
{
    for (int i = 0; i < from->n; i++)
        if (comes_to(&m->g->funcs[func], from->a[i], m->g->stmts[from->a[i]].block, to, NULL))
            return true;
    return false;
}

/* May the load give a rank? Not a character, or a pointer. */
static bool loads_rank(const struct cs_meetings *m, const struct cs_stmt *s)
{
    return s->load.base.kind == CS_OPND_ADDR ? m->ranks[s->load.base.id]
                                             : m->anywhere && s->load.size == (int64_t)sizeof(int32_t);
}

/* May the statement give another value on another rank, even where what it uses is the same? */
static bool gives_others(const struct cs_meetings *m, int stmt)
{
    const struct cs_stmt *s = &m->g->stmts[stmt];
    enum cs_binding b;
    if (s->kind == CS_STMT_LOAD)
        return loads_rank(m, s);
    if (s->kind != CS_STMT_CALL)
        return s->kind != CS_STMT_ASSIGN && s->kind != CS_STMT_PHI;
    return s->callee.kind != CS_OPND_ADDR || cs_mpi_by_symbol(cs_obj_name(m->g, s->callee.id), &b) ||
           m->flow->first_callee[stmt] < m->flow->first_callee[stmt + 1];
}

/* May the value be another one on another rank? Not what is computed of numbers and of variables that are no rank. */
static bool may_vary(const struct cs_meetings *m, struct cs_operand op)
{
    enum { MOST = 100 }; /* values that are followed */
    struct cs_intlist work = {0};
    struct cs_intset seen = {0};
    bool varies = false;
    if (op.kind == CS_OPND_VALUE)
        cs_intlist_add(&work, op.id);
    while (work.n && !varies) {
        int v = work.a[--work.n], d = m->g->values[v].def;
        if (d < 0) {
            varies = m->g->values[v].func != m->main;
            continue;
        }
        if (!cs_intset_add(&seen, d))
            continue;
        const struct cs_stmt *s = &m->g->stmts[d];
        varies = seen.n > MOST || gives_others(m, d);
        for (int i = 0; !varies && i < s->nuses; i++)
            if (s->uses[i].kind == CS_OPND_VALUE)
                cs_intlist_add(&work, s->uses[i].id);
    }
    cs_intlist_free(&work);
    cs_intset_free(&seen);
    return varies;
}

/* Does the branch of the block send some to the later ones who do not come by the sites any more? */
static bool passes_by(const struct cs_func *f, int block, const struct cs_intlist *sites,
                      const struct cs_intlist *later)
{
    const struct cs_block *b = &f->blocks[block];
    for (int i = 0; i < b->nsuccs; i++)
        if (!b->never[i] && b->succs[i] >= 0 && comes_to(f, -1, b->succs[i], later, NULL) &&
            !comes_to(f, -1, b->succs[i], sites, NULL))
            return true;
    return false;
}

/* Do all ranks alike come by one of the sites on their way to the later ones, as far as the function tells? */
static bool are_alike(const struct cs_meetings *m, int func, const struct cs_intlist *sites,
                      const struct cs_intlist *later)
{
    struct cs_cdep d;
    bool alike = true;
    cs_cdep_compute(m->g, func, &d);
    for (int i = 0; i < sites->n && alike; i++) {
        struct cs_intlist work = {0};
        struct cs_intset seen = {0};
        cs_intlist_add(&work, m->g->stmts[sites->a[i]].block);
        while (work.n && alike) {
            int b = work.a[--work.n];
            for (int k = 0; k < d.on[b].n && alike; k++) {
                int p = d.on[b].a[k], branch = cs_block_branch(m->g, func, p);
                if (!cs_intset_add(&seen, p))
                    continue;
                cs_intlist_add(&work, p);
                if (!passes_by(&m->g->funcs[func], p, sites, later))
                    continue;
                bool throws = branch >= 0 && m->g->stmts[branch].kind == CS_STMT_CALL;
                alike = branch >= 0;
                for (int u = 0; alike && !throws && u < m->g->stmts[branch].nuses; u++)
                    alike = !may_vary(m, m->g->stmts[branch].uses[u]);
            }
        }
        cs_intlist_free(&work);
        cs_intset_free(&seen);
    }
    cs_cdep_free(&d);
    return alike;
}

/* Does each rank come by `first` before it comes by `later`, and never the other way round? */
static bool is_behind(const struct cs_meetings *m, int func, const struct cs_intlist *first,
                      const struct cs_intlist *later)
{
    const struct cs_func *f = &m->g->funcs[func];
    return any_comes_to(m, func, first, later) && !any_comes_to(m, func, later, first) &&
           (!comes_to(f, -1, 0, later, first) || are_alike(m, func, first, later));
}

/* In the function, which runs once: do the ways part there, and one behind the other? *down: or both go on into this
 * function, which runs once; -1. */
static bool part(struct cs_meetings *m, int func, int call, int other, int *down)
{
    struct cs_intlist a = {0}, b = {0};
    bool apart = false, shared = false;
    *down = -1;
    find_sites(m, func, call, &a);
    find_sites(m, func, other, &b);
    for (int i = 0; i < a.n; i++)
        shared |= is_in(&b, a.a[i]);
    if (!shared)
        apart = a.n && b.n && (is_behind(m, func, &a, &b) || is_behind(m, func, &b, &a));
    else if (a.n == 1 && b.n == 1 && cs_once_stmt(&m->once, a.a[0]) &&
             m->flow->first_callee[a.a[0] + 1] == m->flow->first_callee[a.a[0]] + 1)
        *down = m->flow->callees[m->flow->first_callee[a.a[0]]];
    cs_intlist_free(&a);
    cs_intlist_free(&b);
    return apart;
}

static bool may_meet(struct cs_meetings *m, int call, int other)
{
    enum { DEPTH = 12 };
    int f = m->g->stmts[call].func, k = m->g->stmts[other].func;
    if (m->flow->any_time[f] || m->flow->any_time[k] || m->flow->called_back[f] || m->flow->called_back[k])
        return true;
    for (int func = m->main, i = 0; func >= 0 && i < DEPTH && cs_once_runs(&m->once, func); i++)
        if (part(m, func, call, other, &func))
            return false;
    return true;
}

bool cs_may_meet(struct cs_meetings *m, int call, int other)
{
    struct answer *a = &m->answers[cs_hash(cs_hash(0, call), other) % ANSWERS];
    if (a->call != call || a->other != other)
        *a = (struct answer){call, other, may_meet(m, call, other)};
    return a->may;
}
