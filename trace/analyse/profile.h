/* SPDX-License-Identifier: BSD-3-Clause
 * What a run sends, summed up from its merged form: by call of the nest, rank, kind of call, size of message and pair
 * of ranks. Never goes through the events: a call counts as often as its loops say, so 500 million events cost as
 * little as their nest. */
#ifndef CS_PROFILE_H
#define CS_PROFILE_H

#include "trace/nest/nest.h"

/* Calls; messages and bytes of point-to-point sends, each start of a persistent one included; bytes handed in to
 * collectives. */
struct cs_sums {
    uint64_t calls, messages, bytes, handed;
};

/* Sizes of messages: bucket 0 has those of 0 bytes, bucket k those of 2^(k-1) to 2^k - 1 bytes. A collective's size is
 * what a rank hands in. */
#define CS_SIZE_BUCKETS 65
struct cs_size_sum {
    uint64_t messages, bytes, collectives, handed;
};

struct cs_rank_sums {
    struct cs_sums sent;
    uint64_t messages_in, bytes_in; /* filled by whoever goes through the pairs */
};

struct cs_profile {
    const struct cs_merged *m;
    int64_t *symbol_times; /* of each symbol: how often it stands in the unrolled nest */
    int64_t *times;        /* of each record: how often a rank of its class makes it */
    struct cs_sums *once;  /* of each record: one occurrence on each rank of its class */
    struct cs_sums *call;  /* by index in the MPI table, all ranks */
    struct cs_rank_sums *rank;
    struct cs_size_sum size[CS_SIZE_BUCKETS];
    struct cs_sums all;
    uint64_t unknown_dest;    /* messages whose destination the trace does not tell */
    int *of_class, *first_of; /* records of class c: of_class[first_of[c]] to of_class[first_of[c + 1] - 1] */
    int32_t **inits;          /* of each class: the records that made its persistent requests, in order */
    int64_t *ninits;
};

/* Receives what a rank sends to another; by source, then destination. Anything but 0 ends it. */
typedef int cs_pair_fn(void *arg, int source, int dest, uint64_t messages, uint64_t bytes);

/* Sums up; calls fn for each pair of ranks with messages (fn may be NULL). m must live as long. NULL: not enough
 * memory, or fn's nonzero. */
struct cs_profile *cs_profile_make(const struct cs_merged *m, cs_pair_fn *fn, void *arg,
                                   void (*progress)(const char *what, int64_t done, int64_t total));
void cs_profile_free(struct cs_profile *p);
/* Goes through the pairs once more. 0, or -1. */
int cs_profile_pairs(struct cs_profile *p, cs_pair_fn *fn, void *arg);

/* One occurrence of a symbol, on all ranks that make it. */
struct cs_sums cs_profile_symbol(const struct cs_profile *p, int symbol);
/* All occurrences of the symbols at a node of the nest, in the whole run; `times` of them in the unrolled nest. */
struct cs_sums cs_profile_node(const struct cs_profile *p, int64_t node, int64_t times);
void cs_sums_add(struct cs_sums *to, const struct cs_sums *one, int64_t times);
int cs_size_bucket(uint64_t bytes);

#endif
