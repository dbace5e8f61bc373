/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that the emulated library does not have.
 * All of them are there for the dynamic loader, and end the run when they are called. */
#ifndef CS_MISSING_H
#define CS_MISSING_H

/* Ends the run: says the call, where it was made (`caller` is its return address, used if the program does not say it
 * better) and that `--engine mpich` has it. */
_Noreturn void cs_emu_missing(const char *call, const void *caller);

#endif
