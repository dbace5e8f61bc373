/* SPDX-License-Identifier: BSD-3-Clause
 * The data of the channel check: what a rank counts, and the records that are compared when ranks differ.
 * channel_check.c counts, channel_turns.c counts turns of loops that are recorded at once, channel_places.c finds the
 * call sites that do not fit, channel_shared.c does both for forked ranks. A "place" in these files is the text of a
 * call site, such as "solver.c:120". */
#ifndef CS_CHANNEL_INTERNAL_H
#define CS_CHANNEL_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include "base/small_hash.h"

/* Bytes of a place's text, and calls that struct collectives keeps in each of its two lists. */
enum { PLACE = 160, NPOINTS = 64 };

/* A channel as this rank sees it. Compared and hashed byte by byte, so `pad` must be 0. */
struct channel_key {
    uint64_t comm; /* cs_comm.key */
    int32_t peer;  /* rank in cs_run.control, -1: any */
    int32_t tag;   /* -1: any */
    int32_t receives;
    int32_t pad;
};

/* The messages of this rank with one peer, tag and direction: */
struct channel {
    struct channel_key key;
    int64_t n[3];  /* ... how many, by mark (CS_MARK_*) */
    int64_t empty; /* ... how many sends among them without data and marked for their envelopes, which are complete */
    int site[3];   /* ... call site of the first one of each mark */
    long since;    /* channel_turns.c */
    UT_hash_handle hh;
};
extern struct channel *cs_channels;

/* One collective call: its call site and mark, and the hash of all calls of the communicator up to and with it. mark
 * -1: it is one of many that were recorded at once, and not known. */
struct point {
    uint64_t hash;
    int site, mark;
};

/* The hash of a communicator's calls is a polynomial, so that turns of a loop can be added without each call. */
#define CS_COLLECTIVES_FACTOR UINT64_C(0x12f8a6c3d95e4b71)

/* The collective calls of one communicator, numbered from 0. `point` has every call whose number is a multiple of
 * `stride`; when it is full every second entry is dropped and `stride` doubles. `tail` has the last NPOINTS calls. With
 * 200 calls, point has 0, 4, 8 ... 196 and tail 136 ... 199. The first entry in which two ranks differ shows where
 * their calls part. */
struct collectives {
    uint64_t comm;
    char path[PLACE];
    int nranks;
    bool first_rank; /* exactly one member has this */
    int64_t n, stride;
    uint64_t hash;               /* below CS_MODULUS of base/modular.h */
    long since;                  /* channel_turns.c */
    struct point point[NPOINTS]; /* call number i * stride */
    struct point tail[NPOINTS];  /* call number i, modulo NPOINTS */
    UT_hash_handle hh;
};
extern struct collectives *cs_collectives;

/* ---- channel_collectives.c ---- */

/* One more call; `call` is its index in the table of MPI calls. */
void cs_collectives_add(struct collectives *c, int call, int mark, int site);
/* Makes room in c->point: keeps every second entry and doubles the stride between entries. */
void cs_collectives_thin(struct collectives *c);

/* Indices of the sums; cs_channel_sums says what each means. */
enum { SUM_UNMARKED, SUM_BY_TAG, SUM_COLLECTIVE, SUM_CONTENT, SUM_WILD, SUM_LEFT, NSUMS };

/* The sums of a rank, to be added up over all ranks, modulo 2^64. SUM_UNMARKED (unmarked messages by receiver),
 * SUM_BY_TAG (the same by sender, receiver and tag) and SUM_COLLECTIVE are then 0 if marked and unmarked calls do not
 * meet. SUM_BY_TAG says so only while SUM_WILD is 0, that is, without unmarked receives with wildcards. SUM_CONTENT
 * (messages with content) need not be 0: a receive marked for its envelope may take a message sent with content.
 * SUM_LEFT: unmarked sends, minus unmarked receives. */
void cs_channel_sums(uint64_t sum[NSUMS]);
/* Do the sums of all ranks show that marked and unmarked calls met? */
bool cs_channel_sums_differ(const uint64_t sum[NSUMS]);
/* For sums that differ where no two calls were found: says what is known. 0 if it can be no wrong trace, else -1. */
int cs_channel_say_sums(const uint64_t sum[NSUMS]);

/* ---- channel_places.c ---- */

/* A struct channel, sent to rank 0; source and dest are ranks of MPI_COMM_WORLD, source and tag are -1 for any. */
struct message_record {
    uint64_t comm;
    int32_t source, dest, tag, receives;
    int64_t n[3], empty;
    char place[3][PLACE];
};

/* A struct collectives of world rank `rank`, sent to rank 0, with the text of each call site. */
struct collective_record {
    uint64_t comm;
    int32_t rank, pad;
    int64_t n, stride;
    struct point point[NPOINTS], tail[NPOINTS];
    char path[PLACE], point_place[NPOINTS][PLACE], tail_place[NPOINTS][PLACE];
};

/* Report pairs of call sites that do not fit, from the records of all ranks. `cut`: some ranks were ended in the
 * middle, so one rank may only be further than another. Both return how many pairs they reported, at most ten. */
int cs_say_messages(const struct message_record *m, int n, bool cut);
int cs_say_collectives(const struct collective_record *r, int n, bool cut);

/* Collects the records of all ranks at rank 0, which reports the pairs. Collective over cs_run.control. Returns on all
 * ranks how many pairs were reported. */
int cs_channel_places(void);

/* ---- channel_shared.c ---- */

/* Are ranks forked? Then they need not be alive together, and each leaves its counts with cs_channel_deposit. */
bool cs_channels_shared(void);
/* Remembers the first marked call of forked ranks, for a slice that should have none. */
void cs_channel_note_marked(int mark, int site);

#endif
