/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Pack, MPI_Unpack and addresses.
 * Packed data has no header: a packed int is an int, as with MPICH. */
#include <limits.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/objects/comm.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"

static int check(struct cs_emu_comm *c, MPI_Count count, MPI_Datatype t)
{
    if (!c)
        return MPI_ERR_COMM;
    return cs_emu_check_elements(count, t);
}

static int pack(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
                MPI_Count *position, MPI_Comm comm, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int class = check(c, incount, datatype);
    int64_t bytes = 0;

    if (class == MPI_SUCCESS && (!position || *position < 0 || outsize < 0 || (incount > 0 && !outbuf)))
        class = MPI_ERR_ARG;
    if (class == MPI_SUCCESS) {
        bytes = incount * cs_emu_type_size(datatype);
        if (bytes > outsize - *position)
            class = MPI_ERR_ARG;
    }
    if (class != MPI_SUCCESS)
        return cs_emu_comm_error(c, class, call);
    cs_emu_pack((char *)outbuf + *position, inbuf, incount, datatype);
    *position += bytes;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Pack,
            (const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
             MPI_Comm comm))
{
    MPI_Count at = position ? *position : 0;
    int rc = pack(inbuf, incount, datatype, outbuf, outsize, position ? &at : NULL, comm, "MPI_Pack");

    if (rc == MPI_SUCCESS)
        *position = (int)at;
    return rc;
}

CS_EMU_CALL(int, Pack_c,
            (const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
             MPI_Count *position, MPI_Comm comm))
{
    return pack(inbuf, incount, datatype, outbuf, outsize, position, comm, "MPI_Pack_c");
}

static int unpack(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                  MPI_Datatype datatype, MPI_Comm comm, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int class = check(c, outcount, datatype);
    int64_t bytes = 0;

    if (class == MPI_SUCCESS && (!position || *position < 0 || insize < 0 || (insize > 0 && !inbuf)))
        class = MPI_ERR_ARG;
    if (class == MPI_SUCCESS) {
        bytes = outcount * cs_emu_type_size(datatype);
        if (bytes > insize - *position)
            class = MPI_ERR_ARG;
    }
    if (class != MPI_SUCCESS)
        return cs_emu_comm_error(c, class, call);
    cs_emu_unpack(outbuf, outcount, datatype, (const char *)inbuf + *position, bytes);
    *position += bytes;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Unpack,
            (const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
             MPI_Comm comm))
{
    MPI_Count at = position ? *position : 0;
    int rc = unpack(inbuf, insize, position ? &at : NULL, outbuf, outcount, datatype, comm, "MPI_Unpack");

    if (rc == MPI_SUCCESS)
        *position = (int)at;
    return rc;
}

CS_EMU_CALL(int, Unpack_c,
            (const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
             MPI_Datatype datatype, MPI_Comm comm))
{
    return unpack(inbuf, insize, position, outbuf, outcount, datatype, comm, "MPI_Unpack_c");
}

static int pack_size(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int class = check(c, incount, datatype);

    if (class == MPI_SUCCESS && !size)
        class = MPI_ERR_ARG;
    if (class != MPI_SUCCESS)
        return cs_emu_comm_error(c, class, call);
    *size = incount * cs_emu_type_size(datatype);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Pack_size, (int incount, MPI_Datatype datatype, MPI_Comm comm, int *size))
{
    MPI_Count bytes = 0;
    int rc = pack_size(incount, datatype, comm, size ? &bytes : NULL, "MPI_Pack_size");

    if (rc == MPI_SUCCESS)
        *size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
    return rc;
}

CS_EMU_CALL(int, Pack_size_c, (MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size))
{
    return pack_size(incount, datatype, comm, size, "MPI_Pack_size_c");
}

CS_EMU_CALL(int, Get_address, (const void *location, MPI_Aint *address))
{
    if (!address)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Get_address");
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Address, (void *location, MPI_Aint *address))
{
    if (!address)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Address");
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

CS_EMU_CALL(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint displacement))
{
    return base + displacement;
}

CS_EMU_CALL(MPI_Aint, Aint_diff, (MPI_Aint address1, MPI_Aint address2))
{
    return address1 - address2;
}
