/* SPDX-License-Identifier: BSD-3-Clause
 * Collective calls: what a rank brings is deposited in an object in shared memory, which never waits; when the object
 * is ready for the rank, it takes out what it gets. Blocking calls sleep in between, nonblocking ones keep the rest in
 * a request. */
#ifndef CS_COLL_H
#define CS_COLL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct cs_emu_comm;
struct cs_emu_req;
struct cs_emu_many;

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

/* What one rank deposits, packed. In shared memory. */
struct cs_emu_part {
    uint64_t bytes;
    uint64_t npieces; /* 0: the same for all who want it; otherwise offsets of pieces (npieces + 1) precede the data */
    char data[] __attribute__((aligned(16)));
};

/* One collective call of a communicator. In shared memory. */
struct cs_emu_coll {
    struct cs_emu_coll *next; /* in its bucket */
    uint32_t context, sequence;
    uint32_t kind;
    int32_t size; /* of all ranks, on both sides of an intercommunicator */
    _Atomic int32_t arrived, left;
    _Atomic int32_t finished; /* who came last has computed the results */
    int32_t root;             /* as the first one gave it */
    int32_t first;            /* rank in MPI_COMM_WORLD of the first one, and what it called where */
    int64_t where;
    const char *call;
    struct cs_emu_part *result[2];        /* of reductions, by side */
    struct cs_emu_part *last[2];          /* not NULL: the result is that op this */
    _Atomic(struct cs_emu_part *) slot[]; /* by rank; those of the second side follow the first's */
};

/* One side of the arguments: `n` blocks, or as many as there are peers. */
struct cs_emu_blocks {
    void *buf;
    int count;
    const int *counts; /* NULL: `count` for each */
    const int *displs; /* NULL: one after the other */
    MPI_Datatype type;
    const MPI_Datatype *types; /* not NULL: one for each, and displs are bytes */
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
    bool waits; /* there is something to take out */
    int error;
    struct cs_emu_req *request;
    struct cs_emu_many *many; /* a collective of neighbours: only this and the request are set */
};

/* Deposits and, unless `request` is given, waits. Arguments were checked. Returns an error class. */
int cs_emu_coll_run(const struct cs_emu_coll_call *call, MPI_Request *request);

/* A request that is complete when all these receives are. Returns an error class. */
int cs_emu_coll_many(struct cs_emu_comm *c, struct cs_emu_many *many, MPI_Request *request);

/* Completes nonblocking calls that are ready. True if there was one. */
bool cs_emu_coll_progress(void);

/* All ranks of a communicator bring `bytes` and get everybody's, for what the library itself has to know: in the order
 * of ranks, the first side before the second. `all` has room for bytes times both sizes. */
void cs_emu_exchange(struct cs_emu_comm *c, const void *own, uint64_t bytes, void *all, const char *call);
/* The same where each rank brings what it wants: `take` is called for each rank in that order. */
void cs_emu_exchange_each(struct cs_emu_comm *c, const void *own, uint64_t bytes,
                          void (*take)(void *arg, int rank, const void *data, uint64_t bytes), void *arg,
                          const char *call);

/* ---- coll_object.c ---- */
/* The object of this communicator's next collective call. Ends the run if another rank makes another call there, or the
 * same with another root. root: CS_EMU_NO_ROOT where there is none, and where ranks see it differently
 * (intercommunicators). */
#define CS_EMU_NO_ROOT (-100)
struct cs_emu_coll *cs_emu_coll_join(struct cs_emu_comm *c, enum cs_emu_coll_kind kind, int root, const char *call);
/* How many of `size` ranks have not come to it yet; -1 if there is no such call under way. Takes no lock: for the
 * parent, when nobody moves. */
int cs_emu_coll_missing(uint32_t context, uint32_t sequence, int *size);
/* This rank is through with it. */
void cs_emu_coll_leave(struct cs_emu_coll *o);
/* Index of the own slot, of the first peer's slot, and the own side. */
int cs_emu_coll_index(const struct cs_emu_comm *c);
int cs_emu_coll_peers_at(const struct cs_emu_comm *c);
int cs_emu_coll_side(const struct cs_emu_comm *c);
struct cs_emu_part *cs_emu_part_new(uint64_t bytes, uint64_t npieces);
/* Piece i, or all of it if it has none. */
const char *cs_emu_part_piece(const struct cs_emu_part *p, int i, uint64_t *bytes);
/* Wakes all ranks of the communicator, or one of the peers. */
void cs_emu_coll_wake_all(const struct cs_emu_comm *c);

/* ---- coll_reduce.c ---- */
/* Combines parts [from, to) of the object, which are used up. NULL if there are none. With `last` not NULL the last
 * step may be left out: then *last is the right operand, and the result is what cs_emu_coll_finish_last makes of both.
 */
struct cs_emu_part *cs_emu_coll_combine(struct cs_emu_coll *o, int from, int to, const struct cs_emu_coll_call *call,
                                        int64_t count, struct cs_emu_part **last);
struct cs_emu_part *cs_emu_coll_finish_last(const struct cs_emu_part *left, const struct cs_emu_part *last,
                                            const struct cs_emu_coll_call *call, int64_t count);
/* Does MPICH reduce and scatter so many elements pair by pair? That does it. */
bool cs_emu_coll_is_pairwise(const struct cs_emu_coll_call *call, int64_t count);
struct cs_emu_part *cs_emu_coll_pairwise(struct cs_emu_coll *o, const struct cs_emu_coll_call *call);
/* Makes slot i what rank i gets: of slots 0 to i, or those before i, which leaves slot 0 without anything. */
void cs_emu_coll_prefix(struct cs_emu_coll *o, const struct cs_emu_coll_call *call, int64_t count);

#endif
