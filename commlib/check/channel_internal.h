/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the channel check share: what a rank counts, and what is compared when ranks differ.
 * channel_check.c counts, channel_places.c looks for the places, channel_shared.c does it for ranks that are not alive
 * together. */
#ifndef CS_CHANNEL_INTERNAL_H
#define CS_CHANNEL_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include "base/small_hash.h"

enum { PLACE = 160, NPOINTS = 64 };

struct channel_key {
    uint64_t comm;
    int32_t peer; /* rank in cs_run.control, -1: any */
    int32_t tag;  /* -1: any */
    int32_t receives;
    int32_t pad;
};

struct channel {
    struct channel_key key;
    int64_t n[3]; /* by mark */
    int site[3];  /* the first call of each mark */
    UT_hash_handle hh;
};
extern struct channel *cs_channels;

/* One collective call: the hash of all calls up to this one, where it was and how it was marked. */
struct point {
    uint64_t hash;
    int site, mark;
};

/* The collectives of one communicator. Points are kept at multiples of `stride`, so that the first difference can be
 * found between two ranks; when they are full every second one is dropped. The last calls are kept as well, one by one.
 */
struct collectives {
    uint64_t comm;
    char path[PLACE];
    int nranks;
    bool first_rank; /* exactly one member has this */
    int64_t n, stride;
    uint64_t hash;
    struct point point[NPOINTS]; /* call number i * stride */
    struct point tail[NPOINTS];  /* call number i, modulo NPOINTS */
    UT_hash_handle hh;
};
extern struct collectives *cs_collectives;

enum { SUM_UNMARKED, SUM_BY_TAG, SUM_COLLECTIVE, SUM_CONTENT, SUM_WILD, NSUMS };

/* This rank's sums; those of all ranks together are 0 (but SUM_WILD and, as nobody need receive contents, SUM_CONTENT)
 * if all is well. */
void cs_channel_sums(uint64_t sum[NSUMS]);
bool cs_channel_sums_differ(const uint64_t sum[NSUMS]);

/* ---- channel_places.c ---- */

struct message_record {
    uint64_t comm;
    int32_t source, dest, tag, receives;
    int64_t n[3];
    char place[3][PLACE];
};

struct collective_record {
    uint64_t comm;
    int32_t rank, pad;
    int64_t n, stride;
    struct point point[NPOINTS], tail[NPOINTS];
    char path[PLACE], point_place[NPOINTS][PLACE], tail_place[NPOINTS][PLACE];
};

/* Name pairs of places that do not fit, from all ranks' records. `cut`: of ranks that have not come to their end, so
 * that one may just be further than another. Return how many were named, ten at most. */
int cs_say_messages(const struct message_record *m, int n, bool cut);
int cs_say_collectives(const struct collective_record *r, int n, bool cut);

/* Collects all ranks' records at rank 0. Collective over cs_run.control. Returns on all ranks how many pairs of places
 * rank 0 has named. */
int cs_channel_places(void);

/* ---- channel_shared.c ---- */

/* Are ranks forked, and not alive together? Then each deposits what it has counted (cs_channel_deposit). */
bool cs_channels_shared(void);
/* Remembers a call that is marked. */
void cs_channel_note_marked(int mark, int site);

#endif
