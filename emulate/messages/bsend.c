/* SPDX-License-Identifier: BSD-3-Clause
 * Buffered sends. Messages are in shared memory, so the attached buffer is never written to; only its free room is
 * counted, for the errors that MPICH gives. As there, a message takes the first gap that fits, with a header and
 * rounded up to 16 bytes, until it is matched. A short one, which MPICH sends eagerly, takes nothing. */
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#include "emulate/errors/error.h"
#include "emulate/messages/bsend_internal.h"
#include "emulate/messages/message.h"
#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"

/* What MPICH's buffered sends take, in bytes. */
enum {
    HEADER = 88, /* bytes that MPICH keeps in front of each message */
    EAGER = 8192 /* MPICH 4.0 with UCX on one machine: 8000 bytes leave at once, 16000 do not */
};

/* The part of the buffer of a message that is not matched yet; a list, in ascending order of `at`. */
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

/* Finds the first gap for a message of this length: *at is where it begins, the result is the link of `parts` at which
 * the new part belongs. NULL if there is no such gap. */
static struct part **find_room(int64_t bytes, int64_t *at)
{
    struct part **link = &parts;
    for (*at = 0;; link = &(*link)->next) {
        if ((*link ? (*link)->at : attached_bytes) - *at - HEADER >= bytes)
            return link;
        if (!*link)
            return NULL;
        assert((*link)->bytes >= HEADER && (!(*link)->next || (*link)->next->at > (*link)->at));
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
    assert(attached && bytes >= 0 && dest != MPI_PROC_NULL);
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

static int attach(void *buf, MPI_Count bytes, const char *call)
{
    int class = !buf || bytes < 0 ? MPI_ERR_ARG : attached || bytes < MPI_BSEND_OVERHEAD ? MPI_ERR_BUFFER : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    attached = buf;
    attached_bytes = bytes;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Buffer_attach, (void *buf, int bytes))
{
    return attach(buf, bytes, "MPI_Buffer_attach");
}

CS_EMU_CALL(int, Buffer_attach_c, (void *buf, MPI_Count bytes))
{
    return attach(buf, bytes, "MPI_Buffer_attach_c");
}

/* Waits until all messages in the buffer are matched. If none is attached it returns NULL and 0, as MPICH does. */
static int detach(void *buf, MPI_Count *bytes, const char *call)
{
    if (!buf || !bytes)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    for (drop_matched(); parts; drop_matched())
        cs_emu_req_wait(&parts->sent, call);
    *(void **)buf = attached;
    *bytes = attached ? attached_bytes : 0;
    attached = NULL;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Buffer_detach, (void *buf, int *bytes))
{
    MPI_Count n = 0;
    int rc = detach(buf, bytes ? &n : NULL, "MPI_Buffer_detach");

    if (rc == MPI_SUCCESS)
        *bytes = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}

CS_EMU_CALL(int, Buffer_detach_c, (void *buf, MPI_Count *bytes))
{
    return detach(buf, bytes, "MPI_Buffer_detach_c");
}
