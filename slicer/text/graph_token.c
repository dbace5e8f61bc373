/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reader of the text form, lowest level: characters to tokens, and asking for the next token;
 * graph_read_internal.h. Strings are unescaped in place, so the text must outlive its tokens. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/graph_read_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "slicer/text/graph_words_internal.h"
#include "slicer/graph/storage.h"

/* The tokens end here, so that whoever asks for the next one stops. */
void cs_read_fail(struct reader *r, int line, const char *fmt, ...)
{
    if (r->failed)
        return;
    r->failed = true;
    int n = snprintf(r->err, r->errlen, "%s:%d: ", r->name, line);
    va_list ap;
    va_start(ap, fmt);
    if (n >= 0 && (size_t)n < r->errlen)
        vsnprintf(r->err + n, r->errlen - n, fmt, ap);
    va_end(ap);
    r->pos = r->nt;
}

struct token *cs_read_token(struct reader *r)
{
    assert(r->pos >= 0);
    static struct token end = {.kind = T_END, .text = ""};
    if (r->pos < r->nt)
        return &r->t[r->pos];
    end.line = r->nt ? r->t[r->nt - 1].line : 1;
    return &end;
}

static struct token *add_token(struct reader *r, enum token_kind kind, int line, char *text, size_t len)
{
    CS_GROW(r->t, r->nt, r->at);
    r->t[r->nt] = (struct token){.kind = kind, .line = line, .text = text, .len = len};
    return &r->t[r->nt++];
}

bool cs_read_punct(const struct token *t, int c)
{
    return t->kind == T_PUNCT && t->num == c;
}

static int hex_digit(int c)
{
    return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

static char *lex_number(struct reader *r, char *p, int line)
{
    char *q = p;
    int base = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 16 : 10;
    uint64_t v = 0;
    if (base == 16)
        q += 2;
    char *digits = q;
    for (; isxdigit((unsigned char)*q) && hex_digit((unsigned char)*q) < base; q++) {
        int d = hex_digit((unsigned char)*q);
        if (v > ((uint64_t)1 << 63) / base || v * base + d > (uint64_t)1 << 63) {
            cs_read_fail(r, line, "number too large");
            return q;
        }
        v = v * base + d;
    }
    if (q == digits || cs_text_ident_char((unsigned char)*q))
        cs_read_fail(r, line, "malformed number");
    add_token(r, T_NUM, line, p, q - p)->num = (int64_t)v; /* 2^63 only with a minus before it: cs_read_number() */
    return q;
}

/* Unescapes in place. */
static char *lex_string(struct reader *r, char *p, int line)
{
    assert(*p == '"' || *p == '\'');
    char quote = *p, *q = p + 1, *to = q;
    struct token *t = add_token(r, T_STRING, line, q, 0);
    while (*q != quote) {
        if (*q == 0 || *q == '\n') {
            cs_read_fail(r, line, "string without end");
            return q;
        }
        if (*q != '\\') {
            *to++ = *q++;
            continue;
        }
        q++;
        if (*q == 'x') {
            int a = hex_digit((unsigned char)q[1]), b = a < 0 ? -1 : hex_digit((unsigned char)q[2]);
            if (b < 0 || a * 16 + b == 0) {
                cs_read_fail(r, line, "malformed \\x in a string");
                return q;
            }
            *to++ = (char)(a * 16 + b);
            q += 3;
        } else if (*q == 'n') {
            *to++ = '\n';
            q++;
        } else if (*q == '\\' || *q == '"' || *q == '\'')
            *to++ = *q++;
        else {
            cs_read_fail(r, line, "unknown escape in a string");
            return q;
        }
    }
    assert(to <= q);
    t->len = to - t->text;
    return q + 1;
}

static char *lex_punct(struct reader *r, char *p, int line)
{
    bool two = p[1] == '=' && strchr("=!<>", *p);
    if (!strchr("{}()[]@,:?*+-%=<>!", *p)) {
        if (isprint((unsigned char)*p))
            cs_read_fail(r, line, "unexpected character '%c'", *p);
        else
            cs_read_fail(r, line, "unexpected byte 0x%02x", (unsigned char)*p);
        return p + 1;
    }
    add_token(r, T_PUNCT, line, p, 1 + two)->num = two ? CS_TWO(p[0], '=') : p[0];
    return p + 1 + two;
}

void cs_read_lex(struct reader *r, char *p)
{
    int line = 1;
    while (*p && !r->failed) {
        char *start = p;
        if (*p == '\n' || *p == ';') {
            add_token(r, T_LINE, line, p, 1);
            line += *p++ == '\n';
        } else if (*p == '#')
            while (*p && *p != '\n')
                p++;
        else if (*p == ' ' || *p == '\t' || *p == '\r')
            p++;
        else if (isdigit((unsigned char)*p))
            p = lex_number(r, p, line);
        else if (*p == '"' || *p == '\'')
            p = lex_string(r, p, line);
        else if (cs_text_ident_char((unsigned char)*p)) {
            while (cs_text_ident_char((unsigned char)*p))
                p++;
            add_token(r, T_IDENT, line, start, p - start);
        } else
            p = lex_punct(r, p, line);
    }
    for (int i = 0; i < r->nt; i++) {
        struct token *t = &r->t[i], *before = i ? t - 1 : NULL;
        /* Only now: a token may end where the next one starts. */
        assert(t->kind != T_END && t->line > 0);
        if (t->kind == T_IDENT || t->kind == T_STRING)
            t->text[t->len] = 0;
        t->starts = !before || before->kind == T_LINE || cs_read_punct(before, '{') ||
                    (cs_read_punct(before, ':') && i > 1 && t[-2].starts);
    }
    if (r->failed)
        r->pos = r->nt;
}

bool cs_read_is_punct(struct reader *r, int c)
{
    return cs_read_punct(cs_read_token(r), c);
}

bool cs_read_is_word(struct reader *r, const char *word)
{
    return cs_read_token(r)->kind == T_IDENT && !strcmp(cs_read_token(r)->text, word);
}

bool cs_read_take(struct reader *r, int c)
{
    if (!cs_read_is_punct(r, c))
        return false;
    r->pos++;
    return true;
}

bool cs_read_take_word(struct reader *r, const char *word)
{
    if (!cs_read_is_word(r, word))
        return false;
    r->pos++;
    return true;
}

void cs_read_expect(struct reader *r, int c)
{
    if (!cs_read_take(r, c))
        fail(r, "'%c' expected", c & 255);
}

/* The end of a line or of a body; only the line is eaten. */
void cs_read_expect_line(struct reader *r)
{
    if (cs_read_token(r)->kind == T_LINE)
        r->pos++;
    else if (cs_read_token(r)->kind != T_END && !cs_read_is_punct(r, '}'))
        fail(r, "end of line expected");
}

const char *cs_read_name(struct reader *r, const char *what)
{
    if (cs_read_token(r)->kind != T_IDENT && cs_read_token(r)->kind != T_STRING) {
        fail(r, "%s expected", what);
        return "";
    }
    return r->t[r->pos++].text;
}

int64_t cs_read_number(struct reader *r, const char *what)
{
    bool minus = cs_read_take(r, '-');
    if (!minus)
        cs_read_take(r, '+');
    if (cs_read_token(r)->kind != T_NUM) {
        fail(r, "%s expected", what);
        return 0;
    }
    int64_t v = cs_read_token(r)->num;
    if (v == INT64_MIN && !minus) {
        fail(r, "number too large");
        return 0;
    }
    r->pos++;
    return minus && v != INT64_MIN ? -v : v;
}

/* Offsets and sizes: small enough to be added. */
int64_t cs_read_offset(struct reader *r, const char *what)
{
    int64_t v = cs_read_number(r, what);
    if (v > CS_OFF_MAX || v < CS_OFF_MIN) {
        fail(r, "%s too large", what);
        return 0;
    }
    return v;
}

int64_t cs_read_size(struct reader *r)
{
    if (cs_read_take(r, '*'))
        return CS_SIZE_UNKNOWN;
    int64_t v = cs_read_offset(r, "size");
    if (v < 0)
        fail(r, "negative size");
    return v;
}

int cs_read_small_int(struct reader *r, const char *what)
{
    int64_t v = cs_read_number(r, what);
    if (v < 0 || v > INT32_MAX) {
        fail(r, "%s out of range", what);
        return 0;
    }
    return (int)v;
}
