/* SPDX-License-Identifier: GPL-3.0-or-later
 * Notes at which places the program stores pointers that allocators have given, and whether it stores others there;
 * pointer_homes.h. */
#include "slicer/advise/pointer_homes.h"

#include <stdlib.h>

#include "slicer/graph/storage.h"

/* A place where pointers are kept: those that the calls in `makers` give; mixed: others, too. */
struct home {
    struct cs_path at;
    struct cs_intlist makers;
    bool mixed;
};
/* Of each function that was asked for, whether its calls differ. */
enum differ { NOT_ASKED, SAME, DIFFER };
/* homes[], by their paths in `known`; kept: by statement, whether what it gives is in one of them. */
struct cs_pointer_homes {
    const struct cs_graph *g;
    struct cs_pointer_paths *paths;
    const struct cs_intlist *callers;
    int nhomes, ahomes;
    struct home *homes;
    struct cs_pairset known;
    bool *kept;
    enum differ *differ;
};

static uint32_t hash_of(const struct cs_path *at)
{
    uint32_t h = cs_hash(at->n, at->obj);
    for (int i = 0; i < at->n; i++)
        h = cs_hash(cs_hash(h, at->off[i]), at->stride[i]);
    return h;
}

/* What is looked for, and where. */
struct asked {
    const struct cs_pointer_homes *h;
    const struct cs_path *at;
};

static bool same_home(const void *what, int number, int unused)
{
    const struct asked *a = what;
    (void)unused;
    return cs_same_path(&a->h->homes[number].at, a->at);
}

static struct home *home_at(const struct cs_pointer_homes *h, const struct cs_path *at)
{
    struct asked a = {h, at};
    int known = cs_pairset_find(&h->known, hash_of(at), same_home, &a);
    return known < 0 ? NULL : &h->homes[known];
}

static struct home *add_home(struct cs_pointer_homes *h, const struct cs_path *at)
{
    struct home *is = home_at(h, at);
    if (is)
        return is;
    CS_GROW(h->homes, h->nhomes, h->ahomes);
    h->homes[h->nhomes] = (struct home){.at = *at};
    cs_pairset_add(&h->known, hash_of(at), h->nhomes, 0);
    return &h->homes[h->nhomes++];
}

/* The call of an allocator that gives the value, -1. */
static int maker_of(const struct cs_pointer_homes *h, const bool *makes, struct cs_operand op)
{
    op = cs_moved_from(h->g, op);
    int def = op.kind == CS_OPND_VALUE ? h->g->values[op.id].def : -1;
    return def >= 0 && makes[def] ? def : -1;
}

static bool stores_pointer(const struct cs_stmt *s)
{
    return s->kind == CS_STMT_STORE && s->nuses && s->store.size == (int64_t)sizeof(void *);
}

static bool place_of(struct cs_pointer_homes *h, const struct cs_stmt *s, struct cs_path *at)
{
    return cs_pointer_path(h->paths, s->func, -1, s->store.base, s->store.pat, at);
}

/* First the places that get a pointer of an allocator, then who stores others there. */
static void find_homes(struct cs_pointer_homes *h, const bool *makes)
{
    const struct cs_graph *g = h->g;
    struct cs_path at;
    for (int i = 0; i < g->nstmts; i++) {
        int maker = stores_pointer(&g->stmts[i]) ? maker_of(h, makes, g->stmts[i].uses[0]) : -1;
        if (maker < 0 || !place_of(h, &g->stmts[i], &at))
            continue;
        cs_intlist_add(&add_home(h, &at)->makers, maker);
        h->kept[maker] = true;
    }
    for (int i = 0; i < g->nstmts && h->nhomes; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        if (!stores_pointer(s) || s->uses[0].kind == CS_OPND_CONST || maker_of(h, makes, s->uses[0]) >= 0)
            continue;
        struct home *is = place_of(h, s, &at) ? home_at(h, &at) : NULL;
        if (is)
            is->mixed = true;
    }
}

struct cs_pointer_homes *cs_pointer_homes_start(const struct cs_graph *g, struct cs_pointer_paths *paths)
{
    struct cs_pointer_homes *h = cs_calloc(1, sizeof *h);
    bool *makes = cs_calloc(g->nstmts + 1, sizeof *makes);
    h->g = g;
    h->paths = paths;
    h->callers = cs_pointer_callers(paths);
    h->kept = cs_calloc(g->nstmts + 1, sizeof *h->kept);
    h->differ = cs_calloc(g->nfuncs + 1, sizeof *h->differ);
    for (int o = 0; o < g->nobjs; o++)
        if (g->objs[o].kind == CS_OBJ_HEAP && g->objs[o].stmt >= 0 && g->objs[o].stmt < g->nstmts)
            makes[g->objs[o].stmt] = true;
    find_homes(h, makes);
    free(makes);
    return h;
}

void cs_pointer_homes_free(struct cs_pointer_homes *h)
{
    for (int i = 0; i < h->nhomes; i++)
        cs_intlist_free(&h->homes[i].makers);
    free(h->homes);
    cs_pairset_free(&h->known);
    free(h->kept);
    free(h->differ);
    free(h);
}

/* The home of the pointer by which the load or store goes, if that is in memory; NULL. */
static const struct home *home_by(struct cs_pointer_homes *h, int stmt, int call)
{
    const struct cs_stmt *s = &h->g->stmts[stmt];
    const struct cs_ref *r = s->kind == CS_STMT_LOAD ? &s->load : &s->store;
    struct cs_path to;
    if ((s->kind != CS_STMT_LOAD && s->kind != CS_STMT_STORE) || r->base.kind != CS_OPND_VALUE ||
        !cs_pointer_path(h->paths, s->func, call, r->base, r->pat, &to) || to.n < 2)
        return NULL;
    to.n--;
    return home_at(h, &to);
}

enum cs_pointer_home cs_pointer_homes_mean(struct cs_pointer_homes *h, int stmt, int call, int obj)
{
    const struct cs_obj *o = obj < 0 || obj >= h->g->nobjs ? NULL : &h->g->objs[obj];
    if (!o || o->kind != CS_OBJ_HEAP || o->stmt < 0 || o->stmt >= h->g->nstmts || !h->kept[o->stmt])
        return CS_HOME_UNKNOWN;
    const struct home *is = home_by(h, stmt, call);
    if (!is || is->mixed)
        return CS_HOME_UNKNOWN;
    bool own = false;
    for (int i = 0; i < is->makers.n; i++)
        own |= is->makers.a[i] == o->stmt;
    return !own ? CS_HOME_OTHER : is->makers.n == 1 ? CS_HOME_OWN : CS_HOME_UNKNOWN;
}

static bool differs(struct cs_pointer_homes *h, int func)
{
    const struct cs_func *f = &h->g->funcs[func];
    const struct cs_intlist *calls = &h->callers[func];
    for (int b = 0; b < f->nblocks && calls->n > 1; b++)
        for (int i = 0; i < f->blocks[b].nstmts; i++) {
            int s = f->blocks[b].stmts[i];
            if (!home_by(h, s, -1) && home_by(h, s, calls->a[0]))
                return true;
        }
    return false;
}

bool cs_pointer_homes_differ(struct cs_pointer_homes *h, int func)
{
    if (h->differ[func] == NOT_ASKED)
        h->differ[func] = differs(h, func) ? DIFFER : SAME;
    return h->differ[func] == DIFFER;
}
