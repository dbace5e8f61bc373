/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files that ranks share: which changes of files, and of Fortran units, may come before a read, on its own rank or
 * another, and which MPI calls put the two in order (live_past.c); the slice makes those calls too, without content. */
#include "slicer/live/live_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* The past of all LIVE reads of one place, or of one object's places that are not at a known offset. Only kept calls
 * count on the way: the slice makes no other, and all that lead to a call of MPI are kept. */
struct read_past {
    int obj;
    int64_t at; /* -1: not known */
    int need;   /* node of needs.h, 0: none yet */
    struct cs_past past;
    struct live_pat *asked; /* the places that were read */
    int nasked, aasked;
    int nseen; /* so many statements of past.passed have been asked for all of them */
    struct read_past *next;
};

/* What was read in one propagation. access and change are there only while cs_order_keep() runs. */
struct cs_order {
    struct read_past *reads;
    bool *access, *change; /* kept statements, by number: read or change files */
};

/* ---- reads ---- */

static struct cs_order *order_of(struct cs_live *l)
{
    if (!l->order)
        l->order = cs_calloc(1, sizeof *l->order);
    return l->order;
}

static struct read_past *past_of(struct cs_live *l, int obj, struct cs_pattern pat)
{
    int64_t at = pat.stride ? -1 : pat.off;
    struct cs_order *o = order_of(l);
    for (struct read_past *r = o->reads; r; r = r->next)
        if (r->obj == obj && r->at == at)
            return r;
    struct read_past *r = cs_calloc(1, sizeof *r);
    r->obj = obj;
    r->at = at;
    r->next = o->reads;
    cs_past_init(l, &r->past);
    r->past.kept_only = true;
    o->reads = r;
    return r;
}

void cs_order_free(struct cs_live *l)
{
    if (!l->order)
        return;
    for (struct read_past *r = l->order->reads, *next; r; r = next) {
        next = r->next;
        cs_past_free(l, &r->past);
        free(r->asked);
        free(r);
    }
    free(l->order);
}

/* Notes that the place is read. False if it was. */
static bool note_asked(struct read_past *r, struct live_pat at)
{
    for (int i = 0; i < r->nasked; i++)
        if (r->asked[i].size == at.size && cs_pat_equal(r->asked[i].pat, at.pat))
            return false;
    CS_GROW(r->asked, r->nasked, r->aasked);
    r->asked[r->nasked++] = at;
    return true;
}

/* Asks what statement s writes of the object, in one of the places that are read, or (which < 0) in all. */
static void ask_stmt(struct cs_live *l, struct read_past *r, int s, int which, int parent)
{
    for (int k = cs_first_writer(&l->writers[r->obj], s); k < l->writers[r->obj].n && l->writers[r->obj].w[k].stmt == s;
         k++)
        for (int i = which < 0 ? 0 : which; i < (which < 0 ? r->nasked : which + 1); i++)
            cs_place_written(l, r->obj, k, &r->asked[i], parent);
}

/* All that is read from files has one node. */
static int *node_of(struct cs_live *l, struct read_past *r)
{
    return r->obj == l->ms->fs_obj ? &l->files_need : &r->need;
}

/* Asks the statements that are new in the past, and for the last place all if it is new. Their changes are LIVE from
 * here on, whoever asks next. */
static void ask_new(struct cs_live *l, struct read_past *r, bool new_place, int parent)
{
    int old = r->nseen, n = r->past.passed.n, which = r->nasked - 1;
    r->nseen = n;
    int was = cs_need_because(l, l->needs ? *node_of(l, r) : -1);
    for (int i = old; i < n; i++)
        ask_stmt(l, r, r->past.passed.a[i], -1, parent);
    for (int i = 0; new_place && i < old; i++)
        ask_stmt(l, r, r->past.passed.a[i], which, parent);
    cs_need_because(l, was);
}

bool cs_order_need(struct cs_live *l, int obj, int at, struct cs_pattern pat, int64_t size, int parent)
{
    bool after = at < -1;
    int point = after ? CS_AFTER(at) : at >= 0 ? l->point[at] : -1;
    if (point < 0 || l->pos[point] < 0)
        return false;
    struct read_past *r = past_of(l, obj, pat);
    cs_past_add(l, &r->past, point, after);
    cs_past_complete(l, &r->past);
    if (r->past.unknown)
        return false;
    cs_need_note(l, parent, cs_need_place_node(l, node_of(l, r), obj, pat, size, false));
    ask_new(l, r, note_asked(r, (struct live_pat){.pat = pat, .size = size}), parent);
    return true;
}

void cs_order_call_kept(struct cs_live *l, int call)
{
    for (struct read_past *r = l->order ? l->order->reads : NULL; r; r = r->next) {
        if (r->past.unknown || !cs_past_add_call(l, &r->past, call))
            continue;
        cs_past_complete(l, &r->past);
        if (!r->past.unknown)
            ask_new(l, r, false, call);
        for (int i = 0; r->past.unknown && i < r->nasked; i++) /* all changes count now */
            cs_need_place(l, r->obj, r->asked[i].pat, r->asked[i].size, call);
    }
}

/* ---- the order of what is kept ---- */

bool cs_reads_files(struct cs_live *l, const struct cs_stmt *s)
{
    const struct cs_operand *b = &s->load.base;
    if (!s->has_load)
        return false;
    return b->kind == CS_OPND_ADDR ? b->id == l->ms->fs_obj
                                   : b->kind == CS_OPND_VALUE && cs_pts_may_point_to(l->pts, *b, l->ms->fs_obj);
}

static void note_place(void *any, struct cs_pattern pat, int64_t size)
{
    (void)pat;
    (void)size;
    *(bool *)any = true;
}

/* Does statement s, of the program or of the model of a call, read a file that the program may change? */
static bool reads_some(struct cs_live *l, int s)
{
    bool any = false;
    cs_files_read(l, s, note_place, &any);
    return any;
}

/* Is it no call of MPI-IO that is only recorded? */
static bool happens(struct cs_live *l, int s)
{
    const struct cs_model *m = cs_live_mpi_model(l, s);
    return !m || m->mpi->kind != CS_MPI_IO || l->g->stmts[s].mark == CS_MARK_CONTENT;
}

/* What a kept statement changes of files; `nothing_said` if it is no library call, NULL if it changes none. */
static const struct cs_mwrite nothing_said;
static const struct cs_mwrite *kept_change(struct cs_live *l, const struct writer *w)
{
    const struct cs_mwrite *mw = w->kind == W_MODEL ? cs_writer_write(l, w) : &nothing_said;
    if (!l->g->stmts[w->stmt].keep || !happens(l, w->stmt) ||
        (w->kind == W_MODEL && cs_live_guarded(l, cs_writer_model(l, w), mw)))
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
        l->ordered = any = true;
    }
    for (int s = 0; s < l->g->nstmts && any; s++) {
        int at = l->point[s] >= 0 ? l->point[s] : s;
        if (!l->g->stmts[at].keep || !happens(l, at) || !cs_live_reachable_stmt(l, at) ||
            !cs_reads_files(l, &l->g->stmts[s]) || !reads_some(l, s))
            continue;
        if (flush || !flushes(l, at))
            note_access(l, at, o->access, "READ");
    }
    return any;
}

bool cs_order_keep(struct cs_live *l)
{
    if (!l->writers[l->ms->fs_obj].n)
        return false;
    struct cs_order *o = order_of(l);
    o->access = cs_calloc(l->g->nstmts + 1, sizeof *o->access);
    o->change = cs_calloc(l->g->nstmts + 1, sizeof *o->change);
    bool any = find_accesses(l, o) &&
               (cs_past_mark_between(l, o->change, o->access) | cs_past_mark_between(l, o->access, o->change));
    free(o->access);
    free(o->change);
    return any;
}
