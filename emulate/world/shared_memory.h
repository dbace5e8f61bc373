/* SPDX-License-Identifier: BSD-3-Clause
 * What all ranks share: one anonymous mapping, made before they are forked, at the same address in all of them.
 * It has no name, so nothing is left when the last process is gone. Its pages cost nothing until they are touched. */
#ifndef CS_SHARED_MEMORY_H
#define CS_SHARED_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_emu_msg;
struct cs_emu_coll;
struct cs_emu_waiter;

enum cs_emu_life {
    CS_EMU_UNBORN,
    CS_EMU_ALIVE,
    CS_EMU_INSIDE /* of MPI_Init and MPI_Finalize */,
    CS_EMU_FINALIZED,
    CS_EMU_GONE
};

/* What a rank waits for, said before it goes to sleep. */
struct cs_emu_wait_note {
    const char *call; /* a string constant */
    int32_t peer;     /* rank in MPI_COMM_WORLD; MPI_ANY_SOURCE; MPI_PROC_NULL: no single peer */
    int32_t tag;
    uint32_t context;
    uint32_t sequence; /* of the collective call */
    int8_t receives;   /* 1: from peer, 0: to peer */
    int8_t collective, polls, unused[5];
};

struct cs_emu_rank {
    _Atomic uint32_t sleeping; /* futex: 1 asleep; whoever makes it 0 wakes */
    _Atomic uint32_t life;     /* enum cs_emu_life */
    int32_t pid;
    int32_t aborting;                        /* it has said why already */
    _Atomic(struct cs_emu_msg *) inbox;      /* newest first */
    _Atomic int64_t backlog;                 /* bytes of messages that it has not received */
    _Atomic(struct cs_emu_waiter *) waiters; /* senders that wait until it has fewer */
    _Atomic int32_t backlog_shift;           /* its limit has been doubled so often */
    int32_t unused;
    /* Only the rank itself writes what follows; so it has a cache line of its own. */
    _Alignas(64) int64_t where; /* place of the last call, as the recorder writes it; 0: unknown */
    int64_t events;             /* recorded so far; must follow `where` */
    struct cs_emu_wait_note note;
} __attribute__((aligned(128)));

enum { CS_EMU_CLASSES = 96, CS_EMU_BUCKETS = 4096 };

/* Collective calls under way, by context and number. */
struct cs_emu_bucket {
    _Atomic uint32_t lock;
    uint32_t unused;
    struct cs_emu_coll *first;
};

struct cs_emu_world {
    int32_t nranks, jobs;
    _Atomic int32_t running; /* ranks that are started, not asleep and not reaped */
    _Atomic int32_t polling; /* ranks that sleep between polls */
    _Atomic int32_t unborn;
    _Atomic uint32_t parent_word;          /* futex: changes whenever the parent has something to look at */
    _Atomic int32_t abort_code;            /* with ABORTED set: the run ends */
    int64_t backlog_limit;                 /* of a rank, before it is doubled */
    _Atomic int32_t flow_waiting;          /* ranks that wait for room at a receiver */
    _Atomic uint32_t said;                 /* the recorder's trouble was told */
    _Atomic uint64_t steps;                /* blocking waits that ended: shows that something happens */
    _Atomic uint32_t contexts;             /* numbers given out by the parent's heap of contexts */
    _Atomic int64_t bump;                  /* offset of the end of what the heap has never given out */
    _Atomic int64_t in_use;                /* bytes of the heap that are given out */
    _Atomic int64_t idle;                  /* bytes of large free blocks that still hold pages */
    _Atomic uint64_t free[CS_EMU_CLASSES]; /* tagged heads */
    struct cs_emu_bucket bucket[CS_EMU_BUCKETS];
    struct cs_emu_bucket intern[CS_EMU_BUCKETS];
    struct cs_emu_rank rank[];
};

#define CS_EMU_ABORTED (1 << 30)

extern struct cs_emu_world *cs_emu_world;
extern struct cs_emu_rank *cs_emu_me;

/* Makes the mapping; 0, or -1 with errno. Before the forks. */
int cs_emu_shared_make(int nranks, int jobs);

/* Memory that any rank may free. Ends the run when there is none. Aligned to 16. */
void *cs_emu_alloc(size_t bytes);
void cs_emu_free(void *p);

/* A lock in shared memory. */
void cs_emu_lock(_Atomic uint32_t *lock);
void cs_emu_unlock(_Atomic uint32_t *lock);

#endif
