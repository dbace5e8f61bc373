/* SPDX-License-Identifier: BSD-3-Clause
 * Counts messages by channel (communicator, peer, tag, direction) and mark, and follows the marks of collectives.
 * In the good case the comparison costs one MPI_Allreduce of a few words: every sender adds a number made of the
 * channel for each unmarked message, every receiver subtracts it, and what is left must be 0. Only if it is not, all counts
 * go to rank 0, which looks for the pair of places. */
#include "channels.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <uthash.h>

#include "comms.h"
#include "mix.h"
#include "run.h"
#include "say.h"
#include "sites.h"

enum { PLACE = 160, NPOINTS = 64 };

bool cs_channels_on;

struct channel_key {
    uint64_t comm;
    int32_t peer;               /* rank in cs_run.control, -1: any */
    int32_t tag;                /* -1: any */
    int32_t receives;
    int32_t pad;
};

struct channel {
    struct channel_key key;
    int64_t n[3];               /* by mark */
    int site[3];                /* the first call of each mark */
    UT_hash_handle hh;
};
static struct channel *channels;
static struct channel *recent[16];  /* by a hash of peer and tag: most messages are on channels that were used just before */

/* One collective call: the hash of all calls up to this one, where it was and how it was marked. */
struct point {
    uint64_t hash;
    int site, mark;
};

/* The collectives of one communicator. Points are kept at multiples of `stride`, so that the first difference can be found between
 * two ranks; when they are full every second one is dropped. The last calls are kept as well, one by one. */
struct collectives {
    uint64_t comm;
    char path[PLACE];
    int nranks;
    bool first_rank;            /* exactly one member has this */
    int64_t n, stride;
    uint64_t hash;
    struct point point[NPOINTS];    /* call number i * stride */
    struct point tail[NPOINTS];     /* call number i, modulo NPOINTS */
    UT_hash_handle hh;
};
static struct collectives *collectives;

enum { SUM_UNMARKED, SUM_BY_TAG, SUM_COLLECTIVE, SUM_CONTENT, SUM_WILD, NSUMS };

/* The sums of forked ranks that need not meet, as no call site of theirs is marked. */
static struct shared_sums {
    _Atomic uint64_t sum[NSUMS];
    _Atomic int32_t ended;
    _Atomic int64_t marked_at;  /* a marked call for all that: cs_site_where */
} *shared;

static void note_marked(int mark, int site)
{
    if (shared && mark != CS_MARK_NONE && shared->marked_at == 0)
        shared->marked_at = cs_site_where(site);
}

static int world_rank(const struct cs_comm *m, int peer)
{
    return cs_ranges_at(&m->world, peer);
}

static struct channel *channel_of(const struct channel_key *key)
{
    struct channel **slot = &recent[((uint32_t)key->peer * 5 + (uint32_t)key->tag * 2 + (uint32_t)key->receives) % 16], *c = *slot;
    if (c && memcmp(&c->key, key, sizeof *key) == 0)
        return c;
    HASH_FIND(hh, channels, key, sizeof *key, c);
    if (!c && (c = calloc(1, sizeof *c))) {
        c->key = *key;
        HASH_ADD(hh, channels, key, sizeof *key, c);
    }
    return *slot = c;
}

void cs_channel_message(MPI_Comm comm, bool receives, int peer, int tag, int mark, int site, int n)
{
    if (!cs_channels_on || peer == MPI_PROC_NULL)
        return;
    cs_lock();
    note_marked(mark, site);
    const struct cs_comm *m = cs_comm_get(comm);
    struct channel *c = NULL;
    if (m) {
        struct channel_key key = { m->key, world_rank(m, peer), tag == MPI_ANY_TAG ? -1 : tag, receives, 0 };
        c = channel_of(&key);
    }
    if (c && c->n[mark] == 0)
        c->site[mark] = site;
    if (c)
        c->n[mark] += n;
    cs_unlock();
}

static struct collectives *collectives_of(const struct cs_comm *m)
{
    struct collectives *c;
    HASH_FIND(hh, collectives, &m->key, sizeof m->key, c);
    if (c || !(c = calloc(1, sizeof *c)))
        return c;
    c->comm = m->key;
    snprintf(c->path, sizeof c->path, "%s", m->path);
    c->nranks = m->nranks + (m->inter ? m->npeers : 0);
    c->first_rank = m->rank == 0 && (!m->inter || cs_run.rank < cs_ranges_at(&m->world, 0));
    c->stride = 1;
    HASH_ADD(hh, collectives, comm, sizeof c->comm, c);
    return c;
}

static void drop_every_second(struct collectives *c)
{
    for (int i = 0; i < NPOINTS / 2; i++)
        c->point[i] = c->point[2 * i];
    c->stride *= 2;
}

void cs_channel_collective(MPI_Comm comm, int call, int mark, int site)
{
    if (!cs_channels_on)
        return;
    cs_lock();
    note_marked(mark, site);
    struct cs_comm *m = cs_comm_get(comm);
    struct collectives *c = m ? collectives_of(m) : NULL;
    if (c) {
        m->collectives++;
        bool moves = mark == CS_MARK_CONTENT;
        c->hash = cs_mix(c->hash * 31 + (uint64_t)call * 2 + moves + 1);
        if (c->n / c->stride == NPOINTS)
            drop_every_second(c);
        struct point p = { c->hash, site, mark };
        if (c->n % c->stride == 0)
            c->point[c->n / c->stride] = p;
        c->tail[c->n++ % NPOINTS] = p;
    }
    cs_unlock();
}

/* ---- the cheap comparison ---- */

/* What one message on a channel weighs. Without source and tag for receives that name neither. */
static uint64_t weight(uint64_t comm, int source, int dest, int tag)
{
    return cs_mix(comm ^ cs_mix(((uint64_t)(uint32_t)source << 32 | (uint32_t)dest) ^ cs_mix((uint64_t)(uint32_t)tag + 1)));
}

static void add_message_sums(uint64_t sum[NSUMS], int *wild)
{
    for (const struct channel *c = channels; c; c = c->hh.next) {
        const struct channel_key *k = &c->key;
        int source = k->receives ? k->peer : cs_run.rank, dest = k->receives ? cs_run.rank : k->peer;
        uint64_t sign = k->receives ? (uint64_t)-1 : 1;
        sum[SUM_UNMARKED] += sign * (uint64_t)c->n[0] * weight(k->comm, -1, dest, -1);
        sum[SUM_BY_TAG] += sign * (uint64_t)c->n[0] * weight(k->comm, source, dest, k->tag);
        sum[SUM_CONTENT] += sign * (uint64_t)c->n[2] * weight(k->comm, -1, dest, -1);
        if (k->receives && c->n[0] && (k->peer < 0 || k->tag < 0))
            *wild = 1;
    }
}

/* All ranks of a communicator have the same hash exactly when this adds up to 0. */
static void add_collective_sums(uint64_t sum[NSUMS])
{
    for (const struct collectives *c = collectives; c; c = c->hh.next) {
        uint64_t w = cs_mix(c->comm ^ cs_mix(c->hash + (uint64_t)c->n));
        sum[SUM_COLLECTIVE] += c->first_rank ? (uint64_t)(c->nranks - 1) * w : (uint64_t)-1 * w;
    }
}

/* ---- the search for the places, after a difference ---- */

struct message_record {
    uint64_t comm;
    int32_t source, dest, tag, receives;
    int64_t n[3];
    char place[3][PLACE];
};

struct collective_record {
    uint64_t comm;
    int32_t rank, pad;
    int64_t n, stride;
    struct point point[NPOINTS], tail[NPOINTS];
    char path[PLACE], point_place[NPOINTS][PLACE], tail_place[NPOINTS][PLACE];
};

/* Collects variable amounts of bytes of all ranks at rank 0. NULL elsewhere and when memory is out. */
static char *gather_bytes(const char *own, int len, int *total)
{
    int *lens = calloc((size_t)cs_run.nranks, sizeof *lens), *at = calloc((size_t)cs_run.nranks + 1, sizeof *at);
    char *all = NULL;
    *total = 0;
    if (lens && at) {
        PMPI_Gather(&len, 1, MPI_INT, lens, 1, MPI_INT, 0, cs_run.control);
        for (int i = 0; i < cs_run.nranks; i++)
            at[i + 1] = at[i] + lens[i];
        *total = at[cs_run.nranks];
        all = cs_run.rank == 0 ? malloc((size_t)*total + 1) : NULL;
        PMPI_Gatherv(own, len, MPI_BYTE, all, lens, at, MPI_BYTE, 0, cs_run.control);
    }
    free(lens);
    free(at);
    return all;
}

static struct message_record *own_messages(int *n)
{
    struct message_record *r = calloc(HASH_COUNT(channels) + 1, sizeof *r);
    *n = 0;
    for (const struct channel *c = channels; r && c; c = c->hh.next) {
        const struct channel_key *k = &c->key;
        struct message_record *m = &r[(*n)++];
        m->comm = k->comm;
        m->source = k->receives ? k->peer : cs_run.rank;
        m->dest = k->receives ? cs_run.rank : k->peer;
        m->tag = k->tag;
        m->receives = k->receives;
        for (int i = 0; i < 3; i++) {
            m->n[i] = c->n[i];
            if (c->n[i])
                cs_site_text(c->site[i], m->place[i], PLACE);
        }
    }
    return r;
}

static bool may_match(const struct message_record *send, const struct message_record *recv)
{
    return send->comm == recv->comm && send->dest == recv->dest && (recv->source < 0 || recv->source == send->source)
        && (recv->tag < 0 || recv->tag == send->tag);
}

static const char *const mark_names[] = { "unmarked", "marked for its envelope", "marked" };

/* The first mark of these that the record has, or -1. */
static int a_mark(const struct message_record *m, int from, int to)
{
    for (int i = from; i <= to; i++)
        if (m->n[i])
            return i;
    return -1;
}

static bool say_message_pair(const struct message_record *s, const struct message_record *r, int smark, int rmark)
{
    if (smark < 0 || rmark < 0)
        return false;
    cs_say("error: the %s send at %s (rank %d) meets the %s receive at %s (rank %d), tag %d", mark_names[smark], s->place[smark],
           s->source, mark_names[rmark], r->place[rmark], r->dest, s->tag);
    return true;
}

/* Unmarked messages to this receiver beyond those that unmarked receives took. With wildcards only this sum tells: a marked
 * receive that could have taken an unmarked message may well have taken another one. */
static int64_t unmarked_left(const struct message_record *m, int n, const struct message_record *recv)
{
    int64_t left = 0;
    for (int i = 0; i < n; i++)
        if (m[i].comm == recv->comm && m[i].dest == recv->dest)
            left += m[i].receives ? -m[i].n[0] : m[i].n[0];
    return left;
}

/* Names pairs of places for channels whose unmarked counts differ. Returns how many were named. */
static int say_messages(const struct message_record *m, int n)
{
    int said = 0;
    for (int i = 0; i < n && said < 10; i++) {
        if (m[i].receives)
            continue;
        for (int k = 0; k < n && said < 10; k++) {
            if (!m[k].receives || !may_match(&m[i], &m[k]))
                continue;
            bool exact = m[k].source >= 0 && m[k].tag >= 0;
            if (exact && m[i].n[0] != m[k].n[0])
                said += m[i].n[0] > m[k].n[0] ? say_message_pair(&m[i], &m[k], 0, a_mark(&m[k], 1, 2))
                                              : say_message_pair(&m[i], &m[k], a_mark(&m[i], 1, 2), 0);
            else if (!exact && (m[i].n[0] == 0) != (m[k].n[0] == 0) && unmarked_left(m, n, &m[k]))
                said += say_message_pair(&m[i], &m[k], a_mark(&m[i], 0, 2), a_mark(&m[k], 0, 2));
            else if (exact && m[k].n[2] > m[i].n[2])
                said += say_message_pair(&m[i], &m[k], a_mark(&m[i], 1, 1), 2);
        }
    }
    return said;
}

static struct collective_record *own_collectives(int *n)
{
    struct collective_record *r = calloc(HASH_COUNT(collectives) + 1, sizeof *r);
    *n = 0;
    for (const struct collectives *c = collectives; r && c; c = c->hh.next) {
        struct collective_record *m = &r[(*n)++];
        m->comm = c->comm;
        m->rank = cs_run.rank;
        m->n = c->n;
        m->stride = c->stride;
        memcpy(m->path, c->path, sizeof m->path);
        memcpy(m->point, c->point, sizeof m->point);
        memcpy(m->tail, c->tail, sizeof m->tail);
        for (int i = 0; i < NPOINTS; i++) {
            if (i * c->stride < c->n)
                cs_site_text(c->point[i].site, m->point_place[i], PLACE);
            if (i < c->n)
                cs_site_text(c->tail[i].site, m->tail_place[i], PLACE);
        }
    }
    return r;
}

/* The call of number `at`, if the record still has it. */
static const struct point *point_of(const struct collective_record *r, int64_t at, const char **place)
{
    int64_t i = at % r->stride == 0 ? at / r->stride : NPOINTS;
    if (at >= r->n || (at < r->n - NPOINTS && i >= NPOINTS))
        return NULL;
    bool tail = at >= r->n - NPOINTS;
    *place = tail ? r->tail_place[at % NPOINTS] : r->point_place[i];
    return tail ? &r->tail[at % NPOINTS] : &r->point[i];
}

static bool say_collective_pair(const struct collective_record *a, const struct collective_record *b)
{
    int64_t same = -1;      /* the last call up to which both agree for sure */
    for (int64_t at = 0; at < a->n && at < b->n; at++) {
        const char *aplace, *bplace;
        const struct point *p = point_of(a, at, &aplace), *q = point_of(b, at, &bplace);
        if (!p || !q)
            continue;
        if (p->hash == q->hash) {
            same = at;
            continue;
        }
        cs_say("error: collective call number %lld of communicator %s%s differs: %s at %s (rank %d), %s at %s (rank %d)", (long long)at,
               a->path, at - same > 1 ? ", or one shortly before it," : "", mark_names[p->mark], aplace, a->rank, mark_names[q->mark],
               bplace, b->rank);
        return true;
    }
    if (a->n == b->n)
        return false;
    cs_say("error: rank %d made %lld collective calls on communicator %s, rank %d made %lld", a->rank, (long long)a->n, a->path,
           b->rank, (long long)b->n);
    return true;
}

/* Compares every rank with the first one of each communicator. */
static int say_collectives(const struct collective_record *r, int n)
{
    int said = 0;
    for (int i = 0; i < n && said < 10; i++)
        for (int k = 0; k < i; k++)
            if (r[k].comm == r[i].comm) {
                said += say_collective_pair(&r[k], &r[i]);
                break;
            }
    return said;
}

/* Collective. Returns on all ranks how many pairs of places rank 0 has named. */
static int explain(void)
{
    int n, total, said = 0;
    struct message_record *m = own_messages(&n);
    char *all = gather_bytes((char *)m, m ? n * (int)sizeof *m : 0, &total);
    if (all)
        said += say_messages((struct message_record *)all, total / (int)sizeof(struct message_record));
    free(all);
    free(m);
    struct collective_record *c = own_collectives(&n);
    all = gather_bytes((char *)c, c ? n * (int)sizeof *c : 0, &total);
    if (all)
        said += say_collectives((struct collective_record *)all, total / (int)sizeof(struct collective_record));
    free(all);
    free(c);
    PMPI_Bcast(&said, 1, MPI_INT, 0, cs_run.control);
    return said;
}

static bool sums_differ(const uint64_t sum[NSUMS])
{
    return sum[SUM_UNMARKED] != 0 || (sum[SUM_WILD] == 0 && sum[SUM_BY_TAG] != 0) || sum[SUM_COLLECTIVE] != 0;
}

static void own_sums(uint64_t sum[NSUMS])
{
    int wild = 0;
    memset(sum, 0, NSUMS * sizeof *sum);
    add_message_sums(sum, &wild);
    add_collective_sums(sum);
    sum[SUM_WILD] = (uint64_t)wild;
}

int cs_channels_check(void)
{
    uint64_t sum[NSUMS], all[NSUMS];
    if (!cs_channels_on)
        return 0;
    own_sums(sum);
    if (shared) {
        for (int i = 0; i < NSUMS; i++)
            shared->sum[i] += sum[i];
        shared->ended++;
        return 0;
    }
    PMPI_Allreduce(sum, all, NSUMS, MPI_UINT64_T, MPI_SUM, cs_run.control);
    bool differ = sums_differ(all);
    if (!differ && all[SUM_CONTENT] == 0)
        return 0;
    int said = explain();
    /* Contents that nobody wants, and receives that are never matched, are no error. */
    if (differ && said == 0 && cs_run.rank == 0)
        cs_say("error: marked and unmarked calls met, but the places could not be told apart");
    return differ || said ? -1 : 0;
}

/* ---- ranks that need not meet ---- */

bool cs_channels_meet(void)
{
    return cs_channels_on && !shared;
}

void cs_channels_share(void)
{
    void *p = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = p == MAP_FAILED ? NULL : p;
}

int cs_channels_check_shared(void)
{
    char place[PLACE] = "an unknown place";
    uint64_t sum[NSUMS];
    if (!shared || shared->ended < cs_run.nranks)
        return 0;
    for (int i = 0; i < NSUMS; i++)
        sum[i] = shared->sum[i];
    if (!sums_differ(sum) || shared->marked_at == 0)
        return 0;
    cs_site_where_text(shared->marked_at, place, PLACE);
    cs_say("error: no call of this slice sends anything, but calls from code that commslice has not seen, such as at %s, met some of them",
           place);
    return -1;
}

/* ---- questions of the watch ---- */

bool cs_channel_unmarked_partner(uint64_t comm_key, int waiter, bool waiter_receives, int tag, char *buf, int len)
{
    for (const struct channel *c = channels; c; c = c->hh.next) {
        const struct channel_key *k = &c->key;
        if (k->comm == comm_key && (k->receives != 0) != waiter_receives && (k->peer == waiter || k->peer < 0)
            && (k->tag == tag || k->tag < 0 || tag < 0) && c->n[0] > 0) {
            cs_site_text(c->site[0], buf, len);
            return true;
        }
    }
    return false;
}

bool cs_channel_unmarked_collective(uint64_t comm_key, int64_t number, char *buf, int len)
{
    struct collectives *c;
    HASH_FIND(hh, collectives, &comm_key, sizeof comm_key, c);
    if (!c || c->n <= number || c->n - number > NPOINTS || c->tail[number % NPOINTS].mark == CS_MARK_CONTENT)
        return false;
    cs_site_text(c->tail[number % NPOINTS].site, buf, len);
    return true;
}
