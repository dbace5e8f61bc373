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
#include "commlib/record/segment_notes.h"
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

/* Asks f for each counter that has gone on since the last call, in ascending order, until it says false. With `settle`,
 * that call is the one from which they are counted from now on. */
static bool for_changed(bool (*f)(void *arg, int counter, uint64_t more), void *arg, bool settle)
{
    uint64_t *now = cs_own_slice.counts;
    int n = cs_own_slice.ncounters, part = (n + PARTS - 1) / PARTS;
    for (uint64_t changed = now[n]; changed; changed &= changed - 1) {
        int first = __builtin_ctzll(changed) * part, end = first + part < n ? first + part : n;
        for (int k = first; k < end; k++) {
            if (now[k] == last[k])
                continue;
            if (cs_own_slice.counters[k].counted && !f(arg, k, now[k] - last[k]))
                return false;
            last[k] = settle ? now[k] : last[k];
        }
    }
    now[n] = settle ? 0 : now[n];
    return true;
}

/* A segment that grows by a call; `at` as in add(). */
struct grown {
    struct growing *g;
    int at;
};

static bool add_changed(void *arg, int counter, uint64_t more)
{
    struct grown *w = arg;
    cs_segment_note_sum(counter, more);
    return add(w->g, &w->at, counter, more);
}

/* Adds what the counters have become since the last call. */
static bool add_all(struct growing *g)
{
    return for_changed(add_changed, &(struct grown){g, 0}, true);
}

static bool has_counters(void)
{
    if (cs_own_slice.counts && cs_run.trace && !last && !(last = calloc((size_t)cs_own_slice.ncounters, sizeof *last)))
        cs_trace_file_lose(ENOMEM);
    return cs_own_slice.counts && cs_run.trace && last;
}

void cs_segments_call(int site, int64_t t_enter, int64_t t_exit, int64_t t_delay)
{
    if (!has_counters())
        return;
    struct growing *g = find(last_site, site);
    cs_segment_note(last_site, site, 1);
    if (!g || !add_all(g)) {
        cs_trace_file_lose(ENOMEM);
        return;
    }
    g->s.times++;
    g->s.ns += t_enter - last_exit - t_delay;
    last_site = site;
    last_exit = t_exit;
}

/* ---- turns that are not run ---- */

static bool note_changed(void *unused, int counter, uint64_t more)
{
    (void)unused;
    cs_segment_note_sum(counter, more);
    return true;
}

size_t cs_segments_turn(void)
{
    if (!has_counters())
        return 0;
    size_t place = cs_segment_note_apart(last_site, CS_NOTE_BEGIN, 0);
    for_changed(note_changed, NULL, false);
    return place;
}

/* The first call of the turn that began there, by its number behind that; 0: none. */
static int first_call(size_t place)
{
    int n;
    const struct cs_segment_note *note = cs_segment_notes_from(place, &n);
    for (int i = 1; i < n; i++)
        if (note[i].to != CS_NOTE_BEGIN)
            return i;
    return 0;
}

bool cs_segments_turn_known(size_t place)
{
    return !cs_own_slice.counts || !cs_run.trace || first_call(place) > 0;
}

static void take_note(uint64_t *sum, const struct cs_segment_note *note, uint64_t times)
{
    const struct cs_count *c = cs_segment_note_sums(note);
    for (int i = 0; i < note->nsums; i++)
        sum[c[i].counter] += c[i].sum * times;
}

static bool take_changed(void *arg, int counter, uint64_t more)
{
    uint64_t *sum = arg;
    sum[counter] += more;
    return true;
}

/* What a further turn does up to its first call, by counter: the end of the turn that has been, and the beginning of
 * that turn. The caller frees. NULL: no memory. */
static uint64_t *between_turns(const struct cs_segment_note *begin, const struct cs_segment_note *call)
{
    uint64_t *sum = calloc((size_t)cs_own_slice.ncounters, sizeof *sum);
    if (!sum)
        return NULL;
    take_note(sum, call, 1);
    take_note(sum, begin, UINT64_MAX); /* less that */
    for_changed(take_changed, sum, false);
    return sum;
}

/* So many calls between two sites, in each of which the counters came to that; noted if a turn around them is. */
static bool add_calls(int from, int to, const uint64_t *sum, uint64_t times)
{
    struct growing *g = find(from, to);
    int at = 0;
    bool fine = g;
    cs_segment_note(from, to, times);
    for (int k = 0; fine && k < cs_own_slice.ncounters; k++)
        if (sum[k] != 0) {
            cs_segment_note_sum(k, sum[k] * times);
            fine = add(g, &at, k, sum[k] * times);
        }
    if (fine)
        g->s.times += (int64_t)times;
    return fine;
}

/* The same calls as noted, so many times more. */
static bool add_noted(const struct cs_segment_note *note, uint64_t times)
{
    const struct cs_count *c = cs_segment_note_sums(note);
    struct growing *g = find(note->from, note->to);
    int at = 0;
    bool fine = g;
    for (int i = 0; fine && i < note->nsums; i++)
        fine = add(g, &at, (int)c[i].counter, c[i].sum * times);
    if (fine)
        g->s.times += (int64_t)(note->times * times);
    return fine;
}

/* Notes once more what is behind a note, for a turn around it, so many times. */
static void note_again(size_t place, int n, uint64_t times)
{
    int left;
    for (int i = 0; i < n; i++) {
        const struct cs_segment_note *note = cs_segment_notes_from(place + (size_t)i, &left);
        if (!note)
            return;
        struct cs_segment_note was = *note;
        if (was.to == CS_NOTE_BEGIN)
            continue;
        cs_segment_note_apart(was.from, was.to, was.times * times); /* no note behind that is added to */
        for (int k = 0; k < was.nsums && (note = cs_segment_notes_from(place + (size_t)i, &left)); k++) {
            struct cs_count c = cs_segment_note_sums(note)[k];
            cs_segment_note_sum((int)c.counter, c.sum * times);
        }
    }
}

void cs_segments_again(size_t place, int64_t times)
{
    if (!cs_own_slice.counts || !cs_run.trace)
        return;
    int n, first = first_call(place);
    const struct cs_segment_note *note = cs_segment_notes_from(place, &n);
    assert(first > 0);
    uint64_t *sum = between_turns(note, note + first);
    int to = note[first].to;
    bool fine = sum;
    for (int i = first + 1; fine && i < n; i++)
        if (note[i].to != CS_NOTE_BEGIN)
            fine = add_noted(&note[i], (uint64_t)times);
    note_again(place + (size_t)first + 1, n - first - 1, (uint64_t)times);
    if (!fine || !add_calls(last_site, to, sum, (uint64_t)times))
        cs_trace_file_lose(ENOMEM);
    free(sum);
}

void cs_segments_turn_over(size_t place)
{
    cs_segment_notes_join(place);
}

void cs_segments_turns_end(void)
{
    cs_segment_notes_end();
}

/* ---- the end ---- */

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
