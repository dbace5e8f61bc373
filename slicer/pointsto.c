/* SPDX-License-Identifier: GPL-3.0-or-later
 * The constraint solver behind pointsto.h. A node is a value or one side of a memory cell; locations flow along edges, and a
 * location that arrives at a pointer makes the loads and stores through it concrete.
 * Its time goes into add_loc() and the worklist; sets stay small because constants and offsets are widened early. */
#include "pointsto.h"

#include <stdlib.h>
#include <string.h>

#define LOC_INT 0
#define MAX_CONSTS 8         /* integer constants in one set before it becomes "any integer" */
#define MAX_OFFSETS 12       /* offsets of one object in one set before they become a stride */
#define MAX_PAIRS 256        /* places that one copy may read, times those that it may write, before both meet in a buffer instead */
#define MAX_CELLS 400        /* patterns of one object before it is taken as one cell */

/* FIELD: amount is a number in pats. OUTSIDE: what unknown code makes of it, any offset of the same object. */
enum edge_kind { EDGE_COPY, EDGE_SHIFT, EDGE_SPREAD, EDGE_NO_CONST, EDGE_FIELD, EDGE_OUTSIDE };
struct edge { int to; enum edge_kind kind; int64_t amount; };

enum hook_kind { HOOK_LOAD, HOOK_STORE, HOOK_COPY_DST, HOOK_COPY_SRC, HOOK_CALL, HOOK_CALLBACK, HOOK_ESCAPE };
struct hook { enum hook_kind kind; int index; };   /* index: memory constraint, copy, statement or callback */

struct node {
    struct cs_intset set;
    struct cs_intlist pending;
    struct edge *edges; int nedges, aedges;
    struct hook *hooks; int nhooks, ahooks;
    int nconsts;
    bool queued;
};

struct memcon { struct cs_pattern pat; int64_t size; int node; };          /* load into / store from node */
struct copycon { struct cs_pattern dpat, spat; int64_t size; int dst, src, buffer; };  /* nodes of the two pointers; an object between them, -1 */
struct callback { int model, index; };
struct watcher { struct cs_pattern from; int64_t size; int dst_obj; struct cs_pattern dst; bool exact; int64_t delta; };

struct cell { struct cs_pattern pat; int64_t size; int store, load; };
struct objinfo {
    struct cell *cells; int ncells, acells;
    struct watcher *watch; int nwatch, awatch;
    bool inited, escaped, collapsed;
};

struct cs_pts {
    struct cs_graph *g;
    struct cs_models *ms;
    const bool *known;
    const int64_t *known_val;
    struct node *nodes; int nnodes, anodes;
    int *value_node; int nvalue_node;
    struct cs_loc *locs; int nlocs, alocs;
    struct cs_pairset loc_set;       /* numbers in locs */
    struct objinfo *info; int ninfo;
    struct memcon *mem; int nmem, amem;
    struct copycon *copies; int ncopies, acopies;
    struct callback *callbacks; int ncallbacks, acallbacks;
    struct cs_intlist work; int work_head;
    bool *reached; int nreached;
    struct cs_intset *callees; int ncallees;
    struct cs_pairset edge_set;      /* node, number of its edge */
    struct cs_pairset watch_set;     /* object, number of its watcher */
    struct cs_intset scratch;
    struct cs_pattern *pats; int npats, apats;
    int nknown;
    int ext_node;
    int *alias; int nalias;          /* variables of libraries that are a hidden state: its object, else -1 */
};

/* ---- locations ---- */

static uint32_t hash_pattern(uint32_t h, const struct cs_pattern *p)
{
    return cs_hash(cs_hash(cs_hash(cs_hash(h, p->off), p->stride), p->lo), p->hi);
}

struct loc_query { const struct cs_loc *locs, *key; };

static bool same_loc(const void *what, int i, int unused)
{
    const struct loc_query *q = what;
    (void)unused;
    return q->locs[i].obj == q->key->obj && cs_pat_equal(q->locs[i].pat, q->key->pat);
}

static int intern_loc(struct cs_pts *p, int obj, struct cs_pattern pat)
{
    struct cs_loc key = { 0 };
    if (obj >= 0 && obj < p->nalias && p->alias[obj] >= 0) { obj = p->alias[obj]; pat = cs_pat_any(); }
    key.obj = obj;
    if (obj >= 0) {
        key.pat = cs_pat_normal(pat, p->g->objs[obj].size);
        if (p->info && obj < p->ninfo && p->info[obj].collapsed) key.pat = cs_pat_normal(cs_pat_any(), p->g->objs[obj].size);
    } else if (obj == CS_LOC_CONST) {
        key.pat.off = pat.off;
    }
    uint32_t h = hash_pattern(cs_hash(0, key.obj), &key.pat);
    int found = cs_pairset_find(&p->loc_set, h, same_loc, &(struct loc_query){ p->locs, &key });
    if (found >= 0) return found;
    CS_GROW(p->locs, p->nlocs, p->alocs);
    p->locs[p->nlocs] = key;
    cs_pairset_add(&p->loc_set, h, p->nlocs, 0);
    return p->nlocs++;
}

static int new_node(struct cs_pts *p)
{
    CS_GROW(p->nodes, p->nnodes, p->anodes);
    memset(&p->nodes[p->nnodes], 0, sizeof *p->nodes);
    return p->nnodes++;
}

static int value_node(struct cs_pts *p, int v)
{
    if (v >= p->nvalue_node) {
        int n = p->g->nvalues + 256;
        p->value_node = cs_realloc(p->value_node, n * sizeof *p->value_node);
        for (int i = p->nvalue_node; i < n; i++) p->value_node[i] = -1;
        p->nvalue_node = n;
    }
    if (p->value_node[v] < 0) p->value_node[v] = new_node(p);
    return p->value_node[v];
}

static struct objinfo *obj_info(struct cs_pts *p, int obj)
{
    if (obj >= p->ninfo) {
        int n = p->g->nobjs + 64;
        p->info = cs_realloc(p->info, n * sizeof *p->info);
        memset(p->info + p->ninfo, 0, (n - p->ninfo) * sizeof *p->info);
        p->ninfo = n;
    }
    return &p->info[obj];
}

static void enqueue(struct cs_pts *p, int n)
{
    if (p->nodes[n].queued) return;
    p->nodes[n].queued = true;
    cs_intlist_add(&p->work, n);
}

/* Adds a location to a node's set, keeping the set small: covered offsets are not added, many constants become
 * "any integer", many offsets of one object become one stride. */
static void add_loc(struct cs_pts *p, int n, int loc)
{
    struct node *nd = &p->nodes[n];
    struct cs_loc l = p->locs[loc];
    if (cs_intset_has(&nd->set, loc)) return;
    if (l.obj == CS_LOC_CONST) {
        if (cs_intset_has(&nd->set, LOC_INT) && l.pat.off != 0) return;
        if (nd->nconsts >= MAX_CONSTS) { add_loc(p, n, LOC_INT); return; }
        nd->nconsts++;
    } else if (l.obj >= 0) {
        int same = 0;
        int64_t g = 0;
        struct cs_pattern join = l.pat;
        for (int i = 0; i < nd->set.n; i++) {
            const struct cs_loc *o = &p->locs[nd->set.a[i]];
            if (o->obj != l.obj) continue;
            if (cs_pat_covers(o->pat, l.pat)) return;
            same++;
            int64_t d = o->pat.off - l.pat.off;
            join = cs_pat_spread(join, d);
            join = cs_pat_spread(join, o->pat.stride);
            if (o->pat.lo < join.lo) join.lo = o->pat.lo;
            if (o->pat.hi > join.hi) join.hi = o->pat.hi;
            g |= d;
        }
        if (same >= MAX_OFFSETS) {
            if (g == 0) join = cs_pat_any();
            int wide = intern_loc(p, l.obj, join);
            nd = &p->nodes[n];
            if (!cs_intset_add(&nd->set, wide)) return;
            cs_intlist_add(&nd->pending, wide);
            enqueue(p, n);
            return;
        }
    }
    cs_intset_add(&nd->set, loc);
    cs_intlist_add(&nd->pending, loc);
    enqueue(p, n);
}

static int move_loc(struct cs_pts *p, int loc, enum edge_kind kind, int64_t amount)
{
    struct cs_loc l = p->locs[loc];
    switch (kind) {
    case EDGE_COPY: return loc;
    case EDGE_OUTSIDE: if (l.obj >= 0) return intern_loc(p, l.obj, cs_pat_any()); /* fall through */
    case EDGE_NO_CONST: return l.obj == CS_LOC_CONST && l.pat.off != 0 ? LOC_INT : loc;
    case EDGE_SHIFT:
        if (l.obj == CS_LOC_CONST) {
            int64_t sum;
            if (__builtin_add_overflow(l.pat.off, amount, &sum)) return LOC_INT;
            return intern_loc(p, CS_LOC_CONST, cs_pat_at(sum));
        }
        return l.obj < 0 ? loc : intern_loc(p, l.obj, cs_pat_shift(l.pat, amount));
    case EDGE_SPREAD:
        return l.obj < 0 ? LOC_INT : intern_loc(p, l.obj, cs_pat_spread(l.pat, amount));
    case EDGE_FIELD:
        if (l.obj == CS_LOC_CONST) return LOC_INT;
        return l.obj < 0 ? loc : intern_loc(p, l.obj, cs_pat_compose(l.pat, p->pats[amount]));
    }
    return loc;
}

struct edge_query { const struct cs_pts *p; int from; struct edge e; };

static bool same_edge(const void *what, int from, int i)
{
    const struct edge_query *q = what;
    const struct edge *e = &q->p->nodes[from].edges[i];
    return from == q->from && e->to == q->e.to && e->kind == q->e.kind && e->amount == q->e.amount;
}

static void add_edge(struct cs_pts *p, int from, int to, enum edge_kind kind, int64_t amount)
{
    struct node *nd = &p->nodes[from];
    struct edge e = { to, kind, amount };
    if (from == to && kind == EDGE_COPY) return;
    uint32_t h = cs_hash(cs_hash(cs_hash(0, from), to), (int64_t)kind ^ amount * 8);
    if (cs_pairset_has(&p->edge_set, h, same_edge, &(struct edge_query){ p, from, e })) return;
    cs_pairset_add(&p->edge_set, h, from, nd->nedges);
    CS_GROW(nd->edges, nd->nedges, nd->aedges);
    nd->edges[nd->nedges++] = e;
    for (int i = 0; i < p->nodes[from].set.n; i++) {
        int m = move_loc(p, p->nodes[from].set.a[i], kind, amount);
        int before = p->nodes[from].set.n;
        add_loc(p, to, m);
        if (p->nodes[from].set.n != before) i = -1;   /* a self edge changed the set under us */
    }
}

static void run_hook(struct cs_pts *p, struct hook h, int loc);

static void add_hook(struct cs_pts *p, int n, enum hook_kind kind, int index)
{
    struct node *nd = &p->nodes[n];
    CS_GROW(nd->hooks, nd->nhooks, nd->ahooks);
    nd->hooks[nd->nhooks++] = (struct hook){ kind, index };
    int count = nd->set.n;
    int *copy = cs_calloc(count ? count : 1, sizeof *copy);
    if (count) memcpy(copy, nd->set.a, count * sizeof *copy);
    for (int i = 0; i < count; i++) run_hook(p, (struct hook){ kind, index }, copy[i]);
    free(copy);
}

/* The node that holds what an operand may be. */
static int operand_node(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE) return value_node(p, op.id);
    int n = new_node(p);
    switch (op.kind) {
    case CS_OPND_CONST: add_loc(p, n, intern_loc(p, CS_LOC_CONST, op.pat)); break;
    case CS_OPND_ADDR: add_loc(p, n, intern_loc(p, op.id, op.pat)); break;
    default: add_loc(p, n, LOC_INT);
    }
    return n;
}

static void flow(struct cs_pts *p, struct cs_operand from, int to, enum edge_kind kind, int64_t amount)
{
    if (from.kind == CS_OPND_VALUE) { add_edge(p, value_node(p, from.id), to, kind, amount); return; }
    int loc = LOC_INT;
    if (from.kind == CS_OPND_CONST) loc = intern_loc(p, CS_LOC_CONST, from.pat);
    if (from.kind == CS_OPND_ADDR) loc = intern_loc(p, from.id, from.pat);
    add_loc(p, to, move_loc(p, loc, kind, amount));
}

/* ---- memory ---- */

static bool same_place(const struct cell *a, const struct cell *b)
{
    return a->size == b->size && a->size > 0 && a->pat.off == b->pat.off && a->pat.stride == b->pat.stride;
}

static int get_cell(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size);

static void apply_watcher(struct cs_pts *p, int src_obj, int cell, struct watcher w)
{
    struct cell c = p->info[src_obj].cells[cell];
    if (!cs_pat_overlap(c.pat, c.size, w.from, w.size)) return;
    int d;
    if (w.exact && c.pat.stride == 0) {
        d = get_cell(p, w.dst_obj, cs_pat_at(c.pat.off + w.delta), c.size);
    } else if (w.exact) {
        struct cs_pattern q = c.pat;
        q.off += w.delta;
        q.lo = (q.lo < w.from.off ? w.from.off : q.lo) + w.delta;
        if (w.size >= 0 && q.hi > w.from.off + w.size) q.hi = w.from.off + w.size;
        q.hi = q.hi >= CS_OFF_MAX ? q.hi : q.hi + w.delta;
        q.off = ((q.off % q.stride) + q.stride) % q.stride;
        d = get_cell(p, w.dst_obj, q, c.size);
    } else {
        d = get_cell(p, w.dst_obj, w.dst, w.size);
    }
    int from = p->info[src_obj].cells[cell].store, to = p->info[w.dst_obj].cells[d].store;
    add_edge(p, from, to, w.exact ? EDGE_COPY : EDGE_NO_CONST, 0);
}

static void init_object(struct cs_pts *p, int obj);

static int find_cell(const struct objinfo *o, struct cs_pattern pat, int64_t size)
{
    for (int i = 0; i < o->ncells; i++)
        if (o->cells[i].size == size && cs_pat_equal(o->cells[i].pat, pat)) return i;
    return -1;
}

/* The cell of `size` bytes at these offsets. A new cell is linked with those that it overlaps: stores reach loads. */
static int get_cell(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size)
{
    struct objinfo *o = obj_info(p, obj);
    if (o->ncells >= MAX_CELLS) o->collapsed = true;
    if (o->collapsed) { pat = cs_pat_any(); size = CS_SIZE_UNKNOWN; }
    pat = cs_pat_normal(pat, p->g->objs[obj].size);
    int i = find_cell(o, pat, size);
    if (i >= 0) return i;
    int store = new_node(p), load = new_node(p);
    o = obj_info(p, obj);
    CS_GROW(o->cells, o->ncells, o->acells);
    i = o->ncells++;
    o->cells[i] = (struct cell){ pat, size, store, load };
    for (int k = 0; k < p->info[obj].ncells; k++) {
        struct cell *c = &p->info[obj].cells[k], me = p->info[obj].cells[i];
        if (!cs_pat_overlap(c->pat, c->size, pat, size)) continue;
        enum edge_kind kind = same_place(c, &me) ? EDGE_COPY : EDGE_NO_CONST;
        int cload = c->load, cstore = c->store;
        add_edge(p, cstore, load, kind, 0);
        if (k != i) add_edge(p, store, cload, kind, 0);
    }
    for (int k = 0; k < p->info[obj].nwatch; k++) apply_watcher(p, obj, i, p->info[obj].watch[k]);
    if (p->info[obj].escaped) {
        add_edge(p, p->ext_node, store, EDGE_NO_CONST, 0);
        add_edge(p, store, p->ext_node, EDGE_OUTSIDE, 0);
    }
    init_object(p, obj);
    return find_cell(&p->info[obj], pat, size);
}

static void store_at(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size, struct cs_operand val)
{
    int c = get_cell(p, obj, pat, size);
    flow(p, val, p->info[obj].cells[c].store, EDGE_COPY, 0);
}

/* The hidden state that a variable of a library is (optarg), or points to (stdin). */
static int state_obj(struct cs_pts *p, const struct cs_effect *fx)
{
    char name[160];
    snprintf(name, sizeof name, "h:%s", fx->var_state);
    return cs_hidden_obj(p->g, name);
}

/* Content that is there before the program stores anything. */
static void init_object(struct cs_pts *p, int obj)
{
    if (obj_info(p, obj)->inited) return;
    p->info[obj].inited = true;
    struct cs_obj *o = &p->g->objs[obj];
    bool many = o->ninits > 64;
    for (int i = 0; i < o->ninits; i++) {
        struct cs_init in = p->g->objs[obj].inits[i];
        if (many) store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, in.val.kind == CS_OPND_CONST ? cs_opnd_none() : in.val);
        else store_at(p, obj, cs_pat_at(in.off), in.size, in.val);
    }
    o = &p->g->objs[obj];
    if (o->zeroed) store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_const(0));
    if (o->kind == CS_OBJ_HIDDEN && obj != p->ms->addr_obj && obj != p->ms->attr_obj)
        store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_none());
    if (p->g->objs[obj].external) {
        const struct cs_effect *fx = cs_effects_find(p->ms->fx, cs_obj_name(p->g, obj));
        if (fx && fx->var && fx->var_points) {
            store_at(p, obj, cs_pat_at(0), 8, cs_opnd_addr(state_obj(p, fx), cs_pat_at(0)));
        } else {
            store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_none());
            store_at(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_addr(p->ms->ext_obj, cs_pat_any()));
        }
    }
}

static bool access_pattern(struct cs_pts *p, const struct cs_loc *l, struct cs_pattern rel, struct cs_pattern *out)
{
    if (l->obj < 0) return false;
    if (p->g->objs[l->obj].kind == CS_OBJ_FUNC) return false;
    *out = cs_pat_normal(cs_pat_compose(l->pat, rel), p->g->objs[l->obj].size);
    return true;
}

static void add_memcon(struct cs_pts *p, enum hook_kind kind, const struct cs_ref *r, int node)
{
    CS_GROW(p->mem, p->nmem, p->amem);
    int id = p->nmem++;
    p->mem[id] = (struct memcon){ r->pat, r->size, node };
    if (r->base.kind == CS_OPND_NONE) return;
    add_hook(p, operand_node(p, r->base), kind, id);
}

static void add_copycon(struct cs_pts *p, const struct cs_ref *dst, const struct cs_ref *src)
{
    CS_GROW(p->copies, p->ncopies, p->acopies);
    int id = p->ncopies++, d = operand_node(p, dst->base), s = operand_node(p, src->base);
    p->copies[id] = (struct copycon){ dst->pat, src->pat, dst->size >= 0 ? dst->size : src->size, d, s, -1 };
    add_hook(p, d, HOOK_COPY_DST, id);
    add_hook(p, s, HOOK_COPY_SRC, id);
}

struct watch_query { const struct cs_pts *p; int obj; struct watcher w; };

static bool same_watcher(const void *what, int obj, int k)
{
    const struct watch_query *q = what;
    const struct watcher *o = &q->p->info[obj].watch[k];
    return obj == q->obj && o->dst_obj == q->w.dst_obj && o->size == q->w.size && cs_pat_equal(o->from, q->w.from) && cs_pat_equal(o->dst, q->w.dst);
}

/* Copies what may be stored in one place to another, field by field where both offsets are exact. */
static void link_places(struct cs_pts *p, int dobj, struct cs_pattern dp, int sobj, struct cs_pattern sp, int64_t size)
{
    if (dobj == sobj && cs_pat_equal(dp, sp)) return;
    struct objinfo *so = obj_info(p, sobj);
    struct watcher w = { sp, size, dobj, dp, dp.stride == 0 && sp.stride == 0, dp.off - sp.off };
    if (dobj == sobj && w.exact && size < 0) w.exact = false;
    uint32_t h = hash_pattern(hash_pattern(cs_hash(cs_hash(cs_hash(0, sobj), w.dst_obj), w.size), &w.from), &w.dst);
    if (cs_pairset_has(&p->watch_set, h, same_watcher, &(struct watch_query){ p, sobj, w })) return;
    cs_pairset_add(&p->watch_set, h, sobj, so->nwatch);
    CS_GROW(so->watch, so->nwatch, so->awatch);
    so->watch[so->nwatch++] = w;
    init_object(p, sobj);
    for (int k = 0; k < p->info[sobj].ncells; k++) apply_watcher(p, sobj, k, w);
    /* A later load of the copy must find its cell even if the source has none yet: the watcher sees to it. */
}

/* One place that a copy reads (or writes), with its buffer. */
static void link_buffer(struct cs_pts *p, const struct copycon *c, int loc, bool reads)
{
    struct cs_loc l = p->locs[loc];
    struct cs_pattern at;
    if (!access_pattern(p, &l, reads ? c->spat : c->dpat, &at)) return;
    if (reads) link_places(p, c->buffer, cs_pat_at(0), l.obj, at, c->size);
    else link_places(p, l.obj, at, c->buffer, cs_pat_at(0), c->size);
}

/* A copy of many places to many, in a helper that all call: what each of them holds goes to all through one object in
 * between, so that the work grows with their sum and not with their product. */
static void make_buffer(struct cs_pts *p, int id)
{
    struct copycon *c = &p->copies[id];
    c->buffer = cs_graph_add_obj(p->g, CS_OBJ_HEAP, "copied", c->size);
    for (int side = 0; side < 2; side++) {
        struct copycon now = p->copies[id];
        int node = side ? now.dst : now.src, n = p->nodes[node].set.n, *all = cs_calloc(n + 1, sizeof *all);
        memcpy(all, p->nodes[node].set.a, n * sizeof *all);
        for (int i = 0; i < n; i++) link_buffer(p, &now, all[i], side == 0);
        free(all);
    }
}

/* A location has arrived at one pointer of a copy. */
static void arrive_at_copy(struct cs_pts *p, int id, int loc, bool reads)
{
    struct copycon c = p->copies[id];
    if (c.buffer >= 0) { link_buffer(p, &c, loc, reads); return; }
    if ((int64_t)p->nodes[c.dst].set.n * p->nodes[c.src].set.n > MAX_PAIRS) { make_buffer(p, id); return; }
    struct cs_loc l = p->locs[loc];
    struct cs_pattern at, other_at;
    if (!access_pattern(p, &l, reads ? c.spat : c.dpat, &at)) return;
    int other = reads ? c.dst : c.src;
    for (int i = 0; i < p->nodes[other].set.n; i++) {
        struct cs_loc o = p->locs[p->nodes[other].set.a[i]];
        if (!access_pattern(p, &o, reads ? c.dpat : c.spat, &other_at)) continue;
        if (reads) link_places(p, o.obj, other_at, l.obj, at, c.size);
        else link_places(p, l.obj, at, o.obj, other_at, c.size);
    }
}

/* ---- calls ---- */

static void add_function(struct cs_pts *p, int func);
static void add_stmt(struct cs_pts *p, int s);
static void escape(struct cs_pts *p, int obj);

/* Unknown code calls the function: with anything, and sees what it returns. */
static void escape_function(struct cs_pts *p, int func)
{
    struct cs_func f = p->g->funcs[func];
    if (!f.defined) return;
    add_function(p, func);
    for (int i = 0; i < f.nparams; i++) {
        if (f.params[i] >= 0) add_edge(p, p->ext_node, value_node(p, f.params[i]), EDGE_COPY, 0);
        if (f.param_objs && f.param_objs[i] >= 0) escape(p, f.param_objs[i]);
    }
    if (f.result_obj >= 0) escape(p, f.result_obj);
    for (int b = 0; b < f.nblocks; b++)
        for (int k = 0; f.blocks[b].reachable && k < f.blocks[b].nstmts; k++) {
            const struct cs_stmt *r = &p->g->stmts[f.blocks[b].stmts[k]];
            if (r->kind == CS_STMT_RETURN && r->nuses) flow(p, r->uses[0], p->ext_node, EDGE_OUTSIDE, 0);
        }
}

static void escape(struct cs_pts *p, int obj)
{
    if (obj_info(p, obj)->escaped) return;
    p->info[obj].escaped = true;
    if (p->g->objs[obj].kind == CS_OBJ_FUNC) { escape_function(p, p->g->objs[obj].func); return; }
    get_cell(p, obj, cs_pat_any(), CS_SIZE_UNKNOWN);
    for (int k = 0; k < p->info[obj].ncells; k++) {
        add_edge(p, p->ext_node, p->info[obj].cells[k].store, EDGE_NO_CONST, 0);
        add_edge(p, p->info[obj].cells[k].store, p->ext_node, EDGE_OUTSIDE, 0);
    }
}

static void bind_args(struct cs_pts *p, int stmt, int func)
{
    for (int i = 0; i < p->g->stmts[stmt].nuses && i < p->g->funcs[func].nparams; i++) {
        int formal = p->g->funcs[func].params[i];
        if (formal >= 0) flow(p, p->g->stmts[stmt].uses[i], value_node(p, formal), EDGE_COPY, 0);
    }
    for (int i = p->g->stmts[stmt].nuses; i < p->g->funcs[func].nparams; i++)
        if (p->g->funcs[func].params[i] >= 0) add_loc(p, value_node(p, p->g->funcs[func].params[i]), LOC_INT);
    for (int k = 0; k < p->g->stmts[stmt].narg_loads; k++) {
        int arg = p->g->stmts[stmt].arg_loads[k].arg;
        struct cs_ref src = p->g->stmts[stmt].arg_loads[k].ref;
        if (arg >= p->g->funcs[func].nparams || p->g->funcs[func].param_objs[arg] < 0) continue;
        struct cs_ref dst = { cs_opnd_addr(p->g->funcs[func].param_objs[arg], cs_pat_at(0)), cs_pat_at(0), src.size };
        add_copycon(p, &dst, &src);
    }
}

static void bind_result(struct cs_pts *p, int stmt, int func)
{
    const struct cs_func *f = &p->g->funcs[func];
    struct cs_stmt *s = &p->g->stmts[stmt];
    if (s->has_store && f->result_obj >= 0) {
        struct cs_ref src = { cs_opnd_addr(f->result_obj, cs_pat_at(0)), cs_pat_at(0), s->store.size };
        struct cs_ref dst = s->store;
        add_copycon(p, &dst, &src);
    }
    if (s->def < 0 && !s->has_store) return;
    int to = s->def >= 0 ? value_node(p, s->def) : new_node(p);
    if (s->has_store && f->result_obj < 0) { struct cs_ref dst = s->store; add_memcon(p, HOOK_STORE, &dst, to); }
    for (int b = 0; b < p->g->funcs[func].nblocks; b++) {
        const struct cs_block *bl = &p->g->funcs[func].blocks[b];
        if (!bl->reachable) continue;
        for (int k = 0; k < bl->nstmts; k++) {
            const struct cs_stmt *r = &p->g->stmts[bl->stmts[k]];
            if (r->kind == CS_STMT_RETURN && r->nuses) flow(p, r->uses[0], to, EDGE_COPY, 0);
        }
    }
}

static void bind_model(struct cs_pts *p, int stmt, int func)
{
    int mi = cs_model_get(p->ms, p->g, stmt, func);
    struct cs_model *m = &p->ms->m[mi];
    for (int k = 0; k < m->pseudo.n; k++) add_stmt(p, m->pseudo.a[k]);
    for (int k = 0; k < m->nwrites; k++) {
        int n = new_node(p);
        flow(p, m->writes[k].val, n, m->writes[k].spread ? EDGE_SPREAD : EDGE_COPY, 1);
        add_memcon(p, HOOK_STORE, &m->writes[k].ref, n);
    }
    for (int k = 0; k < m->ncopies; k++) add_copycon(p, &m->copies[k].dst, &m->copies[k].src);
    for (int k = 0; k < m->ncallbacks; k++) {
        CS_GROW(p->callbacks, p->ncallbacks, p->acallbacks);
        p->callbacks[p->ncallbacks] = (struct callback){ mi, k };
        add_hook(p, operand_node(p, p->ms->m[mi].callbacks[k].fn), HOOK_CALLBACK, p->ncallbacks++);
        m = &p->ms->m[mi];
    }
    if (m->opaque)
        for (int k = 0; k < p->g->stmts[stmt].nuses; k++) add_edge(p, operand_node(p, p->g->stmts[stmt].uses[k]), p->ext_node, EDGE_OUTSIDE, 0);
    struct cs_stmt *s = &p->g->stmts[stmt];
    int to = s->def >= 0 ? value_node(p, s->def) : s->has_store ? new_node(p) : -1;
    if (to < 0) return;
    if (s->has_store) { struct cs_ref dst = s->store; add_memcon(p, HOOK_STORE, &dst, to); }
    m = &p->ms->m[mi];
    for (int k = 0; k < m->nret; k++) flow(p, m->ret[k], to, m->ret_spread[k] ? EDGE_SPREAD : EDGE_COPY, 1);
}

static void bind_call(struct cs_pts *p, int stmt, int func)
{
    if (stmt >= p->ncallees) {
        int n = p->g->nstmts + 64;
        p->callees = cs_realloc(p->callees, n * sizeof *p->callees);
        memset(p->callees + p->ncallees, 0, (n - p->ncallees) * sizeof *p->callees);
        p->ncallees = n;
    }
    if (!cs_intset_add(&p->callees[stmt], func)) return;
    if (!p->g->funcs[func].defined) { bind_model(p, stmt, func); return; }
    add_function(p, func);
    bind_args(p, stmt, func);
    bind_result(p, stmt, func);
}

static void bind_callback(struct cs_pts *p, int id, int func)
{
    struct callback cb = p->callbacks[id];
    struct cs_mcallback c = p->ms->m[cb.model].callbacks[cb.index];
    int stmt = p->ms->m[cb.model].stmt;
    if (!p->g->funcs[func].defined) return;
    if (stmt < p->ncallees) cs_intset_add(&p->callees[stmt], func);
    add_function(p, func);
    for (int i = 0; i < p->g->funcs[func].nparams; i++) {
        int formal = p->g->funcs[func].params[i];
        if (formal < 0) continue;
        if (i < c.nargs) flow(p, c.args[i], value_node(p, formal), EDGE_SPREAD, 1);
        else add_loc(p, value_node(p, formal), LOC_INT);
    }
}

/* ---- what a location does when it arrives ---- */

static void run_hook(struct cs_pts *p, struct hook h, int loc)
{
    struct cs_loc l = p->locs[loc];
    struct cs_pattern pat;
    switch (h.kind) {
    case HOOK_LOAD: case HOOK_STORE: {
        struct memcon m = p->mem[h.index];
        if (!access_pattern(p, &l, m.pat, &pat)) return;
        int c = get_cell(p, l.obj, pat, m.size);
        if (h.kind == HOOK_LOAD) add_edge(p, p->info[l.obj].cells[c].load, m.node, EDGE_COPY, 0);
        else add_edge(p, m.node, p->info[l.obj].cells[c].store, EDGE_COPY, 0);
        return;
    }
    case HOOK_COPY_DST: case HOOK_COPY_SRC:
        arrive_at_copy(p, h.index, loc, h.kind == HOOK_COPY_SRC);
        return;
    case HOOK_CALL:
        if (l.obj >= 0 && p->g->objs[l.obj].kind == CS_OBJ_FUNC) bind_call(p, h.index, p->g->objs[l.obj].func);
        return;
    case HOOK_CALLBACK:
        if (l.obj >= 0 && p->g->objs[l.obj].kind == CS_OBJ_FUNC) bind_callback(p, h.index, p->g->objs[l.obj].func);
        return;
    case HOOK_ESCAPE:
        if (l.obj >= 0) escape(p, l.obj);
        return;
    }
}

/* ---- statements ---- */

static void add_assign(struct cs_pts *p, int s)
{
    struct cs_stmt st = p->g->stmts[s];
    int to = value_node(p, st.def);
    switch (st.op) {
    case CS_OP_COPY:
        for (int i = 0; i < st.nuses; i++) flow(p, st.uses[i], to, EDGE_COPY, 0);
        break;
    case CS_OP_SELECT:
        for (int i = 1; i < st.nuses; i++) flow(p, st.uses[i], to, EDGE_COPY, 0);
        break;
    case CS_OP_FIELD:
        CS_GROW(p->pats, p->npats, p->apats);
        p->pats[p->npats] = st.load.pat;
        flow(p, st.uses[0], to, EDGE_FIELD, p->npats++);
        break;
    case CS_OP_PTRADD:
        if (st.nuses > 1 && st.uses[1].kind == CS_OPND_CONST) flow(p, st.uses[0], to, EDGE_SHIFT, st.uses[1].pat.off);
        else {
            flow(p, st.uses[0], to, EDGE_SPREAD, st.stride ? st.stride : 1);
            if (st.nuses > 1 && st.uses[0].kind == CS_OPND_CONST) flow(p, st.uses[1], to, EDGE_SPREAD, 1);
        }
        break;
    case CS_OP_ADD: case CS_OP_SUB: case CS_OP_MIX:
        for (int i = 0; i < st.nuses; i++) flow(p, st.uses[i], to, EDGE_SPREAD, 1);
        add_loc(p, to, LOC_INT);
        break;
    case CS_OP_EQ: case CS_OP_NE: case CS_OP_LT: case CS_OP_LE: case CS_OP_GT: case CS_OP_GE:
        add_loc(p, to, intern_loc(p, CS_LOC_CONST, cs_pat_at(0)));
        add_loc(p, to, intern_loc(p, CS_LOC_CONST, cs_pat_at(1)));
        break;
    default: add_loc(p, to, LOC_INT);
    }
}

static void add_phi(struct cs_pts *p, int s)
{
    const struct cs_func *f = &p->g->funcs[p->g->stmts[s].func];
    int to = value_node(p, p->g->stmts[s].def), block = p->g->stmts[s].block;
    for (int i = 0; i < p->g->stmts[s].nuses; i++) {
        const struct cs_block *b = &f->blocks[p->g->stmts[s].phi_preds[i]];
        bool live = false;
        for (int k = 0; k < b->nsuccs; k++) live |= b->succs[k] == block && !b->never[k];
        if (b->reachable && live) flow(p, p->g->stmts[s].uses[i], to, EDGE_COPY, 0);
    }
}

static void add_stmt(struct cs_pts *p, int s)
{
    struct cs_stmt st = p->g->stmts[s];
    if (st.def >= 0 && st.def < p->nknown && p->known[st.def]) {
        add_loc(p, value_node(p, st.def), intern_loc(p, CS_LOC_CONST, cs_pat_at(p->known_val[st.def])));
        if (st.kind != CS_STMT_CALL) return;
    }
    switch (st.kind) {
    case CS_STMT_ASSIGN: if (st.def >= 0) add_assign(p, s); break;
    case CS_STMT_PHI: add_phi(p, s); break;
    case CS_STMT_LOAD: {
        int to = st.op == CS_OP_OTHER ? new_node(p) : value_node(p, st.def);
        if (st.op == CS_OP_OTHER) add_loc(p, value_node(p, st.def), LOC_INT);
        else add_memcon(p, HOOK_LOAD, &st.load, to);
        break;
    }
    case CS_STMT_STORE: {
        int n = new_node(p);
        flow(p, st.nuses ? st.uses[0] : cs_opnd_none(), n, EDGE_COPY, 0);
        add_memcon(p, HOOK_STORE, &st.store, n);
        break;
    }
    case CS_STMT_ENTRY: {
        int n = new_node(p);
        flow(p, st.uses[0], n, EDGE_COPY, 0);
        add_memcon(p, HOOK_STORE, &st.store, n);
        break;
    }
    case CS_STMT_COPY: add_copycon(p, &st.store, &st.load); break;
    case CS_STMT_CALL:
        add_hook(p, operand_node(p, st.callee), HOOK_CALL, s);
        break;
    case CS_STMT_ASM:
        for (int i = 0; i < st.nuses; i++) add_edge(p, operand_node(p, st.uses[i]), p->ext_node, EDGE_OUTSIDE, 0);
        if (st.has_store) add_memcon(p, HOOK_STORE, &st.store, p->ext_node);
        if (st.def >= 0) add_edge(p, p->ext_node, value_node(p, st.def), EDGE_COPY, 0);
        break;
    case CS_STMT_RETURN:
        if (st.has_load && p->g->funcs[st.func].result_obj >= 0) {
            struct cs_ref dst = { cs_opnd_addr(p->g->funcs[st.func].result_obj, cs_pat_at(0)), cs_pat_at(0), st.load.size };
            add_copycon(p, &dst, &st.load);
        }
        break;
    default: break;
    }
}

static void add_function(struct cs_pts *p, int func)
{
    if (p->reached[func]) return;
    p->reached[func] = true;
    for (int b = 0; b < p->g->funcs[func].nblocks; b++) {
        if (!p->g->funcs[func].blocks[b].reachable) continue;
        for (int k = 0; k < p->g->funcs[func].blocks[b].nstmts; k++) add_stmt(p, p->g->funcs[func].blocks[b].stmts[k]);
    }
}

/* ---- driver ---- */

static void drain(struct cs_pts *p)
{
    while (p->work_head < p->work.n) {
        int n = p->work.a[p->work_head++];
        p->nodes[n].queued = false;
        struct cs_intlist todo = p->nodes[n].pending;
        p->nodes[n].pending = (struct cs_intlist){ 0 };
        for (int i = 0; i < todo.n; i++) {
            for (int k = 0; k < p->nodes[n].nedges; k++) {
                struct edge e = p->nodes[n].edges[k];
                add_loc(p, e.to, move_loc(p, todo.a[i], e.kind, e.amount));
            }
            for (int k = 0; k < p->nodes[n].nhooks; k++) run_hook(p, p->nodes[n].hooks[k], todo.a[i]);
        }
        free(todo.a);
        if (p->work_head > 4096 && p->work_head * 2 > p->work.n) {
            memmove(p->work.a, p->work.a + p->work_head, (p->work.n - p->work_head) * sizeof *p->work.a);
            p->work.n -= p->work_head;
            p->work_head = 0;
        }
    }
}

/* argc, argv and what an unknown caller could pass. */
static void add_entry(struct cs_pts *p, int func)
{
    add_function(p, func);
    int argv = cs_hidden_obj(p->g, "h:argv"), text = cs_hidden_obj(p->g, "h:argv text");
    store_at(p, argv, cs_pat_any(), CS_SIZE_UNKNOWN, cs_opnd_addr(text, cs_pat_any()));
    for (int i = 0; i < p->g->funcs[func].nparams; i++) {
        int v = p->g->funcs[func].params[i];
        if (v < 0) continue;
        add_loc(p, value_node(p, v), LOC_INT);
        if (i > 0) add_loc(p, value_node(p, v), intern_loc(p, argv, cs_pat_at(0)));
    }
}

/* What is defined elsewhere: states of libraries that we know, and memory that unknown code shares with the program. */
static void add_externals(struct cs_pts *p)
{
    int n = p->g->nobjs;
    p->alias = cs_calloc(n + 1, sizeof *p->alias);
    for (int o = 0; o < n; o++) {
        p->alias[o] = -1;
        if (!p->g->objs[o].external || p->g->objs[o].kind != CS_OBJ_GLOBAL) continue;
        const char *name = cs_obj_name(p->g, o);
        const struct cs_effect *fx = cs_effects_find(p->ms->fx, name);
        if (fx && fx->var) { if (fx->var_state && !fx->var_points) p->alias[o] = state_obj(p, fx); }
        else if (!strstr(name, "mpi") && !strstr(name, "MPI")) add_loc(p, p->ext_node, intern_loc(p, o, cs_pat_any()));
    }
    p->nalias = n;
}

struct cs_pts *cs_pts_solve(struct cs_graph *g, struct cs_models *ms, const bool *known, const int64_t *known_val, int nknown)
{
    struct cs_pts *p = cs_calloc(1, sizeof *p);
    p->g = g;
    p->ms = ms;
    p->known = known;
    p->known_val = known_val;
    p->nknown = nknown;
    p->nreached = g->nfuncs;
    p->reached = cs_calloc(g->nfuncs + 1, sizeof *p->reached);
    intern_loc(p, CS_LOC_INT, cs_pat_at(0));
    p->ext_node = new_node(p);
    add_loc(p, p->ext_node, LOC_INT);
    add_loc(p, p->ext_node, intern_loc(p, ms->ext_obj, cs_pat_any()));
    add_hook(p, p->ext_node, HOOK_ESCAPE, 0);
    escape(p, ms->ext_obj);
    add_externals(p);
    for (int i = 0, n = g->nobjs; i < n; i++)
        if (g->objs[i].exported) add_loc(p, p->ext_node, intern_loc(p, i, cs_pat_any()));
    for (int i = 0; i < g->nfuncs; i++) {
        if (g->funcs[i].is_entry) add_entry(p, i);
        else if (g->funcs[i].exported) escape(p, g->funcs[i].obj);
    }
    drain(p);
    return p;
}

void cs_pts_free(struct cs_pts *p)
{
    if (!p) return;
    for (int i = 0; i < p->nnodes; i++) {
        cs_intset_free(&p->nodes[i].set);
        cs_intlist_free(&p->nodes[i].pending);
        free(p->nodes[i].edges);
        free(p->nodes[i].hooks);
    }
    for (int i = 0; i < p->ninfo; i++) {
        free(p->info[i].cells);
        free(p->info[i].watch);
    }
    for (int i = 0; i < p->ncallees; i++) cs_intset_free(&p->callees[i]);
    cs_pairset_free(&p->loc_set);
    free(p->nodes);
    free(p->value_node);
    free(p->locs);
    free(p->info);
    free(p->mem);
    free(p->copies);
    free(p->callbacks);
    cs_intlist_free(&p->work);
    free(p->reached);
    free(p->callees);
    cs_intset_free(&p->scratch);
    cs_pairset_free(&p->edge_set);
    cs_pairset_free(&p->watch_set);
    free(p->alias);
    free(p->pats);
    free(p);
}

/* ---- questions ---- */

const struct cs_loc *cs_pts_loc(const struct cs_pts *p, int loc)
{
    return &p->locs[loc];
}

const struct cs_intset *cs_pts_operand(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE) {
        static const struct cs_intset empty;
        if (op.id >= p->nvalue_node || p->value_node[op.id] < 0) return &empty;
        return &p->nodes[p->value_node[op.id]].set;
    }
    p->scratch.n = 0;
    int loc = LOC_INT;
    if (op.kind == CS_OPND_CONST) loc = intern_loc(p, CS_LOC_CONST, op.pat);
    if (op.kind == CS_OPND_ADDR) loc = intern_loc(p, op.id, op.pat);
    cs_intset_add(&p->scratch, loc);
    return &p->scratch;
}

bool cs_pts_may_point_to(struct cs_pts *p, struct cs_operand op, int obj)
{
    if (op.kind == CS_OPND_ADDR) return (op.id < p->nalias && p->alias[op.id] >= 0 ? p->alias[op.id] : op.id) == obj;
    if (op.kind != CS_OPND_VALUE) return false;
    const struct cs_intset *s = cs_pts_operand(p, op);
    for (int i = 0; i < s->n; i++)
        if (p->locs[s->a[i]].obj == obj) return true;
    return false;
}

void cs_pts_places(struct cs_pts *p, const struct cs_ref *r, void (*fn)(void *, int, struct cs_pattern, int64_t), void *arg)
{
    const struct cs_intset *s = cs_pts_operand(p, r->base);
    int n = s->n, *a = cs_calloc(n ? n : 1, sizeof *a);
    if (n) memcpy(a, s->a, n * sizeof *a);
    for (int i = 0; i < n; i++) {
        struct cs_pattern pat;
        struct cs_loc l = p->locs[a[i]];
        if (access_pattern(p, &l, r->pat, &pat)) fn(arg, l.obj, pat, r->size);
    }
    free(a);
}

const struct cs_intset *cs_pts_callees(const struct cs_pts *p, int stmt)
{
    static const struct cs_intset empty;
    return stmt < p->ncallees ? &p->callees[stmt] : &empty;
}

bool cs_pts_func_reached(const struct cs_pts *p, int func)
{
    return func < p->nreached && p->reached[func];
}

bool cs_pts_escaped(const struct cs_pts *p, int obj)
{
    return obj < p->ninfo && p->info[obj].escaped;
}

bool cs_pts_constant(struct cs_pts *p, struct cs_operand op, int64_t *val)
{
    const struct cs_intset *s = cs_pts_operand(p, op);
    if (s->n != 1 || p->locs[s->a[0]].obj != CS_LOC_CONST) return false;
    *val = p->locs[s->a[0]].pat.off;
    return true;
}
