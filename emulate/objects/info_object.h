/* SPDX-License-Identifier: BSD-3-Clause
 * Info objects: lists of keys and values in the order in which they were set.
 * Communicators keep those of the caller's hints that are known. */
#ifndef CS_INFO_OBJECT_H
#define CS_INFO_OBJECT_H

#include <stdbool.h>

#include <mpi.h>

/* An empty one; MPI_INFO_NULL when memory is out. */
MPI_Info cs_emu_info_new(void);
/* MPI_INFO_NULL for MPI_INFO_NULL, and when memory is out. */
MPI_Info cs_emu_info_dup(MPI_Info info);
/* Nothing for MPI_INFO_NULL. */
void cs_emu_info_free(MPI_Info info);
/* Is it an info object, or MPI_INFO_NULL? */
bool cs_emu_info_valid(MPI_Info info);
/* Sets a key of an info object of cs_emu_info_new. False when memory is out. */
bool cs_emu_info_set(MPI_Info info, const char *key, const char *value);
/* The value of a key, or NULL; the text lives until the key is set again. */
const char *cs_emu_info_find(MPI_Info info, const char *key);

#endif
