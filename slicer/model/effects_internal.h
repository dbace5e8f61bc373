/* SPDX-License-Identifier: GPL-3.0-or-later
 * The parser of the effects table: rows and the table (effects.c), and the tokens of a row (effects_token.c). Private
 * to them. Each function returns 0, or -1 with a message that names file and line. */
#ifndef CS_EFFECTS_INTERNAL_H
#define CS_EFFECTS_INTERNAL_H

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(row) cs_effects_oom_in_hash(row)
#include <uthash.h>

#include "slicer/model/effects.h"

/* A row of the table, and how it is stored there. */
struct row {
    struct cs_effect e; /* first, so that a row is its effect */
    int aops;           /* room in e.ops */
    UT_hash_handle hh;
};

/* The line that is being parsed, from 1, and where its first error goes. */
struct parser {
    const char *file;
    int line;
    const char *token; /* the whole token, for messages */
    struct row *row;
    char *err;
    size_t errlen;
};

/* uthash calls this with the row that could not be added; the caller sees that hh.tbl is null. */
static inline void cs_effects_oom_in_hash(void *row)
{
    ((struct row *)row)->hh.tbl = NULL;
}

/* Writes the message behind file and line. Returns -1. */
__attribute__((format(printf, 2, 3))) int cs_effects_fail(const struct parser *p, const char *fmt, ...);

/* Adds what the token p->token says to p->row. */
int cs_effects_parse_token(const struct parser *p);

#endif
