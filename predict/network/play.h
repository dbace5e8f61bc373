/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the network model share: ranks that play steps, their requests, their messages.
 *
 *     event -> steps (play_calls.c, play_rounds.c) -> who waits for whom, and until when (play.c, play_match.c)
 *
 * Private to predict/network/; the door is network.h. */
#ifndef CS_PLAY_H
#define CS_PLAY_H

#include <stdbool.h>
#include <stdio.h>
#include <uthash.h>

#include "predict/network/network.h"
#include "trace/analyse/comm_numbers.h"
#include "trace/analyse/open_requests.h"

/* What a step is. SEND and RECV open a request and go on; WAIT waits for requests, which FORGET then frees; WAIT_ANY
 * waits for any that the program has open; PROBE for a message. */
enum step_kind { STEP_COMPUTE, STEP_SEND, STEP_RECV, STEP_WAIT, STEP_FORGET, STEP_WAIT_ANY, STEP_PROBE };

/* One step of an actor. */
struct step {
    enum step_kind kind;
    bool synchronous; /* SEND: ends only when it is received, whatever its size */
    int peer;         /* in MPI_COMM_WORLD; RECV and PROBE: or CS_PEER_ANY */
    int ctx;          /* which communicator, and whether it is a message of a collective */
    int64_t tag;      /* CS_ANY: any */
    uint64_t bytes;   /* SEND */
    int req; /* SEND, RECV: the rank's request, or -1 for a send nobody waits for; WAIT, FORGET: the first of `n` places
                of the actor's `wait` */
    int n;
    double ns; /* COMPUTE */
};

/* A request of a rank. Free ones are in a list through `next`. */
struct request {
    bool open;
    bool users; /* the program's own: WAIT_ANY may take it */
    bool sends;
    double done; /* when it was or will be complete; known once it is not open */
    struct actor *waiter;
    int next;
};

/* How a round of a collective goes (play_rounds.c draws them). */
enum rounds_kind {
    ROUNDS_NONE,
    ROUNDS_SPREAD,
    ROUNDS_GROW,
    ROUNDS_HALVE,
    ROUNDS_DOWN,
    ROUNDS_UP,
    ROUNDS_PAIRS,
    ROUNDS_STAR_OUT,
    ROUNDS_STAR_IN
};

/* A collective as rounds of messages. */
struct rounds {
    enum rounds_kind kind, then; /* `then`: what follows, with the same bytes; ROUNDS_NONE: nothing */
    const int *member;           /* ranks of MPI_COMM_WORLD; the trace's */
    int n, me, root;
    int ctx;
    int64_t tag;
    uint64_t bytes, then_bytes;
    uint64_t *each;   /* PAIRS, STAR: bytes for each member, or NULL: `bytes` for all; its own */
    bool per_member;  /* DOWN, UP: a message has the bytes of each member of the subtree */
    int round, batch; /* PAIRS: members that messages are under way with at a time */
};

/* What the next operation of a schedule comes after: the one of this label (0: none), which is over, or has begun. */
struct goal_place {
    int label;
    bool over;
};

/* Somebody who plays steps one after the other: a rank, or a nonblocking collective of it. */
struct actor {
    int rank;
    bool main;    /* the rank itself */
    double clock; /* ns */
    struct step *step;
    int nsteps, at, step_cap;
    int *wait; /* the requests of WAIT steps */
    int nwait, wait_cap;
    int pending;   /* requests that it waits for */
    double latest; /* when the last of them is complete */
    struct rounds rounds;
    struct goal_place goal;
    int done_req;                        /* a nonblocking collective's request */
    struct actor *next_free, *next_made; /* of those beside a rank */
};

/* A message under way between two links: at its first event, one that waited begins to be sent; at its second, its
 * first byte is there. */
struct flight {
    int from, to;
    uint64_t bytes;
    bool begins;               /* its next event is the first one */
    int from_req, to_req;      /* the sender's, if it is not complete yet; the receive's; or -1 */
    double posted;             /* when the receive was */
    struct envelope *envelope; /* that nobody has received yet, or NULL */
    struct flight *next, *next_made;
};

/* A message that nobody has received, or a receive that has no message. */
struct envelope {
    struct envelope *next;
    int peer, ctx; /* peer: the other side's rank, or CS_PEER_ANY */
    int64_t tag;
    uint64_t bytes;
    uint32_t number;       /* a message's, in the schedule */
    double when;           /* a message: arrival, of the announcement if it waits; a receive: when it was posted */
    bool waits;            /* a message that is sent when it is received */
    int req;               /* a receive's; of a message that waits, the sender's */
    struct flight *flight; /* of a message that is under way, or NULL */
};

/* Envelopes in order; *end is the last `next`, once there was one. */
struct post {
    struct envelope *first, **end;
};

/* A request of the program: the trace's number of it and ours (-1: gone). */
struct named_request {
    uint64_t id;
    int req;
};

/* A rank. */
struct player {
    struct actor main;
    struct cs_trace_iter *iter;
    struct cs_open_requests requests;
    struct named_request *named; /* ascending by id */
    int nnamed, named_cap;
    struct request *req;
    int nreqs, req_cap, free_req; /* free_req: first of the free ones, or -1 */
    struct post messages, receives;
    struct cs_members members;
    double out_free, in_free; /* when its link can take the next message */
    int64_t nevents;
    int from, site;           /* of the call before, of the one that is played; -1: none */
    double enter;             /* of the call that is played */
    bool any, probing, ended; /* it waits for any request, for a message; MPI_Finalize is reached */
};

/* Something that happens at a time: an actor goes on, or a message. The other one is NULL. */
struct event {
    double time; /* ns */
    struct actor *actor;
    struct flight *flight;
};

/* A play under way. */
struct play {
    const struct cs_trace *t;
    const struct cs_network *net;
    const struct cs_network_user *user;
    struct cs_goal *goal; /* the schedule that is kept, or NULL */
    struct cs_network_times *times;
    struct player *p;
    int nranks;
    struct event *heap; /* the earliest first */
    int nheap, heap_cap;
    struct actor *free_actor, *made;
    struct envelope *free_envelope;
    struct flight *free_flight, *made_flights;
    struct cs_comm_numbers *comms;
    char *why;
    size_t whylen;
};

/* ---- play.c ---- */
/* Puts an actor that waits no longer back among those that go on. 0, or -1: no memory. */
int cs_play_go_on(struct play *y, struct actor *a);
/* A message's next event happens at that time. 0, or -1: no memory. */
int cs_play_fly_on(struct play *y, struct flight *f, double time);
/* A new request of the rank, or -1: no memory. */
int cs_play_request(struct player *p, bool users, bool sends);
/* The request is complete at that time. 0, or -1: no memory. */
int cs_play_complete(struct play *y, int rank, int req, double when);
void cs_play_free_request(struct player *p, int req);
/* Appends a step; NULL: no memory. */
struct step *cs_play_step(struct actor *a, enum step_kind kind);
/* Appends a wait for a request. 0, or -1. */
int cs_play_wait(struct actor *a, const int *req, int n);
/* An actor beside the rank that plays the rounds and then completes the request. 0, or -1. */
int cs_play_aside(struct play *y, int rank, const struct rounds *r, int req);

/* ---- play_goal.c: all do nothing where no schedule is kept ---- */
struct cs_goal *cs_goal_new(int nranks);
void cs_goal_free(struct cs_goal *g);
/* The actor computes, or begins a message that it sends or receives. 0, or -1: no memory. */
int cs_goal_compute(struct play *y, struct actor *a, double ns);
int cs_goal_message(struct play *y, struct actor *a, const struct step *s);
/* A receive has found its message. */
void cs_goal_meet(struct play *y, int to, int to_req, const struct envelope *m);
/* The actor waits for requests. 0, or -1: no memory. */
int cs_goal_wait(struct play *y, struct actor *a, const int *req, int n);
/* An actor beside a rank has ended, and with it its request. 0, or -1: no memory. */
int cs_goal_end_aside(struct play *y, const struct actor *a);
void cs_goal_write(const struct cs_goal *g, FILE *f);

/* ---- play_match.c ---- */
int cs_play_send(struct play *y, struct actor *a, const struct step *s);
int cs_play_receive(struct play *y, struct actor *a, const struct step *s);
/* When a message for the step has come, or -1: none has. */
double cs_play_probe(const struct player *p, const struct step *s);
/* The message's event happens. 0, or -1: no memory. */
int cs_play_fly(struct play *y, struct flight *f, double time);
void cs_play_free_envelopes(struct play *y);

/* ---- play_calls.c ---- */
/* Reads the rank's next call into steps. 1, 0: there is none, -1 with y->why. */
int cs_play_next_call(struct play *y, struct player *p);

/* Fills in who takes part in a collective. 1, 0: not known, or no memory. */
int cs_play_describe_members(struct play *y, struct player *p, const struct cs_args *a, struct rounds *r);

/* ---- play_rounds.c ---- */
/* Describes a collective. 1, 0: its members are not known, -1: no memory. */
int cs_play_describe(struct play *y, struct player *p, const struct cs_args *a, struct rounds *r);
/* Appends the steps of the next round. 1, 0: there is none, -1: no memory. */
int cs_play_round(struct play *y, struct actor *a);

#endif
