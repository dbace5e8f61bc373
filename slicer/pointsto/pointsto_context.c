/* SPDX-License-Identifier: GPL-3.0-or-later
 * Memory from a wrapper of malloc: an object for each call of the wrapper, not one for the malloc inside. Heap cloning,
 * as in Nystrom, Kim, Hwu, "Importance of Heap Specialization in Pointer Analysis", 2004, for functions that return
 * nothing but what they have just allocated. Inside the wrapper its pointer may point to all of them; on its way back
 * each call takes its own. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <string.h>

#define MAX_DEPTH 6      /* wrappers of wrappers, and instances */
#define MAX_CONTEXTS 400 /* calls of one wrapper that are told apart */

/* ---- functions that return fresh memory ---- */

bool cs_pts_allocates(const struct cs_graph *g, int func)
{
    static const char *const names[] = {"malloc", "calloc", "aligned_alloc", "memalign",
                                        "valloc", "_Znwm",  "_Znam",         NULL};
    for (int i = 0; names[i]; i++)
        if (!strcmp(cs_func_name(g, func), names[i]))
            return true;
    return false;
}

static bool fresh_operand(struct cs_pts *p, struct cs_operand op, struct cs_intlist *seen);

static bool fresh_value(struct cs_pts *p, int v, struct cs_intlist *seen)
{
    int d = p->g->values[v].def;
    const struct cs_stmt *s = d >= 0 ? &p->g->stmts[d] : NULL;
    bool moves =
             s && s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_COPY || s->op == CS_OP_PTRADD || s->op == CS_OP_FIELD),
         fresh = true;
    for (int i = 0; i < seen->n; i++)
        if (seen->a[i] == v)
            return true;
    cs_intlist_add(seen, v);
    if (moves)
        return s->nuses && fresh_operand(p, s->uses[0], seen);
    for (int i = 0; s && s->kind == CS_STMT_PHI && i < s->nuses && fresh; i++)
        fresh = fresh_operand(p, s->uses[i], seen);
    if (s && s->kind == CS_STMT_PHI)
        return fresh;
    if (!s || s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return false;
    int func = p->g->objs[s->callee.id].func;
    return p->g->funcs[func].defined ? cs_pts_returns_fresh(p, func) : cs_pts_allocates(p->g, func);
}

/* A constant is the null pointer, or no pointer. */
static bool fresh_operand(struct cs_pts *p, struct cs_operand op, struct cs_intlist *seen)
{
    return op.kind == CS_OPND_CONST || (op.kind == CS_OPND_VALUE && fresh_value(p, op.id, seen));
}

static bool all_returns_fresh(struct cs_pts *p, int func)
{
    const struct cs_func *f = &p->g->funcs[func];
    struct cs_intlist seen = {0};
    bool fresh = true, any = false;
    for (int b = 0; b < f->nblocks && fresh; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts && fresh; k++) {
            const struct cs_stmt *s = &p->g->stmts[f->blocks[b].stmts[k]];
            if (s->kind != CS_STMT_RETURN)
                continue;
            fresh = s->nuses == 1 && !s->has_load && fresh_operand(p, s->uses[0], &seen);
            any = true;
        }
    cs_intlist_free(&seen);
    return fresh && any;
}

bool cs_pts_returns_fresh(struct cs_pts *p, int func)
{
    enum { UNKNOWN, NO, YES };
    if (func >= p->nreached)
        return false;
    if (!p->fresh)
        p->fresh = cs_calloc(p->nreached + 1, 1);
    if (p->fresh[func] != UNKNOWN)
        return p->fresh[func] == YES;
    p->fresh[func] = NO; /* while it is looked at: not if it calls itself */
    if (all_returns_fresh(p, func))
        p->fresh[func] = YES;
    return p->fresh[func] == YES;
}

/* ---- one object for each call ---- */

/* The object of call `stmt` of wrappers whose own object is `parent` is looked for. */
struct context_query {
    const struct cs_graph *g;
    int parent, stmt;
};

static bool same_context(const void *what, int obj, int unused)
{
    const struct context_query *q = what;
    (void)unused;
    return q->g->objs[obj].parent == q->parent && q->g->objs[obj].stmt == q->stmt;
}

static uint32_t context_hash(int parent, int stmt)
{
    return cs_hash(cs_hash(0, parent), stmt);
}

/* Objects live longer than a solution: those of an earlier one are found again. */
void cs_pts_known_contexts(struct cs_pts *p)
{
    for (int o = 0; o < p->g->nobjs; o++)
        if (p->g->objs[o].parent >= 0)
            cs_pairset_add(&p->contexts, context_hash(p->g->objs[o].parent, p->g->objs[o].stmt), o, 0);
}

static int depth_of(const struct cs_graph *g, int obj)
{
    int n = 0;
    while ((obj = g->objs[obj].parent) >= 0)
        n++;
    assert(n <= MAX_DEPTH);
    return n;
}

int cs_pts_object_of_call(struct cs_pts *p, int obj, int stmt)
{
    struct cs_graph *g = p->g;
    struct context_query q = {g, obj, stmt};
    int o = cs_pairset_find(&p->contexts, context_hash(obj, stmt), same_context, &q);
    if (o < 0) {
        if (g->objs[obj].ncontexts >= MAX_CONTEXTS || depth_of(g, obj) >= MAX_DEPTH)
            return obj;
        assert(stmt >= 0 && g->stmts[stmt].kind == CS_STMT_CALL);
        g->objs[obj].ncontexts++;
        o = cs_graph_add_obj(g, CS_OBJ_HEAP, "heap", g->objs[obj].size);
        g->objs[o].zeroed = g->objs[obj].zeroed;
        g->objs[o].parent = obj;
        g->objs[o].stmt = stmt;
        g->objs[o].func = g->stmts[stmt].func;
        cs_pairset_add(&p->contexts, context_hash(obj, stmt), o, 0);
    }
    return o;
}

int cs_pts_in_context(struct cs_pts *p, int obj, int stmt)
{
    struct cs_graph *g = p->g;
    int o = cs_pts_object_of_call(p, obj, stmt);
    if (o == obj)
        return obj;
    int loc = cs_pts_intern_loc(p, o, cs_pat_at(0));
    for (int up = obj; up >= 0; up = g->objs[up].parent)
        if (g->stmts[g->objs[up].stmt].def >= 0)
            cs_pts_add_loc(p, cs_pts_value_in(p, 0, g->stmts[g->objs[up].stmt].def), loc);
    return o;
}

/* The calls that an object passes on its way from `func` to instance c->in and out of it, from the inside: their
 * number. */
static int expected_calls(const struct cs_pts *p, const struct crossing *c, int *calls)
{
    int n = 0;
    calls[n++] = c->stmt;
    for (int in = c->in; in && p->instances[in].stmt >= 0; in = p->instances[in].up)
        calls[n++] = p->instances[in].stmt;
    assert(n <= CS_PTS_CONTEXTS + 1);
    return n;
}

/* The calls that the object has passed since `func` made it, from the inside: their number, -1 if it did not. */
static int passed_calls(const struct cs_pts *p, int obj, int func, int *calls)
{
    int n = 0, back[MAX_DEPTH + 1];
    for (; obj >= 0 && p->g->objs[obj].func != func; obj = p->g->objs[obj].parent)
        back[n++] = p->g->objs[obj].stmt;
    for (int i = 0; i < n; i++)
        calls[i] = back[n - 1 - i];
    return obj < 0 ? -1 : n;
}

/* What another call has got does not come back to this one. */
int cs_pts_move_context(struct cs_pts *p, int loc, int64_t amount)
{
    struct crossing c = p->crossings[amount];
    struct cs_loc l = p->locs[loc];
    int expected[CS_PTS_CONTEXTS + 1], passed[MAX_DEPTH + 1];
    if (l.obj < 0 || p->g->objs[l.obj].kind != CS_OBJ_HEAP)
        return loc;
    int n = expected_calls(p, &c, expected), m = passed_calls(p, l.obj, c.func, passed);
    if (m < 0)
        return loc;
    for (int i = 0; i < n && i < m; i++)
        if (passed[i] != expected[i])
            return -1;
    for (int i = m; i < n; i++)
        l.obj = cs_pts_in_context(p, l.obj, expected[i]);
    return cs_pts_intern_loc(p, l.obj, l.pat);
}
