/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ranks and counts as sums of products; message_fit.h. Of two functions that one function calls, what that one passes
 * can be compared. */
#include "slicer/advise/message_fit.h"

#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/advise/partners.h"
#include "slicer/advise/pointer_paths.h"
#include "slicer/graph/storage.h"

/* Most terms of a sum, factors of a term, and statements that are followed. */
enum { TERMS = 8, FACTORS = 4, DEPTH = 12 };

/* A number times some symbols, in order. */
struct term {
    int64_t by;
    int n, symbol[FACTORS];
};
/* Terms of different symbols, in order; lost: it may be anything. */
struct sum {
    bool lost;
    int n;
    struct term t[TERMS];
};
/* What is known of a program. */
struct cs_message_fit {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    bool *is_rank; /* by object */
};

static const struct sum lost = {.lost = true};

/* ---- sums ---- */

static int order(const struct term *a, const struct term *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = 0; i < a->n; i++)
        if (a->symbol[i] != b->symbol[i])
            return a->symbol[i] < b->symbol[i] ? -1 : 1;
    return 0;
}

static void add_term(struct sum *s, struct term t)
{
    int i = 0;
    while (i < s->n && order(&s->t[i], &t) < 0)
        i++;
    if (i < s->n && order(&s->t[i], &t) == 0) {
        s->t[i].by += t.by;
        if (!s->t[i].by) {
            memmove(&s->t[i], &s->t[i + 1], (size_t)(s->n - i - 1) * sizeof t);
            s->n--;
        }
        return;
    }
    s->lost |= s->n == TERMS;
    if (s->lost || !t.by)
        return;
    memmove(&s->t[i + 1], &s->t[i], (size_t)(s->n - i) * sizeof t);
    s->t[i] = t;
    s->n++;
}

/* a + by * b */
static struct sum plus(const struct sum *a, const struct sum *b, int64_t by)
{
    struct sum s = *a;
    for (int i = 0; i < b->n && !s.lost; i++) {
        struct term t = b->t[i];
        t.by *= by;
        add_term(&s, t);
    }
    s.lost |= b->lost;
    return s;
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

static struct sum times(const struct sum *a, const struct sum *b)
{
    struct sum s = {.lost = a->lost || b->lost};
    for (int i = 0; i < a->n && !s.lost; i++)
        for (int k = 0; k < b->n && !s.lost; k++) {
            struct term t = a->t[i];
            s.lost |= t.n + b->t[k].n > FACTORS;
            for (int j = 0; j < b->t[k].n && !s.lost; j++)
                t.symbol[t.n++] = b->t[k].symbol[j];
            qsort(t.symbol, (size_t)t.n, sizeof *t.symbol, ascending);
            t.by *= b->t[k].by;
            add_term(&s, t);
        }
    return s;
}

static struct sum constant(int64_t c)
{
    struct sum s = {0};
    add_term(&s, (struct term){.by = c});
    return s;
}

static bool same(const struct sum *a, const struct sum *b)
{
    struct sum d = plus(a, b, -1);
    return !d.lost && !d.n;
}

/* Is the one as far from a rank as the other one is on its other side: me + n, and me - n? */
static bool opposite(const struct sum *a, const struct sum *b)
{
    struct sum s = plus(a, b, 1), d = plus(a, b, -1);
    return !s.lost && s.n == 1 && s.t[0].n == 1 && s.t[0].by == 2 && d.n;
}

/* ---- values ---- */

/* What is not known further is a symbol: a value of a function, what is read by words of one shape, the rank, what is
 * in a variable. */
enum { VALUE, SHAPE, RANK, VARIABLE, KINDS };

static struct sum symbol(int kind, int id)
{
    struct sum s = {0};
    add_term(&s, (struct term){.by = 1, .n = 1, .symbol = {id * KINDS + kind}});
    return s;
}

static struct sum sum_of(const struct cs_message_fit *f, int func, struct cs_operand op, int call, int depth);

/* What the call passes as the parameter; itself, without a call. */
static struct sum parameter(const struct cs_message_fit *f, int func, struct cs_operand op, int call)
{
    int k = cs_param_number(f->g, func, op);
    const struct cs_stmt *c = call < 0 || k < 0 ? NULL : &f->g->stmts[call];
    return c && k < c->nuses ? sum_of(f, c->func, c->uses[k], -1, DEPTH) : symbol(VALUE, op.id);
}

static struct sum loaded(const struct cs_message_fit *f, const struct cs_stmt *s)
{
    bool variable = s->load.base.kind == CS_OPND_ADDR;
    if (variable && f->is_rank[s->load.base.id])
        return symbol(RANK, 0);
    if (variable && f->g->objs[s->load.base.id].kind == CS_OBJ_GLOBAL && !s->load.base.pat.stride &&
        !s->load.base.pat.off && !s->load.pat.stride && !s->load.pat.off)
        return symbol(VARIABLE, s->load.base.id);
    return s->shape >= 0 && !s->nuses ? symbol(SHAPE, s->shape) : symbol(VALUE, s->def);
}

/* In a function, for this call of it, or (-1) any. */
static struct sum sum_of(const struct cs_message_fit *f, int func, struct cs_operand op, int call, int depth)
{
    if (op.kind == CS_OPND_CONST)
        return constant(op.pat.off);
    if (op.kind != CS_OPND_VALUE)
        return lost;
    int d = f->g->values[op.id].def;
    const struct cs_stmt *s = d < 0 ? NULL : &f->g->stmts[d];
    if (!s)
        return parameter(f, func, op, call);
    if (s->kind == CS_STMT_LOAD)
        return loaded(f, s);
    if (s->kind != CS_STMT_ASSIGN || s->nuses < 1 || s->nuses > 2 || depth <= 0)
        return symbol(VALUE, op.id);
    struct sum a = sum_of(f, func, s->uses[0], call, depth - 1),
               b = s->nuses > 1 ? sum_of(f, func, s->uses[1], call, depth - 1) : lost;
    switch (s->op) {
    case CS_OP_COPY: return a;
    case CS_OP_ADD: return plus(&a, &b, 1);
    case CS_OP_SUB: return plus(&a, &b, -1);
    case CS_OP_MUL: return times(&a, &b);
    default: return symbol(VALUE, op.id);
    }
}

/* ---- calls ---- */

/* The row of a call; NULL. */
static const struct cs_mpi_call *row(const struct cs_graph *g, int stmt, enum cs_binding *bind)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return NULL;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), bind);
    return c && s->nuses >= c->nargs ? c : NULL;
}

bool cs_sends(const struct cs_graph *g, int stmt)
{
    enum cs_binding bind;
    const struct cs_mpi_call *c = row(g, stmt, &bind);
    return c && cs_mpi_has_role(c, CS_ROLE_DEST);
}

bool cs_receives(const struct cs_graph *g, int stmt)
{
    enum cs_binding bind;
    const struct cs_mpi_call *c = row(g, stmt, &bind);
    return c && cs_mpi_has_role(c, CS_ROLE_SOURCE) && cs_mpi_has_role(c, CS_ROLE_TYPE);
}

bool cs_spreads(const struct cs_graph *g, int stmt)
{
    enum cs_binding bind;
    const struct cs_mpi_call *c = row(g, stmt, &bind);
    return c && (c->flags & CS_MPI_ROOT_SENDS) && (c->flags & CS_MPI_ALLSAME) && !cs_mpi_has_role(c, CS_ROLE_SBUF);
}

/* The one store to a function's own variable, as Fortran makes one for each argument that is an expression; NULL. */
static const struct cs_stmt *only_store(const struct cs_graph *g, int obj)
{
    const struct cs_stmt *found = NULL;
    const struct cs_func *func = &g->funcs[g->objs[obj].func];
    for (int b = 0; b < func->nblocks; b++)
        for (int i = 0; i < func->blocks[b].nstmts; i++) {
            const struct cs_stmt *s = &g->stmts[func->blocks[b].stmts[i]];
            if (s->kind != CS_STMT_STORE || s->store.base.kind != CS_OPND_ADDR || s->store.base.id != obj)
                continue;
            if (found)
                return NULL;
            found = s;
        }
    return found;
}

/* What is where the pointer leads, for this call of the function, or (-1) any. */
static struct sum behind(const struct cs_message_fit *f, int func, struct cs_operand at, int call)
{
    const struct cs_graph *g = f->g;
    int k = cs_param_number(g, func, at);
    if (k >= 0 && call >= 0 && k < g->stmts[call].nuses)
        return behind(f, g->stmts[call].func, g->stmts[call].uses[k], -1);
    if (at.kind == CS_OPND_VALUE)
        return symbol(VALUE, at.id);
    if (at.kind != CS_OPND_ADDR || at.pat.stride)
        return lost;
    if (f->is_rank[at.id])
        return symbol(RANK, 0);
    bool own = g->objs[at.id].kind == CS_OBJ_LOCAL && g->objs[at.id].func >= 0;
    const struct cs_stmt *store = own ? only_store(g, at.id) : NULL;
    if (store && store->nuses)
        return sum_of(f, store->func, store->uses[0], call, DEPTH);
    return at.pat.off ? lost : symbol(VARIABLE, at.id);
}

static struct sum argument(const struct cs_message_fit *f, int stmt, int arg, int call, enum cs_binding bind)
{
    const struct cs_stmt *s = &f->g->stmts[stmt];
    if (arg < 0)
        return lost;
    return bind == CS_BIND_C ? sum_of(f, s->func, s->uses[arg], call, DEPTH) : behind(f, s->func, s->uses[arg], call);
}

/* The argument that says how long the buffer of this role is, or of one that is both. */
static int count_of(const struct cs_mpi_call *c, enum cs_role role)
{
    int buffer = cs_mpi_arg_of_role(c, role);
    buffer = buffer < 0 ? cs_mpi_arg_of_role(c, CS_ROLE_SRBUF) : buffer;
    return buffer < 0 ? -1 : c->args[buffer].count_arg;
}

/* Calls by which one function comes to both; -1: there are none, or they are one. */
static void find_calls(const struct cs_message_fit *f, int a, int b, int *by_a, int *by_b)
{
    *by_a = *by_b = -1;
    if (a == b || !f->callers)
        return;
    for (int i = 0; i < f->callers[a].n; i++)
        for (int k = 0; k < f->callers[b].n; k++)
            if (f->g->stmts[f->callers[a].a[i]].func == f->g->stmts[f->callers[b].a[k]].func) {
                *by_a = f->callers[a].a[i];
                *by_b = f->callers[b].a[k];
                return;
            }
}

/* What is known of a message, if it is sent by the one call and received by the other one. */
struct fit {
    struct sum to, from, out, in; /* ranks, and counts */
    bool together;                /* their functions work together */
};

static struct fit fit_of(const struct cs_message_fit *f, int send, int receive)
{
    enum cs_binding bs = CS_BIND_C, br = CS_BIND_C;
    const struct cs_mpi_call *s = row(f->g, send, &bs), *r = row(f->g, receive, &br);
    int sf = f->g->stmts[send].func, rf = f->g->stmts[receive].func, by_s, by_r;
    find_calls(f, sf, rf, &by_s, &by_r);
    return (struct fit){argument(f, send, cs_mpi_arg_of_role(s, CS_ROLE_DEST), by_s, bs),
                        argument(f, receive, cs_mpi_arg_of_role(r, CS_ROLE_SOURCE), by_r, br),
                        argument(f, send, count_of(s, CS_ROLE_SBUF), by_s, bs),
                        argument(f, receive, count_of(r, CS_ROLE_RBUF), by_r, br),
                        f->callers && cs_are_partners(f->g, f->callers, sf, rf)};
}

int cs_message_fits(const struct cs_message_fit *f, int send, int receive)
{
    struct fit is = fit_of(f, send, receive);
    return (opposite(&is.to, &is.from) ? 4 : 0) + (same(&is.out, &is.in) ? CS_SAME_COUNT : 0) + is.together;
}

/* Is it made of variables that the whole program knows, and numbers? */
static bool is_shared(const struct sum *s)
{
    bool is = !s->lost;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->t[i].n; k++)
            is &= s->t[i].symbol[k] % KINDS == VARIABLE;
    return is;
}

bool cs_message_has_other_count(const struct cs_message_fit *f, int send, int receive)
{
    struct fit is = fit_of(f, send, receive);
    return is_shared(&is.out) && is_shared(&is.in) && !same(&is.out, &is.in);
}

/* Notes the variables of which the program has the rank. */
static void find_ranks(struct cs_message_fit *f)
{
    enum cs_binding bind;
    for (int i = 0; i < f->g->nstmts; i++) {
        const struct cs_stmt *s = &f->g->stmts[i];
        const struct cs_mpi_call *c = row(f->g, i, &bind);
        if (c && !strcmp(c->name, CS_MPI_OWN_RANK + 1) && s->uses[1].kind == CS_OPND_ADDR)
            f->is_rank[s->uses[1].id] = true;
    }
}

struct cs_message_fit *cs_message_fit_start(const struct cs_graph *g, const struct cs_intlist *callers)
{
    struct cs_message_fit *f = cs_calloc(1, sizeof *f);
    f->g = g;
    f->callers = callers;
    f->is_rank = cs_calloc(g->nobjs + 1, sizeof *f->is_rank);
    find_ranks(f);
    return f;
}

void cs_message_fit_free(struct cs_message_fit *f)
{
    free(f->is_rank);
    free(f);
}
