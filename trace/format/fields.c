/* SPDX-License-Identifier: BSD-3-Clause
 * The rule of fields.h, derived from the roles of the MPI table.
 * No call is named here: a new row of the table needs no change. */
#include "trace/format/fields.h"

#include <assert.h>

static enum cs_field_shape requests_shape(const struct cs_mpi_call *call)
{
    return call->kind == CS_MPI_WAIT_SOME || call->kind == CS_MPI_TEST ? CS_FIELD_LENGTH : CS_FIELD_ARRAY;
}

enum cs_field_shape cs_field_shape(const struct cs_mpi_call *call, int arg)
{
    enum cs_role role = call->args[arg].role;
    switch (role) {
    case CS_ROLE_REQ_OUT: /* numbered in order of creation, so it needs no field */ return CS_FIELD_NONE;
    case CS_ROLE_COUNTS:
    case CS_ROLE_TYPES:
    case CS_ROLE_VALS: return CS_FIELD_ARRAY;
    case CS_ROLE_REQS: return requests_shape(call);
    default: return cs_role_is_recorded(role) ? CS_FIELD_SCALAR : CS_FIELD_NONE;
    }
}

int cs_field_next(const struct cs_event *e, int *arg, int *at, struct cs_field *f)
{
    const struct cs_mpi_call *call = cs_mpi_call(e->call);
    assert(*arg >= 0 && *arg <= call->nargs && *at >= 0 && *at <= e->nfields);
    while (*arg < call->nargs && cs_field_shape(call, *arg) == CS_FIELD_NONE)
        ++*arg;
    if (*arg == call->nargs)
        return *at == e->nfields ? 0 : -1;
    if (*at >= e->nfields)
        return -1;
    f->arg = &call->args[*arg];
    f->shape = cs_field_shape(call, (*arg)++);
    f->values = &e->fields[(*at)++];
    f->n = 1;
    if (f->shape != CS_FIELD_ARRAY)
        return 1;
    f->n = *f->values++;
    if (f->n < 0 || f->n > e->nfields - *at)
        return -1;
    *at += (int)f->n;
    return 1;
}
