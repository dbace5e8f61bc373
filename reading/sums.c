/* SPDX-License-Identifier: BSD-3-Clause
 * libcommslice: sums over a whole run, by pairs of ranks and by call sites, without unrolling loops; see commslice.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "api/mpi_calls.h"
#include "reading/reader.h"
#include "trace/analyse/profile.h"
#include "trace/analyse/traffic.h"

static int no_memory(char *why, size_t whylen)
{
    snprintf(why, whylen, "not enough memory");
    return -1;
}

int cs_reader_matrix(const struct cs_reader *r, struct cs_reader_pair **pairs, size_t *n, uint64_t *unknown, char *why,
                     size_t whylen)
{
    struct cs_traffic s;
    *pairs = NULL;
    *n = 0;
    int rc = r->t ? cs_traffic_sum(r->t, &s, NULL, why, whylen) : cs_traffic_sum_merged(r->m, &s, NULL, why, whylen);
    if (rc == 0 && !(*pairs = malloc((s.npairs + 1) * sizeof **pairs)))
        rc = no_memory(why, whylen);
    for (size_t i = 0; rc == 0 && i < s.npairs; i++)
        (*pairs)[i] = (struct cs_reader_pair){s.pair[i].source, s.pair[i].dest, s.pair[i].messages, s.pair[i].bytes};
    *n = rc == 0 ? s.npairs : 0;
    if (unknown)
        *unknown = rc == 0 ? s.lost : 0;
    cs_traffic_free(&s);
    return rc;
}

/* The sums of a call site, found by call, file, line and function. */
struct site {
    struct cs_reader_site sum;
    int last; /* rank, or class of a merged trace, that has been counted as one that makes it */
    UT_hash_handle hh;
    char key[]; /* these four, as text */
};

static struct site *site_of(struct site **all, const struct cs_reader_event *e)
{
    char line[32];
    snprintf(line, sizeof line, ":%d:", (int)e->line);
    const char *part[] = {e->call, ":", e->file ? e->file : "", line, e->function ? e->function : ""};
    size_t len = 0;
    for (size_t i = 0; i < 5; i++)
        len += strlen(part[i]);
    struct site *s = calloc(1, sizeof *s + len + 1), *found = NULL;
    if (!s)
        return NULL;
    for (size_t i = 0; i < 5; i++)
        strcat(s->key, part[i]);
    HASH_FIND(hh, *all, s->key, len, found);
    if (found) {
        free(s);
        return found;
    }
    s->sum = (struct cs_reader_site){.call = e->call, .file = e->file, .function = e->function, .line = e->line};
    s->last = -1;
    HASH_ADD(hh, *all, key, len, s);
    return s;
}

static bool add_event(struct site **all, int rank, const struct cs_reader_event *e)
{
    struct site *at = site_of(all, e);
    if (!at)
        return false;
    at->sum.calls += (uint64_t)e->times;
    at->sum.sent += (uint64_t)(e->sent * e->times);
    at->sum.ns += e->leave - e->enter;
    at->sum.ranks += at->last != rank;
    at->last = rank;
    return true;
}

/* Are all events there that cs_reader_stream_next gives without unrolling? Then the sums need no more. */
static bool is_countable(const struct cs_reader *r, int rank)
{
    struct cs_reader_stream *s = cs_reader_has_times(r) ? NULL : cs_reader_stream_open(r, rank, 0);
    struct cs_reader_event e;
    int rc;
    while (s && (rc = cs_reader_stream_next(s, &e)) == 1)
        ;
    bool countable = s && (rc == 0 || cs_reader_stream_error(s) != cs_loop_makes_requests);
    cs_reader_stream_close(s);
    return countable;
}

/* Adds the events of a rank. 0; 1: they cannot be read; -1: no memory. */
static int add_rank(const struct cs_reader *r, int rank, struct site **all)
{
    struct cs_reader_stream *s = cs_reader_stream_open(r, rank, !is_countable(r, rank));
    struct cs_reader_event e;
    int rc = -1;
    bool added = true;
    while (s && added && (rc = cs_reader_stream_next(s, &e)) == 1)
        added = add_event(all, rank, &e);
    cs_reader_stream_close(s);
    return !s || !added ? -1 : rc < 0 ? 1 : 0;
}

/* Adds what the ranks of a record's class do at it. false: no memory. */
static bool add_record(const struct cs_reader *r, const struct cs_profile *p, int record, struct site **all)
{
    const struct cs_merged_record *rec = &r->m->record[record];
    struct cs_reader_event e;
    int ranks = r->m->cls[rec->cls].ranks.total;
    uint64_t times = (uint64_t)p->times[record];
    cs_reader_place(r, cs_merged_site(r->m, rec->site), &e);
    e.call = cs_mpi_call(rec->call)->name;
    struct site *at = times ? site_of(all, &e) : NULL;
    if (!at)
        return times == 0;
    at->sum.calls += times * (uint64_t)ranks;
    at->sum.sent += times * (p->once[record].bytes + p->once[record].handed);
    at->sum.ranks += at->last == rec->cls ? 0 : ranks;
    at->last = rec->cls;
    return true;
}

/* Adds all records, class by class. 0; -1: no memory. */
static int add_records(const struct cs_reader *r, struct site **all)
{
    struct cs_profile *p = cs_profile_make(r->m, NULL, NULL, NULL);
    bool good = p != NULL;
    for (int c = 0; good && c < r->m->nclasses; c++)
        for (int i = p->first_of[c]; good && i < p->first_of[c + 1]; i++)
            good = add_record(r, p, p->of_class[i], all);
    cs_profile_free(p);
    return good ? 0 : -1;
}

static int most_calls_first(const void *pa, const void *pb)
{
    const struct cs_reader_site *a = pa, *b = pb;
    int by_call = strcmp(a->call, b->call);
    return a->calls != b->calls ? (a->calls < b->calls) - (a->calls > b->calls) : by_call ? by_call : a->line - b->line;
}

int cs_reader_sites(const struct cs_reader *r, struct cs_reader_site **sites, size_t *n, char *why, size_t whylen)
{
    struct site *all = NULL, *s, *next;
    int rc = 0;
    *sites = NULL;
    *n = 0;
    if (r->m)
        rc = add_records(r, &all);
    for (int rank = 0; r->t && rank < cs_reader_ranks(r) && rc == 0; rank++)
        rc = add_rank(r, rank, &all);
    if (rc > 0)
        snprintf(why, whylen, "damaged");
    if (rc == 0)
        *sites = malloc((HASH_COUNT(all) + 1) * sizeof **sites);
    if (rc < 0 || (rc == 0 && !*sites))
        rc = no_memory(why, whylen);
    HASH_ITER (hh, all, s, next) {
        if (rc == 0)
            (*sites)[(*n)++] = s->sum;
        HASH_DEL(all, s);
        free(s);
    }
    if (*n)
        qsort(*sites, *n, sizeof **sites, most_calls_first);
    return rc ? -1 : 0;
}
