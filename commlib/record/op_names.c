/* SPDX-License-Identifier: BSD-3-Clause
 * Names of reduction operations. A user's operation is numbered by its first use in a recorded call: operations that
 * are made but never used may be missing from a slice. */
#include <stdio.h>
#include <stdlib.h>

#include "commlib/state/run_state.h"
#include "base/small_hash.h"
#include "commlib/record/type_signatures.h"

/* The operation behind a handle, in the hash table `ops`: its index in the trace. */
struct op {
    MPI_Op handle;
    int in_trace;
    UT_hash_handle hh;
};
static struct op *ops, *last;
static int nuser;

/* The operations of MPI itself, and their names in a trace. */
static const struct {
    MPI_Op handle;
    const char *name;
} predefined[] = {
    {MPI_MAX, "MAX"},       {MPI_MIN, "MIN"},       {MPI_SUM, "SUM"},         {MPI_PROD, "PROD"},   {MPI_LAND, "LAND"},
    {MPI_BAND, "BAND"},     {MPI_LOR, "LOR"},       {MPI_BOR, "BOR"},         {MPI_LXOR, "LXOR"},   {MPI_BXOR, "BXOR"},
    {MPI_MINLOC, "MINLOC"}, {MPI_MAXLOC, "MAXLOC"}, {MPI_REPLACE, "REPLACE"}, {MPI_NO_OP, "NO_OP"},
};

static int define(MPI_Op handle)
{
    char name[32];
    if (handle == MPI_OP_NULL)
        return -1;
    for (size_t i = 0; i < sizeof predefined / sizeof predefined[0]; i++)
        if (predefined[i].handle == handle)
            return cs_trace_def_op(cs_run.trace, predefined[i].name);
    snprintf(name, sizeof name, "user%d", nuser++);
    return cs_trace_def_op(cs_run.trace, name);
}

int cs_op_in_trace(MPI_Op handle)
{
    struct op *o = last;
    if (o && o->handle == handle)
        return o->in_trace;
    HASH_FIND_INT(ops, &handle, o);
    if (!o) {
        if (!(o = calloc(1, sizeof *o)))
            return -1;
        o->handle = handle;
        o->in_trace = define(handle);
        HASH_ADD_INT(ops, handle, o);
    }
    last = o;
    return o->in_trace;
}

void cs_op_forget(MPI_Op handle)
{
    struct op *o;
    HASH_FIND_INT(ops, &handle, o);
    if (!o)
        return;
    if (last == o)
        last = NULL;
    HASH_DEL(ops, o);
    free(o);
}
