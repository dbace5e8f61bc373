/* SPDX-License-Identifier: GPL-3.0-or-later
 * Marks of the search for best ways: how far it has come to a node, and with what it knows there. A mark that costs
 * more than one from which the program can go all the same ways is dropped. */
#include "slicer/advise/way_search.h"

#include "slicer/graph/storage.h"

/* May the one mark ask for all that runs before the other one, or does it cost so much less than this that it may even
 * come to what runs later? */
static bool runs_before(const struct cs_way_search *s, const struct cs_way_mark *a, const struct cs_way_mark *b,
                        int cost)
{
    return a->when < 0 || cost >= a->cost + LATER ||
           (b && b->when >= 0 && cs_run_order_before(s->order, b->when, a->when));
}

/* Can the program go all ways on from the one mark that it can go from the other one? */
static bool covers(const struct cs_way_search *s, const struct cs_way_mark *a, const struct cs_way_mark *b)
{
    return (a->call < 0 || a->call == b->call) && (a->read < 0 || a->read == b->read) && !(a->guards & ~b->guards) &&
           (a->later < 0 || a->later == b->later) && (a->reader < 0 || a->reader == b->reader) &&
           (a->wrote == -1 || a->wrote == b->wrote) && (a->maker < 0 || a->maker == b->maker) &&
           (a->own < 0 || a->own == b->own) && runs_before(s, a, b, b->cost) && (a->part < 0 || a->part == b->part) &&
           (a->bind < 0 || a->bind == b->bind) && (!a->first || b->first) &&
           (!s->settings || cs_settings_cover(s->settings, a->settings, b->settings));
}

/* Is there a mark of the state that is no worse? */
static bool is_known(const struct cs_way_search *s, const struct cs_way_mark *m, int *n)
{
    for (int i = s->w->marked[m->state]; i >= 0; i = s->w->marks[i].next, ++*n)
        if (s->w->marks[i].cost <= m->cost && covers(s, &s->w->marks[i], m))
            return true;
    return false;
}

/* Takes marks from the state's list that are worse than this one: the search has not gone on from them yet. */
static void drop_worse(struct cs_way_search *s, const struct cs_way_mark *m)
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

/* Takes the worst mark from the state's list, if it is worse than this one, from which the search then has not gone on
 * yet: a list that is full of what came first by a doubtful step must not keep out what is better. */
static bool drop_worst(struct cs_way_search *s, const struct cs_way_mark *m)
{
    struct cs_way_mark *all = s->w->marks;
    int *worst = NULL;
    for (int *at = &s->w->marked[m->state]; *at >= 0; at = &all[*at].next)
        worst = all[*at].cost > (worst ? all[*worst].cost : m->cost) ? at : worst;
    if (!worst)
        return false;
    all[*worst].dropped = true;
    *worst = all[*worst].next;
    return true;
}

/* Marks of a state, and where it is told for which part of a buffer, for which reader, which element, or what of a
 * message. */
enum { MOST = 10, PARTS = 40 };

bool cs_way_in_message(const struct cs_ways *w, int read, int node)
{
    if (read < 0 || node >= w->n)
        return false;
    const struct cs_way_node *k = &w->nodes[node];
    int stmt = k->kind == CS_NEED_VALUE ? w->g->values[k->what].def : k->kind == CS_NEED_STMT ? k->what : -1;
    return read >= w->g->nstmts || cs_ways_is_mark(k->kind) || (stmt >= 0 && w->g->stmts[stmt].source < 0);
}

/* Can the program go all ways on from the mark that it can go from any other one of its state that costs so much? */
static bool covers_all(const struct cs_way_search *s, const struct cs_way_mark *a, int cost)
{
    bool call = a->call >= 0 || a->maker >= 0 || a->own >= 0 || a->wrote != -1,
         read = a->read >= 0 || a->reader >= 0 || a->part >= 0 || a->bind >= 0;
    return runs_before(s, a, NULL, cost) && !call && !read && !a->first && !a->guards && a->later < 0 &&
           (!s->settings || a->settings == CS_SETTINGS_ALL);
}

bool cs_way_adds_nothing(const struct cs_way_search *s, int state, int cost, bool part)
{
    int n = 0;
    bool worse = false;
    for (int i = s->w->marked[state]; i >= 0; i = s->w->marks[i].next, n++) {
        worse |= s->w->marks[i].cost > cost;
        if (s->w->marks[i].cost <= cost && covers_all(s, &s->w->marks[i], cost))
            return true;
    }
    return !worse && n >= (part ? PARTS : MOST);
}

void cs_way_add_mark(struct cs_way_search *s, struct cs_way_mark m)
{
    struct cs_ways *w = s->w;
    bool part = m.part >= 0 || m.own >= 0 || m.bind >= 0 || m.reader >= 0 || cs_way_in_message(w, m.read, m.state / 2);
    int n = 0, most = part ? PARTS : MOST;
    if (is_known(s, &m, &n))
        return;
    drop_worse(s, &m);
    if (n >= most && !drop_worst(s, &m))
        return;
    m.next = w->marked[m.state];
    CS_GROW(w->marks, w->nmarks, w->amarks);
    w->marked[m.state] = w->nmarks;
    w->marks[w->nmarks] = m;
    cs_way_queue_push(&s->heap, m.cost, w->nmarks++);
}
