/* SPDX-License-Identifier: BSD-3-Clause
 * Encodes and checks block headers.
 * A header carries its own checksum, so that scanning a damaged file for the next block is safe. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

#include "trace/format/bytes.h"
#include "trace/format/format.h"

#define HASHED_LEN (CS_HEADER_LEN - 8)

uint64_t cs_trace_hash(const void *p, size_t n)
{
    return XXH3_64bits(p, n);
}

struct cs_key cs_section_key(const void *p, size_t n)
{
    XXH128_hash_t h = XXH3_128bits(p, n);
    return (struct cs_key){h.low64, h.high64};
}

static void put_key(unsigned char *p, const struct cs_key *k)
{
    cs_put_u64(p, k->lo);
    cs_put_u64(p + 8, k->hi);
}

static struct cs_key get_key(const unsigned char *p)
{
    return (struct cs_key){cs_get_u64(p), cs_get_u64(p + 8)};
}

void cs_header_encode(const struct cs_block_header *h, unsigned char out[CS_HEADER_LEN])
{
    memcpy(out, CS_TRACE_MAGIC, CS_TRACE_MAGIC_LEN);
    cs_put_u32(out + 8, h->rank);
    cs_put_u32(out + 12, h->nranks);
    cs_put_u32(out + 16, h->seq);
    cs_put_u32(out + 20, h->flags);
    cs_put_u32(out + 24, h->defs_raw);
    cs_put_u32(out + 28, h->defs_stored);
    cs_put_u32(out + 32, h->events_raw);
    cs_put_u32(out + 36, h->events_stored);
    cs_put_u64(out + 40, h->nevents);
    put_key(out + 48, &h->defs_key);
    put_key(out + 64, &h->events_key);
    cs_put_u64(out + 80, h->payload_hash);
    cs_put_u64(out + HASHED_LEN, cs_trace_hash(out, HASHED_LEN));
}

static bool within_limits(const struct cs_block_header *h)
{
    return h->nranks >= 1 && h->nranks <= CS_MAX_RANKS && h->rank < h->nranks && h->defs_raw <= CS_MAX_SECTION &&
           h->defs_stored <= h->defs_raw && h->events_raw <= CS_MAX_SECTION && h->events_stored <= h->events_raw &&
           h->nevents <= INT64_MAX && (h->nevents == 0 || h->events_raw) &&
           !(h->flags & CS_BLOCK_DEFS_ELSEWHERE && h->defs_stored) &&
           !(h->flags & CS_BLOCK_EVENTS_ELSEWHERE && h->events_stored);
}

bool cs_header_decode(struct cs_block_header *h, const unsigned char in[CS_HEADER_LEN])
{
    if (memcmp(in, CS_TRACE_MAGIC, CS_TRACE_MAGIC_LEN) != 0 ||
        cs_get_u64(in + HASHED_LEN) != cs_trace_hash(in, HASHED_LEN))
        return false;
    h->rank = cs_get_u32(in + 8);
    h->nranks = cs_get_u32(in + 12);
    h->seq = cs_get_u32(in + 16);
    h->flags = cs_get_u32(in + 20);
    h->defs_raw = cs_get_u32(in + 24);
    h->defs_stored = cs_get_u32(in + 28);
    h->events_raw = cs_get_u32(in + 32);
    h->events_stored = cs_get_u32(in + 36);
    h->nevents = cs_get_u64(in + 40);
    h->defs_key = get_key(in + 48);
    h->events_key = get_key(in + 64);
    h->payload_hash = cs_get_u64(in + 80);
    return within_limits(h);
}
