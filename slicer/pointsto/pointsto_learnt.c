/* SPDX-License-Identifier: GPL-3.0-or-later
 * Objects that a solution took as one, for another one of the same program (learnt.h): that begins with them, and is
 * spared most of what the first one took to lose its way. What they are called must not depend on the order in which
 * the analyses make objects. */
#include <assert.h>
#include <stdlib.h>

#include "slicer/pointsto/pointsto_internal.h"

/* What a statement makes on the heap itself: first[s] is an object and next[o] the one after it, -1 at the end. */
struct made {
    int *first, *next;
};

static struct made made_by_stmts(const struct cs_graph *g)
{
    struct made m = {cs_calloc(g->nstmts + 1, sizeof(int)), cs_calloc(g->nobjs + 1, sizeof(int))};
    for (int s = 0; s < g->nstmts; s++)
        m.first[s] = -1;
    for (int o = g->nobjs - 1; o >= 0; o--)
        if (g->objs[o].kind == CS_OBJ_HEAP && g->objs[o].parent < 0 && g->objs[o].stmt >= 0) {
            m.next[o] = m.first[g->objs[o].stmt];
            m.first[g->objs[o].stmt] = o;
        }
    return m;
}

static void free_made(struct made *m)
{
    free(m->first);
    free(m->next);
}

/* ---- what was lost ---- */

/* False if it is an object that the solver has made for itself. */
static bool tell(const struct cs_graph *g, const struct made *m, int obj, struct cs_learnt_lost *o)
{
    int at, calls[CS_LEARNT_CALLS];
    *o = (struct cs_learnt_lost){.obj = -1, .stmt = -1};
    if (g->objs[obj].kind != CS_OBJ_HEAP) {
        o->obj = obj;
        return true;
    }
    for (at = obj; g->objs[at].parent >= 0; at = g->objs[at].parent) {
        assert(o->ncalls < CS_LEARNT_CALLS);
        calls[o->ncalls++] = g->objs[at].stmt;
    }
    for (int i = 0; i < o->ncalls; i++)
        o->call[i] = calls[o->ncalls - 1 - i];
    o->stmt = g->objs[at].stmt;
    for (int k = o->stmt < 0 ? at : m->first[o->stmt]; k != at; k = m->next[k])
        o->nth++;
    return o->stmt >= 0;
}

void cs_pts_learn_lost(const struct cs_pts *p, struct cs_learnt *l)
{
    struct made m = made_by_stmts(p->g);
    for (int o = 0; o < p->ninfo; o++) {
        CS_GROW(l->lost, l->nlost, l->alost);
        if (p->info[o].lost && tell(p->g, &m, o, &l->lost[l->nlost]))
            l->nlost++;
    }
    free_made(&m);
}

/* ---- and is lost again ---- */

/* Makes what the calls of a library that lost objects come from make, which a solution does when it gets there. What a
 * call by pointer makes comes when it is known whom it calls. */
static void make_objects(struct cs_pts *p, const struct cs_learnt *l)
{
    for (int i = 0; i < l->nlost; i++) {
        const struct cs_stmt *s = l->lost[i].obj < 0 ? &p->g->stmts[l->lost[i].stmt] : NULL;
        if (!s || s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR ||
            p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
            continue;
        int func = p->g->objs[s->callee.id].func;
        if (!p->g->funcs[func].defined)
            cs_model_get(p->ms, p->g, l->lost[i].stmt, func);
    }
}

/* The object; -1: there is none yet. */
static int find(struct cs_pts *p, const struct made *m, const struct cs_learnt_lost *l)
{
    int o = l->obj;
    if (o < 0) {
        o = m->first[l->stmt];
        for (int i = 0; i < l->nth && o >= 0; i++)
            o = m->next[o];
    }
    for (int i = 0; i < l->ncalls && o >= 0; i++) {
        int of_call = cs_pts_object_of_call(p, o, l->call[i]);
        o = of_call == o ? -1 : of_call;
    }
    return o >= 0 && cs_pts_may_be_lost(p, o) ? o : -1;
}

void cs_pts_lose_learnt(struct cs_pts *p, const struct cs_learnt *l)
{
    struct cs_bits objs = {0};
    make_objects(p, l);
    struct made m = made_by_stmts(p->g);
    for (int i = 0; i < l->nlost; i++) {
        int o = find(p, &m, &l->lost[i]);
        if (o >= 0)
            cs_bits_add(&objs, o);
    }
    if (objs.n)
        cs_pts_lose(p, &objs);
    free_made(&m);
    cs_bits_free(&objs);
}
