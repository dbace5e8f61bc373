/* SPDX-License-Identifier: BSD-3-Clause
 * Turns a call into an event of the trace: the values of its recorded arguments, in the order of the table of MPI
 * calls. What is done with an argument depends on its role in that table, never on the name of the call. */
#ifndef CS_RECORDER_H
#define CS_RECORDER_H

#include "commlib/state/call.h"

/* The fields of one event: a number for a scalar argument, a length and the elements for an array. They are in `few`,
 * so that most events need no memory; base/grow.h, whose arrays are malloced from the start, does not fit. */
struct cs_fields {
    int n, cap;
    int newcomm_at;  /* index in v of the communicator that the call will make, to be filled in after it; -1: none */
    int64_t *v;      /* `few`, or malloced */
    int64_t few[40]; /* enough for nearly all events */
};

/* Works out, once, which arguments of each call are recorded. 0, or -1 when memory is out. */
int cs_record_start(void);

/* Sets *f from the arguments of c; to be freed with cs_fields_free. To be called before the MPI call is made, which
 * changes requests and handles. With the lock held. */
void cs_record_fields(struct cs_fields *f, const struct cs_call *c);

/* Appends the event to the trace, after the call. If that fails the trace is lost (cs_trace_file_lose). Times are those
 * of struct cs_event. With the lock held. */
void cs_record_event(struct cs_fields *f, const struct cs_call *c, int64_t t_enter, int64_t t_exit, int64_t t_delay);

void cs_fields_free(struct cs_fields *f);

/* How many events there were so far. */
int64_t cs_record_events(void);
/* The last n events happen `times` more times. False if they cannot: nothing has changed, unless the trace is lost, as
 * if an event could not be written. With the lock held. */
bool cs_record_again(int64_t n, int64_t times);

#endif
