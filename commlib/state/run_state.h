/* SPDX-License-Identifier: BSD-3-Clause
 * The run: settings from the environment, the trace writer, the lock of the recorder, begin and end.
 * Everything that happens once per process is in run_state.c. */
#ifndef CS_RUN_STATE_H
#define CS_RUN_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"
#include "trace/trace.h"

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

/* The recorder's lock: around the tables of requests, communicators, datatypes and the trace writer, never around MPI.
 * It is held for nanoseconds, but for the moment when a block is written. A signal that comes while it is held is
 * served when it is released. */
void cs_lock(void);
void cs_unlock(void);

/* Looks up what every wrapper needs; before the first call. */
void cs_run_prepare(void);

/* In the process that will fork the ranks: what they would all have to do. And when they have ended: 0, or the exit
 * status that an error asks for which shows only then. */
void cs_run_warm_up(int nranks);
int cs_run_over(bool hangs);

/* The calls that begin and end a run. */
int cs_run_init(struct cs_call *c, const void *caller);
int cs_run_finalize(struct cs_call *c);
int cs_run_abort(struct cs_call *c);

/* The trace cannot be written: remembers why, stops recording. To be called with the lock held. */
void cs_run_lose_trace(int err);

/* The run ends here and now: writes what is recorded so far, as signal handlers and the watch may. */
void cs_run_cut(void);

#endif
