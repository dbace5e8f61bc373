/* SPDX-License-Identifier: GPL-3.0-or-later
 * Value numbering of the slice: of kept statements that compute the same, or read a place that nothing changes in
 * between, one is enough, and a number that is known needs none. What the program had to load anew after each message,
 * the slice need not: it knows which messages are not transmitted. After Click, "Global Code Motion / Global Value
 * Numbering", 1995: where no member of a class comes before all the others, it moves to the nearest block that does, if
 * it cannot trap. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "slicer/control/dom.h"

#define MAX_KEY 32  /* numbers in a key: statements with more operands stay alone */
#define MAX_TRIED 6 /* earlier statements that one load is compared with */

/* A statement of a class, the block where it runs, and the value that it makes (a store: what it stores). */
struct member {
    int stmt, block;
    bool free; /* no matter when it runs */
    struct cs_operand value;
};
/* Statements that compute or read the same, if memory stays as it is, in the order in which they were seen. The key:
 * shape, operands, zeros. */
struct class {
    struct member *m;
    int n, cap;
    UT_hash_handle hh;
    int64_t key[MAX_KEY];
};

/* The numbering of one function after another; dom and classes are those of the current one. */
struct numbering {
    struct cs_live *l;
    struct cs_stable *st;
    struct cs_dom dom;
    struct class *classes;
    struct cs_operand *number; /* of each value: what stands for it in keys, NONE for itself */
    bool rounding; /* may change while the program runs: what the graph shows of an operation on reals is not all */
    bool any;
};

/* ---- known numbers ---- */

static bool set_same(struct numbering *nb, int v, struct cs_operand same)
{
    assert(same.kind == CS_OPND_CONST || (same.kind == CS_OPND_VALUE && same.id != v));
    nb->l->g->values[v].same = nb->number[v] = same;
    nb->any = true;
    return true;
}

static bool is_known(struct numbering *nb, const struct cs_stmt *s)
{
    int64_t c;
    if (s->def < 0 || !cs_pts_constant(nb->l->pts, cs_opnd_value(s->def), &c) || !cs_fits(c, s->bits))
        return false;
    return set_same(nb, s->def, cs_opnd_const(c));
}

/* ---- classes ---- */

static void number_address(struct numbering *nb, int id);

/* What stands for an operand. */
static struct cs_operand number_of(struct numbering *nb, struct cs_operand op)
{
    if (op.kind != CS_OPND_VALUE)
        return op;
    int d = nb->l->g->values[op.id].def;
    if (nb->number[op.id].kind == CS_OPND_NONE && d >= 0 && nb->l->g->stmts[d].source < 0)
        number_address(nb, d);
    return nb->number[op.id].kind == CS_OPND_NONE ? op : nb->number[op.id];
}

static void add_pattern(int64_t *key, int *n, struct cs_pattern pat)
{
    assert(*n + 4 <= MAX_KEY);
    key[(*n)++] = pat.off;
    key[(*n)++] = pat.stride;
    key[(*n)++] = pat.lo;
    key[(*n)++] = pat.hi;
}

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

/* The class of a load or assignment, or of loads from where a store goes; NULL if it cannot be compared. */
static struct class *class_of(struct numbering *nb, const struct cs_stmt *s)
{
    int64_t key[MAX_KEY] = {s->shape};
    int n = 1;
    struct class *c;
    bool store = s->kind == CS_STMT_STORE, ok = true;
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

/* Makes the member run early enough for the block, which it does not dominate. */
static bool move_up(struct numbering *nb, struct member *m, int block)
{
    struct cs_stmt *s = &nb->l->g->stmts[m->stmt];
    if (!s->anywhere)
        return false;
    m->block = s->move_to = cs_dom_common(&nb->dom, m->block, block);
    assert(cs_dom_dominates(&nb->dom, m->block, block) && cs_dom_dominates(&nb->dom, m->block, s->block));
    return true;
}

/* Statements are seen in reverse postorder, so a member of the same block comes first, and none moves to the end of a
 * block with a later member. */
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

/* What was stored is what will be loaded. */
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

/* The address in a statement of the program is a statement of its own in the graph alone: it is numbered when another's
 * key needs it. */
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

/* Control that the graph does not show, and functions that run at any time, are left alone. */
static bool eligible(struct cs_live *l, int func)
{
    const struct cs_func *f = &l->g->funcs[func];
    if (!f->defined || !f->needed || f->keep_all || f->comes_back || l->fi[func].whole || l->fi[func].async ||
        !cs_pts_func_reached(l->pts, func))
        return false;
    cs_flow_preds(l, func);
    return !l->fi[func].catches;
}

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

/* Rows say `keep` of what changes the rounding of reals; assembly, and what nobody describes, may. */
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
