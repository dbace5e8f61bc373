/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls that set, get and call the error handler of a communicator. */
#include <mpi.h>
#include <stddef.h>

#include "emulate/errors/error.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"

static int set(MPI_Comm comm, MPI_Errhandler h, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c)
        return cs_emu_error(NULL, MPI_ERR_COMM, call);
    if (!cs_emu_errhandler_valid(h))
        return cs_emu_comm_error(c, MPI_ERR_ARG, call);
    cs_emu_errhandler_hold(h);
    cs_emu_errhandler_release(c->home.errhandler);
    c->home.errhandler = h;
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
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, call);
    cs_emu_errhandler_hold(c->home.errhandler);
    *out = c->home.errhandler == MPI_ERRHANDLER_NULL ? MPI_ERRORS_ARE_FATAL : c->home.errhandler;
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
    struct cs_emu_error_home home = c->home;
    if (home.errhandler == MPI_ERRHANDLER_NULL) /* as MPICH: here MPI_COMM_WORLD's does not stand in */
        home.errhandler = MPI_ERRORS_ARE_FATAL;
    cs_emu_errhandler_call(&home, errorcode, "MPI_Comm_call_errhandler");
    return MPI_SUCCESS;
}
