/* SPDX-License-Identifier: BSD-3-Clause
 * Calls about the library, the machine and the clock, and memory.
 * What they say is what MPICH 4.0.2 says on the same machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "emulate/errors/error.h"
#include "emulate/world/entry.h"

CS_EMU_CALL(double, Wtime, (void))
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

CS_EMU_CALL(double, Wtick, (void))
{
    return 1e-9;
}

CS_EMU_CALL(int, Get_processor_name, (char *name, int *length))
{
    if (!name || !length)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Get_processor_name");
    if (gethostname(name, MPI_MAX_PROCESSOR_NAME) != 0)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Get_processor_name");
    name[MPI_MAX_PROCESSOR_NAME - 1] = '\0';
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Get_version, (int *version, int *subversion))
{
    if (!version || !subversion)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Get_version");
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Get_library_version, (char *version, int *length))
{
    if (!version || !length)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Get_library_version");
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING,
                       "MPICH Version:\t%s\nMPICH Device:\tcommslice, emulated\n", MPICH_VERSION);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Pcontrol, (const int level, ...))
{
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr))
{
    void *p;

    if (size < 0 || !baseptr)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Alloc_mem");
    p = malloc(size > 0 ? (size_t)size : 1);
    if (!p)
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, "MPI_Alloc_mem");
    memcpy(baseptr, &p, sizeof p);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Free_mem, (void *base))
{
    free(base);
    return MPI_SUCCESS;
}
