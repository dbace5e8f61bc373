/* SPDX-License-Identifier: BSD-3-Clause
 * commslice merge with several traces: the shares of a run become its trace. */
#ifndef CS_MERGE_SHARES_H
#define CS_MERGE_SHARES_H

#include <stdbool.h>

/* Writes the trace `out` of the n shares. Returns the exit code, after a message if it is not 0. */
int cs_merge_shares(char **share, int n, const char *out, bool force);

#endif
