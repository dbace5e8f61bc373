/* SPDX-License-Identifier: BSD-3-Clause
 * The memory by which a step of a chain of reasons is needed, in words. */
#ifndef CS_WHY_MEMORY_H
#define CS_WHY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/show/why_chain.h"

/* Writes to buf, of n bytes, what the step writes, and that the next one, `to`, reads it. */
void cs_why_memory_clause(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                          const struct cs_why_step *to, char *buf, size_t n);
/* Does the step read from a file, or what it says a call reads? */
bool cs_why_reads_file(const struct cs_slice_info *s, const struct cs_why_step *to);
/* Writes to buf that a file is written which the next step may read; never: as it seems, it does not. */
void cs_why_files_clause(const char *who, bool never, char *buf, size_t n);
/* Does the step write a variable that the next one's call receives into? The call reads it only where it is to work in
 * place, which the slicer cannot tell where what is sent is behind a pointer. */
bool cs_why_is_received(const struct cs_slice_info *s, const struct cs_why_step *at, const struct cs_why_step *to);
/* Writes to buf the source's name of the memory by which the step is needed, "": it has none. */
void cs_why_written(const struct cs_why_step *at, char *buf, size_t n);

#endif
