/* SPDX-License-Identifier: BSD-3-Clause
 * What did the rank do that another one waits for? While it computes, that is the cause; while it waits itself, the
 * cause is that of its own waiting, most of it; so a chain of waiting leads to where it began. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/waits/waits_internal.h"

void cs_wait_did(struct rank *r, struct did d)
{
    if (d.to > d.from)
        r->did[r->ndid++ % DID_LAST] = d;
}

static struct cause_sum *sum_of(struct search *s, int rank, int place, int doing)
{
    struct cause_sum key, *sum;
    memset(&key.key, 0, sizeof key.key);
    key.key.rank = rank;
    key.key.place = place;
    key.key.doing = doing;
    HASH_FIND(hh, s->sums, &key.key, sizeof key.key, sum);
    if (sum)
        return sum;
    if (!(sum = calloc(1, sizeof *sum)) || !CS_MAKE_ROOM(s->by_number, s->nsums, s->sums_cap)) {
        free(sum);
        return NULL;
    }
    sum->key = key.key;
    sum->is = (struct cs_wait_cause){.rank = rank, .place = place, .doing = (enum cs_cause_doing)doing, .there = -1};
    sum->number = s->nsums;
    s->by_number[s->nsums++] = sum;
    HASH_ADD(hh, s->sums, key, sizeof sum->key, sum);
    return sum;
}

/* Somebody waits for ns at place `there` because of the cause. */
static int add(struct search *s, struct cause_sum *sum, int there, double ns)
{
    struct cause_at key, *at;
    memset(&key.key, 0, sizeof key.key);
    key.key.rank = sum->key.rank;
    key.key.place = sum->key.place;
    key.key.doing = sum->key.doing;
    key.key.there = there;
    HASH_FIND(hh, s->at, &key.key, sizeof key.key, at);
    if (!at) {
        if (!(at = calloc(1, sizeof *at)))
            return -1;
        at->key = key.key;
        HASH_ADD(hh, s->at, key, sizeof at->key, at);
    }
    at->ns += ns;
    sum->is.ns += ns;
    s->w->rank[sum->key.rank].caused += ns;
    return 0;
}

static enum cs_cause_doing doing_of(enum doing d)
{
    return d == DID_COMPUTE ? CS_CAUSE_COMPUTES : d == DID_WAIT_FOR_PROCESSOR ? CS_CAUSE_DELAYED : CS_CAUSE_IN_CALL;
}

/* The cause that what the rank did stands for, or NULL: memory is out. */
static struct cause_sum *cause_of(struct search *s, int rank, const struct did *d)
{
    if (d->doing == DID_WAIT && d->cause >= 0)
        return s->by_number[d->cause];
    return sum_of(s, rank, d->place, doing_of(d->doing));
}

static double shared(const struct did *d, double from, double to)
{
    from = from > d->from ? from : d->from;
    to = to < d->to ? to : d->to;
    return to > from ? to - from : 0;
}

int64_t cs_wait_blame(struct search *s, struct rank *r, int by, double from, double to)
{
    const struct rank *o = &s->r[by];
    uint64_t n = o->ndid < DID_LAST ? o->ndid : DID_LAST;
    double known = 0, largest = 0, all = to - from;
    int64_t cause = -1;
    assert(all > 0);
    for (uint64_t i = 1; i <= n && o->did[(o->ndid - i) % DID_LAST].to > from; i++)
        known += shared(&o->did[(o->ndid - i) % DID_LAST], from, to);
    for (uint64_t i = 1; i <= n && known > 0 && o->did[(o->ndid - i) % DID_LAST].to > from; i++) {
        const struct did *d = &o->did[(o->ndid - i) % DID_LAST];
        double ns = shared(d, from, to) * all / known; /* what is older than it remembers is as what it does */
        if (ns <= 0)
            continue;
        struct cause_sum *sum = cause_of(s, by, d);
        if (!sum || add(s, sum, r->place, ns))
            return -2;
        if (ns > largest)
            cause = sum->number;
        largest = ns > largest ? ns : largest;
    }
    return cause;
}

static int larger_first(const void *a, const void *b)
{
    const struct cs_wait_cause *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void compare_with_others(const struct search *s, struct cs_wait_cause *c)
{
    const struct rank *r = &s->r[c->rank];
    const struct cs_wait_place *p = &s->w->place[c->place];
    c->own = c->place < r->nplaces ? r->computing[c->place] : 0;
    c->mean = p->ranks ? p->before / p->ranks : 0;
}

int cs_wait_list_causes(struct search *s)
{
    struct cs_waits *w = s->w;
    struct cause_at *at, *next;
    HASH_ITER (hh, s->at, at, next) {
        struct cs_wait_cause *c = &sum_of(s, at->key.rank, at->key.place, at->key.doing)->is;
        if (at->ns > c->ns_there || (at->ns == c->ns_there && at->key.there < c->there)) {
            c->ns_there = at->ns;
            c->there = at->key.there;
        }
    }
    if (!s->nsums)
        return 0;
    w->cause = malloc((size_t)s->nsums * sizeof *w->cause);
    if (!w->cause)
        return -1;
    for (int64_t i = 0; i < s->nsums; i++) {
        w->cause[w->ncauses] = s->by_number[i]->is;
        compare_with_others(s, &w->cause[w->ncauses++]);
    }
    qsort(w->cause, w->ncauses, sizeof *w->cause, larger_first);
    return 0;
}

void cs_wait_free_causes(struct search *s)
{
    struct cause_at *at, *next_at;
    struct cause_sum *sum, *next;
    HASH_ITER (hh, s->at, at, next_at) {
        HASH_DEL(s->at, at);
        free(at);
    }
    HASH_ITER (hh, s->sums, sum, next) {
        HASH_DEL(s->sums, sum);
        free(sum);
    }
    free(s->by_number);
}
