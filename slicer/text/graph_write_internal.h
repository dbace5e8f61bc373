/* SPDX-License-Identifier: GPL-3.0-or-later
 * The writer of a graph's text form: functions and objects (graph_write.c), blocks and what is in them
 * (graph_write_stmt.c). Private to them. Nothing here fails: memory is taken by storage.h, and the caller looks at the
 * stream. */
#ifndef CS_GRAPH_WRITE_INTERNAL_H
#define CS_GRAPH_WRITE_INTERNAL_H

#include <stdio.h>
#include <uthash.h>

#include "slicer/graph/graph.h"

/* A name that an object has in the text. */
struct name_entry {
    char *name;
    int next; /* number to try for the next object that would have it: NAME.2, NAME.3 ... */
    UT_hash_handle hh;
};

/* A graph that is being written. The names and numbers of the text are its own; the graph stays as it is. */
struct writer {
    const struct cs_graph *g;
    FILE *out;
    char **obj_name;            /* by object: its name, which no other has in the text */
    struct name_entry *used;    /* all names, which own the texts of obj_name */
    int *value_num, next_value; /* by value: its number in its function, in order of appearance; -1: not met yet */
    int *value_read, nread;     /* by value: its number in a graph that is read from the text; -1: not met yet */
    int *stmt_num;              /* by statement: its number in order of appearance; -1: not written */
    int *first_local;           /* by function: the first object that is a local of it, -1 */
    int *next_local;            /* by object: the next local of the same function, -1 */
};

/* A name, in quotes where it must be; a text in the given quotes. */
void cs_write_name(struct writer *w, const char *s);
void cs_write_string(struct writer *w, const char *s, char quote);
void cs_write_value(struct writer *w, int v);
void cs_write_operand(struct writer *w, struct cs_operand op);
void cs_write_size(struct writer *w, int64_t size);
/* ` at FILE:LINE`, without what is the default. */
void cs_write_at(struct writer *w, int file, int line, int default_file);
void cs_write_block(struct writer *w, const struct cs_func *f, int bi);

#endif
