/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares where a function stores and reads through the same pointer; rewritten.h. */
#include "slicer/advise/rewritten.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

int cs_pointer_origin(const struct cs_graph *g, int value)
{
    enum { STEPS = 20 };
    for (int i = 0; i < STEPS && g->values[value].def >= 0; i++) {
        const struct cs_stmt *s = &g->stmts[g->values[value].def];
        bool steps = s->op == CS_OP_PTRADD && s->nuses > 1 && s->uses[1].kind == CS_OPND_VALUE;
        bool moves = s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_COPY || steps);
        if (!moves || !s->nuses || s->uses[0].kind != CS_OPND_VALUE)
            break;
        value = s->uses[0].id;
    }
    return value;
}

/* The first value of those that are made from one pointer, or from what is loaded from where that is. */
static int origin(const struct cs_rewritten *r, int value)
{
    return r->alike[cs_pointer_origin(r->g, value)];
}

/* A place in a function from which pointers are loaded. */
struct pointer_place {
    const struct cs_graph *g;
    int func;
    const struct cs_ref *ref;
};

/* The place's base: a value, or an object behind these. */
static int base_of(const struct pointer_place *p)
{
    const struct cs_operand *b = &p->ref->base;
    return b->kind == CS_OPND_VALUE ? cs_pointer_origin(p->g, b->id) : p->g->nvalues + b->id;
}

static bool same_pointer(const void *what, int value, int unused)
{
    const struct pointer_place *p = what;
    const struct cs_stmt *s = &p->g->stmts[p->g->values[value].def];
    struct pointer_place other = {p->g, s->func, &s->load};
    (void)unused;
    return s->func == p->func && s->load.pat.off == p->ref->pat.off && s->load.size == p->ref->size &&
           base_of(&other) == base_of(p);
}

/* Can the place be one from which a pointer is loaded: a variable or member? */
static bool is_pointer_place(const struct cs_ref *r)
{
    return (r->base.kind == CS_OPND_VALUE || r->base.kind == CS_OPND_ADDR) && !r->pat.stride && r->size == 8;
}

/* Finds pointers that are loaded again, and stores to where they are loaded from. */
static void find_alike(struct cs_rewritten *r)
{
    const struct cs_graph *g = r->g;
    struct cs_pairset known = {0};
    for (int v = 0; v < g->nvalues; v++) {
        r->alike[v] = v;
        r->moved[v] = -1;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < g->nstmts; s++) {
            const struct cs_stmt *st = &g->stmts[s];
            bool loads = st->kind == CS_STMT_LOAD && st->def >= 0 && !st->nuses;
            struct pointer_place p = {g, st->func, loads ? &st->load : &st->store};
            if ((pass ? !st->keep || st->kind != CS_STMT_STORE : !loads) || !is_pointer_place(p.ref))
                continue;
            uint32_t h = cs_hash(cs_hash(cs_hash(0, st->func), base_of(&p)), p.ref->pat.off);
            int first = cs_pairset_find(&known, h, same_pointer, &p);
            if (pass && first >= 0) {
                r->moved_next[s] = r->moved[first];
                r->moved[first] = s;
            } else if (!pass && first >= 0)
                r->alike[st->def] = first;
            else if (!pass)
                cs_pairset_add(&known, h, st->def, 0);
        }
    cs_pairset_free(&known);
}

int *cs_pointers_alike(const struct cs_graph *g)
{
    struct cs_rewritten r = {.g = g, .alike = cs_calloc(g->nvalues + 1, sizeof *r.alike)};
    r.moved = cs_calloc(g->nvalues + 1, sizeof *r.moved);
    r.moved_next = cs_calloc(g->nstmts + 1, sizeof *r.moved_next);
    find_alike(&r);
    free(r.moved);
    free(r.moved_next);
    return r.alike;
}

/* Notes the pointers that a call is given. */
static void note_call(struct cs_rewritten *r, int call)
{
    const struct cs_stmt *s = &r->g->stmts[call];
    for (int i = 0; i < s->nuses; i++) {
        if (s->uses[i].kind != CS_OPND_VALUE)
            continue;
        int v = origin(r, s->uses[i].id);
        CS_GROW(r->given, r->ngiven, r->agiven);
        r->given[r->ngiven] = (struct cs_given){call, r->first_given[v]};
        r->first_given[v] = r->ngiven++;
    }
}

void cs_rewritten_start(struct cs_rewritten *r, const struct cs_graph *g, const bool *writes,
                        struct cs_elements *elements)
{
    int nblocks = 0;
    *r = (struct cs_rewritten){.g = g, .elements = elements};
    r->first_given = cs_calloc(g->nvalues + 1, sizeof *r->first_given);
    r->store = cs_calloc(g->nvalues + 1, sizeof *r->store);
    r->next = cs_calloc(g->nstmts + 1, sizeof *r->next);
    r->first = cs_calloc(g->nfuncs + 1, sizeof *r->first);
    r->alike = cs_calloc(g->nvalues + 1, sizeof *r->alike);
    r->moved = cs_calloc(g->nvalues + 1, sizeof *r->moved);
    r->moved_next = cs_calloc(g->nstmts + 1, sizeof *r->moved_next);
    find_alike(r);
    for (int f = 0; f < g->nfuncs; f++) {
        r->first[f] = nblocks;
        nblocks += g->funcs[f].nblocks;
    }
    r->reach = cs_calloc(nblocks + 1, sizeof *r->reach);
    r->dom = cs_calloc(g->nfuncs + 1, sizeof *r->dom);
    for (int v = 0; v < g->nvalues; v++)
        r->store[v] = r->first_given[v] = -1;
    for (int s = 0; s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        if (writes[s] && st->keep && st->kind == CS_STMT_CALL)
            note_call(r, s);
        if (!st->keep || st->kind != CS_STMT_STORE || st->store.base.kind != CS_OPND_VALUE)
            continue;
        int v = origin(r, st->store.base.id);
        r->next[s] = r->store[v];
        r->store[v] = s;
    }
}

void cs_rewritten_free(struct cs_rewritten *r)
{
    int last = r->g->nfuncs - 1, n = last < 0 ? 0 : r->first[last] + r->g->funcs[last].nblocks;
    for (int i = 0; i < n; i++)
        free(r->reach[i]);
    free(r->reach);
    for (int f = 0; f < r->g->nfuncs; f++)
        if (r->dom[f].idom)
            cs_dom_free(&r->dom[f]);
    free(r->dom);
    free(r->first);
    free(r->alike);
    free(r->moved);
    free(r->moved_next);
    free(r->next);
    free(r->store);
    free(r->given);
    free(r->first_given);
}

/* Can control go from the end of one block to another one? */
static bool reaches(struct cs_rewritten *r, int func, int from, int to)
{
    bool **known = &r->reach[r->first[func] + from];
    if (!*known)
        *known = cs_cfg_behind(&r->g->funcs[func], from, -1);
    return (*known)[to];
}

enum { STORES = 50 }; /* through one pointer: more are not looked at */

/* The first store through the pointer by which the statement reads, -1: there is none, or the function is too large. */
static int first_store(const struct cs_rewritten *r, int stmt)
{
    enum { BLOCKS = 2000 };
    const struct cs_stmt *s = &r->g->stmts[stmt];
    if (s->kind != CS_STMT_LOAD || s->load.base.kind != CS_OPND_VALUE || r->g->funcs[s->func].nblocks > BLOCKS)
        return -1;
    return r->store[origin(r, s->load.base.id)];
}

/* May the store come before the read, in one run of their function, and be of the same member
 * or element? */
static bool comes_before(struct cs_rewritten *r, int store, int read)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[read];
    return w->func == s->func && cs_pat_overlap(w->store.pat, w->store.size, s->load.pat, s->load.size) &&
           reaches(r, s->func, w->block, s->block) && (!r->elements || cs_elements_meet(r->elements, store, read));
}

static int position(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    const struct cs_block *b = &g->funcs[s->func].blocks[s->block];
    int i = 0;
    while (i < b->nstmts && b->stmts[i] != stmt)
        i++;
    return i;
}

/* Can control go from the end of the block to the start of another one, and not by a third? */
static bool goes_round(const struct cs_func *f, int from, int to, int by)
{
    bool *behind = cs_cfg_behind(f, from, by), is = behind[to];
    free(behind);
    return is;
}

/* Does control come by the call on all ways from the store to the read? */
static bool passes(const struct cs_graph *g, int store, int read, int call)
{
    const struct cs_stmt *w = &g->stmts[store], *s = &g->stmts[read], *k = &g->stmts[call];
    int at = position(g, store), to = position(g, read), by = position(g, call);
    bool straight = w->block == s->block && at < to;
    if (straight)
        return k->block == w->block && at < by && by < to;
    if ((k->block == w->block && by > at) || (k->block == s->block && by < to))
        return true;
    return k->block != w->block && k->block != s->block &&
           !goes_round(&g->funcs[s->func], w->block, s->block, k->block);
}

/* Does a call that writes, and is given the same pointer, always come between them? */
static bool is_given_between(const struct cs_rewritten *r, int store, int read)
{
    enum { CALLS = 10 }; /* that are looked at */
    const struct cs_stmt *s = &r->g->stmts[read];
    int n = 0;
    for (int i = r->first_given[origin(r, s->load.base.id)]; i >= 0 && n < CALLS; i = r->given[i].next, n++)
        if (r->g->stmts[r->given[i].call].func == s->func && passes(r->g, store, read, r->given[i].call))
            return true;
    return false;
}

/* Is the pointer always another one at the read than at the store, where it is loaded again? */
static bool is_moved_between(const struct cs_rewritten *r, int store, int read)
{
    const struct cs_graph *g = r->g;
    int v = cs_pointer_origin(g, g->stmts[read].load.base.id);
    if (v == cs_pointer_origin(g, g->stmts[store].store.base.id))
        return false;
    for (int m = r->moved[r->alike[v]]; m >= 0; m = r->moved_next[m])
        if (passes(g, store, read, m))
            return true;
    return false;
}

static const struct cs_dom *dom_of(struct cs_rewritten *r, int func)
{
    struct cs_dom *d = &r->dom[func];
    if (!d->idom)
        cs_dom_compute(r->g, func, d);
    return d;
}

/* Is it an index that is another one in each turn of the loop that begins with the block: made of one number there? */
static bool counts_in(const struct cs_graph *g, struct cs_operand index, int func, int head)
{
    enum { STEPS = 6 };
    for (int i = 0; i < STEPS && index.kind == CS_OPND_VALUE && g->values[index.id].def >= 0; i++) {
        const struct cs_stmt *s = &g->stmts[g->values[index.id].def];
        if (s->kind == CS_STMT_PHI)
            return s->func == func && s->block == head;
        bool moves = s->op == CS_OP_COPY || s->op == CS_OP_MUL || s->op == CS_OP_ADD || s->op == CS_OP_SUB;
        if (s->kind != CS_STMT_ASSIGN || !moves || !s->nuses ||
            (s->op != CS_OP_COPY && (s->nuses < 2 || s->uses[1].kind != CS_OPND_CONST)))
            break;
        index = s->uses[0];
    }
    return false;
}

/* Is the block the end of a turn of the loop that begins with `head`? */
static bool ends_turn(struct cs_rewritten *r, int func, int head, int block)
{
    const struct cs_block *b = &r->g->funcs[func].blocks[block];
    bool back = false;
    for (int i = 0; i < b->nsuccs; i++)
        back |= b->succs[i] == head;
    return back && cs_dom_dominates(dom_of(r, func), head, block);
}

/* The first block of a loop in each turn of which the store writes the next element behind its pointer, whatever
 * happens there; -1. */
static int filled_by(struct cs_rewritten *r, int store)
{
    const struct cs_stmt *w = &r->g->stmts[store];
    int made = r->g->values[w->store.base.id].def;
    const struct cs_stmt *at = made < 0 ? NULL : &r->g->stmts[made];
    const struct cs_dom *d = dom_of(r, w->func);
    int head = at && at->kind == CS_STMT_ASSIGN && at->op == CS_OP_PTRADD && at->nuses > 1 ? w->block : -1;
    while (head > 0 && !counts_in(r->g, at->uses[1], w->func, head))
        head = d->idom[head];
    bool all = head > 0;
    for (int b = 0; all && b < r->g->funcs[w->func].nblocks; b++)
        all = !ends_turn(r, w->func, head, b) || cs_dom_dominates(d, w->block, b);
    return all ? head : -1;
}

/* Is the block in that loop? */
static bool is_in_loop(struct cs_rewritten *r, int func, int head, int block)
{
    bool *behind = cs_cfg_behind(&r->g->funcs[func], block, head), in = block == head;
    for (int b = 0; !in && b < r->g->funcs[func].nblocks; b++)
        in = (behind[b] || b == block) && ends_turn(r, func, head, b);
    free(behind);
    return in;
}

/* Does a loop that writes all elements behind the pointer always come between them? */
static bool is_filled_between(struct cs_rewritten *r, int store, int read)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[read];
    int n = 0, f = s->func;
    for (int k = r->store[origin(r, s->load.base.id)]; k >= 0 && n < STORES; k = r->next[k], n++) {
        int head = r->g->stmts[k].func == f && k != store ? filled_by(r, k) : -1;
        if (head >= 0 && !is_in_loop(r, f, head, w->block) && !is_in_loop(r, f, head, s->block) &&
            !(w->block == s->block && position(r->g, store) < position(r->g, read)) &&
            !goes_round(&r->g->funcs[f], w->block, s->block, head))
            return true;
    }
    return false;
}

void cs_rewritten_by(struct cs_rewritten *r, int stmt, void (*fn)(void *arg, int stmt, int store), void *arg)
{
    int n = 0;
    for (int w = first_store(r, stmt); w >= 0 && n < STORES; w = r->next[w], n++)
        if (comes_before(r, w, stmt) && !is_given_between(r, w, stmt) && !is_moved_between(r, w, stmt) &&
            !is_filled_between(r, w, stmt))
            fn(arg, stmt, w);
}

/* Does control come back to the block from one that it dominates? */
static bool is_head(const struct cs_graph *g, int func, const struct cs_dom *d, int block)
{
    const struct cs_func *f = &g->funcs[func];
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++)
            if (f->blocks[b].succs[i] == block && cs_dom_dominates(d, block, b))
                return true;
    return false;
}

/* Does the function come by the store, or by the loop in which that is, before each time that it reads? */
static bool always_before(struct cs_rewritten *r, int store, int read)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[read];
    const struct cs_dom *d = dom_of(r, s->func);
    if (w->block == s->block && position(r->g, store) < position(r->g, read))
        return true;
    if (w->block != s->block && cs_dom_dominates(d, w->block, s->block))
        return true;
    int head = w->block; /* of the loop: a block on the way up to which control comes back */
    while (head > 0 && d->idom[head] >= 0 && !(reaches(r, s->func, w->block, head) && is_head(r->g, s->func, d, head)))
        head = d->idom[head];
    return head > 0 && cs_dom_dominates(d, head, s->block) &&
           !goes_round(&r->g->funcs[s->func], s->block, head, d->idom[head]);
}

/* Is the element that the store means looked up by an index? */
static bool is_looked_up(const struct cs_graph *g, int store)
{
    const struct cs_operand *b = &g->stmts[store].store.base;
    return b->kind == CS_OPND_VALUE && cs_pointer_origin(g, b->id) != b->id;
}

bool cs_rewritten_before(struct cs_rewritten *r, int stmt)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    int n = 0;
    for (int w = first_store(r, stmt); w >= 0 && n < STORES; w = r->next[w], n++)
        if (comes_before(r, w, stmt) && !is_moved_between(r, w, stmt) &&
            (!reaches(r, s->func, s->block, r->g->stmts[w].block) ||
             (is_looked_up(r->g, w) && always_before(r, w, stmt))))
            return true;
    return false;
}
