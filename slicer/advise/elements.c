/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows addresses back to the pointers that they are made from; elements.h. */
#include "slicer/advise/elements.h"

#include <stdlib.h>

/* A number that is `rest` and any multiple of `step`; step 0: it is `rest`. */
struct line {
    int64_t step, rest;
};

/* Where a pointer was loaded from: a member of the elements of the array to which a pointer in a variable points. */
struct member {
    int obj;
    int64_t obj_off, off, stride;
};

/* Members of which one is the pointer; lost: it may be anything else. */
struct members {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    struct member a[32];
    int n;
    bool lost;
};

enum { LATEST = 256 }; /* of members */
struct cs_elements {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    struct line *line; /* of a store's or a load's place, if `known` */
    bool *known;
    struct latest {
        int stmt, call;
        struct members members;
    } latest[LATEST]; /* by hash; stmt -1: none */
};

/* ---- elements ---- */

/* Statements that are followed. */
enum { DEPTH = 12 };

static int64_t common(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

static struct line normal(int64_t step, int64_t rest)
{
    const int64_t most = INT64_C(1) << 30;
    if (step > most || rest > most || rest < -most)
        return (struct line){1, 0};
    return (struct line){step, step ? (rest % step + step) % step : rest};
}

static struct line line_of(const struct cs_graph *g, struct cs_operand op, int depth);

static struct line line_of_stmt(const struct cs_graph *g, const struct cs_stmt *s, int depth)
{
    struct line any = {1, 0}, a, b;
    if (s->kind != CS_STMT_ASSIGN || s->nuses < 1 || s->nuses > 2)
        return any;
    if (s->op != CS_OP_COPY && s->op != CS_OP_ADD && s->op != CS_OP_SUB && s->op != CS_OP_MUL)
        return any;
    a = line_of(g, s->uses[0], depth - 1);
    if (s->op == CS_OP_COPY)
        return a;
    if (s->nuses < 2)
        return any;
    b = line_of(g, s->uses[1], depth - 1);
    switch (s->op) {
    case CS_OP_ADD: return normal(common(a.step, b.step), a.rest + b.rest);
    case CS_OP_SUB: return normal(common(a.step, b.step), a.rest - b.rest);
    case CS_OP_MUL:
        if (a.step && b.step)
            return any;
        return a.step ? normal(labs(a.step * b.rest), a.rest * b.rest) : normal(labs(b.step * a.rest), a.rest * b.rest);
    default: return any;
    }
}

static struct line line_of(const struct cs_graph *g, struct cs_operand op, int depth)
{
    if (op.kind == CS_OPND_CONST)
        return normal(0, op.pat.off);
    if (op.kind != CS_OPND_VALUE || g->values[op.id].def < 0 || depth <= 0)
        return (struct line){1, 0};
    return line_of_stmt(g, &g->stmts[g->values[op.id].def], depth);
}

/* Where behind its pointer the place is: what the index of an array that is a member adds, too. */
static struct line behind_base(const struct cs_graph *g, const struct cs_stmt *s, const struct cs_ref *r)
{
    int values = s->kind == CS_STMT_STORE ? 1 : 0;
    int64_t from = r->pat.off, size = r->size;
    if (!r->pat.stride)
        return normal(0, from);
    if (r->pat.stride != size || s->nuses + s->nidx != values + 1)
        return (struct line){1, 0};
    if (r->pat.lo != CS_OFF_MIN)
        from = r->pat.lo + ((from - r->pat.lo) % size + size) % size;
    struct line i = line_of(g, s->nidx ? cs_opnd_value(s->idx[0]) : s->uses[values], DEPTH);
    return i.step == 1 ? i : normal(i.step * size, from + i.rest * size);
}

static struct line plus(struct line a, struct line b)
{
    return normal(common(a.step, b.step), a.rest + b.rest);
}

static struct line pointer_line(const struct cs_elements *e, int func, struct cs_operand at, int depth);

/* How far behind it what all calls pass as the parameter is, if that is the same for all. */
static struct line param_line(const struct cs_elements *e, int func, int k, int depth)
{
    enum { CALLS = 8 };
    const struct cs_intlist *c = &e->callers[func];
    struct line is = {1, 0};
    for (int i = 0; depth > 0 && c->n <= CALLS && i < c->n; i++) {
        const struct cs_stmt *s = &e->g->stmts[c->a[i]];
        struct line one = k < s->nuses ? pointer_line(e, s->func, s->uses[k], depth - 1) : (struct line){1, 0};
        if (i && (one.step != is.step || one.rest != is.rest))
            return (struct line){1, 0};
        is = one;
    }
    return is;
}

/* How far the pointer is behind one that was loaded, or given by a call; step 1: that is not known. */
static struct line pointer_line(const struct cs_elements *e, int func, struct cs_operand at, int depth)
{
    const struct cs_graph *g = e->g;
    struct line sum = normal(0, 0), any = {1, 0};
    for (int i = 0; i < DEPTH && at.kind == CS_OPND_VALUE && g->values[at.id].def >= 0; i++) {
        const struct cs_stmt *s = &g->stmts[g->values[at.id].def];
        if (s->kind == CS_STMT_LOAD || s->kind == CS_STMT_CALL)
            return sum;
        if (s->kind != CS_STMT_ASSIGN || s->nuses < 1 || (s->op != CS_OP_COPY && s->op != CS_OP_PTRADD))
            return any;
        if (s->op == CS_OP_PTRADD)
            sum = plus(sum, s->nuses > 1 ? line_of(g, s->uses[1], DEPTH) : any);
        at = s->uses[0];
    }
    const struct cs_func *f = &g->funcs[func];
    for (int k = 0; at.kind == CS_OPND_VALUE && k < f->nparams; k++)
        if (f->params[k] == at.id)
            return plus(sum, param_line(e, func, k, depth));
    return any;
}

/* Is a real number stored, and a whole number or a pointer read, or the other way? The language has each read as what
 * it is; a byte may be of anything. */
static bool other_kind(const struct cs_graph *g, const struct cs_stmt *w, const struct cs_stmt *r)
{
    struct cs_operand value = w->nuses ? w->uses[0] : cs_opnd_none();
    int d = value.kind == CS_OPND_VALUE ? g->values[value.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &g->stmts[d];
    bool known = s && s->source >= 0 && r->def >= 0 && w->store.size > 1 && r->load.size > 1;
    if (!known || (s->kind != CS_STMT_LOAD && s->kind != CS_STMT_ASSIGN))
        return false;
    bool real = !s->bits && (s->kind == CS_STMT_LOAD || s->op == CS_OP_OTHER);
    bool reads_real = !r->bits && (r->load.size == sizeof(float) || r->load.size == sizeof(double));
    return r->bits ? real : s->bits && reads_real && w->store.size == r->load.size;
}

/* ---- arrays ---- */

static bool member_of(const struct cs_graph *g, struct cs_operand pointer, struct member *m)
{
    if (pointer.kind != CS_OPND_VALUE || g->values[pointer.id].def < 0)
        return false;
    const struct cs_stmt *s = &g->stmts[g->values[pointer.id].def];
    if (s->kind != CS_STMT_LOAD || s->load.base.kind != CS_OPND_VALUE || g->values[s->load.base.id].def < 0)
        return false;
    const struct cs_stmt *base = &g->stmts[g->values[s->load.base.id].def];
    if (base->kind != CS_STMT_LOAD || base->load.base.kind != CS_OPND_ADDR || base->load.pat.stride ||
        base->load.base.pat.stride || !s->load.pat.stride)
        return false;
    *m = (struct member){base->load.base.id, base->load.base.pat.off + base->load.pat.off, s->load.pat.off,
                         s->load.pat.stride};
    return true;
}

static void add_pointer(struct members *m, int func, struct cs_operand at, int call, int depth);

/* What the calls of the function pass as this parameter. */
static void add_arguments(struct members *m, int func, int k, int call, int depth)
{
    const struct cs_intlist *c = &m->callers[func];
    m->lost |= depth == 0 || (call < 0 && !c->n);
    for (int i = 0; i < (call < 0 ? c->n : 1) && !m->lost; i++) {
        const struct cs_stmt *s = &m->g->stmts[call < 0 ? c->a[i] : call];
        if (k < s->nuses)
            add_pointer(m, s->func, s->uses[k], -1, depth - 1);
        else
            m->lost = true;
    }
}

/* Follows a pointer of the function; where that is a parameter, to what the call passes, or (-1) any. */
static void add_pointer(struct members *m, int func, struct cs_operand at, int call, int depth)
{
    const struct cs_graph *g = m->g;
    const struct cs_func *f = &g->funcs[func];
    for (int i = 0; i < DEPTH && at.kind == CS_OPND_VALUE && g->values[at.id].def >= 0; i++) {
        const struct cs_stmt *d = &g->stmts[g->values[at.id].def];
        if (d->kind != CS_STMT_ASSIGN || d->nuses < 1 || (d->op != CS_OP_COPY && d->op != CS_OP_PTRADD))
            break;
        at = d->uses[0];
    }
    for (int k = 0; at.kind == CS_OPND_VALUE && k < f->nparams; k++)
        if (f->params[k] == at.id) {
            add_arguments(m, func, k, call, depth);
            return;
        }
    enum { MOST = sizeof m->a / sizeof *m->a };
    if (m->n == MOST || !member_of(g, at, &m->a[m->n]))
        m->lost = true;
    else
        m->n++;
}

static bool may_be_one(const struct member *a, const struct member *b)
{
    return a->obj != b->obj || a->obj_off != b->obj_off || a->stride != b->stride || a->off == b->off;
}

/* ---- what was found ---- */

struct cs_elements *cs_elements_start(const struct cs_graph *g, const struct cs_intlist *callers)
{
    struct cs_elements *e = cs_calloc(1, sizeof *e);
    e->g = g;
    e->callers = callers;
    e->line = cs_calloc(g->nstmts + 1, sizeof *e->line);
    e->known = cs_calloc(g->nstmts + 1, sizeof *e->known);
    for (int i = 0; i < LATEST; i++)
        e->latest[i].stmt = -1;
    return e;
}

void cs_elements_free(struct cs_elements *e)
{
    free(e->line);
    free(e->known);
    free(e);
}

static const struct cs_ref *place_of(const struct cs_stmt *s)
{
    return s->kind == CS_STMT_STORE ? &s->store : &s->load;
}

static struct line line_at(struct cs_elements *e, int stmt)
{
    enum { CALLS = 3 };
    const struct cs_stmt *s = &e->g->stmts[stmt];
    if (!e->known[stmt])
        e->line[stmt] = plus(behind_base(e->g, s, place_of(s)), pointer_line(e, s->func, place_of(s)->base, CALLS));
    e->known[stmt] = true;
    return e->line[stmt];
}

static const struct members *members_of(struct cs_elements *e, int stmt, int call)
{
    enum { CALLS = 3 };
    struct latest *l = &e->latest[cs_hash(cs_hash(0, stmt), call) % LATEST];
    if (l->stmt == stmt && l->call == call)
        return &l->members;
    const struct cs_stmt *s = &e->g->stmts[stmt];
    l->stmt = stmt;
    l->call = call;
    l->members.g = e->g;
    l->members.callers = e->callers;
    l->members.n = 0;
    l->members.lost = false;
    add_pointer(&l->members, s->func, place_of(s)->base, call, CALLS);
    return &l->members;
}

/* ---- the two questions ---- */

bool cs_elements_meet(struct cs_elements *e, int store, int load)
{
    const struct cs_stmt *w = &e->g->stmts[store], *r = &e->g->stmts[load];
    if (w->kind != CS_STMT_STORE || r->kind != CS_STMT_LOAD || w->store.size <= 0 || r->load.size <= 0)
        return true;
    if (other_kind(e->g, w, r))
        return false;
    struct line a = line_at(e, store), b = line_at(e, load);
    int64_t step = common(a.step, b.step);
    if (step <= 1)
        return true;
    int64_t by = ((b.rest - a.rest) % step + step) % step;
    return by < w->store.size || step - by < r->load.size;
}

bool cs_elements_some(struct cs_elements *e, int load)
{
    const struct cs_stmt *s = &e->g->stmts[load];
    if (s->kind != CS_STMT_LOAD || s->load.size <= 0)
        return false;
    int64_t step = line_at(e, load).step;
    return s->load.pat.stride ? step != 1 : step > s->load.size;
}

bool cs_elements_same(struct cs_elements *e, int load, int other)
{
    struct line a = line_at(e, load), b = line_at(e, other);
    return e->g->stmts[load].shape == e->g->stmts[other].shape && a.step == b.step && a.rest == b.rest &&
           e->g->stmts[load].load.size == e->g->stmts[other].load.size;
}

bool cs_arrays_meet(struct cs_elements *e, int store, int store_call, int load, int load_call)
{
    if (e->g->stmts[store].kind != CS_STMT_STORE || e->g->stmts[load].kind != CS_STMT_LOAD)
        return true;
    struct members a = *members_of(e, store, store_call);
    if (a.lost || !a.n)
        return true;
    const struct members *b = members_of(e, load, load_call);
    if (b->lost || !b->n)
        return true;
    for (int i = 0; i < a.n; i++)
        for (int k = 0; k < b->n; k++)
            if (may_be_one(&a.a[i], &b->a[k]))
                return true;
    return false;
}
