/* SPDX-License-Identifier: GPL-3.0-or-later
 * The marks of MPI calls: nothing, envelope (of a collective: that its ranks meet), content. A mark spreads over the
 * channel (message_channels.h) and to the calls that made the requests which a marked call completes. */
#include "slicer/live/live_internal.h"

#include <stdio.h>

const struct cs_model *cs_live_mpi_model(struct cs_live *l, int s)
{
    const struct cs_model *found = NULL;
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        if (m->mpi && (!found || (m->mpi->flags & CS_MPI_EVENT)))
            found = m;
    }
    return found;
}

/* A call through a pointer that may be one of several MPI functions has no site of its own that a wrapper could trust,
 * so it happens as written. */
bool cs_live_is_mpi_pointer(struct cs_live *l, int s)
{
    const struct cs_model *m = cs_live_mpi_model(l, s);
    return m && (m->mpi->flags & CS_MPI_EVENT) && l->g->stmts[s].callee.kind == CS_OPND_VALUE;
}

bool cs_live_completes(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_WAIT || c->kind == CS_MPI_WAIT_SOME || c->kind == CS_MPI_TEST;
}

static bool makes_request(const struct cs_mpi_call *c)
{
    return (c->flags & (CS_MPI_NONBLOCKING | CS_MPI_PERSISTENT)) && cs_mpi_has_role(c, CS_ROLE_REQ_OUT) &&
           c->kind != CS_MPI_COMM_CTOR;
}

struct cs_intlist cs_live_request_makers(struct cs_live *l, const struct cs_model *m)
{
    const struct cs_intset *set = cs_pts_operand(l->pts, m->request);
    bool unknown = false;
    struct cs_intlist makers = {0};
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, set->a[i]);
        if (loc->obj >= 0 && l->g->objs[loc->obj].kind == CS_OBJ_HANDLE)
            cs_intlist_add(&makers, l->g->objs[loc->obj].stmt);
        else if (loc->obj >= 0)
            unknown = true;
    }
    /* "Any integer" beside handles is the null request, or memory before its first use. */
    unknown |= makers.n == 0;
    for (int k = 0; unknown && k < l->ms->n; k++)
        if (l->ms->m[k].mpi && makes_request(l->ms->m[k].mpi))
            cs_intlist_add(&makers, l->ms->m[k].stmt);
    return makers;
}

/* A position or a view of a file is what all calls before have made it, and who calls together must not wait for one
 * who does not: all calls on what may be one file happen, or none. */
static void mark_files(struct cs_live *l, int s, const struct cs_model *m)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *o = &l->ms->m[i];
        if (o->mpi && o->mpi->kind == CS_MPI_IO && l->g->stmts[o->stmt].mark < CS_MARK_CONTENT &&
            cs_live_reachable_stmt(l, o->stmt) && cs_files_meet(l, m, o))
            cs_live_mark(l, o->stmt, CS_MARK_CONTENT, s);
    }
}

/* What is in a window others may change at any time, and any call that waits for others may put that in order: all
 * calls on windows happen, and of all others at least the envelope, in the original's order. Calls on files are not
 * asked for order. */
static void mark_windows(struct cs_live *l, int s)
{
    if (l->windows)
        return;
    l->windows = l->ordered = true;
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *o = &l->ms->m[i];
        if (!o->mpi || !(o->mpi->flags & CS_MPI_EVENT) || !cs_live_reachable_stmt(l, o->stmt))
            continue;
        switch (o->mpi->kind) {
        case CS_MPI_RMA: cs_live_mark(l, o->stmt, CS_MARK_CONTENT, s); break;
        case CS_MPI_IO:
        case CS_MPI_INIT:
        case CS_MPI_FINALIZE:
        case CS_MPI_ABORT:
        case CS_MPI_COMM_CTOR: break;
        default: cs_live_mark(l, o->stmt, CS_MARK_ENVELOPE, s);
        }
    }
}

/* Does the statement ask what a value is, rather than pass it on? */
static bool asks_value(const struct cs_stmt *s)
{
    switch (s->kind) {
    case CS_STMT_COND:
    case CS_STMT_SWITCH: return true;
    case CS_STMT_ASSIGN: return (s->op >= CS_OP_EQ && s->op <= CS_OP_GE) || s->op >= CS_OP_AND;
    default: return false;
    }
}

/* The call that opens the file for which the object stands, -1: it stands for none. */
static int open_of(struct cs_live *l, int obj)
{
    int open = obj >= 0 && l->g->objs[obj].kind == CS_OBJ_HANDLE ? l->g->objs[obj].stmt : -1;
    const struct cs_model *m = open >= 0 ? cs_live_mpi_model(l, open) : NULL;
    return m && m->mpi->kind == CS_MPI_IO ? open : -1;
}

void cs_live_find_opens(struct cs_live *l)
{
    bool any = false;
    for (int o = 0; o < l->nobjs && !any; o++)
        any = open_of(l, o) >= 0;
    if (any)
        l->holds_opens = cs_calloc(l->nobjs + 1, sizeof *l->holds_opens);
}

/* The calls that open what these objects stand for happen. */
static void mark_opens(struct cs_live *l, const struct cs_intset *objs, int s)
{
    for (int k = 0; k < objs->n; k++) {
        int open = open_of(l, objs->a[k]);
        if (open >= 0)
            cs_live_mark(l, open, CS_MARK_CONTENT, s);
    }
}

/* Adds what pointers in the object may point to, unless no file is among it. */
static void add_stored(struct cs_live *l, int obj, struct cs_intset *objs)
{
    enum { UNKNOWN, NONE, SOME };
    struct cs_intset stored = {0};
    if (l->holds_opens[obj] == NONE)
        return;
    cs_pts_stored(l->pts, obj, &stored);
    l->holds_opens[obj] = NONE;
    for (int k = 0; k < stored.n; k++) {
        if (open_of(l, stored.a[k]) >= 0)
            l->holds_opens[obj] = SOME;
        cs_intset_add(objs, stored.a[k]);
    }
    cs_intset_free(&stored);
}

/* The objects that the operand may point to; `behind`: what pointers in them may point to, as far as files may be. */
static struct cs_intset pointed(struct cs_live *l, struct cs_operand op, bool behind)
{
    const struct cs_intset *locs = cs_pts_operand(l->pts, op);
    struct cs_intset objs = {0};
    for (int k = 0; k < locs->n; k++) {
        int obj = cs_pts_loc(l->pts, locs->a[k])->obj;
        if (obj >= 0 && behind)
            add_stored(l, obj, &objs);
        else if (obj >= 0)
            cs_intset_add(&objs, obj);
    }
    return objs;
}

static void ask_operands(struct cs_live *l, int s, bool behind)
{
    for (int i = 0; l->holds_opens && i < l->g->stmts[s].nuses; i++) {
        struct cs_intset objs = pointed(l, l->g->stmts[s].uses[i], behind);
        mark_opens(l, &objs, s);
        cs_intset_free(&objs);
    }
}

void cs_live_ask_handles(struct cs_live *l, int s)
{
    if (asks_value(&l->g->stmts[s]))
        ask_operands(l, s, false);
}

void cs_live_ask_handles_behind(struct cs_live *l, int s)
{
    ask_operands(l, s, true);
}

static void mark_request_makers(struct cs_live *l, int s, const struct cs_model *m, int mark)
{
    struct cs_intlist makers = cs_live_request_makers(l, m);
    for (int i = 0; i < makers.n; i++)
        cs_live_mark(l, makers.a[i], mark, s);
    cs_intlist_free(&makers);
}

/* Raises the mark of a call, and those of the calls that it drags along. */
static void raise_mark(struct cs_live *l, int s, const struct cs_model *m, int mark, int parent)
{
    cs_mark_stmt(l, s, CS_WHY_MESSAGE, parent);
    if (m && !(m->mpi->flags & CS_MPI_EVENT) && cs_live_completes(m->mpi))
        mark_request_makers(l, s, m, mark); /* Request_get_status */
    if (!m || !(m->mpi->flags & CS_MPI_EVENT) || l->g->stmts[s].mark >= mark)
        return;
    if (cs_live_is_mpi_pointer(l, s) || m->mpi->kind == CS_MPI_IO || m->mpi->kind == CS_MPI_RMA)
        mark = CS_MARK_CONTENT;
    l->g->stmts[s].mark = mark;
    if (l->dump)
        fprintf(stderr, "MARK %d of stmt %d at line %d for stmt %d\n", mark, s, l->g->stmts[s].line, parent);
    cs_intlist_add(&l->work, s);
    for (int k = 0; k < l->ms->of_stmt[s].n; k++) {
        m = &l->ms->m[l->ms->of_stmt[s].a[k]];
        if (m->mpi && (cs_live_completes(m->mpi) || m->mpi->kind == CS_MPI_START))
            mark_request_makers(l, s, m, mark);
    }
    m = cs_live_mpi_model(l, s);
    if (m->mpi->kind == CS_MPI_IO)
        mark_files(l, s, m);
    if (m->mpi->kind == CS_MPI_RMA)
        mark_windows(l, s);
    if (s >= l->ch->nstmts)
        return;
    for (int i = 0; i < l->ch->senders[s].n; i++)
        cs_live_mark(l, l->ch->senders[s].a[i], mark, s);
    for (int i = 0; i < l->ch->receivers[s].n; i++)
        cs_live_mark(l, l->ch->receivers[s].a[i], CS_MARK_ENVELOPE, s);
    for (int i = 0; i < l->ch->empty_from[s].n; i++)
        cs_live_mark(l, l->ch->empty_from[s].a[i], CS_MARK_ENVELOPE, s);
    for (int i = 0; i < l->ch->empty_to[s].n; i++)
        cs_live_mark(l, l->ch->empty_to[s].a[i], CS_MARK_ENVELOPE, s);
    for (int i = 0; i < l->ch->peers[s].n; i++)
        cs_live_mark(l, l->ch->peers[s].a[i], mark, s);
}

void cs_live_mark(struct cs_live *l, int s, int mark, int parent)
{
    assert(mark >= CS_MARK_NONE && mark <= CS_MARK_CONTENT);
    const struct cs_model *m = cs_live_mpi_model(l, s);
    int was = l->cause;
    if (mark >= CS_MARK_ENVELOPE) {
        cs_need_note(l, parent, cs_need_mark_node(l, s, mark));
        cs_need_because(l, l->needs ? cs_need_mark_node(l, s, mark) : -1);
    }
    raise_mark(l, s, m, mark, parent);
    cs_need_because(l, was);
}
