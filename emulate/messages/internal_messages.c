/* SPDX-License-Identifier: BSD-3-Clause
 * The library's own messages. */
#include "emulate/messages/internal_messages.h"

#include <string.h>

#include "emulate/messages/message.h"
#include "emulate/messages/request.h"

void cs_emu_tell(int world_rank, uint32_t context, int source, int tag, const void *data, size_t bytes)
{
    struct cs_emu_msg *m = cs_emu_msg_new(CS_EMU_DATA, bytes);
    m->context = context;
    m->source = source;
    m->tag = tag;
    m->sender = NULL;
    memcpy(m->data, data, bytes);
    cs_emu_msg_push(world_rank, m);
}

size_t cs_emu_hear(uint32_t context, int source, int tag, void *data, size_t bytes, const char *call)
{
    struct cs_emu_req r = {.kind = CS_EMU_REQ_RECV,
                           .context = context,
                           .peer = source,
                           .tag = tag,
                           .buf = data,
                           .count = (int64_t)bytes,
                           .type = MPI_BYTE};
    cs_emu_post(&r);
    cs_emu_req_wait(&r, call);
    return (size_t)r.bytes;
}
