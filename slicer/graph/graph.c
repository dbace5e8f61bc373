/* SPDX-License-Identifier: GPL-3.0-or-later
 * Building and freeing program graphs; graph.h says what they mean.
 * Running out of memory ends the process with a message: neither a compiler nor a test can go on without its graph. */
#include "slicer/graph/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "slicer/graph/storage.h"

/* An interned string: its text is that of g->strings[id]. */
struct string_entry {
    const char *text;
    int id;
    UT_hash_handle hh;
};

struct cs_graph *cs_graph_new(void)
{
    struct cs_graph *g = cs_calloc(1, sizeof *g);
    g->branch_lines = cs_calloc(1, sizeof *g->branch_lines);
    cs_graph_string(g, "");
    return g;
}

static void free_stmts(struct cs_graph *g)
{
    for (int i = 0; i < g->nstmts; i++) {
        free(g->stmts[i].uses);
        free(g->stmts[i].phi_preds);
        free(g->stmts[i].idx);
        free(g->stmts[i].arg_loads);
    }
    free(g->stmts);
}

static void free_funcs(struct cs_graph *g)
{
    for (int i = 0; i < g->nfuncs; i++) {
        struct cs_func *f = &g->funcs[i];
        for (int b = 0; b < f->nblocks; b++) {
            free(f->blocks[b].succs);
            free(f->blocks[b].never);
            free(f->blocks[b].eh);
            free(f->blocks[b].stmts);
        }
        free(f->blocks);
        cs_intlist_free(&f->moved);
        cs_intset_free(&f->families);
        free(f->params);
        free(f->param_objs);
    }
    free(g->funcs);
}

void cs_graph_free(struct cs_graph *g)
{
    if (!g)
        return;
    struct string_entry *head = g->string_index, *e, *next;
    HASH_ITER (hh, head, e, next) {
        HASH_DEL(head, e);
        free(e);
    }
    for (int i = 0; i < g->nstrings; i++)
        free(g->strings[i]);
    free(g->strings);
    for (int i = 0; i < g->nobjs; i++)
        free(g->objs[i].inits);
    free(g->objs);
    free(g->values);
    free_stmts(g);
    free_funcs(g);
    free(g->branch_lines->first);
    free(g->branch_lines->stmt);
    free(g->branch_lines);
    free(g);
}

int cs_graph_string(struct cs_graph *g, const char *s)
{
    struct string_entry *head = g->string_index, *e;
    if (!s)
        s = "";
    HASH_FIND_STR(head, s, e);
    if (e)
        return e->id;
    CS_GROW(g->strings, g->nstrings, g->astrings);
    g->strings[g->nstrings] = cs_strdup(s);
    e = cs_calloc(1, sizeof *e);
    e->text = g->strings[g->nstrings];
    e->id = g->nstrings++;
    HASH_ADD_KEYPTR(hh, head, e->text, strlen(e->text), e);
    g->string_index = head;
    assert(e->id == g->nstrings - 1);
    return e->id;
}

const char *cs_graph_str(const struct cs_graph *g, int s)
{
    assert(s < g->nstrings);
    return s < 0 ? "" : g->strings[s];
}

int cs_graph_add_obj(struct cs_graph *g, enum cs_obj_kind kind, const char *name, int64_t size)
{
    CS_GROW(g->objs, g->nobjs, g->aobjs);
    g->objs[g->nobjs] = (struct cs_obj){
        .kind = kind, .name = cs_graph_string(g, name), .func = -1, .size = size, .stmt = -1, .parent = -1};
    return g->nobjs++;
}

int cs_graph_add_value(struct cs_graph *g, int func)
{
    assert(func >= 0 && func < g->nfuncs);
    CS_GROW(g->values, g->nvalues, g->avalues);
    g->values[g->nvalues] = (struct cs_value){func, -1, cs_opnd_none()};
    return g->nvalues++;
}

int cs_graph_add_func(struct cs_graph *g, const char *name)
{
    CS_GROW(g->funcs, g->nfuncs, g->afuncs);
    int id = g->nfuncs++;
    g->funcs[id] = (struct cs_func){.name = cs_graph_string(g, name), .result_obj = -1, .source = id};
    int obj = cs_graph_add_obj(g, CS_OBJ_FUNC, name, 1);
    g->objs[obj].func = id;
    g->funcs[id].obj = obj;
    return id;
}

int cs_graph_add_stmt(struct cs_graph *g, int func, int block, enum cs_stmt_kind kind)
{
    assert(func >= 0 && func < g->nfuncs && block >= 0 && block < g->funcs[func].nblocks);
    CS_GROW(g->stmts, g->nstmts, g->astmts);
    int id = g->nstmts++;
    g->stmts[id] = (struct cs_stmt){.kind = kind,
                                    .func = func,
                                    .block = block,
                                    .def = -1,
                                    .source = id,
                                    .text = -1,
                                    .names = -1,
                                    .family = -1,
                                    .parent = -1,
                                    .site = -1,
                                    .shape = -1,
                                    .move_to = -1};
    struct cs_block *b = &g->funcs[func].blocks[block];
    b->stmts = cs_realloc(b->stmts, (b->nstmts + 1) * sizeof *b->stmts);
    b->stmts[b->nstmts++] = id;
    return id;
}

void cs_graph_set_blocks(struct cs_graph *g, int func, int nblocks)
{
    assert(func >= 0 && func < g->nfuncs);
    struct cs_func *f = &g->funcs[func];
    assert(!f->blocks && nblocks >= 0);
    f->nblocks = nblocks;
    f->blocks = cs_calloc(nblocks ? nblocks : 1, sizeof *f->blocks);
    f->defined = true;
    for (int i = 0; i < nblocks; i++)
        f->blocks[i].take = -1;
}

void cs_graph_add_edge(struct cs_graph *g, int func, int from, int to, bool eh)
{
    assert(func >= 0 && func < g->nfuncs && from >= 0 && from < g->funcs[func].nblocks);
    assert(to == CS_BLOCK_EXIT || (to >= 0 && to < g->funcs[func].nblocks));
    struct cs_block *b = &g->funcs[func].blocks[from];
    int n = b->nsuccs++;
    b->succs = cs_realloc(b->succs, (n + 1) * sizeof *b->succs);
    b->never = cs_realloc(b->never, (n + 1) * sizeof *b->never);
    b->eh = cs_realloc(b->eh, (n + 1) * sizeof *b->eh);
    b->succs[n] = to;
    b->never[n] = false;
    b->eh[n] = eh;
}

void cs_stmt_add_use(struct cs_stmt *s, struct cs_operand op)
{
    s->uses = cs_realloc(s->uses, (s->nuses + 1) * sizeof *s->uses);
    s->uses[s->nuses++] = op;
}

void cs_stmt_add_index(struct cs_stmt *s, int value)
{
    assert(value >= 0);
    s->idx = cs_realloc(s->idx, (s->nidx + 1) * sizeof *s->idx);
    s->idx[s->nidx++] = value;
}

void cs_stmt_add_arg_load(struct cs_stmt *s, int arg, struct cs_ref ref)
{
    assert(arg >= 0 && arg < s->nuses);
    s->arg_loads = cs_realloc(s->arg_loads, (s->narg_loads + 1) * sizeof *s->arg_loads);
    s->arg_loads[s->narg_loads].arg = arg;
    s->arg_loads[s->narg_loads++].ref = ref;
}

void cs_obj_add_init(struct cs_obj *o, int64_t off, int64_t size, struct cs_operand val)
{
    assert(val.kind != CS_OPND_VALUE);
    o->inits = cs_realloc(o->inits, (o->ninits + 1) * sizeof *o->inits);
    o->inits[o->ninits++] = (struct cs_init){off, size, val};
}

const char *cs_func_name(const struct cs_graph *g, int func)
{
    assert(func < g->nfuncs);
    return func < 0 ? "" : cs_graph_str(g, g->funcs[func].name);
}

const char *cs_obj_name(const struct cs_graph *g, int obj)
{
    assert(obj < g->nobjs);
    return obj < 0 ? "" : cs_graph_str(g, g->objs[obj].name);
}

bool cs_obj_is_string(const struct cs_graph *g, int obj)
{
    const char *n = cs_obj_name(g, obj);
    size_t len = strlen(CS_STRING);
    return obj >= 0 && g->objs[obj].readonly && !strncmp(n, CS_STRING, len) && (!n[len] || n[len] == ' ');
}

const char *cs_obj_text(const struct cs_graph *g, int obj)
{
    const char *n = cs_obj_name(g, obj);
    return cs_obj_is_string(g, obj) && n[strlen(CS_STRING)] ? n + strlen(CS_STRING) + 1 : NULL;
}

bool cs_op_compares(enum cs_op op)
{
    return op >= CS_OP_EQ && op <= CS_OP_GE;
}

bool cs_op_holds(enum cs_op op, int64_t a, int64_t b)
{
    assert(cs_op_compares(op));
    switch (op) {
    case CS_OP_EQ: return a == b;
    case CS_OP_NE: return a != b;
    case CS_OP_LT: return a < b;
    case CS_OP_LE: return a <= b;
    case CS_OP_GT: return a > b;
    default: return a >= b;
    }
}

bool cs_stmt_counts(const struct cs_stmt *s)
{
    return s->source >= 0 && !s->assumed;
}

struct cs_operand cs_opnd_none(void)
{
    return (struct cs_operand){CS_OPND_NONE, -1, cs_pat_at(0)};
}

struct cs_operand cs_opnd_value(int id)
{
    assert(id >= 0);
    return (struct cs_operand){CS_OPND_VALUE, id, cs_pat_at(0)};
}

struct cs_operand cs_opnd_const(int64_t c)
{
    return (struct cs_operand){CS_OPND_CONST, -1, cs_pat_at(c)};
}

struct cs_operand cs_opnd_addr(int obj, struct cs_pattern pat)
{
    assert(obj >= 0);
    return (struct cs_operand){CS_OPND_ADDR, obj, pat};
}

bool cs_opnd_same(struct cs_operand a, struct cs_operand b)
{
    switch (a.kind) {
    case CS_OPND_NONE: return false;
    case CS_OPND_VALUE: return b.kind == a.kind && a.id == b.id;
    case CS_OPND_CONST: return b.kind == a.kind && a.pat.off == b.pat.off;
    case CS_OPND_ADDR: return b.kind == a.kind && a.id == b.id && cs_pat_equal(a.pat, b.pat);
    }
    return false;
}

int cs_block_branch(const struct cs_graph *g, int func, int block)
{
    assert(func >= 0 && func < g->nfuncs && block >= 0 && block < g->funcs[func].nblocks);
    const struct cs_block *b = &g->funcs[func].blocks[block];
    if (b->nsuccs < 2 || b->nstmts == 0)
        return -1;
    int last = b->stmts[b->nstmts - 1];
    enum cs_stmt_kind k = g->stmts[last].kind;
    return k == CS_STMT_COND || k == CS_STMT_SWITCH || k == CS_STMT_CALL || k == CS_STMT_ASM ? last : -1;
}

const char *cs_reason_name(enum cs_reason r)
{
    static const char *const names[] = {"none",   "root",  "data",    "memory", "control", "call",
                                        "return", "param", "message", "exit",   "opaque",  "content",
                                        "free",   "count", "effect",  "budget", "whole"};
    assert((size_t)r < sizeof names / sizeof *names);
    return names[r];
}
