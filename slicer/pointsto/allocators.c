/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds allocators of the program's own (operator new, malloc ...) which write variables that are read outside of them;
 * allocators.h. Only kept statements count; points-to tells what they read and write, a variable counts as a whole. */
#include "slicer/pointsto/allocators.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where a function may run: in an allocator, elsewhere. */
enum side { INSIDE = 1, OUTSIDE = 2 };

/* The state of the check. */
struct check {
    const struct cs_graph *g;
    const struct cs_models *ms;
    struct cs_pts *pts;
    unsigned char *side;    /* of each function, bits of enum side: may run in an allocator, may run elsewhere */
    int *root;              /* of each function inside: an allocator from which it is called, -1 */
    struct cs_intset given; /* objects whose addresses allocators return */
    struct cs_intset read;  /* variables that are read outside, and what stands for those that were taken as one */
    bool lost_read;         /* one of these is read by its name */
    bool writes;            /* result of note_write(): the statement writes one of `read` */
};

/* The allocator's name for messages, from its symbol; NULL if the function is no allocator. */
static const char *allocator_name(const char *name)
{
    static const char *const c[] = {"malloc",   "calloc",        "realloc",        "free",
                                    "memalign", "aligned_alloc", "posix_memalign", "valloc"};
    if (!strncmp(name, "_Znw", 4))
        return "operator new";
    if (!strncmp(name, "_Zna", 4))
        return "operator new[]";
    if (!strncmp(name, "_Zdl", 4))
        return "operator delete";
    if (!strncmp(name, "_Zda", 4))
        return "operator delete[]";
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        if (!strcmp(name, c[i]))
            return c[i];
    return NULL;
}

static bool is_root(const struct check *c, int f)
{
    return c->g->funcs[f].defined && allocator_name(cs_func_name(c->g, f));
}

/* Marks f and all that it calls as run on this side. Going OUTSIDE, it does not enter allocators. */
static void mark(struct check *c, int f, enum side side, int root)
{
    if ((c->side[f] & side) || !c->g->funcs[f].defined || (side == OUTSIDE && is_root(c, f)))
        return;
    c->side[f] |= side;
    if (side == INSIDE)
        c->root[f] = root;
    for (int b = 0; b < c->g->funcs[f].nblocks; b++)
        for (int k = 0; k < c->g->funcs[f].blocks[b].nstmts; k++) {
            int s = c->g->funcs[f].blocks[b].stmts[k];
            if (c->g->stmts[s].kind != CS_STMT_CALL)
                continue;
            const struct cs_intset *to = cs_pts_callees(c->pts, s);
            for (int i = 0; i < to->n; i++)
                mark(c, to->a[i], side, root);
        }
}

/* Fills side and root. False if the program defines no allocator. */
static bool find_sides(struct check *c)
{
    bool any = false;
    for (int f = 0; f < c->g->nfuncs; f++) {
        c->root[f] = -1;
        if (is_root(c, f))
            any = true;
    }
    for (int f = 0; any && f < c->g->nfuncs; f++)
        if (is_root(c, f) && cs_pts_func_reached(c->pts, f))
            mark(c, f, INSIDE, f);
    for (int f = 0; any && f < c->g->nfuncs; f++)
        if (!c->side[f] && cs_pts_func_reached(c->pts, f))
            mark(c, f, OUTSIDE, -1);
    return any;
}

/* Collects the objects whose addresses allocators return. */
static void find_given(struct check *c)
{
    for (int s = 0; s < c->g->nstmts; s++) {
        const struct cs_stmt *st = &c->g->stmts[s];
        if (st->kind != CS_STMT_RETURN || st->nuses < 1 || !is_root(c, st->func))
            continue;
        const struct cs_intset *to = cs_pts_operand(c->pts, st->uses[0]);
        for (int i = 0; i < to->n; i++)
            cs_intset_add(&c->given, cs_pts_loc(c->pts, to->a[i])->obj);
    }
}

/* Is it a global variable of the program, other than memory that an allocator gives out? */
static bool is_variable(const struct check *c, int obj)
{
    return obj >= 0 && c->g->objs[obj].kind == CS_OBJ_GLOBAL && !c->g->objs[obj].external &&
           !cs_intset_has(&c->given, obj);
}

static void note_write(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct check *c = arg;
    (void)pat, (void)size;
    int one = cs_pts_stand_in(c->pts);
    bool lost = one >= 0 && cs_pts_lost(c->pts, obj) && cs_intset_has(&c->read, one);
    c->writes |= cs_intset_has(&c->read, obj) || lost || (obj == one && c->lost_read);
}

static void note_read(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct check *c = arg;
    (void)pat, (void)size;
    if (is_variable(c, obj) || obj == cs_pts_stand_in(c->pts))
        cs_intset_add(&c->read, obj);
    c->lost_read |= is_variable(c, obj) && cs_pts_lost(c->pts, obj);
}

static bool on_side(const struct check *c, int s, enum side side)
{
    const struct cs_stmt *st = &c->g->stmts[s];
    return st->keep && st->func >= 0 && (c->side[st->func] & side);
}

/* Does the statement, or a library function that it calls, write a variable that is read outside? */
static bool writes(struct check *c, int s)
{
    const struct cs_stmt *st = &c->g->stmts[s];
    c->writes = false;
    if (st->has_store)
        cs_pts_places_as_one(c->pts, &st->store, note_write, c);
    for (int k = 0; s < c->ms->nstmts && k < c->ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &c->ms->m[c->ms->of_stmt[s].a[k]];
        for (int i = 0; i < m->nwrites; i++)
            cs_pts_places_as_one(c->pts, &m->writes[i].ref, note_write, c);
    }
    return c->writes;
}

/* Reports each allocator once in which a kept statement writes a variable that is read outside. */
static void say_all(struct check *c, void (*say)(void *, int, const char *), void *arg)
{
    struct cs_intset said = {0};
    for (int s = 0; s < c->g->nstmts; s++)
        if (on_side(c, s, OUTSIDE) && c->g->stmts[s].has_load)
            cs_pts_places_as_one(c->pts, &c->g->stmts[s].load, note_read, c);
    for (int s = 0; s < c->g->nstmts; s++) {
        if (!on_side(c, s, INSIDE) || !writes(c, s))
            continue;
        int root = c->root[c->g->stmts[s].func];
        assert(root >= 0);
        if (cs_intset_add(&said, root))
            say(arg, root, allocator_name(cs_func_name(c->g, root)));
    }
    cs_intset_free(&said);
}

void cs_allocators_check(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts,
                         void (*say)(void *arg, int func, const char *name), void *arg)
{
    struct check c = {.g = g, .ms = ms, .pts = pts};
    c.side = cs_calloc(g->nfuncs + 1, sizeof *c.side);
    c.root = cs_calloc(g->nfuncs + 1, sizeof *c.root);
    if (find_sides(&c)) {
        find_given(&c);
        say_all(&c, say, arg);
    }
    cs_intset_free(&c.given);
    cs_intset_free(&c.read);
    free(c.root);
    free(c.side);
}
