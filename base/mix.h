/* SPDX-License-Identifier: BSD-3-Clause
 * A hash of one number: every bit of the result depends on every bit of the argument.
 * The finaliser of MurmurHash3 (A. Appleby), which is a bijection. */
#ifndef CS_MIX_H
#define CS_MIX_H

#include <stdint.h>

static inline uint64_t cs_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

#endif
