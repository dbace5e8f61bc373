/* SPDX-License-Identifier: BSD-3-Clause
 * Walks through one rank's events. The nest is reduced to the steps of the rank's class, which are then unrolled. In a
 * regularised order, a queue holds events back until those that the rank made before them have come. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/nest/merged_walk.h"

/* A node of the nest as the class sees it. In preorder: a loop is followed by its body. */
struct step {
    int64_t node;
    int64_t count; /* 0: a symbol */
    int32_t skip;  /* steps of the loop's body */
};

/* An event to come. */
struct pending {
    int32_t step, record, shift; /* step -1: there is none; shift as in struct cs_merged_part */
    int64_t position;            /* its number among the rank's events, in the order of the nest */
};

/* A loop that the walk is in: its nodes [first, end), and which of how many iterations it does. */
struct frame {
    int32_t first, end;
    int64_t iteration, count;
};

/* step[] is the nest without what other classes do, in preorder; frame[0 .. depth] are the loops that the walk is in;
 * queue[] delays events until all that belong before them have come. */
struct cs_merged_walk {
    const struct cs_merged *m;
    int rank, cls;
    struct step *step;
    bool borrowed; /* the steps are another walk's */
    int32_t *turn; /* of each step: the index in its node's cycle that comes next */
    int32_t nsteps, at;
    int64_t most, position, last; /* iterations of a loop at most; events so far; position of the last one given */
    struct frame *frame;
    int depth, deepest;
    int64_t **fields;      /* of each record, as they are on the rank; NULL: not asked for yet */
    struct pending *queue; /* in the original order; events to come may still be inserted */
    int delay, queued;     /* largest shift of the class; entries of `queue` */
    bool end;
};

/* Adds a step for the symbol at a node, if the class takes part in any symbol of its cycle. */
static void project_symbol(struct cs_merged_walk *w, int64_t node)
{
    const struct cs_merged *m = w->m;
    const struct cs_nest_node *n = &m->node[node];
    bool any = false;
    for (int32_t k = 0; k < (n->ncycle ? n->ncycle : 1); k++) {
        const struct cs_merged_part *p =
            cs_merged_part_of(&m->symbol[n->ncycle ? m->cycle[n->cycle + k] : n->value], w->cls);
        any |= p != NULL;
        if (p && p->shift > w->delay)
            w->delay = p->shift;
    }
    if (any)
        w->step[w->nsteps++] = (struct step){.node = node};
}

/* Adds the steps of nodes [from, to); a loop in which the class does nothing is left out. */
static void project(struct cs_merged_walk *w, int64_t from, int64_t to, int depth)
{
    const struct cs_merged *m = w->m;
    w->deepest = depth > w->deepest ? depth : w->deepest;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->count == 0) {
            project_symbol(w, i);
            continue;
        }
        int32_t loop = w->nsteps++;
        project(w, i + 1, i + 1 + n->value, depth + 1);
        w->step[loop] = (struct step){.node = i, .count = n->count, .skip = w->nsteps - loop - 1};
        if (w->step[loop].skip == 0)
            w->nsteps--;
        i += n->value;
    }
}

static int start(struct cs_merged_walk *w, bool original, int64_t max_iterations)
{
    if (!original)
        w->delay = 0;
    w->most = max_iterations > 0 ? max_iterations : INT64_MAX;
    w->fields = calloc((size_t)w->m->nrecords + 1, sizeof *w->fields);
    w->turn = calloc((size_t)w->nsteps + 1, sizeof *w->turn);
    w->frame = calloc((size_t)w->deepest + 1, sizeof *w->frame);
    w->queue = malloc(((size_t)w->delay + 1) * sizeof *w->queue);
    if (!w->fields || !w->turn || !w->frame || !w->queue)
        return -1;
    w->frame[0] = (struct frame){0, w->nsteps, 0, 1};
    return 0;
}

static struct cs_merged_walk *open_walk(const struct cs_merged *m, int rank, bool original, int64_t max_iterations)
{
    struct cs_merged_walk *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    *w = (struct cs_merged_walk){.m = m, .rank = rank, .cls = m->class_of[rank]};
    w->step = malloc(((size_t)m->nnodes + 1) * sizeof *w->step);
    if (w->step)
        project(w, 0, m->nnodes, 0);
    if (!w->step || start(w, original, max_iterations)) {
        cs_merged_walk_free(w);
        return NULL;
    }
    return w;
}

struct cs_merged_walk *cs_merged_walk_open(const struct cs_merged *m, int rank, bool original)
{
    return open_walk(m, rank, original, 0);
}

struct cs_merged_walk *cs_merged_walk_share(const struct cs_merged *m, int rank, struct cs_merged_walk **first,
                                            int64_t max_iterations)
{
    struct cs_merged_walk *w = calloc(1, sizeof *w);
    if (!w || (!*first && !(*first = open_walk(m, rank, true, max_iterations)))) {
        free(w);
        return NULL;
    }
    *w = (struct cs_merged_walk){.m = m,
                                 .rank = rank,
                                 .cls = (*first)->cls,
                                 .step = (*first)->step,
                                 .borrowed = true,
                                 .nsteps = (*first)->nsteps,
                                 .deepest = (*first)->deepest,
                                 .delay = (*first)->delay};
    if (start(w, true, max_iterations)) {
        cs_merged_walk_free(w);
        return NULL;
    }
    return w;
}

int64_t cs_merged_walk_position(const struct cs_merged_walk *w)
{
    return w->last;
}

void cs_merged_walk_free(struct cs_merged_walk *w)
{
    if (!w)
        return;
    for (int i = 0; w->fields && i < w->m->nrecords; i++)
        free(w->fields[i]);
    free(w->fields);
    if (!w->borrowed)
        free(w->step);
    free(w->turn);
    free(w->frame);
    free(w->queue);
    free(w);
}

/* The entry of the cycle of a step's node (a symbol or a count) that is due; the next one is due then. */
static int32_t turn_of(struct cs_merged_walk *w, const struct cs_nest_node *n, int32_t at)
{
    int32_t x = w->m->cycle[n->cycle + w->turn[at]];
    w->turn[at] = w->turn[at] + 1 == n->ncycle ? 0 : w->turn[at] + 1;
    return x;
}

/* The event of a symbol's step at this occurrence; step -1 if the class has no part in the symbol that is due. */
static struct pending occurrence(struct cs_merged_walk *w, int32_t at)
{
    const struct cs_nest_node *n = &w->m->node[w->step[at].node];
    assert(n->count == 0);
    int symbol = n->ncycle ? turn_of(w, n, at) : n->value;
    const struct cs_merged_part *p = cs_merged_part_of(&w->m->symbol[symbol], w->cls);
    return p ? (struct pending){at, p->record, p->shift, w->position++} : (struct pending){-1, 0, 0, 0};
}

/* The next event in the order of the nest, loops unrolled; step -1 at the end. */
static struct pending next_step(struct cs_merged_walk *w)
{
    for (;;) {
        struct frame *f = &w->frame[w->depth];
        if (w->at == f->end) {
            if (++f->iteration < f->count) {
                w->at = f->first;
                continue;
            }
            if (w->depth == 0) {
                f->iteration--;
                return (struct pending){-1, 0, 0, 0};
            }
            w->depth--;
            continue;
        }
        const struct step *s = &w->step[w->at++];
        if (s->count == 0) {
            struct pending p = occurrence(w, w->at - 1);
            if (p.step >= 0)
                return p;
            continue;
        }
        const struct cs_nest_node *n = &w->m->node[s->node];
        int64_t count = n->ncycle ? turn_of(w, n, w->at - 1) : s->count;
        if (count)
            w->frame[++w->depth] = (struct frame){w->at, w->at + s->skip, 0, count < w->most ? count : w->most};
        else
            w->at += s->skip;
    }
}

/* The next event in the original order: each event goes in front of the last `shift` ones of the queue. An event whose
 * place can no longer change is at the front when the queue has more than `delay` entries. */
static struct pending next_in_order(struct cs_merged_walk *w)
{
    while (!w->end && w->queued <= w->delay) {
        struct pending p = next_step(w);
        if (p.step < 0) {
            w->end = true;
            break;
        }
        int at = p.shift < w->queued ? w->queued - p.shift : 0;
        assert(p.shift <= w->delay);
        memmove(w->queue + at + 1, w->queue + at, (size_t)(w->queued - at) * sizeof *w->queue);
        w->queue[at] = p;
        w->queued++;
    }
    if (w->queued == 0)
        return (struct pending){-1, 0, 0, 0};
    struct pending first = w->queue[0];
    memmove(w->queue, w->queue + 1, (size_t)--w->queued * sizeof *w->queue);
    return first;
}

static int64_t *fields_of(struct cs_merged_walk *w, int record)
{
    const struct cs_merged_record *r = &w->m->record[record];
    int64_t *f = w->fields[record];
    if (f)
        return f;
    f = w->fields[record] = malloc(((size_t)r->nfields + 1) * sizeof *f);
    if (!f)
        return NULL;
    struct cs_comm_rank p = r->comm >= 0 ? cs_merged_comm_rank(w->m, r->comm, w->rank) : (struct cs_comm_rank){-1, 0};
    for (int i = 0; i < r->nfields; i++)
        f[i] = cs_merged_value_at(&r->field[i], w->m->index_in_class[w->rank], p.me, p.n);
    return f;
}

int cs_merged_walk_next(struct cs_merged_walk *w, struct cs_event *e, int64_t *node)
{
    struct pending p = w->delay ? next_in_order(w) : next_step(w);
    if (p.step < 0)
        return 0;
    const struct cs_merged_record *r = &w->m->record[p.record];
    const int64_t *f = fields_of(w, p.record);
    if (!f)
        return -1;
    *e = (struct cs_event){.call = r->call, .site = r->site, .mark = r->mark, .nfields = r->nfields, .fields = f};
    w->last = p.position;
    if (node)
        *node = w->step[p.step].node;
    return 1;
}
