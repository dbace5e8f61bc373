/* SPDX-License-Identifier: GPL-3.0-or-later
 * Walks from a read back, and from a store on, up to where one of the values of the address is made; same_turn.h. */
#include "slicer/advise/same_turn.h"

#include <stdlib.h>

#include "slicer/graph/storage.h"

enum { MOST_BLOCKS = 60 }; /* that a walk passes; beyond it nothing is known */

/* Of each statement its place in its block, -1; of each block those before it; the stores by a hash of their address:
 * first[hash], next[store]; of each store whether it is known that it is replaced in its turn, and then the statements
 * that come before that. */
struct cs_same_turn {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    int *at, *first, *next, nfirst;
    char *known; /* 0: not asked yet */
    int *block;  /* of a function, the number of its first block through the program */
    struct cs_intlist *before, *preds, work;
    struct cs_intset seen;
};
/* In `known`. */
enum { REPLACED = 1, STAYS };

static const struct cs_ref *place_of(const struct cs_stmt *s)
{
    return s->kind == CS_STMT_STORE ? &s->store : &s->load;
}

static int hash_of(const struct cs_same_turn *t, const struct cs_stmt *s)
{
    const struct cs_ref *r = place_of(s);
    return (int)(cs_hash(cs_hash(cs_hash(0, s->func), r->base.id), (int)r->pat.off) % (uint32_t)t->nfirst);
}

static void find_blocks(struct cs_same_turn *t)
{
    int n = 0;
    t->block = cs_calloc(t->g->nfuncs + 1, sizeof *t->block);
    for (int f = 0; f < t->g->nfuncs; f++) {
        t->block[f] = n;
        n += t->g->funcs[f].nblocks;
    }
    t->block[t->g->nfuncs] = n;
    t->preds = cs_calloc(n + 1, sizeof *t->preds);
    for (int f = 0; f < t->g->nfuncs; f++)
        for (int b = 0; b < t->g->funcs[f].nblocks; b++) {
            const struct cs_block *bl = &t->g->funcs[f].blocks[b];
            for (int i = 0; i < bl->nstmts; i++)
                t->at[bl->stmts[i]] = i;
            for (int i = 0; i < bl->nsuccs && bl->reachable; i++)
                if (bl->succs[i] >= 0 && !bl->never[i])
                    cs_intlist_add(&t->preds[t->block[f] + bl->succs[i]], b);
        }
}

struct cs_same_turn *cs_same_turn_start(const struct cs_graph *g, const struct cs_need_flow *flow)
{
    struct cs_same_turn *t = cs_calloc(1, sizeof *t);
    t->g = g;
    t->flow = flow;
    t->nfirst = g->nstmts + 1;
    t->at = cs_calloc(g->nstmts + 1, sizeof *t->at);
    t->first = cs_calloc(t->nfirst, sizeof *t->first);
    t->next = cs_calloc(g->nstmts + 1, sizeof *t->next);
    t->known = cs_calloc(g->nstmts + 1, 1);
    t->before = cs_calloc(g->nstmts + 1, sizeof *t->before);
    for (int i = 0; i < t->nfirst; i++)
        t->first[i] = -1;
    for (int s = 0; s < g->nstmts; s++)
        t->at[s] = -1;
    find_blocks(t);
    for (int s = 0; s < g->nstmts; s++) {
        if (g->stmts[s].kind != CS_STMT_STORE || g->stmts[s].partial || t->at[s] < 0)
            continue;
        int h = hash_of(t, &g->stmts[s]);
        t->next[s] = t->first[h];
        t->first[h] = s;
    }
    return t;
}

void cs_same_turn_free(struct cs_same_turn *t)
{
    for (int s = 0; s < t->g->nstmts; s++)
        cs_intlist_free(&t->before[s]);
    for (int b = 0; b < t->block[t->g->nfuncs]; b++)
        cs_intlist_free(&t->preds[b]);
    free(t->preds);
    free(t->block);
    free(t->before);
    free(t->at);
    free(t->first);
    free(t->next);
    free(t->known);
    cs_intlist_free(&t->work);
    cs_intset_free(&t->seen);
    free(t);
}

/* The number of values that index the address of a load or store. */
static int indices(const struct cs_stmt *s)
{
    int from = s->kind == CS_STMT_STORE;
    return (s->nuses > from ? s->nuses - from : 0) + s->nidx;
}

static struct cs_operand index_number(const struct cs_stmt *s, int i)
{
    int from = s->kind == CS_STMT_STORE, n = s->nuses > from ? s->nuses - from : 0;
    return i < n ? s->uses[from + i] : cs_opnd_value(s->idx[i - n]);
}

/* Does the store write all of what the other statement reads or writes, where the values of the address are the same?
 */
static bool same_address(const struct cs_stmt *store, const struct cs_stmt *s)
{
    const struct cs_ref *w = &store->store, *r = place_of(s);
    int n = indices(store);
    if (store->func != s->func || !cs_opnd_same(w->base, r->base) || !cs_pat_equal(w->pat, r->pat) || r->size <= 0 ||
        w->size < r->size || n != indices(s) || r->base.kind == CS_OPND_NONE)
        return false;
    if ((n || r->pat.stride || r->base.pat.stride) && (store->shape < 0 || store->shape != s->shape))
        return false;
    for (int i = 0; i < n; i++)
        if (index_number(s, i).kind == CS_OPND_NONE || !cs_opnd_same(index_number(store, i), index_number(s, i)))
            return false;
    return true;
}

static bool stores_there(const struct cs_same_turn *t, int stmt, const struct cs_stmt *s)
{
    const struct cs_stmt *w = &t->g->stmts[stmt];
    return w->kind == CS_STMT_STORE && !w->partial && same_address(w, s);
}

/* Does another statement store there? */
static bool is_stored(const struct cs_same_turn *t, int stmt)
{
    const struct cs_stmt *s = &t->g->stmts[stmt];
    for (int w = t->first[hash_of(t, s)]; w >= 0; w = t->next[w])
        if (w != stmt && same_address(&t->g->stmts[w], s))
            return true;
    return false;
}

/* Does the statement make one of the values of the address? */
static bool makes_address(const struct cs_same_turn *t, int stmt, const struct cs_stmt *s)
{
    int def = t->g->stmts[stmt].def, n = indices(s);
    bool is = def >= 0 && place_of(s)->base.kind == CS_OPND_VALUE && place_of(s)->base.id == def;
    for (int i = 0; i < n && def >= 0; i++)
        is |= cs_opnd_same(index_number(s, i), cs_opnd_value(def));
    return is;
}

static void begin(struct cs_same_turn *t)
{
    t->work.n = 0;
    cs_intset_free(&t->seen);
    t->seen = (struct cs_intset){0};
}

/* Goes on to a block, once. */
static void push(struct cs_same_turn *t, int block)
{
    if (cs_intset_add(&t->seen, block))
        cs_intlist_add(&t->work, block);
}

/* Back from statement `end` of the block. False: a value of the address is made there. */
static bool scan_back(const struct cs_same_turn *t, const struct cs_block *b, int end, const struct cs_stmt *s,
                      struct cs_intlist *stores, bool *more)
{
    *more = true;
    for (int i = end - 1; i >= 0; i--) {
        if (stores_there(t, b->stmts[i], s)) {
            cs_intlist_add(stores, b->stmts[i]);
            *more = false;
            return true;
        }
        if (makes_address(t, b->stmts[i], s))
            return false;
    }
    return true;
}

static void push_before(struct cs_same_turn *t, int func, int block)
{
    const struct cs_intlist *before = &t->preds[t->block[func] + block];
    for (int i = 0; i < before->n; i++)
        push(t, before->a[i]);
}

bool cs_same_turn_stored(struct cs_same_turn *t, int load, struct cs_intlist *stores)
{
    const struct cs_stmt *s = &t->g->stmts[load];
    const struct cs_func *f = &t->g->funcs[s->func];
    if (s->kind != CS_STMT_LOAD || t->at[load] < 0 || !is_stored(t, load))
        return false;
    int first = stores->n, block = s->block, end = t->at[load];
    bool all = true, more;
    begin(t);
    for (int n = 0; all; n++) {
        all = n < MOST_BLOCKS && scan_back(t, &f->blocks[block], end, s, stores, &more) && (!more || block);
        if (all && more)
            push_before(t, s->func, block);
        if (!all || !t->work.n)
            break;
        block = t->work.a[--t->work.n];
        end = f->blocks[block].nstmts;
    }
    if (!all)
        stores->n = first;
    return stores->n > first;
}

/* On from statement `from` of the block; notes what comes before the store is replaced. False: it may not be. */
static bool scan_on(struct cs_same_turn *t, const struct cs_block *b, int from, int store, bool *more)
{
    const struct cs_stmt *s = &t->g->stmts[store];
    *more = true;
    for (int i = from; i < b->nstmts; i++) {
        int k = b->stmts[i];
        const struct cs_stmt *st = &t->g->stmts[k];
        if (stores_there(t, k, s)) {
            *more = false;
            return true;
        }
        if (makes_address(t, k, s) || st->kind == CS_STMT_RETURN ||
            t->flow->first_callee[k] < t->flow->first_callee[k + 1])
            return false;
        cs_intlist_add(&t->before[store], k);
    }
    return true;
}

/* Goes on behind the block; false: out of the function. */
static bool push_behind(struct cs_same_turn *t, const struct cs_block *b)
{
    for (int i = 0; i < b->nsuccs; i++) {
        if (b->never[i])
            continue;
        if (b->succs[i] < 0)
            return false;
        push(t, b->succs[i]);
    }
    return true;
}

static bool is_replaced(struct cs_same_turn *t, int store)
{
    const struct cs_stmt *s = &t->g->stmts[store];
    const struct cs_func *f = &t->g->funcs[s->func];
    int block = s->block, from = t->at[store] + 1, met = 0;
    bool all = true, more;
    begin(t);
    for (int n = 0; all; n++) {
        all = n < MOST_BLOCKS && scan_on(t, &f->blocks[block], from, store, &more) &&
              (!more || push_behind(t, &f->blocks[block]));
        met += all && !more;
        if (!all || !t->work.n)
            break;
        block = t->work.a[--t->work.n];
        from = 0;
    }
    return all && met;
}

bool cs_same_turn_arrives(struct cs_same_turn *t, int store, int read)
{
    const struct cs_stmt *s = &t->g->stmts[store];
    if (s->kind != CS_STMT_STORE || t->at[store] < 0 || t->known[store] == STAYS)
        return true;
    if (!t->known[store])
        t->known[store] = is_stored(t, store) && is_replaced(t, store) ? REPLACED : STAYS;
    if (t->known[store] == STAYS)
        return true;
    int point = t->flow->point[read];
    for (int i = 0; i < t->before[store].n; i++)
        if (t->before[store].a[i] == read || t->before[store].a[i] == point)
            return true;
    return false;
}
