/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses counters; counter_choice.h. What a counter needs is the amount that it adds and whether it is run. Where the
 * slice has that, or some arithmetic more gives it, it stays:
 *     commslice_count(3, n);            n is LIVE: stays
 *     while (x[i] > 0) commslice_count(4, 1);   would bring the loop back: goes
 *     for (c = 0; c < cells; c++) commslice_count(5, x[c] * y[c] * z[c], 2);   stays, with its loop
 * The last is the sum of a nest in a loop around it: that loop costs little beside the nest, of which each iteration
 * does without NEST loops and more. Other loops come back as well where numbers and sizes of arrays that stand in the
 * program say that they go round a few times only: see estimate(). A propagation with the chosen ones as roots keeps
 * all that they need, so they count what the original counts. */
#include "slicer/counter_choice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"
#include "slicer/loop_nests.h"
#include "slicer/reach.h"
#include "slicer/turns.h"

/* A loop may come back to count sums over at least so many loops, beside the one that is counted. What prepares the
 * program and fills small arrays with bounds may come back for a counter that is deeper in loops by as many: no loop of
 * it is deeper than that itself. */
enum { NEST = 2 };
/* A loop in another one of which nothing is known is taken to go round so often. */
static const double UNKNOWN = 8;
/* All loops that come back take at most so many turns in the set-up, and, each time, between MPI calls that are made
 * again and again: a message takes as long as some thousand turns. */
static const double SETUP_TURNS = 4e6, TALK_TURNS = 16384;

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

/* Loops that come back are in so many others at most. */
enum { DEPTHS = 6 };
/* Loops that are about to come back, by how many loops they are in: the most turns that one is known to take, 0 if
 * there is none, and whether there is one of which nothing is known. */
struct returning {
    double known[DEPTHS + 1];
    bool unknown[DEPTHS + 1], any;
};

/* For may_not_return(): what is asked about. `around`: the counter of a nest, and the blocks whose branches decide
 * whether it runs; NULL: any other one. depth: how many loops what it counts is in. setup, talk: loops that the search
 * has found and that may come back only if they are known to take few turns. size: the most turns that a loop of those
 * chosen so far is known to take; spent: turns of them, in the set-up and between MPI calls. */
struct cost {
    const struct cs_graph *g;
    struct cs_pts *pts;
    const struct cs_models *ms;
    const struct cs_cdep *cdep;
    const struct cs_loop_nests *nests;
    bool **around, **deciding;
    int depth;
    enum cs_count_how how;
    struct returning setup, talk;
    double size, spent, spent_talk;
    double *turns; /* of the loop that each branch leaves, and 1 more; 0: not asked yet */
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The blocks whose branches decide, directly or by others, whether a block runs. The caller frees. */
static bool *deciding(const struct cs_cdep *cd, int block)
{
    bool *seen = cs_calloc(cd->nblocks + 1, 1);
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n) {
        const struct cs_intlist *on = &cd->on[work.a[--work.n]];
        for (int i = 0; i < on->n; i++) {
            if (!seen[on->a[i]])
                cs_intlist_add(&work, on->a[i]);
            seen[on->a[i]] = true;
        }
    }
    cs_intlist_free(&work);
    return seen;
}

/* Does the branch at the end of a block decide whether it is run again? It is a way out of a loop. */
static bool is_way_out(const struct cs_cdep *cd, int block)
{
    bool *by = deciding(cd, block), itself = by[block];
    free(by);
    return itself;
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

/* A call that only gives memory. */
static bool is_allocation(const struct cost *c, int s)
{
    bool any = false;
    for (int k = 0; s < c->ms->nstmts && k < c->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &c->ms->m[c->ms->of_stmt[s].a[k]];
        if (m->mpi || m->opaque || !m->fx || m->fx->ret != CS_RET_NEW || m->fx->noret != CS_NORET_RETURNS ||
            m->fx->keep || m->fx->refuse)
            return false;
        any = true;
    }
    return any;
}

/* Does the statement prepare what is counted: is it run in loops without MPI calls, and a small part as often as what
 * is counted? An array that such loops fill is small, too. For a nest whose loops around come back, it may also be run
 * in these. What decides about the counter itself is none of it. */
static bool prepares(const struct cost *c, const struct cs_stmt *st, int most)
{
    int depth = cs_loop_nests_depth(c->nests, st->func, st->block);
    if (most > 0 && c->around && depth + NEST <= c->depth)
        return true;
    return depth <= most && depth + NEST <= c->depth && !cs_loop_nests_talk(c->nests, st->func, st->block) &&
           !(c->deciding[st->func] && c->deciding[st->func][st->block]);
}

/* Is it no part of the set-up: a loop that goes round, or a library that is called, while the program communicates? Of
 * the loops around the counter comes back what decides how often they go round. */
static bool is_solver(const struct cost *c, int s)
{
    const struct cs_stmt *st = &c->g->stmts[s];
    if (!cs_loop_nests_talk(c->nests, st->func, st->block))
        return false;
    switch (st->kind) {
    case CS_STMT_COND:
    case CS_STMT_SWITCH:
        return is_way_out(&c->cdep[st->func], st->block) &&
               !(c->deciding[st->func] && c->deciding[st->func][st->block]);
    case CS_STMT_CALL: return is_library(c, s);
    case CS_STMT_ASM: return true;
    default: return false;
    }
}

/* cs_turns_at_most(), which many searches ask. */
static double turns_of(struct cost *c, int s)
{
    if (c->turns[s] == 0)
        c->turns[s] = 1 + cs_turns_at_most(c->g, c->pts, s);
    return c->turns[s] - 1;
}

/* Notes the loop that the branch leaves. False if it is too deep. */
static bool note_loop(struct cost *c, int s)
{
    const struct cs_stmt *st = &c->g->stmts[s];
    struct returning *to = cs_loop_nests_talk(c->nests, st->func, st->block) ? &c->talk : &c->setup;
    int depth = cs_loop_nests_depth(c->nests, st->func, st->block);
    double turns = turns_of(c, s);
    if (depth > DEPTHS)
        return false;
    to->any = true;
    to->known[depth] = larger(to->known[depth], turns);
    to->unknown[depth] |= turns == 0;
    return true;
}

static double largest_known(const struct returning *r)
{
    double most = 0;
    for (int d = 0; d <= DEPTHS; d++)
        most = larger(most, r->known[d]);
    return most;
}

/* How many turns these loops take, if those at one depth are in those at the one before. The outermost one of which
 * nothing is known is as long as the longest of which something is: the size of the problem. */
static double estimate(const struct returning *r, double size)
{
    double turns = 1;
    bool inside = false;
    for (int d = 0; d <= DEPTHS; d++) {
        if (!r->unknown[d] && r->known[d] == 0)
            continue;
        turns *= larger(r->known[d], !r->unknown[d] ? 0 : inside ? UNKNOWN : size);
        inside = true;
    }
    return turns;
}

/* Do the loops that the search has found take few turns? Then they come back. */
static bool takes_few_turns(struct cost *c)
{
    double size = larger(c->size, larger(largest_known(&c->setup), largest_known(&c->talk)));
    double setup = c->setup.any ? estimate(&c->setup, size) : 0, talk = c->talk.any ? estimate(&c->talk, size) : 0;
    if ((c->setup.any || c->talk.any) &&
        (size == 0 || c->spent + setup > SETUP_TURNS || c->spent_talk + talk > TALK_TURNS))
        return false;
    c->spent += setup;
    c->spent_talk += talk;
    c->size = size;
    return true;
}

/* Must the statement stay out of the slice, if only counters need it? */
static bool may_not_return(void *who, int s)
{
    struct cost *c = who;
    const struct cs_stmt *st = &c->g->stmts[s];
    if (c->how != CS_COUNT_CHEAP)
        return c->how == CS_COUNT_SETUP && is_solver(c, s);
    switch (st->kind) {
    case CS_STMT_COND:
    case CS_STMT_SWITCH:
        return !(c->around && c->around[st->func] && c->around[st->func][st->block]) &&
               is_way_out(&c->cdep[st->func], st->block) && !prepares(c, st, NEST) && !note_loop(c, s);
    case CS_STMT_CALL: return is_library(c, s) && !(is_allocation(c, s) && prepares(c, st, 0));
    case CS_STMT_ASM: return true;
    default: return false;
    }
}

/* Over how many loops the amount is a sum. */
static int64_t loops_of(const struct cs_stmt *call)
{
    const struct cs_operand *n = call->nuses > 2 ? &call->uses[2] : NULL;
    return n && n->kind == CS_OPND_CONST ? n->pat.off : 0;
}

/* Is what the call needs in the slice, or can it be? */
static bool affordable(struct cs_reach *r, struct cost *c, int s, bool in_loop)
{
    const struct cs_stmt *st = &c->g->stmts[s];
    c->deciding = cs_loop_nests_around(c->nests, st->func, st->block);
    c->around = in_loop ? c->deciding : NULL;
    c->depth = cs_loop_nests_depth(c->nests, st->func, st->block) + (int)loops_of(st) + 1;
    c->setup = c->talk = (struct returning){.any = false};
    bool fine = cs_reach_search(r, cs_need_stmt(r->needs, s)) >= 0;
    if (fine && !takes_few_turns(c)) {
        cs_reach_forget(r);
        fine = false;
    }
    cs_loop_nests_around_free(c->nests, c->deciding);
    return fine;
}

bool cs_counters_choose(const struct cs_graph *g, const struct cs_models *ms, const struct cs_needs *needs,
                        const struct cs_cdep *cdep, struct cs_pts *pts, enum cs_count_how how, bool *calls)
{
    struct cs_loop_nests loops;
    struct cost c = {.g = g, .pts = pts, .ms = ms, .cdep = cdep, .nests = &loops, .how = how};
    struct cs_reach r;
    bool any = false;
    c.turns = cs_calloc(g->nstmts + 1, sizeof *c.turns);
    cs_loop_nests_find(&loops, g, ms, cdep);
    cs_reach_init(&r, g, needs);
    r.limit = INT_MAX;
    r.refuses = may_not_return;
    r.who = &c;
    cs_reach_roots(&r, calls);
    bool *chosen = cs_calloc(g->nstmts + 1, 1);
    for (int s = 0; s < g->nstmts; s++)
        chosen[s] = calls[s] && loops_of(&g->stmts[s]) >= NEST && affordable(&r, &c, s, true);
    /* The second time, what others have brought back is there. */
    for (int time = 0; time < 2; time++)
        for (int s = 0; s < g->nstmts; s++)
            chosen[s] = chosen[s] || (calls[s] && affordable(&r, &c, s, false));
    for (int s = 0; s < g->nstmts; s++)
        any |= calls[s] = chosen[s];
    free(chosen);
    free(c.turns);
    cs_loop_nests_free(&loops);
    cs_reach_free(&r);
    return any;
}
