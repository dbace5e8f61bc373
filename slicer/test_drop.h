/* SPDX-License-Identifier: GPL-3.0-or-later
 * Test only: leaves one LIVE statement or one mark out of a slice, so that a test can see whether the checker notices.
 * A checker that never fails proves nothing; docs/developers/checker.md has the numbers. Private to the slicer. */
#ifndef CS_TEST_DROP_H
#define CS_TEST_DROP_H

#include "slicer/graph/graph.h"

/* What may be left out: kept statements of the program that compute, decide, return or call, and calls with a mark.
 * Both are numbered from 0 in order of the statements. The result is the statement that has number n, -1 if none has;
 * `*count`, how many there are. */
int cs_drop_find_stmt(const struct cs_graph *g, int n, int *count);
int cs_drop_find_mark(const struct cs_graph *g, int n, int *count);

#endif
