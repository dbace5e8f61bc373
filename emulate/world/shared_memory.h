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
struct cs_emu_waiter;

/* The stages of a rank, in this order. */
enum cs_emu_life {
    CS_EMU_UNBORN,    /* no process is it yet */
    CS_EMU_ALIVE,     /* a process is it */
    CS_EMU_INSIDE,    /* between MPI_Init and MPI_Finalize */
    CS_EMU_FINALIZED, /* after MPI_Finalize */
    CS_EMU_GONE       /* ended without MPI_Finalize */
};

/* What a rank waits for; the rank writes it before it goes to sleep, the parent reads it for the stuck report. */
struct cs_emu_wait_note {
    const char *call; /* a string constant */
    int32_t peer;     /* rank in MPI_COMM_WORLD; MPI_ANY_SOURCE; MPI_PROC_NULL: no single peer */
    int32_t tag;
    uint32_t context;
    uint32_t sequence; /* of the collective call */
    int8_t receives;   /* 1: from peer, 0: to peer */
    int8_t collective, polls, unused[5];
};

/* One rank: a cache line that others write, too, and then one that only the rank itself writes. */
struct cs_emu_rank {
    _Atomic uint32_t sleeping;               /* futex: 1 asleep; whoever makes it 0 wakes */
    _Atomic uint32_t life;                   /* enum cs_emu_life */
    _Atomic int32_t pid;                     /* 0: none; -1: its process has become another rank */
    int32_t aborting;                        /* the rank ends the run and has said why */
    _Atomic(struct cs_emu_msg *) inbox;      /* newest first */
    _Atomic int64_t backlog;                 /* bytes of messages that it has not received */
    _Atomic(struct cs_emu_waiter *) waiters; /* senders that wait until it has fewer */
    _Atomic int32_t backlog_shift;           /* its limit has been doubled so often */
    _Atomic int32_t current;                 /* of a rank that was forked: which rank its process is by now */
    _Atomic int32_t out_of_stack;            /* 1: it waits for room, and was taken out of its receiver's waiters */
    _Atomic uint32_t accumulating;           /* lock of those who accumulate into its memory */
    _Alignas(64) int64_t call_site;          /* of the last call, as the recorder writes it; 0: unknown */
    int64_t events;                          /* recorded so far; must follow `call_site` */
    struct cs_emu_wait_note note;
} __attribute__((aligned(128)));

/* Size classes of the shared heap, and buckets of each hash table in shared memory. */
enum { CS_EMU_CLASSES = 96, CS_EMU_BUCKETS = 4096 };

/* One bucket of a hash table whose entries are in the shared heap. Whoever owns the table knows the type of entries. */
struct cs_emu_bucket {
    _Atomic uint32_t lock;
    uint32_t unused;
    void *first;
};

/* The head of all that is shared; the heap lies below it in the mapping. */
struct cs_emu_world {
    int32_t nranks, jobs;
    int32_t first, end;           /* the ranks that run here are [first, end): not all in a share of a run */
    _Atomic int32_t running;      /* ranks that are started, not asleep and not reaped */
    _Atomic int32_t polling;      /* ranks that sleep between polls */
    _Atomic int32_t unborn;       /* ranks that no process has become yet */
    _Atomic int32_t next_rank;    /* the first of these: processes become ranks in their order */
    _Atomic int32_t passed;       /* ranks that have ended, and their processes went on with other ones */
    _Atomic uint32_t closed;      /* no process becomes another rank */
    _Atomic uint32_t waited;      /* a rank has slept: ranks have to be alive together */
    _Atomic uint32_t parent_word; /* futex: changes whenever the parent has something to look at */
    _Atomic int32_t abort_code;   /* with CS_EMU_ABORTED set: the run ends */
    int64_t backlog_limit;        /* bytes that a rank may have before it until senders wait, before it is doubled */
    _Atomic int32_t flow_waiting; /* ranks that wait for room at a receiver */
    _Atomic uint32_t said;        /* a recorder has told of trouble that all have */
    _Atomic uint32_t lacks_data;  /* 1: a rank says that it needs ranks of other shares; 2: it has said so */
    _Atomic uint64_t steps;       /* blocking waits that ended: shows that something happens */
    _Atomic uint32_t contexts;    /* context numbers given out */
    char *heap;                   /* the lowest address of the mapping: offsets of the heap count from here */
    _Atomic int64_t bump;         /* offset of the end of what the heap has never given out */
    _Atomic int64_t in_use;       /* bytes of the heap that are given out */
    _Atomic int64_t idle;         /* bytes of large free blocks that still hold pages */
    _Atomic uint64_t free[CS_EMU_CLASSES];                  /* tagged heads of lists of free blocks */
    struct cs_emu_bucket collective_bucket[CS_EMU_BUCKETS]; /* collective calls under way, by context and number */
    struct cs_emu_bucket context_bucket[CS_EMU_BUCKETS];    /* contexts that not all members know yet, by key */
    struct cs_emu_rank rank[];
};

#define CS_EMU_ABORTED (1 << 30)

extern struct cs_emu_world *cs_emu_world;
/* The calling process's entry in cs_emu_world->rank; NULL in the parent. */
extern struct cs_emu_rank *cs_emu_me;

/* Makes the mapping, before the forks. Returns 0, or -1 with errno. */
int cs_emu_shared_make(int nranks, int jobs);

/* A lock in shared memory, 0 when it is free. */
void cs_emu_lock(_Atomic uint32_t *lock);
void cs_emu_unlock(_Atomic uint32_t *lock);

#endif
