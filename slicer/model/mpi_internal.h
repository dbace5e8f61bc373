/* SPDX-License-Identifier: GPL-3.0-or-later
 * The model of an MPI call: its arguments by their roles (mpi_model.c), its message buffers (mpi_buffer.c), its files
 * (mpi_file.c). Private to them. An argument is told by its place in the row of the MPI table; the symbol's binding
 * says how it is passed. */
#ifndef CS_MPI_INTERNAL_H
#define CS_MPI_INTERNAL_H

#include "slicer/model/model_build.h"
#include "slicer/model/mpich_abi.h"

/* The argument of an MPI call that is being looked at. */
struct cs_role_ctx {
    struct cs_mbuild *b;
    const struct cs_mpi_call *call;
    bool local, fortran; /* not an event; a binding of Fortran, where all is passed by reference */
    int arg;             /* in the row */
    int shift;           /* Fortran has no argc and argv: its arguments come so many places earlier */
    int ntypes, ntags;   /* seen so far */
};

/* What the program passes for the argument at hand. */
static inline struct cs_operand cs_mpi_actual(const struct cs_role_ctx *c)
{
    return cs_mb_arg(c->b, c->arg - c->shift);
}

/* Calls on files (mpi_file.c): their handles, and what they read and write of files. */
void cs_mpi_file_in(struct cs_role_ctx *c);
void cs_mpi_file_out(struct cs_role_ctx *c);
void cs_mpi_file_close(struct cs_role_ctx *c);
void cs_mpi_file_effects(struct cs_role_ctx *c);
/* Does it open, close, use or ask a file? */
bool cs_mpi_is_file_call(const struct cs_mpi_call *call);
/* Calls on windows (mpi_window.c): memory that becomes a window's, the memory of another rank's window that a call asks
 * for, and what calls do to all windows. */
void cs_mpi_window_memory(struct cs_role_ctx *c, struct cs_operand base);
void cs_mpi_window_query(struct cs_role_ctx *c);
void cs_mpi_window_effects(struct cs_role_ctx *c);
/* The argument at hand is a message buffer: the call reads it, or writes it, or both. */
void cs_mpi_buffer(struct cs_role_ctx *c, bool in, bool out);
/* Bytes of the array at hand, of `unit` bytes an element, if its count is a literal; else unknown. */
int64_t cs_mpi_array_size(struct cs_role_ctx *c, int64_t unit);
/* What reads and writes the array at hand, as in struct cs_marray: its extent may be found later. */
void cs_mpi_note_array(struct cs_role_ctx *c, int load, int write, int64_t unit);
/* A receive buffer of a collective is read too when the send buffer can be MPI_IN_PLACE. */
bool cs_mpi_may_be_in_place(struct cs_role_ctx *c);

#endif
