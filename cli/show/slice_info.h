/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the section `.commslice` of an executable (docs/reference/slice-info.md) into tables.
 * A file without the section is not an error of reading: see cs_slice_read. */
#ifndef CS_SLICE_INFO_H
#define CS_SLICE_INFO_H

#include <stdbool.h>
#include <stddef.h>

enum cs_reason_kind {
    CS_WHY_NONE,
    CS_WHY_ROOT,
    CS_WHY_DATA,
    CS_WHY_MEMORY,
    CS_WHY_CONTROL,
    CS_WHY_CALL,
    CS_WHY_RETURN,
    CS_WHY_PARAM,
    CS_WHY_MESSAGE,
    CS_WHY_EXIT,
    CS_WHY_OPAQUE,
    CS_WHY_OTHER
};

struct cs_slice_func {
    const char *name, *file;
    int line;
    long total, kept;
};
struct cs_slice_site {
    int id;
    const char *file;
    int line;
    const char *func, *call;
    int mark;
};
struct cs_slice_place {
    const char *name, *file;
    int line;
};
struct cs_slice_assume {
    const char *text;
    int stmt;
};
struct cs_slice_stmt {
    int id, func;
    const char *file;
    int line;
    bool kept;
    enum cs_reason_kind kind;
    const char *kind_name;
    int parent;
    const char *text;
};

struct cs_slice_info {
    char *text;       /* what all strings point into */
    const char *mode; /* "slice" or "original" */
    long total, kept;
    struct cs_slice_func *func;
    struct cs_slice_site *site;
    struct cs_slice_place *opaque;
    struct cs_slice_assume *assume;
    const char **warn;
    struct cs_slice_stmt *stmt; /* sorted by id */
    size_t nfuncs, nsites, nopaques, nassumes, nwarns, nstmts;
};

/* Is the file an ELF file? */
bool cs_is_elf(const char *path);
/* 1: *s is filled in; 0: no ELF file, or it has no such section; -1: error, one-line reason in errbuf. */
int cs_slice_read(const char *path, struct cs_slice_info *s, char *errbuf, size_t errlen);
/* As above, but prints the error or the refusal; false then. */
bool cs_slice_need(const char *path, struct cs_slice_info *s);
void cs_slice_free(struct cs_slice_info *s);
const struct cs_slice_stmt *cs_slice_stmt(const struct cs_slice_info *s, int id);
/* The assumptions, one a line; free it. NULL if memory is short. */
char *cs_slice_assumptions(const struct cs_slice_info *s);
const char *cs_mark_name(int mark);

#endif
