/* SPDX-License-Identifier: GPL-3.0-or-later
 * Error codes that functions hand up: ways on which a function returns a number that is not 0, where each caller that
 * gets such a number comes to an error exit, or hands it up itself, to a return of main between MPI_Init and
 * MPI_Finalize. Such a way is an error exit, too. */
#ifndef CS_ERROR_RETURNS_H
#define CS_ERROR_RETURNS_H

#include "slicer/graph/graph.h"

/* Which edges return a code, and what became of it. good only grows. g and phase are the caller's. */
struct cs_error_returns {
    const struct cs_graph *g;
    const unsigned char *phase; /* by statement: cs_mpi_phase_compute() */
    unsigned char **edges;      /* by function and block: bit i is set if by edge i a number that is not 0 is returned;
                                 * NULL: by none */
    bool *carries;              /* by function: it may return such a number, its own or a callee's */
    bool *good;                 /* by function: the run may go on with such a number */
    struct cs_intlist from, by; /* function from[i] returns what it got from the call by[i] */
};

/* Of a call: may the run end well in it, or go on elsewhere, as behind an exception? By what is known so far. */
struct cs_call_leaves {
    bool (*may)(void *arg, int stmt);
    void *arg;
};

/* Finds the edges. The caller frees. */
struct cs_error_returns cs_error_returns_new(const struct cs_graph *g, const unsigned char *phase);
void cs_error_returns_free(struct cs_error_returns *e);
/* Does the edge return an error code with which no caller goes on, by what is known so far? */
bool cs_error_returns_by(const struct cs_error_returns *e, int func, int block, int edge);
/* The block behind the block, or CS_BLOCK_EXIT, if control can only go on there, save for exceptions. */
bool cs_error_returns_step(const struct cs_block *b, int *next);
/* One step of the fixpoint over callers. good[f][b]: block b of function f can reach a normal end, by what is known so
 * far; NULL: none can. True if something has grown. */
bool cs_error_returns_grow(struct cs_error_returns *e, bool *const *good, struct cs_call_leaves leaving);

#endif
