/* SPDX-License-Identifier: BSD-3-Clause
 * Notes of calls; segment_notes.h. When they are too many, or memory is out, all are forgotten: then turns run. */
#include "commlib/record/segment_notes.h"

#include "base/grow.h"

/* Notes and sums that are kept at most. */
enum { MOST_NOTES = 1 << 15, MOST_SUMS = 1 << 17 };

static struct cs_segment_note *note;
static struct cs_count *sums;
static size_t nnotes, anotes, nsums, asums;
static size_t forgotten; /* notes before the first that is kept */
static bool wanted;

static void forget(void)
{
    forgotten += nnotes;
    nnotes = nsums = 0;
}

bool cs_segment_notes_wanted(void)
{
    return wanted;
}

size_t cs_segment_note(int from, int to, uint64_t times)
{
    wanted = wanted || to == CS_NOTE_BEGIN;
    if (!wanted)
        return SIZE_MAX;
    if (nnotes == MOST_NOTES)
        forget();
    if (!CS_MAKE_ROOM(note, nnotes, anotes)) {
        cs_segment_notes_end();
        return SIZE_MAX;
    }
    note[nnotes++] = (struct cs_segment_note){from, to, 0, nsums, times};
    return forgotten + nnotes - 1;
}

void cs_segment_note_sum(int counter, uint64_t sum)
{
    if (!wanted || nnotes == 0)
        return;
    if (nsums == MOST_SUMS || !CS_MAKE_ROOM(sums, nsums, asums)) {
        cs_segment_notes_end();
        return;
    }
    sums[nsums++] = (struct cs_count){counter, sum};
    note[nnotes - 1].nsums++;
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
