/* SPDX-License-Identifier: GPL-3.0-or-later
 * Guards: branches of a function on a variable of its own that control passes no more, in one run of the function, once
 * it has come by some statements, as `if (steps == 0)` behind `steps = steps + 1`. For people who ask why something is
 * kept: what runs behind a guard does not need what runs only when that is gone. */
#ifndef CS_GUARDS_H
#define CS_GUARDS_H

#include "slicer/advise/settings.h"
#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* Sets of guards, one bit each. */
typedef uint32_t cs_guard_set;

struct cs_guards;

/* `flow` says what calls what. It and the settings must stay. The caller frees it. */
struct cs_guards *cs_guards_find(const struct cs_graph *g, const struct cs_need_flow *flow,
                                 struct cs_settings *settings);
void cs_guards_free(struct cs_guards *s);
/* Those that control must have passed to come to the statement. */
cs_guard_set cs_guards_before(const struct cs_guards *s, int stmt);
/* Those that control does not pass any more once it has come to the statement. */
cs_guard_set cs_guards_gone(const struct cs_guards *s, int stmt);
/* With these settings, has control to pass a guard for the one statement that is gone once it has come to the other one
 * of the function? */
bool cs_guards_bar(struct cs_guards *s, int settings, int later, int earlier);
/* All of the function. */
cs_guard_set cs_guards_in(const struct cs_guards *s, int func);

#endif
