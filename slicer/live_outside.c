/* SPDX-License-Identifier: GPL-3.0-or-later
 * Order through the file system: one rank writes a file, all meet in a barrier (or one tells the others by a message), and then they read it.
 * No data flows through the barrier, so nothing else would mark it, and the slice's ranks would read too early. */
#include "live_parts.h"

#include <stdlib.h>

/* reader: statements that read files, and calls of MPI that wait. reads: the function, or what it calls, has one. later: one may run after
 * the function has returned. */
struct outside { struct cs_live *l; bool *reads, *later, *reader; };

static bool is_fs(const struct cs_live *l, const struct cs_ref *r)
{
    return r->base.kind == CS_OPND_ADDR && r->base.id == l->ms->fs_obj;
}

static bool used(struct cs_live *l, const struct cs_model *m)
{
    return !m->mpi && l->g->stmts[m->stmt].keep && cs_live_reachable_stmt(l, m->stmt);
}

/* Does the call put into a file what another rank may read? A write is only kept where something LIVE may be read after it. */
static bool brings(struct cs_live *l, const struct cs_model *m)
{
    if (!used(l, m) || (m->fx && m->fx->fsold)) return false;
    for (int i = 0; i < m->nwrites; i++)
        if (is_fs(l, &m->writes[i].ref) && !cs_live_guarded(l, m, &m->writes[i])) return true;
    return false;
}

/* Output through a stream looks at the file system only for where it stands itself. */
static bool looks(struct cs_live *l, const struct cs_model *m)
{
    bool reads = false, output = false;
    if (!used(l, m)) return false;
    for (int i = 0; i < m->pseudo.n; i++) reads |= is_fs(l, &l->g->stmts[m->pseudo.a[i]].load);
    for (int i = 0; i < m->nwrites; i++) output |= is_fs(l, &m->writes[i].ref) && m->writes[i].guard == CS_GUARD_STREAM;
    for (int i = 0; i < m->nwrites; i++)
        if (is_fs(l, &m->writes[i].ref) && m->writes[i].guard != CS_GUARD_STREAM) return reads;
    return reads && !output;
}

/* ---- may a file be read later? ---- */

static bool is_reader(const struct outside *o, int s)
{
    if (o->reader[s]) return true;
    if (o->l->g->stmts[s].kind != CS_STMT_CALL) return false;
    const struct cs_intset *callees = cs_pts_callees(o->l->pts, s);
    for (int i = 0; i < callees->n; i++)
        if (o->reads[callees->a[i]]) return true;
    return false;
}

static bool block_reads(const struct outside *o, const struct cs_block *b, int after)
{
    bool on = after < 0;
    for (int i = 0; i < b->nstmts; i++) {
        if (on && is_reader(o, b->stmts[i])) return true;
        if (b->stmts[i] == after) on = true;
    }
    return false;
}

/* After statement s, in its function or after that returned. */
static bool reads_after(const struct outside *o, int s)
{
    const struct cs_stmt *st = &o->l->g->stmts[s];
    const struct cs_func *f = &o->l->g->funcs[st->func];
    if (o->later[st->func] || (f->keep_all && o->reads[st->func])) return true;
    if (!o->reads[st->func]) return false;
    bool found = block_reads(o, &f->blocks[st->block], s), *seen = cs_calloc(f->nblocks + 1, 1);
    struct cs_intlist todo = { 0 };
    cs_intlist_add(&todo, st->block);
    while (!found && todo.n > 0) {
        const struct cs_block *b = &f->blocks[todo.a[--todo.n]];
        for (int i = 0; i < b->nsuccs && !found; i++) {
            int to = b->succs[i];
            if (to == CS_BLOCK_EXIT || seen[to]) continue;
            seen[to] = true;
            found = block_reads(o, &f->blocks[to], -1);
            cs_intlist_add(&todo, to);
        }
    }
    cs_intlist_free(&todo);
    free(seen);
    return found;
}

/* Every call to a fixpoint: first what is read, then (with `later`) what is read after a return. */
static void follow_calls(struct outside *o, bool later)
{
    struct cs_graph *g = o->l->g;
    for (bool changed = true; changed; ) {
        changed = false;
        for (int s = 0; s < g->nstmts; s++) {
            if (g->stmts[s].kind != CS_STMT_CALL || !cs_live_reachable_stmt(o->l, s)) continue;
            bool *own = &o->reads[g->stmts[s].func];
            if (!later && !*own && is_reader(o, s)) changed = *own = true;
            if (!later || !reads_after(o, s)) continue;
            const struct cs_intset *callees = cs_pts_callees(o->l->pts, s);
            for (int i = 0; i < callees->n; i++) {
                changed |= !o->later[callees->a[i]];
                o->later[callees->a[i]] = true;
            }
        }
    }
}

/* What constructors and main have done is seen by those that run after them, in an order that is not looked at. */
static void follow_entries(struct outside *o)
{
    const struct cs_graph *g = o->l->g;
    for (int f = 0; f < g->nfuncs; f++)
        for (int e = 0; g->funcs[f].is_entry && e < g->nfuncs; e++)
            if (e != f && g->funcs[e].is_entry && o->reads[e]) o->later[f] = true;
}

/* ---- marks ---- */

/* At the run time a completing call goes by the mark of the call that made its request. */
static bool may_wait(enum cs_mpi_kind k)
{
    return k == CS_MPI_SEND || k == CS_MPI_RECV || k == CS_MPI_ISEND || k == CS_MPI_IRECV || k == CS_MPI_SEND_INIT || k == CS_MPI_RECV_INIT
        || k == CS_MPI_SENDRECV || k == CS_MPI_PROBE || k == CS_MPI_IPROBE || k == CS_MPI_COLL || k == CS_MPI_BARRIER;
}

static void add_all(struct outside *o, const struct cs_intlist *list)
{
    for (int i = 0; i < list->n; i++) o->reader[list->a[i]] = true;
}

/* What a waiting call may meet waits too, and what comes before that, in its process: order may go round by other ranks. */
static void add_partners(struct outside *o, int s, bool barrier)
{
    const struct cs_channels *ch = &o->l->ch;
    for (int i = 0; barrier && i < o->l->ms->n; i++)
        if (o->l->ms->m[i].mpi && o->l->ms->m[i].mpi->kind == CS_MPI_BARRIER) o->reader[o->l->ms->m[i].stmt] = true;
    o->reader[s] = true;
    if (s >= ch->nstmts) return;
    const struct cs_intlist *all[] = { &ch->senders[s], &ch->receivers[s], &ch->empty_from[s], &ch->empty_to[s], &ch->peers[s] };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) add_all(o, all[i]);
}

/* The calls of MPI that must wait as in the original: those after which a file may be read, here or, by way of a later such call, elsewhere. */
static bool find_waits(struct outside *o, bool *waits)
{
    struct cs_live *l = o->l;
    bool found = false;
    for (int i = 0; i < l->ms->n; i++) {
        int s = l->ms->m[i].stmt;
        const struct cs_mpi_call *c = l->ms->m[i].mpi;
        if (!c || waits[s] || !may_wait(c->kind) || !l->g->stmts[s].keep || !cs_live_reachable_stmt(l, s)) continue;
        if (!o->reader[s] && !reads_after(o, s)) continue;
        waits[s] = found = true;
        add_partners(o, s, c->kind == CS_MPI_BARRIER);
    }
    return found;
}

static void mark_waits(struct cs_live *l, const bool *waits, int parent)
{
    for (int s = 0; s < l->g->nstmts; s++) {
        if (!waits[s] || l->g->stmts[s].mark > 0) continue;
        /* A collective's envelope is that its ranks wait for each other: nobody's content is needed for that. */
        if (cs_live_mpi_model(l, s)->mpi->kind == CS_MPI_COLL) l->g->stmts[s].mark = 1;
        else cs_live_mark(l, s, 1, parent);
    }
}

static void order(struct outside *o, int parent)
{
    bool *waits = cs_calloc(o->l->g->nstmts + 1, 1);
    do {
        follow_calls(o, false);
        follow_entries(o);
        follow_calls(o, true);
    } while (find_waits(o, waits));
    mark_waits(o->l, waits, parent);
    free(waits);
}

bool cs_live_order_outside(struct cs_live *l)
{
    struct outside o = { l, cs_calloc(l->g->nfuncs + 1, 1), cs_calloc(l->g->nfuncs + 1, 1), cs_calloc(l->g->nstmts + 1, 1) };
    int first = -1;
    for (int i = 0; i < l->ms->n; i++) {
        if (first < 0 && brings(l, &l->ms->m[i])) first = l->ms->m[i].stmt;
        if (looks(l, &l->ms->m[i])) o.reader[l->ms->m[i].stmt] = true;
    }
    if (first >= 0) order(&o, first);
    free(o.reads);
    free(o.later);
    free(o.reader);
    return first >= 0;
}
