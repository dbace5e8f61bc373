/* SPDX-License-Identifier: BSD-3-Clause
 * The trace of this rank: where it is written, and how it ends when the run does. A trace that cannot be written is
 * lost, which is said once; the run goes on. */
#ifndef CS_TRACE_FILE_H
#define CS_TRACE_FILE_H

#include <stdbool.h>

/* Reads the path from the environment. */
void cs_trace_file_settings(void);
/* Is there a trace to write? */
bool cs_trace_file_wanted(void);

/* In the process that will fork the ranks: what they would all have to do. */
void cs_trace_file_share(int nranks);
/* There, when all ranks have ended: keeps what ranks had recorded that were ended; `failed`: marks the trace so. */
void cs_trace_file_save_shared(void);
void cs_trace_file_fail_shared(void);

/* In MPI_Init: begins the trace of this rank, cs_run.trace. */
void cs_trace_file_open(void);

/* The trace cannot be written: remembers why, stops recording. With the lock held. */
void cs_trace_file_lose(int err);

/* The run ends here and now: writes what is recorded so far, as signal handlers and the hang detector may. */
void cs_trace_file_cut(void);

/* In MPI_Finalize, collective over cs_run.control: writes what is recorded, and says if a rank has lost its trace. */
void cs_trace_file_flush(void);
/* Collective over cs_run.control: how often assumptions were wrong, of all ranks together, into the trace. */
void cs_trace_file_store_violations(void);
void cs_trace_file_close(bool complete);

#endif
