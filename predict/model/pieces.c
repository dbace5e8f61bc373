/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of computation one by one, and what several replays of them say; pieces.h. */
#include "predict/model/pieces.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"

/* A piece of which others had that share of the processor was disturbed. */
static const double DISTURBED = 0.1;

/* A rank that was replayed: its pieces, each with the least time of all its replays so far. */
struct cs_replayed {
    int run, rank, nreplays, npieces;
    bool differs; /* the replays made other calls than the first one */
    struct cs_computed_piece *piece;
};

static int number_of(const int *site, int at)
{
    return at < 0 ? -1 : site[at];
}

int cs_list_pieces(const struct cs_observations *o, const struct cs_trace *t, int rank, const int *site,
                   struct cs_computed_piece **piece)
{
    struct cs_trace_iter *it = cs_trace_iter_open(t, rank);
    struct cs_computed_piece *p = NULL;
    struct cs_event e;
    int n = 0, cap = 0, rc = it ? 1 : -1, last_site = -1;
    int64_t last_exit = 0;
    while (rc == 1 && (rc = cs_trace_iter_next(it, &e)) == 1) {
        double all = (double)(e.t_enter - last_exit), lost = (double)e.t_delay;
        int segment = cs_observed_segment_find(o, number_of(site, last_site), number_of(site, e.site));
        if (segment < 0 || !CS_MAKE_ROOM(p, n, cap)) {
            rc = -1;
            break;
        }
        p[n++] = (struct cs_computed_piece){segment, lost > DISTURBED * all, fmax(all - lost, 0)};
        last_site = e.site;
        last_exit = e.t_exit;
    }
    cs_trace_iter_free(it);
    if (rc < 0) {
        free(p);
        return -1;
    }
    *piece = p;
    return n;
}

static struct cs_replayed *find(const struct cs_observations *o, int run, int rank)
{
    for (int i = 0; i < o->nreplayed; i++)
        if (o->replayed[i].run == run && o->replayed[i].rank == rank)
            return &o->replayed[i];
    return NULL;
}

static bool same_calls(const struct cs_replayed *r, const struct cs_computed_piece *piece, int n)
{
    for (int i = 0; i < n && n == r->npieces; i++)
        if (piece[i].segment != r->piece[i].segment)
            return false;
    return n == r->npieces;
}

/* Is it nearer to what the piece takes undisturbed? */
static bool is_better(const struct cs_computed_piece *new, const struct cs_computed_piece *old)
{
    return new->disturbed == old->disturbed ? new->ns < old->ns : old->disturbed;
}

int cs_replay_add(struct cs_observations *o, const struct cs_trace *t, int run, int rank, const int *site)
{
    struct cs_computed_piece *piece = NULL;
    int n = cs_list_pieces(o, t, rank, site, &piece);
    struct cs_replayed *r = find(o, run, rank);
    if (r && n >= 0 && same_calls(r, piece, n)) {
        for (int i = 0; i < n; i++)
            r->piece[i] = is_better(&piece[i], &r->piece[i]) ? piece[i] : r->piece[i];
        r->nreplays++;
    } else if (r) {
        r->differs = true;
    } else {
        if (!CS_MAKE_ROOM(o->replayed, o->nreplayed, o->replayed_cap)) {
            free(piece);
            return -1;
        }
        o->replayed[o->nreplayed++] = (struct cs_replayed){run, rank, 1, n < 0 ? 0 : n, n < 0, piece};
        return 0;
    }
    free(piece);
    return 0;
}

double cs_replayed_ns(const struct cs_observations *o, int segment, int run, int rank, double *first)
{
    const struct cs_replayed *r = find(o, run, rank);
    double ns = 0;
    if (!r)
        return -1;
    *first = 0;
    if (r->differs)
        return -1;
    for (int i = 0; i < r->npieces; i++) {
        if (r->piece[i].segment != segment)
            continue;
        *first = *first > 0 ? *first : r->piece[i].ns;
        ns += r->piece[i].ns;
    }
    return r->nreplays < 2 ? -1 : ns;
}

void cs_replays_free(struct cs_observations *o)
{
    for (int i = 0; i < o->nreplayed; i++)
        free(o->replayed[i].piece);
    free(o->replayed);
    o->replayed = NULL;
    o->nreplayed = o->replayed_cap = 0;
}
