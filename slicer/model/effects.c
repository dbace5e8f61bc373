/* SPDX-License-Identifier: GPL-3.0-or-later
 * The effects table: its lines, rows and lookup; effects.h says what a row means, effects_token.c reads the tokens.
 * Rows live in one hash table by name, prefix rows under their name with the `*`. */
#include "slicer/model/effects_internal.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Owns its rows, and the names of files. */
struct cs_effects {
    struct row *rows; /* a uthash table by name */
    char **files;     /* names of the files read: rows point to them */
    int nfiles;
    size_t longest; /* length of the longest prefix row, without its `*` */
};

/* ---- rows ---- */

static void free_row(struct row *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->e.nops; i++)
        free((char *)r->e.ops[i].state);
    free(r->e.ops);
    free((char *)r->e.name);
    free((char *)r->e.ret_state);
    free((char *)r->e.var_state);
    free((char *)r->e.refuse);
    free((char *)r->e.live);
    free((char *)r->e.warn);
    free((char *)r->e.handler);
    free(r);
}

static struct row *new_row(const struct parser *p, const char *name)
{
    struct row *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->e = (struct cs_effect){.ret_arg = -1,
                              .ret_ext_a = -1,
                              .ret_ext_b = -1,
                              .ret_ext_const = -1,
                              .status_arg = -1,
                              .back_arg = -1,
                              .unread_arg = -1,
                              .opens = CS_OPENS_NOTHING,
                              .file = p->file,
                              .line = p->line};
    r->e.name = strdup(name);
    if (!r->e.name) {
        free_row(r);
        return NULL;
    }
    return r;
}

/* Does the row read anything that could end up in fresh memory? */
static bool reads_something(const struct cs_effect *e)
{
    for (int i = 0; i < e->nops; i++)
        switch (e->ops[i].kind) {
        case CS_EFFECT_READ:
        case CS_EFFECT_READ_DEEP:
        case CS_EFFECT_COPY:
        case CS_EFFECT_COPY_DEEP:
        case CS_EFFECT_ELEMENTS:
        case CS_EFFECT_UNIT:
        case CS_EFFECT_FSREAD:
        case CS_EFFECT_CALLBACK:
        case CS_EFFECT_CALL_DEEP: return true;
        case CS_EFFECT_HIDDEN:
        case CS_EFFECT_HIDDEN_DEEP:
            if (e->ops[i].hid_read)
                return true;
            break;
        default: break;
        }
    return false;
}

static bool stores_in_returned(const struct cs_effect *e)
{
    for (int i = 0; i < e->nops; i++)
        if (e->ops[i].arg == CS_EFFECT_ARG_RET)
            return true;
    return false;
}

/* Checks the tokens of a row against each other. */
static int check_row(const struct parser *p, int ntokens)
{
    const struct cs_effect *e = &p->row->e;
    if (!ntokens)
        return cs_effects_fail(p, "row `%s` has no token (`pure` says: no effect)", e->name);
    if (e->zero && e->ret != CS_RET_NEW)
        return cs_effects_fail(p, "row `%s`: `zero` without `ret=new`", e->name);
    if (stores_in_returned(e) && e->ret != CS_RET_NEW)
        return cs_effects_fail(p, "row `%s`: there is no returned memory", e->name);
    if (e->status_arg >= 0 && e->noret != CS_NORET_EXIT)
        return cs_effects_fail(p, "row `%s`: `status` without `noret=exit`", e->name);
    if (e->back_arg >= 0 && e->noret != CS_NORET_ERROR)
        return cs_effects_fail(p, "row `%s`: `back` without `noret=error`", e->name);
    if (e->pure && (e->nops || e->noret || e->keep || e->time || e->rankvar || e->ret == CS_RET_NEW))
        return cs_effects_fail(p, "row `%s`: `pure` contradicts another token", e->name);
    if (e->var && (e->nops || e->noret || e->pure || e->ret))
        return cs_effects_fail(p, "row `%s`: a variable has no effects", e->name);
    return 0;
}

static int set_reason(const struct parser *p, const char *token, const char *text, const char **reason)
{
    size_t len = strlen(text);
    while (len && isspace((unsigned char)text[len - 1]))
        len--;
    if (!len)
        return cs_effects_fail(p, "row `%s`: `%s` without a reason", p->row->e.name, token);
    *reason = strndup(text, len);
    return *reason ? 0 : cs_effects_fail(p, "out of memory");
}

/* A reason has spaces: it takes the rest of the line. 1: there was one, 0: it is another token, -1: an error. */
static int parse_reason(struct parser *p, const char *s)
{
    struct cs_effect *e = &p->row->e;
    const struct {
        const char *token, **reason;
    } all[] = {{"refuse=", &e->refuse}, {"live=", &e->live}, {"warn=", &e->warn}, {"handler=", &e->handler}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strncmp(s, all[i].token, strlen(all[i].token)))
            return set_reason(p, all[i].token, s + strlen(all[i].token), all[i].reason) < 0 ? -1 : 1;
    return 0;
}

static int parse_tokens(struct parser *p, char *s)
{
    int n = 0;
    for (;;) {
        s += strspn(s, " \t\r");
        if (!*s)
            break;
        n++;
        int reason = parse_reason(p, s);
        if (reason < 0)
            return -1;
        if (reason)
            break;
        char *end = s + strcspn(s, " \t\r");
        char *next = *end ? end + 1 : end;
        *end = 0;
        assert(*s);
        p->token = s;
        if (cs_effects_parse_token(p) < 0)
            return -1;
        s = next;
    }
    p->row->e.fills = !p->row->e.zero && reads_something(&p->row->e);
    return check_row(p, n);
}

/* ---- the table ---- */

static int insert_row(struct cs_effects *t, const struct parser *p, struct row *r)
{
    struct row *old;
    assert(r == p->row && r->e.name);
    HASH_FIND_STR(t->rows, r->e.name, old);
    if (old) {
        HASH_DEL(t->rows, old);
        free_row(old);
    }
    HASH_ADD_KEYPTR(hh, t->rows, r->e.name, strlen(r->e.name), r);
    if (r->hh.tbl)
        return 0;
    free_row(r);
    return cs_effects_fail(p, "out of memory");
}

static int check_name(const struct parser *p, const char *name)
{
    const char *star = strchr(name, '*');
    if (!*name)
        return cs_effects_fail(p, "a name is missing beside a comma");
    if (star && star[1])
        return cs_effects_fail(p, "name `%s`: `*` may only end it", name);
    if (star == name)
        return cs_effects_fail(p, "name `*` would match everything");
    return 0;
}

static int add_row(struct cs_effects *t, struct parser *p, const char *name, const char *text)
{
    if (check_name(p, name) < 0)
        return -1;
    if (strchr(name, '*') && strlen(name) - 1 > t->longest)
        t->longest = strlen(name) - 1;
    char *copy = strdup(text);
    p->row = copy ? new_row(p, name) : NULL;
    if (!p->row) {
        free(copy);
        return cs_effects_fail(p, "out of memory");
    }
    int rc = parse_tokens(p, copy);
    free(copy);
    if (rc < 0) {
        free_row(p->row);
        return -1;
    }
    return insert_row(t, p, p->row);
}

/* Adds the rows of one line, which is changed: names separated by commas, then the tokens that all of them get. */
static int add_line(struct cs_effects *t, struct parser *p, char *s)
{
    s[strcspn(s, "#")] = 0;
    s += strspn(s, " \t\r");
    if (!*s)
        return 0;
    char *rest = s + strcspn(s, " \t\r");
    if (*rest)
        *rest++ = 0;
    for (char *name = s; name;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma++ = 0;
        if (add_row(t, p, name, rest) < 0)
            return -1;
        name = comma;
    }
    return 0;
}

/* Keeps a file's name for as long as the table lives. */
static const char *keep_name(struct cs_effects *t, const char *name)
{
    char **files = realloc(t->files, (t->nfiles + 1) * sizeof *files);
    if (!files)
        return NULL;
    t->files = files;
    files[t->nfiles] = strdup(name);
    return files[t->nfiles] ? files[t->nfiles++] : NULL;
}

static int add_stream(struct cs_effects *t, FILE *f, const char *name, char *err, size_t errlen)
{
    struct parser p = {.file = name, .err = err, .errlen = errlen};
    char *line = NULL;
    size_t size = 0;
    int rc = -1;
    p.file = keep_name(t, name);
    if (!p.file) {
        p.file = name;
        cs_effects_fail(&p, "out of memory");
        goto out;
    }
    ssize_t len;
    while ((len = getline(&line, &size, f)) > 0) {
        p.line++;
        if (strlen(line) != (size_t)len) {
            cs_effects_fail(&p, "null byte, not a text");
            goto out;
        }
        line[strcspn(line, "\n")] = 0;
        if (add_line(t, &p, line) < 0)
            goto out;
    }
    if (ferror(f)) {
        cs_effects_fail(&p, "%s", strerror(errno));
        goto out;
    }
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
        if (errlen)
            snprintf(err, errlen, "%s: %s", path, strerror(errno));
        return -1;
    }
    int rc = add_stream(t, f, path, err, errlen);
    fclose(f);
    return rc;
}

int cs_effects_add_text(struct cs_effects *t, const char *text, const char *name, char *err, size_t errlen)
{
    size_t len = strlen(text);
    if (!len)
        return 0;
    FILE *f = fmemopen((char *)text, len, "r");
    if (!f) {
        if (errlen)
            snprintf(err, errlen, "%s: %s", name, strerror(errno));
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
        if (errlen)
            snprintf(err, errlen, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (cs_effects_add(t, path, err, errlen) == 0)
        return t;
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

/* The longest prefix row that the symbol begins with. */
static const struct row *find_prefix(const struct cs_effects *t, const char *symbol)
{
    size_t len = strlen(symbol);
    char *key = malloc(len + 2);
    const struct row *r = NULL;
    if (!key)
        return NULL;
    memcpy(key, symbol, len + 1);
    for (size_t n = len < t->longest ? len : t->longest; n > 0 && !r; n--) {
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
    if (!r)
        r = find_prefix(t, symbol);
    if (r)
        return &r->e;
    if (strncmp(symbol, builtin, sizeof builtin - 1))
        return NULL;
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
    if (!t)
        return;
    struct row *r, *next;
    HASH_ITER (hh, t->rows, r, next) {
        HASH_DEL(t->rows, r);
        free_row(r);
    }
    for (int i = 0; i < t->nfiles; i++)
        free(t->files[i]);
    free(t->files);
    free(t);
}
