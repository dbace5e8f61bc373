/* SPDX-License-Identifier: GPL-3.0-or-later
 * The words of the text form, which graph_words_internal.h declares. The writer and the reader use the same table for
 * each kind of word, so that the reader knows every word that is written. */
#include "slicer/text/graph_words_internal.h"

#include <assert.h>
#include <ctype.h>

/* The word for each operation, indexed by enum cs_op. */
const char *const cs_text_op_words[CS_TEXT_NOPS] = {
    [CS_OP_COPY] = "copy",   [CS_OP_PTRADD] = "ptradd", [CS_OP_FIELD] = "field", [CS_OP_ADD] = "add",
    [CS_OP_SUB] = "sub",     [CS_OP_MUL] = "mul",       [CS_OP_EQ] = "eq",       [CS_OP_NE] = "ne",
    [CS_OP_LT] = "lt",       [CS_OP_LE] = "le",         [CS_OP_GT] = "gt",       [CS_OP_GE] = "ge",
    [CS_OP_MIX] = "mix",     [CS_OP_AND] = "and",       [CS_OP_OR] = "or",       [CS_OP_SELECT] = "select",
    [CS_OP_ORDER] = "order", [CS_OP_OTHER] = "other"};

/* The signs of comparisons, in no special order. */
const struct cs_text_sign cs_text_signs[CS_TEXT_NSIGNS] = {{"==", CS_OP_EQ}, {"!=", CS_OP_NE}, {"<", CS_OP_LT},
                                                           {"<=", CS_OP_LE}, {">", CS_OP_GT},  {">=", CS_OP_GE}};

/* Words for the flags of an object, and of a function. Entry i belongs to the member that cs_text_obj_flag(o, i), or
 * cs_text_func_flag(f, i), points to. */
const char *const cs_text_obj_flags[CS_TEXT_NOBJ_FLAGS] = {"readonly", "external", "exported",
                                                           "zeroed",   "common",   "unordered"};
const char *const cs_text_func_flags[CS_TEXT_NFUNC_FLAGS] = {"entry",      "exported", "keep_all", "fortran",
                                                             "comes_back", "computed", "uncalled"};

/* The member of o that word i says; i is below CS_TEXT_NOBJ_FLAGS. */
bool *cs_text_obj_flag(struct cs_obj *o, int i)
{
    bool *const f[] = {&o->readonly, &o->external, &o->exported, &o->zeroed, &o->common, &o->unordered};
    _Static_assert(sizeof f / sizeof *f == CS_TEXT_NOBJ_FLAGS, "a member for each word");
    assert(i >= 0 && i < CS_TEXT_NOBJ_FLAGS);
    return f[i];
}

/* The member of f that word i says; i is below CS_TEXT_NFUNC_FLAGS. */
bool *cs_text_func_flag(struct cs_func *f, int i)
{
    bool *const p[] = {&f->is_entry,   &f->exported, &f->keep_all, &f->fortran,
                       &f->comes_back, &f->computed, &f->uncalled};
    _Static_assert(sizeof p / sizeof *p == CS_TEXT_NFUNC_FLAGS, "a member for each word");
    assert(i >= 0 && i < CS_TEXT_NFUNC_FLAGS);
    return p[i];
}

/* c is a byte, as an unsigned char: isalnum() is not defined for negative characters. */
bool cs_text_ident_char(int c)
{
    assert(c >= 0 && c <= 255);
    return isalnum(c) || c == '_' || c == '.' || c == '$';
}
