/* SPDX-License-Identifier: GPL-3.0-or-later
 * The model of a call of a library function, from its row of the effects table; effects.h says what the tokens of a row
 * mean. A function without a row may do anything with what it can reach. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "slicer/model/model_build.h"

/* Everything from the pointer to the end of the object, or as many bytes as constant arguments say. */
static int64_t extent(struct cs_mbuild *b, int ea, int eb, int64_t ec)
{
    int64_t n = ec >= 0 ? ec : 1;
    if (ea < 0 && eb < 0)
        return ec >= 0 ? ec : CS_SIZE_UNKNOWN;
    for (int k = 0; k < 2; k++) {
        int e = k ? eb : ea;
        if (e < 0)
            continue;
        struct cs_operand op = cs_mb_arg(b, e);
        if (op.kind != CS_OPND_CONST || op.pat.off < 0 || op.pat.off > (INT64_C(1) << 40))
            return CS_SIZE_UNKNOWN;
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
    return (struct cs_ref){cs_opnd_value(v), cs_pat_any(), CS_SIZE_UNKNOWN};
}

/* ---- tokens with [=C]: the first C bytes of each place count, and the pointers in them are taken as they are ---- */

enum { LEVELS = 3 }; /* the argument's memory, what it points to, and what that points to */

/* The words of the first `size` bytes at an address, any of them. */
static struct cs_ref words(struct cs_operand base, int64_t size)
{
    enum { WORD = 8 };
    struct cs_pattern any = {0, WORD, 0, size};
    return (struct cs_ref){base, any, WORD};
}

/* The argument, and the pointers that are found in words: nodes of a tree or a list that hang together. */
static void find_linked(struct cs_mbuild *b, int arg, int64_t size, struct cs_operand at[LEVELS])
{
    at[0] = effect_arg(b, arg);
    for (int i = 1; i < LEVELS; i++)
        at[i] = cs_opnd_value(cs_mb_load(b, words(at[i - 1], size), true));
}

static void read_linked(struct cs_mbuild *b, int arg, int64_t size)
{
    struct cs_operand at[LEVELS];
    find_linked(b, arg, size, at);
    for (int i = 0; i < LEVELS; i++)
        cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_ref(at[i], size));
}

static void write_linked(struct cs_mbuild *b, int arg, int64_t size)
{
    struct cs_operand at[LEVELS];
    find_linked(b, arg, size, at);
    for (int i = 0; i < LEVELS; i++)
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(at[i], size), cs_opnd_none());
}

/* Is it one of the arguments that are mixed? */
static bool is_mixed(const struct cs_effect *fx, int arg)
{
    for (int k = 0; k < fx->nops; k++) {
        const struct cs_effect_op *op = &fx->ops[k];
        if (op->kind == CS_EFFECT_MIX && (op->arg == arg || (op->rest && op->arg < arg)))
            return true;
    }
    return false;
}

/* Nodes are linked with each other in another way: any word of theirs may point to any of them. */
static void mix_linked(struct cs_mbuild *b, int arg, int64_t size, const struct cs_effect *fx)
{
    struct cs_operand at[LEVELS], found[LEVELS];
    read_linked(b, arg, size);
    write_linked(b, arg, size);
    find_linked(b, arg, size, at);
    for (int k = 0; k < b->g->stmts[b->stmt].nuses + fx->object; k++) {
        if (!is_mixed(fx, k))
            continue;
        find_linked(b, k, size, found);
        for (int i = 0; i < LEVELS; i++)
            for (int j = 0; j < LEVELS; j++)
                cs_mb_write(b, CS_LEVEL_KEPT, words(at[i], size), found[j]);
    }
}

static void return_linked(struct cs_mbuild *b, const struct cs_effect *fx)
{
    struct cs_operand found[LEVELS];
    find_linked(b, fx->ret_arg, fx->ret_ext_const, found);
    for (int i = 0; i < LEVELS; i++)
        cs_mb_ret(b, found[i], false);
    cs_mb_ret(b, cs_opnd_const(0), false);
}

/* ---- everything that is reachable ---- */

static struct cs_ref state_of(struct cs_mbuild *b, const struct cs_effect_op *op)
{
    char name[128];
    assert(op->state);
    snprintf(name, sizeof name, "h:%s", op->state);
    return cs_mb_hidden(b, name);
}

/* What is called back gets further arguments that point to a state of the library, which may point to itself. */
static void pass_state(struct cs_mbuild *b, const struct cs_effect_op *op, struct cs_mcallback *cb)
{
    if (!op->state)
        return;
    struct cs_ref h = state_of(b, op);
    cs_mb_read(b, CS_LEVEL_KEPT, h);
    cs_mb_write(b, CS_LEVEL_KEPT, h, h.base)->spread = true;
    while (cb->nargs < (int)(sizeof cb->args / sizeof *cb->args))
        cb->args[cb->nargs++] = h.base;
}

/* Functions of which the argument's memory holds the address (sigaction), or what its pointers lead to (a table of
 * virtual functions). */
static void calls_deep(struct cs_mbuild *b, int arg, struct cs_ref all)
{
    struct cs_ref level[] = {all, behind(b, all)};
    for (int i = 0; i < 2; i++) {
        struct cs_mcallback cb = {
            .fn = cs_opnd_value(cs_mb_load(b, level[i], true)), .nargs = 1, .args = {cs_mb_arg(b, arg)}};
        cs_mb_callback(b, cb);
    }
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
    struct cs_ref part[2] = {ref, ref};
    int n = 1;
    if (fx->unread_arg >= 0 && fx->unread_arg == arg && ref.pat.stride == 0 && ref.size < 0) {
        part[0].size = fx->unread_from;
        part[1].pat = cs_pat_shift(ref.pat, fx->unread_to);
        n = 2;
    }
    for (int i = fx->unread_from == 0 && n == 2; i < n; i++) {
        if (deep)
            read_deep(b, part[i]);
        else
            cs_mb_read(b, CS_LEVEL_KEPT, part[i]);
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
    m->copies[m->ncopies++] = (struct cs_mcopy){dst, src};
}

/* An argument that is a struct, passed by value: what is passed; NULL if it is none. */
static const struct cs_ref *struct_arg(const struct cs_mbuild *b, int arg)
{
    const struct cs_stmt *s = &b->g->stmts[b->stmt];
    for (int k = 0; k < s->narg_loads; k++)
        if (s->arg_loads[k].arg == arg)
            return &s->arg_loads[k].ref;
    return NULL;
}

static void each_hidden(struct cs_mbuild *b, const struct cs_effect_op *op)
{
    struct cs_ref h = state_of(b, op);
    switch (op->kind) {
    case CS_EFFECT_HIDDEN:
        if (op->hid_read)
            cs_mb_read(b, CS_LEVEL_KEPT, h);
        if (op->hid_write)
            cs_mb_write(b, CS_LEVEL_KEPT, h, cs_opnd_none());
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
    case CS_EFFECT_HIDDEN_CALL: {
        struct cs_mcallback cb = {.fn = cs_opnd_value(cs_mb_load(b, h, true))};
        cs_mb_read(b, CS_LEVEL_KEPT, h);
        cs_mb_callback(b, cb);
        break;
    }
    case CS_EFFECT_HIDDEN_PTR:
        if (op->src < 0) {
            cs_mb_write(b, CS_LEVEL_KEPT, h, h.base)->spread = true;
            break;
        }
        if (struct_arg(b, op->src)) {
            add_copy(b, h, *struct_arg(b, op->src));
            break;
        }
        cs_mb_write(b, CS_LEVEL_KEPT, h, cs_mb_arg(b, op->src))->spread = !op->direct;
        break;
    default:
        assert(op->kind == CS_EFFECT_HIDDEN_COPY);
        add_copy(b, h, cs_mb_ref(cs_mb_arg(b, op->src), CS_SIZE_UNKNOWN));
    }
}

/* What is found behind an argument, one level for each load. */
static struct cs_operand found_behind(struct cs_mbuild *b, int arg, int loads)
{
    struct cs_ref at = cs_mb_ref(cs_mb_arg(b, arg), CS_SIZE_UNKNOWN);
    for (int k = 0; k < loads; k++)
        at = behind(b, at);
    return at.base;
}

static void each_callback(struct cs_mbuild *b, const struct cs_effect_op *op)
{
    assert(op->nargs >= 0 && op->nargs <= (int)(sizeof op->args / sizeof *op->args));
    struct cs_mcallback cb = {.fn = found_behind(b, op->arg, op->loads), .nargs = op->nargs};
    for (int i = 0; i < op->nargs; i++) {
        cb.status[i] = op->args[i] == CS_EFFECT_ARG_STATUS;
        cb.args[i] = cs_opnd_none();
        if (cb.status[i])
            continue;
        /* The callee sees an element somewhere behind the argument, unless the row says that it gets this one. */
        struct cs_operand a = found_behind(b, op->args[i], op->arg_loads[i]);
        if (a.kind == CS_OPND_ADDR && !op->exact[i])
            a.pat = cs_pat_any();
        cb.args[i] = a;
        cb.exact[i] = op->exact[i];
        struct cs_ref any = cs_mb_ref(a, CS_SIZE_UNKNOWN);
        cs_mb_read(b, CS_LEVEL_KEPT, any);
    }
    pass_state(b, op, &cb);
    cs_mb_callback(b, cb);
}

/* Any pointer that the call finds behind one of its mixed arguments, or is given, may end up anywhere behind another.
 */
static void mix(struct cs_mbuild *b, int arg, const struct cs_effect *fx)
{
    struct cs_ref to = cs_mb_ref(cs_mb_arg(b, arg), CS_SIZE_UNKNOWN), to1 = behind(b, to), to2 = behind(b, to1);
    struct cs_ref targets[] = {to, to1, to2};
    for (int k = 0; k < b->g->stmts[b->stmt].nuses + fx->object; k++) {
        if (!is_mixed(fx, k))
            continue;
        struct cs_operand other = cs_mb_arg(b, k);
        struct cs_ref from = cs_mb_ref(other, CS_SIZE_UNKNOWN), from1 = behind(b, from), from2 = behind(b, from1);
        struct cs_operand found[] = {other, from1.base, from2.base};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                cs_mb_write(b, CS_LEVEL_KEPT, targets[i], found[j])->spread = true;
    }
}

static void guard_format(struct cs_mbuild *b, int first, int format)
{
    assert(first <= b->m->nwrites);
    for (int i = first; i < b->m->nwrites; i++) {
        b->m->writes[i].guard = CS_GUARD_FORMAT;
        b->m->writes[i].guard_op = cs_mb_arg(b, format);
    }
}

/* Does the call read by the format? It writes what the arguments behind that point to. */
static bool scans(const struct cs_effect *fx, int format)
{
    for (int k = 0; k < fx->nops; k++)
        if ((fx->ops[k].kind == CS_EFFECT_WRITE || fx->ops[k].kind == CS_EFFECT_WRITE_DEEP) && fx->ops[k].arg > format)
            return true;
    return false;
}

/* A format that may hold %n or %m (the plugin names such strings) may write through each argument after it, or through
 * each that a va_list leads to. What it prints may come from errno. What the format can be is known when points-to is
 * solved. */
static void format_writes(struct cs_mbuild *b, int format)
{
    struct cs_operand f = cs_mb_arg(b, format);
    int first = b->m->nwrites;
    if (f.kind == CS_OPND_ADDR && cs_obj_is_string(b->g, f.id))
        return;
    if (!scans(b->fx, format)) {
        cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_hidden(b, "h:errno"));
        b->m->needs[b->m->nneeds - 1].format = f;
    }
    for (int k = 0; k < b->fx->nops; k++) {
        if (b->fx->ops[k].kind != CS_EFFECT_READ_DEEP || b->fx->ops[k].arg <= format)
            continue;
        struct cs_ref list = cs_mb_ref(cs_mb_arg(b, b->fx->ops[k].arg), CS_SIZE_UNKNOWN);
        write_deep(b, list, cs_opnd_none());
        cs_mb_write(b, CS_LEVEL_KEPT, behind(b, behind(b, list)),
                    cs_opnd_addr(cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", CS_SIZE_UNKNOWN), cs_pat_at(0)));
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

/* Whole elements move about in an array, or come into it from elsewhere. Where their size is not known, anything may
 * come anywhere. */
static void elements(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    int64_t size = extent(b, op->ext_a, op->ext_b, op->ext_const);
    if (size == 0)
        size = CS_SIZE_UNKNOWN;
    struct cs_pattern any = size > 0 ? cs_pat_spread(cs_pat_at(0), size) : cs_pat_any();
    add_copy(b, (struct cs_ref){effect_arg(b, arg), any, size}, (struct cs_ref){cs_mb_arg(b, op->src), any, size});
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

static bool assigned(const struct cs_graph *g, int obj)
{
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        if (s->has_store && s->store.base.kind == CS_OPND_ADDR && s->store.base.id == obj)
            return true;
    }
    return false;
}

/* Where the program sets stdin, stdout or stderr itself, what works on one of them works on that stream too. */
static void standard_stream(struct cs_mbuild *b, const struct cs_effect_op *op)
{
    if (op->kind != CS_EFFECT_HIDDEN || strncmp(op->state, "std", 3))
        return;
    for (int o = 0; o < b->g->nobjs; o++) {
        if (!b->g->objs[o].external || strcmp(cs_obj_name(b->g, o), op->state) || !assigned(b->g, o))
            continue;
        struct cs_ref all = behind(b, cs_mb_ref(cs_opnd_addr(o, cs_pat_at(0)), 8));
        struct cs_effect_op writes = {.kind = CS_EFFECT_FSWRITE};
        cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_ref(cs_opnd_addr(o, cs_pat_at(0)), 8));
        read_deep(b, all);
        if (!op->hid_write)
            return;
        write_deep(b, all, cs_opnd_none());
        state_change(b, "h:fs", &writes, all.base);
        state_change(b, "h:streams", &writes, all.base);
        return;
    }
}

/* A change of the file system, unless what an argument points to, or holds at an offset, says that there is none. */
static void files_change(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    bool inside = op->kind == CS_EFFECT_FSOLD || op->kind == CS_EFFECT_FSGIVEN;
    struct cs_operand guard = cs_mb_arg(b, arg);
    if (inside)
        guard = cs_opnd_value(cs_mb_load(b, (struct cs_ref){guard, cs_pat_at(op->ext_const), 8}, true));
    state_change(b, "h:fs", op, guard);
    if (op->kind == CS_EFFECT_FSWRITE || op->kind == CS_EFFECT_FSFLUSH)
        state_change(b, "h:streams", op, guard);
}

/* CN<M: what pointers at src lead to, or src itself, is copied to what pointers at arg lead to. */
static void copy_deep(struct cs_mbuild *b, const struct cs_effect_op *op, struct cs_ref to)
{
    const struct cs_ref *passed = struct_arg(b, op->src);
    if (passed && op->direct) {
        cs_mb_read(b, CS_LEVEL_KEPT, to);
        add_copy(b, behind(b, to), *passed);
        return;
    }
    struct cs_ref from = cs_mb_ref(cs_mb_arg(b, op->src), CS_SIZE_UNKNOWN), d = behind(b, to);
    cs_mb_read(b, CS_LEVEL_KEPT, to);
    if (!op->direct)
        cs_mb_read(b, CS_LEVEL_KEPT, from);
    add_copy(b, d, op->direct ? from : behind(b, from));
}

/* sN<M:A:B: the address of bytes A to B - 1 of what argument M points to, which does not leave these. */
static void store_part(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    struct cs_pattern part = {op->ext_const, 0, op->ext_const, op->ext_a};
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(effect_arg(b, arg), 8), cs_mb_part(b, cs_mb_arg(b, op->src), part));
}

static void store_pointer(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    if (op->ext_const >= 0) {
        store_part(b, op, arg);
        return;
    }
    struct cs_operand val =
        op->behind ? behind(b, cs_mb_ref(cs_mb_arg(b, op->src), CS_SIZE_UNKNOWN)).base : cs_mb_arg(b, op->src);
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(effect_arg(b, arg), 8), val)->spread = !op->direct;
}

/* Fresh memory gets numbers that are not known, if the row reads something that can be their source. */
static void fill(struct cs_mbuild *b, struct cs_operand fresh)
{
    if (b->fx->fills)
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(fresh, CS_SIZE_UNKNOWN), cs_opnd_none());
}

static struct cs_operand new_heap(struct cs_mbuild *b)
{
    return cs_opnd_addr(cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", CS_SIZE_UNKNOWN), cs_pat_at(0));
}

/* Stores a pointer to fresh memory in the first bytes of what the argument points to. */
static void store_new(struct cs_mbuild *b, int arg)
{
    struct cs_operand fresh = new_heap(b);
    fill(b, fresh);
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_mb_arg(b, arg), 8), fresh);
}

/* The unit number of a Fortran I/O call stands at byte 4 of its parameter block. */
static void use_unit(struct cs_mbuild *b, int arg, bool writes)
{
    b->m->unit_writes = writes;
    b->m->unit_arg = arg;
    b->m->unit_value = cs_mb_load(b, (struct cs_ref){cs_mb_arg(b, arg), cs_pat_at(4), 4}, true);
    cs_mb_need(b, CS_LEVEL_KEPT, cs_opnd_value(b->m->unit_value));
}

static struct cs_operand pointer_in_block(struct cs_mbuild *b, int arg, int64_t at)
{
    return cs_opnd_value(cs_mb_load(b, (struct cs_ref){cs_mb_arg(b, arg), cs_pat_at(at), 8}, true));
}

static void name_file(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    bool inside = op->ext_const >= 0;
    struct cs_operand name = inside ? pointer_in_block(b, arg, op->ext_const) : cs_mb_arg(b, arg);
    assert(b->m->nnames < 2);
    b->m->names[b->m->nnames++] = (struct cs_mname){name, inside ? op->ext_a : -1};
}

static void read_stream(struct cs_mbuild *b, int arg)
{
    b->m->reads_through = true;
    b->m->stream = cs_mb_arg(b, arg);
    cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_hidden(b, "h:fs"));
}

static void reallocate(struct cs_mbuild *b, int arg)
{
    struct cs_operand fresh = new_heap(b);
    add_copy(b, cs_mb_ref(fresh, CS_SIZE_UNKNOWN), cs_mb_ref(cs_mb_arg(b, arg), CS_SIZE_UNKNOWN));
    cs_mb_ret(b, fresh, false);
}

/* What one token of the row says of one argument. */
static void each_op(struct cs_mbuild *b, const struct cs_effect_op *op, int arg)
{
    struct cs_ref reg = arg_region(b, arg, op);
    struct cs_ref all = cs_mb_ref(effect_arg(b, arg), CS_SIZE_UNKNOWN);
    if (op->behind) {
        struct cs_ref pointers = op->ext_const >= 0 ? reg : all;
        cs_mb_read(b, CS_LEVEL_KEPT, pointers);
        reg = behind(b, pointers);
    }
    switch (op->kind) {
    case CS_EFFECT_READ: cs_mb_read(b, CS_LEVEL_KEPT, reg); break;
    case CS_EFFECT_WRITE: cs_mb_write(b, CS_LEVEL_KEPT, reg, cs_opnd_none()); break;
    case CS_EFFECT_END:
        read_counted(b, reg, arg, false);
        cs_mb_write(b, CS_LEVEL_KEPT, reg, cs_opnd_none());
        break;
    case CS_EFFECT_READ_DEEP:
        if (op->ext_const >= 0)
            read_linked(b, arg, op->ext_const);
        else
            read_counted(b, all, arg, true);
        break;
    case CS_EFFECT_WRITE_DEEP:
        if (op->ext_const >= 0)
            write_linked(b, arg, op->ext_const);
        else
            write_deep(b, all, cs_opnd_none());
        break;
    case CS_EFFECT_COPY: add_copy(b, reg, (struct cs_ref){cs_mb_arg(b, op->src), cs_pat_at(0), reg.size}); break;
    case CS_EFFECT_COPY_DEEP: copy_deep(b, op, all); break;
    case CS_EFFECT_MIX:
        if (op->ext_const >= 0)
            mix_linked(b, arg, op->ext_const, b->fx);
        else
            mix(b, arg, b->fx);
        break;
    case CS_EFFECT_ELEMENTS: elements(b, op, arg); break;
    case CS_EFFECT_STORE_PTR: store_pointer(b, op, arg); break;
    case CS_EFFECT_STORE_NEW: store_new(b, arg); break;
    case CS_EFFECT_FSWRITE:
    case CS_EFFECT_FSMODE:
    case CS_EFFECT_FSFLUSH:
    case CS_EFFECT_FSOLD:
    case CS_EFFECT_FSGIVEN:
    case CS_EFFECT_FSBITS: files_change(b, op, arg); break;
    case CS_EFFECT_FSREAD: read_stream(b, arg); break;
    case CS_EFFECT_NAME: name_file(b, op, arg); break;
    case CS_EFFECT_UNIT: use_unit(b, arg, op->hid_write); break;
    case CS_EFFECT_CALLBACK: each_callback(b, op); break;
    case CS_EFFECT_CALL_DEEP: calls_deep(b, arg, all); break;
    case CS_EFFECT_FORMAT: format_writes(b, arg); break;
    case CS_EFFECT_FREE: break;
    case CS_EFFECT_REALLOC: reallocate(b, arg); break;
    default: each_hidden(b, op);
    }
}

/* Memory is taken to be there; what depends on files or the like can fail in a normal run. */
static bool can_fail(const struct cs_effect *fx)
{
    for (int k = 0; k < fx->nops; k++)
        if (fx->ops[k].kind == CS_EFFECT_HIDDEN && strcmp(fx->ops[k].state, "errno"))
            return true;
    return false;
}

/* glibc's realloc frees what is to have size 0, and returns null. */
static bool may_free(struct cs_mbuild *b, const struct cs_effect *fx)
{
    for (int k = 0; k < fx->nops; k++)
        if (fx->ops[k].kind == CS_EFFECT_REALLOC)
            return extent(b, fx->ret_ext_a, fx->ret_ext_b, fx->ret_ext_const) <= 0;
    return false;
}

static void return_deep(struct cs_mbuild *b, const struct cs_effect *fx)
{
    struct cs_ref one = behind(b, cs_mb_ref(cs_mb_arg(b, fx->ret_arg), CS_SIZE_UNKNOWN)), two = behind(b, one);
    cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), true);
    cs_mb_ret(b, one.base, true);
    cs_mb_ret(b, two.base, true);
    cs_mb_ret(b, cs_opnd_const(0), false);
}

static void return_static(struct cs_mbuild *b, const struct cs_effect *fx)
{
    char name[160];
    snprintf(name, sizeof name, "h:%s", fx->ret_state ? fx->ret_state : fx->name);
    struct cs_ref h = cs_mb_hidden(b, name);
    int v = cs_mb_load(b, h, true);
    cs_mb_ret(b, h.base, false);
    cs_mb_ret(b, cs_opnd_value(v), !fx->ret_exact);
    if (fx->ret_behind)
        cs_mb_ret(b, behind(b, behind(b, h)).base, true);
    cs_mb_read(b, CS_LEVEL_KEPT, h);
    cs_mb_write(b, CS_LEVEL_KEPT, h, cs_opnd_none());
}

static void return_packed(struct cs_mbuild *b, const struct cs_effect *fx)
{
    struct cs_ref src = behind(b, cs_mb_ref(cs_mb_arg(b, fx->ret_arg), CS_SIZE_UNKNOWN));
    int o = cs_mb_new_obj(b, CS_OBJ_HEAP, "packed", CS_SIZE_UNKNOWN);
    struct cs_operand fresh = cs_opnd_addr(o, cs_pat_at(0));
    add_copy(b, (struct cs_ref){fresh, cs_pat_any(), CS_SIZE_UNKNOWN}, src);
    cs_mb_ret(b, fresh, false);
    cs_mb_ret(b, src.base, true);
}

static void effect_result(struct cs_mbuild *b, const struct cs_effect *fx)
{
    switch (fx->ret) {
    case CS_RET_VALUE:
        if (b->m->nret == 0)
            cs_mb_ret(b, cs_opnd_none(), false);
        break;
    case CS_RET_ARG:
        cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), true);
        cs_mb_ret(b, cs_opnd_const(0), false);
        break;
    case CS_RET_ARG_EXACT: cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), false); break;
    case CS_RET_STORED:
        cs_mb_ret(b, cs_opnd_value(cs_mb_load(b, cs_mb_ref(cs_mb_arg(b, fx->ret_arg), 8), true)), false);
        cs_mb_ret(b, cs_opnd_none(), false);
        break;
    case CS_RET_NEW:
        cs_mb_ret(b, b->fresh, false);
        if (can_fail(fx) || may_free(b, fx))
            cs_mb_ret(b, cs_opnd_const(0), false);
        if (fx->ret_arg >= 0)
            cs_mb_ret(b, cs_mb_arg(b, fx->ret_arg), true);
        break;
    case CS_RET_DEEP:
        if (fx->ret_ext_const >= 0)
            return_linked(b, fx);
        else
            return_deep(b, fx);
        break;
    case CS_RET_STATIC: return_static(b, fx); break;
    case CS_RET_PACK: return_packed(b, fx); break;
    }
}

/* In the graph, a call that returns an object of a class stores it: its place is no argument. NONE where what is
 * returned is not stored. */
static struct cs_operand returned_place(struct cs_mbuild *b)
{
    const struct cs_stmt s = b->g->stmts[b->stmt];
    return s.has_store ? cs_mb_part(b, s.store.base, s.store.pat) : cs_opnd_none();
}

void cs_effects_model_build(struct cs_mbuild *b, const struct cs_effect *fx)
{
    int nargs = b->g->stmts[b->stmt].nuses + fx->object;
    assert(!fx->var || !fx->nops);
    b->fx = fx;
    b->fresh = cs_opnd_none();
    if (fx->object)
        b->place = returned_place(b);
    b->shifted = fx->object;
    if (fx->ret == CS_RET_NEW) {
        int o = cs_mb_new_obj(b, CS_OBJ_HEAP, "heap", extent(b, fx->ret_ext_a, fx->ret_ext_b, fx->ret_ext_const));
        b->g->objs[o].zeroed = fx->zero;
        b->fresh = cs_opnd_addr(o, cs_pat_at(0));
        fill(b, b->fresh);
    }
    for (int i = 0; i < nargs; i++)
        if (fx->noret != CS_NORET_EXIT)
            cs_mb_need(b, CS_LEVEL_KEPT, cs_mb_arg(b, i)); /* a slice may exit with any good status */
    for (int k = 0; k < fx->nops; k++) {
        const struct cs_effect_op *op = &fx->ops[k];
        if (op->arg == CS_EFFECT_ARG_RET) {
            each_op(b, op, op->arg);
            continue;
        }
        if (op->arg < 0) {
            each_hidden(b, op);
            standard_stream(b, op);
            continue;
        }
        for (int i = op->arg; i < nargs && (i == op->arg || op->rest); i++)
            each_op(b, op, i);
    }
    enum { ACTION_AT = 160 };
    b->m->access = fx->access == CS_ACCESS_ACTION ? pointer_in_block(b, fx->access_arg, ACTION_AT)
                   : fx->access                   ? cs_mb_arg(b, fx->access_arg)
                                                  : cs_opnd_none();
    effect_result(b, fx);
}

void cs_opaque_model_build(struct cs_mbuild *b)
{
    struct cs_ref ext = (struct cs_ref){cs_opnd_addr(b->ms->ext_obj, cs_pat_any()), cs_pat_any(), CS_SIZE_UNKNOWN};
    int nargs = b->g->stmts[b->stmt].nuses;
    b->m->opaque = true;
    for (int i = 0; i < nargs; i++)
        cs_mb_need(b, CS_LEVEL_KEPT, cs_mb_arg(b, i));
    for (int i = 0; i < nargs; i++)
        cs_mb_write(b, CS_LEVEL_KEPT, ext, cs_mb_arg(b, i));
    cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_hidden(b, "h:fs"));
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_hidden(b, "h:fs"), cs_opnd_none());
    int v = cs_mb_load(b, ext, true);
    cs_mb_ret(b, cs_opnd_value(v), false);
    cs_mb_ret(b, cs_opnd_none(), false);
    cs_mb_ret(b, ext.base, false);
}
