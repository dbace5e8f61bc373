/* SPDX-License-Identifier: GPL-3.0-or-later
 * Models of external calls: what the caller of model.h sees, put together from rows of the effects table.
 * mpi_model.c does the same for rows of the MPI table. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "model_build.h"

/* ---- building blocks, shared with mpi_model.c ---- */

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

/* ---- the effects table ---- */

/* Everything from the pointer to the end of the object, or as many bytes as constant arguments say. */
static int64_t extent(struct cs_mbuild *b, int ea, int eb, int64_t ec)
{
    int64_t n = ec >= 0 ? ec : 1;
    if (ea < 0 && eb < 0) return ec >= 0 ? ec : CS_SIZE_UNKNOWN;
    for (int k = 0; k < 2; k++) {
        int e = k ? eb : ea;
        if (e < 0) continue;
        struct cs_operand op = cs_mb_arg(b, e);
        if (op.kind != CS_OPND_CONST || op.pat.off < 0 || op.pat.off > (INT64_C(1) << 40)) return CS_SIZE_UNKNOWN;
        n *= op.pat.off;
    }
    return n;
}

/* An argument of an effect: one of the call's, or the fresh memory that it returns. */
static struct cs_operand effect_arg(struct cs_mbuild *b, int arg)
{
    return arg == CS_EFFECT_ARG_RET ? b->fresh : cs_mb_arg(b, arg);
}

static struct cs_ref arg_region(struct cs_mbuild *b, int arg, const struct cs_effect_op *op)
{
    struct cs_operand base = effect_arg(b, arg);
    int64_t size = extent(b, op->ext_a, op->ext_b, op->ext_const);
    return cs_mb_ref(base, size);
}

/* The memory that pointers stored at `ref` lead to, any offset. */
static struct cs_ref behind(struct cs_mbuild *b, struct cs_ref ref)
{
    int v = cs_mb_load(b, ref, true);
    return (struct cs_ref){ cs_opnd_value(v), cs_pat_any(), CS_SIZE_UNKNOWN };
}

static void read_deep(struct cs_mbuild *b, struct cs_ref ref)
{
    struct cs_ref one = behind(b, ref), two = behind(b, one);
    cs_mb_read(b, CS_LEVEL_KEPT, ref);
    cs_mb_read(b, CS_LEVEL_KEPT, one);
    cs_mb_read(b, CS_LEVEL_KEPT, two);
}

/* As read_deep or read; the row may say that some bytes do not count. */
static void read_counted(struct cs_mbuild *b, struct cs_ref ref, int arg, bool deep)
{
    const struct cs_effect *fx = b->fx;
    struct cs_ref part[2] = { ref, ref };
    int n = 1;
    if (fx->unread_arg >= 0 && fx->unread_arg == arg && ref.pat.stride == 0 && ref.size < 0) {
        part[0].size = fx->unread_from;
        part[1].pat = cs_pat_shift(ref.pat, fx->unread_to);
        n = 2;
    }
    for (int i = fx->unread_from == 0 && n == 2; i < n; i++) {
        if (deep) read_deep(b, part[i]);
        else cs_mb_read(b, CS_LEVEL_KEPT, part[i]);
    }
}

static void write_deep(struct cs_mbuild *b, struct cs_ref ref, struct cs_operand val)
{
    struct cs_ref one = behind(b, ref), two = behind(b, one);
    cs_mb_write(b, CS_LEVEL_KEPT, ref, val);
    cs_mb_write(b, CS_LEVEL_KEPT, one, val);
    cs_mb_write(b, CS_LEVEL_KEPT, two, val);
}

static void add_copy(struct cs_mbuild *b, struct cs_ref dst, struct cs_ref src)
{
    struct cs_model *m = b->m;
    m->copies = cs_realloc(m->copies, (m->ncopies + 1) * sizeof *m->copies);
    m->copies[m->ncopies++] = (struct cs_mcopy){ dst, src };
}

/* An argument that is a struct, passed by value: what is passed; NULL if it is none. */
static const struct cs_ref *struct_arg(const struct cs_mbuild *b, int arg)
{
    const struct cs_stmt *s = &b->g->stmts[b->stmt];
    for (int k = 0; k < s->narg_loads; k++)
        if (s->arg_loads[k].arg == arg) return &s->arg_loads[k].ref;
    return NULL;
}

static void each_hidden(struct cs_mbuild *b, const struct cs_effect_op *op)
{
    char name[128];
    snprintf(name, sizeof name, "h:%s", op->state);
    struct cs_ref h = cs_mb_hidden(b, name);
    switch (op->kind) {
    case CS_EFFECT_HIDDEN:
        if (op->hid_read) cs_mb_read(b, CS_LEVEL_KEPT, h);
        if (op->hid_write) cs_mb_write(b, CS_LEVEL_KEPT, h, cs_opnd_none());
        break;
    case CS_EFFECT_HIDDEN_DEEP: {
        struct cs_ref one = behind(b, h), two = behind(b, one);
        cs_mb_read(b, CS_LEVEL_KEPT, h);
        cs_mb_read(b, CS_LEVEL_KEPT, one);
        cs_mb_read(b, CS_LEVEL_KEPT, two);
        cs_mb_write(b, CS_LEVEL_KEPT, one, cs_opnd_none());
        cs_mb_write(b, CS_LEVEL_KEPT, two, cs_opnd_none());
        break;
    }
    case CS_EFFECT_HIDDEN_PTR:
        if (struct_arg(b, op->src)) { add_copy(b, h, *struct_arg(b, op->src)); break; }
        cs_mb_write(b, CS_LEVEL_KEPT, h, cs_mb_arg(b, op->src))->spread = true;
        break;
    default: /* CS_EFFECT_HIDDEN_COPY */
        add_copy(b, h, cs_mb_ref(cs_mb_arg(b, op->src), CS_SIZE_UNKNOWN));
    }
}

static void each_callback(struct cs_mbuild *b, const struct cs_effect_op *op)
{
    struct cs_mcallback cb = { .fn = cs_mb_arg(b, op->arg), .nargs = op->nargs };
    for (int i = 0; i < op->nargs; i++) {
        /* The callee sees an element somewhere behind the argument. */
        struct cs_operand a = cs_mb_arg(b, op->args[i]);
        if (op->deep[i]) a = behind(b, behind(b, cs_mb_ref(a, CS_SIZE_UNKNOWN))).base;
        if (a.kind == CS_OPND_ADDR) a.pat = cs_pat_any();
        cb.args[i] = a;
        struct cs_ref any = cs_mb_ref(a, CS_SIZE_UNKNOWN);
        cs_mb_read(b, CS_LEVEL_KEPT, any);
    }
    cs_mb_callback(b, cb);
}

/* Any pointer that the call finds behind one of its mixed arguments, or is given, may end up anywhere behind another. */
static void mix(struct cs_mbuild *b, int arg, const struct cs_effect *fx)
{
    struct cs_ref to = cs_mb_ref(cs_mb_arg(b, arg), CS_SIZE_UNKNOWN), to1 = behind(b, to), to2 = behind(b, to1);
    struct cs_ref targets[] = { to, to1, to2 };
    for (int k = 0; k < fx->nops; k++) {
        if (fx->ops[k].kind != CS_EFFECT_MIX) continue;
        struct cs_operand other = cs_mb_arg(b, fx->ops[k].arg);
        struct cs_ref from = cs_mb_ref(other, CS_SIZE_UNKNOWN), from1 = behind(b, from), from2 = behind(b, from1);
        struct cs_operand found[] = { other, from1.base, from2.base };
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) cs_mb_write(b, CS_LEVEL_KEPT, targets[i], found[j])->spread = true;
    }
}

static void guard_format(struct cs_mbuild *b, int first, int format)
{
    for (int i = first; i < b->m->nwrites; i++) {
        b->m->writes[i].guard = CS_GUARD_FORMAT;
        b->m->writes[i].guard_op = cs_mb_arg(b, format);
    }
}

/* A format that may hold %n or %m (the plugin names such strings) may write through each argument after it, or through each that a
 * va_list leads to. What the format can be is known when points-to is solved. */
static void format_writes(struct cs_mbuild *b, int format)
{
    struct cs_operand f = cs_mb_arg(b, format);
    int first = b->m->nwrites;
    if (f.kind == CS_OPND_ADDR && cs_obj_is_string(b->g, f.id)) return;
    for (int k = 0; k < b->fx->nops; k++) {
        if (b->fx->ops[k].kind != CS_EFFECT_READ_DEEP || b->fx->ops[k].arg <= format) continue;
        struct cs_ref list = cs_mb_ref(cs_mb_arg(b, b->fx->ops[k].arg), CS_SIZE_UNKNOWN);
        write_deep(b, list, cs_opnd_none());
        cs_mb_write(b, CS_LEVEL_KEPT, behind(b, behind(b, list)), cs_opnd_addr(cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", CS_SIZE_UNKNOWN), cs_pat_at(0)));
        guard_format(b, first, format);
        return;
    }
    for (int i = format + 1; i < b->g->stmts[b->stmt].nuses; i++) {
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_mb_arg(b, i), CS_SIZE_UNKNOWN), cs_opnd_none());
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_mb_arg(b, i), 8),
                    cs_opnd_addr(cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", CS_SIZE_UNKNOWN), cs_pat_at(0)));
    }
    guard_format(b, first, format);
}

/* Whole elements move about in an array, or come into it from elsewhere. Where their size is not known, anything may come anywhere. */
static void elements(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    int64_t size = extent(b, op->ext_a, op->ext_b, op->ext_const);
    if (size == 0) size = CS_SIZE_UNKNOWN;
    struct cs_pattern any = size > 0 ? cs_pat_spread(cs_pat_at(0), size) : cs_pat_any();
    add_copy(b, (struct cs_ref){ effect_arg(b, arg), any, size }, (struct cs_ref){ cs_mb_arg(b, op->src), any, size });
}

static enum cs_guard guard_of(enum cs_effect_kind k)
{
    switch (k) {
    case CS_EFFECT_FSMODE: return CS_GUARD_MODE;
    case CS_EFFECT_FSOLD: return CS_GUARD_OLD;
    case CS_EFFECT_FSGIVEN: return CS_GUARD_GIVEN;
    case CS_EFFECT_FSBITS: return CS_GUARD_BITS;
    default: return CS_GUARD_STREAM;
    }
}

static void state_change(struct cs_mbuild *b, const char *state, const struct cs_effect_op *op, struct cs_operand guard)
{
    struct cs_mwrite *w = cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_hidden(b, state), cs_opnd_none());
    w->guard = guard_of(op->kind);
    w->guard_bits = op->ext_const;
    w->guard_op = guard;
    w->flush = op->kind == CS_EFFECT_FSFLUSH;
}

/* A change of the file system, unless what an argument points to, or holds at an offset, says that there is none. */
static void files_change(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    bool inside = op->kind == CS_EFFECT_FSOLD || op->kind == CS_EFFECT_FSGIVEN;
    struct cs_operand guard = cs_mb_arg(b, arg);
    if (inside) guard = cs_opnd_value(cs_mb_load(b, (struct cs_ref){ guard, cs_pat_at(op->ext_const), 8 }, true));
    state_change(b, "h:fs", op, guard);
    if (op->kind == CS_EFFECT_FSWRITE || op->kind == CS_EFFECT_FSFLUSH) state_change(b, "h:streams", op, guard);
}

static void each_op(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    struct cs_ref reg = arg_region(b, arg, op);
    struct cs_ref all = cs_mb_ref(effect_arg(b, arg), CS_SIZE_UNKNOWN);
    if (op->behind) {
        cs_mb_read(b, CS_LEVEL_KEPT, all);
        reg = behind(b, all);
    }
    switch (op->kind) {
    case CS_EFFECT_READ: cs_mb_read(b, CS_LEVEL_KEPT, reg); break;
    case CS_EFFECT_WRITE: cs_mb_write(b, CS_LEVEL_KEPT, reg, cs_opnd_none()); break;
    case CS_EFFECT_END: read_counted(b, reg, arg, false); cs_mb_write(b, CS_LEVEL_KEPT, reg, cs_opnd_none()); break;
    case CS_EFFECT_READ_DEEP: read_counted(b, all, arg, true); break;
    case CS_EFFECT_WRITE_DEEP: write_deep(b, all, cs_opnd_none()); break;
    case CS_EFFECT_COPY:
        add_copy(b, reg, (struct cs_ref){ cs_mb_arg(b, op->src), cs_pat_at(0), reg.size });
        break;
    case CS_EFFECT_COPY_DEEP: {
        struct cs_ref from = cs_mb_ref(cs_mb_arg(b, op->src), CS_SIZE_UNKNOWN), d = behind(b, all);
        cs_mb_read(b, CS_LEVEL_KEPT, all);
        if (!op->direct) cs_mb_read(b, CS_LEVEL_KEPT, from);
        add_copy(b, d, op->direct ? from : behind(b, from));
        break;
    }
    case CS_EFFECT_MIX: mix(b, arg, b->fx); break;
    case CS_EFFECT_ELEMENTS: elements(b, op, arg); break;
    case CS_EFFECT_STORE_PTR: {
        struct cs_operand val = op->behind ? behind(b, cs_mb_ref(cs_mb_arg(b, op->src), CS_SIZE_UNKNOWN)).base : cs_mb_arg(b, op->src);
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(effect_arg(b, arg), 8), val)->spread = true;
        break;
    }
    case CS_EFFECT_STORE_NEW:
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_mb_arg(b, arg), 8),
                    cs_opnd_addr(cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", CS_SIZE_UNKNOWN), cs_pat_at(0)));
        break;
    case CS_EFFECT_FSWRITE: case CS_EFFECT_FSMODE: case CS_EFFECT_FSFLUSH: case CS_EFFECT_FSOLD: case CS_EFFECT_FSGIVEN:
    case CS_EFFECT_FSBITS: files_change(b, op, arg); break;
    case CS_EFFECT_UNIT:
        b->m->unit_arg = arg;
        b->m->unit_value = cs_mb_load(b, (struct cs_ref){ cs_mb_arg(b, arg), cs_pat_at(4), 4 }, true);
        cs_mb_need(b, CS_LEVEL_KEPT, cs_opnd_value(b->m->unit_value));
        break;
    case CS_EFFECT_CALLBACK: each_callback(b, op); break;
    case CS_EFFECT_CALL_DEEP: {
        struct cs_ref one = behind(b, all);
        struct cs_mcallback cb = { .fn = cs_opnd_value(cs_mb_load(b, one, true)), .nargs = 1, .args = { cs_mb_arg(b, arg) } };
        cs_mb_callback(b, cb);
        break;
    }
    case CS_EFFECT_FORMAT: format_writes(b, arg); break;
    case CS_EFFECT_FREE: break;
    case CS_EFFECT_REALLOC: {
        int o = cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", CS_SIZE_UNKNOWN);
        struct cs_operand fresh = cs_opnd_addr(o, cs_pat_at(0));
        add_copy(b, cs_mb_ref(fresh, CS_SIZE_UNKNOWN), cs_mb_ref(cs_mb_arg(b, arg), CS_SIZE_UNKNOWN));
        cs_mb_ret(b, fresh, false);
        break;
    }
    default: each_hidden(b, op);
    }
}

/* Memory is taken to be there; what depends on files or the like can fail in a normal run. */
static bool can_fail(const struct cs_effect *fx)
{
    for (int k = 0; k < fx->nops; k++)
        if (fx->ops[k].kind == CS_EFFECT_HIDDEN && strcmp(fx->ops[k].state, "errno")) return true;
    return false;
}

static void effect_result(struct cs_mbuild *b, const struct cs_effect *fx)
{
    char name[160];
    switch (fx->ret) {
    case CS_RET_VALUE: if (b->m->nret == 0) cs_mb_ret(b, cs_opnd_none(), false); break;
    case CS_RET_ARG: cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), true); cs_mb_ret(b, cs_opnd_const(0), false); break;
    case CS_RET_ARG_EXACT: cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), false); break;
    case CS_RET_STORED:
        cs_mb_ret(b, cs_opnd_value(cs_mb_load(b, cs_mb_ref(cs_mb_arg(b, fx->ret_arg), 8), true)), false);
        cs_mb_ret(b, cs_opnd_none(), false);
        break;
    case CS_RET_NEW:
        cs_mb_ret(b, b->fresh, false);
        if (can_fail(fx)) cs_mb_ret(b, cs_opnd_const(0), false);
        if (fx->ret_arg >= 0) cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), true);
        break;
    case CS_RET_DEEP: {
        struct cs_ref one = behind(b, cs_mb_ref(cs_mb_arg(b, fx->ret_arg), CS_SIZE_UNKNOWN)), two = behind(b, one);
        cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), true);
        cs_mb_ret(b, one.base, true);
        cs_mb_ret(b, two.base, true);
        cs_mb_ret(b, cs_opnd_const(0), false);
        break;
    }
    case CS_RET_STATIC: {
        snprintf(name, sizeof name, "h:%s", fx->ret_state ? fx->ret_state : fx->name);
        struct cs_ref h = cs_mb_hidden(b, name);
        int v = cs_mb_load(b, h, true);
        cs_mb_ret(b, h.base, false);
        cs_mb_ret(b, cs_opnd_value(v), true);
        if (fx->ret_behind) cs_mb_ret(b, behind(b, behind(b, h)).base, true);
        cs_mb_read(b, CS_LEVEL_KEPT, h);
        cs_mb_write(b, CS_LEVEL_KEPT, h, cs_opnd_none());
        break;
    }
    case CS_RET_PACK: {
        struct cs_ref src = behind(b, cs_mb_ref(cs_mb_arg(b, fx->ret_arg), CS_SIZE_UNKNOWN));
        int o = cs_mb_new_obj(b, CS_OBJ_HEAP, "packed", CS_SIZE_UNKNOWN);
        struct cs_operand fresh = cs_opnd_addr(o, cs_pat_at(0));
        add_copy(b, (struct cs_ref){ fresh, cs_pat_any(), CS_SIZE_UNKNOWN }, src);
        cs_mb_ret(b, fresh, false);
        cs_mb_ret(b, src.base, true);
        break;
    }
    }
}

static void build_effects(struct cs_mbuild *b, const struct cs_effect *fx)
{
    int nargs = b->g->stmts[b->stmt].nuses;
    b->fx = fx;
    b->fresh = cs_opnd_none();
    if (fx->ret == CS_RET_NEW) {
        int o = cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", extent(b, fx->ret_ext_a, fx->ret_ext_b, fx->ret_ext_const));
        b->g->objs[o].zeroed = fx->zero;
        b->fresh = cs_opnd_addr(o, cs_pat_at(0));
    }
    for (int i = 0; i < nargs; i++)
        if (fx->noret != CS_NORET_EXIT) cs_mb_need(b, CS_LEVEL_KEPT, cs_mb_arg(b, i));   /* a slice may exit with any good status */
    for (int k = 0; k < fx->nops; k++) {
        const struct cs_effect_op *op = &fx->ops[k];
        if (op->arg == CS_EFFECT_ARG_RET) { each_op(b, op, op->arg); continue; }
        if (op->arg < 0) { each_hidden(b, op); continue; }
        for (int i = op->arg; i < nargs && (i == op->arg || op->rest); i++) each_op(b, op, i);
    }
    effect_result(b, fx);
}

/* A function that nobody describes: it may do anything with what it can reach. */
static void build_opaque(struct cs_mbuild *b)
{
    struct cs_ref ext = (struct cs_ref){ cs_opnd_addr(b->ms->ext_obj, cs_pat_any()), cs_pat_any(), CS_SIZE_UNKNOWN };
    int nargs = b->g->stmts[b->stmt].nuses;
    b->m->opaque = true;
    for (int i = 0; i < nargs; i++) cs_mb_need(b, CS_LEVEL_KEPT, cs_mb_arg(b, i));
    for (int i = 0; i < nargs; i++) cs_mb_write(b, CS_LEVEL_KEPT, ext, cs_mb_arg(b, i));
    cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_hidden(b, "h:fs"));
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_hidden(b, "h:fs"), cs_opnd_none());
    int v = cs_mb_load(b, ext, true);
    cs_mb_ret(b, cs_opnd_value(v), false);
    cs_mb_ret(b, cs_opnd_none(), false);
    cs_mb_ret(b, ext.base, false);
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
    else if (m.fx) build_effects(&b, m.fx);
    else build_opaque(&b);
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
