/* SPDX-License-Identifier: BSD-3-Clause
 * Operations: the program's own, and MPI's calls on operations. The predefined ones are in op_basic.c.
 * A Fortran callback gets the same arguments as one in C: all are addresses of integers or buffers. */
#include "emulate/collectives/op.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "emulate/collectives/op_internal.h"
#include "emulate/errors/error.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"
#include "emulate/world/handles.h"

/* What MPIX_Op_create_x takes, by which MPICH 5 makes the operations of Fortran programs; earlier ones have no names
 * for these types. */
typedef void function_x(void *in, void *inout, MPI_Count n, MPI_Datatype type, void *extra_state);
typedef void destructor(void *extra_state);
/* Calls an operation that is a C++ function, the last argument. */
typedef void call_cxx(const void *in, void *inout, int n, MPI_Datatype type, MPI_User_function *function);

/* An operation behind its handle. One of its functions is not NULL: which, depends on the call that made it. */
struct user_op {
    MPI_User_function *function;
    call_cxx *cxx;                   /* NULL: the function is called as it is */
    MPI_User_function_c *function_c; /* of MPI_Op_create_c */
    function_x *function_x;
    destructor *destroy; /* NULL: there is none */
    void *extra_state;
    bool commutes;
    int refs; /* the program's, and those of calls under way */
};

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_OP, 0);

bool cs_emu_op_predefined(MPI_Op op)
{
    return op >= MPI_MAX && op <= MPI_NO_OP;
}

int cs_emu_op_check(MPI_Op op, MPI_Datatype t)
{
    if (cs_emu_handle_get(&handles, op))
        return MPI_SUCCESS;
    return cs_emu_op_predefined(op) && cs_emu_op_takes(op, t) ? MPI_SUCCESS : MPI_ERR_OP;
}

bool cs_emu_op_commutes(MPI_Op op)
{
    struct user_op *u = cs_emu_handle_get(&handles, op);

    return u ? u->commutes : op != MPI_REPLACE && op != MPI_NO_OP;
}

/* One call of a function that counts with int, or a predefined operation. */
static void apply(const struct user_op *u, MPI_Op op, const void *in, void *inout, int n, MPI_Datatype t)
{
    if (!u)
        cs_emu_op_apply(op, in, inout, n, t);
    else if (u->cxx)
        u->cxx(in, inout, n, t, u->function);
    else
        u->function((void *)in, inout, &n, &t);
}

int cs_emu_reduce(MPI_Op op, const void *in, void *inout, int64_t n, MPI_Datatype t)
{
    struct user_op *u = cs_emu_handle_get(&handles, op);
    int64_t extent = cs_emu_type_extent(t);

    if (!u && (!cs_emu_op_predefined(op) || !cs_emu_op_takes(op, t)))
        return MPI_ERR_OP;
    if (u && u->function_c)
        u->function_c((void *)in, inout, &(MPI_Count){n}, &t);
    else if (u && u->function_x)
        u->function_x((void *)in, inout, n, t, u->extra_state);
    else
        for (int64_t at = 0; at < n; at += INT_MAX)
            apply(u, op, (const char *)in + at * extent, (char *)inout + at * extent,
                  (int)(n - at < INT_MAX ? n - at : INT_MAX), t);
    return MPI_SUCCESS;
}

void cs_emu_op_hold(MPI_Op op)
{
    struct user_op *u = cs_emu_handle_get(&handles, op);

    if (u)
        u->refs++;
}

void cs_emu_op_release(MPI_Op op)
{
    struct user_op *u = cs_emu_handle_get(&handles, op);

    assert(!u || u->refs > 0);
    if (u && --u->refs == 0) {
        cs_emu_handle_drop(&handles, op);
        if (u->destroy)
            u->destroy(u->extra_state);
        free(u);
    }
}

/* Makes the operation, of which the program has the only reference; `call` is for errors. */
static int create(struct user_op like, MPI_Op *op, const char *call)
{
    struct user_op *u;

    if ((!like.function && !like.function_c && !like.function_x) || !op)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    u = malloc(sizeof *u);
    *op = u ? cs_emu_handle_new(&handles, u) : 0;
    if (*op == 0) {
        free(u);
        *op = MPI_OP_NULL;
        return cs_emu_error(NULL, MPI_ERR_OTHER, call);
    }
    *u = like;
    u->refs = 1;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Op_create, (MPI_User_function * function, int commute, MPI_Op *op))
{
    return create((struct user_op){.function = function, .commutes = commute != 0}, op, "MPI_Op_create");
}

/* For MPICH's C++ library. */
CS_EMU_VISIBLE void MPII_Op_set_cxx(MPI_Op op, void (*call)(void));
CS_EMU_VISIBLE void MPII_Op_set_cxx(MPI_Op op, void (*call)(void))
{
    struct user_op *u = cs_emu_handle_get(&handles, op);

    assert(u && u->function);
    u->cxx = (call_cxx *)call;
}

CS_EMU_CALL(int, Op_create_c, (MPI_User_function_c * function, int commute, MPI_Op *op))
{
    return create((struct user_op){.function_c = function, .commutes = commute != 0}, op, "MPI_Op_create_c");
}

CS_EMU_EXTENSION(int, Op_create_x,
                 (function_x * function, destructor *destroy, int commute, void *extra_state, MPI_Op *op))
{
    struct user_op u = {
        .function_x = function, .destroy = destroy, .extra_state = extra_state, .commutes = commute != 0};
    return create(u, op, "MPIX_Op_create_x");
}

CS_EMU_CALL(int, Op_free, (MPI_Op * op))
{
    struct user_op *u = op ? cs_emu_handle_get(&handles, *op) : NULL;

    if (!u)
        return cs_emu_error(NULL, op ? MPI_ERR_OP : MPI_ERR_ARG, "MPI_Op_free");
    cs_emu_op_release(*op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Op_commutative, (MPI_Op op, int *commute))
{
    if (!cs_emu_handle_get(&handles, op) && !cs_emu_op_predefined(op))
        return cs_emu_error(NULL, MPI_ERR_OP, "MPI_Op_commutative");
    if (!commute)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Op_commutative");
    *commute = cs_emu_op_commutes(op);
    return MPI_SUCCESS;
}

static int reduce_local(const void *inbuf, void *inoutbuf, int64_t count, MPI_Datatype datatype, MPI_Op op,
                        const char *call)
{
    int class = cs_emu_check_elements(count, datatype);

    if (class == MPI_SUCCESS && (inbuf == MPI_IN_PLACE || inoutbuf == MPI_IN_PLACE || (count > 0 && inbuf == inoutbuf)))
        class = MPI_ERR_BUFFER;
    if (class == MPI_SUCCESS)
        class = cs_emu_op_check(op, datatype);
    if (class == MPI_SUCCESS && count > 0)
        class = cs_emu_reduce(op, inbuf, inoutbuf, count, datatype);
    return class == MPI_SUCCESS ? class : cs_emu_error(NULL, class, call);
}

CS_EMU_CALL(int, Reduce_local, (const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op))
{
    return reduce_local(inbuf, inoutbuf, count, datatype, op, "MPI_Reduce_local");
}

CS_EMU_CALL(int, Reduce_local_c, (const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op))
{
    return reduce_local(inbuf, inoutbuf, count, datatype, op, "MPI_Reduce_local_c");
}
