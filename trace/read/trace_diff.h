/* SPDX-License-Identifier: BSD-3-Clause
 * Compares two traces rank by rank: do both ranks make the same ordered sequence of communication calls?
 * Call sites, marks and times do not count; datatypes, communicators and operations count by content. */
#ifndef CS_TRACE_DIFF_H
#define CS_TRACE_DIFF_H

#include <stdbool.h>

#include "api/mpi_calls.h"
#include "trace/trace.h"

/* What a comparison found; `index` is the member of struct cs_diff. */
enum cs_diff_kind {
    CS_DIFF_SAME,
    CS_DIFF_EVENT, /* events number `index` differ */
    CS_DIFF_A_ENDS,
    CS_DIFF_B_ENDS, /* one has no event number `index`, the other has */
    CS_DIFF_CUT,    /* same as far as both go, but one or both are not complete */
    CS_DIFF_ERROR   /* a trace cannot be read; reason says which and why */
};

/* How strict a comparison is. */
struct cs_diff_rules {
    bool allow_cut;   /* a rank that is cut in one of the traces is the same if it agrees as far as it goes */
    double tolerance; /* counts of elements may differ by this share of the larger one */
};

/* Where a rank's sequences of two traces differ first. */
struct cs_diff {
    enum cs_diff_kind kind;
    int64_t index;    /* number of equal events from the first one on, and so the number, from 0, of the next event */
    const char *what; /* for CS_DIFF_EVENT: name of the argument that differs, or "call" */
    char reason[200];
    int64_t counts_off; /* counts that differ, but not by more than the tolerance */
    double largest;     /* share by which one of them does */
};

/* Compares one rank. */
struct cs_diff cs_diff_rank(const struct cs_trace *a, const struct cs_trace *b, int rank,
                            const struct cs_diff_rules *rules);

#endif
