/* SPDX-License-Identifier: BSD-3-Clause
 * One MPI call under way: what a wrapper hands to all others. */
#ifndef CS_CALL_H
#define CS_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "api/mpi_calls.h"

/* An argument as the table sees it: numbers and handles in i, whatever is a pointer in p. */
union cs_arg {
    int64_t i;
    void *p;
};

/* One outermost call, from its wrapper to its event; lives on the stack of the wrapper. */
struct cs_call {
    const struct cs_mpi_call *info;
    const struct cs_shape *shape;
    union cs_arg *a;
    int index;           /* of the call in the table */
    int mark;            /* CS_MARK_* of api/marks.h */
    int site;            /* of call_sites.h, -1 if unknown */
    bool poison;         /* test only: what it would receive is poison */
    bool polled_in_vain; /* set by transmit/: Test* or Iprobe that found nothing */
};

/* Where the arguments of a call are, by role: at[role] is the first argument with that role, or -1. */
struct cs_shape {
    int8_t at[CS_ROLE_COUNT_];
    int8_t last_tag; /* recvtag of Sendrecv; elsewhere the same as at[CS_ROLE_TAG] */
};

/* Above 0 while the thread is inside a wrapper: what the MPI library then calls is no event. */
extern __thread int cs_call_depth;

extern struct cs_shape cs_shapes[];

/* Fills cs_shapes; once, before the first call. */
void cs_shapes_make(void);

/* Arguments by role; only for calls that have the role. */
static inline MPI_Comm cs_call_comm(const struct cs_call *c)
{
    return (MPI_Comm)c->a[c->shape->at[CS_ROLE_COMM]].i;
}

static inline int cs_call_int(const struct cs_call *c, enum cs_role r)
{
    return (int)c->a[c->shape->at[r]].i;
}

static inline void *cs_call_ptr(const struct cs_call *c, enum cs_role r)
{
    return c->a[c->shape->at[r]].p;
}

/* Element i of the array in argument number `arg`, of which it has more than i. */
int64_t cs_call_element(const struct cs_call *c, int arg, int i);

static inline bool cs_call_has(const struct cs_call *c, enum cs_role r)
{
    return c->shape->at[r] >= 0;
}

#endif
