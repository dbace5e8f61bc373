/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ranks that wait for files: one writes a file, or makes it, and others look for it again and again before they go on.
 * That puts messages in order as a message does, and where an order is observed (live_arrival.c) such a loop stays,
 * with what ends it. A read that is not repeated waits for nobody, nor does one whose result ends no loop. Likewise
 * ranks that wait for what another one stores in the memory of a window, or ask for the state of a request. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>

/* Marks the blocks of the function from which control gets to `block`. The caller frees. */
static bool *blocks_before(struct cs_live *l, int func, int block)
{
    const struct cs_func *f = &l->g->funcs[func];
    const struct cs_intlist *preds = cs_flow_preds(l, func);
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n) {
        int b = work.a[--work.n];
        for (int i = 0; i < preds[b].n; i++) {
            if (!seen[preds[b].a[i]])
                cs_intlist_add(&work, preds[b].a[i]);
            seen[preds[b].a[i]] = true;
        }
    }
    cs_intlist_free(&work);
    return seen;
}

/* Does control get from the first block to the second one, by one step or more? */
static bool leads_to(struct cs_live *l, int func, int from, int to)
{
    bool *before = blocks_before(l, func, to), does = before[from];
    free(before);
    return does;
}

/* May the call have given what the load finds: does it write there, by an address that it is given or that is stored
 * where such an address points to? */
static bool gives_place(struct cs_live *l, int call, const struct cs_stmt *load)
{
    const struct cs_stmt *c = &l->g->stmts[call];
    struct cs_intset read = {0}, given = {0};
    bool gives = false;
    cs_pts_objects_as_one(l->pts, load->load.base, &read);
    if (load->load.base.kind == CS_OPND_ADDR)
        cs_intset_add(&read, load->load.base.id);
    for (int i = 0; i < c->nuses; i++)
        cs_pts_objects_as_one(l->pts, c->uses[i], &given);
    for (int i = 0, n = given.n; i < n; i++) {
        struct cs_intset stored = {0};
        cs_pts_stored(l->pts, given.a[i], &stored);
        for (int k = 0; k < stored.n && !gives; k++)
            gives = cs_intset_has(&read, stored.a[k]);
        cs_intset_free(&stored);
    }
    for (int i = 0; i < given.n && !gives; i++)
        gives = cs_intset_has(&read, given.a[i]);
    cs_intset_free(&read);
    cs_intset_free(&given);
    return gives;
}

/* Does the branch ask for what the call gives: its result, or what it writes? */
static bool asks_for(struct cs_live *l, int branch, int call)
{
    enum { MOST = 200 }; /* values that are followed back */
    struct cs_intset seen = {0};
    struct cs_intlist work = {0};
    bool asks = branch == call;
    cs_intlist_add(&work, branch);
    while (work.n && !asks && seen.n < MOST) {
        int at = work.a[--work.n];
        const struct cs_stmt *s = &l->g->stmts[at];
        asks = at == call || (s->has_load && gives_place(l, call, s));
        for (int i = 0; i < s->nuses && !asks; i++) {
            int d = s->uses[i].kind == CS_OPND_VALUE ? l->g->values[s->uses[i].id].def : -1;
            if (d >= 0 && cs_intset_add(&seen, d))
                cs_intlist_add(&work, d);
        }
    }
    asks |= seen.n >= MOST;
    cs_intset_free(&seen);
    cs_intlist_free(&work);
    return asks;
}

/* Is the call in a loop that ends by what it gives? */
static bool ends_loop(struct cs_live *l, int call)
{
    const struct cs_stmt *s = &l->g->stmts[call];
    const struct cs_func *f = &l->g->funcs[s->func];
    bool *before = blocks_before(l, s->func, s->block), ends = false;
    for (int b = 0; b < f->nblocks && before[s->block] && !ends; b++) {
        int branch = before[b] && leads_to(l, s->func, s->block, b) ? cs_block_branch(l->g, s->func, b) : -1;
        for (int i = 0; branch >= 0 && i < f->blocks[b].nsuccs && !ends; i++) {
            int to = f->blocks[b].succs[i];
            ends = (to == CS_BLOCK_EXIT || (to != s->block && !before[to])) && asks_for(l, branch, call);
        }
    }
    free(before);
    return ends;
}

/* Does a loop wait for what the call finds, in its function or around a call that leads to it? */
static bool repeated(struct cs_live *l, int stmt)
{
    bool *seen = cs_calloc(l->g->nfuncs + 1, sizeof *seen), is = false;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, stmt);
    while (work.n && !is) {
        int call = work.a[--work.n], func = l->g->stmts[call].func;
        is = ends_loop(l, call);
        const struct cs_intlist *calls = &l->fi[func].calls;
        for (int i = 0; !seen[func] && i < calls->n; i++)
            cs_intlist_add(&work, calls->a[i]);
        seen[func] = true;
    }
    cs_intlist_free(&work);
    free(seen);
    return is;
}

/* Does the program change a place of files that is read? */
struct change_query {
    struct cs_live *l;
    bool any;
};

static void ask_change(void *arg, struct cs_pattern pat, int64_t size)
{
    struct change_query *q = arg;
    const struct writers *ws = &q->l->writers[q->l->ms->fs_obj];
    for (int i = 0; i < ws->n && !q->any; i++) {
        const struct writer *w = &ws->w[i];
        bool harmless = w->kind == W_MODEL && cs_live_guarded(q->l, cs_writer_model(q->l, w), cs_writer_write(q->l, w));
        q->any = !harmless && cs_pat_overlap(w->pat, w->size, pat, size);
    }
}

/* Is it a part of a library call that may wait for a file which the program changes? */
static bool is_poll(struct cs_live *l, int s)
{
    int call = l->point[s] >= 0 ? l->point[s] : s;
    struct change_query q = {l, false};
    if (l->g->stmts[call].keep || !cs_live_reachable_stmt(l, call) || !cs_reads_files(l, &l->g->stmts[s]))
        return false;
    cs_files_read(l, s, ask_change, &q);
    return q.any && repeated(l, call);
}

/* What a rank waits for another rank has written, whichever comes first in the program. */
struct awaited {
    struct cs_live *l;
    int call;
};

static void need_awaited(void *arg, struct cs_pattern pat, int64_t size)
{
    struct awaited *a = arg;
    cs_need_place(a->l, a->l->ms->fs_obj, pat, size, a->call);
}

bool cs_polls_keep(struct cs_live *l)
{
    bool any = false;
    if (!l->writers[l->ms->fs_obj].n)
        return false;
    for (int s = 0; s < l->g->nstmts; s++) {
        if (!is_poll(l, s))
            continue;
        int call = l->point[s] >= 0 ? l->point[s] : s;
        cs_mark_stmt(l, call, CS_WHY_ROOT, -1);
        cs_root_effect(l, call);
        cs_files_read(l, s, need_awaited, &(struct awaited){l, call});
        any = true;
    }
    return any;
}

/* ---- memory of windows, requests ---- */

/* Does the statement, or the library call that it is a part of, read memory of a window? MPI calls do not wait so. */
static bool reads_window(struct cs_live *l, int s, int call)
{
    struct cs_intset objs = {0};
    bool reads = false;
    if (!l->g->stmts[s].has_load || cs_live_mpi_model(l, call))
        return false;
    if (l->g->stmts[s].load.base.kind == CS_OPND_ADDR)
        cs_intset_add(&objs, l->g->stmts[s].load.base.id);
    cs_pts_objects_as_one(l->pts, l->g->stmts[s].load.base, &objs);
    for (int i = 0; i < objs.n && !reads; i++)
        reads = l->in_window[objs.a[i]];
    cs_intset_free(&objs);
    return reads;
}

/* Keeps the stores before it and the loads behind it where they are. */
static bool is_fence(struct cs_live *l, int s)
{
    static const char *const names[] = {"__sync_synchronize",  "__atomic_thread_fence", "__atomic_signal_fence",
                                        "atomic_thread_fence", "atomic_signal_fence",   NULL};
    const struct cs_stmt *st = &l->g->stmts[s];
    if (st->kind != CS_STMT_CALL || st->callee.kind != CS_OPND_ADDR || l->g->objs[st->callee.id].kind != CS_OBJ_FUNC)
        return false;
    const char *name = cs_func_name(l->g, l->g->objs[st->callee.id].func);
    for (int i = 0; names[i]; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* Is it a call that asks whether an operation has ended, and is no event? MPI_Request_get_status. */
static bool asks_request(struct cs_live *l, int s)
{
    const struct cs_model *m = cs_live_mpi_model(l, s);
    return m && !(m->mpi->flags & CS_MPI_EVENT) && cs_live_completes(m->mpi);
}

bool cs_order_polls_keep(struct cs_live *l)
{
    bool any = false;
    if (!l->ordered)
        return false;
    if (!l->polled)
        l->polled = cs_calloc(l->g->nstmts + 1, sizeof *l->polled);
    for (int s = 0; s < l->g->nstmts; s++) {
        int call = l->point[s] >= 0 ? l->point[s] : s;
        if (l->polled[call] || !cs_live_reachable_stmt(l, call))
            continue;
        bool request = asks_request(l, call), fence = l->in_window && is_fence(l, call);
        if (!fence && !((request || (l->in_window && reads_window(l, s, call))) && repeated(l, call)))
            continue;
        l->polled[call] = any = true;
        if (request)
            cs_live_mark(l, call, CS_MARK_ENVELOPE, call);
        else
            cs_mark_stmt(l, call, CS_WHY_ROOT, -1);
        cs_root_effect(l, call);
    }
    return any;
}
