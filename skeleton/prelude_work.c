/* SPDX-License-Identifier: BSD-3-Clause
 * The work loop of generated programs: text for them, and code for commslice itself, which measures how fast it is here.
 * A chain of dependent multiplications in a register: its speed is that of the clock, whatever the compiler and the caches do. */
#include <stdint.h>
#ifndef WORK_RATE
#define WORK_RATE 1
#endif
/*---- work */
/* Computation: so many turns of a loop of dependent operations, as the machine that was recorded does in this time. */
static volatile uint64_t work_value = 1;

static void work(double seconds)
{
    register uint64_t x = work_value;
    for (register long turns = (long)(seconds * WORK_RATE); turns > 0; turns--)
        x = x * 6364136223846793005u + 1442695040888963407u;
    work_value = x;
}
/*---- end */
