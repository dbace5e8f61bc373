/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files that ranks share: which changes of files may come before a read, on its own rank or another, and which MPI
 * calls put the two in order (live_past.c); the slice makes those calls too, without content. */
#include "slicer/live/live_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* The past of files in one propagation. access and change are there only while cs_order_keep() runs. */
struct cs_order {
    struct cs_past read;   /* of all LIVE reads */
    bool *access, *change; /* kept statements, by number: read or change files */
};

/* ---- reads ---- */

static struct cs_order *order_of(struct cs_live *l)
{
    if (l->order)
        return l->order;
    l->order = cs_calloc(1, sizeof *l->order);
    cs_past_init(l, &l->order->read);
    return l->order;
}

void cs_order_free(struct cs_live *l)
{
    if (!l->order)
        return;
    cs_past_free(l, &l->order->read);
    free(l->order);
}

bool cs_order_need(struct cs_live *l, int at, struct cs_pattern pat, int64_t size, int parent)
{
    bool after = at < -1;
    int point = after ? CS_AFTER(at) : at >= 0 ? l->point[at] : -1, obj = l->ms->fs_obj;
    if (point < 0 || l->pos[point] < 0)
        return false;
    struct cs_past *p = &order_of(l)->read;
    struct cs_intlist found = {0};
    cs_past_add(l, p, point, after);
    cs_past_complete(l, p);
    if (p->unknown)
        return false;
    const struct writers *ws = &l->writers[obj];
    for (int i = 0; i < p->passed.n; i++)
        for (int k = cs_first_writer(ws, p->passed.a[i]); k < ws->n && ws->w[k].stmt == p->passed.a[i]; k++)
            cs_intlist_add(&found, k);
    p->passed.n = 0; /* their changes are LIVE from here on, whoever asks next */
    cs_need_note(l, parent, cs_need_node(l, &l->files_need, CS_NEED_PLACE));
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
