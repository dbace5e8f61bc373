/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of gcc-plugin/folds share; private to them. */
#ifndef CS_FOLDS_INTERNAL_H
#define CS_FOLDS_INTERNAL_H

#include "gcc-plugin/folds/folds.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cs_fold {

/* A value in a copy of a call: the bytes of a constant as hexadecimal digits, or one of these. */
extern const char COMPUTED[]; /* while the program runs */
extern const char OUTSIDE[];  /* so, in a function that nothing of its source calls any more */
extern const char LOST[];     /* not known */

/* What became of one copy of a call: its result, then its arguments. */
typedef std::vector<std::string> Copy;
/* Call number `second` of the function of that name. */
typedef std::pair<std::string, unsigned> Key;
/* In place of a function: any of the source. The number is that of the built-in function that is called. */
extern const char ANY[];

/* All different ones. A call of which nothing is left has none. */
typedef std::set<Copy> Copies;

/* The calls of a function in the order of its statements, as they are before any optimisation; so they have numbers. */
void watched_calls(function *fn, auto_vec<gcall *> *out);
/* Does any function of the source have such a call? Before functions are in SSA form. */
bool any_watched();

/* In the process that compiles the original (outcomes.cc): values of the calls of this function are to be followed. */
void follow_calls(function *fn);
/* At the end of the optimisation of a function: notes what its copies of calls have become. */
void note_outcomes(function *fn);
/* All that was noted, as text. */
std::string outcomes_text();

/* At plugin_init: what settle_calls() makes is kept. */
void keep_twins(const char *plugin);
/* In the process that compiles the slice: takes that text; false: it is not complete. */
bool take_outcomes(const std::string &text);
/* Functions that have such calls, and of which each source has a copy that may be taken for all: each gets its own. */
void make_shared_local();
/* Gives each call of this function what it has become; false: there is none. */
bool settle_calls(function *fn);

} // namespace cs_fold

#endif
