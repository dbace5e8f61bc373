/* SPDX-License-Identifier: BSD-3-Clause
 * The state of the run, and its clock. */
#include "commlib/state/run_state.h"

#include <time.h>

struct cs_run cs_run = {.control = MPI_COMM_NULL};

int64_t cs_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
