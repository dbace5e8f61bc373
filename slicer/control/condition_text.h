/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the text of a source says of its conditions. Compilers move a negation of several comparisons to each of them:
 * of `!(a || b)` they make `!a && !b`, and leave no sign of it. The text tells which comparisons have been turned. */
#ifndef CS_CONDITION_TEXT_H
#define CS_CONDITION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the text is written in. */
enum cs_text_form { CS_TEXT_C, CS_TEXT_FREE_FORTRAN, CS_TEXT_FIXED_FORTRAN };

/* Does the compiler ask the opposite of a comparison as the source has it? */
enum cs_turn {
    CS_TURN_NONE,
    CS_TURN_DONE,
    CS_TURN_UNKNOWN /* the text is not that simple */
};

/* What a macro of this name, of n letters, has in its text: bits, 0 for none or no macro. */
enum { CS_MACRO_JOINS = 1 /* && or || */, CS_MACRO_NEGATES = 2, CS_MACRO_NUMBER = 4 /* is one */ };
typedef int cs_macro_text(const char *name, size_t n);

/* Reads a whole source; the text must stay while the result is used. `macro` may be NULL. */
struct cs_conditions *cs_conditions_read(const char *text, size_t n, enum cs_text_form form, cs_macro_text *macro);
/* The branches that the compiler has made of conditions that begin at this line, `n` of them in the order of the
 * source: sets turns[0] to turns[n - 1]. */
void cs_conditions_turns(const struct cs_conditions *c, int line, int n, enum cs_turn *turns);
/* Does a DO WHILE begin at the line? There Fortran compilers ask whether the loop is left. */
bool cs_conditions_do_while(const struct cs_conditions *c, int line);
/* Are the `n` branches of a line those of `condition ? FIRST : SECOND` that begins there, with a number as FIRST? GCC
 * may exchange the two and ask the opposite. */
struct cs_choice {
    const char *first; /* not ended */
    size_t n;
    bool two_numbers; /* SECOND is one, too */
};
bool cs_conditions_choice(const struct cs_conditions *c, int line, int n, struct cs_choice *choice);
void cs_conditions_free(struct cs_conditions *c);

#ifdef __cplusplus
}
#endif
#endif
