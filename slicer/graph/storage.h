/* SPDX-License-Identifier: GPL-3.0-or-later
 * Memory helpers of the slicer: allocation that cannot fail quietly, and growing arrays.
 * They call abort() with a message when memory ends, because a half-built graph is of no use to anyone. */
#ifndef CS_STORAGE_H
#define CS_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *cs_calloc(size_t n, size_t size);
void *cs_realloc(void *p, size_t size);
char *cs_strdup(const char *s);

/* Makes room for one more element in array `a` with n used of cap places. */
#define CS_GROW(a, n, cap) \
    do { \
        if ((n) == (cap)) { \
            (cap) = (cap) ? 2 * (cap) : 64; \
            (a) = cs_realloc((a), (size_t)(cap) * sizeof *(a)); \
        } \
    } while (0)

/* A growing set of ints, sorted. */
struct cs_intset {
    int n, cap, *a;
};
/* Returns 1 if x is new, 0 if it was there. */
int cs_intset_add(struct cs_intset *s, int x);
int cs_intset_has(const struct cs_intset *s, int x);
void cs_intset_free(struct cs_intset *s);

/* A growing list of ints. */
struct cs_intlist {
    int n, cap, *a;
};
void cs_intlist_add(struct cs_intlist *l, int x);
void cs_intlist_free(struct cs_intlist *l);

/* A hash set of pairs of ints: open addressing, `cap` slots (0 or a power of two), at most half of them used. What a
 * pair stands for is the caller's: `same` compares it with what is looked for. */
struct cs_pairset {
    int n, cap;
    struct cs_pairslot {
        uint32_t hash;
        int a, b;
    } * slots;
};
bool cs_pairset_has(const struct cs_pairset *s, uint32_t hash, bool (*same)(const void *what, int a, int b),
                    const void *what);
/* The first number of the pair that is the same, or -1. Numbers are not negative. */
int cs_pairset_find(const struct cs_pairset *s, uint32_t hash, bool (*same)(const void *what, int a, int b),
                    const void *what);
void cs_pairset_add(struct cs_pairset *s, uint32_t hash, int a, int b);
void cs_pairset_free(struct cs_pairset *s);
/* Takes one more number into a hash. Start with 0. */
uint32_t cs_hash(uint32_t h, int64_t x);
/* Is x how a whole number of so many bits is written here? The highest bit is taken for a sign, whether the type has
 * one (bits are negative) or not; one bit is 0 or 1. Not if there are 0 bits. */
bool cs_fits(int64_t x, int bits);

#ifdef __cplusplus
}
#endif

#endif
