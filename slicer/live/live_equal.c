/* SPDX-License-Identifier: GPL-3.0-or-later
 * Value numbering of the slice. If several kept statements compute the same, or read a place that nothing changes in
 * between, one of them is enough. A value that is a known number needs no statement. The program must load a place anew
 * after each message that may change it; the slice need not do so after a message that it does not transmit.
 * The method is that of Click, "Global Code Motion / Global Value Numbering", 1995: if no member of a class dominates
 * the others, one moves to the nearest block that does, provided that it cannot trap. */
#include "slicer/live/live_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "slicer/control/dom.h"

#define MAX_KEY 32  /* numbers in a key; a statement whose operands need more is in no class */
#define MAX_TRIED 6 /* how many members of its class one load is compared with, the last ones first */

/* A statement of a class, the block where it runs (its own, or move_to), and the value that it makes or, if it is a
 * store, the value that it stores. */
struct member {
    int stmt, block;
    bool free; /* its value is the same at whatever time it runs in the function */
    struct cs_operand value;
};
/* A class: statements of one function that compute or read the same, as long as memory stays as it is. m[n] are in the
 * order in which they were seen; the class owns them. The key is MAX_KEY numbers: the shape, then the operands
 * (add_operand), the pattern of an address, and zeros up to the end. */
struct class {
    struct member *m;
    int n, cap;
    UT_hash_handle hh;
    int64_t key[MAX_KEY];
};

/* The numbering of the whole program, one function after the other. `dom` and `classes` (by key) belong to the current
 * function. It owns all but `l`. */
struct numbering {
    struct cs_live *l;
    struct cs_stable *st;
    struct cs_dom dom;
    struct class *classes;
    struct cs_operand *number; /* indexed by value: what stands for it in keys; NONE: the value itself */
    bool rounding; /* the program may change how reals are rounded, so that equal operations on them may differ */
    bool any;      /* set_same() has been called */
};

/* ---- known numbers ---- */

/* Decides that `same` stands for value v, in the slice and in keys. Always true, which callers return. */
static bool set_same(struct numbering *nb, int v, struct cs_operand same)
{
    assert(same.kind == CS_OPND_CONST || (same.kind == CS_OPND_VALUE && same.id != v));
    nb->l->g->values[v].same = nb->number[v] = same;
    nb->any = true;
    return true;
}

/* Is the result of s a known number? Then that number stands for it from here on. */
static bool is_known(struct numbering *nb, const struct cs_stmt *s)
{
    int64_t c;
    if (s->def < 0 || !cs_pts_constant(nb->l->pts, cs_opnd_value(s->def), &c) || !cs_fits(c, s->bits))
        return false;
    return set_same(nb, s->def, cs_opnd_const(c));
}

/* ---- classes ---- */

static void number_address(struct numbering *nb, int id);

/* What stands for an operand in keys. If a pseudo statement makes the operand, it is numbered first. */
static struct cs_operand number_of(struct numbering *nb, struct cs_operand op)
{
    if (op.kind != CS_OPND_VALUE)
        return op;
    int d = nb->l->g->values[op.id].def;
    if (nb->number[op.id].kind == CS_OPND_NONE && d >= 0 && nb->l->g->stmts[d].source < 0)
        number_address(nb, d);
    return nb->number[op.id].kind == CS_OPND_NONE ? op : nb->number[op.id];
}

/* Appends the four numbers of a pattern to the key, which has *n numbers; there must be room. */
static void add_pattern(int64_t *key, int *n, struct cs_pattern pat)
{
    assert(*n + 4 <= MAX_KEY);
    key[(*n)++] = pat.off;
    key[(*n)++] = pat.stride;
    key[(*n)++] = pat.lo;
    key[(*n)++] = pat.hi;
}

/* Appends an operand to the key, which has *n numbers. An operand takes up to 6; room for one more pattern stays. False
 * if there is too little room, or if the operand is NONE. */
static bool add_operand(struct numbering *nb, int64_t *key, int *n, struct cs_operand op)
{
    op = number_of(nb, op);
    if (*n + 10 > MAX_KEY || op.kind == CS_OPND_NONE)
        return false;
    key[(*n)++] = op.kind;
    key[(*n)++] = op.kind == CS_OPND_CONST ? op.pat.off : op.id;
    if (op.kind == CS_OPND_ADDR)
        add_pattern(key, n, op.pat);
    return true;
}

/* The class of a load or assignment, made if there is none; for a store, the class of the loads from its place. NULL if
 * the statement cannot be compared. A statement without a shape is an address (number_address): its pattern is part of
 * the key. */
static struct class *class_of(struct numbering *nb, const struct cs_stmt *s)
{
    int64_t key[MAX_KEY] = {s->shape};
    int n = 1;
    struct class *c;
    bool store = s->kind == CS_STMT_STORE, ok = true;
    assert(s->shape >= 0 || s->op == CS_OP_FIELD);
    if (store)
        ok = add_operand(nb, key, &n, s->store.base);
    if (s->kind == CS_STMT_LOAD)
        ok = add_operand(nb, key, &n, s->load.base);
    for (int i = store; i < s->nuses && ok; i++)
        ok = add_operand(nb, key, &n, s->uses[i]);
    for (int i = 0; i < s->nidx && ok; i++)
        ok = add_operand(nb, key, &n, cs_opnd_value(s->idx[i]));
    if (s->shape < 0)
        add_pattern(key, &n, s->load.pat);
    if (!ok)
        return NULL;
    HASH_FIND(hh, nb->classes, key, sizeof key, c);
    if (c)
        return c;
    c = cs_calloc(1, sizeof *c);
    memcpy(c->key, key, sizeof key);
    HASH_ADD(hh, nb->classes, key, sizeof key, c);
    return c;
}

static void free_classes(struct numbering *nb)
{
    struct class *c, *next;
    HASH_ITER (hh, nb->classes, c, next) {
        HASH_DEL(nb->classes, c);
        free(c->m);
        free(c);
    }
    nb->classes = NULL;
}

static void add_member(struct class *c, int stmt, int block, bool free_, struct cs_operand value)
{
    CS_GROW(c->m, c->n, c->cap);
    c->m[c->n++] = (struct member){stmt, block, free_, value};
}

/* ---- one statement ---- */

/* Moves the member up, to the nearest block that dominates both its block and `block`. `block` is the one whose
 * statements are being numbered, and the member's does not dominate it. False if the statement must stay put. */
static bool move_up(struct numbering *nb, struct member *m, int block)
{
    struct cs_stmt *s = &nb->l->g->stmts[m->stmt];
    if (!s->anywhere)
        return false;
    m->block = s->move_to = cs_dom_common(&nb->dom, m->block, block);
    assert(cs_dom_dominates(&nb->dom, m->block, block) && cs_dom_dominates(&nb->dom, m->block, s->block));
    assert(nb->dom.num[m->block] < nb->dom.num[block]);
    return true;
}

/* Lets a member of the class that may run at any time stand for the result of s; false if there is none. Blocks are
 * numbered in reverse postorder. So a member in the same block runs first, and a member moves only to the end of a
 * block whose statements have all been numbered. */
static bool same_at_any_time(struct numbering *nb, struct class *c, const struct cs_stmt *s)
{
    for (int i = 0; i < c->n; i++) {
        struct member *m = &c->m[i];
        if (!m->free || (!cs_dom_dominates(&nb->dom, m->block, s->block) && !move_up(nb, m, s->block)))
            continue;
        return set_same(nb, s->def, m->value);
    }
    return false;
}

/* The same for a load, statement `id`, whose place may change: the member must dominate it, and nothing may change the
 * place between the two. A number must fit the load's type. */
static bool same_since(struct numbering *nb, struct class *c, const struct cs_stmt *s, int id)
{
    for (int i = c->n - 1, left = MAX_TRIED; i >= 0 && left; i--, left--) {
        const struct member *m = &c->m[i];
        bool number = m->value.kind != CS_OPND_CONST || cs_fits(m->value.pat.off, s->bits);
        if (m->free || !number || !cs_dom_dominates(&nb->dom, m->block, s->block) ||
            !cs_stable_since(nb->st, id, m->stmt))
            continue;
        return set_same(nb, s->def, m->value);
    }
    return false;
}

/* Numbers the result of an assignment or load: a known number or another statement's value stands for it, or it becomes
 * a member of its class. */
static void number_result(struct numbering *nb, int id)
{
    const struct cs_stmt *s = &nb->l->g->stmts[id];
    if (s->def < 0 || is_known(nb, s) || (nb->rounding && s->kind == CS_STMT_ASSIGN && !s->bits))
        return;
    struct class *c = s->shape >= 0 ? class_of(nb, s) : NULL;
    if (!c)
        return;
    bool any_time = s->kind == CS_STMT_ASSIGN || cs_stable_in_function(nb->st, id);
    if (any_time ? same_at_any_time(nb, c, s) : same_since(nb, c, s, id))
        return;
    add_member(c, id, s->block, any_time, cs_opnd_value(s->def));
}

/* Makes a store a member of the class of loads from its place: such a load gives the value that was stored. That value
 * must be a number, or made by a statement of the program. */
static void number_store(struct numbering *nb, int id)
{
    const struct cs_stmt *s = &nb->l->g->stmts[id];
    if (s->shape < 0 || s->partial || !s->nuses)
        return;
    struct cs_operand value = number_of(nb, s->uses[0]);
    int d = value.kind == CS_OPND_VALUE ? nb->l->g->values[value.id].def : -1;
    bool usable = value.kind == CS_OPND_CONST || (d >= 0 && nb->l->g->stmts[d].source >= 0);
    struct class *c = usable ? class_of(nb, s) : NULL;
    if (c)
        add_member(c, id, s->block, false, value);
}

/* Numbers an address. In the graph, an address that is part of a statement of the program is a pseudo statement of its
 * own. It is numbered only when the key of another statement needs it: the first member of its class stands for it in
 * keys, and nothing changes in the slice. */
static void number_address(struct numbering *nb, int id)
{
    const struct cs_stmt *s = &nb->l->g->stmts[id];
    if (s->kind != CS_STMT_ASSIGN || s->op != CS_OP_FIELD || s->def < 0)
        return;
    struct class *c = class_of(nb, s);
    if (!c)
        return;
    if (!c->n)
        add_member(c, id, s->block, false, cs_opnd_value(s->def));
    nb->number[s->def] = c->m[0].value;
}

/* Numbers a statement of the program, if it is kept and of a kind that has a class or can be a known number. */
static void number_stmt(struct numbering *nb, int id)
{
    const struct cs_stmt *s = &nb->l->g->stmts[id];
    if (!s->keep || s->source < 0)
        return;
    switch (s->kind) {
    case CS_STMT_ASSIGN:
    case CS_STMT_LOAD: number_result(nb, id); break;
    case CS_STMT_PHI: is_known(nb, s); break;
    case CS_STMT_STORE: number_store(nb, id); break;
    default: break;
    }
}

/* ---- functions ---- */

/* Is the function to be numbered? It is left alone if the graph does not show its control flow in full (keep_all,
 * setjmp, exception edges), if it may run at any time, if nothing or all of it is kept, and if nothing calls it. */
static bool eligible(struct cs_live *l, int func)
{
    const struct cs_func *f = &l->g->funcs[func];
    if (!f->defined || !f->needed || f->keep_all || f->comes_back || l->fi[func].whole || l->fi[func].async ||
        l->fi[func].team || !cs_pts_func_reached(l->pts, func))
        return false;
    cs_flow_preds(l, func);
    return !l->fi[func].catches;
}

/* Lists in f->moved the statements that move, in the order in which they run: reverse postorder of their own blocks. */
static void note_moved(struct numbering *nb, int func)
{
    struct cs_func *f = &nb->l->g->funcs[func];
    for (int i = 0; i < nb->dom.n; i++) {
        const struct cs_block *b = &f->blocks[nb->dom.order[i]];
        for (int k = 0; k < b->nstmts; k++)
            if (nb->l->g->stmts[b->stmts[k]].move_to >= 0)
                cs_intlist_add(&f->moved, b->stmts[k]);
    }
}

static void number_function(struct numbering *nb, int func)
{
    const struct cs_func *f = &nb->l->g->funcs[func];
    assert(!nb->classes);
    cs_dom_compute(nb->l->g, func, &nb->dom);
    for (int i = 0; i < nb->dom.n; i++)
        for (int k = 0; k < f->blocks[nb->dom.order[i]].nstmts; k++)
            number_stmt(nb, f->blocks[nb->dom.order[i]].stmts[k]);
    note_moved(nb, func);
    free_classes(nb);
    cs_dom_free(&nb->dom);
}

/* May the program change how reals are rounded? Library functions that do so have `keep` in their row of the effects
 * table; assembly and opaque functions may do so, too. */
static bool rounding_changes(struct cs_live *l)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if ((m->opaque || (m->fx && m->fx->keep)) && cs_live_reachable_stmt(l, m->stmt))
            return true;
    }
    for (int s = 0; s < l->g->nstmts; s++)
        if (l->g->stmts[s].kind == CS_STMT_ASM && cs_live_reachable_stmt(l, s))
            return true;
    return false;
}

bool cs_live_equal(struct cs_live *l)
{
    struct numbering nb = {.l = l, .st = cs_stable_new(l), .rounding = rounding_changes(l)};
    nb.number = cs_calloc(l->g->nvalues + 1, sizeof *nb.number);
    for (int f = 0; f < l->g->nfuncs; f++)
        if (eligible(l, f))
            number_function(&nb, f);
    cs_stable_free(nb.st);
    free(nb.number);
    return nb.any;
}
