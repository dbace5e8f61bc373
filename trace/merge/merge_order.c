/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithm 1: puts the calls of a rank into an order that does not depend on the rank. A round is a stretch of sends,
 * receives and waits in which no call occurs twice; its calls are sorted by what they do. Each call keeps its shift,
 * from which the original order is restored. The replay checks whether the run can end in the new order. */
#include <stdlib.h>
#include <string.h>

#include "trace/merge/merge_internal.h"

/* What a call does, as Algorithm 1 tells calls apart. */
enum part { POST, SEND, RECV, WAIT, OTHER };

static enum part part_of(const struct cs_merged_record *r)
{
    switch (cs_mpi_call(r->call)->kind) {
    case CS_MPI_IRECV: return r->comm < 0 ? OTHER : POST; /* not one that takes a probed message */
    case CS_MPI_SEND:
    case CS_MPI_ISEND: return SEND;
    case CS_MPI_RECV: return r->comm < 0 ? OTHER : RECV;
    case CS_MPI_WAIT: return WAIT;
    default: return OTHER;
    }
}

/* Where a call comes in its round; -1: it ends the round. */
static int place_in_round(enum cs_call_order order, enum part p)
{
    static const signed char table[][OTHER] = {/* POST, SEND, RECV, WAIT */
                                               [CS_ORDER_POST_FIRST] = {0, 1, -1, 2},
                                               [CS_ORDER_SEND_FIRST] = {-1, 0, 1, -1},
                                               [CS_ORDER_RECEIVE_FIRST] = {-1, 1, 0, -1},
                                               [CS_ORDER_PAPER] = {0, 2, 3, 1}};
    return p == OTHER ? -1 : table[order][p];
}

/* One stream while its calls are put into order. A call that moves past others counts requests from elsewhere, so the
 * stream gets new variants: pairs of a symbol and a shift. */
struct ordering {
    enum cs_call_order order;
    const struct cs_merged *m;
    struct cs_stream *s;
    int64_t *seen; /* of each symbol: the round that had it last, from 1 */
    int64_t round;
    struct cs_variant *variant;
    size_t cap;
    int n;
    int *first; /* of each symbol: its variants, as a list */
    int *next;
    size_t next_cap;
    uint32_t *sorted; /* scratch, as the two below */
    int64_t *from;
};

/* The number of (symbol, shift) among the new variants; -1: no memory. */
static int variant_of(struct ordering *o, uint32_t symbol, int shift)
{
    for (int v = o->first[symbol]; v >= 0; v = o->next[v])
        if (o->variant[v].shift == shift)
            return v;
    if (!CS_MAKE_ROOM_FOR(o->variant, (size_t)o->n + 1, o->cap) ||
        !CS_MAKE_ROOM_FOR(o->next, (size_t)o->n + 1, o->next_cap))
        return -1;
    o->variant[o->n] = (struct cs_variant){o->s->variant[symbol].record, shift};
    o->next[o->n] = o->first[symbol];
    o->first[symbol] = o->n;
    return o->n++;
}

static int place_of_symbol(const struct ordering *o, uint32_t symbol)
{
    return place_in_round(o->order, part_of(&o->m->record[o->s->variant[symbol].record]));
}

/* The shift of the i-th call of the sorted round: how many calls before it come after it in the original order. */
static int shift_of(const struct ordering *o, int64_t i)
{
    int shift = 0;
    for (int64_t k = 0; k < i; k++)
        shift += o->from[k] > o->from[i];
    return shift;
}

/* Sorts the round s[0..n) stably by place_of_symbol; symbols become items of variants. 0, or -1: no memory. */
static int sort_round(struct ordering *o, uint32_t *s, int64_t n)
{
    int64_t at = 0;
    for (int p = 0; p < 4; p++)
        for (int64_t i = 0; i < n; i++)
            if (place_of_symbol(o, s[i]) == p) {
                o->from[at] = i;
                o->sorted[at++] = s[i];
            }
    for (int64_t i = 0; i < n; i++) {
        int v = variant_of(o, o->sorted[i], shift_of(o, i));
        if (v < 0)
            return -1;
        s[i] = 2 * (uint32_t)v;
    }
    return 0;
}

static int order_symbols(struct ordering *o, uint32_t *s, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        s[i] >>= 1;
    for (int64_t i = 0, end; i < n; i = end) {
        o->round++;
        for (end = i; end < n && place_of_symbol(o, s[end]) >= 0 && o->seen[s[end]] != o->round; end++)
            o->seen[s[end]] = o->round;
        if (end > i) {
            if (sort_round(o, s + i, end - i))
                return -1;
            continue;
        }
        int v = variant_of(o, s[end], 0);
        if (v < 0)
            return -1;
        s[end++] = 2 * (uint32_t)v;
    }
    return 0;
}

/* The stream must be symbols only. */
static int order_stream(const struct cs_merged *m, struct cs_stream *s, enum cs_call_order order)
{
    size_t symbols = (size_t)s->nvariants + 1;
    struct ordering o = {.order = order,
                         .m = m,
                         .s = s,
                         .seen = calloc(symbols, sizeof *o.seen),
                         .first = malloc(symbols * sizeof *o.first),
                         .sorted = malloc(symbols * sizeof *o.sorted),
                         .from = malloc(symbols * sizeof *o.from)};
    int rc = -1;
    if (o.seen && o.first && o.sorted && o.from) {
        memset(o.first, -1, symbols * sizeof *o.first);
        rc = order_symbols(&o, s->item, s->n);
    }
    if (!rc && o.n) {
        free(s->variant);
        s->variant = o.variant;
        s->nvariants = o.n;
        o.variant = NULL;
    }
    free(o.variant);
    free(o.seen);
    free(o.first);
    free(o.next);
    free(o.sorted);
    free(o.from);
    return rc;
}

int cs_merge_order(struct cs_merging *g)
{
    int rc = 0;
    for (int c = 0; c < g->m->nclasses && !rc; c++)
        rc = cs_merge_unroll(&g->nests, &g->stream[c]) || order_stream(g->m, &g->stream[c], g->o->order) ? -1 : 0;
    return rc;
}
