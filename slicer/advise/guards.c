/* SPDX-License-Identifier: GPL-3.0-or-later
 * Walks a function with what is known of a variable against a number: less, equal or more; guards.h. A guard is gone at
 * a block if no way from there, with what the variable may be there, takes its edge. */
#include "slicer/advise/guards.h"

#include <stdlib.h>
#include <string.h>

/* What a variable may be, against the number that is asked for. */
enum { LESS = 1, EQUAL = 2, MORE = 4, ANY = 7 };

/* Limits. */
enum {
    GUARDS = 32,   /* bits of a set */
    BLOCKS = 2000, /* of a function that is looked at */
    TRIES = 300,   /* branches that are looked at */
    DEPTH = 6      /* of moves, and of calls that hand a variable on */
};

/* Of blocks, numbered through the program, first[function] + block: the guards passed before them, and those gone. */
struct cs_guards {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    struct cs_settings *settings;
    int *first, n;
    cs_guard_set *before, *gone, *in; /* in: by function */
    struct known {
        int func, block, edge, obj, value;
        int64_t number;
    } known[GUARDS];
    int nwith, awith;
    struct with { /* of the blocks of a function, with some settings */
        int func, settings;
        cs_guard_set *before, *gone;
    } * with;
};

/* The branch at the end of the function's block is a guard: it asks of the variable whether it is more or less than the
 * number. The variable is obj, or (obj -1) what the values of `web` hold, which meet each other. The arrays have an
 * entry a block: `is`: what the variable may be at its start; leads: with which of these control comes to the edge. */
struct guard {
    const struct cs_guards *s;
    int func, block, edge, obj, settings;
    int64_t number;
    struct cs_intset web;
    unsigned char *is, *leads;
};

/* ---- one variable ---- */

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    for (int i = 0; d >= 0 && i < DEPTH; i++) {
        const struct cs_stmt *s = &g->stmts[d];
        if (s->kind != CS_STMT_ASSIGN || s->op != CS_OP_COPY || s->nuses != 1 || s->uses[0].kind != CS_OPND_VALUE)
            break;
        d = g->values[s->uses[0].id].def;
    }
    return d < 0 ? NULL : &g->stmts[d];
}

/* The variable of its function that is all of the reference; -1. */
static int variable_at(const struct cs_graph *g, const struct cs_ref *r)
{
    bool plain = r->base.kind == CS_OPND_ADDR && !r->base.pat.stride && !r->base.pat.off && !r->pat.stride &&
                 !r->pat.off && g->objs[r->base.id].kind == CS_OBJ_LOCAL && g->objs[r->base.id].size == r->size;
    return plain ? r->base.id : -1;
}

/* The variable that the operand was read from; -1. */
static int read_from(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *d = def_of(g, op);
    return d && d->kind == CS_STMT_LOAD ? variable_at(g, &d->load) : -1;
}

static bool only_reads(const struct cs_guards *s, const struct cs_stmt *call, int k, int depth);

/* Is nothing done with the parameter in the statement but to read what is behind it? */
static bool reads_behind(const struct cs_guards *s, const struct cs_stmt *st, int value, int depth)
{
    for (int i = 0; i < st->nuses; i++)
        if (st->uses[i].kind == CS_OPND_VALUE && st->uses[i].id == value &&
            (st->kind != CS_STMT_CALL || !only_reads(s, st, i, depth - 1)))
            return false;
    return !st->has_store || st->store.base.kind != CS_OPND_VALUE || st->store.base.id != value;
}

/* Does the call only read what is behind its argument? */
static bool only_reads(const struct cs_guards *s, const struct cs_stmt *call, int k, int depth)
{
    const struct cs_graph *g = s->g;
    int c = (int)(call - g->stmts), first = s->flow->first_callee[c], last = s->flow->first_callee[c + 1];
    const char *name = call->callee.kind == CS_OPND_ADDR ? cs_obj_name(g, call->callee.id) : "";
    if (!strncmp(name, "_gfortran_transfer_", strlen("_gfortran_transfer_")) && strstr(name, "_write"))
        return true;
    for (int i = first; i < last; i++) {
        const struct cs_func *f = &g->funcs[s->flow->callees[i]];
        if (depth == 0 || k >= f->nparams || f->params[k] < 0)
            return false;
        for (int b = 0; b < f->nblocks; b++)
            for (int j = 0; j < f->blocks[b].nstmts; j++)
                if (!reads_behind(s, &g->stmts[f->blocks[b].stmts[j]], f->params[k], depth))
                    return false;
    }
    return first < last;
}

/* What the variable may be after so much was added to it. */
static int added(int is, int64_t by)
{
    int to = is & (by > 0 ? MORE : LESS);
    if (is & EQUAL)
        to |= by > 0 ? MORE : LESS;
    if (is & (by > 0 ? LESS : MORE))
        to |= by == 1 ? LESS | EQUAL : by == -1 ? MORE | EQUAL : ANY;
    return by ? to : is;
}

static int against(int64_t x, int64_t number)
{
    return x < number ? LESS : x == number ? EQUAL : MORE;
}

/* What the variable may be behind the statement. */
static int behind(const struct guard *q, const struct cs_stmt *s, int is)
{
    const struct cs_graph *g = q->s->g;
    bool writes = s->has_store && s->store.base.kind == CS_OPND_ADDR && s->store.base.id == q->obj;
    for (int i = 0; i < s->nuses && !writes; i++)
        if (s->uses[i].kind == CS_OPND_ADDR && s->uses[i].id == q->obj)
            writes = s->kind != CS_STMT_CALL || !only_reads(q->s, s, i, DEPTH);
    if (!writes)
        return is;
    if (s->kind != CS_STMT_STORE || variable_at(g, &s->store) != q->obj || s->partial)
        return ANY;
    if (s->uses[0].kind == CS_OPND_CONST)
        return against(s->uses[0].pat.off, q->number);
    const struct cs_stmt *d = def_of(g, s->uses[0]);
    bool adds = d && d->kind == CS_STMT_ASSIGN && d->op == CS_OP_ADD && d->nuses == 2 &&
                d->uses[1].kind == CS_OPND_CONST && read_from(g, d->uses[0]) == q->obj;
    return adds ? added(is, d->uses[1].pat.off) : ANY;
}

/* With what the variable may be, does a comparison hold (or not)? What is left of it. */
static int compared(enum cs_op op, bool holds, int is)
{
    int with = ANY;
    switch (op) {
    case CS_OP_EQ: with = EQUAL; break;
    case CS_OP_NE: with = LESS | MORE; break;
    case CS_OP_LT: with = LESS; break;
    case CS_OP_LE: with = LESS | EQUAL; break;
    case CS_OP_GT: with = MORE; break;
    case CS_OP_GE: with = MORE | EQUAL; break;
    default: return is;
    }
    return is & (holds ? with : ANY & ~with);
}

/* The same in a question for another number. */
static int compared_with(enum cs_op op, bool holds, int64_t with, int64_t number, int is)
{
    if (with == number)
        return compared(op, holds, is);
    if (op == CS_OP_EQ && holds)
        return is & against(with, number);
    return op == CS_OP_NE && !holds ? is & against(with, number) : is;
}

/* The variable of which the branch asks how it compares with a number, as read in its block; -1. */
static int asks(const struct cs_guards *s, const struct cs_stmt *st)
{
    if (st->kind != CS_STMT_COND || st->nuses != 2 || st->uses[1].kind != CS_OPND_CONST || st->block < 0)
        return -1;
    const struct cs_stmt *read = def_of(s->g, st->uses[0]);
    return read && read->block == st->block ? read_from(s->g, st->uses[0]) : -1;
}

/* The value of which the branch asks whether it is a number, one that comes by different ways; -1. */
static int asks_value(const struct cs_graph *g, const struct cs_stmt *st)
{
    if (st->kind != CS_STMT_COND || st->nuses != 2 || st->uses[1].kind != CS_OPND_CONST || st->block < 0 ||
        (st->op != CS_OP_EQ && st->op != CS_OP_NE) || st->uses[0].kind != CS_OPND_VALUE)
        return -1;
    int d = g->values[st->uses[0].id].def;
    return d >= 0 && g->stmts[d].kind == CS_STMT_PHI ? st->uses[0].id : -1;
}

/* Adds the values that meet those of the web, or in which they meet others. False: there is nothing more. */
static bool widen(const struct cs_graph *g, int func, struct cs_intset *web)
{
    bool more = false;
    for (int b = 0; b < g->funcs[func].nblocks; b++)
        for (int k = 0; k < g->funcs[func].blocks[b].nstmts; k++) {
            const struct cs_stmt *s = &g->stmts[g->funcs[func].blocks[b].stmts[k]];
            bool in = s->kind == CS_STMT_PHI && cs_intset_has(web, s->def);
            for (int i = 0; s->kind == CS_STMT_PHI && i < s->nuses; i++)
                in |= s->uses[i].kind == CS_OPND_VALUE && cs_intset_has(web, s->uses[i].id);
            if (!in)
                continue;
            more |= cs_intset_add(web, s->def);
            for (int i = 0; i < s->nuses; i++)
                if (s->uses[i].kind == CS_OPND_VALUE)
                    more |= cs_intset_add(web, s->uses[i].id);
        }
    return more;
}

/* What the variable may be once it is this operand. */
static int taken(const struct guard *q, struct cs_operand op, int is)
{
    const struct cs_graph *g = q->s->g;
    if (op.kind == CS_OPND_CONST)
        return against(op.pat.off, q->number);
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &g->stmts[d];
    if (s && s->kind == CS_STMT_PHI)
        return is;
    bool adds = s && s->kind == CS_STMT_ASSIGN && s->op == CS_OP_ADD && s->nuses == 2 &&
                s->uses[0].kind == CS_OPND_VALUE && cs_intset_has(&q->web, s->uses[0].id) &&
                s->uses[1].kind == CS_OPND_CONST;
    return adds ? added(is, s->uses[1].pat.off) : ANY;
}

/* What the variable may be at the beginning of block `to`, behind where values meet, if control comes from `from`. */
static int met(const struct guard *q, int from, int to, int is)
{
    const struct cs_graph *g = q->s->g;
    const struct cs_block *b = &g->funcs[q->func].blocks[to];
    for (int k = 0; k < b->nstmts; k++) {
        const struct cs_stmt *s = &g->stmts[b->stmts[k]];
        for (int i = 0; s->kind == CS_STMT_PHI && cs_intset_has(&q->web, s->def) && i < s->nuses; i++)
            if (s->phi_preds[i] == from)
                is = taken(q, s->uses[i], is);
    }
    return is;
}

/* What the variable may be where control goes from the block by edge i, if it was `is` at the block's start. */
static int by_edge(const struct guard *q, int block, int i, int is)
{
    const struct cs_graph *g = q->s->g;
    const struct cs_block *b = &g->funcs[q->func].blocks[block];
    if (!cs_settings_allow(q->s->settings, q->settings, q->func, block, i))
        return 0;
    int branch = cs_block_branch(g, q->func, block);
    const struct cs_stmt *s = branch < 0 ? NULL : &g->stmts[branch];
    if (q->obj < 0) {
        if (s && i < 2 && asks_value(g, s) >= 0 && cs_intset_has(&q->web, s->uses[0].id))
            is = compared_with(s->op, i == 0, s->uses[1].pat.off, q->number, is);
        return is && b->succs[i] >= 0 ? met(q, block, b->succs[i], is) : is;
    }
    const struct cs_stmt *read = s && i < 2 && asks(q->s, s) == q->obj ? def_of(g, s->uses[0]) : NULL;
    for (int k = 0; k < b->nstmts; k++) {
        const struct cs_stmt *at = &g->stmts[b->stmts[k]];
        is = at == read ? compared_with(s->op, i == 0, s->uses[1].pat.off, q->number, is) : behind(q, at, is);
    }
    return is;
}

/* ---- a guard ---- */

/* What the variable may be at the start of each block, from the function's start on. */
static void find_values(struct guard *q)
{
    const struct cs_func *f = &q->s->g->funcs[q->func];
    struct cs_intlist work = {0};
    q->is[0] = ANY;
    for (cs_intlist_add(&work, 0); work.n;) {
        int at = work.a[--work.n];
        for (int i = 0; i < f->blocks[at].nsuccs; i++) {
            int to = f->blocks[at].succs[i], is = to < 0 || f->blocks[at].never[i] ? 0 : by_edge(q, at, i, q->is[at]);
            if (!is || (q->is[to] | is) == q->is[to])
                continue;
            q->is[to] |= is;
            cs_intlist_add(&work, to);
        }
    }
    cs_intlist_free(&work);
}

/* One more value with which the block leads to the guard's edge? */
static bool leads_more(const struct guard *q, int block)
{
    const struct cs_block *b = &q->s->g->funcs[q->func].blocks[block];
    int old = q->leads[block];
    for (int one = LESS; one <= MORE; one *= 2)
        for (int i = 0; i < b->nsuccs && !(q->leads[block] & one); i++) {
            int to = b->succs[i], is = b->never[i] ? 0 : by_edge(q, block, i, one);
            if (is && ((block == q->block && i == q->edge) || (to >= 0 && is & q->leads[to])))
                q->leads[block] |= one;
        }
    return q->leads[block] != old;
}

static void find_leads(struct guard *q)
{
    const struct cs_func *f = &q->s->g->funcs[q->func];
    for (bool more = true; more;) {
        more = false;
        for (int b = f->nblocks - 1; b >= 0; b--)
            more |= leads_more(q, b);
    }
}

/* Marks the blocks that control comes to from `start`, but not by the guard's edge. */
static bool *reached(const struct guard *q, int start)
{
    const struct cs_func *f = &q->s->g->funcs[q->func];
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0};
    seen[start] = true;
    for (cs_intlist_add(&work, start); work.n;) {
        int at = work.a[--work.n];
        for (int i = 0; i < f->blocks[at].nsuccs; i++) {
            int to = f->blocks[at].succs[i];
            if (to < 0 || f->blocks[at].never[i] || seen[to] || (at == q->block && i == q->edge) ||
                !cs_settings_allow(q->s->settings, q->settings, q->func, at, i))
                continue;
            seen[to] = true;
            cs_intlist_add(&work, to);
        }
    }
    cs_intlist_free(&work);
    return seen;
}

static bool is_gone(const struct guard *q, int block)
{
    return q->is[block] && !(q->is[block] & q->leads[block]);
}

/* Is the guard gone in some block from which control could come back to it, if nothing were known? */
static bool is_worth(const struct guard *q)
{
    bool any = false;
    for (int b = 0; b < q->s->g->funcs[q->func].nblocks && !any; b++)
        if (is_gone(q, b)) {
            bool *from = reached(q, b);
            any = from[q->block];
            free(from);
        }
    return any;
}

/* value: one of the web, if it is no object. */
static void find_guard(struct guard *q, int value)
{
    int n = q->s->g->funcs[q->func].nblocks;
    if (q->obj < 0)
        cs_intset_add(&q->web, value);
    while (q->obj < 0 && widen(q->s->g, q->func, &q->web))
        continue;
    q->is = cs_calloc(n + 1, 1);
    q->leads = cs_calloc(n + 1, 1);
    find_values(q);
    find_leads(q);
}

static void free_guard(struct guard *q)
{
    free(q->is);
    free(q->leads);
    cs_intset_free(&q->web);
}

/* Notes in the arrays, which have an entry a block, before which blocks the guard is passed, and where it is gone. */
static void note_guard(const struct guard *q, cs_guard_set bit, cs_guard_set *before, cs_guard_set *gone)
{
    bool *without = reached(q, 0);
    for (int b = 0; b < q->s->g->funcs[q->func].nblocks; b++) {
        before[b] |= without[b] ? 0 : bit;
        gone[b] |= is_gone(q, b) ? bit : 0;
    }
    free(without);
}

static void look_at(struct cs_guards *s, const struct cs_stmt *st, int edge)
{
    int obj = asks(s, st), value = asks_value(s->g, st);
    struct guard q = {.s = s, .func = st->func, .block = st->block, .edge = edge, .obj = obj};
    q.settings = CS_SETTINGS_ALL;
    q.number = st->uses[1].pat.off;
    find_guard(&q, value);
    if (is_worth(&q)) {
        cs_guard_set bit = (cs_guard_set)1 << s->n;
        note_guard(&q, bit, s->before + s->first[q.func], s->gone + s->first[q.func]);
        s->in[q.func] |= bit;
        s->known[s->n++] = (struct known){q.func, q.block, edge, obj, value, q.number};
    }
    free_guard(&q);
}

/* What is so in the function with these settings. */
static const struct with *with_settings(struct cs_guards *s, int settings, int func)
{
    for (int i = 0; i < s->nwith; i++)
        if (s->with[i].func == func && s->with[i].settings == settings)
            return &s->with[i];
    int n = s->g->funcs[func].nblocks;
    struct with w = {func, settings, cs_calloc(n + 1, sizeof *w.before), cs_calloc(n + 1, sizeof *w.gone)};
    for (int i = 0; i < s->n; i++) {
        const struct known *k = &s->known[i];
        struct guard q = {.s = s, .func = func, .block = k->block, .edge = k->edge, .obj = k->obj};
        if (k->func != func)
            continue;
        q.settings = settings;
        q.number = k->number;
        find_guard(&q, k->value);
        note_guard(&q, (cs_guard_set)1 << i, w.before, w.gone);
        free_guard(&q);
    }
    CS_GROW(s->with, s->nwith, s->awith);
    s->with[s->nwith++] = w;
    return &s->with[s->nwith - 1];
}

bool cs_guards_bar(struct cs_guards *s, int settings, int later, int earlier)
{
    const struct cs_stmt *l = &s->g->stmts[later], *e = &s->g->stmts[earlier];
    if (!s->in[l->func] || l->func != e->func || l->block < 0 || e->block < 0 || settings == CS_SETTINGS_NONE)
        return false;
    const struct with *w = with_settings(s, settings, l->func);
    return w->before[l->block] & ~w->before[e->block] & w->gone[e->block];
}

struct cs_guards *cs_guards_find(const struct cs_graph *g, const struct cs_need_flow *flow,
                                 struct cs_settings *settings)
{
    struct cs_guards *s = cs_calloc(1, sizeof *s);
    int nblocks = 0, tries = 0;
    *s = (struct cs_guards){.g = g, .flow = flow, .settings = settings};
    s->first = cs_calloc(g->nfuncs + 1, sizeof *s->first);
    for (int f = 0; f < g->nfuncs; f++) {
        s->first[f] = nblocks;
        nblocks += g->funcs[f].nblocks;
    }
    s->before = cs_calloc(nblocks + 1, sizeof *s->before);
    s->gone = cs_calloc(nblocks + 1, sizeof *s->gone);
    s->in = cs_calloc(g->nfuncs + 1, sizeof *s->in);
    for (int i = 0; i < g->nstmts && tries < TRIES; i++) {
        const struct cs_stmt *st = &g->stmts[i];
        if (!st->keep || (asks(s, st) < 0 && asks_value(g, st) < 0) || g->funcs[st->func].nblocks > BLOCKS)
            continue;
        tries++;
        for (int edge = 0; edge < 2 && s->n < GUARDS; edge++)
            look_at(s, st, edge);
    }
    return s;
}

void cs_guards_free(struct cs_guards *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->nwith; i++) {
        free(s->with[i].before);
        free(s->with[i].gone);
    }
    free(s->with);
    free(s->first);
    free(s->before);
    free(s->gone);
    free(s->in);
    free(s);
}

cs_guard_set cs_guards_before(const struct cs_guards *s, int stmt)
{
    const struct cs_stmt *st = &s->g->stmts[stmt];
    return st->block < 0 ? 0 : s->before[s->first[st->func] + st->block];
}

cs_guard_set cs_guards_gone(const struct cs_guards *s, int stmt)
{
    const struct cs_stmt *st = &s->g->stmts[stmt];
    return st->block < 0 ? 0 : s->gone[s->first[st->func] + st->block];
}

cs_guard_set cs_guards_in(const struct cs_guards *s, int func)
{
    return s->in[func];
}
