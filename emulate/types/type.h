/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes of the emulated library, behind MPICH's handles: sizes, extents, and moving data between a
 * user's layout and packed bytes. Everything that is transmitted is packed. */
#ifndef CS_TYPE_H
#define CS_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

/* Bytes of data in one element; -1 if the handle is no datatype. */
int64_t cs_emu_type_size(MPI_Datatype t);
int64_t cs_emu_type_extent(MPI_Datatype t);
/* Bytes of data in `count` elements of a valid type; INT64_MAX if they are more. */
int64_t cs_emu_type_bytes(MPI_Datatype t, int64_t count);
/* Is the number of bytes of `count` elements less than that, and that of what they lie in? No memory has more. */
bool cs_emu_type_fits(MPI_Datatype t, int64_t count);
/* Lower bound and length of what one element really touches. */
void cs_emu_type_true(MPI_Datatype t, int64_t *lb, int64_t *extent);
/* Is a buffer of `count` elements already one run of packed bytes, starting at the buffer's address? */
bool cs_emu_type_dense(MPI_Datatype t, int64_t count);
bool cs_emu_type_committed(MPI_Datatype t);
/* Basic elements in the first bytes of packed elements of a valid type. A basic element that is there in part does not
 * count. */
int64_t cs_emu_type_elements(MPI_Datatype t, int64_t bytes);
/* The basic type of all elements of a valid type; MPI_DATATYPE_NULL if they are not of one. */
MPI_Datatype cs_emu_type_basic(MPI_Datatype t);
/* The basic type behind one of MPI_Type_create_f90_*; any other type itself. */
MPI_Datatype cs_emu_type_behind_f90(MPI_Datatype t);
/* Requests and messages hold on to their types: MPI_Type_free of the user only drops the user's reference. */
void cs_emu_type_hold(MPI_Datatype t);
void cs_emu_type_release(MPI_Datatype t);

/* Calls `take` for each run of bytes of one element, in packing order. */
void cs_emu_type_runs(MPI_Datatype t, void (*take)(void *arg, int64_t at, int64_t bytes), void *arg);

/* Packs `count` elements to `to` (count * size bytes). */
void cs_emu_pack(void *to, const void *buf, int64_t count, MPI_Datatype t);
/* Unpacks `bytes` bytes, at most `count` elements, the last of which may be in part. */
void cs_emu_unpack(void *buf, int64_t count, MPI_Datatype t, const void *from, int64_t bytes);

#endif
