/* SPDX-License-Identifier: GPL-3.0-or-later
 * One token of a row of the effects table, such as `r1[2*3]` or `ret=new`: effects.h says what each means.
 * The table `tokens` has those that are operations, `settings` and set_flag() the rest. */
#include "slicer/model/effects_internal.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_effects_fail(const struct parser *p, const char *fmt, ...)
{
    char msg[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    if (p->errlen)
        snprintf(p->err, p->errlen, "%s:%d: %s", p->file, p->line, msg);
    return -1;
}

static int fail_token(const struct parser *p, const char *why)
{
    return cs_effects_fail(p, "token `%s`: %s", p->token, why);
}

/* Appends an operation with nothing set but its kind. */
static struct cs_effect_op *add_op(const struct parser *p, enum cs_effect_kind kind)
{
    struct row *r = p->row;
    assert(r && r->e.nops <= r->aops);
    if (r->e.nops == r->aops) {
        int n = r->aops ? 2 * r->aops : 4;
        struct cs_effect_op *ops = realloc(r->e.ops, n * sizeof *ops);
        if (!ops) {
            cs_effects_fail(p, "out of memory");
            return NULL;
        }
        r->e.ops = ops;
        r->aops = n;
    }
    struct cs_effect_op *op = &r->e.ops[r->e.nops++];
    *op = (struct cs_effect_op){.kind = kind, .arg = -1, .src = -1, .ext_a = -1, .ext_b = -1, .ext_const = -1};
    return op;
}

/* ---- parts of a token; each moves *s behind what it has read ---- */

static int parse_number(const struct parser *p, const char **s, int *out)
{
    if (!isdigit((unsigned char)**s))
        return fail_token(p, "a number of an argument is missing");
    char *end;
    long v = strtol(*s, &end, 10);
    if (v > 255)
        return fail_token(p, "there is no argument of that number");
    assert(end > *s && v >= 0);
    *s = end;
    *out = (int)v;
    return 0;
}

/* A destination: a number, or `ret` for the returned memory. */
static int parse_dest(const struct parser *p, const char **s, int *out)
{
    if (strncmp(*s, "ret", 3))
        return parse_number(p, s, out);
    *out = CS_EFFECT_ARG_RET;
    *s += 3;
    return 0;
}

/* `[K]`, `[K*L]` or `[=C]`, or nothing. */
static int parse_extent(const struct parser *p, const char **s, int *a, int *b, int64_t *constant)
{
    if (**s != '[')
        return 0;
    ++*s;
    if (**s == '=') {
        char *end;
        errno = 0;
        long long v = isdigit((unsigned char)(*s)[1]) ? strtoll(*s + 1, &end, 10) : -1;
        if (v < 0 || errno)
            return fail_token(p, "a number of bytes is missing behind `=`");
        *constant = v;
        *s = end;
    } else {
        if (parse_number(p, s, a) < 0)
            return -1;
        if (**s == '*' && (++*s, parse_number(p, s, b) < 0))
            return -1;
    }
    if (**s != ']')
        return fail_token(p, "`]` is missing");
    ++*s;
    return 0;
}

static int parse_end(const struct parser *p, const char *s)
{
    return *s ? fail_token(p, "does not end there") : 0;
}

/* <M, or <=M: the very value, not with any offset. */
static int parse_value_source(const struct parser *p, const char **s, struct cs_effect_op *op)
{
    if (**s != '<')
        return fail_token(p, "`<` and the source are missing");
    ++*s;
    op->direct = **s == '=';
    *s += op->direct;
    return parse_number(p, s, &op->src);
}

static int parse_source(const struct parser *p, const char **s, int *src)
{
    if (**s != '<')
        return fail_token(p, "`<` and the source are missing");
    ++*s;
    return parse_number(p, s, src);
}

static char *dup_state(const struct parser *p, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_') {
            fail_token(p, "a state's name has letters, digits and `_`");
            return NULL;
        }
    if (!len) {
        fail_token(p, "the state's name is missing");
        return NULL;
    }
    char *d = strndup(s, len);
    if (!d)
        cs_effects_fail(p, "out of memory");
    return d;
}

/* ---- kinds of tokens, by what follows the letters ---- */

/* N or N+, then an extent: memory behind argument N, or each from N on. *N: what the pointers there point to. */
static int parse_memory(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (*s == '*' && (op->kind == CS_EFFECT_READ || op->kind == CS_EFFECT_WRITE)) {
        op->behind = true;
        s++;
    }
    if (parse_number(p, &s, &op->arg) < 0)
        return -1;
    if (*s == '+') {
        op->rest = true;
        s++;
    }
    if (parse_extent(p, &s, &op->ext_a, &op->ext_b, &op->ext_const) < 0)
        return -1;
    return parse_end(p, s);
}

/* N<M, then an extent. */
static int parse_copy(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_dest(p, &s, &op->arg) < 0 || parse_source(p, &s, &op->src) < 0)
        return -1;
    if (parse_extent(p, &s, &op->ext_a, &op->ext_b, &op->ext_const) < 0)
        return -1;
    return parse_end(p, s);
}

/* N<M or N<=M. */
static int parse_copy_deep(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_dest(p, &s, &op->arg) < 0)
        return -1;
    if (s[0] == '<' && s[1] == '=') {
        op->direct = true;
        s += 2;
        if (parse_number(p, &s, &op->src) < 0)
            return -1;
    } else if (parse_source(p, &s, &op->src) < 0)
        return -1;
    return parse_end(p, s);
}

/* :A:B, bytes A to B - 1 of what the argument points to, or nothing. */
static int parse_part(const struct parser *p, const char **s, struct cs_effect_op *op)
{
    int from, to;
    if (**s != ':')
        return 0;
    ++*s;
    if (parse_number(p, s, &from) < 0 || *(*s)++ != ':' || parse_number(p, s, &to) < 0 || to <= from)
        return fail_token(p, "wants N<M:A:B, with A below B");
    op->ext_const = from;
    op->ext_a = to;
    return 0;
}

/* N<M, N<=M, N<M:A:B, N<*M, or Nnew with an extent. */
static int parse_store(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_dest(p, &s, &op->arg) < 0)
        return -1;
    if (s[0] == '<' && s[1] == '*') {
        op->behind = true;
        s += 2;
        if (parse_number(p, &s, &op->src) < 0)
            return -1;
    } else if (!strncmp(s, "new", 3)) {
        op->kind = CS_EFFECT_STORE_NEW;
        s += 3;
        if (parse_extent(p, &s, &op->ext_a, &op->ext_b, &op->ext_const) < 0)
            return -1;
    } else if (parse_value_source(p, &s, op) < 0 || parse_part(p, &s, op) < 0)
        return -1;
    return parse_end(p, s);
}

static int parse_argument(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (parse_number(p, &s, &op->arg) < 0)
        return -1;
    return parse_end(p, s);
}

/* N:A, byte A of what argument N points to, or bits A of it. */
static int parse_place(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    char *end;
    if (parse_number(p, &s, &op->arg) < 0)
        return -1;
    if (*s++ != ':' || !isdigit((unsigned char)*s))
        return fail_token(p, "`:` and a number are missing");
    op->ext_const = strtol(s, &end, 10);
    return parse_end(p, end);
}

/* N, or N:A:L, where the memory at argument N has the pointer at byte A and the length at byte L. */
static int parse_name(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    int at;
    if (parse_number(p, &s, &op->arg) < 0)
        return -1;
    if (!*s)
        return 0;
    if (*s++ != ':' || parse_number(p, &s, &at) < 0 || *s++ != ':' || parse_number(p, &s, &op->ext_a) < 0)
        return fail_token(p, "wants an argument, or N:A:L");
    op->ext_const = at;
    return parse_end(p, s);
}

/* :NAME, the state that further arguments point to, or nothing. */
static int parse_further(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    if (*s != ':')
        return parse_end(p, s);
    op->state = dup_state(p, s + 1, strlen(s + 1));
    return op->state ? 0 : -1;
}

/* N, or N(A,=B,**C) with up to four arguments, and perhaps a state. */
static int count_stars(const char **s)
{
    int n = strspn(*s, "*");
    *s += n;
    return n;
}

/* A number of an argument, or `status`. */
static int parse_passed_on(const struct parser *p, const char **s, int *arg)
{
    static const char status[] = "status";
    if (strncmp(*s, status, sizeof status - 1))
        return parse_number(p, s, arg);
    *arg = CS_EFFECT_ARG_STATUS;
    *s += sizeof status - 1;
    return 0;
}

static int parse_callback(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    enum { MOST = sizeof op->args / sizeof *op->args };
    op->loads = count_stars(&s);
    if (parse_number(p, &s, &op->arg) < 0)
        return -1;
    if (*s != '(')
        return parse_further(p, op, s);
    do {
        s++;
        if (op->nargs == MOST)
            return fail_token(p, "more than four arguments");
        op->arg_loads[op->nargs] = count_stars(&s);
        if (*s == '=') {
            op->exact[op->nargs] = true;
            s++;
        }
        if (parse_passed_on(p, &s, &op->args[op->nargs]) < 0)
            return -1;
        op->nargs++;
    } while (*s == ',');
    if (*s != ')')
        return fail_token(p, "`)` is missing");
    return parse_further(p, op, s + 1);
}

static int parse_state(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    op->state = dup_state(p, s, strlen(s));
    return op->state ? 0 : -1;
}

/* NAME<M, or NAME<self. */
static int parse_state_source(const struct parser *p, struct cs_effect_op *op, const char *s)
{
    size_t len = strcspn(s, "<");
    op->state = dup_state(p, s, len);
    if (!op->state)
        return -1;
    s += len;
    if (op->kind == CS_EFFECT_HIDDEN_PTR && !strcmp(s, "<self"))
        return 0;
    if (parse_value_source(p, &s, op) < 0)
        return -1;
    return parse_end(p, s);
}

/* The operations, each by the letters that its token begins with; `parse` reads what follows them. */
static const struct token {
    const char *text;
    enum cs_effect_kind kind;
    int (*parse)(const struct parser *, struct cs_effect_op *, const char *);
    bool hid_read, hid_write;
} tokens[] = {
    {"r", CS_EFFECT_READ, parse_memory, false, false},
    {"w", CS_EFFECT_WRITE, parse_memory, false, false},
    {"R", CS_EFFECT_READ_DEEP, parse_memory, false, false},
    {"W", CS_EFFECT_WRITE_DEEP, parse_memory, false, false},
    {"c", CS_EFFECT_COPY, parse_copy, false, false},
    {"C", CS_EFFECT_COPY_DEEP, parse_copy_deep, false, false},
    {"e", CS_EFFECT_ELEMENTS, parse_copy, false, false},
    {"mix", CS_EFFECT_MIX, parse_memory, false, false},
    {"s", CS_EFFECT_STORE_PTR, parse_store, false, false},
    {"fs", CS_EFFECT_FSWRITE, parse_argument, false, false},
    {"fsmode", CS_EFFECT_FSMODE, parse_argument, false, false},
    {"flush", CS_EFFECT_FSFLUSH, parse_argument, false, false},
    {"fsold", CS_EFFECT_FSOLD, parse_place, false, false},
    {"fsgiven", CS_EFFECT_FSGIVEN, parse_place, false, false},
    {"fsbits", CS_EFFECT_FSBITS, parse_place, false, false},
    {"fsr", CS_EFFECT_FSREAD, parse_argument, false, false},
    {"name", CS_EFFECT_NAME, parse_name, false, false},
    {"unit", CS_EFFECT_UNIT, parse_argument, true, true},
    {"unitr", CS_EFFECT_UNIT, parse_argument, true, false},
    {"fmt", CS_EFFECT_FORMAT, parse_argument, false, false},
    {"call", CS_EFFECT_CALLBACK, parse_callback, false, false},
    {"vcall", CS_EFFECT_CALL_DEEP, parse_argument, false, false},
    {"end", CS_EFFECT_END, parse_argument, false, false},
    {"free", CS_EFFECT_FREE, parse_argument, false, false},
    {"realloc", CS_EFFECT_REALLOC, parse_argument, false, false},
    {"h:", CS_EFFECT_HIDDEN, parse_state, true, true},
    {"hr:", CS_EFFECT_HIDDEN, parse_state, true, false},
    {"hw:", CS_EFFECT_HIDDEN, parse_state, false, true},
    {"hd:", CS_EFFECT_HIDDEN_DEEP, parse_state, true, true},
    {"hdr:", CS_EFFECT_HIDDEN_DEEP, parse_state, true, false},
    {"hcall:", CS_EFFECT_HIDDEN_CALL, parse_state, true, false},
    {"hs:", CS_EFFECT_HIDDEN_PTR, parse_state_source, false, true},
    {"hc:", CS_EFFECT_HIDDEN_COPY, parse_state_source, false, true},
};

/* Does the word begin as `sret<N`, `cret<N` or `Cret<N`? Its letters run on into `ret`. */
static bool to_returned(const char *word)
{
    return strchr("csC", *word) && !strncmp(word + 1, "ret<", 4);
}

/* The kind of token, by its letters up to a digit, a `*` or a colon; NULL if it is none of the table. */
static const struct token *find_token(const char *word)
{
    size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzCRW");
    if (word[len] == ':')
        len++;
    else if (word[len] == '*') {
    } else if (!isdigit((unsigned char)word[len]))
        len = to_returned(word) ? 1 : 0;
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (strlen(tokens[i].text) == len && !strncmp(word, tokens[i].text, len))
            return &tokens[i];
    return NULL;
}

/* ---- tokens `key=value` and flags ---- */

/* `ret=static` or `ret=static:NAME`. Static memory without a name is a state of the function's own, which the call
 * reads and writes. */
static int set_static(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    const char *name = *s ? s + 1 : e->name;
    size_t len = *s ? strcspn(name, "+") : strcspn(name, "*");
    if (*s && name[len]) {
        e->ret_behind = true;
        if (name[len + 1])
            return fail_token(p, "does not end there");
    }
    e->ret = CS_RET_STATIC;
    e->ret_state = *s ? dup_state(p, name, len) : strndup(name, len);
    if (!e->ret_state)
        return *s ? -1 : cs_effects_fail(p, "out of memory");
    if (*s)
        return 0;
    struct cs_effect_op *op = add_op(p, CS_EFFECT_HIDDEN);
    if (!op)
        return -1;
    op->hid_read = op->hid_write = true;
    op->state = strdup(e->ret_state);
    return op->state ? 0 : cs_effects_fail(p, "out of memory");
}

static int set_ret_arg(const struct parser *p, enum cs_effect_ret ret, const char *s)
{
    struct cs_effect *e = &p->row->e;
    e->ret = ret;
    if (parse_number(p, &s, &e->ret_arg) < 0)
        return -1;
    if (ret == CS_RET_DEEP && parse_extent(p, &s, &e->ret_ext_a, &e->ret_ext_b, &e->ret_ext_const) < 0)
        return -1;
    return parse_end(p, s);
}

static int set_ret(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    if (e->ret != CS_RET_VALUE)
        return fail_token(p, "second `ret`");
    if (!strncmp(s, "new", 3)) {
        e->ret = CS_RET_NEW;
        s += 3;
        if (parse_extent(p, &s, &e->ret_ext_a, &e->ret_ext_b, &e->ret_ext_const) < 0)
            return -1;
        if (*s == '/' && (s++, parse_number(p, &s, &e->ret_arg) < 0))
            return -1;
        return parse_end(p, s);
    }
    if (!strncmp(s, "static", 6) && (!s[6] || s[6] == ':'))
        return set_static(p, s + 6);
    if (!strncmp(s, "pack", 4))
        return set_ret_arg(p, CS_RET_PACK, s + 4);
    if (!strncmp(s, "deep", 4))
        return set_ret_arg(p, CS_RET_DEEP, s + 4);
    e->ret_exact = !strncmp(s, "=static:", 8);
    if (e->ret_exact)
        return set_static(p, s + 7);
    if (*s == '=')
        return set_ret_arg(p, CS_RET_ARG_EXACT, s + 1);
    if (*s == '*')
        return set_ret_arg(p, CS_RET_STORED, s + 1);
    return set_ret_arg(p, CS_RET_ARG, s);
}

static int set_noret(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    if (!strcmp(s, "error"))
        e->noret = CS_NORET_ERROR;
    else if (!strcmp(s, "exit"))
        e->noret = CS_NORET_EXIT;
    else if (!strcmp(s, "jump"))
        e->noret = CS_NORET_JUMP;
    else
        return fail_token(p, "is none of error, exit, jump");
    return 0;
}

static int set_status(const struct parser *p, const char *s)
{
    if (*s == '*') {
        p->row->e.status_deref = true;
        s++;
    }
    if (parse_number(p, &s, &p->row->e.status_arg) < 0)
        return -1;
    return parse_end(p, s);
}

static int set_back(const struct parser *p, const char *s)
{
    if (parse_number(p, &s, &p->row->e.back_arg) < 0)
        return -1;
    return parse_end(p, s);
}

/* N:A:B, bytes A <= byte < B of argument N */
static int set_unread(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    int from, to;
    if (parse_number(p, &s, &e->unread_arg) < 0)
        return -1;
    if (*s != ':' || (s++, parse_number(p, &s, &from) < 0) || *s != ':' || (s++, parse_number(p, &s, &to) < 0) ||
        from >= to)
        return fail_token(p, "wants an argument, a first byte and the byte behind the last: N:A:B");
    e->unread_from = from;
    e->unread_to = to;
    return parse_end(p, s);
}

static int set_var(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    e->var = true;
    if (*s == '*') {
        e->var_points = true;
        s++;
    }
    free((char *)e->var_state);
    e->var_state = dup_state(p, s, strlen(s));
    return e->var_state ? 0 : -1;
}

static int set_opens(const struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    if (!strcmp(s, "ret"))
        e->opens = CS_OPENS_RET;
    else if (!strcmp(s, "unit"))
        e->opens = CS_OPENS_UNIT;
    else if (!strcmp(s, "fd"))
        e->opens = CS_OPENS_FD;
    else
        return parse_number(p, &s, &e->opens) < 0 ? -1 : parse_end(p, s);
    return 0;
}

/* KIND, then the number of the argument. */
static int set_access(const struct parser *p, const char *s)
{
    static const char *const kinds[] = {
        [CS_ACCESS_C] = "c",   [CS_ACCESS_POSIX] = "posix", [CS_ACCESS_IOS] = "ios",
        [CS_ACCESS_IN] = "in", [CS_ACCESS_OUT] = "out",     [CS_ACCESS_ACTION] = "action"};
    struct cs_effect *e = &p->row->e;
    size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyz");
    for (size_t k = 1; k < sizeof kinds / sizeof *kinds; k++)
        if (strlen(kinds[k]) == len && !strncmp(s, kinds[k], len))
            e->access = k;
    s += len;
    if (!e->access)
        return fail_token(p, "is none of c, posix, ios, in, out, action");
    return parse_number(p, &s, &e->access_arg) < 0 ? -1 : parse_end(p, s);
}

/* The tokens `key=value`; `set` reads the value. */
static const struct {
    const char *text;
    int (*set)(const struct parser *, const char *);
} settings[] = {
    {"ret=", set_ret}, {"noret=", set_noret}, {"status=", set_status}, {"back=", set_back},
    {"var=", set_var}, {"opens=", set_opens}, {"access=", set_access}, {"unread=", set_unread},
};

static bool set_flag(struct cs_effect *e, const char *word)
{
    if (!strcmp(word, "zero"))
        e->zero = true;
    else if (!strcmp(word, "time"))
        e->time = true;
    else if (!strcmp(word, "rankvar"))
        e->rankvar = true;
    else if (!strcmp(word, "pure"))
        e->pure = true;
    else if (!strcmp(word, "tells"))
        e->tells = true;
    else if (!strcmp(word, "moves"))
        e->moves = e->renames = true;
    else if (!strcmp(word, "renames"))
        e->renames = true;
    else if (!strcmp(word, "var"))
        e->var = true;
    else if (!strcmp(word, "whole"))
        e->whole = true;
    else if (!strcmp(word, "team"))
        e->team = true;
    else if (!strcmp(word, "keep"))
        e->keep = true;
    else if (!strcmp(word, "throws"))
        e->throws = true;
    else if (!strcmp(word, "throws_on_request"))
        e->throws_on_request = true;
    else if (!strcmp(word, "requests_throws"))
        e->requests_throws = true;
    else if (!strcmp(word, "object"))
        e->object = true;
    else if (!strcmp(word, "catches"))
        e->catches = true;
    else
        return false;
    return true;
}

int cs_effects_parse_token(const struct parser *p)
{
    const char *word = p->token;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t len = strlen(settings[i].text);
        if (!strncmp(word, settings[i].text, len))
            return settings[i].set(p, word + len);
    }
    const struct token *t = find_token(word);
    if (!t)
        return set_flag(&p->row->e, word) ? 0 : fail_token(p, "unknown");
    struct cs_effect_op *op = add_op(p, t->kind);
    if (!op)
        return -1;
    op->hid_read = t->hid_read;
    op->hid_write = t->hid_write;
    return t->parse(p, op, word + strlen(t->text));
}
