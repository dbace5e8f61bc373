/* SPDX-License-Identifier: BSD-3-Clause
 * The work loop of generated programs. It is text for them, and code for commslice itself, which measures how fast it
 * runs on this machine. The loop is a chain of dependent multiplications in a register. Beside it, it walks slowly
 * through memory, for which it does not wait. */
#include <stddef.h>
#include <stdint.h>
#ifndef WORK_RATE
#define WORK_RATE 1
#endif
/*---- work */
/* Computation: a loop of dependent operations, in as many turns as the machine that was recorded makes in this time.
 * The loop asks for a piece of memory now and then. So it pushes messages, and the code that sends them, out of the
 * nearest caches, as real computation does. */
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

/* Touches all of that memory, so that it is there before the run. */
static void work_begin(void)
{
    for (size_t i = 0; i < PASSED; i += 512)
        passed[i] = 1;
}
/*---- end */
