/* SPDX-License-Identifier: GPL-3.0-or-later
 * Conditions by which a function ends early, with a message for people, as where something has gone wrong. */
#ifndef CS_GIVES_UP_H
#define CS_GIVES_UP_H

#include "slicer/graph/graph.h"

/* Where the condition, a statement, keeps the other one of its function from running: does the function end soon, and
 * calls nothing behind it but functions that are not the program's? Or does the other one run only before the program
 * ends, in a few blocks that call nothing of the program? */
bool cs_gives_up(const struct cs_graph *g, int condition, int stmt);

#endif
