/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of a run, sorted by when they are sent, however many they are: what memory does not hold goes to a temporary
 * file in sorted pieces, which are merged when they are read. */
#ifndef CS_SORTED_MESSAGES_H
#define CS_SORTED_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

/* From which rank to which, in ranks of MPI_COMM_WORLD. Times are ns, as in struct cs_moment. */
struct cs_sent_message {
    int32_t from, to;
    int64_t sent;             /* when its sender enters the call that sends it */
    int64_t posted, received; /* when the call begins that makes its receive, and when the one ends that completes it */
    int64_t tag;
    uint64_t bytes;
};

struct cs_sorted_messages;

/* None yet; NULL: no memory. */
struct cs_sorted_messages *cs_sorted_messages_new(void);
/* Adds one. 0, or -1 and errno. */
int cs_sorted_messages_add(struct cs_sorted_messages *s, const struct cs_sent_message *m);
/* Nothing more is added, and reading begins. 0, or -1 and errno. */
int cs_sorted_messages_sort(struct cs_sorted_messages *s);
/* The first that is left, or NULL; it lives until cs_sorted_messages_take, after which it is no longer left. */
const struct cs_sent_message *cs_sorted_messages_first(const struct cs_sorted_messages *s);
/* 0, or -1 and errno: the temporary file cannot be read. */
int cs_sorted_messages_take(struct cs_sorted_messages *s);
void cs_sorted_messages_free(struct cs_sorted_messages *s);

#endif
