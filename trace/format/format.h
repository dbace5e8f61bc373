/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of a trace file, as docs/reference/trace-format.md specifies them: the block header and the record codes.
 * Shared by the writer and the reader; nothing else needs it. */
#ifndef CS_FORMAT_H
#define CS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CS_TRACE_MAGIC "CSTRACE4" /* the last character is the format version */
#define CS_TRACE_MAGIC_LEN 8
#define CS_HEADER_LEN 96

#define CS_BLOCK_LAST 1u             /* the rank ended its trace in order */
#define CS_BLOCK_TIMES 2u            /* events carry times */
#define CS_BLOCK_DEFS_ELSEWHERE 4u   /* the definitions are those of another block, the one whose key is the same */
#define CS_BLOCK_EVENTS_ELSEWHERE 8u /* the same for events */
#define CS_BLOCK_FAILED 16u          /* no part of a rank's trace: the run failed when its ranks had ended */

#define CS_BLOCK_CLASSES 32u /* no rank's own: its first section is block classes (block_classes.h) */

#define CS_FAILED_SEQ UINT32_MAX /* sequence number of such a block, of rank 0 */

/* Limits that the writer keeps and the reader enforces, so that no file can ask for unbounded memory. */
#define CS_MAX_RANKS (1 << 24)
#define CS_MAX_SECTION (64u << 20) /* bytes of one section of a block, uncompressed */
#define CS_MAX_STRING (1u << 20)
#define CS_MAX_FIELDS (1 << 22)    /* fields of one event */
#define CS_MAX_ITEMS (1 << 16)     /* of one loop body, and loops and bodies of a section */
#define CS_ALIKE_FIELDS 16         /* of a symbol that is written as the difference from another one */
#define CS_EPOCH_FIELDS (1 << 17)  /* a writer forgets its symbols when their fields reach this ... */
#define CS_EPOCH_SYMBOLS (1 << 15) /* ... or their number this */

/* Records of the definitions section. */
enum cs_def_code {
    CS_DEF_INFO = 1,
    CS_DEF_CALL,
    CS_DEF_TYPE,
    CS_DEF_COMM,
    CS_DEF_OP,
    CS_DEF_SITE,
    CS_DEF_UNRECORDED,
    CS_DEF_COUNTER,
    CS_DEF_SEGMENT
};

/* Records of the events section; a code from CS_REC_EVENT on is the item "code - CS_REC_EVENT": a symbol times two,
 * or a loop times two plus one. */
enum cs_rec_code {
    CS_REC_SYMBOL = 1,
    CS_REC_RESET,
    CS_REC_BODY,
    CS_REC_LOOP,
    CS_REC_FORGET,
    CS_REC_DELAY,
    CS_REC_ALIKE,
    CS_REC_NEXT,
    CS_REC_CLOCK,
    CS_REC_EVENT = 16
};

/* XXH3, 128 bit, of a section before compression: what it is known by. */
struct cs_key {
    uint64_t lo, hi;
};

/* One block of the file: the header in CS_HEADER_LEN bytes, then what is stored of its two sections.
 *
 *     | magic | rank, sizes, keys ... | checksum of the header | definitions | events |
 */
struct cs_block_header {
    uint32_t rank, nranks, seq, flags;
    uint32_t defs_raw, defs_stored; /* stored == raw: not compressed */
    uint32_t events_raw, events_stored;
    uint64_t nevents;
    struct cs_key defs_key, events_key;
    uint64_t payload_hash; /* XXH3 of the stored bytes of both sections */
};

void cs_header_encode(const struct cs_block_header *h, unsigned char out[CS_HEADER_LEN]);
/* False if the bytes are no header: magic, checksum or a limit is wrong. */
bool cs_header_decode(struct cs_block_header *h, const unsigned char in[CS_HEADER_LEN]);
uint64_t cs_trace_hash(const void *p, size_t n);
struct cs_key cs_section_key(const void *p, size_t n);

#endif
