/* SPDX-License-Identifier: BSD-3-Clause
 * Errors of MPI calls in the emulated library: classes, and the handler of the communicator that they go to.
 * Whatever finds an error returns what cs_emu_error returns. */
#ifndef CS_ERROR_H
#define CS_ERROR_H

#include <stdbool.h>

#include <mpi.h>

struct cs_emu_comm;

/* Hands the error class (MPI_ERR_*) to the error handler of the communicator (NULL: of MPI_COMM_WORLD). With
 * MPI_ERRORS_ARE_FATAL it does not come back: the run ends with the call's name and what is wrong. Otherwise returns
 * the code for the caller. The class may also be a code that a callback of the user returned. */
int cs_emu_error(struct cs_emu_comm *c, int class, const char *call);

/* The code that stands for an error class in a result or a status: as with MPICH, not the class itself (MPI_Error_class
 * gives that), but for those that tell of several requests. */
static inline int cs_emu_error_code(int class)
{
    bool itself =
        class == MPI_SUCCESS || class == MPI_ERR_IN_STATUS || class == MPI_ERR_PENDING || (class & ~0x7f) != 0;

    return itself ? class : class | 0x80000;
}

/* The class's text as MPICH has it: "Invalid rank". Never NULL. */
const char *cs_emu_error_text(int class);

/* The largest code in use: MPI_LASTUSEDCODE. */
extern int cs_emu_last_code;

/* Is it an error handler? */
bool cs_emu_errhandler_valid(MPI_Errhandler h);
/* A further reference to an error handler (a new communicator takes its parent's), and one less. Predefined handlers
 * are not counted. */
void cs_emu_errhandler_hold(MPI_Errhandler h);
void cs_emu_errhandler_release(MPI_Errhandler h);

#endif
