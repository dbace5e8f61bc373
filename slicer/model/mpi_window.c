/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls of one-sided communication. All ranks run one program, so the memory of another rank's window is what this
 * program gives its own windows; a hidden object has the addresses of all of it. Who reads there reads what any call of
 * the program may have put there, at any time: the call that makes a window counts as one that writes all of it. Where
 * that matters, all calls on windows happen (live_marks.c); otherwise they are only recorded. */
#include "slicer/model/mpi_internal.h"

#define WINDOWS "h:MPI windows"

/* Any place in the memory of any window. */
static struct cs_ref all_memory(struct cs_role_ctx *c)
{
    int base = cs_mb_load(c->b, cs_mb_hidden(c->b, WINDOWS), true);
    return (struct cs_ref){cs_opnd_value(base), cs_pat_any(), CS_SIZE_UNKNOWN};
}

/* An attribute of the window has the address, too. */
void cs_mpi_window_memory(struct cs_role_ctx *c, struct cs_operand base)
{
    struct cs_mbuild *b = c->b;
    struct cs_ref attributes = cs_mb_ref(cs_opnd_addr(b->ms->attr_obj, cs_pat_any()), CS_SIZE_UNKNOWN);
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_hidden(b, WINDOWS), base)->spread = true;
    cs_mb_write(b, CS_LEVEL_KEPT, attributes, base);
}

void cs_mpi_window_query(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    struct cs_operand to = cs_mpi_actual(c);
    int base = cs_mb_load(b, cs_mb_hidden(b, WINDOWS), true);
    cs_mb_need(b, CS_LEVEL_KEPT, to);
    cs_mb_need(b, CS_LEVEL_KEPT, cs_opnd_value(base));
    cs_mb_write(b, CS_LEVEL_KEPT, cs_mb_ref(to, 8), cs_opnd_value(base))->spread = true;
}

void cs_mpi_window_effects(struct cs_role_ctx *c)
{
    struct cs_mbuild *b = c->b;
    const struct cs_mpi_call *call = c->call;
    bool sends = cs_mpi_has_role(call, CS_ROLE_SBUF), gets = cs_mpi_has_role(call, CS_ROLE_RBUF);
    bool makes = cs_mpi_has_role(call, CS_ROLE_NEWCOMM) || cs_mpi_has_role(call, CS_ROLE_ADDR);
    if (call->kind != CS_MPI_RMA)
        return;
    if (gets)
        cs_mb_read(b, CS_LEVEL_CONTENT, all_memory(c));
    if (!gets && cs_mpi_has_role(call, CS_ROLE_OP)) {
        cs_mb_read(b, CS_LEVEL_CONTENT, all_memory(c));
        b->m->needs[b->m->nneeds - 1].mixed = true;
    }
    if (sends || makes)
        cs_mb_write(b, CS_LEVEL_CONTENT, all_memory(c), cs_opnd_none());
}
