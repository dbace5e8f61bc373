/* SPDX-License-Identifier: BSD-3-Clause
 * The memory of a rank against a plain record of what was put where: no two blocks overlap, contents stay, calloc()
 * gives zeros, and what was allocated before it began, or does not fit, is the C library's. CS_ROUNDS=N for more steps,
 * CS_SEED=N for others. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "commlib/process/rank_memory.h"

enum { BLOCKS = 300, AREA = 256 << 10 };

static struct {
    unsigned char *p;
    size_t n;
    unsigned char fill;
} block[BLOCKS];
static uint64_t state;

static uint64_t rnd(uint64_t below)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) % below;
}

static long number(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

/* Mostly small, now and then more than the area has. */
static size_t any_size(void)
{
    size_t most = (size_t)1 << rnd(rnd(50) ? 10 : 18);
    return (size_t)rnd(most + 1);
}

static bool holds(const unsigned char *p, size_t n, unsigned char fill)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != fill)
            return false;
    return true;
}

static void fill(int i, size_t n)
{
    block[i].n = n;
    block[i].fill = (unsigned char)(rnd(255) + 1);
    memset(block[i].p, block[i].fill, n);
}

static void make(int i)
{
    size_t n = any_size();
    bool zero = rnd(2);
    block[i].p = zero ? calloc(n, 1) : malloc(n);
    ck_assert(block[i].p != NULL || n == 0);
    ck_assert_uint_eq((uintptr_t)block[i].p % 16, 0);
    ck_assert(!zero || holds(block[i].p, n, 0));
    if (block[i].p)
        fill(i, n);
}

static void resize(int i)
{
    size_t n = any_size() + 1, kept = n < block[i].n ? n : block[i].n;
    block[i].p = realloc(block[i].p, n);
    ck_assert_ptr_nonnull(block[i].p);
    ck_assert(holds(block[i].p, kept, block[i].fill));
    fill(i, n);
}

static void drop(int i)
{
    ck_assert(holds(block[i].p, block[i].n, block[i].fill));
    free(block[i].p);
    block[i].p = NULL;
}

START_TEST(random_steps)
{
    state = (uint64_t)number("CS_SEED", 1);
    for (int i = 0; i < BLOCKS / 10; i++) /* the C library's: made before */
        make(i);
    cs_rank_memory_start();
    for (long k = number("CS_ROUNDS", 200000); k > 0; k--) {
        int i = (int)rnd(k / 10000 % 2 ? BLOCKS : 20);
        if (!block[i].p)
            make(i);
        else if (rnd(3) == 0)
            resize(i);
        else
            drop(i);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (block[i].p)
            drop(i);
}
END_TEST

/* What it is for: small blocks lie side by side, an array that grows stays where it is, and what was freed is taken
 * again. */
START_TEST(few_pages)
{
    cs_rank_memory_start();
    char *first = malloc(24), *second = malloc(24), *grows = malloc(100);
    const uintptr_t at = (uintptr_t)first;
    ck_assert_uint_eq((uintptr_t)second, at + 32);
    ck_assert_uint_eq((uintptr_t)grows, at + 64);
    grows = realloc(grows, 5000);
    ck_assert_uint_eq((uintptr_t)grows, at + 64);
    free(first);
    first = malloc(20);
    ck_assert_uint_eq((uintptr_t)first, at);
    memset(grows, 1, 5000);
    free(grows);
    char *again = calloc(1, 5000);
    ck_assert_uint_eq((uintptr_t)again, at + 64);
    ck_assert(holds((unsigned char *)again, 5000, 0));
    char *large = malloc(AREA);
    ck_assert((uintptr_t)large + AREA < at || (uintptr_t)large > at + AREA);
    free(large);
    free(again);
    free(second);
    free(first);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rank_memory");
    TCase *c = tcase_create("rank_memory");
    tcase_add_test(c, random_steps);
    tcase_add_test(c, few_pages);
    tcase_set_timeout(c, 300);
    suite_add_tcase(s, c);
    return suite_main(s);
}
