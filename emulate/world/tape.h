/* SPDX-License-Identifier: BSD-3-Clause
 * A tape: all that one rank gets from others in a run, so that it can run again alone. What other ranks bring comes in
 * at three places only, and each has its items on the tape: messages, results of collective calls, context numbers.
 *
 * A rank's time is counted in looks: it looks for messages at certain places of its calls, which are the same each time
 * that it runs. Each item has the number of the look that it came with, and comes with that look again, so that also
 * polls, and waits for one of many, find what they found. */
#ifndef CS_TAPE_H
#define CS_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an item is; END says that the rank has come to MPI_Finalize. */
enum cs_emu_tape_kind {
    CS_EMU_TAPE_MESSAGE,
    CS_EMU_TAPE_MESSAGE_SYNC, /* its sender wants to hear when it is matched */
    CS_EMU_TAPE_ANSWER,       /* a synchronous send of this rank is matched: `number` is its own */
    CS_EMU_TAPE_CONTEXT,      /* a context number that was agreed on */
    CS_EMU_TAPE_RESULT,       /* of a collective call, of sort `tag`, `number` of its communicator; its pieces follow */
    CS_EMU_TAPE_PIECE,        /* for block `number` */
    CS_EMU_TAPE_END
};

/* An item; its data follow, padded to 16 bytes. */
struct cs_emu_tape_item {
    uint64_t look, bytes;
    uint32_t kind, context;
    int32_t source, tag;
    uint32_t number, unused;
    uint64_t hollow; /* the length of a message that has no data */
};

static inline const char *cs_emu_tape_data(const struct cs_emu_tape_item *i)
{
    return (const char *)(i + 1);
}

static inline const struct cs_emu_tape_item *cs_emu_tape_next(const struct cs_emu_tape_item *i)
{
    return (const struct cs_emu_tape_item *)((const char *)(i + 1) + (i->bytes + 15) / 16 * 16);
}

/* What this process does: most ranks nothing. */
enum cs_emu_tape_mode { CS_EMU_TAPE_OFF, CS_EMU_TAPE_WRITES, CS_EMU_TAPE_PLAYS };
extern enum cs_emu_tape_mode cs_emu_tape_mode;
/* Looks so far. */
extern uint64_t cs_emu_tape_looks;

static inline bool cs_emu_tape_writes(void)
{
    return cs_emu_tape_mode == CS_EMU_TAPE_WRITES;
}

static inline bool cs_emu_tape_plays(void)
{
    return cs_emu_tape_mode == CS_EMU_TAPE_PLAYS;
}

/* A place at which the rank looks, or may look, for messages: before it does. */
static inline void cs_emu_tape_look(void)
{
    cs_emu_tape_looks++;
}

/* ---- writing ---- */

/* Begins the tape of this rank if COMMSLICE_TAPE names one and COMMSLICE_TAPE_RANKS has the rank. */
void cs_emu_tape_begin(int rank, int nranks);
/* Adds an item, whose look is the current one. Does nothing if no tape is written. */
void cs_emu_tape_add(struct cs_emu_tape_item item, const void *data);
/* The rank has come to MPI_Finalize: the tape is complete. One that is being played must have been played. */
void cs_emu_tape_end(void);

/* ---- playing ---- */

/* Opens the tape that COMMSLICE_REPLAY names, and gives the rank and the number of ranks of its run. False: no tape is
 * to be played. Ends the process if it cannot be. */
bool cs_emu_tape_open(int *rank, int *nranks);
/* The next message or answer that has come until now; NULL: none. */
const struct cs_emu_tape_item *cs_emu_tape_take_message(void);
/* The next context number. */
uint32_t cs_emu_tape_take_context(void);
/* Has the result of this call come? */
bool cs_emu_tape_has_result(uint32_t context, uint32_t number);
/* Takes it: its pieces follow it. Ends the process if there it was another sort of call, by what its `tag` says. */
const struct cs_emu_tape_item *cs_emu_tape_take_result(uint32_t context, uint32_t number, int sort, const char *call);
/* The rank waits for what is not on the tape: ends the process. */
_Noreturn void cs_emu_tape_starved(void);

#endif
