/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls that observe which message or request is first: MPI_Test, MPI_Iprobe, MPI_Waitany and their kin, and marked
 * receives from any source. What they observe must really come, and in the order of the original: all MPI calls happen
 * that put two of the operations in order which may be observed (Lamport, "Time, clocks, and the ordering of events in
 * a distributed system", 1978), at least as an envelope. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

#include "slicer/model/mpich_abi.h"

/* Does it end an operation, unless that has come to its end before? */
static bool cancels(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_CANCEL && (c->flags & CS_MPI_TIMING);
}

/* Is the call an event, or are there several, by what has come? So it observes arrivals even if nobody asks for its
 * results: each successful test is an event, and so is each MPI_Waitsome. */
static bool events_by_time(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_TEST || c->kind == CS_MPI_IPROBE || cancels(c) ||
           (c->kind == CS_MPI_WAIT_SOME && cs_mpi_has_role(c, CS_ROLE_OUTCOUNT));
}

/* Does the event of the call say which of its requests are complete? */
static bool shows_requests(const struct cs_mpi_call *c)
{
    bool one_by_one = c->kind == CS_MPI_WAIT || c->kind == CS_MPI_START || c->kind == CS_MPI_CANCEL;
    return one_by_one || (c->kind == CS_MPI_TEST && cs_mpi_has_role(c, CS_ROLE_REQ_INOUT));
}

static bool share_request(struct cs_live *l, const struct cs_model *a, const struct cs_model *b)
{
    struct cs_intlist x = cs_live_request_makers(l, a), y = cs_live_request_makers(l, b);
    bool share = false;
    for (int i = 0; i < x.n; i++)
        for (int k = 0; k < y.n && !share; k++)
            share = x.a[i] == y.a[k];
    cs_intlist_free(&x);
    cs_intlist_free(&y);
    return share;
}

/* Is the operand a request, or MPI_REQUEST_NULL? */
static bool is_request(struct cs_live *l, struct cs_operand op)
{
    const struct cs_intset *set = cs_pts_operand(l->pts, op);
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, set->a[i]);
        if (cs_pts_is_stand_in(l->pts, loc->obj))
            return true;
        int stmt = loc->obj >= 0 && l->g->objs[loc->obj].kind == CS_OBJ_HANDLE ? l->g->objs[loc->obj].stmt : -1;
        const struct cs_model *maker = stmt >= 0 ? cs_live_mpi_model(l, stmt) : NULL;
        if ((maker && cs_mpi_has_role(maker->mpi, CS_ROLE_REQ_OUT)) ||
            (loc->obj == CS_LOC_CONST && (int32_t)loc->pat.off == CS_MPICH_REQUEST_NULL))
            return true;
    }
    return false;
}

/* Does the program compare requests? Then it may ask which are null. */
static bool compares_requests(struct cs_live *l)
{
    for (int i = 0; i < l->g->nstmts; i++) {
        const struct cs_stmt *s = &l->g->stmts[i];
        bool compares =
            s->kind == CS_STMT_COND || (s->kind == CS_STMT_ASSIGN && s->op >= CS_OP_EQ && s->op <= CS_OP_GE);
        for (int k = 0; compares && k < s->nuses; k++)
            if (cs_live_reachable_stmt(l, i) && is_request(l, s->uses[k]))
                return true;
    }
    return false;
}

/* May the events of other calls show which requests this MPI_Waitany has left? */
static bool leaves_requests(struct cs_live *l, const struct cs_model *m)
{
    bool shown = m->mpi->kind == CS_MPI_WAIT_SOME && compares_requests(l);
    for (int i = 0; m->mpi->kind == CS_MPI_WAIT_SOME && i < l->ms->n && !shown; i++) {
        const struct cs_model *o = &l->ms->m[i];
        shown = o->mpi && shows_requests(o->mpi) && cs_live_reachable_stmt(l, o->stmt) && share_request(l, m, o);
    }
    return shown;
}

void cs_arrival_roots(struct cs_live *l)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!m->mpi || !(m->mpi->flags & CS_MPI_EVENT) || !cs_live_reachable_stmt(l, m->stmt))
            continue;
        if (events_by_time(m->mpi) || leaves_requests(l, m))
            cs_live_mark(l, m->stmt, CS_MARK_ENVELOPE, -1);
    }
}

static bool observes(struct cs_live *l, const struct cs_model *m)
{
    const struct cs_stmt *s = &l->g->stmts[m->stmt];
    if (!m->mpi || m->stmt >= l->ch->nstmts || !s->keep || !cs_live_reachable_stmt(l, m->stmt))
        return false;
    bool event = m->mpi->flags & CS_MPI_EVENT;
    if (event && s->mark < CS_MARK_ENVELOPE)
        return false;
    return m->mpi->kind == CS_MPI_WAIT_SOME || events_by_time(m->mpi) || (m->receives && l->ch->any_source[m->stmt]);
}

/* An operation that may be observed: the call; for a persistent one also all calls that start some. */
static void add_operation(struct cs_live *l, bool *list, int stmt)
{
    const struct cs_model *m = cs_live_mpi_model(l, stmt);
    list[stmt] = true;
    for (int i = 0; m && cs_past_persistent(m) && i < l->ms->n; i++)
        if (l->ms->m[i].mpi && l->ms->m[i].mpi->kind == CS_MPI_START)
            list[l->ms->m[i].stmt] = true;
}

/* What may let the operation of this call end: the other side of a message, the other ranks of a collective. */
static void add_partners(struct cs_live *l, bool *list, int stmt)
{
    const struct cs_channels *ch = l->ch;
    const struct cs_intlist *lists[] = {&ch->senders[stmt], &ch->empty_from[stmt], &ch->receivers[stmt],
                                        &ch->empty_to[stmt], &ch->peers[stmt]};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (int i = 0; i < lists[k]->n; i++)
            add_operation(l, list, lists[k]->a[i]);
}

/* Adds an observing call, and all operations between which it may have to tell the first. */
static void add_observed(struct cs_live *l, bool *list, const struct cs_model *m)
{
    list[m->stmt] = true;
    if (!cs_live_completes(m->mpi) && !cancels(m->mpi)) {
        add_partners(l, list, m->stmt);
        return;
    }
    struct cs_intlist makers = cs_live_request_makers(l, m);
    for (int i = 0; i < makers.n; i++) {
        add_operation(l, list, makers.a[i]);
        add_partners(l, list, makers.a[i]);
    }
    cs_intlist_free(&makers);
}

/* Does it set what happens in an error? That of a receive then depends on when it completes. */
static bool has_handler(struct cs_live *l, const struct cs_model *m)
{
    return m->mpi && (m->mpi->flags & CS_MPI_SETS_HANDLER) && cs_live_reachable_stmt(l, m->stmt);
}

bool cs_live_ordered(const struct cs_live *l)
{
    return l->ordered;
}

bool cs_arrival_keep(struct cs_live *l)
{
    bool *list = cs_calloc(l->g->nstmts + 1, sizeof *list), any = false;
    for (int i = 0; i < l->ms->n; i++) {
        l->ordered |= has_handler(l, &l->ms->m[i]);
        if (!observes(l, &l->ms->m[i]))
            continue;
        add_observed(l, list, &l->ms->m[i]);
        l->ordered = any = true;
    }
    bool more = any && (cs_past_mark_between(l, list, list) | cs_polls_keep(l));
    free(list);
    return more;
}
