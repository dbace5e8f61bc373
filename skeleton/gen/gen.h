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

/* Recorded gaps before a node's symbol, in place of their mean (plan/gap_lists.c).
 * seconds[]: | rank 0: 0 1 ... n-1 | rank 1: 0 1 ... n-1 | ...; after the last one comes number `back` again. */
struct cs_gen_gaps {
    int64_t n, back; /* 0 <= back <= n; n == 0: no list, each gap is as long as the mean */
    double *seconds;
    double *entry; /* of each class: seconds on entering the loop that begins with the symbol, which the list does not
                      have; NULL: none */
    bool turns;    /* the program has a variable g<node>: the number of the next gap */
};

/* A table of the program: static TYPE NAME... = TEXT; */
struct cs_gen_table {
    const char *name, *type, *text;
};

/* Arrays "of each node" are indexed like m->node[], those "of each class", "of each type" like m->cls[], m->type[]. */
struct cs_gen {
    const struct cs_merged *m;
    const struct cs_skeleton_options *o;
    struct cs_skeleton_report report;
    int64_t *count;    /* of each node: repetitions in the skeleton; a loop that differs from the original is divided */
    int32_t *parent;   /* of each node: the loop around it, -1: none */
    bool *counts_node; /* of each node: the program counts its occurrences, in k<node> */
    bool *deferred;    /* of each symbol's node: what it starts is completed by a call that does not say which */
    bool *open_at;     /* of each loop: it is entered while requests are open */
    bool *together;    /* of each node: all ranks come there, and nothing is under way; of a loop: where it ends, too */
    int64_t **kept_node, *nkept_node; /* of each class: the nodes that made its persistent requests, and their number */
    bool errors_return; /* a call that makes a communicator made none on any rank: it may have failed, and the program
                           went on */
    bool has_deferred, wildcards, uses_flag;
    bool computes;
    struct cs_gen_gaps *gaps; /* of each node; NULL: none vary */
    FILE *body, *tables;
    struct cs_gen_table *table;
    size_t ntables, tables_cap;
    char **text; /* owns all strings of cs_gen_text */
    size_t ntexts, texts_cap;
    bool need[CS_NEED_COUNT_];
    bool *type_named, *op_named; /* of each type, of each predefined operation: the program has a variable for it */
    bool null_named;             /* so has MPI_DATATYPE_NULL */
    int type_parts;              /* steps in making types */
    int64_t requests, kept, messages; /* room for them */
    int64_t send_bytes, recv_bytes, bsend_bytes, bsends, degree;
    int64_t *value; /* scratch: of each rank; of use where here[] is true */
    bool *here;     /* scratch: of each rank */
    char *errbuf;
    size_t errlen;
    bool failed;
};

/* A string that lives as long as g. Never NULL; on failure "" and g->failed. */
const char *cs_gen_text(struct cs_gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fails with a reason; returns -1. The first reason stays. */
int cs_gen_refuse(struct cs_gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Indents, then prints, to the body. */
void cs_gen_line(struct cs_gen *g, int depth, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Adds a table if there is none like it; its name. `text` is all between '=' and ';', `type` what is before the name,
 * `dims` behind it. */
const char *cs_gen_table(struct cs_gen *g, const char *name, const char *type, const char *dims, const char *text);

/* Text that is put together piece by piece. */
struct cs_gen_memory {
    FILE *out;
    char *text;
    size_t len;
};
/* The stream to write to; NULL if memory is out, and g has failed. */
FILE *cs_gen_begin(struct cs_gen *g, struct cs_gen_memory *m);
/* Ends the stream: what was written, as a string of g; "" if memory is out. */
const char *cs_gen_end(struct cs_gen *g, struct cs_gen_memory *m);

#endif
