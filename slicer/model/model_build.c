/* SPDX-License-Identifier: GPL-3.0-or-later
 * The building blocks of the model of a call: what it reads, writes, needs and returns.
 * A place that is read is a pseudo statement of the graph; offsets.h says how a place is described. */
#include "slicer/model/model_build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct cs_operand cs_mb_arg(const struct cs_mbuild *b, int i)
{
    const struct cs_stmt *s = &b->g->stmts[b->stmt];
    if (b->shifted && i-- == 0)
        return b->place;
    return i >= 0 && i < s->nuses ? s->uses[i] : cs_opnd_none();
}

struct cs_ref cs_mb_ref(struct cs_operand base, int64_t size)
{
    return (struct cs_ref){base, cs_pat_at(0), size};
}

/* A statement that belongs to the call, and what it defines. */
static int add_pseudo(struct cs_mbuild *b, enum cs_stmt_kind kind, enum cs_op op)
{
    struct cs_graph *g = b->g;
    assert(g->stmts[b->stmt].kind == CS_STMT_CALL);
    int func = g->stmts[b->stmt].func, block = g->stmts[b->stmt].block;
    int file = g->stmts[b->stmt].file, line = g->stmts[b->stmt].line;
    int v = cs_graph_add_value(g, func);
    CS_GROW(g->stmts, g->nstmts, g->astmts);
    int id = g->nstmts++;
    g->stmts[id] = (struct cs_stmt){.kind = kind,
                                    .op = op,
                                    .func = func,
                                    .block = block,
                                    .def = v,
                                    .source = -1,
                                    .file = file,
                                    .line = line,
                                    .text = -1,
                                    .parent = b->stmt,
                                    .site = -1,
                                    .shape = -1,
                                    .move_to = -1};
    assert(g->stmts[id].func == func && b->m->stmt == b->stmt);
    g->values[v].def = id;
    cs_intlist_add(&b->m->pseudo, id);
    return v;
}

int cs_mb_load(struct cs_mbuild *b, struct cs_ref ref, bool flow)
{
    int v = add_pseudo(b, CS_STMT_LOAD, flow ? CS_OP_COPY : CS_OP_OTHER);
    struct cs_stmt *s = &b->g->stmts[b->g->values[v].def];
    s->has_load = true;
    s->load = ref;
    return v;
}

int cs_mb_moved(struct cs_mbuild *b, struct cs_operand op, struct cs_operand decides)
{
    bool always = decides.kind == CS_OPND_NONE;
    int v = add_pseudo(b, CS_STMT_ASSIGN, always ? CS_OP_PTRADD : CS_OP_OTHER);
    struct cs_stmt *s = &b->g->stmts[b->g->values[v].def];
    s->stride = 1;
    cs_stmt_add_use(s, op);
    if (always)
        return v;
    cs_stmt_add_use(s, decides);
    b->m->moved = cs_realloc(b->m->moved, (b->m->nmoved + 1) * sizeof *b->m->moved);
    b->m->moved[b->m->nmoved++] = (struct cs_mmoved){v, op, decides};
    return v;
}

int cs_mb_sum(struct cs_mbuild *b, struct cs_operand a, struct cs_operand to)
{
    int v = add_pseudo(b, CS_STMT_ASSIGN, CS_OP_ADD);
    struct cs_stmt *s = &b->g->stmts[b->g->values[v].def];
    cs_stmt_add_use(s, a);
    cs_stmt_add_use(s, to);
    return v;
}

struct cs_operand cs_mb_part(struct cs_mbuild *b, struct cs_operand op, struct cs_pattern part)
{
    if (op.kind == CS_OPND_ADDR) {
        op.pat = cs_pat_compose(op.pat, part);
        return op;
    }
    if (op.kind != CS_OPND_VALUE)
        return op;
    int v = add_pseudo(b, CS_STMT_ASSIGN, CS_OP_FIELD);
    struct cs_stmt *s = &b->g->stmts[b->g->values[v].def];
    s->load.pat = part;
    cs_stmt_add_use(s, op);
    return cs_opnd_value(v);
}

void cs_mb_need(struct cs_mbuild *b, enum cs_level level, struct cs_operand op)
{
    struct cs_model *m = b->m;
    if (op.kind != CS_OPND_VALUE)
        return;
    m->needs = cs_realloc(m->needs, (m->nneeds + 1) * sizeof *m->needs);
    m->needs[m->nneeds++] = (struct cs_mneed){level, op, false, false, false, cs_opnd_none()};
}

void cs_mb_read(struct cs_mbuild *b, enum cs_level level, struct cs_ref ref)
{
    if (ref.base.kind == CS_OPND_NONE || ref.base.kind == CS_OPND_CONST)
        return;
    cs_mb_need(b, level, cs_opnd_value(cs_mb_load(b, ref, false)));
}

struct cs_mwrite *cs_mb_write(struct cs_mbuild *b, enum cs_level level, struct cs_ref ref, struct cs_operand val)
{
    struct cs_model *m = b->m;
    m->writes = cs_realloc(m->writes, (m->nwrites + 1) * sizeof *m->writes);
    m->writes[m->nwrites] = (struct cs_mwrite){.ref = ref, .level = level, .val = val};
    return &m->writes[m->nwrites++];
}

void cs_mb_ret(struct cs_mbuild *b, struct cs_operand op, bool spread)
{
    struct cs_model *m = b->m;
    m->ret = cs_realloc(m->ret, (m->nret + 1) * sizeof *m->ret);
    m->ret[m->nret++] = (struct cs_mret){op, spread};
}

void cs_mb_callback(struct cs_mbuild *b, struct cs_mcallback cb)
{
    struct cs_model *m = b->m;
    assert(cb.nargs >= 0 && cb.nargs <= (int)(sizeof cb.args / sizeof *cb.args));
    m->callbacks = cs_realloc(m->callbacks, (m->ncallbacks + 1) * sizeof *m->callbacks);
    m->callbacks[m->ncallbacks++] = cb;
}

int cs_hidden_obj(struct cs_graph *g, const char *name)
{
    int s = cs_graph_string(g, name);
    for (int i = 0; i < g->nobjs; i++)
        if (g->objs[i].kind == CS_OBJ_HIDDEN && g->objs[i].name == s)
            return i;
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
