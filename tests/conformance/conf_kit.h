/* SPDX-License-Identifier: BSD-3-Clause
 * What every family of conformance cases is linked with: runs the cases of a family one after the other, writes each
 * rank's lines to a file of its own, and counts what a case itself finds wrong. docs/developers/conformance.md says how
 * to add a case. */
#ifndef CS_CONFORMANCE_KIT_H
#define CS_CONFORMANCE_KIT_H

#include <mpi.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

/* In MPI_COMM_WORLD. */
extern int rank, size;

struct conf_case {
    const char *name;
    void (*run)(void);
};
#define CASE(function) \
    { \
#function, function \
    }
#define END_OF_CASES \
    { \
        0, 0 \
    }

/* Each family has this table. All ranks run each case. */
extern const struct conf_case conf_cases[];

/* A line of this rank's output; it must be the same under every engine. Text as for printf, without a newline. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with n numbers after a label. */
void say_ints(const char *label, const int *values, int n);
void say_doubles(const char *label, const double *values, int n);

/* What the standard demands: if it does not hold, the case fails, whichever engine it is. */
#define CHECK(condition) conf_check(!!(condition), #condition, __FILE__, __LINE__)
void conf_check(int ok, const char *what, const char *file, int line);

/* Error class of a return code. */
int class_of(int code);
/* Waits, without an event of the trace, until a request is complete; the request stays as it is. */
void until_complete(MPI_Request request);
/* All requests of MPI_COMM_WORLD up to here are done on all ranks: nothing is on its way after it. */
void meet(void);

/* For main programs in Fortran (kit.f90): is the case of this name to be run now? Ends the case before. */
int conf_begin(const char *name);
void conf_end(void);

#endif
