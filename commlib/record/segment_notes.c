/* SPDX-License-Identifier: BSD-3-Clause
 * Notes of calls; segment_notes.h. When they are too many, or memory is out, all are forgotten: then turns run. Only
 * their sums are asked for, so that a call is added to an earlier note of the same two sites behind the last beginning
 * of a turn; but never to the first one there, for which alone is asked. A counter that none of these has gets a note
 * of no calls. */
#include "commlib/record/segment_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Notes and sums that are kept at most; notes among which one of the same sites is looked for. */
enum { MOST_NOTES = 1 << 15, MOST_SUMS = 1 << 17, LOOK_BACK = 32 };

static struct cs_segment_note *note;
static struct cs_count *sums;
static size_t nnotes, anotes, nsums, asums;
static size_t forgotten; /* notes before the first that is kept */
static bool wanted;
/* Where the sums that come next go: to that note, from its sum `next` on; SIZE_MAX: none. `fresh`: to the last note if
 * that does not have the counter. */
static size_t older = SIZE_MAX;
static int next;
static bool fresh;

static void forget(void)
{
    forgotten += nnotes;
    nnotes = nsums = 0;
    older = SIZE_MAX;
}

bool cs_segment_notes_wanted(void)
{
    return wanted;
}

/* The latest note before `end` that a call between these sites may be added to; SIZE_MAX: none. */
static size_t note_before(size_t end, int from, int to)
{
    for (size_t i = end; i-- > 1 && end - i <= LOOK_BACK && note[i].to != CS_NOTE_BEGIN;)
        if (note[i].from == from && note[i].to == to && note[i - 1].to != CS_NOTE_BEGIN)
            return i;
    return SIZE_MAX;
}

static bool append(int from, int to, uint64_t times)
{
    if (nnotes == MOST_NOTES)
        forget();
    if (!CS_MAKE_ROOM(note, nnotes, anotes)) {
        cs_segment_notes_end();
        return false;
    }
    note[nnotes++] = (struct cs_segment_note){from, to, 0, nsums, times};
    return fresh = true;
}

size_t cs_segment_note_apart(int from, int to, uint64_t times)
{
    wanted = wanted || to == CS_NOTE_BEGIN;
    older = SIZE_MAX;
    return wanted && append(from, to, times) ? forgotten + nnotes - 1 : SIZE_MAX;
}

void cs_segment_note(int from, int to, uint64_t times)
{
    size_t at = wanted ? note_before(nnotes, from, to) : SIZE_MAX;
    if (at == SIZE_MAX) {
        cs_segment_note_apart(from, to, times);
        return;
    }
    note[at].times += times;
    older = at;
    next = 0;
    fresh = false;
}

/* Adds to the counter of a note, from its sum *at on, which moves on. False: it does not have it. */
static bool add_to(const struct cs_segment_note *n, int *at, int counter, uint64_t sum)
{
    struct cs_count *c = sums + n->sum;
    while (*at < n->nsums && c[*at].counter < counter)
        ++*at;
    if (*at == n->nsums || c[*at].counter != counter)
        return false;
    c[*at].sum += sum;
    return true;
}

/* Adds to the counter of the older note, or of one before it. */
static bool add_to_older(int counter, uint64_t sum)
{
    bool added = add_to(&note[older], &next, counter, sum);
    size_t i = older;
    while (!added && (i = note_before(i, note[older].from, note[older].to)) != SIZE_MAX) {
        int at = 0;
        added = add_to(&note[i], &at, counter, sum);
    }
    return added;
}

void cs_segment_note_sum(int counter, uint64_t sum)
{
    if (!wanted || nnotes == 0 || (older != SIZE_MAX && add_to_older(counter, sum)))
        return;
    if (!fresh && !append(note[older].from, note[older].to, 0))
        return;
    if (nsums == MOST_SUMS || !CS_MAKE_ROOM(sums, nsums, asums)) {
        cs_segment_notes_end();
        return;
    }
    sums[nsums++] = (struct cs_count){counter, sum};
    note[nnotes - 1].nsums++;
}

/* Notes again so many notes from `first` on, whose sums begin at `sum`, but for beginnings of turns. */
static void note_all(const struct cs_segment_note *first, size_t n, const struct cs_count *sum)
{
    for (size_t i = 0; i < n && wanted; i++) {
        if (first[i].to == CS_NOTE_BEGIN)
            continue;
        cs_segment_note(first[i].from, first[i].to, first[i].times);
        for (int k = 0; k < first[i].nsums; k++) {
            const struct cs_count *c = &sum[first[i].sum - first[0].sum + (size_t)k];
            cs_segment_note_sum((int)c->counter, c->sum);
        }
    }
}

void cs_segment_notes_join(size_t place)
{
    if (!wanted || place < forgotten || place - forgotten >= nnotes)
        return;
    size_t at = place - forgotten, n = nnotes - at, all = nsums - note[at].sum;
    struct cs_segment_note *was = malloc(n * sizeof *was);
    struct cs_count *sum = malloc((all + 1) * sizeof *sum);
    if (was && sum) {
        memcpy(was, note + at, n * sizeof *was);
        memcpy(sum, sums + was->sum, all * sizeof *sum);
        nnotes = at;
        nsums = was->sum;
        older = SIZE_MAX;
        note_all(was, n, sum);
    }
    free(was);
    free(sum);
}

void cs_segment_notes_end(void)
{
    forget();
    wanted = false;
}

const struct cs_segment_note *cs_segment_notes_from(size_t place, int *n)
{
    *n = 0;
    if (place < forgotten || place - forgotten >= nnotes)
        return NULL;
    *n = (int)(nnotes - (place - forgotten));
    return note + (place - forgotten);
}

const struct cs_count *cs_segment_note_sums(const struct cs_segment_note *n)
{
    return sums + n->sum;
}
