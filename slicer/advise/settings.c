/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which settings let control come to which block; settings.h. A setting is asked whether it is one number; the answers
 * to a few such questions are one of 2^n cases, and of each block the set of cases is found in which control may come
 * to it, forward over the whole program. */
#include "slicer/advise/settings.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/never_stored.h"
#include "slicer/advise/once.h"
#include "slicer/advise/side_by_side.h"

/* Limits. */
enum {
    QUESTIONS = 8,    /* that are told apart */
    CANDIDATES = 500, /* of which those are chosen */
    CASES = 1 << QUESTIONS,
    WORDS = CASES / 64,
    MOST_SETS = 5000, /* beyond it, every new one is taken as all */
    DEPTH = 8         /* of a condition */
};

/* A set of cases. */
struct set {
    uint64_t w[WORDS];
};
/* Is the variable this number? tests: kept branches that ask it. */
struct question {
    struct cs_variable var;
    int64_t number;
    int tests;
};
/* What is known of a graph. Blocks are numbered through the program: first[function] + block; q[] has nq questions. */
struct cs_settings {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    int nblocks, *first, *func; /* func: of a block */
    struct cs_intlist *callers; /* of each function: the calls of it */
    unsigned char *never;       /* block, bit i: control never goes by edge i (never_stored.h), unless `all_edges` */
    bool all_edges;
    struct cs_intlist *taken; /* of each block: the functions of which it takes the address */
    struct set *known;        /* of each function: the cases in which somebody may have its address */
    struct cs_once once;
    struct question q[CANDIDATES];
    int nq;
    unsigned together[QUESTIONS][QUESTIONS];       /* of questions i > k: as cs_answers_together() */
    struct set all, yes[QUESTIONS], no[QUESTIONS]; /* cases: by answer */
    struct set *at;                                /* by block */
    int *number;                                   /* by block: of its set */
    struct set *sets;
    int nsets, asets;
    struct cs_intlist work;
    bool *waits; /* block, in `work` */
};

/* ---- sets ---- */

static struct set nothing(void)
{
    return (struct set){{0}};
}

static struct set both(struct set a, struct set b)
{
    for (int i = 0; i < WORDS; i++)
        a.w[i] &= b.w[i];
    return a;
}

static struct set either(struct set a, struct set b)
{
    for (int i = 0; i < WORDS; i++)
        a.w[i] |= b.w[i];
    return a;
}

static bool same_set(const struct set *a, const struct set *b)
{
    return !memcmp(a, b, sizeof *a);
}

static bool same_variable(const struct cs_variable *a, const struct cs_variable *b)
{
    return a->obj == b->obj && a->value == b->value && a->off == b->off;
}

/* One variable is no two numbers, and variables that are set side by side are what they are set to. */
static bool is_case(const struct cs_settings *s, int number)
{
    for (int i = 0; i < s->nq; i++)
        for (int k = 0; k < i; k++)
            if (!(s->together[i][k] >> (2 * (number >> i & 1) + (number >> k & 1)) & 1))
                return false;
    return true;
}

static void find_together(struct cs_settings *s)
{
    enum { NOT_BOTH = 7 };
    for (int i = 0; i < s->nq; i++)
        for (int k = 0; k < i; k++) {
            const struct question *a = &s->q[i], *b = &s->q[k];
            s->together[i][k] = same_variable(&a->var, &b->var)
                                    ? NOT_BOTH
                                    : cs_answers_together(s->g, (struct cs_is_number){&a->var, a->number},
                                                          (struct cs_is_number){&b->var, b->number});
        }
}

/* The cases in which question i has this answer; i < 0: all. */
static struct set answered(const struct cs_settings *s, int i, bool yes)
{
    struct set all = nothing();
    for (int c = 0; c < 1 << s->nq; c++)
        if ((i < 0 || (c >> i & 1) == yes) && is_case(s, c))
            all.w[c / 64] |= UINT64_C(1) << c % 64;
    return all;
}

static int number_of(struct cs_settings *s, const struct set *a)
{
    for (int i = 0; i < s->nsets; i++)
        if (same_set(&s->sets[i], a))
            return i;
    if (s->nsets == MOST_SETS)
        return CS_SETTINGS_ALL;
    CS_GROW(s->sets, s->nsets, s->asets);
    s->sets[s->nsets] = *a;
    return s->nsets++;
}

/* ---- what is asked ---- */

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

/* Is the value a parameter of its function? */
static bool is_param(const struct cs_graph *g, int value)
{
    const struct cs_func *f = &g->funcs[g->values[value].func];
    int k = 0;
    while (k < f->nparams && f->params[k] != value)
        k++;
    return k < f->nparams;
}

/* The variable that the operand is, of the program or of a function that runs once; false: none. */
static bool variable_of(struct cs_settings *s, struct cs_operand op, struct cs_variable *v)
{
    const struct cs_graph *g = s->g;
    const struct cs_stmt *d = def_of(g, op);
    for (int i = 0; d && d->kind == CS_STMT_ASSIGN && d->op == CS_OP_COPY && d->nuses == 1 && i < DEPTH; i++) {
        op = d->uses[0];
        d = def_of(g, op);
    }
    if (op.kind == CS_OPND_VALUE && !d) {
        *v = (struct cs_variable){-1, op.id, 0, 0};
        return g->values[op.id].func >= 0 && is_param(g, op.id) && cs_once_runs(&s->once, g->values[op.id].func);
    }
    bool plain = d && d->kind == CS_STMT_LOAD && d->load.base.kind == CS_OPND_ADDR && !d->load.base.pat.stride &&
                 !d->load.pat.stride && d->load.size > 0;
    if (!plain)
        return false;
    const struct cs_obj *o = &g->objs[d->load.base.id];
    *v = (struct cs_variable){d->load.base.id, -1, d->load.base.pat.off + d->load.pat.off, d->load.size};
    return o->kind == CS_OBJ_GLOBAL || (o->kind == CS_OBJ_LOCAL && o->func >= 0 && cs_once_runs(&s->once, o->func));
}

static int find_question(const struct cs_settings *s, const struct cs_variable *v, int64_t number)
{
    for (int i = 0; i < s->nq; i++)
        if (same_variable(&s->q[i].var, v) && s->q[i].number == number)
            return i;
    return -1;
}

/* The cases in which the operand may be the number, or may be another one. */
static struct set is_number(struct cs_settings *s, struct cs_operand op, int64_t number, bool yes, int depth)
{
    struct cs_variable v;
    bool is = variable_of(s, op, &v);
    const struct cs_stmt *d = def_of(s->g, op);
    int q = is ? find_question(s, &v, number) : -1;
    if (q >= 0)
        return yes ? s->yes[q] : s->no[q];
    if (is || !d || d->kind != CS_STMT_ASSIGN || !depth || (number != 0 && number != 1))
        return s->all;
    bool holds = yes == (number == 1), plain = d->nuses == 2 && d->uses[1].kind == CS_OPND_CONST;
    if ((d->op == CS_OP_EQ || d->op == CS_OP_NE) && plain)
        return is_number(s, d->uses[0], d->uses[1].pat.off, holds == (d->op == CS_OP_EQ), depth - 1);
    if (d->op == CS_OP_COPY && d->nuses == 1)
        return is_number(s, d->uses[0], number, yes, depth - 1);
    if ((d->op != CS_OP_AND && d->op != CS_OP_OR) || d->nuses != 2)
        return s->all;
    struct set a = is_number(s, d->uses[0], 0, !holds, depth - 1), b = is_number(s, d->uses[1], 0, !holds, depth - 1);
    return holds == (d->op == CS_OP_AND) ? both(a, b) : either(a, b);
}

/* The cases in which control may go from the block by its edge i. */
static struct set by_edge(struct cs_settings *s, int func, int block, int i)
{
    if (i < 2 && !s->all_edges && (s->never[s->first[func] + block] >> i & 1))
        return nothing();
    int c = cs_block_branch(s->g, func, block);
    const struct cs_stmt *st = c < 0 ? NULL : &s->g->stmts[c];
    if (!st || st->kind != CS_STMT_COND || (st->op != CS_OP_EQ && st->op != CS_OP_NE) || st->nuses != 2 || i > 1 ||
        st->uses[1].kind != CS_OPND_CONST)
        return s->all;
    return is_number(s, st->uses[0], st->uses[1].pat.off, (st->op == CS_OP_EQ) == (i == 0), DEPTH);
}

/* ---- which variables are settings ---- */

static void note_question(struct cs_settings *s, struct cs_operand op, int64_t number, bool keep)
{
    struct cs_variable v;
    bool is = variable_of(s, op, &v);
    int q = is ? find_question(s, &v, number) : -1;
    if (q >= 0)
        s->q[q].tests += keep;
    else if (is && s->nq < CANDIDATES)
        s->q[s->nq++] = (struct question){v, number, keep};
}

static void find_questions(struct cs_settings *s)
{
    for (int i = 0; i < s->g->nstmts; i++) {
        const struct cs_stmt *st = &s->g->stmts[i];
        bool branch = st->kind == CS_STMT_COND || st->kind == CS_STMT_ASSIGN;
        if (branch && (st->op == CS_OP_EQ || st->op == CS_OP_NE) && st->nuses == 2 && st->uses[1].kind == CS_OPND_CONST)
            note_question(s, st->uses[0], st->uses[1].pat.off, st->keep);
    }
}

/* A walk forward: blocks that it came to, and in[] those of functions that it has gone into by a call, which it leaves
 * there alone; calls behind which it has gone on. */
struct walk {
    struct cs_settings *s;
    const struct question *q;
    bool *seen, *in, *returned, writes;
};

/* Goes on in the block before its statement `at`. */
static void visit(struct walk *w, int block, int at, bool in)
{
    cs_intlist_add(&w->s->work, block);
    cs_intlist_add(&w->s->work, at);
    cs_intlist_add(&w->s->work, in);
}

static void visit_block(struct walk *w, int block, bool in)
{
    if (!w->seen[block] && !(in && w->in[block]))
        visit(w, block, 0, in);
    *(in ? &w->in[block] : &w->seen[block]) = true;
}

/* Control leaves the function. */
static void go_back(struct walk *w, int func)
{
    const struct cs_settings *s = w->s;
    for (int i = 0; i < s->callers[func].n; i++) {
        int call = s->callers[func].a[i], k = 0;
        const struct cs_stmt *c = &s->g->stmts[call];
        const struct cs_block *b = &s->g->funcs[c->func].blocks[c->block];
        if (w->returned[call])
            continue;
        w->returned[call] = true;
        while (k < b->nstmts && b->stmts[k] != call)
            k++;
        visit(w, s->first[c->func] + c->block, k + 1, false);
    }
}

static void go_on(struct walk *w, int block, int at, bool in)
{
    const struct cs_settings *s = w->s;
    int f = s->func[block];
    const struct cs_block *b = &s->g->funcs[f].blocks[block - s->first[f]];
    for (int i = at; i < b->nstmts; i++) {
        w->writes |= cs_names_and_writes(&s->g->stmts[b->stmts[i]], &w->q->var);
        for (int k = s->flow->first_callee[b->stmts[i]]; k < s->flow->first_callee[b->stmts[i] + 1]; k++)
            visit_block(w, s->first[s->flow->callees[k]], true);
    }
    for (int i = 0; i < b->nsuccs; i++)
        if (!b->never[i] && b->succs[i] >= 0)
            visit_block(w, s->first[f] + b->succs[i], in);
        else if (!b->never[i] && !in)
            go_back(w, f);
}

/* May the variable be written after it was asked for in a branch that is kept? */
static bool changes(struct cs_settings *s, const struct question *q)
{
    struct walk w = {.s = s, .q = q};
    w.seen = cs_calloc(s->nblocks + 1, sizeof *w.seen);
    w.in = cs_calloc(s->nblocks + 1, sizeof *w.in);
    w.returned = cs_calloc(s->g->nstmts + 1, sizeof *w.returned);
    for (int i = 0; i < s->g->nstmts; i++) {
        const struct cs_stmt *st = &s->g->stmts[i];
        struct cs_variable v;
        bool is = st->keep && st->kind == CS_STMT_COND && st->nuses == 2 && variable_of(s, st->uses[0], &v);
        if (is && same_variable(&v, &q->var))
            visit(&w, s->first[st->func] + st->block, s->g->funcs[st->func].blocks[st->block].nstmts, false);
    }
    while (s->work.n && !w.writes) {
        int in = s->work.a[--s->work.n], at = s->work.a[--s->work.n], block = s->work.a[--s->work.n];
        go_on(&w, block, at, in);
    }
    s->work.n = 0;
    free(w.seen);
    free(w.in);
    free(w.returned);
    return w.writes;
}

static int more_tests(const void *x, const void *y)
{
    const struct question *a = x, *b = y;
    if (a->tests != b->tests)
        return (a->tests < b->tests) - (a->tests > b->tests);
    if (a->var.obj != b->var.obj)
        return a->var.obj < b->var.obj ? -1 : 1;
    return a->var.value != b->var.value ? (a->var.value < b->var.value ? -1 : 1)
                                        : (a->number > b->number) - (a->number < b->number);
}

/* A variable of the program that is asked once is hardly a setting; one of a function that runs once may be. */
static bool is_worth(const struct cs_settings *s, const struct question *q)
{
    bool own = q->var.obj < 0 || s->g->objs[q->var.obj].kind == CS_OBJ_LOCAL;
    return q->tests > (own ? 0 : 1);
}

static void choose_questions(struct cs_settings *s)
{
    enum { TRIES = 60 };
    int n = 0, tries = 0;
    qsort(s->q, s->nq, sizeof *s->q, more_tests);
    for (int i = 0; i < s->nq && n < QUESTIONS && tries < TRIES; i++)
        if (is_worth(s, &s->q[i]) && (s->q[i].var.obj < 0 || (tries++, !changes(s, &s->q[i]))))
            s->q[n++] = s->q[i];
    s->nq = n;
    find_together(s);
    s->all = answered(s, -1, true);
    for (int i = 0; i < n; i++) {
        s->yes[i] = answered(s, i, true);
        s->no[i] = answered(s, i, false);
    }
}

/* ---- where control comes to ---- */

static void add_cases(struct cs_settings *s, int block, struct set cases)
{
    struct set now = either(s->at[block], cases);
    if (same_set(&now, &s->at[block]))
        return;
    s->at[block] = now;
    if (!s->waits[block])
        cs_intlist_add(&s->work, block);
    s->waits[block] = true;
}

static int function_at(const struct cs_graph *g, struct cs_operand op)
{
    return op.kind == CS_OPND_ADDR && g->objs[op.id].kind == CS_OBJ_FUNC ? g->objs[op.id].func : -1;
}

/* A call through a pointer comes to the function only if somebody may have its address; that of a copy nobody has. */
static void add_call(struct cs_settings *s, int call, int func)
{
    const struct cs_stmt *st = &s->g->stmts[call];
    struct set cases = s->at[s->first[st->func] + st->block];
    if (function_at(s->g, st->callee) != func && s->g->funcs[func].source == func)
        cases = both(cases, s->known[func]);
    add_cases(s, s->first[func], cases);
}

/* In these cases somebody may have the function's address. */
static void add_address(struct cs_settings *s, int func, struct set cases)
{
    struct set now = either(s->known[func], cases);
    if (same_set(&now, &s->known[func]))
        return;
    s->known[func] = now;
    for (int i = 0; i < s->callers[func].n; i++)
        add_call(s, s->callers[func].a[i], func);
}

static void spread(struct cs_settings *s, int block)
{
    int f = s->func[block];
    const struct cs_block *b = &s->g->funcs[f].blocks[block - s->first[f]];
    for (int i = 0; i < b->nsuccs; i++)
        if (!b->never[i] && b->succs[i] >= 0)
            add_cases(s, s->first[f] + b->succs[i], both(s->at[block], by_edge(s, f, block - s->first[f], i)));
    for (int i = 0; i < s->taken[block].n; i++)
        add_address(s, s->taken[block].a[i], s->at[block]);
    for (int i = 0; i < b->nstmts; i++)
        for (int k = s->flow->first_callee[b->stmts[i]]; k < s->flow->first_callee[b->stmts[i] + 1]; k++)
            add_call(s, b->stmts[i], s->flow->callees[k]);
}

/* Notes what is there of functions' addresses. */
static void find_addresses(struct cs_settings *s)
{
    const struct cs_graph *g = s->g;
    s->taken = cs_calloc(s->nblocks + 1, sizeof *s->taken);
    s->known = cs_calloc(g->nfuncs + 1, sizeof *s->known);
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *st = &g->stmts[i];
        for (int k = 0; k < st->nuses; k++)
            if (function_at(g, st->uses[k]) >= 0 && st->block >= 0)
                cs_intlist_add(&s->taken[s->first[st->func] + st->block], function_at(g, st->uses[k]));
    }
    for (int i = 0; i < g->nobjs; i++)
        for (int k = 0; k < g->objs[i].ninits; k++)
            if (function_at(g, g->objs[i].inits[k].val) >= 0)
                s->known[function_at(g, g->objs[i].inits[k].val)] = s->all;
}

/* Goes on wherever control comes, by way of what is new. */
static void spread_all(struct cs_settings *s)
{
    while (s->work.n) {
        int b = s->work.a[--s->work.n];
        s->waits[b] = false;
        spread(s, b);
    }
}

/* Notes which blocks control comes to only by edges by which it never goes; of others to which it does not come nothing
 * is known. */
static void find_never(struct cs_settings *s)
{
    struct set none = nothing();
    bool *reached = cs_calloc(s->nblocks + 1, sizeof *reached);
    for (int b = 0; b < s->nblocks; b++)
        reached[b] = !same_set(&s->at[b], &none);
    s->all_edges = true;
    for (int b = 0; b < s->nblocks; b++)
        if (s->never[b] && reached[b])
            spread(s, b);
    spread_all(s);
    s->all_edges = false;
    for (int b = 0; b < s->nblocks; b++)
        if (!reached[b])
            s->number[b] = same_set(&s->at[b], &none) ? CS_SETTINGS_ALL : CS_SETTINGS_NONE;
    free(reached);
}

static void find_cases(struct cs_settings *s)
{
    for (int f = 0; f < s->g->nfuncs; f++)
        if (s->g->funcs[f].nblocks && (s->g->funcs[f].is_entry || s->flow->any_time[f] || !s->callers[f].n))
            add_cases(s, s->first[f], s->all);
    spread_all(s);
    for (int b = 0; b < s->nblocks; b++)
        s->number[b] = number_of(s, &s->at[b]);
    find_never(s);
}

static void number_blocks(struct cs_settings *s)
{
    const struct cs_graph *g = s->g;
    s->first = cs_calloc(g->nfuncs + 1, sizeof *s->first);
    for (int f = 0; f < g->nfuncs; f++) {
        s->first[f] = s->nblocks;
        s->nblocks += g->funcs[f].nblocks;
    }
    s->func = cs_calloc(s->nblocks + 1, sizeof *s->func);
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            s->func[s->first[f] + b] = f;
    for (int i = 0; i < g->nstmts; i++)
        for (int k = s->flow->first_callee[i]; k < s->flow->first_callee[i + 1]; k++)
            if (g->stmts[i].block >= 0)
                cs_intlist_add(&s->callers[s->flow->callees[k]], i);
}

struct cs_settings *cs_settings_find(const struct cs_graph *g, const struct cs_need_flow *flow)
{
    struct cs_settings *s = cs_calloc(1, sizeof *s);
    *s = (struct cs_settings){.g = g, .flow = flow, .callers = cs_calloc(g->nfuncs + 1, sizeof *s->callers)};
    cs_once_start(&s->once, g, s->flow, s->callers);
    number_blocks(s);
    s->never = cs_calloc(s->nblocks + 1, 1);
    cs_never_stored(g, s->callers, s->first, s->never);
    find_questions(s);
    choose_questions(s);
    find_addresses(s);
    s->at = cs_calloc(s->nblocks + 1, sizeof *s->at);
    s->number = cs_calloc(s->nblocks + 1, sizeof *s->number);
    s->waits = cs_calloc(s->nblocks + 1, sizeof *s->waits);
    struct set none = nothing();
    number_of(s, &none);
    number_of(s, &s->all);
    find_cases(s);
    return s;
}

void cs_settings_free(struct cs_settings *s)
{
    if (!s)
        return;
    for (int f = 0; f < s->g->nfuncs; f++)
        cs_intlist_free(&s->callers[f]);
    for (int b = 0; b < s->nblocks; b++)
        cs_intlist_free(&s->taken[b]);
    free(s->taken);
    free(s->known);
    free(s->never);
    cs_once_free(&s->once);
    cs_intlist_free(&s->work);
    free(s->callers);
    free(s->first);
    free(s->func);
    free(s->at);
    free(s->number);
    free(s->waits);
    free(s->sets);
    free(s);
}

const struct cs_intlist *cs_settings_callers(const struct cs_settings *s)
{
    return s->callers;
}

const unsigned char *cs_settings_never(const struct cs_settings *s)
{
    return s->never;
}

int cs_settings_at(const struct cs_settings *s, int func, int block)
{
    return s->number[s->first[func] + block];
}

int cs_settings_of(const struct cs_settings *s, int stmt)
{
    const struct cs_stmt *st = &s->g->stmts[stmt];
    return st->block < 0 ? CS_SETTINGS_ALL : s->number[s->first[st->func] + st->block];
}

int cs_settings_both(struct cs_settings *s, int a, int b)
{
    if (a == CS_SETTINGS_ALL || b == CS_SETTINGS_ALL || a == b)
        return a == CS_SETTINGS_ALL ? b : a;
    struct set is = both(s->sets[a], s->sets[b]);
    return number_of(s, &is);
}

bool cs_settings_allow(struct cs_settings *s, int settings, int func, int block, int i)
{
    struct set is = both(s->sets[settings], by_edge(s, func, block, i)), none = nothing();
    return !same_set(&is, &none);
}

static int cases_in(const struct set *a)
{
    int n = 0;
    for (int i = 0; i < WORDS; i++)
        n += __builtin_popcountll(a->w[i]);
    return n;
}

int cs_settings_fewer(const struct cs_settings *s, int a, int b, int halving)
{
    int from = cases_in(&s->sets[a]), to = cases_in(&s->sets[b]), whole = 0;
    for (; to > 0 && from >= 2 * to; to *= 2)
        whole++;
    return to > 0 ? halving * whole + halving * (from - to) / to : 0;
}

bool cs_settings_cover(const struct cs_settings *s, int a, int b)
{
    struct set is = both(s->sets[a], s->sets[b]);
    return a == CS_SETTINGS_ALL || same_set(&is, &s->sets[b]);
}
