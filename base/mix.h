/* SPDX-License-Identifier: BSD-3-Clause
 * A hash of one number: every bit of the result depends on every bit of the argument.
 * The function is the finaliser of MurmurHash3 (A. Appleby). It is a bijection: different numbers differ in hash. */
#ifndef CS_MIX_H
#define CS_MIX_H

#include <stdint.h>

/* The hash of x; that of 0 is 0. */
static inline uint64_t cs_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

#endif
