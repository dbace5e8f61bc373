/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reader of a graph's text form, from tokens (graph_token.c) over operands and statements to functions
 * (graph_read.c). Private to them. The first error counts: cs_read_fail() notes it, and every token after it is the
 * end. */
#ifndef CS_GRAPH_READ_INTERNAL_H
#define CS_GRAPH_READ_INTERNAL_H

#include <uthash.h>

#include "slicer/graph/graph.h"

/* LINE: the end of a line, or a semicolon. */
enum token_kind { T_END, T_LINE, T_IDENT, T_NUM, T_STRING, T_PUNCT };
/* A token. Its text lies in the text that is read, with a zero behind it for IDENT and STRING. */
struct token {
    enum token_kind kind;
    bool starts; /* first of a statement */
    int line;    /* in the file, from 1 */
    char *text;
    size_t len;
    int64_t num; /* NUM: its value; PUNCT: the character, or CS_TWO */
};

/* Punctuation of two characters, as a number. */
#define CS_TWO(a, b) ((a) | (b) << 8)

/* A name that has been declared: key "KIND SCOPE:NAME" without the blank, id of what it names in the graph. */
struct symbol {
    char *key;
    int id;
    UT_hash_handle hh;
};

/* The text that is being read, as tokens t[0 .. nt), of which the one at `pos` is next; and the graph so far. */
struct reader {
    struct cs_graph *g;
    const char *name; /* of the file, for errors */
    char *err;
    size_t errlen;
    bool failed;
    struct token *t;
    int nt, at, pos; /* at: room in t */
    struct symbol *symbols;
    char *key; /* of the symbol that is looked for, in a buffer of keylen bytes */
    size_t keylen;
    int func, block; /* where we are, -1 */
    bool closed;     /* the block's edges are given */
    int nblocks;     /* of the function */
    const char **block_names;
    const char **value_names; /* by value of the graph */
    int nvalue_names, avalue_names;
};

/* ---- tokens ---- */
/* Notes an error in this line, if it is the first. */
void cs_read_fail(struct reader *r, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#define fail(r, ...) cs_read_fail((r), cs_read_token(r)->line, __VA_ARGS__)
/* Cuts the text into tokens; it is changed and must stay. */
void cs_read_lex(struct reader *r, char *p);
/* The next token, which is not eaten. */
struct token *cs_read_token(struct reader *r);
/* Is the token this punctuation (a character, or CS_TWO); is the next one, is the next one this word? */
bool cs_read_punct(const struct token *t, int c);
bool cs_read_is_punct(struct reader *r, int c);
bool cs_read_is_word(struct reader *r, const char *word);
/* Eat the token if it is this one. */
bool cs_read_take(struct reader *r, int c);
bool cs_read_take_word(struct reader *r, const char *word);
/* Eat the token, or fail if it is another one. */
void cs_read_expect(struct reader *r, int c);
void cs_read_expect_line(struct reader *r);
/* Tokens of one kind; `what` is what the error says is missing. */
const char *cs_read_name(struct reader *r, const char *what);
int64_t cs_read_number(struct reader *r, const char *what);
int64_t cs_read_offset(struct reader *r, const char *what);
int64_t cs_read_size(struct reader *r);
int cs_read_small_int(struct reader *r, const char *what);

/* ---- names, operands, places, positions ---- */
/* Names that are declared; -1 if there is none. kind: 'o' objects and functions, 'v' values, 'b' blocks; scope:
 * function or -1. */
int cs_read_find_symbol(struct reader *r, char kind, int scope, const char *name);
void cs_read_add_symbol(struct reader *r, char kind, int scope, const char *name, int id);
/* Eat what the text form calls by these names (docs/reference/graph-text.md). Ids are -1 after an error, or 0 of
 * values. */
int cs_read_obj(struct reader *r);
int cs_read_value(struct reader *r);
struct cs_operand cs_read_primary(struct reader *r, bool with_pat);
struct cs_operand cs_read_operand(struct reader *r);
void cs_read_place(struct reader *r, struct cs_operand *base, struct cs_pattern *pat);
struct cs_ref cs_read_reference(struct reader *r);
/* Can no operand begin here? */
bool cs_read_ends_operands(struct reader *r);
/* ` at FILE:LINE` or ` at LINE`; false if there is none. *file: a string of the graph. */
bool cs_read_position(struct reader *r, int *file, int *line, int default_file);

/* ---- statements ---- */
/* One statement without what follows it; its number, or -1. */
int cs_read_stmt(struct reader *r);
/* Position, origin, indices and text behind a statement. */
void cs_read_suffixes(struct reader *r, int s);
/* Successors of the current block. */
void cs_read_edges(struct reader *r);
/* Does a label, or an assignment, begin at token i? */
bool cs_read_label_at(struct reader *r, int i);
bool cs_read_assigns_at(struct reader *r, int i);

#endif
