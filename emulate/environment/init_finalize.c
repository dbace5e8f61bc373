/* SPDX-License-Identifier: BSD-3-Clause
 * Beginning and end of MPI in a rank. MPI_Finalize waits for nobody: ranks need not be alive together. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "commlib/process/say.h"
#include "emulate/errors/error.h"
#include "emulate/messages/flow.h"
#include "emulate/objects/attr.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/world.h"

static bool initialized, finalized;
static int thread_level = MPI_THREAD_SINGLE;

static void start(void)
{
    cs_emu_comm_start();
    initialized = true;
    atomic_store(&cs_emu_me->life, CS_EMU_INSIDE);
}

/* Fortran programs call through MPICH's Fortran library, which sets up its own constants. */
CS_EMU_CALL(int, Init, (int *argc, char ***argv))
{
    (void)argc;
    (void)argv;
    if (initialized)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Init");
    start();
    return MPI_SUCCESS;
}

/* As with MPICH, everybody gets what he asks for. Threads that are inside MPI at the same time are noticed by the
 * recorder, which ends the run. */
CS_EMU_CALL(int, Init_thread, (int *argc, char ***argv, int required, int *provided))
{
    (void)argc;
    (void)argv;
    if (initialized)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Init_thread");
    thread_level = required >= MPI_THREAD_SINGLE && required <= MPI_THREAD_MULTIPLE ? required : MPI_THREAD_SINGLE;
    if (provided)
        *provided = thread_level;
    start();
    return MPI_SUCCESS;
}

static int give(int *out, int value, const char *call)
{
    if (!out)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    *out = value;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Initialized, (int *flag))
{
    return give(flag, initialized, "MPI_Initialized");
}

CS_EMU_CALL(int, Finalized, (int *flag))
{
    return give(flag, finalized, "MPI_Finalized");
}

CS_EMU_CALL(int, Query_thread, (int *provided))
{
    return give(provided, thread_level, "MPI_Query_thread");
}

CS_EMU_CALL(int, Is_thread_main, (int *flag))
{
    return give(flag, gettid() == getpid(), "MPI_Is_thread_main");
}

/* Who has answers to give (synchronous sends that arrive later) has given them: a message that nobody receives has
 * none. */
CS_EMU_CALL(int, Finalize, (void))
{
    if (!initialized || finalized)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Finalize");
    struct cs_emu_comm *self = cs_emu_comm_of(MPI_COMM_SELF), *world = cs_emu_comm_of(MPI_COMM_WORLD);
    cs_emu_attrs_delete(MPI_COMM_SELF, &self->attrs);
    cs_emu_attrs_delete(MPI_COMM_WORLD, &world->attrs); /* which MPI does not ask for, but MPICH does */
    cs_emu_tape_end();
    finalized = true;
    atomic_store(&cs_emu_me->life, CS_EMU_FINALIZED);
    cs_emu_flow_end();
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Abort, (MPI_Comm comm, int code))
{
    const char *name = comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : comm == MPI_COMM_SELF ? "MPI_COMM_SELF" : "comm";
    char place[256];
    cs_say("error: rank %d called MPI_Abort(%s, %d)%s", cs_emu_rank(), name, code,
           cs_emu_call_site_text(cs_emu_me->call_site, place, sizeof place));
    cs_emu_abort(code);
}
