/* SPDX-License-Identifier: GPL-3.0-or-later
 * The writer of a graph's text form: functions and objects (graph_write.c), blocks and what is in them
 * (graph_write_stmt.c). Private to them. Nothing here fails: memory is taken by storage.h, and the caller looks at the
 * stream. */
#ifndef CS_GRAPH_WRITE_INTERNAL_H
#define CS_GRAPH_WRITE_INTERNAL_H

#include <stdio.h>
#include <uthash.h>

#include "slicer/graph/graph.h"

struct name_entry {
    char *name;
    int next;
    UT_hash_handle hh;
}; /* next: number to try for the next object of that name */

struct writer {
    const struct cs_graph *g;
    FILE *out;
    char **obj_name; /* unique in the text */
    struct name_entry *used;
    int *value_num, next_value;    /* numbers in the current function, in order of appearance; -1 */
    int *stmt_num;                 /* in order of appearance; -1: not written */
    int *first_local, *next_local; /* locals of each function */
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
