/* SPDX-License-Identifier: GPL-3.0-or-later
 * The text of a source in C, C++ or Fortran, cut into what matters of its conditions. */
#ifndef CS_CONDITION_TOKENS_H
#define CS_CONDITION_TOKENS_H

#include "slicer/control/condition_text.h"

/* What it is to a condition. */
enum cs_token_kind {
    CS_TOKEN_END, /* of a statement, or what begins a block */
    CS_TOKEN_OPEN,
    CS_TOKEN_CLOSE,
    CS_TOKEN_AND,
    CS_TOKEN_OR,
    CS_TOKEN_NOT,
    CS_TOKEN_COMPARE,   /* == and kin, and what else may turn a truth value: ^, .neqv. */
    CS_TOKEN_SEMICOLON, /* between parentheses */
    CS_TOKEN_SPLIT,     /* what stands between two expressions: , = return */
    CS_TOKEN_ASK,       /* ? */
    CS_TOKEN_COLON,
    CS_TOKEN_WORD,
    CS_TOKEN_OTHER
};

/* One of them, whose text is a part of the source's. */
struct cs_token {
    enum cs_token_kind kind;
    int line;         /* from 1 */
    int match;        /* OPEN: the number of the token that closes it, or of the statement's end */
    bool square;      /* OPEN: [ */
    const char *text; /* WORD, OTHER: not ended */
    size_t n;
};

/* All of a text, in order, in one array. */
struct cs_tokens {
    struct cs_token *a;
    int n, cap;
};

/* The last token is an END. */
void cs_tokens_read(struct cs_tokens *t, const char *text, size_t n, enum cs_text_form form);
/* Is it this word, in small letters? That of Fortran may have large ones. */
bool cs_token_is(const struct cs_token *t, const char *word);

#endif
