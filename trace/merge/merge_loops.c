/* SPDX-License-Identifier: BSD-3-Clause
 * Merges by loops: folds each class first, and then merges loops that run equally often as loops. If classes differ by
 * calls inside an iteration, this keeps iterations together; the plain merge may combine a call with one of another
 * iteration. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/fold/fold.h"
#include "trace/merge/merge_flat.h"
#include "trace/merge/merge_internal.h"
#include "base/error_text.h"

#define UNROLL_MAX 40000000 /* calls of all classes */

/* ---- a class's calls, unrolled ---- */

/* One class's calls while they are taken out of the merged form. */
struct unroll {
    const struct cs_merged *from;
    int cls;
    int32_t *number; /* of each symbol: its variant in the class; -1: none; -2: not seen yet */
    struct cs_stream *s;
    size_t item_cap, variant_cap;
};

/* The class's variant for a symbol of `from`; -1: the class has no part in it; -3: no memory. */
static int number_of(struct unroll *u, int symbol)
{
    if (u->number[symbol] != -2)
        return u->number[symbol];
    const struct cs_merged_part *p = cs_merged_part_of(&u->from->symbol[symbol], u->cls);
    if (!p)
        return u->number[symbol] = -1;
    int i = 0;
    while (i < u->s->nvariants && (u->s->variant[i].record != p->record || u->s->variant[i].shift != p->shift))
        i++;
    if (i == u->s->nvariants) {
        if (!CS_MAKE_ROOM_FOR(u->s->variant, (size_t)i + 1, u->variant_cap))
            return -3;
        u->s->variant[u->s->nvariants++] = (struct cs_variant){p->record, p->shift};
    }
    return u->number[symbol] = i;
}

static int unroll(struct unroll *u, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &u->from->node[i];
        size_t first = (size_t)u->s->n, body;
        if (n->count == 0) {
            int v = number_of(u, n->value);
            if (v == -3 || (v >= 0 && !CS_MAKE_ROOM_FOR(u->s->item, first + 1, u->item_cap)))
                return -1;
            if (v >= 0)
                u->s->item[u->s->n++] = (uint32_t)v;
            continue;
        }
        if (unroll(u, i + 1, i + 1 + n->value))
            return -1;
        i += n->value;
        body = (size_t)u->s->n - first;
        if (body == 0)
            continue;
        if (!CS_MAKE_ROOM_FOR(u->s->item, first + body * (size_t)n->count, u->item_cap))
            return -1;
        for (int64_t k = 1; k < n->count; k++, u->s->n += (int64_t)body)
            memcpy(u->s->item + u->s->n, u->s->item + first, body * sizeof *u->s->item);
    }
    return 0;
}

static int unroll_class(const struct cs_merged *from, int cls, struct cs_stream *s)
{
    struct unroll u = {
        .from = from, .cls = cls, .s = s, .number = malloc(((size_t)from->nsymbols + 1) * sizeof *u.number)};
    for (int i = 0; u.number && i < from->nsymbols; i++)
        u.number[i] = -2;
    int rc = u.number ? unroll(&u, 0, from->nnodes) : -1;
    free(u.number);
    return rc;
}

/* ---- folded streams ---- */

static int convert(struct cs_nests *nests, const struct cs_fold_node *p, const struct cs_fold_node *end,
                   struct cs_items *out)
{
    for (; p < end; p += p->count ? 1 + p->value : 1) {
        struct cs_items body = {0};
        int64_t item = 2 * (int64_t)p->value;
        if (p->count) {
            item = convert(nests, p + 1, p + 1 + p->value, &body)
                       ? -1
                       : cs_nests_loop(nests, body.item, (uint32_t)body.n, (uint64_t)p->count);
            item = item < 0 ? -1 : 2 * item + 1;
        }
        free(body.item);
        if (item < 0 || cs_items_push(out, (uint32_t)item))
            return -1;
    }
    return 0;
}

static int fold_stream(struct cs_nests *nests, struct cs_stream *s, int method)
{
    struct cs_fold f = {0};
    struct cs_items out = {0};
    if (cs_fold_string((const int32_t *)s->item, s->n, (enum cs_fold_method)method, &f) ||
        convert(nests, f.node, f.node + f.nnodes, &out)) {
        cs_fold_free(&f);
        free(out.item);
        return -1;
    }
    cs_fold_free(&f);
    free(s->item);
    s->item = out.item;
    s->n = (int64_t)out.n;
    return 0;
}

int cs_merge_by_loops(struct cs_merged *m, const struct cs_merged *from, int method, char *errbuf, size_t errlen)
{
    struct cs_merge_options o = {0};
    struct cs_merging g = {.o = &o, .m = m, .errbuf = errbuf, .errlen = errlen};
    int64_t total = 0;
    int rc = 0;
    for (int c = 0; c < m->nclasses && total <= UNROLL_MAX; c++)
        total += m->cls[c].nevents <= UNROLL_MAX ? m->cls[c].nevents : UNROLL_MAX + 1;
    if (total > UNROLL_MAX)
        return 1;
    g.stream = calloc((size_t)m->nclasses + 1, sizeof *g.stream);
    g.nstreams = m->nclasses;
    if (!g.stream)
        rc = -1;
    for (int c = 0; c < m->nclasses && !rc; c++)
        rc = unroll_class(from, c, &g.stream[c]) || fold_stream(&g.nests, &g.stream[c], method) ? -1 : 0;
    rc = rc ? cs_error_text(errbuf, errlen, "not enough memory to fold") : cs_merge_streams(&g, true);
    cs_merge_free(&g);
    return rc;
}
