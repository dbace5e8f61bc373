/* SPDX-License-Identifier: BSD-3-Clause
 * Segments; segments.h. Counters are an array in the program (section .cs_counters), which is compared with what it was
 * at the last call:
 *     program: | 5 | 0 | 9 | 2 |    last: | 5 | 0 | 7 | 2 |    ->    segment (from, to): times + 1, sum of counter 2 +
 * 2
 * Bit i of the word behind them is set where the i-th part of the counters may have changed; the others are not looked
 * at. */
#include "commlib/record/segments.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/mix.h"
#include "base/table.h"
#include "commlib/record/trace_file.h"
#include "commlib/state/own_slice.h"
#include "commlib/state/run_state.h"
#include "trace/counters.h"

enum { PARTS = 64 }; /* bits of the word */

/* A segment while it grows: its sums have room for cap entries. */
struct growing {
    struct cs_segment s;
    struct cs_count *sum;
    int cap;
};

static struct growing *segments;
static int nsegments, asegments;
static struct cs_table by_sites; /* segments by their two sites */
static uint64_t *last;           /* the counters at the last call */
static int last_site = -1;
static int64_t last_exit;

static uint32_t hash_sites(int from, int to)
{
    return (uint32_t)cs_mix((uint64_t)(uint32_t)from << 32 | (uint32_t)to);
}

static uint32_t hash_of(const void *all, uint32_t i)
{
    const struct growing *g = all;
    return hash_sites(g[i].s.from, g[i].s.to);
}

/* The segment, which is new if there was none; NULL when memory is out. */
static struct growing *find(int from, int to)
{
    uint32_t h = hash_sites(from, to);
    int64_t i;
    for (uint32_t at = cs_table_first(&by_sites, h); (i = cs_table_at(&by_sites, at)) >= 0;
         at = cs_table_next(&by_sites, at))
        if (segments[i].s.from == from && segments[i].s.to == to)
            return &segments[i];
    if (!CS_MAKE_ROOM(segments, nsegments, asegments) || !cs_table_reserve(&by_sites, hash_of, segments))
        return NULL;
    segments[nsegments] = (struct growing){.s = {.from = from, .to = to}};
    cs_table_put(&by_sites, h, (uint32_t)nsegments);
    return &segments[nsegments++];
}

/* Adds to a counter of the segment. *at: where its sums with smaller counters end; it moves on. False when memory is
 * out. */
static bool add(struct growing *g, int *at, int counter, uint64_t more)
{
    while (*at < g->s.nsums && g->sum[*at].counter < counter)
        ++*at;
    if (*at == g->s.nsums || g->sum[*at].counter != counter) {
        if (!CS_MAKE_ROOM(g->sum, g->s.nsums, g->cap))
            return false;
        memmove(g->sum + *at + 1, g->sum + *at, (size_t)(g->s.nsums - *at) * sizeof *g->sum);
        g->sum[*at] = (struct cs_count){counter, 0};
        g->s.nsums++;
    }
    g->sum[*at].sum += more;
    return true;
}

/* Adds what the counters have become since the last call. */
static bool add_all(struct growing *g)
{
    const uint64_t *now = cs_own_slice.counts;
    int n = cs_own_slice.ncounters, part = (n + PARTS - 1) / PARTS, at = 0;
    bool fine = true;
    for (uint64_t changed = now[n]; changed; changed &= changed - 1) {
        int first = __builtin_ctzll(changed) * part, end = first + part < n ? first + part : n;
        for (int k = first; k < end; k++) {
            if (fine && now[k] != last[k] && cs_own_slice.counters[k].counted)
                fine = add(g, &at, k, now[k] - last[k]);
            last[k] = now[k];
        }
    }
    cs_own_slice.counts[n] = 0;
    return fine;
}

void cs_segments_call(int site, int64_t t_enter, int64_t t_exit, int64_t t_delay)
{
    if (!cs_own_slice.counts || !cs_run.trace)
        return;
    if (!last)
        last = calloc((size_t)cs_own_slice.ncounters, sizeof *last);
    struct growing *g = last ? find(last_site, site) : NULL;
    if (!g || !add_all(g)) {
        cs_trace_file_lose(ENOMEM);
        return;
    }
    g->s.times++;
    g->s.ns += t_enter - last_exit - t_delay;
    last_site = site;
    last_exit = t_exit;
}

static int define_counters(void)
{
    for (int i = 0; i < cs_own_slice.ncounters; i++) {
        const struct cs_own_counter *c = &cs_own_slice.counters[i];
        struct cs_counter_def d = {c->file, c->func, c->line, c->ordinal, CS_COUNTER_LOOP, c->counted};
        int nr = cs_trace_def_counter(cs_run.trace, &d);
        if (nr < 0)
            return -1;
        assert(nr == i); /* no two of them are alike */
    }
    return 0;
}

void cs_segments_store(void)
{
    if (!cs_own_slice.counts || !cs_run.trace)
        return;
    int rc = define_counters();
    for (int i = 0; rc == 0 && i < nsegments; i++) {
        segments[i].s.sum = segments[i].sum;
        rc = cs_trace_def_segment(cs_run.trace, &segments[i].s);
    }
    if (rc != 0)
        cs_trace_file_lose(errno);
    for (int i = 0; i < nsegments; i++)
        free(segments[i].sum);
    nsegments = 0;
    cs_table_clear(&by_sites);
}
