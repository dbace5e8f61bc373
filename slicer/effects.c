/* SPDX-License-Identifier: GPL-3.0-or-later
 * Parser and lookup of the effects table; effects.h says what a row means.
 * Rows live in one hash table by name, prefix rows under their name with the `*`. */
#include "effects.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void oom_in_hash(void *row);
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(row) oom_in_hash(row)
#include <uthash.h>

struct row {
    struct cs_effect e;      /* first, so that a row is its effect */
    int aops;
    UT_hash_handle hh;
};

struct cs_effects {
    struct row *rows;
    char **files;            /* names that rows point to */
    int nfiles;
};

/* The line that is being parsed. */
struct parser {
    const char *file;
    int line;
    const char *token;       /* the whole token, for messages */
    struct row *row;
    char *err;
    size_t errlen;
};

/* uthash calls this with the row that could not be added; the caller sees that hh.tbl is null. */
static void oom_in_hash(void *row)
{
    ((struct row *)row)->hh.tbl = NULL;
}

__attribute__((format(printf, 2, 3)))
static int fail(const struct parser *p, const char *fmt, ...)
{
    char msg[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    if (p->errlen) snprintf(p->err, p->errlen, "%s:%d: %s", p->file, p->line, msg);
    return -1;
}

static int fail_token(const struct parser *p, const char *why)
{
    return fail(p, "token `%s`: %s", p->token, why);
}

/* ---- rows ---- */

static void free_row(struct row *r)
{
    if (!r) return;
    for (int i = 0; i < r->e.nops; i++) free((char *)r->e.ops[i].state);
    free(r->e.ops);
    free((char *)r->e.name);
    free((char *)r->e.ret_state);
    free((char *)r->e.var_state);
    free((char *)r->e.refuse);
    free((char *)r->e.handler);
    free(r);
}

static struct row *new_row(const struct parser *p, const char *name)
{
    struct row *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->e = (struct cs_effect){ .ret_arg = -1, .ret_ext_a = -1, .ret_ext_b = -1, .ret_ext_const = -1,
                               .status_arg = -1, .back_arg = -1, .unread_arg = -1, .file = p->file, .line = p->line };
    r->e.name = strdup(name);
    if (!r->e.name) { free_row(r); return NULL; }
    return r;
}

/* Appends an operation with nothing set but its kind. */
static struct cs_effect_op *add_op(const struct parser *p, enum cs_effect_kind kind)
{
    struct row *r = p->row;
    if (r->e.nops == r->aops) {
        int n = r->aops ? 2 * r->aops : 4;
        struct cs_effect_op *ops = realloc(r->e.ops, n * sizeof *ops);
        if (!ops) { fail(p, "out of memory"); return NULL; }
        r->e.ops = ops;
        r->aops = n;
    }
    struct cs_effect_op *op = &r->e.ops[r->e.nops++];
    *op = (struct cs_effect_op){ .kind = kind, .arg = -1, .src = -1, .ext_a = -1, .ext_b = -1, .ext_const = -1 };
    return op;
}

/* ---- parts of a token; each moves *s behind what it has read ---- */

static int parse_number(const struct parser *p, const char **s, int *out)
{
    if (!isdigit((unsigned char)**s)) return fail_token(p, "a number of an argument is missing");
    char *end;
    long v = strtol(*s, &end, 10);
    if (v > 255) return fail_token(p, "there is no argument of that number");
    *s = end;
    *out = (int)v;
    return 0;
}

/* A destination: a number, or `ret` for the returned memory. */
static int parse_dest(const struct parser *p, const char **s, int *out)
{
    if (strncmp(*s, "ret", 3)) return parse_number(p, s, out);
    *out = CS_EFFECT_ARG_RET;
    *s += 3;
    return 0;
}

/* `[K]`, `[K*L]` or `[=C]`, or nothing. */
static int parse_extent(const struct parser *p, const char **s, int *a, int *b, int64_t *constant)
{
    if (**s != '[') return 0;
    ++*s;
    if (**s == '=') {
        char *end;
        errno = 0;
        long long v = isdigit((unsigned char)(*s)[1]) ? strtoll(*s + 1, &end, 10) : -1;
        if (v < 0 || errno) return fail_token(p, "a number of bytes is missing behind `=`");
        *constant = v;
        *s = end;
    } else {
        if (parse_number(p, s, a) < 0) return -1;
        if (**s == '*' && (++*s, parse_number(p, s, b) < 0)) return -1;
    }
    if (**s != ']') return fail_token(p, "`]` is missing");
    ++*s;
    return 0;
}

static int parse_end(const struct parser *p, const char *s)
{
    return *s ? fail_token(p, "does not end there") : 0;
}

static int parse_source(const struct parser *p, const char **s, int *src)
{
    if (**s != '<') return fail_token(p, "`<` and the source are missing");
    ++*s;
    return parse_number(p, s, src);
}

static char *dup_state(const struct parser *p, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_') { fail_token(p, "a state's name has letters, digits and `_`"); return NULL; }
    if (!len) { fail_token(p, "the state's name is missing"); return NULL; }
    char *d = strndup(s, len);
    if (!d) fail(p, "out of memory");
    return d;
}

/* ---- kinds of tokens, by what follows the letters ---- */

/* N, N+, then an extent: places in memory. *N: what the pointers there point to. */
static int parse_memory(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (*s == '*' && (op->kind == CS_EFFECT_READ || op->kind == CS_EFFECT_WRITE)) { op->behind = true; s++; }
    if (parse_number(p, &s, &op->arg) < 0) return -1;
    if (*s == '+') { op->rest = true; s++; }
    if (parse_extent(p, &s, &op->ext_a, &op->ext_b, &op->ext_const) < 0) return -1;
    return parse_end(p, s);
}

/* N<M, then an extent. */
static int parse_copy(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_dest(p, &s, &op->arg) < 0 || parse_source(p, &s, &op->src) < 0) return -1;
    if (parse_extent(p, &s, &op->ext_a, &op->ext_b, &op->ext_const) < 0) return -1;
    return parse_end(p, s);
}

/* N<M or N<=M. */
static int parse_copy_deep(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_dest(p, &s, &op->arg) < 0) return -1;
    if (s[0] == '<' && s[1] == '=') {
        op->direct = true;
        s += 2;
        if (parse_number(p, &s, &op->src) < 0) return -1;
    } else if (parse_source(p, &s, &op->src) < 0) return -1;
    return parse_end(p, s);
}

/* N<M, N<*M, or Nnew with an extent. */
static int parse_store(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_dest(p, &s, &op->arg) < 0) return -1;
    if (s[0] == '<' && s[1] == '*') {
        op->behind = true;
        s += 2;
        if (parse_number(p, &s, &op->src) < 0) return -1;
    } else if (!strncmp(s, "new", 3)) {
        op->kind = CS_EFFECT_STORE_NEW;
        s += 3;
        if (parse_extent(p, &s, &op->ext_a, &op->ext_b, &op->ext_const) < 0) return -1;
    } else if (parse_source(p, &s, &op->src) < 0) return -1;
    return parse_end(p, s);
}

static int parse_argument(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_number(p, &s, &op->arg) < 0) return -1;
    return parse_end(p, s);
}

/* N:A, byte A of what argument N points to, or bits A of it. */
static int parse_place(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    char *end;
    if (parse_number(p, &s, &op->arg) < 0) return -1;
    if (*s++ != ':' || !isdigit((unsigned char)*s)) return fail_token(p, "`:` and a number are missing");
    op->ext_const = strtol(s, &end, 10);
    return parse_end(p, end);
}

/* N, or N(A,**B) with up to four arguments. */
static int parse_callback(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_number(p, &s, &op->arg) < 0) return -1;
    if (*s != '(') return parse_end(p, s);
    do {
        s++;
        if (op->nargs == 4) return fail_token(p, "more than four arguments");
        if (s[0] == '*' && s[1] == '*') { op->deep[op->nargs] = true; s += 2; }
        if (parse_number(p, &s, &op->args[op->nargs]) < 0) return -1;
        op->nargs++;
    } while (*s == ',');
    if (*s != ')') return fail_token(p, "`)` is missing");
    return parse_end(p, s + 1);
}

static int parse_state(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    op->state = dup_state(p, s, strlen(s));
    return op->state ? 0 : -1;
}

/* NAME<M */
static int parse_state_source(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    size_t len = strcspn(s, "<");
    op->state = dup_state(p, s, len);
    if (!op->state) return -1;
    s += len;
    if (parse_source(p, &s, &op->src) < 0) return -1;
    return parse_end(p, s);
}

static const struct token {
    const char *text;
    enum cs_effect_kind kind;
    int (*parse)(const struct parser *, struct cs_effect_op *, const char *);
    bool hid_read, hid_write;
} tokens[] = {
    { "r", CS_EFFECT_READ, parse_memory, false, false },
    { "w", CS_EFFECT_WRITE, parse_memory, false, false },
    { "R", CS_EFFECT_READ_DEEP, parse_memory, false, false },
    { "W", CS_EFFECT_WRITE_DEEP, parse_memory, false, false },
    { "c", CS_EFFECT_COPY, parse_copy, false, false },
    { "C", CS_EFFECT_COPY_DEEP, parse_copy_deep, false, false },
    { "e", CS_EFFECT_ELEMENTS, parse_copy, false, false },
    { "mix", CS_EFFECT_MIX, parse_memory, false, false },
    { "s", CS_EFFECT_STORE_PTR, parse_store, false, false },
    { "fs", CS_EFFECT_FSWRITE, parse_argument, false, false },
    { "fsmode", CS_EFFECT_FSMODE, parse_argument, false, false },
    { "flush", CS_EFFECT_FSFLUSH, parse_argument, false, false },
    { "fsold", CS_EFFECT_FSOLD, parse_place, false, false },
    { "fsgiven", CS_EFFECT_FSGIVEN, parse_place, false, false },
    { "fsbits", CS_EFFECT_FSBITS, parse_place, false, false },
    { "unit", CS_EFFECT_UNIT, parse_argument, false, false },
    { "fmt", CS_EFFECT_FORMAT, parse_argument, false, false },
    { "call", CS_EFFECT_CALLBACK, parse_callback, false, false },
    { "vcall", CS_EFFECT_CALL_DEEP, parse_argument, false, false },
    { "end", CS_EFFECT_END, parse_argument, false, false },
    { "free", CS_EFFECT_FREE, parse_argument, false, false },
    { "realloc", CS_EFFECT_REALLOC, parse_argument, false, false },
    { "h:", CS_EFFECT_HIDDEN, parse_state, true, true },
    { "hr:", CS_EFFECT_HIDDEN, parse_state, true, false },
    { "hw:", CS_EFFECT_HIDDEN, parse_state, false, true },
    { "hd:", CS_EFFECT_HIDDEN_DEEP, parse_state, true, true },
    { "hdr:", CS_EFFECT_HIDDEN_DEEP, parse_state, true, false },
    { "hs:", CS_EFFECT_HIDDEN_PTR, parse_state_source, false, true },
    { "hc:", CS_EFFECT_HIDDEN_COPY, parse_state_source, false, true },
};

/* Is it `sret<N` or `cret<N`? Their letters would run into `ret`. */
static bool to_returned(const char *word)
{
    return strchr("csC", *word) && !strncmp(word + 1, "ret<", 4);
}

/* Letters, then a colon or what is behind a number: enough to know the kind of token. */
static const struct token *find_token(const char *word)
{
    size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzCRW");
    if (word[len] == ':') len++;
    else if (word[len] == '*') { }
    else if (!isdigit((unsigned char)word[len])) len = to_returned(word) ? 1 : 0;
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (strlen(tokens[i].text) == len && !strncmp(word, tokens[i].text, len)) return &tokens[i];
    return NULL;
}

/* ---- tokens `key=value` and flags ---- */

/* Unnamed static memory is a state of the function's own that the call reads and writes. */
static int set_static(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    const char *name = *s ? s + 1 : e->name;
    size_t len = *s ? strcspn(name, "+") : strcspn(name, "*");
    if (*s && name[len]) {
        e->ret_behind = true;
        if (name[len + 1]) return fail_token(p, "does not end there");
    }
    e->ret = CS_RET_STATIC;
    e->ret_state = *s ? dup_state(p, name, len) : strndup(name, len);
    if (!e->ret_state) return *s ? -1 : fail(p, "out of memory");
    if (*s) return 0;
    struct cs_effect_op *op = add_op(p, CS_EFFECT_HIDDEN);
    if (!op) return -1;
    op->hid_read = op->hid_write = true;
    op->state = strdup(e->ret_state);
    return op->state ? 0 : fail(p, "out of memory");
}

static int set_ret_arg(const struct parser *p, enum cs_effect_ret ret, const char *s)
{
    struct cs_effect *e = &p->row->e;
    e->ret = ret;
    if (parse_number(p, &s, &e->ret_arg) < 0) return -1;
    if (ret == CS_RET_DEEP && parse_extent(p, &s, &e->ret_ext_a, &e->ret_ext_b, &e->ret_ext_const) < 0) return -1;
    return parse_end(p, s);
}

static int set_ret(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    if (e->ret != CS_RET_VALUE) return fail_token(p, "second `ret`");
    if (!strncmp(s, "new", 3)) {
        e->ret = CS_RET_NEW;
        s += 3;
        if (parse_extent(p, &s, &e->ret_ext_a, &e->ret_ext_b, &e->ret_ext_const) < 0) return -1;
        if (*s == '/' && (s++, parse_number(p, &s, &e->ret_arg) < 0)) return -1;
        return parse_end(p, s);
    }
    if (!strncmp(s, "static", 6) && (!s[6] || s[6] == ':')) return set_static(p, s + 6);
    if (!strncmp(s, "pack", 4)) return set_ret_arg(p, CS_RET_PACK, s + 4);
    if (!strncmp(s, "deep", 4)) return set_ret_arg(p, CS_RET_DEEP, s + 4);
    if (*s == '=') return set_ret_arg(p, CS_RET_ARG_EXACT, s + 1);
    if (*s == '*') return set_ret_arg(p, CS_RET_STORED, s + 1);
    return set_ret_arg(p, CS_RET_ARG, s);
}

static int set_noret(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    if (!strcmp(s, "error")) e->noret = CS_NORET_ERROR;
    else if (!strcmp(s, "exit")) e->noret = CS_NORET_EXIT;
    else if (!strcmp(s, "jump")) e->noret = CS_NORET_JUMP;
    else return fail_token(p, "is none of error, exit, jump");
    return 0;
}

static int set_status(const struct parser *p, const char *s)
{
    if (*s == '*') { p->row->e.status_deref = true; s++; }
    if (parse_number(p, &s, &p->row->e.status_arg) < 0) return -1;
    return parse_end(p, s);
}

static int set_back(const struct parser *p, const char *s)
{
    if (parse_number(p, &s, &p->row->e.back_arg) < 0) return -1;
    return parse_end(p, s);
}

/* N:A:B */
static int set_unread(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    int from, to;
    if (parse_number(p, &s, &e->unread_arg) < 0) return -1;
    if (*s != ':' || (s++, parse_number(p, &s, &from) < 0) || *s != ':' || (s++, parse_number(p, &s, &to) < 0) || from >= to)
        return fail_token(p, "wants an argument, a first byte and the byte behind the last: N:A:B");
    e->unread_from = from;
    e->unread_to = to;
    return parse_end(p, s);
}

static int set_var(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    e->var = true;
    if (*s == '*') { e->var_points = true; s++; }
    free((char *)e->var_state);
    e->var_state = dup_state(p, s, strlen(s));
    return e->var_state ? 0 : -1;
}

static const struct { const char *text; int (*set)(const struct parser *, const char *); } settings[] = {
    { "ret=", set_ret }, { "noret=", set_noret }, { "status=", set_status }, { "back=", set_back }, { "var=", set_var }, { "unread=", set_unread },
};

static bool set_flag(struct cs_effect *e, const char *word)
{
    if (!strcmp(word, "zero")) e->zero = true;
    else if (!strcmp(word, "time")) e->time = true;
    else if (!strcmp(word, "rankvar")) e->rankvar = true;
    else if (!strcmp(word, "pure")) e->pure = true;
    else if (!strcmp(word, "var")) e->var = true;
    else if (!strcmp(word, "whole")) e->whole = true;
    else if (!strcmp(word, "keep")) e->keep = true;
    else if (!strcmp(word, "throws")) e->throws = true;
    else if (!strcmp(word, "throws_on_request")) e->throws_on_request = true;
    else if (!strcmp(word, "requests_throws")) e->requests_throws = true;
    else if (!strcmp(word, "catches")) e->catches = true;
    else return false;
    return true;
}

static int parse_token(const struct parser *p)
{
    const char *word = p->token;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t len = strlen(settings[i].text);
        if (!strncmp(word, settings[i].text, len)) return settings[i].set(p, word + len);
    }
    const struct token *t = find_token(word);
    if (!t) return set_flag(&p->row->e, word) ? 0 : fail_token(p, "unknown");
    struct cs_effect_op *op = add_op(p, t->kind);
    if (!op) return -1;
    op->hid_read = t->hid_read;
    op->hid_write = t->hid_write;
    return t->parse(p, op, word + strlen(t->text));
}

/* Does the row read anything that could end up in fresh memory? */
static bool reads_something(const struct cs_effect *e)
{
    for (int i = 0; i < e->nops; i++)
        switch (e->ops[i].kind) {
        case CS_EFFECT_READ: case CS_EFFECT_READ_DEEP: case CS_EFFECT_COPY: case CS_EFFECT_COPY_DEEP: case CS_EFFECT_ELEMENTS:
        case CS_EFFECT_UNIT: case CS_EFFECT_CALLBACK: case CS_EFFECT_CALL_DEEP:
            return true;
        case CS_EFFECT_HIDDEN: case CS_EFFECT_HIDDEN_DEEP:
            if (e->ops[i].hid_read) return true;
            break;
        default:
            break;
        }
    return false;
}

static bool stores_in_returned(const struct cs_effect *e)
{
    for (int i = 0; i < e->nops; i++)
        if (e->ops[i].arg == CS_EFFECT_ARG_RET) return true;
    return false;
}

/* What no single token can see. */
static int check_row(const struct parser *p, int ntokens)
{
    const struct cs_effect *e = &p->row->e;
    if (!ntokens) return fail(p, "row `%s` has no token (`pure` says: no effect)", e->name);
    if (e->zero && e->ret != CS_RET_NEW) return fail(p, "row `%s`: `zero` without `ret=new`", e->name);
    if (stores_in_returned(e) && e->ret != CS_RET_NEW) return fail(p, "row `%s`: there is no returned memory", e->name);
    if (e->status_arg >= 0 && e->noret != CS_NORET_EXIT) return fail(p, "row `%s`: `status` without `noret=exit`", e->name);
    if (e->back_arg >= 0 && e->noret != CS_NORET_ERROR) return fail(p, "row `%s`: `back` without `noret=error`", e->name);
    if (e->pure && (e->nops || e->noret || e->keep || e->time || e->rankvar || e->ret == CS_RET_NEW))
        return fail(p, "row `%s`: `pure` contradicts another token", e->name);
    if (e->var && (e->nops || e->noret || e->pure || e->ret)) return fail(p, "row `%s`: a variable has no effects", e->name);
    return 0;
}

static int set_reason(const struct parser *p, const char *token, const char *text, const char **reason)
{
    size_t len = strlen(text);
    while (len && isspace((unsigned char)text[len - 1])) len--;
    if (!len) return fail(p, "row `%s`: `%s` without a reason", p->row->e.name, token);
    *reason = strndup(text, len);
    return *reason ? 0 : fail(p, "out of memory");
}

static int parse_tokens(struct parser *p, char *s)
{
    int n = 0;
    for (;;) {
        s += strspn(s, " \t\r");
        if (!*s) break;
        n++;
        /* A reason has spaces: it takes the rest of the line. */
        if (!strncmp(s, "refuse=", 7)) { if (set_reason(p, "refuse=", s + 7, &p->row->e.refuse) < 0) return -1; break; }
        if (!strncmp(s, "handler=", 8)) { if (set_reason(p, "handler=", s + 8, &p->row->e.handler) < 0) return -1; break; }
        char *end = s + strcspn(s, " \t\r");
        char *next = *end ? end + 1 : end;
        *end = 0;
        p->token = s;
        if (parse_token(p) < 0) return -1;
        s = next;
    }
    p->row->e.fills = !p->row->e.zero && reads_something(&p->row->e);
    return check_row(p, n);
}

/* ---- the table ---- */

static int insert_row(struct cs_effects *t, const struct parser *p, struct row *r)
{
    struct row *old;
    HASH_FIND_STR(t->rows, r->e.name, old);
    if (old) {
        HASH_DEL(t->rows, old);
        free_row(old);
    }
    HASH_ADD_KEYPTR(hh, t->rows, r->e.name, strlen(r->e.name), r);
    if (r->hh.tbl) return 0;
    free_row(r);
    return fail(p, "out of memory");
}

static int check_name(const struct parser *p, const char *name)
{
    const char *star = strchr(name, '*');
    if (!*name) return fail(p, "a name is missing beside a comma");
    if (star && star[1]) return fail(p, "name `%s`: `*` may only end it", name);
    if (star == name) return fail(p, "name `*` would match everything");
    return 0;
}

static int add_row(struct cs_effects *t, struct parser *p, const char *name, const char *text)
{
    if (check_name(p, name) < 0) return -1;
    char *copy = strdup(text);
    p->row = copy ? new_row(p, name) : NULL;
    if (!p->row) { free(copy); return fail(p, "out of memory"); }
    int rc = parse_tokens(p, copy);
    free(copy);
    if (rc < 0) { free_row(p->row); return -1; }
    return insert_row(t, p, p->row);
}

/* One line, which is changed: names with commas between them, then the tokens of each. */
static int add_line(struct cs_effects *t, struct parser *p, char *s)
{
    s[strcspn(s, "#")] = 0;
    s += strspn(s, " \t\r");
    if (!*s) return 0;
    char *rest = s + strcspn(s, " \t\r");
    if (*rest) *rest++ = 0;
    for (char *name = s; name; ) {
        char *comma = strchr(name, ',');
        if (comma) *comma++ = 0;
        if (add_row(t, p, name, rest) < 0) return -1;
        name = comma;
    }
    return 0;
}

/* Keeps a file's name for as long as the table lives. */
static const char *keep_name(struct cs_effects *t, const char *name)
{
    char **files = realloc(t->files, (t->nfiles + 1) * sizeof *files);
    if (!files) return NULL;
    t->files = files;
    files[t->nfiles] = strdup(name);
    return files[t->nfiles] ? files[t->nfiles++] : NULL;
}

static int add_stream(struct cs_effects *t, FILE *f, const char *name, char *err, size_t errlen)
{
    struct parser p = { .file = name, .err = err, .errlen = errlen };
    char *line = NULL;
    size_t size = 0;
    int rc = -1;
    p.file = keep_name(t, name);
    if (!p.file) { p.file = name; fail(&p, "out of memory"); goto out; }
    ssize_t len;
    while ((len = getline(&line, &size, f)) > 0) {
        p.line++;
        if (strlen(line) != (size_t)len) { fail(&p, "null byte, not a text"); goto out; }
        line[strcspn(line, "\n")] = 0;
        if (add_line(t, &p, line) < 0) goto out;
    }
    if (ferror(f)) { fail(&p, "%s", strerror(errno)); goto out; }
    rc = 0;
out:
    free(line);
    return rc;
}

struct cs_effects *cs_effects_new(void)
{
    return calloc(1, sizeof(struct cs_effects));
}

int cs_effects_add(struct cs_effects *t, const char *path, char *err, size_t errlen)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        if (errlen) snprintf(err, errlen, "%s: %s", path, strerror(errno));
        return -1;
    }
    int rc = add_stream(t, f, path, err, errlen);
    fclose(f);
    return rc;
}

int cs_effects_add_text(struct cs_effects *t, const char *text, const char *name, char *err, size_t errlen)
{
    size_t len = strlen(text);
    if (!len) return 0;
    FILE *f = fmemopen((char *)text, len, "r");
    if (!f) {
        if (errlen) snprintf(err, errlen, "%s: %s", name, strerror(errno));
        return -1;
    }
    int rc = add_stream(t, f, name, err, errlen);
    fclose(f);
    return rc;
}

struct cs_effects *cs_effects_load(const char *path, char *err, size_t errlen)
{
    struct cs_effects *t = cs_effects_new();
    if (!t) {
        if (errlen) snprintf(err, errlen, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (cs_effects_add(t, path, err, errlen) == 0) return t;
    cs_effects_free(t);
    return NULL;
}

/* The row with exactly this name of `len` letters, `*` included. */
static const struct row *find_row(const struct cs_effects *t, const char *name, size_t len)
{
    struct row *r = NULL;
    HASH_FIND(hh, t->rows, name, len, r);
    return r;
}

static const struct row *find_prefix(const struct cs_effects *t, const char *symbol)
{
    size_t len = strlen(symbol);
    char *key = malloc(len + 2);
    const struct row *r = NULL;
    if (!key) return NULL;
    memcpy(key, symbol, len + 1);
    for (size_t n = len; n > 0 && !r; n--) {
        key[n] = '*';
        r = find_row(t, key, n + 1);
    }
    free(key);
    return r;
}

const struct cs_effect *cs_effects_find(const struct cs_effects *t, const char *symbol)
{
    static const char builtin[] = "__builtin_";
    const struct row *r = find_row(t, symbol, strlen(symbol));
    if (!r) r = find_prefix(t, symbol);
    if (r) return &r->e;
    if (strncmp(symbol, builtin, sizeof builtin - 1)) return NULL;
    return cs_effects_find(t, symbol + sizeof builtin - 1);
}

size_t cs_effects_count(const struct cs_effects *t)
{
    return HASH_COUNT(t->rows);
}

const struct cs_effect *cs_effects_next(const struct cs_effects *t, const struct cs_effect *prev)
{
    const struct row *r = prev ? ((const struct row *)prev)->hh.next : t->rows;
    return r ? &r->e : NULL;
}

void cs_effects_free(struct cs_effects *t)
{
    if (!t) return;
    struct row *r, *next;
    HASH_ITER(hh, t->rows, r, next) {
        HASH_DEL(t->rows, r);
        free_row(r);
    }
    for (int i = 0; i < t->nfiles; i++) free(t->files[i]);
    free(t->files);
    free(t);
}
