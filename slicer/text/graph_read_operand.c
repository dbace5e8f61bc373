/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reader of the text form: names, operands, places in memory, positions in the source; graph_read_internal.h.
 * A value is made where its name is first seen; graph_read.c asks for its definition at the end of the function. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/graph_read_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

/* ---- names ---- */

/* kind: 'o' objects and functions, 'v' values, 'b' blocks; scope: function or -1. */
static void make_key(struct reader *r, char kind, int scope, const char *name)
{
    size_t need = strlen(name) + 16;
    if (need > r->keylen)
        r->key = cs_realloc(r->key, r->keylen = need * 2);
    snprintf(r->key, r->keylen, "%c%d:%s", kind, scope, name);
}

int cs_read_find_symbol(struct reader *r, char kind, int scope, const char *name)
{
    struct symbol *s;
    make_key(r, kind, scope, name);
    HASH_FIND_STR(r->symbols, r->key, s);
    return s ? s->id : -1;
}

void cs_read_add_symbol(struct reader *r, char kind, int scope, const char *name, int id)
{
    struct symbol *s;
    make_key(r, kind, scope, name);
    HASH_FIND_STR(r->symbols, r->key, s);
    if (s) {
        fail(r, "%s is declared twice", name);
        return;
    }
    s = cs_calloc(1, sizeof *s);
    s->key = cs_strdup(r->key);
    s->id = id;
    HASH_ADD_KEYPTR(hh, r->symbols, s->key, strlen(s->key), s);
}

static int find_obj(struct reader *r, const char *name)
{
    int o = r->func >= 0 ? cs_read_find_symbol(r, 'o', r->func, name) : -1;
    return o >= 0 ? o : cs_read_find_symbol(r, 'o', -1, name);
}

int cs_read_obj(struct reader *r)
{
    const char *name = cs_read_name(r, "name of an object");
    int o = r->failed ? -1 : find_obj(r, name);
    if (o < 0) {
        r->pos -= !r->failed;
        fail(r, "no object is named %s", name);
    }
    return o;
}

/* The value of that name in this function, made on first sight; check_body() asks for its definition. */
static int value(struct reader *r, const char *name)
{
    if (r->func < 0) {
        fail(r, "a value outside a function");
        return 0;
    }
    int v = cs_read_find_symbol(r, 'v', r->func, name);
    if (v >= 0)
        return v;
    v = cs_graph_add_value(r->g, r->func);
    r->g->values[v].def = -2 - cs_read_token(r)->line; /* not defined yet; the line of its first use */
    CS_GROW(r->value_names, r->nvalue_names, r->avalue_names);
    assert(v == r->nvalue_names);
    r->value_names[r->nvalue_names++] = name;
    cs_read_add_symbol(r, 'v', r->func, name, v);
    return v;
}

int cs_read_value(struct reader *r)
{
    if (cs_read_token(r)->kind != T_IDENT) {
        fail(r, "name of a value expected");
        return 0;
    }
    int v = value(r, cs_read_token(r)->text);
    if (!r->failed)
        r->pos++;
    return v;
}

/* ---- operands and places ---- */

static struct cs_pattern pattern(struct reader *r)
{
    struct cs_pattern p = cs_pat_at(0);
    if (cs_read_is_punct(r, '+') || cs_read_is_punct(r, '-')) {
        bool any = cs_read_is_punct(r, '+') && r->pos + 1 < r->nt && cs_read_punct(&r->t[r->pos + 1], '*');
        if (any) {
            r->pos += 2;
            p.stride = 1;
        } else
            p.off = cs_read_offset(r, "offset");
    }
    if (p.stride == 0 && cs_read_take(r, '%')) {
        p.stride = cs_read_offset(r, "stride");
        if (p.stride <= 0)
            fail(r, "stride must be positive");
    }
    if (!cs_read_take(r, '['))
        return p;
    if (!cs_read_is_punct(r, ':'))
        p.lo = cs_read_offset(r, "lower bound");
    cs_read_expect(r, ':');
    if (!cs_read_is_punct(r, ']'))
        p.hi = cs_read_offset(r, "upper bound");
    cs_read_expect(r, ']');
    if (p.lo > p.hi)
        fail(r, "lower bound above the upper one");
    return p;
}

/* with_pat: the pattern behind an @object is part of the operand. */
struct cs_operand cs_read_primary(struct reader *r, bool with_pat)
{
    if (cs_read_take(r, '?'))
        return cs_opnd_none();
    if (cs_read_take(r, '@')) {
        int o = cs_read_obj(r);
        struct cs_pattern p = with_pat ? pattern(r) : cs_pat_at(0);
        return r->failed ? cs_opnd_none() : cs_opnd_addr(o, p);
    }
    if (cs_read_token(r)->kind == T_NUM || cs_read_is_punct(r, '-'))
        return cs_opnd_const(cs_read_number(r, "number"));
    if (cs_read_token(r)->kind == T_IDENT) {
        int v = cs_read_value(r);
        return r->failed ? cs_opnd_none() : cs_opnd_value(v);
    }
    fail(r, "operand expected: value, number, @object or ?");
    return cs_opnd_none();
}

struct cs_operand cs_read_operand(struct reader *r)
{
    return cs_read_primary(r, true);
}

void cs_read_place(struct reader *r, struct cs_operand *base, struct cs_pattern *pat)
{
    bool parens = cs_read_take(r, '(');
    *base = cs_read_primary(r, parens);
    if (parens)
        cs_read_expect(r, ')');
    *pat = pattern(r);
}

struct cs_ref cs_read_reference(struct reader *r)
{
    struct cs_ref ref;
    cs_read_place(r, &ref.base, &ref.pat);
    ref.size = cs_read_size(r);
    return ref;
}

bool cs_read_ends_operands(struct reader *r)
{
    enum token_kind k = cs_read_token(r)->kind;
    return k == T_LINE || k == T_END || k == T_STRING || cs_read_is_punct(r, '}') || cs_read_is_word(r, "at") ||
           cs_read_is_word(r, "source") || cs_read_is_word(r, "from") || cs_read_is_word(r, "index") ||
           cs_read_is_word(r, "with") || cs_read_is_word(r, "goto");
}

/* ---- positions ---- */

bool cs_read_position(struct reader *r, int *file, int *line, int default_file)
{
    if (!cs_read_take_word(r, "at"))
        return false;
    *file = default_file;
    if (cs_read_token(r)->kind != T_NUM) {
        *file = cs_graph_string(r->g, cs_read_name(r, "file or line"));
        cs_read_expect(r, ':');
    }
    *line = cs_read_small_int(r, "line");
    return true;
}
