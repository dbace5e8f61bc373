/* SPDX-License-Identifier: BSD-3-Clause
 * The world: how many ranks, who we are, and how a run ends early.
 * world.c makes the ranks, parent.c looks after them. */
#ifndef CS_WORLD_H
#define CS_WORLD_H

/* Rank in MPI_COMM_WORLD and its size. */
int cs_emu_rank(void);
int cs_emu_nranks(void);

/* Ends the whole run with one line on standard error: rank, place of the last call that is an event (or that
 * cs_emu_note_place has noted), and the message. */
_Noreturn void cs_emu_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the whole run with this exit code, as MPI_Abort does; what there is to say has been said. */
_Noreturn void cs_emu_abort(int code);

/* " at FILE:LINE" for a place in cs_emu_rank.where, or "" if nobody knows. Returns buf. */
const char *cs_emu_place(long long where, char *buf, int len);

/* The process that forks the ranks and waits for them; in a rank it returns. */
void cs_emu_parent(void);

#endif
