/* SPDX-License-Identifier: GPL-3.0-or-later
 * Models of external calls: which model a call has, and the building blocks of all.
 * effects_model.c puts a model together from a row of the effects table, mpi_model.c from one of the MPI table. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_build.h"

/* ---- building blocks ---- */

struct cs_operand cs_mb_arg(const struct cs_mbuild *b, int i)
{
    const struct cs_stmt *s = &b->g->stmts[b->stmt];
    return i >= 0 && i < s->nuses ? s->uses[i] : cs_opnd_none();
}

struct cs_ref cs_mb_ref(struct cs_operand base, int64_t size)
{
    return (struct cs_ref){ base, cs_pat_at(0), size };
}

int cs_mb_load(struct cs_mbuild *b, struct cs_ref ref, bool flow)
{
    struct cs_graph *g = b->g;
    int func = g->stmts[b->stmt].func, block = g->stmts[b->stmt].block;
    int file = g->stmts[b->stmt].file, line = g->stmts[b->stmt].line;
    int v = cs_graph_add_value(g, func);
    CS_GROW(g->stmts, g->nstmts, g->astmts);
    int id = g->nstmts++;
    g->stmts[id] = (struct cs_stmt){ .kind = CS_STMT_LOAD, .op = flow ? CS_OP_COPY : CS_OP_OTHER, .func = func, .block = block, .def = v,
        .has_load = true, .load = ref, .source = -1, .file = file, .line = line, .text = -1, .parent = b->stmt, .site = -1, .shape = -1, .move_to = -1 };
    g->values[v].def = id;
    cs_intlist_add(&b->m->pseudo, id);
    return v;
}

void cs_mb_need(struct cs_mbuild *b, enum cs_level level, struct cs_operand op)
{
    struct cs_model *m = b->m;
    if (op.kind != CS_OPND_VALUE) return;
    m->needs = cs_realloc(m->needs, (m->nneeds + 1) * sizeof *m->needs);
    m->needs[m->nneeds++] = (struct cs_mneed){ level, op, false, false };
}

void cs_mb_read(struct cs_mbuild *b, enum cs_level level, struct cs_ref ref)
{
    if (ref.base.kind == CS_OPND_NONE || ref.base.kind == CS_OPND_CONST) return;
    cs_mb_need(b, level, cs_opnd_value(cs_mb_load(b, ref, false)));
}

struct cs_mwrite *cs_mb_write(struct cs_mbuild *b, enum cs_level level, struct cs_ref ref, struct cs_operand val)
{
    struct cs_model *m = b->m;
    m->writes = cs_realloc(m->writes, (m->nwrites + 1) * sizeof *m->writes);
    m->writes[m->nwrites] = (struct cs_mwrite){ .ref = ref, .level = level, .val = val };
    return &m->writes[m->nwrites++];
}

void cs_mb_ret(struct cs_mbuild *b, struct cs_operand op, bool spread)
{
    struct cs_model *m = b->m;
    if (m->nret == 6) return;
    m->ret[m->nret] = op;
    m->ret_spread[m->nret++] = spread;
}

void cs_mb_callback(struct cs_mbuild *b, struct cs_mcallback cb)
{
    struct cs_model *m = b->m;
    m->callbacks = cs_realloc(m->callbacks, (m->ncallbacks + 1) * sizeof *m->callbacks);
    m->callbacks[m->ncallbacks++] = cb;
}

int cs_hidden_obj(struct cs_graph *g, const char *name)
{
    int s = cs_graph_string(g, name);
    for (int i = 0; i < g->nobjs; i++)
        if (g->objs[i].kind == CS_OBJ_HIDDEN && g->objs[i].name == s) return i;
    return cs_graph_add_obj(g, CS_OBJ_HIDDEN, name, CS_SIZE_UNKNOWN);
}

struct cs_ref cs_mb_hidden(struct cs_mbuild *b, const char *name)
{
    int o = strcmp(name, "h:units") ? cs_hidden_obj(b->g, name) : b->ms->unit_obj;
    return cs_mb_ref(cs_opnd_addr(o, cs_pat_any()), CS_SIZE_UNKNOWN);
}

int cs_mb_new_obj(struct cs_mbuild *b, enum cs_obj_kind kind, const char *what, int64_t size)
{
    int o = cs_graph_add_obj(b->g, kind, what, size);
    b->g->objs[o].stmt = b->stmt;
    b->g->objs[o].func = b->g->stmts[b->stmt].func;
    return o;
}

/* ---- the models of a program ---- */

void cs_models_init(struct cs_models *ms, struct cs_graph *g, const struct cs_effects *fx)
{
    *ms = (struct cs_models){ .fx = fx };
    ms->ext_obj = cs_hidden_obj(g, "external memory");
    ms->fs_obj = cs_hidden_obj(g, "h:fs");
    ms->unit_obj = cs_hidden_obj(g, "Fortran units");
    ms->attr_obj = cs_hidden_obj(g, "MPI attributes");
    ms->addr_obj = cs_hidden_obj(g, "MPI addresses");
    ms->mpibuf_obj = cs_hidden_obj(g, "MPI reduction buffers");
    ms->errors_return = cs_mpi_errors_return(g);
    ms->catching = cs_model_catching(fx, g);
}

void cs_models_free(struct cs_models *ms)
{
    for (int i = 0; i < ms->n; i++) {
        struct cs_model *m = &ms->m[i];
        cs_intlist_free(&m->pseudo);
        free(m->needs);
        free(m->writes);
        free(m->copies);
        free(m->callbacks);
    }
    free(ms->m);
    for (int i = 0; i < ms->nstmts; i++) cs_intlist_free(&ms->of_stmt[i]);
    free(ms->of_stmt);
}

static int find_model(struct cs_models *ms, int stmt, int func)
{
    if (stmt >= ms->nstmts) return -1;
    for (int k = 0; k < ms->of_stmt[stmt].n; k++) {
        int i = ms->of_stmt[stmt].a[k];
        if (ms->m[i].func == func) return i;
    }
    return -1;
}

static void note_model(struct cs_models *ms, int stmt, int model)
{
    if (stmt >= ms->nstmts) {
        int n = stmt + 1 + stmt / 2;
        ms->of_stmt = cs_realloc(ms->of_stmt, n * sizeof *ms->of_stmt);
        memset(ms->of_stmt + ms->nstmts, 0, (n - ms->nstmts) * sizeof *ms->of_stmt);
        ms->nstmts = n;
    }
    cs_intlist_add(&ms->of_stmt[stmt], model);
}

/* Structs by value go into the library whole. */
static void read_struct_args(struct cs_mbuild *b)
{
    for (int k = 0; k < b->g->stmts[b->stmt].narg_loads; k++) {
        struct cs_ref r = b->g->stmts[b->stmt].arg_loads[k].ref;
        cs_mb_read(b, CS_LEVEL_KEPT, r);
        cs_mb_need(b, CS_LEVEL_KEPT, r.base);
    }
}

static const struct cs_effect *find_effect(const struct cs_effects *fx, const char *name)
{
    char builtin[128];
    const struct cs_effect *e = cs_effects_find(fx, name);
    if (e) return e;
    snprintf(builtin, sizeof builtin, "__builtin_%s", name);
    return cs_effects_find(fx, builtin);
}

/* Some calls do more than others of the same name: a mapping of a file that others see is the file, and a descriptor that may be 1 or 2 is
 * that of stdout or stderr. Such a call takes the row NAME@WORD. */
static const char *special_row(const struct cs_graph *g, int stmt, const char *name)
{
    enum { MMAP_FLAGS = 3, PRIVATE = 0x02, ANONYMOUS = 0x20, DUP2_TO = 1, CLOSE_FD = 0 };
    const struct cs_stmt *s = &g->stmts[stmt];
    bool map = !strcmp(name, "mmap") || !strcmp(name, "mmap64"), shut = !strcmp(name, "close");
    if (!map && !shut && strcmp(name, "dup2") && strcmp(name, "dup3")) return NULL;
    int arg = map ? MMAP_FLAGS : shut ? CLOSE_FD : DUP2_TO;
    if (s->nuses <= arg) return NULL;
    bool known = s->uses[arg].kind == CS_OPND_CONST;
    int64_t n = s->uses[arg].pat.off;
    if (map) return known && ((n & ANONYMOUS) || (n & 3) == PRIVATE) ? NULL : "mmap@shared";
    if (shut) return known && (n == 1 || n == 2) ? "close@std" : NULL;
    return known && n != 1 && n != 2 ? NULL : "dup2@std";
}

static const struct cs_effect *effect_of_call(struct cs_models *ms, const struct cs_graph *g, int stmt, const char *name)
{
    const char *row = special_row(g, stmt, name);
    return find_effect(ms->fx, row ? row : name);
}

int cs_model_get(struct cs_models *ms, struct cs_graph *g, int stmt, int func)
{
    int id = find_model(ms, stmt, func);
    if (id >= 0) return id;
    const char *name = cs_func_name(g, func);
    struct cs_model m = { .stmt = stmt, .func = func, .unit_arg = -1, .unit_value = -1, .buf_arg = { -1, -1 } };
    struct cs_mbuild b = { .ms = ms, .g = g, .m = &m, .stmt = stmt };
    m.mpi = cs_mpi_by_symbol(name, &m.binding);
    m.fx = m.mpi ? NULL : effect_of_call(ms, g, stmt, name);
    read_struct_args(&b);
    if (m.mpi) cs_mpi_model_build(&b);
    else if (m.fx) cs_effects_model_build(&b, m.fx);
    else cs_opaque_model_build(&b);
    CS_GROW(ms->m, ms->n, ms->cap);
    id = ms->n++;
    ms->m[id] = m;
    note_model(ms, stmt, id);
    return id;
}

struct cs_catching cs_model_catching(const struct cs_effects *fx, const struct cs_graph *g)
{
    struct cs_catching c = { false, false };
    for (int o = 0; o < g->nobjs; o++) {
        const struct cs_obj *ob = &g->objs[o];
        bool outside = ob->kind == CS_OBJ_FUNC ? !g->funcs[ob->func].defined : ob->external;
        const struct cs_effect *e = outside ? cs_effects_find(fx, cs_obj_name(g, o)) : NULL;
        c.any |= e && e->catches;
        c.requested |= e && e->requests_throws;
    }
    return c;
}

bool cs_model_throws(struct cs_catching c, const struct cs_effect *e)
{
    return c.any && e && (e->throws || (e->throws_on_request && c.requested));
}

enum cs_effect_noret cs_model_noret(const struct cs_effects *fx, const struct cs_graph *g, int stmt, int func)
{
    enum cs_binding bind;
    const char *name = cs_func_name(g, func);
    const struct cs_mpi_call *mpi = cs_mpi_by_symbol(name, &bind);
    if (mpi) return mpi->kind == CS_MPI_ABORT ? CS_NORET_ERROR : CS_NORET_RETURNS;
    const struct cs_effect *e = find_effect(fx, name);
    if (!e) return CS_NORET_RETURNS;
    int arg = e->noret == CS_NORET_ERROR ? e->back_arg : e->status_arg;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (arg < 0 || arg >= s->nuses) return e->noret;
    struct cs_operand st = s->uses[arg];
    if (e->noret == CS_NORET_ERROR) return st.kind == CS_OPND_CONST && st.pat.off != 0 ? CS_NORET_ERROR : CS_NORET_RETURNS;
    return st.kind == CS_OPND_CONST && st.pat.off != 0 ? CS_NORET_ERROR : CS_NORET_EXIT;
}
