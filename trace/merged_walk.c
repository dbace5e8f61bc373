/* SPDX-License-Identifier: BSD-3-Clause
 * One rank's events out of the merged form. The nest is reduced to what the rank's class does, then unrolled; what was put in
 * another order goes back to its place on the way. */
#include <stdlib.h>
#include <string.h>

#include "merged.h"

/* The nest without the other classes: a letter, or a loop followed by its body. */
struct step {
    int64_t node;
    int64_t count;              /* 0: a letter */
    int32_t skip;               /* steps of the loop's body */
    int32_t turn;               /* the next one of the letter's cycle */
};

struct pending { int32_t step, record, shift; };    /* step -1: none */

struct frame { int32_t first, end; int64_t iteration, count; };

struct cs_merged_walk {
    const struct cs_merged *m;
    int rank, cls;
    struct step *step;
    int32_t nsteps, at;
    struct frame *frame;
    int depth, deepest;
    int64_t **fields;           /* of each record, as they are on the rank; NULL: not asked for yet */
    struct pending *queue;      /* what may still get another before it */
    int delay, queued;
    bool end;
};

static void project_letter(struct cs_merged_walk *w, int64_t node)
{
    const struct cs_merged *m = w->m;
    const struct cs_nest_node *n = &m->node[node];
    bool any = false;
    for (int32_t k = 0; k < (n->ncycle ? n->ncycle : 1); k++) {
        const struct cs_merged_part *p = cs_merged_part_of(&m->letter[n->ncycle ? m->cycle[n->cycle + k] : n->value], w->cls);
        any |= p != NULL;
        if (p && p->shift > w->delay)
            w->delay = p->shift;
    }
    if (any)
        w->step[w->nsteps++] = (struct step){.node = node};
}

static void project(struct cs_merged_walk *w, int64_t from, int64_t to, int depth)
{
    const struct cs_merged *m = w->m;
    w->deepest = depth > w->deepest ? depth : w->deepest;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->count == 0) {
            project_letter(w, i);
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

struct cs_merged_walk *cs_merged_walk_open(const struct cs_merged *m, int rank, bool original)
{
    struct cs_merged_walk *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->m = m;
    w->rank = rank;
    w->cls = m->class_of[rank];
    w->step = malloc(((size_t)m->nnodes + 1) * sizeof *w->step);
    w->fields = calloc((size_t)m->nrecords + 1, sizeof *w->fields);
    if (!w->step || !w->fields)
        goto bad;
    project(w, 0, m->nnodes, 0);
    if (!original)
        w->delay = 0;
    w->frame = calloc((size_t)w->deepest + 1, sizeof *w->frame);
    w->queue = malloc(((size_t)w->delay + 1) * sizeof *w->queue);
    if (!w->frame || !w->queue)
        goto bad;
    w->frame[0] = (struct frame){0, w->nsteps, 0, 1};
    return w;
bad:
    cs_merged_walk_free(w);
    return NULL;
}

void cs_merged_walk_free(struct cs_merged_walk *w)
{
    if (!w)
        return;
    for (int i = 0; w->fields && i < w->m->nrecords; i++)
        free(w->fields[i]);
    free(w->fields);
    free(w->step);
    free(w->frame);
    free(w->queue);
    free(w);
}

/* What a letter's step is this time; step -1 if it is not the class's turn. */
static struct pending occurrence(struct cs_merged_walk *w, int32_t at)
{
    struct step *s = &w->step[at];
    const struct cs_nest_node *n = &w->m->node[s->node];
    int letter = n->value;
    if (n->ncycle) {
        letter = w->m->cycle[n->cycle + s->turn];
        s->turn = s->turn + 1 == n->ncycle ? 0 : s->turn + 1;
    }
    const struct cs_merged_part *p = cs_merged_part_of(&w->m->letter[letter], w->cls);
    return p ? (struct pending){at, p->record, p->shift} : (struct pending){-1, 0, 0};
}

/* The next letter, loops unrolled; step -1 at the end. */
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
                return (struct pending){-1, 0, 0};
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
        w->frame[++w->depth] = (struct frame){w->at, w->at + s->skip, 0, s->count};
    }
}

/* The same, with those of a regularised order put back. */
static struct pending next_in_order(struct cs_merged_walk *w)
{
    while (!w->end && w->queued <= w->delay) {
        struct pending p = next_step(w);
        if (p.step < 0) {
            w->end = true;
            break;
        }
        int at = p.shift < w->queued ? w->queued - p.shift : 0;
        memmove(w->queue + at + 1, w->queue + at, (size_t)(w->queued - at) * sizeof *w->queue);
        w->queue[at] = p;
        w->queued++;
    }
    if (w->queued == 0)
        return (struct pending){-1, 0, 0};
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
    struct cs_place p = r->comm >= 0 ? cs_merged_place(w->m, r->comm, w->rank) : (struct cs_place){-1, 0};
    for (int i = 0; i < r->nfields; i++)
        f[i] = cs_value_at(&r->field[i], w->m->place_of[w->rank], p.me, p.n);
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
    if (node)
        *node = w->step[p.step].node;
    return 1;
}
