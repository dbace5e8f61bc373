/* SPDX-License-Identifier: BSD-3-Clause
 * Error handlers, and what becomes of an error that a call finds. A handler lives while a communicator or a handle of
 * the program refers to it. The calls that set the handler of a communicator are in communicators/comm_errhandler.c. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include "emulate/errors/error.h"
#include "emulate/world/caller_lookup.h"
#include "emulate/world/entry.h"
#include "emulate/world/handles.h"
#include "emulate/world/world.h"

/* A handler that the program has made. */
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

/* ---- an error ---- */

static const struct cs_emu_error_home *home_of_world;
static char detail[256]; /* of the error that is about to be handed on; "": nothing more to say */

void cs_emu_error_detail(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(detail, sizeof detail, format, ap);
    va_end(ap);
}

void cs_emu_error_start(const struct cs_emu_error_home *world)
{
    assert(world && world->handle == MPI_COMM_WORLD);
    home_of_world = world;
}

void cs_emu_errhandler_call_for(void *handle, MPI_Errhandler errhandler, int code, const char *call)
{
    struct errhandler *e = cs_emu_handle_get(&handles, errhandler);

    if (e)
        e->function(handle, &code);
    else if (errhandler != MPI_ERRORS_RETURN && errhandler != MPIR_ERRORS_THROW_EXCEPTIONS) {
        cs_emu_note_caller(call, NULL);
        cs_emu_fail("%s: %s%s%s", call, cs_emu_error_text(code), *detail ? ": " : "", detail);
    }
}

void cs_emu_errhandler_call(const struct cs_emu_error_home *home, int code, const char *call)
{
    if (home->errhandler == MPI_ERRHANDLER_NULL && home_of_world)
        home = home_of_world;
    MPI_Comm handle = home->handle;

    cs_emu_errhandler_call_for(&handle, home->errhandler, code, call);
}

int cs_emu_error_for(void *handle, MPI_Errhandler errhandler, int class, const char *call)
{
    int code = cs_emu_error_code(class);

    assert(class != MPI_SUCCESS);
    cs_emu_errhandler_call_for(handle, errhandler, code, call);
    *detail = '\0';
    return code;
}

int cs_emu_error(const struct cs_emu_error_home *home, int class, const char *call)
{
    static const struct cs_emu_error_home before_init = {MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL};
    int code = cs_emu_error_code(class);

    assert(class != MPI_SUCCESS);
    if (!home)
        home = home_of_world ? home_of_world : &before_init;
    cs_emu_errhandler_call(home, code, call);
    *detail = '\0';
    return code;
}

/* ---- the calls ---- */

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

/* Those of windows and files have functions of the same form. */
CS_EMU_CALL(int, Win_create_errhandler, (MPI_Win_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create((MPI_Comm_errhandler_function *)function, errhandler, "MPI_Win_create_errhandler");
}

CS_EMU_CALL(int, File_create_errhandler, (MPI_File_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create((MPI_Comm_errhandler_function *)(void (*)(void))function, errhandler, "MPI_File_create_errhandler");
}
