/* SPDX-License-Identifier: GPL-3.0-or-later
 * A tiny interpreter of program graphs: the oracle of the points-to analysis and of the slicer.
 * One rank that sends to itself. Undefined values are tracked, so a slice that uses what was cut is noticed, not
 * forgiven. */
#ifndef CS_TESTS_SLICER_INTERP_H
#define CS_TESTS_SLICER_INTERP_H

#include "slicer_kit.h"

enum interp_kind { IV_UNDEF, IV_INT, IV_PTR, IV_FUNC };
struct interp_val {
    enum interp_kind kind;
    int64_t n;           /* INT: value; FUNC: function */
    int inst;            /* PTR: instance of an object */
    int64_t off, lo, hi; /* PTR: offset, and the subobject that it may move in */
};

struct interp;
/* Called for every value that a statement defines. */
typedef void interp_fn(void *arg, struct interp *it, int stmt, struct interp_val v);

/* sliced: follow the decisions of cs_slice: run only what is kept. */
struct interp *interp_new(const struct cs_graph *g, bool sliced, interp_fn *fn, void *arg);
/* Runs function main. NULL, or why the run ended early: undefined behaviour, an endless loop, deadlock. */
const char *interp_run(struct interp *it, int64_t argc);
/* All communication calls with what a trace records of them, a line each. */
const char *interp_trace(const struct interp *it);
/* What an instance is: the graph's object, and for the heap the call that made it (else -1). */
int interp_obj(const struct interp *it, int inst);
int interp_maker(const struct interp *it, int inst);
/* Of the calls that led to the one that made it, the last, the one before, ...; -1. */
#define INTERP_CALLS 4
int interp_call(const struct interp *it, int inst, int up);
void interp_free(struct interp *it);

/* A random program that is correct more often than not, as text. The caller frees. */
char *random_program(uint64_t seed);

#endif
