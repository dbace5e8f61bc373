/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls of MPI-IO. They are recorded, and happen only where something is asked of a file: then all calls on files that
 * may be that one do (live_marks.c). Which file a handle means is found as for streams (live_files.c).
 * What the library keeps of an open file, as its position and its view, is the memory behind the handle. */
#include "slicer/model/mpi_internal.h"

#include <assert.h>
#include <string.h>

bool cs_mpi_is_file_call(const struct cs_mpi_call *call)
{
    return call->kind == CS_MPI_IO || cs_mpi_has_role(call, CS_ROLE_FILE);
}

/* A handle is a pointer in C, an integer in Fortran. */
static int64_t handle_size(const struct cs_role_ctx *c)
{
    return c->fortran ? CS_MPICH_HANDLE_SIZE : 8;
}

static bool asks(const struct cs_role_ctx *c)
{
    return c->call->kind == CS_MPI_LOCAL;
}

/* The call goes by this handle: its number is recorded, and what is behind it changes if the call happens. */
static void goes_by(struct cs_role_ctx *c, struct cs_operand handle)
{
    struct cs_mbuild *b = c->b;
    struct cs_ref state = {handle, cs_pat_any(), CS_SIZE_UNKNOWN};
    enum cs_level level = asks(c) ? CS_LEVEL_KEPT : CS_LEVEL_CONTENT;
    cs_mb_need(b, CS_LEVEL_KEPT, handle);
    b->m->reads_through = true;
    b->m->stream = handle;
    cs_mb_read(b, level, state);
    if (!asks(c) || cs_mpi_has_role(c->call, CS_ROLE_ERRH))
        cs_mb_write(b, level, state, cs_opnd_none());
}

/* The handle that a pointer leads to. */
static struct cs_operand handle_behind(struct cs_role_ctx *c)
{
    return cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(cs_mpi_actual(c), handle_size(c)), true));
}

void cs_mpi_file_in(struct cs_role_ctx *c)
{
    if (c->fortran)
        cs_mb_need(c->b, CS_LEVEL_KEPT, cs_mpi_actual(c));
    goes_by(c, c->fortran ? handle_behind(c) : cs_mpi_actual(c));
}

void cs_mpi_file_out(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    int o = cs_mb_new_obj(b, CS_OBJ_HANDLE, "file", CS_SIZE_UNKNOWN);
    struct cs_operand to = cs_mpi_actual(c);
    cs_mb_need(b, CS_LEVEL_KEPT, to);
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(to, handle_size(c)), cs_opnd_addr(o, cs_pat_at(0)));
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(to, handle_size(c)), cs_opnd_const(0)); /* MPI_FILE_NULL after an error */
    cs_mb_write(b, CS_LEVEL_CONTENT, cs_mb_ref(cs_opnd_addr(o, cs_pat_any()), CS_SIZE_UNKNOWN), cs_opnd_none());
}

void cs_mpi_file_close(struct cs_role_ctx *c)
{
    struct cs_operand to = cs_mpi_actual(c);
    cs_mb_need(c->b, CS_LEVEL_KEPT, to);
    goes_by(c, handle_behind(c));
    cs_mb_write(c->b, CS_LEVEL_KEPT, cs_mb_ref(to, handle_size(c)), cs_opnd_const(0));
}

/* The name of the file that the call opens or deletes. */
static void note_name(struct cs_role_ctx *c)
{
    int at = cs_mpi_arg_of_role(c->call, CS_ROLE_STR_IN);
    int mode = cs_mpi_arg_of_role(c->call, CS_ROLE_VAL);
    assert(at >= 0);
    if (mode >= 0) {
        struct cs_operand m = cs_mb_arg(c->b, mode);
        c->b->m->access = c->fortran ? cs_opnd_value(cs_mb_load(c->b, cs_mb_ref(m, 4), true)) : m;
    }
    c->b->m->names[c->b->m->nnames++] = (struct cs_mname){cs_mb_arg(c->b, at), -1};
}

void cs_mpi_file_effects(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    const struct cs_mpi_call *call = c->call;
    struct cs_ref files = cs_mb_ref(cs_opnd_addr(b->ms->fs_obj, cs_pat_any()), CS_SIZE_UNKNOWN);
    bool named = !cs_mpi_has_role(call, CS_ROLE_FILE) && !cs_mpi_has_role(call, CS_ROLE_FILE_UPD);
    if (!cs_mpi_is_file_call(call) || strcmp(call->ret, "int"))
        return;
    if (asks(c)) { /* MPI_File_get_size */
        if (cs_mpi_has_role(call, CS_ROLE_FILE))
            cs_mb_read(b, CS_LEVEL_KEPT, files);
        return;
    }
    if (named) {
        note_name(c);
        cs_mb_read(b, CS_LEVEL_CONTENT, files);
        cs_mb_write(b, CS_LEVEL_CONTENT, files, cs_opnd_none());
        return;
    }
    if (!cs_mpi_has_role(call, CS_ROLE_SBUF))
        cs_mb_read(b, CS_LEVEL_CONTENT, files);
    if (cs_mpi_has_role(call, CS_ROLE_RBUF))
        return;
    struct cs_mwrite *w = cs_mb_write(b, CS_LEVEL_CONTENT, files, cs_opnd_none());
    w->guard = CS_GUARD_STREAM;
    w->guard_op = b->m->stream;
}
