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
/* Is it a call of a kind of which a witness can tell? */
bool can_have_witness(gimple *g);
/* Does any function of the source have such a call, of which that holds? Before functions are in SSA form. */
bool any_watched(bool (*holds)(gimple *));
/* Has it anything else that GCC may compute: functions whose address it takes, complex products and quotients? */
bool any_computed_unwatched();

/* The digits of a constant; otherwise COMPUTED (outcomes.cc). */
std::string shown_constant(tree value);
/* A blank, the number of values, and these, in one line. */
std::string copy_text(const Copy &copy);

/* ---- in a process that compiles the original ---- */

/* From here on, what GCC computes of constants is noted (arithmetic.cc) where the library does not give the same bits;
 * false: it cannot be, as this compiler has MPFR in it. */
bool note_constants();
/* What is computed in between is the plugin's own wish. */
void note_no_constants(bool pause);
/* In front of the pass that replaces powers: the exponent, if GCC multiplies for it. */
void note_power(gimple *g);
/* All that was noted, as text: by noted_as(). */
std::string constants_text();
/* Names of complex products and quotients among them. */
extern const char PRODUCT[], QUOTIENT[];
/* The name for variants of real functions for vectors, which the original calls. */
extern const char VARIANT[];
/* The name of such a function, the same for float, double and long double; empty: it is none of these. */
std::string noted_as(tree decl);
/* The same, and that of powers with a whole exponent, of whose constants MPFR is not asked. */
std::string name_of_computed(tree decl);

/* Where calls have witnesses (outcomes.cc): values of the calls of this function are to be followed. */
void follow_calls(function *fn);
/* At the end of the optimisation of a function: notes what its copies of calls have become. */
void note_outcomes(function *fn);
/* All that was noted, as text. */
std::string outcomes_text();
/* At that end: notes whether it calls variants of real functions for vectors. */
void note_variants(function *fn);
/* One line if any does; else nothing. */
std::string variants_text();

/* ---- in the process that compiles the slice ---- */

/* Takes the texts of the process that nothing disturbs, or of that with witnesses; false: it is not complete. */
bool take_report(const std::string &text, bool witnesses);
/* Does it take witnesses to settle what the source calls? */
bool wants_witnesses();
/* Tells the link what GCC computes in the source and whether it calls variants for vectors, or that nobody knows. */
void tell_what_is_computed();
/* That it computes that; empty: anything (across_sources.cc). */
void tell_link(const std::string &name);
/* Functions that have such calls, and of which each source has a copy that may be taken for all: each gets its own. */
void make_shared_local();
/* Gives each call of this function what it has become; false: there is none. */
bool settle_calls(function *fn);

/* What a call is replaced by (replace.cc). At plugin_init: what is made here is kept. */
void keep_twins(const char *plugin);
bool is_constant(const std::string &value);
/* Null: nothing is known of it. */
tree constant_argument(gcall *g, const Copy &copy, unsigned i);
/* Notes with the call how it is settled. */
void note_how(gcall *g, cs_settled how);
/* False: it cannot be. */
bool call_twin(gcall *g, cs_settled how);
bool make_constant(gcall *g, const std::string &digits);
/* Behind the call: its result, but what a copy gives where the arguments are those of the copy. */
void make_choice(gcall *g, tree callee, const Copies &special);

} // namespace cs_fold

#endif
