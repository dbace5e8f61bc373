/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls that GCC answers itself where it knows their arguments, with another answer than the library's: real functions,
 * which it rounds correctly, powers with a whole exponent, which it multiplies in another order, the size of what a
 * comparison of strings returns, and what asks GCC what it knows. Which these are, and what becomes of them in the
 * original. */
#ifndef CS_FOLDS_H
#define CS_FOLDS_H

#include "gcc-plugin/gcc/gcc-common.h"

/* ---- which calls these are (answered.cc) ---- */

/* What GCC makes of a call that it knows enough of. */
enum cs_answered {
    CS_ANSWERED_NEVER,
    CS_ANSWERED_REAL,        /* rounds it correctly, which the library need not, or gives another zero */
    CS_ANSWERED_STORED,      /* and stores a part of what it knows */
    CS_ANSWERED_POWER,       /* so, or multiplies or divides itself, if the exponent is 2 or -1 */
    CS_ANSWERED_WHOLE_POWER, /* multiplies itself, in an order that depends on the exponent */
    CS_ANSWERED_ORDER,       /* -1, 0 or 1, of strings that are compared */
    CS_ANSWERED_ASKED,       /* says whether it knows the argument: nothing tells what it says in the original */
    CS_ANSWERED_SIZE         /* says what it knows of the size of an object: the same */
};
enum cs_answered cs_answered_as(gimple *g);
/* Is it a product or quotient of complex numbers, which GCC computes itself where it knows both? */
bool cs_is_complex_product(gimple *g);
/* Is it a real function of the library, known to GCC, in a source that is compiled with -ffast-math or a part of it? */
bool cs_rounded_freely(gimple *g);
/* Which built-in function the call is of, also where cs_as_original_pass() took GCC's knowledge of it away. */
bool cs_known_builtin(tree decl, built_in_function *code);
/* Does such a call give in the slice what it gives in the original? cs_as_original_pass() has seen to it. */
enum cs_settled {
    CS_NOT_SETTLED, /* it does not know */
    CS_SETTLED,
    CS_SETTLED_HERE,    /* unless another source that has the function of the call computes it */
    CS_SETTLED_INSIDE,  /* unless another source calls the function that it is in */
    CS_SETTLED_PERHAPS, /* but where the original computes it of arguments for which it knows it elsewhere */
    CS_SETTLED_NOWHERE  /* it does not know, as several sources have the function that the call is in */
};
enum cs_settled cs_settled_as(gimple *g);
/* Is the number an exponent for which GCC multiplies or divides itself, and not in the order of the library? */
bool cs_multiplied_for(tree exponent);

/* ---- whether the library gives the same bits (library_result.cc) ---- */

/* Null: the function is none of one or two real numbers of one size, or not there. */
void *cs_library_function(gimple *g);
/* Does the library give the bits that GCC computes for these constants? The function of the call, from above. */
bool cs_library_agrees(gimple *g, void *fn, const tree *args, unsigned n);
/* Does the function of that name give these bits? The name without the letter for float; false: it is not there. */
bool cs_library_gives(const char *name, tree result, const tree *args, unsigned n);

/* ---- what GCC computes in any source of a program, at the link (across_sources.cc) ---- */

/* Does GCC compute the function of constants anywhere, otherwise than the library, or is that not known? */
bool cs_is_computed(tree decl);
/* Does any source call variants of real functions for vectors, or is that not known? */
bool cs_calls_variants();
/* In the link: the slice calls none where no source does. */
void cs_call_no_other_variants();
/* Does it so for complex products or quotients? */
bool cs_is_product_computed(enum tree_code code);

/* ---- what becomes of them in the original (as_original.cc) ---- */

/* In a compiler, at plugin_init, before any option is changed: the options are the original's. */
void cs_as_original_options();
/* In a compiler, after that: the pass that settles the calls. */
void cs_as_original_pass(const char *plugin);
/* In a compiler, when a source has been read and before anything else is done with it: compiles it as the original is,
 * up to where machine code would begin, in a process of its own, where this returns true: nothing may be changed there.
 * The pass then gives the calls what they have become. */
bool cs_as_original_start();

#endif
