/* SPDX-License-Identifier: BSD-3-Clause
 * Which places in the source a run communicates from: the table of `commslice info`, those that matter most first. */
#ifndef CS_SITE_TABLE_H
#define CS_SITE_TABLE_H

#include <stddef.h>

#include "cli/frame/json.h"

/* Prints at most `rows` places of the trace at `path`: those of most time in the call, where there are times, else of
 * most bytes, then of most calls. 0, or an exit code after a message. */
int cs_site_table_print(const char *path, size_t rows);
/* All of them as the member `sites`. */
int cs_site_table_json(struct cs_json *j, const char *path);

#endif
