/* SPDX-License-Identifier: BSD-3-Clause
 * Errors of MPI calls in the emulated library: classes, and the handler of the communicator that they go to.
 * Whatever finds an error returns what cs_emu_error returns. */
#ifndef CS_EMULATE_ERROR_H
#define CS_EMULATE_ERROR_H

struct cs_emu_comm;

/* Hands the error class (MPI_ERR_*) to the error handler of the communicator (NULL: of MPI_COMM_WORLD). With MPI_ERRORS_ARE_FATAL
 * it does not come back: the run ends with the call's name and what is wrong. Otherwise returns the code for the caller. */
int cs_emu_error(struct cs_emu_comm *c, int class, const char *call);

#endif
