/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes a program graph as text; docs/reference/graph-text.md is the reference, graph_read.c the way back.
 * What the analyses add (heap objects, pseudo statements) is not written: they make it again. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/graph_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/text/graph_words_internal.h"
#include "slicer/text/graph_write_internal.h"
#include "slicer/graph/storage.h"

static void put_real_name(struct writer *w, int obj)
{
    const char *real = cs_obj_name(w->g, obj);
    if (!strcmp(real, w->obj_name[obj]))
        return;
    fputc(' ', w->out);
    cs_write_string(w, real, '\'');
}

static void put_obj(struct writer *w, int o, const char *indent)
{
    struct cs_obj *ob = &w->g->objs[o];
    fprintf(w->out, "%s%s ", indent, ob->kind == CS_OBJ_LOCAL ? "local" : "global");
    cs_write_name(w, w->obj_name[o]);
    fputc(' ', w->out);
    cs_write_size(w, ob->size);
    for (int i = 0; i < CS_TEXT_NOBJ_FLAGS; i++)
        if (*cs_text_obj_flag(ob, i))
            fprintf(w->out, " %s", cs_text_obj_flags[i]);
    put_real_name(w, o);
    fputc('\n', w->out);
    for (int i = 0; i < ob->ninits; i++) {
        fprintf(w->out, "%s  init @", indent);
        cs_write_name(w, w->obj_name[o]);
        fprintf(w->out, "%+" PRId64 " ", ob->inits[i].off);
        cs_write_size(w, ob->inits[i].size);
        fputs(" = ", w->out);
        cs_write_operand(w, ob->inits[i].val);
        fputc('\n', w->out);
    }
}

/* Values that are used in a function, but neither defined nor a parameter. */
static void put_undefined(struct writer *w, const struct cs_func *f, int fi)
{
    struct cs_intset known = {0};
    bool any = false;
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i] >= 0)
            cs_intset_add(&known, f->params[i]);
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; k < f->blocks[b].nstmts; k++) {
            const struct cs_stmt *s = &w->g->stmts[f->blocks[b].stmts[k]];
            int nrefs = 2 + s->narg_loads, n = s->nuses + s->nidx + nrefs + 1;
            for (int i = 0; i < n; i++) {
                int r = i - s->nuses - s->nidx;
                struct cs_operand op = i < s->nuses ? s->uses[i]
                                       : r < 0      ? cs_opnd_value(s->idx[i - s->nuses])
                                       : r == 0     ? s->load.base
                                       : r == 1     ? s->store.base
                                       : r < nrefs  ? s->arg_loads[r - 2].ref.base
                                                    : s->callee;
                if ((r == 0 && !s->has_load) || (r == 1 && !s->has_store) || (r == nrefs && s->kind != CS_STMT_CALL))
                    continue;
                if (op.kind != CS_OPND_VALUE)
                    continue;
                int d = w->g->values[op.id].def;
                if (d >= 0 && w->g->stmts[d].func == fi && w->g->stmts[d].def == op.id && w->stmt_num[d] >= 0)
                    continue;
                if (!cs_intset_add(&known, op.id))
                    continue;
                fputs(any ? ", " : "  undef ", w->out);
                cs_write_value(w, op.id);
                any = true;
            }
        }
    if (any)
        fputc('\n', w->out);
    cs_intset_free(&known);
}

static void put_params(struct writer *w, const struct cs_func *f)
{
    fputc('(', w->out);
    for (int i = 0; i < f->nparams; i++) {
        bool obj = f->param_objs && f->param_objs[i] >= 0;
        if (i)
            fputs(", ", w->out);
        if (f->params[i] >= 0)
            cs_write_value(w, f->params[i]);
        else if (!obj)
            fputc('_', w->out);
        if (!obj)
            continue;
        fputs("{@", w->out);
        cs_write_name(w, w->obj_name[f->param_objs[i]]);
        fputc('}', w->out);
    }
    fputc(')', w->out);
}

static void put_func(struct writer *w, int fi)
{
    struct cs_func *f = &w->g->funcs[fi];
    w->next_value = 0; /* values belong to one function */
    fputs("func ", w->out);
    cs_write_name(w, w->obj_name[f->obj]);
    if (f->nparams || f->defined)
        put_params(w, f);
    for (int i = 0; i < CS_TEXT_NFUNC_FLAGS; i++)
        if (*cs_text_func_flag(f, i))
            fprintf(w->out, " %s", cs_text_func_flags[i]);
    if (f->result_obj >= 0) {
        fputs(" result @", w->out);
        cs_write_name(w, w->obj_name[f->result_obj]);
    }
    if (f->source != fi && f->source >= 0) {
        fputs(" clone ", w->out);
        cs_write_name(w, w->obj_name[w->g->funcs[f->source].obj]);
    }
    for (int i = 0; i < f->families.n; i++)
        if (f->families.a[i] >= 0)
            fprintf(w->out, " family %d", f->families.a[i]);
        else if (f->families.a[i] == CS_ANY_FORM)
            fprintf(w->out, " form any");
        else
            fprintf(w->out, " form %d", CS_FORM(f->families.a[i]));
    cs_write_at(w, f->file, f->line, 0);
    put_real_name(w, f->obj);
    if (!f->defined) {
        fputc('\n', w->out);
        return;
    }
    fputs(" {\n", w->out);
    for (int o = w->first_local[fi]; o >= 0; o = w->next_local[o])
        put_obj(w, o, "  ");
    put_undefined(w, f, fi);
    for (int b = 0; b < f->nblocks; b++)
        cs_write_block(w, f, b);
    fputs("}\n", w->out);
}

static struct name_entry *take_name(struct writer *w, const char *name)
{
    struct name_entry *e;
    HASH_FIND_STR(w->used, name, e);
    if (e)
        return NULL;
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
    assert(!w->obj_name[o]); /* an object is named once */
    w->obj_name[o] = e->name;
    free(name);
}

/* Globals, and locals that belong to no body, stand before the functions. */
static bool at_top(const struct cs_graph *g, int o)
{
    const struct cs_obj *ob = &g->objs[o];
    if (ob->kind == CS_OBJ_FUNC)
        return false;
    if (ob->kind == CS_OBJ_HEAP || ob->kind == CS_OBJ_HANDLE || ob->kind == CS_OBJ_HIDDEN)
        return false;
    return ob->kind != CS_OBJ_LOCAL || ob->func < 0 || !g->funcs[ob->func].defined;
}

static void prepare(struct writer *w)
{
    const struct cs_graph *g = w->g;
    int n = 0;
    for (int f = 0; f < g->nfuncs; f++)
        w->first_local[f] = -1;
    for (int o = g->nobjs - 1; o >= 0; o--) {
        const struct cs_obj *ob = &g->objs[o];
        if (ob->kind != CS_OBJ_LOCAL || at_top(g, o))
            continue;
        w->next_local[o] = w->first_local[ob->func];
        w->first_local[ob->func] = o;
    }
    for (int o = 0; o < g->nobjs; o++)
        if (at_top(g, o))
            name_obj(w, o);
    for (int f = 0; f < g->nfuncs; f++) {
        name_obj(w, g->funcs[f].obj);
        for (int o = w->first_local[f]; o >= 0; o = w->next_local[o])
            name_obj(w, o);
    }
    for (int o = 0; o < g->nobjs; o++)
        if (!w->obj_name[o])
            name_obj(w, o);
    for (int v = 0; v < g->nvalues; v++)
        w->value_num[v] = w->value_read[v] = -1;
    for (int s = 0; s < g->nstmts; s++)
        w->stmt_num[s] = -1;
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            for (int k = 0; k < g->funcs[f].blocks[b].nstmts; k++)
                w->stmt_num[g->funcs[f].blocks[b].stmts[k]] = n++;
}

/* A reader makes objects in the order of the text. */
static int *object_numbers(const struct writer *w)
{
    const struct cs_graph *g = w->g;
    int *number = cs_calloc(g->nobjs + 1, sizeof *number), n = 0;
    for (int o = 0; o < g->nobjs; o++)
        number[o] = at_top(g, o) ? n++ : -1;
    for (int f = 0; f < g->nfuncs; f++) {
        number[g->funcs[f].obj] = n++;
        for (int o = w->first_local[f]; o >= 0; o = w->next_local[o])
            number[o] = n++;
    }
    return number;
}

void cs_text_numbers_free(struct cs_text_numbers *n)
{
    free(n->value);
    free(n->obj);
    free(n->stmt);
}

void cs_graph_write_numbered(const struct cs_graph *g, FILE *out, struct cs_text_numbers *numbers)
{
    struct writer w = {.g = g, .out = out};
    struct name_entry *e, *next;
    w.obj_name = cs_calloc(g->nobjs + 1, sizeof *w.obj_name);
    w.value_num = cs_calloc(g->nvalues + 1, sizeof *w.value_num);
    w.value_read = cs_calloc(g->nvalues + 1, sizeof *w.value_read);
    w.stmt_num = cs_calloc(g->nstmts + 1, sizeof *w.stmt_num);
    w.first_local = cs_calloc(g->nfuncs + 1, sizeof *w.first_local);
    w.next_local = cs_calloc(g->nobjs + 1, sizeof *w.next_local);
    prepare(&w);
    for (int o = 0; o < g->nobjs; o++)
        if (at_top(g, o))
            put_obj(&w, o, "");
    for (int f = 0; f < g->nfuncs; f++)
        put_func(&w, f);
    HASH_ITER (hh, w.used, e, next) {
        HASH_DEL(w.used, e);
        free(e->name);
        free(e);
    }
    *numbers = (struct cs_text_numbers){w.value_read, object_numbers(&w), w.stmt_num, g->nvalues, g->nobjs, g->nstmts};
    free(w.obj_name);
    free(w.value_num);
    free(w.first_local);
    free(w.next_local);
}

void cs_graph_write(const struct cs_graph *g, FILE *out)
{
    struct cs_text_numbers numbers;
    cs_graph_write_numbered(g, out, &numbers);
    cs_text_numbers_free(&numbers);
}
