/* SPDX-License-Identifier: GPL-3.0-or-later
 * The constraint solver of pointsto.h: the sets that it starts with, and the worklist, which runs until no set grows.
 * When a location arrives at a pointer, cs_pts_run_hook() adds what loads and stores through that pointer do with it.
 * Most time goes into cs_pts_add_loc() and the worklist; widening constants and offsets early keeps sets small. */
#include "slicer/pointsto/pointsto_internal.h"
#include "slicer/graph/progress.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Asks the processor for the sets that the next edges of a node lead to: waiting for memory would take most of the
 * solver's time. */
static void fetch_ahead(const struct cs_pts *p, int n, int k, int at)
{
    enum { NODE = 16, SET = 8 };
    const struct node *nd = &p->nodes[n];
    if (k + NODE < nd->nedges)
        __builtin_prefetch(&p->nodes[nd->edges[k + NODE].to].offered);
    if (k + SET < nd->nedges)
        cs_bits_fetch(&p->nodes[nd->edges[k + SET].to].offered, at);
}

/* Passes what has arrived at a node along the node's edges, and runs the node's hooks for it. */
static void pass_on(struct cs_pts *p, int n)
{
    struct cs_intlist todo = {0};
    struct cs_bits arrived = p->nodes[n].pending;
    p->nodes[n].pending = (struct cs_bits){0};
    for (int k = 0; k < p->nodes[n].nedges; k++) {
        fetch_ahead(p, n, k, arrived.w[0].at);
        cs_pts_move(p, &arrived, p->nodes[n].edges[k]);
    }
    if (p->nodes[n].nhooks)
        cs_bits_list(&arrived, &todo);
    for (int i = 0; i < todo.n; i++)
        for (int k = 0; k < p->nodes[n].nhooks; k++)
            cs_pts_run_hook(p, p->nodes[n].hooks[k], todo.a[i]);
    cs_intlist_free(&todo);
    cs_bits_free(&arrived);
}

/* May the solver go on? */
static bool in_budget(const struct cs_pts *p)
{
    return p->steps <= p->budget;
}

void cs_pts_drain(struct cs_pts *p)
{
    while (p->work_head < p->work.n && in_budget(p)) {
        int n = p->work.a[p->work_head++];
        assert(p->nodes[n].queued);
        p->nodes[n].queued = false;
        if (p->nodes[n].pending.n) /* none where widening has taken them out, or the node away */
            pass_on(p, n);
        /* Forget the part of the queue that is done. */
        if (p->work_head > 4096 && p->work_head * 2 > p->work.n) {
            memmove(p->work.a, p->work.a + p->work_head, (p->work.n - p->work_head) * sizeof *p->work.a);
            p->work.n -= p->work_head;
            p->work_head = 0;
        }
        cs_progress("points-to", p->effort, "steps");
        bool idle = p->work_head == p->work.n && p->doomed.n;
        if (p->effort > p->next_widening || idle)
            cs_pts_widen(p);
    }
}

/* What an unknown caller may pass to an entry point: a number for each parameter, and for all but the first also argv,
 * whose elements point to text. */
static void add_entry(struct cs_pts *p, int func)
{
    cs_pts_add_function(p, func);
    int argv = cs_hidden_obj(p->g, "h:argv"), text = cs_hidden_obj(p->g, "h:argv text");
    cs_pts_store_at(p, argv, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_addr(text, cs_pat_any()));
    for (int i = 0; i < p->g->funcs[func].nparams; i++) {
        int v = p->g->funcs[func].params[i];
        if (v < 0)
            continue;
        cs_pts_add_loc(p, cs_pts_value_node(p, v), LOC_INT);
        if (i > 0)
            cs_pts_add_loc(p, cs_pts_value_node(p, v), cs_pts_intern_loc(p, argv, cs_pat_at(0)));
    }
}

/* Variables that are defined outside of the program. One that is a library's state by the effects table becomes an
 * alias of that state; one that is not in the table, nor MPI's, is memory that unknown code may use, too. */
static void add_externals(struct cs_pts *p)
{
    int n = p->g->nobjs;
    p->alias = cs_calloc(n + 1, sizeof *p->alias);
    for (int o = 0; o < n; o++) {
        p->alias[o] = -1;
        if (!p->g->objs[o].external || p->g->objs[o].kind != CS_OBJ_GLOBAL)
            continue;
        const char *name = cs_obj_name(p->g, o);
        const struct cs_effect *fx = cs_effects_find(p->ms->fx, name);
        if (fx && fx->var) {
            if (fx->var_state && !fx->var_points)
                p->alias[o] = cs_pts_state_obj(p, fx);
        } else if (!cs_mpi_variable(name))
            cs_pts_add_loc(p, p->ext_node, cs_pts_intern_loc(p, o, cs_pat_any()));
    }
    p->nalias = n;
}

/* Words of sets that are looked at before objects are taken as one, if that is wanted from the start. */
enum { SOON = 1 };

/* Solves, with instances of functions or without (pointsto_instance.c). NULL if that takes more than budget->left
 * steps, from which those that were made are taken, or if no function has instances. */
static struct cs_pts *attempt(struct cs_graph *g, struct cs_models *ms, const bool *known, const int64_t *known_val,
                              int nknown, const struct cs_pts *before, struct cs_pts_budget *budget, bool instances)
{
    struct cs_pts *p = cs_calloc(1, sizeof *p);
    p->g = g;
    p->ms = ms;
    p->known = known;
    p->known_val = known_val;
    p->nknown = nknown;
    p->lost_obj = p->lost_loc = -1;
    p->many = budget->at_once ? 1 : CS_PTS_MANY;
    p->next_widening = budget->at_once ? SOON : CS_PTS_EFFORT;
    p->budget = budget->left;
    const struct cs_learnt *lost = !before && budget->lost && budget->lost->nlost ? budget->lost : NULL;
    p->precise = instances || lost || (before && !before->closed) ? INT64_MAX : budget->precise;
    p->nreached = g->nfuncs;
    p->reached = cs_calloc(g->nfuncs + 1, sizeof *p->reached);
    if (instances && !cs_pts_find_instances(p)) {
        cs_pts_free(p);
        return NULL;
    }
    cs_pts_first_locs(p);
    p->ext_node = cs_pts_new_node(p);
    cs_pts_add_loc(p, p->ext_node, LOC_INT);
    cs_pts_add_loc(p, p->ext_node, cs_pts_intern_loc(p, ms->ext_obj, cs_pat_any()));
    cs_pts_add_hook(p, p->ext_node, HOOK_ESCAPE, 0);
    cs_pts_escape(p, ms->ext_obj);
    add_externals(p);
    cs_pts_known_contexts(p);
    if (before && before->nlost)
        cs_pts_lose_again(p, before);
    if (lost)
        cs_pts_lose_learnt(p, lost);
    for (int i = 0, n = g->nobjs; i < n; i++)
        if (g->objs[i].exported)
            cs_pts_add_loc(p, p->ext_node, cs_pts_intern_loc(p, i, cs_pat_any()));
    for (int i = 0; i < g->nfuncs; i++) {
        if (g->funcs[i].is_entry)
            add_entry(p, i);
        else if (g->funcs[i].exported)
            cs_pts_escape(p, g->funcs[i].obj);
    }
    do
        cs_pts_drain(p);
    while (in_budget(p) && (cs_pts_bind_virtual(p) || cs_pts_bind_strangers(p)));
    /* The last question has made nodes for the addresses that it asked for; nothing goes on from them. */
    cs_pts_drain(p);
    budget->left -= p->steps;
    if (!in_budget(p)) {
        cs_pts_free(p);
        return NULL;
    }
    assert(p->work_head == p->work.n);
    p->solved = true;
    return p;
}

/* The same with instances, unless that takes many more steps than another solution took, with them or without: where
 * all point to all, they only multiply. */
static struct cs_pts *with_instances(struct cs_graph *g, struct cs_models *ms, const bool *known,
                                     const int64_t *known_val, int nknown, const struct cs_pts *before, int64_t steps,
                                     struct cs_pts_budget *budget)
{
    enum { SOME = 100000 };
    int64_t most = 2 * steps + SOME < budget->left ? 2 * steps + SOME : budget->left;
    struct cs_pts_budget some = {.precise = budget->precise, .left = most, .at_once = budget->at_once};
    struct cs_pts *p = attempt(g, ms, known, known_val, nknown, before, &some, true);
    budget->left -= most - (some.left < 0 ? 0 : some.left);
    return p;
}

struct cs_pts *cs_pts_solve(struct cs_graph *g, struct cs_models *ms, const bool *known, const int64_t *known_val,
                            int nknown, const struct cs_pts *before, struct cs_pts_budget *budget)
{
    struct cs_pts *p = NULL, *plain;
    int64_t steps = before && before->ninstances && !before->nlost ? before->steps : before ? 0 : budget->instances;
    if (steps)
        p = with_instances(g, ms, known, known_val, nknown, before, steps, budget);
    if (p)
        return p;
    plain = attempt(g, ms, known, known_val, nknown, before, budget, false);
    if (plain && !before && !steps && !plain->nlost)
        p = with_instances(g, ms, known, known_val, nknown, before, plain->steps, budget);
    if (p)
        cs_pts_free(plain);
    return p ? p : plain;
}

int64_t cs_pts_instances(const struct cs_pts *p)
{
    return p->ninstances ? p->steps : 0;
}

void cs_pts_free(struct cs_pts *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->nnodes; i++) {
        cs_intset_free(&p->nodes[i].set);
        cs_bits_free(&p->nodes[i].members);
        cs_bits_free(&p->nodes[i].offered);
        cs_bits_free(&p->nodes[i].pending);
        free(p->nodes[i].edges);
        free(p->nodes[i].hooks);
    }
    for (int i = 0; i < p->ninfo; i++) {
        free(p->info[i].cells);
        free(p->info[i].watch);
        cs_bits_free(&p->info[i].locs);
    }
    for (int i = 0; i < p->ncallees; i++)
        cs_intset_free(&p->callees[i]);
    for (int i = 0; i < p->nlocs; i++)
        cs_bits_free(&p->covered[i]);
    free(p->covered);
    free(p->plain);
    free(p->numbers);
    cs_bits_free(&p->there);
    cs_bits_free(&p->fresh_locs);
    cs_bits_free(&p->doomed);
    cs_pairset_free(&p->loc_set);
    free(p->nodes);
    free(p->value_node);
    free(p->locs);
    free(p->info);
    free(p->mem);
    free(p->copies);
    free(p->callbacks);
    free(p->buffers);
    free(p->sums);
    for (int i = 0; i < p->ndispatches; i++)
        cs_bits_free(&p->dispatches[i].seen);
    free(p->dispatches);
    free(p->dispatch_of);
    free(p->receivers);
    free(p->strangers);
    cs_bits_free(&p->unclassed);
    cs_intlist_free(&p->work);
    free(p->reached);
    free(p->callees);
    cs_intset_free(&p->scratch);
    cs_pairset_free(&p->edge_set);
    cs_pairset_free(&p->watch_set);
    free(p->alias);
    free(p->fresh);
    cs_pairset_free(&p->contexts);
    free(p->pats);
    free(p->crossings);
    cs_pts_free_instances(p);
    free(p);
}

/* Is it a function that a pointer may call? Not if it only ends the run in an error, as the pure virtual functions of a
 * class do that is no more than a base: a run that ends well never calls it. */
static bool may_be_called(const struct cs_pts *p, int obj)
{
    return obj >= 0 && p->g->objs[obj].kind == CS_OBJ_FUNC && !p->g->funcs[p->g->objs[obj].func].only_errors;
}

void cs_pts_reach_function(struct cs_pts *p, struct hook h, int obj)
{
    if (!may_be_called(p, obj))
        return;
    int func = p->g->objs[obj].func;
    if (h.kind == HOOK_CALLBACK)
        cs_pts_bind_callback(p, h.index, func);
    else if (h.kind == HOOK_CALL && cs_pts_in_family(p, h, h.index, obj))
        cs_pts_bind_call(p, h.index, func);
    else if (h.kind == HOOK_TARGET && cs_pts_in_family(p, h, p->dispatches[p->receivers[h.index].dispatch].stmt, obj))
        cs_pts_arrive_at_target(p, h.index, func);
}

static void run_hook(struct cs_pts *p, struct hook h, int loc)
{
    assert(loc >= 0 && loc < p->nlocs && h.index >= 0);
    struct cs_loc l = p->locs[loc];
    struct cs_pattern pat;
    p->steps++;
    int stand = cs_pts_stands(p, loc);
    if (stand >= 0) {
        cs_pts_run_for_all(p, h, stand);
        return;
    }
    l.obj = cs_pts_home(p, l.obj);
    switch (h.kind) {
    case HOOK_LOAD:
    case HOOK_STORE: {
        assert(h.index < p->nmem);
        struct memcon m = p->mem[h.index];
        if (!cs_pts_access_pattern(p, &l, m.pat, &pat) || (m.program && p->g->objs[l.obj].kind == CS_OBJ_HANDLE))
            return;
        int c = cs_pts_get_cell(p, l.obj, pat, m.size);
        if (h.kind == HOOK_LOAD)
            cs_pts_add_edge(p, p->info[l.obj].cells[c].load, m.node, EDGE_COPY, 0);
        else
            cs_pts_add_edge(p, m.node, p->info[l.obj].cells[c].store, EDGE_COPY, 0);
        return;
    }
    case HOOK_COPY_DST:
    case HOOK_COPY_SRC: cs_pts_arrive_at_copy(p, h.index, loc, h.kind == HOOK_COPY_SRC); return;
    case HOOK_CALL:
    case HOOK_CALLBACK:
    case HOOK_TARGET: cs_pts_reach_function(p, h, l.obj); return;
    case HOOK_DATATYPE: {
        struct buffercon c = p->buffers[h.index];
        if (cs_mpi_may_be_derived(l.obj == CS_LOC_CONST, l.pat.off))
            cs_pts_flow(p, c.buf, c.node, EDGE_SPREAD, 1);
        return;
    }
    case HOOK_DISTANCE: {
        struct sumcon c = p->sums[h.index];
        bool known = l.obj == CS_LOC_CONST;
        cs_pts_flow(p, c.pointer, c.node, known ? EDGE_SHIFT : EDGE_SPREAD, known ? l.pat.off : c.stride);
        return;
    }
    case HOOK_OBJECT: cs_pts_arrive_at_dispatch(p, h.index, loc); return;
    case HOOK_JOIN: cs_pts_join_lost(p, l.obj); return;
    case HOOK_ESCAPE:
        if (l.obj >= 0)
            cs_pts_escape(p, l.obj);
        return;
    }
}

void cs_pts_run_hook(struct cs_pts *p, struct hook h, int loc)
{
    int was = p->in;
    p->in = h.in;
    run_hook(p, h, loc);
    p->in = was;
}
