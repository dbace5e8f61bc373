/* SPDX-License-Identifier: GPL-3.0-or-later
 * Follows pointers back to variables, through loads, and through parameters to what all calls pass; pointer_paths.h. */
#include "slicer/advise/pointer_paths.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

/* Limits. */
enum {
    DEPTH = 16, /* statements that are followed in a function */
    CALLS = 6   /* functions that a parameter is followed through */
};

/* How far a parameter is known. */
enum known { NOT_YET, ASKED, FOUND, LOST };
/* What was found of parameters, for all calls. */
struct cs_pointer_paths {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    struct param {
        enum known known;
        struct cs_path path;
    } * params; /* by value */
    int *made;  /* by statement: 1 + the object on the heap that it makes, 0: none */
};

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

/* Does the value only go on, or are all that meet there the same? */
static bool moves(const struct cs_stmt *d)
{
    bool is =
        (d->kind == CS_STMT_PHI && d->nuses) || (d->kind == CS_STMT_ASSIGN && d->op == CS_OP_COPY && d->nuses == 1);
    for (int i = 1; i < d->nuses && is; i++)
        is = d->uses[0].kind == CS_OPND_VALUE && d->uses[i].kind == CS_OPND_VALUE && d->uses[i].id == d->uses[0].id;
    return is;
}

struct cs_operand cs_moved_from(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *d;
    for (int i = 0; i < DEPTH && (d = def_of(g, op)); i++) {
        if (!moves(d))
            break;
        op = d->uses[0];
    }
    return op;
}

int cs_param_number(const struct cs_graph *g, int func, struct cs_operand op)
{
    const struct cs_func *f = &g->funcs[func];
    for (int k = 0; op.kind == CS_OPND_VALUE && k < f->nparams; k++)
        if (f->params[k] == op.id)
            return k;
    return -1;
}

static void go_to(struct cs_path *to, struct cs_pattern at)
{
    to->off[to->n - 1] += at.off;
    if (at.stride)
        to->stride[to->n - 1] = at.stride;
}

static bool go_behind(struct cs_path *to)
{
    if (to->n == CS_PATH_LEVELS)
        return false;
    to->off[to->n] = to->stride[to->n] = 0;
    to->n++;
    return true;
}

bool cs_same_path(const struct cs_path *a, const struct cs_path *b)
{
    bool same = a->obj == b->obj && a->n == b->n;
    for (int i = 0; i < a->n && same; i++)
        same = a->off[i] == b->off[i] && a->stride[i] == b->stride[i];
    return same;
}

static bool follow(struct cs_pointer_paths *p, int func, int call, struct cs_operand op, int depth, struct cs_path *to);

/* What the call passes. */
static bool argument(struct cs_pointer_paths *p, int call, int k, int depth, struct cs_path *to)
{
    const struct cs_stmt *c = &p->g->stmts[call];
    return k < c->nuses && follow(p, c->func, -1, c->uses[k], depth - DEPTH, to);
}

/* What all calls pass as the parameter, if that is one place. */
static bool all_arguments(struct cs_pointer_paths *p, int func, int k, int depth, struct cs_path *to)
{
    struct param *known = &p->params[p->g->funcs[func].params[k]];
    const struct cs_intlist *calls = &p->callers[func];
    if (known->known == NOT_YET) {
        bool same = calls->n > 0;
        known->known = ASKED;
        for (int i = 0; i < calls->n && same; i++) {
            struct cs_path one;
            same = argument(p, calls->a[i], k, depth, &one) && (i == 0 || cs_same_path(&known->path, &one));
            if (same)
                known->path = one;
        }
        known->known = same ? FOUND : LOST;
    }
    *to = known->path;
    return known->known == FOUND;
}

static bool behind_param(struct cs_pointer_paths *p, int func, int call, struct cs_operand op, int depth,
                         struct cs_path *to)
{
    int k = cs_param_number(p->g, func, op);
    if (k < 0 || depth < DEPTH)
        return false;
    return call < 0 ? all_arguments(p, func, k, depth, to) : argument(p, call, k, depth, to);
}

/* Along a sum of a pointer and a number. */
static bool follow_sum(struct cs_pointer_paths *p, int func, int call, const struct cs_stmt *d, int depth,
                       struct cs_path *to)
{
    if (!follow(p, func, call, d->uses[0], depth - 1, to))
        return false;
    if (d->nuses > 1 && d->uses[1].kind == CS_OPND_CONST)
        to->off[to->n - 1] += d->uses[1].pat.off;
    else
        to->stride[to->n - 1] = d->stride ? d->stride : 1;
    return true;
}

/* Does the value come from the one where ways meet, moved on by some bytes, as `p` does in a loop with p += n? */
static bool comes_back(const struct cs_graph *g, struct cs_operand op, int phi)
{
    const struct cs_stmt *d;
    for (int i = 0; i < DEPTH; i++) {
        op = cs_moved_from(g, op);
        if (op.kind == CS_OPND_VALUE && op.id == phi)
            return true;
        d = def_of(g, op);
        if (!d || d->kind != CS_STMT_ASSIGN || d->op != CS_OP_PTRADD || !d->nuses)
            break;
        op = d->uses[0];
    }
    return false;
}

/* Where ways meet, as in a loop that moves a pointer on: to where it points at first, in an array. */
static bool follow_loop(struct cs_pointer_paths *p, int func, int call, const struct cs_stmt *d, int depth,
                        struct cs_path *to)
{
    int n = 0;
    for (int i = 0; i < d->nuses; i++) {
        struct cs_path one;
        if (comes_back(p->g, d->uses[i], d->def))
            continue;
        if (!follow(p, func, call, d->uses[i], depth - 1, &one) || (n && !cs_same_path(&one, to)))
            return false;
        *to = one;
        n++;
    }
    if (!n || n == d->nuses)
        return false;
    to->stride[to->n - 1] = to->stride[to->n - 1] ? to->stride[to->n - 1] : 1;
    return true;
}

static bool follow(struct cs_pointer_paths *p, int func, int call, struct cs_operand op, int depth, struct cs_path *to)
{
    op = cs_moved_from(p->g, op);
    const struct cs_stmt *d = def_of(p->g, op);
    if (op.kind == CS_OPND_ADDR) {
        *to = (struct cs_path){.obj = op.id, .n = 1};
        go_to(to, op.pat);
        return true;
    }
    if (op.kind != CS_OPND_VALUE || depth <= 0)
        return false;
    if (!d)
        return behind_param(p, func, call, op, depth, to);
    if (p->made[p->g->values[op.id].def]) {
        *to = (struct cs_path){.obj = p->made[p->g->values[op.id].def] - 1, .n = 1};
        return true;
    }
    if (d->kind == CS_STMT_LOAD) {
        if (!follow(p, func, call, d->load.base, depth - 1, to))
            return false;
        go_to(to, d->load.pat);
        return go_behind(to);
    }
    if (d->kind == CS_STMT_PHI)
        return follow_loop(p, func, call, d, depth, to);
    if (d->kind != CS_STMT_ASSIGN || !d->nuses)
        return false;
    if (d->op == CS_OP_PTRADD)
        return follow_sum(p, func, call, d, depth, to);
    if (d->op != CS_OP_FIELD || !follow(p, func, call, d->uses[0], depth - 1, to))
        return false;
    go_to(to, d->load.pat);
    return true;
}

bool cs_pointer_path(struct cs_pointer_paths *p, int func, int call, struct cs_operand pointer, struct cs_pattern at,
                     struct cs_path *to)
{
    if (!follow(p, func, call, pointer, CALLS * DEPTH, to))
        return false;
    go_to(to, at);
    return true;
}

struct cs_pointer_paths *cs_pointer_paths_start(const struct cs_graph *g, const struct cs_intlist *callers)
{
    struct cs_pointer_paths *p = cs_calloc(1, sizeof *p);
    p->g = g;
    p->callers = callers;
    p->params = cs_calloc(g->nvalues + 1, sizeof *p->params);
    p->made = cs_calloc(g->nstmts + 1, sizeof *p->made);
    for (int o = g->nobjs - 1; o >= 0; o--)
        if (g->objs[o].kind == CS_OBJ_HEAP && g->objs[o].stmt >= 0 && g->objs[o].stmt < g->nstmts)
            p->made[g->objs[o].stmt] = o + 1;
    return p;
}

const struct cs_intlist *cs_pointer_callers(const struct cs_pointer_paths *p)
{
    return p->callers;
}

void cs_pointer_paths_free(struct cs_pointer_paths *p)
{
    if (p) {
        free(p->params);
        free(p->made);
    }
    free(p);
}
