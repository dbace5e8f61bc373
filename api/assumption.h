/* SPDX-License-Identifier: BSD-3-Clause
 * The names of assumptions that both the slicer, which makes them, and the recorder, which checks them, must know. */
#ifndef CS_ASSUMPTION_H
#define CS_ASSUMPTION_H

/* It is about no line: no rank reads what the program wrote to files. */
#define CS_NO_READ_BACK "no-read-back"
/* Nor is this: no MPI call but those on files returns an error code. */
#define CS_NO_MPI_ERRORS "no-mpi-errors"
/* Before the name of a file: no function is called but those that it names, each in a line that begins so, too. */
#define CS_ONLY_CALLED "called:"

#endif
