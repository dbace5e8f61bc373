/* SPDX-License-Identifier: BSD-3-Clause
 * See joined_classes.h. A class keeps the numbers of its first block, and of each other content only what differs; so
 * memory grows with what is different. A block is compared with the latest classes of as many numbers. */
#include "trace/write/joined_classes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/grow.h"

#define TRIED 32          /* classes that a block is compared with */
#define FEW 4             /* numbers that may differ in any class, or by how many amounts ... */
#define ALIKE_SHARE 10    /* ... or one of so many */
#define COLUMNS_BACK 2048 /* columns among which an equal one is looked for */

/* A number that is not the class's, by its place among those of a block. */
struct difference {
    uint32_t at;
    uint64_t value;
};

/* A content: n differences from its class, in the class's array. */
struct variant {
    size_t first;
    uint32_t n;
};

/* The numbers of the first block: how many events, then the definitions, then the events section. */
struct joined {
    uint32_t seq, flags;
    bool by_bytes;
    uint64_t *number;
    size_t nnumbers, ndefs; /* number[1 .. 1 + ndefs) are of the definitions */
    struct cs_bytes defs, events;
    struct variant *variant;
    struct difference *difference;
    size_t nvariants, variant_cap, ndifferences, difference_cap;
    struct member {
        uint32_t rank, variant;
    } * member;
    size_t nmembers, member_cap;
    int before; /* the class before of the same shape, -1: none */
};

/* What decides which classes a block can be of. */
struct shape {
    uint32_t seq, flags, by_bytes, group;
    uint64_t ndefs, nnumbers;
};

/* The last class of a shape. */
struct by_shape {
    struct shape key;
    int last; /* class */
    UT_hash_handle hh;
};

/* A content that was there, and where. */
struct content {
    struct {
        struct cs_key defs, events;
        uint64_t nevents;
        uint32_t seq, flags, group, pad;
    } key;
    int cls;
    uint32_t variant;
    UT_hash_handle hh;
};

/*  cls[i].member: ranks, each with the variant of the class that it has; shapes and contents find classes.  */
struct cs_joining {
    struct joined *cls;
    int ncls, cap;
    struct by_shape *shapes;
    struct content *contents;
    uint64_t *number; /* of the block at hand */
    size_t nnumbers, number_cap;
    size_t memory; /* of classes and differences */
};

struct cs_joining *cs_joining_new(void)
{
    return calloc(1, sizeof(struct cs_joining));
}

void cs_joining_free(struct cs_joining *j)
{
    struct by_shape *s, *next_s;
    struct content *c, *next_c;
    if (!j)
        return;
    HASH_ITER (hh, j->shapes, s, next_s) {
        HASH_DEL(j->shapes, s);
        free(s);
    }
    HASH_ITER (hh, j->contents, c, next_c) {
        HASH_DEL(j->contents, c);
        free(c);
    }
    for (int i = 0; i < j->ncls; i++) {
        free(j->cls[i].number);
        cs_bytes_free(&j->cls[i].defs);
        cs_bytes_free(&j->cls[i].events);
        free(j->cls[i].variant);
        free(j->cls[i].difference);
        free(j->cls[i].member);
    }
    free(j->cls);
    free(j->number);
    free(j);
}

int cs_joining_classes(const struct cs_joining *j)
{
    return j->ncls;
}

size_t cs_joining_memory(const struct cs_joining *j)
{
    return j->memory;
}

/* ---- taking blocks ---- */

static struct content content_of(const struct cs_joining_block *b)
{
    struct content c;
    memset(&c, 0, sizeof c);
    c.key.defs = b->defs_key;
    c.key.events = b->events_key;
    c.key.nevents = b->nevents;
    c.key.seq = b->seq;
    c.key.flags = b->flags;
    c.key.group = b->group;
    return c;
}

static int add_member(struct joined *c, uint32_t rank, uint32_t variant)
{
    assert(c->nmembers == 0 || c->member[c->nmembers - 1].rank < rank);
    if (!CS_MAKE_ROOM(c->member, c->nmembers, c->member_cap))
        return -1;
    c->member[c->nmembers++] = (struct member){rank, variant};
    return 0;
}

int cs_joining_same(struct cs_joining *j, const struct cs_joining_block *b)
{
    struct content c = content_of(b), *found;
    HASH_FIND(hh, j->contents, &c.key, sizeof c.key, found);
    if (!found)
        return 0;
    return add_member(&j->cls[found->cls], b->rank, found->variant) ? -1 : 1;
}

/* By how much numbers differ, as far as these are few amounts. */
struct amounts {
    uint64_t by[FEW];
    int n; /* FEW + 1: more */
};

static void add_amount(struct amounts *a, uint64_t by)
{
    for (int i = 0; i < a->n && i < FEW; i++)
        if (a->by[i] == by)
            return;
    if (a->n < FEW)
        a->by[a->n] = by;
    a->n += a->n <= FEW;
}

/* Appends the differences between the block at hand and the class as a variant. 1; 0: they are too many; -1: no memory.
 * Any number of differences is alike if they are by few amounts, as of ranks that put their rank into each message. */
static int add_variant(const struct cs_joining *j, struct joined *c, bool alike)
{
    size_t most = c->nnumbers / ALIKE_SHARE, first = c->ndifferences;
    struct amounts amounts = {.n = 0};
    most = most < FEW ? FEW : most;
    for (size_t i = 0; i < c->nnumbers; i++) {
        if (j->number[i] == c->number[i])
            continue;
        add_amount(&amounts, j->number[i] - c->number[i]);
        if (c->ndifferences - first >= most && amounts.n > FEW && !alike) {
            c->ndifferences = first;
            return 0;
        }
        if (!CS_MAKE_ROOM(c->difference, c->ndifferences, c->difference_cap))
            return -1;
        c->difference[c->ndifferences++] = (struct difference){(uint32_t)i, j->number[i]};
    }
    if (!CS_MAKE_ROOM(c->variant, c->nvariants, c->variant_cap))
        return -1;
    c->variant[c->nvariants++] = (struct variant){first, (uint32_t)(c->ndifferences - first)};
    return 1;
}

/* Makes a class of the block at hand, as its first variant. */
static int new_class(struct cs_joining *j, const struct shape *s, int before, const struct cs_bytes *defs,
                     const struct cs_bytes *events)
{
    if (!CS_MAKE_ROOM(j->cls, j->ncls, j->cap))
        return -1;
    struct joined *c = &j->cls[j->ncls];
    *c = (struct joined){.seq = s->seq,
                         .flags = s->flags,
                         .by_bytes = s->by_bytes,
                         .nnumbers = j->nnumbers,
                         .ndefs = s->ndefs,
                         .before = before};
    j->ncls++;
    c->number = malloc((j->nnumbers + 1) * sizeof *c->number);
    if (!c->number || cs_bytes_put(&c->defs, defs->data, defs->len) ||
        cs_bytes_put(&c->events, events->data, events->len) || !CS_MAKE_ROOM(c->variant, c->nvariants, c->variant_cap))
        return -1;
    memcpy(c->number, j->number, j->nnumbers * sizeof *c->number);
    j->memory += j->nnumbers * sizeof *c->number + defs->len + events->len;
    c->variant[c->nvariants++] = (struct variant){0, 0};
    return 0;
}

/* Reads the block's numbers; says what shape it is of. */
static int read_numbers(struct cs_joining *j, const struct cs_joining_block *b, const struct cs_bytes *defs,
                        const struct cs_bytes *events, struct shape *s)
{
    memset(s, 0, sizeof *s);
    s->seq = b->seq;
    s->flags = b->flags;
    s->group = b->group;
    for (int by_bytes = 0; by_bytes < 2; by_bytes++) {
        j->nnumbers = 0;
        if (!CS_MAKE_ROOM(j->number, j->nnumbers, j->number_cap))
            return -1;
        j->number[j->nnumbers++] = b->nevents;
        int rc = cs_section_numbers(defs, by_bytes, &j->number, &j->nnumbers, &j->number_cap);
        s->ndefs = j->nnumbers - 1;
        if (rc == 1)
            rc = cs_section_numbers(events, by_bytes, &j->number, &j->nnumbers, &j->number_cap);
        s->nnumbers = j->nnumbers;
        s->by_bytes = (uint32_t)by_bytes;
        if (rc)
            return rc < 0 ? -1 : 0;
    }
    assert(!"bytes are always numbers");
    return -1;
}

/* The class for the block at hand, which is its last variant; -1: no memory. */
static int class_for(struct cs_joining *j, const struct shape *s, const struct cs_bytes *defs,
                     const struct cs_bytes *events)
{
    struct by_shape *of;
    HASH_FIND(hh, j->shapes, s, sizeof *s, of);
    int at = of ? of->last : -1;
    for (int tries = 0; at >= 0 && tries < TRIED; tries++, at = j->cls[at].before) {
        int rc = add_variant(j, &j->cls[at], s->group != 0);
        if (rc)
            return rc < 0 ? -1 : at;
    }
    if (!of) {
        of = calloc(1, sizeof *of);
        if (!of)
            return -1;
        of->key = *s;
        of->last = -1;
        HASH_ADD(hh, j->shapes, key, sizeof of->key, of);
    }
    if (new_class(j, s, of->last, defs, events))
        return -1;
    return of->last = j->ncls - 1;
}

int cs_joining_add(struct cs_joining *j, const struct cs_joining_block *b, const struct cs_bytes *defs,
                   const struct cs_bytes *events)
{
    struct shape s;
    struct content *c = malloc(sizeof *c);
    if (!c)
        return -1;
    *c = content_of(b);
    c->cls = read_numbers(j, b, defs, events, &s) ? -1 : class_for(j, &s, defs, events);
    if (c->cls < 0) {
        free(c);
        return -1;
    }
    c->variant = (uint32_t)j->cls[c->cls].nvariants - 1;
    j->memory += j->cls[c->cls].variant[c->variant].n * sizeof(struct difference) + sizeof *c;
    HASH_ADD(hh, j->contents, key, sizeof c->key, c);
    return add_member(&j->cls[c->cls], b->rank, c->variant);
}

/* ---- writing classes ---- */

static uint64_t rank_at(const void *arg, uint32_t nth)
{
    const struct joined *c = arg;
    return c->member[nth].rank;
}

/* The number `at` of all ranks: by variant. next[v]: the variant's first difference that is not in front of it. */
struct numbers {
    const struct joined *c;
    uint64_t *value;
    uint32_t *next;
};

static uint64_t number_at(const void *arg, uint32_t nth)
{
    const struct numbers *n = arg;
    return n->value[n->c->member[nth].variant];
}

/* Goes to the number `at`; numbers are asked for in ascending order. */
static void go_to(struct numbers *n, uint32_t at)
{
    for (size_t v = 0; v < n->c->nvariants; v++) {
        const struct variant *k = &n->c->variant[v];
        const struct difference *d = n->c->difference + k->first;
        bool here = n->next[v] < k->n && d[n->next[v]].at == at;
        assert(n->next[v] == k->n || d[n->next[v]].at >= at);
        n->value[v] = here ? d[n->next[v]].value : n->c->number[at];
        n->next[v] += here;
    }
}

/* The columns of a class that are written, to find equal ones: where each is in `all`. */
struct columns {
    struct cs_bytes all;
    struct column {
        size_t first, len;
        uint64_t hash;
    } * column;
    size_t n, cap;
};

static void free_columns(struct columns *k)
{
    cs_bytes_free(&k->all);
    free(k->column);
}

/* Appends a column, unless it is one of those before: then how many columns back that is. With `always`, in full. */
static int put_column(struct columns *k, struct cs_bytes *out, uint32_t n, cs_column_value_fn *value, const void *arg,
                      bool always)
{
    size_t at = k->all.len;
    if (cs_column_encode(&k->all, n, value, arg) || !CS_MAKE_ROOM(k->column, k->n, k->cap))
        return -1;
    struct column c = {at, k->all.len - at, cs_trace_hash(k->all.data + at, k->all.len - at)};
    for (size_t back = 1; back <= k->n && back <= COLUMNS_BACK && !always; back++) {
        const struct column *o = &k->column[k->n - back];
        if (o->hash != c.hash || o->len != c.len || memcmp(k->all.data + o->first, k->all.data + at, c.len) != 0)
            continue;
        k->all.len = at;
        return cs_bytes_varint(out, back);
    }
    k->column[k->n++] = c;
    return (!always && cs_bytes_varint(out, 0)) || cs_bytes_put(out, k->all.data + at, c.len) ? -1 : 0;
}

/* The changes among the numbers from..to, of those that are marked. */
static int put_changes(const struct joined *c, struct numbers *n, struct columns *k, const bool *differs, size_t from,
                       size_t to, struct cs_bytes *out)
{
    uint32_t count = 0;
    size_t after = from;
    for (size_t i = from; i < to; i++)
        count += differs[i];
    int rc = cs_bytes_varint(out, count);
    for (size_t i = from; i < to && rc == 0; i++) {
        if (!differs[i])
            continue;
        go_to(n, (uint32_t)i);
        rc = cs_bytes_varint(out, i - after) || put_column(k, out, (uint32_t)c->nmembers, number_at, n, false) ? -1 : 0;
        after = i + 1;
    }
    return rc;
}

static int put_section(const struct cs_bytes *section, struct cs_bytes *out)
{
    return cs_bytes_varint(out, section->len) || cs_bytes_put(out, section->data, section->len) ? -1 : 0;
}

static int put_class(const struct joined *c, struct numbers *n, struct columns *k, bool *differs, struct cs_bytes *out)
{
    for (size_t i = 0; i < c->ndifferences; i++)
        differs[c->difference[i].at] = true;
    int rc = cs_bytes_varint(out, c->by_bytes) || cs_bytes_varint(out, c->seq) || cs_bytes_varint(out, c->flags) ||
             cs_bytes_varint(out, c->nmembers) || put_column(k, out, (uint32_t)c->nmembers, rank_at, c, true);
    go_to(n, 0);
    rc = rc || put_column(k, out, (uint32_t)c->nmembers, number_at, n, true) || put_section(&c->defs, out) ||
         put_section(&c->events, out) || put_changes(c, n, k, differs, 1, 1 + c->ndefs, out) ||
         put_changes(c, n, k, differs, 1 + c->ndefs, c->nnumbers, out);
    return rc ? -1 : 0;
}

int cs_joining_encode(const struct cs_joining *j, int cls, struct cs_bytes *out)
{
    const struct joined *c = &j->cls[cls];
    struct numbers n = {c, calloc(c->nvariants, sizeof *n.value), calloc(c->nvariants, sizeof *n.next)};
    struct columns k = {0};
    bool *differs = calloc(c->nnumbers + 1, sizeof *differs);
    int rc = n.value && n.next && differs ? put_class(c, &n, &k, differs, out) : -1;
    free_columns(&k);
    free(differs);
    free(n.value);
    free(n.next);
    return rc;
}
