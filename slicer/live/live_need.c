/* SPDX-License-Identifier: GPL-3.0-or-later
 * Notes the steps of LIVE propagation where somebody wants to know them; needs.h.
 * A step is noted also where its target was LIVE before: who else needs it is what matters. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

/* For same_edge(). */
struct noted_edge {
    const struct cs_needs *needs;
    const struct cs_need_edge *edge;
};

void cs_need_start(struct cs_live *l, struct cs_needs *n)
{
    l->cause = -1;
    l->by_call = (struct cs_need_way){0, 0};
    l->needs = n;
    if (!n)
        return;
    n->nedges = n->nother = n->nwrites = n->files = 0;
    n->nstmts = l->g->nstmts;
    n->nvalues = l->g->nvalues;
    n->nnodes = 1 + 3 * n->nstmts + n->nvalues;
}

/* Is more noted than what needs what? */
static bool in_detail(const struct cs_live *l)
{
    return l->needs && !l->needs->brief;
}

int cs_need_node(struct cs_live *l, int *node, enum cs_need_other_kind kind, int obj)
{
    struct cs_needs *n = l->needs;
    if (n && !*node) {
        *node = n->nnodes++;
        assert(n->nother == *node - 1 - 3 * n->nstmts - n->nvalues); /* others follow the values */
        CS_GROW(n->other, n->nother, n->aother);
        n->other[n->nother++] = (struct cs_need_other){kind, obj, false, false, -1};
    }
    return *node;
}

int cs_need_place_node(struct cs_live *l, int *node, int obj, struct cs_pattern pat, int64_t size, bool flow)
{
    int made = cs_need_node(l, node, CS_NEED_PLACE, obj);
    struct cs_needs *n = l->needs;
    if (n) {
        struct cs_need_other *o = &n->other[made - 3 * n->nstmts - n->nvalues - 1];
        o->flow = flow;
        o->exact = !pat.stride && size >= 0;
        o->size = size;
    }
    return made;
}

int cs_need_mark_node(const struct cs_live *l, int stmt, int mark)
{
    return l->needs ? cs_need_mark(l->needs, stmt, mark) : 0;
}

int cs_need_value_node(const struct cs_live *l, int value)
{
    return l->needs ? 1 + 3 * l->needs->nstmts + value : 0;
}

int cs_need_stmt_node(const struct cs_live *l, int stmt)
{
    return l->needs ? cs_need_stmt(l->needs, stmt) : 0;
}

int cs_need_because(struct cs_live *l, int node)
{
    int was = l->cause;
    assert(node >= -1);
    l->cause = node;
    return was;
}

struct cs_need_way cs_need_by_call(struct cs_live *l, int node, int call)
{
    struct cs_need_way was = l->by_call;
    l->by_call = (struct cs_need_way){node, call};
    return was;
}

/* How many objects the operand may point to. */
static int objects_of(struct cs_live *l, struct cs_operand op)
{
    if (op.kind != CS_OPND_VALUE)
        return 1;
    struct value_info *vi = &l->vi[op.id];
    if (!vi->among) {
        struct cs_intset objs = {0};
        cs_pts_objects_as_one(l->pts, op, &objs);
        vi->among = objs.n ? objs.n : 1;
        cs_intset_free(&objs);
    }
    return vi->among;
}

static bool same_parameter(const void *what, int i, int unused)
{
    const struct known_among *q = what, *o = &q->all[i];
    (void)unused;
    return o->func == q->func && o->via == q->via && o->obj == q->obj;
}

/* The same of parameter `via` of the function, where it means this object: as the caller knows it that knows best.
 * 0: nobody does, or it is being asked. */
static int as_callers_know(struct cs_live *l, int func, int via, int obj)
{
    enum { CALLERS = 16 }; /* at most, that are asked */
    struct known_among q = {func, via, obj, 0, l->known_among};
    uint32_t h = cs_hash(cs_hash(cs_hash(0, func), via), obj);
    int known = cs_pairset_find(&l->known_among_set, h, same_parameter, &q);
    if (known >= 0)
        return l->known_among[known].n;
    CS_GROW(l->known_among, l->nknown_among, l->aknown_among);
    known = l->nknown_among++;
    l->known_among[known] = q;
    cs_pairset_add(&l->known_among_set, h, known, 0);
    int least = 0;
    for (int i = 0; i < l->fi[func].calls.n && i < CALLERS && least != 1; i++) {
        const struct cs_stmt *s = &l->g->stmts[l->fi[func].calls.a[i]];
        if (via >= s->nuses || !cs_pts_may_point_to(l->pts, s->uses[via], obj))
            continue;
        int up = s->uses[via].kind == CS_OPND_VALUE ? cs_live_origin(l, s->uses[via].id) : -1;
        int n = up >= 0 ? as_callers_know(l, s->func, up, obj) : objects_of(l, s->uses[via]);
        least = !least || (n && n < least) ? n : least;
    }
    return l->known_among[known].n = least;
}

void cs_need_among(struct cs_live *l, struct cs_operand op)
{
    if (in_detail(l))
        l->among = objects_of(l, op);
}

void cs_need_among_written(struct cs_live *l, int obj, const struct writer *w)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    if (!in_detail(l))
        return;
    if (w->via >= 0)
        l->among = as_callers_know(l, s->func, w->via, obj);
    else if (w->kind == W_MODEL)
        l->among = objects_of(l, cs_writer_write(l, w)->ref.base);
    else if (w->kind == W_MODEL_COPY)
        l->among = objects_of(l, cs_writer_copy(l, w)->dst.base);
    else
        l->among = s->has_store ? objects_of(l, s->store.base) : 0;
}

/* The one offset at which the writer writes the object, also where that is told no elements apart; false: it may be
 * another one. */
static bool begins_at(struct cs_live *l, int obj, const struct writer *w, int64_t *off)
{
    const struct cs_ref *r = &l->g->stmts[w->stmt].store;
    if (w->kind == W_MODEL)
        r = &cs_writer_write(l, w)->ref;
    else if (w->kind == W_MODEL_COPY)
        r = &cs_writer_copy(l, w)->dst;
    bool named = r->base.kind == CS_OPND_ADDR && r->base.id == obj && !r->base.pat.stride && !r->pat.stride;
    *off = named ? r->base.pat.off + r->pat.off : w->pat.off;
    return named || !w->pat.stride;
}

/* Is what is written so many bytes, and all of the place among them? What is read up to nobody knows where ends with
 * the object. */
static bool covers(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *at)
{
    int64_t size = l->g->objs[obj].size, end = at->pat.stride ? at->pat.hi : at->pat.off + at->size, off;
    if (w->size < 0 || !begins_at(l, obj, w, &off))
        return false;
    if (size > 0 && (end > size || (!at->pat.stride && at->size < 0)))
        end = size;
    else if (end >= CS_OFF_MAX || (!at->pat.stride && at->size < 0))
        return false;
    return off <= (at->pat.stride ? at->pat.lo : at->pat.off) && end <= off + w->size;
}

/* Does an effect of a call replace all of the place, as far as people are concerned? A library's function fills a
 * buffer from its beginning on; a call of MPI what it gives out, and what all ranks receive of a collective operation.
 */
static bool fills(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *at)
{
    if (w->kind == W_MODEL_COPY)
        return covers(l, obj, w, at) && objects_of(l, cs_writer_copy(l, w)->dst.base) <= 1 && !cs_writes_deferred(l, w);
    if (w->kind != W_MODEL || cs_writer_write(l, w)->guard != CS_GUARD_NONE)
        return false;
    const struct cs_model *m = cs_writer_model(l, w);
    bool received = cs_writer_write(l, w)->level == CS_LEVEL_CONTENT, rooted = m->root.kind != CS_OPND_NONE;
    if (m->opaque || (m->mpi && received && (m->mpi->kind != CS_MPI_COLL || rooted)))
        return false;
    if (w->size >= 0)
        return covers(l, obj, w, at);
    return !w->pat.stride && w->pat.off <= (at->pat.stride ? at->pat.lo > 0 ? at->pat.lo : 0 : at->pat.off);
}

/* Does a store replace the whole object, as a variable of which the address was passed? Then what reads it through
 * that as an array reads nothing else. */
static bool is_whole(struct cs_live *l, int obj, const struct writer *w)
{
    int64_t size = l->g->objs[obj].size, off;
    struct writer named = *w;
    if (size <= 0 || !begins_at(l, obj, w, &off) || off)
        return false;
    named.pat = cs_pat_at(0);
    return cs_flow_replaces(l, &named, cs_pat_at(0), size);
}

void cs_need_how_written(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *at)
{
    if (!in_detail(l))
        return;
    l->loose = (w->size < 0 || w->pat.stride) && at->size >= 0 && !at->pat.stride;
    l->replaces = cs_flow_replaces(l, w, at->pat, at->size) || is_whole(l, obj, w) || fills(l, obj, w, at);
    l->late = cs_writes_deferred(l, w);
}

static bool same_edge(const void *what, int i, int unused)
{
    const struct noted_edge *q = what;
    const struct cs_need_edge *a = q->edge, *b = &q->needs->edges[i];
    (void)unused;
    return a->from == b->from && a->to == b->to && a->call == b->call && a->among == b->among && a->copy == b->copy &&
           a->replaces == b->replaces && a->late == b->late && a->loose == b->loose;
}

/* The same step is often taken again and again, as where many pointers may mean one place. */
static void add_edge(struct cs_live *l, const struct cs_need_edge *edge)
{
    struct cs_needs *n = l->needs;
    struct noted_edge q = {n, edge};
    uint32_t h = cs_hash(cs_hash(cs_hash(cs_hash(0, edge->from), edge->to), edge->call), edge->among);
    if (cs_pairset_find(&l->edges_set, h, same_edge, &q) >= 0)
        return;
    CS_GROW(n->edges, n->nedges, n->aedges);
    cs_pairset_add(&l->edges_set, h, n->nedges, 0);
    n->edges[n->nedges++] = *edge;
}

void cs_need_note(struct cs_live *l, int parent, int to)
{
    struct cs_needs *n = l->needs;
    int among = l->among;
    struct cs_need_edge edge = {.among = among,
                                .replaces = l->replaces,
                                .late = l->late,
                                .loose = l->loose,
                                .copy = in_detail(l) ? l->copy : 0};
    if (!n || n->nedges == CS_NEEDS_MOST)
        return;
    l->among = 0;
    l->copy = 0;
    l->replaces = l->late = l->loose = false;
    int from = l->cause >= 0 ? l->cause : parent >= 0 ? cs_need_stmt(n, parent) : 0;
    int call = in_detail(l) && from > 0 && from == l->by_call.node ? 1 + l->by_call.call : 0;
    const struct cs_need_edge *last = n->nedges ? &n->edges[n->nedges - 1] : NULL;
    if (from == to || (last && last->from == from && last->to == to && last->call == call))
        return;
    assert(from < n->nnodes && to >= 0 && to < n->nnodes);
    edge.from = from;
    edge.to = to;
    edge.call = call;
    add_edge(l, &edge);
}

/* ---- who writes through a parameter, for whom ---- */

static bool same_write(const void *what, int i, int unused)
{
    const struct write_job *q = what, *o = &q->all[i];
    (void)unused;
    return o->need == q->need && o->w.stmt == q->w.stmt && o->obj == q->obj;
}

void cs_need_written(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *at)
{
    enum { MOST = 100000 };
    struct write_job j = {l->cause, obj, *w, *at, l->writes};
    if (!in_detail(l) || l->cause <= 0 || w->via < 0 || l->nwrites == MOST)
        return;
    uint32_t h = cs_hash(cs_hash(cs_hash(0, j.need), w->stmt), obj);
    if (cs_pairset_find(&l->writes_set, h, same_write, &j) >= 0)
        return;
    CS_GROW(l->writes, l->nwrites, l->awrites);
    cs_pairset_add(&l->writes_set, h, l->nwrites, 0);
    l->writes[l->nwrites++] = j;
}

/* The writer's own place, from the parameter; NULL: it is moved on the way, or not known. */
static const struct cs_ref *direct_store(const struct cs_live *l, const struct writer *w)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    bool plain = (w->kind == W_STORE || w->kind == W_COPY) && s->has_store && s->store.base.kind == CS_OPND_VALUE;
    return plain && l->vi[s->store.base.id].param == w->via ? &s->store : NULL;
}

/* Can each call of the function be asked what its arguments mean? */
static bool has_plain_calls(struct cs_live *l, int func, int via)
{
    enum { CALLS = 100 };
    const struct cs_intlist *calls = &l->fi[func].calls;
    if (calls->n > CALLS || l->g->funcs[func].is_entry || cs_pts_escaped(l->pts, l->g->funcs[func].obj))
        return false;
    for (int i = 0; i < calls->n; i++)
        if (via >= l->g->stmts[calls->a[i]].nuses || !cs_live_plain_call(l, calls->a[i]))
            return false;
    return true;
}

/* From a parameter to a place of an object, of a node: where it is behind the parameter, if that is known. */
struct passed {
    int need, obj;
    struct live_pat at;
    bool known;
    struct cs_ref behind;
};

/* May the argument mean the object so that the place behind it is that one? */
static bool means(struct cs_live *l, const struct passed *p, struct cs_operand actual)
{
    if (!cs_pts_may_point_to(l->pts, actual, p->obj))
        return false;
    if (!p->known)
        return true;
    if (actual.kind == CS_OPND_ADDR)
        return cs_pat_overlap(cs_pat_compose(actual.pat, p->behind.pat), p->behind.size, p->at.pat, p->at.size);
    const struct cs_intset *set = cs_pts_operand(l->pts, actual);
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, set->a[i]);
        struct cs_pattern at = cs_pat_compose(loc->pat, p->behind.pat);
        if (loc->obj == p->obj && cs_pat_overlap(at, p->behind.size, p->at.pat, p->at.size))
            return true;
    }
    return false;
}

/* The parameter of its own function that the call passes on, moved by what is then in front of *behind; -1. */
static int passed_on(const struct cs_live *l, struct cs_operand actual, struct cs_pattern *behind)
{
    enum { STEPS = 8 };
    for (int i = 0; i < STEPS && actual.kind == CS_OPND_VALUE; i++) {
        int d = l->g->values[actual.id].def;
        const struct cs_stmt *s = d < 0 ? NULL : &l->g->stmts[d];
        if (!s)
            return l->vi[actual.id].param;
        bool moves = s->op == CS_OP_COPY || s->op == CS_OP_FIELD ||
                     (s->op == CS_OP_PTRADD && s->nuses > 1 && s->uses[1].kind == CS_OPND_CONST);
        if (s->kind != CS_STMT_ASSIGN || !moves || !s->nuses || (s->op != CS_OP_PTRADD && s->nuses > 1))
            return -1;
        if (s->op == CS_OP_PTRADD)
            *behind = cs_pat_compose(cs_pat_at(s->uses[1].pat.off), *behind);
        else if (s->op == CS_OP_FIELD)
            *behind = cs_pat_compose(s->load.pat, *behind);
        actual = s->uses[0];
    }
    return -1;
}

/* Notes for which calls of its function the statement, which writes through the parameter `via` or passes that on, has
 * the place written; and of such calls that pass on what they were given, the same. */
static void note_calls(struct cs_live *l, int stmt, int via, const struct passed *p, int depth)
{
    struct cs_needs *n = l->needs;
    int func = l->g->stmts[stmt].func;
    if (!has_plain_calls(l, func, via))
        return;
    for (int k = 0; k < l->fi[func].calls.n; k++) {
        int call = l->fi[func].calls.a[k];
        struct cs_operand actual = l->g->stmts[call].uses[via];
        if (!l->g->stmts[call].keep || !means(l, p, actual))
            continue;
        CS_GROW(n->writes, n->nwrites, n->awrites);
        n->writes[n->nwrites++] = (struct cs_need_write){p->need, stmt, call};
        struct passed up = *p;
        int param = depth > 0 && p->known ? passed_on(l, actual, &up.behind.pat) : -1;
        if (param >= 0 && l->g->stmts[call].func != func)
            note_calls(l, call, param, &up, depth - 1);
    }
}

void cs_need_writes(struct cs_live *l)
{
    enum { LEVELS = 2 }; /* of calls that pass on what they were given */
    if (l->needs)
        l->needs->nwrites = 0;
    for (int i = 0; l->needs && i < l->nwrites; i++) {
        const struct write_job *j = &l->writes[i];
        const struct cs_ref *r = direct_store(l, &j->w);
        struct passed p = {.need = j->need, .obj = j->obj, .at = j->at, .known = r != NULL};
        if (r)
            p.behind = *r;
        if (!cs_pts_lost(l->pts, j->obj))
            note_calls(l, j->w.stmt, j->w.via, &p, LEVELS);
    }
}

/* ---- who reads through a parameter, for whom ---- */

void cs_need_read(struct cs_live *l, int func, const struct access *a)
{
    enum { MOST = 1000000 };
    if (!in_detail(l) || l->nreads == MOST)
        return;
    CS_GROW(l->reads, l->nreads, l->areads);
    l->reads[l->nreads++] = (struct read_job){a->need, func, a->via, a->obj, a->stmt, {.pat = a->pat, .size = a->size}};
}

/* Where behind parameter `via` of a function those are who read through it: nplaces places; lost: some may be anywhere.
 */
struct readers {
    int func, via, nplaces;
    struct cs_ref places[8];
    bool lost;
};

static void add_place(struct readers *r, const struct cs_ref *at)
{
    for (int i = 0; i < r->nplaces; i++)
        if (cs_pat_equal(r->places[i].pat, at->pat) && r->places[i].size == at->size)
            return;
    if (r->nplaces == sizeof r->places / sizeof *r->places)
        r->lost = true;
    else
        r->places[r->nplaces++] = *at;
}

/* Of who reads behind a parameter of `func`, as far as that is what the parameter of the readers' function is passed on
 * as. */
static void add_readers(struct cs_live *l, struct readers *r, int func, int param, struct cs_ref at, int depth)
{
    enum { CALLS = 100 };
    const struct cs_intlist *calls = &l->fi[func].calls;
    if (func == r->func && param == r->via)
        add_place(r, &at);
    else if (depth == 0 || calls->n > CALLS)
        r->lost = true;
    for (int i = 0; func != r->func && i < calls->n && !r->lost; i++) {
        const struct cs_stmt *c = &l->g->stmts[calls->a[i]];
        struct cs_operand op = param < c->nuses ? c->uses[param] : cs_opnd_none();
        if (op.kind != CS_OPND_VALUE || cs_live_origin(l, op.id) < 0)
            continue;
        struct cs_ref up = at;
        int k = passed_on(l, op, &up.pat);
        if (k < 0)
            r->lost = true;
        else
            add_readers(l, r, c->func, k, up, depth - 1);
    }
}

static void add_job(struct cs_live *l, struct readers *r, const struct read_job *j)
{
    enum { DEPTH = 3 }; /* calls */
    const struct cs_stmt *s = &l->g->stmts[j->stmt];
    int param = s->kind == CS_STMT_LOAD && s->load.base.kind == CS_OPND_VALUE ? l->vi[s->load.base.id].param : -1;
    r->func = j->func;
    r->via = j->via;
    if (param < 0 || cs_pts_lost(l->pts, j->obj))
        r->lost = true;
    else
        add_readers(l, r, s->func, param, s->load, DEPTH);
}

/* May what the readers read be the place of the job, where the call calls their function? */
static bool reads_for(struct cs_live *l, const struct readers *r, const struct read_job *j, int call)
{
    const struct cs_stmt *c = &l->g->stmts[call];
    bool may = r->lost || r->via >= c->nuses;
    for (int i = 0; i < r->nplaces && !may; i++) {
        struct passed p = {.need = j->need, .obj = j->obj, .at = j->at, .known = true, .behind = r->places[i]};
        may = means(l, &p, c->uses[r->via]);
    }
    return may;
}

void cs_need_reads(struct cs_live *l)
{
    struct cs_needs *n = l->needs;
    if (!n || !l->nreads)
        return;
    int *first = cs_calloc(n->nnodes + 1, sizeof *first);
    struct readers *readers = cs_calloc(l->nreads + 1, sizeof *readers); /* by the first job of a node */
    for (int i = 0; i < l->nreads; i++) {
        int node = l->reads[i].need;
        first[node] = first[node] ? first[node] : 1 + i;
        add_job(l, &readers[first[node] - 1], &l->reads[i]);
    }
    for (int i = 0; i < n->nedges; i++) {
        int k = n->edges[i].call ? first[n->edges[i].from] - 1 : -1;
        if (k >= 0 && !reads_for(l, &readers[k], &l->reads[k], n->edges[i].call - 1))
            n->edges[i].doubtful = true;
    }
    free(readers);
    free(first);
}

int cs_need_write_order(const void *x, const void *y)
{
    const struct cs_need_write *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->stmt != b->stmt)
        return a->stmt < b->stmt ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

/* ---- how control goes ---- */

static void free_flow(struct cs_need_flow *f)
{
    free(f->first_callee);
    free(f->callees);
    free(f->point);
    free(f->any_time);
    free(f->recursive);
    free(f->called_back);
    *f = (struct cs_need_flow){0};
}

static void note_callees(struct cs_live *l, struct cs_need_flow *f)
{
    int n = 0, cap = 0;
    for (int s = 0; s < l->g->nstmts; s++) {
        f->first_callee[s] = n;
        if (l->g->stmts[s].kind != CS_STMT_CALL)
            continue;
        const struct cs_intset *callees = cs_pts_callees(l->pts, s);
        for (int i = 0; i < callees->n; i++)
            if (l->g->funcs[callees->a[i]].defined) {
                CS_GROW(f->callees, n, cap);
                f->callees[n++] = callees->a[i];
            }
    }
    f->first_callee[l->g->nstmts] = n;
}

void cs_need_flow(struct cs_live *l)
{
    struct cs_need_flow *f = l->needs ? &l->needs->flow : NULL;
    if (!f)
        return;
    free_flow(f);
    f->first_callee = cs_calloc(l->g->nstmts + 1, sizeof *f->first_callee);
    f->point = cs_calloc(l->g->nstmts + 1, sizeof *f->point);
    f->any_time = cs_calloc(l->g->nfuncs + 1, sizeof *f->any_time);
    f->recursive = cs_calloc(l->g->nfuncs + 1, sizeof *f->recursive);
    f->called_back = cs_calloc(l->g->nfuncs + 1, sizeof *f->called_back);
    note_callees(l, f);
    for (int s = 0; s < l->g->nstmts; s++)
        f->point[s] = l->point[s] >= 0 && l->pos[l->point[s]] >= 0 ? l->point[s] : -1;
    for (int i = 0; i < l->g->nfuncs; i++) {
        f->any_time[i] = l->fi[i].async || l->fi[i].team || l->g->funcs[i].keep_all || l->g->funcs[i].comes_back;
        f->recursive[i] = l->fi[i].recursive;
        f->called_back[i] = l->fi[i].async;
    }
}

void cs_needs_free(struct cs_needs *n)
{
    free_flow(&n->flow);
    free(n->edges);
    free(n->other);
    free(n->writes);
    *n = (struct cs_needs){0};
}
