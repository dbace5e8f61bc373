/* SPDX-License-Identifier: BSD-3-Clause
 * The own rank, the size of the world, and how a run ends early.
 * parent/ makes the ranks and looks after them. */
#ifndef CS_WORLD_H
#define CS_WORLD_H

/* The calling process's rank in MPI_COMM_WORLD, and the number of ranks there. */
int cs_emu_rank(void);
int cs_emu_nranks(void);

/* Ends the whole run with one line on standard error: the rank, the source line of its last call that is an event (or
 * that cs_emu_note_caller has noted), and the message. */
_Noreturn void cs_emu_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the whole run with this exit code and prints nothing, as the caller has said why. */
_Noreturn void cs_emu_abort(int code);

/* The calling rank has to wait for another one. In a share of a run this ends the run, with one line, unless rank 0 is
 * under way, which may be what it waits for; or the caller is rank 0 and belongs to another share. */
void cs_emu_need_others(void);

/* Writes " at FILE:LINE" for a call site (cs_emu_rank.call_site) to buf, or "" if it is not known. Returns buf. */
const char *cs_emu_call_site_text(long long call_site, char *buf, int len);

#endif
