/* SPDX-License-Identifier: GPL-3.0-or-later
 * Copies of memory (struct assignment, memcpy): what may be stored in one place goes to another, field by field where
 * both offsets are exact. A copy of many places to many goes through one object in between, so that it costs their sum
 * and not their product. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void cs_pts_add_copycon(struct cs_pts *p, const struct cs_ref *dst, const struct cs_ref *src)
{
    CS_GROW(p->copies, p->ncopies, p->acopies);
    int id = p->ncopies++, d = cs_pts_operand_node(p, dst->base), s = cs_pts_operand_node(p, src->base);
    p->copies[id] = (struct copycon){dst->pat, src->pat, dst->size >= 0 ? dst->size : src->size, d, s, -1};
    cs_pts_add_hook(p, d, HOOK_COPY_DST, id);
    cs_pts_add_hook(p, s, HOOK_COPY_SRC, id);
}

/* This watcher of object `obj` is looked for. */
struct watch_query {
    const struct cs_pts *p;
    int obj;
    struct watcher w;
};

static bool same_watcher(const void *what, int obj, int k)
{
    const struct watch_query *q = what;
    const struct watcher *o = &q->p->info[obj].watch[k];
    return obj == q->obj && o->dst_obj == q->w.dst_obj && o->size == q->w.size && cs_pat_equal(o->from, q->w.from) &&
           cs_pat_equal(o->dst, q->w.dst);
}

/* Copies what may be stored in one place to another, field by field where both offsets are exact. */
static void link_places(struct cs_pts *p, int dobj, struct cs_pattern dp, int sobj, struct cs_pattern sp, int64_t size)
{
    if (cs_pts_home(p, sobj) != sobj)
        sobj = p->lost_obj, sp = cs_pat_any(), size = CS_SIZE_UNKNOWN;
    if (dobj == sobj && dobj == p->lost_obj)
        return;
    if (dobj == sobj && dp.stride == 0 && cs_pat_equal(dp, sp))
        return; /* of an array's elements, any may go to any */
    struct objinfo *so = cs_pts_obj_info(p, sobj);
    struct watcher w = {sp, size, dobj, dp, dp.stride == 0 && sp.stride == 0, dp.off - sp.off};
    if (dobj == sobj && w.exact && size < 0)
        w.exact = false;
    uint32_t h = cs_pts_hash_pattern(
        cs_pts_hash_pattern(cs_hash(cs_hash(cs_hash(0, sobj), w.dst_obj), w.size), &w.from), &w.dst);
    if (cs_pairset_has(&p->watch_set, h, same_watcher, &(struct watch_query){p, sobj, w}))
        return;
    cs_pairset_add(&p->watch_set, h, sobj, so->nwatch);
    CS_GROW(so->watch, so->nwatch, so->awatch);
    so->watch[so->nwatch++] = w;
    cs_pts_init_object(p, sobj);
    for (int k = 0; k < p->info[sobj].ncells; k++)
        cs_pts_apply_watcher(p, sobj, k, w);
    /* A later load of the copy must find its cell even if the source has none yet: the watcher sees to it. */
}

/* One place that a copy reads (or writes), with its buffer. */
static void link_buffer(struct cs_pts *p, const struct copycon *c, int loc, bool reads)
{
    struct cs_loc l = p->locs[loc];
    struct cs_pattern at;
    if (!cs_pts_access_pattern(p, &l, reads ? c->spat : c->dpat, &at))
        return;
    if (reads)
        link_places(p, c->buffer, cs_pat_at(0), l.obj, at, c->size);
    else
        link_places(p, l.obj, at, c->buffer, cs_pat_at(0), c->size);
}

/* A copy of many places to many, in a helper that all call: what each of them holds goes to all through one object in
 * between, so that the work grows with their sum and not with their product. */
static void make_buffer(struct cs_pts *p, int id)
{
    struct copycon *c = &p->copies[id];
    assert(c->buffer < 0);
    c->buffer = cs_graph_add_obj(p->g, CS_OBJ_HEAP, "copied", c->size);
    for (int side = 0; side < 2; side++) {
        struct copycon now = p->copies[id];
        struct cs_intlist all = {0};
        cs_pts_list_all(p, cs_pts_find(p, side ? now.dst : now.src), &all);
        for (int i = 0; i < all.n; i++)
            link_buffer(p, &now, all.a[i], side == 0);
        cs_intlist_free(&all);
    }
}

/* Members, those stood for one by one. */
static int how_many(const struct cs_pts *p, int n)
{
    int many = p->nodes[n].nmembers;
    for (int k = 0; p->closed && k < STANDS; k++)
        if (cs_bits_has(&p->nodes[n].members, p->stand[k].loc))
            many += p->nodes[p->stand[k].node].nmembers;
    return many;
}

void cs_pts_arrive_at_copy(struct cs_pts *p, int id, int loc, bool reads)
{
    assert(id >= 0 && id < p->ncopies);
    struct copycon c = p->copies[id];
    c.dst = cs_pts_find(p, c.dst);
    c.src = cs_pts_find(p, c.src);
    if (c.buffer >= 0) {
        link_buffer(p, &c, loc, reads);
        return;
    }
    if ((int64_t)how_many(p, c.dst) * how_many(p, c.src) > MAX_PAIRS) {
        make_buffer(p, id);
        return;
    }
    struct cs_loc l = p->locs[loc];
    struct cs_pattern at, other_at;
    if (!cs_pts_access_pattern(p, &l, reads ? c.spat : c.dpat, &at))
        return;
    struct cs_intlist others = {0};
    cs_pts_list_all(p, reads ? c.dst : c.src, &others);
    for (int i = 0; i < others.n; i++) {
        struct cs_loc o = p->locs[others.a[i]];
        if (!cs_pts_access_pattern(p, &o, reads ? c.dpat : c.spat, &other_at))
            continue;
        if (reads)
            link_places(p, o.obj, other_at, l.obj, at, c.size);
        else
            link_places(p, l.obj, at, o.obj, other_at, c.size);
    }
    cs_intlist_free(&others);
}
