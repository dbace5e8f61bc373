/* SPDX-License-Identifier: BSD-3-Clause
 * Gathers the pieces of a run by segment, rank and time; see run_variation.h. */
#include "predict/model/run_variation.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "predict/model/pieces.h"
#include "predict/model/variation.h"

/* Ranks and times of each that are looked at. */
enum { RANKS = 64, TIMES = 500 };
/* A first time that is known is at least so long. */
static const double LEAST_NS = 1;

/* The times of a segment: those of rank r from ns[r * TIMES] on. */
struct gathered {
    int64_t went[RANKS]; /* how often each rank went this way */
    double *ns;
};

static void free_all(struct gathered *g, int n)
{
    for (int i = 0; g && i < n; i++)
        free(g[i].ns);
    free(g);
}

/* 0, or -1: no memory. */
static int gather_rank(const struct cs_computed_piece *p, int n, int rank, int nranks, struct gathered *g)
{
    for (int i = 0; i < n; i++) {
        struct gathered *s = &g[p[i].segment];
        if (!s->ns && !(s->ns = malloc((size_t)nranks * TIMES * sizeof *s->ns)))
            return -1;
        if (s->went[rank] < TIMES)
            s->ns[rank * TIMES + s->went[rank]] = p[i].ns;
        s->went[rank]++;
    }
    return 0;
}

/* The first of the pieces of each segment is the first time of the rank's row, which is one of the last. */
static void note_first_times(struct cs_observations *o, const struct cs_computed_piece *p, int n, int run, int rank)
{
    for (int i = 0; i < n; i++) {
        struct cs_observed_segment *s = &o->segment[p[i].segment];
        int k = s->nrows - 1;
        while (k >= 0 && s->row[k].run == run && s->row[k].rank != rank)
            k--;
        if (k >= 0 && s->row[k].run == run && s->row[k].first <= 0)
            s->row[k].first = fmax(p[i].ns, LEAST_NS);
    }
}

static int gather(struct cs_observations *o, const struct cs_trace *t, int rank, int nranks, struct gathered *g)
{
    int nsites = 0, rc = -1;
    while (cs_trace_site(t, rank, nsites))
        nsites++;
    int *site = malloc(((size_t)nsites + 1) * sizeof *site);
    struct cs_computed_piece *piece = NULL;
    for (int i = 0; site && i < nsites; i++)
        site[i] = cs_observed_site_find(o, cs_trace_site(t, rank, i));
    int n = site ? cs_list_pieces(o, t, rank, site, &piece) : 0;
    note_first_times(o, piece, n, o->nruns - 1, rank);
    if (site)
        rc = gather_rank(piece, n < 0 ? 0 : n, rank, nranks, g);
    free(piece);
    free(site);
    return rc;
}

/* Most ranks that went this way equally often, one after the other in `ns`, each with so many times. Their number. */
static int pack(struct gathered *g, int nranks, int *ntimes)
{
    int most = 0, n = 0;
    int64_t went = 0;
    for (int r = 0; r < nranks; r++) {
        int alike = 0;
        for (int q = 0; q < nranks; q++)
            alike += g->went[q] == g->went[r];
        if (g->went[r] > 0 && alike > most) {
            most = alike;
            went = g->went[r];
        }
    }
    *ntimes = went < TIMES ? (int)went : TIMES;
    for (int r = 0; r < nranks && most; r++) {
        if (g->went[r] != went)
            continue;
        for (int k = 0; k < *ntimes; k++)
            g->ns[n * *ntimes + k] = g->ns[r * TIMES + k];
        n++;
    }
    return n;
}

/* 0, or -1: no memory. */
static int learn(struct cs_observed_segment *s, struct gathered *g, int run, int nranks)
{
    struct cs_variation v;
    int ntimes, n = pack(g, nranks, &ntimes), rc = n ? cs_variation_learn(g->ns, n, ntimes, &v) : 1;
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    v.run = run;
    return cs_observed_add_variation(s, &v);
}

int cs_observe_variation(struct cs_observations *o, const struct cs_trace *t)
{
    int nranks = cs_trace_info(t)->nranks < RANKS ? cs_trace_info(t)->nranks : RANKS, rc = 0;
    struct gathered *g = calloc((size_t)o->nsegments + 1, sizeof *g);
    for (int r = 0; g && r < nranks && !rc; r++)
        rc = gather(o, t, r, nranks, g);
    for (int i = 0; g && i < o->nsegments && !rc; i++)
        rc = learn(&o->segment[i], &g[i], o->nruns - 1, nranks);
    free_all(g, o->nsegments);
    return g ? rc : -1;
}
