/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files that ranks share: which changes of files may come before a read, on its own rank or another, and which MPI
 * calls put the two in order; the slice makes those calls too, without content. The way back in time goes through
 * callers and callees, and from receives to the sends that they may match. A callee is left only towards the call
 * through which it was entered: Reps, Horwitz and Sagiv, "Precise interprocedural dataflow analysis via graph
 * reachability", 1995. */
#include "slicer/live/live_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the walk came into a function: over a call of it, and ends at its beginning; or to a statement inside it, and
 * goes on at all its calls. */
enum { IN_CALLEE, ANY_CALLER, NMODES };

/* The first `end` statements of the block are in the past. */
struct point {
    int func, block, end, mode;
};
/* All that may have run earlier, on any rank, than the points that were pushed. */
struct past {
    int **done[NMODES];    /* function, block: statements from its beginning that are in the past; made on first use */
    bool *entered[NMODES]; /* functions that are in the past as a whole */
    struct point *work;
    int n, cap;
    struct cs_intlist passed; /* the statements of the past, each at most once per mode, in no order */
    bool unknown;             /* came to the start of a function that runs at any time */
};

struct cs_order {
    struct cs_intlist partners; /* what may have sent to, or received from, a call that is completed later */
    struct past read;           /* of all LIVE reads */
    bool *access, *change;      /* kept statements, by number: read or change files */
};

/* ---- the way back ---- */

static void push(struct past *p, struct point at)
{
    CS_GROW(p->work, p->n, p->cap);
    p->work[p->n++] = at;
}

/* Adds what precedes a statement in its block; `beyond` 1: and the statement itself. */
static void push_before(struct cs_live *l, struct past *p, int stmt, int mode, int beyond)
{
    const struct cs_stmt *s = &l->g->stmts[stmt];
    if (l->pos[stmt] >= 0)
        push(p, (struct point){s->func, s->block, l->pos[stmt] + beyond, mode});
}

/* Adds all of a function, from all its blocks. */
static void push_all(struct cs_live *l, struct past *p, int func)
{
    const struct cs_func *f = &l->g->funcs[func];
    if (!f->defined || p->entered[IN_CALLEE][func])
        return;
    p->entered[IN_CALLEE][func] = true;
    for (int b = 0; b < f->nblocks; b++)
        if (f->blocks[b].reachable)
            push(p, (struct point){func, b, f->blocks[b].nstmts, IN_CALLEE});
}

static void push_list(struct cs_live *l, struct past *p, const struct cs_intlist *list)
{
    for (int i = 0; i < list->n; i++)
        push_before(l, p, list->a[i], ANY_CALLER, 1);
}

/* Does the send end only when its receive has begun? */
static bool is_synchronous(const struct cs_model *m)
{
    return m->mpi->flags & CS_MPI_SYNCHRONOUS;
}

/* A collective waits for its ranks: adds what they did before it. If all run this site alike and it matches no other,
 * that is the site's own past. */
static void push_meeting(struct cs_live *l, struct past *p, int s, const struct cs_model *m)
{
    if (!l->ch.variant[s] && !l->ch.peers[s].n)
        return;
    push_before(l, p, s, ANY_CALLER, 1);
    push_list(l, p, &l->ch.peers[s]);
    for (int i = 0; m->mpi->kind == CS_MPI_COMM_CTOR && i < l->ms->n; i++)
        if (l->ms->m[i].mpi == m->mpi)
            push_before(l, p, l->ms->m[i].stmt, ANY_CALLER, 1);
}

/* Adds what other ranks did before they let call s end: senders of what it receives, receivers of its synchronous send,
 * ranks of its collective; at a wait, the partners of all operations that may be completed there. */
static void push_partners(struct cs_live *l, struct past *p, int s)
{
    for (int k = 0; s < l->ms->nstmts && s < l->ch.nstmts && k < l->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        if (!m->mpi)
            continue;
        enum cs_mpi_kind kind = m->mpi->kind;
        if (kind == CS_MPI_COLL || kind == CS_MPI_BARRIER || kind == CS_MPI_COMM_CTOR)
            push_meeting(l, p, s, m);
        if (cs_live_completes(m->mpi))
            push_list(l, p, &l->order->partners);
        if (kind == CS_MPI_SEND && is_synchronous(m)) {
            push_list(l, p, &l->ch.receivers[s]);
            push_list(l, p, &l->ch.empty_to[s]);
        }
        if (!m->receives || kind == CS_MPI_IRECV || kind == CS_MPI_RECV_INIT)
            continue;
        push_list(l, p, &l->ch.senders[s]);
        push_list(l, p, &l->ch.empty_from[s]);
    }
}

/* Takes a statement into the past, with all that its callees did. */
static void pass(struct cs_live *l, struct past *p, int s)
{
    cs_intlist_add(&p->passed, s);
    if (l->g->stmts[s].kind != CS_STMT_CALL)
        return;
    const struct cs_intset *c = cs_pts_callees(l->pts, s);
    for (int i = 0; i < c->n; i++)
        push_all(l, p, c->a[i]);
    push_partners(l, p, s);
}

/* Goes on from the beginning of a block: to its predecessors and, in mode ANY_CALLER, from block 0 to the calls. */
static void leave_block(struct cs_live *l, struct past *p, const struct point *at)
{
    const struct cs_intlist *preds = &cs_flow_preds(l, at->func)[at->block];
    for (int i = 0; i < preds->n; i++)
        push(p, (struct point){at->func, preds->a[i], l->g->funcs[at->func].blocks[preds->a[i]].nstmts, at->mode});
    if (at->block || at->mode == IN_CALLEE || p->entered[ANY_CALLER][at->func])
        return;
    p->entered[ANY_CALLER][at->func] = true;
    p->unknown |= l->fi[at->func].async;
    for (int i = 0; i < l->fi[at->func].calls.n; i++)
        push_before(l, p, l->fi[at->func].calls.a[i], ANY_CALLER, 0);
}

/* Completes the past of all points that were pushed. A block visited again adds its further statements only. */
static void go_back(struct cs_live *l, struct past *p)
{
    while (p->n) {
        struct point at = p->work[--p->n];
        const struct cs_func *f = &l->g->funcs[at.func];
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

static void past_init(struct cs_live *l, struct past *p)
{
    memset(p, 0, sizeof *p);
    for (int m = 0; m < NMODES; m++) {
        p->done[m] = cs_calloc(l->g->nfuncs + 1, sizeof *p->done[m]);
        p->entered[m] = cs_calloc(l->g->nfuncs + 1, sizeof *p->entered[m]);
    }
    for (int f = 0; f < l->g->nfuncs; f++)
        if (l->fi[f].async)
            push_all(l, p, f);
}

static void past_free(struct cs_live *l, struct past *p)
{
    for (int m = 0; m < NMODES; m++) {
        for (int f = 0; f < l->g->nfuncs; f++)
            free(p->done[m][f]);
        free(p->done[m]);
        free(p->entered[m]);
    }
    free(p->work);
    cs_intlist_free(&p->passed);
}

/* ---- reads ---- */

/* Collects the partners of nonblocking and persistent receives and synchronous sends: a later call waits for them. */
static void find_partners(struct cs_live *l, struct cs_order *o)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!m->mpi || m->stmt >= l->ch.nstmts)
            continue;
        bool receives = m->mpi->kind == CS_MPI_IRECV || m->mpi->kind == CS_MPI_RECV_INIT;
        bool sends = (m->mpi->kind == CS_MPI_ISEND || m->mpi->kind == CS_MPI_SEND_INIT) && is_synchronous(m);
        const struct cs_intlist *lists[] = {&l->ch.senders[m->stmt], &l->ch.empty_from[m->stmt],
                                            &l->ch.receivers[m->stmt], &l->ch.empty_to[m->stmt]};
        for (int k = sends ? 2 : 0; (sends || receives) && k < (sends ? 4 : 2); k++)
            for (int j = 0; j < lists[k]->n; j++)
                cs_intlist_add(&o->partners, lists[k]->a[j]);
    }
}

static struct cs_order *order_of(struct cs_live *l)
{
    if (l->order)
        return l->order;
    l->order = cs_calloc(1, sizeof *l->order);
    find_partners(l, l->order);
    past_init(l, &l->order->read);
    return l->order;
}

void cs_order_free(struct cs_live *l)
{
    if (!l->order)
        return;
    past_free(l, &l->order->read);
    cs_intlist_free(&l->order->partners);
    free(l->order);
}

bool cs_order_need(struct cs_live *l, int at, struct cs_pattern pat, int64_t size, int parent)
{
    bool after = at < -1;
    int point = after ? CS_AFTER(at) : at >= 0 ? l->point[at] : -1, obj = l->ms->fs_obj;
    if (point < 0 || l->pos[point] < 0)
        return false;
    struct past *p = &order_of(l)->read;
    struct cs_intlist found = {0};
    push_before(l, p, point, ANY_CALLER, after);
    go_back(l, p);
    if (p->unknown)
        return false;
    const struct writers *ws = &l->writers[obj];
    for (int i = 0; i < p->passed.n; i++)
        for (int k = cs_first_writer(ws, p->passed.a[i]); k < ws->n && ws->w[k].stmt == p->passed.a[i]; k++)
            cs_intlist_add(&found, k);
    p->passed.n = 0; /* their changes are LIVE from here on, whoever asks next */
    cs_need_note(l, parent, cs_need_node(l, &l->files_need));
    int was = cs_need_because(l, l->needs ? l->files_need : -1);
    for (int i = 0; i < found.n; i++)
        cs_place_written(l, obj, found.a[i], pat, size, parent);
    cs_need_because(l, was);
    cs_intlist_free(&found);
    return true;
}

/* ---- the order of what is kept ---- */

/* May the statement read the contents or state of files? */
static bool reads_files(struct cs_live *l, const struct cs_stmt *s)
{
    const struct cs_operand *b = &s->load.base;
    if (!s->has_load)
        return false;
    return b->kind == CS_OPND_ADDR ? b->id == l->ms->fs_obj
                                   : b->kind == CS_OPND_VALUE && cs_pts_may_point_to(l->pts, *b, l->ms->fs_obj);
}

/* What a kept statement changes of files; `nothing_said` if it is no library call, NULL if it changes none. */
static const struct cs_mwrite nothing_said;
static const struct cs_mwrite *kept_change(struct cs_live *l, const struct writer *w)
{
    const struct cs_mwrite *mw = w->kind == W_MODEL ? cs_writer_write(l, w) : &nothing_said;
    if (!l->g->stmts[w->stmt].keep || (w->kind == W_MODEL && cs_live_guarded(l, cs_writer_model(l, w), mw)))
        return NULL;
    return mw;
}

/* Does it open a file, which may make or empty it? */
static bool opens(const struct cs_mwrite *w)
{
    return w->guard == CS_GUARD_MODE || w->guard == CS_GUARD_OLD || w->guard == CS_GUARD_BITS;
}

/* Does a kept statement write to files, other than by opening them? Only then can a close have something to write. */
static bool anything_written(struct cs_live *l)
{
    const struct writers *ws = &l->writers[l->ms->fs_obj];
    for (int i = 0; i < ws->n; i++) {
        const struct cs_mwrite *w = kept_change(l, &ws->w[i]);
        if (w && !w->flush && !opens(w))
            return true;
    }
    return false;
}

static bool flushes(struct cs_live *l, int s)
{
    const struct writers *ws = &l->writers[l->ms->fs_obj];
    for (int k = cs_first_writer(ws, s); k < ws->n && ws->w[k].stmt == s; k++)
        if (ws->w[k].kind == W_MODEL && cs_writer_write(l, &ws->w[k])->flush)
            return true;
    return false;
}

static void note_access(struct cs_live *l, int s, bool *list, const char *what)
{
    list[s] = l->order->access[s] = true;
    if (l->dump)
        fprintf(stderr, "%s of files by stmt %d at line %d\n", what, s, l->g->stmts[s].line);
}

/* Notes which kept statements read or change files. True if one changes them. */
static bool find_accesses(struct cs_live *l, struct cs_order *o)
{
    const struct writers *ws = &l->writers[l->ms->fs_obj];
    bool any = false, flush = anything_written(l);
    for (int i = 0; i < ws->n; i++) {
        const struct cs_mwrite *w = kept_change(l, &ws->w[i]);
        if (!w || (w->flush && !flush))
            continue;
        note_access(l, ws->w[i].stmt, o->change, "CHANGE");
        any = true;
    }
    for (int s = 0; s < l->g->nstmts && any; s++) {
        int at = l->point[s] >= 0 ? l->point[s] : s;
        if (!l->g->stmts[at].keep || !cs_live_reachable_stmt(l, at) || !reads_files(l, &l->g->stmts[s]))
            continue;
        if (flush || !flushes(l, at))
            note_access(l, at, o->access, "READ");
    }
    return any;
}

/* Is one of the statements in `which` in the past of `s`? */
static bool before(struct cs_live *l, int s, const bool *which)
{
    struct past p;
    past_init(l, &p);
    push_before(l, &p, s, ANY_CALLER, 1);
    go_back(l, &p);
    bool found = p.unknown;
    for (int i = 0; i < p.passed.n && !found; i++)
        found = which[p.passed.a[i]];
    past_free(l, &p);
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
    case CS_MPI_COMM_CTOR: return false;
    default: return l->g->stmts[s].mark == CS_MARK_NONE;
    }
}

/* Marks the MPI calls in the past of a statement of `then` that have one of `first` in their own past. True if any. */
static bool mark_between(struct cs_live *l, const bool *first, const bool *then)
{
    struct past p;
    int end = -1;
    bool any = false;
    past_init(l, &p);
    for (int s = 0; s < l->g->nstmts; s++) {
        if (!then[s])
            continue;
        push_before(l, &p, s, ANY_CALLER, 0);
        end = s;
    }
    go_back(l, &p);
    for (int i = 0; i < p.passed.n; i++) {
        int s = p.passed.a[i];
        if (!orders(l, s) || !before(l, s, first))
            continue;
        cs_live_mark(l, s, CS_MARK_ENVELOPE, end);
        any = true;
    }
    past_free(l, &p);
    return any;
}

bool cs_order_keep(struct cs_live *l)
{
    if (!l->writers[l->ms->fs_obj].n)
        return false;
    struct cs_order *o = order_of(l);
    o->access = cs_calloc(l->g->nstmts + 1, sizeof *o->access);
    o->change = cs_calloc(l->g->nstmts + 1, sizeof *o->change);
    bool any = find_accesses(l, o) && (mark_between(l, o->change, o->access) | mark_between(l, o->access, o->change));
    free(o->access);
    free(o->change);
    return any;
}
