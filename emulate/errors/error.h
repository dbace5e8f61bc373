/* SPDX-License-Identifier: BSD-3-Clause
 * Errors of MPI calls in the emulated library: classes and codes, and the error handlers that errors go to.
 * Whatever finds an error returns what cs_emu_error (or cs_emu_comm_error, comm.h) returns. */
#ifndef CS_ERROR_H
#define CS_ERROR_H

#include <stdbool.h>

#include <mpi.h>

/* The part of a communicator that an error of a call on it goes to. */
struct cs_emu_error_home {
    MPI_Comm handle;           /* the handler gets it */
    MPI_Errhandler errhandler; /* MPI_ERRHANDLER_NULL: none was set, so MPI_COMM_WORLD's, whichever that is by then */
};

/* Hands the error class (MPI_ERR_*) to the error handler of a communicator (home NULL: of MPI_COMM_WORLD). With
 * MPI_ERRORS_ARE_FATAL, or none, it does not return: the run ends with the call's name and the class's text. Otherwise
 * returns the code for the caller. The class may also be a code that a callback of the user returned. */
int cs_emu_error(const struct cs_emu_error_home *home, int class, const char *call);
/* Why the arguments do not fit, in words: a fatal message of the next cs_emu_error ends with it. */
void cs_emu_error_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Where errors go that belong to no communicator: MPI_COMM_WORLD's home, from MPI_Init on. */
void cs_emu_error_start(const struct cs_emu_error_home *world);
/* Does what the handler wants done about this code; `call` is for the message of a fatal one. Returns what the failing
 * call returns: the code, or what a handler of the program has made of it. */
int cs_emu_errhandler_call(const struct cs_emu_error_home *home, int code, const char *call);
/* The same two for a window or a file: a user's handler gets `handle`, a pointer to the object's handle. */
int cs_emu_error_for(void *handle, MPI_Errhandler errhandler, int class, const char *call);
int cs_emu_errhandler_call_for(void *handle, MPI_Errhandler errhandler, int code, const char *call);

/* A code has its class in these bits. */
#define CS_EMU_CLASS_BITS 0x7f

/* The code that stands for an error class in a result or a status: as with MPICH, not the class itself
 * (MPI_Error_class gives that), but for those that tell of several requests. */
static inline int cs_emu_error_code(int class)
{
    bool itself = class == MPI_SUCCESS || class == MPI_ERR_IN_STATUS || class == MPI_ERR_PENDING ||
                  (class & ~CS_EMU_CLASS_BITS) != 0;

    return itself ? class : class | 0x80000;
}

/* The class's text as MPICH has it: "Invalid rank". Never NULL. */
const char *cs_emu_error_text(int class);
/* The largest code in use: MPI_LASTUSEDCODE. */
int cs_emu_error_last_code(void);

/* Is it an error handler? */
bool cs_emu_errhandler_valid(MPI_Errhandler h);
/* A further reference to an error handler (a new communicator takes its parent's), and one less. Predefined handlers
 * are not counted. */
void cs_emu_errhandler_hold(MPI_Errhandler h);
void cs_emu_errhandler_release(MPI_Errhandler h);

#endif
