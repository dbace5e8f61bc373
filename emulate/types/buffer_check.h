/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of arguments that many calls share: what MPICH finds wrong is found wrong here, with the same error class.
 * None of them touches the program's buffers. */
#ifndef CS_BUFFER_CHECK_H
#define CS_BUFFER_CHECK_H

#include <stdint.h>

#include <mpi.h>

/* MPI_ERR_TYPE unless the type can be used in communication. */
int cs_emu_check_type(MPI_Datatype t);
/* The same for `count` elements: also MPI_ERR_COUNT, if it is negative or the bytes of so many are not counted in 64
 * bits. */
int cs_emu_check_elements(int64_t count, MPI_Datatype t);
/* `count` elements at `buf`: as cs_emu_check_elements, or MPI_ERR_BUFFER for a null pointer that cannot be meant so
 * (a type with absolute addresses goes with a null buffer, MPI_BOTTOM). */
int cs_emu_check_buffer(const void *buf, int64_t count, MPI_Datatype t);
/* The same where a message of any length goes: it may have room for more than there is memory. */
int cs_emu_check_room(const void *buf, int64_t count, MPI_Datatype t);

#endif
