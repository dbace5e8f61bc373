/* SPDX-License-Identifier: BSD-3-Clause
 * Shows events: as a line of text or as a JSON object, arguments named as the MPI table names them.
 * All meaning comes from the table's roles and the trace's definitions. */
#ifndef CS_EVENTS_H
#define CS_EVENTS_H

#include <stdio.h>

#include "trace/format/fields.h"
#include "cli/frame/json.h"
#include "reading/locations.h"

/* Whose trace an event is from. */
struct cs_view {
    const struct cs_trace *t;
    struct cs_locations *places; /* may be NULL: sites are shown as they are */
    int rank;
};

/* "MPI_Send count=100 type=d1 dest=3 tag=7 comm=world at foo.c:12", without a newline. */
void cs_event_print(FILE *out, const struct cs_view *v, const struct cs_event *e);
/* Appends the members of the event to an open JSON object. */
void cs_event_json(struct cs_json *j, const struct cs_view *v, const struct cs_event *e);
/* How an argument of a call is called in both: its role, or its own name if that is clearer. */
const char *cs_arg_label(const struct cs_mpi_call *call, int arg);

#endif
