/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the record that made each persistent request of a class. Requests are numbered in the order of the calls that
 * made them, and MPI_Start names its request by that number. Only loops with such calls are unrolled. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "api/mpi_calls.h"
#include "trace/analyse/profile_internal.h"

#define MOST (1 << 24) /* requests of a class; what later ones send is counted as of unknown destination */

/* A walk through the nest for one class; p->inits[cls] grows, of capacity `cap`. */
struct finder {
    struct cs_profile *p;
    int cls;
    bool *has;     /* of each node: a persistent request is made in it */
    int32_t *turn; /* of each node with a cycle: which symbol comes next */
    int64_t cap;
    bool failed, full;
};

static bool makes(int call)
{
    return cs_mpi_call(call)->flags & CS_MPI_PERSISTENT;
}

static bool find_nodes(struct finder *f, int64_t from, int64_t to)
{
    bool any = false;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &f->p->m->node[i];
        f->has[i] = n->count ? find_nodes(f, i + 1, i + 1 + n->value) : makes(f->p->m->symbol[n->value].call);
        any |= f->has[i];
        i += n->count ? n->value : 0;
    }
    return any;
}

static void add(struct finder *f, int32_t record)
{
    struct cs_profile *p = f->p;
    if (p->ninits[f->cls] == MOST) {
        f->full = true;
        return;
    }
    if (!CS_MAKE_ROOM(p->inits[f->cls], p->ninits[f->cls], f->cap)) {
        f->failed = true;
        return;
    }
    p->inits[f->cls][p->ninits[f->cls]++] = record;
}

/* The entry of a node's cycle that is due: a symbol, or a loop's count. */
static int turn_of(struct finder *f, int64_t node)
{
    const struct cs_nest_node *n = &f->p->m->node[node];
    int x = f->p->m->cycle[n->cycle + f->turn[node]];
    f->turn[node] = f->turn[node] + 1 == n->ncycle ? 0 : f->turn[node] + 1;
    return x;
}

static int64_t count_of(struct finder *f, int64_t loop)
{
    const struct cs_nest_node *n = &f->p->m->node[loop];
    return n->ncycle ? turn_of(f, loop) : n->count;
}

static void symbol(struct finder *f, int64_t node)
{
    const struct cs_merged *m = f->p->m;
    const struct cs_nest_node *n = &m->node[node];
    int which = n->ncycle ? turn_of(f, node) : n->value;
    const struct cs_merged_part *part = cs_merged_part_of(&m->symbol[which], f->cls);
    if (part)
        add(f, part->record);
}

static void nodes(struct finder *f, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to && !f->failed && !f->full; i++) {
        const struct cs_nest_node *n = &f->p->m->node[i];
        if (f->has[i] && !n->count)
            symbol(f, i);
        for (int64_t k = 0, count = f->has[i] && n->count ? count_of(f, i) : 0; k < count && !f->failed && !f->full;
             k++)
            nodes(f, i + 1, i + 1 + n->value);
        i += n->count ? n->value : 0;
    }
}

int cs_profile_inits(struct cs_profile *p)
{
    size_t n = (size_t)p->m->nnodes + 1;
    struct finder f = {.p = p, .has = calloc(n, sizeof *f.has), .turn = calloc(n, sizeof *f.turn)};
    f.failed = !f.has || !f.turn;
    if (!f.failed && find_nodes(&f, 0, p->m->nnodes))
        for (f.cls = 0; f.cls < p->m->nclasses && !f.failed; f.cls++) {
            memset(f.turn, 0, n * sizeof *f.turn);
            f.cap = 0;
            f.full = false;
            nodes(&f, 0, p->m->nnodes);
        }
    free(f.has);
    free(f.turn);
    return f.failed ? -1 : 0;
}
