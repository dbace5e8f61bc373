/* SPDX-License-Identifier: BSD-3-Clause
 * What a rank has recorded but not yet written as a block, kept where a kill -9 of the rank cannot reach it: in a file
 * TRACE.live that all ranks map, a slot each. The last rank to end in order removes it; cs_trace_recover saves what is
 * left in it. Where the file system cannot do this, ranks go on without. Ranks that are forked from one process have
 * their slots in memory without a name instead, and that process saves what is left. docs/reference/trace-format.md has
 * the layout. */
#ifndef CS_CRASH_BUFFER_H
#define CS_CRASH_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/format/format.h"
#include "trace/write/section_set.h"

#define CS_CRASH_MAGIC "CSLIVE04"
#define CS_CRASH_PAGE 4096u
#define CS_CRASH_HEAD 128u  /* room of struct cs_crash_head */
#define CS_CRASH_NEAR 1408u /* of definitions that share its page with the first events: most ranks need no more */
#define CS_CRASH_DEFS ((12u << 10) - CS_CRASH_HEAD)
#define CS_CRASH_FEW (CS_CRASH_PAGE - CS_CRASH_HEAD - CS_CRASH_NEAR) /* bytes of a half's events on its first page */

/* A slot:
 *
 *     | head | definitions: the first CS_CRASH_NEAR bytes | events: half 0 | half 1 | the other definitions |
 *
 * One half is in use: the folded events up to `base`, then one by one what came since. When it is full, all is folded
 * into the other half. `done` is one word, and so is `half`: a kill cannot leave length and number at odds. */
struct cs_crash_head {
    char magic[8];
    uint32_t rank, nranks, flags, seq;
    volatile uint32_t defs_len;
    volatile uint32_t half;
    volatile uint64_t base[2];  /* events in the folded part */
    volatile uint64_t done[2];  /* events: bytes << 32 | number since */
    _Atomic uint32_t next_free; /* of a pool: slot + 1 */
};

/* The free slots of ranks that are forked from one process, as a stack in shared memory, without locks. A rank takes a
 * slot that another one has given back, so there are as many as ranks were alive at the same time. All zero: none was
 * ever taken. */
struct cs_crash_pool {
    _Atomic uint64_t free;  /* slot + 1 of the first free one, and a tag against reuse in between */
    _Atomic uint32_t fresh; /* slots that were ever taken */
};

/* The slots of such ranks, made before they are forked. */
struct cs_crash_area {
    int fd; /* of memory without a name; -1: there is none */
    struct cs_crash_pool *pool;
    void *reserved; /* addresses for the first slot of a process, beside the libraries: elsewhere a slot costs page
                       tables of its own */
};
#define CS_CRASH_AREA_HALF (64u << 10) /* bytes of a half there: nothing is taken before it is used */

/* A rank's slot, mapped. */
struct cs_crash_buffer {
    int fd; /* -1: the slot is in an area */
    char *path;
    struct cs_crash_pool *pool;
    uint32_t number;       /* number of the slot */
    bool reserved;         /* its addresses are those that its area reserves */
    unsigned char *slot;   /* head, definitions, events */
    unsigned char *events; /* the half in use */
    size_t events_cap;     /* of a half */
    uint32_t half;
    size_t slot_len;
    struct cs_shared *shared; /* behind all slots; NULL if it cannot be had */
    uint32_t rank, nranks;
};

/* Maps the rank's slot. NULL if that cannot be had; no error, recording works without. */
struct cs_crash_buffer *cs_crash_open(const char *trace, const struct cs_block_header *h);
/* 0, or -1 with errno: then ranks go on without. */
int cs_crash_area_make(struct cs_crash_area *a, struct cs_crash_pool *pool, uint32_t nranks);
void cs_crash_area_free(struct cs_crash_area *a);
/* A slot of the area. NULL if there is no memory. */
struct cs_crash_buffer *cs_crash_open_in(struct cs_crash_area *a, const struct cs_block_header *h);
/* Starts an empty block with this sequence number; the one before is in the file. */
void cs_crash_begin(struct cs_crash_buffer *l, uint32_t seq);
/* Copies definitions that were added to the block; -1 if there is no room. */
int cs_crash_def(struct cs_crash_buffer *l, size_t at, const void *p, size_t n);
/* Events of the block up to `len` bytes are valid, `n` of them. */
void cs_crash_publish(struct cs_crash_buffer *l, uint32_t len, uint32_t n);
/* Replaces the block's events by these `len` bytes, which stand for n events. */
void cs_crash_replace(struct cs_crash_buffer *l, const void *bytes, uint32_t len, uint64_t n);
/* Gives up the slot, and empties it unless told to keep what could not be written. Removes the file if the caller is
 * the last one and all slots are empty: then true. */
bool cs_crash_close(struct cs_crash_buffer *l, bool keep);

/* ---- what the writer and cs_trace_recover share ---- */
char *cs_crash_path(const char *trace);
size_t cs_crash_events_cap(uint32_t nranks); /* of the file */
/* Where in a slot with halves of `cap` bytes a half begins, and where the definitions go on. */
size_t cs_crash_half_at(uint32_t half, size_t cap);
size_t cs_crash_far_defs(size_t cap);
/* Calls save for each slot of the file of a run of nranks ranks, with halves of `cap` bytes, that is not empty; -1 if
 * one fails. */
struct cs_crash_slot {
    int fd;
    off_t at;
    size_t cap;
    struct cs_crash_head head;
};
int cs_crash_for_each(int fd, uint32_t nranks, size_t cap, int (*save)(const struct cs_crash_slot *s, void *arg),
                      void *arg);

/* Appends what is in the slots, with halves of `cap` bytes or, if that is 0, those of the file, to the trace; 0, or -1
 * and errno. Nobody may write meanwhile. */
int cs_crash_save(int fd, size_t cap, const char *path);

/* Moves fd to a high number: the program's own files get the numbers that they have without us, and a program that
 * closes all low ones leaves ours alone. Returns the new number, or fd where that cannot be. */
int cs_trace_move_up(int fd);

#endif
