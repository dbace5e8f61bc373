/* SPDX-License-Identifier: GPL-3.0-or-later
 * The words of the text form; graph_words_internal.h. The writer and the reader use the same table for each kind of
 * word, so that what is written can be read. */
#include "slicer/text/graph_words_internal.h"

#include <assert.h>
#include <ctype.h>

/* Words for enum cs_op. */
const char *const cs_text_op_words[CS_TEXT_NOPS] = {
    [CS_OP_COPY] = "copy",  [CS_OP_PTRADD] = "ptradd", [CS_OP_FIELD] = "field", [CS_OP_ADD] = "add",
    [CS_OP_SUB] = "sub",    [CS_OP_MUL] = "mul",       [CS_OP_EQ] = "eq",       [CS_OP_NE] = "ne",
    [CS_OP_LT] = "lt",      [CS_OP_LE] = "le",         [CS_OP_GT] = "gt",       [CS_OP_GE] = "ge",
    [CS_OP_MIX] = "mix",    [CS_OP_AND] = "and",       [CS_OP_OR] = "or",       [CS_OP_SELECT] = "select",
    [CS_OP_OTHER] = "other"};

const struct cs_text_sign cs_text_signs[CS_TEXT_NSIGNS] = {{"==", CS_OP_EQ}, {"!=", CS_OP_NE}, {"<", CS_OP_LT},
                                                           {"<=", CS_OP_LE}, {">", CS_OP_GT},  {">=", CS_OP_GE}};

const char *const cs_text_obj_flags[CS_TEXT_NOBJ_FLAGS] = {"readonly", "external", "exported", "zeroed", "common"};
const char *const cs_text_func_flags[CS_TEXT_NFUNC_FLAGS] = {"entry", "exported", "keep_all", "fortran", "comes_back"};

bool *cs_text_obj_flag(struct cs_obj *o, int i)
{
    bool *const f[] = {&o->readonly, &o->external, &o->exported, &o->zeroed, &o->common};
    _Static_assert(sizeof f / sizeof *f == CS_TEXT_NOBJ_FLAGS, "a member for each word");
    assert(i >= 0 && i < CS_TEXT_NOBJ_FLAGS);
    return f[i];
}

bool *cs_text_func_flag(struct cs_func *f, int i)
{
    bool *const p[] = {&f->is_entry, &f->exported, &f->keep_all, &f->fortran, &f->comes_back};
    _Static_assert(sizeof p / sizeof *p == CS_TEXT_NFUNC_FLAGS, "a member for each word");
    assert(i >= 0 && i < CS_TEXT_NFUNC_FLAGS);
    return p[i];
}

bool cs_text_ident_char(int c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '$';
}
