/* SPDX-License-Identifier: GPL-3.0-or-later
 * Effects of blocks on memory; turn_memory.h. A variable of a function that is called is new in each call: what it
 * holds does not count for the caller. */
#include "slicer/alike/turn_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* How far a function is. */
enum { NOT_ASKED, BEING_ASKED, KNOWN };

/* By function: how far it is, whether it makes recorded calls, its effects once they are known. */
struct cs_memories {
    struct cs_toucher *t;
    const bool *stateful;
    char *state;
    bool *talks;
    struct cs_memory *of;
};

static const struct cs_memory *memory_of_function(struct cs_memories *m, int func);

/* ---- spans ---- */

static void add_span(struct cs_spans *s, struct cs_span x)
{
    for (int i = 0; i < s->n; i++) {
        struct cs_span *y = &s->a[i];
        if (y->obj != x.obj || x.from > y->to || y->from > x.to)
            continue;
        x.from = x.from < y->from ? x.from : y->from;
        x.to = x.to > y->to ? x.to : y->to;
        *y = s->a[--s->n];
        i = -1; /* what it has become may touch another one */
    }
    CS_GROW(s->a, s->n, s->cap);
    s->a[s->n++] = x;
}

static void add_spans(struct cs_spans *s, const struct cs_spans *more)
{
    for (int i = 0; i < more->n; i++)
        add_span(s, more->a[i]);
}

/* What a span of this place is of. */
static int whose(const struct cs_touch *p)
{
    return p->via >= 0 ? -1 - p->via : p->obj;
}

static bool is_covered(const struct cs_spans *s, const struct cs_touch *p)
{
    for (int i = 0; i < s->n && p->exact; i++)
        if (s->a[i].obj == whose(p) && s->a[i].from <= p->pat.off && p->pat.off + p->size <= s->a[i].to)
            return true;
    return s->all;
}

static void free_spans(struct cs_spans *s)
{
    free(s->a);
    *s = (struct cs_spans){0};
}

/* What is in both: into `a`. */
static void meet(struct cs_spans *a, const struct cs_spans *b)
{
    struct cs_spans both = {0};
    if (b->all)
        return;
    for (int i = 0; i < (a->all ? 0 : a->n); i++)
        for (int k = 0; k < b->n; k++) {
            struct cs_span x = a->a[i];
            x.from = x.from > b->a[k].from ? x.from : b->a[k].from;
            x.to = x.to < b->a[k].to ? x.to : b->a[k].to;
            if (x.obj == b->a[k].obj && x.from < x.to)
                add_span(&both, x);
        }
    if (a->all)
        add_spans(&both, b);
    free_spans(a);
    *a = both;
}

static int64_t total(const struct cs_spans *s)
{
    int64_t sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += s->a[i].to - s->a[i].from;
    return s->all ? -1 : sum;
}

/* ---- statements ---- */

/* Is the statement run in the slice, at its place? */
static bool runs(const struct cs_stmt *s)
{
    return s->keep || s->kind == CS_STMT_ENTRY;
}

/* Does the variable belong to the function itself, so that each call has a new one? */
static bool is_own(const struct cs_graph *g, int obj, int func)
{
    return obj >= 0 && g->objs[obj].kind == CS_OBJ_LOCAL && g->objs[obj].func == func;
}

/* What happens at a statement: places that are read that were there before, places that are written, and those that
 * are for sure. */
struct step {
    struct cs_touches reads, writes;
    struct cs_spans surely;
    const char *why;
    bool events;
};

static void write_for_sure(const struct cs_touches *writes, struct cs_spans *surely)
{
    for (int i = 0; i < writes->n; i++) {
        const struct cs_touch *w = &writes->a[i];
        if (w->exact)
            add_span(surely, (struct cs_span){whose(w), w->pat.off, w->pat.off + w->size});
    }
}

/* Adds what a callee does with the place to what the calling statement does: behind a parameter it is the argument's.
 */
static const char *pass_up(struct cs_memories *m, int stmt, struct cs_touch p, struct cs_touches *to)
{
    const struct cs_stmt *s = &m->t->g->stmts[stmt];
    int via = p.via;
    p.stmt = stmt;
    if (via < 0) {
        cs_touches_add(to, p);
        return NULL;
    }
    if (via >= s->nuses)
        return "an argument is missing";
    if (via < 32 && (s->arg_null >> via & 1))
        return NULL; /* nobody looks at it */
    struct cs_ref r = {s->uses[via], p.pat, p.size};
    return cs_touch_ref(m->t, &r, p, !p.exact, to);
}

/* What the callee writes for sure, as the calling statement does. */
static void pass_up_spans(struct cs_memories *m, int stmt, const struct cs_spans *spans, struct cs_spans *to)
{
    for (int i = 0; i < spans->n; i++) {
        const struct cs_span *x = &spans->a[i];
        struct cs_touches places = {0};
        struct cs_touch p = {
            .obj = x->obj, .via = -1, .pat = cs_pat_at(x->from), .size = x->to - x->from, .exact = true};
        if (x->obj < 0) {
            p.via = -1 - x->obj;
            p.obj = -1;
        }
        if (!pass_up(m, stmt, p, &places))
            write_for_sure(&places, to);
        cs_touches_free(&places);
    }
}

/* The effects of one function with a body that the statement calls; `only`: it calls no other. */
static void add_callee(struct cs_memories *m, int stmt, int func, bool only, struct step *st)
{
    const struct cs_memory *c = memory_of_function(m, func);
    st->why = st->why ? st->why : c->why;
    st->events |= c->events;
    for (int i = 0; i < c->before.n && !st->why; i++)
        st->why = pass_up(m, stmt, c->before.a[i], &st->reads);
    for (int i = 0; i < c->written.n && !st->why; i++) {
        struct cs_touch p = c->written.a[i];
        p.exact = false; /* the spans tell */
        st->why = pass_up(m, stmt, p, &st->writes);
    }
    if (only)
        pass_up_spans(m, stmt, &c->surely, &st->surely);
}

static struct step step_of(struct cs_memories *m, int stmt)
{
    struct step st = {0};
    st.why = cs_touched(m->t, stmt, &st.reads, &st.writes);
    write_for_sure(&st.writes, &st.surely);
    if (m->t->g->stmts[stmt].kind != CS_STMT_CALL)
        return st;
    st.events = cs_touched_event(m->t, stmt);
    const struct cs_intset *c = cs_pts_callees(m->t->pts, stmt);
    for (int i = 0; i < c->n && !st.why; i++)
        if (m->t->g->funcs[c->a[i]].defined)
            add_callee(m, stmt, c->a[i], c->n == 1, &st);
    return st;
}

static void free_step(struct step *st)
{
    cs_touches_free(&st->reads);
    cs_touches_free(&st->writes);
    free_spans(&st->surely);
}

/* ---- blocks ---- */

/* Of one set of blocks, by block: the blocks before it, what is surely written where it begins, and in it. */
struct flow {
    const struct cs_func *f;
    const bool *in;
    int first;
    struct cs_intlist *preds;
    struct cs_spans *begin, *adds;
};

static void find_preds(struct flow *w)
{
    for (int b = 0; b < w->f->nblocks; b++)
        for (int i = 0; w->in[b] && i < w->f->blocks[b].nsuccs; i++) {
            int to = w->f->blocks[b].succs[i];
            if (!w->f->blocks[b].never[i] && to >= 0 && w->in[to])
                cs_intlist_add(&w->preds[to], b);
        }
}

static void find_adds(struct cs_memories *m, struct flow *w, struct cs_memory *out)
{
    for (int b = 0; b < w->f->nblocks; b++)
        for (int i = 0; w->in[b] && i < w->f->blocks[b].nstmts && !out->why; i++) {
            int s = w->f->blocks[b].stmts[i];
            if (!runs(&m->t->g->stmts[s]))
                continue;
            struct step st = step_of(m, s);
            add_spans(&w->adds[b], &st.surely);
            out->events |= st.events;
            out->why = st.why;
            out->at = s;
            free_step(&st);
        }
}

/* What is surely written where block b begins. */
static struct cs_spans before_block(const struct flow *w, int b)
{
    struct cs_spans s = {.all = b != w->first};
    for (int i = 0; i < w->preds[b].n && b != w->first; i++) {
        int p = w->preds[b].a[i];
        struct cs_spans end = {.all = w->begin[p].all};
        add_spans(&end, &w->begin[p]);
        add_spans(&end, &w->adds[p]);
        meet(&s, &end);
        free_spans(&end);
    }
    return s;
}

/* To the greatest fixpoint: what is written for sure can only become less. */
static void spread(struct flow *w)
{
    bool changed = true;
    for (int b = 0; b < w->f->nblocks; b++)
        w->begin[b].all = true;
    while (changed) {
        changed = false;
        for (int b = 0; b < w->f->nblocks; b++) {
            if (!w->in[b])
                continue;
            struct cs_spans now = before_block(w, b);
            changed |= total(&now) != total(&w->begin[b]);
            free_spans(&w->begin[b]);
            w->begin[b] = now;
        }
    }
}

static void add_step(const struct step *st, struct cs_spans *now, struct cs_memory *out)
{
    for (int i = 0; i < st->reads.n; i++)
        if (!is_covered(now, &st->reads.a[i]))
            cs_touches_add(&out->before, st->reads.a[i]);
    for (int i = 0; i < st->writes.n; i++)
        cs_touches_add(&out->written, st->writes.a[i]);
    add_spans(now, &st->surely);
}

/* Walks all blocks once more, with what is known where they begin. */
static void collect(struct cs_memories *m, const struct flow *w, struct cs_memory *out)
{
    out->surely.all = true;
    for (int b = 0; b < w->f->nblocks; b++) {
        if (!w->in[b])
            continue;
        const struct cs_block *bl = &w->f->blocks[b];
        struct cs_spans now = {0};
        add_spans(&now, &w->begin[b]);
        for (int i = 0; i < bl->nstmts; i++) {
            if (!runs(&m->t->g->stmts[bl->stmts[i]]))
                continue;
            struct step st = step_of(m, bl->stmts[i]);
            add_step(&st, &now, out);
            free_step(&st);
        }
        bool ends = bl->nsuccs == 0;
        for (int i = 0; i < bl->nsuccs; i++)
            ends |= !bl->never[i] && bl->succs[i] < 0;
        if (ends)
            meet(&out->surely, &now);
        free_spans(&now);
    }
    if (out->before.n + out->written.n > CS_TOUCHES_MOST)
        out->why = "too many places in memory are read and written";
}

struct cs_memory cs_memory_of(struct cs_memories *m, int func, const bool *in, int first)
{
    struct cs_memory out = {.at = -1};
    struct flow w = {.f = &m->t->g->funcs[func], .in = in, .first = first};
    assert(in[first]);
    w.preds = cs_calloc(w.f->nblocks + 1, sizeof *w.preds);
    w.begin = cs_calloc(w.f->nblocks + 1, sizeof *w.begin);
    w.adds = cs_calloc(w.f->nblocks + 1, sizeof *w.adds);
    find_preds(&w);
    find_adds(m, &w, &out);
    if (!out.why) {
        out.at = -1;
        spread(&w);
        collect(m, &w, &out);
    }
    for (int b = 0; b < w.f->nblocks; b++) {
        cs_intlist_free(&w.preds[b]);
        free_spans(&w.begin[b]);
        free_spans(&w.adds[b]);
    }
    free(w.preds);
    free(w.begin);
    free(w.adds);
    return out;
}

void cs_memory_free(struct cs_memory *m)
{
    cs_touches_free(&m->before);
    cs_touches_free(&m->written);
    free_spans(&m->surely);
}

/* ---- functions ---- */

static void drop_own(const struct cs_graph *g, struct cs_touches *t, int func)
{
    int n = 0;
    for (int i = 0; i < t->n; i++)
        if (!is_own(g, t->a[i].obj, func))
            t->a[n++] = t->a[i];
    t->n = n;
}

static void drop_own_spans(const struct cs_graph *g, struct cs_spans *s, int func)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (!is_own(g, s->a[i].obj, func))
            s->a[n++] = s->a[i];
    s->n = n;
    s->all = false; /* of a function that does not come back */
}

static void ask_function(struct cs_memories *m, int func)
{
    const struct cs_func *f = &m->t->g->funcs[func];
    struct cs_memory *out = &m->of[func];
    bool *in = cs_calloc(f->nblocks + 1, sizeof *in);
    for (int b = 0; b < f->nblocks; b++)
        in[b] = f->blocks[b].reachable;
    *out = f->nblocks ? cs_memory_of(m, func, in, 0) : (struct cs_memory){.at = -1};
    free(in);
    drop_own(m->t->g, &out->before, func);
    drop_own(m->t->g, &out->written, func);
    drop_own_spans(m->t->g, &out->surely, func);
    if (!out->why && (f->keep_all || f->comes_back))
        out->why = "a function jumps where the graph does not show it";
    if (!out->why && m->stateful[func])
        out->why = "an assumption about how often a condition holds counts there";
}

static const struct cs_memory *memory_of_function(struct cs_memories *m, int func)
{
    static const struct cs_memory in_recursion = {.why = "a function calls itself", .at = -1};
    if (m->state[func] == BEING_ASKED)
        return &in_recursion;
    if (m->state[func] == NOT_ASKED) {
        m->state[func] = BEING_ASKED;
        ask_function(m, func);
        m->state[func] = KNOWN;
    }
    return &m->of[func];
}

/* Which functions make recorded calls: backward from these over calls, until nothing changes. */
static void find_talks(struct cs_memories *m)
{
    const struct cs_graph *g = m->t->g;
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < g->nstmts; s++) {
            const struct cs_stmt *st = &g->stmts[s];
            if (st->kind != CS_STMT_CALL || !st->keep || m->talks[st->func])
                continue;
            bool talks = cs_touched_event(m->t, s);
            const struct cs_intset *c = cs_pts_callees(m->t->pts, s);
            for (int i = 0; i < c->n && !talks; i++)
                talks = m->talks[c->a[i]];
            m->talks[st->func] = talks;
            changed |= talks;
        }
    }
}

bool cs_memories_talks(const struct cs_memories *m, int func)
{
    return m->talks[func];
}

struct cs_memories *cs_memories_new(struct cs_toucher *t, const bool *stateful)
{
    struct cs_memories *m = cs_calloc(1, sizeof *m);
    m->t = t;
    m->stateful = stateful;
    m->state = cs_calloc(t->g->nfuncs + 1, 1);
    m->talks = cs_calloc(t->g->nfuncs + 1, sizeof *m->talks);
    m->of = cs_calloc(t->g->nfuncs + 1, sizeof *m->of);
    find_talks(m);
    return m;
}

void cs_memories_free(struct cs_memories *m)
{
    for (int f = 0; f < m->t->g->nfuncs; f++)
        cs_memory_free(&m->of[f]);
    free(m->state);
    free(m->talks);
    free(m->of);
    free(m);
}
