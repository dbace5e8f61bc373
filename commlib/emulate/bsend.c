/* SPDX-License-Identifier: BSD-3-Clause
 * The buffer of buffered sends. Messages are kept in shared memory until they are received, so the program's buffer is never written to; it
 * only says how large a message may be. What earlier messages would take of it is not counted: as far as MPICH is concerned, they may have gone. */
#include <stddef.h>

#include "call.h"
#include "error.h"
#include "p2p.h"
#include "type.h"

/* What MPICH keeps in front of each message; it does not take a buffer that is smaller than MPI_BSEND_OVERHEAD. */
enum { HEADER = 88 };

static void *attached;
static int attached_bytes;

int cs_emu_check_space(int64_t count, MPI_Datatype t, int dest)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return attached && count * cs_emu_type_size(t) <= attached_bytes - HEADER ? MPI_SUCCESS : MPI_ERR_BUFFER;
}

CS_EMU_CALL(int, Buffer_attach, (void *buf, int bytes))
{
    int class = !buf || bytes < 0 ? MPI_ERR_ARG : attached || bytes < MPI_BSEND_OVERHEAD ? MPI_ERR_BUFFER : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Buffer_attach");
    attached = buf;
    attached_bytes = bytes;
    return MPI_SUCCESS;
}

/* Without a buffer it gives none, as MPICH does. */
CS_EMU_CALL(int, Buffer_detach, (void *buf, int *bytes))
{
    if (!buf || !bytes)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Buffer_detach");
    *(void **)buf = attached;
    *bytes = attached ? attached_bytes : 0;
    attached = NULL;
    return MPI_SUCCESS;
}
