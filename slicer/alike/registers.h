/* SPDX-License-Identifier: GPL-3.0-or-later
 * Variables of functions that the slice never takes the address of, although the program may: in the slice the compiler
 * can hold them in registers. A counter that the program prints is one. */
#ifndef CS_REGISTERS_H
#define CS_REGISTERS_H

#include "slicer/graph/graph.h"

/* By object: is it one? The caller frees. */
bool *cs_registers_find(const struct cs_graph *g);

#endif
