/* SPDX-License-Identifier: BSD-3-Clause
 * Turns a call into an event of the trace: the values of its recorded arguments, in the order of the table.
 * Knows roles, not calls; knows nothing of engines. */
#ifndef CS_RECORDER_H
#define CS_RECORDER_H

#include "commlib/state/call.h"

/* The fields of one event in the making. */
struct cs_fields {
    int n, cap;
    int newcomm_at; /* place of the communicator that the call is going to make, or -1 */
    int64_t *v;
    int64_t few[40]; /* enough for nearly all events */
};

/* Works out, once, which arguments of each call are recorded. 0, or -1 when memory is out. */
int cs_record_start(void);

/* Before the call, because it changes requests and handles. With the lock held. */
void cs_record_fields(struct cs_fields *f, const struct cs_call *c);

/* After the call: appends the event. Loses the trace if it cannot be written. With the lock held. */
void cs_record_event(struct cs_fields *f, const struct cs_call *c, int64_t t_enter, int64_t t_exit, int64_t t_delay);

void cs_fields_free(struct cs_fields *f);

#endif
