/* SPDX-License-Identifier: BSD-3-Clause
 * The work loop of generated programs: text for them, and code for commslice itself, which measures how fast it is
 * here. A chain of dependent multiplications in a register, and beside it a slow walk through memory, which does not
 * hold it up. */
#include <stddef.h>
#include <stdint.h>
#ifndef WORK_RATE
#define WORK_RATE 1
#endif
/*---- work */
/* Computation: so many turns of a loop of dependent operations, as the machine that was recorded does in this time. Now
 * and then it asks for a piece of memory, so that messages, and what sends them, are not found in the nearest caches
 * after it: computation pushes them out. */
#ifndef PASSED
#define PASSED 4194304 /* bytes of this memory, more than a core has caches of its own */
#endif
#ifdef __GNUC__
#define PASS(address) __builtin_prefetch(address) /* does not wait for it */
#else
#define PASS(address) (void)*(volatile char *)(address)
#endif
static volatile uint64_t work_value = 1;
static char passed[PASSED];

static void work(double seconds)
{
    static size_t at;
    register uint64_t x = work_value;
    for (register long turns = (long)(seconds * WORK_RATE); turns > 0; turns--) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        if (turns % 16 == 0)
            PASS(&passed[at = (at + 64) % PASSED]);
    }
    work_value = x;
}

/* All of that memory is there before the run. */
static void work_begin(void)
{
    for (size_t i = 0; i < PASSED; i += 512)
        passed[i] = 1;
}
/*---- end */
