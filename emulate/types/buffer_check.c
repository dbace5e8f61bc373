/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of arguments, as MPICH makes them.
 * The order in which a call makes them decides which class an argument list with two mistakes gives. */
#include "emulate/types/buffer_check.h"

#include <stddef.h>

#include "emulate/types/type.h"

int cs_emu_check_type(MPI_Datatype t)
{
    return cs_emu_type_size(t) < 0 || !cs_emu_type_committed(t) ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int cs_emu_check_buffer(const void *buf, int64_t count, MPI_Datatype t)
{
    int64_t lb, extent;

    if (count < 0)
        return MPI_ERR_COUNT;
    if (cs_emu_check_type(t) != MPI_SUCCESS)
        return MPI_ERR_TYPE;
    if (buf || count == 0 || cs_emu_type_size(t) == 0)
        return MPI_SUCCESS;
    cs_emu_type_true(t, &lb, &extent);
    return lb == 0 ? MPI_ERR_BUFFER : MPI_SUCCESS;
}
