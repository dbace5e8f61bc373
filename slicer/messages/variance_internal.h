/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the variance analysis (variance*.c) share; private to them. variance.h is the way in.
 * Marks are only added: what differs stays so, and a place that counts as equal may be found to differ later. */
#ifndef CS_VARIANCE_INTERNAL_H
#define CS_VARIANCE_INTERNAL_H

#include "slicer/control/control_dependence.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"
#include "slicer/graph/storage.h"

/* Bytes of an object that may differ between ranks. */
struct taint_pat {
    struct cs_pattern pat;
    int64_t size;
};
/* All such bytes of one object, in the order in which they were found; one may cover another. */
struct taint_obj {
    struct taint_pat *p;
    int n, cap;
};
struct cs_var_flow;

/* The state of the analysis. Arrays are by value, function, statement and object of the graph, whose numbers no longer
 * change; all marks only grow. */
struct var {
    struct cs_graph *g;
    struct cs_models *ms;
    struct cs_pts *pts;
    const struct cs_cdep *cdep;
    bool *value, *func, *result; /* values that may differ; functions that only some ranks run; whose results differ */
    bool **block;                /* of each function: blocks that only some ranks run, though all run the function */
    bool *jumps, *jumps_apart;   /* functions that may throw or longjmp; that do on some ranks only */
    struct taint_obj *objs;
    bool lost;           /* one of the objects that points-to has taken as one may differ */
    int64_t *lost_sizes; /* of places at which all of them may */
    int nlost_sizes, alost_sizes;
    struct cs_var_flow *flow;
    struct cs_ref *tainted; /* places that were made to differ; in `tainted_set` with the statement that did it */
    int ntainted, atainted;
    struct cs_pairset tainted_set;
    const struct cs_ref *asked; /* the one that is looked for there */
    int at;                     /* the statement that is being visited, -1: none */
    bool changed;
};

/* ---- variance.c ---- */
/* Does the collective, which writes one buffer, leave the same in it on all ranks, as far as is known now? */
bool cs_var_makes_equal(struct var *v, const struct cs_model *m);
/* May only some ranks run the statement, or ranks run it differently often? */
bool cs_var_some_ranks(struct var *v, int stmt);

/* ---- what is equal again (variance_flow.c) ---- */
struct cs_var_flow *cs_var_flow_new(struct var *v);
void cs_var_flow_free(struct cs_var_flow *f);
/* Remembers that statement v->at makes a place differ. True if new, and a collective may make the object equal. */
bool cs_var_note_write(struct var *v, int obj, struct cs_pattern pat, int64_t size);
/* The same of any place in each of the objects that points-to has taken as one. */
bool cs_var_note_lost_write(struct var *v, int64_t size);
/* Does every way to statement `at` pass a collective that makes the place equal, and no statement after it that lets
 * the place differ again? */
bool cs_var_equal_at(struct var *v, int at, int obj, struct cs_pattern pat, int64_t size);
/* Does the call read its inputs while it runs? Not so: nonblocking and persistent operations, and callbacks. */
bool cs_var_reads_now(const struct cs_model *m);
/* Is this always a communicator of all processes: MPI_COMM_WORLD or a duplicate? `depth` counts duplicates: begin with
 * 0. */
bool cs_var_whole_world(struct var *v, struct cs_operand comm, int depth);
/* May the collective match one that only some ranks call? Then ranks may take part in it from different call sites. */
bool cs_var_skewed(struct var *v, const struct cs_model *m);

#endif
