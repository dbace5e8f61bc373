/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses counters; counter_choice.h. What a counter needs is the amount that it adds and whether it is run. Where the
 * slice has that, or some arithmetic more gives it, it stays:
 *     commslice_count(3, n);            n is LIVE: stays
 *     while (x[i] > 0) commslice_count(4, 1);   would bring the loop back: goes
 * A propagation with the chosen ones as roots keeps all that they need, so they count what the original counts. */
#include "slicer/counter_choice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"
#include "slicer/reach.h"

bool *cs_counters_find(const struct cs_graph *g, const char *name, struct cs_pts *pts)
{
    bool *calls = NULL;
    for (int s = 0; name && s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        if (st->kind != CS_STMT_CALL || st->callee.kind != CS_OPND_ADDR ||
            strcmp(cs_obj_name(g, st->callee.id), name) || !cs_pts_func_reached(pts, st->func) ||
            !g->funcs[st->func].blocks[st->block].reachable)
            continue;
        if (!calls)
            calls = cs_calloc(g->nstmts + 1, sizeof *calls);
        calls[s] = true;
    }
    return calls;
}

/* For may_not_return(). */
struct cost {
    const struct cs_graph *g;
    const struct cs_models *ms;
    const struct cs_cdep *cdep;
};

/* Does the branch at the end of a block decide, directly or by others, whether it is run again? It is a way out of a
 * loop. */
static bool is_way_out(const struct cs_cdep *cd, int block)
{
    bool *seen = cs_calloc(cd->nblocks + 1, 1), found = false;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n && !found) {
        const struct cs_intlist *on = &cd->on[work.a[--work.n]];
        for (int i = 0; i < on->n; i++) {
            found |= on->a[i] == block;
            if (!seen[on->a[i]])
                cs_intlist_add(&work, on->a[i]);
            seen[on->a[i]] = true;
        }
    }
    cs_intlist_free(&work);
    free(seen);
    return found;
}

/* Does it read memory at most, or the locale, or set errno? */
static bool only_reads(const struct cs_effect *fx)
{
    for (int i = 0; i < fx->nops; i++) {
        const struct cs_effect_op *o = &fx->ops[i];
        bool state = o->kind == CS_EFFECT_HIDDEN && (strncmp(o->state, "errno", 5) == 0 || !strcmp(o->state, "locale"));
        if (o->kind != CS_EFFECT_READ && o->kind != CS_EFFECT_STORE_PTR && !state)
            return false;
    }
    return !fx->keep && !fx->time && !fx->refuse && !fx->live && fx->noret == CS_NORET_RETURNS &&
           fx->ret == CS_RET_VALUE;
}

/* MPI_Comm_rank and the like, which are not recorded. */
static bool is_local(const struct cs_mpi_call *c)
{
    return c && c->kind == CS_MPI_LOCAL && !(c->flags & (CS_MPI_EVENT | CS_MPI_TIMING));
}

/* A call of a library that may cost more than arithmetic, or have an effect. `n = atoi(argv[1])` has none. */
static bool is_library(const struct cost *c, int s)
{
    for (int k = 0; s < c->ms->nstmts && k < c->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &c->ms->m[c->ms->of_stmt[s].a[k]];
        if (!is_local(m->mpi) && (m->opaque || !m->fx || !only_reads(m->fx)))
            return true;
    }
    return false;
}

/* Must the statement stay out of the slice, if only counters need it? */
static bool may_not_return(const void *who, int s)
{
    const struct cost *c = who;
    const struct cs_stmt *st = &c->g->stmts[s];
    switch (st->kind) {
    case CS_STMT_COND:
    case CS_STMT_SWITCH: return is_way_out(&c->cdep[st->func], st->block);
    case CS_STMT_CALL: return is_library(c, s);
    case CS_STMT_ASM: return true;
    default: return false;
    }
}

bool cs_counters_choose(const struct cs_graph *g, const struct cs_models *ms, const struct cs_needs *needs,
                        const struct cs_cdep *cdep, bool *calls)
{
    struct cost c = {g, ms, cdep};
    struct cs_reach r;
    bool any = false;
    cs_reach_init(&r, g, needs);
    r.limit = INT_MAX;
    r.refuses = may_not_return;
    r.who = &c;
    cs_reach_roots(&r, calls);
    for (int s = 0; s < g->nstmts; s++) {
        calls[s] = calls[s] && cs_reach_search(&r, cs_need_stmt(needs, s)) >= 0;
        any |= calls[s];
    }
    cs_reach_free(&r);
    return any;
}
