/* SPDX-License-Identifier: GPL-3.0-or-later
 * What may have run before a statement, on its own rank or another, and which MPI calls put two statements in order.
 * The way back in time goes through callers and callees, and from receives to the sends that they may match. A callee
 * is left only towards the call through which it was entered: Reps, Horwitz and Sagiv, "Precise interprocedural
 * dataflow analysis via graph reachability", 1995. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>

/* How the walk came into a function: over a call of it, and ends at its beginning; or to a statement inside it, and
 * goes on at all its calls. */
enum { IN_CALLEE, ANY_CALLER };

static void push(struct cs_past *p, struct cs_past_point at)
{
    assert(at.end >= 0 && at.mode >= 0 && at.mode < CS_PAST_MODES);
    CS_GROW(p->work, p->n, p->cap);
    p->work[p->n++] = at;
}

void cs_past_add(struct cs_live *l, struct cs_past *p, int stmt, bool itself)
{
    const struct cs_stmt *s = &l->g->stmts[stmt];
    if (l->pos[stmt] >= 0)
        push(p, (struct cs_past_point){s->func, s->block, l->pos[stmt] + itself, ANY_CALLER});
}

/* Adds all of a function, from all its blocks. */
static void push_all(struct cs_live *l, struct cs_past *p, int func)
{
    const struct cs_func *f = &l->g->funcs[func];
    if (!f->defined || p->entered[IN_CALLEE][func])
        return;
    p->entered[IN_CALLEE][func] = true;
    for (int b = 0; b < f->nblocks; b++)
        if (f->blocks[b].reachable)
            push(p, (struct cs_past_point){func, b, f->blocks[b].nstmts, IN_CALLEE});
}

bool cs_past_persistent(const struct cs_model *m)
{
    return m->mpi->flags & CS_MPI_PERSISTENT;
}

/* Adds a message's sending or receiving. A persistent request's is at each call that may start it. */
static void push_operation(struct cs_live *l, struct cs_past *p, int stmt)
{
    const struct cs_model *m = cs_live_mpi_model(l, stmt);
    cs_past_add(l, p, stmt, true);
    if (!m || !cs_past_persistent(m))
        return;
    for (int i = 0; i < l->ms->n; i++)
        if (l->ms->m[i].mpi && l->ms->m[i].mpi->kind == CS_MPI_START)
            cs_past_add(l, p, l->ms->m[i].stmt, true);
}

static void push_list(struct cs_live *l, struct cs_past *p, const struct cs_intlist *list)
{
    for (int i = 0; i < list->n; i++)
        push_operation(l, p, list->a[i]);
}

/* Is the message that the call receives there only when a later call ends? */
static bool receives_later(const struct cs_model *m)
{
    return m->receives && (m->mpi->flags & (CS_MPI_NONBLOCKING | CS_MPI_PERSISTENT));
}

/* Does the send end only when its receive has begun? */
static bool is_synchronous(const struct cs_model *m)
{
    return m->mpi->flags & CS_MPI_SYNCHRONOUS;
}

/* Collects the partners of nonblocking and persistent receives and synchronous sends: a later call waits for them. */
static void find_partners(struct cs_live *l, struct cs_intlist *partners)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!m->mpi || m->stmt >= l->ch->nstmts)
            continue;
        bool receives = receives_later(m);
        bool sends = (m->mpi->kind == CS_MPI_ISEND || m->mpi->kind == CS_MPI_SEND_INIT) && is_synchronous(m);
        const struct cs_intlist *lists[] = {&l->ch->senders[m->stmt], &l->ch->empty_from[m->stmt],
                                            &l->ch->receivers[m->stmt], &l->ch->empty_to[m->stmt]};
        for (int k = sends ? 2 : 0; (sends || receives) && k < (sends ? 4 : 2); k++)
            for (int j = 0; j < lists[k]->n; j++)
                cs_intlist_add(partners, lists[k]->a[j]);
    }
}

static const struct cs_intlist *completed_by(struct cs_live *l)
{
    if (!l->partners_known)
        find_partners(l, &l->partners);
    l->partners_known = true;
    return &l->partners;
}

/* A collective waits for its ranks: adds what they did before it. If all run this site alike and it matches no other,
 * that is the site's own past; but not of a persistent one, as ranks may start it at different places. */
static void push_meeting(struct cs_live *l, struct cs_past *p, int s, const struct cs_model *m)
{
    if (!l->ch->variant[s] && !l->ch->peers[s].n && !cs_past_persistent(m))
        return;
    push_operation(l, p, s);
    push_list(l, p, &l->ch->peers[s]);
    for (int i = 0; m->mpi->kind == CS_MPI_COMM_CTOR && i < l->ms->n; i++)
        if (l->ms->m[i].mpi == m->mpi)
            cs_past_add(l, p, l->ms->m[i].stmt, true);
}

/* At a start: adds what other ranks did before their starts of persistent collectives. */
static void push_starts(struct cs_live *l, struct cs_past *p)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        bool collective = m->mpi && (m->mpi->kind == CS_MPI_COLL || m->mpi->kind == CS_MPI_BARRIER);
        if (collective && cs_past_persistent(m) && m->stmt < l->ch->nstmts)
            push_meeting(l, p, m->stmt, m);
    }
}

/* Adds what other ranks did before they let call s end: senders of what it receives, receivers of its synchronous send,
 * ranks of its collective; at a wait, the partners of all operations that may be completed there. */
static void push_partners(struct cs_live *l, struct cs_past *p, int s)
{
    for (int k = 0; s < l->ms->nstmts && s < l->ch->nstmts && k < l->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        if (!m->mpi)
            continue;
        enum cs_mpi_kind kind = m->mpi->kind;
        if (kind == CS_MPI_COLL || kind == CS_MPI_BARRIER || kind == CS_MPI_COMM_CTOR)
            push_meeting(l, p, s, m);
        if (kind == CS_MPI_START)
            push_starts(l, p);
        if (cs_live_completes(m->mpi))
            push_list(l, p, completed_by(l));
        if (kind == CS_MPI_SEND && is_synchronous(m)) {
            push_list(l, p, &l->ch->receivers[s]);
            push_list(l, p, &l->ch->empty_to[s]);
        }
        if (!m->receives || receives_later(m))
            continue;
        push_list(l, p, &l->ch->senders[s]);
        push_list(l, p, &l->ch->empty_from[s]);
    }
}

/* Takes a statement into the past, with all that its callees did. */
static void pass(struct cs_live *l, struct cs_past *p, int s)
{
    cs_intlist_add(&p->passed, s);
    p->found |= p->wanted && p->wanted[s];
    if (l->g->stmts[s].kind != CS_STMT_CALL)
        return;
    const struct cs_intset *c = cs_pts_callees(l->pts, s);
    for (int i = 0; i < c->n; i++)
        push_all(l, p, c->a[i]);
    push_partners(l, p, s);
}

/* Adds what precedes a call by which control came into a function. Where it is one of threads, all that they run may
 * have come before, whichever of them it was. */
static void push_call(struct cs_live *l, struct cs_past *p, int call)
{
    cs_past_add(l, p, call, !cs_live_plain_call(l, call));
}

/* Goes on from the beginning of a block: to its predecessors and, in mode ANY_CALLER, from block 0 to the calls. */
static void leave_block(struct cs_live *l, struct cs_past *p, const struct cs_past_point *at)
{
    const struct cs_intlist *preds = &cs_flow_preds(l, at->func)[at->block];
    for (int i = 0; i < preds->n; i++)
        push(p,
             (struct cs_past_point){at->func, preds->a[i], l->g->funcs[at->func].blocks[preds->a[i]].nstmts, at->mode});
    if (at->block || at->mode == IN_CALLEE || p->entered[ANY_CALLER][at->func])
        return;
    p->entered[ANY_CALLER][at->func] = true;
    p->unknown |= l->fi[at->func].async;
    for (int i = 0; i < l->fi[at->func].calls.n; i++)
        if (!p->kept_only || l->g->stmts[l->fi[at->func].calls.a[i]].keep)
            push_call(l, p, l->fi[at->func].calls.a[i]);
}

bool cs_past_add_call(struct cs_live *l, struct cs_past *p, int call)
{
    const struct cs_intset *callees = cs_pts_callees(l->pts, call);
    bool any = false;
    assert(p->kept_only);
    for (int i = 0; i < callees->n; i++)
        any |= p->entered[ANY_CALLER][callees->a[i]];
    if (any)
        push_call(l, p, call);
    return any;
}

/* A block visited again adds its further statements only. */
void cs_past_complete(struct cs_live *l, struct cs_past *p)
{
    while (p->n && !p->found) {
        struct cs_past_point at = p->work[--p->n];
        const struct cs_func *f = &l->g->funcs[at.func];
        assert(at.block >= 0 && at.block < f->nblocks && at.end <= f->blocks[at.block].nstmts);
        if (!p->done[at.mode][at.func]) {
            p->done[at.mode][at.func] = cs_calloc(f->nblocks + 1, sizeof(int));
            for (int b = 0; b < f->nblocks; b++)
                p->done[at.mode][at.func][b] = -1;
        }
        int *done = &p->done[at.mode][at.func][at.block], before = *done;
        if (at.end <= before)
            continue;
        *done = at.end;
        for (int i = at.end - 1; i >= 0 && i >= before; i--)
            pass(l, p, f->blocks[at.block].stmts[i]);
        if (before < 0)
            leave_block(l, p, &at);
    }
}

void cs_past_init(struct cs_live *l, struct cs_past *p)
{
    memset(p, 0, sizeof *p);
    for (int m = 0; m < CS_PAST_MODES; m++) {
        p->done[m] = cs_calloc(l->g->nfuncs + 1, sizeof *p->done[m]);
        p->entered[m] = cs_calloc(l->g->nfuncs + 1, sizeof *p->entered[m]);
    }
    for (int f = 0; f < l->g->nfuncs; f++)
        if (l->fi[f].async)
            push_all(l, p, f);
}

void cs_past_free(struct cs_live *l, struct cs_past *p)
{
    for (int m = 0; m < CS_PAST_MODES; m++) {
        for (int f = 0; f < l->g->nfuncs; f++)
            free(p->done[m][f]);
        free(p->done[m]);
        free(p->entered[m]);
    }
    free(p->work);
    cs_intlist_free(&p->passed);
}

/* ---- between two statements ---- */

/* Is one of the statements in `which` in the past of `s`, or `s` itself? */
static bool before(struct cs_live *l, int s, const bool *which)
{
    struct cs_past p;
    cs_past_init(l, &p);
    p.wanted = which;
    cs_past_add(l, &p, s, true);
    cs_past_complete(l, &p);
    bool found = p.found || p.unknown;
    cs_past_free(l, &p);
    return found;
}

/* Is `s` an MPI call that can put ranks in order and is not transmitted yet? */
static bool orders(struct cs_live *l, int s)
{
    const struct cs_model *m = cs_live_mpi_model(l, s);
    if (!m || !(m->mpi->flags & CS_MPI_EVENT))
        return false;
    switch (m->mpi->kind) {
    case CS_MPI_INIT:
    case CS_MPI_FINALIZE:
    case CS_MPI_ABORT:
    case CS_MPI_CANCEL:
    case CS_MPI_IO: /* need not wait for anybody */
    case CS_MPI_COMM_CTOR: return false;
    default: return l->g->stmts[s].mark == CS_MARK_NONE;
    }
}

bool cs_past_mark_between(struct cs_live *l, const bool *first, const bool *then)
{
    struct cs_past p;
    int end = -1;
    bool any = false;
    cs_past_init(l, &p);
    for (int s = 0; s < l->g->nstmts; s++) {
        if (!then[s])
            continue;
        cs_past_add(l, &p, s, false);
        end = s;
    }
    cs_past_complete(l, &p);
    for (int i = 0; i < p.passed.n; i++) {
        int s = p.passed.a[i];
        if (!orders(l, s) || !before(l, s, first))
            continue;
        cs_live_mark(l, s, CS_MARK_ENVELOPE, end);
        any = true;
    }
    cs_past_free(l, &p);
    return any;
}
