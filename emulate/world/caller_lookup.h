/* SPDX-License-Identifier: BSD-3-Clause
 * From where the program called the library, whatever lies between: the recorder, the Fortran binding.
 * Only for messages about calls that go wrong: it takes milliseconds. */
#ifndef CS_CALLER_LOOKUP_H
#define CS_CALLER_LOOKUP_H

/* Writes the place of the current call, whose C name is `call`, to this rank's note (cs_emu_rank.where), where messages
 * find it. Calls that are no events have left the note as it was; of a slice the recorder knows the place without
 * debugging information. `caller`: the return address, for want of anything better. */
void cs_emu_note_place(const char *call, const void *caller);

#endif
