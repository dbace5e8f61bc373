/* SPDX-License-Identifier: BSD-3-Clause
 * Writes JSON to a stream as it goes, so that a trace of any length needs no memory.
 * It writes the commas; the caller balances the brackets. */
#ifndef CS_JSON_H
#define CS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A JSON text as far as it is written to `out`. */
struct cs_json {
    FILE *out;
    bool need_comma; /* before what comes next */
};

/* key is the member's name inside an object, and NULL inside an array and at the top. */
void cs_json_open(struct cs_json *j, const char *key, char bracket);    /* '{' or '[' */
void cs_json_close(struct cs_json *j, char bracket);                    /* '}' or ']' */
void cs_json_string(struct cs_json *j, const char *key, const char *s); /* NULL gives null */
void cs_json_int(struct cs_json *j, const char *key, int64_t v);
void cs_json_bool(struct cs_json *j, const char *key, bool v);
/* A number with twelve digits; null for what is none. */
void cs_json_real(struct cs_json *j, const char *key, double v);
/* A number as it is written already. */
void cs_json_raw(struct cs_json *j, const char *key, const char *number);
void cs_json_null(struct cs_json *j, const char *key);
/* Ends the top-level value with a newline. */
void cs_json_end(struct cs_json *j);

#endif
