/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the variance analysis (variance*.c) share; private to them. variance.h is the way in.
 * Everything that is said to differ stays so; a place that is said to be equal may later be found to differ. */
#ifndef CS_VARIANCE_INTERNAL_H
#define CS_VARIANCE_INTERNAL_H

#include "slicer/control/control_dependence.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"
#include "slicer/graph/storage.h"

struct taint_pat {
    struct cs_pattern pat;
    int64_t size;
};
struct taint_obj {
    struct taint_pat *p;
    int n, cap;
};
struct cs_var_flow;

struct var {
    struct cs_graph *g;
    struct cs_models *ms;
    struct cs_pts *pts;
    const struct cs_cdep *cdep;
    bool *value, *func, *result;
    bool **block;              /* of each function: blocks that only some ranks run, though all run the function */
    bool *jumps, *jumps_apart; /* functions that may throw or longjmp; that do on some ranks only */
    struct taint_obj *objs;
    struct cs_var_flow *flow;
    int at; /* the statement that is looked at, -1 */
    bool changed;
};

/* ---- variance.c ---- */
/* Does the collective, which writes one buffer, leave the same in it on all ranks, as far as is known now? */
bool cs_var_makes_equal(struct var *v, const struct cs_model *m);
bool cs_var_some_ranks(struct var *v, int stmt);

/* ---- what is equal again (variance_flow.c) ---- */
struct cs_var_flow *cs_var_flow_new(struct var *v);
void cs_var_flow_free(struct cs_var_flow *f);
/* Remembers that statement v->at makes a place differ. True if that is new, and matters. */
bool cs_var_note_write(struct var *v, int obj, struct cs_pattern pat, int64_t size);
/* Does every way to statement `at` pass a collective that makes the place equal, with nothing behind it that lets it
 * differ again? */
bool cs_var_equal_at(struct var *v, int at, int obj, struct cs_pattern pat, int64_t size);
/* Does the call read what it reads when it runs? */
bool cs_var_reads_now(const struct cs_model *m);
/* A communicator of all processes: MPI_COMM_WORLD, or a duplicate. */
bool cs_var_whole_world(struct var *v, struct cs_operand comm, int depth);
/* Can it meet a collective that only some ranks call? Then ranks may come to it with different ones. */
bool cs_var_skewed(struct var *v, const struct cs_model *m);

#endif
