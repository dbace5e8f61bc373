/* SPDX-License-Identifier: BSD-3-Clause
 * Makes one class of classes that take part in the same symbols. They were apart because two calls whose values differ
 * on one rank have equal values on another. So the number of classes depends on the program, not on the number of
 * ranks. */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "trace/format/format.h"
#include "trace/merge/merge_internal.h"
#include "base/error_text.h"

/* ---- shapes of records ---- */

/* A record without its values, in a hash table by content; `number` is what cs_merge_shapes gives it. */
struct shape {
    int64_t *v;
    size_t n;
    int number;
    UT_hash_handle hh;
};

/* The record without values: call, site, mark, number of fields, lengths of arrays, communicators, operation. *n gets
 * the length; to be freed. NULL: no memory. */
static int64_t *describe(const struct cs_merged_record *r, size_t *n)
{
    int64_t *v = malloc((2 * (size_t)r->nfields + 4) * sizeof *v), *plain = v ? v + r->nfields + 4 : NULL;
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0;
    if (!v)
        return NULL;
    for (int i = 0; i < r->nfields; i++)
        plain[i] = r->field[i].rule == CS_RULE_SAME ? r->field[i].a : 0;
    v[0] = r->call;
    v[1] = r->site;
    v[2] = r->mark;
    v[3] = r->nfields;
    *n = 4;
    while (cs_field_next(&e, &arg, &at, &f) == 1) {
        if (f.shape == CS_FIELD_ARRAY)
            v[(*n)++] = f.n;
        else if (cs_merge_is_fixed(f.arg->role))
            v[(*n)++] = f.values[0];
    }
    return v;
}

static void free_shapes(struct shape *all)
{
    struct shape *s, *next;
    HASH_ITER (hh, all, s, next) {
        HASH_DEL(all, s);
        free(s->v);
        free(s);
    }
}

int *cs_merge_shapes(const struct cs_merged *m)
{
    struct shape *all = NULL, *s;
    int *of = malloc(((size_t)m->nrecords + 1) * sizeof *of), n = 0;
    for (int i = 0; of && i < m->nrecords; i++) {
        size_t len;
        int64_t *v = describe(&m->record[i], &len);
        s = NULL;
        if (v)
            HASH_FIND(hh, all, v, len * sizeof *v, s);
        if (v && !s && (s = calloc(1, sizeof *s))) {
            *s = (struct shape){.v = v, .n = len, .number = n++};
            HASH_ADD_KEYPTR(hh, all, s->v, len * sizeof *v, s);
            v = NULL;
        }
        free(v);
        if (s) {
            of[i] = s->number;
        } else {
            free(of);
            of = NULL;
        }
    }
    free_shapes(all);
    return of;
}

/* ---- which classes are one ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    uint64_t v[2] = {h, x};
    return cs_trace_hash(v, sizeof v);
}

/* A hash of the symbols that a class takes part in and of what it does there, and its number of calls: classes with the
 * same signature are one. */
struct signature {
    uint64_t h[2];
    int64_t nevents;
};

/* For each class, a hash of the symbols it is in and of what it does there. */
static struct signature *sign(const struct cs_merged *m, const int *shape)
{
    struct signature *s = calloc((size_t)m->nclasses + 1, sizeof *s);
    for (int c = 0; s && c < m->nclasses; c++)
        s[c] = (struct signature){{1, 2}, m->cls[c].nevents};
    for (int i = 0; s && i < m->nsymbols; i++)
        for (int k = 0; k < m->symbol[i].nparts; k++) {
            const struct cs_merged_part *p = &m->symbol[i].part[k];
            uint64_t what = (uint64_t)(unsigned)shape[p->record] << 32 | (unsigned)p->shift;
            for (int j = 0; j < 2; j++)
                s[p->cls].h[j] = mix(mix(s[p->cls].h[j], (uint64_t)i), what);
        }
    return s;
}

/* Sets into[c] to the new class, numbered from 0, that class c becomes part of; returns the number of new classes, or
 * -1: no memory. */
static int group(const struct cs_merged *m, const int *shape, int *into)
{
    struct {
        struct signature s;
        int number;
        UT_hash_handle hh;
    } *all = NULL, *g, *next, *room = NULL;
    struct signature *s = sign(m, shape);
    int n = s ? 0 : -1;
    room = calloc((size_t)m->nclasses + 1, sizeof *room);
    for (int c = 0; s && room && c < m->nclasses; c++) {
        HASH_FIND(hh, all, &s[c], sizeof *s, g);
        if (!g) {
            g = &room[c];
            g->s = s[c];
            g->number = n++;
            HASH_ADD(hh, all, s, sizeof g->s, g);
        }
        into[c] = g->number;
    }
    HASH_ITER (hh, all, g, next)
        HASH_DEL(all, g);
    free(s);
    n = room ? n : -1;
    free(room);
    return n;
}

/* ---- making them one ---- */

/* The merged form while classes become one: old class c becomes into[c]. `known` is a hash table from old records to
 * new ones. */
struct unify {
    struct cs_merged *m;
    const int *into;
    int *old_class, *old_index; /* of each rank */
    struct cs_class *cls;       /* the new ones */
    struct cs_merged_record *record;
    size_t nrecords, cap;
    struct known {
        struct {
            int old;
            int first;
        } k;
        int new;
        UT_hash_handle hh;
    } * known;
    int *seen;    /* scratch: by new class, the last symbol that has it, plus 1 */
    int *part_of; /* scratch: by old class, the record in the symbol at hand, or -1 */
};

/* For a question about a rank of a new class: its place in a communicator. */
struct where {
    const struct cs_merged *m;
    const struct cs_class *c;
    int comm;
};

static struct cs_comm_rank place_at(const void *arg, int i)
{
    const struct where *w = arg;
    return w->comm < 0 ? (struct cs_comm_rank){-1, 0} : cs_merged_comm_rank(w->m, w->comm, w->c->rank[i]);
}

static int new_classes(struct unify *u, int n)
{
    struct cs_merged *m = u->m;
    u->cls = calloc((size_t)n + 1, sizeof *u->cls);
    u->old_class = malloc((size_t)m->info.nranks * sizeof *u->old_class);
    u->old_index = malloc((size_t)m->info.nranks * sizeof *u->old_index);
    u->part_of = malloc(((size_t)m->nclasses + 1) * sizeof *u->part_of);
    u->seen = calloc((size_t)n + 1, sizeof *u->seen);
    if (!u->seen || !u->cls || !u->old_class || !u->old_index || !u->part_of)
        return -1;
    for (int r = 0; r < m->info.nranks; r++) {
        u->old_class[r] = m->class_of[r];
        u->old_index[r] = m->index_in_class[r];
        struct cs_class *c = &u->cls[u->into[m->class_of[r]]];
        c->nevents = m->cls[m->class_of[r]].nevents;
        if (cs_ranges_add(&c->ranks, r))
            return -1;
    }
    for (int i = 0; i < n; i++) {
        u->cls[i].rank = malloc((size_t)u->cls[i].ranks.total * sizeof *u->cls[i].rank);
        if (!u->cls[i].rank)
            return -1;
        for (int k = 0, at = 0; k < u->cls[i].ranks.n; k++)
            for (int j = 0; j < u->cls[i].ranks.range[k].len; j++)
                u->cls[i].rank[at++] = u->cls[i].ranks.range[k].start + j * u->cls[i].ranks.range[k].stride;
    }
    return 0;
}

/* The value of a field on a rank, by its old class's record. */
static int64_t old_value(const struct unify *u, int field, int rank, int comm)
{
    const struct cs_merged_record *r = &u->m->record[u->part_of[u->old_class[rank]]];
    struct cs_comm_rank p = comm >= 0 ? cs_merged_comm_rank(u->m, comm, rank) : (struct cs_comm_rank){-1, 0};
    return cs_merged_value_at(&r->field[field], u->old_index[rank], p.me, p.n);
}

static int unite_field(struct unify *u, const struct cs_merged_record *first, int cls, int field, bool peer,
                       struct cs_merged_value *out)
{
    const struct cs_class *c = &u->cls[cls];
    struct where w = {u->m, c, first->comm};
    struct cs_guess g = {0};
    int rc = 0;
    for (int i = 0; i < c->ranks.total && !rc; i++) {
        struct cs_comm_rank p = peer ? place_at(&w, i) : (struct cs_comm_rank){-1, 0};
        int64_t x = old_value(u, field, c->rank[i], peer ? first->comm : -1);
        if (i == 0)
            cs_guess_first(&g, x, peer, p);
        else
            rc = cs_guess_next(&g, x, i, p, place_at, &w);
    }
    rc = rc || (peer && cs_guess_shorten(&g.v, c->ranks.total, place_at, &w)) ? -1 : 0;
    *out = g.v;
    return rc;
}

static bool *peers_of(const struct cs_merged_record *r)
{
    bool *peer = calloc((size_t)r->nfields + 1, sizeof *peer);
    int64_t *plain = malloc(((size_t)r->nfields + 1) * sizeof *plain);
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0;
    for (int i = 0; plain && i < r->nfields; i++)
        plain[i] = r->field[i].rule == CS_RULE_SAME ? r->field[i].a : 0;
    while (peer && plain && cs_field_next(&e, &arg, &at, &f) == 1)
        if (cs_merge_is_peer(&f))
            peer[f.values - plain] = true;
    if (!plain) {
        free(peer);
        peer = NULL;
    }
    free(plain);
    return peer;
}

/* A record for the new class, out of those that u->part_of names. -1: no memory. */
static int unite(struct unify *u, const struct cs_merged_record *first, int cls)
{
    bool *peer = peers_of(first);
    int rc = peer && !!CS_MAKE_ROOM_FOR(u->record, u->nrecords + 1, u->cap) ? 0 : -1;
    if (!rc) {
        struct cs_merged_record *r = &u->record[u->nrecords++];
        *r = *first;
        r->cls = cls;
        r->nfields = 0;
        if (!(r->field = calloc((size_t)first->nfields + 1, sizeof *r->field)))
            rc = -1;
        while (!rc && r->nfields < first->nfields) {
            int i = r->nfields++;
            rc = unite_field(u, first, cls, i, peer[i], &r->field[i]);
        }
    }
    free(peer);
    return rc ? -1 : (int)u->nrecords - 1;
}

/* Makes one part of a symbol's parts that are of one new class. If that class was made of several, the part gets a
 * record of its own, else a copy of the old one. */
static int rewrite_symbol(struct unify *u, struct cs_merged_symbol *l, int symbol)
{
    int n = 0;
    for (int k = 0; k < l->nparts; k++)
        u->part_of[l->part[k].cls] = l->part[k].record;
    for (int k = 0; k < l->nparts; k++) {
        int old = l->part[k].cls, cls = u->into[old];
        bool alone = u->m->cls[old].ranks.total == u->cls[cls].ranks.total;
        if (u->seen[cls] == symbol + 1)
            continue;
        u->seen[cls] = symbol + 1;
        struct known key = {0}, *known = NULL;
        key.k.old = l->part[k].record;
        key.k.first = alone ? -1 : symbol;
        HASH_FIND(hh, u->known, &key.k, sizeof key.k, known);
        if (!known) {
            if (!(known = malloc(sizeof *known)))
                return -1;
            *known = key;
            HASH_ADD(hh, u->known, k, sizeof known->k, known);
            if ((known->new = unite(u, &u->m->record[l->part[k].record], cls)) < 0)
                return -1;
        }
        l->part[n++] = (struct cs_merged_part){cls, known->new, l->part[k].shift};
    }
    l->nparts = n;
    return 0;
}

static int by_class(const void *a, const void *b)
{
    return ((const struct cs_merged_part *)a)->cls - ((const struct cs_merged_part *)b)->cls;
}

static void free_known(struct unify *u)
{
    struct known *k, *next;
    HASH_ITER (hh, u->known, k, next) {
        HASH_DEL(u->known, k);
        free(k);
    }
}

static void free_records(struct cs_merged_record *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; r[i].field && k < r[i].nfields; k++)
            cs_merged_value_free(&r[i].field[k]);
        free(r[i].field);
    }
    free(r);
}

static void replace_classes(struct unify *u, int n)
{
    struct cs_merged *m = u->m;
    for (int c = 0; c < m->nclasses; c++) {
        cs_ranges_free(&m->cls[c].ranks);
        free(m->cls[c].rank);
    }
    free(m->cls);
    m->cls = u->cls;
    m->nclasses = n;
    for (int c = 0; c < n; c++)
        for (int i = 0; i < m->cls[c].ranks.total; i++) {
            m->class_of[m->cls[c].rank[i]] = c;
            m->index_in_class[m->cls[c].rank[i]] = i;
        }
    free_records(m->record, (size_t)m->nrecords);
    m->record = u->record;
    m->nrecords = (int)u->nrecords;
}

static int unify(struct cs_merged *m, const int *into, int n)
{
    struct unify u = {.m = m, .into = into};
    int rc = new_classes(&u, n);
    for (int i = 0; i < m->nsymbols && !rc; i++) {
        rc = rewrite_symbol(&u, &m->symbol[i], i);
        qsort(m->symbol[i].part, (size_t)m->symbol[i].nparts, sizeof *m->symbol[i].part, by_class);
    }
    if (!rc) {
        replace_classes(&u, n);
    } else {
        for (int c = 0; u.cls && c < n; c++) {
            cs_ranges_free(&u.cls[c].ranks);
            free(u.cls[c].rank);
        }
        free(u.cls);
        free_records(u.record, u.nrecords);
    }
    free(u.old_class);
    free(u.old_index);
    free(u.part_of);
    free(u.seen);
    free_known(&u);
    return rc;
}

int cs_merge_unify(struct cs_merging *g)
{
    int *into = malloc(((size_t)g->m->nclasses + 1) * sizeof *into), *shape = cs_merge_shapes(g->m);
    int n = into && shape ? group(g->m, shape, into) : -1, old = g->m->nclasses;
    int rc = n < 0 || (n < old && unify(g->m, into, n))
                 ? cs_error_text(g->errbuf, g->errlen, "not enough memory to merge")
                 : 0;
    free(into);
    free(shape);
    return rc;
}
