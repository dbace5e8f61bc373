/* SPDX-License-Identifier: BSD-3-Clause
 * One nest of loops for streams that make the same calls from the same places, but with other values, so that each of
 * them was folded where its own values repeat. In the common nest is a loop where all of them have one. */
#ifndef CS_COMMON_NEST_H
#define CS_COMMON_NEST_H

#include "trace/format/bytes.h"
#include "trace/write/loaded_stream.h"

/* The nest over symbols of its own: each stands for one symbol of each stream.
 *
 *     symbol:  | of stream 0 | of stream 1 | ... |  nstreams numbers for each of the nsymbols symbols
 *     items:   what follows the definitions of symbols in an events section  */
struct cs_common_nest {
    uint32_t nstreams, nsymbols;
    size_t symbol_cap;
    uint32_t *symbol;
    struct cs_bytes items;
};

/* 1, and *out, which is all zero; 0: streams differ in more than values, the nest would have more symbols than a
 * section may have, or more than `most` symbols of all streams together would be unrolled; -1: no memory. *out is to be
 * freed in each case. */
int cs_common_nest(const struct cs_loaded_stream *const *s, uint32_t n, uint64_t most, struct cs_common_nest *out);
void cs_common_nest_free(struct cs_common_nest *c);

#endif
