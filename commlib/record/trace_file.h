/* SPDX-License-Identifier: BSD-3-Clause
 * Opens, flushes and closes the trace of this rank. A trace that cannot be written is lost: an error message says so
 * once, and the run goes on without recording. */
#ifndef CS_TRACE_FILE_H
#define CS_TRACE_FILE_H

#include <stdbool.h>

/* Reads the path from the environment. */
void cs_trace_file_settings(void);
/* Is there a trace to write? */
bool cs_trace_file_wanted(void);

/* For forked ranks, in their parent. Before the forks: does once what every rank would have to do. */
void cs_trace_file_share(int nranks);
/* When all ranks have ended: the first adds what killed ranks had recorded to the trace; the second marks the trace of
 * a run that failed as incomplete. */
void cs_trace_file_save_shared(void);
void cs_trace_file_fail_shared(void);

/* In MPI_Init: begins the trace of this rank, cs_run.trace. */
void cs_trace_file_open(void);

/* The trace cannot be written: remembers why, stops recording. With the lock held. */
void cs_trace_file_lose(int err);

/* Writes what is recorded so far and stops recording, in a run that is being ended. For signal handlers and the hang
 * detector. */
void cs_trace_file_cut(void);

/* In MPI_Finalize, collective over cs_run.control: writes what is recorded, and says if a rank has lost its trace. */
void cs_trace_file_flush(void);
/* Stores in the trace how often assumptions were violated, and which calls are not recorded, summed over all ranks.
 * Collective over cs_run.control. */
void cs_trace_file_store_sums(void);
/* Says in the trace of rank 0 that there are calls which are not recorded, in case the run does not come to its end.
 * `call` is the name of the first. With the lock held. */
void cs_trace_file_warn_unrecorded(const char *call);
/* Ends the trace; `complete` is false for a run that is cut off. */
void cs_trace_file_close(bool complete);

#endif
