/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the generator share. Private to skeleton/. Order of the steps: loops, requests, plan (trip counts),
 * nest (the program's body, by way of call and values), then types, comms and the head of the file, once it is known
 * what the body needs. */
#ifndef CS_SKELETON_GEN_H
#define CS_SKELETON_GEN_H

#include "trace/format/fields.h"
#include "skeleton/skeleton.h"

/* Parts of prelude.c that the program uses, in their order there. */
enum cs_need {
    CS_NEED_CLOCK,
    CS_NEED_TOGETHER,
    CS_NEED_WORK,
    CS_NEED_TURN,
    CS_NEED_WORK_OUTSIDE,
    CS_NEED_CLASS,
    CS_NEED_COMM,
    CS_NEED_PEER,
    CS_NEED_GROUP,
    CS_NEED_REQUEST,
    CS_NEED_KEPT,
    CS_NEED_WHICH,
    CS_NEED_NEW_REQUEST,
    CS_NEED_NEW_KEPT,
    CS_NEED_SKIP,
    CS_NEED_STATUSES,
    CS_NEED_WAITALL,
    CS_NEED_STARTALL,
    CS_NEED_LATER,
    CS_NEED_ADD_LATER,
    CS_NEED_NEW_LATER,
    CS_NEED_START_LATER,
    CS_NEED_OFFER,
    CS_NEED_WAITANY,
    CS_NEED_WAITSOME,
    CS_NEED_TESTALL,
    CS_NEED_TESTANY,
    CS_NEED_TESTSOME,
    CS_NEED_MESSAGE,
    CS_NEED_DISPLS,
    CS_NEED_DISPLS_W,
    CS_NEED_AINTS_W,
    CS_NEED_TYPES_W,
    CS_NEED_USER_OP,
    CS_NEED_ROOM,
    CS_NEED_COUNT_
};

/* Gaps before a node's symbol that vary (vary.c). */
struct cs_gen_gaps {
    int64_t n,
        back; /* places of the list; the one that follows the last; n == 0: no list, each is as long as the mean */
    double *seconds; /* of rank r at place i: [r * n + i] */
    double *entry; /* of each class: seconds on entering the loop that begins with the symbol, in no place of the list;
                      NULL: none */
    bool turns;    /* the program has a variable g<node> for the place */
};

struct cs_gen_table {
    const char *name, *type, *text;
};

struct cs_gen {
    const struct cs_merged *m;
    const struct cs_skeleton_options *o;
    struct cs_skeleton_report report;
    int64_t *count;    /* of each node: repetitions in the skeleton */
    int32_t *parent;   /* of each node: the loop around it, -1: none */
    bool *counts_node; /* of each symbol's node: the program counts how often it was there, k<node> */
    bool *later;       /* of each symbol's node: what it starts is completed by a call that does not say which */
    bool *open_at;     /* of each loop: it is entered while requests are open */
    bool *together;    /* of each node: all ranks come there, and nothing is under way; of a loop: where it ends, too */
    int64_t **kept_node, *nkept_node; /* of each class: the nodes that made its persistent requests */
    bool errors_return; /* a call that makes a communicator made none on any rank: it may have failed, and the program
                           went on */
    bool has_later, wildcards, uses_flag;
    bool computes;
    struct cs_gen_gaps *gaps; /* of each node; NULL: none vary */
    FILE *body, *tables;
    struct cs_gen_table *table;
    size_t ntables, tables_cap;
    char **text; /* all strings of cs_gen_text */
    size_t ntexts, texts_cap;
    bool need[CS_NEED_COUNT_];
    bool *type_named, *op_named; /* of each type, of each predefined operation: the program has a variable for it */
    bool null_named;             /* so has MPI_DATATYPE_NULL */
    int type_parts;              /* steps in making types */
    int64_t requests, kept, messages; /* room for them */
    int64_t send_bytes, recv_bytes, bsend_bytes, bsends, degree;
    int64_t *value; /* scratch: of each rank */
    bool *here;     /* scratch: of each rank */
    char *errbuf;
    size_t errlen;
    bool failed;
};

/* ---- text ---- */

/* A string that lives as long as g. Never NULL; on failure "" and g->failed. */
const char *cs_gen_text(struct cs_gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fails with a reason; returns -1. The first reason stays. */
int cs_gen_refuse(struct cs_gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Indents, then prints, to the body. */
void cs_gen_line(struct cs_gen *g, int depth, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- a symbol with its arguments ---- */

struct cs_gen_part {
    const struct cs_merged_record *r;
    int at[CS_MPI_MAX_ARGS]; /* first field of the argument's values; -1: not recorded */
    int n[CS_MPI_MAX_ARGS];  /* elements of an array; 1 */
};

struct cs_gen_call {
    int64_t node;
    const struct cs_merged_symbol *l; /* the first of a cycle */
    const struct cs_mpi_call *call;
    int nvariants;            /* symbols of the cycle; 1 */
    struct cs_gen_part *part; /* l->nparts for each variant */
};

/* 0, or -1 and the reason is set. */
int cs_gen_call_open(struct cs_gen *g, int64_t node, struct cs_gen_call *c);
void cs_gen_call_close(struct cs_gen_call *c);

/* ---- values ---- */

/* Element `i` of an argument on all ranks that make the call, in one symbol of the cycle: sets g->value and g->here. */
void cs_gen_spread(struct cs_gen *g, const struct cs_gen_call *c, int variant, int arg, int i);
/* C text of a scalar argument: a literal, a rule, or an element of a table. */
const char *cs_gen_scalar(struct cs_gen *g, const struct cs_gen_call *c, int arg);
/* C text of an array argument; "NULL" if it is empty everywhere. */
const char *cs_gen_array(struct cs_gen *g, const struct cs_gen_call *c, int arg);
/* The number of elements of an array argument, and the highest anywhere. */
const char *cs_gen_length(struct cs_gen *g, const struct cs_gen_call *c, int arg);
int cs_gen_longest(const struct cs_gen_call *c, int arg);
/* C text of what is in g->value where g->here, as role would have it. */
const char *cs_gen_pick(struct cs_gen *g, enum cs_role role, const char *name);
/* C text of a condition: true on the ranks of g->here with a value other than 0. */
const char *cs_gen_condition(struct cs_gen *g, const char *name);
/* C text of a condition: where and when a collective's buffer `own` was MPI_IN_PLACE, `other` being its other one; "0":
 * never. */
const char *cs_gen_in_place(struct cs_gen *g, const struct cs_gen_call *c, int own, int other);
/* "gap_3[cls]" or a literal for seconds by class; "0" if all are 0. */
const char *cs_gen_seconds(struct cs_gen *g, const double *by_class, const bool *in);
/* Adds a table if there is none like it; its name. `text` is all between '=' and ';', `type` what is before the name,
 * `dims` behind it. */
const char *cs_gen_table(struct cs_gen *g, const char *name, const char *type, const char *dims, const char *text);

/* ---- definitions ---- */

/* The identifier of a communicator, such as WORLD_0. */
const char *cs_gen_comm_name(struct cs_gen *g, int64_t comm);
/* Text of a datatype: MPI_INT, or a variable. */
const char *cs_gen_type_name(struct cs_gen *g, int64_t type);
/* Name of MPI for a signature that is one basic type, or NULL. */
const char *cs_gen_basic_type(struct cs_gen *g, const struct cs_type_def *t);
const char *cs_gen_op_name(struct cs_gen *g, int64_t op);
/* Address of a variable that holds a datatype or an operation: what a table of them has, as they are known only when
 * the program runs. */
const char *cs_gen_type_address(struct cs_gen *g, int64_t type);
const char *cs_gen_op_address(struct cs_gen *g, int64_t op);
/* Enumeration of the communicators; declarations of types and operations; the functions that make and free them. */
void cs_gen_write_comms(struct cs_gen *g, FILE *out);
void cs_gen_write_definitions(struct cs_gen *g, FILE *out);
/* Are there any to make? Known once the whole nest is written. Are there, as far as the trace says, any that are to be
 * freed? */
bool cs_gen_has_definitions(struct cs_gen *g);
bool cs_gen_frees_definitions(struct cs_gen *g);

/* ---- computation ---- */

/* Time before a symbol's part, in seconds: what each occurrence has, and what it has more when a loop is entered that
 * begins with it. */
struct cs_gen_split {
    double inside, outside;
};
struct cs_gen_split cs_gen_split(const struct cs_gen *g, int64_t node, int part);

/* ---- steps ---- */

/* Sets parent[], and count[] as in the original. */
int cs_gen_loops(struct cs_gen *g);
/* Sets later[], open_at[], kept_node[] and the room for requests and messages. */
int cs_gen_requests(struct cs_gen *g);
/* Sets count[]. */
int cs_gen_plan(struct cs_gen *g);
/* Sets together[]. */
int cs_gen_together(struct cs_gen *g);
/* Sets gaps[]. */
int cs_gen_vary(struct cs_gen *g);
/* Frees it. */
void cs_gen_vary_end(struct cs_gen *g);
/* C text of the seconds before the next occurrence of the node's symbol, on each rank; NULL if it has no list. */
const char *cs_gen_varied(struct cs_gen *g, int64_t node);
/* An iteration of the loop completes the requests that it makes, and no others. */
bool cs_gen_requests_closed(struct cs_gen *g, int64_t loop);
/* Room that the buffers of a call need. */
void cs_gen_buffers(struct cs_gen *g, const struct cs_gen_call *c);
/* The call, as one or more lines of the body. */
int cs_gen_call(struct cs_gen *g, const struct cs_gen_call *c, int depth);
int cs_gen_nest(struct cs_gen *g);

/* ---- asking ---- */

/* The loop itself is divided. */
bool cs_gen_is_divided(const struct cs_gen *g, int64_t node);
/* A loop around the node is. */
bool cs_gen_in_divided(const struct cs_gen *g, int64_t node);

#endif
