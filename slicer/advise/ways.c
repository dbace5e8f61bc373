/* SPDX-License-Identifier: GPL-3.0-or-later
 * Best ways through the needs; ways.h. Dijkstra's algorithm over small costs: a step costs the more the more others
 * might be meant in its place, as one through memory of which points-to knows many objects.
 * A way that goes into a function for what it returns must leave it for the call by which it came in: what an argument
 * does to a result is found first, function by function, and is then one step in the caller (Reps, Horwitz and Sagiv,
 * "Precise interprocedural dataflow analysis via graph reachability", 1995). Memory that is not a function's own, and
 * messages, may have been written whenever: there the way is free again. */
#include "slicer/advise/ways_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/elements.h"
#include "slicer/advise/index_ranges.h"
#include "slicer/advise/partners.h"
#include "slicer/advise/same_turn.h"
#include "slicer/advise/way_parts.h"
#include "slicer/advise/way_queue.h"
#include "slicer/advise/settings.h"
#include "slicer/advise/unpacks.h"
#include "slicer/graph/storage.h"

/* The stores of the same turn that replace what the statement reads; n 0: it is not known that they do. */
struct stored {
    struct cs_ways *w;
    struct cs_same_turn *turns;
    struct cs_intlist by;
};

static bool is_in(const struct cs_intlist *l, int a)
{
    for (int i = 0; i < l->n; i++)
        if (l->a[i] == a)
            return true;
    return false;
}

/* Is there an edge between both? Those of statements are sorted by `to`, and come before those of calls. */
static bool has_edge(const struct cs_ways *w, int from, int to)
{
    int lo = w->first[from], end = w->first[from + 1], hi = end;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (!w->edges[mid].call && w->edges[mid].to < to)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < end && (w->edges[lo].to == to || w->edges[lo].call); lo++)
        if (w->edges[lo].to == to)
            return true;
    return false;
}

/* Is it known of all that the statement reads that what the store writes is not there any more (exact_needs.h)?
 */
static bool is_gone(const struct cs_ways *w, int stmt, int store)
{
    int node = cs_need_stmt(w->needs, stmt), to = cs_need_stmt(w->needs, store);
    bool gone = false;
    for (int k = w->first[node]; k < w->first[node + 1]; k++) {
        const struct cs_way_edge *e = &w->edges[k];
        if (!cs_ways_is_other(w, e->to, CS_NEED_PLACE) || !has_edge(w, e->to, to))
            continue;
        if (!e->doubtful)
            return false;
        gone = true;
    }
    return gone;
}

static void add_same(void *arg, int stmt, int store)
{
    struct stored *st = arg;
    struct cs_ways *w = st->w;
    if ((st->by.n && !is_in(&st->by, store)) || !cs_same_turn_arrives(st->turns, store, stmt) ||
        is_gone(w, stmt, store))
        return;
    cs_ways_add_edge(w, (struct cs_way_edge){.from = cs_need_stmt(w->needs, stmt),
                                             .to = cs_need_stmt(w->needs, store),
                                             .among = 1,
                                             .cost = STEP + SAME,
                                             .same = true});
}

/* Adds the edges from reads to stores through the same pointer: of all that may write what they read, those are sure
 * to. */
static void add_stores(struct cs_ways *w, struct cs_rewritten *r, const struct cs_need_flow *flow)
{
    struct stored st = {.w = w, .turns = cs_same_turn_start(w->g, flow)};
    for (int s = 0; s < w->needs->nstmts; s++) {
        if (!w->g->stmts[s].keep)
            continue;
        st.by.n = 0;
        cs_same_turn_stored(st.turns, s, &st.by);
        cs_rewritten_by(r, s, add_same, &st);
    }
    cs_same_turn_free(st.turns);
    cs_intlist_free(&st.by);
    cs_ways_sort_edges(w);
}

/* ---- the best ways ---- */

static bool is_own(const struct cs_ways *w, const struct cs_need_other *o, int func)
{
    return o->obj >= 0 && o->obj < w->g->nobjs && w->g->objs[o->obj].kind == CS_OBJ_LOCAL &&
           w->g->objs[o->obj].func == func;
}

/* Must the way still leave the function for the call by which it came in, behind the edge, if it must before? */
static bool stays_bound(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int a, b, from = cs_ways_func(w, e->from), to = cs_ways_func(w, e->to);
    enum cs_need_kind x = cs_ways_kind(w, e->from, &a), y = cs_ways_kind(w, e->to, &b);
    const struct cs_need_other *o = cs_ways_other(w, e->from);
    if (o && o->kind == CS_NEED_PLACE)
        return is_own(w, o, to);
    if (cs_ways_is_mark(y) && (cs_ways_is_mark(x) || x == CS_NEED_STMT) && a != b)
        return false;
    return from < 0 || to < 0 || from == to;
}

/* The state behind the edge, and what it costs to come there. */
static int state_behind(const struct cs_ways *w, int state, const struct cs_way_edge *e, int *cost)
{
    bool bound = state & 1;
    *cost = e->cost;
    if (cs_ways_goes_in(w, e))
        return 2 * e->to + 1;
    if (cs_ways_goes_out(w, e)) {
        *cost += bound ? IMPOSSIBLE : 0;
        return 2 * e->to;
    }
    return 2 * e->to + (bound && stays_bound(w, e));
}

/* In class_of: not asked for yet. */
enum { CLASS_UNKNOWN = -2 };

/* Questions of which the answers are known at a time. */
enum { ASKED = 1 << 14 };
/* The search for the best ways. */
struct search {
    struct cs_ways *w;
    struct cs_settings *settings; /* NULL: there are none */
    struct cs_constant_calls *calls;
    struct cs_elements *elements; /* NULL likewise, and so on */
    struct cs_pointer_paths *paths;
    struct cs_index_ranges *ranges;
    struct cs_intlist classes; /* loads that read some elements, or rows, each others: twice a load, 1 more if it is
                                  known which elements of these */
    int *class_of;             /* what read_class() found, by twice the load, and 1 more for a buffer; CLASS_UNKNOWN */
    struct cs_guards *guards;  /* NULL likewise */
    struct cs_intlist words;   /* pairs: twice a shape, 1 more for stores, and whether a buffer is read or stored so */
    bool *partly;              /* places that functions write which do not do all for each call; NULL likewise */
    bool *buffer;              /* places in memory that is sent or received; NULL likewise */
    struct cs_way_parts parts; /* of these; it has no memory of its own */
    struct {
        int node, reader;
        bool has, helps; /* helps: or is called by that one */
    } partner;           /* what was found last of a buffer:
                           whether who reads it works together with one that writes it */
    struct asked {
        int node, func, effect;
    } asked[ASKED], writing[ASKED]; /* what was found last of who calls functions for something, and (func: the call)
                                       of calls that may write a place; by hash, node 0: nothing */
    struct cs_way_queue heap;
};

/* The statement that must run for the node to be something: itself, or what allocates the memory; -1. */
static int runs_for(const struct search *s, int node)
{
    int what;
    enum cs_need_kind kind = cs_ways_kind(s->w, node, &what);
    const struct cs_need_other *o = cs_ways_other(s->w, node);
    if (kind == CS_NEED_STMT || cs_ways_is_mark(kind))
        return what;
    bool heap = o && o->kind == CS_NEED_PLACE && o->obj >= 0 && s->w->g->objs[o->obj].kind == CS_OBJ_HEAP;
    return heap ? s->w->g->objs[o->obj].stmt : -1;
}

/* The settings with which what the node stands for runs; of who runs elsewhere, too: all. */
static int settings_of(const struct search *s, int node)
{
    int stmt = s->settings ? runs_for(s, node) : -1;
    return stmt < 0 ? CS_SETTINGS_ALL : cs_settings_of(s->settings, stmt);
}

/* From one rank to another one, by a message? */
static bool changes_rank(const struct search *s, const struct cs_way_edge *e)
{
    int a, b;
    return cs_ways_is_mark(cs_ways_kind(s->w, e->from, &a)) && cs_ways_is_mark(cs_ways_kind(s->w, e->to, &b)) && a != b;
}

/* The settings with which the program can go by the edge, too: also those of the call for which a statement writes, or,
 * of several, of some of them. */
static int settings_behind(const struct search *s, int before, const struct cs_way_edge *e)
{
    int own = settings_of(s, e->to), first = 0, n = s->settings ? cs_ways_writes_of(s->w, e, &first) : 0,
        with = s->settings ? cs_settings_both(s->settings, before, own) : own;
    for (int i = 0; i < n; i++) {
        int one = cs_settings_both(s->settings, with, cs_settings_of(s->settings, s->w->writes[first + i].call));
        if (n == 1)
            return one;
        if (one != CS_SETTINGS_NONE)
            return with;
    }
    return n ? CS_SETTINGS_NONE : with;
}

/* Can the program go all ways on from the one mark that it can go from the other one? */
static bool covers(const struct search *s, const struct cs_way_mark *a, const struct cs_way_mark *b)
{
    return (a->call < 0 || a->call == b->call) && (a->read < 0 || a->read == b->read) && !(a->guards & ~b->guards) &&
           (a->later < 0 || a->later == b->later) && (a->reader < 0 || a->reader == b->reader) &&
           (a->wrote == -1 || a->wrote == b->wrote) && (a->maker < 0 || a->maker == b->maker) &&
           (a->part < 0 || a->part == b->part) && (a->bind < 0 || a->bind == b->bind) && (!a->first || b->first) &&
           (!s->settings || cs_settings_cover(s->settings, a->settings, b->settings));
}

/* Is there a mark of the state that is no worse? */
static bool is_known(const struct search *s, const struct cs_way_mark *m, int *n)
{
    for (int i = s->w->marked[m->state]; i >= 0; i = s->w->marks[i].next, ++*n)
        if (s->w->marks[i].cost <= m->cost && covers(s, &s->w->marks[i], m))
            return true;
    return false;
}

/* Takes marks from the state's list that are worse than this one: the search has not gone on from them yet. */
static void drop_worse(struct search *s, const struct cs_way_mark *m)
{
    struct cs_way_mark *all = s->w->marks;
    for (int *at = &s->w->marked[m->state]; *at >= 0;) {
        struct cs_way_mark *k = &all[*at];
        k->dropped = k->cost > m->cost && covers(s, m, k);
        if (k->dropped)
            *at = k->next;
        else
            at = &k->next;
    }
}

/* Marks of a state, and where it is told for which part of a buffer, which element, or what of a message. */
enum { MOST = 10, PARTS = 40 };

/* Is the node, on a way that reads these elements, about a message of which they are a part, or what is read for it? */
static bool in_message(const struct cs_ways *w, int read, int node)
{
    if (read < 0 || node >= w->n)
        return false;
    const struct cs_way_node *k = &w->nodes[node];
    int stmt = k->kind == CS_NEED_VALUE ? w->g->values[k->what].def : k->kind == CS_NEED_STMT ? k->what : -1;
    return read >= w->g->nstmts || cs_ways_is_mark(k->kind) || (stmt >= 0 && w->g->stmts[stmt].source < 0);
}

/* Can the program go all ways on from the mark that it can go from any other one of its state? */
static bool covers_all(const struct search *s, const struct cs_way_mark *a)
{
    bool call = a->call >= 0 || a->maker >= 0 || a->wrote != -1,
         read = a->read >= 0 || a->reader >= 0 || a->part >= 0 || a->bind >= 0;
    return !call && !read && !a->first && !a->guards && a->later < 0 &&
           (!s->settings || a->settings == CS_SETTINGS_ALL);
}

/* Would add_mark() change nothing for any mark of the state that costs so much, or more? That is mostly so, and takes
 * less time than to find out what the mark is. part: it may be told for which part of a buffer, which element, or what
 * of a message, it is. */
static bool adds_nothing(const struct search *s, int state, int cost, bool part)
{
    int n = 0;
    bool worse = false;
    for (int i = s->w->marked[state]; i >= 0; i = s->w->marks[i].next, n++) {
        worse |= s->w->marks[i].cost > cost;
        if (s->w->marks[i].cost <= cost && covers_all(s, &s->w->marks[i]))
            return true;
    }
    return !worse && n >= (part ? PARTS : MOST);
}

static void add_mark(struct search *s, struct cs_way_mark m)
{
    struct cs_ways *w = s->w;
    int n = 0, most = m.part >= 0 || m.bind >= 0 || in_message(w, m.read, m.state / 2) ? PARTS : MOST;
    if (is_known(s, &m, &n))
        return;
    drop_worse(s, &m);
    if (n >= most)
        return;
    m.next = w->marked[m.state];
    CS_GROW(w->marks, w->nmarks, w->amarks);
    w->marked[m.state] = w->nmarks;
    w->marks[w->nmarks] = m;
    cs_way_queue_push(&s->heap, m.cost, w->nmarks++);
}

/* The call by which the way is in a function behind the edge, if it is known, and tells what that does. */
static int call_behind(struct search *s, const struct cs_way_mark *before, const struct cs_way_edge *e, int state)
{
    int first = 0, n = e->writes ? cs_ways_writes_of(s->w, e, &first) : 0,
        call = cs_ways_asks_result(s->w, e) ? e->call - 1 : -1;
    if (!cs_ways_goes_in(s->w, e))
        return state % 2 ? before->call : -1;
    if (n == 1)
        call = s->w->writes[first].call;
    return s->settings && call >= 0 && cs_constant_call_skips(s->calls, call) ? call : -1;
}

/* Do both loads read numbers of one size, and both whole ones or both not? */
static bool same_numbers(const struct search *s, int load, int other)
{
    const struct cs_stmt *a = &s->w->g->stmts[load], *b = &s->w->g->stmts[other];
    return a->load.size == b->load.size && !a->bits == !b->bits;
}

static int find_class(struct search *s, int load, bool buffer)
{
    int like = cs_index_ranges_like(s->ranges, load);
    bool told = cs_elements_some(s->elements, load) || (buffer && s->w->g->stmts[load].shape >= 0);
    if (!told && like < 0)
        return -1;
    for (int i = 0; i < s->classes.n; i++) {
        int one = s->classes.a[i] / 2;
        if (s->classes.a[i] % 2 == told && cs_index_ranges_like(s->ranges, one) == like &&
            (told ? cs_elements_same(s->elements, one, load) : same_numbers(s, one, load)))
            return one;
    }
    cs_intlist_add(&s->classes, 2 * load + told);
    return load;
}

/* A load that reads the same elements, as far as they are known, and of a buffer by the same words; -1. */
static int read_class(struct search *s, int load, bool buffer)
{
    int *known = &s->class_of[2 * load + buffer];
    if (*known == CLASS_UNKNOWN)
        *known = find_class(s, load, buffer);
    return *known;
}

/* What is read of what was sent, if that is a member of records: the same of those that are sent. */
static int read_in_message(const struct search *s, int read)
{
    int n = s->w->g->nstmts;
    bool told = read >= 0 && read < n && (cs_elements_some(s->elements, read) || s->w->g->stmts[read].shape >= 0);
    return read >= n ? read : told ? n + read : -1;
}

/* The read of some elements of the place behind the edge, or of the message, -1. */
static int read_behind(struct search *s, int before, const struct cs_way_edge *e)
{
    int what, to;
    enum cs_need_kind kind = cs_ways_kind(s->w, e->from, &what), other = cs_ways_kind(s->w, e->to, &to);
    bool place = cs_ways_is_other(s->w, e->from, CS_NEED_PLACE);
    if (!s->elements)
        return -1;
    if (cs_ways_is_mark(other) || e->to >= s->w->n)
        return place || cs_ways_is_mark(kind) ? before : -1;
    if (cs_ways_reads_message(s->w, e))
        return before;
    if (!cs_ways_is_other(s->w, e->to, CS_NEED_PLACE))
        return -1;
    bool reads = kind == CS_NEED_STMT && e->from < s->w->n && s->w->g->stmts[what].source < 0;
    if (e->read < 0 || cs_ways_is_mark(kind) || (reads && before >= 0))
        return read_in_message(s, before);
    if (e->read)
        return read_class(s, e->read - 1, s->buffer[e->to]);
    return kind == CS_NEED_STMT ? read_class(s, what, s->buffer[e->to]) : place ? before : -1;
}

/* Does what the statement writes, for this call (-1: any), miss all elements that are read? */
static bool misses_by(const struct search *s, const struct cs_way_mark *k, int stmt, int call)
{
    int n = s->w->g->nstmts, read = k->read;
    if (read >= n)
        return !cs_elements_meet(s->elements, stmt, read - n);
    return !cs_elements_meet(s->elements, stmt, read) ||
           !cs_index_ranges_meet(s->ranges, stmt, call, read, -1, k->bind);
}

/* Does what is behind the edge write only other elements than those that are read? */
static bool misses(const struct search *s, const struct cs_way_mark *k, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int what, by = e->to < w->n ? -1 : w->written[e->to - w->n], first = 0, n = cs_ways_writes_of(w, e, &first);
    enum cs_need_kind kind = cs_ways_kind(w, by < 0 ? e->to : by, &what);
    if (k->read < 0 || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)) || !cs_ways_is_other(w, e->from, CS_NEED_PLACE))
        return false;
    if (by >= 0)
        return misses_by(s, k, what, w->extra[e->to - w->n]);
    for (int i = first; i < first + n; i++)
        if (!misses_by(s, k, what, w->writes[i].call))
            return false;
    return n > 0 || misses_by(s, k, what, -1);
}

/* The shape of what a node behind a place stores, -1: it has none; NO_STORE: it stores nothing. */
enum { NO_STORE = -2 };
static int stored_shape(const struct cs_ways *w, int node)
{
    int what, by = node < w->n ? node : w->written[node - w->n];
    if (by < 0 || cs_ways_kind(w, by, &what) != CS_NEED_STMT || w->g->stmts[what].kind != CS_STMT_STORE)
        return NO_STORE;
    return w->g->stmts[what].shape;
}

/* Is a buffer read by words of this shape, or (`stored`) stored to? False if that was asked for too many. */
static bool has_words(struct search *s, int shape, bool stored)
{
    enum { MOST = 600 };
    const struct cs_ways *w = s->w;
    int what;
    for (int i = 0; i < s->words.n; i += 2)
        if (s->words.a[i] == 2 * shape + stored)
            return s->words.a[i + 1];
    bool is = false;
    for (int i = 0; s->words.n < 2 * MOST && i < w->nedges && !is; i++) {
        const struct cs_way_edge *e = &w->edges[i];
        if (s->buffer[stored ? e->from : e->to])
            is = stored ? stored_shape(w, e->to) == shape
                        : cs_ways_kind(w, e->from, &what) == CS_NEED_STMT && w->g->stmts[what].kind == CS_STMT_LOAD &&
                              w->g->stmts[what].shape == shape;
    }
    cs_intlist_add(&s->words, 2 * shape + stored);
    cs_intlist_add(&s->words, is);
    return is;
}

/* Does the edge lead to who stores by other words than those by which a message is read, where others store by these,
 * or what is stored so is read by others? */
static bool is_other_member(struct search *s, int read, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    bool place = cs_ways_is_other(w, e->from, CS_NEED_PLACE);
    int shape = read < w->g->nstmts || !place ? -1 : w->g->stmts[read - w->g->nstmts].shape;
    int stored = shape < 0 ? NO_STORE : stored_shape(w, e->to);
    return stored != NO_STORE && stored != shape &&
           ((stored >= 0 && has_words(s, stored, false)) || has_words(s, shape, true));
}

/* Is the edge one to a store through the same pointer, which writes another element than the one that is read? */
static bool is_beside(const struct search *s, int bind, const struct cs_way_edge *e)
{
    int load, store;
    return e->same && s->elements && cs_ways_kind(s->w, e->from, &load) == CS_NEED_STMT &&
           cs_ways_kind(s->w, e->to, &store) == CS_NEED_STMT &&
           (!cs_elements_meet(s->elements, store, load) || !cs_index_ranges_meet(s->ranges, store, -1, load, -1, bind));
}

/* What is known of a counter behind the edge, by which element is asked for; sets the read of that one. */
static int bind_behind(const struct search *s, const struct cs_way_mark *k, const struct cs_way_edge *e, int *read)
{
    const struct cs_ways *w = s->w;
    int what, to, n = w->g->nstmts;
    enum cs_need_kind from = cs_ways_kind(w, e->from, &what), kind = cs_ways_kind(w, e->to, &to);
    bool place = cs_ways_is_other(w, e->from, CS_NEED_PLACE), stmt = kind == CS_NEED_STMT && e->to < w->n;
    if (!s->elements || e->to >= w->n || e->from >= w->n)
        return place && k->read >= 0 && k->read == *read ? k->bind : -1;
    if (place && stmt && k->read >= 0)
        return cs_index_ranges_bind(s->ranges, to, -1, k->read % n, k->bind);
    if (e->same && stmt && from == CS_NEED_STMT)
        return cs_index_ranges_bind(s->ranges, to, -1, what,
                                    k->bind >= 0 && cs_index_ranges_is_bound(s->ranges, what, k->bind) ? k->bind : -1);
    if (k->bind < 0)
        return -1;
    if (cs_ways_is_other(w, e->to, CS_NEED_PLACE) && from == CS_NEED_STMT && w->g->stmts[what].source >= 0) {
        bool bound = cs_index_ranges_is_bound(s->ranges, what, k->bind);
        *read = bound ? what : *read;
        return bound ? k->bind : -1;
    }
    if (place || cs_ways_is_mark(from) || cs_ways_is_mark(kind) || cs_ways_reads_message(w, e))
        return k->read >= 0 && *read >= 0 && k->read % n == *read % n ? k->bind : -1;
    bool inside = !cs_ways_goes_in(w, e) && !cs_ways_goes_out(w, e) && cs_ways_func(w, e->from) >= 0 &&
                  (cs_ways_func(w, e->to) == cs_ways_func(w, e->from) || kind == CS_NEED_VALUE);
    return inside && !(stmt && cs_index_ranges_goes_on(s->ranges, to, k->bind)) ? k->bind : -1;
}

/* The function with guards of which the way stays in one run behind the edge, -1. */
static int guarded(const struct search *s, const struct cs_way_edge *e)
{
    int func = cs_ways_func(s->w, e->to);
    const struct cs_need_other *o = cs_ways_other(s->w, e->to);
    if (!s->guards || cs_ways_goes_in(s->w, e) || cs_ways_goes_out(s->w, e))
        return -1;
    if (o && o->kind == CS_NEED_PLACE && o->obj >= 0 && s->w->g->objs[o->obj].kind == CS_OBJ_LOCAL)
        func = s->w->g->objs[o->obj].func;
    return func >= 0 && cs_guards_in(s->guards, func) ? func : -1;
}

/* Notes the guards of what the edge comes to. False: it runs only when one of those is gone. */
static bool pass_guards(const struct search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to)
{
    int what, func = guarded(s, e);
    enum cs_need_kind kind = cs_ways_kind(s->w, e->to, &what);
    bool stays = func >= 0 && before->later >= 0 && s->w->g->stmts[before->later].func == func;
    to->guards = stays ? before->guards : 0;
    to->later = stays ? before->later : -1;
    if (!s->guards || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)) ||
        !cs_guards_in(s->guards, s->w->g->stmts[what].func))
        return true;
    cs_guard_set own = cs_guards_before(s->guards, what), gone = to->guards & ~own & cs_guards_gone(s->guards, what);
    bool bar = gone || (stays && cs_guards_bar(s->guards, to->settings, to->later, what));
    to->guards = (to->guards & ~gone) | own;
    to->later = stays && !bar ? to->later : what;
    return !bar;
}

/* In a mark, less the number of a node for what functions change: who does. */
enum { EFFECT_OF = -2 };

/* The call by which the edge leaves a function, -1: not known. */
static int leaving_call(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int what;
    bool effect = cs_ways_is_other(w, e->from, CS_NEED_EFFECT) && cs_ways_kind(w, e->to, &what) == CS_NEED_STMT;
    return e->call ? e->call - 1 : effect ? what : -1;
}

static bool calls(const struct search *s, int call, int func)
{
    const struct cs_intlist *callers = &cs_settings_callers(s->settings)[func];
    for (int i = 0; i < callers->n; i++)
        if (callers->a[i] == call)
            return true;
    return false;
}

/* Does the node for what functions change say so of calls of this one? */
static bool is_of_calls(const struct search *s, int effect, int func)
{
    const struct cs_ways *w = s->w;
    int what;
    for (int k = w->first[effect]; k < w->first[effect + 1]; k++)
        if (cs_ways_kind(w, w->edges[k].to, &what) == CS_NEED_STMT && w->edges[k].to < w->n && calls(s, what, func))
            return true;
    return false;
}

/* Something that the function writes is needed by the node, a place or what a function that it calls changes: the node
 * for which calls change it so; -1: there is none. */
static int effect_of_callers(struct search *s, int node, int func)
{
    const struct cs_ways *w = s->w;
    struct asked *known = &s->asked[cs_hash(cs_hash(0, node), func) % ASKED];
    if (known->node == node && known->func == func)
        return known->effect;
    *known = (struct asked){node, func, -1};
    for (int i = w->first[node]; i < w->first[node + 1] && known->effect < 0; i++)
        if (cs_ways_is_other(w, w->edges[i].to, CS_NEED_EFFECT) && is_of_calls(s, w->edges[i].to, func))
            known->effect = w->edges[i].to;
    return known->effect;
}

/* Does the call change what the node says? */
static bool changes(const struct cs_ways *w, int effect, int call)
{
    for (int i = w->first[effect]; i < w->first[effect + 1]; i++)
        if (w->edges[i].to == cs_need_stmt(w->needs, call))
            return true;
    return false;
}

/* For a place, or (-1) what the node says: a statement of this function writes it, or calls who does. Who calls the
 * function for that? */
static int asked_by(struct search *s, int place, int node, int stmt)
{
    int wrote = place < 0 ? -1 : cs_ways_passed_on(s->w, place, stmt);
    int up = wrote < 0 ? effect_of_callers(s, node, s->w->g->stmts[stmt].func) : -1;
    return up < 0 ? wrote : EFFECT_OF - up;
}

/* May what the call calls write the place, or call who does? */
static bool may_write(struct search *s, int place, int call)
{
    const struct cs_need_flow *flow = s->calls->flow;
    struct asked *known = &s->writing[cs_hash(cs_hash(0, place), call) % ASKED];
    if (known->node == place && known->func == call)
        return known->effect;
    bool may = flow->first_callee[call] == flow->first_callee[call + 1];
    for (int i = flow->first_callee[call]; i < flow->first_callee[call + 1] && !may; i++)
        may = cs_ways_writes_for(s->w, place, flow->callees[i], call);
    *known = (struct asked){place, call, may};
    return may;
}

/* Notes who asks a function of the way to write what the way needs, until the way leaves that. False: it leaves it for
 * a call that asks for something else. */
static bool pass_calls(struct search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                       struct cs_way_mark *to)
{
    const struct cs_ways *w = s->w;
    int func = cs_ways_func(w, e->to), place = cs_way_written_place(w, before, e), what;
    if (!s->settings)
        return true;
    if (place >= 0) {
        cs_ways_kind(w, e->to, &what);
        to->wrote = asked_by(s, place, e->from, what);
        to->inner = w->g->stmts[what].func;
        return !cs_ways_is_other(w, e->from, CS_NEED_EFFECT) || may_write(s, place, what);
    }
    if (before->wrote == -1)
        return true;
    bool by_effect = before->wrote <= EFFECT_OF;
    int from = by_effect ? EFFECT_OF - before->wrote : w->writes[before->wrote].place;
    if (cs_ways_goes_out(w, e)) {
        int call = leaving_call(w, e);
        if (call < 0)
            return true;
        to->wrote = asked_by(s, by_effect ? -1 : from, from, call);
        to->inner = w->g->stmts[call].func;
        return by_effect ? changes(w, from, call) : cs_ways_passes(w, before->wrote, call);
    }
    const struct cs_need_other *o = cs_ways_other(w, e->to);
    bool reads = o && o->kind == CS_NEED_PLACE && cs_ways_func(w, e->from) == before->inner;
    bool inside = o ? o->kind == CS_NEED_PARAM || reads || is_own(w, o, before->inner) : func == before->inner;
    if (inside && !cs_ways_goes_in(w, e)) {
        to->wrote = before->wrote;
        to->inner = before->inner;
    }
    return true;
}

/* Finds out whether one who works together with the reader, a function, writes the buffer. */
static void find_partner(struct search *s, int node, int reader)
{
    enum { MOST = 100 }; /* writers that are looked at */
    const struct cs_ways *w = s->w;
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    if (s->partner.node == node && s->partner.reader == reader)
        return;
    s->partner.node = node;
    s->partner.reader = reader;
    s->partner.has = s->partner.helps = false;
    for (int k = w->first[node]; k < w->first[node + 1] && k < w->first[node] + MOST && !s->partner.helps; k++) {
        int func = cs_ways_func(w, w->edges[k].to);
        s->partner.has |= func >= 0 && cs_are_partners(w->g, callers, reader, func);
        s->partner.helps = func >= 0 && cs_is_helper(w->g, callers, reader, func);
    }
}

/* What the edge from a buffer costs more, as others write it for who reads it on this way. */
static int buffer_cost(struct search *s, const struct cs_way_edge *e, int reader, int writer)
{
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    int func = s->w->g->stmts[writer].func;
    find_partner(s, e->from, reader);
    if (s->partner.has && !cs_are_partners(s->w->g, callers, reader, func))
        return ELSEWHERE;
    return s->partner.helps && !cs_is_helper(s->w->g, callers, reader, func) ? FARTHER : 0;
}

/* What the edge from a place to one that hardly writes it for who reads it on this way costs more. */
static int elsewhere_cost(struct search *s, int mark, const struct cs_way_edge *e)
{
    int writer, reader = s->w->marks[mark].reader;
    enum cs_need_kind kind = cs_ways_kind(s->w, e->to, &writer);
    if (reader < 0 || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)))
        return 0;
    int cost = s->buffer[e->from] ? buffer_cost(s, e, reader, writer) : 0;
    bool skipped = !cost && e->to < s->w->n && s->partly[e->from] &&
                   cs_is_elsewhere(s->w->g, cs_settings_callers(s->settings), s->calls, reader, writer);
    return skipped ? ELSEWHERE : cost;
}

/* Notes the objects that are sent or received, of the program's own memory and of that of allocators. */
static void find_buffers(const struct search *s, bool *sent)
{
    const struct cs_ways *w = s->w;
    bool *is = cs_calloc(w->g->nobjs + 1, sizeof *is);
    int what;
    cs_ways_find_sent(w, sent);
    for (int i = 0; i < w->nedges; i++) {
        const struct cs_way_edge *e = &w->edges[i];
        const struct cs_need_other *from = cs_ways_other(w, e->from), *to = cs_ways_other(w, e->to);
        if (from && from->kind == CS_NEED_PLACE && from->obj >= 0 && cs_ways_kind(w, e->to, &what) == CS_NEED_CONTENT)
            is[from->obj] = true;
        if (to && to->kind == CS_NEED_PLACE && to->obj >= 0 && sent[e->from])
            is[to->obj] = true;
    }
    for (int i = 0; i < w->n; i++) {
        const struct cs_need_other *o = cs_ways_other(w, i);
        s->buffer[i] = o && o->kind == CS_NEED_PLACE && o->obj >= 0 && o->obj < w->g->nobjs && is[o->obj] &&
                       (w->g->objs[o->obj].kind == CS_OBJ_HEAP || w->g->objs[o->obj].kind == CS_OBJ_GLOBAL);
    }
    free(is);
}

/* Finds the places of which that may be so. */
static void find_partly(struct search *s)
{
    const struct cs_ways *w = s->w;
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    bool *skips = cs_calloc(w->g->nfuncs + 1, sizeof *skips);
    bool *sent = cs_calloc(w->n + w->nextra + 1, sizeof *sent);
    s->partly = cs_calloc(w->n + w->nextra + 1, sizeof *s->partly);
    s->buffer = cs_calloc(w->n + w->nextra + 1, sizeof *s->buffer);
    s->partner.node = -1;
    find_buffers(s, sent);
    free(sent);
    for (int f = 0; f < w->g->nfuncs; f++)
        for (int i = 0; i < callers[f].n && !skips[f]; i++)
            skips[f] = cs_constant_call_skips(s->calls, callers[f].a[i]);
    for (int i = 0; i < w->nedges; i++) {
        int func = cs_ways_is_other(w, w->edges[i].from, CS_NEED_PLACE) ? cs_ways_func(w, w->edges[i].to) : -1;
        s->partly[w->edges[i].from] |= func >= 0 && skips[func];
    }
    free(skips);
}

/* Behind the edge, is the way at a place of which it asks for the first elements? */
static bool first_behind(const struct search *s, bool before, const struct cs_way_edge *e)
{
    int what;
    if (!cs_ways_is_other(s->w, e->to, CS_NEED_PLACE))
        return false;
    if (e->read > 0)
        return cs_reads_first(s->w->g, e->read - 1);
    if (cs_ways_kind(s->w, e->from, &what) == CS_NEED_STMT)
        return cs_reads_first(s->w->g, what);
    return before && cs_ways_is_other(s->w, e->from, CS_NEED_PLACE);
}

/* Does the edge lead from there to what puts the content of a buffer behind them? */
static bool is_behind(const struct search *s, bool first, const struct cs_way_edge *e)
{
    int what, by = e->to < s->w->n ? e->to : s->w->written[e->to - s->w->n];
    return first && by >= 0 && cs_ways_kind(s->w, by, &what) == CS_NEED_STMT && cs_unpacks(s->w->g, what);
}

/* What the edge costs more as it hardly is what the program does on this way. */
static int unlikely(struct search *s, int mark, const struct cs_way_edge *e)
{
    const struct cs_way_mark *k = &s->w->marks[mark];
    return elsewhere_cost(s, mark, e) + (is_other_member(s, k->read, e) ? OTHER_NAME : 0) +
           (is_behind(s, k->first, e) ? BEHIND : 0);
}

/* Does the edge lead from memory that the call makes to a statement of what it calls? */
static bool is_made_by(const struct search *s, const struct cs_way_edge *e, int call)
{
    const struct cs_need_flow *flow = s->calls->flow;
    int what, func = cs_ways_func(s->w, e->to);
    if (e->to >= s->w->n || cs_ways_kind(s->w, e->to, &what) != CS_NEED_STMT)
        return false;
    for (int i = flow->first_callee[call]; i < flow->first_callee[call + 1]; i++)
        if (flow->callees[i] == func)
            return true;
    return false;
}

/* The call for which the way is in a function that makes memory for who calls it, -1. */
static int maker_behind(const struct search *s, int before, const struct cs_way_edge *e)
{
    const struct cs_need_other *from = cs_ways_other(s->w, e->from), *to = cs_ways_other(s->w, e->to);
    bool heap = s->settings && from && from->kind == CS_NEED_PLACE && from->obj >= 0 &&
                s->w->g->objs[from->obj].kind == CS_OBJ_HEAP;
    int call = heap ? s->w->g->objs[from->obj].stmt : -1;
    if (call >= 0 && is_made_by(s, e, call))
        return call;
    int func = cs_ways_func(s->w, e->to);
    bool stays =
        before >= 0 && !cs_ways_goes_out(s->w, e) && !cs_ways_goes_in(s->w, e) &&
        (to ? to->kind == CS_NEED_PARAM : func == cs_ways_func(s->w, e->from) || cs_ways_func(s->w, e->from) < 0);
    return stays ? before : -1;
}

/* Goes on by the edge, with these settings behind it, for so much more. */
static void follow_with(struct search *s, int mark, int edge, int settings, int more)
{
    const struct cs_way_edge *e = &s->w->edges[edge];
    struct cs_way_mark k = s->w->marks[mark],
                       to = {.edge = edge, .from = mark, .settings = settings, .reader = -1, .wrote = -1, .part = -1};
    to.state = state_behind(s->w, k.state, e, &to.cost);
    bool part = k.part >= 0 || k.bind >= 0 || (s->buffer && s->buffer[e->to]) || in_message(s->w, k.read, e->to);
    if (adds_nothing(s, to.state, k.cost + to.cost + more, part))
        return;
    to.call = call_behind(s, &k, e, to.state);
    to.read = read_behind(s, k.read, e);
    to.bind = bind_behind(s, &k, e, &to.read);
    to.part = cs_way_part_behind(&s->parts, &k, e);
    if (s->partly && (s->partly[e->to] || s->buffer[e->to]))
        to.reader = e->call ? s->w->g->stmts[e->call - 1].func : cs_ways_func(s->w, e->from);
    bool skipped = cs_ways_is_skipped(s->w, s->calls, to.call, e->to);
    to.broken = to.settings == CS_SETTINGS_NONE || skipped || misses(s, &k, e);
    bool perhaps_other;
    to.broken |= is_beside(s, k.bind, e) || ((k.state & 1) && cs_ways_goes_out(s->w, e));
    to.broken |= cs_way_is_other_part(&s->parts, &k, e, &perhaps_other);
    to.broken |= !pass_guards(s, &k, e, &to);
    to.broken |= !pass_calls(s, &k, e, &to);
    if (to.settings == CS_SETTINGS_NONE)
        to.settings = settings_of(s, e->to) == CS_SETTINGS_NONE ? CS_SETTINGS_ALL : settings_of(s, e->to);
    if (skipped)
        to.call = -1;
    to.maker = maker_behind(s, k.maker, e);
    bool out = k.maker >= 0 && cs_ways_goes_out(s->w, e);
    to.cost += out && leaving_call(s->w, e) >= 0 && leaving_call(s->w, e) != k.maker ? ELSEWHERE : 0;
    const struct cs_need_other *o = cs_ways_other(s->w, e->to);
    bool place = o && o->kind == CS_NEED_PLACE && !o->exact;
    to.obj = place ? o->obj : k.obj;
    to.cost +=
        place && o->obj >= 0 && o->obj == k.obj && cs_ways_other(s->w, cs_ways_node(s->w, mark)) == NULL ? MOVED : 0;
    to.cost += perhaps_other ? PART : 0;
    to.cost += k.cost + more + (to.broken ? IMPOSSIBLE : 0) + unlikely(s, mark, e);
    to.first = first_behind(s, k.first, e);
    add_mark(s, to);
}

/* Another rank may have other settings, but mostly it has the same, if it can come by what it does with them. */
static void follow(struct search *s, int mark, int edge)
{
    const struct cs_way_edge *e = &s->w->edges[edge];
    int same = settings_behind(s, s->w->marks[mark].settings, e), own = settings_of(s, e->to);
    bool other = changes_rank(s, e) && same != own;
    int fewer = s->settings ? cs_settings_fewer(s->settings, s->w->marks[mark].settings, same, FEWER) : 0;
    if (!other || same != CS_SETTINGS_NONE)
        follow_with(s, mark, edge, same, fewer);
    if (other)
        follow_with(s, mark, edge, own, same != CS_SETTINGS_NONE ? OTHERS : 0);
}

static void find_best(struct cs_ways *w, const struct cs_need_flow *flow, struct cs_settings *settings,
                      struct cs_constant_calls *calls, struct cs_elements *elements)
{
    int nstates = 2 * (w->n + w->nextra);
    struct search s = {.w = w, .settings = settings, .calls = calls, .parts = {.w = w}};
    if (s.settings) {
        const struct cs_intlist *callers = cs_settings_callers(s.settings);
        s.elements = elements;
        s.paths = cs_pointer_paths_start(w->g, callers);
        s.ranges = cs_index_ranges_start(w->g, flow, callers, s.paths);
        s.guards = cs_guards_find(w->g, flow, s.settings);
        s.class_of = cs_calloc(2 * w->g->nstmts + 1, sizeof *s.class_of);
        for (int i = 0; i < 2 * w->g->nstmts; i++)
            s.class_of[i] = CLASS_UNKNOWN;
        find_partly(&s);
        s.parts = (struct cs_way_parts){w, s.ranges, s.buffer};
    }
    w->marked = cs_calloc(nstates + 1, sizeof *w->marked);
    memset(w->marked, -1, (nstates + 1) * sizeof *w->marked);
    add_mark(&s, (struct cs_way_mark){.state = 0,
                                      .settings = CS_SETTINGS_ALL,
                                      .call = -1,
                                      .read = -1,
                                      .bind = -1,
                                      .part = -1,
                                      .reader = -1,
                                      .later = -1,
                                      .wrote = -1,
                                      .maker = -1,
                                      .edge = -1,
                                      .from = -1,
                                      .obj = -1});
    while (s.heap.n) {
        int mark = cs_way_queue_pop(&s.heap).number, node = cs_ways_node(w, mark);
        for (int k = w->first[node]; k < w->first[node + 1] && !w->marks[mark].dropped; k++)
            follow(&s, mark, k);
    }
    free(s.heap.a);
    if (s.settings) {
        cs_index_ranges_free(s.ranges);
        cs_pointer_paths_free(s.paths);
    }
    cs_guards_free(s.guards);
    free(s.partly);
    free(s.buffer);
    free(s.class_of);
    cs_intlist_free(&s.classes);
    cs_intlist_free(&s.words);
}

int cs_ways_node(const struct cs_ways *w, int mark)
{
    assert(mark >= 0 && mark < w->nmarks);
    return w->marks[mark].state / 2;
}

int cs_ways_best(const struct cs_ways *w, int node)
{
    int best = -1;
    for (int state = 2 * node; state < 2 * node + 2; state++)
        for (int m = w->marked[state]; m >= 0; m = w->marks[m].next)
            if (best < 0 || w->marks[m].cost <= w->marks[best].cost)
                best = m;
    return best;
}

/* Which statements write memory that others need. */
static bool *writing(const struct cs_ways *w)
{
    bool *is = cs_calloc(w->g->nstmts + 1, sizeof *is);
    int what;
    for (int i = 0; i < w->nedges; i++) {
        enum cs_need_kind to = cs_ways_kind(w, w->edges[i].to, &what);
        if (cs_ways_is_other(w, w->edges[i].from, CS_NEED_PLACE) && (to == CS_NEED_STMT || cs_ways_is_mark(to)))
            is[what] = true;
    }
    return is;
}

void cs_ways_find(struct cs_ways *w, const struct cs_graph *g, const struct cs_needs *needs,
                  const struct cs_need_flow *flow, struct cs_settings *settings)
{
    *w = (struct cs_ways){.g = g, .needs = needs, .n = needs->nnodes};
    w->nodes = cs_calloc(w->n + 1, sizeof *w->nodes);
    for (int i = 0; i < w->n; i++)
        w->nodes[i].kind = cs_need_kind(needs, i, &w->nodes[i].what);
    cs_ways_take_writes(w);
    cs_ways_take_edges(w);
    struct cs_rewritten r;
    bool *writes = writing(w);
    struct cs_elements *elements = settings ? cs_elements_start(g, cs_settings_callers(settings)) : NULL;
    cs_rewritten_start(&r, g, writes, elements);
    free(writes);
    cs_ways_find_costs(w, &r, flow, settings ? cs_settings_callers(settings) : NULL);
    if (flow->first_callee)
        add_stores(w, &r, flow);
    cs_rewritten_free(&r);
    struct cs_constant_calls calls;
    cs_constant_calls_start(&calls, g, flow);
    cs_ways_join_calls(w, &calls);
    find_best(w, flow, settings, &calls, elements);
    cs_constant_calls_free(&calls);
    if (elements)
        cs_elements_free(elements);
}

void cs_ways_free(struct cs_ways *w)
{
    free(w->nodes);
    free(w->extra);
    free(w->written);
    free(w->writes);
    free(w->edges);
    free(w->first);
    free(w->runs);
    free(w->marks);
    free(w->marked);
}
