/* SPDX-License-Identifier: BSD-3-Clause
 * The work loop of generated programs: text for them, and code for commslice itself, which measures how fast it is here.
 * A chain of dependent operations through memory, so that it takes the same time at every optimisation level. */
#ifndef WORK_RATE
#define WORK_RATE 1
#endif
/*---- work */
/* Computation: so many turns of a loop of dependent operations, as the machine that was recorded does in this time. */
static volatile double work_value = 1;

static void work(double seconds)
{
    for (double turns = seconds * WORK_RATE; turns >= 1; turns -= 1)
        work_value = work_value * 0.5 + 1;
}
/*---- end */
