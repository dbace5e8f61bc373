/* SPDX-License-Identifier: BSD-3-Clause
 * The generator's state: what each step leaves for the next ones, and the text that they print. program/generate.c runs
 * the steps in order: loops, requests, division, barriers, gap lists (all in plan/), then the body (emit/). */
#ifndef CS_SKELETON_GEN_H
#define CS_SKELETON_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "skeleton/prelude/prelude_parts.h"
#include "skeleton/skeleton.h"

/* The list of recorded gaps before a node's symbol, used in place of their mean (plan/gap_lists.c).
 * seconds[]: | rank 0: 0 1 ... n-1 | rank 1: 0 1 ... n-1 | ...; a rank takes one number at each occurrence, in order,
 * and goes on with number `back` after the last one. */
struct cs_gen_gaps {
    int64_t n, back; /* 0 <= back <= n; n == 0: no list, each gap is as long as the mean */
    double *seconds;
    double *entry; /* of each class: seconds before the loop that begins with the symbol, taken out of the list; NULL:
                      nothing was taken out */
    bool turns;    /* the program has a variable g<node>, which holds the number of the next gap */
};

/* A table of the generated program: "static TYPE NAME[DIMS] = TEXT;". */
struct cs_gen_table {
    const char *name, *type, *text;
};

/* Arrays "of each node" are indexed like m->node[], those "of each class", "of each type" like m->cls[], m->type[]. */
struct cs_gen {
    const struct cs_merged *m;
    const struct cs_skeleton_options *o;
    struct cs_skeleton_report report;
    int64_t *count;    /* of each node: iterations in the skeleton; a loop that has fewer than in m is "divided" */
    int32_t *parent;   /* of each node: the loop around it, -1: none */
    bool *counts_node; /* of each node: the program counts its occurrences, in k<node> */
    bool *deferred;    /* of each symbol's node: calls such as MPI_Waitany, which do not record the request that they
                          complete, complete what it starts */
    bool *open_at;     /* of each loop: requests are open when it is entered */
    bool *together;    /* of each node: all ranks come there while no message or collective is incomplete; of a loop:
                          at its end, too */
    int64_t **kept_node, *nkept_node; /* of each class: the nodes that made its persistent requests, and their number */
    bool errors_return; /* a communicator's constructor made none on any rank: it may have failed in the original, which
                           went on, so the program sets MPI_ERRORS_RETURN */
    bool has_deferred, wildcards, uses_flag;
    bool computes;
    struct cs_gen_gaps *gaps; /* of each node; NULL: none vary */
    FILE *body, *tables;
    struct cs_gen_table *table;
    size_t ntables, tables_cap;
    char **text; /* owns all strings of cs_gen_text */
    size_t ntexts, texts_cap;
    bool need[CS_NEED_COUNT_];   /* parts of the prelude that the program uses */
    bool *type_named, *op_named; /* of each type, of each predefined operation: the program has a variable for it */
    bool null_named;             /* the program has a variable for MPI_DATATYPE_NULL */
    int type_parts;              /* intermediate datatypes that the program makes: part[0], part[1], ... */
    int64_t requests, kept, messages; /* how far back a call refers to a request; persistent requests of a rank;
                                         how far back a call refers to a probed message */
    /* bytes of the largest message at its sender, at its receiver, of the largest buffered one; calls that send
     * buffered; neighbours of a rank in a topology, at most */
    int64_t send_bytes, recv_bytes, bsend_bytes, bsends, degree;
    int64_t *value; /* scratch: a value of each rank; defined where here[] is true */
    bool *here;     /* scratch: the ranks that make the call in question */
    char *errbuf;
    size_t errlen;
    bool failed;
};

/* Returns the formatted string, which lives as long as g. Never NULL; on failure "", and g->failed is set. */
const char *cs_gen_text(struct cs_gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sets g->failed and puts the reason into g->errbuf, if there is none yet. Returns -1. */
int cs_gen_refuse(struct cs_gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints a line to the body, indented by 4 * depth. */
void cs_gen_line(struct cs_gen *g, int depth, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Returns the name of a table "static <type><name>_<number><dims> = <text>;": of one that has the same type and text,
 * else of a new one. Example: type "const int ", name "dest", dims "[2]", text "{1, 0}". */
const char *cs_gen_table(struct cs_gen *g, const char *name, const char *type, const char *dims, const char *text);

/* Text that is printed piece by piece, between cs_gen_begin and cs_gen_end. */
struct cs_gen_memory {
    FILE *out;
    char *text;
    size_t len;
};
/* Returns the stream to print to; NULL, with g->failed set, if memory is out. */
FILE *cs_gen_begin(struct cs_gen *g, struct cs_gen_memory *m);
/* Closes the stream and returns what was printed, as a string of g; "", with g->failed set, if memory is out. */
const char *cs_gen_end(struct cs_gen *g, struct cs_gen_memory *m);

#endif
