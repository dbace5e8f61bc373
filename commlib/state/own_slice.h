/* SPDX-License-Identifier: BSD-3-Clause
 * What the plugin has put into the program: the word with site and mark, the list of call sites, the assumptions.
 * In a program that was compiled without the plugin all of it is empty. */
#ifndef CS_OWN_SLICE_H
#define CS_OWN_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/assumed_value.h"
#include "api/repeated_turns.h"

/* A call site of the program. */
struct cs_own_site {
    const char *file, *func, *call; /* call: the C name of the MPI call */
    int line, mark;
    int index; /* of the call in the table of api/mpi_calls.h, -1 if it is not there */
};

/* A loop of which the program counts the iterations. */
struct cs_own_counter {
    const char *file, *func;
    int line, ordinal;
    bool counted; /* false: the counter means nothing */
};

/* The plugin's part of the executable; filled once, then only `word`, `violations` and `counts` change, by the
 * program. */
struct cs_own_slice {
    volatile int32_t *word; /* CS_SITE_WORD of the next call, -1 for nothing; NULL: none in the program */
    bool is_slice;          /* has marks (not merely an instrumented original) */
    bool unordered;         /* nothing in it shows what other ranks did first */
    int nsites;
    struct cs_own_site *sites; /* by site number; file is NULL where there is none */
    int nassumptions;
    char *assumptions; /* one a line, or NULL */
    int nwatched;
    char *watched; /* FILE:LINE of branches of which is counted what they do, one a line, or NULL */
    int nseen;
    char *seen; /* FILE:LINE:NAME of values, FILE:LINE=N of loops, of which is noted what they are and how
                   many iterations they make, one a line, or NULL */
    int *order; /* of each of these: enum cs_seen_order */
    const int64_t *violations; /* of each assumption, then how often the condition of each watched line held and how
                                  often not, then of each assumption how often a value was asked and the largest share
                                  by which it was off, then CS_SEEN_COUNTERS of each value that is noted
                                  (struct cs_value_seen), counted by an instrumented original; NULL: not counted */
    long (**tell)(long);       /* which the program calls with where it has noted a value, as `long`, and a slice with
                                  -1 where it comes to what is assumed never to be called; NULL: none */
    cs_turns_function **turns; /* which a slice calls for loops whose turns are alike; NULL: it has none */
    int ncounters;
    struct cs_own_counter *counters;
    uint64_t *counts; /* of each counter, and a word behind them (segments.c); NULL: there are none */
};
extern struct cs_own_slice cs_own_slice;

#define CS_SEEN_MOST (INT64_C(1) << 40)
/* What an instrumented original notes of a value, or of a loop, of which it has no sum, over and under. Distances of it
 * from -CS_SEEN_MOST and to CS_SEEN_MOST, so that all begins with 0; larger values count as these. */
struct cs_value_seen {
    int64_t times, sum, over, under; /* over: the largest above -CS_SEEN_MOST, under: the smallest below CS_SEEN_MOST */
    int64_t first[CS_SEEN_FIRST];    /* as it was, while times is at most so many */
};

/* Fills cs_own_slice from the executable of this process. 0, or -1 with a message in err if the plugin's section is
 * there but cannot be read. */
int cs_own_slice_load(char *err, int errlen);

/* How many such counters there are. */
int cs_own_slice_counters(void);
/* The number of the counter of this assumption, or of the first one of this watched line; -1: neither is there. */
int cs_own_slice_find(const char *text);
/* What was noted of all values, nseen entries; NULL: nothing. */
const struct cs_value_seen *cs_own_slice_seen(void);
/* Given the sums and the largest of each counter: the assumptions, each with `violated N times`, and watched lines,
 * each with `held N of M times`; behind that of CS_NO_READ_BACK `files`, if it is not NULL. The caller frees. NULL if
 * memory is short. */
char *cs_own_slice_counted(const int64_t *violations, const int64_t *most, const char *files);

/* Does any call site have no mark, or does any have one? If both, marked and unmarked calls could meet. */
bool cs_own_slice_has_unmarked(void);
bool cs_own_slice_has_marked(void);

#endif
