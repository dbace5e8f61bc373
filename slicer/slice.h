/* SPDX-License-Identifier: GPL-3.0-or-later
 * The slicer's front door: a program graph in, decisions on its statements out.
 * A statement is kept if its value can reach a communication variable through data, control, memory, calls or messages;
 * everything else may go: LIVE propagation, as in FACT (SC 2009; docs/glossary.md). */
#ifndef CS_SLICER_SLICE_H
#define CS_SLICER_SLICE_H

#include "slicer/alike/alike.h"
#include "slicer/model/effects.h"
#include "slicer/graph/graph.h"
#include "slicer/graph/learnt.h"
#include "slicer/live/needs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Million steps of points-to, about a minute; C programs need less than 10, most C++ programs less than 100. Beyond
 * them everything is kept. */
#define CS_BUDGET_DEFAULT 300
#define CS_BUDGET_MOST 1000000
#define CS_BUDGET_NONE (-1)    /* follow no pointers: everything is kept */
#define CS_BUDGET_AT_ONCE (-2) /* take as one what can be from the start, and tell next to nothing apart */
#define CS_BUDGET_WIDE (-3)    /* as soon as pointers lose their way, take all as one that has lost it */

/* Test only: a fault that is wanted. */
struct cs_drop {
    int stmt;    /* leave out kept statement n of test_drop.h (-1: none) */
    int mark;    /* leave out mark n (-1: none) */
    bool poison; /* what a call without its mark would have received is poison */
};

/* Which counters are kept. None may bring back a message's content. */
enum cs_count_how {
    CS_COUNT_CHEAP, /* those that cost next to nothing */
    CS_COUNT_SETUP, /* and those that the set-up of the program decides, whatever that costs */
    CS_COUNT_ALL    /* and those that what it computes while it communicates decides */
};

/* What the caller of cs_slice() wants. All zero: a slice for normal runs. */
struct cs_slice_options {
    bool keep_errors;                                  /* error exits are roots too */
    void (*choose_drop)(void *arg, struct cs_drop *d); /* called once LIVE is known; NULL: no fault */
    void *arg;
    const char *counter; /* function that counts: its calls are kept where they cost next to nothing; NULL: none */
    enum cs_count_how count_how;
    bool mode_is_given; /* the link sets how the processor rounds */
    int budget;         /* million steps of points-to; 0: CS_BUDGET_DEFAULT; or CS_BUDGET_NONE, _AT_ONCE, _WIDE */
    bool repeats;       /* look for loops whose turns are alike; `stateful` as in cs_alike_find() */
    const bool *stateful;
    struct cs_needs *needs;   /* where to note what needs what, NULL: nowhere; begins zeroed, the caller frees it */
    struct cs_learnt *learnt; /* NULL: none; see cs_decide() */
};

/* What a user should know; severity 0 note, 1 warning, 2 refused. file: a string of the graph; line 0: of no place. */
struct cs_message {
    int severity;
    int file;
    int line;
    char *text;
};

/* A call (statement) of a function without information. */
struct cs_opaque {
    int func, stmt;
};

/* What cs_slice() has found, beside its decisions in the graph. Messages and calls are in the order in which they were
 * found; their arrays and texts are freed by cs_slice_result_free(). */
struct cs_slice_result {
    int nmessages;
    struct cs_message *messages;
    int nopaques;
    struct cs_opaque *opaques;  /* each pair of function and line once */
    int nsites;                 /* MPI events get numbers 0.. in order of their statements */
    int kept, total;            /* original statements: those kept in any clone, all */
    int drop_stmts, drop_marks; /* how many there are for a cs_drop to choose from */
    int unread;                 /* calls that write files which nothing reads, as the user says */
    int nuncounted, *uncounted; /* calls of `counter` that are not kept, though the program may come there */
    struct cs_alike_loops alike;
    int dropped;    /* the statement that was left out, -1 */
    int64_t steps;  /* of points-to */
    bool kept_all;  /* they were too many */
    bool unordered; /* no kept call shows, nor file, what other ranks did first */
};

/* Decides every statement of g (fields keep, why, parent, mark, site, arg_null, drop_result; block field take; function
 * field needed). 0, or -1 if the program is refused: see the messages of severity 2. */
int cs_slice(struct cs_graph *g, const struct cs_effects *fx, const struct cs_slice_options *opt,
             struct cs_slice_result *res);
void cs_slice_result_free(struct cs_slice_result *res);

#ifdef __cplusplus
}
#endif
#endif
