/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of lifecycle/ use of each other. */
#ifndef CS_LIFECYCLE_INTERNAL_H
#define CS_LIFECYCLE_INTERNAL_H

#include "commlib/lifecycle/lifecycle.h"

/* In the process that will fork the ranks: what they would all have to do. */
void cs_lifecycle_warm_up(int nranks);
/* There, when they have ended: 0, or the exit status that an error asks for which shows only then. */
int cs_lifecycle_over(bool hangs);

/* Records Init or Finalize, which have no arguments that are recorded. */
void cs_lifecycle_record(struct cs_call *c, int64_t t_enter, int64_t delay);

/* What has been recorded is written when the process exits: once, and before ranks are forked, as the C library's list
 * of such functions then is not written in each of them. */
void cs_end_register_at_exit(void);

/* Has a slice call the recorder where it comes to what an assumption leaves out. */
void cs_left_out_start(void);

/* Catches the signals that end a run, where the program itself does nothing about them. */
void cs_signals_catch(void);

#endif
