/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange among all members of a communicator, for what the library itself has to know. */
#include <string.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/objects/comm.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"

void cs_emu_exchange_each(struct cs_emu_comm *c, const void *own, uint64_t bytes,
                          void (*take)(void *arg, int rank, const void *data, uint64_t bytes), void *arg,
                          const char *call)
{
    cs_emu_tape_look();
    if (cs_emu_tape_plays()) {
        const struct cs_emu_tape_item *i = cs_emu_tape_take_result(c->context, c->collectives++, CS_EMU_EXCHANGE, call);
        while ((i = cs_emu_tape_next(i))->kind == CS_EMU_TAPE_PIECE)
            take(arg, (int)i->number, cs_emu_tape_data(i), i->bytes);
        return;
    }
    struct cs_emu_coll_call k = {.kind = CS_EMU_EXCHANGE, .comm = c, .name = call, .waits = true};
    struct cs_emu_coll *o = k.object = cs_emu_coll_join(c, k.kind, CS_EMU_NO_ROOT, call);
    struct cs_emu_deposit *p = cs_emu_deposit_new(bytes, 0);
    if (bytes)
        memcpy(p->data, own, bytes);
    atomic_store(&o->slot[cs_emu_coll_index(c)], p);
    if (cs_emu_coll_arrive(o)) {
        atomic_store(&o->finished, 1);
        cs_emu_coll_wake_all(c);
    } else {
        cs_emu_coll_note_wait(&k);
        cs_emu_wait(cs_emu_coll_is_ready, &k);
    }
    cs_emu_tape_add(
        (struct cs_emu_tape_item){
            .kind = CS_EMU_TAPE_RESULT, .context = c->context, .number = o->sequence, .tag = CS_EMU_EXCHANGE},
        NULL);
    for (int i = 0; i < o->size; i++)
        cs_emu_tape_add(
            (struct cs_emu_tape_item){.kind = CS_EMU_TAPE_PIECE, .number = (uint32_t)i, .bytes = o->slot[i]->bytes},
            o->slot[i]->data);
    for (int i = 0; i < o->size; i++)
        take(arg, i, o->slot[i]->data, o->slot[i]->bytes);
    cs_emu_coll_leave(o);
}

static void copy_one(void *all, int rank, const void *data, uint64_t bytes)
{
    memcpy((char *)all + (uint64_t)rank * bytes, data, bytes);
}

void cs_emu_exchange(struct cs_emu_comm *c, const void *own, uint64_t bytes, void *all, const char *call)
{
    cs_emu_exchange_each(c, own, bytes, copy_one, all, call);
}
