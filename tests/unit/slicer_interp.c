/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interpreter of slicer_interp.h. A pattern with a stride stands for an index that the graph does not tell; here it
 * is the sum of the index operands, wrapped into the bounds: some behaviour that the graph allows, the same in every
 * run. */
#include "slicer_interp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

#define MAX_STEPS 4000
#define MAX_DEPTH 30

struct byte {
    int write, part;
}; /* write: 0 never written, else number in writes; part: which byte of it */
struct instance {
    int obj, maker, calls[INTERP_CALLS];
    int64_t size;
    struct byte *bytes;
}; /* calls: that led to the maker, the last first; -1 */
struct written {
    struct interp_val v;
    int64_t size;
};
struct mail {
    int64_t tag, source;
    struct interp_val content;
    bool taken;
};
struct frame {
    int func, call;
    struct frame *caller;
    struct interp_val *v;
    int *local;
    struct interp_val *args;
    int nargs;
};

struct interp {
    const struct cs_graph *g;
    bool sliced;
    interp_fn *fn;
    void *arg;
    struct instance *inst;
    int ninst, ainst;
    struct written *writes;
    int nwrites, awrites;
    struct mail *mail;
    int nmail, amail;
    int *global;     /* instance of each global object, -1 */
    const char *end; /* why the run is over */
    bool finished;   /* exit() */
    int steps, depth;
    uint64_t rand;
    char *trace;
    size_t tracelen;
    FILE *out;
};

static void stop(struct interp *it, const char *why)
{
    if (!it->end)
        it->end = why;
}

static bool over(const struct interp *it)
{
    return it->end || it->finished;
}

static struct interp_val undef(void)
{
    return (struct interp_val){.kind = IV_UNDEF};
}

static struct interp_val integer(int64_t n)
{
    return (struct interp_val){.kind = IV_INT, .n = n};
}

/* ---- memory ---- */

static int add_write(struct interp *it, struct interp_val v, int64_t size)
{
    CS_GROW(it->writes, it->nwrites, it->awrites);
    it->writes[it->nwrites] = (struct written){v, size};
    return it->nwrites++;
}

static int new_instance(struct interp *it, int obj, int maker, int64_t size, bool zero)
{
    CS_GROW(it->inst, it->ninst, it->ainst);
    struct byte *b = cs_calloc(size > 0 ? size : 1, sizeof *b);
    for (int64_t i = 0; zero && i < size; i++)
        b[i] = (struct byte){1, 0};
    it->inst[it->ninst] = (struct instance){.obj = obj, .maker = maker, .size = size, .bytes = b};
    return it->ninst++;
}

static struct interp_val pointer(const struct interp *it, int inst, int64_t off)
{
    return (struct interp_val){.kind = IV_PTR, .inst = inst, .off = off, .lo = 0, .hi = it->inst[inst].size};
}

static struct byte *bytes_at(struct interp *it, struct interp_val p, int64_t size)
{
    if (p.kind != IV_PTR) {
        stop(it, "access through no pointer");
        return NULL;
    }
    if (p.off < p.lo || p.off + size > p.hi || size < 0) {
        stop(it, "access out of bounds");
        return NULL;
    }
    return it->inst[p.inst].bytes + p.off;
}

static void put(struct interp *it, struct interp_val p, int64_t size, struct interp_val v)
{
    struct byte *b = bytes_at(it, p, size);
    int w = add_write(it, v, size);
    for (int64_t i = 0; b && i < size; i++)
        b[i] = (struct byte){w, (int)i};
}

static struct interp_val get(struct interp *it, struct interp_val p, int64_t size)
{
    struct byte *b = bytes_at(it, p, size);
    if (!b || b->write == 0)
        return undef();
    bool zero = true, whole = it->writes[b->write].size == size;
    for (int64_t i = 0; i < size; i++) {
        zero &= b[i].write == 1;
        whole &= b[i].write == b->write && b[i].part == i;
    }
    return zero ? integer(0) : whole ? it->writes[b->write].v : undef();
}

static void move_bytes(struct interp *it, struct interp_val to, struct interp_val from, int64_t size)
{
    struct byte *d = bytes_at(it, to, size), *s = bytes_at(it, from, size);
    if (d && s)
        memmove(d, s, size * sizeof *d);
}

/* ---- operands and places ---- */

static struct interp_val addr(struct interp *it, struct frame *f, int obj, struct cs_pattern pat);

static struct interp_val operand(struct interp *it, struct frame *f, struct cs_operand op)
{
    struct cs_operand same = it->sliced && op.kind == CS_OPND_VALUE ? it->g->values[op.id].same : cs_opnd_none();
    if (same.kind != CS_OPND_NONE)
        op = same;
    switch (op.kind) {
    case CS_OPND_VALUE: return f->v[op.id];
    case CS_OPND_CONST: return integer(op.pat.off);
    case CS_OPND_ADDR: return addr(it, f, op.id, op.pat);
    default: return undef();
    }
}

/* Moves a pointer by a pattern; the index of a pattern with a stride is the sum of the uses from `first` on. */
static struct interp_val at_pattern(struct interp *it, struct frame *f, struct interp_val p, struct cs_pattern pat,
                                    const struct cs_operand *idx, int nidx)
{
    bool bounded = pat.lo > CS_OFF_MIN;
    int64_t i = 0, base = p.off;
    if (p.kind != IV_PTR)
        return undef();
    if (!pat.stride) {
        p.off += pat.off;
        return p;
    }
    for (int k = 0; k < nidx; k++) {
        struct interp_val x = operand(it, f, idx[k]);
        if (x.kind != IV_INT) {
            stop(it, "undefined index");
            return undef();
        }
        i += x.n;
    }
    int64_t first = bounded ? pat.lo + (((pat.off - pat.lo) % pat.stride) + pat.stride) % pat.stride : pat.off,
            end = bounded ? pat.hi : p.hi - base;
    int64_t n = (end - first + pat.stride - 1) / pat.stride;
    if (n <= 0) {
        stop(it, "empty pattern");
        return undef();
    }
    p.off = base + first + ((i % n + n) % n) * pat.stride;
    if (bounded) {
        p.lo = base + pat.lo;
        p.hi = base + pat.hi;
    }
    return p;
}

static struct interp_val addr(struct interp *it, struct frame *f, int obj, struct cs_pattern pat)
{
    const struct cs_obj *o = &it->g->objs[obj];
    if (o->kind == CS_OBJ_FUNC)
        return (struct interp_val){.kind = IV_FUNC, .n = o->func};
    int inst = o->kind == CS_OBJ_LOCAL ? f->local[obj] : it->global[obj];
    return at_pattern(it, f, pointer(it, inst, 0), pat, NULL, 0);
}

static struct interp_val place(struct interp *it, struct frame *f, const struct cs_ref *r, const struct cs_operand *idx,
                               int nidx)
{
    return at_pattern(it, f, operand(it, f, r->base), r->pat, idx, nidx);
}

/* ---- arithmetic ---- */

static int64_t wrap(int64_t x)
{
    return (int64_t)(int32_t)(uint32_t)(uint64_t)x;
}

static bool same_ptr(struct interp_val a, struct interp_val b)
{
    return a.kind == IV_FUNC ? a.n == b.n : a.inst == b.inst && a.off == b.off;
}

/* 1, 0; -1: one of them is not defined. */
static int compare(enum cs_op op, struct interp_val a, struct interp_val b)
{
    if (a.kind == IV_UNDEF || b.kind == IV_UNDEF)
        return -1;
    if (a.kind != IV_INT || b.kind != IV_INT) {
        bool same = a.kind == b.kind && same_ptr(a, b);
        return op == CS_OP_EQ ? same : op == CS_OP_NE ? !same : -1;
    }
    switch (op) {
    case CS_OP_EQ: return a.n == b.n;
    case CS_OP_NE: return a.n != b.n;
    case CS_OP_LT: return a.n < b.n;
    case CS_OP_LE: return a.n <= b.n;
    case CS_OP_GT: return a.n > b.n;
    default: return a.n >= b.n;
    }
}

static struct interp_val move_ptr(struct interp *it, struct interp_val p, struct interp_val by, int64_t stride)
{
    if (p.kind != IV_PTR || by.kind != IV_INT)
        return undef();
    if (stride) {
        int64_t n = (p.hi - p.off) / stride;
        p.off += n > 0 ? ((by.n % n) + n) % n * stride : 0;
    } else
        p.off += by.n;
    if (p.off < p.lo || p.off > p.hi) {
        stop(it, "pointer out of bounds");
        return undef();
    }
    return p;
}

static struct interp_val assign(struct interp *it, struct frame *f, const struct cs_stmt *s)
{
    struct interp_val u[3] = {undef(), undef(), undef()};
    for (int i = 0; i < 3 && i < s->nuses; i++)
        u[i] = operand(it, f, s->uses[i]);
    bool ints = u[0].kind == IV_INT && (s->nuses < 2 || u[1].kind == IV_INT);
    switch (s->op) {
    case CS_OP_COPY: return u[0];
    case CS_OP_PTRADD: return move_ptr(it, u[0], u[1], s->stride);
    case CS_OP_FIELD: return at_pattern(it, f, u[0], s->load.pat, s->uses + 1, s->nuses - 1);
    case CS_OP_ADD: return ints ? integer(wrap(u[0].n + u[1].n)) : undef();
    case CS_OP_SUB: return ints ? integer(wrap(u[0].n - u[1].n)) : undef();
    case CS_OP_MUL: return ints ? integer(wrap(u[0].n * u[1].n)) : undef();
    case CS_OP_MIX: return u[0].kind == IV_PTR ? u[0] : ints ? integer(u[0].n ^ (s->nuses > 1 ? u[1].n : 0)) : undef();
    case CS_OP_AND: return ints ? integer(u[0].n && u[1].n) : undef();
    case CS_OP_OR: return ints ? integer(u[0].n || u[1].n) : undef();
    case CS_OP_SELECT: return u[0].kind == IV_INT ? u[0].n ? u[1] : u[2] : undef();
    case CS_OP_ORDER:
    case CS_OP_OTHER: return ints ? integer((u[0].n * 31 + (s->nuses > 1 ? u[1].n : 7)) & 63) : undef();
    default: {
        int c = compare(s->op, u[0], u[1]);
        return c < 0 ? undef() : integer(c);
    }
    }
}

/* ---- library and MPI ---- */

static struct interp_val arg(struct interp *it, struct frame *f, const struct cs_stmt *s, int i)
{
    if (i >= s->nuses || (it->sliced && s->arg_null >> i & 1))
        return integer(0);
    return operand(it, f, s->uses[i]);
}

static int mark(const struct interp *it, const struct cs_stmt *s)
{
    return it->sliced ? s->mark : CS_MARK_CONTENT;
}

static void trace_value(struct interp *it, struct interp_val v)
{
    if (v.kind == IV_INT)
        fprintf(it->out, " %" PRId64, v.n);
    else
        fputs(" undefined", it->out);
}

static void trace(struct interp *it, struct frame *f, const struct cs_stmt *s, const struct cs_mpi_call *c)
{
    fprintf(it->out, "%s", c->name);
    for (int i = 0; i < c->nargs; i++) {
        enum cs_role r = c->args[i].role;
        bool scalar = r == CS_ROLE_COUNT || r == CS_ROLE_TYPE || r == CS_ROLE_DEST || r == CS_ROLE_SOURCE ||
                      r == CS_ROLE_ROOT || r == CS_ROLE_TAG || r == CS_ROLE_COMM || r == CS_ROLE_OP;
        if (!scalar)
            continue;
        struct interp_val v = arg(it, f, s, i);
        if (v.kind != IV_INT && !it->sliced)
            stop(it, "undefined argument");
        trace_value(it, v);
    }
    fputc('\n', it->out);
}

static void do_send(struct interp *it, struct frame *f, const struct cs_stmt *s)
{
    if (mark(it, s) == CS_MARK_NONE)
        return;
    CS_GROW(it->mail, it->nmail, it->amail);
    struct mail m = {arg(it, f, s, 4).n, arg(it, f, s, 3).n, undef(), false};
    if (mark(it, s) == CS_MARK_CONTENT)
        m.content = get(it, arg(it, f, s, 0), 4);
    it->mail[it->nmail++] = m;
}

static void do_recv(struct interp *it, struct frame *f, const struct cs_stmt *s)
{
    int64_t tag = arg(it, f, s, 4).n;
    if (mark(it, s) == CS_MARK_NONE)
        return;
    for (int i = 0; i < it->nmail; i++) {
        struct mail *m = &it->mail[i];
        if (m->taken || (tag != -1 && m->tag != tag))
            continue;
        m->taken = true;
        struct interp_val st = arg(it, f, s, 6), d = st;
        if (mark(it, s) == CS_MARK_CONTENT)
            put(it, arg(it, f, s, 0), 4, m->content);
        if (st.kind != IV_PTR)
            return;
        d.off += 8;
        put(it, d, 4, integer(m->source));
        d.off += 4;
        put(it, d, 4, integer(m->tag));
        return;
    }
    stop(it, "deadlock");
}

static void do_allreduce(struct interp *it, struct frame *f, const struct cs_stmt *s)
{
    struct interp_val from = arg(it, f, s, 0), to = arg(it, f, s, 1);
    if (mark(it, s) < CS_MARK_CONTENT)
        return;
    if (from.kind == IV_PTR)
        move_bytes(it, to, from, 4);
}

static struct interp_val mpi_call(struct interp *it, struct frame *f, const struct cs_stmt *s,
                                  const struct cs_mpi_call *c)
{
    if (c->flags & CS_MPI_EVENT)
        trace(it, f, s, c);
    if (!strcmp(c->name, "MPI_Send"))
        do_send(it, f, s);
    else if (!strcmp(c->name, "MPI_Recv"))
        do_recv(it, f, s);
    else if (!strcmp(c->name, "MPI_Allreduce"))
        do_allreduce(it, f, s);
    else if (!strcmp(c->name, "MPI_Comm_rank"))
        put(it, arg(it, f, s, 1), 4, integer(3));
    return integer(0);
}

static struct interp_val heap(struct interp *it, const struct frame *f, const struct cs_stmt *s, struct interp_val size,
                              bool zero)
{
    if (size.kind != IV_INT || size.n < 0 || size.n > 4096) {
        stop(it, "bad size");
        return undef();
    }
    int inst = new_instance(it, -1, (int)(s - it->g->stmts), size.n, zero);
    for (int i = 0; i < INTERP_CALLS; i++, f = f ? f->caller : NULL)
        it->inst[inst].calls[i] = f ? f->call : -1;
    return pointer(it, inst, 0);
}

static struct interp_val library(struct interp *it, struct frame *f, const struct cs_stmt *s, const char *name)
{
    struct interp_val a = arg(it, f, s, 0), b = arg(it, f, s, 1), c = arg(it, f, s, 2);
    if (!strcmp(name, "malloc"))
        return heap(it, f, s, a, false);
    if (!strcmp(name, "calloc"))
        return heap(it, f, s, b, true);
    if (!strcmp(name, "realloc")) {
        struct interp_val p = heap(it, f, s, b, false);
        if (!over(it) && a.kind == IV_PTR)
            move_bytes(it, p, a, it->inst[a.inst].size < b.n ? it->inst[a.inst].size : b.n);
        return p;
    }
    if (!strcmp(name, "memcpy")) {
        if (c.kind != IV_INT)
            stop(it, "bad size");
        else
            move_bytes(it, a, b, c.n);
        return a;
    }
    if (!strcmp(name, "srand")) {
        if (a.kind != IV_INT)
            stop(it, "undefined seed");
        it->rand = a.n;
    } else if (!strcmp(name, "rand")) {
        it->rand = it->rand * 69069 + 1;
        return integer(it->rand >> 8 & 15);
    } else if (!strcmp(name, "exit"))
        it->finished = true;
    return undef();
}

/* ---- calls and control ---- */

static struct interp_val call_function(struct interp *it, int func, struct interp_val *args, int nargs,
                                       struct frame *caller, const struct cs_stmt *s);

static struct interp_val call(struct interp *it, struct frame *f, const struct cs_stmt *s)
{
    struct interp_val callee = operand(it, f, s->callee);
    if (callee.kind != IV_FUNC) {
        stop(it, "call of no function");
        return undef();
    }
    const char *name = cs_func_name(it->g, (int)callee.n);
    enum cs_binding bind;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(name, &bind);
    if (c)
        return mpi_call(it, f, s, c);
    if (!it->g->funcs[callee.n].defined)
        return library(it, f, s, name);
    struct interp_val args[8];
    for (int i = 0; i < 8; i++)
        args[i] = i < s->nuses ? arg(it, f, s, i) : undef();
    return call_function(it, (int)callee.n, args, 8, f, s);
}

static void set(struct interp *it, struct frame *f, int stmt, struct interp_val v)
{
    const struct cs_stmt *s = &it->g->stmts[stmt];
    if (s->def < 0 || over(it))
        return;
    f->v[s->def] = v;
    if (it->fn)
        it->fn(it->arg, it, stmt, v);
}

static struct interp_val phi(struct interp *it, struct frame *f, const struct cs_stmt *s, int from)
{
    for (int i = 0; i < s->nuses; i++)
        if (s->phi_preds[i] == from)
            return operand(it, f, s->uses[i]);
    stop(it, "phi without a way");
    return undef();
}

static void run_stmt(struct interp *it, struct frame *f, int id, int from)
{
    const struct cs_stmt *s = &it->g->stmts[id];
    struct interp_val p, q;
    switch (s->kind) {
    case CS_STMT_ASSIGN: set(it, f, id, assign(it, f, s)); return;
    case CS_STMT_PHI: set(it, f, id, phi(it, f, s, from)); return;
    case CS_STMT_LOAD:
        p = place(it, f, &s->load, s->uses, s->nuses);
        set(it, f, id, over(it) ? undef() : get(it, p, s->load.size));
        return;
    case CS_STMT_STORE:
    case CS_STMT_ENTRY:
        p = place(it, f, &s->store, s->uses + 1, s->nuses - 1);
        if (!over(it))
            put(it, p, s->store.size, operand(it, f, s->uses[0]));
        return;
    case CS_STMT_COPY:
        p = place(it, f, &s->store, s->uses, s->nuses);
        q = place(it, f, &s->load, s->uses, s->nuses);
        if (!over(it))
            move_bytes(it, p, q, s->store.size);
        return;
    case CS_STMT_CALL: {
        struct interp_val v = call(it, f, s);
        if (!s->has_store)
            set(it, f, id, v);
        return;
    }
    default: return;
    }
}

/* Phis of a block read the values from before any of them is set. */
static int run_phis(struct interp *it, struct frame *f, const struct cs_block *b, int from)
{
    struct interp_val v[16];
    int n = 0;
    while (n < b->nstmts && n < 16 && it->g->stmts[b->stmts[n]].kind == CS_STMT_PHI) {
        const struct cs_stmt *s = &it->g->stmts[b->stmts[n]];
        v[n++] = it->sliced && !s->keep ? undef() : phi(it, f, s, from);
    }
    for (int i = 0; i < n; i++)
        if (!it->sliced || it->g->stmts[b->stmts[i]].keep)
            set(it, f, b->stmts[i], v[i]);
    return n;
}

/* The successor that the block's end chooses. */
static int next_block(struct interp *it, struct frame *f, const struct cs_block *b)
{
    const struct cs_stmt *s = b->nstmts ? &it->g->stmts[b->stmts[b->nstmts - 1]] : NULL;
    if (b->nsuccs == 0) {
        stop(it, "end of a block without a way on");
        return CS_BLOCK_EXIT;
    }
    if (it->sliced && b->take >= 0)
        return b->succs[b->take];
    if (b->nsuccs == 1)
        return b->succs[0];
    int c = -1;
    if (s && s->kind == CS_STMT_COND)
        c = compare(s->op, operand(it, f, s->uses[0]), operand(it, f, s->uses[1]));
    if (c < 0) {
        stop(it, "undefined branch");
        return CS_BLOCK_EXIT;
    }
    return b->succs[c ? 0 : 1];
}

/* A return of a struct; the other kind gives the value. */
static struct interp_val run_return(struct interp *it, struct frame *f, const struct cs_stmt *s)
{
    int ro = it->g->funcs[f->func].result_obj;
    if (!s->has_load)
        return s->nuses ? operand(it, f, s->uses[0]) : undef();
    struct interp_val from = place(it, f, &s->load, s->uses, s->nuses);
    if (ro >= 0 && !over(it))
        move_bytes(it, pointer(it, f->local[ro], 0), from, s->load.size);
    return undef();
}

/* What the slice runs at the end of this block because it is the same in several later ones. */
static void run_moved(struct interp *it, struct frame *f, int block)
{
    const struct cs_intlist *m = &it->g->funcs[f->func].moved;
    for (int i = 0; i < m->n && !over(it); i++)
        if (it->g->stmts[m->a[i]].keep && it->g->stmts[m->a[i]].move_to == block)
            run_stmt(it, f, m->a[i], -1);
}

static struct interp_val run_blocks(struct interp *it, struct frame *f)
{
    const struct cs_func *fn = &it->g->funcs[f->func];
    struct interp_val result = undef();
    for (int b = 0, from = -1; b != CS_BLOCK_EXIT && !over(it);) {
        const struct cs_block *bl = &fn->blocks[b];
        for (int k = run_phis(it, f, bl, from); k < bl->nstmts && !over(it); k++) {
            const struct cs_stmt *s = &it->g->stmts[bl->stmts[k]];
            if (it->sliced && (!s->keep || s->move_to >= 0))
                continue;
            if (s->kind == CS_STMT_RETURN)
                result = run_return(it, f, s);
            else
                run_stmt(it, f, bl->stmts[k], from);
        }
        if (it->sliced)
            run_moved(it, f, b);
        if (++it->steps > MAX_STEPS)
            stop(it, "too many steps");
        if (over(it))
            break;
        from = b;
        b = next_block(it, f, bl);
    }
    return result;
}

static struct interp_val call_function(struct interp *it, int func, struct interp_val *args, int nargs,
                                       struct frame *caller, const struct cs_stmt *s)
{
    const struct cs_func *fn = &it->g->funcs[func];
    struct frame f = {func,
                      s ? (int)(s - it->g->stmts) : -1,
                      caller,
                      cs_calloc(it->g->nvalues + 1, sizeof *f.v),
                      cs_calloc(it->g->nobjs + 1, sizeof *f.local),
                      args,
                      nargs};
    for (int o = 0; o < it->g->nobjs; o++)
        if (it->g->objs[o].kind == CS_OBJ_LOCAL && it->g->objs[o].func == func)
            f.local[o] = new_instance(it, o, -1, it->g->objs[o].size, false);
    for (int i = 0; i < fn->nparams; i++)
        if (fn->params[i] >= 0)
            f.v[fn->params[i]] = i < nargs ? args[i] : undef();
    for (int k = 0; s && k < s->narg_loads; k++) {
        int po = fn->param_objs[s->arg_loads[k].arg];
        struct interp_val from = place(it, caller, &s->arg_loads[k].ref, NULL, 0);
        if (po >= 0 && !over(it))
            move_bytes(it, pointer(it, f.local[po], 0), from, s->arg_loads[k].ref.size);
    }
    if (++it->depth > MAX_DEPTH)
        stop(it, "too deep");
    struct interp_val v = over(it) ? undef() : run_blocks(it, &f);
    it->depth--;
    if (s && s->has_store && !over(it)) {
        struct interp_val to = place(it, caller, &s->store, NULL, 0);
        if (fn->result_obj >= 0)
            move_bytes(it, to, pointer(it, f.local[fn->result_obj], 0), s->store.size);
        else
            put(it, to, s->store.size, v);
    }
    free(f.v);
    free(f.local);
    return v;
}

/* ---- the whole ---- */

struct interp *interp_new(const struct cs_graph *g, bool sliced, interp_fn *fn, void *arg)
{
    struct interp *it = cs_calloc(1, sizeof *it);
    *it = (struct interp){.g = g, .sliced = sliced, .fn = fn, .arg = arg, .rand = 1};
    it->out = open_memstream(&it->trace, &it->tracelen);
    add_write(it, undef(), 0);    /* 0: never written */
    add_write(it, integer(0), 0); /* 1: zero from the start */
    it->global = cs_calloc(g->nobjs + 1, sizeof *it->global);
    for (int o = 0; o < g->nobjs; o++)
        it->global[o] =
            g->objs[o].kind == CS_OBJ_GLOBAL ? new_instance(it, o, -1, g->objs[o].size, g->objs[o].zeroed) : -1;
    for (int o = 0; o < g->nobjs; o++)
        for (int k = 0; k < g->objs[o].ninits && it->global[o] >= 0; k++) {
            struct frame none = {.func = -1};
            put(it, pointer(it, it->global[o], g->objs[o].inits[k].off), g->objs[o].inits[k].size,
                operand(it, &none, g->objs[o].inits[k].val));
        }
    return it;
}

const char *interp_run(struct interp *it, int64_t argc)
{
    struct interp_val args[2] = {integer(argc), undef()};
    call_function(it, kit_func(it->g, "main"), args, 2, NULL, NULL);
    fflush(it->out);
    return it->end;
}

const char *interp_trace(const struct interp *it)
{
    return it->trace ? it->trace : "";
}

int interp_obj(const struct interp *it, int inst)
{
    return it->inst[inst].obj;
}

int interp_maker(const struct interp *it, int inst)
{
    return it->inst[inst].maker;
}

int interp_call(const struct interp *it, int inst, int up)
{
    return up < INTERP_CALLS ? it->inst[inst].calls[up] : -1;
}

void interp_free(struct interp *it)
{
    for (int i = 0; i < it->ninst; i++)
        free(it->inst[i].bytes);
    free(it->inst);
    free(it->writes);
    free(it->mail);
    free(it->global);
    fclose(it->out);
    free(it->trace);
    free(it);
}
