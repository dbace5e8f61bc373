/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a recorded run always did, as assumptions that are made together. */
#ifndef CS_UNCHANGED_H
#define CS_UNCHANGED_H

#include <stdbool.h>

/* Assumptions, n of them in `text`, the list's own. */
struct cs_unchanged {
    int n;
    char **text;
};

/* Those that the hints tell: "cg.c:83=never" and "=always"; with `values` "halo.c:40:count=12" and other expressions,
 * "cg.c:83=12" and "cg.c:90=when(...)", too. */
struct cs_unchanged cs_unchanged_new(char *const *hints, bool values);
/* A list of its own of those that are marked in `in`. */
struct cs_unchanged cs_unchanged_part(const struct cs_unchanged *of, const bool *in);
void cs_unchanged_free(struct cs_unchanged *t);
/* Are both about the same line, or the same value? */
bool cs_unchanged_same_place(const char *a, const char *b);

#endif
