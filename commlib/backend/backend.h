/* SPDX-License-Identifier: BSD-3-Clause
 * The library underneath: MPICH's or the emulated one, and what the emulated one and the recorder tell each other
 * beyond MPI. The two are loaded side by side and find each other by name, so each also works alone. */
#ifndef CS_BACKEND_H
#define CS_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

/* Is it the emulated library? Then ranks need not be alive together, and its parent process knows when they wait for
 * ever. */
bool cs_backend_emulated(void);
/* Does this rank run alone, with what a tape has of the others? Only in the emulated library. */
bool cs_backend_replays(void);
/* "emulate", "mpich", or CS_ENGINE_REPLAY and the tape: the trace's engine. */
const char *cs_backend_name(void);
/* True for one rank of an emulated world only, the first one that asks; without it always. */
bool cs_backend_first(void);
/* A buffer of any length for messages whose content means nothing: the emulated library does not touch it, nor move any
 * data. NULL: the library moves what is there. */
void *cs_backend_nothing(void);
/* Says where the current call is (cs_site_where). Only the emulated library wants to know. */
void cs_backend_at(int64_t where);
/* Counts events, for the line on the terminal. */
void cs_backend_events(int64_t n);
/* To be called in MPI_Init. */
void cs_backend_start(void);
/* Finds out which library it is; cs_backend_start does it, unless it was done before ranks were forked. */
void cs_backend_look_up(void);

#endif
