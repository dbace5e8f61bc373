/* SPDX-License-Identifier: BSD-3-Clause
 * Opens, flushes and closes the trace of this rank. A trace that cannot be written is lost: an error message says so
 * once, and the run goes on without recording. */
#ifndef CS_TRACE_FILE_H
#define CS_TRACE_FILE_H

#include <stdbool.h>

/* Reads the path of the trace from the environment. Call it before all others. */
void cs_trace_file_settings(void);
/* Does the environment name a trace to write? */
bool cs_trace_file_wanted(void);

/* The parent of forked ranks calls this once, before it forks `nranks` of them: it does once what each rank would have
 * to do. Says nothing on failure: each rank then opens the trace by itself. */
void cs_trace_file_share(int nranks);
/* The parent calls these when all ranks have ended. The first adds to the trace what killed ranks had recorded and not
 * written. The second marks the trace as incomplete, as the run has failed. Both do nothing if no trace is shared, and
 * print a message on failure. */
void cs_trace_file_save_shared(void);
void cs_trace_file_fail_shared(void);
/* Last of all: ranks that did the same become one block class. */
void cs_trace_file_join_shared(void);

/* Called in MPI_Init: begins the trace of this rank and sets cs_run.trace. That stays NULL if no trace is wanted or it
 * cannot be written. */
void cs_trace_file_open(void);

/* To be called when the trace cannot be written: remembers why and stops recording, without a message. `err` is the
 * errno; 0 counts as EIO. With the lock held. */
void cs_trace_file_lose(int err);

/* Called when a run is being ended, also in signal handlers and by the hang detector: writes what is recorded so far,
 * stops recording, and says if the trace is lost. */
void cs_trace_file_cut(void);

/* Called in MPI_Finalize, collective over cs_run.control: writes what is recorded, and says if a rank has lost its
 * trace. */
void cs_trace_file_flush(void);
/* Stores in the trace how often assumptions were violated, and which calls are not recorded, summed over all ranks.
 * Collective over cs_run.control. */
void cs_trace_file_store_sums(void);
/* Notes in the trace of rank 0 that the run makes calls which are not recorded; the note stays there if the run does
 * not come to its end. `call` is the name of the first such call. With the lock held. */
void cs_trace_file_warn_unrecorded(const char *call);
/* Ends the trace and sets cs_run.trace to NULL; `complete` is false for a run that is cut off. Says so if the end
 * cannot be written. Does nothing without a trace. */
void cs_trace_file_close(bool complete);

#endif
