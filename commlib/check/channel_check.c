/* SPDX-License-Identifier: BSD-3-Clause
 * Counts messages by channel (communicator, peer, tag, direction) and mark, and hashes the marks of collectives.
 * Senders add a hash of the channel for each unmarked message, receivers subtract it: one MPI_Allreduce shows whether
 * the sum is 0. Only when it is not do all counts go to rank 0, which looks for the two call sites. */
#include "commlib/check/channel_check.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commlib/check/channel_internal.h"
#include "commlib/check/channel_turns.h"
#include "commlib/record/comm_paths.h"
#include "base/environment.h"
#include "base/mix.h"
#include "commlib/state/run_state.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"
#include "commlib/state/own_slice.h"
#include "commlib/state/lock.h"

bool cs_channels_on;

struct channel *cs_channels;
/* A cache in front of cs_channels, indexed by a hash of peer and tag: most messages use a recently used channel. */
static struct channel *recent[256];

struct collectives *cs_collectives;

/* There is something to check in a slice that has unmarked calls and runs with more than one rank. In a share of a run
 * no marked call can meet another one. */
void cs_channels_start(void)
{
    cs_channels_on = cs_run.is_slice && cs_own_slice_has_unmarked() && cs_run.nranks > 1 && !getenv(CS_ENV_SHARE);
}

static int world_rank(const struct cs_comm *m, int peer)
{
    return cs_ranges_at(&m->world, peer);
}

static struct channel *channel_of(const struct channel_key *key)
{
    enum { SLOTS = sizeof recent / sizeof *recent };
    uint32_t h = (uint32_t)key->peer * 5 + (uint32_t)key->tag * 2 + (uint32_t)key->receives;
    struct channel **slot = &recent[h % SLOTS], *c = *slot;
    if (c && memcmp(&c->key, key, sizeof *key) == 0)
        return c;
    HASH_FIND(hh, cs_channels, key, sizeof *key, c);
    if (!c && (c = calloc(1, sizeof *c))) {
        c->key = *key;
        HASH_ADD(hh, cs_channels, key, sizeof *key, c);
    }
    return *slot = c;
}

/* NULL for a communicator that is not known, and when memory is out. */
static struct channel *channel_with(MPI_Comm comm, bool receives, int peer, int tag)
{
    const struct cs_comm *m = cs_comm_get(comm);
    if (!m)
        return NULL;
    struct channel_key key = {m->key, world_rank(m, peer), tag == MPI_ANY_TAG ? -1 : tag, receives, 0};
    return channel_of(&key);
}

void cs_channel_message(MPI_Comm comm, bool receives, int peer, int tag, int mark, int site, int n)
{
    if (!cs_channels_on || peer == MPI_PROC_NULL)
        return;
    assert(mark >= CS_MARK_NONE && mark <= CS_MARK_CONTENT && (n == 1 || n == -1));
    cs_lock();
    cs_channel_note_marked(mark, site);
    struct channel *c = channel_with(comm, receives, peer, tag);
    if (c) {
        cs_channel_turns_message(c);
        if (c->n[mark] == 0)
            c->site[mark] = site;
        c->n[mark] += n;
    }
    cs_unlock();
}

void cs_channel_empty(MPI_Comm comm, int peer, int tag)
{
    if (!cs_channels_on || peer == MPI_PROC_NULL)
        return;
    cs_lock();
    struct channel *c = channel_with(comm, false, peer, tag);
    if (c)
        c->empty++;
    cs_unlock();
}

static struct collectives *collectives_of(const struct cs_comm *m)
{
    struct collectives *c;
    HASH_FIND(hh, cs_collectives, &m->key, sizeof m->key, c);
    if (c || !(c = calloc(1, sizeof *c)))
        return c;
    c->comm = m->key;
    snprintf(c->path, sizeof c->path, "%s", m->path);
    c->nranks = m->nranks + (m->inter ? m->npeers : 0);
    c->first_rank = m->rank == 0 && (!m->inter || cs_run.rank < cs_ranges_at(&m->world, 0));
    c->stride = 1;
    HASH_ADD(hh, cs_collectives, comm, sizeof c->comm, c);
    return c;
}

void cs_channel_collective(MPI_Comm comm, int call, int mark, int site)
{
    if (!cs_channels_on)
        return;
    cs_lock();
    cs_channel_note_marked(mark, site);
    struct cs_comm *m = cs_comm_get(comm);
    struct collectives *c = m ? collectives_of(m) : NULL;
    if (c) {
        cs_channel_turns_collective(c);
        cs_collectives_add(c, call, mark, site);
    }
    cs_unlock();
}

/* ---- the cheap comparison ---- */

/* The summand of one message. The caller passes -1 as source and tag where these shall not count: a receive with
 * wildcards does not know them. */
static uint64_t weight(uint64_t comm, int source, int dest, int tag)
{
    return cs_mix(comm ^
                  cs_mix(((uint64_t)(uint32_t)source << 32 | (uint32_t)dest) ^ cs_mix((uint64_t)(uint32_t)tag + 1)));
}

static void add_message_sums(uint64_t sum[NSUMS], int *wild)
{
    for (const struct channel *c = cs_channels; c; c = c->hh.next) {
        const struct channel_key *k = &c->key;
        int source = k->receives ? k->peer : cs_run.rank, dest = k->receives ? cs_run.rank : k->peer;
        uint64_t sign = k->receives ? (uint64_t)-1 : 1;
        sum[SUM_UNMARKED] += sign * (uint64_t)c->n[0] * weight(k->comm, -1, dest, -1);
        sum[SUM_BY_TAG] += sign * (uint64_t)c->n[0] * weight(k->comm, source, dest, k->tag);
        sum[SUM_CONTENT] += sign * (uint64_t)c->n[2] * weight(k->comm, -1, dest, -1);
        sum[SUM_LEFT] += sign * (uint64_t)c->n[0];
        if (k->receives && c->n[0] && (k->peer < 0 || k->tag < 0))
            *wild = 1;
    }
}

/* Of n members, the first one adds (n - 1) times its hash and each other member subtracts its own. Over all ranks that
 * is 0 when all hashes are equal. */
static void add_collective_sums(uint64_t sum[NSUMS])
{
    for (const struct collectives *c = cs_collectives; c; c = c->hh.next) {
        uint64_t w = cs_mix(c->comm ^ cs_mix(c->hash + (uint64_t)c->n));
        sum[SUM_COLLECTIVE] += c->first_rank ? (uint64_t)(c->nranks - 1) * w : (uint64_t)-1 * w;
    }
}

bool cs_channel_sums_differ(const uint64_t sum[NSUMS])
{
    return sum[SUM_UNMARKED] != 0 || (sum[SUM_WILD] == 0 && sum[SUM_BY_TAG] != 0) || sum[SUM_COLLECTIVE] != 0;
}

void cs_channel_sums(uint64_t sum[NSUMS])
{
    int wild = 0;
    memset(sum, 0, NSUMS * sizeof *sum);
    add_message_sums(sum, &wild);
    add_collective_sums(sum);
    sum[SUM_WILD] = (uint64_t)wild;
}

/* Messages that are sent and never received are an error of the program, but the slice makes the same calls. */
int cs_channel_say_sums(const uint64_t sum[NSUMS])
{
    int64_t left = (int64_t)sum[SUM_LEFT];
    bool collectives = sum[SUM_COLLECTIVE] != 0;
    if (left > 0 && !collectives) {
        cs_say("warning: %lld messages were sent and never received", (long long)left);
        return 0;
    }
    if (left < 0 && !collectives)
        cs_say("error: %lld receives that the slice does not transmit have no message that was sent: the program waits "
               "there for ever, or its trace is wrong",
               -(long long)left);
    else
        cs_say("error: marked and unmarked calls met, but the places could not be told apart");
    return -1;
}

int cs_channels_check(void)
{
    uint64_t sum[NSUMS], all[NSUMS];
    if (!cs_channels_on)
        return 0;
    if (cs_channels_shared()) {
        cs_channel_deposit(true);
        return 0;
    }
    cs_channel_sums(sum);
    PMPI_Allreduce(sum, all, NSUMS, MPI_UINT64_T, MPI_SUM, cs_run.control);
    bool differ = cs_channel_sums_differ(all);
    if (!differ && all[SUM_CONTENT] == 0)
        return 0;
    int said = cs_channel_places();
    /* Nothing is said of a content that no receiver wants, or of a receive that is never matched: these are no errors.
     * But where the sums differ something has to be said. */
    if (said == 0 && differ && cs_run.rank == 0)
        said = cs_channel_say_sums(all);
    PMPI_Bcast(&said, 1, MPI_INT, 0, cs_run.control);
    return said ? -1 : 0;
}

bool cs_channels_meet(void)
{
    return cs_channels_on && !cs_channels_shared();
}

/* ---- questions of the hang detector ---- */

int64_t cs_channel_collectives(uint64_t comm_key)
{
    struct collectives *c;
    HASH_FIND(hh, cs_collectives, &comm_key, sizeof comm_key, c);
    return c ? c->n : 0;
}

bool cs_channel_unmarked_partner(uint64_t comm_key, int waiter, bool waiter_receives, int tag, char *buf, int len)
{
    for (const struct channel *c = cs_channels; c; c = c->hh.next) {
        const struct channel_key *k = &c->key;
        if (k->comm == comm_key && (k->receives != 0) != waiter_receives && (k->peer == waiter || k->peer < 0) &&
            (k->tag == tag || k->tag < 0 || tag < 0) && c->n[0] > 0) {
            cs_site_text(c->site[0], buf, len);
            return true;
        }
    }
    return false;
}

bool cs_channel_unmarked_collective(uint64_t comm_key, int64_t number, char *buf, int len)
{
    struct collectives *c;
    HASH_FIND(hh, cs_collectives, &comm_key, sizeof comm_key, c);
    if (!c || c->n <= number || c->n - number > NPOINTS || c->tail[number % NPOINTS].mark != CS_MARK_NONE)
        return false;
    cs_site_text(c->tail[number % NPOINTS].site, buf, len);
    return true;
}
