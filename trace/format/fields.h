/* SPDX-License-Identifier: BSD-3-Clause
 * Which fields of an event an argument of an MPI call becomes: the rule that the recorder follows when it
 * flattens a call and that every reader of events follows when it prints or compares them. */
#ifndef CS_FIELDS_H
#define CS_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/mpi_calls.h"
#include "trace/trace.h"

/* Fixed values that mean the same in every trace. */
#define CS_ANY (-1) /* ANY_SOURCE, ANY_TAG */
#define CS_PROC_NULL (-2)
#define CS_ROOT (-3)                     /* MPI_ROOT of an intercommunicator */
#define CS_NO_HANDLE (-1)                /* COMM_NULL, or a datatype or op that has no meaning here */
#define CS_UNUSED INT64_MIN              /* a scalar that the standard says is not significant at this rank */
#define CS_FIELD_FOREIGN (INT64_MIN + 1) /* a request or message that a call made which is not recorded */

/* How the values of an argument are stored. */
enum cs_field_shape {
    CS_FIELD_NONE,   /* not recorded */
    CS_FIELD_SCALAR, /* one field */
    CS_FIELD_ARRAY,  /* length, then that many fields */
    CS_FIELD_LENGTH  /* only the length: which elements matter depends on timing */
};

/* What argument number `arg` of the call becomes. */
enum cs_field_shape cs_field_shape(const struct cs_mpi_call *call, int arg);

/* The recorded fields of one argument. */
struct cs_field {
    const struct cs_mpi_arg *arg;
    enum cs_field_shape shape;
    const int64_t *values; /* elements of an array; the value or length itself otherwise */
    int64_t n;             /* elements of an array; 1 otherwise */
};

/* Walks an event's fields argument by argument; start with *arg = 0 and *at = 0.
 * 1: *f is the next recorded argument; 0: no more; -1: the fields do not fit the call's row. */
int cs_field_next(const struct cs_event *e, int *arg, int *at, struct cs_field *f);

#endif
