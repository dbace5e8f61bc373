/* SPDX-License-Identifier: GPL-3.0-or-later
 * LIVE places in memory: which stores reach them, which part of a copy's source, and the lines of COMMSLICE_DUMP=1.
 * A place is an object, a pattern of offsets and a size. */
#include "slicer/live/live_internal.h"

#include <stdio.h>

/* LIVE places of one object before all of it is; the same once so many writers have been asked: some seconds. */
#define MAX_PLACES 512
#ifndef CS_LIVE_EFFORT
#define CS_LIVE_EFFORT 20000000 /* a build for tests may set it low */
#endif
#define FEW_PLACES 4
/* A copy is asked for so many parts of its source before it is asked for all of it. */
#define MAX_PARTS 64
#define MAX_MOMENTS 16 /* before which a place is LIVE, until it is so at any time */
/* A place asks for another, through a copy, so often before the next one has to wait: the stack is finite. */
#define MAX_DEPTH 200

/* For read_cb(): the reader, as cs_need_in_context() wants it. */
struct place_ctx {
    struct cs_live *l;
    int parent, func, via, at;
    struct cs_operand base;
};

static void read_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct place_ctx *c = arg;
    cs_need_among(c->l, c->base);
    cs_need_in_context(c->l, c->func, c->via, c->at, obj, pat, size, c->parent);
}

void cs_need_ref(struct cs_live *l, const struct cs_ref *r, int func, int at, int parent)
{
    struct place_ctx c = {l, parent, func, cs_live_ref_via(l, r), at, r->base};
    cs_need_operand(l, r->base, parent, CS_WHY_DATA);
    cs_pts_accesses_as_one(l->pts, r, read_cb, &c);
}

/* The part of a copy's source that reaches the LIVE part of its target. */
struct copy_ctx {
    struct cs_live *l;
    int parent, func, via, at;
    struct cs_operand base;
    struct cs_pattern dst, live;
    int64_t dsize, lsize;
};

static int64_t wrap(int64_t a, int64_t m)
{
    assert(m > 0);
    return (a % m + m) % m;
}

/* From one known place to another: what is LIVE of the target, moved. False if nothing is. */
static bool moved_part(const struct copy_ctx *c, struct cs_pattern src, struct cs_pattern *part, int64_t *psize)
{
    int64_t end = c->dsize >= 0 ? c->dst.off + c->dsize : CS_OFF_MAX, by = src.off - c->dst.off;
    if (c->live.stride) {
        int64_t below = c->dst.off - c->lsize + 1, lo = c->live.lo > below ? c->live.lo : below,
                hi = c->live.hi < end ? c->live.hi : end;
        int64_t first = lo + wrap(c->live.off - lo, c->live.stride);
        bool one = first + c->live.stride >= hi;
        *part = one ? cs_pat_at(first + by)
                    : (struct cs_pattern){wrap(first + by, c->live.stride), c->live.stride, lo + by, hi + by};
        *psize = c->lsize;
        return first < hi;
    }
    int64_t lo = c->live.off > c->dst.off ? c->live.off : c->dst.off, hi = c->lsize >= 0 ? c->live.off + c->lsize : end;
    if (hi > end)
        hi = end;
    *part = cs_pat_compose(src, cs_pat_at(lo - c->dst.off));
    *psize = hi - lo;
    return lo < hi;
}

/* Into an element of an array, wherever: what is LIVE of every element. */
static bool element_part(const struct copy_ctx *c, struct cs_pattern src, struct cs_pattern *part, int64_t *psize)
{
    int64_t in = wrap(c->live.off - c->dst.off, c->dst.stride),
            end = in + c->lsize < c->dsize ? in + c->lsize : c->dsize;
    *part = cs_pat_compose(src, cs_pat_at(in));
    *psize = end - in;
    return in < end;
}

static void copy_cb(void *arg, int obj, struct cs_pattern src, int64_t size)
{
    struct copy_ctx *c = arg;
    struct cs_pattern part = src;
    int64_t psize = size, S = c->dst.stride;
    bool moved =
        S == 0 && (c->live.stride == 0 || (src.stride == 0 && c->lsize >= 0)) && (c->lsize >= 0 || c->dsize >= 0);
    bool element = S > 0 && c->dsize >= 0 && c->dsize <= S && c->lsize >= 0 && c->live.stride % S == 0 &&
                   wrap(c->live.off - c->dst.off, S) + c->lsize <= S;
    if (moved && !moved_part(c, src, &part, &psize))
        return;
    if (element && !element_part(c, src, &part, &psize))
        return;
    cs_need_among(c->l, c->base);
    c->l->copy = c->at >= 0 && c->at == c->parent ? 1 + c->at : 0;
    cs_need_in_context(c->l, c->func, c->via, c->at, obj, part, psize, c->parent);
}

/* What of a copy's target matters, in bytes from its start, if both are at one known place: the source follows from it
 * alone. False if it cannot be said so. */
static bool relative_part(const struct writer *w, const struct live_pat *lp, int64_t *from, int64_t *to)
{
    if (w->pat.stride || lp->pat.stride || (w->size < 0 && lp->size < 0))
        return false;
    *from = lp->pat.off > w->pat.off ? lp->pat.off - w->pat.off : 0;
    *to = lp->size >= 0 ? lp->pat.off + lp->size - w->pat.off : w->size;
    if (w->size >= 0 && *to > w->size)
        *to = w->size;
    return true;
}

static uint32_t hash_pat(uint32_t h, const struct cs_pattern *p)
{
    return cs_hash(cs_hash(cs_hash(cs_hash(h, p->off), p->stride), p->lo), p->hi);
}

static bool same_part(const void *what, int stmt, int i)
{
    const struct copied *q = what, *o = &q->all[i];
    return stmt == q->stmt && o->effect.model == q->effect.model && o->effect.item == q->effect.item &&
           o->from == q->from && o->to == q->to && cs_pat_equal(o->dst, q->dst) && cs_pat_equal(o->live, q->live);
}

/* A copy that may write many objects is asked for the same part of its source by each of them: once is enough. So it is
 * if the part cannot be said in bytes from the start, but is at the same place in each of them: the source follows from
 * that place. */
static bool asked_before(struct cs_live *l, const struct writer *w, const struct live_pat *lp)
{
    struct copied c = {.stmt = w->stmt, .effect = w->effect, .all = l->copied};
    bool relative = relative_part(w, lp, &c.from, &c.to);
    if (relative && c.from >= c.to)
        return true;
    if (!relative) {
        c.from = w->size;
        c.to = lp->size;
        c.dst = w->pat;
        c.live = lp->pat;
    }
    uint32_t h = cs_hash(cs_hash(cs_hash(cs_hash(cs_hash(0, c.stmt), c.effect.model), c.effect.item), c.from), c.to);
    h = hash_pat(hash_pat(h, &c.dst), &c.live);
    if (cs_pairset_has(&l->copied_set, h, same_part, &c))
        return true;
    CS_GROW(l->copied, l->ncopied, l->acopied);
    cs_pairset_add(&l->copied_set, h, c.stmt, l->ncopied);
    l->copied[l->ncopied++] = c;
    l->asked_parts[w->stmt]++;
    return false;
}

void cs_need_copy_source(struct cs_live *l, const struct cs_ref *src, int func, int at, int parent,
                         const struct writer *w, const struct live_pat *lp)
{
    struct copy_ctx c = {l, parent, func, cs_live_ref_via(l, src), at, src->base, w->pat, lp->pat, w->size, lp->size};
    cs_pts_places_as_one(l->pts, src, copy_cb, &c);
}

/* The writer copies something to a place that is LIVE: so is where it comes from. Data that moves on by some bytes each
 * time, in a queue or through shifted sections of an array, is asked for one part after the other without end. */
static void need_copied(struct cs_live *l, const struct cs_ref *src, const struct writer *w, const struct live_pat *lp)
{
    struct live_pat part = *lp;
    if (l->asked_parts[w->stmt] >= MAX_PARTS) {
        part.pat = w->pat;
        part.size = w->size;
    }
    if (!asked_before(l, w, &part))
        cs_need_copy_source(l, src, l->g->stmts[w->stmt].func, w->stmt, w->stmt, w, &part);
}

static void need_call_result_place(struct cs_live *l, int call, const struct writer *w, const struct live_pat *lp)
{
    const struct cs_intset *callees = cs_pts_callees(l->pts, call);
    l->result_needed[call] = true;
    cs_mark_stmt(l, call, CS_WHY_MEMORY, -1);
    cs_intlist_add(&l->work, call);
    for (int i = 0; i < callees->n; i++) {
        int ro = l->g->funcs[callees->a[i]].result_obj;
        if (ro < 0)
            continue;
        struct cs_ref src = {cs_opnd_addr(ro, cs_pat_at(0)), cs_pat_at(0), w->size};
        cs_need_copy_source(l, &src, callees->a[i], -1, call, w, lp);
    }
}

/* A kept statement writes a LIVE place: the calls that lead to it must stay, as far as they can mean this object. */
static void write_is_effect(struct cs_live *l, int obj, const struct writer *w, int moment)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    if (s->kind != CS_STMT_RETURN)
        cs_add_effect(
            l, s->func,
            (struct access){
                .obj = obj, .via = w->via, .pat = w->pat, .size = w->size, .stmt = w->stmt, .moment = moment});
}

static void trigger(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *lp, int parent)
{
    if (w->kind == W_MODEL && cs_live_guarded(l, cs_writer_model(l, w), cs_writer_write(l, w)))
        return;
    cs_need_among_written(l, obj, w);
    write_is_effect(l, obj, w, lp->moment);
    cs_need_written(l, obj, w, lp);
    cs_need_among_written(l, obj, w);
    cs_need_how_written(l, obj, w, lp);
    switch (w->kind) {
    case W_STORE: cs_mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent); return;
    case W_COPY:
        cs_mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent);
        need_copied(l, &l->g->stmts[w->stmt].load, w, lp);
        return;
    case W_CALL_RESULT: need_call_result_place(l, w->stmt, w, lp); return;
    case W_MODEL_COPY: {
        struct cs_mcopy c = *cs_writer_copy(l, w);
        cs_mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent);
        need_copied(l, &c.src, w, lp);
        return;
    }
    case W_MODEL: {
        const struct cs_mwrite *mw = cs_writer_write(l, w);
        if (mw->error_code)
            cs_writer_model(l, w)->error_code_live = true;
        if (mw->level == CS_LEVEL_KEPT)
            cs_mark_stmt(l, w->stmt, CS_WHY_MEMORY, parent);
        else
            cs_live_mark(l, w->stmt, mw->level, parent);
        return;
    }
    }
}

/* A line for every place that becomes LIVE, in the manner of GCC's dump files: COMMSLICE_DUMP=1 at the link. */
static void dump_place(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int parent)
{
    const struct cs_stmt *s = parent >= 0 ? &l->g->stmts[parent] : NULL;
    fprintf(stderr, "LIVE %s#%d off %lld stride %lld size %lld for stmt %d at %s:%d\n", cs_obj_name(l->g, obj), obj,
            (long long)pat.off, (long long)pat.stride, (long long)size, parent, s ? cs_graph_str(l->g, s->file) : "",
            s ? s->line : 0);
}

static void dump_writer(struct cs_live *l, int obj, const struct writer *w, int parent)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    fprintf(stderr, "WRITER stmt %d at %s:%d of %s#%d off %lld stride %lld [%lld,%lld) size %lld for stmt %d\n",
            w->stmt, cs_graph_str(l->g, s->file), s->line, cs_obj_name(l->g, obj), obj, (long long)w->pat.off,
            (long long)w->pat.stride, (long long)w->pat.lo, (long long)w->pat.hi, (long long)w->size, parent);
}

/* A writer of the object, or of all that were taken as one with it, writes what is LIVE of this place of the object. */
static void written_by(struct cs_live *l, int obj, struct writer w, const struct live_pat *lp, int parent)
{
    l->effort++;
    if (!cs_pat_overlap(w.pat, w.size, lp->pat, lp->size) || !cs_moment_after(l, lp->moment, w.stmt))
        return;
    if (l->dump)
        dump_writer(l, obj, &w, parent);
    trigger(l, obj, &w, lp, parent);
}

void cs_place_written(struct cs_live *l, int obj, int i, const struct live_pat *lp, int parent)
{
    assert(obj >= 0 && obj < l->nobjs && i >= 0 && i < l->writers[obj].n);
    struct live_pat at = *lp; /* the list it is in may move */
    written_by(l, obj, l->writers[obj].w[i], &at, parent);
}

/* An offset outside the object is none of it: the analysis has lost its way, and the place may be anywhere in it. So it
 * may where more and more places are asked for: a queue that moves up by memmove needs what is behind each of its
 * places, without end. */
struct live_pat cs_live_place(const struct cs_live *l, int obj, struct cs_pattern pat, int64_t size)
{
    const struct live_obj *lo = &l->objs[obj];
    int64_t end = l->g->objs[obj].size;
    int most = l->effort > CS_LIVE_EFFORT ? FEW_PLACES : MAX_PLACES;
    bool outside = end > 0 && pat.stride == 0 && (pat.off >= end || (size >= 0 && pat.off + size <= 0)),
         many = lo->n - lo->ntwice + lo->nflows >= most;
    return (struct live_pat){.pat = cs_pat_normal(outside || many ? cs_pat_any() : pat, end),
                             .size = outside || many ? CS_SIZE_UNKNOWN : size};
}

/* A struct parameter is filled by every kept call. */
static void ask_calls(struct cs_live *l, int obj)
{
    const struct cs_obj *o = &l->g->objs[obj];
    if (o->kind != CS_OBJ_LOCAL || o->func < 0)
        return;
    const struct cs_func *f = &l->g->funcs[o->func];
    for (int k = 0; k < f->nparams; k++)
        for (int i = 0; f->param_objs[k] == obj && i < l->fi[o->func].kept_calls.n; i++)
            cs_intlist_add(&l->work, l->fi[o->func].kept_calls.a[i]);
}

/* Asks those that write the object by its name, or through a pointer that knows it. */
static void ask_own(struct cs_live *l, int obj, const struct place_job *j)
{
    for (int i = 0; i < l->writers[obj].n; i++)
        cs_place_written(l, obj, i, &j->at, j->parent);
    ask_calls(l, obj);
}

static void ask_writers(struct cs_live *l, const struct place_job *j)
{
    int was = cs_need_because(l, l->needs ? j->need : -1);
    ask_own(l, j->obj, j);
    for (int i = 0; cs_pts_lost(l->pts, j->obj) && i < l->writers[l->all].n; i++)
        written_by(l, j->obj, l->writers[l->all].w[i], &j->at, j->parent);
    for (int o = 0; j->obj == l->all && o < l->nobjs; o++)
        if (cs_pts_lost(l->pts, o))
            ask_own(l, o, j);
    cs_need_because(l, was);
}

/* Where the node of a place is noted: there is one for all files. */
static int *place_need(struct cs_live *l, int obj, struct live_pat *at)
{
    return obj == l->ms->fs_obj ? &l->files_need : &at->need;
}

/* How often is the place LIVE already, or one that it is part of, before other moments? */
static int times_live(const struct live_obj *lo, const struct live_pat *at)
{
    int n = 0;
    for (int i = 0; i < lo->n; i++)
        n += lo->p[i].size == at->size && cs_pat_covers(lo->p[i].pat, at->pat);
    return n;
}

/* Notes that the place is asked for before its moment. Before how many moments it is then, at most one more than
 * MAX_MOMENTS. What is known already counts, too, so that it does not matter what is asked for first. */
static int moments_asked(struct live_obj *lo, const struct live_pat *at)
{
    int n = 0;
    for (int i = 0; i < lo->nasked; i++) {
        if (lo->asked[i].size != at->size || !cs_pat_equal(lo->asked[i].pat, at->pat))
            continue;
        n++;
        if (n > MAX_MOMENTS)
            return n;
        if (lo->asked[i].moment == at->moment)
            return 1;
    }
    CS_GROW(lo->asked, lo->nasked, lo->aasked);
    lo->asked[lo->nasked++] = *at;
    return n + 1;
}

static bool is_whole(const struct cs_live *l, int obj, const struct live_pat *at)
{
    return at->size < 0 && cs_pat_equal(at->pat, cs_pat_normal(cs_pat_any(), l->g->objs[obj].size));
}

/* The number of the LIVE place that is all of the object, before this moment or a later one; -1. */
static int whole_place(const struct cs_live *l, int obj, int moment)
{
    const struct live_obj *lo = &l->objs[obj];
    for (int i = lo->whole - 1; lo->whole && i < lo->n; i++)
        if (is_whole(l, obj, &lo->p[i]) && cs_moment_covers(l, lo->p[i].moment, moment))
            return i;
    return -1;
}

bool cs_live_whole(const struct cs_live *l, int obj, int moment)
{
    return whole_place(l, obj, moment) >= 0 || (cs_pts_lost(l->pts, obj) && l->objs[l->all].n);
}

/* Is the place, or one that it is part of, LIVE already, before this moment or a later one? The number, or -1. */
static int known_place(const struct cs_live *l, int obj, const struct live_pat *at)
{
    const struct live_obj *lo = &l->objs[obj];
    for (int i = 0; i < lo->n; i++)
        if (lo->p[i].size == at->size && cs_pat_covers(lo->p[i].pat, at->pat) &&
            cs_moment_covers(l, lo->p[i].moment, at->moment))
            return i;
    return whole_place(l, obj, at->moment);
}

static bool same_part_of(const void *what, int i, int unused)
{
    const struct place_part *q = what, *o = &q->all[i];
    (void)unused;
    return o->obj == q->obj && o->at.size == q->at.size && o->at.moment == q->at.moment &&
           cs_pat_equal(o->at.pat, q->at.pat);
}

/* The number of this part of a LIVE place, of which a node is made if there is none yet. */
static int part_of(struct cs_live *l, const struct place_job *j, bool *is_new)
{
    struct place_part q = {j->obj, j->at, l->parts};
    uint32_t h = hash_pat(cs_hash(cs_hash(cs_hash(0, j->obj), j->at.size), j->at.moment), &j->at.pat);
    int known = cs_pairset_find(&l->parts_set, h, same_part_of, &q);
    *is_new = known < 0;
    if (known >= 0)
        return known;
    CS_GROW(l->parts, l->nparts, l->aparts);
    cs_pairset_add(&l->parts_set, h, l->nparts, 0);
    l->parts[l->nparts] = q;
    return l->nparts++;
}

/* The place is LIVE already, or part of one that is. Who wants to know what needs what is told of the part alone: that
 * changes nothing of what is LIVE. */
static void need_known(struct cs_live *l, struct place_job *j, struct live_pat *known)
{
    enum { EFFORT = 300000 }; /* writers that are asked, at most; the stack is finite, too */
    bool same = known->size == j->at.size && cs_pat_equal(known->pat, j->at.pat);
    bool one = j->obj == l->all || cs_pts_lost(l->pts, j->obj) || j->obj == l->ms->fs_obj || j->obj == l->ms->unit_obj;
    if (!l->needs || same || one || l->parts_effort > EFFORT || l->depth >= MAX_DEPTH) {
        cs_need_note(l, j->parent,
                     cs_need_place_node(l, place_need(l, j->obj, known), j->obj, known->pat, known->size, false));
        return;
    }
    bool is_new;
    int i = part_of(l, j, &is_new);
    cs_need_note(l, j->parent, cs_need_place_node(l, &l->parts[i].at.need, j->obj, j->at.pat, j->at.size, false));
    j->need = l->parts[i].at.need;
    int64_t effort = l->effort;
    l->depth++;
    if (is_new)
        ask_writers(l, j);
    l->depth--;
    l->parts_effort += l->effort - effort;
    l->effort = effort;
}

void cs_need_place(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int parent)
{
    cs_need_place_before(l, obj, pat, size, CS_ANY_TIME, parent);
}

void cs_need_place_before(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int moment, int parent)
{
    assert(obj >= 0 && obj < l->nobjs);
    if (cs_pts_lost(l->pts, obj))
        moment = CS_ANY_TIME;
    if (cs_pts_lost(l->pts, obj) && l->objs[l->all].n)
        obj = l->all;
    if (obj == l->all) {
        pat = cs_pat_any();
        size = CS_SIZE_UNKNOWN;
        moment = CS_ANY_TIME;
    }
    struct live_obj *lo = &l->objs[obj];
    struct place_job j = {obj, parent, 0, cs_live_place(l, obj, pat, size)};
    int times = times_live(lo, &j.at);
    j.at.moment = moment;
    if (moment != CS_ANY_TIME && moments_asked(lo, &j.at) > MAX_MOMENTS)
        j.at.moment = CS_ANY_TIME;
    int known = known_place(l, obj, &j.at);
    if (known >= 0) {
        need_known(l, &j, &lo->p[known]);
        return;
    }
    lo->ntwice += times > 0;
    j.need = cs_need_place_node(l, place_need(l, obj, &j.at), obj, j.at.pat, j.at.size, false);
    cs_need_note(l, parent, j.need);
    CS_GROW(lo->p, lo->n, lo->cap);
    lo->p[lo->n++] = j.at;
    if (!lo->whole && is_whole(l, obj, &j.at))
        lo->whole = lo->n;
    l->nplaces++;
    if (l->dump)
        dump_place(l, obj, j.at.pat, j.at.size, parent);
    if (l->depth == MAX_DEPTH) {
        CS_GROW(l->deferred, l->ndeferred, l->adeferred);
        l->deferred[l->ndeferred++] = j;
        return;
    }
    assert(l->depth < MAX_DEPTH);
    l->depth++;
    ask_writers(l, &j);
    l->depth--;
}

bool cs_live_ask_deferred(struct cs_live *l)
{
    if (!l->ndeferred)
        return false;
    struct place_job j = l->deferred[--l->ndeferred];
    ask_writers(l, &j);
    return true;
}

bool cs_live_widened(const struct cs_live *l)
{
    return l->effort > CS_LIVE_EFFORT;
}
