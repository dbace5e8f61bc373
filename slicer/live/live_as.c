/* SPDX-License-Identifier: GPL-3.0-or-later
 * As what the content of messages is asked for: as real numbers, as whole ones, or as bytes (enum cs_as).
 * What a load takes as a whole number was stored as one, also where a message lies between the two whose datatype is
 * one of numbers: so a message of both kinds, or a buffer that is used for both, transmits no more than what is asked
 * for. MPI asks that numbers be received as what they were sent; MPI_BYTE, packed data and derived datatypes may make
 * another thing of them. Bytes are asked for there, and wherever something else than a load reads what was received. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

#include "slicer/model/mpich_abi.h"

void cs_as_prepare(struct cs_live *l)
{
    l->asked_as = cs_calloc(l->g->nstmts + 1, sizeof *l->asked_as);
    l->content_of = cs_calloc(l->g->nstmts + 1, sizeof *l->content_of);
    for (int s = 0; s < l->g->nstmts; s++)
        l->content_of[s] = -1;
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        for (int k = 0; m->mpi && (m->mpi->flags & CS_MPI_EVENT) && k < m->nneeds; k++) {
            int load = l->g->values[m->needs[k].op.id].def;
            if (m->needs[k].payload && m->needs[k].level == CS_LEVEL_CONTENT && load >= 0 &&
                l->g->stmts[load].kind == CS_STMT_LOAD)
                l->content_of[load] = m->stmt;
        }
    }
}

void cs_as_free(struct cs_live *l)
{
    free(l->asked_as);
    free(l->content_of);
}

/* MPI itself computes here, so that every byte of an element decides each byte of the result: with a predefined
 * operation on numbers of one kind they are read and written as such. A user's operation may do anything. */
int cs_as_of_reduction(struct cs_live *l, const struct cs_model *m)
{
    int64_t op, type;
    assert(m->mpi && (m->mpi->flags & CS_MPI_REDUCES));
    if (m->op.kind == CS_OPND_NONE || !cs_pts_constant(l->pts, m->op, &op) ||
        !cs_pts_constant(l->pts, m->type[0], &type))
        return CS_AS_BYTES;
    return cs_mpich_is_real(type) ? CS_AS_REAL : cs_mpich_is_whole(type) ? CS_AS_WHOLE : CS_AS_BYTES;
}

/* Is the datatype one of numbers, whichever it is? */
static bool of_numbers(struct cs_live *l, struct cs_operand type)
{
    const struct cs_intset *s = cs_pts_operand(l->pts, type);
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, s->a[i]);
        if (loc->obj != CS_LOC_CONST || (!cs_mpich_is_real(loc->pat.off) && !cs_mpich_is_whole(loc->pat.off)))
            return false;
    }
    return s->n > 0;
}

/* Does the call transmit bytes that may become something else? One that only completes or starts others does not. */
static bool transmits_bytes(struct cs_live *l, const struct cs_model *m)
{
    if (cs_live_completes(m->mpi) || m->mpi->kind == CS_MPI_START)
        return false;
    for (int i = 0; i < 2; i++)
        if (m->type[i].kind == CS_OPND_NONE || !of_numbers(l, m->type[i]))
            return true;
    return false;
}

bool cs_as_ask(struct cs_live *l, int call, const struct cs_model *m, unsigned *as)
{
    if (cs_live_is_mpi_pointer(l, call))
        *as = CS_ASK_BYTES;
    else if (m->mpi->flags & CS_MPI_REDUCES)
        *as = 1U << cs_as_of_reduction(l, m);
    else if (transmits_bytes(l, m))
        *as = CS_ASK_BYTES;
    bool more = *as & ~(unsigned)l->asked_as[call] && !(l->asked_as[call] & CS_ASK_BYTES);
    l->asked_as[call] |= (unsigned char)*as;
    return more;
}

bool cs_as_need_content(struct cs_live *l, int load)
{
    int call = l->content_of[load];
    if (call < 0)
        return false;
    unsigned asked = l->asked_as[call];
    struct cs_ref r = l->g->stmts[load].load;
    if (asked & CS_ASK_BYTES || !asked)
        asked = CS_ASK_BYTES;
    for (r.as = CS_AS_BYTES; r.as <= CS_AS_WHOLE; r.as++)
        if (asked & 1U << r.as)
            cs_need_ref(l, &r, l->g->stmts[load].func, load, load);
    return true;
}
