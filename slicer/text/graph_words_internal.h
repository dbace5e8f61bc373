/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the writer and the reader of a graph's text form share: its words. Private to slicer/text/.
 * docs/reference/graph-text.md is the reference of the form. */
#ifndef CS_GRAPH_WORDS_INTERNAL_H
#define CS_GRAPH_WORDS_INTERNAL_H

#include "slicer/graph/graph.h"

#define CS_TEXT_NOPS (CS_OP_OTHER + 1)
#define CS_TEXT_NSIGNS 6
#define CS_TEXT_NOBJ_FLAGS 6
#define CS_TEXT_NFUNC_FLAGS 7

/* Words for enum cs_op. */
extern const char *const cs_text_op_words[CS_TEXT_NOPS];
/* Comparisons in a condition, as `a < b`. */
extern const struct cs_text_sign {
    const char *sign;
    enum cs_op op;
} cs_text_signs[CS_TEXT_NSIGNS];
/* Words for what an object, a function may be besides; flag i is the member that the functions below give. */
extern const char *const cs_text_obj_flags[CS_TEXT_NOBJ_FLAGS], *const cs_text_func_flags[CS_TEXT_NFUNC_FLAGS];

bool *cs_text_obj_flag(struct cs_obj *o, int i);
bool *cs_text_func_flag(struct cs_func *f, int i);
/* Can it stand in a name without quotes? */
bool cs_text_ident_char(int c);

#endif
