/* SPDX-License-Identifier: GPL-3.0-or-later
 * Virtual calls by their class: a call reaches functions of its family alone (struct cs_stmt), also where its object
 * may point to any table. Where none of them is ever found, the program calls objects of another class by a cast that
 * C++ does not define: then what is found counts. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>

void cs_pts_note_stranger(struct cs_pts *p, struct hook h, int call, int obj)
{
    if (h.standing || (call < p->ncallees && p->callees[call].n))
        return;
    CS_GROW(p->strangers, p->nstrangers, p->astrangers);
    p->strangers[p->nstrangers++] = (struct stranger){h, call, obj};
}

bool cs_pts_in_family(struct cs_pts *p, struct hook h, int call, int obj)
{
    assert(obj >= 0 && p->g->objs[obj].kind == CS_OBJ_FUNC);
    int family = p->g->stmts[call].family;
    const struct cs_func *f = &p->g->funcs[p->g->objs[obj].func];
    const struct cs_intset *in = &p->g->funcs[f->source].families;
    /* Of functions without a body nothing is known. */
    if (family <= 0 || !f->defined || cs_intset_has(in, family) || cs_intset_has(in, CS_ALL_FAMILIES) ||
        cs_intset_has(in, CS_ANY_FORM) || cs_bits_has(&p->unclassed, call))
        return true;
    cs_pts_note_stranger(p, h, call, obj);
    return false;
}

/* Does it for the function, or for all that it stands for. */
static void reach(struct cs_pts *p, struct hook h, int obj)
{
    struct cs_intlist all = {0};
    if (!p->closed || obj != p->stand[STAND_FUNCTIONS].obj) {
        cs_pts_reach_function(p, h, obj);
        return;
    }
    cs_bits_list(&p->nodes[p->stand[STAND_FUNCTIONS].node].members, &all);
    for (int i = 0; i < all.n; i++)
        cs_pts_reach_function(p, h, p->locs[all.a[i]].obj);
    cs_intlist_free(&all);
}

bool cs_pts_bind_strangers(struct cs_pts *p)
{
    bool any = false;
    for (int i = 0; i < p->nstrangers; i++) {
        int call = p->strangers[i].call;
        if (call >= p->ncallees || !p->callees[call].n)
            any |= cs_bits_add(&p->unclassed, call);
    }
    for (int i = 0; any && i < p->nstrangers; i++)
        if (cs_bits_has(&p->unclassed, p->strangers[i].call))
            reach(p, p->strangers[i].hook, p->strangers[i].obj);
    return any;
}
