/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the section `.commslice` of an executable (docs/reference/slice-info.md) into tables.
 * A file without the section is not an error of reading: see cs_slice_read. */
#ifndef CS_SLICE_INFO_H
#define CS_SLICE_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "api/slice_section.h"

/* All records of a slice, each kind in a table. */
struct cs_slice_info {
    struct cs_slice_strings *strings; /* what all strings point into */
    const char *mode;                 /* "slice" or "original" */
    long total, kept;                 /* statements */
    const char *decided;              /* a number for all that was decided; NULL: an older slice, with its reasons */
    bool unordered;                   /* nothing in it shows what other ranks did first */
    struct cs_slice_func *func;
    struct cs_slice_site *site;
    struct cs_slice_opaque *opaque;
    struct cs_slice_assume *assume;
    const char **warn;
    struct cs_slice_step *step; /* these four are sorted by id */
    struct cs_slice_by *by;
    struct cs_slice_at *at;
    struct cs_slice_allocates *allocates;
    struct cs_slice_hold *hold; /* those that hold most first */
    struct cs_slice_stmt *stmt; /* sorted by id */
    struct cs_slice_counter *counter;
    struct cs_slice_loop *loop;
    size_t nfuncs, nsites, nopaques, nassumes, nwarns, nstmts, nsteps, nbys, nats, nallocates, nholds, ncounters,
        nloops;
};

/* Is the file an ELF file? */
bool cs_is_elf(const char *path);
/* 1: *s is filled in; 0: no ELF file, or it has no such section; -1: error, one-line reason in errbuf. */
int cs_slice_read(const char *path, struct cs_slice_info *s, char *errbuf, size_t errlen);
/* As above, but prints the error or the refusal; false then. */
bool cs_slice_need(const char *path, struct cs_slice_info *s);
/* Adds reasons, a text in the form of the section with lines `why`, `by` and `step`. 0; 1: they are of another decision
 * than the slice's; -1: the text is damaged, one-line reason in errbuf. */
int cs_slice_add_reasons(struct cs_slice_info *s, const void *text, size_t size, char *errbuf, size_t errlen);
void cs_slice_free(struct cs_slice_info *s);
const struct cs_slice_stmt *cs_slice_stmt(const struct cs_slice_info *s, int id);
/* The step, what a statement or step is needed by, the user's line of a statement; or NULL. */
const struct cs_slice_step *cs_slice_step(const struct cs_slice_info *s, int id);
const struct cs_slice_by *cs_slice_by(const struct cs_slice_info *s, int id);
const struct cs_slice_at *cs_slice_at(const struct cs_slice_info *s, int id);
/* The assumptions, one a line; free it. NULL if memory is short. */
char *cs_slice_assumptions(const struct cs_slice_info *s);
const char *cs_mark_name(int mark);

#endif
