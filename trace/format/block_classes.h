/* SPDX-License-Identifier: BSD-3-Clause
 * Block classes: blocks of several ranks that have the same or nearly the same bytes, stored once. A class is the two
 * sections of its first rank, and what other ranks have instead at some places of them; docs/reference/trace-format.md
 * has the bytes. */
#ifndef CS_BLOCK_CLASSES_H
#define CS_BLOCK_CLASSES_H

#include "trace/format/bytes.h"
#include "trace/format/format.h"

/* A number for each rank of a class: runs, in each of which it grows by the same step from rank to rank.
 *
 *     run[k]: the numbers of places first .. are value, value + step, value + 2 step ... modulo 2^64  */
struct cs_column {
    struct cs_column_run {
        uint32_t first;
        uint64_t value, step;
    } * run;
    uint32_t nruns;
};

/* A place where ranks differ: `len` bytes of a section, from `at` on, that hold the first rank's number. */
struct cs_class_change {
    uint32_t at, len;
    uint32_t column; /* in the class's columns */
};

/* What one rank of the class has: of a section the bytes in front of the first change, the rank's number as a varint or
 * a byte, the bytes up to the next change, and so on. */
struct cs_class_section {
    const unsigned char *bytes; /* of the first rank; in the memory that the class was decoded from */
    uint32_t len;
    struct cs_class_change *change;
    uint32_t nchanges;
};

/* The blocks with number `seq` of nranks ranks. */
struct cs_block_class {
    uint32_t seq, flags; /* flags: as in a block's header */
    bool by_bytes;       /* numbers that differ are bytes, not varints */
    uint32_t nranks;
    uint32_t ranks;          /* column: which ranks, ascending */
    uint32_t nevents_column; /* of the numbers of events */
    struct cs_class_section defs, events;
    struct cs_column *column;
    uint32_t ncolumns;
};

/* Decodes the next class, of a run of nranks ranks. 1; 0 at the cursor's end; -1 if it is bad, or memory is short. The
 * class points into the cursor's bytes. */
int cs_block_class_decode(struct cs_block_class *c, struct cs_cursor *from, uint32_t nranks);
void cs_block_class_free(struct cs_block_class *c);
/* The number of the nth rank of a class. */
uint64_t cs_column_at(const struct cs_column *c, uint32_t nth);
/* Writes the section as the nth rank has it into *out, from its beginning. 0, or -1: no memory, or above
 * CS_MAX_SECTION. */
int cs_block_class_section(const struct cs_block_class *c, const struct cs_class_section *s, uint32_t nth,
                           struct cs_bytes *out);

/* Appends a column, the n numbers value(arg, 0) to value(arg, n - 1). 0, or -1: no memory. */
typedef uint64_t cs_column_value_fn(const void *arg, uint32_t nth);
int cs_column_encode(struct cs_bytes *b, uint32_t n, cs_column_value_fn *value, const void *arg);

/* The numbers that a section consists of: varints or, if one of them is not in its shortest form, its bytes. Appends
 * them to *out, which has `cap` places and n in use. 1; 0: they are no varints in shortest form; -1: no memory. */
int cs_section_numbers(const struct cs_bytes *section, bool by_bytes, uint64_t **out, size_t *n, size_t *cap);

#endif
