/* SPDX-License-Identifier: BSD-3-Clause
 * Statements of a Fortran source, which go on over several lines: `&` at the end in free form, a mark in column 6 in
 * fixed form. Directives (!$omp) go on as statements do; fortran_statement.h. */
#define _GNU_SOURCE 1
#include "cli/show/fortran_statement.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* LONGEST: a statement of more characters is shortened; HEAD: so many of its beginning stay. */
enum { LONGEST = 160, HEAD = 60, MARK_COLUMN = 5, FIRST_COLUMN = 6, LAST_COLUMN = 72 };

/* A part of a line: n characters, which others follow in the next line if `open`; it goes on from the line before if
 * `goes_on`. n is 0 for a comment or a blank line. */
struct piece {
    const char *text;
    size_t n;
    bool open, goes_on;
};

bool cs_fortran_source(const char *name, bool *fixed)
{
    static const char *const free_form[] = {".f90", ".f95", ".f03", ".f08"}, *const fixed_form[] = {".f", ".for",
                                                                                                    ".ftn"};
    const char *dot = strrchr(name, '.');
    *fixed = false;
    for (size_t k = 0; dot && k < sizeof fixed_form / sizeof *fixed_form; k++)
        *fixed |= !strcasecmp(dot, fixed_form[k]);
    for (size_t k = 0; dot && k < sizeof free_form / sizeof *free_form; k++)
        if (!strcasecmp(dot, free_form[k]))
            return true;
    return *fixed;
}

/* How long is the mark that makes a comment a directive or a line for OpenMP alone? */
static size_t sentinel(const char *text)
{
    if (!strncasecmp(text + 1, "$omp", 4) || !strncasecmp(text + 1, "$acc", 4))
        return 5;
    return text[0] == '!' && text[1] == '$' && isspace((unsigned char)text[2]) ? 2 : 0;
}

/* Characters before a comment, and before the blanks at the end. */
static size_t code_length(const char *text, size_t most)
{
    char quote = 0;
    size_t n = 0;
    for (; text[n] && n < most && (quote || text[n] != '!'); n++) {
        if (quote ? text[n] == quote : text[n] == '\'' || text[n] == '"')
            quote = quote ? 0 : text[n];
    }
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    return n;
}

static struct piece without_blanks(const char *text, size_t n)
{
    while (n > 0 && isspace((unsigned char)*text)) {
        text++;
        n--;
    }
    return (struct piece){.text = text, .n = n};
}

static struct piece free_piece(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    const char *code = *text == '!' ? text + sentinel(text) : text;
    struct piece p = without_blanks(code, code_length(code, SIZE_MAX));
    bool directive = code > text + 2; /* its first word shows what it is */
    p.goes_on = p.n > 0 && *p.text == '&';
    if (p.goes_on) {
        p = without_blanks(p.text + 1, p.n - 1);
        p.goes_on = true;
    }
    p.open = p.n > 0 && p.text[p.n - 1] == '&';
    p.n -= p.open;
    while (p.n > 0 && isspace((unsigned char)p.text[p.n - 1]))
        p.n--;
    if (directive && p.n > 0 && !p.goes_on) {
        p.n += (size_t)(p.text - text);
        p.text = text;
    }
    return p;
}

static struct piece fixed_piece(const char *text)
{
    bool comment = *text && strchr("cC*!dD", *text), directive = comment && sentinel(text) == MARK_COLUMN;
    if ((comment && !directive) || strlen(text) <= FIRST_COLUMN || memchr(text, '\t', FIRST_COLUMN))
        return comment && !directive ? (struct piece){0} : without_blanks(text, code_length(text, LAST_COLUMN));
    struct piece p = without_blanks(text + FIRST_COLUMN, code_length(text + FIRST_COLUMN, LAST_COLUMN - FIRST_COLUMN));
    p.goes_on = text[MARK_COLUMN] != ' ' && text[MARK_COLUMN] != '0' && text[MARK_COLUMN] != '!';
    if (directive && p.n > 0 && !p.goes_on)
        p = (struct piece){.text = text, .n = p.n + (size_t)(p.text - text)};
    return p;
}

static struct piece piece_of(const char *line, bool fixed)
{
    return fixed ? fixed_piece(line) : free_piece(line);
}

/* The line before or after (by = -1, 1) that is no comment; n if there is none. */
static size_t neighbour(char *const *line, size_t n, size_t i, int by, bool fixed)
{
    for (i += (size_t)by; i < n; i += (size_t)by)
        if (piece_of(line[i], fixed).n > 0)
            return i;
    return n;
}

/* What line i adds to a statement that begins in line `first`. */
static struct piece part_of(char *const *line, size_t i, size_t first, bool fixed)
{
    struct piece p = piece_of(line[i], fixed);
    size_t mark = i != first && p.n > 0 && *p.text == '!' ? sentinel(p.text) : 0;
    if (!mark)
        return p;
    bool open = p.open;
    p = without_blanks(p.text + mark, p.n - mark);
    p.open = open;
    return p;
}

/* Does line b go on with the statement of line a, the one before it? */
static bool continues(char *const *line, size_t a, size_t b, bool fixed)
{
    return fixed ? piece_of(line[b], true).goes_on : piece_of(line[a], false).open;
}

static void append(char *to, const char *text, size_t n)
{
    if (*to)
        strcat(to, " ");
    strncat(to, text, n);
}

/* The beginning, and then what stands in the line that was asked for, unless that is the first one; `more` follows. */
static void shorten(char *text, struct piece own, bool is_first, bool more)
{
    char *copy = strndup(own.text, own.n);
    size_t n = is_first ? LONGEST : HEAD;
    assert(strlen(text) > LONGEST);
    size_t word = n;
    while (word > 0 && !isspace((unsigned char)text[word]))
        word--;
    text[word < n / 3 ? n : word] = '\0'; /* what is called is part of a long word */
    strcat(text, " ...");
    if (copy && !is_first) {
        append(text, copy, LONGEST - HEAD);
        strcat(text, more ? " ..." : "");
    }
    free(copy);
}

/* The line after line i that goes on with its statement; n if there is none. */
static size_t next_line(char *const *line, size_t n, size_t i, bool fixed)
{
    size_t at = neighbour(line, n, i, 1, fixed);
    return at < n && continues(line, i, at, fixed) ? at : n;
}

char *cs_fortran_statement(char *const *line, size_t n, size_t i, bool fixed)
{
    assert(i < n);
    size_t first = i, before, room = 1;
    struct piece own = piece_of(line[i], fixed);
    while (own.n > 0 && (before = neighbour(line, n, first, -1, fixed)) < n && continues(line, before, first, fixed))
        first = before;
    for (size_t at = first; at < n; at = next_line(line, n, at, fixed))
        room += strlen(line[at]) + 1;
    char *text = calloc(room + LONGEST, 1);
    for (size_t at = first; text && at < n && own.n > 0; at = next_line(line, n, at, fixed)) {
        struct piece p = part_of(line, at, first, fixed);
        append(text, p.text, p.n);
    }
    if (text && strlen(text) > LONGEST && (first != i || next_line(line, n, i, fixed) < n))
        shorten(text, part_of(line, i, first, fixed), first == i, next_line(line, n, i, fixed) < n);
    return text;
}
