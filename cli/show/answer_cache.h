/* SPDX-License-Identifier: BSD-3-Clause
 * Answers that took long to find, in files of the user's cache folder: $XDG_CACHE_HOME/commslice, else
 * ~/.cache/commslice. Nothing here is an error: what cannot be kept is found again. */
#ifndef CS_ANSWER_CACHE_H
#define CS_ANSWER_CACHE_H

#include <stddef.h>

/* The name of an answer: a hash of what it follows from. */
struct cs_answer_key {
    char text[33];
};

/* Of a text of `size` bytes, a short one, and the program at `path`, as it is now, in this version of commslice. */
struct cs_answer_key cs_answer_key(const void *data, size_t size, const char *more, const char *path);
/* The answer, which the caller frees; NULL: it is not there, or the file is damaged. */
char *cs_answer_get(const struct cs_answer_key *key, size_t *size);
/* Keeps the answer; those that were not asked for the longest go if all are larger than CS_ANSWERS_MOST. */
void cs_answer_put(const struct cs_answer_key *key, const char *text, size_t size);

#define CS_ANSWERS_MOST ((size_t)64 << 20) /* bytes of files */

#endif
