/* SPDX-License-Identifier: BSD-3-Clause
 * Who is waited for in a run, in words: what the ranks of a trace do while others wait, by place. */
#ifndef CS_WAIT_WORDS_H
#define CS_WAIT_WORDS_H

#include "cli/show/quantities.h"
#include "trace/waits/waits.h"

/* All ranks that let others wait by doing the same at the same place; `first` is the one with most of it. */
struct cs_wait_group {
    const struct cs_wait_cause *first;
    double ns;
    int ranks;
};

/* Finds the waiting of a trace with times; places are shown by `places`. NULL after a message that names `path`. */
struct cs_waits *cs_waits_of(const char *path, const struct cs_trace *t, struct cs_locations *places);
/* Groups the causes, the largest first: *n of them, to be freed. NULL: memory is out. */
struct cs_wait_group *cs_wait_groups(const struct cs_waits *w, size_t *n);
/* "imb.c:20 MPI_Allreduce"; returns buf. */
const char *cs_wait_place_text(const struct cs_wait_place *p, char *buf, size_t len);
/* One sentence on what the ranks of the group do; returns buf. */
const char *cs_wait_sentence(const struct cs_waits *w, const struct cs_wait_group *g, char *buf, size_t len);
/* The sum of all kinds of waiting at a place. */
double cs_waiting_at(const struct cs_wait_place *p);
/* What a rank waits for, for people ("a late message") and for scripts ("message"). */
const char *cs_wait_kind_words(enum cs_wait_kind k);
const char *cs_wait_kind_name(enum cs_wait_kind k);

#endif
