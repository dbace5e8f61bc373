/* SPDX-License-Identifier: BSD-3-Clause
 * Sums up what a run sends, from its merged form: by symbol of the nest, rank, MPI call, size of message and pair of
 * ranks. Loops are not unrolled: a symbol counts as often as its loops say, so 500 million events cost as little as
 * their nest. */
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

/* Messages and collectives of one size bucket; `handed` is the collectives' bytes. */
struct cs_size_sum {
    uint64_t messages, bytes, collectives, handed;
};

/* What a rank sends, and what is sent to it. */
struct cs_rank_sums {
    struct cs_sums sent;
    uint64_t messages_in, bytes_in; /* filled by whoever goes through the pairs */
};

/* The sums of a run. What a rank does at a record is the same each time, so sums are times[record] * once[record]. */
struct cs_profile {
    const struct cs_merged *m;
    int64_t *symbol_times; /* of each symbol: how often it stands in the unrolled nest */
    int64_t *times;        /* of each record: how often each rank of its class makes it */
    struct cs_sums *once;  /* of each record: one occurrence, summed over the ranks of its class */
    struct cs_sums *call;  /* by index in the MPI table, all ranks */
    struct cs_rank_sums *rank;
    struct cs_size_sum size[CS_SIZE_BUCKETS];
    struct cs_sums all;
    uint64_t unknown_dest;    /* messages whose destination the trace does not tell */
    int *of_class, *first_of; /* records of class c: of_class[first_of[c]] to of_class[first_of[c + 1] - 1] */
    int32_t **inits;          /* of each class: the records that made its persistent requests, in order */
    int64_t *ninits;
};

/* Receives the messages and bytes from one rank to another; pairs come by source, then destination. Nonzero stops. */
typedef int cs_pair_fn(void *arg, int source, int dest, uint64_t messages, uint64_t bytes);

/* Sums up m, which must live as long as the result, and calls fn, if not NULL, for each pair of ranks with messages.
 * progress may be NULL. NULL: not enough memory, or fn returned nonzero. */
struct cs_profile *cs_profile_make(const struct cs_merged *m, cs_pair_fn *fn, void *arg,
                                   void (*progress)(const char *what, int64_t done, int64_t total));
void cs_profile_free(struct cs_profile *p);
/* Calls fn for each pair of ranks once more. 0, or -1: not enough memory, or fn returned nonzero. */
int cs_profile_pairs(struct cs_profile *p, cs_pair_fn *fn, void *arg);

/* The sums of one occurrence of a symbol, over all ranks that make it. */
struct cs_sums cs_profile_symbol(const struct cs_profile *p, int symbol);
/* The sums of all occurrences of a symbol's node; `times` is how often the node stands in the unrolled nest. */
struct cs_sums cs_profile_node(const struct cs_profile *p, int64_t node, int64_t times);
void cs_sums_add(struct cs_sums *to, const struct cs_sums *one, int64_t times);
/* The bucket (CS_SIZE_BUCKETS) of a message's size. */
int cs_size_bucket(uint64_t bytes);

#endif
