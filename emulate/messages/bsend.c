/* SPDX-License-Identifier: BSD-3-Clause
 * The buffer of buffered sends. Messages are kept in shared memory, so the program's buffer is never written to; but
 * what they would take of it is counted, as MPICH's MPIR_Bsend does: first fit, a header for each, rounded up to 16
 * bytes, until the message is matched. What MPICH sends eagerly leaves its buffer at once, and takes nothing here. */
#include <stddef.h>
#include <stdlib.h>

#include "emulate/errors/error.h"
#include "emulate/messages/bsend_internal.h"
#include "emulate/messages/message.h"
#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"

enum {
    HEADER = 88, /* what MPICH keeps in front of each message; it does not take a buffer that is smaller than
                    MPI_BSEND_OVERHEAD */
    EAGER = 8192 /* MPICH 4.0 with UCX on one machine: 8000 bytes leave at once, 16000 do not */
};

/* A message that has not been matched yet, and its part of the buffer. In the order of the parts. */
struct part {
    struct part *next;
    int64_t at, bytes;
    struct cs_emu_req sent; /* complete when the message is matched */
};

static void *attached;
static int64_t attached_bytes;
static struct part *parts;

static int64_t part_size(int64_t bytes)
{
    return HEADER + (bytes + 15) / 16 * 16;
}

/* The link to put a part before which there is room, and where that is; NULL if there is none. */
static struct part **find_room(int64_t bytes, int64_t *at)
{
    struct part **link = &parts;
    for (*at = 0;; link = &(*link)->next) {
        if ((*link ? (*link)->at : attached_bytes) - *at >= HEADER + bytes)
            return link;
        if (!*link)
            return NULL;
        *at = (*link)->at + (*link)->bytes;
    }
}

static void drop_matched(void)
{
    cs_emu_progress();
    for (struct part **link = &parts, *p; (p = *link);) {
        if (!p->sent.complete) {
            link = &p->next;
        } else {
            *link = p->next;
            free(p);
        }
    }
}

int cs_emu_bsend_check(int64_t count, MPI_Datatype t, int dest)
{
    int64_t at;
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    drop_matched();
    return attached && find_room(count * cs_emu_type_size(t), &at) ? MPI_SUCCESS : MPI_ERR_BUFFER;
}

struct cs_emu_req *cs_emu_bsend_keep(int64_t bytes, int dest, int tag, struct cs_emu_comm *c)
{
    int64_t at;
    struct part **link = bytes > EAGER ? find_room(bytes, &at) : NULL, *p = link ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return NULL;
    *p = (struct part){.next = *link,
                       .at = at,
                       .bytes = part_size(bytes),
                       .sent = {.kind = CS_EMU_REQ_SEND,
                                .comm = c,
                                .context = c->context,
                                .peer = dest,
                                .tag = tag,
                                .type = MPI_DATATYPE_NULL}};
    *link = p;
    return &p->sent;
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

/* Waits until what is in the buffer has gone. Without a buffer it gives none, as MPICH does. */
CS_EMU_CALL(int, Buffer_detach, (void *buf, int *bytes))
{
    if (!buf || !bytes)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Buffer_detach");
    for (drop_matched(); parts; drop_matched())
        cs_emu_req_wait(&parts->sent, "MPI_Buffer_detach");
    *(void **)buf = attached;
    *bytes = attached ? (int)attached_bytes : 0;
    attached = NULL;
    return MPI_SUCCESS;
}
