/* SPDX-License-Identifier: BSD-3-Clause
 * Collective calls for the rest of the library: what it needs to know of all members itself, requests of calls that
 * are made of several receives, and which ranks have not come to a call.
 * What a rank brings is deposited in an object in shared memory, which never waits; when the object is ready for the
 * rank, it takes out what it gets. Blocking calls sleep in between, nonblocking ones keep the rest in a request. */
#ifndef CS_COLL_H
#define CS_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/types/numbers.h"

struct cs_emu_comm;
struct cs_emu_req;

/* One side of the arguments of a collective call: `n` blocks, or as many as there are peers. */
struct cs_emu_blocks {
    void *buf;
    int64_t count;
    struct cs_emu_numbers counts; /* none: `count` for each */
    struct cs_emu_numbers displs; /* none: one after the other */
    MPI_Datatype type;
    const MPI_Datatype *types; /* not NULL: one for each, and displs are bytes */
};

/* A side in each of the forms that calls have. */
#define CS_EMU_BLOCKS(buf_, count_, type_) \
    { \
        .buf = (void *)(buf_), .count = (count_), .type = (type_) \
    }
#define CS_EMU_VBLOCKS(buf_, counts_, displs_, type_) \
    { \
        .buf = (void *)(buf_), .counts = CS_EMU_NUMBERS(counts_), .displs = CS_EMU_NUMBERS(displs_), .type = (type_) \
    }
#define CS_EMU_WBLOCKS(buf_, counts_, displs_, types_) \
    { \
        .buf = (void *)(buf_), .counts = CS_EMU_NUMBERS(counts_), .displs = CS_EMU_NUMBERS(displs_), .types = (types_) \
    }

static inline MPI_Datatype cs_emu_block_type(const struct cs_emu_blocks *b, int i)
{
    return b->types ? b->types[i] : b->type;
}

static inline int64_t cs_emu_block_count(const struct cs_emu_blocks *b, int i)
{
    return b->counts.at ? cs_emu_number(&b->counts, i) : b->count;
}

/* The address of block i. */
char *cs_emu_block_at(const struct cs_emu_blocks *b, int i);

/* All ranks of a communicator bring `bytes` and get everybody's, for what the library itself has to know: in the order
 * of ranks, the first side before the second. `all` has room for bytes times both sizes. */
void cs_emu_exchange(struct cs_emu_comm *c, const void *own, uint64_t bytes, void *all, const char *call);
/* The same where each rank brings what it wants: `take` is called for each rank in that order. */
void cs_emu_exchange_each(struct cs_emu_comm *c, const void *own, uint64_t bytes,
                          void (*take)(void *arg, int rank, const void *data, uint64_t bytes), void *arg,
                          const char *call);
/* In that order: the index of the own rank, and of the first rank that a peer argument can name. */
int cs_emu_coll_index(const struct cs_emu_comm *c);
int cs_emu_coll_peers_at(const struct cs_emu_comm *c);

/* Makes a request for a call of another kind: complete as soon as `done`, which is called whenever progress is made,
 * returns true; it then has freed `arg` and set *error. Returns an error class. */
int cs_emu_coll_begin_other(struct cs_emu_comm *c, bool (*done)(void *arg, int *error), void *arg,
                            MPI_Request *request);

/* The same for a start of a persistent request, which is there already. */
int cs_emu_coll_start_other(struct cs_emu_req *r, bool (*done)(void *arg, int *error), void *arg);
/* Puts copies of the n entries of each array of b in their place, as they may be gone when the call returns: mpi_f08
 * passes handles in arrays of its own. *arrays is what to free then. Returns an error class. */
int cs_emu_blocks_own(struct cs_emu_blocks *b, size_t n, void **arrays);

/* How many of `size` ranks have not come to a collective call yet; -1 if there is no such call under way. Takes no
 * lock: for the parent, when nobody moves. */
int cs_emu_coll_missing(uint32_t context, uint32_t sequence, int *size);

#endif
