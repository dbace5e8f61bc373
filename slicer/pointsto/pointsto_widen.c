/* SPDX-License-Identifier: GPL-3.0-or-later
 * Widening of points-to, when it takes too long: objects that pointers cannot tell apart are taken as one, with one set
 * of all that is stored in any of them. Sets then hold one location for all of them, and a copy between them is none.
 * Nodes that become one: as in online cycle elimination, Faehndrich, Foster, Su, Aiken 1998. */
#include <assert.h>
#include <stdlib.h>

#include "slicer/pointsto/pointsto_internal.h"

/* Adds the objects of one set, if they are many. */
static void note_objects(struct cs_pts *p, int n, struct cs_bits *out)
{
    struct cs_bits objs = {0};
    for (int i = cs_bits_next(&p->nodes[n].members, 0); i >= 0; i = cs_bits_next(&p->nodes[n].members, i + 1))
        if (p->locs[i].obj >= 0 && cs_pts_may_be_lost(p, p->locs[i].obj))
            cs_bits_add(&objs, p->locs[i].obj);
    if (cs_bits_count(&objs) > p->many)
        cs_bits_or(out, &objs);
    cs_bits_free(&objs);
}

/* One node takes all of another one: what is in it, where it goes and what hangs on it. */
static void unite(struct cs_pts *p, int into, int from)
{
    from = cs_pts_find(p, from);
    into = cs_pts_find(p, into);
    if (from == into)
        return;
    struct node old = p->nodes[from];
    p->nodes[from] = (struct node){.up = into, .queued = old.queued};
    cs_pts_add_locs(p, into, &old.members, true);
    for (int i = 0; i < old.nedges; i++)
        cs_pts_add_edge(p, into, old.edges[i].to, old.edges[i].kind, old.edges[i].amount);
    int was = p->in;
    for (int i = 0; i < old.nhooks; i++) {
        p->in = old.hooks[i].in;
        cs_pts_add_hook(p, into, old.hooks[i].kind, old.hooks[i].index);
    }
    p->in = was;
    cs_bits_free(&old.members);
    cs_bits_free(&old.offered);
    cs_bits_free(&old.pending);
    cs_intset_free(&old.set);
    free(old.edges);
    free(old.hooks);
}

/* The object that stands for lost ones, with a single cell that is stored to and loaded from. */
static void make_lost(struct cs_pts *p)
{
    if (p->lost_obj >= 0)
        return;
    int obj = cs_graph_add_obj(p->g, CS_OBJ_HEAP, "lost", CS_SIZE_UNKNOWN), node = cs_pts_new_node(p);
    struct objinfo *o = cs_pts_obj_info(p, obj);
    p->lost_obj = obj;
    o->nested = o->inited = o->collapsed = true;
    CS_GROW(o->cells, o->ncells, o->acells);
    o->cells[o->ncells++] = (struct cell){cs_pat_normal(cs_pat_any(), CS_SIZE_UNKNOWN), CS_SIZE_UNKNOWN, node, node, 0};
    p->lost_loc = LOC_LOST;
    cs_pts_set_loc(p, LOC_LOST, obj);
    cs_pts_add_loc(p, node, LOC_INT);
}

/* In all sets, one location in place of those in lost objects. */
static void rename_locs(struct cs_pts *p, const struct cs_bits *gone)
{
    struct cs_bits left = {0};
    for (int n = 0; n < p->nnodes; n++) {
        struct node *nd = &p->nodes[n];
        if (nd->up != n)
            continue;
        cs_bits_minus(&left, &nd->offered, gone);
        struct cs_bits offered = nd->offered;
        nd->offered = left;
        left = offered;
        cs_bits_minus(&left, &nd->members, gone);
        int count = cs_bits_count(&left);
        if (count == nd->nmembers)
            continue;
        struct cs_bits swap = nd->members;
        nd->members = left;
        nd->nmembers = count;
        left = swap;
        cs_bits_minus(&left, &nd->pending, gone);
        swap = nd->pending;
        nd->pending = left;
        left = swap;
        cs_pts_add_loc(p, n, p->lost_loc);
    }
    cs_bits_free(&left);
}

/* What copies read in the object now comes from all lost ones. */
static void move_watchers(struct cs_pts *p, struct objinfo old)
{
    for (int i = 0; i < old.nwatch; i++) {
        struct watcher w = old.watch[i];
        if (cs_pts_home(p, w.dst_obj) == p->lost_obj)
            continue;
        int d = cs_pts_get_cell(p, w.dst_obj, w.dst, w.size);
        cs_pts_add_edge(p, p->info[p->lost_obj].cells[0].store, p->info[w.dst_obj].cells[d].store, EDGE_NO_CONST, 0);
    }
    free(old.watch);
}

/* Its cells become part of the one of all lost objects. */
static void give_up(struct cs_pts *p, int obj)
{
    struct objinfo old = p->info[obj], *o = &p->info[obj];
    int node = p->info[p->lost_obj].cells[0].store;
    o->cells = NULL;
    o->watch = NULL;
    o->ncells = o->acells = o->nwatch = o->awatch = 0;
    for (int i = 0; i < old.ncells; i++) {
        unite(p, node, old.cells[i].store);
        unite(p, node, old.cells[i].load);
    }
    free(old.cells);
    if (old.escaped)
        cs_pts_escape(p, p->lost_obj);
    move_watchers(p, old);
    p->nlost++;
}

void cs_pts_lose(struct cs_pts *p, const struct cs_bits *objs)
{
    struct cs_bits gone = {0};
    make_lost(p);
    for (int o = cs_bits_next(objs, 0); o >= 0; o = cs_bits_next(objs, o + 1))
        cs_pts_init_object(p, o);
    for (int o = cs_bits_next(objs, 0); o >= 0; o = cs_bits_next(objs, o + 1)) {
        assert(!p->info[o].lost);
        p->info[o].lost = true;
        cs_bits_or(&gone, &p->info[o].locs);
    }
    rename_locs(p, &gone);
    for (int o = cs_bits_next(objs, 0); o >= 0; o = cs_bits_next(objs, o + 1))
        give_up(p, o);
    cs_bits_free(&gone);
}

void cs_pts_lose_again(struct cs_pts *p, const struct cs_pts *before)
{
    struct cs_bits objs = {0};
    for (int o = 0; o < before->ninfo; o++)
        if (before->info[o].lost)
            cs_bits_add(&objs, o);
    cs_pts_lose(p, &objs);
    if (before->closed)
        cs_pts_close(p);
    cs_bits_free(&objs);
}

void cs_pts_widen(struct cs_pts *p)
{
    if (!p->closed && p->steps >= p->precise && p->lost_obj >= 0)
        cs_pts_close(p);
    struct cs_bits objs = p->doomed;
    p->doomed = (struct cs_bits){0};
    for (int n = 0; n < p->nnodes; n++)
        if (p->nodes[n].up == n && p->nodes[n].nmembers > (p->closed ? cs_pts_many_others(p) : p->many)) {
            if (p->nodes[n].nmembers > p->many)
                note_objects(p, n, &objs);
            if (p->closed)
                cs_pts_lose_others(p, n);
        }
    if (objs.n) {
        cs_pts_lose(p, &objs);
        cs_pts_tidy_edges(p);
    }
    cs_bits_free(&objs);
    p->next_widening = p->effort + p->effort / 4;
}
