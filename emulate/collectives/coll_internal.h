/* SPDX-License-Identifier: BSD-3-Clause
 * Collective calls as the files of this folder share them: the call of a rank, the object where all meet, what they
 * deposit there. */
#ifndef CS_COLL_INTERNAL_H
#define CS_COLL_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/collectives/coll.h"

struct cs_emu_req;

/* What a collective call does. The v- and w-forms and the nonblocking ones are of the same kind; EXCHANGE is our own.
 */
enum cs_emu_coll_kind {
    CS_EMU_BARRIER,
    CS_EMU_BCAST,
    CS_EMU_GATHER,
    CS_EMU_SCATTER,
    CS_EMU_ALLGATHER,
    CS_EMU_ALLTOALL,
    CS_EMU_REDUCE,
    CS_EMU_ALLREDUCE,
    CS_EMU_REDUCE_SCATTER,
    CS_EMU_SCAN,
    CS_EMU_EXSCAN,
    CS_EMU_EXCHANGE
};

/* What one rank deposits, packed. In shared memory. With pieces the data begins with a table of their npieces + 1
 * offsets (uint64_t) behind it. */
struct cs_emu_deposit {
    uint64_t bytes;
    uint64_t npieces; /* 0: the same for all who want it; otherwise one piece for each peer */
    char data[] __attribute__((aligned(16)));
};

/* One collective call of a communicator, in shared memory: made by the first rank that comes, freed by the last one
 * that leaves. */
struct cs_emu_coll {
    struct cs_emu_coll *next; /* in its bucket */
    uint32_t context, sequence;
    uint32_t kind; /* enum cs_emu_coll_kind */
    int32_t size;  /* of all ranks, on both sides of an intercommunicator */
    _Atomic int32_t arrived, left;
    _Atomic int32_t finished; /* who came last has computed the results */
    int32_t root;             /* as the first one gave it */
    int32_t first_comer;      /* rank in MPI_COMM_WORLD of the first one, and what it called where */
    int64_t call_site;
    const char *call;
    struct cs_emu_deposit *result[2];        /* of reductions, by side */
    struct cs_emu_deposit *last[2];          /* not NULL: the result is that op this */
    _Atomic(struct cs_emu_deposit *) slot[]; /* by rank; those of the second side follow the first's */
};

/* A collective call of this rank. */
struct cs_emu_coll_call {
    struct cs_emu_coll_call *next; /* of those under way without a caller that waits */
    enum cs_emu_coll_kind kind;
    const char *name;
    struct cs_emu_comm *comm;
    struct cs_emu_coll *object;
    struct cs_emu_blocks send, recv;
    MPI_Op op;
    int root;
    bool waits;      /* there is something to take out */
    uint32_t number; /* among those of the communicator; only of a rank that plays a tape, which has no object */
    int error;
    struct cs_emu_req *request;
    void *arrays;                        /* of a nonblocking call: its own copies of recv's arrays, or NULL */
    bool (*done)(void *arg, int *error); /* a call of another kind: only these two and the request are set */
    void *arg;
};

/* ---- kinds ---- */
bool cs_emu_coll_root_sends(enum cs_emu_coll_kind k);
bool cs_emu_coll_root_receives(enum cs_emu_coll_kind k);
/* Is it a reduction? */
bool cs_emu_coll_combines(enum cs_emu_coll_kind k);
/* Is this rank the root? */
bool cs_emu_coll_is_root(const struct cs_emu_coll_call *k);

/* ---- coll_steps.c: deposit, readiness, taking out ---- */
/* Brings what this rank brings. Sets k->object and k->waits. */
void cs_emu_coll_deposit(struct cs_emu_coll_call *k);
/* Is there all that this rank gets? The argument is a struct cs_emu_coll_call, as cs_emu_wait has it. */
bool cs_emu_coll_is_ready(void *arg);
/* Takes out what this rank gets, and leaves the object. */
void cs_emu_coll_finish(struct cs_emu_coll_call *k);
/* Says in the note of this rank what it waits for. */
void cs_emu_coll_note_wait(const struct cs_emu_coll_call *k);

/* ---- coll_run.c ---- */
/* Deposits and, unless `request` is given, waits. Arguments were checked. Returns an error class. */
int cs_emu_coll_run(const struct cs_emu_coll_call *call, MPI_Request *request);
/* Begins the call, whose end completes r. Returns an error class. */
int cs_emu_coll_begin(const struct cs_emu_coll_call *call, struct cs_emu_req *r);
/* Holds, or lets go, the operation and the types of what is received: the program may free them during the call. */
void cs_emu_coll_hold(const struct cs_emu_coll_call *k, bool hold);

/* ---- coll_persistent.c ---- */
/* Makes a request whose starts make the call. Arguments were checked. Returns an error class. */
int cs_emu_coll_prepare(const struct cs_emu_coll_call *call, MPI_Request *request);

/* ---- coll_check.c ---- */
/* What MPICH finds wrong with the arguments, as an error class; MPI_SUCCESS if nothing. */
int cs_emu_coll_check(const struct cs_emu_coll_call *k);
/* Do the arguments of what is sent, or received, mean something on this rank? Of reductions: of what is received. */
bool cs_emu_coll_uses_send(const struct cs_emu_coll_call *k);
bool cs_emu_coll_uses_recv(const struct cs_emu_coll_call *k);

/* ---- coll_blocks.c ---- */
int64_t cs_emu_block_bytes(const struct cs_emu_blocks *b, int i);
/* Block i as a deposit; n blocks as the pieces of one. */
struct cs_emu_deposit *cs_emu_blocks_pack_one(const struct cs_emu_blocks *b, int i);
struct cs_emu_deposit *cs_emu_blocks_pack_pieces(const struct cs_emu_blocks *b, int n);
/* Into block i; MPI_ERR_TRUNCATE if there is more than fits. */
int cs_emu_blocks_unpack(const struct cs_emu_blocks *b, int i, const char *data, uint64_t bytes);

/* ---- coll_object.c ---- */
/* The object of this communicator's next collective call. Ends the run if another rank makes another call there, or the
 * same with another root. root: CS_EMU_NO_ROOT where there is none, and where ranks see it differently
 * (intercommunicators). */
#define CS_EMU_NO_ROOT (-100)
struct cs_emu_coll *cs_emu_coll_join(struct cs_emu_comm *c, enum cs_emu_coll_kind kind, int root, const char *call);
/* Counts this rank as arrived. True for the last one. */
bool cs_emu_coll_arrive(struct cs_emu_coll *o);
/* This rank is through with it. */
void cs_emu_coll_leave(struct cs_emu_coll *o);
/* The own side: 0 or, the second of an intercommunicator, 1. */
int cs_emu_coll_side(const struct cs_emu_comm *c);
struct cs_emu_deposit *cs_emu_deposit_new(uint64_t bytes, uint64_t npieces);
/* Piece i, or all of it if it has none. */
const char *cs_emu_deposit_piece(const struct cs_emu_deposit *p, int i, uint64_t *bytes);
/* Wakes all other ranks of the communicator, on both sides. */
void cs_emu_coll_wake_all(const struct cs_emu_comm *c);

/* ---- coll_reduce.c ---- */
/* Combines parts [from, to) of the object, which are used up. NULL if there are none. With `last` not NULL the last
 * step may be left out: then *last is the right operand, and the result is what cs_emu_coll_finish_last makes of both.
 */
struct cs_emu_deposit *cs_emu_coll_combine(struct cs_emu_coll *o, int from, int to, const struct cs_emu_coll_call *call,
                                           int64_t count, struct cs_emu_deposit **last);
struct cs_emu_deposit *cs_emu_coll_finish_last(const struct cs_emu_deposit *left, const struct cs_emu_deposit *last,
                                               const struct cs_emu_coll_call *call, int64_t count);
/* Does MPICH reduce and scatter so many elements pair by pair? That does it. */
bool cs_emu_coll_is_pairwise(const struct cs_emu_coll_call *call, int64_t count);
struct cs_emu_deposit *cs_emu_coll_pairwise(struct cs_emu_coll *o, const struct cs_emu_coll_call *call);
/* Makes slot i what rank i gets: of slots 0 to i, or those before i, which leaves slot 0 without anything. */
void cs_emu_coll_prefix(struct cs_emu_coll *o, const struct cs_emu_coll_call *call, int64_t count);

#endif
