/* SPDX-License-Identifier: GPL-3.0-or-later
 * The text form of a program graph, for tests and for dumps of real programs; docs/graph-text.md is its reference.
 * One writer and one reader. What the analyses add (heap objects, pseudo statements) is not written: they make it again. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "graph.h"
#include "slice.h"
#include "util.h"

/* Words for enum cs_op; NULL: written in another way. */
static const char *const op_words[] = {
    [CS_OP_COPY] = "copy", [CS_OP_PTRADD] = "ptradd", [CS_OP_FIELD] = "field", [CS_OP_ADD] = "add", [CS_OP_SUB] = "sub", [CS_OP_MUL] = "mul",
    [CS_OP_EQ] = "eq", [CS_OP_NE] = "ne", [CS_OP_LT] = "lt", [CS_OP_LE] = "le", [CS_OP_GT] = "gt", [CS_OP_GE] = "ge",
    [CS_OP_MIX] = "mix", [CS_OP_SELECT] = "select", [CS_OP_OTHER] = "other" };
#define NOPS (int)(sizeof op_words / sizeof *op_words)

static const struct { const char *sign; enum cs_op op; } signs[] = {
    { "==", CS_OP_EQ }, { "!=", CS_OP_NE }, { "<", CS_OP_LT }, { "<=", CS_OP_LE }, { ">", CS_OP_GT }, { ">=", CS_OP_GE } };
#define NSIGNS (int)(sizeof signs / sizeof *signs)

static const char *const obj_flags[] = { "readonly", "external", "exported", "zeroed", "common" };
static const char *const func_flags[] = { "entry", "exported", "keep_all", "fortran" };

static bool *obj_flag(struct cs_obj *o, int i)
{
    bool *const f[] = { &o->readonly, &o->external, &o->exported, &o->zeroed, &o->common };
    return f[i];
}

static bool *func_flag(struct cs_func *f, int i)
{
    bool *const p[] = { &f->is_entry, &f->exported, &f->keep_all, &f->fortran };
    return p[i];
}

/* ================ writing ================ */

struct name_entry { char *name; int next; UT_hash_handle hh; };   /* next: number to try for the next object of that name */

struct writer {
    const struct cs_graph *g;
    FILE *out;
    char **obj_name;             /* unique in the text */
    struct name_entry *used;
    int *value_num, next_value;  /* numbers in the current function, in order of appearance; -1 */
    int *stmt_num;               /* in order of appearance; -1: not written */
    int *first_local, *next_local;   /* locals of each function */
};

static bool ident_char(int c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '$';
}

static bool is_ident(const char *s)
{
    if (!*s || isdigit((unsigned char)*s) || *s == '.') return false;
    for (; *s; s++)
        if ((unsigned char)*s > 126 || !ident_char((unsigned char)*s)) return false;
    return true;
}

static void put_string(struct writer *w, const char *s, char quote)
{
    fputc(quote, w->out);
    for (; *s; s++) {
        unsigned char c = *s;
        if (c == '\n') fputs("\\n", w->out);
        else if (c == quote || c == '\\') fprintf(w->out, "\\%c", c);
        else if (c < 32 || c > 126) fprintf(w->out, "\\x%02x", c);
        else fputc(c, w->out);
    }
    fputc(quote, w->out);
}

static void put_name(struct writer *w, const char *s)
{
    if (is_ident(s)) fputs(s, w->out);
    else put_string(w, s, '"');
}

static void put_num(struct writer *w, int64_t v)
{
    if (v >= 0x1000000) fprintf(w->out, "0x%" PRIx64, (uint64_t)v);
    else fprintf(w->out, "%" PRId64, v);
}

static void put_value(struct writer *w, int v)
{
    if (w->value_num[v] < 0) w->value_num[v] = w->next_value++;
    fprintf(w->out, "v%d", w->value_num[v]);
}

static bool plain_pat(struct cs_pattern p)
{
    return cs_pat_equal(p, cs_pat_at(0));
}

static void put_pat(struct writer *w, struct cs_pattern p)
{
    if (p.stride == 1 && p.off == 0) fputs("+*", w->out);
    else if (p.off || p.stride) fprintf(w->out, "%+" PRId64, p.off);
    if (p.stride > 1) fprintf(w->out, "%%%" PRId64, p.stride);
    if (p.lo == CS_OFF_MIN && p.hi == CS_OFF_MAX) return;
    fputc('[', w->out);
    if (p.lo != CS_OFF_MIN) fprintf(w->out, "%" PRId64, p.lo);
    fputc(':', w->out);
    if (p.hi != CS_OFF_MAX) fprintf(w->out, "%" PRId64, p.hi);
    fputc(']', w->out);
}

static void put_operand(struct writer *w, struct cs_operand op)
{
    switch (op.kind) {
    case CS_OPND_NONE: fputc('?', w->out); break;
    case CS_OPND_VALUE: put_value(w, op.id); break;
    case CS_OPND_CONST: put_num(w, op.pat.off); break;
    case CS_OPND_ADDR:
        fputc('@', w->out);
        put_name(w, w->obj_name[op.id]);
        put_pat(w, op.pat);
    }
}

static void put_operands(struct writer *w, const char *before, const struct cs_operand *ops, int n)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : before, w->out);
        put_operand(w, ops[i]);
    }
}

static void put_place(struct writer *w, struct cs_operand base, struct cs_pattern pat)
{
    bool parens = base.kind == CS_OPND_ADDR && !plain_pat(base.pat);
    if (parens) fputc('(', w->out);
    put_operand(w, base);
    if (parens) fputc(')', w->out);
    put_pat(w, pat);
}

static void put_size(struct writer *w, int64_t size)
{
    if (size < 0) fputc('*', w->out);
    else fprintf(w->out, "%" PRId64, size);
}

static void put_ref(struct writer *w, const struct cs_ref *r)
{
    put_place(w, r->base, r->pat);
    fputc(' ', w->out);
    put_size(w, r->size);
}

static void put_store(struct writer *w, const char *word, const struct cs_ref *r)
{
    fprintf(w->out, "%s ", word);
    put_ref(w, r);
    fputs(" = ", w->out);
}

static void put_at(struct writer *w, int file, int line, int default_file)
{
    bool same = file == default_file;
    if (same && line == 0) return;
    fputs(" at ", w->out);
    if (!same) {
        put_name(w, cs_graph_str(w->g, file));
        fputc(':', w->out);
    }
    fprintf(w->out, "%d", line);
}

static void put_arg(struct writer *w, const struct cs_stmt *s, int i)
{
    bool loads = false;
    for (int k = 0; k < s->narg_loads; k++) loads |= s->arg_loads[k].arg == i;
    if (!loads || s->uses[i].kind != CS_OPND_NONE) put_operand(w, s->uses[i]);
    for (int k = 0; k < s->narg_loads; k++) {
        if (s->arg_loads[k].arg != i) continue;
        fputc('{', w->out);
        put_ref(w, &s->arg_loads[k].ref);
        fputc('}', w->out);
    }
}

static void put_call(struct writer *w, const struct cs_stmt *s)
{
    bool named = s->callee.kind == CS_OPND_ADDR && w->g->objs[s->callee.id].kind == CS_OBJ_FUNC && plain_pat(s->callee.pat);
    if (s->has_store) put_store(w, "store", &s->store);
    fputs("call ", w->out);
    if (named) put_name(w, w->obj_name[s->callee.id]);
    else {
        fputs("*(", w->out);
        put_operand(w, s->callee);
        fputc(')', w->out);
    }
    fputc('(', w->out);
    for (int i = 0; i < s->nuses; i++) {
        if (i) fputs(", ", w->out);
        put_arg(w, s, i);
    }
    fputc(')', w->out);
}

static void put_assign(struct writer *w, const struct cs_stmt *s)
{
    if (s->op == CS_OP_COPY && s->nuses == 1) { put_operand(w, s->uses[0]); return; }
    fputs(op_words[s->op], w->out);
    if (s->op == CS_OP_FIELD && s->nuses) {
        fputc(' ', w->out);
        put_place(w, s->uses[0], s->load.pat);
        put_operands(w, ", ", s->uses + 1, s->nuses - 1);
        return;
    }
    put_operands(w, " ", s->uses, s->nuses);
    if (s->stride) fprintf(w->out, " * %" PRId64, s->stride);
}

static void put_phi(struct writer *w, const struct cs_stmt *s)
{
    fputs("phi", w->out);
    for (int i = 0; i < s->nuses; i++) {
        fprintf(w->out, "%s b%d: ", i ? "," : "", s->phi_preds[i]);
        put_operand(w, s->uses[i]);
    }
}

static void put_cond(struct writer *w, const struct cs_stmt *s)
{
    fputs("if ", w->out);
    for (int i = 0; i < NSIGNS && s->nuses == 2; i++) {
        if (signs[i].op != s->op) continue;
        put_operand(w, s->uses[0]);
        fprintf(w->out, " %s ", signs[i].sign);
        put_operand(w, s->uses[1]);
        return;
    }
    fputs(op_words[s->op], w->out);
    put_operands(w, " ", s->uses, s->nuses);
}

static void put_edge(struct writer *w, const struct cs_block *b, int i)
{
    if (b->never[i]) fputs("never ", w->out);
    if (b->eh[i]) fputs("eh ", w->out);
    if (b->succs[i] < 0) fputs("exit", w->out);
    else fprintf(w->out, "b%d", b->succs[i]);
}

static void put_edges(struct writer *w, const char *word, const struct cs_block *b)
{
    fputs(word, w->out);
    for (int i = 0; i < b->nsuccs; i++) {
        fputs(i ? ", " : " ", w->out);
        put_edge(w, b, i);
    }
}

/* A statement without its position. Returns whether it has written the edges of its block. */
static bool put_body(struct writer *w, const struct cs_stmt *s, const struct cs_block *b, bool last)
{
    struct cs_operand *u = s->uses;
    int n = s->nuses;
    bool named = s->kind == CS_STMT_ASSIGN || s->kind == CS_STMT_PHI || s->kind == CS_STMT_LOAD;
    if (s->def >= 0) put_value(w, s->def);
    else if (named) fputc('_', w->out);
    if (s->def >= 0 || named) fputs(" = ", w->out);
    switch (s->kind) {
    case CS_STMT_ASSIGN: put_assign(w, s); return false;
    case CS_STMT_PHI: put_phi(w, s); return false;
    case CS_STMT_LOAD:
        fputs(s->op == CS_OP_OTHER ? "peek " : "load ", w->out);
        put_ref(w, &s->load);
        put_operands(w, " with ", u, n);
        return false;
    case CS_STMT_STORE: case CS_STMT_ENTRY:
        put_store(w, s->kind == CS_STMT_STORE ? "store" : "entry", &s->store);
        put_operands(w, "", u, n ? 1 : 0);
        put_operands(w, " with ", u + 1, n - 1);
        return false;
    case CS_STMT_COPY:
        put_store(w, "copy", &s->store);
        put_ref(w, &s->load);
        put_operands(w, " with ", u, n);
        return false;
    case CS_STMT_CALL: put_call(w, s); return false;
    case CS_STMT_COND:
        put_cond(w, s);
        if (!last || b->nsuccs != 2) return false;
        fputs(" then ", w->out);
        put_edge(w, b, 0);
        fputs(" else ", w->out);
        put_edge(w, b, 1);
        return true;
    case CS_STMT_SWITCH:
        fputs("switch", w->out);
        put_operands(w, " ", u, n);
        if (!last || b->nsuccs == 0) return false;
        put_edges(w, " goto", b);
        return true;
    case CS_STMT_RETURN:
        fputs("return", w->out);
        if (s->has_load) {
            fputs(" load ", w->out);
            put_ref(w, &s->load);
        }
        put_operands(w, s->has_load ? " with " : " ", u, n);
        return last && b->nsuccs == 1 && b->succs[0] == CS_BLOCK_EXIT && !b->never[0] && !b->eh[0];
    case CS_STMT_ASM:
        fputs("asm(", w->out);
        put_operands(w, "", u, n);
        fputc(')', w->out);
        if (s->has_load) { fputs(" load ", w->out); put_ref(w, &s->load); }
        if (s->has_store) { fputs(" store ", w->out); put_ref(w, &s->store); }
        return false;
    }
    return false;
}

static void put_decision(struct writer *w, const struct cs_stmt *s)
{
    static const char *const marks[] = { "", ", envelope", ", content" };
    if (!s->keep) return;
    fprintf(w->out, "  # kept: %s%s", cs_reason_name(s->why), s->mark >= 0 && s->mark < 3 ? marks[s->mark] : "");
}

static bool put_stmt(struct writer *w, int id, const struct cs_block *b, bool last)
{
    const struct cs_stmt *s = &w->g->stmts[id];
    fputs("    ", w->out);
    bool edges = put_body(w, s, b, last);
    for (int i = 0; i < s->nidx; i++) {
        fputs(i ? ", " : " index ", w->out);
        put_value(w, s->idx[i]);
    }
    put_at(w, s->file, s->line, w->g->funcs[s->func].file);
    if (s->source < 0 || w->stmt_num[s->source] < 0) fputs(" source none", w->out);
    else if (s->source != id) fprintf(w->out, " source %d", w->stmt_num[s->source]);
    if (s->text >= 0) {
        fputc(' ', w->out);
        put_string(w, cs_graph_str(w->g, s->text), '\'');
    }
    put_decision(w, s);
    fputc('\n', w->out);
    return edges;
}

static void put_block(struct writer *w, const struct cs_func *f, int bi)
{
    const struct cs_block *b = &f->blocks[bi];
    bool edges = false;
    fprintf(w->out, "  b%d:\n", bi);
    for (int k = 0; k < b->nstmts; k++) edges = put_stmt(w, b->stmts[k], b, k == b->nstmts - 1);
    if (edges) return;
    if (b->nsuccs) put_edges(w, "    goto", b);
    else fputs("    stop", w->out);
    fputc('\n', w->out);
}

static void put_real_name(struct writer *w, int obj)
{
    const char *real = cs_obj_name(w->g, obj);
    if (!strcmp(real, w->obj_name[obj])) return;
    fputc(' ', w->out);
    put_string(w, real, '\'');
}

static void put_obj(struct writer *w, int o, const char *indent)
{
    struct cs_obj *ob = &w->g->objs[o];
    fprintf(w->out, "%s%s ", indent, ob->kind == CS_OBJ_LOCAL ? "local" : "global");
    put_name(w, w->obj_name[o]);
    fputc(' ', w->out);
    put_size(w, ob->size);
    for (int i = 0; i < 5; i++)
        if (*obj_flag(ob, i)) fprintf(w->out, " %s", obj_flags[i]);
    put_real_name(w, o);
    fputc('\n', w->out);
    for (int i = 0; i < ob->ninits; i++) {
        fprintf(w->out, "%s  init @", indent);
        put_name(w, w->obj_name[o]);
        fprintf(w->out, "%+" PRId64 " ", ob->inits[i].off);
        put_size(w, ob->inits[i].size);
        fputs(" = ", w->out);
        put_operand(w, ob->inits[i].val);
        fputc('\n', w->out);
    }
}

/* Values that are used in a function, but neither defined nor a parameter. */
static void put_undefined(struct writer *w, const struct cs_func *f, int fi)
{
    struct cs_intset known = { 0 };
    bool any = false;
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i] >= 0) cs_intset_add(&known, f->params[i]);
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; k < f->blocks[b].nstmts; k++) {
            const struct cs_stmt *s = &w->g->stmts[f->blocks[b].stmts[k]];
            int nrefs = 2 + s->narg_loads, n = s->nuses + s->nidx + nrefs + 1;
            for (int i = 0; i < n; i++) {
                int r = i - s->nuses - s->nidx;
                struct cs_operand op = i < s->nuses ? s->uses[i] : r < 0 ? cs_opnd_value(s->idx[i - s->nuses])
                    : r == 0 ? s->load.base : r == 1 ? s->store.base : r < nrefs ? s->arg_loads[r - 2].ref.base : s->callee;
                if ((r == 0 && !s->has_load) || (r == 1 && !s->has_store) || (r == nrefs && s->kind != CS_STMT_CALL)) continue;
                if (op.kind != CS_OPND_VALUE) continue;
                int d = w->g->values[op.id].def;
                if (d >= 0 && w->g->stmts[d].func == fi && w->g->stmts[d].def == op.id && w->stmt_num[d] >= 0) continue;
                if (!cs_intset_add(&known, op.id)) continue;
                fputs(any ? ", " : "  undef ", w->out);
                put_value(w, op.id);
                any = true;
            }
        }
    if (any) fputc('\n', w->out);
    cs_intset_free(&known);
}

static void put_params(struct writer *w, const struct cs_func *f)
{
    fputc('(', w->out);
    for (int i = 0; i < f->nparams; i++) {
        bool obj = f->param_objs && f->param_objs[i] >= 0;
        if (i) fputs(", ", w->out);
        if (f->params[i] >= 0) put_value(w, f->params[i]);
        else if (!obj) fputc('_', w->out);
        if (!obj) continue;
        fputs("{@", w->out);
        put_name(w, w->obj_name[f->param_objs[i]]);
        fputc('}', w->out);
    }
    fputc(')', w->out);
}

static void put_func(struct writer *w, int fi)
{
    struct cs_func *f = &w->g->funcs[fi];
    w->next_value = 0;
    fputs("func ", w->out);
    put_name(w, w->obj_name[f->obj]);
    if (f->nparams || f->defined) put_params(w, f);
    for (int i = 0; i < 4; i++)
        if (*func_flag(f, i)) fprintf(w->out, " %s", func_flags[i]);
    if (f->result_obj >= 0) {
        fputs(" result @", w->out);
        put_name(w, w->obj_name[f->result_obj]);
    }
    if (f->source != fi && f->source >= 0) {
        fputs(" clone ", w->out);
        put_name(w, w->obj_name[w->g->funcs[f->source].obj]);
    }
    put_at(w, f->file, f->line, 0);
    put_real_name(w, f->obj);
    if (!f->defined) { fputc('\n', w->out); return; }
    fputs(" {\n", w->out);
    for (int o = w->first_local[fi]; o >= 0; o = w->next_local[o]) put_obj(w, o, "  ");
    put_undefined(w, f, fi);
    for (int b = 0; b < f->nblocks; b++) put_block(w, f, b);
    fputs("}\n", w->out);
}

static struct name_entry *take_name(struct writer *w, const char *name)
{
    struct name_entry *e;
    HASH_FIND_STR(w->used, name, e);
    if (e) return NULL;
    e = cs_calloc(1, sizeof *e);
    e->name = cs_strdup(name);
    e->next = 2;
    HASH_ADD_KEYPTR(hh, w->used, e->name, strlen(e->name), e);
    return e;
}

static void name_obj(struct writer *w, int o)
{
    const char *base = *cs_obj_name(w->g, o) ? cs_obj_name(w->g, o) : "noname";
    struct name_entry *first, *e = take_name(w, base);
    size_t len = strlen(base) + 16;
    char *name = cs_calloc(1, len);
    HASH_FIND_STR(w->used, base, first);
    while (!e) {
        snprintf(name, len, "%s.%d", base, first->next++);
        e = take_name(w, name);
    }
    w->obj_name[o] = e->name;
    free(name);
}

/* Globals, and locals that belong to no body, stand before the functions. */
static bool at_top(const struct cs_graph *g, int o)
{
    const struct cs_obj *ob = &g->objs[o];
    if (ob->kind == CS_OBJ_FUNC) return false;
    if (ob->kind == CS_OBJ_HEAP || ob->kind == CS_OBJ_HANDLE || ob->kind == CS_OBJ_HIDDEN) return false;
    return ob->kind != CS_OBJ_LOCAL || ob->func < 0 || !g->funcs[ob->func].defined;
}

static void prepare(struct writer *w)
{
    const struct cs_graph *g = w->g;
    int n = 0;
    for (int f = 0; f < g->nfuncs; f++) w->first_local[f] = -1;
    for (int o = g->nobjs - 1; o >= 0; o--) {
        const struct cs_obj *ob = &g->objs[o];
        if (ob->kind != CS_OBJ_LOCAL || at_top(g, o)) continue;
        w->next_local[o] = w->first_local[ob->func];
        w->first_local[ob->func] = o;
    }
    for (int o = 0; o < g->nobjs; o++)
        if (at_top(g, o)) name_obj(w, o);
    for (int f = 0; f < g->nfuncs; f++) {
        name_obj(w, g->funcs[f].obj);
        for (int o = w->first_local[f]; o >= 0; o = w->next_local[o]) name_obj(w, o);
    }
    for (int o = 0; o < g->nobjs; o++)
        if (!w->obj_name[o]) name_obj(w, o);
    for (int v = 0; v < g->nvalues; v++) w->value_num[v] = -1;
    for (int s = 0; s < g->nstmts; s++) w->stmt_num[s] = -1;
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            for (int k = 0; k < g->funcs[f].blocks[b].nstmts; k++) w->stmt_num[g->funcs[f].blocks[b].stmts[k]] = n++;
}

void cs_graph_write(const struct cs_graph *g, FILE *out)
{
    struct writer w = { .g = g, .out = out };
    struct name_entry *e, *next;
    w.obj_name = cs_calloc(g->nobjs + 1, sizeof *w.obj_name);
    w.value_num = cs_calloc(g->nvalues + 1, sizeof *w.value_num);
    w.stmt_num = cs_calloc(g->nstmts + 1, sizeof *w.stmt_num);
    w.first_local = cs_calloc(g->nfuncs + 1, sizeof *w.first_local);
    w.next_local = cs_calloc(g->nobjs + 1, sizeof *w.next_local);
    prepare(&w);
    for (int o = 0; o < g->nobjs; o++)
        if (at_top(g, o)) put_obj(&w, o, "");
    for (int f = 0; f < g->nfuncs; f++) put_func(&w, f);
    HASH_ITER(hh, w.used, e, next) {
        HASH_DEL(w.used, e);
        free(e->name);
        free(e);
    }
    free(w.obj_name);
    free(w.value_num);
    free(w.stmt_num);
    free(w.first_local);
    free(w.next_local);
}

/* ================ reading ================ */

enum token_kind { T_END, T_LINE, T_IDENT, T_NUM, T_STRING, T_PUNCT };
struct token { enum token_kind kind; bool starts; int line; char *text; size_t len; int64_t num; };   /* starts: first of a statement; PUNCT: num is the character, or two */

#define TWO(a, b) ((a) | (b) << 8)

struct symbol { char *key; int id; UT_hash_handle hh; };

struct reader {
    struct cs_graph *g;
    const char *name;
    char *err; size_t errlen;
    bool failed;
    struct token *t; int nt, at, pos;
    struct symbol *symbols;
    char *key; size_t keylen;
    int func, block;             /* where we are, -1 */
    bool closed;                 /* the block's edges are given */
    int nblocks;
    const char **block_names;    /* of the function, in order */
    const char **value_names; int nvalue_names, avalue_names;   /* by value */
};

/* The first error counts; after it every token is the end. */
static void fail_at(struct reader *r, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void fail_at(struct reader *r, int line, const char *fmt, ...)
{
    if (r->failed) return;
    r->failed = true;
    int n = snprintf(r->err, r->errlen, "%s:%d: ", r->name, line);
    va_list ap;
    va_start(ap, fmt);
    if (n >= 0 && (size_t)n < r->errlen) vsnprintf(r->err + n, r->errlen - n, fmt, ap);
    va_end(ap);
    r->pos = r->nt;
}
#define fail(r, ...) fail_at((r), token(r)->line, __VA_ARGS__)

/* ---- tokens ---- */

static struct token *token(struct reader *r)
{
    static struct token end = { .kind = T_END, .text = "" };
    if (r->pos < r->nt) return &r->t[r->pos];
    end.line = r->nt ? r->t[r->nt - 1].line : 1;
    return &end;
}

static struct token *add_token(struct reader *r, enum token_kind kind, int line, char *text, size_t len)
{
    CS_GROW(r->t, r->nt, r->at);
    r->t[r->nt] = (struct token){ .kind = kind, .line = line, .text = text, .len = len };
    return &r->t[r->nt++];
}

static bool punct(const struct token *t, int c)
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
    if (base == 16) q += 2;
    char *digits = q;
    for (; isxdigit((unsigned char)*q) && hex_digit((unsigned char)*q) < base; q++) {
        int d = hex_digit((unsigned char)*q);
        if (v > ((uint64_t)1 << 63) / base || v * base + d > (uint64_t)1 << 63) { fail_at(r, line, "number too large"); return q; }
        v = v * base + d;
    }
    if (q == digits || ident_char((unsigned char)*q)) fail_at(r, line, "malformed number");
    add_token(r, T_NUM, line, p, q - p)->num = (int64_t)v;   /* 2^63 only with a minus before it: number() */
    return q;
}

/* Unescapes in place. */
static char *lex_string(struct reader *r, char *p, int line)
{
    char quote = *p, *q = p + 1, *to = q;
    struct token *t = add_token(r, T_STRING, line, q, 0);
    while (*q != quote) {
        if (*q == 0 || *q == '\n') { fail_at(r, line, "string without end"); return q; }
        if (*q != '\\') { *to++ = *q++; continue; }
        q++;
        if (*q == 'x') {
            int a = hex_digit((unsigned char)q[1]), b = a < 0 ? -1 : hex_digit((unsigned char)q[2]);
            if (b < 0 || a * 16 + b == 0) { fail_at(r, line, "malformed \\x in a string"); return q; }
            *to++ = (char)(a * 16 + b);
            q += 3;
        } else if (*q == 'n') { *to++ = '\n'; q++; }
        else if (*q == '\\' || *q == '"' || *q == '\'') *to++ = *q++;
        else { fail_at(r, line, "unknown escape in a string"); return q; }
    }
    t->len = to - t->text;
    return q + 1;
}

static char *lex_punct(struct reader *r, char *p, int line)
{
    bool two = p[1] == '=' && strchr("=!<>", *p);
    if (!strchr("{}()[]@,:?*+-%=<>!", *p)) {
        if (isprint((unsigned char)*p)) fail_at(r, line, "unexpected character '%c'", *p);
        else fail_at(r, line, "unexpected byte 0x%02x", (unsigned char)*p);
        return p + 1;
    }
    add_token(r, T_PUNCT, line, p, 1 + two)->num = two ? TWO(p[0], '=') : p[0];
    return p + 1 + two;
}

static void lex(struct reader *r, char *p)
{
    int line = 1;
    while (*p && !r->failed) {
        char *start = p;
        if (*p == '\n' || *p == ';') {
            add_token(r, T_LINE, line, p, 1);
            line += *p++ == '\n';
        } else if (*p == '#') while (*p && *p != '\n') p++;
        else if (*p == ' ' || *p == '\t' || *p == '\r') p++;
        else if (isdigit((unsigned char)*p)) p = lex_number(r, p, line);
        else if (*p == '"' || *p == '\'') p = lex_string(r, p, line);
        else if (ident_char((unsigned char)*p)) {
            while (ident_char((unsigned char)*p)) p++;
            add_token(r, T_IDENT, line, start, p - start);
        } else p = lex_punct(r, p, line);
    }
    for (int i = 0; i < r->nt; i++) {
        struct token *t = &r->t[i], *before = i ? t - 1 : NULL;
        /* Only now: a token may end where the next one starts. */
        if (t->kind == T_IDENT || t->kind == T_STRING) t->text[t->len] = 0;
        t->starts = !before || before->kind == T_LINE || punct(before, '{') || (punct(before, ':') && i > 1 && t[-2].starts);
    }
    if (r->failed) r->pos = r->nt;
}

static bool is_punct(struct reader *r, int c)
{
    return punct(token(r), c);
}

static bool is_word(struct reader *r, const char *word)
{
    return token(r)->kind == T_IDENT && !strcmp(token(r)->text, word);
}

static bool take(struct reader *r, int c)
{
    if (!is_punct(r, c)) return false;
    r->pos++;
    return true;
}

static bool take_word(struct reader *r, const char *word)
{
    if (!is_word(r, word)) return false;
    r->pos++;
    return true;
}

static void expect(struct reader *r, int c)
{
    if (!take(r, c)) fail(r, "'%c' expected", c & 255);
}

/* The end of a line or of a body; only the line is eaten. */
static void expect_line(struct reader *r)
{
    if (token(r)->kind == T_LINE) r->pos++;
    else if (token(r)->kind != T_END && !is_punct(r, '}')) fail(r, "end of line expected");
}

static const char *take_name_token(struct reader *r, const char *what)
{
    if (token(r)->kind != T_IDENT && token(r)->kind != T_STRING) { fail(r, "%s expected", what); return ""; }
    return r->t[r->pos++].text;
}

static int64_t number(struct reader *r, const char *what)
{
    bool minus = take(r, '-');
    if (!minus) take(r, '+');
    if (token(r)->kind != T_NUM) { fail(r, "%s expected", what); return 0; }
    int64_t v = token(r)->num;
    if (v == INT64_MIN && !minus) { fail(r, "number too large"); return 0; }
    r->pos++;
    return minus && v != INT64_MIN ? -v : v;
}

/* Offsets and sizes: small enough to be added. */
static int64_t offset(struct reader *r, const char *what)
{
    int64_t v = number(r, what);
    if (v > CS_OFF_MAX || v < CS_OFF_MIN) { fail(r, "%s too large", what); return 0; }
    return v;
}

static int64_t size(struct reader *r)
{
    if (take(r, '*')) return CS_SIZE_UNKNOWN;
    int64_t v = offset(r, "size");
    if (v < 0) fail(r, "negative size");
    return v;
}

static int small_int(struct reader *r, const char *what)
{
    int64_t v = number(r, what);
    if (v < 0 || v > INT32_MAX) { fail(r, "%s out of range", what); return 0; }
    return (int)v;
}

/* ---- names ---- */

/* kind: 'o' objects and functions, 'v' values, 'b' blocks; scope: function or -1. */
static void make_key(struct reader *r, char kind, int scope, const char *name)
{
    size_t need = strlen(name) + 16;
    if (need > r->keylen) r->key = cs_realloc(r->key, r->keylen = need * 2);
    snprintf(r->key, r->keylen, "%c%d:%s", kind, scope, name);
}

static int find_symbol(struct reader *r, char kind, int scope, const char *name)
{
    struct symbol *s;
    make_key(r, kind, scope, name);
    HASH_FIND_STR(r->symbols, r->key, s);
    return s ? s->id : -1;
}

static void add_symbol(struct reader *r, char kind, int scope, const char *name, int id)
{
    struct symbol *s;
    make_key(r, kind, scope, name);
    HASH_FIND_STR(r->symbols, r->key, s);
    if (s) { fail(r, "%s is declared twice", name); return; }
    s = cs_calloc(1, sizeof *s);
    s->key = cs_strdup(r->key);
    s->id = id;
    HASH_ADD_KEYPTR(hh, r->symbols, s->key, strlen(s->key), s);
}

static int find_obj(struct reader *r, const char *name)
{
    int o = r->func >= 0 ? find_symbol(r, 'o', r->func, name) : -1;
    return o >= 0 ? o : find_symbol(r, 'o', -1, name);
}

static int obj_name_token(struct reader *r)
{
    const char *name = take_name_token(r, "name of an object");
    int o = r->failed ? -1 : find_obj(r, name);
    if (o < 0) { r->pos -= !r->failed; fail(r, "no object is named %s", name); }
    return o;
}

/* The value of that name in this function, made on first sight; finish_values() asks for its definition. */
static int value(struct reader *r, const char *name)
{
    if (r->func < 0) { fail(r, "a value outside a function"); return 0; }
    int v = find_symbol(r, 'v', r->func, name);
    if (v >= 0) return v;
    v = cs_graph_add_value(r->g, r->func);
    r->g->values[v].def = -2 - token(r)->line;      /* not defined yet; the line of its first use */
    CS_GROW(r->value_names, r->nvalue_names, r->avalue_names);
    r->value_names[r->nvalue_names++] = name;
    add_symbol(r, 'v', r->func, name, v);
    return v;
}

static int value_token(struct reader *r)
{
    if (token(r)->kind != T_IDENT) { fail(r, "name of a value expected"); return 0; }
    int v = value(r, token(r)->text);
    if (!r->failed) r->pos++;
    return v;
}

/* ---- operands and places ---- */

static struct cs_pattern pattern(struct reader *r)
{
    struct cs_pattern p = cs_pat_at(0);
    if (is_punct(r, '+') || is_punct(r, '-')) {
        bool any = is_punct(r, '+') && r->pos + 1 < r->nt && punct(&r->t[r->pos + 1], '*');
        if (any) { r->pos += 2; p.stride = 1; }
        else p.off = offset(r, "offset");
    }
    if (p.stride == 0 && take(r, '%')) {
        p.stride = offset(r, "stride");
        if (p.stride <= 0) fail(r, "stride must be positive");
    }
    if (!take(r, '[')) return p;
    if (!is_punct(r, ':')) p.lo = offset(r, "lower bound");
    expect(r, ':');
    if (!is_punct(r, ']')) p.hi = offset(r, "upper bound");
    expect(r, ']');
    if (p.lo > p.hi) fail(r, "lower bound above the upper one");
    return p;
}

/* with_pat: the pattern behind an @object is part of the operand. */
static struct cs_operand primary(struct reader *r, bool with_pat)
{
    if (take(r, '?')) return cs_opnd_none();
    if (take(r, '@')) {
        int o = obj_name_token(r);
        struct cs_pattern p = with_pat ? pattern(r) : cs_pat_at(0);
        return r->failed ? cs_opnd_none() : cs_opnd_addr(o, p);
    }
    if (token(r)->kind == T_NUM || is_punct(r, '-')) return cs_opnd_const(number(r, "number"));
    if (token(r)->kind == T_IDENT) { int v = value_token(r); return r->failed ? cs_opnd_none() : cs_opnd_value(v); }
    fail(r, "operand expected: value, number, @object or ?");
    return cs_opnd_none();
}

static struct cs_operand operand(struct reader *r)
{
    return primary(r, true);
}

static void place(struct reader *r, struct cs_operand *base, struct cs_pattern *pat)
{
    bool parens = take(r, '(');
    *base = primary(r, parens);
    if (parens) expect(r, ')');
    *pat = pattern(r);
}

static struct cs_ref reference(struct reader *r)
{
    struct cs_ref ref;
    place(r, &ref.base, &ref.pat);
    ref.size = size(r);
    return ref;
}

static struct cs_stmt *stmt(struct reader *r, int s)
{
    return &r->g->stmts[s];
}

static void uses(struct reader *r, int s)
{
    do {
        struct cs_operand op = operand(r);
        cs_stmt_add_use(stmt(r, s), op);
    } while (!r->failed && take(r, ','));
}

static bool ends_operands(struct reader *r)
{
    enum token_kind k = token(r)->kind;
    return k == T_LINE || k == T_END || k == T_STRING || is_punct(r, '}') || is_word(r, "at") || is_word(r, "source") || is_word(r, "index")
        || is_word(r, "with") || is_word(r, "goto");
}

static void with_uses(struct reader *r, int s)
{
    if (take_word(r, "with")) uses(r, s);
}

/* ---- positions ---- */

static bool position(struct reader *r, int *file, int *line, int default_file)
{
    if (!take_word(r, "at")) return false;
    *file = default_file;
    if (token(r)->kind != T_NUM) {
        *file = cs_graph_string(r->g, take_name_token(r, "file or line"));
        expect(r, ':');
    }
    *line = small_int(r, "line");
    return true;
}

/* ---- statements ---- */

static int new_stmt(struct reader *r, enum cs_stmt_kind kind)
{
    int s = cs_graph_add_stmt(r->g, r->func, r->block, kind);
    stmt(r, s)->file = r->g->funcs[r->func].file;
    return s;
}

static void define(struct reader *r, int s, int v)
{
    if (v < 0 || r->failed) return;
    if (r->g->values[v].def >= -1) { fail(r, "value %s is defined twice", r->value_names[v]); return; }
    r->g->values[v].def = s;
    stmt(r, s)->def = v;
}

static int new_load(struct reader *r, enum cs_stmt_kind kind)
{
    int s = new_stmt(r, kind);
    struct cs_ref ref = reference(r);
    stmt(r, s)->load = ref;
    stmt(r, s)->has_load = true;
    return s;
}

static void set_store(struct reader *r, int s, struct cs_ref ref)
{
    stmt(r, s)->store = ref;
    stmt(r, s)->has_store = true;
}

static int callee_name(struct reader *r)
{
    const char *name = take_name_token(r, "name of a function");
    if (r->failed) return 0;
    int o = find_symbol(r, 'o', -1, name);
    if (o < 0) {
        o = r->g->funcs[cs_graph_add_func(r->g, name)].obj;
        add_symbol(r, 'o', -1, name, o);
    } else if (r->g->objs[o].kind != CS_OBJ_FUNC) fail(r, "%s is no function", name);
    return o;
}

static void argument(struct reader *r, int s)
{
    int i = stmt(r, s)->nuses;
    struct cs_operand op = is_punct(r, '{') ? cs_opnd_none() : operand(r);
    cs_stmt_add_use(stmt(r, s), op);
    while (!r->failed && take(r, '{')) {
        struct cs_ref ref = reference(r);
        expect(r, '}');
        cs_stmt_add_arg_load(stmt(r, s), i, ref);
    }
}

static int call(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_CALL);
    struct cs_operand callee;
    if (take(r, '*')) {
        bool parens = take(r, '(');
        callee = primary(r, parens);
        if (parens) expect(r, ')');
    } else callee = cs_opnd_addr(callee_name(r), cs_pat_at(0));
    if (r->failed) return s;
    stmt(r, s)->callee = callee;
    expect(r, '(');
    while (!r->failed && !is_punct(r, ')')) {
        argument(r, s);
        if (!take(r, ',')) break;
    }
    expect(r, ')');
    return s;
}

static int assembly(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_ASM);
    expect(r, '(');
    if (!is_punct(r, ')')) uses(r, s);
    expect(r, ')');
    if (take_word(r, "load")) {
        struct cs_ref ref = reference(r);
        stmt(r, s)->load = ref;
        stmt(r, s)->has_load = true;
    }
    if (take_word(r, "store")) set_store(r, s, reference(r));
    return s;
}

/* Is there a label `NAME:` at this token? */
static bool label_at(struct reader *r, int i)
{
    return i + 1 < r->nt && (r->t[i].kind == T_IDENT || r->t[i].kind == T_STRING) && punct(&r->t[i + 1], ':');
}

static int phi(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_PHI), cap = 0;
    for (bool more = label_at(r, r->pos) || !ends_operands(r); more && !r->failed; more = take(r, ',')) {
        const char *name = take_name_token(r, "name of a block");
        int b = r->failed ? -1 : find_symbol(r, 'b', r->func, name);
        if (b < 0) { r->pos -= !r->failed; fail(r, "no block is named %s", name); return s; }
        expect(r, ':');
        struct cs_operand op = operand(r);
        int n = stmt(r, s)->nuses;
        CS_GROW(stmt(r, s)->phi_preds, n, cap);
        stmt(r, s)->phi_preds[n] = b;
        cs_stmt_add_use(stmt(r, s), op);
    }
    return s;
}

static int op_word(struct reader *r)
{
    for (int i = 0; i < NOPS; i++)
        if (op_words[i] && take_word(r, op_words[i])) return i;
    return -1;
}

static void check_operands(struct reader *r, int s)
{
    static const int least[NOPS] = { [CS_OP_PTRADD] = 1, [CS_OP_FIELD] = 1, [CS_OP_EQ] = 2, [CS_OP_NE] = 2, [CS_OP_LT] = 2, [CS_OP_LE] = 2,
        [CS_OP_GT] = 2, [CS_OP_GE] = 2, [CS_OP_SELECT] = 3 };
    if (stmt(r, s)->nuses < least[stmt(r, s)->op]) fail(r, "%s needs %d operands", op_words[stmt(r, s)->op], least[stmt(r, s)->op]);
}

static int assignment(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_ASSIGN), op = op_word(r);
    stmt(r, s)->op = op < 0 ? CS_OP_COPY : op;
    if (op == CS_OP_FIELD) {
        struct cs_operand base;
        struct cs_pattern pat;
        place(r, &base, &pat);
        cs_stmt_add_use(stmt(r, s), base);
        stmt(r, s)->load.pat = pat;
        if (take(r, ',')) uses(r, s);
    } else if (op < 0 || !ends_operands(r)) uses(r, s);
    if (take(r, '*')) stmt(r, s)->stride = offset(r, "stride");
    if (stmt(r, s)->stride && stmt(r, s)->nuses > 1 && stmt(r, s)->uses[1].kind == CS_OPND_CONST) fail(r, "a constant is in bytes: no stride");
    check_operands(r, s);
    return s;
}

static void edge(struct reader *r)
{
    bool never = take_word(r, "never"), eh = take_word(r, "eh");
    const char *name = take_name_token(r, "name of a block");
    if (r->failed) return;
    int to = strcmp(name, "exit") ? find_symbol(r, 'b', r->func, name) : CS_BLOCK_EXIT;
    if (to == -1) { r->pos--; fail(r, "no block is named %s", name); return; }
    cs_graph_add_edge(r->g, r->func, r->block, to, eh);
    struct cs_block *b = &r->g->funcs[r->func].blocks[r->block];
    b->never[b->nsuccs - 1] = never;
}

static void edges(struct reader *r)
{
    do edge(r); while (!r->failed && take(r, ','));
    r->closed = true;
}

static int condition(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_COND), op = op_word(r);
    if (op >= 0) uses(r, s);
    else {
        struct cs_operand a = operand(r);
        cs_stmt_add_use(stmt(r, s), a);
        for (int i = 0; i < NSIGNS && op < 0; i++)
            if (take(r, signs[i].sign[1] ? TWO(signs[i].sign[0], '=') : signs[i].sign[0])) op = signs[i].op;
        if (op < 0) { fail(r, "comparison expected"); return s; }
        struct cs_operand b = operand(r);
        cs_stmt_add_use(stmt(r, s), b);
    }
    stmt(r, s)->op = op;
    check_operands(r, s);
    if (!take_word(r, "then")) return s;
    edge(r);
    if (!take_word(r, "else")) fail(r, "'else' expected");
    edge(r);
    r->closed = true;
    return s;
}

static int switching(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_SWITCH);
    if (!ends_operands(r)) uses(r, s);
    if (take_word(r, "goto")) edges(r);
    return s;
}

static int returning(struct reader *r)
{
    int s;
    if (take_word(r, "load")) {
        s = new_load(r, CS_STMT_RETURN);
        with_uses(r, s);
        return s;
    }
    s = new_stmt(r, CS_STMT_RETURN);
    if (!ends_operands(r)) uses(r, s);
    return s;
}

/* What begins with the word `store`: a store, or a call that returns a struct. */
static int storing(struct reader *r)
{
    struct cs_ref ref = reference(r);
    expect(r, '=');
    int s = take_word(r, "call") ? call(r) : -1;
    if (s < 0) {
        s = new_stmt(r, CS_STMT_STORE);
        struct cs_operand op = operand(r);
        cs_stmt_add_use(stmt(r, s), op);
        with_uses(r, s);
    }
    set_store(r, s, ref);
    return s;
}

static int entering(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_ENTRY);
    set_store(r, s, reference(r));
    expect(r, '=');
    struct cs_operand op = operand(r);
    cs_stmt_add_use(stmt(r, s), op);
    return s;
}

static int copying(struct reader *r)
{
    struct cs_ref to = reference(r);
    expect(r, '=');
    int s = new_load(r, CS_STMT_COPY);
    set_store(r, s, to);
    with_uses(r, s);
    return s;
}

/* What follows `NAME =`. */
static int defining(struct reader *r)
{
    int s;
    if (take_word(r, "load") || is_word(r, "peek")) {
        bool opaque = take_word(r, "peek");
        s = new_load(r, CS_STMT_LOAD);
        if (opaque) stmt(r, s)->op = CS_OP_OTHER;
        with_uses(r, s);
        return s;
    }
    if (take_word(r, "phi")) return phi(r);
    if (take_word(r, "call")) return call(r);
    if (take_word(r, "asm")) return assembly(r);
    if (take_word(r, "store")) {
        s = storing(r);
        if (!r->failed && stmt(r, s)->kind != CS_STMT_CALL) fail(r, "a store has no result");
        return s;
    }
    return assignment(r);
}

static bool assigns_at(struct reader *r, int i)
{
    return i + 1 < r->nt && punct(&r->t[i + 1], '=');
}

static int any_stmt(struct reader *r)
{
    static const struct { const char *word; int (*parse)(struct reader *); } kinds[] = {
        { "store", storing }, { "copy", copying }, { "call", call }, { "if", condition }, { "switch", switching }, { "return", returning },
        { "asm", assembly }, { "entry", entering } };
    if (assigns_at(r, r->pos)) {
        int v = take_word(r, "_") ? -1 : value_token(r);
        expect(r, '=');
        int s = r->failed ? -1 : defining(r);
        define(r, s, v);
        return s;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (take_word(r, kinds[i].word)) return kinds[i].parse(r);
    fail(r, "statement expected");
    return -1;
}

static void source(struct reader *r, int s)
{
    if (take_word(r, "none")) stmt(r, s)->source = -1;
    else stmt(r, s)->source = small_int(r, "number of a statement");
}

static void suffixes(struct reader *r, int s)
{
    while (!r->failed) {
        int file, line;
        if (position(r, &file, &line, r->g->funcs[r->func].file)) {
            stmt(r, s)->file = file;
            stmt(r, s)->line = line;
        } else if (take_word(r, "source")) source(r, s);
        else if (take_word(r, "index")) {
            do {
                int v = value_token(r);
                cs_stmt_add_index(stmt(r, s), v);
            } while (!r->failed && take(r, ','));
        } else if (token(r)->kind == T_STRING) stmt(r, s)->text = cs_graph_string(r->g, r->t[r->pos++].text);
        else return;
    }
}

/* ---- functions ---- */

static bool declaration_at(struct reader *r, int i)
{
    const char *word = r->t[i].text;
    return r->t[i].kind == T_IDENT && !assigns_at(r, i) && (!strcmp(word, "local") || !strcmp(word, "undef") || !strcmp(word, "init"));
}

/* Blocks are made before the statements, which name them. Statements before the first label are a block of their own. */
static void make_blocks(struct reader *r)
{
    int n = 0, cap = 0, depth = 1;
    const char **names = NULL;
    for (int i = r->pos; i < r->nt; i++) {
        depth += punct(&r->t[i], '{') - punct(&r->t[i], '}');
        if (depth == 0) break;
        bool label = label_at(r, i);
        if (!r->t[i].starts || r->t[i].kind == T_LINE || declaration_at(r, i) || (n && !label)) continue;
        CS_GROW(names, n, cap);
        names[n++] = label ? r->t[i].text : "";
        if (!strcmp(names[n - 1], "exit")) fail_at(r, r->t[i].line, "'exit' is the name of the exit");
    }
    r->nblocks = n;
    r->block_names = names;
    cs_graph_set_blocks(r->g, r->func, n);
    for (int i = 0; i < n; i++) add_symbol(r, 'b', r->func, names[i], i);
}

/* An open block falls through to the next one; after a return, and at the end of the body, to the exit. */
static void close_block(struct reader *r)
{
    if (r->block < 0 || r->closed) return;
    struct cs_block *b = &r->g->funcs[r->func].blocks[r->block];
    bool returns = b->nstmts && r->g->stmts[b->stmts[b->nstmts - 1]].kind == CS_STMT_RETURN;
    cs_graph_add_edge(r->g, r->func, r->block, returns || r->block + 1 == r->nblocks ? CS_BLOCK_EXIT : r->block + 1, false);
    r->closed = true;
}

static void open_block(struct reader *r)
{
    close_block(r);
    if (r->block + 1 >= r->nblocks) { fail(r, "a label cannot stand here"); return; }
    r->block++;
    r->closed = false;
}

static void declare_init(struct reader *r)
{
    take(r, '@');
    int o = obj_name_token(r);
    int64_t off = is_punct(r, '+') || is_punct(r, '-') ? offset(r, "offset") : 0, sz = size(r);
    expect(r, '=');
    struct cs_operand val = operand(r);
    if (val.kind == CS_OPND_VALUE) fail(r, "an initial value must be a constant");
    if (!r->failed) cs_obj_add_init(&r->g->objs[o], off, sz, val);
}

static void declare_obj(struct reader *r)
{
    int o = obj_name_token(r);
    int64_t sz = size(r);
    while (!r->failed && token(r)->kind != T_LINE && token(r)->kind != T_END && !is_punct(r, '}')) {
        struct cs_obj *ob = &r->g->objs[o];
        bool found = false;
        for (int i = 0; i < 5 && !found; i++)
            if (take_word(r, obj_flags[i])) found = *obj_flag(ob, i) = true;
        if (found) continue;
        if (token(r)->kind == T_STRING) ob->name = cs_graph_string(r->g, r->t[r->pos++].text);
        else if (take(r, '=')) {
            struct cs_operand val = operand(r);
            if (val.kind == CS_OPND_VALUE) fail(r, "an initial value must be a constant");
            if (!r->failed) cs_obj_add_init(&r->g->objs[o], 0, sz, val);
        } else fail(r, "unknown attribute of an object");
    }
    if (!r->failed) r->g->objs[o].size = sz;
}

static void declare_undef(struct reader *r)
{
    do {
        int v = value_token(r);
        if (r->failed) return;
        if (r->g->values[v].def >= -1) fail(r, "value %s is defined twice", r->value_names[v]);
        r->g->values[v].def = -1;
    } while (take(r, ','));
}

static void body_line(struct reader *r)
{
    if (label_at(r, r->pos)) {
        open_block(r);
        r->pos += 2;
        return;                       /* a statement may follow on the same line */
    }
    if (!declaration_at(r, r->pos)) {
        if (r->block < 0) open_block(r);
        if (r->failed) return;
        if (r->closed) { fail(r, "statement after the end of the block"); return; }
        if (take_word(r, "goto")) edges(r);
        else if (take_word(r, "stop")) r->closed = true;
        else {
            int s = any_stmt(r);
            if (!r->failed) suffixes(r, s);
        }
    } else if (take_word(r, "local")) declare_obj(r);
    else if (take_word(r, "init")) declare_init(r);
    else if (take_word(r, "undef")) declare_undef(r);
    expect_line(r);
}

static void check_phi(struct reader *r, const struct cs_stmt *s, int line)
{
    const struct cs_func *f = &r->g->funcs[r->func];
    for (int i = 0; i < s->nuses; i++) {
        const struct cs_block *p = &f->blocks[s->phi_preds[i]];
        bool found = false;
        for (int k = 0; k < p->nsuccs; k++) found |= p->succs[k] == s->block;
        if (!found) fail_at(r, line, "a phi of block %s names %s, which does not lead there", r->block_names[s->block], r->block_names[s->phi_preds[i]]);
    }
}

/* Every value must be defined, every phi name predecessors. */
static void check_body(struct reader *r, int first_value, int line)
{
    const struct cs_func *f = &r->g->funcs[r->func];
    for (int v = first_value; v < r->g->nvalues; v++)
        if (r->g->values[v].def < -1) fail_at(r, -2 - r->g->values[v].def, "value %s is used, but never defined", r->value_names[v]);
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; k < f->blocks[b].nstmts; k++)
            if (r->g->stmts[f->blocks[b].stmts[k]].kind == CS_STMT_PHI) check_phi(r, &r->g->stmts[f->blocks[b].stmts[k]], line);
}

static void body(struct reader *r, int first_value)
{
    int line = token(r)->line;
    make_blocks(r);
    r->block = -1;
    r->closed = false;
    while (!r->failed && !is_punct(r, '}')) {
        if (token(r)->kind == T_END) fail(r, "function without '}'");
        else if (token(r)->kind == T_LINE) r->pos++;
        else body_line(r);
    }
    expect(r, '}');
    close_block(r);
    if (!r->failed) check_body(r, first_value, line);
    free(r->block_names);
    r->block_names = NULL;
}

static void param(struct reader *r)
{
    struct cs_func *f = &r->g->funcs[r->func];
    int n = f->nparams++, v = -1, o = -1;
    f->params = cs_realloc(f->params, f->nparams * sizeof *f->params);
    f->param_objs = cs_realloc(f->param_objs, f->nparams * sizeof *f->param_objs);
    if (!take_word(r, "_") && !is_punct(r, '{')) {
        v = value_token(r);
        if (!r->failed && r->g->values[v].def >= -1) fail(r, "two parameters of one name");
        if (!r->failed) r->g->values[v].def = -1;
    }
    if (take(r, '{')) {
        take(r, '@');
        o = obj_name_token(r);
        expect(r, '}');
    }
    f->params[n] = r->failed ? -1 : v;
    f->param_objs[n] = r->failed ? -1 : o;
}

static int function_token(struct reader *r)
{
    const char *name = take_name_token(r, "name of a function");
    int o = r->failed ? -1 : find_symbol(r, 'o', -1, name);
    if (o < 0 || r->g->objs[o].kind != CS_OBJ_FUNC) { fail(r, "no function is named %s", name); return -1; }
    return r->g->objs[o].func;
}

static void func_attribute(struct reader *r)
{
    struct cs_func *f = &r->g->funcs[r->func];
    for (int i = 0; i < 4; i++)
        if (take_word(r, func_flags[i])) { *func_flag(f, i) = true; return; }
    if (position(r, &f->file, &f->line, 0)) return;
    if (take_word(r, "clone")) f->source = function_token(r);
    else if (take_word(r, "result")) { take(r, '@'); f->result_obj = obj_name_token(r); }
    else if (token(r)->kind == T_STRING) f->name = r->g->objs[f->obj].name = cs_graph_string(r->g, r->t[r->pos++].text);
    else fail(r, "unknown attribute of a function");
}

static void function(struct reader *r)
{
    int first_value = r->g->nvalues;
    r->func = function_token(r);
    if (take(r, '(')) {
        while (!r->failed && !is_punct(r, ')')) {
            param(r);
            if (!take(r, ',')) break;
        }
        expect(r, ')');
    }
    while (!r->failed && token(r)->kind != T_LINE && token(r)->kind != T_END && !is_punct(r, '{')) func_attribute(r);
    if (take(r, '{')) body(r, first_value);
    r->func = -1;
}

/* ---- the whole text ---- */

/* The '{' that opens the body of the function whose header is at token i, or the header's last token. */
static int header_end(struct reader *r, int i)
{
    for (int depth = 0; i + 1 < r->nt && r->t[i + 1].kind != T_LINE; i++) {
        depth += punct(&r->t[i], '(') - punct(&r->t[i], ')');
        if (depth == 0 && punct(&r->t[i], '{')) break;
    }
    return i;
}

static void declare_name(struct reader *r, int scope, const char *word, const char *name)
{
    bool local = !strcmp(word, "local");
    if (!local && (scope >= 0 || strcmp(word, "global"))) return;
    int o = cs_graph_add_obj(r->g, local ? CS_OBJ_LOCAL : CS_OBJ_GLOBAL, name, CS_SIZE_UNKNOWN);
    r->g->objs[o].func = local ? scope : -1;
    add_symbol(r, 'o', local ? scope : -1, name, o);
}

/* Names of objects and functions first, so that all can be named before they are declared. */
static void declare_names(struct reader *r)
{
    int scope = -1, depth = 0;
    for (r->pos = 0; r->pos < r->nt && !r->failed; r->pos++) {
        struct token *t = &r->t[r->pos];
        depth += punct(t, '{') - punct(t, '}');
        if (depth <= 0) scope = -1;
        bool named = r->pos + 1 < r->nt && (t[1].kind == T_IDENT || t[1].kind == T_STRING);
        if (!t->starts || t->kind != T_IDENT || !named) continue;
        if (scope >= 0 || strcmp(t->text, "func")) { declare_name(r, scope, t->text, t[1].text); continue; }
        int f = cs_graph_add_func(r->g, t[1].text);
        add_symbol(r, 'o', -1, t[1].text, r->g->funcs[f].obj);
        if (r->failed) return;
        r->pos = header_end(r, r->pos);
        depth = punct(&r->t[r->pos], '{');
        if (depth) scope = f;
    }
    if (!r->failed) r->pos = 0;
}

static void top_line(struct reader *r)
{
    if (take_word(r, "global") || take_word(r, "local")) declare_obj(r);
    else if (take_word(r, "init")) declare_init(r);
    else if (take_word(r, "func")) function(r);
    else fail(r, "'global', 'init' or 'func' expected");
    expect_line(r);
    if (!r->failed && is_punct(r, '}')) fail(r, "'}' without '{'");
}

static void check_sources(struct reader *r)
{
    for (int s = 0; s < r->g->nstmts && !r->failed; s++)
        if (r->g->stmts[s].source >= r->g->nstmts) fail_at(r, 1, "source %d: there are only %d statements", r->g->stmts[s].source, r->g->nstmts);
}

/* The whole input with a zero behind it, or NULL with errno. */
static char *slurp(FILE *in, size_t *len)
{
    size_t cap = 4096, n = 0;
    char *buf = cs_calloc(1, cap);
    while (!feof(in)) {
        n += fread(buf + n, 1, cap - n - 1, in);
        if (ferror(in)) { free(buf); return NULL; }
        if (n + 1 == cap) buf = cs_realloc(buf, cap *= 2);
    }
    buf[n] = 0;
    *len = n;
    return buf;
}

static void free_reader(struct reader *r)
{
    struct symbol *s, *next;
    HASH_ITER(hh, r->symbols, s, next) {
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
    struct reader r = { .name = name, .err = err, .errlen = errlen, .func = -1, .block = -1 };
    size_t len;
    char *text = slurp(in, &len);
    if (!text) { snprintf(err, errlen, "%s:1: %s", name, strerror(errno)); return NULL; }
    r.g = cs_graph_new();
    if (strlen(text) != len) fail_at(&r, 1, "not a text");
    else lex(&r, text);
    declare_names(&r);
    while (!r.failed && token(&r)->kind != T_END) {
        if (token(&r)->kind == T_LINE) r.pos++;
        else top_line(&r);
    }
    check_sources(&r);
    free_reader(&r);
    free(text);
    if (!r.failed) return r.g;
    cs_graph_free(r.g);
    return NULL;
}
