/* SPDX-License-Identifier: GPL-3.0-or-later
 * Models of MPI calls, derived from the roles in the MPI table and the binding of the symbol.
 * What decides communication is needed as soon as the call is kept; message content and statuses only at the levels
 * that LIVE propagation asks for. */
#include <assert.h>
#include <string.h>

#include "slicer/model/mpi_internal.h"

#define ATTRIBUTE_CALLBACKS "h:MPI attribute callbacks"
#define OPERATIONS "h:MPI operations"
#define ATTRIBUTE_EXTRA "h:MPI attribute callbacks' own"

/* The value of a scalar "in" argument, whatever the binding. */
static struct cs_operand scalar(struct cs_role_ctx *c)
{
    assert(c->arg >= c->shift && c->arg < c->call->nargs);
    struct cs_operand a = cs_mpi_actual(c);
    if (!c->fortran)
        return a;
    return cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(a, cs_ctype_size(c->call->args[c->arg].ctype)), true));
}

/* Everything that the handle stands for: Type_commit and the like change it. */
static void need_handle(struct cs_role_ctx *c, struct cs_operand h)
{
    cs_mb_need(c->b, CS_LEVEL_KEPT, h);
    if (h.kind != CS_OPND_VALUE && h.kind != CS_OPND_ADDR)
        return;
    cs_mb_read(c->b, CS_LEVEL_KEPT, (struct cs_ref){h, cs_pat_any(), CS_SIZE_UNKNOWN});
}

static struct cs_operand pointee_handle(struct cs_role_ctx *c)
{
    return cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(cs_mpi_actual(c), CS_MPICH_HANDLE_SIZE), true));
}

/* Of tags and datatypes the first is of what is sent, the last of what is received; one alone is both. */
static void set_pair(struct cs_operand pair[2], int *seen, struct cs_operand v)
{
    if ((*seen)++ == 0)
        pair[0] = v;
    pair[1] = v;
}

/* A scalar by which messages and collectives are matched: the model remembers it for call_match.c. */
static void matching_scalar(struct cs_role_ctx *c)
{
    enum cs_role role = c->call->args[c->arg].role;
    struct cs_model *m = c->b->m;
    struct cs_operand v = scalar(c);
    cs_mb_need(c->b, CS_LEVEL_KEPT, v);
    switch (role) {
    case CS_ROLE_DEST: m->peer[0] = v; break;
    case CS_ROLE_SOURCE: m->peer[1] = v; break;
    case CS_ROLE_ROOT: m->root = v; break;
    case CS_ROLE_TAG: set_pair(m->tag, &c->ntags, v); break;
    case CS_ROLE_TYPE:
        set_pair(m->type, &c->ntypes, v);
        need_handle(c, v);
        break;
    case CS_ROLE_COMM:
        m->comm = v;
        need_handle(c, v);
        break;
    case CS_ROLE_OP:
        m->op = v;
        need_handle(c, v);
        break;
    default: break;
    }
}

static void region_in(struct cs_role_ctx *c, enum cs_level level)
{
    struct cs_operand a = cs_mpi_actual(c);
    cs_mb_need(c->b, level, a);
    cs_mb_read(c->b, level, cs_mb_ref(a, CS_SIZE_UNKNOWN));
}

static void region_out(struct cs_role_ctx *c, enum cs_level level, int64_t size, struct cs_operand val)
{
    struct cs_operand a = cs_mpi_actual(c);
    cs_mb_need(c->b, CS_LEVEL_KEPT, a);
    cs_mb_write(c->b, level, cs_mb_ref(a, size), val);
}

static void new_handle(struct cs_role_ctx *c, const char *what)
{
    int o = cs_mb_new_obj(c->b, CS_OBJ_HANDLE, what, CS_SIZE_UNKNOWN);
    region_out(c, CS_LEVEL_KEPT, CS_MPICH_HANDLE_SIZE, cs_opnd_addr(o, cs_pat_at(0)));
}

static void requests(struct cs_role_ctx *c, bool array)
{
    struct cs_mbuild *b = c->b;
    struct cs_operand a = cs_mpi_actual(c);
    struct cs_ref reg = cs_mb_ref(a, array ? cs_mpi_array_size(c, CS_MPICH_HANDLE_SIZE) : CS_MPICH_HANDLE_SIZE);
    if (!c->fortran && !strchr(c->call->args[c->arg].ctype, '*')) {
        need_handle(c, a);
        b->m->request = a;
        return;
    }
    int v = cs_mb_load(b, reg, true);
    cs_mb_need(b, CS_LEVEL_KEPT, a);
    need_handle(c, cs_opnd_value(v));
    cs_mb_write(b, CS_LEVEL_KEPT, reg, cs_opnd_const(CS_MPICH_REQUEST_NULL));
    b->m->request = cs_opnd_value(v);
    b->m->request_array = array;
    if (array)
        cs_mpi_note_array(c, b->g->values[v].def, b->m->nwrites - 1, CS_MPICH_HANDLE_SIZE);
}

/* What a handle stands for is changed, or *handle is freed: a communicator then is MPI_COMM_NULL. */
static void update(struct cs_role_ctx *c)
{
    bool by_value = !strchr(c->call->args[c->arg].ctype, '*');
    struct cs_operand h = by_value ? scalar(c) : pointee_handle(c);
    cs_mb_need(c->b, CS_LEVEL_KEPT, cs_mpi_actual(c));
    need_handle(c, h);
    cs_mb_write(c->b, CS_LEVEL_KEPT, (struct cs_ref){h, cs_pat_any(), CS_SIZE_UNKNOWN}, cs_opnd_none());
    if (by_value)
        return;
    const struct cs_mpi_arg *arg = &c->call->args[c->arg];
    bool comm = arg->role == CS_ROLE_COMM_UPD && !cs_ctype_is_window(arg->ctype);
    cs_mb_write(c->b, CS_LEVEL_KEPT, cs_mb_ref(cs_mpi_actual(c), CS_MPICH_HANDLE_SIZE),
                comm ? cs_opnd_const(CS_MPICH_COMM_NULL) : cs_opnd_none());
}

static void attribute(struct cs_role_ctx *c, bool set)
{
    struct cs_mbuild *b = c->b;
    struct cs_operand a = cs_mpi_actual(c);
    struct cs_ref attr = cs_mb_ref(cs_opnd_addr(b->ms->attr_obj, cs_pat_any()), CS_SIZE_UNKNOWN);
    cs_mb_need(b, CS_LEVEL_KEPT, a);
    if (set) {
        struct cs_operand v = c->fortran ? scalar(c) : a;
        cs_mb_need(b, CS_LEVEL_KEPT, v);
        cs_mb_write(b, CS_LEVEL_KEPT, attr, v);
        return;
    }
    int v = cs_mb_load(b, attr, true);
    cs_mb_need(b, CS_LEVEL_KEPT, cs_opnd_value(v));
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(a, 8), cs_opnd_value(v));
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(a, 8), cs_opnd_addr(b->ms->ext_obj, cs_pat_any()));
}

/* The address in a descriptor of mpi_f08. */
static struct cs_operand described_address(struct cs_role_ctx *c)
{
    struct cs_operand a = cs_mpi_actual(c);
    cs_mb_read(c->b, CS_LEVEL_KEPT, cs_mb_ref(a, CS_SIZE_UNKNOWN));
    return cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(a, 8), true));
}

static void pointer_in(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    if (cs_mpi_has_role(c->call, CS_ROLE_KEY)) {
        attribute(c, true);
        return;
    }
    struct cs_operand a = cs_mpi_actual(c);
    cs_mb_need(b, CS_LEVEL_KEPT, a);
    if (c->call->kind == CS_MPI_RMA) {
        cs_mpi_window_memory(c, b->m->binding == CS_BIND_F08 ? described_address(c) : a);
        return;
    }
    if (!(c->call->flags & CS_MPI_TAKES_ADDRESS)) {
        if (c->call->args[c->arg].role != CS_ROLE_ADDR)
            cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_ref(a, CS_SIZE_UNKNOWN));
        return;
    }
    if (b->m->binding == CS_BIND_F08)
        a = described_address(c);
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_opnd_addr(b->ms->addr_obj, cs_pat_any()), CS_SIZE_UNKNOWN), a)->spread =
        true;
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_mb_arg(b, 1), 8), a);
}

static void pointer_out(struct cs_role_ctx *c)
{
    if (cs_mpi_has_role(c->call, CS_ROLE_KEY)) {
        attribute(c, false);
        return;
    }
    if (cs_mpi_has_role(c->call, CS_ROLE_WIN)) {
        cs_mpi_window_query(c);
        return;
    }
    int o = cs_mb_new_obj(c->b, CS_OBJ_HEAP, "MPI memory", CS_SIZE_UNKNOWN);
    if (c->call->kind == CS_MPI_RMA)
        cs_mpi_window_memory(c, cs_opnd_addr(o, cs_pat_at(0)));
    region_out(c, CS_LEVEL_KEPT, 8, cs_opnd_addr(o, cs_pat_at(0)));
}

/* Attribute callbacks: copy(comm, key, extra, in, &out, &flag) and delete(comm, key, value, extra); which of them it is
 * does not matter. What `out` receives becomes an attribute. */
static void attribute_callbacks(struct cs_role_ctx *c, struct cs_mcallback cb, struct cs_operand extra)
{
    struct cs_mbuild *b = c->b;
    struct cs_operand attr = cs_opnd_addr(b->ms->attr_obj, cs_pat_any());
    struct cs_operand value = cs_opnd_value(cs_mb_load(b, cs_mb_ref(attr, CS_SIZE_UNKNOWN), true));
    cb.args[0] = cb.args[1] = cs_opnd_none();
    cb.exact[2] = cb.exact[3] = true; /* the very pointers that the program has given */
    cb.args[2] = extra;
    cb.args[3] = value;
    cb.args[4] = cb.args[5] = attr;
    cs_mb_callback(b, cb);
    cb.args[2] = value;
    cb.args[3] = extra;
    cs_mb_callback(b, cb);
}

/* The call may run attribute callbacks that the program has made: those of the objects that it copies, frees, or gives
 * a new value. */
static void run_attribute_callbacks(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    if (!(c->call->flags & CS_MPI_ATTRIBUTES))
        return;
    bool deletes = cs_mpi_has_role(c->call, CS_ROLE_KEY) && !cs_mpi_has_role(c->call, CS_ROLE_PTR_IN);
    struct cs_ref attr = cs_mb_ref(cs_opnd_addr(b->ms->attr_obj, cs_pat_any()), CS_SIZE_UNKNOWN);
    struct cs_mcallback cb = {.fn = cs_opnd_value(cs_mb_load(b, cs_mb_hidden(b, ATTRIBUTE_CALLBACKS), true)),
                              .nargs = 6};
    struct cs_operand extra = cs_opnd_value(cs_mb_load(b, cs_mb_hidden(b, ATTRIBUTE_EXTRA), true));
    cs_mb_read(b, CS_LEVEL_KEPT, attr);
    if (deletes)
        cs_mb_write(b, CS_LEVEL_KEPT, attr, cs_opnd_none());
    attribute_callbacks(c, cb, extra);
}

/* Callbacks of a key, and what is passed to them, are remembered for the calls that run them. */
static void keep_attribute_callback(struct cs_role_ctx *c, struct cs_operand fn, struct cs_operand extra)
{
    cs_mb_write(c->b, CS_LEVEL_KEPT, cs_mb_hidden(c->b, ATTRIBUTE_CALLBACKS), fn);
    cs_mb_write(c->b, CS_LEVEL_KEPT, cs_mb_hidden(c->b, ATTRIBUTE_EXTRA), extra);
}

/* Does MPI call the function only where a call fails, which the user says that none does? Calls on files may fail. */
static bool never_called(const struct cs_role_ctx *c)
{
    return c->b->g->no_mpi_errors && cs_mpi_has_role(c->call, CS_ROLE_NEWERRH) &&
           !cs_ctype_is_of_file(c->call->args[c->arg].ctype);
}

static void callback(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    struct cs_operand mem = cs_opnd_addr(b->ms->mpibuf_obj, cs_pat_any());
    struct cs_mcallback cb = {.fn = cs_mpi_actual(c), .nargs = 8};
    for (int i = 0; i < 8; i++)
        cb.args[i] = mem;
    cs_mb_need(b, CS_LEVEL_KEPT, cb.fn);
    if (cs_mpi_has_role(c->call, CS_ROLE_NEWOP))
        cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_hidden(b, OPERATIONS), cb.fn);
    if (!cs_mpi_has_role(c->call, CS_ROLE_NEWKEY)) {
        if (!never_called(c))
            cs_mb_callback(b, cb);
        return;
    }
    struct cs_operand extra = cs_opnd_none();
    for (int i = 0; i < c->call->nargs; i++)
        if (c->call->args[i].role == CS_ROLE_PTR_IN)
            extra = cs_mb_arg(b, i - c->shift);
    attribute_callbacks(c, cb, extra);
    keep_attribute_callback(c, cb.fn, extra);
}

/* Displacements may be absolute addresses, which the program need not have from MPI_Get_address: such memory is a
 * buffer of MPI_BOTTOM. Constructors of datatypes with large counts have them as MPI_Count. */
static void addresses(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    if (cs_ctype_target_size(c->call->args[c->arg].ctype) < 8)
        return;
    int v = cs_mb_load(b, cs_mb_ref(cs_mpi_actual(c), CS_SIZE_UNKNOWN), true);
    struct cs_mwrite *w = cs_mb_write(
        b, CS_LEVEL_KEPT, cs_mb_ref(cs_opnd_addr(b->ms->addr_obj, cs_pat_any()), CS_SIZE_UNKNOWN), cs_opnd_value(v));
    w->spread = w->flow_only = true;
}

/* ---- one argument, by its role ---- */

/* What a call on a file does with it beyond what is recorded matters only if it happens. */
static enum cs_level file_level(const struct cs_role_ctx *c)
{
    return c->call->kind == CS_MPI_IO ? CS_LEVEL_CONTENT : CS_LEVEL_KEPT;
}

static enum cs_level content_level(const struct cs_role_ctx *c)
{
    return c->local ? CS_LEVEL_KEPT : CS_LEVEL_CONTENT;
}

static enum cs_level envelope_level(const struct cs_role_ctx *c)
{
    if (c->call->kind == CS_MPI_IO)
        return CS_LEVEL_CONTENT;
    return c->local ? CS_LEVEL_KEPT : CS_LEVEL_ENVELOPE;
}

static void content_in(struct cs_role_ctx *c)
{
    cs_mpi_buffer(c, true, false);
}

static void content_out(struct cs_role_ctx *c)
{
    cs_mpi_buffer(c, cs_mpi_may_be_in_place(c), true);
}

static void content_in_out(struct cs_role_ctx *c)
{
    cs_mpi_buffer(c, true, true);
}

static void count(struct cs_role_ctx *c)
{
    struct cs_operand v = scalar(c);
    cs_mb_need(c->b, CS_LEVEL_KEPT, v);
    if (c->b->m->count.kind == CS_OPND_NONE)
        c->b->m->count = v;
}

static void value_in(struct cs_role_ctx *c)
{
    cs_mb_need(c->b, CS_LEVEL_KEPT, scalar(c));
}

static void handle_in(struct cs_role_ctx *c)
{
    need_handle(c, scalar(c));
}

/* Where the library follows it, in Fortran, it must be there whether or not it matters. */
static void info_in(struct cs_role_ctx *c)
{
    enum cs_level level = file_level(c);
    struct cs_operand v = scalar(c);
    if (c->fortran)
        cs_mb_need(c->b, CS_LEVEL_KEPT, cs_mpi_actual(c));
    cs_mb_need(c->b, level, v);
    if (v.kind == CS_OPND_VALUE || v.kind == CS_OPND_ADDR)
        cs_mb_read(c->b, level, (struct cs_ref){v, cs_pat_any(), CS_SIZE_UNKNOWN});
}

static void string_in(struct cs_role_ctx *c)
{
    struct cs_operand a = cs_mpi_actual(c);
    cs_mb_need(c->b, CS_LEVEL_KEPT, a);
    cs_mb_read(c->b, file_level(c), cs_mb_ref(a, CS_SIZE_UNKNOWN));
}

static void displacements(struct cs_role_ctx *c)
{
    addresses(c);
    region_in(c, content_level(c));
}

static void array_in(struct cs_role_ctx *c)
{
    region_in(c, CS_LEVEL_KEPT);
}

static void local_array_in(struct cs_role_ctx *c)
{
    addresses(c);
    array_in(c);
}

static void types_in(struct cs_role_ctx *c)
{
    int v = cs_mb_load(c->b, cs_mb_ref(cs_mpi_actual(c), CS_SIZE_UNKNOWN), true);
    need_handle(c, cs_opnd_value(v));
    array_in(c);
}

static void request_out(struct cs_role_ctx *c)
{
    new_handle(c, "request");
    assert(c->b->g->objs[c->b->g->nobjs - 1].kind == CS_OBJ_HANDLE); /* the one just made */
    c->b->m->request = cs_opnd_addr(c->b->g->nobjs - 1, cs_pat_at(0));
}

static void request_in_out(struct cs_role_ctx *c)
{
    requests(c, false);
}

static void requests_in_out(struct cs_role_ctx *c)
{
    requests(c, true);
}

static void status_out(struct cs_role_ctx *c)
{
    region_out(c, envelope_level(c), CS_MPICH_STATUS_SIZE, cs_opnd_none());
}

/* Which request has completed, or how many. */
static void index_out(struct cs_role_ctx *c)
{
    region_out(c, envelope_level(c), 4, cs_opnd_none());
}

/* Of each request that was completed, its index or status. */
static void completed_out(struct cs_role_ctx *c)
{
    int64_t unit = c->call->args[c->arg].role == CS_ROLE_STATUSES ? CS_MPICH_STATUS_SIZE : 4;
    region_out(c, envelope_level(c), cs_mpi_array_size(c, unit), cs_opnd_none());
    cs_mpi_note_array(c, -1, c->b->m->nwrites - 1, unit);
}

/* Whether something has come, or is complete. */
static void flag_out(struct cs_role_ctx *c)
{
    region_out(c, envelope_level(c), 4, cs_opnd_none());
}

static void result_out(struct cs_role_ctx *c)
{
    const char *ctype = c->call->args[c->arg].ctype;
    if (c->call->flags & CS_MPI_TAKES_ADDRESS)
        cs_mb_need(c->b, CS_LEVEL_KEPT, cs_mpi_actual(c)); /* pointer_in writes it */
    else
        region_out(c, CS_LEVEL_KEPT, cs_ctype_target_size(ctype), cs_opnd_none());
}

static void array_out(struct cs_role_ctx *c)
{
    region_out(c, CS_LEVEL_KEPT, CS_SIZE_UNKNOWN, cs_opnd_none());
}

static void array_in_out(struct cs_role_ctx *c)
{
    array_in(c);
    array_out(c);
}

/* A new object of the library, and the name of its handle object in the graph. */
static void object_out(struct cs_role_ctx *c)
{
    static const char *const names[CS_ROLE_COUNT_] = {
        [CS_ROLE_NEWCOMM] = "communicator", [CS_ROLE_NEWTYPE] = "datatype", [CS_ROLE_NEWGROUP] = "group",
        [CS_ROLE_NEWOP] = "operation",      [CS_ROLE_NEWINFO] = "info",     [CS_ROLE_NEWERRH] = "error handler",
        [CS_ROLE_NEWMSG] = "message",       [CS_ROLE_NEWKEY] = "key"};
    const char *name = names[c->call->args[c->arg].role];
    assert(name);
    new_handle(c, name);
}

/* Adds to the model what the argument at hand means. */
typedef void role_fn(struct cs_role_ctx *c);

/* What each role of an argument means. Nothing is said of argc and argv: the library leaves them as they are. */
static role_fn *const by_role[CS_ROLE_COUNT_] = {
    [CS_ROLE_SBUF] = content_in,
    [CS_ROLE_RBUF] = content_out,
    [CS_ROLE_SRBUF] = content_in_out,
    [CS_ROLE_DEST] = matching_scalar,
    [CS_ROLE_SOURCE] = matching_scalar,
    [CS_ROLE_ROOT] = matching_scalar,
    [CS_ROLE_TAG] = matching_scalar,
    [CS_ROLE_TYPE] = matching_scalar,
    [CS_ROLE_COMM] = matching_scalar,
    [CS_ROLE_OP] = matching_scalar,
    [CS_ROLE_COUNT] = count,
    [CS_ROLE_VAL] = value_in,
    [CS_ROLE_IN] = value_in,
    [CS_ROLE_GROUP] = handle_in,
    [CS_ROLE_INFO] = info_in,
    [CS_ROLE_ERRH] = handle_in,
    [CS_ROLE_WIN] = handle_in,
    [CS_ROLE_FILE] = cs_mpi_file_in,
    [CS_ROLE_KEY] = handle_in,
    [CS_ROLE_DISPLS] = displacements,
    [CS_ROLE_TYPES] = types_in,
    [CS_ROLE_IN_ARR] = local_array_in,
    [CS_ROLE_COUNTS] = array_in,
    [CS_ROLE_VALS] = array_in,
    [CS_ROLE_STATUS_IN] = array_in,
    [CS_ROLE_STR_IN] = string_in,
    [CS_ROLE_REQ_OUT] = request_out,
    [CS_ROLE_REQ_INOUT] = request_in_out,
    [CS_ROLE_REQS] = requests_in_out,
    [CS_ROLE_STATUS] = status_out,
    [CS_ROLE_STATUSES] = completed_out,
    [CS_ROLE_INDEX] = index_out,
    [CS_ROLE_OUTCOUNT] = index_out,
    [CS_ROLE_INDICES] = completed_out,
    [CS_ROLE_FLAG] = flag_out,
    [CS_ROLE_OUT] = result_out,
    [CS_ROLE_OUT_ARR] = array_out,
    [CS_ROLE_STR_OUT] = array_out,
    [CS_ROLE_INOUT_ARR] = array_in_out,
    [CS_ROLE_PTR_IN] = pointer_in,
    [CS_ROLE_PTR_OUT] = pointer_out,
    [CS_ROLE_ADDR] = pointer_in,
    [CS_ROLE_FN] = callback,
    [CS_ROLE_NEWCOMM] = object_out,
    [CS_ROLE_NEWTYPE] = object_out,
    [CS_ROLE_NEWGROUP] = object_out,
    [CS_ROLE_NEWOP] = object_out,
    [CS_ROLE_NEWINFO] = object_out,
    [CS_ROLE_NEWERRH] = object_out,
    [CS_ROLE_NEWMSG] = object_out,
    [CS_ROLE_NEWFILE] = cs_mpi_file_out,
    [CS_ROLE_NEWKEY] = object_out,
    [CS_ROLE_MSG] = update,
    [CS_ROLE_COMM_UPD] = update,
    [CS_ROLE_TYPE_UPD] = update,
    [CS_ROLE_GROUP_UPD] = update,
    [CS_ROLE_INFO_UPD] = update,
    [CS_ROLE_OP_UPD] = update,
    [CS_ROLE_FILE_UPD] = cs_mpi_file_close,
    [CS_ROLE_ERRH_UPD] = update,
    [CS_ROLE_ARGC] = NULL,
    [CS_ROLE_ARGV] = NULL,
};

/* ---- the whole call ---- */

/* Errors are fatal in a correct run, so the code is MPI_SUCCESS; where a handler lets calls return, refuse.c looks at
 * who asks for it. Errors of calls on files return unless the program says otherwise, so their codes are results as any
 * other. */
static void error_result(struct cs_mbuild *b, const struct cs_mpi_call *call, bool fortran, int shift)
{
    bool io = cs_mpi_is_file_call(call);
    struct cs_operand code = b->ms->errors_return || io ? cs_opnd_none() : cs_opnd_const(0);
    if (strcmp(call->ret, "int")) {
        if (io) /* MPI_File_f2c and MPI_File_c2f: another form of the same handle */
            cs_mb_ret(b, cs_mb_arg(b, 0), false);
        for (int i = 0; i < 2 && cs_ctype_is_address(call->ret); i++)
            cs_mb_ret(b, cs_mb_arg(b, i), true);
        if (cs_ctype_is_address(call->ret) && !fortran)
            cs_mb_ret(b, cs_opnd_value(cs_mb_sum(b, cs_mb_arg(b, 0), cs_mb_arg(b, 1))), false);
        cs_mb_ret(b, cs_opnd_none(), false);
        return;
    }
    cs_mb_ret(b, code, false);
    if (!fortran)
        return;
    struct cs_operand ierr = cs_mb_arg(b, call->nargs - shift);
    cs_mb_need(b, CS_LEVEL_KEPT, ierr);
    cs_mb_write(b, call->kind == CS_MPI_IO ? CS_LEVEL_CONTENT : CS_LEVEL_KEPT, cs_mb_ref(ierr, 4), code)->error_code =
        b->ms->errors_return && !io;
}

static bool sets_fatal_handler(const struct cs_graph *g, const struct cs_stmt *s)
{
    if (s->nuses < 2)
        return false;
    struct cs_operand h = s->uses[1];
    if (h.kind == CS_OPND_ADDR && g->objs[h.id].readonly && g->objs[h.id].ninits == 1)
        h = g->objs[h.id].inits[0].val;
    return h.kind == CS_OPND_CONST && (int32_t)h.pat.off == CS_MPICH_ERRORS_ARE_FATAL;
}

bool cs_mpi_sets_handler(const struct cs_mpi_call *c)
{
    return c->flags & CS_MPI_SETS_HANDLER;
}

static bool handler_setter(const struct cs_graph *g, struct cs_operand op)
{
    enum cs_binding binding;
    if (op.kind != CS_OPND_ADDR || g->objs[op.id].kind != CS_OBJ_FUNC)
        return false;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_func_name(g, g->objs[op.id].func), &binding);
    return c && cs_mpi_sets_handler(c);
}

/* Also if the address of such a function is taken: then it may be called with anything. */
bool cs_mpi_errors_return(const struct cs_graph *g)
{
    if (g->no_mpi_errors)
        return false;
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        if (s->kind == CS_STMT_CALL && handler_setter(g, s->callee) && !sets_fatal_handler(g, s))
            return true;
        for (int k = 0; k < s->nuses; k++)
            if (handler_setter(g, s->uses[k]))
                return true;
    }
    for (int o = 0; o < g->nobjs; o++)
        for (int k = 0; k < g->objs[o].ninits; k++)
            if (handler_setter(g, g->objs[o].inits[k].val))
                return true;
    return false;
}

/* The buffer of MPI_Bsend: attached here, used there, given back by the detach. */
static void send_buffer(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    unsigned flags = c->call->flags;
    if (!(flags & (CS_MPI_BUFFERED | CS_MPI_SEND_BUFFER)))
        return;
    struct cs_ref state = cs_mb_hidden(b, "h:MPI send buffer");
    if (flags & CS_MPI_BUFFERED)
        cs_mb_read(b, CS_LEVEL_ENVELOPE, state);
    if (flags & CS_MPI_SETS)
        cs_mb_write(b, CS_LEVEL_KEPT, state, cs_mb_arg(b, 0));
    if (!(flags & CS_MPI_GETS))
        return;
    cs_mb_write(b, CS_LEVEL_KEPT, state, cs_opnd_none()); /* only then may another one be attached */
    int attached = cs_mb_load(b, state, true);
    cs_mb_read(b, CS_LEVEL_KEPT, state);
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(cs_mb_arg(b, 0), 8), cs_opnd_value(attached));
}

/* State that belongs to no handle, or to one that may be a constant like MPI_COMM_WORLD, which leads to no memory that
 * could hold it. */
static void library_states(struct cs_role_ctx *c)
{
    static const struct {
        enum cs_mpi_flag flag;
        const char *state;
    } states[] = {
        {CS_MPI_NAMES, "h:MPI names"}, {CS_MPI_HINTS, "h:MPI hints"}, {CS_MPI_ERROR_CODES, "h:MPI error codes"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (!(c->call->flags & states[i].flag))
            continue;
        struct cs_ref state = cs_mb_hidden(c->b, states[i].state);
        if (c->call->flags & CS_MPI_SETS)
            cs_mb_write(c->b, CS_LEVEL_KEPT, state, cs_opnd_none());
        if (c->call->flags & CS_MPI_GETS)
            cs_mb_read(c->b, CS_LEVEL_KEPT, state);
    }
}

/* Which error handlers are in force: for MPI_COMM_WORLD, for files that are not open and the like, no handle leads to
 * memory that could hold it. */
static void handlers_in_force(struct cs_role_ctx *c)
{
    struct cs_ref state = cs_mb_hidden(c->b, "h:MPI error handlers");
    if (cs_mpi_has_role(c->call, CS_ROLE_ERRH))
        cs_mb_write(c->b, CS_LEVEL_KEPT, state, cs_opnd_none());
    else if (cs_mpi_has_role(c->call, CS_ROLE_NEWERRH) && !cs_mpi_has_role(c->call, CS_ROLE_FN))
        cs_mb_read(c->b, CS_LEVEL_KEPT, state);
}

/* Fortran passes the length of each string behind the arguments. */
static void string_lengths(struct cs_role_ctx *c)
{
    int n = c->call->nargs - c->shift + !strcmp(c->call->ret, "int");
    for (int i = n; c->fortran && i < c->b->g->stmts[c->b->stmt].nuses; i++)
        cs_mb_need(c->b, CS_LEVEL_KEPT, cs_mb_arg(c->b, i));
}

/* A local reduction (MPI_Reduce_local) runs the program's own operation here and now. When other calls run one cannot
 * be said. */
static void run_operation(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    if (!c->local || !cs_mpi_has_role(c->call, CS_ROLE_OP) || !cs_mpi_has_role(c->call, CS_ROLE_SRBUF))
        return;
    struct cs_operand mem = cs_opnd_addr(b->ms->mpibuf_obj, cs_pat_any());
    struct cs_mcallback cb = {.fn = cs_opnd_value(cs_mb_load(b, cs_mb_hidden(b, OPERATIONS), true)),
                              .nargs = 4,
                              .args = {mem, mem, mem, mem}};
    cs_mb_callback(b, cb);
}

static void special_needs(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    run_operation(c);
    send_buffer(c);
    library_states(c);
    handlers_in_force(c);
    string_lengths(c);
    run_attribute_callbacks(c);
    if (c->call->kind == CS_MPI_COMM_CTOR)
        cs_mb_read(b, CS_LEVEL_KEPT, cs_mb_ref(cs_opnd_addr(b->ms->attr_obj, cs_pat_any()), CS_SIZE_UNKNOWN));
    if (!cs_mpi_has_role(c->call, CS_ROLE_OP) || b->m->op.kind == CS_OPND_CONST)
        return;
    cs_mb_read(b, c->local ? CS_LEVEL_KEPT : CS_LEVEL_CONTENT,
               cs_mb_ref(cs_opnd_addr(b->ms->mpibuf_obj, cs_pat_any()), CS_SIZE_UNKNOWN));
    assert(b->m->nneeds > 0); /* an address is always read */
    b->m->needs[b->m->nneeds - 1].payload = true;
}

static void direction(struct cs_model *m, const struct cs_mpi_call *call)
{
    switch (call->kind) {
    case CS_MPI_SEND:
    case CS_MPI_ISEND:
    case CS_MPI_SEND_INIT: m->sends = true; break;
    case CS_MPI_RECV:
    case CS_MPI_IRECV:
    case CS_MPI_RECV_INIT:
    case CS_MPI_PROBE:
    case CS_MPI_IPROBE: m->receives = true; break;
    case CS_MPI_SENDRECV: m->sends = m->receives = true; break;
    default: break;
    }
}

/* Names that begin with MPI_ are MPI's by the standard; the others are MPICH's: C symbols, and the modules behind `use
 * mpi_f08`. */
bool cs_mpi_variable(const char *name)
{
    static const char *const begin[] = {"MPI_",
                                        "MPIR_",
                                        "MPII_",
                                        "__mpi_constants_MOD_",
                                        "__mpi_c_interface_types_MOD_",
                                        "__mpi_f08_types_MOD_",
                                        "__mpi_f08_compile_constants_MOD_",
                                        "__mpi_f08_link_constants_MOD_"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (!strncmp(name, begin[i], strlen(begin[i])))
            return true;
    return false;
}

void cs_mpi_model_build(struct cs_mbuild *b)
{
    const struct cs_mpi_call *call = b->m->mpi;
    struct cs_role_ctx c = {
        .b = b, .call = call, .local = call->kind == CS_MPI_LOCAL, .fortran = b->m->binding != CS_BIND_C};
    struct cs_operand none = cs_opnd_none();
    struct cs_model *m = b->m;
    m->comm = m->count = m->root = m->op = m->request = none;
    m->type[0] = m->type[1] = m->tag[0] = m->tag[1] = m->peer[0] = m->peer[1] = none;
    c.shift = c.fortran && cs_mpi_has_role(call, CS_ROLE_ARGC) ? 2 : 0;
    assert(call->nargs <= CS_MPI_MAX_ARGS);
    for (c.arg = c.shift; c.arg < call->nargs; c.arg++)
        if (by_role[call->args[c.arg].role])
            by_role[call->args[c.arg].role](&c);
    special_needs(&c);
    cs_mpi_file_effects(&c);
    cs_mpi_window_effects(&c);
    b->ms->between_groups |= (call->flags & CS_MPI_BETWEEN_GROUPS) != 0;
    error_result(b, call, c.fortran, c.shift);
    direction(m, call);
}
