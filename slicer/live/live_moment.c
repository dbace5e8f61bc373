/* SPDX-License-Identifier: GPL-3.0-or-later
 * Moments: what may have run before a read, on its own rank. A store that cannot have run yet when the last LIVE read
 * of a place runs decides nothing: what sets a mesh up reads coordinates that the time steps change later.
 * A moment is a set of blocks of the program: those from which control can come to the read. The way back leads through
 * callers; a call that is passed on the way adds its callees as a whole, and control leaves a callee only towards the
 * call by which it came (Reps, Horwitz and Sagiv, "Precise interprocedural dataflow analysis via graph reachability",
 * 1995). What takes effect later than its statement runs, such as a receive that is completed by a wait, comes later
 * still. So no write is lost, provided that the graph shows the way of control: nothing is said of what runs at any
 * time (callbacks, handlers, constructors) or in threads, which is in every past, and has all in its own; nor of a
 * program that jumps back to where it called setjmp. */
#include "slicer/live/live_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Limits: beyond them, nothing is said of moments. */
enum {
    MAX_FUNCS = 8192,
    MAX_BYTES = 64 << 20,  /* of all sets together; a larger program has fewer moments */
    MAX_EFFORT = 10000000, /* writers that were asked, before no moments are told apart any more */
};

/* Where something is read: behind statement `stmt` of the function, -1: at its end. */
struct site {
    int func, stmt, moment;
};
/* What is read there, as cs_need_in_context() was asked. */
struct place_read {
    int site, via, at, obj, parent, cause, among, copy;
    struct cs_pattern pat;
    int64_t size;
    const struct place_read *all;
};

/* reads[n] are what is read at sites[n]; a site has a moment, which is a set of blocks, m[moment]. Blocks are numbered
 * through the program: first[function] + block. */
struct cs_moments {
    int *first; /* function -> number of its first block, of all blocks of the program */
    int nblocks, nfuncs;
    int *first_call;        /* block -> first of its calls in `call`, where those of the next block begin behind them */
    struct cs_intlist call; /* places of call statements in their block */
    uint64_t **reach;       /* function -> functions that run when it runs, itself among them; made on first use */
    uint64_t **up;          /* function -> blocks that may have run before it begins; made on first use */
    bool *made_up;          /* of them: `up` is known; NULL there: anything may have run */
    uint64_t *always;       /* functions that may run at any time */
    int *of_stmt, *of_func; /* 1 + number of the site, 0: none yet */
    struct site *sites;
    int nsites, asites;
    struct place_read *reads;
    int nreads, areads;
    struct cs_pairset reads_known;
    uint64_t **m; /* moment -> blocks; m[0] is CS_ANY_TIME */
    int n, cap;
    struct cs_pairset known; /* moments by what is in them */
    size_t bytes;
    bool off;
};

/* ---- sets ---- */

static size_t words(int n)
{
    return (size_t)(n + 63) / 64;
}

static uint64_t *new_set(struct cs_moments *t, int n)
{
    t->bytes += words(n) * sizeof(uint64_t);
    return cs_calloc(words(n) + 1, sizeof(uint64_t));
}

static bool has(const uint64_t *set, int i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static void put(uint64_t *set, int i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

/* Puts in `n` from number `from` on. */
static void put_range(uint64_t *set, int from, int n)
{
    for (int i = from; i < from + n; i++)
        if (i % 64 == 0 && i + 64 <= from + n) {
            set[i / 64] = UINT64_MAX;
            i += 63;
        } else
            put(set, i);
}

static void take_in(uint64_t *set, const uint64_t *more, int n)
{
    for (size_t i = 0; i < words(n); i++)
        set[i] |= more[i];
}

/* ---- functions that run when one runs ---- */

/* Adds the functions with a body that the first `end` statements of a block may call, and that are not in the set yet,
 * to the list. */
static void callees_of(struct cs_live *l, const struct cs_moments *t, int func, int block, int end, const uint64_t *set,
                       struct cs_intlist *out)
{
    int number = t->first[func] + block;
    for (int k = t->first_call[number]; k < t->first_call[number + 1] && t->call.a[k] < end; k++) {
        const struct cs_intset *c = cs_pts_callees(l->pts, l->g->funcs[func].blocks[block].stmts[t->call.a[k]]);
        for (int i = 0; i < c->n; i++)
            if (l->g->funcs[c->a[i]].defined && !has(set, c->a[i]))
                cs_intlist_add(out, c->a[i]);
    }
}

static const uint64_t *reach_of(struct cs_live *l, struct cs_moments *t, int func)
{
    if (t->reach[func])
        return t->reach[func];
    uint64_t *set = new_set(t, t->nfuncs);
    struct cs_intlist work = {0};
    cs_intlist_add(&work, func);
    while (work.n) {
        int f = work.a[--work.n];
        if (has(set, f))
            continue;
        if (t->reach[f]) {
            take_in(set, t->reach[f], t->nfuncs);
            continue;
        }
        put(set, f);
        for (int b = 0; b < l->g->funcs[f].nblocks; b++)
            if (l->g->funcs[f].blocks[b].reachable)
                callees_of(l, t, f, b, INT_MAX, set, &work);
    }
    cs_intlist_free(&work);
    return t->reach[func] = set;
}

/* ---- what comes before ---- */

/* A past that is being made: blocks, and functions of which all blocks count. */
struct past {
    uint64_t *blocks, *funcs;
};

/* Adds what the first `end` statements of a block call. */
static void add_calls(struct cs_live *l, struct cs_moments *t, struct past *p, int func, int block, int end)
{
    struct cs_intlist callees = {0};
    callees_of(l, t, func, block, end, p->funcs, &callees);
    for (int i = 0; i < callees.n; i++)
        take_in(p->funcs, reach_of(l, t, callees.a[i]), t->nfuncs);
    cs_intlist_free(&callees);
}

/* Adds what precedes the statement number `end` of a block inside its function. The block itself counts as a whole, but
 * not what it calls later. Where assembly may jump, all of the function precedes. */
static void add_inside(struct cs_live *l, struct cs_moments *t, struct past *p, int func, int block, int end)
{
    const struct cs_func *f = &l->g->funcs[func];
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0};
    const struct cs_intlist *preds = cs_flow_preds(l, func);
    put(p->blocks, t->first[func] + block);
    add_calls(l, t, p, func, block, end);
    for (int i = 0; i < preds[block].n; i++)
        cs_intlist_add(&work, preds[block].a[i]);
    for (int b = 0; f->keep_all && b < f->nblocks; b++)
        cs_intlist_add(&work, b);
    while (work.n) {
        int b = work.a[--work.n];
        if (seen[b])
            continue;
        seen[b] = true;
        put(p->blocks, t->first[func] + b);
        add_calls(l, t, p, func, b, INT_MAX);
        for (int i = 0; i < preds[b].n; i++)
            cs_intlist_add(&work, preds[b].a[i]);
    }
    cs_intlist_free(&work);
    free(seen);
}

static void add_whole(struct cs_live *l, struct cs_moments *t, struct past *p)
{
    for (int f = 0; f < t->nfuncs; f++)
        if (has(p->funcs, f))
            put_range(p->blocks, t->first[f], l->g->funcs[f].nblocks);
}

static bool any_time(const struct cs_live *l, int func)
{
    return l->fi[func].async || l->fi[func].team;
}

/* Adds what precedes each call of the function, and the functions that make them to the list. False: one is nowhere. */
static bool add_callers(struct cs_live *l, struct cs_moments *t, struct past *p, int func, struct cs_intlist *work)
{
    for (int i = 0; i < l->fi[func].calls.n; i++) {
        int call = l->fi[func].calls.a[i];
        const struct cs_stmt *s = &l->g->stmts[call];
        if (l->pos[call] < 0)
            return false;
        if (!s->keep)
            continue;
        add_inside(l, t, p, s->func, s->block, l->pos[call]);
        cs_intlist_add(work, s->func);
    }
    return true;
}

/* The blocks that may have run before the function begins; NULL: any. */
static const uint64_t *up_of(struct cs_live *l, struct cs_moments *t, int func)
{
    if (t->made_up[func])
        return t->up[func];
    t->made_up[func] = true;
    struct past p = {new_set(t, t->nblocks), cs_calloc(words(t->nfuncs) + 1, sizeof(uint64_t))};
    bool *seen = cs_calloc(t->nfuncs + 1, sizeof *seen), any = false;
    struct cs_intlist work = {0};
    take_in(p.funcs, t->always, t->nfuncs);
    cs_intlist_add(&work, func);
    while (work.n && !any) {
        int f = work.a[--work.n];
        if (seen[f])
            continue;
        seen[f] = true;
        bool known = f != func && t->made_up[f];
        any = any_time(l, f) || (known ? !t->up[f] : !add_callers(l, t, &p, f, &work));
        if (known && !any)
            take_in(p.blocks, t->up[f], t->nblocks);
    }
    add_whole(l, t, &p);
    cs_intlist_free(&work);
    free(seen);
    free(p.funcs);
    if (any)
        free(p.blocks);
    return t->up[func] = any ? NULL : p.blocks;
}

/* ---- moments ---- */

/* These blocks, of so many words, are looked for. */
struct moment_query {
    uint64_t **all;
    const uint64_t *blocks;
    size_t n;
};

static bool same_blocks(const void *what, int m, int unused)
{
    const struct moment_query *q = what;
    (void)unused;
    return !memcmp(q->all[m], q->blocks, q->n * sizeof *q->blocks);
}

/* The moment with these blocks, of which it becomes the owner. */
static int numbered(struct cs_moments *t, uint64_t *blocks)
{
    struct moment_query q = {t->m, blocks, words(t->nblocks)};
    uint32_t h = 0;
    for (size_t i = 0; i < q.n; i++)
        h = cs_hash(h, (int64_t)blocks[i]);
    int known = cs_pairset_find(&t->known, h, same_blocks, &q);
    if (known >= 0) {
        t->bytes -= q.n * sizeof *blocks;
        free(blocks);
        return known;
    }
    CS_GROW(t->m, t->n, t->cap);
    cs_pairset_add(&t->known, h, t->n, 0);
    t->m[t->n] = blocks;
    return t->n++;
}

/* Where control is when a statement has run: one that has moved is somewhere in its block. */
static void add_up_to(struct cs_live *l, struct cs_moments *t, struct past *p, int stmt)
{
    const struct cs_stmt *s = &l->g->stmts[stmt];
    int b = s->move_to >= 0 ? s->move_to : s->block;
    add_inside(l, t, p, s->func, b, s->move_to >= 0 ? l->g->funcs[s->func].blocks[b].nstmts : l->pos[stmt] + 1);
}

/* The moment behind statement `stmt` of the function, -1: at its end. */
static int make_moment(struct cs_live *l, struct cs_moments *t, int func, int stmt)
{
    const uint64_t *up = any_time(l, func) ? NULL : up_of(l, t, func);
    if (!up || t->bytes > MAX_BYTES)
        return CS_ANY_TIME;
    struct past p = {new_set(t, t->nblocks), cs_calloc(words(t->nfuncs) + 1, sizeof(uint64_t))};
    take_in(p.blocks, up, t->nblocks);
    if (stmt < 0)
        take_in(p.funcs, reach_of(l, t, func), t->nfuncs);
    else
        add_up_to(l, t, &p, stmt);
    add_whole(l, t, &p);
    free(p.funcs);
    return numbered(t, p.blocks);
}

/* Number of the site; -1: nothing is known of it. */
static int site_of(struct cs_live *l, struct cs_moments *t, int func, int at)
{
    bool moved = at >= 0 && l->pos[at] >= 0 && l->g->stmts[at].move_to >= 0;
    int s = at < -1 ? CS_AFTER(at) : moved ? at : at >= 0 ? l->point[at] : -1;
    bool unknown = at != -1 && (s < 0 || l->pos[s] < 0 || l->g->stmts[s].func != func);
    if (t->off || unknown || l->effort > MAX_EFFORT)
        return -1;
    int *known = s >= 0 ? &t->of_stmt[s] : &t->of_func[func];
    if (!*known) {
        CS_GROW(t->sites, t->nsites, t->asites);
        t->sites[t->nsites++] = (struct site){func, s, make_moment(l, t, func, s)};
        *known = t->nsites;
    }
    return *known - 1;
}

/* State that a library holds is used by it later, too: what freopen() has made of stdout is used by printf(). */
static bool is_of_library(const struct cs_live *l, int obj)
{
    enum cs_obj_kind kind = l->g->objs[obj].kind;
    return kind == CS_OBJ_HIDDEN || kind == CS_OBJ_HANDLE;
}

static bool same_read(const void *what, int i, int unused)
{
    const struct place_read *q = what, *o = &q->all[i];
    (void)unused;
    return o->site == q->site && o->via == q->via && o->at == q->at && o->obj == q->obj && o->size == q->size &&
           cs_pat_equal(o->pat, q->pat);
}

int cs_moment_of_read(struct cs_live *l, int func, int via, int at, int obj, struct cs_pattern pat, int64_t size,
                      int parent)
{
    struct cs_moments *t = l->moments;
    if (cs_pts_closed(l->pts)) /* nearly all runs before all, and finding that out takes longest */
        return CS_ANY_TIME;
    int site = is_of_library(l, obj) ? -1 : site_of(l, t, func, at);
    if (site < 0)
        return CS_ANY_TIME;
    struct place_read r = {site, via, at, obj, parent, l->cause, l->among, l->copy, pat, size, t->reads};
    uint32_t h = cs_hash(cs_hash(cs_hash(cs_hash(cs_hash(0, site), via), at), obj), size);
    h = cs_hash(cs_hash(cs_hash(cs_hash(h, pat.off), pat.stride), pat.lo), pat.hi);
    if (!cs_pairset_has(&t->reads_known, h, same_read, &r)) {
        CS_GROW(t->reads, t->nreads, t->areads);
        cs_pairset_add(&t->reads_known, h, t->nreads, 0);
        t->reads[t->nreads++] = r;
    }
    return t->sites[site].moment;
}

/* Finds the moments of all sites anew. */
static void forget(struct cs_moments *t)
{
    for (int f = 0; f < t->nfuncs; f++) {
        t->bytes -= t->up[f] ? words(t->nblocks) * sizeof(uint64_t) : 0;
        free(t->up[f]);
        t->up[f] = NULL;
        t->made_up[f] = false;
    }
}

bool cs_moments_grow(struct cs_live *l)
{
    struct cs_moments *t = l->moments;
    int n = t->nsites, nreads = t->nreads;
    bool any = false, *grown = cs_calloc(n + 1, sizeof *grown);
    forget(t);
    for (int i = 0; i < n; i++) {
        int now = make_moment(l, t, t->sites[i].func, t->sites[i].stmt);
        grown[i] = now != t->sites[i].moment;
        any |= grown[i];
        t->sites[i].moment = now;
    }
    for (int i = 0; i < nreads && any; i++) {
        struct place_read r = t->reads[i];
        if (!grown[r.site])
            continue;
        int was = cs_need_because(l, r.cause);
        struct cs_need_way before = l->by_call;
        if (r.at < -1 && r.cause > 0)
            cs_need_by_call(l, r.cause, CS_AFTER(r.at));
        l->among = r.among;
        l->copy = r.copy;
        cs_need_in_context(l, t->sites[r.site].func, r.via, r.at, r.obj, r.pat, r.size, r.parent);
        l->by_call = before;
        cs_need_because(l, was);
    }
    free(grown);
    return any;
}

bool cs_moment_after(const struct cs_live *l, int moment, int stmt)
{
    const struct cs_stmt *s = &l->g->stmts[stmt];
    return moment == CS_ANY_TIME || has(l->moments->m[moment], l->moments->first[s->func] + s->block);
}

bool cs_moment_covers(const struct cs_live *l, int a, int b)
{
    const struct cs_moments *t = l->moments;
    if (a == CS_ANY_TIME || a == b)
        return true;
    for (size_t i = 0; b != CS_ANY_TIME && i < words(t->nblocks); i++)
        if (t->m[b][i] & ~t->m[a][i])
            return false;
    return b != CS_ANY_TIME;
}

/* ---- set-up ---- */

/* Does control come back to where it has been by a way that the graph does not show, or is the program too large? */
static bool says_nothing(const struct cs_live *l)
{
    for (int f = 0; f < l->g->nfuncs; f++)
        if (l->g->funcs[f].comes_back && cs_pts_func_reached(l->pts, f))
            return true;
    return l->g->nfuncs > MAX_FUNCS;
}

static void find_calls(const struct cs_graph *g, struct cs_moments *t)
{
    t->first_call = cs_calloc(t->nblocks + 1, sizeof *t->first_call);
    for (int f = 0; f < t->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++) {
            const struct cs_block *at = &g->funcs[f].blocks[b];
            t->first_call[t->first[f] + b] = t->call.n;
            for (int i = 0; i < at->nstmts; i++)
                if (g->stmts[at->stmts[i]].kind == CS_STMT_CALL)
                    cs_intlist_add(&t->call, i);
        }
    t->first_call[t->nblocks] = t->call.n;
}

void cs_moments_prepare(struct cs_live *l)
{
    struct cs_moments *t = l->moments = cs_calloc(1, sizeof *t);
    int n = t->nfuncs = l->g->nfuncs;
    t->first = cs_calloc(n + 1, sizeof *t->first);
    for (int f = 0; f < n; f++) {
        t->first[f] = t->nblocks;
        t->nblocks += l->g->funcs[f].nblocks;
    }
    find_calls(l->g, t);
    t->off = says_nothing(l);
    t->reach = cs_calloc(n + 1, sizeof *t->reach);
    t->up = cs_calloc(n + 1, sizeof *t->up);
    t->made_up = cs_calloc(n + 1, sizeof *t->made_up);
    t->always = new_set(t, n);
    t->of_stmt = cs_calloc(l->g->nstmts + 1, sizeof *t->of_stmt);
    t->of_func = cs_calloc(n + 1, sizeof *t->of_func);
    for (int f = 0; f < n && !t->off; f++)
        if (l->fi[f].async && !has(t->always, f))
            take_in(t->always, reach_of(l, t, f), n);
    CS_GROW(t->m, t->n, t->cap);
    t->m[t->n++] = NULL;
}

void cs_moments_free(struct cs_live *l)
{
    struct cs_moments *t = l->moments;
    for (int f = 0; f < t->nfuncs; f++) {
        free(t->reach[f]);
        free(t->up[f]);
    }
    for (int i = 0; i < t->n; i++)
        free(t->m[i]);
    cs_pairset_free(&t->known);
    free(t->first);
    free(t->first_call);
    cs_intlist_free(&t->call);
    free(t->reach);
    free(t->up);
    free(t->made_up);
    free(t->always);
    free(t->of_stmt);
    free(t->of_func);
    free(t->m);
    free(t->sites);
    free(t->reads);
    cs_pairset_free(&t->reads_known);
    free(t);
}
