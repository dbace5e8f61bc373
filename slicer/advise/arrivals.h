/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which writes of a place in memory can arrive at a read of it: those from which control can come to the read, by calls
 * and returns that match (Reps, Horwitz and Sagiv, "Precise interprocedural dataflow analysis via graph reachability",
 * 1995), with the settings with which the read runs, and on a way on which nothing else replaces what they wrote. For
 * people who ask why something is kept: of an array, a loop that writes it with no condition but its own, by itself or
 * by a call, is taken to replace all of it, which is only likely. */
#ifndef CS_ARRIVALS_H
#define CS_ARRIVALS_H

#include "slicer/advise/constant_calls.h"
#include "slicer/advise/once.h"
#include "slicer/advise/same_turn.h"
#include "slicer/advise/settings.h"
#include "slicer/control/control_dependence.h"
#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* What is known of a graph, of one place in it, and of one read of that. Blocks are numbered through the program:
 * first[function] + block. What has the number of the place in `place`, or of the read in `read`, is so for it. */
struct cs_arrivals {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    struct cs_settings *settings; /* NULL: none are known */
    int nblocks, *first, *func;   /* func: of a block */
    int *at;                      /* of a statement: its place in its block, -1 */
    struct cs_intlist *preds, *callers;
    char *calls;          /* block: it calls functions with a body */
    unsigned char *never; /* block, bit i: control never goes by edge i, bit 7: nor comes there (never_stored.h) */
    struct cs_once once;
    struct cs_same_turn *turns;
    struct cs_constant_calls constants;
    struct cs_cdep *cdep;
    bool *cdep_known, **inside;    /* inside: by block, on first use, the blocks of the loop that it ends */
    struct cs_intlist *loop_calls; /* by block, if loop_known: the calls in the loop that it ends */
    bool *loop_known;
    /* the place */
    int place, obj;
    bool single, exact, own; /* own: it is a variable of a function that may call itself, which has one each time */
    struct cs_intlist writers;
    int *is_writer, *replaces, *for_call, *loop_end, *has_writer, *may_kill, *killers; /* by statement, block, function;
                                 killers: negative if it does so for whoever calls it */
    int *fill_end, *fill_by;  /* by block: it ends a loop that replaces what pointers made from this one mean */
    struct cs_intlist covers; /* in pairs: a block that ends the outermost loop round a store, and that store */
    int *has_cover;           /* by block: it is in `covers` */
    int *alike;               /* of each value, as in struct cs_rewritten */
    /* the read */
    int read, with; /* with: the settings with which it runs */
    int key;        /* of the place and these settings: what has it is so for both */
    struct cs_shut_edges {
        int with;
        unsigned char *edges; /* of a block, bit i: control cannot go by edge i, bit 7: nor come there */
    } * shut;                 /* so far as asked for */
    int nshut, ashut;
    const unsigned char *closed; /* shut[].edges of `with`, NULL: all are open */
    int *must[2]; /* by function: whether it replaces the place in any case, for whoever calls it, or for some calls */
    bool any;
    int *up, *down, *passed, *entered, *reached, *left, *loop_passed, *begun, *active;
    struct cs_intlist work;
    struct cs_intlist asked;    /* the statements that read */
    struct cs_intlist deeper;   /* further ones that do, in functions that are called there, and the calls that lead to
                                   them: for whoever is asked about a read next */
    int by;                     /* the pointer from which that of the one that reads is made, -1 */
    int *stops;                 /* by statement: what is read was stored there in the same turn */
    int one;                    /* the statement that reads, if it is one, -1 */
    int start;                  /* the function that is walked first, -1 */
    struct cs_intlist at_first; /* statements of that one, or of who calls it, where the walk up begins */
    bool came_out;              /* to its beginning */
    bool asked_inside;          /* all that reads is in the function of a place that is `own` */
    int64_t effort;             /* blocks that were passed */
    /* Does the loop round the store write all that the load reads? NULL: it is not known. */
    bool (*cover)(void *arg, int store, int load);
    void *arg;
};

void cs_arrivals_start(struct cs_arrivals *a, const struct cs_graph *g, const struct cs_need_flow *flow,
                       struct cs_settings *settings);
void cs_arrivals_free(struct cs_arrivals *a);
/* From now on it is about this place, that nobody writes yet. exact: it is one variable or member. */
void cs_arrivals_place(struct cs_arrivals *a, int obj, bool exact);
/* What a loop round a statement may write: a part of the place; all of what its pointer means, which may be another
 * object, too; all of it. */
enum cs_loop_writes { CS_LOOP_WRITES_PART, CS_LOOP_WRITES_POINTED, CS_LOOP_WRITES_WHOLE };
/* The statement writes it. replaces: all of it; calls: of its function, for which it does, n of them, or n = 0: all. */
void cs_arrivals_writer(struct cs_arrivals *a, int stmt, bool replaces, enum cs_loop_writes loop, const int *calls,
                        int n);
/* From now on it is about a read of the place at these statements; call >= 0: if they run for this call of their
 * function. False: what is there at the read is not known. */
bool cs_arrivals_read(struct cs_arrivals *a, const int *stmts, int n, int call);
/* Can what the statement writes be there at the read? */
bool cs_arrives(const struct cs_arrivals *a, int stmt);
/* Can the call have begun before the read? */
bool cs_arrives_by(const struct cs_arrivals *a, int call);

#endif
