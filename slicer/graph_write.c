/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes a program graph as text; docs/graph-text.md is the reference, graph_read.c the way back.
 * What the analyses add (heap objects, pseudo statements) is not written: they make it again. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "graph_text.h"
#include "slice.h"
#include "util.h"

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

static bool is_ident(const char *s)
{
    if (!*s || isdigit((unsigned char)*s) || *s == '.') return false;
    for (; *s; s++)
        if ((unsigned char)*s > 126 || !cs_text_ident_char((unsigned char)*s)) return false;
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
    fputs(cs_text_op_words[s->op], w->out);
    if (s->op == CS_OP_FIELD && s->nuses) {
        fputc(' ', w->out);
        put_place(w, s->uses[0], s->load.pat);
        put_operands(w, ", ", s->uses + 1, s->nuses - 1);
        return;
    }
    put_operands(w, " ", s->uses, s->nuses);
    bool bytes = s->nuses > 1 && s->uses[1].kind == CS_OPND_CONST;      /* the constant says it all */
    if (s->stride && !bytes) fprintf(w->out, " * %" PRId64, s->stride);
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
    for (int i = 0; i < CS_TEXT_NSIGNS && s->nuses == 2; i++) {
        if (cs_text_signs[i].op != s->op) continue;
        put_operand(w, s->uses[0]);
        fprintf(w->out, " %s ", cs_text_signs[i].sign);
        put_operand(w, s->uses[1]);
        return;
    }
    fputs(cs_text_op_words[s->op], w->out);
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

static void put_nature(struct writer *w, const struct cs_stmt *s)
{
    if (s->partial) fputs(" partial", w->out);
    if (s->shape >= 0) {
        fputs(" like ", w->out);
        put_name(w, cs_graph_str(w->g, s->shape));
    }
    if (s->anywhere) fputs(" anywhere", w->out);
    if (s->bits) fprintf(w->out, " bits %d", s->bits);
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
    put_nature(w, s);
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
        if (*cs_text_obj_flag(ob, i)) fprintf(w->out, " %s", cs_text_obj_flags[i]);
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
        if (*cs_text_func_flag(f, i)) fprintf(w->out, " %s", cs_text_func_flags[i]);
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
