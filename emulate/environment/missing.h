/* SPDX-License-Identifier: BSD-3-Clause
 * MPI calls that engine emulate does not have. All of them are defined, so that the dynamic loader can start a program
 * that contains them; each ends the run when it is called. */
#ifndef CS_MISSING_H
#define CS_MISSING_H

/* Ends the run with a message: which call, where it was made, and that `--engine mpich` has it. `caller` is the call's
 * return address, which gives the place if the program has not noted a call site. */
_Noreturn void cs_emu_missing(const char *call, const void *caller);

#endif
