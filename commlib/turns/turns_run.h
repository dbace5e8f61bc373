/* SPDX-License-Identifier: BSD-3-Clause
 * Loops of a slice whose turns are all alike (api/repeated_turns.h): after the first turn the others are recorded at
 * once, if that turn did nothing that a further one would do otherwise. With and without it the trace, the channel
 * check and all that is said of a run are the same. */
#ifndef CS_TURNS_RUN_H
#define CS_TURNS_RUN_H

#include "commlib/state/call.h"

/* Has a slice call the recorder in such loops, unless the environment says COMMSLICE_NO_REPEAT=1, or the run is a
 * replay. To be called by the thread that will call MPI. */
void cs_turns_start(void);

/* Begins the log of answers (commlib/turns/answer_log.h) of a slice that calls the recorder so: of no other, and not
 * before the rank is known. */
void cs_turns_log_begin(void);
/* In MPI_Finalize. */
void cs_turns_log_end(void);

/* A call has been made, with the mark that it had in the end. */
void cs_turns_call(const struct cs_call *c);

#endif
