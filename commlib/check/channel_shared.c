/* SPDX-License-Identifier: BSD-3-Clause
 * The channel check for forked ranks, which need not be alive together. Each rank that ends, or is ended when the run
 * hangs, adds its sums to those in shared memory and leaves its counts there; the parent compares them. A slice without
 * marked calls leaves only the sums. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "commlib/check/channel_internal.h"
#include "commlib/check/channel_check.h"
#include "commlib/state/run_state.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"
#include "commlib/state/own_slice.h"

/* Entries of the tables in struct area, and how many sequences of collectives are compared: each needs 12 KB then. */
enum { MOST_MESSAGES = 1 << 20, MOST_COLLECTIVES = 1 << 14, BUCKETS = 1 << 10, MOST_COMPARED = 256 };

/* As struct message_record, with call sites as numbers (cs_site_where): all ranks are forks of one process. */
struct kept_message {
    uint64_t comm;
    int32_t source, dest, tag, receives;
    int64_t n[3], empty, where[3];
};

/* As struct point; `where` is cs_site_where of the call. */
struct kept_point {
    uint64_t hash;
    int64_t where;
    int64_t mark;
};

/* As struct collectives. A rank leaves none where another rank has left an equal one. */
struct kept_collectives {
    uint64_t comm, hash;
    int64_t n, stride;
    int32_t rank;
    uint32_t next; /* in its bucket: index + 1 */
    struct kept_point point[NPOINTS], tail[NPOINTS];
    char path[PLACE];
};

/* The memory that parent and ranks share. */
static struct area {
    _Atomic uint64_t sum[NSUMS];
    _Atomic int32_t ended;     /* ranks that have come to their end */
    _Atomic int64_t marked_at; /* cs_site_where of the first marked call, 0: none */
    bool with_places;          /* the slice has marked calls: ranks leave counts, not only sums */
    _Atomic uint32_t nmessages, ncollectives;
    _Atomic uint32_t dropped;         /* records for which there was no room */
    _Atomic uint32_t bucket[BUCKETS]; /* by communicator: index + 1 in `collectives`, the head of a list */
    struct kept_collectives collectives[MOST_COLLECTIVES];
    struct kept_message message[MOST_MESSAGES];
} * shared;

void cs_channels_share(void)
{
    void *p = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    shared = p == MAP_FAILED ? NULL : p;
    if (shared)
        shared->with_places = cs_own_slice_has_marked();
}

bool cs_channels_shared(void)
{
    return shared != NULL;
}

void cs_channel_note_marked(int mark, int site)
{
    if (shared && mark != CS_MARK_NONE && shared->marked_at == 0)
        shared->marked_at = cs_site_where(site);
}

/* ---- a rank leaves what it has counted ---- */

static void keep_message(const struct channel *c)
{
    const struct channel_key *k = &c->key;
    uint32_t at = atomic_fetch_add(&shared->nmessages, 1);
    if (at >= MOST_MESSAGES) {
        atomic_store(&shared->nmessages, MOST_MESSAGES);
        atomic_fetch_add(&shared->dropped, 1);
        return;
    }
    struct kept_message *m = &shared->message[at];
    m->comm = k->comm;
    m->source = k->receives ? k->peer : cs_run.rank;
    m->dest = k->receives ? cs_run.rank : k->peer;
    m->tag = k->tag;
    m->receives = k->receives;
    m->empty = c->empty;
    for (int i = 0; i < 3; i++) {
        m->n[i] = c->n[i];
        m->where[i] = c->n[i] ? cs_site_where(c->site[i]) : 0;
    }
}

static void keep_points(struct kept_point *to, const struct point *from, int64_t n)
{
    for (int64_t i = 0; i < NPOINTS && i < n; i++)
        to[i] = (struct kept_point){from[i].hash, cs_site_where(from[i].site), from[i].mark};
}

static bool is_kept(const struct collectives *c, uint32_t index)
{
    for (; index; index = shared->collectives[index - 1].next) {
        const struct kept_collectives *k = &shared->collectives[index - 1];
        if (k->comm == c->comm && k->n == c->n && k->hash == c->hash)
            return true;
    }
    return false;
}

static void keep_collectives(const struct collectives *c)
{
    _Atomic uint32_t *bucket = &shared->bucket[c->comm % BUCKETS];
    if (is_kept(c, atomic_load(bucket)))
        return;
    uint32_t at = atomic_fetch_add(&shared->ncollectives, 1);
    assert(c->stride > 0);
    if (at >= MOST_COLLECTIVES) {
        atomic_store(&shared->ncollectives, MOST_COLLECTIVES);
        atomic_fetch_add(&shared->dropped, 1);
        return;
    }
    struct kept_collectives *k = &shared->collectives[at];
    k->comm = c->comm;
    k->hash = c->hash;
    k->n = c->n;
    k->stride = c->stride;
    k->rank = cs_run.rank;
    memcpy(k->path, c->path, sizeof k->path);
    keep_points(k->point, c->point, (c->n + c->stride - 1) / c->stride);
    keep_points(k->tail, c->tail, c->n);
    k->next = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &k->next, at + 1))
        continue;
}

void cs_channel_deposit(bool at_end)
{
    static bool done;
    uint64_t sum[NSUMS];
    if (!shared || done)
        return;
    done = true;
    cs_channel_sums(sum);
    for (int i = 0; i < NSUMS; i++)
        atomic_fetch_add(&shared->sum[i], sum[i]);
    if (shared->with_places) {
        for (const struct channel *c = cs_channels; c; c = c->hh.next)
            keep_message(c);
        for (const struct collectives *c = cs_collectives; c; c = c->hh.next)
            keep_collectives(c);
    }
    if (at_end)
        atomic_fetch_add(&shared->ended, 1);
}

/* ---- the parent compares ---- */

static int by_receiver(const void *a, const void *b)
{
    const struct kept_message *x = a, *y = b;
    return x->comm != y->comm ? (x->comm > y->comm) - (x->comm < y->comm) : (x->dest > y->dest) - (x->dest < y->dest);
}

/* Compares the sends and receives of one receiver on one communicator; returns the number of pairs reported. */
static int compare_messages(const struct kept_message *m, int n, bool cut)
{
    struct message_record *r = calloc((size_t)n, sizeof *r);
    int said = 0;
    for (int i = 0; r && i < n; i++) {
        r[i] = (struct message_record){
            .comm = m[i].comm, .source = m[i].source, .dest = m[i].dest, .tag = m[i].tag, .receives = m[i].receives};
        r[i].empty = m[i].empty;
        for (int k = 0; k < 3; k++)
            if ((r[i].n[k] = m[i].n[k]))
                cs_site_where_text(m[i].where[k], r[i].place[k], PLACE);
    }
    if (r)
        said = cs_say_messages(r, n, cut);
    free(r);
    return said;
}

static int compare_all_messages(bool cut)
{
    struct kept_message *m = shared->message;
    uint32_t n = shared->nmessages < MOST_MESSAGES ? shared->nmessages : MOST_MESSAGES, from = 0;
    int said = 0;
    qsort(m, n, sizeof *m, by_receiver);
    for (uint32_t i = 1; i <= n && said < 10; i++)
        if (i == n || by_receiver(&m[from], &m[i]) != 0) {
            said += compare_messages(&m[from], (int)(i - from), cut);
            from = i;
        }
    return said;
}

static void points_of(const struct kept_point *from, struct point *to, char place[NPOINTS][PLACE])
{
    for (int i = 0; i < NPOINTS; i++) {
        to[i] = (struct point){.hash = from[i].hash, .mark = (int)from[i].mark};
        cs_site_where_text(from[i].where, place[i], PLACE);
    }
}

static int compare_collectives(bool cut)
{
    uint32_t n = shared->ncollectives < MOST_COMPARED ? shared->ncollectives : MOST_COMPARED;
    struct collective_record *r = calloc((size_t)n + 1, sizeof *r);
    for (uint32_t i = 0; r && i < n; i++) {
        const struct kept_collectives *k = &shared->collectives[i];
        r[i].comm = k->comm;
        r[i].rank = k->rank;
        r[i].n = k->n;
        r[i].stride = k->stride > 0 ? k->stride : 1;
        memcpy(r[i].path, k->path, sizeof r[i].path);
        points_of(k->point, r[i].point, r[i].point_place);
        points_of(k->tail, r[i].tail, r[i].tail_place);
    }
    int said = r ? cs_say_collectives(r, (int)n, cut) : 0;
    free(r);
    return said;
}

/* Says how much the comparison has not seen: the sums are of all calls, but places are known of these records only. */
static void say_dropped(void)
{
    uint32_t seen = shared->ncollectives, dropped = shared->dropped;
    dropped += seen > MOST_COMPARED ? seen - MOST_COMPARED : 0;
    if (dropped)
        cs_say("warning: %u channels and sequences of collectives are more than can be compared: calls that do not fit "
               "may be missing here",
               dropped);
}

/* For a slice without marked calls whose sums differ: reports the marked call from code without the plugin, or what
 * else is known. 0 if it can be no wrong trace. */
static int say_unseen(const uint64_t sum[NSUMS])
{
    char place[PLACE];
    if (shared->marked_at == 0)
        return cs_channel_say_sums(sum);
    cs_site_where_text(shared->marked_at, place, PLACE);
    cs_say(
        "error: no call of this slice sends anything, but calls from code that commslice has not seen, such as at %s, "
        "met some of them",
        place);
    return -1;
}

int cs_channels_check_shared(bool hangs)
{
    uint64_t sum[NSUMS];
    bool all = shared && shared->ended == cs_run.nranks;
    if (!shared || (!all && !hangs))
        return 0;
    for (int i = 0; i < NSUMS; i++)
        sum[i] = shared->sum[i];
    bool differ = all && cs_channel_sums_differ(sum);
    if (!shared->with_places)
        return differ ? say_unseen(sum) : 0;
    if (all && !differ && sum[SUM_CONTENT] == 0)
        return 0;
    int said = compare_all_messages(!all) + compare_collectives(!all);
    say_dropped();
    if (said)
        return -1;
    return differ ? cs_channel_say_sums(sum) : 0;
}
