/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the slicer's unit tests share: graphs from text, the effects table, things found by name, random numbers.
 * Every function fails the running test with a message instead of returning an error. */
#ifndef CS_TESTS_SLICER_KIT_H
#define CS_TESTS_SLICER_KIT_H

#include <stdint.h>

#include "slicer/control/cfg.h"
#include "slicer/control/control_dependence.h"
#include "slicer/control/error_exits.h"
#include "slicer/model/effects.h"
#include "slicer/graph/graph.h"
#include "slicer/text/graph_text.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"
#include "slicer/slice.h"

/* The graph that a text describes; path: a file below tests/graphs. */
struct cs_graph *kit_graph(const char *text);
struct cs_graph *kit_graph_file(const char *path);
/* The text of a graph; the caller frees it. */
char *kit_text(const struct cs_graph *g);
/* slicer/model/effects.tab, with rows of `more` added (NULL: none). */
struct cs_effects *kit_effects(const char *more);
/* Folder of the sources: CS_SRCDIR, srcdir or the current one. */
const char *kit_srcdir(void);

/* By name; the test fails if there is none. */
int kit_func(const struct cs_graph *g, const char *name);
int kit_obj(const struct cs_graph *g, const char *name);
/* The statement whose text attribute is `text`. */
int kit_stmt(const struct cs_graph *g, const char *text);
/* The value that this statement defines. */
struct cs_operand kit_def(const struct cs_graph *g, const char *text);

/* Graph, models and solution, for tests of one analysis. */
struct kit_solved {
    struct cs_graph *g;
    struct cs_effects *fx;
    struct cs_models ms;
    struct cs_pts *pts;
    struct cs_cdep *cdep;
};
void kit_solve(struct kit_solved *k, const char *text);
/* The same with rows added to the effects table. */
void kit_solve_with(struct kit_solved *k, const char *text, const char *rows);
/* The same, but pointers that may point to more than one object lose their way at once. */
void kit_solve_at_once(struct kit_solved *k, const char *text);
void kit_solved_free(struct kit_solved *k);
/* What the operand may hold, as text in a fixed order: "buf+8 null 17 int heap"; the result lives until the next call.
 */
const char *kit_holds(struct kit_solved *k, struct cs_operand op);
/* The same for the value that statement `text` defines, or what a statement of one operand uses. */
const char *kit_at(struct kit_solved *k, const char *text);

/* Small reproducible random numbers. */
struct kit_rng {
    uint64_t s;
};
uint32_t kit_random(struct kit_rng *r, uint32_t below);

#endif
