/* SPDX-License-Identifier: BSD-3-Clause
 * Finds from where the program called the library, whatever lies between: the recorder, the Fortran binding.
 * Only for messages about calls that go wrong: it takes milliseconds. */
#ifndef CS_CALLER_LOOKUP_H
#define CS_CALLER_LOOKUP_H

/* Sets cs_emu_rank.call_site of this rank, which messages name, to the site of the current call, whose C name is
 * `call`. The recorder has done so for calls that are events, not for others. `caller`: a return address for the case
 * that nothing better is found. */
void cs_emu_note_caller(const char *call, const void *caller);

#endif
