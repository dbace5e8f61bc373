/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares what branches ask for with what is stored in the variables that all calls pass, also by descriptors of
 * Fortran, which are variables of who calls; never_stored.h. */
#include "slicer/advise/never_stored.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/pointer_paths.h"
#include "slicer/graph/storage.h"

/* Limits. */
enum {
    DEPTH = 40,  /* statements and calls that are followed */
    STEPS = 4000 /* of one branch */
};

/* Where a pointer may point: so many places in variables; lost: elsewhere, too. */
struct places {
    struct place {
        int obj;
        int64_t off;
    } a[32];
    int n;
    bool lost;
};
/* The stores to each variable by its name, as a list by next[statement]. of values: which number each is, if it is
 * known to be one; steps: that are left for this branch. */
struct stores {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    int *of, *next;
    struct number {
        enum { NOT_YET, ASKED, FOUND, LOST } known;
        int64_t is;
    } * numbers;
    int steps;
    int nthrough, athrough; /* places that are written through a pointer, or by what has no body: stmt -1 */
    struct through {
        struct place at;
        int stmt;
    } * through;
    bool through_known;
    bool **open; /* by function, on first use: its blocks that control comes to by branches on such numbers */
};

static bool number_of(struct stores *s, struct cs_operand op, int depth, int64_t *is);

static bool step(struct stores *s)
{
    s->steps -= s->steps > 0;
    return s->steps > 0;
}

static void add_place(struct places *p, int obj, int64_t off)
{
    enum { MOST = sizeof p->a / sizeof *p->a };
    for (int i = 0; i < p->n; i++)
        if (p->a[i].obj == obj && p->a[i].off == off)
            return;
    p->lost |= p->n == MOST;
    if (!p->lost)
        p->a[p->n++] = (struct place){obj, off};
}

static void add_places(struct stores *s, struct places *p, int func, struct cs_operand op, int64_t off, int depth);

/* What all calls pass as this parameter. */
static void add_arguments(struct stores *s, struct places *p, int func, int k, int64_t off, int depth)
{
    const struct cs_intlist *calls = &s->callers[func];
    p->lost |= k < 0 || !calls->n;
    for (int i = 0; !p->lost && i < calls->n; i++) {
        const struct cs_stmt *c = &s->g->stmts[calls->a[i]];
        if (k < c->nuses)
            add_places(s, p, c->func, c->uses[k], off, depth - 1);
        else
            p->lost = true;
    }
}

/* Does the statement store all of the place, and not only a part of it, or other elements too? */
static bool stores_all(const struct cs_stmt *st, int64_t off, int64_t size)
{
    struct cs_pattern to = cs_pat_compose(st->store.base.pat, st->store.pat);
    return !to.stride && to.off == off && st->store.size == size && !st->partial;
}

/* The next store to the place, from this one on; -1. */
static int next_store(const struct stores *s, int stmt, const struct place *at, int64_t size)
{
    for (; stmt >= 0; stmt = s->next[stmt]) {
        const struct cs_stmt *st = &s->g->stmts[stmt];
        struct cs_pattern to = cs_pat_compose(st->store.base.pat, st->store.pat);
        if (cs_pat_overlap(to, st->store.size, cs_pat_at(at->off), size))
            break;
    }
    return stmt;
}

/* Is it a variable that only its Fortran function writes, as a descriptor that it passes? */
static bool is_described(const struct stores *s, const struct place *at)
{
    const struct cs_obj *o = &s->g->objs[at->obj];
    return o->kind == CS_OBJ_LOCAL && o->func >= 0 && s->g->funcs[o->func].fortran && !o->ninits && s->of[at->obj] >= 0;
}

/* Where the pointers point that are stored where the load reads one. */
static void add_stored(struct stores *s, struct places *p, const struct cs_stmt *load, int64_t off, int depth)
{
    struct places from = {0};
    int64_t size = load->load.size;
    if (!load->load.pat.stride && !load->nuses && size > 0)
        add_places(s, &from, load->func, load->load.base, load->load.pat.off, depth - 1);
    p->lost |= from.lost || !from.n;
    for (int i = 0; i < from.n && !p->lost; i++) {
        const struct place *at = &from.a[i];
        int st = is_described(s, at) ? next_store(s, s->of[at->obj], at, size) : -1;
        p->lost |= st < 0;
        for (; st >= 0 && !p->lost; st = next_store(s, s->next[st], at, size))
            if (stores_all(&s->g->stmts[st], at->off, size))
                add_places(s, p, s->g->stmts[st].func, s->g->stmts[st].uses[0], off, depth - 1);
            else
                p->lost = true;
    }
}

/* Does what is compared with a number in the branch decide that control does not go by its edge i? */
static bool is_shut(struct stores *s, const struct cs_stmt *branch, int i, int depth)
{
    int64_t a, b;
    bool asks = branch && branch->kind == CS_STMT_COND && (branch->op == CS_OP_EQ || branch->op == CS_OP_NE) &&
                branch->nuses == 2 && i < 2;
    if (!asks || !number_of(s, branch->uses[0], depth, &a) || !number_of(s, branch->uses[1], depth, &b))
        return false;
    return ((a == b) == (branch->op == CS_OP_EQ)) != (i == 0);
}

/* The blocks of the function that control comes to, as far as such numbers say. */
static const bool *open_blocks(struct stores *s, int func, int depth)
{
    const struct cs_func *f = &s->g->funcs[func];
    struct cs_intlist work = {0};
    if (s->open[func])
        return s->open[func];
    bool *open = s->open[func] = cs_calloc(f->nblocks + 1, sizeof *open);
    open[0] = true;
    for (cs_intlist_add(&work, 0); work.n;) {
        int b = work.a[--work.n], c = cs_block_branch(s->g, func, b);
        const struct cs_stmt *branch = c < 0 ? NULL : &s->g->stmts[c];
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            int to = f->blocks[b].succs[i];
            if (to < 0 || open[to] || is_shut(s, branch, i, depth))
                continue;
            open[to] = true;
            cs_intlist_add(&work, to);
        }
    }
    cs_intlist_free(&work);
    return open;
}

/* Where the pointers point that meet there, as one to an array and one to a copy of it. */
static void add_met(struct stores *s, struct places *p, const struct cs_stmt *phi, int64_t off, int depth)
{
    const bool *open = open_blocks(s, phi->func, depth - 1);
    for (int i = 0; i < phi->nuses && !p->lost; i++)
        if (open[phi->phi_preds[i]])
            add_places(s, p, phi->func, phi->uses[i], off, depth - 1);
}

static void add_places(struct stores *s, struct places *p, int func, struct cs_operand op, int64_t off, int depth)
{
    int64_t by = 0;
    p->lost |= depth <= 0 || !step(s);
    if (p->lost)
        return;
    op = cs_moved_from(s->g, op);
    if (op.kind == CS_OPND_ADDR && !op.pat.stride) {
        add_place(p, op.id, off + op.pat.off);
        return;
    }
    int d = op.kind == CS_OPND_VALUE ? s->g->values[op.id].def : -1;
    const struct cs_stmt *st = d < 0 ? NULL : &s->g->stmts[d];
    if (op.kind == CS_OPND_VALUE && !st)
        add_arguments(s, p, func, cs_param_number(s->g, func, op), off, depth);
    else if (st && st->kind == CS_STMT_LOAD)
        add_stored(s, p, st, off, depth);
    else if (st && st->kind == CS_STMT_PHI)
        add_met(s, p, st, off, depth);
    else if (st && st->kind == CS_STMT_ASSIGN && st->op == CS_OP_FIELD && st->nuses == 1 && !st->load.pat.stride)
        add_places(s, p, func, st->uses[0], off + st->load.pat.off, depth - 1);
    else if (st && st->kind == CS_STMT_ASSIGN && st->op == CS_OP_PTRADD && st->nuses == 2 &&
             number_of(s, st->uses[1], depth - 1, &by))
        add_places(s, p, func, st->uses[0], off + by, depth - 1);
    else
        p->lost = true;
}

/* Is one number stored, by all stores, where the load reads? */
static bool number_stored(struct stores *s, const struct cs_stmt *load, int depth, int64_t *is)
{
    struct places from = {0};
    int64_t size = load->load.size, one;
    int n = 0;
    if (load->load.pat.stride || load->nuses || size <= 0)
        return false;
    add_places(s, &from, load->func, load->load.base, load->load.pat.off, depth - 1);
    bool same = !from.lost;
    for (int i = 0; i < from.n && same; i++) {
        const struct place *at = &from.a[i];
        int st = is_described(s, at) ? next_store(s, s->of[at->obj], at, size) : -1;
        same = st >= 0;
        for (; st >= 0 && same; st = next_store(s, s->next[st], at, size)) {
            same = stores_all(&s->g->stmts[st], at->off, size) &&
                   number_of(s, s->g->stmts[st].uses[0], depth - 1, &one) && (!n || one == *is);
            *is = same ? one : *is;
            n++;
        }
    }
    return same && n;
}

/* Are all values that meet there one number? */
static bool number_met(struct stores *s, const struct cs_stmt *phi, int depth, int64_t *is)
{
    int64_t one;
    for (int i = 0; i < phi->nuses; i++) {
        if (!number_of(s, phi->uses[i], depth - 1, &one) || (i && one != *is))
            return false;
        *is = one;
    }
    return phi->nuses > 0;
}

static bool number_made(struct stores *s, const struct cs_stmt *st, int depth, int64_t *is)
{
    enum { LARGE = 1 << 20 };
    int64_t a, b = 0;
    if (st->kind == CS_STMT_LOAD)
        return number_stored(s, st, depth, is);
    if (st->kind == CS_STMT_PHI)
        return number_met(s, st, depth, is);
    bool plain = st->kind == CS_STMT_ASSIGN && st->nuses >= 1 && st->nuses <= 2 &&
                 number_of(s, st->uses[0], depth - 1, &a) &&
                 (st->nuses < 2 || number_of(s, st->uses[1], depth - 1, &b));
    if (!plain || a > LARGE || a < -LARGE || b > LARGE || b < -LARGE)
        return false;
    switch (st->op) {
    case CS_OP_EQ: *is = a == b; return st->nuses == 2;
    case CS_OP_NE: *is = a != b; return st->nuses == 2;
    case CS_OP_COPY: *is = a; return st->nuses == 1;
    case CS_OP_ADD: *is = a + b; return st->nuses == 2;
    case CS_OP_SUB: *is = a - b; return st->nuses == 2;
    case CS_OP_MUL: *is = a * b; return st->nuses == 2;
    default: return false;
    }
}

static bool number_of(struct stores *s, struct cs_operand op, int depth, int64_t *is)
{
    *is = op.pat.off;
    if (op.kind == CS_OPND_CONST)
        return true;
    int d = op.kind == CS_OPND_VALUE ? s->g->values[op.id].def : -1;
    struct number *n = d < 0 ? NULL : &s->numbers[op.id];
    if (!n || depth <= 0 || !step(s))
        return false;
    if (n->known == NOT_YET) {
        int64_t found = 0;
        n->known = ASKED;
        bool known = number_made(s, &s->g->stmts[d], depth, &found);
        *n = (struct number){known ? FOUND : LOST, found};
    }
    *is = n->is;
    return n->known == FOUND;
}

static void note_through(struct stores *s, int func, struct cs_operand pointer, int64_t off, int stmt)
{
    enum { FEW = 400 };
    struct places p = {0};
    s->steps = FEW;
    add_places(s, &p, func, pointer, off, DEPTH);
    for (int i = 0; i < p.n; i++) {
        CS_GROW(s->through, s->nthrough, s->athrough);
        s->through[s->nthrough++] = (struct through){p.a[i], stmt};
    }
}

/* Does the call go to what has no body, and may write more than zeros where its arguments point? */
static bool calls_unseen(const struct stores *s, const struct cs_stmt *st)
{
    if (st->kind != CS_STMT_CALL || st->callee.kind != CS_OPND_ADDR || s->g->objs[st->callee.id].kind != CS_OBJ_FUNC)
        return false;
    int f = s->g->objs[st->callee.id].func;
    const char *name = cs_obj_name(s->g, st->callee.id);
    return (f < 0 || !s->g->funcs[f].nblocks) && strcmp(name, "memset") && !strstr(name, "_write");
}

/* Finds what is written through pointers, as a variable that is handed over to be set. */
static void find_through(struct stores *s)
{
    int steps = s->steps;
    s->through_known = true;
    for (int i = 0; i < s->g->nstmts; i++) {
        const struct cs_stmt *st = &s->g->stmts[i];
        if (st->kind == CS_STMT_STORE && st->store.base.kind == CS_OPND_VALUE && !st->store.pat.stride)
            note_through(s, st->func, st->store.base, st->store.pat.off, i);
        for (int k = 0; calls_unseen(s, st) && k < st->nuses; k++)
            if (st->uses[k].kind == CS_OPND_ADDR || st->uses[k].kind == CS_OPND_VALUE)
                note_through(s, st->func, st->uses[k], 0, -1);
    }
    s->steps = steps;
}

/* Is it written there through a pointer, what may be the number? */
static bool may_be_through(struct stores *s, const struct place *at, int64_t number)
{
    if (!s->through_known)
        find_through(s);
    for (int i = 0; i < s->nthrough; i++) {
        const struct through *w = &s->through[i];
        const struct cs_operand *is = w->stmt < 0 ? NULL : &s->g->stmts[w->stmt].uses[0];
        if (w->at.obj == at->obj && w->at.off == at->off && (!is || is->kind != CS_OPND_CONST || is->pat.off == number))
            return true;
    }
    return false;
}

/* May the number be stored there? */
static bool may_be(struct stores *s, const struct place *at, int64_t size, int64_t number)
{
    const struct cs_obj *o = &s->g->objs[at->obj];
    for (int i = 0; i < o->ninits; i++)
        if (o->inits[i].off == at->off && (o->inits[i].val.kind != CS_OPND_CONST || o->inits[i].val.pat.off == number))
            return true;
    for (int i = next_store(s, s->of[at->obj], at, size); i >= 0; i = next_store(s, s->next[i], at, size)) {
        const struct cs_operand *is = &s->g->stmts[i].uses[0];
        if (is->kind != CS_OPND_CONST || is->pat.off == number)
            return true;
    }
    return may_be_through(s, at, number);
}

/* The edge of the branch by which control never goes, -1. */
static int never_taken(struct stores *s, const struct cs_stmt *b)
{
    const struct cs_graph *g = s->g;
    bool asks = b->kind == CS_STMT_COND && b->nuses == 2 && (b->op == CS_OP_EQ || b->op == CS_OP_NE) &&
                b->uses[0].kind == CS_OPND_VALUE && b->uses[1].kind == CS_OPND_CONST && b->uses[1].pat.off;
    int d = asks ? g->values[b->uses[0].id].def : -1;
    const struct cs_stmt *load = d < 0 ? NULL : &g->stmts[d];
    if (!load || load->kind != CS_STMT_LOAD || load->load.pat.stride || load->nuses || load->load.size <= 0 ||
        load->load.base.kind != CS_OPND_VALUE)
        return -1;
    struct places p = {0};
    s->steps = STEPS;
    add_places(s, &p, b->func, load->load.base, load->load.pat.off, DEPTH);
    bool may = p.lost || !p.n;
    for (int i = 0; i < p.n && !may; i++)
        may = may_be(s, &p.a[i], load->load.size, b->uses[1].pat.off);
    return may ? -1 : b->op == CS_OP_EQ ? 0 : 1;
}

void cs_never_stored(const struct cs_graph *g, const struct cs_intlist *callers, const int *first, unsigned char *edges)
{
    struct stores s = {.g = g,
                       .callers = callers,
                       .of = cs_calloc(g->nobjs + 1, sizeof(int)),
                       .next = cs_calloc(g->nstmts + 1, sizeof(int)),
                       .numbers = cs_calloc(g->nvalues + 1, sizeof(struct number)),
                       .open = cs_calloc(g->nfuncs + 1, sizeof(bool *))};
    memset(s.of, -1, g->nobjs * sizeof *s.of);
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *st = &g->stmts[i];
        if (st->kind != CS_STMT_STORE || st->store.base.kind != CS_OPND_ADDR)
            continue;
        s.next[i] = s.of[st->store.base.id];
        s.of[st->store.base.id] = i;
    }
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++) {
            int branch = cs_block_branch(g, f, b), edge = branch < 0 ? -1 : never_taken(&s, &g->stmts[branch]);
            if (edge >= 0)
                edges[first[f] + b] |= 1 << edge;
        }
    free(s.of);
    free(s.next);
    free(s.numbers);
    free(s.through);
    for (int f = 0; f < g->nfuncs; f++)
        free(s.open[f]);
    free(s.open);
}
