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

/* As their namesakes of the C library, for free(). */
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

/* A growing set of ints, sorted, each once: a[] has n of them and room for cap, and is the set's own. All zero is the
 * empty set. */
struct cs_intset {
    int n, cap, *a;
};
/* Returns 1 if x is new, 0 if it was there. */
int cs_intset_add(struct cs_intset *s, int x);
int cs_intset_has(const struct cs_intset *s, int x);
/* The caller frees. */
struct cs_intset cs_intset_copy(const struct cs_intset *s);
/* The free functions of this file leave what is empty, and may be filled again. */
void cs_intset_free(struct cs_intset *s);

/* A growing list of ints, in the order in which they were added; otherwise as above. */
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
/* Is there a pair with this hash for which same(what, a, b) holds? */
bool cs_pairset_has(const struct cs_pairset *s, uint32_t hash, bool (*same)(const void *what, int a, int b),
                    const void *what);
/* The first number (a) of that pair, or -1. */
int cs_pairset_find(const struct cs_pairset *s, uint32_t hash, bool (*same)(const void *what, int a, int b),
                    const void *what);
/* Adds a pair that is not there; a is not negative. */
void cs_pairset_add(struct cs_pairset *s, uint32_t hash, int a, int b);
void cs_pairset_free(struct cs_pairset *s);
/* Takes one more number into a hash. Start with 0. */
uint32_t cs_hash(uint32_t h, int64_t x);
/* Can x stand for a whole number of so many bits? Numbers are written with a sign, whether their type has one (bits is
 * negative) or not; one bit is 0 or 1. With 0 bits, nothing can. */
bool cs_fits(int64_t x, int bits);

#ifdef __cplusplus
}
#endif

#endif
