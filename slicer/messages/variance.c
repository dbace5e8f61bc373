/* SPDX-License-Identifier: GPL-3.0-or-later
 * Marks what may differ between ranks (variance.h): visits all statements again until a round adds no mark.
 * variance_flow.c tells where a collective has made a variable equal. The program's arguments and environment count as
 * equal on all ranks, since `commslice run` starts one program everywhere. */
#include "slicer/messages/variance_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/control/cfg.h"
#include "base/environment.h"
#include "slicer/messages/call_match.h"
#include "slicer/messages/variance.h"

/* Is a place that is read at statement `at` (-1: at any time) tainted? */
struct place_query {
    struct var *v;
    int at;
    bool hit;
};

static void query_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct place_query *q = arg;
    if (obj == cs_pts_stand_in(q->v->pts)) {
        q->hit |= q->v->lost;
        return;
    }
    const struct taint_obj *t = &q->v->objs[obj];
    bool hit = false;
    for (int i = 0; i < t->n && !q->hit && !hit; i++)
        hit = cs_pat_overlap(t->p[i].pat, t->p[i].size, pat, size);
    if (hit && !cs_var_equal_at(q->v, q->at, obj, pat, size))
        q->hit = true;
}

/* May the place differ between ranks when statement `at` reads it? With -1: at any time? */
static bool place_tainted(struct var *v, const struct cs_ref *r, int at)
{
    struct place_query q = {v, at, false};
    if (v->lost && cs_pts_lost_its_way(v->pts, r->base))
        return true;
    cs_pts_places_as_one(v->pts, r, query_cb, &q);
    return q.hit;
}

static void set(struct var *v, bool *flag)
{
    if (*flag)
        return;
    *flag = true;
    v->changed = true;
}

static void taint_object(struct var *v, int obj, struct cs_pattern pat, int64_t size)
{
    assert(obj >= 0 && obj < v->g->nobjs);
    struct taint_obj *t = &v->objs[obj];
    if (cs_pts_lost(v->pts, obj))
        set(v, &v->lost);
    for (int i = 0; i < t->n; i++)
        if (t->p[i].size == size && cs_pat_covers(t->p[i].pat, pat))
            return;
    CS_GROW(t->p, t->n, t->cap);
    t->p[t->n++] = (struct taint_pat){pat, size};
    v->changed = true;
}

/* All objects that points-to has taken as one, in `size` bytes at any place: the same for each pointer to them, and so
 * done once for each size. */
static void taint_lost(struct var *v, int64_t size)
{
    if (cs_var_note_lost_write(v, size))
        v->changed = true;
    for (int i = 0; i < v->nlost_sizes; i++)
        if (v->lost_sizes[i] == size)
            return;
    CS_GROW(v->lost_sizes, v->nlost_sizes, v->alost_sizes);
    v->lost_sizes[v->nlost_sizes++] = size;
    for (int o = 0; o < v->g->nobjs; o++)
        if (cs_pts_lost(v->pts, o))
            taint_object(v, o, cs_pat_normal(cs_pat_any(), v->g->objs[o].size), size);
}

static void taint_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct var *v = arg;
    if (obj == cs_pts_stand_in(v->pts)) {
        taint_lost(v, size);
        return;
    }
    if (cs_var_note_write(v, obj, pat, size))
        v->changed = true;
    taint_object(v, obj, pat, size);
}

static bool same_tainted(const void *what, int stmt, int i)
{
    const struct var *v = what;
    const struct cs_ref *a = &v->tainted[i], *b = v->asked;
    return stmt == v->at && a->size == b->size && a->base.kind == b->base.kind && a->base.id == b->base.id &&
           cs_pat_equal(a->base.pat, b->base.pat) && cs_pat_equal(a->pat, b->pat);
}

/* What a statement has made differ once stays so: what its pointer may point to is not looked at again. */
static void taint_place(struct var *v, const struct cs_ref *r)
{
    uint32_t h = cs_hash(cs_hash(cs_hash(cs_hash(0, v->at), r->base.id), r->pat.off), r->size);
    v->asked = r;
    if (cs_pairset_has(&v->tainted_set, h, same_tainted, v))
        return;
    CS_GROW(v->tainted, v->ntainted, v->atainted);
    cs_pairset_add(&v->tainted_set, h, v->at, v->ntainted);
    v->tainted[v->ntainted++] = *r;
    cs_pts_places_as_one(v->pts, r, taint_cb, v);
}

static bool op_tainted(struct var *v, struct cs_operand op)
{
    return op.kind == CS_OPND_VALUE && v->value[op.id];
}

/* Does the pointer differ between ranks, or may the place behind it hold what differs? */
static bool ref_tainted(struct var *v, const struct cs_ref *r, int at)
{
    return op_tainted(v, r->base) || place_tainted(v, r, at);
}

static bool any_use_tainted(struct var *v, const struct cs_stmt *s)
{
    for (int i = 0; i < s->nuses; i++)
        if (op_tainted(v, s->uses[i]))
            return true;
    for (int i = 0; i < s->nidx; i++)
        if (v->value[s->idx[i]])
            return true;
    return false;
}

static bool is_source(struct var *v, const struct cs_model *m);
static bool reads_tainted(struct var *v, const struct cs_model *m);

/* May this call throw, or jump, on some ranks only? */
static bool call_jumps_apart(struct var *v, int s)
{
    const struct cs_intset *c = cs_pts_callees(v->pts, s);
    for (int i = 0; i < c->n; i++)
        if (v->jumps_apart[c->a[i]])
            return true;
    for (int k = 0; s < v->ms->nstmts && k < v->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &v->ms->m[v->ms->of_stmt[s].a[k]];
        if (!m->mpi && (is_source(v, m) || reads_tainted(v, m)))
            return true;
    }
    return false;
}

/* May ranks leave the block by different edges? */
static bool branch_variant(struct var *v, int func, int block)
{
    if (cs_block_ways(&v->g->funcs[func].blocks[block]) < 2)
        return false;
    int b = cs_block_branch(v->g, func, block);
    if (b < 0)
        return false;
    const struct cs_stmt *s = &v->g->stmts[b];
    if (s->varies || any_use_tainted(v, s))
        return true;
    return s->kind == CS_STMT_CALL && ((s->def >= 0 && v->value[s->def]) || call_jumps_apart(v, b));
}

/* Do only some of the ranks that run the function run the block? Control dependence is followed step by step: a branch
 * that is the same for all who come to it may itself lie under one that is not. */
static bool control_variant(struct var *v, int func, int block)
{
    bool *known = &v->block[func][block];
    assert(block >= 0 && block < v->cdep[func].nblocks);
    const struct cs_intlist *on = &v->cdep[func].on[block];
    for (int i = 0; i < on->n && !*known; i++)
        if (v->block[func][on->a[i]] || branch_variant(v, func, on->a[i]))
            set(v, known);
    return *known;
}

static bool block_variant(struct var *v, int func, int block)
{
    return v->func[func] || control_variant(v, func, block);
}

/* Do the call's results differ between ranks even if its inputs do not? */
static bool is_source(struct var *v, const struct cs_model *m)
{
    if (m->opaque)
        return true;
    if (m->fx)
        return m->fx->time || m->fx->rankvar;
    assert(m->mpi);
    if (m->mpi->kind == CS_MPI_LOCAL)
        return !(m->mpi->flags & CS_MPI_UNIFORM);
    if (m->mpi->kind == CS_MPI_INIT || m->mpi->kind == CS_MPI_BARRIER || m->mpi->kind == CS_MPI_FINALIZE)
        return false;
    if (m->mpi->kind == CS_MPI_START)
        return false;
    /* Ranks may start a persistent one at different places. */
    if (m->mpi->kind == CS_MPI_COLL && (m->mpi->flags & CS_MPI_ALLSAME) && !(m->mpi->flags & CS_MPI_PERSISTENT))
        return !cs_var_whole_world(v, m->comm, 0) || cs_var_skewed(v, m);
    return true;
}

static bool same_value(struct cs_operand a, struct cs_operand b)
{
    return a.kind == CS_OPND_VALUE && b.kind == CS_OPND_VALUE && a.id == b.id;
}

/* Does an argument of a collective differ between ranks? The communicator does not count, neither its handle nor what
 * is read behind it: only its group matters, and is_source() has looked at that. */
static bool need_tainted(struct var *v, const struct cs_model *m, struct cs_operand op)
{
    if (!op_tainted(v, op) || same_value(op, m->comm))
        return false;
    int d = v->g->values[op.id].def;
    return d < 0 || v->g->stmts[d].source >= 0 || !v->g->stmts[d].has_load ||
           !same_value(v->g->stmts[d].load.base, m->comm);
}

/* Is it needed because of a format, which has none of what needs it? */
static bool not_asked_for(struct var *v, const struct cs_mneed *n)
{
    if (n->format.kind == CS_OPND_NONE)
        return false;
    const struct cs_intset *s = cs_pts_operand(v->pts, n->format);
    for (int i = 0; i < s->n; i++) {
        int obj = cs_pts_loc(v->pts, s->a[i])->obj;
        if (obj < 0 ? obj != CS_LOC_CONST : !cs_obj_is_string(v->g, obj))
            return false;
    }
    return s->n > 0;
}

/* Do the call's inputs differ between ranks? A collective that leaves the same content on all ranks may take in content
 * that differs. */
static bool reads_tainted(struct var *v, const struct cs_model *m)
{
    bool allsame = m->mpi && m->mpi->kind == CS_MPI_COLL && (m->mpi->flags & CS_MPI_ALLSAME);
    for (int k = 0; k < m->nneeds; k++) {
        if ((allsame && m->needs[k].payload) || not_asked_for(v, &m->needs[k]))
            continue;
        if (allsame ? need_tainted(v, m, m->needs[k].op) : op_tainted(v, m->needs[k].op))
            return true;
    }
    for (int k = 0; k < m->ncopies; k++)
        if (place_tainted(v, &m->copies[k].src, m->ncallbacks ? -1 : m->stmt))
            return true;
    return false;
}

/* Do the call's results differ between ranks? `here`: only some ranks run it. */
static bool model_varies(struct var *v, const struct cs_model *m, bool here)
{
    bool success_only = m->mpi && m->mpi->kind == CS_MPI_START;
    return here || is_source(v, m) || (!success_only && reads_tainted(v, m)) || m->unit_value >= 0;
}

bool cs_var_makes_equal(struct var *v, const struct cs_model *m)
{
    const struct cs_stmt *s = &v->g->stmts[m->stmt];
    assert(m->buf_arg[1] >= 0 && m->buf_arg[1] < s->nuses);
    bool here = control_variant(v, s->func, s->block) || v->func[s->func] || op_tainted(v, s->callee);
    return !here && !op_tainted(v, s->uses[m->buf_arg[1]]) && !model_varies(v, m, false);
}

bool cs_var_some_ranks(struct var *v, int stmt)
{
    return block_variant(v, v->g->stmts[stmt].func, v->g->stmts[stmt].block);
}

static void run_model(struct var *v, int s, const struct cs_model *m, bool here)
{
    bool t = model_varies(v, m, here);
    for (int k = 0; k < m->nwrites; k++) {
        if (m->writes[k].flow_only)
            continue;
        /* The error code that MPI writes is MPI_SUCCESS on all ranks. Equal content still differs if ranks write it to
         * different places. */
        bool same = m->mpi && m->writes[k].val.kind == CS_OPND_CONST && !here;
        if (op_tainted(v, m->writes[k].ref.base) || (t && !same))
            taint_place(v, &m->writes[k].ref);
    }
    if (!t)
        return;
    for (int k = 0; k < m->ncopies; k++)
        taint_place(v, &m->copies[k].dst);
    const struct cs_stmt *st = &v->g->stmts[s];
    if (st->def >= 0 && !(m->mpi && !strcmp(m->mpi->ret, "int") && !here))
        set(v, &v->value[st->def]);
    if (st->has_store)
        taint_place(v, &st->store);
}

/* Notes whether a call may leave this function by an exception or longjmp, and whether on some ranks only: then only
 * some ranks enter the handlers of its callers. */
static void run_jumps(struct var *v, int s)
{
    const struct cs_stmt *st = &v->g->stmts[s];
    const struct cs_intset *c = cs_pts_callees(v->pts, s);
    bool jumps = false, apart = false;
    for (int i = 0; i < c->n; i++) {
        jumps |= v->jumps[c->a[i]];
        apart |= v->jumps_apart[c->a[i]];
    }
    for (int k = 0; s < v->ms->nstmts && k < v->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &v->ms->m[v->ms->of_stmt[s].a[k]];
        if (m->opaque)
            jumps = apart = true;
        if (m->fx && m->fx->noret == CS_NORET_JUMP)
            jumps = true;
    }
    if (jumps)
        set(v, &v->jumps[st->func]);
    if (apart || (jumps && control_variant(v, st->func, st->block)))
        set(v, &v->jumps_apart[st->func]);
}

/* Taints the callee's objects for structs that are passed by value. The graph does not say which index belongs to which
 * argument, so one that differs counts for all of them. */
static void pass_structs(struct var *v, int s, const struct cs_func *f)
{
    const struct cs_stmt *st = &v->g->stmts[s];
    bool picked = false;
    for (int i = 0; i < st->nidx; i++)
        picked |= v->value[st->idx[i]];
    for (int k = 0; k < st->narg_loads; k++) {
        int arg = st->arg_loads[k].arg;
        if (arg >= f->nparams || f->param_objs[arg] < 0 || !(picked || ref_tainted(v, &st->arg_loads[k].ref, s)))
            continue;
        struct cs_ref r = {cs_opnd_addr(f->param_objs[arg], cs_pat_at(0)), cs_pat_at(0), st->arg_loads[k].ref.size};
        taint_place(v, &r);
    }
}

/* Taints where the call's result goes if only some ranks store it, or ranks store it in different places. */
static void store_result(struct var *v, const struct cs_stmt *st, bool here)
{
    if (!st->has_store)
        return;
    bool differs = here || op_tainted(v, st->store.base);
    for (int i = 0; i < st->nidx; i++)
        differs |= v->value[st->idx[i]];
    if (differs)
        taint_place(v, &st->store);
}

static void run_call(struct var *v, int s, bool here)
{
    const struct cs_intset *c = cs_pts_callees(v->pts, s);
    const struct cs_stmt *st = &v->g->stmts[s];
    bool ctx = here || op_tainted(v, st->callee);
    store_result(v, st, ctx);
    bool library = s < v->ms->nstmts && v->ms->of_stmt[s].n > 0; /* it may call back more often on some ranks */
    for (int i = 0; i < c->n; i++) {
        const struct cs_func *f = &v->g->funcs[c->a[i]];
        if (!f->defined)
            continue;
        if (ctx || library)
            set(v, &v->func[c->a[i]]);
        for (int k = 0; k < f->nparams && k < st->nuses; k++)
            if (f->params[k] >= 0 && op_tainted(v, st->uses[k]))
                set(v, &v->value[f->params[k]]);
        pass_structs(v, s, f);
        bool res = v->result[c->a[i]];
        if (f->result_obj >= 0) {
            struct cs_ref r = {cs_opnd_addr(f->result_obj, cs_pat_at(0)), cs_pat_at(0), CS_SIZE_UNKNOWN};
            res |= place_tainted(v, &r, -1);
        }
        if (res && st->def >= 0)
            set(v, &v->value[st->def]);
        if (res && st->has_store)
            taint_place(v, &st->store);
    }
    for (int k = 0; s < v->ms->nstmts && k < v->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &v->ms->m[v->ms->of_stmt[s].a[k]];
        for (int i = 0; i < m->pseudo.n; i++) {
            struct cs_stmt *p = &v->g->stmts[m->pseudo.a[i]];
            if (p->kind == CS_STMT_ASSIGN
                    ? any_use_tainted(v, p)
                    : place_tainted(v, &p->load, cs_var_reads_now(m) ? s : -1) || op_tainted(v, p->load.base))
                set(v, &v->value[p->def]);
        }
        run_model(v, s, m, ctx);
    }
}

static bool phi_variant(struct var *v, const struct cs_stmt *s)
{
    for (int i = 0; i < s->nuses; i++) {
        if (!v->g->funcs[s->func].blocks[s->phi_preds[i]].reachable)
            continue;
        if (op_tainted(v, s->uses[i]))
            return true;
        if (s->nuses > 1 &&
            (branch_variant(v, s->func, s->phi_preds[i]) || control_variant(v, s->func, s->phi_preds[i])))
            return true;
    }
    return false;
}

static void run_stmt(struct var *v, int s)
{
    const struct cs_stmt *st = &v->g->stmts[s];
    bool here = control_variant(v, st->func, st->block);
    v->at = s;
    switch (st->kind) {
    case CS_STMT_ASSIGN:
        if (st->def >= 0 && any_use_tainted(v, st))
            set(v, &v->value[st->def]);
        break;
    case CS_STMT_PHI:
        if (phi_variant(v, st))
            set(v, &v->value[st->def]);
        break;
    case CS_STMT_LOAD:
        if (!v->value[st->def] &&
            (any_use_tainted(v, st) || op_tainted(v, st->load.base) || place_tainted(v, &st->load, s)))
            set(v, &v->value[st->def]);
        break;
    case CS_STMT_STORE:
    case CS_STMT_ENTRY:
        if (here || v->func[st->func] || any_use_tainted(v, st) || op_tainted(v, st->store.base))
            taint_place(v, &st->store);
        break;
    case CS_STMT_COPY:
        if (here || v->func[st->func] || any_use_tainted(v, st) || op_tainted(v, st->store.base) ||
            op_tainted(v, st->load.base) || place_tainted(v, &st->load, s))
            taint_place(v, &st->store);
        break;
    case CS_STMT_CALL:
        run_call(v, s, here || v->func[st->func]);
        run_jumps(v, s);
        break;
    case CS_STMT_RETURN:
        if (here || any_use_tainted(v, st))
            set(v, &v->result[st->func]);
        if (st->has_load && ref_tainted(v, &st->load, s))
            set(v, &v->result[st->func]);
        break;
    case CS_STMT_ASM:
        if (st->def >= 0)
            set(v, &v->value[st->def]);
        if (st->has_store)
            taint_place(v, &st->store);
        break;
    default: break;
    }
}

/* Taints the objects that may differ between ranks from the start: files, standard input, Fortran units, memory
 * of unknown code, MPI's reduction buffers and variables that other modules define. */
static void taint_hidden(struct var *v)
{
    for (int o = 0; o < v->g->nobjs; o++) {
        const struct cs_obj *ob = &v->g->objs[o];
        const char *n = cs_obj_name(v->g, o);
        bool src = ob->kind == CS_OBJ_HIDDEN && (!strcmp(n, "h:fs") || !strcmp(n, "h:stdin") || o == v->ms->unit_obj ||
                                                 o == v->ms->ext_obj || o == v->ms->mpibuf_obj);
        if (src || (ob->external && !ob->readonly))
            taint_cb(v, o, cs_pat_any(), CS_SIZE_UNKNOWN);
    }
}

/* A line for every value that differs between ranks: COMMSLICE_DUMP=1 at the link. */
static void dump(const struct var *v)
{
    for (int i = 0; i < v->g->nvalues; i++) {
        const struct cs_stmt *s = v->value[i] && v->g->values[i].def >= 0 ? &v->g->stmts[v->g->values[i].def] : NULL;
        if (s)
            fprintf(stderr, "VARIES stmt %d at %s:%d %s\n", v->g->values[i].def, cs_graph_str(v->g, s->file), s->line,
                    s->text >= 0 ? cs_graph_str(v->g, s->text) : "");
    }
}

/* MPI runs what it calls back on some ranks only, or not equally often on all. */
static void taint_callbacks(struct var *v)
{
    for (int i = 0; i < v->ms->n; i++) {
        const struct cs_intset *c = cs_pts_callees(v->pts, v->ms->m[i].stmt);
        for (int k = 0; v->ms->m[i].mpi && v->ms->m[i].ncallbacks && k < c->n; k++)
            v->func[c->a[k]] = true;
    }
}

/* The parameters of f that are the exit status, where the model calls it back. */
static void taint_status(struct var *v, const struct cs_model *m, const struct cs_func *f)
{
    for (int c = 0; c < m->ncallbacks; c++)
        for (int p = 0; p < m->callbacks[c].nargs && p < f->nparams; p++)
            if (m->callbacks[c].status[p] && f->params[p] >= 0)
                v->value[f->params[p]] = true;
}

/* Each rank ends with a status of its own. */
static void taint_statuses(struct var *v)
{
    for (int i = 0; i < v->ms->n; i++) {
        const struct cs_intset *c = cs_pts_callees(v->pts, v->ms->m[i].stmt);
        for (int k = 0; k < c->n; k++)
            taint_status(v, &v->ms->m[i], &v->g->funcs[c->a[k]]);
    }
}

bool *cs_variance_compute(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, const struct cs_cdep *cdep)
{
    struct var v = {.g = g, .ms = ms, .pts = pts, .cdep = cdep, .changed = true, .at = -1};
    v.value = cs_calloc(g->nvalues + 1, 1);
    v.func = cs_calloc(g->nfuncs + 1, 1);
    v.result = cs_calloc(g->nfuncs + 1, 1);
    v.jumps = cs_calloc(g->nfuncs + 1, 1);
    v.jumps_apart = cs_calloc(g->nfuncs + 1, 1);
    v.block = cs_calloc(g->nfuncs + 1, sizeof *v.block);
    for (int f = 0; f < g->nfuncs; f++)
        v.block[f] = cs_calloc(g->funcs[f].nblocks + 1, 1);
    v.objs = cs_calloc(g->nobjs + 1, sizeof *v.objs);
    v.flow = cs_var_flow_new(&v);
    taint_hidden(&v);
    taint_callbacks(&v);
    taint_statuses(&v);
    for (int f = 0; f < g->nfuncs; f++)
        if (cs_pts_escaped(pts, g->funcs[f].obj))
            v.func[f] = true;
    int nstmts = g->nstmts, nobjs = g->nobjs;
    while (v.changed) {
        v.changed = false;
        for (int s = 0; s < g->nstmts; s++)
            if (cs_pts_func_reached(pts, g->stmts[s].func) &&
                g->funcs[g->stmts[s].func].blocks[g->stmts[s].block].reachable)
                run_stmt(&v, s);
    }
    assert(g->nstmts == nstmts && g->nobjs == nobjs); /* the arrays are as long as the graph */
    if (getenv(CS_ENV_DUMP))
        dump(&v);
    bool *variant = cs_calloc(g->nstmts + 1, 1);
    for (int s = 0; s < g->nstmts; s++)
        if (g->stmts[s].kind == CS_STMT_CALL)
            variant[s] = block_variant(&v, g->stmts[s].func, g->stmts[s].block);
    for (int o = 0; o < g->nobjs; o++)
        free(v.objs[o].p);
    for (int f = 0; f < g->nfuncs; f++)
        free(v.block[f]);
    cs_var_flow_free(v.flow);
    free(v.tainted);
    free(v.lost_sizes);
    cs_pairset_free(&v.tainted_set);
    free(v.block);
    free(v.jumps);
    free(v.jumps_apart);
    free(v.objs);
    free(v.value);
    free(v.func);
    free(v.result);
    return variant;
}
