/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message buffers of an MPI call: which memory holds the content, as far as that can be said without analysis.
 * Content may lie before the buffer (negative displacements) or anywhere that has an address (MPI_BOTTOM). */
#include "slicer/model/mpi_internal.h"

#include <assert.h>

static bool is_special_address(const struct cs_graph *g, struct cs_operand op)
{
    if (op.kind == CS_OPND_CONST)
        return true;
    return op.kind == CS_OPND_ADDR && g->objs[op.id].external && cs_mpi_variable(cs_obj_name(g, op.id));
}

/* The constant that a scalar argument holds, when that can be seen without analysis: a literal, or Fortran's read-only
 * copy of one. */
static bool literal(struct cs_role_ctx *c, int arg, int64_t *val)
{
    const struct cs_graph *g = c->b->g;
    struct cs_operand a = cs_mb_arg(c->b, arg - c->shift);
    if (!c->fortran && a.kind == CS_OPND_CONST) {
        *val = a.pat.off;
        return true;
    }
    if (!c->fortran || a.kind != CS_OPND_ADDR || a.pat.stride || a.pat.off)
        return false;
    const struct cs_obj *o = &g->objs[a.id];
    if (!o->readonly || o->ninits != 1 || o->inits[0].off || o->inits[0].val.kind != CS_OPND_CONST)
        return false;
    *val = o->inits[0].val.pat.off;
    return true;
}

/* Is the content `count` elements of the datatype, without gaps for a basic one, and no more? A section of mpi_f08 may
 * have gaps nevertheless. */
static bool counted(struct cs_role_ctx *c)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    if (a->count_arg < 0 || a->type_arg < 0 || c->call->args[a->count_arg].role != CS_ROLE_COUNT)
        return false;
    if (c->call->kind != CS_MPI_COLL || a->role == CS_ROLE_SRBUF)
        return true;
    if (c->call->flags & (CS_MPI_PER_PEER | CS_MPI_SCATTERS | CS_MPI_ALLTOALL))
        return false; /* a count for every rank */
    return (c->call->flags & CS_MPI_REDUCES) || a->role == CS_ROLE_SBUF;
}

/* Bytes of a message buffer if count and datatype are literals (MPICH's predefined handles carry their size). */
static int64_t literal_extent(struct cs_role_ctx *c)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    int64_t count, type;
    assert(a->count_arg < c->call->nargs && a->type_arg < c->call->nargs);
    if (c->b->m->binding == CS_BIND_F08 || !counted(c) || !literal(c, a->count_arg, &count) ||
        !literal(c, a->type_arg, &type))
        return CS_SIZE_UNKNOWN;
    if (!cs_mpich_is_basic(type) || count <= 0 || count > INT32_MAX)
        return CS_SIZE_UNKNOWN;
    return count * cs_mpich_basic_size(type);
}

/* The value of a scalar argument. */
static struct cs_operand scalar_value(struct cs_role_ctx *c, int arg)
{
    struct cs_operand a = cs_mb_arg(c->b, arg - c->shift);
    int size = cs_ctype_size(c->call->args[arg].ctype);
    return c->fortran ? cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(a, size), true)) : a;
}

/* What the descriptor of the buffer at hand tells of its shape. */
static struct cs_mshape shape_of(struct cs_role_ctx *c)
{
    static const struct {
        int off, size;
    } told[4] = {{28, 1}, {16, 8}, {32, 8}, {40, 8}};
    struct cs_mshape s;
    for (int i = 0; i < 4; i++)
        s.told[i] = cs_mb_load(c->b, (struct cs_ref){cs_mpi_actual(c), cs_pat_at(told[i].off), told[i].size}, true);
    return s;
}

/* Notes the region for cs_extents_find: points-to may know how long it is. described: the argument at hand is a
 * descriptor. */
static void note_array(struct cs_role_ctx *c, int load, int write, int64_t unit, bool described)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    struct cs_operand type = unit ? cs_opnd_none() : scalar_value(c, a->type_arg);
    struct cs_model *m = c->b->m;
    assert(m->narrays < 3);
    struct cs_marray *n = &m->arrays[m->narrays++];
    *n = (struct cs_marray){load, write, scalar_value(c, a->count_arg), type, unit, .described = described};
    if (described)
        n->shape = shape_of(c);
}

int64_t cs_mpi_array_size(struct cs_role_ctx *c, int64_t unit)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    int64_t count;
    bool known = a->count_arg >= 0 && literal(c, a->count_arg, &count) && count > 0 && count <= INT32_MAX;
    return known ? count * unit : CS_SIZE_UNKNOWN;
}

void cs_mpi_note_array(struct cs_role_ctx *c, int load, int write, int64_t unit)
{
    if (c->call->args[c->arg].count_arg >= 0 && cs_mpi_array_size(c, unit) < 0)
        note_array(c, load, write, unit, false);
}

bool cs_mpi_may_be_derived(bool number, int64_t type)
{
    return !number || (!cs_mpich_is_predefined(type) && CS_MPICH_KIND(type) != CS_MPICH_KIND_NULL_TYPE && type != 0);
}

/* Does the statement give a dimension of gfortran's descriptor a stride that may be negative? */
static bool sets_back(const struct cs_stmt *s, int descriptor)
{
    enum { FIRST = 40, EACH = 24, FIELD = 8 }; /* dim[0].stride; dim[1]; bytes */
    if (s->kind != CS_STMT_STORE && s->kind != CS_STMT_COPY)
        return false;
    if (s->store.base.kind != CS_OPND_ADDR || s->store.base.id != descriptor)
        return false;
    const struct cs_pattern at = s->store.pat;
    bool member = s->kind == CS_STMT_STORE && at.stride == 0 && s->store.size == FIELD;
    if (member && (at.off < FIRST || (at.off - FIRST) % EACH != 0))
        return false;
    if (at.stride == 0 && s->store.size >= 0 && at.off + s->store.size <= FIRST)
        return false;
    return !member || s->uses[0].kind != CS_OPND_CONST || s->uses[0].pat.off < 0;
}

/* May a section of mpi_f08 go backwards from where it begins, as a(8:1:-1) does? A section's descriptor is a variable
 * of the caller, and of others nothing is known. */
static bool goes_back(const struct cs_graph *g, struct cs_operand descriptor)
{
    if (descriptor.kind != CS_OPND_ADDR)
        return true;
    for (int s = 0; s < g->nstmts; s++)
        if (sets_back(&g->stmts[s], descriptor.id))
            return true;
    return false;
}

/* Data that lies before the buffer: displacements may be negative, also those in a datatype, and strides of a section.
 * NONE: there is none. */
static struct cs_operand before_buffer(struct cs_role_ctx *c, struct cs_operand buf)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    int64_t type;
    if (c->b->m->binding == CS_BIND_F08 && goes_back(c->b->g, cs_mpi_actual(c)))
        return cs_opnd_value(cs_mb_moved(c->b, buf, cs_opnd_none()));
    if (a->type_arg < 0)
        return cs_opnd_none();
    bool displaced = a->count_arg >= 0 && c->call->args[a->count_arg].role == CS_ROLE_COUNTS &&
                     cs_mpi_has_role(c->call, CS_ROLE_DISPLS);
    if (displaced)
        return cs_opnd_value(cs_mb_moved(c->b, buf, cs_opnd_none()));
    if (literal(c, a->type_arg, &type) && cs_mpich_is_predefined(type))
        return cs_opnd_none();
    struct cs_operand t = cs_mb_arg(c->b, a->type_arg - c->shift);
    bool many = c->call->args[a->type_arg].role == CS_ROLE_TYPES;
    if (c->fortran || many)
        t = cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(t, many ? CS_SIZE_UNKNOWN : CS_MPICH_HANDLE_SIZE), true));
    return cs_opnd_value(cs_mb_moved(c->b, buf, t));
}

/* Where the content of a buffer argument lies: the memory behind it, and for MPI_BOTTOM and relative displacements
 * whatever had its address taken by MPI_Get_address. */
static int buffer_regions(struct cs_role_ctx *c, struct cs_ref out[3])
{
    struct cs_mbuild *b = c->b;
    struct cs_operand a = cs_mpi_actual(c);
    int n = 0;
    if (c->b->m->binding == CS_BIND_F08) {
        cs_mb_read(b, c->local ? CS_LEVEL_KEPT : CS_LEVEL_CONTENT, cs_mb_ref(a, CS_SIZE_UNKNOWN));
        a = cs_opnd_value(cs_mb_load(b, cs_mb_ref(a, 8), true));
    }
    if (!is_special_address(b->g, a)) {
        struct cs_operand moved = before_buffer(c, a);
        out[n++] = cs_mb_ref(a, literal_extent(c));
        if (moved.kind != CS_OPND_NONE)
            out[n++] = cs_mb_ref(moved, CS_SIZE_UNKNOWN);
    }
    int v = cs_mb_load(b, cs_mb_ref(cs_opnd_addr(b->ms->addr_obj, cs_pat_any()), CS_SIZE_UNKNOWN), true);
    out[n++] = (struct cs_ref){cs_opnd_value(v), cs_pat_any(), CS_SIZE_UNKNOWN};
    assert(n <= 3);
    return n;
}

/* May the content hold addresses? No numbers do that are real, or of another size than an address, nor what comes out
 * of a reduction; what a root broadcasts it has already. */
static bool may_hold_addresses(struct cs_role_ctx *c)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    int64_t type;
    if (c->call->kind == CS_MPI_COLL && (c->call->flags & CS_MPI_REDUCES || a->role == CS_ROLE_SRBUF))
        return false;
    if (a->type_arg < 0 || !literal(c, a->type_arg, &type) || !cs_mpich_is_basic(type))
        return true;
    return !cs_mpich_is_real(type) && (cs_mpich_basic_size(type) == 1 || cs_mpich_basic_size(type) == 8);
}

/* A rank may send to itself, or get back what it sent: what is in one message may come with any. */
static void carry(struct cs_mbuild *b, struct cs_ref region, bool in)
{
    struct cs_model *m = b->m;
    struct cs_ref any = cs_mb_ref(cs_opnd_addr(b->ms->message_obj, cs_pat_any()), CS_SIZE_UNKNOWN);
    m->carried = cs_realloc(m->carried, (m->ncarried + 1) * sizeof *m->carried);
    m->carried[m->ncarried++] = in ? (struct cs_mcopy){any, region} : (struct cs_mcopy){region, any};
}

/* Does MPICH's binding of mpi_f08 look whether the buffer at hand has gaps? Then it passes a datatype of the section in
 * place of count and datatype. Of reductions it looks at what is received alone. */
static bool looks_for_gaps(struct cs_role_ctx *c)
{
    const struct cs_mpi_arg *a = &c->call->args[c->arg];
    if (c->b->m->binding != CS_BIND_F08 || c->local || a->type_arg < 0 || a->count_arg < 0)
        return false;
    if (c->call->args[a->count_arg].role != CS_ROLE_COUNT)
        return false;
    return !(c->call->flags & CS_MPI_REDUCES) || (a->role != CS_ROLE_SBUF && !(c->call->flags & CS_MPI_SCATTERS));
}

/* What the descriptor of the buffer at hand tells is needed whether or not the content goes anywhere. */
static void need_shape(struct cs_role_ctx *c)
{
    enum { DIMS = 40 };
    struct cs_mbuild *b = c->b;
    struct cs_operand a = cs_mpi_actual(c);
    struct cs_model *m = b->m;
    assert(m->ndescriptors < (int)(sizeof m->descriptors / sizeof *m->descriptors));
    struct cs_mdescriptor *d = &m->descriptors[m->ndescriptors++];
    d->arg = c->arg;
    cs_mb_need(b, CS_LEVEL_KEPT, a);
    d->shape = shape_of(c);
    for (int i = 0; i < 4; i++)
        cs_mb_need(b, CS_LEVEL_KEPT, cs_opnd_value(d->shape.told[i]));
    d->dims = cs_mb_load(b, (struct cs_ref){a, cs_pat_at(DIMS), CS_SIZE_UNKNOWN}, false);
    cs_mb_need(b, CS_LEVEL_KEPT, cs_opnd_value(d->dims));
}

void cs_mpi_buffer(struct cs_role_ctx *c, bool in, bool out)
{
    struct cs_mbuild *b = c->b;
    enum cs_level level = c->local ? CS_LEVEL_KEPT : CS_LEVEL_CONTENT;
    struct cs_ref reg[3];
    assert(in || out);
    if (looks_for_gaps(c))
        need_shape(c);
    int n = buffer_regions(c, reg), first = b->m->nneeds;
    bool addresses = may_hold_addresses(c);
    cs_mb_need(b, level, cs_mpi_actual(c));
    for (int i = 0; i < n; i++) {
        if (in && addresses)
            carry(b, reg[i], true);
        if (out && addresses)
            carry(b, reg[i], false);
        int before = b->m->nneeds;
        if (in)
            cs_mb_read(b, level, reg[i]);
        bool read = b->m->nneeds > before;
        if (read && in && out && c->call->kind == CS_MPI_COLL && !(c->call->flags & CS_MPI_REDUCES) && i == 0)
            b->m->needs[b->m->nneeds - 1].own_content = c->call->args[c->arg].role == CS_ROLE_SRBUF;
        if (out)
            cs_mb_write(b, level, reg[i], cs_opnd_none());
        if (i == 0 && n > 1 && reg[0].size < 0 && counted(c))
            note_array(c, read ? b->g->values[b->m->needs[b->m->nneeds - 1].op.id].def : -1,
                       out ? b->m->nwrites - 1 : -1, 0, b->m->binding == CS_BIND_F08);
    }
    for (int i = first; i < b->m->nneeds; i++)
        b->m->needs[i].payload = true;
    if (in)
        b->m->buf_arg[0] = c->arg;
    if (out)
        b->m->buf_arg[1] = c->arg;
}

bool cs_mpi_may_be_in_place(struct cs_role_ctx *c)
{
    if (c->call->kind != CS_MPI_COLL)
        return false;
    for (int i = 0; i < c->call->nargs; i++) {
        enum cs_role r = c->call->args[i].role;
        if (r != CS_ROLE_SBUF && r != CS_ROLE_RBUF)
            continue;
        if (i == c->arg)
            continue;
        struct cs_operand a = cs_mb_arg(c->b, i);
        if (c->b->m->binding == CS_BIND_F08)
            return true;
        if (a.kind != CS_OPND_ADDR || is_special_address(c->b->g, a))
            return true;
    }
    return false;
}
