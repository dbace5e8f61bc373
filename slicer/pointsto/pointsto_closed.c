/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lost memory that is closed, when points-to takes still longer: what is stored in a lost object is lost itself. So of
 * the program's memory it holds nothing but "any lost object". Of functions it holds one that stands for all that are
 * stored there; a call of this one reaches those, the hook of the call being at their node. What a library stores
 * through a pointer that may be to others goes to lost memory, which those share a set with, and to one object that all
 * handles do: so the work grows with their sum and not with their product. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>

int cs_pts_many_others(const struct cs_pts *p)
{
    return p->many > 8 ? p->many / 8 : 1;
}

bool cs_pts_may_be_lost(const struct cs_pts *p, int obj)
{
    const struct cs_obj *o = &p->g->objs[obj];
    bool memory = o->kind == CS_OBJ_LOCAL || o->kind == CS_OBJ_HEAP || o->kind == CS_OBJ_GLOBAL;
    for (int k = 0; p->closed && k < STANDS; k++)
        memory &= obj != p->stand[k].obj;
    return memory && !o->external && obj != p->lost_obj && !(obj < p->nalias && p->alias[obj] >= 0) &&
           obj != p->ms->ext_obj;
}

int cs_pts_stand_of(const struct cs_pts *p, int loc)
{
    int obj = p->locs[loc].obj;
    if (obj < 0 || obj == p->lost_obj || cs_pts_may_be_lost(p, obj) || cs_pts_stands(p, loc) >= 0)
        return -1;
    return p->g->objs[obj].kind == CS_OBJ_FUNC ? STAND_FUNCTIONS : STAND_OTHERS;
}

bool cs_pts_is_stood_for(const struct cs_pts *p, int n, int loc)
{
    int k = p->closed ? cs_pts_stand_of(p, loc) : -1;
    return k >= 0 && n != p->stand[k].node && cs_bits_has(&p->nodes[n].members, p->stand[k].loc) &&
           cs_bits_has(&p->nodes[p->stand[k].node].offered, loc);
}

void cs_pts_add_closed(struct cs_pts *p, int n, int loc)
{
    int obj = p->locs[loc].obj, k = cs_pts_stand_of(p, loc);
    if (obj == CS_LOC_CONST && p->locs[loc].pat.off != 0)
        return; /* any integer is there */
    if (k >= 0) {
        cs_pts_add_loc(p, p->stand[k].node, loc);
        cs_pts_add_member(p, n, p->stand[k].loc);
    } else if (obj >= 0 && cs_pts_home(p, obj) != obj) {
        cs_pts_add_member(p, n, p->lost_loc);
    } else if (obj >= 0 && cs_pts_may_be_lost(p, obj)) {
        cs_bits_add(&p->doomed, obj);
        cs_pts_add_member(p, n, p->lost_loc);
    } else {
        cs_pts_add_member(p, n, loc);
    }
}

/* Takes members out of a set, and out of what is pending there. */
static void take_out(struct cs_pts *p, int n, const struct cs_bits *gone)
{
    struct cs_bits left = {0}, *of[] = {&p->nodes[n].members, &p->nodes[n].pending, &p->nodes[n].offered};
    for (int i = 0; i < 3; i++) {
        cs_bits_minus(&left, of[i], gone);
        struct cs_bits was = *of[i];
        *of[i] = left;
        left = was;
    }
    p->nodes[n].nmembers = cs_bits_count(&p->nodes[n].members);
    cs_bits_free(&left);
}

void cs_pts_drop_stood_for(struct cs_pts *p, int n, struct cs_bits *what)
{
    for (int k = 0; k < STANDS && what->n; k++) {
        if (n == p->stand[k].node || !cs_bits_has(&p->nodes[n].members, p->stand[k].loc))
            continue;
        struct cs_bits left = {0};
        cs_bits_minus(&left, what, &p->nodes[p->stand[k].node].offered);
        cs_bits_free(what);
        *what = left;
    }
}

void cs_pts_lose_others(struct cs_pts *p, int n)
{
    struct cs_bits gone[STANDS] = {0};
    int many[STANDS] = {0}, k;
    for (int i = cs_bits_next(&p->nodes[n].members, 0); i >= 0; i = cs_bits_next(&p->nodes[n].members, i + 1))
        if ((k = cs_pts_stand_of(p, i)) >= 0) {
            many[k]++;
            cs_bits_add(&gone[k], i);
        }
    for (k = 0; k < STANDS; k++) {
        bool has = cs_bits_has(&p->nodes[n].members, p->stand[k].loc);
        if (n != p->stand[k].node && many[k] && (many[k] > cs_pts_many_others(p) || has || p->nodes[n].closed)) {
            cs_pts_add_locs(p, p->stand[k].node, &gone[k], true);
            take_out(p, n, &gone[k]);
            cs_pts_add_member(p, n, p->stand[k].loc);
        }
        cs_bits_free(&gone[k]);
    }
}

void cs_pts_close(struct cs_pts *p)
{
    _Static_assert(LOC_STANDS + STANDS == LOC_ZERO, "their locations come before the number 0");
    static const char *const names[STANDS] = {"lost functions", "lost others"};
    struct cs_bits was = {0};
    int n = cs_pts_find(p, p->info[p->lost_obj].cells[0].store);
    assert(!p->closed);
    for (int k = 0; k < STANDS; k++) {
        struct stand_in *s = &p->stand[k];
        s->obj = cs_graph_add_obj(p->g, CS_OBJ_HEAP, names[k], CS_SIZE_UNKNOWN);
        s->loc = LOC_STANDS + k;
        cs_pts_set_loc(p, s->loc, s->obj);
        s->node = cs_pts_new_node(p);
    }
    p->handles_obj = cs_graph_add_obj(p->g, CS_OBJ_HEAP, "lost handles", CS_SIZE_UNKNOWN);
    p->closed = p->nodes[n].closed = true;
    cs_pts_add_hook(p, p->stand[STAND_OTHERS].node, HOOK_JOIN, 0);
    cs_bits_or(&was, &p->nodes[n].members);
    for (int i = cs_bits_next(&was, 0); i >= 0; i = cs_bits_next(&was, i + 1))
        if (p->locs[i].obj >= 0 && cs_pts_may_be_lost(p, p->locs[i].obj))
            cs_bits_add(&p->doomed, p->locs[i].obj);
    cs_bits_free(&was);
}

static void add_hook(struct cs_pts *p, int n, struct hook h)
{
    struct cs_intlist there = {0};
    struct node *nd = &p->nodes[n];
    CS_GROW(nd->hooks, nd->nhooks, nd->ahooks);
    nd->hooks[nd->nhooks++] = h;
    cs_bits_list(&nd->members, &there);
    for (int i = 0; i < there.n; i++)
        cs_pts_run_hook(p, h, there.a[i]);
    cs_intlist_free(&there);
}

/* What is stored in memory of others, as a library's state, through a pointer that may be to lost objects is stored in
 * these as well, and what is loaded may come from there: they share one set. Handles, which are no memory to the
 * program, share another one. */
void cs_pts_join_lost(struct cs_pts *p, int obj)
{
    int with = p->g->objs[obj].kind == CS_OBJ_HANDLE ? p->handles_obj : p->lost_obj;
    int w = cs_pts_get_cell(p, with, cs_pat_any(), CS_SIZE_UNKNOWN),
        c = cs_pts_get_cell(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN);
    cs_pts_add_edge(p, p->info[with].cells[w].load, p->info[obj].cells[c].store, EDGE_COPY, 0);
    cs_pts_add_edge(p, p->info[obj].cells[c].load, p->info[with].cells[w].store, EDGE_COPY, 0);
}

/* What calls it, for lost functions. */
static void run_for_functions(struct cs_pts *p, struct hook h)
{
    if (h.kind == HOOK_TARGET) { /* each object goes to all functions */
        cs_pts_give_up_dispatch(p, p->receivers[h.index].dispatch);
        return;
    }
    if (h.kind != HOOK_CALL && h.kind != HOOK_CALLBACK && h.kind != HOOK_ESCAPE)
        return; /* functions are no memory */
    if (h.kind == HOOK_CALL)
        cs_pts_note_stranger(p, h, h.index, p->stand[STAND_FUNCTIONS].obj);
    h.standing = true;
    add_hook(p, p->stand[STAND_FUNCTIONS].node, h);
}

static void run_for_others(struct cs_pts *p, struct hook h)
{
    bool access = h.kind == HOOK_LOAD || h.kind == HOOK_STORE,
         copy = h.kind == HOOK_COPY_SRC || h.kind == HOOK_COPY_DST;
    if (h.kind == HOOK_CALL || h.kind == HOOK_CALLBACK || h.kind == HOOK_TARGET)
        return; /* others are no functions */
    if (access || copy)
        cs_pts_run_hook(p, h, p->lost_loc);
    if (copy || (access && !p->mem[h.index].program))
        cs_pts_run_hook(p, h, cs_pts_intern_loc(p, p->handles_obj, cs_pat_any()));
    else if (h.kind == HOOK_OBJECT)
        cs_pts_arrive_at_dispatch(p, h.index, p->lost_loc);
    else if (!access)
        add_hook(p, p->stand[STAND_OTHERS].node, h);
}

void cs_pts_run_for_all(struct cs_pts *p, struct hook h, enum stand k)
{
    if (h.kind == HOOK_DATATYPE)
        cs_pts_flow(p, p->buffers[h.index].buf, p->buffers[h.index].node, EDGE_SPREAD, 1);
    else if (h.kind == HOOK_DISTANCE)
        cs_pts_flow(p, p->sums[h.index].pointer, p->sums[h.index].node, EDGE_SPREAD, p->sums[h.index].stride);
    else if (k == STAND_FUNCTIONS)
        run_for_functions(p, h);
    else
        run_for_others(p, h);
}

void cs_pts_list_all(const struct cs_pts *p, int n, struct cs_intlist *out)
{
    const struct cs_bits *all = &p->nodes[n].members;
    if (!p->closed)
        cs_bits_list(all, out);
    for (int i = p->closed ? cs_bits_next(all, 0) : -1, k; i >= 0; i = cs_bits_next(all, i + 1))
        if ((k = cs_pts_stands(p, i)) >= 0)
            cs_bits_list(&p->nodes[p->stand[k].node].members, out);
        else
            cs_intlist_add(out, i);
}
