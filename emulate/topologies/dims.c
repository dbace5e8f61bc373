/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Dims_create: what base/grid_sides.h makes of the processes, for the dimensions that the program leaves open. */
#include <stddef.h>

#include "base/grid_sides.h"
#include "emulate/errors/error.h"
#include "emulate/world/entry.h"

/* Checks the arguments; returns an error class. *given is the product of the dimensions that are not 0, *open the
 * number of the others. */
static int check(int nnodes, int ndims, const int *dims, int *given, int *open)
{
    *given = 1;
    *open = 0;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return MPI_ERR_DIMS;
        if (dims[i] == 0)
            ++*open;
        else
            *given *= dims[i];
    }
    return *given != 0 && nnodes % *given == 0 && *open <= CS_DIMS_MOST ? MPI_SUCCESS : MPI_ERR_DIMS;
}

CS_EMU_CALL(int, Dims_create, (int nnodes, int ndims, int dims[]))
{
    int given, open, made[CS_DIMS_MOST], class;

    if (nnodes <= 0 || ndims < 0 || (ndims > 0 && !dims))
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Dims_create");
    class = check(nnodes, ndims, dims, &given, &open);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Dims_create");
    if (open == 0)
        return MPI_SUCCESS;
    cs_dims(nnodes / given, open, made);
    for (int i = 0, k = 0; i < ndims; i++)
        if (dims[i] == 0)
            dims[i] = made[k++];
    return MPI_SUCCESS;
}
