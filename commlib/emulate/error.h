/* SPDX-License-Identifier: BSD-3-Clause
 * Errors of MPI calls in the emulated library: classes, and the handler of the communicator that they go to.
 * Whatever finds an error returns what cs_emu_error returns. */
#ifndef CS_EMULATE_ERROR_H
#define CS_EMULATE_ERROR_H

#include <mpi.h>

struct cs_emu_comm;

/* Hands the error class (MPI_ERR_*) to the error handler of the communicator (NULL: of MPI_COMM_WORLD). With MPI_ERRORS_ARE_FATAL
 * it does not come back: the run ends with the call's name and what is wrong. Otherwise returns the code for the caller.
 * The class may also be a code that a callback of the user returned. */
int cs_emu_error(struct cs_emu_comm *c, int class, const char *call);

/* The class's text as MPICH has it: "Invalid rank". Never NULL. */
const char *cs_emu_error_text(int class);

/* A further reference to an error handler (a new communicator takes its parent's), and one less. Predefined handlers are not counted. */
void cs_emu_errhandler_hold(MPI_Errhandler h);
void cs_emu_errhandler_release(MPI_Errhandler h);

/* Ends the whole run with a message and an exit status, as MPI_Abort does (world.c). */
_Noreturn void cs_emu_fatal(int status, const char *message);

#endif
