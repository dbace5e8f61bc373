/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes the blocks of a function as text: names, operands, statements, edges. docs/reference/graph-text.md is the
 * reference. graph_read_operand.c and graph_read_stmt.c are the way back. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>

#include "slicer/text/graph_words_internal.h"
#include "slicer/text/graph_write_internal.h"

static bool is_ident(const char *s)
{
    if (!*s || isdigit((unsigned char)*s) || *s == '.')
        return false;
    for (; *s; s++)
        if ((unsigned char)*s > 126 || !cs_text_ident_char((unsigned char)*s))
            return false;
    return true;
}

void cs_write_string(struct writer *w, const char *s, char quote)
{
    fputc(quote, w->out);
    for (; *s; s++) {
        unsigned char c = *s;
        if (c == '\n')
            fputs("\\n", w->out);
        else if (c == quote || c == '\\')
            fprintf(w->out, "\\%c", c);
        else if (c < 32 || c > 126)
            fprintf(w->out, "\\x%02x", c);
        else
            fputc(c, w->out);
    }
    fputc(quote, w->out);
}

void cs_write_name(struct writer *w, const char *s)
{
    if (is_ident(s))
        fputs(s, w->out);
    else
        cs_write_string(w, s, '"');
}

static void put_num(struct writer *w, int64_t v)
{
    if (v >= 0x1000000)
        fprintf(w->out, "0x%" PRIx64, (uint64_t)v);
    else
        fprintf(w->out, "%" PRId64, v);
}

void cs_write_value(struct writer *w, int v)
{
    assert(v >= 0 && v < w->g->nvalues);
    if (w->value_num[v] < 0) {
        w->value_num[v] = w->next_value++;
        w->value_read[v] = w->nread++; /* a reader makes values as it meets them */
    }
    fprintf(w->out, "v%d", w->value_num[v]);
}

static bool plain_pat(struct cs_pattern p)
{
    return cs_pat_equal(p, cs_pat_at(0));
}

static void put_pat(struct writer *w, struct cs_pattern p)
{
    if (p.stride == 1 && p.off == 0)
        fputs("+*", w->out);
    else if (p.off || p.stride)
        fprintf(w->out, "%+" PRId64, p.off);
    if (p.stride > 1)
        fprintf(w->out, "%%%" PRId64, p.stride);
    if (p.lo == CS_OFF_MIN && p.hi == CS_OFF_MAX)
        return;
    fputc('[', w->out);
    if (p.lo != CS_OFF_MIN)
        fprintf(w->out, "%" PRId64, p.lo);
    fputc(':', w->out);
    if (p.hi != CS_OFF_MAX)
        fprintf(w->out, "%" PRId64, p.hi);
    fputc(']', w->out);
}

void cs_write_operand(struct writer *w, struct cs_operand op)
{
    switch (op.kind) {
    case CS_OPND_NONE: fputc('?', w->out); break;
    case CS_OPND_VALUE: cs_write_value(w, op.id); break;
    case CS_OPND_CONST: put_num(w, op.pat.off); break;
    case CS_OPND_ADDR:
        fputc('@', w->out);
        cs_write_name(w, w->obj_name[op.id]);
        put_pat(w, op.pat);
    }
}

static void put_operands(struct writer *w, const char *before, const struct cs_operand *ops, int n)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : before, w->out);
        cs_write_operand(w, ops[i]);
    }
}

static void put_place(struct writer *w, struct cs_operand base, struct cs_pattern pat)
{
    bool parens = base.kind == CS_OPND_ADDR && !plain_pat(base.pat);
    if (parens)
        fputc('(', w->out);
    cs_write_operand(w, base);
    if (parens)
        fputc(')', w->out);
    put_pat(w, pat);
}

void cs_write_size(struct writer *w, int64_t size)
{
    if (size < 0)
        fputc('*', w->out);
    else
        fprintf(w->out, "%" PRId64, size);
}

static void put_ref(struct writer *w, const struct cs_ref *r)
{
    put_place(w, r->base, r->pat);
    fputc(' ', w->out);
    cs_write_size(w, r->size);
}

static void put_store(struct writer *w, const char *word, const struct cs_ref *r)
{
    fprintf(w->out, "%s ", word);
    put_ref(w, r);
    fputs(" = ", w->out);
}

void cs_write_at(struct writer *w, int file, int line, int default_file)
{
    bool same = file == default_file;
    if (same && line == 0)
        return;
    fputs(" at ", w->out);
    if (!same) {
        cs_write_name(w, cs_graph_str(w->g, file));
        fputc(':', w->out);
    }
    fprintf(w->out, "%d", line);
}

static void put_arg(struct writer *w, const struct cs_stmt *s, int i)
{
    bool loads = false;
    for (int k = 0; k < s->narg_loads; k++)
        loads |= s->arg_loads[k].arg == i;
    if (!loads || s->uses[i].kind != CS_OPND_NONE)
        cs_write_operand(w, s->uses[i]);
    for (int k = 0; k < s->narg_loads; k++) {
        if (s->arg_loads[k].arg != i)
            continue;
        fputc('{', w->out);
        put_ref(w, &s->arg_loads[k].ref);
        fputc('}', w->out);
    }
}

static void put_call(struct writer *w, const struct cs_stmt *s)
{
    bool named =
        s->callee.kind == CS_OPND_ADDR && w->g->objs[s->callee.id].kind == CS_OBJ_FUNC && plain_pat(s->callee.pat);
    if (s->has_store)
        put_store(w, "store", &s->store);
    fputs("call ", w->out);
    if (named)
        cs_write_name(w, w->obj_name[s->callee.id]);
    else {
        fputs("*(", w->out);
        cs_write_operand(w, s->callee);
        fputc(')', w->out);
    }
    fputc('(', w->out);
    for (int i = 0; i < s->nuses; i++) {
        if (i)
            fputs(", ", w->out);
        put_arg(w, s, i);
    }
    fputc(')', w->out);
}

static void put_assign(struct writer *w, const struct cs_stmt *s)
{
    if (s->op == CS_OP_COPY && s->nuses == 1) {
        cs_write_operand(w, s->uses[0]);
        return;
    }
    fputs(cs_text_op_words[s->op], w->out);
    if (s->op == CS_OP_FIELD && s->nuses) {
        fputc(' ', w->out);
        put_place(w, s->uses[0], s->load.pat);
        put_operands(w, ", ", s->uses + 1, s->nuses - 1);
        return;
    }
    put_operands(w, " ", s->uses, s->nuses);
    bool bytes = s->nuses > 1 && s->uses[1].kind == CS_OPND_CONST; /* the constant says it all */
    if (s->stride && !bytes)
        fprintf(w->out, " * %" PRId64, s->stride);
}

static void put_phi(struct writer *w, const struct cs_stmt *s)
{
    fputs("phi", w->out);
    assert(s->nuses == 0 || s->phi_preds);
    for (int i = 0; i < s->nuses; i++) {
        fprintf(w->out, "%s b%d: ", i ? "," : "", s->phi_preds[i]);
        cs_write_operand(w, s->uses[i]);
    }
}

static void put_cond(struct writer *w, const struct cs_stmt *s)
{
    fputs("if ", w->out);
    for (int i = 0; i < CS_TEXT_NSIGNS && s->nuses == 2; i++) {
        if (cs_text_signs[i].op != s->op)
            continue;
        cs_write_operand(w, s->uses[0]);
        fprintf(w->out, " %s ", cs_text_signs[i].sign);
        cs_write_operand(w, s->uses[1]);
        return;
    }
    fputs(cs_text_op_words[s->op], w->out);
    put_operands(w, " ", s->uses, s->nuses);
}

static void put_edge(struct writer *w, const struct cs_block *b, int i)
{
    if (b->never[i])
        fputs("never ", w->out);
    if (b->eh[i])
        fputs("eh ", w->out);
    if (b->succs[i] < 0)
        fputs("exit", w->out);
    else
        fprintf(w->out, "b%d", b->succs[i]);
}

static void put_edges(struct writer *w, const char *word, const struct cs_block *b)
{
    fputs(word, w->out);
    for (int i = 0; i < b->nsuccs; i++) {
        fputs(i ? ", " : " ", w->out);
        put_edge(w, b, i);
    }
}

/* What a statement defines, and ` = `. A load, phi or assignment without a result defines `_`. */
static void put_def(struct writer *w, const struct cs_stmt *s)
{
    bool named = s->kind == CS_STMT_ASSIGN || s->kind == CS_STMT_PHI || s->kind == CS_STMT_LOAD;
    if (s->def >= 0)
        cs_write_value(w, s->def);
    else if (named)
        fputc('_', w->out);
    if (s->def >= 0 || named)
        fputs(" = ", w->out);
}

static void put_load(struct writer *w, const struct cs_stmt *s)
{
    fputs(s->op == CS_OP_OTHER ? "peek " : "load ", w->out);
    put_ref(w, &s->load);
    put_operands(w, " with ", s->uses, s->nuses);
}

/* A store, or the entry of an argument into its parameter. */
static void put_stored(struct writer *w, const struct cs_stmt *s)
{
    put_store(w, s->kind == CS_STMT_STORE ? "store" : "entry", &s->store);
    put_operands(w, "", s->uses, s->nuses ? 1 : 0);
    put_operands(w, " with ", s->uses + 1, s->nuses - 1);
}

static void put_copy(struct writer *w, const struct cs_stmt *s)
{
    put_store(w, "copy", &s->store);
    put_ref(w, &s->load);
    put_operands(w, " with ", s->uses, s->nuses);
}

static void put_switch(struct writer *w, const struct cs_stmt *s)
{
    fputs("switch", w->out);
    put_operands(w, " ", s->uses, s->nuses);
}

static void put_return(struct writer *w, const struct cs_stmt *s)
{
    fputs("return", w->out);
    if (s->has_load) {
        fputs(" load ", w->out);
        put_ref(w, &s->load);
    }
    put_operands(w, s->has_load ? " with " : " ", s->uses, s->nuses);
}

static void put_asm(struct writer *w, const struct cs_stmt *s)
{
    fputs("asm(", w->out);
    put_operands(w, "", s->uses, s->nuses);
    fputc(')', w->out);
    if (s->has_load) {
        fputs(" load ", w->out);
        put_ref(w, &s->load);
    }
    if (s->has_store) {
        fputs(" store ", w->out);
        put_ref(w, &s->store);
    }
}

/* A statement without its position and without the edges of its block. */
static void put_body(struct writer *w, const struct cs_stmt *s)
{
    static void (*const put[])(struct writer *, const struct cs_stmt *) = {
        [CS_STMT_ASSIGN] = put_assign, [CS_STMT_PHI] = put_phi,       [CS_STMT_LOAD] = put_load,
        [CS_STMT_STORE] = put_stored,  [CS_STMT_COPY] = put_copy,     [CS_STMT_CALL] = put_call,
        [CS_STMT_COND] = put_cond,     [CS_STMT_SWITCH] = put_switch, [CS_STMT_RETURN] = put_return,
        [CS_STMT_ASM] = put_asm,       [CS_STMT_ENTRY] = put_stored};
    assert((size_t)s->kind < sizeof put / sizeof *put && put[s->kind]);
    put_def(w, s);
    put[s->kind](w, s);
}

/* The edges of a block whose last statement this is, where the statement's own form shows them. False: they need a line
 * of their own. */
static bool put_own_edges(struct writer *w, const struct cs_stmt *s, const struct cs_block *b)
{
    switch (s->kind) {
    case CS_STMT_COND:
        if (b->nsuccs != 2)
            return false;
        fputs(" then ", w->out);
        put_edge(w, b, 0);
        fputs(" else ", w->out);
        put_edge(w, b, 1);
        return true;
    case CS_STMT_SWITCH:
        if (b->nsuccs)
            put_edges(w, " goto", b);
        return b->nsuccs > 0;
    case CS_STMT_RETURN: return b->nsuccs == 1 && b->succs[0] == CS_BLOCK_EXIT && !b->never[0] && !b->eh[0];
    default: return false;
    }
}

static void put_nature(struct writer *w, const struct cs_stmt *s)
{
    if (s->partial)
        fputs(" partial", w->out);
    if (s->shape >= 0) {
        fputs(" like ", w->out);
        cs_write_name(w, cs_graph_str(w->g, s->shape));
    }
    if (s->anywhere)
        fputs(" anywhere", w->out);
    if (s->within)
        fputs(" within", w->out);
    if (s->flipped)
        fputs(" flipped", w->out);
    if (s->assumed)
        fputs(" assumed", w->out);
    if (s->nth)
        fprintf(w->out, " nth %d", s->nth);
    if (s->turned)
        fputs(" turned", w->out);
    if (s->unsure)
        fputs(" unsure", w->out);
    if (s->joined)
        fputs(" joined", w->out);
    if (s->in_header) {
        fputs(" from ", w->out);
        cs_write_name(w, cs_graph_str(w->g, s->user_file));
        fprintf(w->out, ":%d", s->user_line);
    }
    if (s->folds)
        fprintf(w->out, " folds %d", s->folds);
    if (s->rounding)
        fprintf(w->out, " rounding %d", s->rounding);
    if (s->bits)
        fprintf(w->out, " bits %d", s->bits);
    if (s->family >= 0)
        fprintf(w->out, " family %d", s->family);
    if (s->family < -1)
        fprintf(w->out, " form %d", CS_FORM(s->family));
    if (s->names >= 0) {
        fputs(" names ", w->out);
        cs_write_name(w, cs_graph_str(w->g, s->names));
    }
}

/* The decision on a statement, as a comment. */
static void put_decision(struct writer *w, const struct cs_stmt *s)
{
    static const char *const marks[] = {
        [CS_MARK_NONE] = "", [CS_MARK_ENVELOPE] = ", envelope", [CS_MARK_CONTENT] = ", content", [CS_MARK_POISON] = ""};
    assert(s->mark >= CS_MARK_NONE && s->mark <= CS_MARK_POISON);
    if (s->keep)
        fprintf(w->out, "  # kept: %s%s", cs_reason_name(s->why), marks[s->mark]);
}

/* One line. Returns whether it shows the edges of the block. */
static bool put_stmt(struct writer *w, int id, const struct cs_block *b, bool last)
{
    const struct cs_stmt *s = &w->g->stmts[id];
    fputs("    ", w->out);
    put_body(w, s);
    bool edges = last && put_own_edges(w, s, b);
    for (int i = 0; i < s->nidx; i++) {
        fputs(i ? ", " : " index ", w->out);
        cs_write_value(w, s->idx[i]);
    }
    put_nature(w, s);
    cs_write_at(w, s->file, s->line, w->g->funcs[s->func].file);
    if (s->source < 0 || w->stmt_num[s->source] < 0)
        fputs(" source none", w->out);
    else if (s->source != id)
        fprintf(w->out, " source %d", w->stmt_num[s->source]);
    if (s->text >= 0) {
        fputc(' ', w->out);
        cs_write_string(w, cs_graph_str(w->g, s->text), '\'');
    }
    put_decision(w, s);
    fputc('\n', w->out);
    return edges;
}

void cs_write_block(struct writer *w, const struct cs_func *f, int bi)
{
    const struct cs_block *b = &f->blocks[bi];
    bool edges = false;
    fprintf(w->out, "  b%d:\n", bi);
    for (int k = 0; k < b->nstmts; k++)
        edges = put_stmt(w, b->stmts[k], b, k == b->nstmts - 1);
    if (edges)
        return;
    if (b->nsuccs)
        put_edges(w, "    goto", b);
    else
        fputs("    stop", w->out);
    fputc('\n', w->out);
}
