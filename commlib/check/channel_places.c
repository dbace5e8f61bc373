/* SPDX-License-Identifier: BSD-3-Clause
 * Finds which marked call met which unmarked one, from the counts of all ranks, after the sums have shown that some
 * did. Runs once, just before an error message, so it may be slow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commlib/check/channel_internal.h"
#include "commlib/state/run_state.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"

/* Gathers `len` bytes of each rank at rank 0, one after the other, to be freed; sets *total. NULL on other ranks and
 * when memory is out. */
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
    struct message_record *r = calloc(HASH_COUNT(cs_channels) + 1, sizeof *r);
    *n = 0;
    for (const struct channel *c = cs_channels; r && c; c = c->hh.next) {
        const struct channel_key *k = &c->key;
        struct message_record *m = &r[(*n)++];
        m->comm = k->comm;
        m->source = k->receives ? k->peer : cs_run.rank;
        m->dest = k->receives ? cs_run.rank : k->peer;
        m->tag = k->tag;
        m->receives = k->receives;
        m->empty = c->empty;
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
    return send->comm == recv->comm && send->dest == recv->dest && (recv->source < 0 || recv->source == send->source) &&
           (recv->tag < 0 || recv->tag == send->tag);
}

static const char *const mark_names[] = {"unmarked", "marked for its envelope", "marked"};

/* The lowest of the marks `from` to `to` with which the record has messages, or -1. */
static int a_mark(const struct message_record *m, int from, int to)
{
    for (int i = from; i <= to; i++)
        if (m->n[i])
            return i;
    return -1;
}

/* Reports a send of `s` with mark smark and a receive of `r` with mark rmark. False if one of the marks is -1. */
static bool say_message_pair(const struct message_record *s, const struct message_record *r, int smark, int rmark)
{
    if (smark < 0 || rmark < 0)
        return false;
    cs_say("error: the %s send at %s (rank %d) meets the %s receive at %s (rank %d), tag %d", mark_names[smark],
           s->place[smark], s->source, mark_names[rmark], r->place[rmark], r->dest, s->tag);
    return true;
}

/* Unmarked sends to this receiver, minus its unmarked receives. With wildcards only this difference shows an error: a
 * marked receive that may match an unmarked message may have matched another one. */
static int64_t unmarked_left(const struct message_record *m, int n, const struct message_record *recv)
{
    int64_t left = 0;
    for (int i = 0; i < n; i++)
        if (m[i].comm == recv->comm && m[i].dest == recv->dest)
            left += m[i].receives ? -m[i].n[0] : m[i].n[0];
    return left;
}

/* For ranks that have come to their end: sender and receiver must have the same number of unmarked messages. Without
 * wildcards, more receives of content than sends of content are an error, too; a message without data may have any
 * datatype, and its envelope is all of it. */
static bool say_difference(const struct message_record *m, int n, const struct message_record *s,
                           const struct message_record *r)
{
    bool exact = r->source >= 0 && r->tag >= 0;
    if (exact && s->n[0] != r->n[0])
        return s->n[0] > r->n[0] ? say_message_pair(s, r, 0, a_mark(r, 1, 2))
                                 : say_message_pair(s, r, a_mark(s, 1, 2), 0);
    if (!exact && (s->n[0] == 0) != (r->n[0] == 0) && unmarked_left(m, n, r))
        return say_message_pair(s, r, a_mark(s, 0, 2), a_mark(r, 0, 2));
    return exact && r->n[2] > s->n[2] + s->empty && say_message_pair(s, r, a_mark(s, 1, 1), 2);
}

/* For ranks that were ended in the middle: one side may have made fewer calls than the other. But when one side has
 * more unmarked calls and the other has more marked calls, a marked call has met an unmarked one. */
static bool say_crossing(const struct message_record *s, const struct message_record *r)
{
    int64_t marked_sent = s->n[1] + s->n[2], marked_received = r->n[1] + r->n[2];
    if (r->source < 0 || r->tag < 0)
        return false;
    if (s->n[0] > r->n[0] && marked_received > marked_sent)
        return say_message_pair(s, r, 0, a_mark(r, 1, 2));
    return s->n[0] < r->n[0] && marked_received < marked_sent && say_message_pair(s, r, a_mark(s, 1, 2), 0);
}

/* Reports an unmarked receive for which nothing was sent. */
static bool say_unsent(const struct message_record *m, int n, const struct message_record *r)
{
    for (int i = 0; i < n; i++)
        if (!m[i].receives && may_match(&m[i], r))
            return false;
    if (!r->receives || r->n[0] == 0)
        return false;
    cs_say("error: nobody sends what the unmarked receive at %s (rank %d) takes", r->place[0], r->dest);
    return true;
}

int cs_say_messages(const struct message_record *m, int n, bool cut)
{
    int said = 0;
    for (int i = 0; i < n && !cut && said < 10; i++)
        said += say_unsent(m, n, &m[i]);
    for (int i = 0; i < n; i++)
        for (int k = 0; !m[i].receives && k < n && said < 10; k++)
            if (m[k].receives && may_match(&m[i], &m[k]))
                said += cut ? say_crossing(&m[i], &m[k]) : say_difference(m, n, &m[i], &m[k]);
    return said;
}

static struct collective_record *own_collectives(int *n)
{
    struct collective_record *r = calloc(HASH_COUNT(cs_collectives) + 1, sizeof *r);
    *n = 0;
    for (const struct collectives *c = cs_collectives; r && c; c = c->hh.next) {
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

/* Call number `at` of the record, with the text of its call site in *place; NULL if the record does not know it. */
static const struct point *point_of(const struct collective_record *r, int64_t at, const char **place)
{
    int64_t i = at % r->stride == 0 ? at / r->stride : NPOINTS;
    if (at >= r->n || (at < r->n - NPOINTS && i >= NPOINTS))
        return NULL;
    bool tail = at >= r->n - NPOINTS;
    const struct point *p = tail ? &r->tail[at % NPOINTS] : &r->point[i];
    *place = tail ? r->tail_place[at % NPOINTS] : r->point_place[i];
    return p->mark >= 0 ? p : NULL;
}

/* Reports the first call that both records have and in which they differ, or different numbers of calls. False if there
 * is neither. */
static bool say_collective_pair(const struct collective_record *a, const struct collective_record *b, bool cut)
{
    int64_t same = -1; /* the last call up to which both agree for sure */
    for (int64_t at = 0; at < a->n && at < b->n; at++) {
        const char *aplace, *bplace;
        const struct point *p = point_of(a, at, &aplace), *q = point_of(b, at, &bplace);
        if (!p || !q)
            continue;
        if (p->hash == q->hash) {
            same = at;
            continue;
        }
        cs_say(
            "error: collective call number %lld of communicator %s%s differs: %s at %s (rank %d), %s at %s (rank %d)",
            (long long)at, a->path, at - same > 1 ? ", or one shortly before it," : "", mark_names[p->mark], aplace,
            a->rank, mark_names[q->mark], bplace, b->rank);
        return true;
    }
    if (a->n == b->n || cut)
        return false;
    cs_say("error: rank %d made %lld collective calls on communicator %s, rank %d made %lld", a->rank, (long long)a->n,
           a->path, b->rank, (long long)b->n);
    return true;
}

/* Compares each record with the first one of its communicator. */
int cs_say_collectives(const struct collective_record *r, int n, bool cut)
{
    int said = 0;
    for (int i = 0; i < n && said < 10; i++)
        for (int k = 0; k < i; k++)
            if (r[k].comm == r[i].comm) {
                said += say_collective_pair(&r[k], &r[i], cut);
                break;
            }
    return said;
}

int cs_channel_places(void)
{
    int n, total, said = 0;
    struct message_record *m = own_messages(&n);
    char *all = gather_bytes((char *)m, m ? n * (int)sizeof *m : 0, &total);
    if (all)
        said += cs_say_messages((struct message_record *)all, total / (int)sizeof(struct message_record), false);
    free(all);
    free(m);
    struct collective_record *c = own_collectives(&n);
    all = gather_bytes((char *)c, c ? n * (int)sizeof *c : 0, &total);
    if (all)
        said +=
            cs_say_collectives((struct collective_record *)all, total / (int)sizeof(struct collective_record), false);
    free(all);
    free(c);
    PMPI_Bcast(&said, 1, MPI_INT, 0, cs_run.control);
    return said;
}
