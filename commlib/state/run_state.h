/* SPDX-License-Identifier: BSD-3-Clause
 * The state of this process's run, which everybody reads; lifecycle/ sets it. */
#ifndef CS_RUN_STATE_H
#define CS_RUN_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"
#include "trace/trace.h"

/* The run of this process. `control` and `trace` are set in MPI_Init and gone after MPI_Finalize. */
struct cs_run {
    bool started;  /* MPI_Init has returned, MPI_Finalize was not called */
    bool is_slice; /* the program has marks; otherwise all is content */
    bool with_times;
    int rank, nranks;
    MPI_Comm control;              /* for our own collective calls: the program's must never meet them */
    int64_t t0;                    /* of MPI_Init, on the clock of cs_now */
    struct cs_trace_writer *trace; /* NULL: nothing is recorded */
};
extern struct cs_run cs_run;

/* Nanoseconds of a monotonic clock. */
int64_t cs_now(void);

#endif
