/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the blocks of a loop, or a function, do to memory from their beginning to their end, with all that they call:
 * what they may read that was there before, what they may write, and what they have written for sure.
 * Upward exposed uses and definite assignments, bottom up over calls: Aho, Lam, Sethi, Ullman, "Compilers", 2006, 9.2
 * and 12.6. */
#ifndef CS_TURN_MEMORY_H
#define CS_TURN_MEMORY_H

#include "slicer/alike/touched.h"
#include "slicer/graph/graph.h"
#include "slicer/graph/storage.h"

/* Bytes that are written for sure: of a variable, or (below 0: -1 - its number) behind a parameter. */
struct cs_span {
    int obj;
    int64_t from, to;
};
/* Spans that do not touch each other, in no order. */
struct cs_spans {
    struct cs_span *a;
    int n, cap;
    bool all; /* all there is: of a point to which no way is known yet */
};

/* The effects of blocks. `why`: NULL, or why they are not known, or not alike each time; `at`: the statement. */
struct cs_memory {
    struct cs_touches before, written;
    struct cs_spans surely;
    bool events; /* they make calls that are recorded */
    const char *why;
    int at;
};

/* What is worked out once for each function. */
struct cs_memories;

/* t->g is the program in whose flow graphs edges that the slice does not take are `never` taken. */
struct cs_memories *cs_memories_new(struct cs_toucher *t, const bool *stateful);
void cs_memories_free(struct cs_memories *m);
/* Of the blocks `in` of a function, entered through `first`. The caller frees. */
struct cs_memory cs_memory_of(struct cs_memories *m, int func, const bool *in, int first);
void cs_memory_free(struct cs_memory *m);
/* Does the function, with all that it calls, make calls that are recorded? */
bool cs_memories_talks(const struct cs_memories *m, int func);

#endif
