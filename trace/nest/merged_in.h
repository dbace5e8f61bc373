/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts that read the merged form's file share: where they are, and numbers and strings from there. Private to
 * trace/merged_read*.c. Whatever fails returns -1 and leaves what is wrong in `what`, or NULL there: no memory. */
#ifndef CS_MERGED_IN_H
#define CS_MERGED_IN_H

#include "trace/format/bytes.h"
#include "trace/nest/nest.h"

struct cs_merged_in {
    struct cs_cursor c;
    struct cs_merged *m;
    uint64_t tables;  /* entries so far */
    bool counts;      /* loops may have a cycle of counts */
    const char *what; /* what is wrong; NULL: memory */
};

int cs_in_bad(struct cs_merged_in *in, const char *what);
uint64_t cs_in_get(struct cs_merged_in *in);
int64_t cs_in_signed(struct cs_merged_in *in);
int cs_in_below(struct cs_merged_in *in, uint64_t max);
/* How many things follow, each of them at least a byte. */
int cs_in_number(struct cs_merged_in *in);
int cs_in_string(struct cs_merged_in *in, const char **out);

/* Sections of the file, in their order. */
int cs_in_definitions(struct cs_merged_in *in);
int cs_in_classes(struct cs_merged_in *in);
int cs_in_records(struct cs_merged_in *in);
int cs_in_symbols(struct cs_merged_in *in);

#endif
