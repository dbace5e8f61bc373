/* SPDX-License-Identifier: BSD-3-Clause
 * Curves of machines from models: model_shares.h. A trace gives a point of each model: items of a rank, and seconds of
 * computation of the mean rank, and of rank 0, which may hand out and collect besides. What the slowest rank's
 * computation leaves of the whole time is communication. */
#define _GNU_SOURCE 1
#include "cli/balance/model_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/predict/prediction.h"

/* What a trace comes to by a model. */
struct point {
    int ranks;
    double computed, lead, communication;
};

static int most_ranks_first(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return (x->ranks < y->ranks) - (x->ranks > y->ranks);
}

/* Prices all traces. 0, or CS_EXIT_ERROR after a message. */
static int price(struct point *v, const char *model, char *const *trace, int n, const struct cs_network *network)
{
    for (int i = 0; i < n; i++) {
        struct cs_prediction p;
        struct cs_prediction_way way = {
            .model = model, .network = network, .method = CS_METHOD_SEGMENTS, .of_rank = -1};
        if (cs_prediction_make(&p, trace[i], trace[i], &way))
            return CS_EXIT_ERROR;
        double lead = p.rank[0].computed, all = p.computed_mean * p.ranks;
        v[i] = (struct point){p.ranks, p.ranks > 1 ? (all - lead) / (p.ranks - 1) : lead, lead,
                              fmax(0, p.times.seconds - p.computed_most)};
        double unmeasured = p.prices.unmeasured;
        cs_prediction_free(&p);
        if (v[i].computed <= 0)
            return cs_error("%s: it computes nothing by %s", trace[i], model);
        if (unmeasured > 0.1)
            cs_note("%s: %.0f %% of it is in pieces that %s does not know", trace[i], 100 * unmeasured, model);
    }
    qsort(v, (size_t)n, sizeof *v, most_ranks_first);
    for (int i = 1; i < n; i++)
        if (v[i].ranks == v[i - 1].ranks)
            return cs_error("two traces are of %d ranks: give one of each number", v[i].ranks);
    return CS_EXIT_OK;
}

static int set_curve(const struct cs_host_plan *p, struct cs_host *h, const struct point *v, int n)
{
    size_t bytes = (size_t)n * sizeof *h->size;
    h->size = malloc(bytes);
    h->seconds = malloc(bytes);
    h->lead = malloc(bytes);
    if (!h->size || !h->seconds || !h->lead)
        return cs_error("not enough memory");
    for (int i = 0; i < n; i++) {
        h->size[i] = (double)p->items / v[i].ranks;
        h->seconds[i] = v[i].computed;
        h->lead[i] = v[i].lead;
    }
    h->npoints = n;
    return CS_EXIT_OK;
}

/* The first machine's; waiting for ranks that compute longer than others is not in it. */
static int set_communication(struct cs_host_plan *p, const struct point *v, int n)
{
    if (!(p->communication = malloc((size_t)n * sizeof *p->communication)))
        return cs_error("not enough memory");
    for (int i = n - 1; i >= 0; i--)
        p->communication[p->ncommunication++] = (struct cs_ranks_cost){v[i].ranks, v[i].communication};
    return CS_EXIT_OK;
}

/* The machine before with the same model, whose curve is taken; NULL: none. */
static const struct cs_host *same_model(const struct cs_host_plan *p, int host)
{
    for (int i = 0; i < host; i++)
        if (strcmp(p->host[i].model, p->host[host].model) == 0)
            return &p->host[i];
    return NULL;
}

static int copy_curve(struct cs_host *to, const struct cs_host *from)
{
    size_t bytes = (size_t)from->npoints * sizeof *to->size;
    to->size = malloc(bytes);
    to->seconds = malloc(bytes);
    if (!to->size || !to->seconds)
        return cs_error("not enough memory");
    memcpy(to->size, from->size, bytes);
    memcpy(to->seconds, from->seconds, bytes);
    to->npoints = from->npoints;
    return CS_EXIT_OK;
}

int cs_hosts_by_models(struct cs_host_plan *p, char *const *trace, int ntraces, const struct cs_network *network)
{
    struct point *v = malloc((size_t)ntraces * sizeof *v);
    int code = v ? CS_EXIT_OK : cs_error("not enough memory");
    for (int i = 0; i < p->nhosts && !code; i++) {
        const struct cs_host *same = same_model(p, i);
        if (same) {
            code = copy_curve(&p->host[i], same);
            continue;
        }
        code = price(v, p->host[i].model, trace, ntraces, network);
        if (!code)
            code = set_curve(p, &p->host[i], v, ntraces);
        if (!code && i == 0)
            code = set_communication(p, v, ntraces);
    }
    free(v);
    return code;
}
