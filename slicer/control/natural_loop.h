/* SPDX-License-Identifier: GPL-3.0-or-later
 * The innermost natural loop around a block, as the source has it: GCC makes two loops of one with two ways back to its
 * start (a `cycle` in a DO loop), which begin at one place, and are one here. */
#ifndef CS_NATURAL_LOOP_H
#define CS_NATURAL_LOOP_H

#include "slicer/graph/graph.h"

/* Its blocks (in[b], by block of the function), the one through which it is entered, -1: none, and the one with which
 * an iteration begins, another one where the header only leads there. */
struct cs_natural_loop {
    bool *in;
    int header, body;
};

/* Finds the one around b. False if there is none, or one with several entries, which goto makes. The caller frees l->in
 * in any case. */
bool cs_natural_loop_find(const struct cs_graph *g, int func, int b, struct cs_natural_loop *l);
/* Does the edge lead out of the loop? */
bool cs_natural_loop_left(const struct cs_graph *g, int func, const struct cs_natural_loop *l, int block, int edge);
/* Adds to `seen` what can be reached from `from` through blocks of `within`, by one edge at least. */
void cs_flow_spread(const struct cs_func *f, const bool *within, bool *seen, int from);

#endif
