/* SPDX-License-Identifier: BSD-3-Clause
 * Puts the traces of the shares of a run together. */
#ifndef CS_JOIN_SHARES_H
#define CS_JOIN_SHARES_H

#include <stddef.h>

/* Writes the traces of n shares of one run, each with ranks of its own, into a new file at `path`: to the byte the
 * trace that a run of all ranks would have left. 0; -1 and a reason, which names the files: one is no trace of such a
 * run, a rank is in two of them or in none, the file cannot be written. What is at `path` then is worth nothing. */
int cs_trace_join_shares(char *const *share, int n, const char *path, char *why, size_t len);

#endif
