/* SPDX-License-Identifier: BSD-3-Clause
 * Matching by lists, which are fastest while they are short, and by bins (match_bins.h) beyond FEW entries. A message
 * is in one bin for each pattern that a receive has used, so a wildcard finds the oldest message at once. A receive is
 * in the bin of its own pattern, so a message compares the first receives of four bins and takes the oldest. */
#include "emulate/messages/match_internal.h"

#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

#include "emulate/messages/message.h"
#include "emulate/messages/request.h"
#include "emulate/world/world.h"

/* Entries up to which a list is searched from its beginning. */
enum { FEW = 24 };

static bool fits(const struct cs_emu_msg *m, uint32_t context, int source, int tag)
{
    return m->context == context && (source == m->source || source == MPI_ANY_SOURCE) &&
           (tag == m->tag || tag == MPI_ANY_TAG);
}

/* ---- messages ---- */

/* A message that nobody has received yet. */
struct kept {
    struct kept *prev, *next;
    struct cs_emu_msg *m;
    struct cs_emu_link in[CS_EMU_PATTERNS]; /* its link in the bins of each pattern */
};

/* All of them, in order of arrival. */
static struct {
    struct kept *first, *last, *spare; /* `spare`: entries for use again */
    int n;
    bool used[CS_EMU_PATTERNS]; /* all messages are in the bins of these patterns */
    struct cs_emu_bins bins;
} kept;

static void add_to_bin(struct kept *k, enum cs_emu_pattern p)
{
    cs_emu_bin_add(&kept.bins, p, k->m->context, k->m->source, k->m->tag, &k->in[p], k);
}

void cs_emu_match_keep(struct cs_emu_msg *m)
{
    struct kept *k = kept.spare;
    if (k)
        kept.spare = k->next;
    else if (!(k = malloc(sizeof *k)))
        cs_emu_fail("no memory for the list of messages that nobody has received yet");
    *k = (struct kept){.prev = kept.last, .m = m};
    *(kept.last ? &kept.last->next : &kept.first) = k;
    kept.last = k;
    kept.n++;
    for (int p = 0; p < CS_EMU_PATTERNS; p++)
        if (kept.used[p])
            add_to_bin(k, p);
}

static void drop(struct kept *k)
{
    assert(kept.n > 0);
    *(k->prev ? &k->prev->next : &kept.first) = k->next;
    *(k->next ? &k->next->prev : &kept.last) = k->prev;
    kept.n--;
    assert((kept.n == 0) == !kept.first);
    for (int p = 0; p < CS_EMU_PATTERNS; p++) {
        if (k->in[p].bin)
            cs_emu_bin_remove(&kept.bins, &k->in[p]);
        kept.used[p] &= kept.n > 0;
    }
    k->next = kept.spare;
    kept.spare = k;
}

static struct kept *find_in_list(uint32_t context, int source, int tag)
{
    struct kept *k = kept.first;
    while (k && !fits(k->m, context, source, tag))
        k = k->next;
    return k;
}

static struct kept *find_in_bin(uint32_t context, int source, int tag)
{
    enum cs_emu_pattern p = cs_emu_pattern_of(source, tag);
    if (!kept.used[p]) {
        for (struct kept *k = kept.first; k; k = k->next)
            add_to_bin(k, p);
        kept.used[p] = true;
    }
    return cs_emu_bin_first(&kept.bins, p, context, source, tag);
}

struct cs_emu_msg *cs_emu_match_find(uint32_t context, int source, int tag, bool take)
{
    if (!kept.first)
        return NULL;
    struct kept *k = kept.n <= FEW ? find_in_list(context, source, tag) : find_in_bin(context, source, tag);
    struct cs_emu_msg *m = k ? k->m : NULL;
    if (k && take)
        drop(k);
    return m;
}

/* ---- receives ---- */

/* The posted receives, in order of posting. */
static struct {
    struct cs_emu_req *first, *last;
    int n, of[CS_EMU_PATTERNS]; /* in all, and in bins of each pattern */
    uint64_t order;             /* of the next receive that is posted */
    bool in_bins;               /* all of them are in bins */
    struct cs_emu_bins bins;
} posted;

static void put_in_bin(struct cs_emu_req *r)
{
    enum cs_emu_pattern p = cs_emu_pattern_of(r->peer, r->tag);
    cs_emu_bin_add(&posted.bins, p, r->context, r->peer, r->tag, &r->in_bin, r);
    posted.of[p]++;
}

void cs_emu_match_post(struct cs_emu_req *r)
{
    assert(!r->posted && !r->complete && r->peer != MPI_PROC_NULL);
    r->posted = true;
    r->order = posted.order++;
    r->in_bin.bin = NULL;
    r->next = NULL;
    r->prev = posted.last;
    *(posted.last ? &posted.last->next : &posted.first) = r;
    posted.last = r;
    posted.n++;
    if (posted.in_bins)
        put_in_bin(r);
    else if (posted.n > FEW) {
        for (struct cs_emu_req *p = posted.first; p; p = p->next)
            put_in_bin(p);
        posted.in_bins = true;
    }
}

void cs_emu_match_unpost(struct cs_emu_req *r)
{
    assert(r->posted && posted.n > 0 && posted.in_bins == (r->in_bin.bin != NULL));
    *(r->prev ? &r->prev->next : &posted.first) = r->next;
    *(r->next ? &r->next->prev : &posted.last) = r->prev;
    r->posted = false;
    if (r->in_bin.bin) {
        cs_emu_bin_remove(&posted.bins, &r->in_bin);
        posted.of[cs_emu_pattern_of(r->peer, r->tag)]--;
    }
    if (--posted.n == 0)
        posted.in_bins = false;
}

static struct cs_emu_req *find_receive(const struct cs_emu_msg *m)
{
    struct cs_emu_req *oldest = NULL;
    for (int p = 0; p < CS_EMU_PATTERNS; p++) {
        struct cs_emu_req *r = posted.of[p] ? cs_emu_bin_first(&posted.bins, p, m->context, m->source, m->tag) : NULL;
        if (r && (!oldest || r->order < oldest->order))
            oldest = r;
    }
    return oldest;
}

struct cs_emu_req *cs_emu_match_receive(const struct cs_emu_msg *m)
{
    struct cs_emu_req *r = posted.first;
    if (posted.in_bins)
        r = find_receive(m);
    else
        while (r && !fits(m, r->context, r->peer, r->tag))
            r = r->next;
    if (r)
        cs_emu_match_unpost(r);
    return r;
}
