/* SPDX-License-Identifier: BSD-3-Clause
 * Compares symbols as [Skel10] does: by call, datatype, root, operation, and counts, which may differ a little. All
 * else (peers, tags, call sites, communicators, requests, ranks) may differ, and becomes a cycle. Also tells which
 * cycles follow a rule, for lengths of nests that are compared with published ones. */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "trace/format/fields.h"
#include "trace/merge/merge_internal.h"

#define TOLERANCE 0.05 /* of counts; the paper says "small" */

/* Symbols that count as the same: what is equal in them, and the least and largest count of any rank. */
struct seen {
    int64_t *v;
    int64_t least, most;
    int number;
    struct seen *next;
    UT_hash_handle hh;
};

/* A growing list of numbers. */
struct list {
    int64_t *v;
    size_t n, cap;
};

static bool is_published(enum cs_role role)
{
    return role == CS_ROLE_COUNT || role == CS_ROLE_COUNTS || role == CS_ROLE_TYPE || role == CS_ROLE_TYPES ||
           role == CS_ROLE_DEST || role == CS_ROLE_SOURCE || role == CS_ROLE_ROOT || role == CS_ROLE_OP;
}

static int add(struct list *l, int64_t x)
{
    if (!CS_MAKE_ROOM_FOR(l->v, l->n + 1, l->cap))
        return -1;
    l->v[l->n++] = x;
    return 0;
}

static int add_value(struct list *l, const struct cs_merged_value *v, int ranks)
{
    int rc = add(l, v->rule) || add(l, v->a) || add(l, v->b) || add(l, v->c) || add(l, v->div);
    for (int i = 0; i < CS_TORUS_DIMS && !rc; i++)
        rc = add(l, v->dims[i]) || add(l, v->shift[i]);
    for (int i = 0; i < ranks && v->rule == CS_RULE_TABLE && !rc; i++)
        rc = add(l, v->table[i]);
    return rc ? -1 : 0;
}

/* Appends the published values of a record, each with all that says it. */
static int describe(const struct cs_merged *m, const struct cs_merged_record *r, struct list *l)
{
    int64_t *plain = calloc((size_t)r->nfields + 1, sizeof *plain);
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0, rc = plain ? add(l, r->call) : -1;
    for (int i = 0; plain && i < r->nfields; i++)
        plain[i] = r->field[i].rule == CS_RULE_SAME ? r->field[i].a : 0;
    while (!rc && cs_field_next(&e, &arg, &at, &f) == 1) {
        if (f.shape == CS_FIELD_ARRAY || f.shape == CS_FIELD_LENGTH)
            rc = add(l, f.shape == CS_FIELD_ARRAY ? f.n : f.values[0]);
        for (int64_t i = 0; is_published(f.arg->role) && f.shape != CS_FIELD_LENGTH && i < f.n && !rc; i++)
            rc = add_value(l, &r->field[f.values - plain + i], m->cls[r->cls].ranks.total);
    }
    free(plain);
    return rc;
}

/* ---- which symbols are the same ---- */

static bool is_count(enum cs_role role)
{
    return role == CS_ROLE_COUNT || role == CS_ROLE_COUNTS;
}

static bool is_equal_in(enum cs_role role)
{
    return role == CS_ROLE_TYPE || role == CS_ROLE_TYPES || role == CS_ROLE_ROOT || role == CS_ROLE_OP;
}

static void widen(const struct cs_merged_value *v, int ranks, int64_t *least, int64_t *most)
{
    for (int i = 0; i < (v->rule == CS_RULE_TABLE ? ranks : 1); i++) {
        int64_t x = v->rule == CS_RULE_TABLE ? v->table[i] : v->a;
        if (x == CS_UNUSED)
            continue;
        *least = x < *least ? x : *least;
        *most = x > *most ? x : *most;
    }
}

/* Appends what must be equal in a record to l, unless l is NULL; widens [*least, *most] by the record's counts. */
static int compare_by(const struct cs_merged *m, const struct cs_merged_record *r, struct list *l, int64_t *least,
                      int64_t *most)
{
    int64_t *plain = calloc((size_t)r->nfields + 1, sizeof *plain);
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0, rc = !plain ? -1 : l ? add(l, r->call) : 0;
    for (int i = 0; plain && i < r->nfields; i++)
        plain[i] = r->field[i].rule == CS_RULE_SAME ? r->field[i].a : 0;
    while (!rc && cs_field_next(&e, &arg, &at, &f) == 1) {
        if (l && (f.shape == CS_FIELD_ARRAY || f.shape == CS_FIELD_LENGTH))
            rc = add(l, f.shape == CS_FIELD_ARRAY ? f.n : f.values[0]);
        for (int64_t i = 0; f.shape != CS_FIELD_LENGTH && i < f.n && !rc; i++) {
            const struct cs_merged_value *v = &r->field[f.values - plain + i];
            if (is_count(f.arg->role))
                widen(v, m->cls[r->cls].ranks.total, least, most);
            else if (l && is_equal_in(f.arg->role))
                rc = add_value(l, v, v->rule == CS_RULE_TABLE ? m->cls[r->cls].ranks.total : 0);
        }
    }
    free(plain);
    return rc;
}

static bool is_near(int64_t a, int64_t b)
{
    double d = (double)a - (double)b, most = a > b ? (double)a : (double)b;
    return a == b || (d < 0 ? -d : d) <= TOLERANCE * most;
}

/* The number of the symbols in *all that count as the same; if there are none, these get number *n. Takes l over. -1:
 * no memory. */
static int number_of(struct seen **all, struct list *l, int64_t least, int64_t most, int *n)
{
    struct seen *first, *s;
    size_t len = l->n * sizeof *l->v;
    HASH_FIND(hh, *all, l->v, len, first);
    for (s = first; s && !(is_near(s->least, least) && is_near(s->most, most)); s = s->next)
        ;
    if (s || !(s = calloc(1, sizeof *s))) {
        free(l->v);
        return s ? s->number : -1;
    }
    *s = (struct seen){.v = l->v, .least = least, .most = most, .number = (*n)++};
    if (first) {
        s->next = first->next;
        first->next = s;
    } else {
        HASH_ADD_KEYPTR(hh, *all, s->v, len, s);
    }
    return s->number;
}

static void free_seen(struct seen *all)
{
    struct seen *s, *next, *more;
    HASH_ITER (hh, all, s, next) {
        HASH_DEL(all, s);
        for (; s; s = more) {
            more = s->next;
            free(s->v);
            free(s);
        }
    }
}

int32_t *cs_merged_published(const struct cs_merged *m)
{
    struct seen *all = NULL;
    int32_t *of = malloc(((size_t)m->nsymbols + 1) * sizeof *of);
    int n = 0, rc = of ? 0 : -1;
    for (int i = 0; i < m->nsymbols && !rc; i++) {
        const struct cs_merged_symbol *l = &m->symbol[i];
        struct list v = {0};
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (int p = 0; p < l->nparts && !rc; p++)
            rc = compare_by(m, &m->record[l->part[p].record], p ? NULL : &v, &least, &most);
        if (rc)
            free(v.v);
        else
            rc = (of[i] = number_of(&all, &v, least, most, &n)) < 0 ? -1 : 0;
    }
    free_seen(all);
    if (rc) {
        free(of);
        of = NULL;
    }
    return of;
}

/* ---- rules ---- */

static bool alternates(struct list *const *v, int n, size_t at)
{
    for (int k = 2; k < n; k++)
        if (v[k]->v[at] != v[k - 2]->v[at])
            return false;
    return true;
}

static bool grows(struct list *const *v, int n, size_t at)
{
    int64_t step = 0;
    for (int k = 1; k < n; k++) {
        int64_t d;
        if (__builtin_sub_overflow(v[k]->v[at], v[k - 1]->v[at], &d) || (k > 1 && d != step))
            return false;
        step = d;
    }
    return true;
}

bool cs_merged_follows_rule(const struct cs_merged *m, const struct cs_nest_node *n)
{
    struct list *v = calloc((size_t)n->ncycle + 1, sizeof *v), **to = calloc((size_t)n->ncycle + 1, sizeof *to);
    bool does = v && to;
    for (int k = 0; k < n->ncycle && does; k++) {
        const struct cs_merged_symbol *l = &m->symbol[m->cycle[n->cycle + k]];
        to[k] = &v[k];
        for (int p = 0; p < l->nparts && does; p++)
            does = !add(&v[k], l->part[p].cls) && !describe(m, &m->record[l->part[p].record], &v[k]);
        does = does && v[k].n == v[0].n;
    }
    for (size_t at = 0; does && n->ncycle && at < v[0].n; at++)
        does = alternates(to, n->ncycle, at) || grows(to, n->ncycle, at);
    for (int k = 0; v && k < n->ncycle; k++)
        free(v[k].v);
    free(v);
    free(to);
    return does;
}
