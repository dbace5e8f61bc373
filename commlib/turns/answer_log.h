/* SPDX-License-Identifier: BSD-3-Clause
 * Test only: what the recorder answers a slice that asks for turns, written down. It is all that a slice gets from the
 * recorder: two slices of which each question had the same answer have run in the same way.
 *
 * The file PATH.RANK, PATH from COMMSLICE_TURNS_LOG:
 *
 *     commslice turns     what does not begin so is no such log, and is left as it is
 *     QUESTION TURNS      each time that turns were recorded at once: the how manieth question it was
 *     end                 of MPI_Finalize: without it the log is not all */
#ifndef CS_ANSWER_LOG_H
#define CS_ANSWER_LOG_H

#include <stdint.h>

/* Begins this rank's log if one is asked for. If it cannot be had, here or later, one error is said, and no more is
 * written. No file stays open in between, as programs close what they have not opened. */
void cs_answer_log_begin(void);
void cs_answer_log_add(int64_t question, long turns);
void cs_answer_log_end(void);

#endif
