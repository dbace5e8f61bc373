/* SPDX-License-Identifier: BSD-3-Clause
 * The open files of MPI-IO, and their numbers in the trace: as of descriptors, the lowest that is free when a file is
 * opened, so that a loop which opens a file, writes and closes it looks alike in each turn. */
#ifndef CS_FILE_NUMBERS_H
#define CS_FILE_NUMBERS_H

#include <mpi.h>
#include <stdint.h>

/* The number of an open file; CS_NO_HANDLE of trace/format/fields.h for any other. With the lock held. */
int64_t cs_file_number(MPI_File f);
/* It was opened; it is about to be closed. Both take the lock. */
void cs_file_opened(MPI_File f);
void cs_file_closed(MPI_File f);

#endif
