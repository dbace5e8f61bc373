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

/* What a handler is for, in the numbers by which MPICH's C++ library tells them apart. */
enum made_for { FOR_COMM = 0, FOR_FILE = 1, FOR_WIN = 2 };

/* Calls a handler that is a C++ function: of which kind, the object's handle, the code, the function. */
typedef void call_cxx(int kind, int *handle, int *code, void (*function)(void));

/* A handler that the program has made. */
struct errhandler {
    int refs;
    enum made_for made_for;
    void (*function)(MPI_Comm *, int *, ...);
    call_cxx *cxx; /* NULL: the function is called as it is */
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

int cs_emu_errhandler_call_for(void *handle, MPI_Errhandler errhandler, int code, const char *call)
{
    struct errhandler *e = cs_emu_handle_get(&handles, errhandler);

    /* MPICH's C++ library calls the handler itself where a call returns an error. */
    if (e && e->cxx) {
        e->cxx((int)e->made_for, handle, &code, (void (*)(void))e->function);
        return MPI_SUCCESS;
    }
    if (e)
        e->function(handle, &code);
    else if (errhandler != MPI_ERRORS_RETURN && errhandler != MPIR_ERRORS_THROW_EXCEPTIONS) {
        cs_emu_note_caller(call, NULL);
        cs_emu_fail("%s: %s%s%s", call, cs_emu_error_text(code), *detail ? ": " : "", detail);
    }
    return code;
}

int cs_emu_errhandler_call(const struct cs_emu_error_home *home, int code, const char *call)
{
    if (home->errhandler == MPI_ERRHANDLER_NULL && home_of_world)
        home = home_of_world;
    MPI_Comm handle = home->handle;

    return cs_emu_errhandler_call_for(&handle, home->errhandler, code, call);
}

int cs_emu_error_for(void *handle, MPI_Errhandler errhandler, int class, const char *call)
{
    int code = cs_emu_error_code(class);

    assert(class != MPI_SUCCESS);
    code = cs_emu_errhandler_call_for(handle, errhandler, code, call);
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
    code = cs_emu_errhandler_call(home, code, call);
    *detail = '\0';
    return code;
}

/* ---- the calls ---- */

static int create(enum made_for made_for, MPI_Comm_errhandler_function *function, MPI_Errhandler *out, const char *call)
{
    struct errhandler *e;

    if (!function || !out)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    e = malloc(sizeof *e);
    if (!e)
        return cs_emu_error(NULL, MPI_ERR_OTHER, call);
    *e = (struct errhandler){.refs = 1, .made_for = made_for, .function = function};
    *out = cs_emu_handle_new(&handles, e);
    if (*out == 0) {
        free(e);
        return cs_emu_error(NULL, MPI_ERR_OTHER, call);
    }
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_create_errhandler, (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create(FOR_COMM, function, errhandler, "MPI_Comm_create_errhandler");
}

CS_EMU_CALL(int, Errhandler_create, (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create(FOR_COMM, function, errhandler, "MPI_Errhandler_create");
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
    return create(FOR_WIN, (MPI_Comm_errhandler_function *)function, errhandler, "MPI_Win_create_errhandler");
}

CS_EMU_CALL(int, File_create_errhandler, (MPI_File_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return create(FOR_FILE, (MPI_Comm_errhandler_function *)(void (*)(void))function, errhandler,
                  "MPI_File_create_errhandler");
}

/* ---- for MPICH's C++ library ---- */

CS_EMU_VISIBLE void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, void (*call)(void));
CS_EMU_VISIBLE void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, void (*call)(void))
{
    struct errhandler *e = cs_emu_handle_get(&handles, errhandler);

    assert(e);
    e->cxx = (call_cxx *)call;
}
