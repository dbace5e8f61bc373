/* SPDX-License-Identifier: BSD-3-Clause
 * A symbol of the nest with its arguments: where in the fields of each part's record an argument's values are.
 * A node that alternates between several symbols (its cycle) has one variant for each of them. */
#ifndef CS_SKELETON_SYMBOL_ARGS_H
#define CS_SKELETON_SYMBOL_ARGS_H

#include "api/mpi_calls.h"
#include "skeleton/gen/gen.h"
#include "trace/format/fields.h"

/* One part of one variant: field[at[arg]] to field[at[arg] + n[arg] - 1] of r are the argument's values. */
struct cs_gen_part {
    const struct cs_merged_record *r;
    int at[CS_MPI_MAX_ARGS]; /* first field of the argument's values; -1: not recorded */
    int n[CS_MPI_MAX_ARGS];  /* elements of an array; 1 for a scalar */
};

/* part[]: | variant 0: parts of its classes | variant 1: ... |, each variant has l->nparts of them, for the same
 * classes in the same order. */
struct cs_gen_call {
    int64_t node;
    const struct cs_merged_symbol *l; /* variant 0 */
    const struct cs_mpi_call *call;
    int nvariants; /* symbols of the cycle; 1 without one */
    struct cs_gen_part *part;
};

/* Fills in *c for the node, which is no loop. 0, or -1 and the reason is set; to be closed in both cases. */
int cs_gen_call_open(struct cs_gen *g, int64_t node, struct cs_gen_call *c);
void cs_gen_call_close(struct cs_gen_call *c);

/* The n-th argument (from 0) of this role, or -1. */
int cs_gen_arg(const struct cs_mpi_call *c, enum cs_role role, int n);
/* The rank's own number in the communicator of the part's record, and that communicator's size; {-1, 0} if the call has
 * no communicator. */
struct cs_comm_rank cs_gen_place(const struct cs_gen *g, const struct cs_gen_part *p, int rank);

#endif
