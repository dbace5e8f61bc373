/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic modulo the prime 2^61 - 1, for hashes of strings as polynomials (Karp and Rabin 1987). Appending a string
 * is an affine map of the hash, so a string that is appended n times costs O(log n). */
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

/* The sum and the difference of two numbers below CS_MODULUS. */
static inline uint64_t cs_modular_plus(uint64_t a, uint64_t b)
{
    assert(a < CS_MODULUS && b < CS_MODULUS);
    uint64_t r = a + b;
    return r >= CS_MODULUS ? r - CS_MODULUS : r;
}

static inline uint64_t cs_modular_minus(uint64_t a, uint64_t b)
{
    assert(a < CS_MODULUS && b < CS_MODULUS);
    return a >= b ? a - b : a + CS_MODULUS - b;
}

/* The map h -> factor * h + summand. */
struct cs_modular_map {
    uint64_t factor, summand;
};

static inline uint64_t cs_modular_apply(struct cs_modular_map f, uint64_t h)
{
    return cs_modular_plus(cs_modular_times(f.factor, h), f.summand);
}

/* f, applied n times. */
static inline struct cs_modular_map cs_modular_repeat(struct cs_modular_map f, uint64_t n)
{
    struct cs_modular_map all = {1, 0};
    for (; n; n /= 2) {
        if (n % 2)
            all = (struct cs_modular_map){cs_modular_times(f.factor, all.factor), cs_modular_apply(f, all.summand)};
        f = (struct cs_modular_map){cs_modular_times(f.factor, f.factor), cs_modular_apply(f, f.summand)};
    }
    return all;
}

#endif
