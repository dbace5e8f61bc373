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

int cs_emu_check_elements(int64_t count, MPI_Datatype t)
{
    if (count < 0)
        return MPI_ERR_COUNT;
    int class = cs_emu_check_type(t);
    return class == MPI_SUCCESS && !cs_emu_type_fits(t, count) ? MPI_ERR_COUNT : class;
}

static int check_address(const void *buf, int64_t count, MPI_Datatype t)
{
    int64_t lb, extent;

    if (buf || count == 0 || cs_emu_type_size(t) == 0)
        return MPI_SUCCESS;
    cs_emu_type_true(t, &lb, &extent);
    return lb == 0 ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

int cs_emu_check_buffer(const void *buf, int64_t count, MPI_Datatype t)
{
    int class = cs_emu_check_elements(count, t);
    return class == MPI_SUCCESS ? check_address(buf, count, t) : class;
}

int cs_emu_check_room(const void *buf, int64_t count, MPI_Datatype t)
{
    int class = count < 0 ? MPI_ERR_COUNT : cs_emu_check_type(t);
    return class == MPI_SUCCESS ? check_address(buf, count, t) : class;
}
