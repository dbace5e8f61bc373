/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads a program graph from text: declarations, functions and their blocks; docs/reference/graph-text.md is the
 * reference. Two passes: names of objects and functions first, so that all can be named before they are declared. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/graph_text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/text/graph_read_internal.h"
#include "slicer/text/graph_words_internal.h"
#include "slicer/graph/storage.h"

/* ---- functions ---- */

static bool declaration_at(struct reader *r, int i)
{
    const char *word = r->t[i].text;
    return r->t[i].kind == T_IDENT && !cs_read_assigns_at(r, i) &&
           (!strcmp(word, "local") || !strcmp(word, "undef") || !strcmp(word, "init"));
}

/* Blocks are made before the statements, which name them. Statements before the first label are a block of their own.
 */
static void make_blocks(struct reader *r)
{
    int n = 0, cap = 0, depth = 1;
    const char **names = NULL;
    for (int i = r->pos; i < r->nt; i++) {
        depth += cs_read_punct(&r->t[i], '{') - cs_read_punct(&r->t[i], '}');
        if (depth == 0)
            break;
        bool label = cs_read_label_at(r, i);
        if (!r->t[i].starts || r->t[i].kind == T_LINE || declaration_at(r, i) || (n && !label))
            continue;
        CS_GROW(names, n, cap);
        names[n++] = label ? r->t[i].text : "";
        if (!strcmp(names[n - 1], "exit"))
            cs_read_fail(r, r->t[i].line, "'exit' is the name of the exit");
    }
    r->nblocks = n;
    r->block_names = names;
    cs_graph_set_blocks(r->g, r->func, n);
    for (int i = 0; i < n; i++)
        cs_read_add_symbol(r, 'b', r->func, names[i], i);
}

/* An open block falls through to the next one; after a return, and at the end of the body, to the exit. */
static void close_block(struct reader *r)
{
    if (r->block < 0 || r->closed)
        return;
    assert(r->block < r->nblocks);
    struct cs_block *b = &r->g->funcs[r->func].blocks[r->block];
    bool returns = b->nstmts && r->g->stmts[b->stmts[b->nstmts - 1]].kind == CS_STMT_RETURN;
    cs_graph_add_edge(r->g, r->func, r->block, returns || r->block + 1 == r->nblocks ? CS_BLOCK_EXIT : r->block + 1,
                      false);
    r->closed = true;
}

static void open_block(struct reader *r)
{
    close_block(r);
    if (r->block + 1 >= r->nblocks) {
        fail(r, "a label cannot stand here");
        return;
    }
    r->block++;
    r->closed = false;
}

static void declare_init(struct reader *r)
{
    cs_read_take(r, '@');
    int o = cs_read_obj(r);
    int64_t off = cs_read_is_punct(r, '+') || cs_read_is_punct(r, '-') ? cs_read_offset(r, "offset") : 0,
            sz = cs_read_size(r);
    cs_read_expect(r, '=');
    struct cs_operand val = cs_read_operand(r);
    if (val.kind == CS_OPND_VALUE)
        fail(r, "an initial value must be a constant");
    if (!r->failed)
        cs_obj_add_init(&r->g->objs[o], off, sz, val);
}

static void declare_obj(struct reader *r)
{
    int o = cs_read_obj(r);
    int64_t sz = cs_read_size(r);
    while (!r->failed && cs_read_token(r)->kind != T_LINE && cs_read_token(r)->kind != T_END &&
           !cs_read_is_punct(r, '}')) {
        struct cs_obj *ob = &r->g->objs[o];
        bool found = false;
        for (int i = 0; i < CS_TEXT_NOBJ_FLAGS && !found; i++)
            if (cs_read_take_word(r, cs_text_obj_flags[i]))
                found = *cs_text_obj_flag(ob, i) = true;
        if (found)
            continue;
        if (cs_read_token(r)->kind == T_STRING)
            ob->name = cs_graph_string(r->g, r->t[r->pos++].text);
        else if (cs_read_take(r, '=')) {
            struct cs_operand val = cs_read_operand(r);
            if (val.kind == CS_OPND_VALUE)
                fail(r, "an initial value must be a constant");
            if (!r->failed)
                cs_obj_add_init(&r->g->objs[o], 0, sz, val);
        } else
            fail(r, "unknown attribute of an object");
    }
    if (!r->failed)
        r->g->objs[o].size = sz;
}

static void declare_undef(struct reader *r)
{
    do {
        int v = cs_read_value(r);
        if (r->failed)
            return;
        if (r->g->values[v].def >= -1)
            fail(r, "value %s is defined twice", r->value_names[v]);
        r->g->values[v].def = -1;
    } while (cs_read_take(r, ','));
}

static void body_line(struct reader *r)
{
    if (cs_read_label_at(r, r->pos)) {
        open_block(r);
        r->pos += 2;
        return; /* a statement may follow on the same line */
    }
    if (!declaration_at(r, r->pos)) {
        if (r->block < 0)
            open_block(r);
        if (r->failed)
            return;
        if (r->closed) {
            fail(r, "statement after the end of the block");
            return;
        }
        if (cs_read_take_word(r, "goto"))
            cs_read_edges(r);
        else if (cs_read_take_word(r, "stop"))
            r->closed = true;
        else {
            int s = cs_read_stmt(r);
            if (!r->failed)
                cs_read_suffixes(r, s);
        }
    } else if (cs_read_take_word(r, "local"))
        declare_obj(r);
    else if (cs_read_take_word(r, "init"))
        declare_init(r);
    else if (cs_read_take_word(r, "undef"))
        declare_undef(r);
    cs_read_expect_line(r);
}

static void check_phi(struct reader *r, const struct cs_stmt *s, int line)
{
    const struct cs_func *f = &r->g->funcs[r->func];
    for (int i = 0; i < s->nuses; i++) {
        const struct cs_block *p = &f->blocks[s->phi_preds[i]];
        bool found = false;
        for (int k = 0; k < p->nsuccs; k++)
            found |= p->succs[k] == s->block;
        if (!found)
            cs_read_fail(r, line, "a phi of block %s names %s, which does not lead there", r->block_names[s->block],
                         r->block_names[s->phi_preds[i]]);
    }
}

/* Every value must be defined, every phi name predecessors. */
static void check_body(struct reader *r, int first_value, int line)
{
    const struct cs_func *f = &r->g->funcs[r->func];
    for (int v = first_value; v < r->g->nvalues; v++)
        if (r->g->values[v].def < -1)
            cs_read_fail(r, -2 - r->g->values[v].def, "value %s is used, but never defined", r->value_names[v]);
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; k < f->blocks[b].nstmts; k++)
            if (r->g->stmts[f->blocks[b].stmts[k]].kind == CS_STMT_PHI)
                check_phi(r, &r->g->stmts[f->blocks[b].stmts[k]], line);
}

static void body(struct reader *r, int first_value)
{
    int line = cs_read_token(r)->line;
    make_blocks(r);
    r->block = -1;
    r->closed = false;
    while (!r->failed && !cs_read_is_punct(r, '}')) {
        if (cs_read_token(r)->kind == T_END)
            fail(r, "function without '}'");
        else if (cs_read_token(r)->kind == T_LINE)
            r->pos++;
        else
            body_line(r);
    }
    cs_read_expect(r, '}');
    close_block(r);
    if (!r->failed)
        check_body(r, first_value, line);
    free(r->block_names);
    r->block_names = NULL;
}

static void param(struct reader *r)
{
    struct cs_func *f = &r->g->funcs[r->func];
    int n = f->nparams++, v = -1, o = -1;
    f->params = cs_realloc(f->params, f->nparams * sizeof *f->params);
    f->param_objs = cs_realloc(f->param_objs, f->nparams * sizeof *f->param_objs);
    if (!cs_read_take_word(r, "_") && !cs_read_is_punct(r, '{')) {
        v = cs_read_value(r);
        if (!r->failed && r->g->values[v].def >= -1)
            fail(r, "two parameters of one name");
        if (!r->failed)
            r->g->values[v].def = -1;
    }
    if (cs_read_take(r, '{')) {
        cs_read_take(r, '@');
        o = cs_read_obj(r);
        cs_read_expect(r, '}');
    }
    f->params[n] = r->failed ? -1 : v;
    f->param_objs[n] = r->failed ? -1 : o;
}

static int function_token(struct reader *r)
{
    const char *name = cs_read_name(r, "name of a function");
    int o = r->failed ? -1 : cs_read_find_symbol(r, 'o', -1, name);
    if (o < 0 || r->g->objs[o].kind != CS_OBJ_FUNC) {
        fail(r, "no function is named %s", name);
        return -1;
    }
    return r->g->objs[o].func;
}

static void func_attribute(struct reader *r)
{
    struct cs_func *f = &r->g->funcs[r->func];
    for (int i = 0; i < CS_TEXT_NFUNC_FLAGS; i++)
        if (cs_read_take_word(r, cs_text_func_flags[i])) {
            *cs_text_func_flag(f, i) = true;
            return;
        }
    if (cs_read_position(r, &f->file, &f->line, 0))
        return;
    if (cs_read_take_word(r, "clone"))
        f->source = function_token(r);
    else if (cs_read_take_word(r, "family"))
        cs_intset_add(&f->families, cs_read_small_int(r, "family"));
    else if (cs_read_take_word(r, "form"))
        cs_intset_add(&f->families, cs_read_take_word(r, "any") ? CS_ANY_FORM : CS_FORM(cs_read_small_int(r, "form")));
    else if (cs_read_take_word(r, "result")) {
        cs_read_take(r, '@');
        f->result_obj = cs_read_obj(r);
    } else if (cs_read_token(r)->kind == T_STRING)
        f->name = r->g->objs[f->obj].name = cs_graph_string(r->g, r->t[r->pos++].text);
    else
        fail(r, "unknown attribute of a function");
}

static void function(struct reader *r)
{
    int first_value = r->g->nvalues;
    r->func = function_token(r);
    if (cs_read_take(r, '(')) {
        while (!r->failed && !cs_read_is_punct(r, ')')) {
            param(r);
            if (!cs_read_take(r, ','))
                break;
        }
        cs_read_expect(r, ')');
    }
    while (!r->failed && cs_read_token(r)->kind != T_LINE && cs_read_token(r)->kind != T_END &&
           !cs_read_is_punct(r, '{'))
        func_attribute(r);
    if (cs_read_take(r, '{'))
        body(r, first_value);
    r->func = -1;
}

/* ---- the whole text ---- */

/* The '{' that opens the body of the function whose header is at token i, or the header's last token. */
static int header_end(struct reader *r, int i)
{
    for (int depth = 0; i + 1 < r->nt && r->t[i + 1].kind != T_LINE; i++) {
        depth += cs_read_punct(&r->t[i], '(') - cs_read_punct(&r->t[i], ')');
        if (depth == 0 && cs_read_punct(&r->t[i], '{'))
            break;
    }
    return i;
}

static void declare_name(struct reader *r, int scope, const char *word, const char *name)
{
    bool local = !strcmp(word, "local");
    if (!local && (scope >= 0 || strcmp(word, "global")))
        return;
    int o = cs_graph_add_obj(r->g, local ? CS_OBJ_LOCAL : CS_OBJ_GLOBAL, name, CS_SIZE_UNKNOWN);
    assert(!local || scope < r->g->nfuncs);
    r->g->objs[o].func = local ? scope : -1;
    cs_read_add_symbol(r, 'o', local ? scope : -1, name, o);
}

/* Names of objects and functions first, so that all can be named before they are declared. */
static void declare_names(struct reader *r)
{
    int scope = -1, depth = 0;
    for (r->pos = 0; r->pos < r->nt && !r->failed; r->pos++) {
        struct token *t = &r->t[r->pos];
        depth += cs_read_punct(t, '{') - cs_read_punct(t, '}');
        if (depth <= 0)
            scope = -1;
        bool named = r->pos + 1 < r->nt && (t[1].kind == T_IDENT || t[1].kind == T_STRING);
        if (!t->starts || t->kind != T_IDENT || !named)
            continue;
        if (scope >= 0 || strcmp(t->text, "func")) {
            declare_name(r, scope, t->text, t[1].text);
            continue;
        }
        int f = cs_graph_add_func(r->g, t[1].text);
        cs_read_add_symbol(r, 'o', -1, t[1].text, r->g->funcs[f].obj);
        if (r->failed)
            return;
        r->pos = header_end(r, r->pos);
        depth = cs_read_punct(&r->t[r->pos], '{');
        if (depth)
            scope = f;
    }
    if (!r->failed)
        r->pos = 0;
}

static void top_line(struct reader *r)
{
    if (cs_read_take_word(r, "global") || cs_read_take_word(r, "local"))
        declare_obj(r);
    else if (cs_read_take_word(r, "init"))
        declare_init(r);
    else if (cs_read_take_word(r, "func"))
        function(r);
    else
        fail(r, "'global', 'init' or 'func' expected");
    cs_read_expect_line(r);
    if (!r->failed && cs_read_is_punct(r, '}'))
        fail(r, "'}' without '{'");
}

static void check_sources(struct reader *r)
{
    for (int s = 0; s < r->g->nstmts && !r->failed; s++)
        if (r->g->stmts[s].source >= r->g->nstmts)
            cs_read_fail(r, 1, "source %d: there are only %d statements", r->g->stmts[s].source, r->g->nstmts);
}

/* The whole input with a zero behind it, or NULL with errno. */
static char *slurp(FILE *in, size_t *len)
{
    size_t cap = 4096, n = 0;
    char *buf = cs_calloc(1, cap);
    while (!feof(in)) {
        n += fread(buf + n, 1, cap - n - 1, in);
        if (ferror(in)) {
            free(buf);
            return NULL;
        }
        if (n + 1 == cap)
            buf = cs_realloc(buf, cap *= 2);
    }
    assert(n < cap);
    buf[n] = 0;
    *len = n;
    return buf;
}

static void free_reader(struct reader *r)
{
    struct symbol *s, *next;
    HASH_ITER (hh, r->symbols, s, next) {
        HASH_DEL(r->symbols, s);
        free(s->key);
        free(s);
    }
    free(r->t);
    free(r->key);
    free(r->value_names);
}

struct cs_graph *cs_graph_read(FILE *in, const char *name, char *err, size_t errlen)
{
    struct reader r = {.name = name, .err = err, .errlen = errlen, .func = -1, .block = -1};
    size_t len;
    char *text = slurp(in, &len);
    if (!text) {
        snprintf(err, errlen, "%s:1: %s", name, strerror(errno));
        return NULL;
    }
    r.g = cs_graph_new();
    if (strlen(text) != len)
        cs_read_fail(&r, 1, "not a text");
    else
        cs_read_lex(&r, text);
    declare_names(&r);
    while (!r.failed && cs_read_token(&r)->kind != T_END) {
        if (cs_read_token(&r)->kind == T_LINE)
            r.pos++;
        else
            top_line(&r);
    }
    check_sources(&r);
    free_reader(&r);
    free(text);
    if (!r.failed)
        return r.g;
    cs_graph_free(r.g);
    return NULL;
}
