/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the search for waiting share: ranks that go from call to call, operations that meet, what a rank
 * did last, and the ways by which it came to where it is.
 *
 *     events by time (waits.c) -> operations (wait_calls.c) -> who meets whom (wait_meet.c)
 *         -> what the awaited rank did (wait_causes.c), and the way on from there (wait_path.c)
 *
 * Private to trace/waits/; the door is waits.h. */
#ifndef CS_WAITS_INTERNAL_H
#define CS_WAITS_INTERNAL_H

#include <stdbool.h>
#include <uthash.h>

#include "trace/analyse/comm_numbers.h"
#include "trace/analyse/open_requests.h"
#include "trace/analyse/unmet.h"
#include "trace/waits/waits.h"

/* ---- the way by which a rank came to where it is ---- */

/* A stretch on one rank from a time on; it ends where the one behind it begins. Shared by all ways that go over it. */
struct stretch {
    int rank;
    int64_t refs;
    double from;
    struct stretch *before; /* on the rank that was waited for; NULL: the beginning */
};

/* ---- operations ---- */

/* What a rank has begun: a message, a receive of one, a look for one, a collective. */
enum op_kind { OP_SEND, OP_RECV, OP_PROBE, OP_COLLECTIVE };

/* A collective on one communicator while its members come and go. */
struct meeting {
    struct {
        int64_t ctx, number; /* of the communicator, of the collective */
    } key;
    int members, came, gone;
    double last, root_time; /* when the last one so far, and the root, came; root_time < 0: not yet */
    int last_rank, root_rank;
    struct stretch *last_way, *root_way;
    UT_hash_handle hh;
};

/* What a rank has begun and waits for, there or in a later call. */
struct op {
    struct cs_unmet unmet; /* first, for the queues */
    enum op_kind kind;
    int rank, peer, ctx;
    int64_t tag;
    bool blocks;          /* SEND: does not end without its receive, by its size or kind */
    bool queued, wanted;  /* in a queue of messages or receives; the rank has not yet seen it end */
    double posted, ended; /* ended: when the rank saw it end */
    struct stretch *way;  /* of the rank when it began it */
    /* The other side: when it was there, negative while it is not. */
    double ready;
    int by;
    struct stretch *by_way;
    struct meeting *meeting; /* COLLECTIVE */
    enum cs_wait_kind waits; /* COLLECTIVE: for ALL, for the ROOT, */
    bool waits_not;          /* or for nobody */
};

/* A request of the program and its operation. */
struct op_request {
    uint64_t id;
    struct op *op;
};

/* ---- ranks ---- */

/* What a rank did from one time to another. */
enum doing { DID_COMPUTE, DID_WAIT_FOR_PROCESSOR, DID_CALL, DID_WAIT };

/* cause: index of the cause of WAIT, of which it is most, or -1; place: of the others. */
struct did {
    double from, to;
    enum doing doing;
    int place;
    int64_t cause;
};

/* So many of the last things that a rank did are known: who waits for it looks back no further than its own call. */
#define DID_LAST 128

/* Where a site of the rank was last; place -1: nowhere yet. */
struct site_place {
    int call, place;
};

/* A rank at the call that it enters or ends next: the event `e`, from `enter` to `exit`. */
struct rank {
    int rank;
    struct cs_trace_iter *iter;
    struct cs_event e;
    bool inside;                /* the event's call has begun */
    double enter, exit, before; /* of the call; before: the end of the one before */
    int place;
    int64_t nevents;
    bool ended;    /* it has no calls */
    double offset; /* of its times, to those of the rank that began first */
    struct cs_open_requests requests;
    struct op_request *request; /* by id, ascending; op NULL: gone */
    int nrequests, request_cap;
    struct op **awaited; /* by the call */
    int nawaited, awaited_cap;
    bool any;                                 /* the call waits for any of the open requests */
    bool several;                             /* of these */
    struct cs_unmet_queue messages, receives; /* sent to it and not received; posted and without message */
    struct cs_members members;
    struct did did[DID_LAST]; /* ring; did[n % DID_LAST] is the next */
    uint64_t ndid;
    struct stretch *way;
    double *computing, *waiting; /* by place */
    int nplaces, places_cap, waiting_cap;
    struct site_place *of_site; /* by the rank's number of the site, + 1 */
    int nof_site, of_site_cap;
};

/* ---- the whole ---- */

/* A place by what it is: wait_places.c. */
struct wait_site {
    char *key;
    int place;
    UT_hash_handle hh;
};

/* A cause by whom it lets wait where. */
struct cause_at {
    struct {
        int rank, place, doing, there;
    } key;
    double ns;
    UT_hash_handle hh;
};

/* A cause; `number` is its index in by_number, by which waiting ranks remember it. */
struct cause_sum {
    struct {
        int rank, place, doing;
    } key;
    struct cs_wait_cause is;
    int64_t number;
    UT_hash_handle hh;
};

/* When a rank goes on: it enters a call, or ends it. */
struct wait_turn {
    double time;
    int rank;
    bool ends;
};

/* The search while it goes through the calls. heap: a turn of each rank that has calls left, the earliest first;
 * by_number[i]: the cause with the number i, which is in `sums`, too. */
struct search {
    const struct cs_trace *t;
    const struct cs_wait_user *user;
    struct cs_waits *w;
    int nranks, places_cap;
    struct rank *r;
    struct wait_turn *heap;
    int nheap;
    struct wait_site *sites;
    struct cs_comm_numbers *comms;
    struct meeting *meetings;
    struct cause_at *at;
    struct cause_sum *sums, **by_number;
    int64_t nsums, sums_cap;
    char *why;
    size_t whylen;
};

/* wait_calls.c: takes the call that the rank enters: posts what it begins, and notes what it waits for. 0, or -1. */
int cs_wait_enter(struct search *s, struct rank *r);
/* The operation that kept the rank in its call longest, and which it waited for; NULL: it waited for none. */
struct op *cs_wait_decisive(struct search *s, struct rank *r);
/* The rank has ended its call: frees what is over. */
void cs_wait_leave(struct search *s, struct rank *r);
void cs_wait_free_calls(struct search *s);

/* wait_meet.c: a message or receive that is begun now finds the other side, if that is there. */
void cs_wait_meet(struct search *s, struct op *o);
/* A member comes to the collective number `number` of a communicator. 0, or -1: memory is out. */
int cs_wait_come(struct search *s, struct op *o, int members, int64_t number, bool root);
/* When the other side of the operation was there; negative: not known. Sets `by` and `by_way`. */
double cs_wait_ready(struct op *o);
/* The first message to the rank that a probe would find, or NULL. */
struct op *cs_wait_probed(struct rank *r, int ctx, int peer, int64_t tag);
/* The rank has seen the operation end at that time: it is freed as soon as the other side has met it, too. */
void cs_wait_done(struct search *s, struct op *o, double time);
void cs_wait_free_op(struct op *o);
void cs_wait_free_meetings(struct search *s);

/* wait_causes.c: adds to what the rank did last. */
void cs_wait_did(struct rank *r, struct did d);
/* Rank r waits at its place for rank `by`, from one time to another: finds what `by` did then. Returns the number of
 * the largest cause, -1: none; -2: memory is out. */
int64_t cs_wait_blame(struct search *s, struct rank *r, int by, double from, double to);
/* Fills in the causes of the result. 0, or -1. */
int cs_wait_list_causes(struct search *s);
void cs_wait_free_causes(struct search *s);

/* wait_path.c: one more user of a way. */
struct stretch *cs_way_use(struct stretch *w);
void cs_way_drop(struct stretch *w);
/* The rank's way goes on from rank `by`'s at that time. 0, or -1: memory is out. */
int cs_way_jump(struct rank *r, struct stretch *by_way, double time);
/* Goes back from the rank that ends last, and sums up what is on the way. 0, or -1 after a reason. */
int cs_wait_critical_path(struct search *s);

/* wait_places.c: the place of an event of a rank, or -1: memory is out. */
int cs_wait_place(struct search *s, int rank, const struct cs_event *e);
void cs_wait_free_places(struct search *s);

#endif
