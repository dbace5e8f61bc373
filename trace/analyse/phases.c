/* SPDX-License-Identifier: BSD-3-Clause
 * The bins of phases.h. Every node gets what one occurrence of it stands for; then the nest is gone through once. */
#include "trace/analyse/phases.h"

#include <assert.h>
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "trace/analyse/args.h"

/* Figures in a phase. */
enum { VALUES = sizeof(struct cs_run_phase) / sizeof(double) };

/* A phase's figures one by one, to be added and scaled all alike. */
union vector {
    struct cs_run_phase is;
    double x[VALUES];
};

/* The run while it is dealt out to bins, from the left. */
struct dealer {
    const struct cs_profile *p;
    bool by_time;
    union vector *one;  /* of each node: one occurrence; of a loop: one iteration of its body */
    double *weight;     /* of the same, on the axis */
    int n, at;          /* bins; the one that is being filled */
    double width, left; /* of a bin; room in this one */
    struct cs_run_phase *bin;
};

enum cs_doing cs_doing_of(int call)
{
    switch (cs_mpi_call(call)->kind) {
    case CS_MPI_SEND:
    case CS_MPI_RECV:
    case CS_MPI_ISEND:
    case CS_MPI_IRECV:
    case CS_MPI_SENDRECV:
    case CS_MPI_SEND_INIT:
    case CS_MPI_RECV_INIT:
    case CS_MPI_START: return CS_DOING_POINT;
    case CS_MPI_WAIT:
    case CS_MPI_WAIT_SOME:
    case CS_MPI_TEST:
    case CS_MPI_PROBE:
    case CS_MPI_IPROBE: return CS_DOING_WAIT;
    case CS_MPI_COLL:
    case CS_MPI_BARRIER: return CS_DOING_COLLECTIVE;
    case CS_MPI_RMA: return cs_args_reaches(cs_mpi_call(call)) ? CS_DOING_POINT : CS_DOING_WAIT;
    default: return CS_DOING_OTHER;
    }
}

static double sum(const double x[CS_DOING_COUNT])
{
    double s = 0;
    for (int i = 0; i < CS_DOING_COUNT; i++)
        s += x[i];
    return s;
}

static void add(union vector *to, const union vector *v, double times)
{
    for (int i = 0; i < VALUES; i++)
        to->x[i] += times * v->x[i];
}

/* ---- one occurrence of each node ---- */

static void set_symbol(struct dealer *d, int64_t node, int64_t times)
{
    const struct cs_merged *m = d->p->m;
    const struct cs_merged_symbol *l = &m->symbol[m->node[node].value];
    struct cs_run_phase *v = &d->one[node].is;
    struct cs_sums s = cs_profile_node(d->p, node, times);
    enum cs_doing doing = cs_doing_of(l->call);
    double n = (double)times;
    v->calls[doing] = (double)s.calls / n;
    v->bytes = (double)s.bytes / n;
    v->handed = (double)s.handed / n;
    for (int k = 0; m->gap_at && k < l->nparts; k++) {
        const struct cs_gap *g = &m->gap[m->gap_at[node] + k];
        v->ns[doing] += g->busy > 0 ? g->busy / n : 0;
        v->ns[CS_DOING_OUTSIDE] += g->gap > 0 ? g->gap / n : 0;
    }
}

static union vector set_nodes(struct dealer *d, int64_t from, int64_t to, int64_t times)
{
    union vector all = {.x = {0}};
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &d->p->m->node[i];
        if (n->count)
            d->one[i] = set_nodes(d, i + 1, i + 1 + n->value, times * n->count);
        else
            set_symbol(d, i, times);
        d->weight[i] = sum(d->by_time ? d->one[i].is.ns : d->one[i].is.calls);
        add(&all, &d->one[i], n->count ? (double)n->count : 1);
        i += n->count ? n->value : 0;
    }
    return all;
}

/* ---- dealing ---- */

static void next_bin(struct dealer *d)
{
    d->at += d->at + 1 < d->n;
    d->left = d->width;
}

/* What happens `times` times and has this weight each is spread evenly over the bins that it reaches into. */
static void spread(struct dealer *d, const union vector *v, double times, double weight)
{
    double rest = times * weight;
    while (rest > d->left && d->at + 1 < d->n) {
        add((union vector *)&d->bin[d->at], v, d->left / weight);
        rest -= d->left;
        next_bin(d);
    }
    add((union vector *)&d->bin[d->at], v, weight > 0 ? rest / weight : times);
    d->left -= rest;
}

static void deal(struct dealer *d, int64_t from, int64_t to);

/* Of a loop with many iterations in a bin, each bin gets its share, and not one iteration more or less by chance. */
static void deal_loop(struct dealer *d, int64_t node)
{
    const struct cs_nest_node *n = &d->p->m->node[node];
    if (d->weight[node] < d->width || d->at + 1 == d->n) {
        spread(d, &d->one[node], (double)n->count, d->weight[node]);
        return;
    }
    for (int64_t k = 0; k < n->count; k++)
        deal(d, node + 1, node + 1 + n->value);
}

static void deal(struct dealer *d, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &d->p->m->node[i];
        if (!n->count) {
            spread(d, &d->one[i], 1, d->weight[i]);
            continue;
        }
        deal_loop(d, i);
        i += n->value;
    }
}

int cs_phases_make(const struct cs_profile *p, bool by_time, int n, struct cs_run_phase *bin)
{
    const struct cs_merged *m = p->m;
    struct dealer d = {.p = p,
                       .by_time = by_time,
                       .n = n,
                       .bin = bin,
                       .one = calloc((size_t)m->nnodes + 1, sizeof *d.one),
                       .weight = calloc((size_t)m->nnodes + 1, sizeof *d.weight)};
    int rc = d.one && d.weight ? 0 : -1;
    assert(n > 0);
    for (int i = 0; i < n; i++)
        bin[i] = (struct cs_run_phase){.bytes = 0};
    if (!rc) {
        union vector all = set_nodes(&d, 0, m->nnodes, 1);
        d.width = d.left = sum(by_time ? all.is.ns : all.is.calls) / n;
        deal(&d, 0, m->nnodes);
    }
    free(d.one);
    free(d.weight);
    return rc;
}
