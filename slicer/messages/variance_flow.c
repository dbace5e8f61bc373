/* SPDX-License-Identifier: GPL-3.0-or-later
 * Has a broadcast or an allreduce made a variable equal on all ranks? Walks back from a read through the whole program
 * and matches returns to calls. A collective that writes the whole place on all processes ends one way; a statement
 * that lets the place differ ends the walk with no. Only for variables with one instance at a time. */
#include "slicer/messages/variance_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/messages/call_match.h"
#include "slicer/model/mpich_abi.h"

#define MAX_STEPS 50000000L /* statements that all walks pass together; after that every answer is no */

/* A collective, by its model, that writes bytes lo <= byte < hi of an object on all ranks. */
struct equalizer {
    int model, obj;
    int64_t lo, hi;
};
/* A statement that lets a place differ. */
struct fact {
    int stmt;
    struct cs_pattern pat;
    int64_t size;
};
/* Of one object: the statements that let it differ, noted only if a collective may make it equal (`on`). */
struct tracked {
    struct fact *a;
    int n, cap;
    bool on;
};
/* The models that one collective may match, found on first use. */
struct meets {
    bool known;
    struct cs_intlist models;
};

/* What is known of collectives that make places equal, and the walk back of the current question. */
struct cs_var_flow {
    struct var *v;
    struct equalizer *eq;
    int neq, aeq;
    struct tracked *objs;          /* by object */
    struct meets *meets;           /* of each model: collectives that it can meet */
    struct cs_intlist *callers;    /* of each function: calls that may reach it */
    struct cs_intlist **preds;     /* of each function: of each block; made on first use */
    bool *eh_into, *async;         /* functions: has an exception edge; may run at times the graph does not show */
    int *pos;                      /* statement -> place in its block */
    bool jumps_back, unknown_code; /* in the program */
    long steps;
    /* the current question: an element of an int array below is set if it equals `stamp` */
    int stamp, obj;
    int *differ, *equal; /* statements that let the place differ, make it equal */
    int *near_, *up,
        *down;     /* functions that may run one of these; whose callers were walked; whose bodies were walked */
    bool *through; /* of walked bodies: a way from begin to end passes none that makes it equal */
    bool found;
};

/* ---- set-up: calls ---- */

static bool reached(const struct var *v, int s)
{
    const struct cs_stmt *st = &v->g->stmts[s];
    return cs_pts_func_reached(v->pts, st->func) && v->g->funcs[st->func].blocks[st->block].reachable;
}

/* Marks the function, and all that it calls, as one that may run at times the graph does not show. */
static void spread_async(struct cs_var_flow *f, int func)
{
    const struct cs_func *fn = &f->v->g->funcs[func];
    if (f->async[func])
        return;
    f->async[func] = true;
    for (int b = 0; b < fn->nblocks; b++)
        for (int i = 0; i < fn->blocks[b].nstmts; i++) {
            const struct cs_intset *c = cs_pts_callees(f->v->pts, fn->blocks[b].stmts[i]);
            for (int k = 0; k < c->n; k++)
                spread_async(f, c->a[k]);
        }
}

/* If the call may also reach a library function, the program's functions among its callees are callbacks: the library
 * may call them at any time. */
static void note_call(struct cs_var_flow *f, int s)
{
    const struct cs_graph *g = f->v->g;
    const struct cs_intset *c = cs_pts_callees(f->v->pts, s);
    bool plain = true;
    for (int i = 0; i < c->n; i++) {
        plain &= g->funcs[c->a[i]].defined;
        cs_intlist_add(&f->callers[c->a[i]], s);
    }
    for (int i = 0; i < c->n && !plain; i++)
        if (g->funcs[c->a[i]].defined)
            spread_async(f, c->a[i]);
    for (int k = 0; s < f->v->ms->nstmts && k < f->v->ms->of_stmt[s].n; k++)
        f->unknown_code |= f->v->ms->m[f->v->ms->of_stmt[s].a[k]].opaque;
}

static void find_calls(struct cs_var_flow *f)
{
    const struct cs_graph *g = f->v->g;
    for (int s = 0; s < g->nstmts; s++)
        if (g->stmts[s].kind == CS_STMT_CALL && reached(f->v, s))
            note_call(f, s);
    for (int i = 0; i < g->nfuncs; i++) {
        const struct cs_func *fn = &g->funcs[i];
        bool other_start = fn->is_entry && strcmp(cs_func_name(g, i), "main");
        if (other_start || cs_pts_escaped(f->v->pts, fn->obj))
            spread_async(f, i);
        f->jumps_back |= (fn->keep_all || fn->comes_back) && cs_pts_func_reached(f->v->pts, i);
        for (int b = 0; b < fn->nblocks; b++)
            for (int k = 0; k < fn->blocks[b].nstmts; k++)
                f->pos[fn->blocks[b].stmts[k]] = k;
    }
}

static struct cs_intlist *preds_of(struct cs_var_flow *f, int func)
{
    const struct cs_func *fn = &f->v->g->funcs[func];
    if (f->preds[func])
        return f->preds[func];
    f->preds[func] = cs_calloc(fn->nblocks + 1, sizeof **f->preds);
    for (int b = 0; b < fn->nblocks; b++)
        for (int i = 0; fn->blocks[b].reachable && i < fn->blocks[b].nsuccs; i++) {
            if (fn->blocks[b].never[i])
                continue;
            f->eh_into[func] |= fn->blocks[b].eh[i];
            if (fn->blocks[b].succs[i] >= 0)
                cs_intlist_add(&f->preds[func][fn->blocks[b].succs[i]], b);
        }
    return f->preds[func];
}

/* ---- set-up: variables with one instance ---- */

static bool calls_itself(struct cs_var_flow *f, int func)
{
    bool *seen = cs_calloc(f->v->g->nfuncs + 1, sizeof *seen), found = false;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, func);
    while (work.n && !found) {
        const struct cs_intlist *c = &f->callers[work.a[--work.n]];
        for (int i = 0; i < c->n; i++) {
            int caller = f->v->g->stmts[c->a[i]].func;
            found |= caller == func;
            if (!seen[caller])
                cs_intlist_add(&work, caller);
            seen[caller] = true;
        }
    }
    cs_intlist_free(&work);
    free(seen);
    return found;
}

static bool in_loop(struct cs_var_flow *f, int func, int block)
{
    bool *seen = cs_calloc(f->v->g->funcs[func].nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0}, *preds = preds_of(f, func);
    cs_intlist_add(&work, block);
    while (work.n && !seen[block]) {
        const struct cs_intlist *p = &preds[work.a[--work.n]];
        for (int i = 0; i < p->n; i++) {
            if (!seen[p->a[i]])
                cs_intlist_add(&work, p->a[i]);
            seen[p->a[i]] = true;
        }
    }
    bool loop = seen[block];
    cs_intlist_free(&work);
    free(seen);
    return loop;
}

/* Does the statement run once at most? */
static bool runs_once(struct cs_var_flow *f, int stmt)
{
    for (;;) {
        int func = f->v->g->stmts[stmt].func;
        const struct cs_intlist *c = &f->callers[func];
        if (f->async[func] || f->jumps_back || in_loop(f, func, f->v->g->stmts[stmt].block) || calls_itself(f, func))
            return false;
        if (f->v->g->funcs[func].is_entry)
            return c->n == 0;
        if (c->n != 1)
            return false;
        stmt = c->a[0];
    }
}

static bool is_param(const struct cs_graph *g, int obj)
{
    const struct cs_func *fn = &g->funcs[g->objs[obj].func];
    for (int k = 0; k < fn->nparams; k++)
        if (fn->param_objs[k] == obj)
            return true;
    return fn->result_obj == obj;
}

static bool allocates_one(const struct cs_graph *g, int stmt)
{
    static const char *const names[] = {"malloc", "calloc", "_Znwm", "_Znam", NULL};
    struct cs_operand c = g->stmts[stmt].callee;
    for (int i = 0; c.kind == CS_OPND_ADDR && g->objs[c.id].kind == CS_OBJ_FUNC && names[i]; i++)
        if (!strcmp(cs_func_name(g, g->objs[c.id].func), names[i]))
            return true;
    return false;
}

/* Has the object one instance at a time, which only code of the graph changes? */
static bool only_one(struct cs_var_flow *f, int obj)
{
    const struct cs_graph *g = f->v->g;
    const struct cs_obj *o = &g->objs[obj];
    if (o->external || (f->unknown_code && cs_pts_escaped(f->v->pts, obj)))
        return false;
    if (o->kind == CS_OBJ_LOCAL)
        return o->func >= 0 && !is_param(g, obj) && !f->async[o->func] && !calls_itself(f, o->func);
    if (o->kind == CS_OBJ_HEAP)
        return o->stmt >= 0 && allocates_one(g, o->stmt) && runs_once(f, o->stmt);
    return o->kind == CS_OBJ_GLOBAL;
}

/* ---- set-up: collectives ---- */

/* What one_cb() counts: n places, of which this is the last. */
struct one_place {
    int n, obj;
    struct cs_pattern pat;
};

static void one_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct one_place *p = arg;
    (void)size;
    p->n++;
    p->obj = obj;
    p->pat = pat;
}

/* MPI_Bcast and MPI_Allreduce: when they return, every rank holds the same in one buffer of `count` elements. */
static bool leaves_one_value(const struct cs_mpi_call *c)
{
    return (c->flags & CS_MPI_ALLSAME) && (c->flags & (CS_MPI_ROOT_SENDS | CS_MPI_REDUCES)) &&
           !(c->flags & CS_MPI_NONBLOCKING);
}

/* Fills *e if the call is a broadcast or allreduce of a known number of bytes into one known place. */
static bool equalizes(struct cs_var_flow *f, const struct cs_model *m, struct equalizer *e)
{
    int64_t count, type;
    struct var *v = f->v;
    if (!m->mpi || m->mpi->kind != CS_MPI_COLL || m->binding == CS_BIND_F08 || !reached(v, m->stmt))
        return false;
    if (!leaves_one_value(m->mpi) || cs_pts_callees(v->pts, m->stmt)->n != 1)
        return false;
    if (!cs_pts_constant(v->pts, m->count, &count) || !cs_pts_constant(v->pts, m->type[0], &type))
        return false;
    if (!cs_mpich_is_basic(type) || count <= 0 || count > INT32_MAX || m->buf_arg[1] < 0)
        return false;
    struct cs_ref r = {v->g->stmts[m->stmt].uses[m->buf_arg[1]], cs_pat_at(0), count * cs_mpich_basic_size(type)};
    struct one_place p = {0};
    cs_pts_places(v->pts, &r, one_cb, &p);
    if (p.n != 1 || p.pat.stride)
        return false;
    assert(m >= v->ms->m && m < v->ms->m + v->ms->n);
    *e = (struct equalizer){(int)(m - v->ms->m), p.obj, p.pat.off, p.pat.off + r.size};
    return r.size > 0;
}

static void find_equalizers(struct cs_var_flow *f)
{
    struct equalizer e;
    for (int i = 0; i < f->v->ms->n; i++) {
        if (!equalizes(f, &f->v->ms->m[i], &e) || !(f->objs[e.obj].on || only_one(f, e.obj)))
            continue;
        f->objs[e.obj].on = true;
        CS_GROW(f->eq, f->neq, f->aeq);
        f->eq[f->neq++] = e;
    }
}

struct cs_var_flow *cs_var_flow_new(struct var *v)
{
    struct cs_var_flow *f = cs_calloc(1, sizeof *f);
    int nf = v->g->nfuncs + 1, ns = v->g->nstmts + 1;
    f->v = v;
    f->objs = cs_calloc(v->g->nobjs + 1, sizeof *f->objs);
    f->meets = cs_calloc(v->ms->n + 1, sizeof *f->meets);
    f->callers = cs_calloc(nf, sizeof *f->callers);
    f->preds = cs_calloc(nf, sizeof *f->preds);
    f->eh_into = cs_calloc(nf, sizeof *f->eh_into);
    f->async = cs_calloc(nf, sizeof *f->async);
    f->through = cs_calloc(nf, sizeof *f->through);
    f->near_ = cs_calloc(nf, sizeof *f->near_);
    f->up = cs_calloc(nf, sizeof *f->up);
    f->down = cs_calloc(nf, sizeof *f->down);
    f->pos = cs_calloc(ns, sizeof *f->pos);
    f->differ = cs_calloc(ns, sizeof *f->differ);
    f->equal = cs_calloc(ns, sizeof *f->equal);
    find_calls(f);
    find_equalizers(f);
    return f;
}

void cs_var_flow_free(struct cs_var_flow *f)
{
    const struct cs_graph *g = f->v->g;
    for (int i = 0; i < g->nobjs; i++)
        free(f->objs[i].a);
    for (int i = 0; i < f->v->ms->n; i++)
        cs_intlist_free(&f->meets[i].models);
    for (int i = 0; i < g->nfuncs; i++) {
        cs_intlist_free(&f->callers[i]);
        for (int b = 0; f->preds[i] && b < g->funcs[i].nblocks; b++)
            cs_intlist_free(&f->preds[i][b]);
        free(f->preds[i]);
    }
    free(f->eq);
    free(f->objs);
    free(f->meets);
    free(f->callers);
    free(f->preds);
    free(f->eh_into);
    free(f->async);
    free(f->through);
    free(f->near_);
    free(f->up);
    free(f->down);
    free(f->pos);
    free(f->differ);
    free(f->equal);
    free(f);
}

/* ---- which collectives ---- */

/* MPI_Comm_dup and its like: from nothing but a communicator, one of the same processes in the same order. */
static bool is_plain_dup(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_COMM_CTOR && c->nargs == 2 && c->args[0].role == CS_ROLE_COMM &&
           c->args[1].role == CS_ROLE_NEWCOMM;
}

/* MPI_COMM_NULL counts as well, and so does 0, a variable that has no value yet: neither can communicate. */
bool cs_var_whole_world(struct var *v, struct cs_operand comm, int depth)
{
    const struct cs_intset *set = cs_pts_operand(v->pts, comm);
    struct cs_intlist locs = {0}; /* a copy: the set lives until the next one is asked for */
    for (int i = 0; i < set->n; i++)
        cs_intlist_add(&locs, set->a[i]);
    bool all = locs.n > 0 && depth < 8;
    for (int i = 0; i < locs.n && all; i++) {
        const struct cs_loc *l = cs_pts_loc(v->pts, locs.a[i]);
        int s = l->obj >= 0 && v->g->objs[l->obj].kind == CS_OBJ_HANDLE ? v->g->objs[l->obj].stmt : -1;
        const struct cs_model *m =
            s >= 0 && s < v->ms->nstmts && v->ms->of_stmt[s].n == 1 ? &v->ms->m[v->ms->of_stmt[s].a[0]] : NULL;
        if (l->obj == CS_LOC_CONST)
            all = l->pat.off == CS_MPICH_COMM_WORLD || l->pat.off == 0 || l->pat.off == CS_MPICH_COMM_NULL;
        else
            all = m && m->mpi && is_plain_dup(m->mpi) && cs_var_whole_world(v, m->comm, depth + 1);
    }
    cs_intlist_free(&locs);
    return all;
}

bool cs_var_skewed(struct var *v, const struct cs_model *m)
{
    struct meets *meets = &v->flow->meets[m - v->ms->m];
    const struct cs_match match = {v->g, v->ms, v->pts, NULL};
    for (int i = 0; i < v->ms->n && !meets->known; i++)
        if (v->ms->m[i].mpi && cs_mpi_procedure(v->ms->m[i].mpi) == cs_mpi_procedure(m->mpi) &&
            reached(v, v->ms->m[i].stmt) && cs_match_collectives(&match, m, &v->ms->m[i]))
            cs_intlist_add(&meets->models, i);
    meets->known = true;
    for (int i = 0; i < meets->models.n; i++)
        if (cs_var_some_ranks(v, v->ms->m[meets->models.a[i]].stmt))
            return true;
    return false;
}

bool cs_var_reads_now(const struct cs_model *m)
{
    if (m->ncallbacks || m->opaque)
        return false;
    return !m->mpi ||
           !(m->mpi->kind == CS_MPI_SEND_INIT || m->mpi->kind == CS_MPI_START || (m->mpi->flags & CS_MPI_NONBLOCKING));
}

/* ---- the way back ---- */

bool cs_var_note_write(struct var *v, int obj, struct cs_pattern pat, int64_t size)
{
    struct tracked *t = &v->flow->objs[obj];
    if (!t->on)
        return false;
    for (int i = 0; i < t->n; i++)
        if (t->a[i].stmt == v->at && t->a[i].size == size && cs_pat_covers(t->a[i].pat, pat))
            return false;
    CS_GROW(t->a, t->n, t->cap);
    t->a[t->n++] = (struct fact){v->at, pat, size};
    return true;
}

bool cs_var_note_lost_write(struct var *v, int64_t size)
{
    bool any = false;
    for (int i = 0; i < v->flow->neq; i++) {
        int o = v->flow->eq[i].obj;
        if (cs_pts_lost(v->pts, o))
            any |= cs_var_note_write(v, o, cs_pat_normal(cs_pat_any(), v->g->objs[o].size), size);
    }
    return any;
}

/* A write that takes effect at another time than its statement runs. */
static bool writes_deferred(const struct var *v, int s)
{
    for (int k = 0; s < v->ms->nstmts && k < v->ms->of_stmt[s].n; k++) {
        const struct cs_mpi_call *c = v->ms->m[v->ms->of_stmt[s].a[k]].mpi;
        if (v->ms->m[v->ms->of_stmt[s].a[k]].opaque)
            return true;
        if (c && (c->kind == CS_MPI_RMA || c->kind == CS_MPI_RECV_INIT || c->kind == CS_MPI_IRECV ||
                  c->kind == CS_MPI_START || (c->flags & CS_MPI_NONBLOCKING)))
            return true;
    }
    return false;
}

static void mark_near(struct cs_var_flow *f, int func)
{
    if (f->near_[func] == f->stamp)
        return;
    f->near_[func] = f->stamp;
    for (int i = 0; i < f->callers[func].n; i++)
        mark_near(f, f->v->g->stmts[f->callers[func].a[i]].func);
}

static bool through_function(struct cs_var_flow *f, int func);

/* Has the call a way from its end back to its beginning that passes no collective which makes the place equal? */
static bool through_call(struct cs_var_flow *f, int s)
{
    const struct cs_intset *c = cs_pts_callees(f->v->pts, s);
    bool through = c->n == 0;
    for (int i = 0; i < c->n && !f->found; i++)
        through |= f->near_[c->a[i]] != f->stamp || through_function(f, c->a[i]);
    return through;
}

/* Walks back over the first `end` statements of a block. False if the way ends among them. */
static bool through_block(struct cs_var_flow *f, const struct cs_block *b, int end)
{
    assert(end >= 0 && end <= b->nstmts);
    f->steps += end;
    for (int i = end - 1; i >= 0; i--) {
        int s = b->stmts[i];
        if (f->differ[s] == f->stamp)
            f->found = true;
        if (f->found || f->equal[s] == f->stamp)
            return false;
        if (f->v->g->stmts[s].kind == CS_STMT_CALL && !through_call(f, s))
            return false;
    }
    return true;
}

/* Walks back over the first `end` statements of a block and on, or from the ends of the function if block is -1. True
 * if a way reaches the function's beginning. Sets f->found when the answer is no. */
static bool walk(struct cs_var_flow *f, int func, int block, int end)
{
    const struct cs_func *fn = &f->v->g->funcs[func];
    struct cs_intlist *preds = preds_of(f, func), work = {0};
    bool *seen = cs_calloc(fn->nblocks + 1, sizeof *seen), begin = false;
    assert(block < fn->nblocks);
    if (fn->keep_all || fn->comes_back || f->eh_into[func] || f->steps > MAX_STEPS)
        f->found = true;
    for (int b = 0; b < fn->nblocks && block < 0; b++)
        for (int i = 0; fn->blocks[b].reachable && i < fn->blocks[b].nsuccs && !seen[b]; i++)
            if (fn->blocks[b].succs[i] < 0 && !fn->blocks[b].never[i]) {
                seen[b] = true;
                cs_intlist_add(&work, b);
            }
    while (!f->found && (block >= 0 || work.n)) {
        int b = block >= 0 ? block : work.a[--work.n];
        bool on = through_block(f, &fn->blocks[b], block >= 0 ? end : fn->blocks[b].nstmts);
        block = -1;
        begin |= on && b == 0;
        for (int i = 0; on && i < preds[b].n; i++) {
            if (!seen[preds[b].a[i]])
                cs_intlist_add(&work, preds[b].a[i]);
            seen[preds[b].a[i]] = true;
        }
    }
    cs_intlist_free(&work);
    free(seen);
    return begin;
}

/* As through_call(), for one callee. While a recursive function is being walked, its own calls count as passed: the
 * walk meets its statements all the same. */
static bool through_function(struct cs_var_flow *f, int func)
{
    if (f->down[func] == f->stamp)
        return f->through[func];
    f->down[func] = f->stamp;
    f->through[func] = true;
    bool through = walk(f, func, -1, 0);
    return f->through[func] = through;
}

/* Walks on from the beginning of a function into its callers; not for a local variable of the function, which begins to
 * exist there. */
static void walk_up(struct cs_var_flow *f, int func)
{
    const struct cs_obj *o = &f->v->g->objs[f->obj];
    if (f->found || f->up[func] == f->stamp || (o->kind == CS_OBJ_LOCAL && o->func == func))
        return;
    f->up[func] = f->stamp;
    if (f->async[func])
        f->found = true;
    for (int i = 0; i < f->callers[func].n && !f->found; i++) {
        int c = f->callers[func].a[i];
        const struct cs_stmt *s = &f->v->g->stmts[c];
        if (walk(f, s->func, s->block, f->pos[c]))
            walk_up(f, s->func);
    }
}

/* Marks the statements that make the place (bytes lo <= byte < hi) equal and those that let it differ. False if none
 * makes it equal, or if the time of a write is not known. */
static bool prepare(struct cs_var_flow *f, int obj, struct cs_pattern pat, int64_t size, int64_t lo, int64_t hi)
{
    const struct cs_graph *g = f->v->g;
    bool any = false;
    f->stamp++;
    f->found = false;
    f->obj = obj;
    for (int i = 0; i < f->neq; i++) {
        const struct cs_model *m = &f->v->ms->m[f->eq[i].model];
        if (f->eq[i].obj != obj || f->eq[i].lo > lo || f->eq[i].hi < hi || !cs_var_makes_equal(f->v, m))
            continue;
        assert(f->equal[m->stmt] <= f->stamp); /* stamps grow, so that old marks do not count */
        f->equal[m->stmt] = f->stamp;
        mark_near(f, g->stmts[m->stmt].func);
        any = true;
    }
    for (int i = 0; i < f->objs[obj].n && any; i++) {
        const struct fact *t = &f->objs[obj].a[i];
        if (!cs_pat_overlap(t->pat, t->size, pat, size))
            continue;
        if (t->stmt < 0 || f->async[g->stmts[t->stmt].func] || writes_deferred(f->v, t->stmt))
            return false;
        f->differ[t->stmt] = f->stamp;
        mark_near(f, g->stmts[t->stmt].func);
    }
    return any;
}

bool cs_var_equal_at(struct var *v, int at, int obj, struct cs_pattern pat, int64_t size)
{
    struct cs_var_flow *f = v->flow;
    if (at < 0 || !f->objs[obj].on || f->steps > MAX_STEPS)
        return false;
    struct cs_pattern p = cs_pat_normal(pat, v->g->objs[obj].size);
    if (size < 0 || (p.stride && v->g->objs[obj].size < 0))
        return false;
    const struct cs_stmt *s = &v->g->stmts[at];
    if (!prepare(f, obj, pat, size, p.stride ? p.lo : p.off, p.stride ? p.hi : p.off + size))
        return false;
    if (walk(f, s->func, s->block, f->pos[at]))
        walk_up(f, s->func);
    return !f->found;
}
