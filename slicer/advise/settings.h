/* SPDX-License-Identifier: GPL-3.0-or-later
 * Settings: variables that are not written any more once the program has asked for them, as use_fortran_kernels. What
 * runs only if one is set, and what runs only if it is not, are no two steps of one run. For people who ask why
 * something is kept: that nobody writes them through a pointer is taken for granted. */
#ifndef CS_SETTINGS_H
#define CS_SETTINGS_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* Sets of settings with which something runs, by number: with none of them, and with all. */
enum { CS_SETTINGS_NONE, CS_SETTINGS_ALL };

struct cs_settings;

/* The graph must have its decisions, and `flow` say what calls what. The caller frees it. */
struct cs_settings *cs_settings_find(const struct cs_graph *g, const struct cs_need_flow *flow);
void cs_settings_free(struct cs_settings *s);
/* Of each function the calls of it. */
const struct cs_intlist *cs_settings_callers(const struct cs_settings *s);
/* Of each block, numbered through the program: bit i: control never goes by edge i, whatever is set (never_stored.h).
 */
const unsigned char *cs_settings_never(const struct cs_settings *s);
/* With which settings the statement runs; none if control only comes to it by such an edge. */
int cs_settings_of(const struct cs_settings *s, int stmt);
/* Likewise the function's block. */
int cs_settings_at(const struct cs_settings *s, int func, int block);
/* The settings that are in both. */
int cs_settings_both(struct cs_settings *s, int a, int b);
/* Can control, with some of these settings, go from the function's block by its edge i? */
bool cs_settings_allow(struct cs_settings *s, int settings, int func, int block, int i);
/* How much fewer cases of settings are in b, which is in a: for each halving `halving`, and parts of that. */
int cs_settings_fewer(const struct cs_settings *s, int a, int b, int halving);
/* Is all of b in a? */
bool cs_settings_cover(const struct cs_settings *s, int a, int b);

#endif
