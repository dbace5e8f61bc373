/* SPDX-License-Identifier: BSD-3-Clause
 * Error handlers, and what becomes of an error that a call finds.
 * A handler lives while a communicator or a handle of the program refers to it. */
#include <stdlib.h>

#include <mpi.h>

#include "emulate/world/entry.h"
#include "emulate/objects/comm.h"
#include "emulate/errors/error.h"
#include "emulate/world/handles.h"
#include "emulate/world/caller_lookup.h"
#include "emulate/world/world.h"

struct errhandler {
    int refs;
    void (*function)(MPI_Comm *, int *, ...);
};

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_ERRHANDLER, 0);

static bool predefined(MPI_Errhandler h)
{
    return h == MPI_ERRORS_ARE_FATAL || h == MPI_ERRORS_RETURN || h == MPI_ERRORS_ABORT ||
           h == MPIR_ERRORS_THROW_EXCEPTIONS;
}

bool cs_emu_errhandler_valid(MPI_Errhandler h)
{
    return predefined(h) || cs_emu_handle_get(&handles, h) != NULL;
}

void cs_emu_errhandler_hold(MPI_Errhandler h)
{
    struct errhandler *e = cs_emu_handle_get(&handles, h);

    if (e)
        e->refs++;
}

void cs_emu_errhandler_release(MPI_Errhandler h)
{
    struct errhandler *e = cs_emu_handle_get(&handles, h);

    if (e && --e->refs == 0) {
        cs_emu_handle_drop(&handles, h);
        free(e);
    }
}

/* Does what the handler of an object wants done about this code. */
static void handle(MPI_Errhandler h, int object, int code, const char *call)
{
    struct errhandler *e = cs_emu_handle_get(&handles, h);

    if (e)
        e->function(&object, &code);
    else if (h != MPI_ERRORS_RETURN && h != MPIR_ERRORS_THROW_EXCEPTIONS) {
        cs_emu_note_place(call, NULL);
        cs_emu_fail("%s: %s", call, cs_emu_error_text(code));
    }
}

int cs_emu_error(struct cs_emu_comm *c, int class, const char *call)
{
    int code = cs_emu_error_code(class);

    if (!c)
        c = cs_emu_comm_of(MPI_COMM_WORLD);
    handle(c ? c->errhandler : MPI_ERRORS_ARE_FATAL, c ? c->handle : MPI_COMM_WORLD, code, call);
    return code;
}

static int create(MPI_Comm_errhandler_function *function, MPI_Errhandler *out, const char *call)
{
    struct errhandler *e;

    if (!function || !out)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    e = malloc(sizeof *e);
    if (!e)
        return cs_emu_error(NULL, MPI_ERR_OTHER, call);
    *e = (struct errhandler){.refs = 1, .function = function};
    *out = cs_emu_handle_new(&handles, e);
    if (*out == 0) {
        free(e);
        return cs_emu_error(NULL, MPI_ERR_OTHER, call);
    }
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_create_errhandler, (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create(function, errhandler, "MPI_Comm_create_errhandler");
}

CS_EMU_CALL(int, Errhandler_create, (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create(function, errhandler, "MPI_Errhandler_create");
}

CS_EMU_CALL(int, Errhandler_free, (MPI_Errhandler * errhandler))
{
    if (!errhandler || !cs_emu_errhandler_valid(*errhandler))
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Errhandler_free");
    cs_emu_errhandler_release(*errhandler);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

static int set(MPI_Comm comm, MPI_Errhandler h, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c)
        return cs_emu_error(NULL, MPI_ERR_COMM, call);
    if (!cs_emu_errhandler_valid(h))
        return cs_emu_error(c, MPI_ERR_ARG, call);
    cs_emu_errhandler_hold(h);
    cs_emu_errhandler_release(c->errhandler);
    c->errhandler = h;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler))
{
    return set(comm, errhandler, "MPI_Comm_set_errhandler");
}

CS_EMU_CALL(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler))
{
    return set(comm, errhandler, "MPI_Errhandler_set");
}

static int get(MPI_Comm comm, MPI_Errhandler *out, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !out)
        return cs_emu_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, call);
    cs_emu_errhandler_hold(c->errhandler);
    *out = c->errhandler;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler))
{
    return get(comm, errhandler, "MPI_Comm_get_errhandler");
}

CS_EMU_CALL(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler))
{
    return get(comm, errhandler, "MPI_Errhandler_get");
}

CS_EMU_CALL(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c)
        return cs_emu_error(NULL, MPI_ERR_COMM, "MPI_Comm_call_errhandler");
    handle(c->errhandler, comm, errorcode, "MPI_Comm_call_errhandler");
    return MPI_SUCCESS;
}

/* Handlers for windows and files can be made and freed, whether or not there are windows and files to use them. */
CS_EMU_CALL(int, Win_create_errhandler, (MPI_Win_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create((MPI_Comm_errhandler_function *)function, errhandler, "MPI_Win_create_errhandler");
}

CS_EMU_CALL(int, File_create_errhandler, (MPI_File_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create((MPI_Comm_errhandler_function *)(void (*)(void))function, errhandler, "MPI_File_create_errhandler");
}
