/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of the library itself, which no program ever sees: they have a context of their own beside each
 * communicator's. For what members of a group have to tell each other when a communicator is made, and for the
 * collectives of neighbours. */
#ifndef CS_INTERNAL_MESSAGES_H
#define CS_INTERNAL_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

/* The contexts of the library's own messages on a communicator with this context. */
#define CS_EMU_MAKING(context) ((context) ^ 0x40000000u)
#define CS_EMU_NEIGHBOURS(context) ((context) ^ 0x20000000u)

/* Never waits. `source` is whatever the other side knows the sender by. */
void cs_emu_tell(int world_rank, uint32_t context, int source, int tag, const void *data, size_t bytes);
/* Waits for a message of at most `bytes`; returns its length. */
size_t cs_emu_hear(uint32_t context, int source, int tag, void *data, size_t bytes, const char *call);

#endif
