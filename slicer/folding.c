/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which values GCC may come to know while it compiles, if it puts functions in line, clones them, unrolls loops and
 * follows variables (folding.h). A value may be known if it is a constant in some call that is kept, on some way: marks
 * are only added, and start from what the program says. What comes from outside, from messages and files and libraries,
 * is never known. */
#include "slicer/folding.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of an object that may be known. */
struct known_place {
    struct cs_pattern pat;
    int64_t size;
};
/* All such bytes of one object: p[n], in the order in which they were found. */
struct known_object {
    struct known_place *p;
    int n, cap;
};

/* By value, function, object and statement of the graph; all marks only grow. */
struct folding {
    const struct cs_graph *g;
    const struct cs_models *ms;
    struct cs_pts *pts;
    bool *value, *result; /* what may be known: values, what functions return */
    struct known_object *objs;
    bool *written; /* objects that a kept statement writes */
    bool *done;    /* statements that have marked all they can */
    int *asked;    /* loads: `places` when memory was last asked, and said no */
    int places;    /* how many places were marked */
    bool changed;
};

static void set(struct folding *f, bool *flag)
{
    f->changed |= !*flag;
    *flag = true;
}

/* A value that points-to knows to be one number has no statement in the slice, but that number. */
static bool may_be_known(const struct folding *f, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE && f->g->values[op.id].same.kind != CS_OPND_NONE)
        op = f->g->values[op.id].same;
    return op.kind != CS_OPND_VALUE || f->value[op.id];
}

static bool all_known(const struct folding *f, const struct cs_stmt *s)
{
    for (int i = 0; i < s->nuses; i++)
        if (!may_be_known(f, s->uses[i]))
            return false;
    return true;
}

/* ---- memory ---- */

static void mark_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct folding *f = arg;
    struct known_object *o = &f->objs[obj];
    for (int i = 0; i < o->n; i++)
        if (o->p[i].size == size && cs_pat_covers(o->p[i].pat, pat))
            return;
    CS_GROW(o->p, o->n, o->cap);
    o->p[o->n++] = (struct known_place){pat, size};
    f->places++;
    f->changed = true;
}

static void mark_ref(struct folding *f, const struct cs_ref *r)
{
    cs_pts_places_as_one(f->pts, r, mark_place, f);
}

static void note_written(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct folding *f = arg;
    (void)pat;
    (void)size;
    f->written[obj] = true;
}

/* May a place that is read be known? */
struct known_query {
    struct folding *f;
    bool known;
};

/* What a variable holds from the start, if no statement of the slice writes it. */
static bool keeps_start(const struct folding *f, int obj)
{
    const struct cs_obj *o = &f->g->objs[obj];
    return o->kind == CS_OBJ_GLOBAL && !o->external && (o->readonly || !f->written[obj]);
}

static void ask_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct known_query *q = arg;
    const struct known_object *o = &q->f->objs[obj];
    q->known |= keeps_start(q->f, obj);
    for (int i = 0; i < o->n && !q->known; i++)
        q->known = cs_pat_overlap(o->p[i].pat, o->p[i].size, pat, size);
}

static bool ref_known(struct folding *f, const struct cs_ref *r)
{
    struct known_query q = {f, false};
    cs_pts_places_as_one(f->pts, r, ask_place, &q);
    return q.known;
}

/* ---- calls ---- */

/* Does the result follow from the arguments, and from constants that they point to? */
static bool is_function_of_arguments(const struct cs_model *m)
{
    const struct cs_effect *fx = m->fx;
    if (!fx || fx->time || fx->rankvar || fx->ret != CS_RET_VALUE)
        return false;
    for (int i = 0; i < fx->nops; i++) {
        const struct cs_effect_op *op = &fx->ops[i];
        bool errno_alone = op->kind == CS_EFFECT_HIDDEN && !op->hid_read;
        if (op->kind != CS_EFFECT_READ && !errno_alone)
            return false;
    }
    return true;
}

static void run_model(struct folding *f, const struct cs_stmt *s, const struct cs_model *m)
{
    for (int k = 0; k < m->ncopies; k++)
        if (ref_known(f, &m->copies[k].src))
            mark_ref(f, &m->copies[k].dst);
    if (s->def >= 0 && is_function_of_arguments(m) && all_known(f, s))
        set(f, &f->value[s->def]);
    for (int k = 0; k < m->nret && s->def >= 0 && m->fx && m->fx->ret == CS_RET_ARG_EXACT; k++)
        if (may_be_known(f, m->ret[k].val))
            set(f, &f->value[s->def]);
}

static void run_callee(struct folding *f, const struct cs_stmt *s, int func)
{
    const struct cs_func *fn = &f->g->funcs[func];
    for (int i = 0; i < fn->nparams && i < s->nuses; i++)
        if (fn->params[i] >= 0 && may_be_known(f, s->uses[i]))
            set(f, &f->value[fn->params[i]]);
    for (int k = 0; k < s->narg_loads; k++) {
        int arg = s->arg_loads[k].arg, obj = arg < fn->nparams ? fn->param_objs[arg] : -1;
        if (obj >= 0 && ref_known(f, &s->arg_loads[k].ref))
            mark_place(f, obj, cs_pat_at(0), s->arg_loads[k].ref.size);
    }
    bool known = f->result[func];
    if (fn->result_obj >= 0) {
        struct cs_ref r = {cs_opnd_addr(fn->result_obj, cs_pat_at(0)), cs_pat_at(0), CS_SIZE_UNKNOWN};
        known |= ref_known(f, &r);
    }
    if (known && s->def >= 0)
        set(f, &f->value[s->def]);
    if (known && s->has_store)
        mark_ref(f, &s->store);
}

static void run_call(struct folding *f, int stmt)
{
    const struct cs_stmt *s = &f->g->stmts[stmt];
    const struct cs_intset *c = cs_pts_callees(f->pts, stmt);
    for (int i = 0; i < c->n; i++)
        if (f->g->funcs[c->a[i]].defined)
            run_callee(f, s, c->a[i]);
    for (int k = 0; stmt < f->ms->nstmts && k < f->ms->of_stmt[stmt].n; k++)
        run_model(f, s, &f->ms->m[f->ms->of_stmt[stmt].a[k]]);
}

/* ---- statements ---- */

static void run_store(struct folding *f, int stmt, bool known)
{
    if (!known)
        return;
    mark_ref(f, &f->g->stmts[stmt].store);
    f->done[stmt] = true;
}

/* Is anything new in memory since this statement was told that what it reads is not known? */
static bool load_known(struct folding *f, int stmt)
{
    if (f->asked[stmt] == f->places + 1)
        return false;
    f->asked[stmt] = f->places + 1;
    return ref_known(f, &f->g->stmts[stmt].load);
}

static bool any_known(const struct folding *f, const struct cs_stmt *s)
{
    const struct cs_block *blocks = f->g->funcs[s->func].blocks;
    for (int i = 0; i < s->nuses; i++)
        if (blocks[s->phi_preds[i]].reachable && may_be_known(f, s->uses[i]))
            return true;
    return false;
}

static void run_stmt(struct folding *f, int stmt)
{
    const struct cs_stmt *s = &f->g->stmts[stmt];
    bool defines = s->def >= 0 && !f->value[s->def];
    if (f->done[stmt])
        return;
    switch (s->kind) {
    case CS_STMT_ASSIGN:
        if (defines && all_known(f, s))
            set(f, &f->value[s->def]);
        break;
    case CS_STMT_PHI:
        if (defines && any_known(f, s))
            set(f, &f->value[s->def]);
        break;
    case CS_STMT_LOAD:
        if (defines && load_known(f, stmt))
            set(f, &f->value[s->def]);
        break;
    case CS_STMT_STORE:
    case CS_STMT_ENTRY: run_store(f, stmt, s->nuses && may_be_known(f, s->uses[0])); break;
    case CS_STMT_COPY: run_store(f, stmt, load_known(f, stmt)); break;
    case CS_STMT_CALL: run_call(f, stmt); break;
    case CS_STMT_RETURN:
        if (s->nuses ? may_be_known(f, s->uses[0]) : s->has_load && load_known(f, stmt))
            set(f, &f->result[s->func]);
        break;
    default: break;
    }
}

/* ---- the whole ---- */

/* Is it of the slice? A pseudo statement is as its call, and does no harm where that is not kept. */
static bool counts(const struct cs_stmt *s)
{
    return s->keep || s->source < 0;
}

static void find_written(struct folding *f)
{
    for (int i = 0; i < f->g->nstmts; i++) {
        const struct cs_stmt *s = &f->g->stmts[i];
        if (s->keep && s->has_store)
            cs_pts_places(f->pts, &s->store, note_written, f);
        for (int k = 0; s->keep && i < f->ms->nstmts && k < f->ms->of_stmt[i].n; k++) {
            const struct cs_model *m = &f->ms->m[f->ms->of_stmt[i].a[k]];
            for (int w = 0; w < m->nwrites; w++)
                cs_pts_places(f->pts, &m->writes[w].ref, note_written, f);
            for (int c = 0; c < m->ncopies; c++)
                cs_pts_places(f->pts, &m->copies[c].dst, note_written, f);
        }
    }
}

static void find_known(struct folding *f)
{
    f->changed = true;
    while (f->changed) {
        f->changed = false;
        for (int s = 0; s < f->g->nstmts; s++)
            if (counts(&f->g->stmts[s]))
                run_stmt(f, s);
    }
}

/* A call through a pointer that may be of a function which the compiler computes somewhere. */
static bool may_call_computed(const struct folding *f, int stmt)
{
    const struct cs_stmt *s = &f->g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind == CS_OPND_ADDR || !s->keep || s->drop_result || s->source < 0)
        return false;
    const struct cs_intset *c = cs_pts_callees(f->pts, stmt);
    for (int i = 0; i < c->n; i++)
        if (f->g->funcs[c->a[i]].computed && !f->g->funcs[c->a[i]].defined)
            return true;
    return false;
}

static bool is_candidate(const struct cs_stmt *s)
{
    return s->folds && s->keep && (!s->drop_result || s->folds == CS_FOLDS_STORED) && s->source >= 0;
}

static bool is_conditional(const struct cs_stmt *s)
{
    return s->folds == CS_FOLDS_IF_KNOWN || s->folds == CS_FOLDS_IF_EXPONENT;
}

/* May GCC know what it looks at? */
static bool may_fold(const struct folding *f, const struct cs_stmt *s)
{
    if (s->folds == CS_FOLDS_IF_KNOWN)
        return all_known(f, s);
    return s->folds != CS_FOLDS_IF_EXPONENT || (s->nuses && may_be_known(f, s->uses[s->nuses - 1]));
}

static void folding_free(struct folding *f)
{
    for (int o = 0; o < f->g->nobjs; o++)
        free(f->objs[o].p);
    free(f->objs);
    free(f->value);
    free(f->result);
    free(f->written);
    free(f->done);
    free(f->asked);
}

void cs_folding_check(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts,
                      void (*say)(void *arg, int stmt), void *arg)
{
    struct folding f = {.g = g, .ms = ms, .pts = pts};
    bool asked = false;
    for (int i = 0; i < g->nstmts && !asked; i++)
        asked = (is_candidate(&g->stmts[i]) && is_conditional(&g->stmts[i])) || may_call_computed(&f, i);
    f.value = cs_calloc(g->nvalues + 1, 1);
    f.result = cs_calloc(g->nfuncs + 1, 1);
    f.objs = cs_calloc(g->nobjs + 1, sizeof *f.objs);
    f.written = cs_calloc(g->nobjs + 1, 1);
    f.done = cs_calloc(g->nstmts + 1, 1);
    f.asked = cs_calloc(g->nstmts + 1, sizeof *f.asked);
    if (asked) {
        find_written(&f);
        find_known(&f);
    }
    for (int i = 0; i < g->nstmts; i++)
        if ((is_candidate(&g->stmts[i]) && may_fold(&f, &g->stmts[i])) ||
            (may_call_computed(&f, i) && all_known(&f, &g->stmts[i])))
            say(arg, i);
    folding_free(&f);
}
