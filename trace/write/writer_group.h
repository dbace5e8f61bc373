/* SPDX-License-Identifier: BSD-3-Clause
 * What ranks that are forked from one process share when they write a trace: the open file, the set of sections that
 * are in it, and the memory in which a killed rank's events outlive it. */
#ifndef CS_WRITER_GROUP_H
#define CS_WRITER_GROUP_H

#include "trace/write/crash_buffer.h"
#include "trace/write/section_set.h"

/* In memory that all ranks share. */
struct cs_group_memory {
    struct cs_shared sections;
    struct cs_crash_pool slots;
};

/* What the ranks of a run have in common, made before they are forked. */
struct cs_trace_group {
    int fd; /* of the trace, opened to append */
    char *path;
    struct cs_group_memory *shared;
    struct cs_crash_area crash; /* fd -1: cannot be had */
};

/* Opens a trace for appending; -1 and errno. */
int cs_trace_open_to_append(const char *path);

#endif
