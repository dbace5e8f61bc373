/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between ranks: a queue for each rank that all may push to, and the rank's own matching of what arrives with
 * what is asked for. Order between two ranks is the order of pushing, so messages do not overtake. */
#ifndef CS_MESSAGE_H
#define CS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_emu_req;

/* What a message is: data of the program or of the library, or an answer. */
enum cs_emu_msg_kind {
    CS_EMU_DATA,
    CS_EMU_DATA_SYNC, /* the sender wants to hear when it is matched */
    CS_EMU_MATCHED    /* the answer */
};

/* A message in shared memory: first in the inbox of its receiver, then perhaps kept there until it is asked for. */
struct cs_emu_msg {
    struct cs_emu_msg *next; /* in the inbox: an older one */
    uint32_t context;
    int32_t source; /* rank in the communicator */
    int32_t tag;
    int32_t from;              /* the sender's rank in MPI_COMM_WORLD */
    uint64_t bytes;            /* its length */
    struct cs_emu_req *sender; /* means something to the sender only */
    uint16_t kind;             /* enum cs_emu_msg_kind */
    uint16_t hollow;           /* its content means nothing, and there is no data */
    uint32_t number;           /* of the synchronous send, among those of its rank */
    char data[] __attribute__((aligned(16)));
};

/* Once, in the process that makes the world, before the ranks are forked: how far senders may be ahead, and what a
 * waiting rank does for its messages. */
void cs_emu_messages_start(void);

/* The address of buffers whose content means nothing: they are neither read nor written, be they as long as they may,
 * and a message of such a buffer has a length and no data. */
extern char cs_emu_nothing;

/* Bytes of data that the message has with it. */
static inline uint64_t cs_emu_msg_held(const struct cs_emu_msg *m)
{
    return m->hollow ? 0 : m->bytes;
}

/* A message with room for packed data, or a hollow one; to be pushed, or freed with cs_emu_free. */
struct cs_emu_msg *cs_emu_msg_new(enum cs_emu_msg_kind kind, uint64_t bytes);
struct cs_emu_msg *cs_emu_msg_hollow(enum cs_emu_msg_kind kind, uint64_t bytes);
void cs_emu_msg_push(int world_rank, struct cs_emu_msg *m);

/* Takes in what has arrived, and then does what cs_emu_progress_more wants. True if there was anything. */
bool cs_emu_progress(void);
/* NULL until the first nonblocking collective call, which completes whenever progress is made; it sets this. */
extern bool (*cs_emu_progress_more)(void);

/* A receive: completed at once if its message is there, otherwise posted. */
void cs_emu_post(struct cs_emu_req *r);
/* A receive that was posted and is no longer wanted. False if it was matched already. */
bool cs_emu_unpost(struct cs_emu_req *r);
/* Gives a message to a receive, unpacks and frees it. */
void cs_emu_deliver(struct cs_emu_req *r, struct cs_emu_msg *m);

#endif
