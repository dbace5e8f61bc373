/* SPDX-License-Identifier: GPL-3.0-or-later
 * The numbers that a Fortran I/O statement may have as its unit: constants, and numbers that the run finds, by
 * OPEN(NEWUNIT=u) or by a function that asks INQUIRE(UNIT=u, OPENED=...) and returns u. Two such are different units,
 * as each was free when it was found; followed back from the statement, through variables, arguments and results. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>

/* What is known so far. By model, its units; by function, whether it finds numbers. */
struct cs_found {
    struct cs_intset *units;
    bool *known;
    enum { UNKNOWN, FINDS, FINDS_NOT } * finder;
    struct cs_intset opened; /* the found numbers that some OPEN connects */
    bool opened_known;
};

/* One way back. The statements, parameters and objects that it has passed; what it has come to, in `to`. */
struct trail {
    struct cs_live *l;
    struct cs_intset passed, parameters, places, to;
    int inside; /* the function that it must not leave, -1: it may */
    bool lost;  /* it came to something else than a constant or a found number */
    bool comes_from_outside;
};

enum { MAX_PASSED = 400 }; /* statements; a trail that is longer is lost */

static void follow(struct trail *t, struct cs_operand op);

static void lose(struct trail *t, bool outside)
{
    t->lost = true;
    t->comes_from_outside |= outside;
}

/* Inside of one function it is asked what the trail passes, not where it ends. */
static bool given_up(const struct trail *t)
{
    return t->inside < 0 ? t->lost : t->comes_from_outside;
}

static bool opens(const struct cs_model *m)
{
    return m->fx && !strcmp(m->fx->name, "_gfortran_st_open");
}

/* OPEN(NEWUNIT=...): the library finds a number, below 0. */
static bool new_unit(struct cs_live *l, const struct cs_model *m)
{
    enum { HAS_NEWUNIT = 1 << 23 };
    if (!opens(m))
        return false;
    struct cs_intset flags = cs_stored_in_block(l, m, 0, 4);
    bool always = flags.n > 0;
    for (int i = 0; i < flags.n; i++)
        always &= (flags.a[i] & HAS_NEWUNIT) != 0;
    cs_intset_free(&flags);
    return always;
}

/* ---- the way back ---- */

static void follow_results(struct trail *t, int func)
{
    const struct cs_intlist *returns = &t->l->fi[func].returns;
    for (int i = 0; i < returns->n; i++)
        if (t->l->g->stmts[returns->a[i]].nuses)
            follow(t, t->l->g->stmts[returns->a[i]].uses[0]);
        else
            lose(t, false);
}

static bool finds(struct cs_live *l, int func);

static void follow_call(struct trail *t, int call)
{
    const struct cs_intset *c = cs_pts_callees(t->l->pts, call);
    if (t->inside >= 0 || !c->n) {
        lose(t, true);
        return;
    }
    for (int k = 0; k < c->n; k++) {
        if (!t->l->g->funcs[c->a[k]].defined)
            lose(t, true);
        else if (finds(t->l, c->a[k]))
            cs_intset_add(&t->to, CS_FOUND(call));
        else
            follow_results(t, c->a[k]);
    }
}

static void follow_parameter(struct trail *t, int value)
{
    int func = t->l->g->values[value].func, param = t->l->vi[value].param;
    if (t->inside >= 0 || param < 0 || func < 0 || cs_pts_escaped(t->l->pts, t->l->g->funcs[func].obj)) {
        lose(t, true);
        return;
    }
    const struct cs_intlist *calls = &t->l->fi[func].calls;
    if (!cs_intset_add(&t->parameters, value))
        return;
    for (int i = 0; i < calls->n && !given_up(t); i++) {
        const struct cs_stmt *s = &t->l->g->stmts[calls->a[i]];
        if (cs_live_plain_call(t->l, calls->a[i]) && param < s->nuses)
            follow(t, s->uses[param]);
        else
            lose(t, true);
    }
}

/* What a writer leaves in a variable: OPEN a new number, if it is the variable of NEWUNIT=. */
static void follow_writer(struct trail *t, const struct writer *w, int64_t size)
{
    const struct cs_stmt *s = &t->l->g->stmts[w->stmt];
    if ((w->kind == W_STORE && (s->kind == CS_STMT_STORE || s->kind == CS_STMT_ENTRY)) && w->size == size && s->nuses)
        follow(t, s->uses[0]);
    else if (w->kind == W_CALL_RESULT)
        follow_call(t, w->stmt);
    else if (w->kind == W_MODEL && new_unit(t->l, cs_writer_model(t->l, w)))
        cs_intset_add(&t->to, CS_FOUND(w->stmt));
    else
        lose(t, false);
}

/* A place that a load reads. */
static void follow_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct trail *t = arg;
    struct cs_live *l = t->l;
    const struct cs_obj *o = &l->g->objs[obj];
    bool known = (o->kind == CS_OBJ_LOCAL || o->kind == CS_OBJ_GLOBAL) && !o->external && !cs_pts_lost(l->pts, obj) &&
                 !cs_pts_escaped(l->pts, obj);
    if (!known || (t->inside >= 0 && (o->kind != CS_OBJ_LOCAL || o->func != t->inside))) {
        lose(t, true);
        return;
    }
    cs_intset_add(&t->places, obj);
    for (int i = 0; i < o->ninits; i++)
        if (cs_pat_overlap(cs_pat_at(o->inits[i].off), o->inits[i].size, pat, size))
            follow(t, o->inits[i].val);
    for (int i = 0; i < l->writers[obj].n && !given_up(t); i++)
        if (cs_pat_overlap(l->writers[obj].w[i].pat, l->writers[obj].w[i].size, pat, size))
            follow_writer(t, &l->writers[obj].w[i], size);
}

static bool same_place(const struct cs_ref *a, const struct cs_ref *b)
{
    return a->base.kind == CS_OPND_ADDR && b->base.kind == CS_OPND_ADDR && a->base.id == b->base.id && !a->pat.stride &&
           !a->base.pat.stride && a->size == b->size && cs_pat_equal(a->base.pat, b->base.pat) &&
           cs_pat_equal(a->pat, b->pat);
}

/* The store in the load's own block that it reads for sure: nothing between the two may write there. -1: none. */
static int store_before(const struct cs_live *l, int load)
{
    const struct cs_stmt *s = &l->g->stmts[load];
    const struct cs_block *b = &l->g->funcs[s->func].blocks[s->block];
    int store = -1;
    for (int i = 0; i < b->nstmts && b->stmts[i] != load; i++) {
        const struct cs_stmt *w = &l->g->stmts[b->stmts[i]];
        bool elsewhere = w->has_store && w->store.base.kind == CS_OPND_ADDR && w->store.base.id != s->load.base.id;
        if (w->kind == CS_STMT_STORE && !w->partial && same_place(&w->store, &s->load))
            store = b->stmts[i];
        else if (w->kind == CS_STMT_CALL || w->kind == CS_STMT_ASM || (w->has_store && !elsewhere))
            store = -1;
    }
    return store;
}

static void follow_load(struct trail *t, int load)
{
    int store = store_before(t->l, load);
    if (store >= 0)
        follow(t, t->l->g->stmts[store].uses[0]);
    else
        cs_pts_places(t->l->pts, &t->l->g->stmts[load].load, follow_place, t);
}

static void follow_stmt(struct trail *t, int stmt)
{
    const struct cs_stmt *s = &t->l->g->stmts[stmt];
    if (!cs_intset_add(&t->passed, stmt))
        return;
    if (t->passed.n > MAX_PASSED) {
        lose(t, true);
        return;
    }
    if (s->kind == CS_STMT_LOAD && !s->partial)
        follow_load(t, stmt);
    else if (s->kind == CS_STMT_CALL)
        follow_call(t, stmt);
    else if (s->kind == CS_STMT_PHI || (s->kind == CS_STMT_ASSIGN && s->op == CS_OP_COPY))
        for (int i = 0; i < s->nuses; i++)
            follow(t, s->uses[i]);
    else
        lose(t, false);
}

static void follow(struct trail *t, struct cs_operand op)
{
    int64_t c;
    if (cs_pts_constant(t->l->pts, op, &c))
        cs_intset_add(&t->to, (int)c);
    else if (op.kind != CS_OPND_VALUE)
        lose(t, true);
    else if (t->l->g->values[op.id].def < 0)
        follow_parameter(t, op.id);
    else
        follow_stmt(t, t->l->g->values[op.id].def);
}

static void trail_free(struct trail *t)
{
    cs_intset_free(&t->passed);
    cs_intset_free(&t->parameters);
    cs_intset_free(&t->places);
    cs_intset_free(&t->to);
}

/* ---- functions that find a number ---- */

static bool meet(const struct cs_intset *a, const struct cs_intset *b)
{
    for (int i = 0; i < a->n; i++)
        if (cs_intset_has(b, a->a[i]))
            return true;
    return false;
}

/* Is the call an INQUIRE by number that asks at least for this? The flags are those of its parameter block. */
static bool inquires(struct cs_live *l, const struct cs_model *m, int asked, int others)
{
    enum { COMMON = (1 << 7) - 1 };
    if (!m->fx || strcmp(m->fx->name, "_gfortran_st_inquire"))
        return false;
    struct cs_intset flags = cs_stored_in_block(l, m, 0, 4);
    bool is = flags.n > 0;
    for (int i = 0; i < flags.n; i++)
        is &= (flags.a[i] & asked) == asked && !(flags.a[i] & ~(asked | others | COMMON));
    cs_intset_free(&flags);
    return is;
}

/* What an INQUIRE asks, in the flags of its parameter block. */
enum { ASKS_EXIST = 1 << 7, ASKS_OPENED = 1 << 8, ASKS_NUMBER = 1 << 9, ASKS_NAMED = 1 << 10 };

bool cs_asks_connection(struct cs_live *l, const struct cs_model *m)
{
    return inquires(l, m, 0, ASKS_EXIST | ASKS_OPENED | ASKS_NUMBER | ASKS_NAMED);
}

/* Follows what the program stores as the unit number of this call. */
static void unit_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct trail *t = arg;
    const struct writers *ws = &t->l->writers[obj];
    if (cs_pts_lost(t->l->pts, obj))
        lose(t, true);
    for (int i = 0; i < ws->n; i++)
        if (ws->w[i].kind != W_MODEL && cs_pat_overlap(ws->w[i].pat, ws->w[i].size, pat, size))
            follow_writer(t, &ws->w[i], size);
}

static void follow_unit(struct trail *t, const struct cs_model *m)
{
    struct cs_ref ref = t->l->g->stmts[t->l->g->values[m->unit_value].def].load;
    cs_pts_places(t->l->pts, &ref, unit_place, t);
}

/* Is the function's result a number that it makes itself, from constants, and that it asks for by OPENED=? */
static bool is_finder(struct cs_live *l, int func)
{
    struct trail result = {.l = l, .inside = func};
    bool is = false;
    follow_results(&result, func);
    for (int i = 0; i < l->ms->n && !result.comes_from_outside && !is; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (m->unit_value < 0 || l->g->stmts[m->stmt].func != func || !inquires(l, m, ASKS_OPENED, ASKS_EXIST))
            continue;
        struct trail unit = {.l = l, .inside = func};
        follow_unit(&unit, m);
        is = meet(&unit.passed, &result.passed) || meet(&unit.places, &result.places);
        trail_free(&unit);
    }
    trail_free(&result);
    return is;
}

static struct cs_found *found_of(struct cs_live *l)
{
    if (l->found)
        return l->found;
    struct cs_found *f = l->found = cs_calloc(1, sizeof *f);
    f->units = cs_calloc(l->ms->n + 1, sizeof *f->units);
    f->known = cs_calloc(l->ms->n + 1, sizeof *f->known);
    f->finder = cs_calloc(l->g->nfuncs + 1, sizeof *f->finder);
    return f;
}

static bool finds(struct cs_live *l, int func)
{
    struct cs_found *f = found_of(l);
    if (f->finder[func] == UNKNOWN)
        f->finder[func] = is_finder(l, func) ? FINDS : FINDS_NOT;
    return f->finder[func] == FINDS;
}

/* ---- units ---- */

static const struct cs_intset *units_of(struct cs_live *l, const struct cs_model *m)
{
    struct cs_found *f = found_of(l);
    int mi = (int)(m - l->ms->m);
    if (f->known[mi])
        return &f->units[mi];
    struct trail t = {.l = l, .inside = -1};
    if (new_unit(l, m))
        cs_intset_add(&t.to, CS_FOUND(m->stmt));
    else
        follow_unit(&t, m);
    if (t.lost)
        t.to.n = 0;
    f->units[mi] = cs_intset_copy(&t.to);
    f->known[mi] = true;
    trail_free(&t);
    return &f->units[mi];
}

/* A number counts as found only if some OPEN connects it: else the function may look for a unit that is open. */
static bool all_opened(struct cs_live *l, const struct cs_intset *units)
{
    struct cs_found *f = found_of(l);
    for (int i = 0; i < l->ms->n && !f->opened_known; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!opens(m) || m->unit_value < 0 || !cs_live_reachable_stmt(l, m->stmt))
            continue;
        const struct cs_intset *u = units_of(l, m);
        for (int k = 0; k < u->n; k++)
            if (cs_is_found(u->a[k]))
                cs_intset_add(&f->opened, u->a[k]);
    }
    f->opened_known = true;
    for (int i = 0; i < units->n; i++)
        if (cs_is_found(units->a[i]) && !cs_intset_has(&f->opened, units->a[i]))
            return false;
    return true;
}

struct cs_intset cs_unit_numbers(struct cs_live *l, const struct cs_model *m)
{
    assert(m->unit_value >= 0);
    const struct cs_intset *units = units_of(l, m);
    bool maybe_new = opens(m) && cs_intset_has(units, 0); /* NEWUNIT= stores 0 */
    return !maybe_new && all_opened(l, units) ? cs_intset_copy(units) : (struct cs_intset){0};
}

bool cs_unit_meets(const struct cs_intset *units, int unit)
{
    bool found = cs_is_found(unit), constant = unit >= 0 && unit != 0 && unit != 5 && unit != 6;
    for (int i = 0; i < units->n; i++) {
        int u = units->a[i];
        if (u == unit || (found && u > 0 && u != 5 && u != 6) || (constant && cs_is_found(u)))
            return true;
    }
    return false;
}

void cs_found_free(struct cs_live *l)
{
    if (!l->found)
        return;
    for (int i = 0; i < l->ms->n; i++)
        cs_intset_free(&l->found->units[i]);
    cs_intset_free(&l->found->opened);
    free(l->found->units);
    free(l->found->known);
    free(l->found->finder);
    free(l->found);
}
