/* SPDX-License-Identifier: GPL-3.0-or-later
 * Models of external calls: which model a call has, and the models of a program.
 * effects_model.c puts a model together from a row of the effects table, mpi_model.c from one of the MPI table. */
#include "slicer/model/model.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "slicer/model/model_build.h"

void cs_models_init(struct cs_models *ms, struct cs_graph *g, const struct cs_effects *fx)
{
    *ms = (struct cs_models){.fx = fx};
    ms->ext_obj = cs_hidden_obj(g, "external memory");
    ms->fs_obj = cs_hidden_obj(g, "h:fs");
    ms->unit_obj = cs_hidden_obj(g, "Fortran units");
    ms->attr_obj = cs_hidden_obj(g, "MPI attributes");
    ms->addr_obj = cs_hidden_obj(g, "MPI addresses");
    ms->mpibuf_obj = cs_hidden_obj(g, "MPI reduction buffers");
    ms->message_obj = cs_hidden_obj(g, "MPI messages");
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
        free(m->carried);
        free(m->callbacks);
        free(m->moved);
        free(m->ret);
    }
    free(ms->m);
    for (int i = 0; i < ms->nstmts; i++)
        cs_intlist_free(&ms->of_stmt[i]);
    free(ms->of_stmt);
}

static int find_model(struct cs_models *ms, int stmt, int func)
{
    if (stmt >= ms->nstmts)
        return -1;
    for (int k = 0; k < ms->of_stmt[stmt].n; k++) {
        int i = ms->of_stmt[stmt].a[k];
        if (ms->m[i].func == func)
            return i;
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
    if (e)
        return e;
    snprintf(builtin, sizeof builtin, "__builtin_%s", name);
    return cs_effects_find(fx, builtin);
}

static bool maps_a_file(bool known, int64_t flags)
{
    return !known || !((flags & MAP_ANONYMOUS) || (flags & MAP_TYPE) == MAP_PRIVATE);
}

static bool is_standard_output(bool known, int64_t fd)
{
    return known && (fd == STDOUT_FILENO || fd == STDERR_FILENO);
}

static bool may_be_standard_output(bool known, int64_t fd)
{
    return !known || is_standard_output(known, fd);
}

static bool is_futex(bool known, int64_t number)
{
    return known && number == SYS_futex;
}

/* It is told at all. */
static bool is_there(bool known, int64_t value)
{
    (void)known, (void)value;
    return true;
}

/* Some calls do more than others of the same name: a mapping of a file that others see is the file, a descriptor
 * that may be 1 or 2 is that of stdout or stderr, the C++ library waits and wakes by one of the system's calls, and
 * what dlsym finds in the program is told by one argument more (gcc-plugin/lower/lower_by_name.cc). An argument (its
 * number, and what is asked of its value, if that is known) says which ones take the row NAME@WORD. */
static const struct special {
    const char *name;
    int arg;
    bool (*holds)(bool known, int64_t value);
    const char *row;
} SPECIAL[] = {
    {"mmap", 3, maps_a_file, "mmap@shared"},
    {"mmap64", 3, maps_a_file, "mmap@shared"},
    {"close", 0, is_standard_output, "close@std"},
    {"dup2", 1, may_be_standard_output, "dup2@std"},
    {"dup3", 1, may_be_standard_output, "dup2@std"},
    {"syscall", 0, is_futex, "syscall@futex"},
    {"dlsym", 2, is_there, "dlsym@own"},
};

static const char *special_row(const struct cs_graph *g, int stmt, const char *name)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    for (size_t i = 0; i < sizeof SPECIAL / sizeof *SPECIAL; i++) {
        const struct special *sp = &SPECIAL[i];
        if (strcmp(name, sp->name) || s->nuses <= sp->arg)
            continue;
        const struct cs_operand *o = &s->uses[sp->arg];
        if (sp->holds(o->kind == CS_OPND_CONST, o->pat.off))
            return sp->row;
    }
    return NULL;
}

static const struct cs_effect *effect_of_call(struct cs_models *ms, const struct cs_graph *g, int stmt,
                                              const char *name)
{
    const char *row = special_row(g, stmt, name);
    return find_effect(ms->fx, row ? row : name);
}

int cs_model_get(struct cs_models *ms, struct cs_graph *g, int stmt, int func)
{
    assert(stmt >= 0 && stmt < g->nstmts && g->stmts[stmt].kind == CS_STMT_CALL);
    assert(func >= 0 && func < g->nfuncs && !g->funcs[func].defined);
    int id = find_model(ms, stmt, func);
    if (id >= 0)
        return id;
    const char *name = cs_func_name(g, func);
    struct cs_model m = {.stmt = stmt, .func = func, .unit_arg = -1, .unit_value = -1, .buf_arg = {-1, -1}};
    struct cs_mbuild b = {.ms = ms, .g = g, .m = &m, .stmt = stmt};
    m.mpi = cs_mpi_by_symbol(name, &m.binding);
    m.fx = m.mpi ? NULL : effect_of_call(ms, g, stmt, name);
    read_struct_args(&b);
    if (m.mpi)
        cs_mpi_model_build(&b);
    else if (m.fx)
        cs_effects_model_build(&b, m.fx);
    else
        cs_opaque_model_build(&b);
    assert(m.opaque == (!m.mpi && !m.fx));
    CS_GROW(ms->m, ms->n, ms->cap);
    id = ms->n++;
    ms->m[id] = m;
    note_model(ms, stmt, id);
    return id;
}

struct cs_catching cs_model_catching(const struct cs_effects *fx, const struct cs_graph *g)
{
    struct cs_catching c = {false, false};
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
    if (mpi)
        return mpi->kind == CS_MPI_ABORT ? CS_NORET_ERROR : CS_NORET_RETURNS;
    const struct cs_effect *e = find_effect(fx, name);
    if (!e)
        return CS_NORET_RETURNS;
    int arg = e->noret == CS_NORET_ERROR ? e->back_arg : e->status_arg;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (arg < 0 || arg >= s->nuses)
        return e->noret;
    struct cs_operand st = s->uses[arg];
    if (e->noret == CS_NORET_ERROR)
        return st.kind == CS_OPND_CONST && st.pat.off != 0 ? CS_NORET_ERROR : CS_NORET_RETURNS;
    return st.kind == CS_OPND_CONST && st.pat.off != 0 ? CS_NORET_ERROR : CS_NORET_EXIT;
}
