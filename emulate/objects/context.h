/* SPDX-License-Identifier: BSD-3-Clause
 * Context numbers, which keep the messages of communicators apart: the same on all members of a communicator, and on no
 * other. Members agree on one without waiting for each other. */
#ifndef CS_CONTEXT_H
#define CS_CONTEXT_H

#include <stdint.h>

/* A context number: bit 31 for MPI_COMM_SELF, then with the rank from bit 8 on; bits 30 and 29 for messages of the
 * library itself on the communicator; below them a number that is given out. */
enum { CS_EMU_WORLD_CONTEXT = 1, CS_EMU_SELF_CONTEXT = 2 };
/* Of MPI_COMM_SELF. Only the rank itself is in it, but all ranks find collective calls in one table. */
uint32_t cs_emu_context_of_self(int rank);
/* For what members tell each other while a communicator is made, and for the collectives of neighbours. */
#define CS_EMU_MAKING(context) ((context) ^ 0x40000000u)
#define CS_EMU_NEIGHBOURS(context) ((context) ^ 0x20000000u)

/* The context that all `members` get who ask with the same three numbers; each asks once. */
uint32_t cs_emu_context(uint32_t parent, uint32_t child, uint64_t part, int members);
/* For `part`: all members of the parent are members of the new communicator. */
#define CS_EMU_WHOLE UINT64_MAX
/* A new context, for a rank that tells the other members itself. */
uint32_t cs_emu_context_new(void);

#endif
