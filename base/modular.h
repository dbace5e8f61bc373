/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic modulo the prime 2^61 - 1, for hashes of strings as polynomials (Karp and Rabin 1987). */
#ifndef CS_MODULAR_H
#define CS_MODULAR_H

#include <assert.h>
#include <stdint.h>

#define CS_MODULUS ((UINT64_C(1) << 61) - 1)

/* The product of two numbers below CS_MODULUS; it is below it, too. */
static inline uint64_t cs_modular_times(uint64_t a, uint64_t b)
{
    assert(a < CS_MODULUS && b < CS_MODULUS);
    __extension__ unsigned __int128 p = (unsigned __int128)a * b;
    uint64_t r = (uint64_t)(p & CS_MODULUS) + (uint64_t)(p >> 61);
    return r >= CS_MODULUS ? r - CS_MODULUS : r;
}

#endif
