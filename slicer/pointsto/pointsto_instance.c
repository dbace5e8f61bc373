/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions that make memory for what they are given, as a vector that grows or a routine that allocates its argument,
 * are solved once for each call: an instance has nodes of its own for all values of the function.
 *
 *     grow(a): *a = malloc(8)          grow(&x); grow(&y);    x and y point to different objects
 *
 * Cloning of contexts, as in Whaley, Lam, "Cloning-based context-sensitive pointer alias analysis using binary decision
 * diagrams", 2004, for such functions alone. The value's own node only collects what its instances find: that is what
 * questions are asked of, and nothing flows on from it. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>

#define MAX_EACH 100        /* instances of one function */
#define MAX_STMTS 500       /* statements of a function that has instances */
#define MAX_STMTS_ALL 60000 /* statements of all instances together, or as many as the program has */

/* ---- which functions ---- */

/* What is known of a function: `tells` of cs_pts. */
enum { NOT_ASKED, BEING_ASKED, NO_INSTANCES, INSTANCES };

static void uses_address(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_ADDR && op.id >= 0 && p->g->objs[op.id].kind == CS_OBJ_FUNC)
        p->tells[p->g->objs[op.id].func] = NO_INSTANCES;
}

static int statements(const struct cs_func *f)
{
    int n = 0;
    for (int b = 0; b < f->nblocks; b++)
        n += f->blocks[b].reachable ? f->blocks[b].nstmts : 0;
    return n;
}

/* Functions that are large, or that something else than a direct call may run, have none. */
static void rule_out(struct cs_pts *p)
{
    const struct cs_graph *g = p->g;
    for (int s = 0; s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        for (int i = 0; i < st->nuses; i++)
            uses_address(p, st->uses[i]);
        if (st->has_load)
            uses_address(p, st->load.base);
        if (st->kind == CS_STMT_CALL && st->callee.kind != CS_OPND_ADDR)
            p->tells[st->func] = NO_INSTANCES;
    }
    for (int o = 0; o < g->nobjs; o++)
        for (int i = 0; i < g->objs[o].ninits; i++)
            uses_address(p, g->objs[o].inits[i].val);
    for (int f = 0; f < g->nfuncs; f++) {
        const struct cs_func *fn = &g->funcs[f];
        if (!fn->defined || fn->is_entry || fn->exported || fn->keep_all || !fn->nparams || statements(fn) > MAX_STMTS)
            p->tells[f] = NO_INSTANCES;
    }
}

/* ---- what a function fills ---- */

/* Where a pointer comes from in its function: `off` bytes behind a value or an address, after `steps` steps. */
struct origin {
    struct cs_operand root;
    int64_t off;
    int steps;
};

/* Follows copies and known distances back. */
static struct origin origin_of(const struct cs_graph *g, struct cs_operand op)
{
    enum { MOST = 16 };
    struct origin o = {op, op.kind == CS_OPND_ADDR ? op.pat.off : 0, 0};
    for (int i = 0; i < MOST && o.root.kind == CS_OPND_VALUE && g->values[o.root.id].def >= 0; i++) {
        const struct cs_stmt *s = &g->stmts[g->values[o.root.id].def];
        bool sum = s->kind == CS_STMT_ASSIGN && s->op == CS_OP_PTRADD && s->nuses == 2 &&
                   s->uses[1].kind == CS_OPND_CONST,
             field = s->kind == CS_STMT_ASSIGN && s->op == CS_OP_FIELD && s->nuses == 1 && !s->load.pat.stride;
        if (!sum && !field && !(s->kind == CS_STMT_ASSIGN && s->op == CS_OP_COPY && s->nuses == 1))
            break;
        int64_t by = sum ? s->uses[1].pat.off : field ? s->load.pat.off : 0;
        if (s->uses[0].kind == CS_OPND_ADDR)
            by += s->uses[0].pat.off;
        if (__builtin_add_overflow(o.off, by, &o.off))
            break;
        o.root = s->uses[0];
        o.steps += sum || field;
    }
    return o;
}

/* The parameter that the pointer comes from, -1 if there is none. */
static int param_of(const struct cs_graph *g, int func, struct cs_operand op)
{
    struct cs_operand root = origin_of(g, op).root;
    for (int k = 0; root.kind == CS_OPND_VALUE && k < g->funcs[func].nparams && k < 64; k++)
        if (g->funcs[func].params[k] == root.id)
            return k;
    return -1;
}

static uint64_t bit_of(int k)
{
    return k < 0 ? 0 : UINT64_C(1) << k;
}

/* ---- which functions: those that make memory and store a pointer through a parameter ---- */

static bool tells_apart(struct cs_pts *p, int func);

/* Looks at one statement: does it make new memory? Adds the parameters through which it stores pointers. */
static bool look_at(struct cs_pts *p, const struct cs_stmt *s, uint64_t *fills)
{
    const struct cs_graph *g = p->g;
    enum { POINTER = 8 };
    if (s->kind == CS_STMT_STORE && s->store.size == POINTER && s->nuses && s->uses[0].kind == CS_OPND_VALUE)
        *fills |= bit_of(param_of(g, s->func, s->store.base));
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return false;
    int func = g->objs[s->callee.id].func;
    if (!g->funcs[func].defined)
        return cs_pts_allocates(g, func);
    if (cs_pts_returns_fresh(p, func))
        return true;
    if (!tells_apart(p, func))
        return false;
    for (int k = 0; k < s->nuses && k < 64; k++)
        if (p->fills[func] >> k & 1)
            *fills |= bit_of(param_of(g, s->func, s->uses[k]));
    return true;
}

/* Has the function instances? Of functions that call each other in a circle, one is asked before it is known. */
static bool tells_apart(struct cs_pts *p, int func)
{
    const struct cs_func *f = &p->g->funcs[func];
    bool makes = false;
    if (p->tells[func] != NOT_ASKED)
        return p->tells[func] == INSTANCES;
    p->tells[func] = BEING_ASKED;
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts; k++)
            makes |= look_at(p, &p->g->stmts[f->blocks[b].stmts[k]], &p->fills[func]);
    p->tells[func] = makes && p->fills[func] && !cs_pts_returns_fresh(p, func) ? INSTANCES : NO_INSTANCES;
    return p->tells[func] == INSTANCES;
}

/* ---- what a call fills ---- */

/* What a call fills, as a number: equal for calls of a function, in one instance, that fill the same places. 0: nothing
 * is known of it. A pointer that is handed on means something only in an instance. */
static uint32_t filled_by(const struct cs_pts *p, int stmt, int func)
{
    const struct cs_graph *g = p->g;
    const struct cs_stmt *s = &g->stmts[stmt];
    uint32_t h = 0;
    bool known = false;
    for (int k = 0; k < s->nuses && k < 64; k++) {
        if (!(p->fills[func] >> k & 1))
            continue;
        struct origin o = origin_of(g, s->uses[k]);
        bool named = o.root.kind == CS_OPND_ADDR, given = param_of(g, s->func, s->uses[k]) >= 0;
        known |= named || o.steps || (given && p->in);
        h = cs_hash(cs_hash(h, named || given ? o.root.id : -1), o.off + (int)o.root.kind);
    }
    return known ? cs_hash(cs_hash(h, s->func), func) | 1 : 0;
}

/* ---- where it is worth it ---- */

/* Of a function: what one of its calls fills, and whether another one fills something else. */
struct worth {
    uint32_t filled;
    bool several;
};

/* The function with instances that the statement calls, -1. */
static int instanced_callee(struct cs_pts *p, const struct cs_stmt *s)
{
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return -1;
    int func = p->g->objs[s->callee.id].func;
    return func < p->nreached && p->g->funcs[func].defined && tells_apart(p, func) ? func : -1;
}

/* A function whose calls all fill the same has no instances, unless one that calls it has several. */
static int find_worth(struct cs_pts *p, struct worth *w)
{
    const struct cs_graph *g = p->g;
    int n = 0, before = -1;
    for (int s = 0; s < g->nstmts; s++) {
        int f = instanced_callee(p, &g->stmts[s]);
        uint32_t filled = f >= 0 ? filled_by(p, s, f) : 0;
        if (!filled)
            continue;
        w[f].several |= w[f].filled && w[f].filled != filled;
        w[f].filled = filled;
    }
    while (n != before) {
        before = n;
        n = 0;
        for (int s = 0; s < g->nstmts; s++) {
            int f = instanced_callee(p, &g->stmts[s]);
            if (f >= 0 && g->stmts[s].func < p->nreached)
                w[f].several |= w[g->stmts[s].func].several;
        }
        for (int f = 0; f < p->nreached; f++)
            n += w[f].several;
    }
    for (int f = 0; f < p->nreached; f++)
        if (!w[f].several)
            p->tells[f] = NO_INSTANCES;
    return n;
}

int cs_pts_find_instances(struct cs_pts *p)
{
    p->tells = cs_calloc(p->nreached + 1, 1);
    p->fills = cs_calloc(p->nreached + 1, sizeof *p->fills);
    rule_out(p);
    struct worth *w = cs_calloc(p->nreached + 1, sizeof *w);
    int n = find_worth(p, w);
    free(w);
    CS_GROW(p->instances, p->ninstances, p->ainstances);
    p->instances[p->ninstances++] = (struct instance){.func = -1, .stmt = -1};
    p->rest = cs_calloc(p->nreached + 1, sizeof *p->rest);
    p->ncalled = cs_calloc(p->nreached + 1, sizeof *p->ncalled);
    p->nnumbered = cs_calloc(p->nreached + 1, sizeof *p->nnumbered);
    return n;
}

void cs_pts_free_instances(struct cs_pts *p)
{
    for (int i = 0; i < p->ninstances; i++) {
        free(p->instances[i].nodes);
        free(p->instances[i].writes);
        cs_pairset_free(&p->instances[i].write_set);
    }
    free(p->instances);
    free(p->entries);
    free(p->last_entry);
    free(p->tells);
    free(p->fills);
    cs_pairset_free(&p->instance_set);
    free(p->rest);
    free(p->ncalled);
    free(p->number);
    free(p->nnumbered);
}

void cs_pts_no_instances(struct cs_pts *p, int func)
{
    assert(!p->tells || p->tells[func] != INSTANCES);
    if (p->tells)
        p->tells[func] = NO_INSTANCES;
}

/* ---- one for each place that is filled ---- */

/* The instance of this call is looked for. */
struct instance_query {
    const struct cs_pts *p;
    int func, up;
    uint32_t filled;
};

static bool same_instance(const void *what, int in, int unused)
{
    const struct instance_query *q = what;
    const struct instance *i = &q->p->instances[in];
    (void)unused;
    return i->func == q->func && i->up == q->up && i->filled == q->filled;
}

/* Is the instance one of the function, or made by one that is? */
static bool runs_in(const struct cs_pts *p, int in, int func)
{
    for (; in; in = p->instances[in].up)
        if (p->instances[in].func == func)
            return true;
    return false;
}

static int depth_of(const struct cs_pts *p, int in)
{
    int n = 0;
    for (; in; in = p->instances[in].up)
        n++;
    return n;
}

/* Adds the function's statements, for an instance of call `stmt` made in instance `up`. */
static int new_instance(struct cs_pts *p, int func, int stmt, int up, uint32_t filled)
{
    const struct cs_func *f = &p->g->funcs[func];
    int in = p->ninstances, was = p->in;
    CS_GROW(p->instances, p->ninstances, p->ainstances);
    p->instances[p->ninstances++] = (struct instance){.func = func, .stmt = stmt, .up = up, .filled = filled};
    p->reached[func] = true;
    p->in = in;
    if (stmt < 0)
        p->rest[func] = in; /* the function may call itself */
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts; k++)
            cs_pts_add_stmt(p, f->blocks[b].stmts[k]);
    p->in = was;
    return in;
}

/* The instance that the call runs: one that fills the same places, or a new one, or that of all calls without one. */
static int instance_of(struct cs_pts *p, int stmt, int func)
{
    int up = p->in, n = statements(&p->g->funcs[func]),
        most = p->g->nstmts > MAX_STMTS_ALL ? p->g->nstmts : MAX_STMTS_ALL;
    uint32_t filled = filled_by(p, stmt, func);
    int known = cs_pairset_find(&p->instance_set, cs_hash(filled, up), same_instance,
                                &(struct instance_query){p, func, up, filled});
    if (known >= 0)
        return known;
    if (filled && p->ncalled[func] < MAX_EACH && depth_of(p, up) < CS_PTS_CONTEXTS && !runs_in(p, up, func) &&
        p->ninstance_stmts + n <= most) {
        p->ncalled[func]++;
        p->ninstance_stmts += n;
        cs_pairset_add(&p->instance_set, cs_hash(filled, up), p->ninstances, 0);
        return new_instance(p, func, stmt, up, filled);
    }
    return p->rest[func] ? p->rest[func] : new_instance(p, func, -1, 0, 0);
}

/* Notes which instance a call runs. */
static void note_entry(struct cs_pts *p, int stmt, int in)
{
    if (stmt >= p->nlast_entry) {
        int n = p->g->nstmts + 64;
        p->last_entry = cs_realloc(p->last_entry, n * sizeof *p->last_entry);
        for (int i = p->nlast_entry; i < n; i++)
            p->last_entry[i] = -1;
        p->nlast_entry = n;
    }
    CS_GROW(p->entries, p->nentries, p->aentries);
    p->entries[p->nentries] = (struct entry){.up = p->in, .in = in, .before = p->last_entry[stmt]};
    p->last_entry[stmt] = p->nentries++;
}

int cs_pts_enter(struct cs_pts *p, int stmt, int func)
{
    int was = p->in, in;
    if (p->tells && func < p->nreached && tells_apart(p, func)) {
        in = instance_of(p, stmt, func);
        note_entry(p, stmt, in);
        return in;
    }
    p->in = 0;
    cs_pts_add_function(p, func);
    p->in = was;
    return 0;
}

/* ---- nodes ---- */

/* The place of a value in the arrays of its function's instances. */
static int number_of(struct cs_pts *p, int v)
{
    if (v >= p->nnumber) {
        int n = p->g->nvalues + 256;
        p->number = cs_realloc(p->number, n * sizeof *p->number);
        for (int i = p->nnumber; i < n; i++)
            p->number[i] = -1;
        p->nnumber = n;
    }
    if (p->number[v] < 0)
        p->number[v] = p->nnumbered[p->g->values[v].func]++;
    return p->number[v];
}

int cs_pts_instance_node(struct cs_pts *p, int v, int whole)
{
    struct instance *in = &p->instances[p->in];
    int k = number_of(p, v);
    assert(p->in && p->g->values[v].func == in->func);
    if (k >= in->nnodes) {
        int n = k + 16;
        in->nodes = cs_realloc(in->nodes, n * sizeof *in->nodes);
        for (int i = in->nnodes; i < n; i++)
            in->nodes[i] = -1;
        in->nnodes = n;
    }
    if (in->nodes[k] < 0) {
        in->nodes[k] = cs_pts_new_node(p);
        cs_pts_add_edge(p, in->nodes[k], whole, EDGE_COPY, 0);
    }
    return cs_pts_find(p, in->nodes[k]);
}

int cs_pts_value_in(struct cs_pts *p, int in, int v)
{
    int was = p->in;
    p->in = in;
    int n = cs_pts_value_node(p, v);
    p->in = was;
    return n;
}

int cs_pts_made_in(struct cs_pts *p, int obj, int in)
{
    for (; in && p->instances[in].stmt >= 0; in = p->instances[in].up)
        obj = cs_pts_in_context(p, obj, p->instances[in].stmt);
    return obj;
}
