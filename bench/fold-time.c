/* SPDX-License-Identifier: BSD-3-Clause
 * Processor time and memory of folding, strings of 10^4 to 10^7 symbols of several shapes, beside the published method
 * in the same run (there up to the given length). Prints a table; exit code 1 if a fold does not expand to its string.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "trace/fold/fold.h"

typedef void make_fn(int32_t *s, int32_t n);

/* One rank of NPB LU: 249 time steps, each two sweeps over the planes with two receives and two sends a plane, and an
 * exchange. */
static void shape_lu(int32_t *s, int32_t n)
{
    int32_t planes = (n / 249 - 8) / 8, at = 0;
    planes = planes < 2 ? 2 : planes;
    while (at < n) {
        for (int32_t k = 0; k < 8 * planes && at < n; k++)
            s[at++] = 1 + k % 4 + (k < 4 * planes ? 0 : 4);
        for (int32_t k = 0; k < 4 && at < n; k++)
            s[at++] = 10 + k;
    }
}

static void shape_nest(int32_t *s, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        s[i] = (i % 51 == 50) + 2 * (i % 5101 == 5100);
}

static void shape_one(int32_t *s, int32_t n)
{
    memset(s, 0, (size_t)n * sizeof *s);
}

/* splitmix64 */
static uint64_t scramble(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void shape_random2(int32_t *s, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        s[i] = scramble((uint64_t)i) & 1;
}

static void shape_distinct(int32_t *s, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        s[i] = (int32_t)(scramble((uint64_t)i) & INT32_MAX);
}

static void shape_fibonacci(int32_t *s, int32_t n)
{
    s[0] = 0;
    s[1] = 1;
    for (int32_t a = 1, b = 2; b < n;) {
        int32_t c = a + b;
        memcpy(s + b, s, (size_t)((c < n ? c : n) - b) * sizeof *s);
        a = b;
        b = c;
    }
}

static const struct shape {
    const char *name;
    make_fn *make;
} shapes[] = {{"LU", shape_lu},
              {"nest", shape_nest},
              {"one symbol", shape_one},
              {"random of 2", shape_random2},
              {"random of 2^31", shape_distinct},
              {"Fibonacci", shape_fibonacci}};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds, or -1 if the fold is wrong. */
static double fold(const int32_t *s, int32_t n, int32_t *room, enum cs_fold_method method, struct cs_fold *f)
{
    double start = now();
    if (cs_fold_string(s, n, method, f))
        return -1;
    double took = now() - start;
    cs_fold_expand(f, room);
    return memcmp(s, room, (size_t)n * sizeof *s) == 0 ? took : -1;
}

static bool measure(const struct shape *sh, int32_t n, int32_t paper_max)
{
    int32_t *s = malloc((size_t)n * sizeof *s), *room = malloc((size_t)n * sizeof *room);
    struct cs_fold f = {0};
    struct rusage use;
    bool ok = s && room;
    if (ok) {
        sh->make(s, n);
        double took = fold(s, n, room, CS_FOLD_BEST, &f);
        getrusage(RUSAGE_SELF, &use);
        printf("%-15s %9d %9lld %8lld %8.3f %7ld", sh->name, n, (long long)f.nsymbols, (long long)f.capped, took,
               use.ru_maxrss / 1024);
        ok = took >= 0;
        cs_fold_free(&f);
        if (ok && n <= paper_max) {
            took = fold(s, n, room, CS_FOLD_PAPER, &f);
            printf(" %9lld %8.3f", (long long)f.nsymbols, took);
            ok = took >= 0;
            cs_fold_free(&f);
        }
        puts(ok ? "" : " WRONG");
        fflush(stdout);
    }
    free(s);
    free(room);
    return ok;
}

int main(int argc, char **argv)
{
    int32_t paper_max = argc > 1 ? atoi(argv[1]) : 100000;
    bool ok = true;
    puts("shape              length   symbols   capped        s  MB max     paper        s");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int32_t n = 10000; n <= 10000000; n *= 10)
            ok &= measure(&shapes[i], n, paper_max);
        if (i == 0)
            ok &= measure(&shapes[i], 324355, 324355);
    }
    return ok ? 0 : 1;
}
