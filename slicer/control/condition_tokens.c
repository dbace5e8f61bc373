/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cuts a source into tokens; condition_tokens.h. Comments, strings and lines of the preprocessor are left out. Where
 * the preprocessor chooses between lines, all of them are there. */
#include "slicer/control/condition_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slicer/graph/storage.h"

/* Where the reading is. */
struct reader {
    struct cs_tokens *out;
    const char *p, *end;
    int line, depth; /* of parentheses */
    enum cs_text_form form;
};

bool cs_token_is(const struct cs_token *t, const char *word)
{
    return t->kind == CS_TOKEN_WORD && strlen(word) == t->n && !strncasecmp(t->text, word, t->n);
}

static void put(struct reader *r, enum cs_token_kind kind, size_t n)
{
    struct cs_tokens *t = r->out;
    if (t->n == t->cap)
        t->a = cs_realloc(t->a, (size_t)(t->cap = t->cap ? 2 * t->cap : 256) * sizeof *t->a);
    t->a[t->n++] = (struct cs_token){kind, r->line, -1, kind == CS_TOKEN_OPEN && *r->p == '[', r->p, n};
    r->p += n;
}

/* The letter `ahead` of where the reading is; 0 behind the end. */
static char at(const struct reader *r, int ahead)
{
    return r->end - r->p > ahead ? r->p[ahead] : '\0';
}

static void step(struct reader *r)
{
    r->line += *r->p == '\n';
    r->p++;
}

static bool begins(const struct reader *r, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(r->end - r->p) >= n && !strncasecmp(r->p, with, n);
}

/* Goes on behind the next `until`. */
static void skip_past(struct reader *r, const char *until)
{
    while (r->p < r->end && !begins(r, until))
        step(r);
    for (size_t i = strlen(until); i && r->p < r->end; i--)
        step(r);
}

static void skip_line(struct reader *r)
{
    while (r->p < r->end && *r->p != '\n') {
        bool goes_on = *r->p == '\\' && at(r, 1) == '\n' && r->form == CS_TEXT_C;
        step(r);
        if (goes_on)
            step(r);
    }
}

/* A string or letter; ends at the line's end, too. */
static void skip_quoted(struct reader *r)
{
    char quote = *r->p;
    for (step(r); r->p < r->end && *r->p != quote && *r->p != '\n'; step(r))
        if (*r->p == '\\' && r->form == CS_TEXT_C && r->end - r->p > 1)
            step(r);
    if (r->p < r->end && *r->p == quote)
        step(r);
}

/* R"x( ... )x" */
static void skip_raw(struct reader *r)
{
    char end[24] = ")";
    size_t n = 1;
    for (r->p += 2; r->p < r->end && *r->p != '(' && n < sizeof end - 2; r->p++)
        end[n++] = *r->p;
    end[n] = '"';
    skip_past(r, end);
}

static size_t word_length(const struct reader *r)
{
    size_t n = 0;
    while (isalnum((unsigned char)at(r, (int)n)) || at(r, (int)n) == '_' || at(r, (int)n) == '$')
        n++;
    return n;
}

/* 1.5e3, 1'000, 0x1p-3: signs of exponents are tokens of their own, which does no harm. */
static size_t number_length(const struct reader *r)
{
    size_t n = 0;
    while (isalnum((unsigned char)at(r, (int)n)) ||
           (r->form == CS_TEXT_C && at(r, (int)n) && strchr("._'", at(r, (int)n))))
        n++;
    return n;
}

static enum cs_token_kind kind_of_word(const struct reader *r, size_t n)
{
    static const struct {
        const char *word;
        enum cs_token_kind kind;
    } all[] = {{"and", CS_TOKEN_AND}, {"or", CS_TOKEN_OR},       {"not", CS_TOKEN_NOT},     {"else", CS_TOKEN_END},
               {"do", CS_TOKEN_END},  {"xor", CS_TOKEN_COMPARE}, {"return", CS_TOKEN_SPLIT}};
    for (size_t i = 0; r->form == CS_TEXT_C && i < sizeof all / sizeof *all; i++)
        if (strlen(all[i].word) == n && !strncmp(r->p, all[i].word, n))
            return all[i].kind;
    return CS_TOKEN_WORD;
}

/* A sign, the longest that fits. */
struct sign {
    const char *text;
    enum cs_token_kind kind;
};

static bool take_sign(struct reader *r, const struct sign *all)
{
    for (; all->text; all++)
        if (begins(r, all->text)) {
            put(r, all->kind, strlen(all->text));
            return true;
        }
    return false;
}

static void take_other(struct reader *r)
{
    switch (*r->p) {
    case '(':
    case '[':
        r->depth++;
        put(r, CS_TOKEN_OPEN, 1);
        break;
    case ')':
    case ']':
        r->depth -= r->depth > 0;
        put(r, CS_TOKEN_CLOSE, 1);
        break;
    case ',': put(r, CS_TOKEN_SPLIT, 1); break;
    case ':': put(r, CS_TOKEN_COLON, 1); break;
    case ';': put(r, r->depth && r->form == CS_TEXT_C ? CS_TOKEN_SEMICOLON : CS_TOKEN_END, 1); break;
    default: put(r, CS_TOKEN_OTHER, 1);
    }
}

/* ---- C and C++ ---- */

static bool skip_c(struct reader *r, bool *new_line)
{
    if (begins(r, "/*"))
        skip_past(r, "*/");
    else if (begins(r, "//") || (*new_line && *r->p == '#'))
        skip_line(r);
    else if (begins(r, "R\""))
        skip_raw(r);
    else if (*r->p == '"' || *r->p == '\'') {
        put(r, CS_TOKEN_OTHER, 0);
        skip_quoted(r);
    } else if (isspace((unsigned char)*r->p) || (*r->p == '\\' && at(r, 1) == '\n')) {
        *new_line |= *r->p == '\n';
        step(r);
        return true;
    } else
        return false;
    return true;
}

static void read_c(struct reader *r)
{
    static const struct sign signs[] = {
        {"&&=", CS_TOKEN_OTHER},  {"<<=", CS_TOKEN_SPLIT},  {">>=", CS_TOKEN_SPLIT},  {"<=>", CS_TOKEN_COMPARE},
        {"&&", CS_TOKEN_AND},     {"||", CS_TOKEN_OR},      {"==", CS_TOKEN_COMPARE}, {"!=", CS_TOKEN_COMPARE},
        {"<=", CS_TOKEN_COMPARE}, {">=", CS_TOKEN_COMPARE}, {"<<", CS_TOKEN_OTHER},   {">>", CS_TOKEN_OTHER},
        {"->", CS_TOKEN_OTHER},   {"::", CS_TOKEN_OTHER},   {"+=", CS_TOKEN_SPLIT},   {"-=", CS_TOKEN_SPLIT},
        {"*=", CS_TOKEN_SPLIT},   {"/=", CS_TOKEN_SPLIT},   {"%=", CS_TOKEN_SPLIT},   {"&=", CS_TOKEN_SPLIT},
        {"|=", CS_TOKEN_SPLIT},   {"^=", CS_TOKEN_SPLIT},   {"<", CS_TOKEN_COMPARE},  {">", CS_TOKEN_COMPARE},
        {"^", CS_TOKEN_COMPARE},  {"!", CS_TOKEN_NOT},      {"=", CS_TOKEN_SPLIT},    {"?", CS_TOKEN_ASK},
        {NULL, CS_TOKEN_OTHER}};
    for (bool new_line = true; r->p < r->end;) {
        if (skip_c(r, &new_line))
            continue;
        size_t n = word_length(r);
        new_line = false;
        if (n && isdigit((unsigned char)*r->p))
            put(r, CS_TOKEN_OTHER, number_length(r));
        else if (n)
            put(r, kind_of_word(r, n), n);
        else if (*r->p == '{' || *r->p == '}') {
            r->depth = 0;
            put(r, CS_TOKEN_END, 1);
        } else if (!take_sign(r, signs))
            take_other(r);
    }
}

/* ---- Fortran ---- */

/* Is the line, from its start on, one of a comment or of the preprocessor, or blank? */
static bool is_no_statement(const struct reader *r)
{
    const char *p = r->p;
    if (p < r->end && (*p == '#' || (r->form == CS_TEXT_FIXED_FORTRAN && strchr("cC*dD", *p))))
        return true;
    while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p == r->end || *p == '\n' || *p == '!';
}

static void skip_no_statements(struct reader *r)
{
    while (r->p < r->end && is_no_statement(r)) {
        skip_line(r);
        if (r->p < r->end)
            step(r);
    }
}

/* Does the fixed line, from its start on, go on with the statement of the one before? What says so is skipped. */
static bool fixed_goes_on(struct reader *r)
{
    bool tab = at(r, 0) == '\t' && at(r, 1) >= '1' && at(r, 1) <= '9';
    bool column = r->end - r->p > 5 && !memcmp(r->p, "     ", 5) && !strchr(" 0\t\r\n", r->p[5]);
    r->p += tab ? 2 : column ? 6 : 0;
    return tab || column;
}

/* At a line's end: a new statement begins, unless the line goes on. */
static void end_line(struct reader *r, bool goes_on)
{
    int line = r->line;
    step(r);
    skip_no_statements(r);
    if (r->form == CS_TEXT_FIXED_FORTRAN)
        goes_on = fixed_goes_on(r);
    else if (goes_on) {
        while (r->p < r->end && (*r->p == ' ' || *r->p == '\t'))
            r->p++;
        r->p += at(r, 0) == '&';
    }
    if (goes_on)
        return;
    int now = r->line;
    r->line = line;
    r->depth = 0;
    put(r, CS_TOKEN_END, 0);
    r->line = now;
}

static bool skip_fortran(struct reader *r, bool *goes_on)
{
    if (*r->p == '\n') {
        end_line(r, *goes_on);
        *goes_on = false;
    } else if (*r->p == '!')
        while (r->p < r->end && *r->p != '\n')
            r->p++;
    else if (*r->p == '&') {
        *goes_on = true;
        r->p++;
    } else if (*r->p == '"' || *r->p == '\'') {
        put(r, CS_TOKEN_OTHER, 0);
        skip_quoted(r);
    } else if (isspace((unsigned char)*r->p))
        r->p++;
    else
        return false;
    return true;
}

/* .and. and kin, or an operator of the program's own. */
static bool take_dotted(struct reader *r)
{
    static const struct sign signs[] = {{".and.", CS_TOKEN_AND},      {".or.", CS_TOKEN_OR},
                                        {".not.", CS_TOKEN_NOT},      {".eqv.", CS_TOKEN_COMPARE},
                                        {".neqv.", CS_TOKEN_COMPARE}, {NULL, CS_TOKEN_OTHER}};
    int n = 1;
    if (*r->p != '.')
        return false;
    while (isalpha((unsigned char)at(r, n)))
        n++;
    if (n == 1 || at(r, n) != '.')
        return false;
    if (!take_sign(r, signs))
        put(r, CS_TOKEN_OTHER, (size_t)n + 1);
    return true;
}

static void read_fortran(struct reader *r)
{
    static const struct sign signs[] = {{"==", CS_TOKEN_OTHER}, {"/=", CS_TOKEN_OTHER}, {"<=", CS_TOKEN_OTHER},
                                        {">=", CS_TOKEN_OTHER}, {"=>", CS_TOKEN_SPLIT}, {"=", CS_TOKEN_SPLIT},
                                        {NULL, CS_TOKEN_OTHER}};
    bool goes_on = false;
    skip_no_statements(r);
    while (r->p < r->end) {
        if (skip_fortran(r, &goes_on))
            continue;
        size_t n = word_length(r);
        if (n && isdigit((unsigned char)*r->p))
            put(r, CS_TOKEN_OTHER, number_length(r));
        else if (n)
            put(r, CS_TOKEN_WORD, n);
        else if (!take_dotted(r) && !take_sign(r, signs))
            take_other(r);
    }
}

/* ---- both ---- */

/* Finds what closes each parenthesis of a statement. */
static void match(struct cs_tokens *t)
{
    int *open = cs_calloc((size_t)t->n + 1, sizeof *open), n = 0;
    for (int i = 0; i < t->n; i++) {
        struct cs_token *k = &t->a[i];
        if (k->kind == CS_TOKEN_OPEN)
            open[n++] = i;
        else if (k->kind == CS_TOKEN_CLOSE && n)
            t->a[open[--n]].match = i;
        while (k->kind == CS_TOKEN_END && n)
            t->a[open[--n]].match = i;
    }
    free(open);
}

void cs_tokens_read(struct cs_tokens *t, const char *text, size_t n, enum cs_text_form form)
{
    struct reader r = {t, text, text + n, 1, 0, form};
    if (form == CS_TEXT_C)
        read_c(&r);
    else
        read_fortran(&r);
    put(&r, CS_TOKEN_END, 0);
    match(t);
}
