/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of the library itself, which no program ever sees: they have a context of their own beside each
 * communicator's. For what members of a group have to tell each other when a communicator is made, and for the
 * collectives of neighbours. */
#ifndef CS_INTERNAL_MESSAGES_H
#define CS_INTERNAL_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

/* Sends a message in a context of the library's own (CS_EMU_MAKING, context.h) and never waits. `source` is whatever
 * the other side knows the sender by. */
void cs_emu_tell(int world_rank, uint32_t context, int source, int tag, const void *data, size_t bytes);
/* Waits for a message of at most `bytes`; returns its length. */
size_t cs_emu_hear(uint32_t context, int source, int tag, void *data, size_t bytes, const char *call);

#endif
