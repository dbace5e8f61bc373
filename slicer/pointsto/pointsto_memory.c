/* SPDX-License-Identifier: GPL-3.0-or-later
 * Memory of the points-to solver: an object is a set of cells (offsets and a size), each with what is stored and what a
 * load sees. Cells that overlap are linked, stores to loads; an object with too many becomes a single cell. What an
 * object holds before the program stores anything is put in when it is first met. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool same_place(const struct cell *a, const struct cell *b)
{
    return a->size == b->size && a->size > 0 && a->pat.off == b->pat.off && a->pat.stride == b->pat.stride;
}

static int get_cell(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size, int copies);

/* Where an exact copy takes what is in the cell. Data that moves on in each turn, as in a queue, would make a place for
 * each step: after some of them it may be anywhere in the copy's end, a step from each other. */
static struct cs_pattern copied_to(const struct cell *c, const struct watcher *w)
{
    struct cs_pattern q = c->pat;
    q.off += w->delta;
    bool on = c->copies >= MAX_COPIES && w->delta;
    if (q.stride == 0 && !on)
        return cs_pat_at(q.off);
    if (on) {
        q = cs_pat_spread(q, w->delta);
        q.lo = w->dst.off;
        q.hi = w->size >= 0 ? w->dst.off + w->size : CS_OFF_MAX;
        return q;
    }
    q.lo = (q.lo < w->from.off ? w->from.off : q.lo) + w->delta;
    if (w->size >= 0 && q.hi > w->from.off + w->size)
        q.hi = w->from.off + w->size;
    q.hi = q.hi >= CS_OFF_MAX ? q.hi : q.hi + w->delta;
    q.off = ((q.off % q.stride) + q.stride) % q.stride;
    return q;
}

void cs_pts_apply_watcher(struct cs_pts *p, int src_obj, int cell, struct watcher w)
{
    assert(cell >= 0 && cell < p->info[src_obj].ncells);
    struct cell c = p->info[src_obj].cells[cell];
    if (cs_pts_home(p, w.dst_obj) != w.dst_obj) {
        cs_pts_add_edge(p, c.store, p->info[p->lost_obj].cells[0].store, EDGE_OUTSIDE, 0);
        return;
    }
    if (!cs_pat_overlap(c.pat, c.size, w.from, w.size))
        return;
    int d = w.exact ? get_cell(p, w.dst_obj, copied_to(&c, &w), c.size, c.copies + 1)
                    : get_cell(p, w.dst_obj, w.dst, w.size, c.copies + 1);
    int from = p->info[src_obj].cells[cell].store, to = p->info[w.dst_obj].cells[d].store;
    cs_pts_add_edge(p, from, to, w.exact ? EDGE_COPY : EDGE_NO_CONST, 0);
}

static int find_cell(const struct objinfo *o, struct cs_pattern pat, int64_t size)
{
    for (int i = 0; i < o->ncells; i++)
        if (o->cells[i].size == size && cs_pat_equal(o->cells[i].pat, pat))
            return i;
    return -1;
}

/* Are there more cells, or more that overlap, than are told apart? */
static bool too_many(const struct objinfo *o)
{
    return o->ncells >= MAX_CELLS || (o->noverlaps >= MAX_OVERLAPS && o->noverlaps >= MAX_OVERLAPS_EACH * o->ncells);
}

static int get_cell(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size, int copies)
{
    struct objinfo *o = cs_pts_obj_info(p, obj);
    assert(!o->lost);
    if (too_many(o))
        o->collapsed = true;
    if (o->collapsed) {
        pat = cs_pat_any();
        size = CS_SIZE_UNKNOWN;
    }
    pat = cs_pat_normal(pat, p->g->objs[obj].size);
    int i = find_cell(o, pat, size);
    if (i >= 0)
        return i;
    int store = cs_pts_new_node(p), load = cs_pts_new_node(p);
    o = cs_pts_obj_info(p, obj);
    CS_GROW(o->cells, o->ncells, o->acells);
    i = o->ncells++;
    o->cells[i] = (struct cell){pat, size, store, load, copies};
    for (int k = 0; k < p->info[obj].ncells; k++) {
        struct cell *c = &p->info[obj].cells[k], me = p->info[obj].cells[i];
        if (!cs_pat_overlap(c->pat, c->size, pat, size))
            continue;
        enum edge_kind kind = same_place(c, &me) ? EDGE_COPY : EDGE_NO_CONST;
        p->info[obj].noverlaps += kind == EDGE_NO_CONST;
        int cload = c->load, cstore = c->store;
        cs_pts_add_edge(p, cstore, load, kind, 0);
        if (k != i)
            cs_pts_add_edge(p, store, cload, kind, 0);
    }
    for (int k = 0; k < p->info[obj].nwatch; k++)
        cs_pts_apply_watcher(p, obj, i, p->info[obj].watch[k]);
    if (p->info[obj].escaped) {
        cs_pts_add_edge(p, p->ext_node, store, EDGE_NO_CONST, 0);
        cs_pts_add_edge(p, store, p->ext_node, EDGE_OUTSIDE, 0);
    }
    cs_pts_init_object(p, obj);
    i = find_cell(&p->info[obj], pat, size);
    assert(i >= 0);
    return i;
}

int cs_pts_get_cell(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size)
{
    return get_cell(p, obj, pat, size, 0);
}

void cs_pts_store_at(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size, struct cs_operand val)
{
    obj = cs_pts_home(p, obj);
    int c = cs_pts_get_cell(p, obj, pat, size);
    cs_pts_flow(p, val, p->info[obj].cells[c].store, EDGE_COPY, 0);
}

int cs_pts_state_obj(struct cs_pts *p, const struct cs_effect *fx)
{
    char name[160];
    assert(fx->var_state);
    snprintf(name, sizeof name, "h:%s", fx->var_state);
    return cs_hidden_obj(p->g, name);
}

void cs_pts_init_object(struct cs_pts *p, int obj)
{
    if (cs_pts_obj_info(p, obj)->inited)
        return;
    p->info[obj].inited = true;
    cs_pts_escape_state(p, obj);
    struct cs_obj *o = &p->g->objs[obj];
    bool many = o->ninits > 64;
    for (int i = 0; i < o->ninits; i++) {
        struct cs_init in = p->g->objs[obj].inits[i];
        if (many)
            cs_pts_store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN,
                            in.val.kind == CS_OPND_CONST ? cs_opnd_none() : in.val);
        else
            cs_pts_store_at(p, obj, cs_pat_at(in.off), in.size, in.val);
    }
    o = &p->g->objs[obj];
    if (o->zeroed)
        cs_pts_store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_const(0));
    if (o->kind == CS_OBJ_HIDDEN && obj != p->ms->addr_obj && obj != p->ms->attr_obj && obj != p->ms->message_obj)
        cs_pts_store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_none());
    if (p->g->objs[obj].external) {
        const struct cs_effect *fx = cs_effects_find(p->ms->fx, cs_obj_name(p->g, obj));
        if (fx && fx->var && fx->var_points) {
            cs_pts_store_at(p, obj, cs_pat_at(0), 8, cs_opnd_addr(cs_pts_state_obj(p, fx), cs_pat_at(0)));
        } else {
            cs_pts_store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_none());
            cs_pts_store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_addr(p->ms->ext_obj, cs_pat_any()));
        }
    }
}

bool cs_pts_access_pattern(struct cs_pts *p, const struct cs_loc *l, struct cs_pattern rel, struct cs_pattern *out)
{
    if (l->obj < 0)
        return false;
    if (p->g->objs[l->obj].kind == CS_OBJ_FUNC)
        return false;
    *out = cs_pat_normal(cs_pat_compose(l->pat, rel), p->g->objs[l->obj].size);
    return true;
}

void cs_pts_add_memcon(struct cs_pts *p, enum hook_kind kind, const struct cs_ref *r, int node, bool program)
{
    CS_GROW(p->mem, p->nmem, p->amem);
    int id = p->nmem++;
    assert((kind == HOOK_LOAD || kind == HOOK_STORE) && node >= 0 && node < p->nnodes);
    p->mem[id] = (struct memcon){r->pat, r->size, node, program};
    if (r->base.kind == CS_OPND_NONE)
        return;
    cs_pts_add_hook(p, cs_pts_operand_node(p, r->base), kind, id);
}
