/* SPDX-License-Identifier: BSD-3-Clause
 * Beginning sends and receives, and the checks of their arguments. A send is done when its message is packed and
 * pushed: only the synchronous mode waits. */
#include "emulate/messages/p2p.h"

#include <assert.h>
#include <stddef.h>

#include "emulate/messages/bsend_internal.h"
#include "emulate/messages/flow.h"
#include "emulate/messages/message.h"
#include "emulate/objects/comm.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"
#include "emulate/world/shared_memory.h"

static bool is_peer(const struct cs_emu_comm *c, int peer)
{
    return (peer >= 0 && peer < cs_emu_comm_peers(c)) || peer == MPI_PROC_NULL;
}

/* What sends and receives have in common, in MPICH's order; the buffer comes last. */
static int check(const struct cs_emu_comm *c, int64_t count, bool peer_fits, int tag, int least_tag)
{
    if (!c)
        return MPI_ERR_COMM;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (!peer_fits)
        return MPI_ERR_RANK;
    return tag < least_tag || tag > CS_EMU_TAG_UB ? MPI_ERR_TAG : MPI_SUCCESS;
}

int cs_emu_check_send(const struct cs_emu_comm *c, const void *buf, int64_t count, MPI_Datatype t, int dest, int tag)
{
    int class = check(c, count, c && is_peer(c, dest), tag, 0);
    return class == MPI_SUCCESS ? cs_emu_check_buffer(buf, count, t) : class;
}

int cs_emu_check_recv(const struct cs_emu_comm *c, const void *buf, int64_t count, MPI_Datatype t, int source, int tag)
{
    int class = check(c, count, c && (is_peer(c, source) || source == MPI_ANY_SOURCE), tag, MPI_ANY_TAG);
    return class == MPI_SUCCESS ? cs_emu_check_room(buf, count, t) : class;
}

/* A message for the program on the other side, not yet pushed. `hears`: completed when it is matched; NULL: nobody is.
 */
static struct cs_emu_msg *pack_message(const void *buf, int64_t count, MPI_Datatype t, int tag,
                                       const struct cs_emu_comm *c, struct cs_emu_req *hears)
{
    enum cs_emu_msg_kind kind = hears ? CS_EMU_DATA_SYNC : CS_EMU_DATA;
    uint64_t bytes = (uint64_t)(count * cs_emu_type_size(t));
    struct cs_emu_msg *m = buf == &cs_emu_nothing ? cs_emu_msg_hollow(kind, bytes) : cs_emu_msg_new(kind, bytes);
    m->context = c->context;
    m->source = c->rank;
    m->tag = tag;
    m->sender = hears;
    m->number = hears ? cs_emu_sync_number(hears) : 0;
    if (cs_emu_msg_held(m))
        cs_emu_pack(m->data, buf, count, t);
    return m;
}

/* Nobody will ever receive what is sent to MPI_PROC_NULL, or to a rank that is through with MPI. */
static bool goes_nowhere(const struct cs_emu_comm *c, int dest, bool sync)
{
    return dest == MPI_PROC_NULL ||
           (!sync && atomic_load(&cs_emu_world->rank[cs_emu_comm_world(c, dest)].life) >= CS_EMU_FINALIZED);
}

void cs_emu_send(const void *buf, int64_t count, MPI_Datatype t, int dest, int tag, struct cs_emu_comm *c,
                 enum cs_emu_send_mode mode, struct cs_emu_req *r)
{
    bool sync = mode == CS_EMU_SYNCHRONOUS;
    if (goes_nowhere(c, dest, sync)) {
        if (r)
            r->complete = true;
        return;
    }
    assert(r || !sync);
    struct cs_emu_req *hears = sync ? r : NULL;
    if (mode == CS_EMU_BUFFERED)
        hears = cs_emu_bsend_keep(count * cs_emu_type_size(t), dest, tag, c);
    struct cs_emu_msg *m = pack_message(buf, count, t, tag, c, hears);
    if (r)
        r->complete = !sync;
    int to = cs_emu_comm_world(c, dest);
    cs_emu_msg_push(to, m);
    if (!sync)
        cs_emu_flow_wait(to);
}

void cs_emu_recv_begin(struct cs_emu_req *r)
{
    r->complete = false;
    r->error = MPI_SUCCESS;
    r->cancelled = false;
    if (r->peer == MPI_PROC_NULL) {
        r->source = MPI_PROC_NULL;
        r->got_tag = MPI_ANY_TAG;
        r->bytes = 0;
        r->complete = true;
        return;
    }
    cs_emu_post(r);
}
