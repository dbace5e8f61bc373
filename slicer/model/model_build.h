/* SPDX-License-Identifier: GPL-3.0-or-later
 * Private to model.c, effects_model.c, mpi_model.c and mpi_buffer.c: the building blocks of a model, and what they are
 * called by. Adding pseudo statements moves the graph's arrays, so nothing here hands out pointers into the graph. */
#ifndef CS_MODEL_BUILD_H
#define CS_MODEL_BUILD_H

#include "slicer/model/model.h"

/* A model that is being built: m is not yet in ms. */
struct cs_mbuild {
    struct cs_models *ms;
    struct cs_graph *g;
    struct cs_model *m;
    int stmt;                   /* the call */
    const struct cs_effect *fx; /* its row, NULL for MPI and opaque functions */
    struct cs_operand fresh;    /* memory that the call allocates and returns */
    bool shifted;               /* `place`, where the returned object goes, counts as argument 0 (row token `object`) */
    struct cs_operand place;
};

/* Argument i of the call, as a row counts; NONE if it has fewer. */
struct cs_operand cs_mb_arg(const struct cs_mbuild *b, int i);
/* The `size` bytes at an address; all of a hidden state, by its name in the graph ("h:rand"). */
struct cs_ref cs_mb_ref(struct cs_operand base, int64_t size);
struct cs_ref cs_mb_hidden(struct cs_mbuild *b, const char *name);
/* A pseudo LOAD; flow says whether the points-to analysis follows what is loaded. Returns its value. */
int cs_mb_load(struct cs_mbuild *b, struct cs_ref ref, bool flow);
/* A value: the operand moved by any offset; where `decides` is not NONE, only if that may be a datatype of the
 * program's own. */
int cs_mb_moved(struct cs_mbuild *b, struct cs_operand op, struct cs_operand decides);
/* A value: the sum of two numbers, of which one may be an address. */
int cs_mb_sum(struct cs_mbuild *b, struct cs_operand a, struct cs_operand to);
/* A value: the address of this part of what the operand points to; it does not leave the part's bounds. */
struct cs_operand cs_mb_part(struct cs_mbuild *b, struct cs_operand op, struct cs_pattern part);
/* The call needs the operand at that level; nothing if that is no value. */
void cs_mb_need(struct cs_mbuild *b, enum cs_level level, struct cs_operand op);
/* The call reads this place at that level; nothing if the place has no address. */
void cs_mb_read(struct cs_mbuild *b, enum cs_level level, struct cs_ref ref);
/* The call writes this place; the result lives until the next write is added. */
struct cs_mwrite *cs_mb_write(struct cs_mbuild *b, enum cs_level level, struct cs_ref ref, struct cs_operand val);
/* The result may be this operand; the call may call back; it makes this object. */
void cs_mb_ret(struct cs_mbuild *b, struct cs_operand op, bool spread);
void cs_mb_callback(struct cs_mbuild *b, struct cs_mcallback cb);
int cs_mb_new_obj(struct cs_mbuild *b, enum cs_obj_kind kind, const char *what, int64_t size);

/* Fill b->m from the row of MPI that is in it, from a row of the effects table, or from nothing. */
void cs_mpi_model_build(struct cs_mbuild *b);
void cs_effects_model_build(struct cs_mbuild *b, const struct cs_effect *fx);
/* A function that nobody describes: it may do anything with what it can reach. */
void cs_opaque_model_build(struct cs_mbuild *b);
/* Does the program set an error handler that may let MPI calls return an error? Any but the constant
 * MPI_ERRORS_ARE_FATAL may. */
bool cs_mpi_errors_return(const struct cs_graph *g);

#endif
